import { distanceFlat } from '../../base/math/flat-vectors.js';
import { solveTwoBone, type TwoBoneSolution } from '../../solvers/solve-two-bone.js';
import { REACH } from '../goal-rules.js';
import type { LimbGoal } from '../goal-setup.js';
import { reachOf } from './reach.js';

/** Where a limb is, in model space, xyz each: its joints as copied and where its end shall be; and which way it bends where it is straight. */
export type LimbPlaces = {
  upper: Float64Array;
  middle: Float64Array;
  end: Float64Array;
  goal: Float64Array;
  bend: Float64Array;
};

/** A limb of which nothing is known yet. */
export function createLimbPlaces(): LimbPlaces {
  const place = () => new Float64Array(3);
  return { upper: place(), middle: place(), end: place(), goal: place(), bend: place() };
}

const options = {
  straightBend: null as Float64Array | null,
  softness: REACH,
  isHinge: false,
  keepsSide: true,
  swivel: 0,
};

/**
 * Solves a limb as `solveLimbs` will: whoever looks ahead at where knees and elbows come to be must see them on the side
 * on which they will be, in folds too.
 * @param swivel What its middle is turned by about the line to its end, radians.
 */
export function solvePlaces(
  out: TwoBoneSolution,
  { upper, middle, end, goal, bend }: LimbPlaces,
  { kind, length }: Pick<LimbGoal, 'kind' | 'length'>,
  swivel = 0,
): void {
  options.straightBend = bend;
  options.isHinge = kind === 'leg';
  options.swivel = swivel;
  options.softness = reachOf(distanceFlat(upper, 0, end, 0), length) / length;
  solveTwoBone(out, upper, 0, middle, 0, end, 0, goal, 0, options);
}
