import { ONES } from '../../base/math/flat-constants.js';
import { hypot } from '../../base/math/functions.js';
import { createMatrix, multiplyMatrices, transformPoint } from '../../base/math/matrix.js';
import { rotateVector } from '../../base/math/quaternion.js';
import { carryPoints } from '../../base/math/quaternion-arrays.js';
import type { PlacePlan } from '../../passes/parts/carry-joints.js';
import type { Setup } from '../../passes/pass.js';
import type { Track } from '../../scene/clip.js';
import { leavesLines, type MergedTimes, thinTrack } from '../frames/refine-frames.js';
import { CHUNK, type Instants, type ReadStage, readTrack, type TrackReader } from './read-tracks.js';

/** What the target's joints do: at the frames, and at instants between them. */
export type TargetTracks = {
  times: Float32Array;
  instants: Instants;
  /** Both lists of times as one. */
  merged: MergedTimes;
  /** How the target's tracks are read that are known; everything else stands in the aligned reference. */
  rotations: ReadonlyMap<number, TrackReader>;
  translations: ReadonlyMap<number, TrackReader>;
};

/**
 * The tracks of joints that hang elsewhere than their body part: what `preparePlacing` does to a frame for whole tracks,
 * from the tracks of what carries them. A joint gets keys between frames where it leaves the lines without them.
 * @param places None of which hangs on another, or on anything that moves.
 */
export function placeTracks(setup: Setup, places: readonly PlacePlan[], tracks: TargetTracks): Track[] {
  const { times, instants, merged } = tracks;
  const room = Math.min(CHUNK, Math.max(times.length, instants.times.length));
  const joints = new Map<number, PathJoint>();
  for (const { path } of places)
    for (const joint of path)
      if (!joints.has(joint)) joints.set(joint, readPathJoint(setup, tracks, joint, room));
  const carried = places.map((plan) => prepareCarried(plan, joints, merged.times.length));
  const job: PlaceJob = {
    joints: [...joints.values()],
    carried,
    points: new Float64Array(3 * room),
    ways: new Float64Array(3 * room),
  };
  const [ofFrames, ofInstants] = splitOrder(merged, times.length);
  placeAll(job, { times, instants: null }, ofFrames);
  placeAll(job, { times: instants.times, instants }, ofInstants);
  return carried.map(({ plan: { joint }, values }): Track => {
    const track: Track = {
      joint,
      channel: 'translation',
      interpolation: 'linear',
      times: merged.times,
      values,
    };
    return leavesLines(track, merged) ? track : thinTrack(track, times, merged);
  });
}

/** A joint on the way up from a carrier: each of its channels a track with room for what is read, or one value. */
type PathJoint = {
  turn: TrackReader | null;
  turns: Float64Array;
  shift: TrackReader | null;
  shifts: Float64Array;
  scale: Float64Array;
};

type Carried = {
  plan: PlacePlan;
  /** The carrier and what is above it, the lowest first. */
  path: PathJoint[];
  /** From the carrier to the placed joint, in the carrier's own unit; null where joints stretch one axis more. */
  way: Float64Array | null;
  /** From above the path into the space of what the placed joint hangs on. */
  matrix: Float64Array;
  /** Its places at all times, frames and instants. */
  values: Float32Array;
};

type PlaceJob = { joints: PathJoint[]; carried: Carried[]; points: Float64Array; ways: Float64Array };

function readPathJoint(
  { alignment: { pose } }: Setup,
  { rotations, translations }: TargetTracks,
  joint: number,
  room: number,
): PathJoint {
  const turn = rotations.get(joint) ?? null;
  const shift = translations.get(joint) ?? null;
  return {
    turn,
    turns: turn ? new Float64Array(4 * room) : pose.rotations.slice(4 * joint, 4 * joint + 4),
    shift,
    shifts: shift ? new Float64Array(3 * room) : pose.translations.slice(3 * joint, 3 * joint + 3),
    scale: pose.scales.slice(3 * joint, 3 * joint + 3),
  };
}

function prepareCarried(plan: PlacePlan, joints: ReadonlyMap<number, PathJoint>, length: number): Carried {
  const path = [...plan.path].reverse().map((joint) => joints.get(joint)!);
  const matrix = createMatrix();
  multiplyMatrices(matrix, 0, plan.into!, 0, plan.above, 0);
  const stretch = path.reduce<number>((all, { scale }) => all * evenScale(scale), evenStretch(plan));
  const way = Number.isNaN(stretch) ? null : plan.offset.map((x) => x / stretch);
  return { plan, path, way, matrix, values: new Float32Array(3 * length) };
}

/** Where frames stand among all times, and where instants do. */
function splitOrder({ order }: MergedTimes, frames: number): [Int32Array, Int32Array] {
  const ofFrames = new Int32Array(frames);
  const ofInstants = new Int32Array(order.length - frames);
  for (let k = 0; k < order.length; k++)
    if (order[k]! < 0) ofInstants[-1 - order[k]!] = k;
    else ofFrames[order[k]!] = k;
  return [ofFrames, ofInstants];
}

/** The one number that a scale is; NaN where its axes differ. */
function evenScale([x, y, z]: Iterable<number> & ArrayLike<number>): number {
  return isClose(y!, x!) && isClose(z!, x!) ? x! : Number.NaN;
}

/** How much the matrix above a path stretches where it does nothing else but turn and shift; else NaN. */
function evenStretch({ above, aboveRotation }: PlacePlan): number {
  const stretch = hypot(above[0]!, above[1]!, above[2]!);
  const axis = new Float64Array(3);
  for (let c = 0; c < 3; c++) {
    axis.fill(0);
    axis[c] = stretch;
    rotateVector(axis, 0, aboveRotation, 0, axis, 0);
    for (let r = 0; r < 3; r++)
      if (Math.abs(axis[r]! - above[4 * c + r]!) > PRODUCT_ROUNDING * stretch) return Number.NaN;
  }
  return stretch > 0 ? stretch : Number.NaN;
}

/** What float32 rotations and scales of several joints lose in a product: of a shin a few micrometres. */
const PRODUCT_ROUNDING = 1e-5;

function isClose(a: number, b: number): boolean {
  return Math.abs(a - b) <= PRODUCT_ROUNDING * Math.abs(b);
}

const ZERO = new Float64Array(3);

/** Places all joints at frames or instants; `places` says where among all times each of those stands. */
function placeAll({ joints, carried, points, ways }: PlaceJob, stage: ReadStage, places: Int32Array): void {
  for (let from = 0; from < places.length; from += CHUNK) {
    const count = Math.min(CHUNK, places.length - from);
    for (let n = 0; n < joints.length; n++) {
      const { turn, turns, shift, shifts } = joints[n]!;
      if (turn !== null) readTrack(turns, turn, stage, from, count);
      if (shift !== null) readTrack(shifts, shift, stage, from, count);
    }
    for (let m = 0; m < carried.length; m++) {
      const { path, way, plan, matrix, values } = carried[m]!;
      fillVectors(points, way ?? ZERO, count);
      if (way === null) fillVectors(ways, plan.offset, count);
      for (let n = 0; n < path.length; n++) {
        const { turns, shifts, scale } = path[n]!;
        carryPoints(points, count, turns, scale, shifts);
        if (way === null) carryPoints(ways, count, turns, ONES, ZERO);
      }
      if (way === null) addWays(points, ways, plan, count);
      storePoints(values, places, from, way === null ? plan.into! : matrix, points, count);
    }
  }
}

function fillVectors(out: Float64Array, vector: Float64Array, count: number): void {
  const x = vector[0]!;
  const y = vector[1]!;
  const z = vector[2]!;
  for (let i = 0; i < 3 * count; i += 3) {
    out[i] = x;
    out[i + 1] = y;
    out[i + 2] = z;
  }
}

/** Stores points, moved by a matrix, as the keys that a list says from place `from` on. */
function storePoints(
  values: Float32Array,
  places: Int32Array,
  from: number,
  m: Float64Array,
  points: Float64Array,
  count: number,
): void {
  for (let n = 0; n < count; n++) {
    const i = 3 * n;
    const o = 3 * places[from + n]!;
    const x = points[i]!;
    const y = points[i + 1]!;
    const z = points[i + 2]!;
    values[o] = m[0]! * x + m[4]! * y + m[8]! * z + m[12]!;
    values[o + 1] = m[1]! * x + m[5]! * y + m[9]! * z + m[13]!;
    values[o + 2] = m[2]! * x + m[6]! * y + m[10]! * z + m[14]!;
  }
}

/** points = where the carrier is in model space, and the way from it, which is turned and not stretched. */
function addWays(points: Float64Array, ways: Float64Array, plan: PlacePlan, count: number): void {
  const { above, aboveRotation } = plan;
  for (let i = 0; i < 3 * count; i += 3) {
    transformPoint(points, i, above, 0, points, i);
    rotateVector(ways, i, aboveRotation, 0, ways, i);
    for (let c = i; c < i + 3; c++) points[c] = points[c]! + ways[c]!;
  }
}
