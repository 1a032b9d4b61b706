import {
  type Clip,
  createRetargeter,
  modelPoseOf,
  poseAt,
  quaternionAngle,
  type Setup,
} from '@stuntdouble/core';
import { expect, it } from 'vitest';
import { retargetPlainly, setUpScenesPlainly } from '../../core/test/plainly.js';
import { read } from '../src/index.js';
import { DATA_FOLDER, describeData } from './data-files.js';

/** The worst angle in degrees between a result and what live retargeting gives, over many instants. */
function worstMiss(setup: Setup, clip: Clip, moved: Clip): number {
  const live = createRetargeter(setup);
  const { skeleton } = setup.target;
  let worst = 0;
  for (let n = 0; n <= 500; n++) {
    const time = (clip.duration * n) / 500;
    const wanted = modelPoseOf(skeleton, live.update(poseAt(setup.source.skeleton, clip, time))).rotations;
    const got = modelPoseOf(skeleton, poseAt(skeleton, moved, time)).rotations;
    for (const { target } of setup.map.joints)
      worst = Math.max(worst, quaternionAngle(got, 4 * target, wanted, 4 * target));
  }
  return (worst * 180) / Math.PI;
}

/** Fast motions onto bodies that are built otherwise: joints take over several turns, feet hang beside their legs. */
const CASES = [
  ['mesh2motion/human-base-animations.DEF.glb', 'Roll', 'threejs/RobotExpressive.glb', 0.6],
  ['mesh2motion/human-base-animations.DEF.glb', 'Sprint_Loop', 'threejs/RobotExpressive.glb', 0.5],
  ['mesh2motion/spider-animations.glb', 'Death', 'quaternius/Spider.glb', 0.6],
  ['mesh2motion/dragon-animations.glb', 'Fly Flap', 'mesh2motion/bird-eagle.glb', 0.9],
  ['cmu/05_11.bvh', '05_11', 'kaykit/mannequin_v2/manny_med_mod.gltf', 1],
] as const;

describeData('frames between frames on real files (needs ../shared/data)', () => {
  it.each(CASES)(
    '%s, %s → %s: lines are true, and exact tracks keep their keys',
    async (from, name, to, share) => {
      const [source, target] = [await read(DATA_FOLDER + from), await read(DATA_FOLDER + to)];
      const { clips, report } = retargetPlainly(source, target, {
        clips: [name],
        measure: false,
        keys: 'refine',
        keepCalibration: true,
      });
      const { setup } = setUpScenesPlainly(source, target, {});
      const clip = source.characters[0]!.clips.find((candidate) => candidate.name === name)!;
      expect(worstMiss(setup, clip, clips[0]!)).toBeLessThan(0.1);
      const { frames, way } = report.clips[0]!;
      expect(['products', 'frames']).toContain(way);
      const counts = clips[0]!.tracks.map(({ times }) => times.length).filter((count) => count > 2);
      expect(Math.max(...counts)).toBe(frames);
      // With frames between in every track this would be 1.
      expect(counts.reduce((sum, count) => sum + count, 0) / (frames * counts.length)).toBeLessThan(share);
    },
  );
});
