import {
  copyPose,
  createRetargeter,
  frameTimes,
  type PassName,
  quaternionAngle,
  retargetFrames,
  sampleClip,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { setUpScenesPlainly } from '../../core/test/plainly.js';
import { pathOf, present } from './data-files.js';

/** Passes that remember nothing: live and offline do the same. */
const passes: readonly PassName[] = ['copyRotations', 'moveJoints', 'moveRoot'];

describe('live against the frame core', () => {
  for (const [from, to, most = 1e-6] of present<readonly [string, string, number?]>([
    ['samples/motions/walk.bvh', 'samples/characters/goblin.glb'],
    ['samples/motions/jump.glb', 'samples/characters/vrm0-sister.vrm'],
    ['samples/formats/guy-walk.fbx', 'samples/characters/child.glb'],
    ['samples/captures/crawl-cmu.bvh', 'samples/characters/baker.glb'],
    ['samples/animals/dog.glb', 'samples/animals/dog.glb'],
    ['misc/viverse_walk.glb', '100avatars/100Avatars_003_Jimmy.vrm'],
    ['cmu/49_06.bvh', 'threejs/RobotExpressive.glb'],
    ['rocketbox/f_walk_fast_02.max.fbx', 'mesh2motion/human-female.glb'],
    ['misc/alien.bvh', 'misc/alien.bvh'],
    ['quaternius/Fox.glb', 'quaternius/Wolf.glb'],
    // Noise between rest and bind, and of bones beside one that bends: offline it is passed over.
    ['threejs/RobotExpressive.glb', 'vrm/debug_robot.vrm', 1e-5],
    ['misc/mannequiny-0.3.0.glb', 'kaykit/Knight.glb', 1e-5],
    ['npm/dcl_walk.glb', 'misc/Geno.fbx'],
    ['rocketbox/f_cheer_03.max.fbx', 'rocketbox/Male_Adult_18.fbx'],
  ]))
    it(`R8: ${from} on ${to}, frames backwards, to ${most}`, async () => {
      const source = await read(pathOf(from));
      const target = await read(pathOf(to));
      const { setup, sourceIndex } = setUpScenesPlainly(source, target, {});
      const clip = source.characters[sourceIndex]!.clips[0]!;
      const baked = retargetFrames(setup, clip, passes, { frameRate: 10 }).clip;
      const { skeleton } = setup.target;
      const live = createRetargeter(setup, { passes });
      const [a, b] = [copyPose(setup.source.skeleton.rest), copyPose(setup.alignment.pose)];
      let [turn, move] = [0, 0];
      for (const time of frameTimes(clip.duration, 10).reverse()) {
        sampleClip(a, clip, time);
        sampleClip(b, baked, time);
        const pose = live.update(a);
        for (let joint = 0; joint < skeleton.names.length; joint++) {
          turn = Math.max(turn, quaternionAngle(pose.rotations, 4 * joint, b.rotations, 4 * joint));
          for (const store of ['translations', 'scales'] as const)
            for (let c = 3 * joint; c < 3 * joint + 3; c++)
              move = Math.max(move, Math.abs(pose[store][c]! - b[store][c]!) / (1 + Math.abs(b[store][c]!)));
        }
      }
      // What float32 keys lose.
      expect(turn).toBeLessThan(most);
      expect(move).toBeLessThan(most);
    });
});
