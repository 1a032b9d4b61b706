import type { Role, Side } from '@stuntdouble/core/engine';
import { type Body, placeBody } from './body/body.js';
import { solveTwoBones } from './two-bones.js';
import {
  add,
  cross,
  direction,
  dot,
  inverse,
  mix,
  type Quat,
  scale,
  slerp,
  subtract,
  turnBy,
  turnOfAxes,
  type Vec3,
} from './vector.js';

/** Where a hand shall be, in body space. */
export type HandState = {
  /** Whether it stands still there, on the floor or on something that stands still. */
  contact: boolean;
  wrist: Vec3;
  /** Where the fingers point. */
  fingers: Vec3;
  /** Where the palm looks. */
  palm: Vec3;
  /** Where the elbow points. */
  elbow: Vec3;
  /** 0: the arm as its turns have it, 1 (if left out): the hand where it is said here. */
  weight?: number;
};

/** The turn of a hand from the T-pose, where fingers point aside and palms look down. */
export function handTurn(side: Side, fingers: Vec3, palm: Vec3): Quat {
  const s = side === 'left' ? 1 : -1;
  const x = scale(direction(fingers), s);
  const y = direction(subtract(scale(palm, -1), scale(x, -dot(palm, x))));
  return turnOfAxes(x, y, cross(x, y));
}

/** Adds the turns of an arm whose hand is held somewhere; collar bone and fingers stay as they are. */
export function reachHand(
  body: Body,
  side: Side,
  turns: Partial<Record<Role, Quat>>,
  hips: Vec3,
  hand: HandState,
): void {
  const s = side === 'left' ? 1 : -1;
  const { weight = 1 } = hand;
  if (weight <= 0) return;
  const placed = placeBody(body, { turns, hips });
  const [collar, arm, wrist] = [
    placed[`${side}Shoulder`]!,
    placed[`${side}UpperArm`]!,
    placed[`${side}Hand`]!,
  ];
  const bones = {
    upper: subtract(body.joints[`${side}LowerArm`]!, body.joints[`${side}UpperArm`]!),
    lower: subtract(body.joints[`${side}Hand`]!, body.joints[`${side}LowerArm`]!),
    // In T-pose the elbow points back.
    hinge: cross([0, 0, -1], [s, 0, 0]),
  };
  const elbow = placed[`${side}LowerArm`]!.translation;
  const free = subtract(elbow, mix(arm.translation, wrist.translation, 0.5));
  const turn = slerp(wrist.rotation, handTurn(side, hand.fingers, hand.palm), weight);
  const solved = solveTwoBones(
    bones,
    arm.translation,
    mix(wrist.translation, hand.wrist, weight),
    add(scale(direction(free), 1 - weight), scale(direction(hand.elbow), weight)),
  );
  // A forearm takes half of the hand's turn about its own length.
  const lower = turnBy(solved.lower, halfTwist(turnBy(inverse(solved.lower), turn), bones.lower));
  turns[`${side}UpperArm`] = turnBy(inverse(collar.rotation), solved.upper);
  turns[`${side}LowerArm`] = turnBy(inverse(solved.upper), lower);
  turns[`${side}Hand`] = turnBy(inverse(lower), turn);
}

/** Half of what a turn turns about an axis. */
function halfTwist(turn: Quat, axis: Vec3): Quat {
  const along = direction(axis);
  const part = dot([turn[0], turn[1], turn[2]], along);
  const sign = turn[3] < 0 ? -1 : 1;
  const angle = Math.atan2(part * sign, turn[3] * sign); // half of the twist's own angle
  const v = scale(along, Math.sin(angle / 2));
  return [v[0], v[1], v[2], Math.cos(angle / 2)];
}

/** Where the middle of a palm is, in T-pose: on the skin. */
export function palmPoint(body: Body, side: Side, size: number): Vec3 {
  const knuckle = body.tips[`${side}Hand`]!;
  return add(mix(body.joints[`${side}Hand`]!, knuckle, 0.6), [0, -0.017 * size, 0]);
}
