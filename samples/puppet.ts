import type { Role, Side } from '@stuntdouble/core';
import { type Body, type BodyPose, placeBody } from './body.js';
import type { FootState } from './footfalls.js';
import {
  add,
  cross,
  direction,
  dot,
  inverse,
  length,
  pitch,
  type Quat,
  roll,
  rotate,
  scale,
  subtract,
  turnBy,
  turnOfAxes,
  type Vec3,
  yaw,
} from './vector.js';

/** What a body does at an instant: hips and feet in body space, the rest as turns. */
export type Act = {
  hips: Vec3;
  hipsTurn: Quat;
  /** Turns of the other parts, each in its parent's space. Legs are solved from the feet. */
  turns: Partial<Record<Role, Quat>>;
  feet: Record<Side, FootState>;
};

/** Solves the legs of an act, so that both feet are exactly where they should be. */
export function solveAct(body: Body, act: Act): BodyPose {
  const turns: Partial<Record<Role, Quat>> = { ...act.turns, hips: act.hipsTurn };
  const { hips } = placeBody(body, { turns, hips: act.hips });
  for (const side of ['left', 'right'] as const) {
    const foot = act.feet[side];
    const footTurn = turnBy(yaw(foot.yawDegrees), pitch(foot.pitchDegrees));
    const ankle = ankleOf(body, side, foot);
    const fromHips = subtract(body.joints[`${side}UpperLeg`]!, body.joints.hips!);
    const hip = add(act.hips, rotate(act.hipsTurn, fromHips));
    const forward = add(rotate(yaw(foot.yawDegrees), [0, 0, 1]), rotate(hips!.rotation, [0, 0, 1]));
    const { upper, lower } = solveLeg(body, side, hip, ankle, forward);
    turns[`${side}UpperLeg`] = turnBy(inverse(act.hipsTurn), upper);
    turns[`${side}LowerLeg`] = turnBy(inverse(upper), lower);
    turns[`${side}Foot`] = turnBy(inverse(lower), footTurn);
    turns[`${side}Toes`] = pitch(foot.bendDegrees);
  }
  return { turns, hips: act.hips };
}

/** Where the ankle of a foot is. */
export function ankleOf(body: Body, side: Side, foot: FootState): Vec3 {
  const toAnkle = subtract(body.joints[`${side}Foot`]!, body.joints[`${side}Toes`]!);
  return add(foot.toes, rotate(turnBy(yaw(foot.yawDegrees), pitch(foot.pitchDegrees)), toAnkle));
}

/**
 * Two-bone IK in body space: the turns of thigh and shin that put the ankle on its goal with the knee
 * towards `forward`. A goal out of reach is approached with a straight leg.
 */
function solveLeg(
  body: Body,
  side: Side,
  hip: Vec3,
  ankle: Vec3,
  forward: Vec3,
): { upper: Quat; lower: Quat } {
  const thigh = subtract(body.joints[`${side}LowerLeg`]!, body.joints[`${side}UpperLeg`]!);
  const shin = subtract(body.joints[`${side}Foot`]!, body.joints[`${side}LowerLeg`]!);
  const a = length(thigh);
  const b = length(shin);
  const reach = subtract(ankle, hip);
  const c = Math.min(length(reach), (a + b) * 0.99995);
  const down = direction(reach);
  const ahead = direction(subtract(forward, scale(down, dot(forward, down))));
  // Law of cosines: the knee lies cosHip · a along the line to the ankle and sinHip · a in front of it.
  const cosHip = (a * a + c * c - b * b) / (2 * a * c);
  const sinHip = Math.sqrt(Math.max(0, 1 - cosHip * cosHip));
  const knee = add(scale(down, a * cosHip), scale(ahead, a * sinHip));
  const axis = cross(ahead, down);
  const frame = (along: Vec3, hinge: Vec3): Quat => {
    const y = scale(direction(along), -1);
    const x = direction(subtract(hinge, scale(y, dot(hinge, y))));
    return turnOfAxes(x, y, cross(x, y));
  };
  const turnOf = (rest: Vec3, now: Vec3) => turnBy(frame(now, axis), inverse(frame(rest, [1, 0, 0])));
  return { upper: turnOf(thigh, knee), lower: turnOf(shin, subtract(scale(down, c), knee)) };
}

/** How an arm is held. Angles in degrees. */
export type ArmHold = {
  /** From the T-pose down: 0 is level, 80 hangs. */
  down: number;
  /** Forward swing of the hanging arm. */
  swing?: number;
  /** Turn about the arm's own length: positive turns the elbow's bend upwards. */
  twist?: number;
  elbow?: number;
  /** Wrist towards the palm. */
  wrist?: number;
  /** Fingers towards the palm. */
  curl?: number;
};

/** The turns of an arm; a fifth of what goes down goes through the collar bone. */
export function armTurns(side: Side, hold: ArmHold): Partial<Record<Role, Quat>> {
  const s = side === 'left' ? 1 : -1;
  const { down, swing = 0, twist = 0, elbow = 0, wrist = 0, curl = 18 } = hold;
  const turns: Partial<Record<Role, Quat>> = {
    [`${side}Shoulder`]: roll(-0.12 * down * s),
    [`${side}UpperArm`]: turnBy(pitch(-swing), roll(-0.88 * down * s), pitch(-twist)),
    [`${side}LowerArm`]: yaw(-elbow * s),
    [`${side}Hand`]: roll(-wrist * s),
  };
  for (const finger of ['Index', 'Middle', 'Ring', 'Little'] as const) {
    const more = { Index: 0.8, Middle: 1, Ring: 1.15, Little: 1.25 }[finger];
    turns[`${side}${finger}Proximal`] = roll(-curl * more * s);
    turns[`${side}${finger}Intermediate`] = roll(-curl * 1.2 * more * s);
    turns[`${side}${finger}Distal`] = roll(-curl * 0.7 * more * s);
  }
  turns[`${side}ThumbMetacarpal`] = turnBy(pitch(0.5 * curl), yaw(0.4 * curl * s));
  turns[`${side}ThumbProximal`] = yaw(0.5 * curl * s);
  turns[`${side}ThumbDistal`] = yaw(0.5 * curl * s);
  return turns;
}

/** Spreads one turn of the trunk over its three joints: bend forward, turn left, lean right, in degrees. */
export function trunkTurns(bend: number, turn: number, lean: number): Partial<Record<Role, Quat>> {
  const share = (part: number): Quat => turnBy(yaw(turn * part), roll(lean * part), pitch(bend * part));
  return { spine: share(0.3), chest: share(0.35), upperChest: share(0.35) };
}

/** Turns neck and head, a third in the neck: nod forward, turn left, tilt right, in degrees. */
export function headTurns(nod: number, turn: number, tilt: number): Partial<Record<Role, Quat>> {
  const share = (part: number): Quat => turnBy(yaw(turn * part), roll(tilt * part), pitch(nod * part));
  return { neck: share(0.35), head: share(0.65) };
}
