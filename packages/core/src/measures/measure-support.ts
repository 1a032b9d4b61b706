import type { SurfaceName } from '../contacts/body-surfaces.js';
import { floorOffset, pointSpeeds } from '../contacts/find-contacts.js';
import { onOtherLeg } from '../contacts/find-resting.js';
import { CONTACT_RATE } from '../contacts/track-points.js';
import type { PointName } from '../options/contact.js';
import type { ComparedSide, Comparison } from './comparison.js';
import { type AgreementMeasure, f1Of } from './measure-agreement.js';
import { MEASURED_CONTACTS } from './measured-contacts.js';

/** Parts that carry a body, both sides together. */
export const SUPPORT_PARTS = ['foot', 'knee', 'seat', 'back', 'elbow', 'hand', 'head'] as const;

/** One of {@link SUPPORT_PARTS}. */
export type SupportPart = (typeof SUPPORT_PARTS)[number];

/** How well one part carries when the source's does, as counts of instants, and their F1; see `AgreementMeasure`. */
export type PartSupport = Omit<AgreementMeasure, 'coverage'>;

/** Whether what carries the source carries the result: by the outside of the body, its skin where it has one. */
export type SupportMeasure = {
  /** F1 of all parts together, 0 to 1. */
  f1: number;
  /** Part by part; those that carry neither body are left out. */
  parts: Partial<Record<SupportPart, PartSupport>>;
  /** Instants at which something of the source lies on the floor … */
  carried: number;
  /** … and nothing of the result is within 1 % of it. */
  empty: number;
};

/** How near to the floor something must be to carry, in hip heights. */
const ON_FLOOR = 0.01;
/**
 * How a part of a source without skin is read, in hip heights over its usual thickness: its joint lies anywhere from 0.26
 * below to 0.19 above where flesh would end, so that it lies on the floor where it comes as low as `begin`, until it is
 * higher than `end`. A part with a skin, and every part of a result, must be as near as any contact.
 */
const READ_AS_FLESH = { begin: 0.08, end: 0.13, deepest: 0.4 };

/** Measures whether what carries the source carries the result. Null where no part of either ever carries. */
export function measureSupport(comparison: Comparison): SupportMeasure | null {
  const { result, count } = comparison;
  const { surfaces } = result;
  if (surfaces.length === 0) return null;
  const { flags: source, levels } = findCarried(comparison);
  const flags = resultCarrying(comparison, levels);
  const parts: SupportMeasure['parts'] = {};
  const all = noCounts();
  surfaces.forEach(({ name }, n) => {
    const part = partOf(name);
    const counts = parts[part] ?? { f1: 0, ...noCounts() };
    countMatches(counts, source, flags, n, surfaces.length, count);
    if (counts.sourceFrames + counts.resultFrames > 0) parts[part] = counts;
  });
  for (const counts of Object.values(parts)) {
    counts.f1 = f1Of(counts);
    for (const key of Object.keys(all) as (keyof typeof all)[]) all[key] += counts[key];
  }
  if (all.sourceFrames + all.resultFrames === 0) return null;
  const gaps = carryingGaps(comparison);
  let [carried, empty] = [0, 0];
  for (let k = 0; k < count; k++) {
    if (Number.isNaN(gaps[k]!)) continue;
    carried++;
    if (gaps[k]! > ON_FLOOR) empty++;
  }
  return { f1: f1Of(all), parts, carried, empty };
}

/** The part that a surface belongs to. */
function partOf(name: SurfaceName): SupportPart {
  return name.replace(/^(left|right)/, '').toLowerCase() as SupportPart;
}

function noCounts(): Omit<PartSupport, 'f1'> {
  return { sourceFrames: 0, sourceMatched: 0, resultFrames: 0, resultMatched: 0 };
}

function countMatches(
  counts: Omit<PartSupport, 'f1'>,
  source: Uint8Array,
  result: Uint8Array,
  n: number,
  width: number,
  count: number,
): void {
  const near = (flags: Uint8Array, k: number) =>
    flags[width * k + n] === 1 ||
    (k > 0 && flags[width * (k - 1) + n] === 1) ||
    (k < count - 1 && flags[width * (k + 1) + n] === 1);
  for (let k = 0; k < count; k++) {
    if (source[width * k + n] === 1) {
      counts.sourceFrames++;
      if (near(result, k)) counts.sourceMatched++;
    }
    if (result[width * k + n] === 1) {
      counts.resultFrames++;
      if (near(source, k)) counts.resultMatched++;
    }
  }
}

/** What carries the source: flags, and how high over the floor that is in hip heights, per surface and instant. */
type SupportedSource = {
  flags: Uint8Array;
  levels: Float64Array;
  /** Per instant 1 where some part of it lies on the floor. */
  onFloor: Uint8Array;
};

const found = new WeakMap<Comparison, SupportedSource>();

/** Finds what carries the source, once. */
function findCarried(comparison: Comparison): SupportedSource {
  const known = found.get(comparison);
  if (known) return known;
  const { source, count } = comparison;
  const { surfaces, tracks, inContact, supports } = source;
  const width = surfaces.length;
  const points = tracks.points.length;
  const flags = new Uint8Array(width * count);
  const levels = new Float64Array(width * count);
  const onFloor = new Uint8Array(count);
  const gaps = gapsOf(source, floorOffset(tracks));
  const speeds = slowest(source);
  const runs = surfaces.map(({ name, isSkin }, n) => {
    if (isSkin)
      return lowRuns(
        { gaps, speeds, n, width },
        count,
        MEASURED_CONTACTS.height,
        MEASURED_CONTACTS.releaseHeight,
      );
    const isOnLeg = name.endsWith('Knee') ? onOtherLeg(tracks, name as PointName) : null;
    return lowRuns({ gaps, speeds, n, width }, count, READ_AS_FLESH.begin, READ_AS_FLESH.end, isOnLeg);
  });
  // Per instant 1 where a part that is neither foot nor hand lies on the floor.
  const lies = new Uint8Array(count);
  surfaces.forEach(({ name }, n) => {
    if (/Foot|Hand/.test(name)) return;
    for (let k = 0; k < count; k++) lies[k]! |= runs[n]![k]!;
  });
  surfaces.forEach(({ name, touches, isSkin }, n) => {
    const own = tracks.points.flatMap((point, i) => (touches.includes(point.name) ? [i] : []));
    // Soles without a skin are known: they are read as flesh only where another part lies on the floor.
    const isSole = name.endsWith('Foot') && !isSkin;
    const isFoot = name.endsWith('Foot');
    const isEnd = isFoot || name.endsWith('Hand');
    const low = runs[n]!;
    for (let k = 0; k < count; k++) {
      const o = width * k + n;
      let touching = -1;
      for (let t = 0; t < own.length && touching < 0; t++)
        if (inContact[points * k + own[t]!] === 1) touching = own[t]!;
      const level = touching < 0 ? 0 : supports[points * k + touching]!;
      const isOff = Math.abs(level) > (isFoot ? 0 : READ_AS_FLESH.end);
      const isLow = low[k] === 1 && (!isSole || lies[k] === 1);
      // Of knees, seats and backs only what holds them off the floor is taken from contacts: those are held generously.
      if (!isLow && (touching < 0 || !(isOff || isEnd))) continue;
      flags[o] = 1;
      levels[o] = isOff && !isLow ? level : 0;
      // A skin or a sole that hovers does not lie; flesh that is only guessed does.
      if (levels[o] === 0 && (gaps[o]! <= ON_FLOOR || (!isSkin && isLow))) onFloor[k] = 1;
    }
  });
  const carried = { flags, levels, onFloor };
  found.set(comparison, carried);
  return carried;
}

/** Per surface and instant how high it is over the floor, in hip heights. */
function gapsOf({ surfaceHeights, hipHeight }: ComparedSide, offset: number): Float64Array {
  const gaps = new Float64Array(surfaceHeights.length);
  for (let i = 0; i < gaps.length; i++) gaps[i] = surfaceHeights[i]! / hipHeight - offset;
  return gaps;
}

/** Per surface and instant how fast it is, in hip heights a second: of a foot the slower of heel and ball. */
function slowest({ surfaces, tracks }: ComparedSide): Float64Array {
  const { points, count } = tracks;
  const speeds = pointSpeeds(tracks);
  const out = new Float64Array(surfaces.length * count).fill(Number.POSITIVE_INFINITY);
  surfaces.forEach(({ touches }, n) => {
    points.forEach(({ name }, i) => {
      if (!touches.includes(name)) return;
      for (let k = 0; k < count; k++) {
        const speed = speeds[points.length * k + i]!;
        if (speed < out[surfaces.length * k + n]!) out[surfaces.length * k + n] = speed;
      }
    });
  });
  return out;
}

/**
 * Per instant 1 in stretches that are slow, no higher than `end` and somewhere as low as `begin`, and long enough.
 * @param isCarried Whether something else than the floor carries it at an instant.
 */
function lowRuns(
  { gaps, speeds, n, width }: { gaps: Float64Array; speeds: Float64Array; n: number; width: number },
  count: number,
  begin: number,
  end: number,
  isCarried: ((k: number) => boolean) | null = null,
): Uint8Array {
  const flags = new Uint8Array(count);
  let first = -1;
  let isSure = false;
  for (let k = 0; k <= count; k++) {
    const gap = k < count ? gaps[width * k + n]! : Number.POSITIVE_INFINITY;
    const isLow = gap <= end && gap >= -READ_AS_FLESH.deepest;
    if (isLow && speeds[width * k + n]! <= MEASURED_CONTACTS.speed && !isCarried?.(k)) {
      if (first < 0) first = k;
      if (gap <= begin) isSure = true;
      continue;
    }
    if (first >= 0 && isSure && (k - 1 - first) / CONTACT_RATE >= MEASURED_CONTACTS.shortest - 1e-6)
      flags.fill(1, first, k);
    first = -1;
    isSure = false;
  }
  return flags;
}

/** Per surface and instant 1 where the result's is slow and as near to what carries the source as any contact is. */
function resultCarrying({ result, count }: Comparison, levels: Float64Array): Uint8Array {
  const width = result.surfaces.length;
  const gaps = gapsOf(result, 0);
  const speeds = slowest(result);
  const flags = new Uint8Array(width * count);
  for (let n = 0; n < width; n++) {
    let first = -1;
    for (let k = 0; k <= count; k++) {
      const o = width * k + n;
      const isNear =
        k < count &&
        Math.abs(gaps[o]! - levels[o]!) <= MEASURED_CONTACTS.height &&
        speeds[o]! <= MEASURED_CONTACTS.speed;
      if (isNear && first < 0) first = k;
      if (isNear || first < 0) continue;
      if ((k - 1 - first) / CONTACT_RATE >= MEASURED_CONTACTS.shortest - 1e-6)
        for (let i = first; i < k; i++) flags[width * i + n] = 1;
      first = -1;
    }
  }
  return flags;
}

/** Per instant how high the lowest of the result is over the floor, in hip heights; NaN where the source lies on nothing. */
export function carryingGaps(comparison: Comparison): Float64Array {
  const { result, count } = comparison;
  const { surfaces, surfaceHeights, skinHeights, hipHeight } = result;
  const { onFloor } = findCarried(comparison);
  const width = surfaces.length;
  const gaps = new Float64Array(count).fill(Number.NaN);
  for (let k = 0; k < count; k++) {
    if (onFloor[k] === 0) continue;
    let lowest = skinHeights[k] ?? Number.POSITIVE_INFINITY;
    for (let n = 0; n < width; n++) lowest = Math.min(lowest, surfaceHeights[width * k + n]!);
    gaps[k] = lowest / hipHeight;
  }
  return gaps;
}
