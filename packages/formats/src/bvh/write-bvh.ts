import {
  type Clip,
  conjugateQuaternion,
  copyPose,
  createMatrix,
  createModelPose,
  didWork,
  divideQuaternions,
  END,
  frameRateOf,
  frameTimes,
  hypot,
  JOINT,
  localToModel,
  type Mat4,
  modelPoseOf,
  multiplyQuaternions,
  type Pose,
  rotateVector,
  type Skeleton,
  sampleClip,
  type Track,
  UsageError,
} from '@stuntdouble/core/engine';
import { EULER_ORDERS, type EulerOrder, nearestEulerAngles } from '../shared/euler.js';
import {
  addFixed,
  addLetter,
  addText,
  bytesOf,
  createTextBytes,
  type TextBytes,
} from '../shared/text-bytes.js';
import type { BvhLayout } from './bvh-layout.js';
import type { BvhChannel } from './parse-bvh.js';

/** How a clip is written as BVH. */
export type WriteBvhOptions = {
  /**
   * Frames per second. If left out, the moments at which most tracks have their keys, where those are even and 20 a
   * second or more: a result has the frames of its source. Else at least 30.
   */
  frameRate?: number;
  /** The unit of lengths in the file; centimetres, which most readers expect, if left out. */
  unit?: 'm' | 'cm';
  /** The order of every joint's rotation channels; ZXY if left out. */
  order?: EulerOrder;
  /** The pose that the file's OFFSETs show and where all rotations are zero; the rest pose if left out. */
  reference?: Pose;
};

/**
 * Writes a clip as BVH text, in model space: +Y up, +Z forward, the container and every scale worked in.
 *
 * Plain nodes above the first joint vanish into the root's motion; several roots are put under one new root,
 * since many readers take only one. Names come out unique and without blanks. The root's OFFSET is zero and
 * its positions are absolute, on which readers that add the two and readers that do not agree. Position
 * channels stand on all joints if any joint below the root changes its place relative to its parent (stretch,
 * animated scale, separate IK roots), else on the root alone.
 * @throws UsageError where an option makes no sense or the text would exceed what a string can hold.
 */
export function writeBvh(skeleton: Skeleton, clip: Clip, options: WriteBvhOptions = {}): string {
  return new TextDecoder().decode(encodeBvh(skeleton, clip, options));
}

/** The bytes of what {@link writeBvh} writes. */
export function encodeBvh(skeleton: Skeleton, clip: Clip, options: WriteBvhOptions = {}): Uint8Array {
  const { unit = 'cm', order = 'ZXY' } = options;
  if (unit !== 'm' && unit !== 'cm') throw new UsageError(`unit is ${String(unit)}; it must be 'm' or 'cm'`);
  if (!EULER_ORDERS.includes(order))
    throw new UsageError(`order is ${String(order)}; it must be one of ${EULER_ORDERS.join(', ')}`);
  const times = timesOf(clip, options.frameRate);
  refuseMadeUp([skeleton], [clip], times, options.frameRate);
  const part = sampleJoints(skeleton, clip, times.at, {
    container: skeleton.container,
    scale: unit === 'cm' ? 100 : 1,
    reference: options.reference ?? skeleton.rest,
  });
  wrapRoots(part, times.at.length);
  nameJoints(part.joints);
  const all = part.joints.some((joint) => joint.parent >= 0 && joint.moves);
  for (const joint of part.joints) {
    if (joint.parent < 0) joint.offset = [0, 0, 0];
    if (joint.end && joint.moves) joint.end = false;
    if (!joint.end) joint.channels = channelsOf(order, all || joint.parent < 0);
  }
  part.joints = withEndSites(part.joints);
  return formatBvh([part], times);
}

/**
 * Writes clips into the hierarchy of a BVH file that was read, as bytes of its text: the same names, OFFSETs, axes, unit and
 * channels, with other motion. Channels are added only where a clip moves what had none.
 * @param parts every ROOT of the file with the clip it shall play, or null to stand in its rest pose.
 */
export function writeBvhInto(
  layout: BvhLayout,
  parts: readonly { skeleton: Skeleton; clip: Clip | null }[],
  options: Pick<WriteBvhOptions, 'frameRate'> = {},
): Uint8Array {
  const still: Clip = { name: '', duration: 0, tracks: [], morphs: [] };
  const longest = parts.reduce(
    (best, { clip }) => (clip && clip.duration > best.duration ? clip : best),
    still,
  );
  const lead = parts.find(({ clip }) => clip === longest) ?? parts.find(({ clip }) => clip);
  const times = timesOf(lead?.clip ?? still, options.frameRate);
  refuseMadeUp(
    parts.map(({ skeleton }) => skeleton),
    parts.map(({ clip }) => clip ?? still),
    times,
    options.frameRate,
  );
  const sampled = parts.map(({ skeleton, clip }) =>
    sampleJoints(skeleton, clip ?? still, times.at, {
      container: createMatrix(),
      scale: 1,
      reference: skeleton.rest,
    }),
  );
  const joints = sampled.flatMap((part) => part.joints);
  const indices = parts.flatMap(({ skeleton }, n) =>
    sampled[n]!.joints.map((joint) => skeleton.fileIndices[joint.source]!),
  );
  const has = (channels: BvhChannel[], kind: 'position' | 'rotation') =>
    new Set(channels.filter((channel) => channel.endsWith(kind))).size === 3;
  const placed = joints.some(
    (joint, n) => joint.moves && joint.parent >= 0 && !has(layout.channels[indices[n]!] ?? [], 'position'),
  );
  joints.forEach((joint, n) => {
    const given = layout.channels[indices[n]!] ?? [];
    const rotations = given.filter((channel) => channel.endsWith('rotation'));
    joint.end &&= !joint.moves;
    if (joint.end) return;
    const channels: BvhChannel[] = given.filter((channel) => channel !== 'ignored');
    // Angles are found for three different axes; a joint with fewer that turns, or with doubled ones, gets all.
    if (!has(rotations, 'rotation') || rotations.length !== 3)
      if (joint.turns || rotations.length > 3)
        channels.splice(0, channels.length, ...channelsOf('ZXY', has(given, 'position')));
    const moving = joint.parent < 0 ? joint.moves : placed;
    joint.channels =
      moving && !has(channels, 'position')
        ? [...POSITIONS, ...channels.filter((channel) => !channel.endsWith('position'))]
        : channels;
    joint.added = layout.added[indices[n]!] ?? false;
  });
  return formatBvh(sampled, times);
}

/** A joint as it will stand in the file, with its motion. */
type WrittenJoint = {
  /** Index in the skeleton, or −1 for a joint that only the file has. */
  source: number;
  /** Index among the written joints, or −1. */
  parent: number;
  name: string;
  end: boolean;
  offset: [number, number, number];
  channels: BvhChannel[];
  /** Whether positions are written as the way from the OFFSET. */
  added: boolean;
  /** Whether the position ever leaves the OFFSET. */
  moves: boolean;
  /** Whether the joint ever turns from the reference. */
  turns: boolean;
  /** xyz per frame, relative to the parent's frame. */
  positions: Float64Array;
  /** xyzw per frame. */
  rotations: Float64Array;
};

type Part = {
  joints: WrittenJoint[];
  /** The extent of the body, which says how fine numbers must be. */
  size: number;
};

type Times = {
  /** Seconds into the clip, one per frame. */
  at: ArrayLike<number>;
  frameTime: number;
};

const POSITIONS: readonly BvhChannel[] = ['Xposition', 'Yposition', 'Zposition'];

// How many characters a string holds, and how many one joint takes in a frame: three angles of ten or more.
const LONGEST_TEXT = 2 ** 29 - 24;
const SHORTEST_JOINT = 30;

/** Faster than any capture; what is baked more finely than that was not meant to be. */
const MOST_FRAMES_A_SECOND = 1000;

/** From here on even keys are frames; fewer are poses that someone set, and what lies between them is baked. */
const FEWEST_FRAMES_A_SECOND = 20;

function tooLong(frames: number): UsageError {
  return new UsageError(
    `the clip would take ${Math.ceil(frames)} frames, too long for one text; choose a lower frameRate or cut the clip`,
  );
}

/** So many joints in so many frames are written in a moment, whatever there are keys for. */
const FEW = 1_000_000;
/** Frames are written for each key of a clip, and this many times as many where it has long gaps. */
const MOST_FOR_A_KEY = 32;

/**
 * Refuses to fill a long file from a handful of keys, as in a clip with one broken time, unless a frame rate says that it
 * is meant.
 */
function refuseMadeUp(
  skeletons: readonly Skeleton[],
  clips: readonly Clip[],
  { at }: Times,
  frameRate: number | undefined,
): void {
  if (frameRate !== undefined) return;
  const wanted = at.length * skeletons.reduce((sum, { names }) => sum + names.length, 0);
  const keys = clips.reduce(
    (sum, { tracks }) => tracks.reduce((count, { times }) => count + times.length, sum),
    0,
  );
  if (wanted > FEW && wanted > MOST_FOR_A_KEY * keys)
    throw new UsageError(
      `the clip has ${keys} keys and would take ${at.length} frames; cut it, or choose a frameRate if that is meant`,
    );
}

/** The channels of a joint: positions, where it has them, then rotations in order. */
function channelsOf(order: EulerOrder, positions: boolean): BvhChannel[] {
  const rotations = [...order].map((axis) => `${axis as 'X' | 'Y' | 'Z'}rotation` as const);
  return positions ? [...POSITIONS, ...rotations] : rotations;
}

/**
 * The moments that become frames. Linear keys that all tracks share at even steps are frames already and are
 * kept to the moment: a rate rounded from 0.0083333 s to 120 per second would slip by a frame an hour. So are those
 * of most tracks where some have keys in between, as baked ones do where a line would miss: who compares a result
 * with its source, or with another body's, does it frame by frame.
 */
function timesOf(clip: Clip, frameRate: number | undefined): Times {
  if (frameRate === undefined) {
    const shared = clip.tracks.find(({ times }) => times.length > 1)?.times;
    if (shared) {
      const last = shared.length - 1;
      const step = (shared[last]! - shared[0]!) / last;
      // A hundredth of a frame: float32 times late in a long clip are that coarse.
      const even =
        step > 0 &&
        shared.every((time, k) => Math.abs(time - k * step) < 0.01 * step) &&
        clip.tracks.every(
          ({ times, interpolation }) =>
            times.length === 1 ||
            (interpolation === 'linear' &&
              times.length === shared.length &&
              (times === shared || times.every((time, k) => time === shared[k]))),
        );
      if (even) return { at: shared, frameTime: step };
    }
  }
  const usual = frameRate === undefined ? usualSteps(clip) : 0;
  if (usual > 0 && usual >= FEWEST_FRAMES_A_SECOND * clip.duration) return evenTimes(clip, usual);
  // Keys a moment apart, as broken files have them, are no frame rate.
  const own = Math.min(MOST_FRAMES_A_SECOND, frameRateOf(clip));
  const rate = frameRate ?? (clip.tracks.length > 0 ? Math.max(30, own) : 30);
  if (clip.duration * rate * SHORTEST_JOINT > LONGEST_TEXT) throw tooLong(clip.duration * rate);
  // A rate of our own choosing puts the last frame on the end of the clip, so that it lasts as long as before.
  const base = evenSteps(clip);
  const steps =
    base > 0
      ? base * Math.max(1, Math.round((clip.duration * rate) / base))
      : Math.round(clip.duration * rate);
  if (frameRate === undefined && steps > 0) return evenTimes(clip, steps);
  return { at: frameTimes(clip.duration, rate), frameTime: 1 / rate };
}

/** Frames from the beginning of a clip to its end. */
function evenTimes({ duration }: Clip, steps: number): Times {
  return {
    at: Float64Array.from({ length: steps + 1 }, (_, k) => (duration * k) / steps),
    frameTime: duration / steps,
  };
}

/**
 * How many even steps the clip's plainest track takes from its beginning to its end, 0 where none is even.
 * Frames at a multiple of that hit the keys that the clip was made of, where its corners are.
 */
function evenSteps(clip: Clip): number {
  let fewest = 0;
  for (const { times } of clip.tracks) {
    const steps = times.length - 1;
    if ((fewest === 0 || steps < fewest) && isEven(times, clip.duration)) fewest = steps;
  }
  return fewest;
}

/**
 * How many even steps most of the even tracks of a clip take, where what has more keys has them in between: frames
 * with keys added. 0 where there is no such number.
 */
function usualSteps({ tracks, duration }: Clip): number {
  const shares = new Map<number, number>();
  for (const { times, interpolation } of tracks)
    if (interpolation === 'linear' && isEven(times, duration))
      shares.set(times.length - 1, (shares.get(times.length - 1) ?? 0) + 1);
  let usual = 0;
  for (const [steps, count] of shares) if (count > (shares.get(usual) ?? 0)) usual = steps;
  const holds = ({ times, interpolation }: Track) =>
    interpolation === 'linear' && (times.length - 1 <= usual || hasMoments(times, duration, usual));
  return tracks.every(holds) ? usual : 0;
}

/** Whether there is a key at each of some even steps, to a hundredth of a step. */
function hasMoments(times: ArrayLike<number>, duration: number, steps: number): boolean {
  const step = duration / steps;
  let k = 0;
  for (let i = 0; i < times.length && k <= steps; i++) if (Math.abs(times[i]! - k * step) < 0.01 * step) k++;
  return k > steps;
}

/** Whether keys stand at even steps from the beginning of a clip to its end, to a hundredth of a step. */
function isEven(times: ArrayLike<number>, duration: number): boolean {
  const last = times.length - 1;
  const step = duration / last;
  if (last < 2 || !(step > 0)) return false;
  for (let k = 0; k <= last; k++) if (!(Math.abs(times[k]! - k * step) < 0.01 * step)) return false;
  return true;
}

/**
 * Finds the hierarchy and the motion of the joints to write.
 *
 * A BVH joint has no rest rotation: with all angles zero every frame is parallel to the file's axes. So let
 * Gᵢ, the rotation of BVH joint i from the file's axes, be how far joint i has turned in model space from the
 * reference pose, where Qᵢ is its model rotation:
 *   Gᵢ(t) = Qᵢ(t) · Qᵢ(ref)⁻¹,   which is the identity in the reference pose.
 * The angles that stand in the file are those of Gᵢ relative to the parent p,
 *   Bᵢ(t) = Gₚ(t)⁻¹ · Gᵢ(t),
 * and a reader places i at xₚ + Gₚ · (position of i), so with model positions x the position must be
 *   Gₚ(t)⁻¹ · (xᵢ(t) − xₚ(t)).
 * In the reference pose this is xᵢ − xₚ, the OFFSET. Where bones keep their length (any constant uniform
 * scale s above: xᵢ − xₚ = s·Qₚ(t)·Tᵢ) it is the OFFSET at all times; where not, it says so exactly.
 */
function sampleJoints(
  skeleton: Skeleton,
  clip: Clip,
  times: ArrayLike<number>,
  space: { container: Mat4; scale: number; reference: Pose },
): Part {
  const body: Skeleton = { ...skeleton, container: space.container };
  const reference = modelPoseOf(body, space.reference);
  const { joints, size } = keepJoints(body, reference.matrices, space.scale);
  const frames = times.length;
  if (frames * joints.length * SHORTEST_JOINT > LONGEST_TEXT) throw tooLong(frames);
  for (const joint of joints) {
    joint.positions = new Float64Array(3 * frames);
    joint.rotations = new Float64Array(4 * frames);
  }
  const inverse = new Float64Array(4 * skeleton.names.length);
  for (let i = 0; i < skeleton.names.length; i++)
    conjugateQuaternion(inverse, 4 * i, reference.rotations, 4 * i);
  const turned = new Float64Array(4 * skeleton.names.length);
  const parentTurn = new Float64Array(4);
  const way = new Float64Array(3);
  const pose = copyPose(space.reference);
  const model = createModelPose(skeleton.names.length);
  const hints = new Int32Array(clip.tracks.length);
  for (let k = 0; k < frames; k++) {
    sampleClip(pose, clip, times[k]!, hints);
    localToModel(model, body, pose);
    didWork(3 * joints.length);
    for (const joint of joints) {
      const i = joint.source;
      const p = joint.parent < 0 ? -1 : joints[joint.parent]!.source;
      multiplyQuaternions(turned, 4 * i, model.rotations, 4 * i, inverse, 4 * i);
      for (let c = 0; c < 3; c++)
        way[c] =
          space.scale * (model.matrices[16 * i + 12 + c]! - (p < 0 ? 0 : model.matrices[16 * p + 12 + c]!));
      if (p < 0) {
        joint.rotations.set(turned.subarray(4 * i, 4 * i + 4), 4 * k);
        joint.positions.set(way, 3 * k);
      } else {
        divideQuaternions(joint.rotations, 4 * k, turned, 4 * p, turned, 4 * i);
        conjugateQuaternion(parentTurn, 0, turned, 4 * p);
        rotateVector(joint.positions, 3 * k, parentTurn, 0, way, 0);
      }
      const { positions, rotations, offset } = joint;
      // A millionth of the body: the rounding of float32 keys through a chain of joints.
      for (let c = 3 * k; !joint.moves && c < 3 * k + 3; c++)
        joint.moves = Math.abs(positions[c]! - offset[c - 3 * k]!) > 1e-6 * size;
      joint.turns ||= Math.abs(rotations[4 * k + 3]!) < 1 - 1e-12;
    }
  }
  return { joints, size };
}

/**
 * The joints to write, depth first as the file needs them: all but the plain nodes above the first joint.
 * A skeleton without any joint is written whole.
 */
function keepJoints(skeleton: Skeleton, matrices: Float64Array, scale: number): Part {
  const { parents, flags, names } = skeleton;
  const everything = !flags.some((flag) => (flag & JOINT) !== 0);
  const kept = new Uint8Array(names.length);
  const below: number[][] = names.map(() => []);
  const stack: number[] = [];
  for (let i = 0; i < names.length; i++) {
    const p = parents[i]!;
    const underJoint = p >= 0 && kept[p] === 1;
    if (!everything && !underJoint && !(flags[i]! & JOINT)) continue;
    kept[i] = 1;
    if (underJoint) below[p]!.push(i);
    else stack.push(i);
  }
  stack.reverse();
  const place = new Int32Array(names.length).fill(-1);
  const joints: WrittenJoint[] = [];
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  while (stack.length > 0) {
    const i = stack.pop()!;
    const p = parents[i]! >= 0 && kept[parents[i]!] ? parents[i]! : -1;
    place[i] = joints.length;
    const offset: [number, number, number] = [0, 0, 0];
    for (let c = 0; c < 3; c++) {
      const x = finite(scale * matrices[16 * i + 12 + c]!);
      low[c] = Math.min(low[c]!, x);
      high[c] = Math.max(high[c]!, x);
      offset[c] = p < 0 ? x : x - finite(scale * matrices[16 * p + 12 + c]!);
    }
    joints.push({
      source: i,
      parent: p < 0 ? -1 : place[p]!,
      name: names[i]!,
      end: below[i]!.length === 0 && (flags[i]! & END) !== 0 && !(flags[i]! & JOINT),
      offset,
      channels: [],
      added: false,
      moves: false,
      turns: false,
      positions: EMPTY,
      rotations: EMPTY,
    });
    for (let c = below[i]!.length - 1; c >= 0; c--) stack.push(below[i]![c]!);
  }
  const size = joints.length > 0 ? hypot(high[0]! - low[0]!, high[1]! - low[1]!, high[2]! - low[2]!) : 0;
  return { joints, size: size > 0 ? size : scale };
}

const EMPTY = new Float64Array(0);

/** Puts several roots under a new one that stands still at the origin; their places become those of joints. */
function wrapRoots(part: Part, frames: number): void {
  const roots = part.joints.filter((joint) => joint.parent < 0);
  if (roots.length === 1) return;
  const rotations = new Float64Array(4 * frames);
  for (let k = 3; k < rotations.length; k += 4) rotations[k] = 1;
  for (const joint of part.joints) joint.parent = joint.parent < 0 ? 0 : joint.parent + 1;
  part.joints.unshift({
    source: -1,
    parent: -1,
    name: 'root',
    end: false,
    offset: [0, 0, 0],
    channels: [],
    added: false,
    moves: false,
    turns: false,
    positions: new Float64Array(3 * frames),
    rotations,
  });
}

/** Makes names that every reader can take: one word, none twice, none empty. */
function nameJoints(joints: WrittenJoint[]): void {
  const taken = new Set<string>();
  // From where a number was free before on.
  const next = new Map<string, number>();
  joints.forEach((joint, i) => {
    // Braces and blanks end a word.
    const word = joint.name.trim().replace(/[\s{}\p{C}]+/gu, '_') || `joint_${i}`;
    let name = word;
    let n = next.get(word) ?? 2;
    for (; taken.has(name); n++) name = `${word}_${n}`;
    next.set(word, n);
    taken.add(name);
    joint.name = name;
  });
}

/** The joints with an End Site below every leaf, as the format asks; one of no length where none is known. */
function withEndSites(joints: readonly WrittenJoint[]): WrittenJoint[] {
  const parents = new Set(joints.map((joint) => joint.parent));
  const places = new Int32Array(joints.length);
  const out: WrittenJoint[] = [];
  joints.forEach((joint, i) => {
    places[i] = out.length;
    out.push({ ...joint, parent: joint.parent < 0 ? -1 : places[joint.parent]! });
    if (joint.end || parents.has(i)) return;
    out.push({ ...joint, source: -1, parent: places[i]!, end: true, offset: [0, 0, 0], channels: [] });
  });
  return out;
}

/** The text of a file, as bytes: hierarchy, then frames. */
function formatBvh(parts: readonly Part[], times: Times): Uint8Array {
  // A hundred-millionth of the body is a tenth of a hair on a person; never coarser than 4 digits.
  const size = Math.max(...parts.map((part) => part.size));
  let lengthDigits = 4;
  for (let body = 1e4 * size; body < 1e8 && lengthDigits < 12; body *= 10) lengthDigits++;
  const text = createTextBytes();
  const addLines = (...lines: string[]) => {
    for (const line of lines) addText(text, `${line}\n`);
  };
  addLines('HIERARCHY');
  for (const { joints } of parts) {
    const depths: number[] = [];
    let depth = 0;
    const close = (to: number) => {
      while (depth > to) addLines(`${'\t'.repeat(--depth)}}`);
    };
    for (const joint of joints) {
      close(joint.parent < 0 ? 0 : depths[joint.parent]! + 1);
      depths.push(depth);
      const indent = '\t'.repeat(depth);
      const title = joint.end ? 'End Site' : `${joint.parent < 0 ? 'ROOT' : 'JOINT'} ${joint.name}`;
      const offset = joint.offset.map((x) => fixedText(x, lengthDigits)).join(' ');
      addLines(`${indent}${title}`, `${indent}{`, `${indent}\tOFFSET ${offset}`);
      if (!joint.end) addLines(`${indent}\tCHANNELS ${[joint.channels.length, ...joint.channels].join(' ')}`);
      depth++;
    }
    close(0);
  }
  addLines(
    'MOTION',
    `Frames: ${times.at.length}`,
    `Frame Time: ${seconds(times.frameTime, times.at.length)}`,
  );
  addFrames(text, parts, times, lengthDigits);
  return bytesOf(text);
}

/** Adds a line of numbers for each frame. */
function addFrames(text: TextBytes, parts: readonly Part[], times: Times, lengthDigits: number): void {
  const moving = parts.flatMap((part) => part.joints).filter((joint) => joint.channels.length > 0);
  const orders = moving.map((joint) => eulerOrderOf(joint.channels));
  const angles = moving.map(() => new Float64Array(3));
  const plans = moving.map(({ channels }, n) => planChannels(channels, orders[n]));
  for (let k = 0; k < times.at.length; k++) {
    for (let n = 0; n < moving.length; n++) {
      const { positions, rotations, offset, added } = moving[n]!;
      const order = orders[n];
      const plan = plans[n]!;
      if (order) nearestEulerAngles(angles[n]!, 0, rotations, 4 * k, order);
      for (let c = 0; c < plan.length; c++) {
        const { kind, index } = plan[c]!;
        if (c + n > 0) addLetter(text, SPACE);
        if (kind === 'place')
          addFixed(text, finite(positions[3 * k + index]! - (added ? offset[index]! : 0)), lengthDigits);
        // A millionth of a degree.
        else if (kind === 'angle') addFixed(text, finite(angles[n]![index]! * (180 / Math.PI)), 6);
        else addLetter(text, ZERO);
      }
    }
    addLetter(text, NEWLINE);
    didWork(10 * moving.length);
    if (text.length > LONGEST_TEXT) throw tooLong(times.at.length);
  }
}

const NEWLINE = 10;
const SPACE = 32;
const ZERO = 48;

/** What each channel of a joint is written from: which number of its place, or of its angles in their order. */
function planChannels(
  channels: readonly BvhChannel[],
  order: EulerOrder | undefined,
): { kind: 'place' | 'angle' | 'zero'; index: number }[] {
  return channels.map((channel) => {
    if (channel.endsWith('position')) return { kind: 'place', index: channel.charCodeAt(0) - 88 };
    return order ? { kind: 'angle', index: order.indexOf(channel[0]!) } : { kind: 'zero', index: 0 };
  });
}

/** The order of three rotation channels about different axes, or undefined where there are others. */
function eulerOrderOf(channels: readonly BvhChannel[]): EulerOrder | undefined {
  const axes = channels.filter((channel) => channel.endsWith('rotation')).map((channel) => channel[0]);
  const order = axes.join('');
  return EULER_ORDERS.find((known) => known === order);
}

/**
 * Seconds a frame in as few digits as put the last frame within a ten-millionth of a second of its time: keys
 * in float32 say 0.0800000012 for 0.08.
 */
function seconds(frameTime: number, frames: number): string {
  let digits = 3;
  while (digits < 12 && Math.abs(Number(frameTime.toFixed(digits)) - frameTime) * frames > 1e-7) digits++;
  return frameTime.toFixed(digits).replace(/(?<=\.\d+)0+$/, '');
}

/** A number as {@link addFixed} writes it. */
function fixedText(value: number, digits: number): string {
  const text = createTextBytes();
  addFixed(text, finite(value), digits);
  return new TextDecoder().decode(bytesOf(text));
}

function finite(value: number): number {
  return value - value === 0 ? value : 0;
}
