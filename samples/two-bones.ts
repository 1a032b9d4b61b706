import {
  add,
  cross,
  direction,
  dot,
  inverse,
  length,
  type Quat,
  scale,
  subtract,
  turnBy,
  turnOfAxes,
  type Vec3,
} from './vector.js';

/** Two bones in a row at rest: their vectors, and the axis that the joint between them turns about. */
export type TwoBones = { upper: Vec3; lower: Vec3; hinge: Vec3 };

/** The turns of two bones from rest, in body space. */
export type TwoTurns = { upper: Quat; lower: Quat };

/**
 * Two-bone IK in body space: the turns that put the end on its goal with the middle joint towards `bend`.
 * A goal out of reach is approached with straight bones.
 */
export function solveTwoBones(bones: TwoBones, root: Vec3, goal: Vec3, bend: Vec3): TwoTurns {
  const a = length(bones.upper);
  const b = length(bones.lower);
  const reach = subtract(goal, root);
  const c = Math.min(length(reach), (a + b) * 0.99995);
  const along = direction(reach);
  const ahead = direction(subtract(bend, scale(along, dot(bend, along))));
  // Law of cosines: the middle lies cos · a along the line to the goal and sin · a in front of it.
  const cos = (a * a + c * c - b * b) / (2 * a * c);
  const sin = Math.sqrt(Math.max(0, 1 - cos * cos));
  const middle = add(scale(along, a * cos), scale(ahead, a * sin));
  return aimTwoBones(bones, middle, subtract(scale(along, c), middle), cross(ahead, along));
}

/** The turns that point two bones in given directions, with the joint between them turning about `hinge`. */
export function aimTwoBones(bones: TwoBones, upper: Vec3, lower: Vec3, hinge: Vec3): TwoTurns {
  const frame = (bone: Vec3, axis: Vec3): Quat => {
    const y = scale(direction(bone), -1);
    const x = direction(subtract(axis, scale(y, dot(axis, y))));
    return turnOfAxes(x, y, cross(x, y));
  };
  const turnOf = (rest: Vec3, now: Vec3) => turnBy(frame(now, hinge), inverse(frame(rest, bones.hinge)));
  return { upper: turnOf(bones.upper, upper), lower: turnOf(bones.lower, lower) };
}
