import { middleQuaternion, normalizeQuaternion } from '../../base/math/quaternion.js';
import { didWork } from '../../base/watch-work.js';
import { areTurns, NO_TURN_SQUARE } from '../../clips/sound-turns.js';
import type { ClipPlan, Frame, Setup } from '../../passes/pass.js';
import { createFrame } from '../../passes/run-passes.js';
import { sampleTrack, type Track } from '../../scene/clip.js';
import { copyPose, type Pose } from '../../scene/pose.js';
import { isStill } from '../../scene/still-track.js';

/** Frames whose local rotations lie behind one another in two flat stores, so that tracks go in and out in one stride. */
export type Block = SourceBlock & { frames: Frame[]; targets: Float64Array };

/** What of a block is sampled into: poses, and the one store that their local rotations lie in. */
export type SourceBlock = { frames: readonly { source: Pose }[]; sources: Float64Array };

/**
 * Frames that are read and written together. Tracks lie joint after joint and passes work frame after frame:
 * going over the tracks a few frames at a time keeps their memory in reach (a third quicker than one by one).
 */
export const BLOCK = 8;

/** Room for some frames that are read and written together. */
export function createBlock(setup: Setup, plan: ClipPlan | null, count: number): Block {
  // Model rotations are done with when a frame's passes are, so one store serves all.
  const first = createFrame(setup, plan);
  const repeat = (rotations: Float64Array) => {
    const all = new Float64Array(count * rotations.length);
    for (let b = 0; b < count; b++) all.set(rotations, b * rotations.length);
    return all;
  };
  const sources = repeat(first.source.rotations);
  const targets = repeat(first.target.rotations);
  const part = (all: Float64Array, b: number) =>
    all.subarray((b * all.length) / count, ((b + 1) * all.length) / count);
  const frames = Array.from({ length: count }, (_, b) => ({
    ...first,
    source: { ...copyPose(first.source), rotations: part(sources, b) },
    target: { ...copyPose(first.target), rotations: part(targets, b) },
  }));
  return { frames, sources, targets };
}

/** Room for some poses that are read together, each as one that is given until tracks change it. */
export function createPoseBlock(pose: Pose, count: number): SourceBlock {
  const size = pose.rotations.length;
  const sources = new Float64Array(count * size);
  const frames = Array.from({ length: count }, (_, b) => {
    sources.set(pose.rotations, b * size);
    return { source: { ...copyPose(pose), rotations: sources.subarray(b * size, (b + 1) * size) } };
  });
  return { frames, sources };
}

/** How tracks are read at given times. */
export type Sampler<Times extends Track['times'] = Float32Array> = {
  times: Times;
  /** Rotation tracks whose keys stand exactly on the frames, which is how baked files come: read without a search. */
  turns: Track[];
  /** Other tracks whose keys stand on the frames. */
  moves: Track[];
  /** Tracks whose keys must be searched, with the key found last. */
  searched: Track[];
  hints: Int32Array;
  /** Tracks that never change, as most translations and scales of files: read once and for all. */
  still: Track[];
  /** Whether every rotation key met so far was a turn, but for rounding. */
  finite: boolean;
};

/** Whether the one value of a rotation track that never changes is a turn. */
function isTurn({ values, interpolation }: Track): boolean {
  const stride = interpolation === 'cubic' ? 12 : 4;
  return areTurns({ values: values.subarray(0, stride), interpolation });
}

/** Sorts tracks by how they are read at given times. Those without keys are left out. */
export function createSampler<Times extends Track['times']>(
  tracks: readonly Track[],
  times: Times,
): Sampler<Times> {
  const aligned = new Map<Track['times'], boolean>();
  const onFrames = (track: Track): boolean => {
    if (track.interpolation === 'cubic') return false;
    let known = aligned.get(track.times);
    if (known === undefined) {
      known = sameTimes(track.times, times);
      aligned.set(track.times, known);
    }
    return known;
  };
  const sampler: Sampler<Times> = {
    times,
    turns: [],
    moves: [],
    searched: [],
    hints: new Int32Array(tracks.length),
    still: [],
    finite: true,
  };
  for (const track of tracks) {
    if (track.times.length === 0) continue;
    didWork(0.5 * track.times.length);
    if (isStill(track)) {
      sampler.still.push(track);
      if (track.channel === 'rotation' && !isTurn(track)) sampler.finite = false;
    } else if (!onFrames(track)) {
      sampler.searched.push(track);
      if (track.channel === 'rotation' && !areTurns(track)) sampler.finite = false;
    } else if (track.channel === 'rotation') sampler.turns.push(track);
    else sampler.moves.push(track);
  }
  return sampler;
}

/** Writes what never changes into the sources of all frames of a block, before the first is sampled. */
export function sampleStill({ still }: Pick<Sampler, 'still'>, { frames }: SourceBlock): void {
  for (const track of still) {
    const size = track.channel === 'rotation' ? 4 : 3;
    for (const { source } of frames)
      sampleTrack(storeOf(source, track), size * track.joint, track, track.times[0]!);
  }
}

function storeOf({ rotations, translations, scales }: Pose, { channel }: Track): Float64Array {
  return channel === 'rotation' ? rotations : channel === 'translation' ? translations : scales;
}

/** Whether keys stand on the frames, each on its own. */
export function sameTimes(keys: Track['times'], times: Track['times']): boolean {
  if (keys.length !== times.length) return false;
  // A tenth of a microsecond is below a float32's step at a second.
  for (let k = 0; k < times.length; k++)
    if (!(Math.abs(keys[k]! - times[k]!) <= 1e-7 + 1e-6 * times[k]!)) return false;
  return true;
}

/** Writes the poses from frame `from` on into the sources of `count` frames. */
export function sampleFrames(
  sampler: Sampler<Track['times']>,
  { frames, sources }: SourceBlock,
  from: number,
  count: number,
): void {
  const { times, turns, moves, searched, hints } = sampler;
  const stride = sources.length / frames.length;
  for (let n = 0; n < turns.length; n++) {
    const { values, joint } = turns[n]!;
    let o = 4 * joint;
    let at = 4 * from;
    for (let b = 0; b < count; b++) {
      const x = values[at]!;
      const y = values[at + 1]!;
      const z = values[at + 2]!;
      const w = values[at + 3]!;
      sources[o] = x;
      sources[o + 1] = y;
      sources[o + 2] = z;
      sources[o + 3] = w;
      // Files hold unit quaternions to a float32's rounding; only those that do not are scaled.
      const square = x * x + y * y + z * z + w * w;
      if (!(Math.abs(square - 1) < 1e-6)) {
        if (!(Math.abs(square - 1) < NO_TURN_SQUARE)) sampler.finite = false;
        normalizeQuaternion(sources, o, sources, o);
      }
      at += 4;
      o += stride;
    }
  }
  for (let n = 0; n < moves.length; n++) {
    const { values, joint, channel } = moves[n]!;
    for (let b = 0; b < count; b++) {
      const { translations, scales } = frames[b]!.source;
      const out = channel === 'translation' ? translations : scales;
      for (let c = 0; c < 3; c++) out[3 * joint + c] = values[3 * (from + b) + c]!;
    }
  }
  // Frame by frame: a time that goes into a call is made on the heap, and once for all tracks that is little.
  for (let b = 0; b < count; b++) {
    const time = times[from + b]!;
    const { source } = frames[b]!;
    for (let n = 0; n < searched.length; n++) hints[n] = search(searched[n]!, time, hints[n]!, source);
  }
}

/**
 * Writes the poses half way between frames into the sources of `count` frames: between frames `intervals[from]` and
 * the next, and so on.
 */
export function sampleMiddles(
  sampler: Sampler,
  { frames }: Block,
  intervals: Int32Array,
  from: number,
  count: number,
): void {
  const { times, turns, moves, searched, hints } = sampler;
  for (let n = 0; n < turns.length; n++) {
    const { values, joint, interpolation } = turns[n]!;
    const o = 4 * joint;
    const step = interpolation === 'step' ? 0 : 4;
    for (let b = 0; b < count; b++) {
      const i = 4 * intervals[from + b]!;
      middleQuaternion(frames[b]!.source.rotations, o, values, i, values, i + step);
    }
  }
  for (let n = 0; n < moves.length; n++) {
    const { values, joint, channel, interpolation } = moves[n]!;
    const o = 3 * joint;
    const step = interpolation === 'step' ? 0 : 3;
    for (let b = 0; b < count; b++) {
      const { translations, scales } = frames[b]!.source;
      const out = channel === 'translation' ? translations : scales;
      const i = 3 * intervals[from + b]!;
      for (let c = 0; c < 3; c++) out[o + c] = (values[i + c]! + values[i + step + c]!) / 2;
    }
  }
  for (let n = 0; n < searched.length; n++)
    for (let b = 0; b < count; b++) {
      const k = intervals[from + b]!;
      hints[n] = search(searched[n]!, middleTime(times, k), hints[n]!, frames[b]!.source);
    }
}

/** The time half way between a frame and the next. */
export function middleTime(times: Float32Array, k: number): number {
  return Math.fround((times[k]! + times[k + 1]!) / 2);
}

function search(track: Track, time: number, hint: number, source: Pose): number {
  const size = track.channel === 'rotation' ? 4 : 3;
  return sampleTrack(storeOf(source, track), size * track.joint, track, time, hint);
}
