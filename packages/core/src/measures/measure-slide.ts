import { atan2, hypot } from '../base/math/functions.js';
import { SOLE_POINTS } from '../contacts/body-points.js';
import { CONTACT_RATE } from '../contacts/track-points.js';
import type { ComparedSide, Comparison } from './comparison.js';
import { type Summary, summarise } from './summary.js';

/** How far feet slide while the source's stand, in % of the hip height a second. */
export type SlideMeasure = {
  /** Of the result. */
  result: Summary;
  /** Of the source itself, at the same instants. */
  source: Summary;
  /** While the source's foot turns on the spot: apart, since a heel slides about the ball then. Null where none does. */
  pivots: { result: Summary; source: Summary } | null;
};

/** Of a clip in which feet stand only while they pivot. */
const NO_SLIDE: Summary = { mean: 0, p99: 0, worst: 0, count: 0 };

/** A foot that turns faster than this about the vertical pivots, in radians a second. */
const PIVOT = 1;

/**
 * Measures the horizontal speed of the result's heels and balls during the source's contacts. Speeds are taken
 * over 66 ms, within the contact: how a foot comes and goes is no slide. Null without feet or contacts.
 */
export function measureSlide(comparison: Comparison): SlideMeasure | null {
  const standing: [number[], number[]] = [[], []];
  const pivoting: [number[], number[]] = [[], []];
  eachSoleContact(comparison, (n, k, first, last) => {
    const lists = isPivot(comparison.source, comparison.source.tracks.points[n]!.joint, k, first, last)
      ? pivoting
      : standing;
    lists[0].push(speedWithin(comparison.result, n, k, first, last));
    lists[1].push(speedWithin(comparison.source, n, k, first, last));
  });
  const turning = summarise(pivoting[0], 100);
  if (standing[0].length === 0 && !turning) return null;
  const result = summarise(standing[0], 100) ?? NO_SLIDE;
  const source = summarise(standing[1], 100) ?? NO_SLIDE;
  return {
    result,
    source,
    pivots: turning && { result: turning, source: summarise(pivoting[1], 100)! },
  };
}

/** Calls back for every instant of every contact that the source's feet have: point, instant, first and last of the contact. */
export function eachSoleContact(
  { source, count }: Comparison,
  visit: (n: number, k: number, first: number, last: number) => void,
): void {
  const { points } = source.tracks;
  for (const { point, start, end } of source.contacts) {
    if (!SOLE_POINTS.includes(point)) continue;
    const n = points.findIndex(({ name }) => name === point);
    const first = Math.round(start * CONTACT_RATE);
    const last = Math.min(Math.round(end * CONTACT_RATE), count - 1);
    for (let k = first; k <= last; k++) visit(n, k, first, last);
  }
}

/** Horizontal speed of a point in hip heights a second, over 66 ms within a contact. */
export function speedWithin(
  { tracks, hipHeight }: Pick<ComparedSide, 'tracks' | 'hipHeight'>,
  n: number,
  k: number,
  first: number,
  last: number,
): number {
  const a = Math.max(first, k - 2);
  const b = Math.min(last, k + 2);
  if (a === b) return 0;
  const width = tracks.points.length;
  const i = 3 * (width * a + n);
  const j = 3 * (width * b + n);
  const x = tracks.positions[j]! - tracks.positions[i]!;
  const z = tracks.positions[j + 2]! - tracks.positions[i + 2]!;
  return (hypot(x, z) * CONTACT_RATE) / ((b - a) * hipHeight);
}

/** Whether a joint turns about the vertical, by the twist of the turn between two instants. */
function isPivot(
  { rotations, joints }: ComparedSide,
  joint: number,
  k: number,
  first: number,
  last: number,
): boolean {
  const a = Math.max(first, k - 2);
  const b = Math.min(last, k + 2);
  if (a === b) return false;
  const i = 4 * (joints * a + joint);
  const j = 4 * (joints * b + joint);
  // Components y and w of q_b · q_a⁻¹: the twist about +Y is 2 · atan2(y, w).
  const ax = -rotations[i]!;
  const ay = -rotations[i + 1]!;
  const az = -rotations[i + 2]!;
  const aw = rotations[i + 3]!;
  const bx = rotations[j]!;
  const by = rotations[j + 1]!;
  const bz = rotations[j + 2]!;
  const bw = rotations[j + 3]!;
  const w = bw * aw - bx * ax - by * ay - bz * az;
  const y = bw * ay - bx * az + by * aw + bz * ax;
  const angle = 2 * atan2(Math.abs(y), Math.abs(w));
  return (angle * CONTACT_RATE) / (b - a) > PIVOT;
}
