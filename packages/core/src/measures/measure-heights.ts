import { SOLE_POINTS } from '../contacts/body-points.js';
import type { ComparedSide, Comparison } from './comparison.js';
import { eachSoleContact } from './measure-slide.js';
import { type Summary, summarise } from './summary.js';

/** How far feet are off the floor while the source's stand on it, in % of the hip height. */
export type HeightMeasure = {
  /** Height of the result's points over what should carry them; 0 where they are lower. */
  float: Summary;
  /** Depth of the result's points below what should carry them; 0 where they are higher. */
  sink: Summary;
  /** The same of the source. */
  sourceFloat: Summary;
  sourceSink: Summary;
  /** Instants at which a foot is more than 2 % under the floor and the source's is not. */
  sunkFrames: number;
  /** Instants compared. */
  frames: number;
};

/** Deeper than this, in hip heights, a foot is sunk. */
export const SUNK = 0.02;

/**
 * Height of a point over where it should stand on the floor, in hip heights.
 * @param tracks By which of the side's tracks; its own points' if left out.
 */
export function heightOf(
  { tracks: own, hipHeight, floor, offsets }: ComparedSide,
  n: number,
  k: number,
  tracks = own,
): number {
  const y = tracks.positions[3 * (tracks.points.length * k + n) + 1]!;
  return (y - floor) / hipHeight - tracks.points[n]!.standing - offsets[n]!;
}

/**
 * How far a sole is above what carries it, in hip heights; less than 0 below. A foot that lies on its instep, its ball
 * high over where it stands, is above by no more than its skin is.
 * @param support The height of what carries it over the floor.
 */
export function offSupport(side: ComparedSide, n: number, k: number, support: number): number {
  const off = heightOf(side, n, k) - support;
  if (!(off > 0)) return off;
  return Math.max(0, Math.min(off, heightOf(side, n, k, side.outside.tracks) - support));
}

/**
 * Measures how far the result's feet float and sink during the source's contacts, against the floor, or the
 * stair that the source stands on. Null without feet or contacts.
 */
export function measureHeights(comparison: Comparison): HeightMeasure | null {
  const { source, result, count } = comparison;
  const width = comparison.points.length;
  const above: number[] = [];
  const below: number[] = [];
  const sourceAbove: number[] = [];
  const sourceBelow: number[] = [];
  eachSoleContact(comparison, (n, k) => {
    const support = source.supports[width * k + n]!;
    const off = offSupport(result, n, k, support);
    const own = offSupport(source, n, k, support);
    above.push(Math.max(0, off));
    below.push(Math.max(0, -off));
    sourceAbove.push(Math.max(0, own));
    sourceBelow.push(Math.max(0, -own));
  });
  const float = summarise(above, 100);
  if (!float) return null;
  let sunkFrames = 0;
  for (let k = 0; k < count; k++) if (isSunk(comparison, k)) sunkFrames++;
  return {
    float,
    sink: summarise(below, 100)!,
    sourceFloat: summarise(sourceAbove, 100)!,
    sourceSink: summarise(sourceBelow, 100)!,
    sunkFrames,
    frames: count,
  };
}

/** Whether some point of the result's feet is under the floor at an instant and the source's is not. */
export function isSunk({ source, result, points }: Comparison, k: number): boolean {
  for (let n = 0; n < points.length; n++) {
    if (!SOLE_POINTS.includes(points[n]!.name)) continue;
    if (heightOf(result, n, k) >= -SUNK) continue;
    // Whether the source is sunk is judged by its skeleton's floor as well as by the one it stands on.
    const own = heightOf(source, n, k);
    if (Math.min(own, own + source.offsets[n]!) >= -SUNK) return true;
  }
  return false;
}
