import { addToList } from '../base/add-to-list.js';
import { UsageError } from '../base/errors.js';
import { DEGREE } from '../base/math/angles.js';
import { cbrt, hypot } from '../base/math/functions.js';
import { quaternionAngle, slerpQuaternions } from '../base/math/quaternion.js';
import { didWork } from '../base/watch-work.js';
import type { KeyTolerance } from '../options/clip-rules.js';
import { type Clip, channelSize, sampleClip, type Track } from '../scene/clip.js';
import { copyPose, createModelPose, localToModel, modelPoseOf } from '../scene/pose.js';
import type { Skeleton } from '../scene/skeleton.js';

/** A tenth of a millimetre and of a degree: nothing anybody sees, and feet that stood still stand still. */
export const KEY_TOLERANCE: Required<KeyTolerance> = { position: 1e-4, angleDegrees: 0.1 };

/** How often keys are put back before a frame's keys are all kept. */
const MOST_PUT_BACK = 12;

/**
 * Leaves out the keys that interpolation gives anyway. First each track keeps the keys it needs to stay within
 * the tolerance by itself (Ramer, Douglas and Peucker, along time); then the clip is played beside the whole one,
 * and wherever a joint is further off in model space than allowed, since small errors add up along a limb,
 * the keys of that instant are put back for all joints above it. So the bound holds at every key of
 * the whole clip for every joint, planted feet included. Cubic tracks stay as they are.
 * @param skeleton Complete with its container, so that lengths are metres: a rig's.
 */
export function reduceKeys(
  skeleton: Skeleton,
  clip: Clip,
  tolerance: KeyTolerance = {},
): { clip: Clip; before: number; after: number } {
  const position = tolerance.position ?? KEY_TOLERANCE.position;
  const angle = (tolerance.angleDegrees ?? KEY_TOLERANCE.angleDegrees) * DEGREE;
  if (!(position > 0) || !(angle > 0))
    throw new UsageError(
      `the key tolerance is ${position} m and ${angle / DEGREE} degrees; both must be positive`,
    );
  const count = (of: Clip) => of.tracks.reduce((sum, { times }) => sum + times.length, 0);
  const before = count(clip);
  const reducible = clip.tracks.map((track) => track.interpolation !== 'cubic' && track.times.length > 2);
  const unit = cbrt(Math.abs(determinantOf(skeleton.container))) || 1;
  const reaches = measureReaches(skeleton);
  // Errors along a limb rarely all point one way. Half the bound for each joint leaves about as few keys as a
  // quarter or the whole at a tenth of a millimetre, and fewer at two (6,932 keys against 9,509 and 8,029 of a walk).
  const share = 0.5;
  const kept = clip.tracks.map((track, n) => {
    if (!reducible[n]) return null;
    const turn = Math.min(angle, position / Math.max(reaches[track.joint]!, 1e-9));
    return keepNeeded(track, share * (track.channel === 'rotation' ? turn : position / unit));
  });
  const build = (): Clip => ({
    ...clip,
    tracks: clip.tracks.map((track, n) => {
      didWork(track.times.length);
      return kept[n] ? withKeys(track, kept[n]!) : track;
    }),
  });
  let reduced = build();
  const instants = instantsOf(clip);
  for (let round = 0; round < MOST_PUT_BACK; round++) {
    const restored = restoreKeys(
      skeleton,
      { whole: clip, reduced },
      kept,
      instants,
      { position, angle },
      round,
    );
    if (restored === 0) break;
    reduced = build();
  }
  return { clip: reduced, before, after: count(reduced) };
}

/** How far from each joint the furthest joint below it is at rest, in metres: what a turn of it moves most. */
function measureReaches(skeleton: Skeleton): Float64Array {
  const { matrices } = modelPoseOf(skeleton, skeleton.rest);
  const reaches = new Float64Array(skeleton.names.length);
  skeleton.names.forEach((_, joint) => {
    for (let at = skeleton.parents[joint]!; at >= 0; at = skeleton.parents[at]!) {
      const [a, b] = [16 * joint + 12, 16 * at + 12];
      const reach = hypot(
        matrices[a]! - matrices[b]!,
        matrices[a + 1]! - matrices[b + 1]!,
        matrices[a + 2]! - matrices[b + 2]!,
      );
      if (reach > reaches[at]!) reaches[at] = reach;
    }
  });
  return reaches;
}

function determinantOf(m: Float64Array): number {
  return (
    m[0]! * (m[5]! * m[10]! - m[6]! * m[9]!) -
    m[4]! * (m[1]! * m[10]! - m[2]! * m[9]!) +
    m[8]! * (m[1]! * m[6]! - m[2]! * m[5]!)
  );
}

/** All key times of a clip, rising, each once. */
function instantsOf(clip: Clip): Float64Array {
  const lists = new Set(clip.tracks.map(({ times }) => times));
  const all = new Set<number>();
  for (const times of lists) {
    for (const time of times) all.add(time);
    didWork(times.length);
  }
  return Float64Array.from(all).sort();
}

const scratch = new Float64Array(4);

/** Which keys a track needs to stay within a tolerance of itself; the ends always. */
function keepNeeded({ times, values, channel, interpolation }: Track, tolerance: number): Uint8Array {
  const size = channelSize(channel);
  const last = times.length - 1;
  const kept = new Uint8Array(times.length);
  kept[0] = 1;
  kept[last] = 1;
  if (interpolation === 'step') {
    for (let k = 1; k < last; k++)
      for (let c = 0; c < size; c++) if (values[k * size + c] !== values[(k - 1) * size + c]) kept[k] = 1;
    return kept;
  }
  const stack = [0, last];
  while (stack.length > 0) {
    const b = stack.pop()!;
    const a = stack.pop()!;
    if (b - a < 2) continue;
    didWork(b - a);
    const span = times[b]! - times[a]! || 1;
    let worst = -1;
    let miss = tolerance;
    for (let k = a + 1; k < b; k++) {
      const u = (times[k]! - times[a]!) / span;
      let off: number;
      if (size === 4) {
        slerpQuaternions(scratch, 0, values, 4 * a, values, 4 * b, u);
        off = quaternionAngle(scratch, 0, values, 4 * k);
      } else {
        let square = 0;
        for (let c = 0; c < 3; c++) {
          const from = values[3 * a + c]!;
          const gap = from + (values[3 * b + c]! - from) * u - values[3 * k + c]!;
          square += gap * gap;
        }
        off = Math.sqrt(square);
      }
      if (!(off <= miss)) {
        miss = off;
        worst = k;
      }
    }
    if (worst < 0) continue;
    kept[worst] = 1;
    stack.push(a, worst, worst, b);
  }
  return kept;
}

function withKeys(track: Track, kept: Uint8Array): Track {
  const size = channelSize(track.channel);
  const count = kept.reduce((sum, keep) => sum + keep, 0);
  if (count === track.times.length) return track;
  const times = new Float32Array(count);
  const values = new Float32Array(count * size);
  let at = 0;
  for (let k = 0; k < kept.length; k++) {
    if (!kept[k]) continue;
    times[at] = track.times[k]!;
    for (let c = 0; c < size; c++) values[at * size + c] = track.values[k * size + c]!;
    at++;
  }
  return { ...track, times, values };
}

/** Puts keys back where the reduced clip is too far off; gives how many. */
function restoreKeys(
  skeleton: Skeleton,
  { whole, reduced }: { whole: Clip; reduced: Clip },
  kept: readonly (Uint8Array | null)[],
  instants: Float64Array,
  { position, angle }: { position: number; angle: number },
  round: number,
): number {
  const joints = skeleton.names.length;
  const [poseA, poseB] = [copyPose(skeleton.rest), copyPose(skeleton.rest)];
  const [modelA, modelB] = [createModelPose(joints), createModelPose(joints)];
  const hintsA = new Int32Array(whole.tracks.length);
  const hintsB = new Int32Array(whole.tracks.length);
  const keyed = new Map<number, number[]>();
  whole.tracks.forEach(({ joint }, n) => {
    if (kept[n]) addToList(keyed, joint, n);
  });
  const marked = new Uint8Array(joints);
  let restored = 0;
  for (const time of instants) {
    didWork(2 * joints);
    sampleClip(poseA, whole, time, hintsA);
    sampleClip(poseB, reduced, time, hintsB);
    localToModel(modelA, skeleton, poseA);
    localToModel(modelB, skeleton, poseB);
    marked.fill(0);
    for (let joint = 0; joint < joints; joint++) {
      let square = 0;
      for (let c = 12; c < 15; c++) {
        const gap = modelA.matrices[16 * joint + c]! - modelB.matrices[16 * joint + c]!;
        square += gap * gap;
      }
      const isOff =
        !(square <= position * position) ||
        !(quaternionAngle(modelA.rotations, 4 * joint, modelB.rotations, 4 * joint) <= angle);
      if (!isOff) continue;
      for (let at = joint; at >= 0 && !marked[at]; at = skeleton.parents[at]!) marked[at] = 1;
    }
    for (let joint = 0; joint < joints; joint++) {
      if (!marked[joint]) continue;
      for (const n of keyed.get(joint) ?? []) {
        const k = hintsA[n]!;
        // The key of this instant; later rounds take its neighbours too, for tracks with keys of their own times.
        for (let near = k - (round > 2 ? 1 : 0); near <= k + (round > 2 ? 1 : 0); near++)
          if (near >= 0 && near < kept[n]!.length && !kept[n]![near]) {
            kept[n]![near] = 1;
            restored++;
          }
      }
    }
  }
  return restored;
}
