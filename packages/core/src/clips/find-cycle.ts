import { hypot } from '../base/math/functions.js';
import { didWork } from '../base/watch-work.js';
import type { Rig } from '../body/rig.js';
import type { Role } from '../body/roles.js';
import { type Clip, frameRateOf, sampleClip } from '../scene/clip.js';
import { copyPose, createModelPose, localToModel } from '../scene/pose.js';

/** A part of a clip whose ends match, in seconds. */
export type Cycle = { start: number; end: number };

/** No cycle of a body is shorter, in seconds. */
const SHORTEST_CYCLE = 0.3;
/** Ends nearer than this, on average over the body's parts as a share of its height, match: a centimetre or two. */
const MATCHES = 0.012;
/** Ends farther apart than this are none of a cycle: closing them would smear one pose into another. */
const MOST_APART = 0.035;
/** A cycle goes away from its ends before it comes back: by so many times what is left between them. */
const GOES_AWAY = 4;
/** More instants than this are not compared with each other; of longer clips fewer a second are. */
const MOST_CYCLE_INSTANTS = 400;
/** How much a difference of speed counts beside one of place: seconds over which it adds up. */
const SPEED_TIME = 0.08;
/** At so many instants between two it is looked how far the body goes. */
const CYCLE_LOOKS = 12;

const CYCLE_ROLES: readonly Role[] = [
  ...['hips', 'chest', 'head'],
  ...['left', 'right'].flatMap((side) =>
    ['LowerArm', 'Hand', 'LowerLeg', 'Foot', 'Toes'].map((part) => `${side}${part}`),
  ),
] as Role[];

/**
 * Finds the part of a clip that can be played over and over: the two instants at which the body's parts, feet included,
 * stand and move most alike, as seen from hips that travel and turn. The whole clip, where its own ends match.
 * @param rig Of the body that the clip moves.
 * @returns null where no two instants match that lie far enough apart and have something between them.
 */
export function findCycle(rig: Rig, clip: Clip): Cycle | null {
  const rate = Math.min(Math.max(30, frameRateOf(clip)), MOST_CYCLE_INSTANTS / Math.max(clip.duration, 1e-3));
  const count = Math.floor(clip.duration * rate + 1e-3) + 1;
  if (count < 4) return null;
  const features = describePoses(rig, clip, count, rate);
  if (!features) return null;
  const { places, size } = features;
  const height = Math.max(rig.space.height, 1e-6);
  const speeds = new Float64Array(places.length);
  for (let k = 0; k < count; k++) {
    const [before, after] = [Math.max(0, k - 1), Math.min(count - 1, k + 1)];
    for (let c = 0; c < size; c++)
      speeds[size * k + c] =
        ((places[size * after + c]! - places[size * before + c]!) * rate) / (after - before);
  }
  const apart = (values: Float64Array, a: number, b: number) => {
    let sum = 0;
    for (let i = 0; i < size; i += 3)
      sum += hypot(
        values[size * a + i]! - values[size * b + i]!,
        values[size * a + i + 1]! - values[size * b + i + 1]!,
        values[size * a + i + 2]! - values[size * b + i + 2]!,
      );
    return sum / (size / 3) / height;
  };
  const seam = (a: number, b: number) => apart(places, a, b) + SPEED_TIME * apart(speeds, a, b);
  const last = count - 1;
  if (apart(places, 0, last) < MATCHES) return { start: 0, end: clip.duration };
  const shortest = Math.max(2, Math.ceil(SHORTEST_CYCLE * rate));
  let best = seam(0, last);
  let found: [number, number] | null = apart(places, 0, last) < MOST_APART ? [0, last] : null;
  if (!found) best = Number.POSITIVE_INFINITY;
  for (let a = 0; a + shortest <= last; a++) {
    // Comparing a part of the body at two instants takes about as long as moving a joint.
    didWork((last - a) * (size / 3));
    for (let b = a + shortest; b <= last; b++) {
      const score = seam(a, b);
      if (score >= best || apart(places, a, b) > MOST_APART) continue;
      didWork(CYCLE_LOOKS * (size / 3));
      if (farthest(apart, places, a, b) < Math.max(MATCHES, GOES_AWAY * apart(places, a, b))) continue;
      best = score;
      found = [a, b];
    }
  }
  if (!found) return null;
  return { start: found[0] / rate, end: found[1] === last ? clip.duration : found[1] / rate };
}

/** How far a body goes from where it stands at an instant until another. */
function farthest(
  apart: (values: Float64Array, a: number, b: number) => number,
  places: Float64Array,
  a: number,
  b: number,
): number {
  let most = 0;
  const stride = Math.max(1, Math.floor((b - a) / CYCLE_LOOKS));
  for (let k = a + stride; k < b; k += stride) most = Math.max(most, apart(places, a, k));
  return most;
}

/** Where the body's parts are at each instant, in metres, seen from above the hips' place and along their heading. */
function describePoses(
  { skeleton, joints }: Rig,
  clip: Clip,
  count: number,
  rate: number,
): { places: Float64Array; size: number } | null {
  const parts = CYCLE_ROLES.flatMap((role) => joints[role] ?? []);
  const { hips, leftUpperLeg, rightUpperLeg } = joints;
  if (parts.length < 4 || hips === undefined) return null;
  const size = 3 * parts.length;
  const places = new Float64Array(size * count);
  const pose = copyPose(skeleton.rest);
  const model = createModelPose(skeleton.names.length);
  const hints = new Int32Array(clip.tracks.length);
  const { matrices: m } = model;
  for (let k = 0; k < count; k++) {
    didWork(skeleton.names.length);
    sampleClip(pose, clip, k / rate, hints);
    localToModel(model, skeleton, pose);
    const [x, z] = [m[16 * hips + 12]!, m[16 * hips + 14]!];
    let [cos, sin] = [1, 0];
    if (leftUpperLeg !== undefined && rightUpperLeg !== undefined) {
      const dx = m[16 * leftUpperLeg + 12]! - m[16 * rightUpperLeg + 12]!;
      const dz = m[16 * leftUpperLeg + 14]! - m[16 * rightUpperLeg + 14]!;
      const length = hypot(dx, dz);
      if (length > 1e-6) [cos, sin] = [dx / length, dz / length];
    }
    parts.forEach((joint, n) => {
      const px = m[16 * joint + 12]! - x;
      const pz = m[16 * joint + 14]! - z;
      const o = size * k + 3 * n;
      places[o] = cos * px + sin * pz;
      places[o + 1] = m[16 * joint + 13]!;
      places[o + 2] = cos * pz - sin * px;
    });
  }
  return { places, size };
}
