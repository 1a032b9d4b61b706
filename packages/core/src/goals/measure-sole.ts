import { rotateVector } from '../quaternion.js';
import type { LimbGoal } from './goal-setup.js';

/** Toes bend upwards by at most this, in radians: seventy degrees. */
const LARGEST_BEND = 1.2;

const arm = new Float64Array(3);
/** The axis that {@link turnAxis} has turned last: what points are split about. */
export const axis = new Float64Array(3);

/**
 * What {@link measureSole} found: how deep the foot is, negative above the floor, and how far its toes must bend to
 * come out of it.
 */
export type SoleNeeds = { depth: number; bend: number };

/**
 * Measures how far a foot's toes must bend for their skin to come out of the floor, and how deep the foot is then.
 * @param m The columns of the foot's and the toes' matrices from place `f` on, see `GoalRecord.frames`.
 * @param turn What the foot is turned by on top of that.
 * @param ankle The height at which its end joint stands.
 * @param floor The height below which skin counts.
 * @param most How far the foot may be lifted, metres: toes need not bend for what lifting it for its heel makes good.
 * @param told How far the toes bend, radians; −1 as far as needed.
 */
export function measureSole(
  out: SoleNeeds,
  { skin, toes, toeSkin, across }: LimbGoal,
  m: Float64Array,
  f: number,
  turn: Float64Array,
  t: number,
  ankle: number,
  floor: number,
  most: number,
  told = -1,
): void {
  turnMatrix(m, f, turn, t);
  let deepest = Number.NEGATIVE_INFINITY;
  const x = rows[1]!;
  const y = rows[4]!;
  const z = rows[7]!;
  for (let i = 0; i < skin.length; i += 3) {
    const depth = floor - ankle - x * skin[i]! - y * skin[i + 1]! - z * skin[i + 2]!;
    if (depth > deepest) deepest = depth;
  }
  out.depth = deepest;
  out.bend = 0;
  if (toes < 0) return;
  turnAxis(across);
  for (let c = 0; c < 3; c++) arm[c] = m[f + 21 + c]! - m[f + 9 + c]!;
  rotateVector(arm, 0, turn, t, arm, 0);
  const joint = ankle + arm[1]!;
  turnMatrix(m, f + 12, turn, t);
  splitRows();
  let bend = told;
  if (told < 0) {
    bend = 0;
    for (let i = 0; i < toeSkin.length; i += 3) {
      splitPoint(toeSkin, i);
      bend = Math.max(bend, bendOf(floor - joint - Math.min(Math.max(0, deepest), most)));
    }
    out.bend = bend;
  }
  const cosine = Math.cos(bend);
  const sine = Math.sin(bend);
  for (let i = 0; i < toeSkin.length; i += 3) {
    splitPoint(toeSkin, i);
    const depth = floor - joint - split.along - cosine * split.level - sine * split.rise;
    if (depth > out.depth) out.depth = depth;
  }
}

/** The columns of a turned matrix, one after the other. */
const rows = new Float64Array(9);
/** What a place in its space is multiplied by for each part of its height, see {@link splitPoint}. */
const forms = new Float64Array(9);

/** rows = turn · the matrix of a joint, without its place. */
export function turnMatrix(m: Float64Array, f: number, turn: Float64Array, t: number): void {
  for (let column = 0; column < 9; column += 3) rotateVector(rows, column, turn, t, m, f + column);
}

/** axis = a direction in the space of the turned matrix, of length 1; 0 where there is none. */
export function turnAxis(direction: Float64Array): void {
  for (let c = 0; c < 3; c++)
    axis[c] = rows[c]! * direction[0]! + rows[3 + c]! * direction[1]! + rows[6 + c]! * direction[2]!;
  const length = Math.sqrt(axis[0]! * axis[0]! + axis[1]! * axis[1]! + axis[2]! * axis[2]!);
  for (let c = 0; c < 3; c++) axis[c] = length > 1e-9 ? axis[c]! / length : 0;
}

/**
 * The height of a point p that is turned by β about the axis a: along + cos β · level + sin β · rise, with
 * along = (a · p) a_y, level = p_y − along, rise = (a × p)_y. All are linear in p.
 */
export const split = { along: 0, level: 0, rise: 0 };

function splitRows(): void {
  for (let column = 0; column < 3; column++) {
    const x = rows[3 * column]!;
    const y = rows[3 * column + 1]!;
    const z = rows[3 * column + 2]!;
    const along = axis[1]! * (axis[0]! * x + axis[1]! * y + axis[2]! * z);
    forms[column] = along;
    forms[3 + column] = y - along;
    forms[6 + column] = axis[2]! * x - axis[0]! * z;
  }
}

function splitPoint(places: Float64Array, i: number): void {
  const x = places[i]!;
  const y = places[i + 1]!;
  const z = places[i + 2]!;
  split.along = forms[0]! * x + forms[1]! * y + forms[2]! * z;
  split.level = forms[3]! * x + forms[4]! * y + forms[5]! * z;
  split.rise = forms[6]! * x + forms[7]! * y + forms[8]! * z;
}

/** Splits a place in model space, seen from what it turns about. */
export function splitVector(place: Float64Array): void {
  const dot = place[0]! * axis[0]! + place[1]! * axis[1]! + place[2]! * axis[2]!;
  split.along = dot * axis[1]!;
  split.level = place[1]! - split.along;
  split.rise = axis[2]! * place[0]! - axis[0]! * place[2]!;
}

/** out = a place in the space of the turned matrix, seen from its origin in model space. */
export function turnInto(out: Float64Array, places: Float64Array, i: number): void {
  for (let c = 0; c < 3; c++)
    out[c] = rows[c]! * places[i]! + rows[3 + c]! * places[i + 1]! + rows[6 + c]! * places[i + 2]!;
}

/** How far the point, split already, may be turned until it is as low as said; 0 where it is lower already. */
export function sinkOf(height: number): number {
  const { along, level, rise } = split;
  if (along + level <= height) return 0;
  const radius = Math.sqrt(level * level + rise * rise);
  const sine = (height - along) / (radius || 1);
  // radius · sin(β + φ) falls from φ on, past its top at a right angle: to π − asin.
  return sine <= -1 ? LARGEST_BEND : Math.PI - Math.asin(Math.min(1, sine)) - Math.atan2(level, rise);
}

/** How far the point, split already, must be turned to be as high as asked; less where turning hardly lifts it. */
export function bendOf(height: number): number {
  const { along, level, rise } = split;
  if (along + level >= height) return 0;
  const radius = Math.sqrt(level * level + rise * rise);
  // Toes that point straight down, or back, do not come up by bending: between 12° and 30° ahead it fades out.
  const ahead = (rise / (radius || 1) - 0.2) / 0.3;
  if (!(ahead > 0)) return 0;
  // level · cos β + rise · sin β = radius · sin(β + φ)
  const bend = Math.asin(Math.max(-1, Math.min(1, (height - along) / radius))) - Math.atan2(level, rise);
  return Math.min(LARGEST_BEND, bend) * Math.min(1, ahead);
}
