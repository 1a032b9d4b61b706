import { fileURLToPath } from 'node:url';
import {
  type Clip,
  createRig,
  mirrorRole,
  mirrorScene,
  modelPoseOf,
  poseAt,
  ROLES,
  type Role,
  retarget,
  type Scene,
} from '@stuntdouble/core';
import { describe, expect, it } from 'vitest';
import { retargetPlainly } from '../../core/test/plainly.js';
import { read } from '../src/index.js';
import { DATA_FOLDER, describeData } from './data-files.js';

const SAMPLES = fileURLToPath(new URL('../../../samples/files/', import.meta.url));

const REAL = [
  'cmu/12_01.bvh',
  'kaykit/Knight.glb',
  'misc/pybvh_test1.bvh',
  'misc/mannequiny-0.3.0.glb',
  'misc/momask_smpl22.bvh',
  'threejs/RobotExpressive.glb',
];

/** Where a role's joint is at a time, from the middle of the body's first place, in heights of the body. */
async function compare(source: Scene, target: Scene) {
  const mirrored = retargetPlainly(source, target, {
    mirror: true,
    measure: false,
    keys: 'refine',
    wholeBody: true,
  });
  const plain = retargetPlainly(source, target, { measure: false, keys: 'refine', wholeBody: true });
  const { skeleton, clips } = target.characters[mirrored.character]!;
  const rig = createRig(skeleton, { clips });
  const place = (clip: Clip, time: number, role: Role) => {
    const joint = rig.joints[role]!;
    return Array.from(
      modelPoseOf(rig.skeleton, poseAt(rig.skeleton, clip, time)).matrices.slice(
        16 * joint + 12,
        16 * joint + 15,
      ),
    );
  };
  let worst = 0;
  let least = 0;
  const [a, b] = [plain.clips[0]!, mirrored.clips[0]!];
  const hips = modelPoseOf(rig.skeleton, rig.reference.pose).matrices[16 * rig.joints.hips! + 12]!;
  for (const share of [0, 0.25, 0.5, 0.8])
    for (const role of ROLES) {
      const other = mirrorRole(role);
      if (rig.joints[role] === undefined || rig.joints[other] === undefined) continue;
      const time = share * a.duration;
      const [x, y, z] = place(a, time, role) as [number, number, number];
      const [u, v, w] = place(b, time, other) as [number, number, number];
      worst = Math.max(worst, Math.hypot(2 * hips - x - u, y - v, z - w) / rig.space.height);
      const same = place(a, time, other) as [number, number, number];
      least = Math.max(least, Math.hypot(same[0] - u, same[1] - v, same[2] - w) / rig.space.height);
    }
  return { worst, least };
}

describe('mirrored motion', () => {
  it('a wave on one leg becomes the same wave on the other, on the same body and on others', async () => {
    const wave = await read(`${SAMPLES}motions/wave-on-one-leg.glb`);
    for (const name of ['mixamo-guy.glb', 'vrm-girl.vrm', 'goblin.glb', 'robot.glb']) {
      const { worst, least } = await compare(wave, await read(`${SAMPLES}characters/${name}`));
      expect(worst, name).toBeLessThan(0.002);
      expect(least, name).toBeGreaterThan(0.05);
    }
  });

  it('keeps sparse cubic keys, and mirrored twice it is itself', async () => {
    const wave = await read(`${SAMPLES}motions/wave-on-one-leg.glb`);
    const guy = await read(`${SAMPLES}characters/mixamo-guy.glb`);
    const { clips, report } = retargetPlainly(wave, guy, { mirror: true });
    expect(report.clips[0]!.way).toBe('keys');
    expect(report.measures[0]!.direction.worst).toBeLessThan(0.1);
    const again = retargetPlainly({ ...guy, characters: [{ ...guy.characters[0]!, clips }] }, guy, {
      mirror: true,
    });
    const plain = retargetPlainly(wave, guy);
    for (const track of plain.clips[0]!.tracks) {
      const twin = again.clips[0]!.tracks.find((t) => t.joint === track.joint && t.channel === track.channel);
      if (!twin) continue;
      const sign = track.channel === 'rotation' && track.values[3]! * twin.values[3]! < 0 ? -1 : 1;
      for (let i = 0; i < track.values.length; i++)
        expect(sign * twin.values[i]!).toBeCloseTo(track.values[i]!, 3);
    }
  });
});

describeData('mirrored motion on real files (needs ../shared/data)', () => {
  it.each(REAL)('%s', async (path) => {
    const scene = await read(DATA_FOLDER + path);
    const { worst, least } = await compare(scene, scene);
    expect(worst).toBeLessThan(0.02);
    expect(least).toBeGreaterThan(0.02);
  });

  // A boxy boot has skin right at its ball: rounding once said whether that was before or behind it.
  it.each(['100avatars/100Avatars_051_Polybot.vrm', 'misc/mannequiny-0.3.0.glb'])(
    'mirrored bodies are corrected into mirror images: a run on %s',
    async (path) => {
      const run = await read(`${SAMPLES}motions/run-turn.glb`);
      const body = await read(DATA_FOLDER + path);
      const [plain, mirrored] = [
        retarget(run, body, { measure: false }),
        retarget(mirrorScene(run), mirrorScene(body), { measure: false }),
      ];
      const skeletons = [body, mirrorScene(body)].map(
        (scene, n) => createRig(scene.characters[[plain, mirrored][n]!.character]!.skeleton).skeleton,
      );
      let worst = 0;
      for (let k = 0; k < 40; k++) {
        const time = (k * plain.clips[0]!.duration) / 39;
        const [a, b] = [plain, mirrored].map(
          ({ clips }, n) => modelPoseOf(skeletons[n]!, poseAt(skeletons[n]!, clips[0]!, time)).matrices,
        );
        for (let i = 12; i < a!.length; i += 16)
          worst = Math.max(
            worst,
            Math.hypot(a![i]! + b![i]!, a![i + 1]! - b![i + 1]!, a![i + 2]! - b![i + 2]!),
          );
      }
      expect(worst).toBeLessThan(1e-3);
    },
  );
});
