import type { Side } from '@stuntdouble/core/engine';
import type { Body } from './body/body.js';
import { ease, easeSoftly, hermite } from './curves.js';
import { add, mix, pitch, type Quat, roll, rotate, subtract, turnBy, type Vec3, yaw } from './vector.js';

/** Which point of a foot stands on the floor: nothing, the heel, the whole sole, the ball and toes. */
export type Contact = 'none' | 'heel' | 'flat' | 'ball';

/** Where a foot is, in body space. */
export type FootState = {
  contact: Contact;
  /** The toes' joint. */
  toes: Vec3;
  yawDegrees: number;
  /** Of the foot: positive lifts the heel, negative the toes. */
  pitchDegrees: number;
  /** Of the toes against the foot: negative bends them up. */
  bendDegrees: number;
  /** Of the foot about its own length: positive turns the sole to the character's left; 0 if left out. */
  rollDegrees?: number;
  /** Where the knee is, for legs that kneel; it must be a thigh from the hip and a shin from the ankle. */
  knee?: Vec3;
  /** Whether the knee stands on the floor. */
  kneels?: boolean;
  /** Where the knee points; left out, between where the foot and where the hips look. */
  bend?: Vec3;
  /** Height of what the foot stands on; 0, the floor, if left out. */
  ground?: number;
};

/** One stay of a foot on the floor. */
export type Footfall = {
  /** Seconds: first touch, whole sole down, heel up, off. */
  strike: number;
  flat: number;
  heelOff: number;
  off: number;
  /** Where on the floor the toes' joint stands: x and z. */
  at: readonly [number, number];
  yawDegrees: number;
  /** The foot's pitch at first touch: negative lands on the heel, positive on the ball. */
  strikePitch: number;
  /** The foot's pitch when the toes leave. */
  offPitch: number;
};

/** How a foot travels from one footfall to the next. */
export type Swing = {
  /** Metres the toes rise on the way. */
  lift: number;
  /** Degrees the heel rises more on the way, early in the swing. */
  kick: number;
  /** 2 leaves and meets the floor gently, 1 at full speed as a jump does. */
  sharpness: 1 | 2;
  /** Speed at which the toes leave, as a share of their mean speed. */
  departure: number;
  /** Speed at which the toes arrive, as a share of their mean speed: 0 sets the foot down at rest. */
  arrival: number;
};

/** The sole's rearmost point on the floor, behind the ankle, in metres: shoes of the sample body. */
export const HEEL_BACK = 0.053;

/** How far the sole reaches past the end of the toes, in metres. */
export const TIP_AHEAD = 0.01;

/** The heel's point on the floor in T-pose. */
export function heelPoint(body: Body, side: Side): Vec3 {
  const foot = body.joints[`${side}Foot`]!;
  return [foot[0], 0, foot[2] - HEEL_BACK];
}

/** Where a foot is that turns about its heel or its ball on the floor. */
function planted(body: Body, side: Side, fall: Footfall, angle: number, contact: Contact): FootState {
  const rest = body.joints[`${side}Toes`]!;
  const at: Vec3 = [fall.at[0], rest[1], fall.at[1]];
  const { yawDegrees } = fall;
  if (angle >= 0)
    return {
      contact,
      toes: at,
      yawDegrees,
      pitchDegrees: angle,
      bendDegrees: contact === 'none' ? 0 : -angle,
    };
  const fromHeel = subtract(rest, heelPoint(body, side));
  const heel = subtract(at, rotate(yaw(yawDegrees), fromHeel));
  return {
    contact,
    toes: add(heel, rotate(turnBy(yaw(yawDegrees), pitch(angle)), fromHeel)),
    yawDegrees,
    pitchDegrees: angle,
    bendDegrees: 0,
  };
}

/**
 * Where a foot is at a time. On the floor the heel, the sole or the ball stand still exactly; between two
 * footfalls the toes swing on a smooth path. Before the first and after the last footfall it stands.
 */
export function footAt(
  body: Body,
  side: Side,
  falls: readonly Footfall[],
  swing: Swing,
  t: number,
): FootState {
  let i = falls.findIndex((fall) => t <= fall.off);
  if (i < 0) i = falls.length - 1;
  const fall = falls[i]!;
  if (t >= fall.strike) {
    if (t < fall.flat) {
      const angle = fall.strikePitch * (1 - ease((t - fall.strike) / (fall.flat - fall.strike)));
      return planted(body, side, fall, angle, angle < 0 ? 'heel' : 'ball');
    }
    if (t <= fall.heelOff) return planted(body, side, fall, 0, 'flat');
    const u = (t - fall.heelOff) / (fall.off - fall.heelOff);
    return planted(body, side, fall, fall.offPitch * u * u, 'ball');
  }
  const before = falls[i - 1];
  if (!before) return planted(body, side, fall, fall.strikePitch, fall.strikePitch < 0 ? 'heel' : 'flat');
  return swingFoot(body, side, before, fall, swing, t);
}

function swingFoot(
  body: Body,
  side: Side,
  before: Footfall,
  after: Footfall,
  swing: Swing,
  t: number,
): FootState {
  const span = after.strike - before.off;
  const u = (t - before.off) / span;
  const from = planted(body, side, before, before.offPitch, 'ball');
  const to = planted(body, side, after, after.strikePitch, after.strikePitch < 0 ? 'heel' : 'ball');
  const way = hermite(0, swing.departure, 1, swing.arrival, 1, u);
  const rise = swing.lift * Math.sin(Math.PI * u) ** swing.sharpness;
  const height = from.toes[1] + (to.toes[1] - from.toes[1]) * way + rise;
  // The heel goes on rising as it did on the floor (offPitch · u² ends with slope 2), but slows at once.
  const speed = (1.2 * before.offPitch) / (before.off - before.heelOff);
  const kick = swing.kick * Math.sin(Math.PI * Math.min(1, u * 1.25)) ** 2;
  const state: FootState = {
    contact: 'none',
    toes: [
      from.toes[0] + (to.toes[0] - from.toes[0]) * way,
      height,
      from.toes[2] + (to.toes[2] - from.toes[2]) * way,
    ],
    yawDegrees: before.yawDegrees + (after.yawDegrees - before.yawDegrees) * way,
    pitchDegrees: hermite(before.offPitch, speed, after.strikePitch, 0, span, u) + kick,
    bendDegrees: from.bendDegrees * (1 - ease(u / 0.6)) + to.bendDegrees * ease((u - 0.6) / 0.4),
  };
  // Heel and tip of the toes stay off the floor: raise the foot by what it would sink, with a round corner.
  const sink = 0.006 * Math.sin(Math.PI * u) - lowestPoint(body, side, state);
  const round = 0.012 * Math.sin(Math.PI * u);
  return { ...state, toes: add(state.toes, [0, (sink + Math.sqrt(sink * sink + round * round)) / 2, 0]) };
}

/** The turn of a foot from the T-pose. */
export function footTurn({ yawDegrees, pitchDegrees, rollDegrees = 0 }: FootState): Quat {
  const turn = turnBy(yaw(yawDegrees), pitch(pitchDegrees));
  return rollDegrees === 0 ? turn : turnBy(turn, roll(rollDegrees));
}

/** A foot that stands flat on something with its toes' joint over a place of the floor. */
export function standAt(
  body: Body,
  side: Side,
  [x, z]: readonly [number, number],
  yawDegrees: number,
): FootState {
  return {
    contact: 'flat',
    toes: [x, body.joints[`${side}Toes`]![1], z],
    yawDegrees,
    pitchDegrees: 0,
    bendDegrees: 0,
  };
}

/** A foot on its way from one state to another at `u` (0 to 1), lifted by up to `lift` metres. */
export function carryFoot(from: FootState, to: FootState, u: number, lift: number): FootState {
  if (u <= 0) return from;
  if (u >= 1) return to;
  const way = easeSoftly(u);
  const between = (a: number, b: number) => a + (b - a) * way;
  return {
    contact: 'none',
    toes: add(mix(from.toes, to.toes, way), [0, lift * Math.sin(Math.PI * u) ** 2, 0]),
    yawDegrees: between(from.yawDegrees, to.yawDegrees),
    pitchDegrees: between(from.pitchDegrees, to.pitchDegrees),
    rollDegrees: between(from.rollDegrees ?? 0, to.rollDegrees ?? 0),
    bendDegrees: between(from.bendDegrees, to.bendDegrees),
  };
}

/** The height of the lowest of heel, ball and tip of the sole. */
export function lowestPoint(body: Body, side: Side, state: FootState): number {
  const rest = body.joints[`${side}Toes`]!;
  const foot = footTurn(state);
  const toes = turnBy(foot, pitch(state.bendDegrees));
  const heel = rotate(foot, subtract(heelPoint(body, side), rest));
  const ball = rotate(toes, [0, -rest[1], 0]);
  const tip = rotate(toes, subtract([rest[0], 0, body.tips[`${side}Toes`]![2] + TIP_AHEAD], rest));
  return state.toes[1] + Math.min(heel[1], ball[1], tip[1]);
}
