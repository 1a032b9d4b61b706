import { lengthOf } from '../../base/math/functions.js';
import { divideQuaternions, multiplyQuaternions, normalizeQuaternion } from '../../base/math/quaternion.js';
import type { Vec3 } from '../../base/math/vector.js';
import { didWork } from '../../base/watch-work.js';
import { CONTACT_RATE } from '../../contacts/track-points.js';
import type { Contact } from '../../options/contact.js';
import { type Clip, channelSize, sampleClip, sampleTrack, type Track } from '../../scene/clip.js';
import { copyPose, createModelPose, localToModel } from '../../scene/pose.js';
import { isAncestor, type Skeleton } from '../../scene/skeleton.js';
import { isStill } from '../../scene/still-track.js';

/** A clip whose ends differ by no more than this share of the hip height, wherever it has gone, is a loop. */
const CLOSES = 0.02;
/**
 * Of turns up to so many seconds the whole one before and after is looked at, so that what is counted over all frames,
 * as the speed of the ground under a walk on the spot, comes out as of one turn; of longer ones a
 * quarter of that, which is longer than what is smoothed.
 */
const WHOLE = 4;
/** Seconds over which a turn that does not begin quite where the last one ended comes back to its own way. */
const EASED = 0.2;
/** A clip this short, in seconds, is a pose rather than a loop. */
const SHORTEST_LOOP = 0.2;

/** How many frames of the turns before and after a turn are looked at. */
export function leadOf({ duration }: Clip, rate: number): number {
  return Math.round((duration <= WHOLE ? duration : WHOLE / 4) * rate);
}

/**
 * Which way over the ground, in metres of the source, a loop goes in a turn: the body ends as it begins, every joint
 * that goals depend on, but for that. Null for a clip that is no loop.
 */
export function wayOfLoop(
  skeleton: Skeleton,
  hips: number,
  joints: ArrayLike<number>,
  hipHeight: number,
  clip: Clip,
): Vec3 | null {
  if (!(clip.duration >= SHORTEST_LOOP) || clip.tracks.every(({ times }) => times.length < 3)) return null;
  const [first, last] = [0, clip.duration].map((time) => {
    const pose = copyPose(skeleton.rest);
    sampleClip(pose, clip, time);
    const model = createModelPose(skeleton.names.length);
    localToModel(model, skeleton, pose);
    return model.matrices;
  }) as [Float64Array, Float64Array];
  const gap = (joint: number, c: number) => last[16 * joint + 12 + c]! - first[16 * joint + 12 + c]!;
  const way: Vec3 = [gap(hips, 0), 0, gap(hips, 2)];
  const closes = Array.from(joints).every(
    (joint) =>
      !isAncestor(skeleton, hips, joint) ||
      lengthOf(way.map((value, c) => gap(joint, c) - value)) <= CLOSES * hipHeight,
  );
  return closes ? way : null;
}

/** How a loop is unrolled: frames a second of the grid, and so many of them before and after the turn itself. */
export type Unrolling = { rate: number; lead: number };

/** The clip on the planning grid with the turns before and after it, or parts of them; what carries the body goes on. */
export function unrollLoop(skeleton: Skeleton, hips: number, clip: Clip, unrolling: Unrolling): Clip {
  const { rate, lead } = unrolling;
  const { duration } = clip;
  const count = Math.floor(duration * rate + 2 * lead + 1e-3) + 1;
  const times = new Float32Array(count);
  for (let k = 0; k < count; k++) times[k] = k / rate;
  const carries = (joint: number) => isAncestor(skeleton, joint, hips);
  return {
    ...clip,
    duration: times[count - 1]!,
    morphs: [],
    tracks: clip.tracks.map((track) => unrollTrack(track, duration, times, unrolling, carries(track.joint))),
  };
}

function unrollTrack(
  track: Track,
  duration: number,
  times: Float32Array,
  { rate, lead }: Unrolling,
  carries: boolean,
): Track {
  // Places and scales that never change are the same in every turn; turns that do not are only so but for rounding.
  if (track.times.length < 2 || (track.channel !== 'rotation' && isStill(track))) return track;
  const size = channelSize(track.channel);
  didWork(times.length);
  const values = new Float32Array(size * times.length);
  const out = new Float64Array(size);
  const gap = gapOf(track, duration);
  const onKeys = hasKeyAFrame(track, duration, rate);
  let hint = 0;
  for (let k = 0; k < times.length; k++) {
    // A hair's breadth more, so that the end of a turn is the beginning of the next one on both sides.
    const turn = Math.floor(((k - lead) / rate + 1e-6) / duration);
    const time = Math.max(0, (k - lead) / rate - turn * duration);
    const key = Math.round(time * rate);
    if (onKeys && Math.abs(time * rate - key) < ON_KEY) {
      for (let c = 0; c < size; c++) out[c] = track.values[size * key + c]!;
      if (size === 4) normalizeQuaternion(out, 0, out, 0);
    } else hint = sampleTrack(out, 0, track, time, hint);
    // Where ends do not meet to the last bit, the next turn begins where this one ends, and comes back to its own way.
    const share =
      carries && size === 3 ? turn : turn > 0 ? easeOut(time) : turn < 0 ? -easeOut(duration - time) : 0;
    addGap(out, gap, share);
    values.set(out, size * k);
  }
  return { ...track, interpolation: 'linear', times, values };
}

/** Frames that a time may be off a key and still be that key's: float32 times. */
const ON_KEY = 1e-3;

/** Whether a track has one key for every frame of a loop, and lines between them: then frames need not be looked for. */
function hasKeyAFrame({ times, interpolation }: Track, duration: number, rate: number): boolean {
  const last = times.length - 1;
  if (interpolation !== 'linear' || Math.abs(duration * rate - last) > ON_KEY) return false;
  for (let k = 0; k <= last; k++) if (Math.abs(times[k]! * rate - k) > ON_KEY) return false;
  return true;
}

/** The way from a track's beginning to its end: a difference, or for rotations a turn. */
function gapOf(track: Track, duration: number): Float64Array {
  const size = channelSize(track.channel);
  const first = new Float64Array(size);
  const gap = new Float64Array(size);
  sampleTrack(first, 0, track, 0);
  sampleTrack(gap, 0, track, duration);
  if (size === 4) {
    divideQuaternions(gap, 0, first, 0, gap, 0);
    if (gap[3]! < 0) for (let c = 0; c < 4; c++) gap[c] = -gap[c]!;
  } else for (let c = 0; c < size; c++) gap[c]! -= first[c]!;
  return gap;
}

const part = new Float64Array(4);

/** Adds a share of a gap; of a turn, which is small, its normalised share is near enough. */
function addGap(value: Float64Array, gap: Float64Array, share: number): void {
  if (share === 0) return;
  if (value.length === 3) {
    for (let c = 0; c < 3; c++) value[c]! += share * gap[c]!;
    return;
  }
  for (let c = 0; c < 3; c++) part[c] = share * gap[c]!;
  part[3] = 1 - Math.abs(share) * (1 - gap[3]!);
  normalizeQuaternion(part, 0, part, 0);
  multiplyQuaternions(value, 0, value, 0, part, 0);
}

/** 1 at 0, falling to 0 within {@link EASED} seconds, flat at both ends. */
function easeOut(time: number): number {
  const u = Math.min(1, time / EASED);
  return 1 - u * u * (3 - 2 * u);
}

/**
 * Contacts of a loop for its turns before and after too; one that ends with a turn and goes on with the next is one.
 * @param before Seconds before the turn itself.
 */
export function unrollContacts(
  contacts: readonly Contact[],
  duration: number,
  before: number,
  way: Readonly<Vec3>,
  ground: readonly [number, number],
): Contact[] {
  const all = [-1, 0, 1].flatMap((turn) =>
    contacts.map(({ start, end, position, ...rest }) => ({
      ...rest,
      start: later(start, turn * duration + before),
      end: later(end, turn * duration + before),
      position:
        position &&
        onGround(
          position.map((value, c) => value + turn * way[c]!) as unknown as Vec3,
          ground,
          turn * duration + before,
        ),
    })),
  );
  const joined: Contact[] = [];
  for (const contact of all.sort((a, b) => a.start - b.start)) {
    const last = joined.find((other) => isContinued(other, contact));
    if (last) last.end = Math.max(last.end, contact.end);
    else if (contact.end > 0) joined.push(contact);
  }
  return joined;
}

/** Contacts of an unrolled loop for the loop alone, in its own times. */
export function cutContacts(
  contacts: readonly Contact[],
  duration: number,
  before: number,
  ground: readonly [number, number],
): Contact[] {
  return contacts.flatMap((contact) => {
    const start = Math.max(0, later(contact.start, -before));
    const end = Math.min(duration, later(contact.end, -before));
    const position = contact.position && onGround(contact.position, ground, -before);
    return start < end ? [{ ...contact, start, end, position }] : [];
  });
}

/** A place as it is seen from ground that moves, some seconds later. */
function onGround(place: Vec3, [x, z]: readonly [number, number], seconds: number): Vec3 {
  return [place[0] - x * seconds, place[1], place[2] - z * seconds];
}

/** A time some seconds later, on the very instant that contacts are looked for at where it is that but for rounding. */
function later(time: number, seconds: number): number {
  const frame = Math.round((time + seconds) * CONTACT_RATE);
  return Math.abs((time + seconds) * CONTACT_RATE - frame) < 1e-3 ? frame / CONTACT_RATE : time + seconds;
}

/** Whether one contact begins within a frame and a half of where another one ends, at its height and place. */
function isContinued(one: Contact, other: Contact): boolean {
  return (
    one.point === other.point &&
    one.on === other.on &&
    Math.abs(other.start - one.end) < 1.5 / CONTACT_RATE &&
    Math.abs(other.height - one.height) < 0.005 &&
    (one.position === null || other.position === null
      ? one.position === other.position
      : lengthOf(one.position.map((value, c) => value - other.position![c]!)) < 0.02)
  );
}
