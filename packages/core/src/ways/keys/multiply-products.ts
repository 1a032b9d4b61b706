import { turnMatrix } from '../../align/driver-constants.js';
import { IDENTITY } from '../../base/math/flat-constants.js';
import { atan2 } from '../../base/math/functions.js';
import { blendTurns, divideTurns, mapTurns, multiplyTurns } from '../../base/math/quaternion-arrays.js';
import { didWork } from '../../base/watch-work.js';
import { areTurns, storeTurns } from '../../clips/sound-turns.js';
import type { Setup } from '../../passes/pass.js';
import type { Clip, Track } from '../../scene/clip.js';
import { boundProduct, measureSteps, raiseTo } from '../frames/find-suspects.js';
import { MOST_INSERTED } from '../frames/refine-frames.js';
import { factorsOf, type ProductPlan, type TurnArc, type TurnChain } from './plan-products.js';
import {
  CHUNK,
  createReader,
  type Instants,
  readBetween,
  readFrames,
  type TrackReader,
} from './read-tracks.js';

/** A chain of turns on its way: its factors as places among what is read. */
type FactorChain = {
  /** What the first factor becomes with all that stands around it, as a 4×4 matrix; all there is without factors. */
  first: Float64Array;
  factors: { reader: number; isUndone: boolean; after: Float64Array | null }[];
};

type Arc = { to: FactorChain; share: { from: FactorChain; weight: number } | null };

/** A turn that is made of several on its way. */
export type Turn = {
  target: number;
  /** What it is made of: of one product, or of arcs; see `SharedTurn`. */
  chain: FactorChain | null;
  shared: { undo: Float64Array; carrier: Arc | null; own: Arc } | null;
  /** The readers of all that it is made of. */
  readers: number[];
  /** Its keys at the frames. */
  values: Float32Array;
  /** The nearest such joint above it in the target, as a place in the list, or −1. */
  above: number;
};

/** The products of a clip, and all that computing them needs. */
export type ProductJob = {
  readers: TrackReader[];
  /** Room for what each reader reads: a frame more than are worked on, for the way to the next. */
  reads: Float64Array[];
  /** Room for how far the joint of each reader turns from frame to frame. */
  steps: Float32Array[];
  turns: Turn[];
  /** Room for one product and two others that it is made of, and for what is measured of each. */
  product: Float64Array;
  carrier: Float64Array;
  other: Float64Array;
  /** Room for how far a product itself turns. */
  ownSteps: Float32Array;
  measures: Float64Array[];
};

/** Prepares the products of a clip at the times of its frames. */
export function createJob(
  { target }: Setup,
  { turns, sources }: ProductPlan,
  clip: Clip,
  times: Float32Array,
): ProductJob {
  const tracks = new Map<number, Track>();
  for (const track of clip.tracks)
    if (track.channel === 'rotation' && track.times.length > 0) tracks.set(track.joint, track);
  const place = (source: number) => sources.indexOf(source);
  const known = new Map<Track['times'], boolean>();
  // Between frames there may be many more instants than frames.
  const room = Math.min(CHUNK, (MOST_INSERTED + 1) * times.length) + 1;
  const { parents } = target.skeleton;
  const places = new Map<number, number>();
  return {
    readers: sources.map((source) => createReader(tracks.get(source)!, times, known)),
    reads: sources.map(() => new Float64Array(4 * room)),
    steps: sources.map(() => new Float32Array(room)),
    turns: turns.map((turn, n): Turn => {
      let at = parents[turn.target]!;
      while (at >= 0 && !places.has(at)) at = parents[at]!;
      places.set(turn.target, n);
      return {
        target: turn.target,
        chain: 'factors' in turn ? prepareChain(turn, place) : null,
        shared:
          'own' in turn
            ? {
                undo: turnMatrix(turn.undo, IDENTITY),
                carrier: turn.carrier && prepareArc(turn.carrier, place),
                own: prepareArc(turn.own, place),
              }
            : null,
        readers: factorsOf(turn).map(place),
        values: new Float32Array(4 * times.length),
        above: at < 0 ? -1 : places.get(at)!,
      };
    }),
    product: new Float64Array(4 * room),
    carrier: new Float64Array(4 * room),
    other: new Float64Array(4 * room),
    ownSteps: new Float32Array(room),
    measures: turns.map(() => new Float64Array(room)),
  };
}

function prepareArc({ to, share }: TurnArc, place: (source: number) => number): Arc {
  return {
    to: prepareChain(to, place),
    share: share && { from: prepareChain(share.from, place), weight: share.weight },
  };
}

function prepareChain(chain: TurnChain, place: (source: number) => number): FactorChain {
  return {
    first: firstMatrix(chain),
    factors: chain.factors.map(({ source, isUndone, after }) => ({
      reader: place(source),
      isUndone,
      after: after && turnMatrix(IDENTITY, after),
    })),
  };
}

/**
 * The matrix that takes the components of the first factor q to those of pre · q · after, or of pre · q⁻¹ · after;
 * those of pre alone where there is none.
 */
function firstMatrix({ pre, factors: [first] }: TurnChain): Float64Array {
  if (!first) return pre;
  const matrix = turnMatrix(pre, first.after ?? IDENTITY);
  if (first.isUndone) for (let i = 0; i < 12; i++) matrix[i] = -matrix[i]!;
  return matrix;
}

/**
 * Computes all products at all frames.
 * @param bounds Raised to how far lines between their keys may miss in each interval at most, in radians.
 * @returns whether every key was a turn, but for rounding.
 */
export function multiplyFrames(job: ProductJob, times: Float32Array, bounds: Float64Array): boolean {
  const { readers, reads, steps, turns, product, measures, ownSteps } = job;
  const stepsOf = turns.map((turn) => turn.readers.map((reader) => steps[reader]!));
  let finite = readers.every(({ track, isOnFrames }) => isOnFrames || areTurns(track));
  for (let from = 0; from < times.length; from += CHUNK) {
    const count = Math.min(CHUNK, times.length - from);
    const read = Math.min(count + 1, times.length - from);
    for (let n = 0; n < readers.length; n++) {
      finite = readFrames(reads[n]!, readers[n]!, times, from, read) && finite;
      measureSteps(steps[n]!, reads[n]!, read - 1);
    }
    for (let n = 0; n < turns.length; n++) {
      const { values, above, shared } = turns[n]!;
      multiply(job, turns[n]!, read);
      storeTurns(values, from, count, product, 0, 4);
      if (shared !== null) measureSteps(ownSteps, product, read - 1);
      const own = measures[n]!;
      const ofAbove = above < 0 ? null : measures[above]!;
      boundProduct(own, ofAbove, stepsOf[n]!, shared === null ? null : ownSteps, read - 1);
      raiseTo(bounds, from, own, read - 1);
      didWork(count);
    }
  }
  return finite;
}

/** Computes a turn from what is read, into the room for it. */
function multiply({ reads, product, carrier, other }: ProductJob, turn: Turn, count: number): void {
  if (turn.chain !== null) {
    multiplyChain(product, turn.chain, reads, count);
    return;
  }
  const shared = turn.shared!;
  multiplyArc(product, other, shared.own, reads, count);
  if (shared.carrier !== null) {
    multiplyArc(carrier, other, shared.carrier, reads, count);
    divideTurns(product, carrier, count);
  }
  mapTurns(product, product, count, shared.undo);
}

function multiplyArc(
  out: Float64Array,
  other: Float64Array,
  { to, share }: Arc,
  reads: readonly Float64Array[],
  count: number,
): void {
  multiplyChain(out, to, reads, count);
  if (share === null) return;
  multiplyChain(other, share.from, reads, count);
  blendTurns(out, other, share.weight, count);
}

function multiplyChain(
  out: Float64Array,
  { first, factors }: FactorChain,
  reads: readonly Float64Array[],
  count: number,
): void {
  if (factors.length === 0) {
    for (let i = 0; i < 4 * count; i++) out[i] = first[i & 3]!;
    return;
  }
  mapTurns(out, reads[factors[0]!.reader]!, count, first);
  for (let m = 1; m < factors.length; m++) {
    const { reader, isUndone, after } = factors[m]!;
    multiplyTurns(out, reads[reader]!, count, isUndone);
    if (after !== null) mapTurns(out, out, count, after);
  }
}

/**
 * The products at instants between frames, as keys.
 * @param misses Where given: raised to how far each instant is off the line between the frames around it, in radians.
 */
export function multiplyBetween(
  job: ProductJob,
  instants: Instants,
  misses: Float64Array | null,
): Float32Array[] {
  const { readers, reads, turns, product, measures } = job;
  const { length } = instants.times;
  const between = turns.map(() => new Float32Array(4 * length));
  for (let from = 0; from < length; from += CHUNK) {
    const count = Math.min(CHUNK, length - from);
    for (let n = 0; n < readers.length; n++) readBetween(reads[n]!, readers[n]!, instants, from, count);
    for (let n = 0; n < turns.length; n++) {
      const { values, above } = turns[n]!;
      multiply(job, turns[n]!, count);
      storeTurns(between[n]!, from, count, product, 0, 4);
      if (misses === null) continue;
      const own = measures[n]!;
      measureMisses(
        own,
        above < 0 ? null : measures[above]!,
        values,
        product,
        instants.intervals.subarray(from, from + count),
      );
      raiseTo(misses, from, own, count);
    }
    didWork(turns.length * count);
  }
  return between;
}

/**
 * How far half way between two keys is from where the product is then, in radians, for intervals between keys;
 * what the joint above misses comes on top.
 */
function measureMisses(
  out: Float64Array,
  above: Float64Array | null,
  values: Float32Array,
  wanted: Float64Array,
  intervals: Int32Array,
): void {
  for (let m = 0; m < intervals.length; m++) {
    const i = 4 * intervals[m]!;
    const ax = values[i]!;
    const ay = values[i + 1]!;
    const az = values[i + 2]!;
    const aw = values[i + 3]!;
    const bx = values[i + 4]!;
    const by = values[i + 5]!;
    const bz = values[i + 6]!;
    const bw = values[i + 7]!;
    const sign = ax * bx + ay * by + az * bz + aw * bw < 0 ? -1 : 1;
    const x = ax + sign * bx;
    const y = ay + sign * by;
    const z = az + sign * bz;
    const w = aw + sign * bw;
    const o = 4 * m;
    const qx = wanted[o]!;
    const qy = wanted[o + 1]!;
    const qz = wanted[o + 2]!;
    const qw = wanted[o + 3]!;
    // The vector part of (x, y, z, w)⁻¹ · q over its scalar part, whatever the length: the tangent of half the angle.
    const vx = w * qx - x * qw - y * qz + z * qy;
    const vy = w * qy + x * qz - y * qw - z * qx;
    const vz = w * qz - x * qy + y * qx - z * qw;
    const scalar = Math.abs(w * qw + x * qx + y * qy + z * qz);
    const vector = Math.sqrt(vx * vx + vy * vy + vz * vz);
    const half = vector / scalar;
    // Below half a degree two terms of the series are exact to ten digits.
    const own = half < 0.01 ? 2 * half * (1 - (half * half) / 3) : 2 * atan2(vector, scalar);
    out[m] = above === null ? own : own + above[m]!;
  }
}
