import { atan2, lengthOf } from '../base/math/functions.js';
import { crossVectors, dotVectors, subtractVectors, vectorAt } from '../base/math/vector.js';
import type { PointName } from '../options/contact.js';
import { LEG_BELOW, RESTING_PARTS } from './contact-rules.js';
import { CONTACT_RATE, type PointTracks } from './track-points.js';

/** Whether a point is of a part that lies on the floor with flesh that is not known: anything but soles and hands. */
export function restsByFlesh(name: PointName): boolean {
  return /(?:Knee|Elbow)$|^(?:hips|back|head)$/.test(name);
}

/** Instants from first to last. */
type RestingStretch = { first: number; last: number };

/**
 * Finds when a knee, elbow, seat, back or head lies on the floor. How thick flesh is there cannot be had from
 * proportions: joints of parts that rest lie from 0.26 hip heights below to 0.19 above where it would end. So it is not
 * measured: a part that is low and slow lies on the floor, whatever its height. What drops out for an instant rests on.
 * @param heights Per point per instant the height over where it stands, in hip heights.
 * @param speeds The same in hip heights a second.
 */
export function restingStretches(
  tracks: PointTracks,
  n: number,
  heights: Float64Array,
  speeds: Float64Array,
): RestingStretch[] {
  const { points, count } = tracks;
  const { name } = points[n]!;
  const width = points.length;
  const isStraight = straightKnees(tracks, n);
  const isOnLeg = name.endsWith('Knee') ? onOtherLeg(tracks, name) : null;
  const found: RestingStretch[] = [];
  let first = -1;
  let sure = false;
  for (let k = 0; k <= count; k++) {
    const height = k < count ? heights[width * k + n]! : Number.POSITIVE_INFINITY;
    const speed = k < count ? speeds[width * k + n]! : 0;
    if (
      height <= RESTING_PARTS.releaseHeight &&
      height >= -RESTING_PARTS.deepest &&
      speed <= RESTING_PARTS.releaseSpeed &&
      !isOnLeg?.(k)
    ) {
      if (first < 0) first = k;
      const most = isStraight(k) ? RESTING_PARTS.straightHeight : RESTING_PARTS.height;
      if (height <= most && speed <= RESTING_PARTS.speed) sure = true;
      continue;
    }
    if (first >= 0 && sure) addRest(found, { first, last: k - 1 }, (i) => heights[width * i + n]!);
    first = -1;
    sure = false;
  }
  return found.filter((rest) => rest.last - rest.first >= RESTING_PARTS.shortest * CONTACT_RATE - 1e-6);
}

/** Adds a stretch, or makes the one before longer where it was only not seen for an instant and the part stayed low. */
function addRest(found: RestingStretch[], next: RestingStretch, heightAt: (k: number) => number): void {
  const before = found[found.length - 1];
  let isOne = !!before && next.first - before.last <= RESTING_PARTS.gap * CONTACT_RATE;
  for (let k = (before?.last ?? 0) + 1; isOne && k < next.first; k++)
    if (heightAt(k) > RESTING_PARTS.lifted) isOne = false;
  if (before && isOne) before.last = next.last;
  else found.push(next);
}

/**
 * Whether a knee is nearly straight at an instant: then it must be lower to carry, as those of a plank do not. Seen from
 * the hips and the heel, which is enough. Other parts never are.
 */
function straightKnees({ points, positions }: PointTracks, n: number): (k: number) => boolean {
  const { name } = points[n]!;
  const width = points.length;
  const heel = points.findIndex((point) => point.name === name.replace('Knee', 'Heel'));
  const hips = points.findIndex((point) => point.name === 'hips');
  if (!name.endsWith('Knee') || heel < 0 || hips < 0) return () => false;
  return (k) => {
    const at = (i: number) => vectorAt(positions, 3 * (width * k + i));
    const thigh = subtractVectors(at(n), at(hips));
    const shin = subtractVectors(at(heel), at(n));
    return atan2(lengthOf(crossVectors(thigh, shin)), dotVectors(thigh, shin)) < RESTING_PARTS.straight;
  };
}

/** The points of a leg in their order, after the hips. */
const LEG_POINTS = ['Knee', 'Heel', 'Toe'] as const;

/**
 * Whether a point of a leg is above the other leg at an instant: of somebody who lies on his side one leg lies on the
 * other, however low that is, and not on the floor. Null where too little of the other leg is known.
 */
export function onOtherLeg(
  { points, positions, hipHeight }: PointTracks,
  name: PointName,
): ((k: number) => boolean) | null {
  const other = name.startsWith('left') ? 'right' : 'left';
  const numberOf = (of: string) => points.findIndex((point) => point.name === of);
  const n = numberOf(name);
  const below = [numberOf('hips'), ...LEG_POINTS.map((part) => numberOf(`${other}${part}`))].filter(
    (i) => i >= 0,
  );
  if (n < 0 || below.length < 2) return null;
  const [wide, thick] = [LEG_BELOW.wide * hipHeight, LEG_BELOW.thick * hipHeight];
  return (k) => {
    const at = (i: number) => vectorAt(positions, 3 * (points.length * k + i));
    const [x, y, z] = at(n);
    for (let i = 1; i < below.length; i++) {
      const [ax, ay, az] = at(below[i - 1]!);
      const [bx, by, bz] = at(below[i]!);
      const square = (bx - ax) * (bx - ax) + (bz - az) * (bz - az);
      const along = square > 0 ? ((x - ax) * (bx - ax) + (z - az) * (bz - az)) / square : 0;
      const u = Math.max(0, Math.min(1, along));
      const [dx, dz] = [x - ax - u * (bx - ax), z - az - u * (bz - az)];
      if (dx * dx + dz * dz < wide * wide && y - ay - u * (by - ay) > thick) return true;
    }
    return false;
  };
}
