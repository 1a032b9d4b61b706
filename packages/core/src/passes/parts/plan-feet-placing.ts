import { smoothCurve, widenCurve } from '../../base/math/smooth-curves.js';
import { didWork } from '../../base/watch-work.js';
import { hipHeightOf, solePoints } from '../../contacts/body-points.js';
import { contactsOfTracks } from '../../contacts/find-contacts.js';
import { CONTACT_RATE, offsetsOf, placePoints } from '../../contacts/track-points.js';
import { stretchesOf } from '../../goals/plan/ease-stretches.js';
import { isPlannable } from '../../goals/plan/plan-goals.js';
import { createModelPose, localToModel } from '../../scene/pose.js';
import type { ClipView } from '../pass.js';
import { type FeetSetup, LEG_LIFTS, LIFTS, readGround } from './feet-setup.js';

/** Seconds over which the root's height is smoothed, and what lifts a foot over an edge (standard deviations). */
const ROOT_SMOOTHING = 0.15;
const FOOT_SMOOTHING = 0.05;

/**
 * Looks at a whole clip and plans how it stands on uneven ground: heights and slopes per foot and of the root, on a
 * grid of 60 frames a second (see `LIFTS`). While a foot stands, its ground is one height; in between it goes from
 * one to the other, over whatever edge is in its way. Null where no ground is told.
 */
export function planFeetPlacing(
  feet: FeetSetup,
  { setup, clip, passes, play }: ClipView,
): Float64Array | null {
  const { target } = setup;
  const count = Math.floor(clip.duration * CONTACT_RATE + 1e-3) + 1;
  if (!passes.includes('placeFeet') || !isPlannable(clip)) return null;
  const { skeleton } = target;
  const points = solePoints(target);
  const offsets = offsetsOf(points);
  const positions = new Float64Array(3 * points.length * count);
  const model = createModelPose(skeleton.names.length);
  const plan = new Float64Array(LIFTS * count);
  const lifts = new Float64Array(LIFTS);
  play(count, (frame, k) => {
    localToModel(model, skeleton, frame.target);
    placePoints(positions, 3 * points.length * k, points, offsets, model);
    readGround(lifts, feet, model);
    plan.set(lifts, LIFTS * k);
    didWork(skeleton.names.length);
  });
  const hipHeight = hipHeightOf(target);
  const contacts = contactsOfTracks({ points, count, positions, hipHeight, floor: feet.floor });
  const roots = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  (['left', 'right'] as const).forEach((side, n) => {
    const stands = new Uint8Array(count);
    for (const { point, start, end } of contacts)
      if (point === `${side}Heel` || point === `${side}Toe`)
        stands.fill(1, Math.round(start * CONTACT_RATE), Math.round(end * CONTACT_RATE) + 1);
    const clearance = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
    points.forEach(({ name, standing }, p) => {
      if (name !== `${side}Heel` && name !== `${side}Toe`) return;
      for (let k = 0; k < count; k++) {
        const height = positions[3 * (points.length * k + p) + 1]! - feet.floor - hipHeight * standing;
        clearance[k] = Math.min(clearance[k]!, height);
      }
    });
    const first = 1 + LEG_LIFTS * n;
    for (let i = first; i < first + LEG_LIFTS; i++) {
      const raw = Float64Array.from({ length: count }, (_, k) => plan[LIFTS * k + i]!);
      const curve = holdCurve(raw, stands);
      if (i === first) liftOver(curve, raw, clearance, stands);
      for (let k = 0; k < count; k++) {
        plan[LIFTS * k + i] = curve[k]!;
        if (i === first) roots[k] = Math.min(roots[k]!, curve[k]!);
      }
    }
  });
  const root = smoothCurve(roots, ROOT_SMOOTHING * CONTACT_RATE);
  for (let k = 0; k < count; k++) plan[LIFTS * k] = root[k]!;
  return plan;
}

/** A curve that keeps its median while something stands, and goes smoothly from one to the next in between. */
function holdCurve(raw: Float64Array, stands: Uint8Array): Float64Array {
  const count = raw.length;
  const stretches = stretchesOf(stands, 0);
  if (stretches.length === 0) return smoothCurve(raw, FOOT_SMOOTHING * CONTACT_RATE);
  const values = stretches.map(({ first, last }) => {
    const sorted = raw.slice(first, last + 1).sort();
    return sorted[sorted.length >> 1]!;
  });
  const out = new Float64Array(count);
  let n = 0;
  for (let k = 0; k < count; k++) {
    while (n < stretches.length - 1 && k >= stretches[n + 1]!.first) n++;
    const { last } = stretches[n]!;
    const next = stretches[n + 1];
    const u = next && k > last ? (k - last) / (next.first - last) : 0;
    out[k] = values[n]! + u * u * (3 - 2 * u) * ((values[n + 1] ?? values[n]!) - values[n]!);
  }
  return out;
}

/** Lifts a foot in the air over ground that is higher than what it goes between. */
function liftOver(curve: Float64Array, raw: Float64Array, clearance: Float64Array, stands: Uint8Array): void {
  const under = curve.map((height, k) => (stands[k] ? 0 : Math.max(0, raw[k]! - clearance[k]! - height)));
  if (under.every((depth) => depth === 0)) return;
  const reach = Math.round(2 * FOOT_SMOOTHING * CONTACT_RATE);
  const lift = smoothCurve(widenCurve(under, reach), FOOT_SMOOTHING * CONTACT_RATE);
  // A foot that stands is not lifted; from there it comes in within a few frames.
  const free = smoothCurve(
    Float64Array.from(stands, (_, k) => {
      for (let j = Math.max(0, k - reach); j <= Math.min(stands.length - 1, k + reach); j++)
        if (stands[j]) return 0;
      return 1;
    }),
    reach / 3,
  );
  for (let k = 0; k < curve.length; k++) curve[k] = curve[k]! + (stands[k] ? 0 : lift[k]! * free[k]!);
}
