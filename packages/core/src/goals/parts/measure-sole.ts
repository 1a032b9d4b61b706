import { asin, atan2, cos, sin } from '../../base/math/functions.js';
import { rotateVector } from '../../base/math/quaternion.js';
import type { LimbGoal } from '../goal-setup.js';

/** Toes bend upwards by at most this, in radians: seventy degrees. */
const LARGEST_BEND = 1.2;

/** The axis that {@link turnAxis} has turned last: what points are split about. */
export const axis = new Float64Array(3);

/**
 * A foot over the floor: what {@link measureSole} is told of it, and what it finds. The numbers stand here rather than
 * in arguments, which would be made anew on the heap with every call.
 */
export type Sole = {
  /** The height at which the foot's end joint stands. */
  ankle: number;
  /** The height below which skin counts. */
  floor: number;
  /** How far the foot may be lifted, metres: toes need not bend for what lifting it for its heel makes good. */
  most: number;
  /** How far the toes bend, radians; −1 as far as needed. */
  told: number;
  /** Found: how deep the foot is, toes bent; negative above the floor. */
  depth: number;
  /** Found: how far its toes must bend to come out of the floor; 0 where it is told how far they do. */
  bend: number;
};

/** A foot of which nothing is known yet. */
export function createSole(): Sole {
  // Numbers with fractions, so that all are stored as such from the first on.
  const sole = { ankle: 0.5, floor: 0.5, most: 0.5, told: 0.5, depth: 0.5, bend: 0.5 };
  sole.told = -1;
  return sole;
}

/**
 * Measures how far a foot's toes must bend for their skin to come out of the floor, and how deep the foot is then.
 * @param m The columns of the foot's and the toes' matrices from place `f` on, see `GoalRecord.frames`.
 * @param turn What the foot is turned by on top of that.
 */
export function measureSole(
  sole: Sole,
  { skin, toes, toeSkin, across }: LimbGoal,
  m: Float64Array,
  f: number,
  turn: Float64Array,
  t: number,
): void {
  // Heights alone: how high the turn takes each axis.
  const qx = turn[t]!;
  const qy = turn[t + 1]!;
  const qz = turn[t + 2]!;
  const qw = turn[t + 3]!;
  const rx = 2 * (qx * qy + qw * qz);
  const ry = 1 - 2 * (qx * qx + qz * qz);
  const rz = 2 * (qy * qz - qw * qx);
  let x = rx * m[f]! + ry * m[f + 1]! + rz * m[f + 2]!;
  let y = rx * m[f + 3]! + ry * m[f + 4]! + rz * m[f + 5]!;
  let z = rx * m[f + 6]! + ry * m[f + 7]! + rz * m[f + 8]!;
  let low = Number.POSITIVE_INFINITY;
  for (let i = 0; i < skin.length; i += 3) {
    const height = x * skin[i]! + y * skin[i + 1]! + z * skin[i + 2]!;
    if (height < low) low = height;
  }
  const deepest = sole.floor - sole.ankle - low;
  sole.depth = deepest;
  sole.bend = 0;
  if (toes < 0) return;
  const joint =
    sole.ankle +
    rx * (m[f + 21]! - m[f + 9]!) +
    ry * (m[f + 22]! - m[f + 10]!) +
    rz * (m[f + 23]! - m[f + 11]!);
  x = rx * m[f + 12]! + ry * m[f + 13]! + rz * m[f + 14]!;
  y = rx * m[f + 15]! + ry * m[f + 16]! + rz * m[f + 17]!;
  z = rx * m[f + 18]! + ry * m[f + 19]! + rz * m[f + 20]!;
  low = Number.POSITIVE_INFINITY;
  for (let i = 0; i < toeSkin.length; i += 3) {
    const height = x * toeSkin[i]! + y * toeSkin[i + 1]! + z * toeSkin[i + 2]!;
    if (height < low) low = height;
  }
  // Toes that are over the floor, or straight, need no splitting: most feet in most frames.
  const wanted = sole.floor - joint - Math.min(Math.max(0, deepest), sole.most);
  if (sole.told < 0 ? low < wanted : sole.told > 0) {
    turnMatrix(m, f, turn, t);
    turnAxis(across);
    turnMatrix(m, f + 12, turn, t);
    splitRows();
    let bend = Math.max(0, sole.told);
    if (sole.told < 0) {
      for (let i = 0; i < toeSkin.length; i += 3) {
        splitPoint(toeSkin, i);
        bend = Math.max(bend, bendOf(wanted));
      }
      sole.bend = bend;
    }
    const cosine = cos(bend);
    const sine = sin(bend);
    x = forms[0]! + cosine * forms[3]! + sine * forms[6]!;
    y = forms[1]! + cosine * forms[4]! + sine * forms[7]!;
    z = forms[2]! + cosine * forms[5]! + sine * forms[8]!;
    low = Number.POSITIVE_INFINITY;
    for (let i = 0; i < toeSkin.length; i += 3) {
      const height = x * toeSkin[i]! + y * toeSkin[i + 1]! + z * toeSkin[i + 2]!;
      if (height < low) low = height;
    }
  }
  const depth = sole.floor - joint - low;
  if (depth > sole.depth) sole.depth = depth;
}

/** The columns of a turned matrix, one after the other. */
const rows = new Float64Array(9);
/** The factors of a place in its space for each part of its height, see {@link splitPoint}. */
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
  return sine <= -1 ? LARGEST_BEND : Math.PI - asin(Math.min(1, sine)) - atan2(level, rise);
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
  const bend = asin(Math.max(-1, Math.min(1, (height - along) / radius))) - atan2(level, rise);
  return Math.min(LARGEST_BEND, bend) * Math.min(1, ahead);
}
