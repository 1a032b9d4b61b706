import { makeQuaternionsContinuous, multiplyQuaternions, type Track } from '@stuntdouble/core/engine';
import { STEP, STEP_NEXT } from '../parse/key-flags.js';
import type { AnimationCurve } from '../read/animation-curve.js';
import {
  type EulerSigns,
  eulerSigns,
  type ModelTransform,
  quaternionOfAngles,
} from '../read/model-transform.js';
import type { ModelTree } from '../read/model-tree.js';
import { dropStillKeys, mendValues, type Resampled, type Sampling, trackTimes } from '../read/resample.js';
import type { PropertyCurves, Take } from '../read/takes.js';

/**
 * The tracks of a model whose curves all have a key for every frame, at the same times, on one layer: lines
 * between them are the curve. That is how captured motion is stored, and most of what is ever read; all other
 * curves are looked at time by time.
 * @returns null for these.
 */
export function denseTracks(take: Take, tree: ModelTree, model: number, sampling: Sampling): Track[] | null {
  const transform = tree.transforms[model]!;
  if (transform.hasPivots) return null;
  const [base, ...others] = take.layers;
  const properties = base?.models.get(model);
  if (!base?.isBase || !properties || others.some(({ models }) => models.has(model))) return null;
  const { T, R, S } = properties;
  for (const property of [T, R, S]) if (property && !timesOf(property, take, sampling)) return null;
  const { translations, rotations, scales } = tree.rest;
  const tracks: Track[] = [];
  const add = (channel: Track['channel'], size: 3 | 4, keys: Resampled, rest: Float64Array) => {
    const track = dropStillKeys(keys, size, rest, size * model);
    if (track) tracks.push({ joint: model, channel, ...track });
  };
  if (T) {
    const keys = bakeVectors(T, transform.translation, transform.rotationOffset, timesOf(T, take, sampling)!);
    add('translation', 3, keys, translations);
  }
  if (R) add('rotation', 4, bakeTurns(R, transform, timesOf(R, take, sampling)!), rotations);
  if (S) add('scale', 3, bakeVectors(S, transform.scaling, ZERO, timesOf(S, take, sampling)!), scales);
  return tracks;
}

const ZERO = [0, 0, 0] as const;

/** The times of a track, where the curves of a property have keys there and for every frame; else null. */
function timesOf({ curves }: PropertyCurves, { start, end }: Take, sampling: Sampling): Float32Array | null {
  let times: Float64Array | null = null;
  for (const curve of curves) {
    if (!curve) continue;
    times ??= curve.times;
    if (curve.times !== times || hasSteps(curve)) return null;
  }
  if (!times || times[0] !== start || times[times.length - 1] !== end) return null;
  const known = trackTimes(times, start, sampling);
  return known.isDense ? known.times : null;
}

function hasSteps({ modes }: AnimationCurve): boolean {
  return modes.includes(STEP) || modes.includes(STEP_NEXT);
}

function bakeVectors(
  { curves, defaults }: PropertyCurves,
  rest: readonly number[],
  offsets: readonly number[],
  times: Float32Array,
): Resampled {
  const values = new Float32Array(3 * times.length);
  for (let c = 0; c < 3; c++)
    fillNumbers(values, c, curves[c]?.values ?? null, defaults[c] ?? rest[c]!, offsets[c]!);
  mendValues(values, 3);
  return { times, values, interpolation: 'linear' };
}

function fillNumbers(
  out: Float32Array,
  c: number,
  numbers: Float64Array | null,
  still: number,
  offset: number,
): void {
  let k = 0;
  if (numbers) for (let i = c; i < out.length; i += 3) out[i] = numbers[k++]! + offset;
  else for (let i = c; i < out.length; i += 3) out[i] = still + offset;
}

function bakeTurns(
  { curves, defaults }: PropertyCurves,
  { rotation, order, preRotation, inversePostRotation, isBare }: ModelTransform,
  times: Float32Array,
): Resampled {
  const count = times.length;
  const values = new Float32Array(4 * count);
  const [x, y, z] = [0, 1, 2].map(
    (c) => curves[c]?.values ?? new Float64Array(count).fill(defaults[c] ?? rotation[c]!),
  );
  fillTurns(values, x!, y!, z!, eulerSigns(order), isBare ? null : preRotation, inversePostRotation);
  makeQuaternionsContinuous(values, count);
  return { times, values, interpolation: 'linear' };
}

const turn = new Float64Array(4);

/** out = before · turn · after, key by key; angles in degrees. `before` is null where both are the identity. */
function fillTurns(
  out: Float32Array,
  x: Float64Array,
  y: Float64Array,
  z: Float64Array,
  signs: EulerSigns,
  before: Float64Array | null,
  after: Float64Array,
): void {
  for (let k = 0; 4 * k < out.length; k++) {
    quaternionOfAngles(turn, 0, x[k]!, y[k]!, z[k]!, signs);
    if (before) {
      multiplyQuaternions(turn, 0, before, 0, turn, 0);
      multiplyQuaternions(turn, 0, turn, 0, after, 0);
    }
    out[4 * k] = turn[0]!;
    out[4 * k + 1] = turn[1]!;
    out[4 * k + 2] = turn[2]!;
    out[4 * k + 3] = turn[3]!;
  }
}
