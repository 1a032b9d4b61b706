import type { Role, Side } from '@stuntdouble/core/engine';
import { guyBody } from '../characters/mixamo-guy.js';
import { carryFoot, type FootState } from '../footfalls.js';
import { add, mix, pitch, type Quat, rotate, subtract, type Vec3 } from '../vector.js';
import { placeBody } from './body.js';

/*
 * Bodies that shoulders or hands carry: the hips hang on the shoulders, legs are held in the air.
 */

/** Where the hips are when the middle between the shoulder joints is at a place. */
export function hipsUnderShoulders(
  shoulders: Vec3,
  hipsTurn: Quat,
  turns: Partial<Record<Role, Quat>>,
): Vec3 {
  const placed = placeBody(guyBody, { turns: { ...turns, hips: hipsTurn }, hips: [0, 0, 0] });
  const middle = mix(placed.leftUpperArm!.translation, placed.rightUpperArm!.translation, 0.5);
  return subtract(shoulders, middle);
}

/** How a leg is held against the hips. Angles in degrees. */
export type LegHold = {
  /** The thigh forward from the trunk's line. */
  flex: number;
  knee: number;
  /** The foot away from the shin: positive points the toes. */
  point: number;
  /** Metres by which the foot is aside of where it stands under its hip. */
  aside: number;
};

/** The foot of a leg in the air, of a body whose hips are pitched by an angle in degrees. */
export function footInAir(side: Side, hips: Vec3, hipsPitch: number, hold: LegHold): FootState {
  const { joints } = guyBody;
  const bone = (from: Role, to: Role, angle: number): Vec3 =>
    rotate(pitch(angle), subtract(joints[to]!, joints[from]!));
  const thigh = hipsPitch - hold.flex;
  const shin = thigh + hold.knee;
  const foot = shin + hold.point;
  const parts: Vec3[] = [
    bone('hips', `${side}UpperLeg`, hipsPitch),
    bone(`${side}UpperLeg`, `${side}LowerLeg`, thigh),
    bone(`${side}LowerLeg`, `${side}Foot`, shin),
    bone(`${side}Foot`, `${side}Toes`, foot),
    [side === 'left' ? hold.aside : -hold.aside, 0, 0],
  ];
  return {
    contact: 'none',
    toes: parts.reduce(add, hips),
    yawDegrees: 0,
    pitchDegrees: foot,
    bendDegrees: 0,
    bend: rotate(pitch(hipsPitch), [0, 0, 1]),
  };
}

/** A foot between the floor (0) and the air (1); in between its knee points as it does in the air. */
export function leaveFloor(floor: FootState, air: FootState, u: number): FootState {
  const foot = carryFoot(floor, air, u, 0.11);
  return u > 0 && air.bend ? { ...foot, bend: air.bend } : foot;
}
