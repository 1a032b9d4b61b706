import type { Role, Side } from '@stuntdouble/core/engine';
import { type Body, type BodyPose, placeBody } from './body/body.js';
import { type FootState, footTurn } from './footfalls.js';
import { type HandState, reachHand } from './reach-hand.js';
import { aimTwoBones, solveTwoBones, type TwoBones } from './two-bones.js';
import {
  add,
  cross,
  inverse,
  pitch,
  type Quat,
  roll,
  rotate,
  subtract,
  turnBy,
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
  /** Hands that are held somewhere; the others go where the arms' turns take them. */
  hands?: Partial<Record<Side, HandState>>;
};

/** Solves the limbs of an act, so that feet, knees and hands are exactly where they should be. */
export function solveAct(body: Body, act: Act): BodyPose {
  const turns: Partial<Record<Role, Quat>> = { ...act.turns, hips: act.hipsTurn };
  const { hips } = placeBody(body, { turns, hips: act.hips });
  for (const side of ['left', 'right'] as const) {
    const foot = act.feet[side];
    const ankle = ankleOf(body, side, foot);
    const fromHips = subtract(body.joints[`${side}UpperLeg`]!, body.joints.hips!);
    const hip = add(act.hips, rotate(act.hipsTurn, fromHips));
    const forward =
      foot.bend ?? add(rotate(yaw(foot.yawDegrees), [0, 0, 1]), rotate(hips!.rotation, [0, 0, 1]));
    const bones = legOf(body, side);
    const { upper, lower } = foot.knee
      ? aimTwoBones(
          bones,
          subtract(foot.knee, hip),
          subtract(ankle, foot.knee),
          cross(forward, subtract(ankle, hip)),
        )
      : solveTwoBones(bones, hip, ankle, forward);
    turns[`${side}UpperLeg`] = turnBy(inverse(act.hipsTurn), upper);
    turns[`${side}LowerLeg`] = turnBy(inverse(upper), lower);
    turns[`${side}Foot`] = turnBy(inverse(lower), footTurn(foot));
    turns[`${side}Toes`] = pitch(foot.bendDegrees);
    const hand = act.hands?.[side];
    if (hand) reachHand(body, side, turns, act.hips, hand);
  }
  return { turns, hips: act.hips };
}

/** Thigh and shin at rest: knees turn about the body's own side axis. */
function legOf(body: Body, side: Side): TwoBones {
  const [hip, knee, ankle] = [`${side}UpperLeg`, `${side}LowerLeg`, `${side}Foot`].map(
    (role) => body.joints[role as Role]!,
  ) as [Vec3, Vec3, Vec3];
  return { upper: subtract(knee, hip), lower: subtract(ankle, knee), hinge: [1, 0, 0] };
}

/** Where the ankle of a foot is. */
export function ankleOf(body: Body, side: Side, foot: FootState): Vec3 {
  const toAnkle = subtract(body.joints[`${side}Foot`]!, body.joints[`${side}Toes`]!);
  return add(foot.toes, rotate(footTurn(foot), toAnkle));
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
