import { drivingJoints } from '../../align/driver-constants.js';
import type { Numbers } from '../../base/math/quaternion.js';
import { didWork } from '../../base/watch-work.js';
import { carrierOf, driverOf, type JointPair } from '../../map/rig-map.js';
import { copyRotations } from '../../passes/copy-rotations.js';
import { type ClipPlan, compiledOf, foundOf, type Setup } from '../../passes/pass.js';
import { sampleTrack, type Track } from '../../scene/clip.js';
import type { Sampler } from './sample-frames.js';

/** Intervals shorter than this are the edge of a step, which is no line to begin with: two milliseconds. */
const SHORTEST_INTERVAL = 2e-3;
/** Beyond so many radians between two frames the bounds below, which are of second order, are not trusted. */
const LARGE = 0.6;

/** Where lines between baked keys may be off. */
export type Suspects = {
  /** The frames after which they may, rising. */
  intervals: Int32Array;
  /** The only target joints whose own turns may, parents first; null where any may. */
  joints: readonly number[] | null;
};

/**
 * The intervals between frames in which a line between two keys may miss a turn by more than `miss` radians,
 * by an upper bound; all where there is none (cubic keys, other passes, bones that bend).
 *
 * A joint whose turn is `pre · q · post` misses nothing: slerp goes through it. One that takes over several
 * turns does. With A and B the steps of two of them, rotation vectors in one space, half way
 *
 *   log(e^(A/2) · e^(B/2)) = (A + B)/2 + [A, B]/8 + …   and   log(e^A · e^B)/2 = (A + B)/2 + [A, B]/4 + …
 *
 * (Baker, Campbell, Hausdorff), so the miss is |A × B|/8 ≤ |A|·|B|/8, and for several Σ|A|·|B|/8 over all pairs,
 * which is ((Σ|A|)² − Σ|A|²)/16. A turn that is shared lies on an arc between two that move, which adds at most
 * (Σ|A|)²/32 of its own as long as the two are less than half a turn apart; where they are not, the target's own
 * step gives it away. A third on top is for the terms left out. Misses add up along the target's joints.
 * @param plan With the bones that bend in the clip.
 * @param sampler How the clip was read at the frames.
 * @param tracks The baked tracks.
 * @param isPlain Whether turns are copied and nothing else turns a joint.
 */
export function findSuspects(
  setup: Setup,
  plan: ClipPlan,
  sampler: Sampler,
  tracks: readonly Track[],
  isPlain: boolean,
  miss: number,
): Suspects {
  const { times } = sampler;
  const turning = turningTracks(setup, sampler);
  const isBounded =
    isPlain &&
    compiledOf(setup, copyRotations)?.pointed.length === 0 &&
    foundOf(plan, copyRotations)?.length === 0 &&
    [...turning.values()].every(({ track }) => track.interpolation !== 'cubic');
  const products = isBounded ? listProducts(setup, plan, turning, times, tracks) : [];
  return {
    intervals: listSuspects(isBounded ? boundAll(products, times.length - 1) : null, times, miss),
    joints: isBounded ? products.map(({ target }) => target) : null,
  };
}

/**
 * The intervals between frames that a bound does not clear: all but those too short to be lines where there is none.
 * @param bounds How far lines may miss in each interval at most, in radians.
 */
export function listSuspects(bounds: Float64Array | null, times: Float32Array, miss: number): Int32Array {
  const intervals = new Int32Array(Math.max(0, times.length - 1));
  let count = 0;
  for (let k = 0; k + 1 < times.length; k++)
    if (times[k + 1]! - times[k]! >= SHORTEST_INTERVAL && !(bounds !== null && bounds[k]! <= miss))
      intervals[count++] = k;
  return intervals.slice(0, count);
}

/** A target joint that takes over more turns than one. */
type Product = {
  target: number;
  /** Per turn taken over its steps, in radians from frame to frame. */
  steps: Float32Array[];
  /** The target's own steps, where it or what carries it shares a turn. */
  shared: Float32Array | null;
  /** The nearest such joint above, as a place in the list, or −1. */
  above: number;
};

function boundAll(products: readonly Product[], count: number): Float64Array {
  const most = new Float64Array(Math.max(0, count));
  const bounds: Float64Array[] = [];
  for (const { steps, shared, above } of products) {
    const own = new Float64Array(most.length);
    boundProduct(own, above < 0 ? null : bounds[above]!, steps, shared, most.length);
    raiseTo(most, 0, own, most.length);
    bounds.push(own);
    didWork(most.length);
  }
  return most;
}

/**
 * How far lines between the keys of a joint may miss at most in `count` intervals: see {@link findSuspects}.
 * @param above The same of the nearest such joint above.
 * @param steps Per turn that the joint takes over how far it goes in each interval, in radians.
 * @param shared The joint's own steps, where it or what carries it shares a turn.
 */
export function boundProduct(
  out: Float64Array,
  above: Float64Array | null,
  steps: readonly Float32Array[],
  shared: Float32Array | null,
  count: number,
): void {
  for (let k = 0; k < count; k++) {
    let sum = 0;
    let squares = 0;
    for (let m = 0; m < steps.length; m++) {
      const step = steps[m]![k]!;
      sum += step;
      squares += step * step;
    }
    if (shared !== null && shared[k]! > sum) sum = shared[k]!;
    let bound = shared === null ? (sum * sum - squares) / 12 : (sum * sum) / 8;
    if (sum > LARGE) bound = Number.POSITIVE_INFINITY;
    out[k] = above === null ? bound : bound + above[k]!;
  }
}

/** Makes numbers, from place `from` on, as large as others are, where they are not. */
export function raiseTo(most: Float64Array, from: number, others: Float64Array, count: number): void {
  for (let k = 0; k < count; k++) if (!(most[from + k]! >= others[k]!)) most[from + k] = others[k]!;
}

/** A track that moves, and whether it has a key on every frame. */
type TurningTrack = { track: Track; isOnFrames: boolean };

/** The rotation tracks that turn a joint which matters to the result, by joint. */
function turningTracks(setup: Setup, { turns, searched }: Sampler): Map<number, TurningTrack> {
  const needed = drivingJoints(setup);
  const turning = new Map<number, TurningTrack>();
  const add = (track: Track, isOnFrames: boolean) => {
    if (track.channel === 'rotation' && needed.has(track.joint))
      turning.set(track.joint, { track, isOnFrames });
  };
  for (const track of turns) add(track, true);
  for (const track of searched) add(track, false);
  return turning;
}

/** The source joints whose turns make that of a target joint. */
function turnsOf(pair: JointPair): number[] {
  return pair.share ? [driverOf(pair), pair.share.from] : [driverOf(pair)];
}

function listProducts(
  setup: Setup,
  plan: ClipPlan,
  turning: ReadonlyMap<number, TurningTrack>,
  times: Float32Array,
  tracks: readonly Track[],
): Product[] {
  const { map, target } = setup;
  const { parents } = target.skeleton;
  const pairs = new Map(map.joints.map((pair) => [pair.target, pair]));
  const stepsByJoint = new Map<number, Float32Array>();
  const stepsOf = (joint: number) => {
    const steps = stepsByJoint.get(joint) ?? stepsOfTrack(turning.get(joint)!, times);
    stepsByJoint.set(joint, steps);
    return steps;
  };
  const turns = new Map(
    tracks.flatMap((track) => (track.channel === 'rotation' ? [[track.joint, track] as const] : [])),
  );
  const products: Product[] = [];
  const places = new Map<number, number>();
  const baked = map.joints.filter(({ target: joint }) => !plan.keyed?.has(joint));
  for (const pair of baked.sort((a, b) => a.target - b.target)) {
    const carrier = carrierOf(setup, pairs, pair.target);
    const joints = joinedTurns(setup, pair, carrier).filter((joint) => turning.has(joint));
    const isShared = pair.share !== undefined || carrier?.share !== undefined;
    if (joints.length <= (isShared ? 0 : 1)) continue;
    let at = parents[pair.target]!;
    while (at >= 0 && !places.has(at)) at = parents[at]!;
    const own = turns.get(pair.target);
    places.set(pair.target, products.length);
    products.push({
      target: pair.target,
      steps: joints.map(stepsOf),
      shared: isShared && own ? stepsOfTrack({ track: own, isOnFrames: true }, times) : null,
      above: at < 0 ? -1 : places.get(at)!,
    });
  }
  return products;
}

/** The source joints whose turns a target joint takes over from what carries it: above some of the drivers, not above all. */
function joinedTurns({ source }: Setup, pair: JointPair, carrier: JointPair | null): number[] {
  const ends = [...turnsOf(pair), ...(carrier ? turnsOf(carrier) : [-1])];
  const counts = new Map<number, number>();
  for (const end of ends)
    for (let at = end; at >= 0; at = source.skeleton.parents[at]!) counts.set(at, (counts.get(at) ?? 0) + 1);
  return [...counts].filter(([, count]) => count < ends.length).map(([joint]) => joint);
}

function stepsOfTrack({ track, isOnFrames }: TurningTrack, times: Float32Array): Float32Array {
  const steps = new Float32Array(Math.max(0, times.length - 1));
  didWork(times.length);
  measureSteps(steps, isOnFrames ? track.values : sampled(track, times), steps.length);
  return steps;
}

/**
 * How far a joint turns from one of `count` + 1 frames to the next, in radians, at least; where it turns by more than
 * LARGE, more than that.
 */
export function measureSteps(steps: Float32Array, values: Readonly<Numbers>, count: number): void {
  for (let k = 0; k < count; k++) {
    const i = 4 * k;
    const x = values[i]!;
    const y = values[i + 1]!;
    const z = values[i + 2]!;
    const w = values[i + 3]!;
    const dot = x * values[i + 4]! + y * values[i + 5]! + z * values[i + 6]! + w * values[i + 7]!;
    const sign = dot < 0 ? -1 : 1;
    const dx = sign * values[i + 4]! - x;
    const dy = sign * values[i + 5]! - y;
    const dz = sign * values[i + 6]! - z;
    const dw = sign * values[i + 7]! - w;
    // Twice the chord of half the angle: 4 sin(θ/4) · 1.004 ≥ θ up to LARGE, and more than LARGE beyond.
    steps[k] = 2.008 * Math.sqrt(dx * dx + dy * dy + dz * dz + dw * dw);
  }
}

function sampled(track: Track, times: Float32Array): Float64Array {
  const values = new Float64Array(4 * times.length);
  let hint = 0;
  for (let k = 0; k < times.length; k++) hint = sampleTrack(values, 4 * k, track, times[k]!, hint);
  return values;
}
