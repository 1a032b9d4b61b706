import {
  type Character,
  type Clip,
  chooseCharacter,
  copyPose,
  createRig,
  modelPoseOf,
  type Rig,
  type Role,
  type Scene,
  sampleClip,
  subtractVectors,
  type Vec3,
  vectorAngle,
  vectorAt,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { retargetPlainly } from '../../core/test/plainly.js';
import { pathOf, present } from './data-files.js';

/*
 * One motion that others put on two skeletons: ours, moved from the first to the second, against theirs on the
 * second. The catalogue of the folder says how far the two differ in themselves.
 */

const BONES = [
  ['UpperArm', 'LowerArm'],
  ['LowerArm', 'Hand'],
  ['UpperLeg', 'LowerLeg'],
  ['LowerLeg', 'Foot'],
] as const;

const characterOf = (scene: Scene): Character => scene.characters[chooseCharacter(scene).character]!;

type Ends = [number, number];

/** Mean angles in degrees between bones of one motion on two skeletons, as the files have it and as we move it. */
type Means = { theirs: number; ours: number };

/**
 * How far the target's own clip is from the source's, and how far ours is from it, in the directions of bones
 * that `bonesOf` names by joints of each rig.
 */
async function compare(
  [fromFile, fromClip]: readonly [string, string?],
  [toFile, toClip]: readonly [string, string?],
  bonesOf: (rig: Rig) => Ends[],
): Promise<Means[]> {
  const [from, to] = [await read(pathOf(fromFile)), await read(pathOf(toFile))];
  const sides = [characterOf(from), characterOf(to)].map((character) => {
    const rig = createRig(character.skeleton, { clips: character.clips });
    return { character, rig, bones: bonesOf(rig) };
  });
  const [source, target] = [sides[0]!, sides[1]!];
  const clipOf = ({ clips }: Character, name?: string): Clip =>
    name === undefined
      ? clips[0]!
      : clips.find((clip) => clip.name === name || clip.name.endsWith(`|${name}`))!;
  const original = clipOf(source.character, fromClip);
  const theirs = clipOf(target.character, toClip);
  const { clips, report } = retargetPlainly(from, to, { clips: [original.name], measure: false });
  // What is held for calibration is left out: the result begins where the motion does.
  const { start = 0 } = report.clips[0]!;
  const directionsAt = ({ rig, bones }: typeof source, clip: Clip, time: number): Vec3[] => {
    const pose = copyPose(rig.skeleton.rest);
    sampleClip(pose, clip, time);
    const { matrices } = modelPoseOf(rig.skeleton, pose);
    return bones.map(([a, b]) =>
      subtractVectors(vectorAt(matrices, 16 * b + 12), vectorAt(matrices, 16 * a + 12)),
    );
  };
  const sums = source.bones.map((): Means => ({ theirs: 0, ours: 0 }));
  let count = 0;
  // A twentieth of a second: two frames of T-pose open one of the conversions.
  // One walk may be a frame longer than the other: the same part of each is the same instant.
  const pace = theirs.duration / original.duration;
  for (let time = 0.05; time <= original.duration; time += 1 / 30, count++) {
    const [a, b, c] = [
      directionsAt(source, original, time),
      directionsAt(target, theirs, pace * time),
      directionsAt(target, clips[0]!, time - start),
    ];
    sums.forEach((sum, n) => {
      sum.theirs += vectorAngle(a![n]!, b![n]!);
      sum.ours += vectorAngle(c![n]!, b![n]!);
    });
  }
  expect(count).toBeGreaterThan(10);
  const mean = (sum: number) => (sum / count / Math.PI) * 180;
  return sums.map((sum) => ({ theirs: mean(sum.theirs), ours: mean(sum.ours) }));
}

const average = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length;

describe('the same motion on two skeletons', () => {
  const def = 'mesh2motion/human-base-animations.DEF.glb';
  type Side = readonly [string, string?];
  const rows: readonly (readonly [Side, Side, number])[] = [
    // Our own walk, written in the dialects of captures: no difference but that of their skeletons.
    [['samples/captures/walk-xsens.bvh'], ['samples/captures/walk-biovision.bvh'], 2],
    [['samples/captures/walk-biovision.bvh'], ['samples/captures/walk-xsens.bvh'], 2],
    [['samples/captures/walk-rokoko.bvh'], ['samples/captures/walk-mixamo.bvh'], 2],
    [['samples/captures/walk-mixamo.bvh'], ['samples/captures/walk-neuron.bvh'], 2],
    [['samples/captures/walk-neuron.bvh'], ['samples/captures/walk-smpl.bvh'], 2],
    // Differences in degrees as the catalogue lists them.
    [['threejs/pirouette.bvh'], ['cmu/05_11.bvh'], 6],
    [['cmu/05_11.bvh'], ['threejs/pirouette.bvh'], 6],
    [['misc/viverse_walk.glb'], [def, 'Walk_Loop'], 1.4],
    [[def, 'Walk_Loop'], ['misc/viverse_walk.glb'], 1.4],
    [['misc/viverse_run.glb'], [def, 'Sprint_Loop'], 1.4],
    [[def, 'Sprint_Loop'], ['misc/viverse_run.glb'], 1.4],
    [['misc/viverse_idle.glb'], [def, 'Idle_Loop'], 1.4],
    [[def, 'Idle_Loop'], ['misc/viverse_idle.glb'], 1.4],
    [['kaykit/Knight.glb', 'Walking_A'], ['kaykit/Med_MovementBasic.glb', 'Walking_A'], 5],
    [['kaykit/Med_MovementBasic.glb', 'Walking_A'], ['kaykit/Knight.glb', 'Walking_A'], 5],
  ];
  it.each(rows.filter(([[file]]) => present([file]).length > 0))(
    'M9: %s on the skeleton of %s, within %s degrees',
    async (from, to, listed) => {
      const bones = (names: readonly (readonly [string, string])[]) => (rig: Rig) =>
        (['left', 'right'] as const).flatMap((side) =>
          names.map(
            ([a, b]): Ends => [rig.joints[`${side}${a}` as Role]!, rig.joints[`${side}${b}` as Role]!],
          ),
        );
      const found = await compare(from, to, bones(BONES));
      // No worse than the two files are from each other, which is the best that one of them can tell.
      expect(average(found.map(({ ours }) => ours))).toBeLessThanOrEqual(
        average(found.map(({ theirs }) => theirs)) + 0.05,
      );
      // The wrists of the two CMU conversions lie elsewhere: their forearms differ by 20 degrees in themselves.
      const sameJoints = found.filter(({ theirs }) => theirs < 15);
      expect(sameJoints.length).toBeGreaterThanOrEqual(6);
      expect(average(sameJoints.map(({ ours }) => ours))).toBeLessThanOrEqual(listed);
    },
  );

  it.each(present(['quaternius/Fox.glb']).flatMap(() => ['Gallop', 'Walk', 'Idle']))(
    'Fox on the skeleton of Wolf: %s, hind thighs alike',
    async (clip) => {
      const thighs = ({ skeleton }: Rig) =>
        ['L', 'R'].map(
          (side): Ends => [
            skeleton.names.indexOf(`BackUpperLeg.${side}`),
            skeleton.names.indexOf(`BackLowerLeg.${side}`),
          ],
        );
      for (const { ours } of await compare(
        ['quaternius/Fox.glb', clip],
        ['quaternius/Wolf.glb', clip],
        thighs,
      ))
        expect(ours).toBeLessThan(0.5);
    },
  );
});
