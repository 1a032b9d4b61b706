import { hypot } from '../base/math/functions.js';
import { SOLE_POINTS } from '../contacts/body-points.js';
import type { ComparedSide, Comparison, SampledMotion } from './comparison.js';
import { heightOf } from './measure-heights.js';
import { limbsOf, type TwoBoneLimb } from './measure-smoothness.js';
import { type Summary, summarise } from './summary.js';

/** How near hands and feet come to where the source's are, and how far legs are stretched. */
export type ReachMeasure = {
  /** Distance of the feet's points from their goals during contacts, in % of the leg's length. */
  feet: Summary | null;
  /** The same of hands that carry the body, in % of the arm's length. */
  hands: Summary | null;
  /** Hip joint to ankle over the length of the leg's bones, in %: of the result and of the source. */
  legExtension: Summary | null;
  sourceLegExtension: Summary | null;
  /** Instants at which a goal of a foot is farther from the hip joint than the leg is long. */
  outOfReach: number;
  frames: number;
};

/**
 * Measures reach. The goal of a point is the source's place of it, moved as the root is: from the hips'
 * reference place, scaled apart along the ground and upwards.
 */
export function measureReach(comparison: Comparison): ReachMeasure {
  const { source, result, points, count } = comparison;
  const width = points.length;
  const legs = limbsOf(result.roles).filter(({ knee }) => knee);
  const arms = limbsOf(result.roles).filter(({ knee }) => !knee);
  const legLengths = legs.map((leg) => limbLength(comparison, leg));
  const legLength = mean(legLengths);
  const armLength = mean(arms.map((arm) => limbLength(comparison, arm)));
  const places = rootPlacesOf(comparison);
  const feet: number[] = [];
  const hands: number[] = [];
  let outOfReach = 0;
  const goal = new Float64Array(3);
  for (let k = 0; k < count; k++) {
    let stretched = false;
    for (let n = 0; n < width; n++) {
      if (source.inContact[width * k + n] !== 1) continue;
      const { name } = points[n]!;
      const isFoot = SOLE_POINTS.includes(name);
      if (!isFoot && !name.endsWith('Hand')) continue;
      placeGoal(goal, comparison, places, n, k);
      const i = 3 * (width * k + n);
      const off = hypot(
        result.places[i]! - goal[0]!,
        result.places[i + 1]! - goal[1]!,
        result.places[i + 2]! - goal[2]!,
      );
      if (isFoot && legLength > 0) feet.push(off / legLength);
      if (!isFoot && armLength > 0) hands.push(off / armLength);
      if (!name.endsWith('Heel')) continue;
      const side = legs.length === 2 && name.startsWith('right') ? 1 : 0;
      const leg = legs[side];
      if (leg && isOutOfReach(comparison, leg, legLengths[side]!, goal, k)) stretched = true;
    }
    if (stretched) outOfReach++;
  }
  return {
    feet: summarise(feet, 100),
    hands: summarise(hands, 100),
    legExtension: extensionOf(result),
    sourceLegExtension: extensionOf(source),
    outOfReach,
    frames: count,
  };
}

/** Where the root of the source stands in its reference, and that of the target: xyz each. */
type RootPlaces = { from: ArrayLike<number>; to: ArrayLike<number> };

function rootPlacesOf({ setup: { travel, sourceReference, alignment } }: Comparison): RootPlaces {
  if (!travel) return { from: [0, 0, 0], to: [0, 0, 0] };
  return {
    from: sourceReference.matrices.subarray(16 * travel.source + 12),
    to: alignment.model.matrices.subarray(16 * travel.target + 12),
  };
}

/** Where a point of the source is on the target's stage. */
function placeGoal(
  out: Float64Array,
  { setup: { rootScales }, source, result, points }: Comparison,
  { from, to }: RootPlaces,
  n: number,
  k: number,
): void {
  const i = 3 * (points.length * k + n);
  const place = source.places;
  out[0] = to[0]! + rootScales.horizontal * (place[i]! - from[0]!);
  out[2] = to[2]! + rootScales.horizontal * (place[i + 2]! - from[2]!);
  // Heights are over each body's floor, less each point's own standing height.
  const height = heightOf(source, n, k);
  out[1] = result.floor + (height + points[n]!.standing) * result.hipHeight;
}

/** Whether the ankle over a heel's goal is farther from the hip joint than the leg is long. */
function isOutOfReach(
  { result, setup }: Comparison,
  leg: TwoBoneLimb,
  length: number,
  heel: Float64Array,
  k: number,
): boolean {
  const [hip, , ankle] = leg.joints;
  const lift = setup.alignment.model.matrices[16 * ankle + 13]! - result.floor;
  const i = 3 * (result.joints * k + hip);
  const distance = hypot(
    result.positions[i]! - heel[0]!,
    result.positions[i + 1]! - heel[1]! - lift,
    result.positions[i + 2]! - heel[2]!,
  );
  return distance > 1.001 * length;
}

function limbLength({ setup }: Comparison, { joints: [a, b, c] }: TwoBoneLimb): number {
  const m = setup.alignment.model.matrices;
  const distance = (i: number, j: number) =>
    hypot(
      m[16 * i + 12]! - m[16 * j + 12]!,
      m[16 * i + 13]! - m[16 * j + 13]!,
      m[16 * i + 14]! - m[16 * j + 14]!,
    );
  return distance(a, b) + distance(b, c);
}

/** Per instant and leg: hip joint to ankle over the length of the bones between them. */
function extensionOf(side: ComparedSide): Summary | null {
  const values: number[] = [];
  for (const { knee, joints } of limbsOf(side.roles)) {
    if (!knee) continue;
    for (let k = 0; k < side.count; k++) {
      const bones = apart(side, joints[0], joints[1], k) + apart(side, joints[1], joints[2], k);
      if (bones > 0) values.push(apart(side, joints[0], joints[2], k) / bones);
    }
  }
  return summarise(values, 100);
}

/** The distance between two joints at an instant, metres. */
export function apart({ positions, joints }: SampledMotion, a: number, b: number, k: number): number {
  const i = 3 * (joints * k + a);
  const j = 3 * (joints * k + b);
  return hypot(
    positions[i]! - positions[j]!,
    positions[i + 1]! - positions[j + 1]!,
    positions[i + 2]! - positions[j + 2]!,
  );
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
