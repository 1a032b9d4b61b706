import {
  copyPose,
  createRetargeter,
  LIMBS,
  type Pose,
  type RetargetOptions,
  type RetargetResult,
  retarget,
  type Scene,
  type Setup,
  sampleClip,
} from '@stuntdouble/core';
import { expect } from 'vitest';
import { largestDistance, underNode, worldMotion } from '../../core/test/reexpress.js';
import { turn } from '../../core/test/stick-figure.js';

/*
 * What is claimed of bodies and shown twice, on files of this repository and on real ones.
 */

const UNMOVED = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

/** Root scales are measured and said; told ones are taken over, so that hips travel by their share of what they did. */
export function expectToldScales(
  source: Scene,
  target: Scene,
  options: RetargetOptions,
  digits: number,
): RetargetResult['report']['rootScales'] {
  const travel = (rootScales?: RetargetOptions['rootScales']) => {
    const { clips, report } = retarget(source, target, {
      ...options,
      measure: false,
      ...(rootScales && { rootScales }),
    });
    const joint = report.map.joints.find(({ role }) => role === 'hips')!.target;
    const times = Array.from({ length: 8 }, (_, k) => (k * clips[0]!.duration) / 7);
    return { report, hips: worldMotion(target.characters[0]!.skeleton, clips[0]!, times, [joint]) };
  };
  const { report, hips } = travel();
  expect(report.rootScales.reason).toMatch('hip width and leg bones');
  const told = { horizontal: 2, vertical: 0.25 };
  const other = travel(told);
  expect(other.report.rootScales).toMatchObject(told);
  expect(other.report.rootScales.reason).toMatch('as asked');
  let moved = 0;
  for (let i = 3; i < hips.length; i += 3)
    for (const [c, scale] of [
      [0, told.horizontal / report.rootScales.horizontal],
      [1, told.vertical / report.rootScales.vertical],
      [2, told.horizontal / report.rootScales.horizontal],
    ] as const) {
      const own = hips[i + c]! - hips[c]!;
      expect(other.hips[i + c]! - other.hips[c]!).toBeCloseTo(scale * own, digits);
      moved = Math.max(moved, Math.abs(own));
    }
  expect(moved).toBeGreaterThan(0.05);
  return report.rootScales;
}

/** Where source and target stand, how they are turned and how large their scene is, changes nothing. */
export function expectStageUnseen(walk: Scene, body: Scene, options: RetargetOptions): void {
  const [source, target] = [walk.characters[0]!, body.characters[0]!];
  const from = underNode(source, {
    translation: [5, 0, -3],
    rotation: turn([0, 1, 0], 90),
    scale: [3, 3, 3],
  });
  const onto = underNode(target, {
    translation: [-2, 1, 4],
    rotation: turn([0, 1, 0], -40),
    scale: [0.2, 0.2, 0.2],
  });
  const told = { ...options, measure: false };
  const plain = retarget(walk, body, told);
  const staged = retarget({ ...walk, characters: [from] }, { ...body, characters: [onto] }, told);
  const times = [0, 0.2, 0.4, 0.6, 0.8].map((x) => x * plain.clips[0]!.duration);
  // Seen from below the stage: the joints in the space of their own roots.
  const seen = (clip: (typeof plain.clips)[number], skeleton: typeof target.skeleton, joints: number[]) =>
    worldMotion({ ...skeleton, container: UNMOVED }, clip, times, joints);
  const joints = [...target.skeleton.names.keys()];
  const below = structuredClone(onto.skeleton);
  below.rest.translations.fill(0, 0, 3);
  below.rest.rotations.set([0, 0, 0, 1], 0);
  below.rest.scales.fill(1, 0, 3);
  const moved = largestDistance(
    seen(plain.clips[0]!, target.skeleton, joints),
    seen(
      staged.clips[0]!,
      below,
      joints.map((joint) => onto.places[joint]!),
    ),
  );
  expect(moved).toBeLessThan(1e-4);
}

/**
 * With current poses as references the target starts from where it is.
 * @returns how far it starts from there without them, in radians.
 */
export function expectStartsFrom(walk: Scene, body: Scene, now: Pose, options: RetargetOptions): number {
  const current = copyPose(walk.characters[0]!.skeleton.rest);
  sampleClip(current, walk.characters[0]!.clips[0]!, 0);
  const keep = Object.fromEntries(LIMBS.map((limb) => [limb, 'keep' as const]));
  const largest = (told: RetargetOptions) => {
    const result = retarget(walk, body, { ...options, measure: false, alignment: keep, ...told });
    const pose = copyPose(body.characters[0]!.skeleton.rest);
    sampleClip(pose, result.clips[0]!, 0);
    const angles = result.report.map.joints.map(({ target }) => {
      const [p, q] = [pose.rotations, now.rotations];
      const dot = [0, 1, 2, 3].reduce((sum, c) => sum + p[4 * target + c]! * q[4 * target + c]!, 0);
      return 2 * Math.acos(Math.min(1, Math.abs(dot)));
    });
    return Math.max(...angles);
  };
  expect(largest({ sourceReference: { pose: current }, targetReference: { pose: now } })).toBeLessThan(2e-3);
  return largest({});
}

/** Pose by pose one source drives several bodies at once, as each alone. */
export function expectDrivenAtOnce(source: Scene, setups: readonly Setup[], frames: number): void {
  const { skeleton, clips } = source.characters[0]!;
  const all = setups.map((setup) => createRetargeter(setup));
  const pose = copyPose(skeleton.rest);
  const play = (bodies: typeof all) => {
    for (let k = 0; k < frames; k++) {
      sampleClip(pose, clips[0]!, k / 60);
      for (const live of bodies) live.update(pose, 1 / 60);
    }
  };
  play(all);
  setups.forEach((setup, n) => {
    const alone = createRetargeter(setup);
    play([alone]);
    expect(alone.pose.rotations).toEqual(all[n]!.pose.rotations);
    expect(alone.pose.translations).toEqual(all[n]!.pose.translations);
    expect(alone.pose.rotations.every(Number.isFinite)).toBe(true);
  });
}

/** Every finger that both bodies have points as the source's; there are ten of them at least. */
export function expectFingersPoint({ report }: RetargetResult): void {
  const fingers = Object.entries(report.measures[0]!.direction.limbs).filter(([limb]) =>
    /Thumb|Index|Middle|Ring|Little/.test(limb),
  );
  expect(fingers.length).toBeGreaterThanOrEqual(10);
  for (const [, { worst }] of fingers) expect(worst).toBeLessThan(0.1);
}
