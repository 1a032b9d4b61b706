import {
  addToList,
  type Clip,
  channelSize,
  didWork,
  durationOf,
  findKey,
  hypot,
  type Interpolation,
  type MorphTrack,
  type Skeleton,
  UsageError,
  type Warning,
} from '@stuntdouble/core/engine';
import type { GltfAccessor, GltfAnimation } from '../gltf-json.js';
import type { Humanoid } from '../read/humanoid.js';

/** A node with a mesh whose morph weights can be animated. */
export type MorphTarget = { node: number; names: string[]; weights: readonly number[] };

/** Clips as glTF has them, to be appended to a document. */
export type EncodedClips = {
  animations: GltfAnimation[];
  /** Without `bufferView`; `byteOffset` counts from the first byte of `pieces`. */
  accessors: GltfAccessor[];
  /** The bytes of all accessors, one after the other, each a multiple of four long. */
  pieces: Uint8Array[];
  byteLength: number;
  warnings: Warning[];
};

type Keys = { times: Float32Array; values: Float32Array; interpolation: Interpolation };

const MODES: Readonly<Record<Interpolation, string>> = {
  linear: 'LINEAR',
  step: 'STEP',
  cubic: 'CUBICSPLINE',
};

/** A clip that lasts longer than its last key by this many seconds gets a key to hold its end. */
const DURATION_SLACK = 1e-4;

/**
 * Turns clips into glTF animations: float32 keys, rising times from zero on, unit quaternions, and one
 * accessor for all tracks that share their times.
 * @param nodeOf joint to node of the document.
 * @param morphTargets by the mesh's name as morph tracks have it.
 * @param firstAccessor the index that the first new accessor will have.
 * @param signals nodes that carry expressions and the gaze, in a VRM animation.
 */
export function encodeGltfClips(
  clips: readonly Clip[],
  skeleton: Skeleton,
  nodeOf: (joint: number) => number,
  morphTargets: ReadonlyMap<string, MorphTarget[]>,
  firstAccessor: number,
  signals: Pick<Humanoid, 'expressions' | 'gaze'> | null = null,
): EncodedClips {
  const out: EncodedClips = { animations: [], accessors: [], pieces: [], byteLength: 0, warnings: [] };
  const timesAccessors = new Map<string, { times: Float32Array; accessor: number }[]>();

  const append = (values: Float32Array, type: string, size: number, isInput: boolean): number => {
    const accessor: GltfAccessor = {
      byteOffset: out.byteLength,
      componentType: 5126,
      count: values.length / size,
      type,
      ...(isInput ? { min: [values[0]!], max: [values[values.length - 1]!] } : {}),
    };
    out.pieces.push(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    out.byteLength += values.byteLength;
    out.accessors.push(accessor);
    return firstAccessor + out.accessors.length - 1;
  };
  const appendTimes = (times: Float32Array): number => {
    const key = `${times.length} ${times[0]} ${times[times.length - 1]}`;
    const alike = timesAccessors.get(key) ?? [];
    timesAccessors.set(key, alike);
    const same = alike.find((one) => one.times === times || one.times.every((time, i) => time === times[i]));
    if (same) return same.accessor;
    const accessor = append(times, 'SCALAR', 1, true);
    alike.push({ times, accessor });
    return accessor;
  };

  for (const clip of clips) {
    const animation: GltfAnimation = { name: clip.name, channels: [], samplers: [] };
    const add = (node: number, path: string, type: string, size: number, keys: Keys) => {
      const input = appendTimes(keys.times);
      const output = append(keys.values, type, size, false);
      animation.samplers.push({ input, interpolation: MODES[keys.interpolation], output });
      animation.channels.push({ sampler: animation.samplers.length - 1, target: { node, path } });
    };
    const prepare = createKeyPreparer(clip, out.warnings);
    const done = new Set<string>();
    for (const track of clip.tracks) {
      if (!(track.joint >= 0 && track.joint < skeleton.names.length))
        throw new UsageError(`clip "${clip.name}" has a track for joint ${track.joint}, which is not there`);
      const id = `${track.joint} ${track.channel}`;
      // Two tracks for one channel are not allowed in a file; the first one stands.
      if (track.times.length === 0 || done.has(id)) continue;
      done.add(id);
      const size = channelSize(track.channel);
      const keys = prepare(track, size, `${track.channel} of "${skeleton.names[track.joint]}"`);
      if (!keys) continue;
      if (track.channel === 'rotation') normalize(keys);
      add(nodeOf(track.joint), track.channel, size === 4 ? 'VEC4' : 'VEC3', size, keys);
    }
    const isSignal = ({ mesh }: MorphTrack) => mesh === '' && signals !== null;
    for (const [node, name] of signals?.expressions ?? []) {
      const track = clip.morphs.find((one) => isSignal(one) && one.morph === name);
      const keys = track && track.times.length > 0 ? prepare(track, 1, `expression "${name}"`) : null;
      if (keys) add(node, 'translation', 'VEC3', 3, { ...keys, values: spread(keys.values) });
    }
    if (signals && signals.gaze !== null && clip.gaze) {
      const keys = prepare(clip.gaze, 4, 'gaze');
      if (keys) {
        normalize(keys);
        add(signals.gaze, 'rotation', 'VEC4', 4, keys);
      }
    }
    const known = new Set(signals?.expressions.values());
    const others = clip.morphs.filter((track) => !isSignal(track) || !known.has(track.morph));
    addMorphs({ ...clip, morphs: others }, morphTargets, prepare, add, out.warnings);
    if (animation.channels.length === 0) {
      out.warnings.push({
        code: 'clip-empty',
        message: `Clip "${clip.name}" moves nothing; it holds the rest pose.`,
      });
      if (skeleton.names.length === 0) continue;
      // A file may not hold a clip without channels.
      const still = Float32Array.from(skeleton.rest.translations.subarray(0, 3));
      const times = clip.duration > 0 ? [0, clip.duration] : [0];
      const values = Float32Array.from(times.flatMap(() => [...still]));
      add(nodeOf(0), 'translation', 'VEC3', 3, {
        times: Float32Array.from(times),
        values,
        interpolation: 'linear',
      });
    }
    out.animations.push(animation);
  }
  return out;
}

type PrepareKeys = (
  track: { times: ArrayLike<number>; values: ArrayLike<number>; interpolation: Interpolation },
  size: number,
  what: string,
) => Keys | null;

/** Makes the function that brings a clip's keys to what a file may hold; arrays of times stay shared. */
function createKeyPreparer(clip: Clip, warnings: Warning[]): PrepareKeys {
  let first = 0;
  for (const { times } of [...clip.tracks, ...clip.morphs]) if (times[0]! < first) first = times[0]!;
  if (first < 0)
    warnings.push({
      code: 'file-repaired',
      message: `Clip "${clip.name}" begins ${-first} seconds before zero, which glTF does not allow; it was moved to zero.`,
    });
  // The end of a clip is where its last key is; a clip that holds still at its end needs a key there.
  let extend = clip.duration > durationOf(clip) + DURATION_SLACK ? clip.duration - first : 0;
  const prepared = new Map<ArrayLike<number>, { times: Float32Array; kept: number[] | null }>();

  const prepareTimes = (source: ArrayLike<number>) => {
    const known = prepared.get(source);
    if (known) return known;
    const moved = Float32Array.from(source, (time) => time - first);
    const kept: number[] = [];
    let before = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < moved.length; k++)
      if (moved[k]! > before && moved[k]! < Number.POSITIVE_INFINITY) {
        kept.push(k);
        before = moved[k]!;
      }
    const isWhole = kept.length === moved.length;
    const result = {
      times: isWhole ? moved : Float32Array.from(kept, (k) => moved[k]!),
      kept: isWhole ? null : kept,
    };
    prepared.set(source, result);
    return result;
  };

  return (track, size, what) => {
    const { interpolation } = track;
    const stride = interpolation === 'cubic' ? 3 * size : size;
    if (track.values.length !== track.times.length * stride)
      throw new UsageError(
        `clip "${clip.name}", ${what}: ${track.values.length} numbers for ${track.times.length} keys of ${stride}`,
      );
    const prepared = prepareTimes(track.times);
    let { times } = prepared;
    if (times.length === 0) return null;
    let values = new Float32Array(times.length * stride);
    for (let k = 0; k < times.length; k++) {
      const from = (prepared.kept?.[k] ?? k) * stride;
      for (let c = 0; c < stride; c++) values[k * stride + c] = track.values[from + c]!;
    }
    if (prepared.kept)
      warnings.push({
        code: 'file-repaired',
        message: `Clip "${clip.name}", ${what}: times do not rise; ${times.length} of ${track.times.length} keys were written.`,
      });
    for (let i = 0; i < values.length; i++) {
      if (Number.isFinite(values[i]!)) continue;
      warnings.push({
        code: 'value-not-finite',
        message: `Clip "${clip.name}", ${what}: a value is not finite; the one before was taken.`,
      });
      for (let j = i; j < values.length; j++)
        if (!Number.isFinite(values[j]!)) values[j] = j >= stride ? values[j - stride]! : 0;
      break;
    }
    if (interpolation === 'cubic') {
      // The specification asks for two keys of a spline; a single one is a step.
      if (times.length > 1) return { times, values, interpolation };
      return { times, values: values.slice(size, 2 * size), interpolation: 'step' };
    }
    if (extend > 0) {
      times = Float32Array.from([...times, extend]);
      values = Float32Array.from([...values, ...values.subarray(values.length - size)]);
      extend = 0;
    }
    return { times, values, interpolation };
  };
}

/** Brings quaternions to unit length where they are visibly off; small deviations are the file's own. */
function normalize({ values, interpolation }: Keys): void {
  const stride = interpolation === 'cubic' ? 12 : 4;
  didWork(values.length / 4);
  for (let i = interpolation === 'cubic' ? 4 : 0; i + 3 < values.length; i += stride) {
    const length = hypot(values[i]!, values[i + 1]!, values[i + 2]!, values[i + 3]!);
    if (Math.abs(length - 1) <= 1e-4) continue;
    if (length < 1e-6) values.set([0, 0, 0, 1], i);
    else for (let c = 0; c < 4; c++) values[i + c]! /= length;
  }
}

/** Numbers as the X of triples. */
function spread(values: Float32Array): Float32Array {
  const out = new Float32Array(3 * values.length);
  values.forEach((value, i) => {
    out[3 * i] = value;
  });
  return out;
}

/** A file holds the weights of all of a mesh's morph targets together: puts single tracks side by side. */
function addMorphs(
  clip: Clip,
  targets: ReadonlyMap<string, MorphTarget[]>,
  prepare: PrepareKeys,
  add: (node: number, path: string, type: string, size: number, keys: Keys) => void,
  warnings: Warning[],
): void {
  const byMesh = new Map<string, MorphTrack[]>();
  const lost = new Set<string>();
  for (const track of clip.morphs) {
    if (track.times.length === 0) continue;
    if (!targets.get(track.mesh)?.some(({ names }) => names.includes(track.morph))) {
      lost.add(track.mesh === '' ? `expression ${track.morph}` : `${track.mesh}/${track.morph}`);
      continue;
    }
    addToList(byMesh, track.mesh, track);
  }
  if (lost.size > 0)
    warnings.push({
      code: 'morph-dropped',
      message: `Clip "${clip.name}" has weights for ${lost.size} morph targets that are not in the file: ${[...lost].slice(0, 5).join(', ')}.`,
    });
  for (const [mesh, tracks] of byMesh) {
    const first = tracks[0]!;
    const isAlike = tracks.every(
      ({ times, interpolation }) =>
        interpolation === first.interpolation &&
        (times === first.times ||
          (times.length === first.times.length && times.every((t, i) => t === first.times[i]))),
    );
    if (!isAlike)
      warnings.push({
        code: 'keys-resampled',
        message: `Clip "${clip.name}": morph weights of "${mesh}" have keys at different times; they were put on common ones.`,
      });
    const common = isAlike ? tracks : shareTimes(tracks);
    const { times, interpolation } = common[0]!;
    const parts = interpolation === 'cubic' ? 3 : 1;
    for (const { node, names, weights } of targets.get(mesh)!) {
      const count = names.length;
      const values = new Float32Array(times.length * parts * count);
      names.forEach((name, m) => {
        const track = common.find(({ morph }) => morph === name);
        for (let i = 0; i < times.length * parts; i++) {
          // Without keys a weight stays as it is: tangents zero, value the file's default.
          const still = parts === 3 && i % 3 !== 1 ? 0 : (weights[m] ?? 0);
          values[i * count + m] = track ? track.values[i]! : still;
        }
      });
      const keys = prepare({ times, values, interpolation }, count, `weights of "${mesh}"`);
      if (keys) add(node, 'weights', 'SCALAR', 1, keys);
    }
  }
}

/** Linear tracks on the union of all times. Curves are followed at 60 keys a second. */
function shareTimes(tracks: readonly MorphTrack[]): MorphTrack[] {
  const all = new Set<number>();
  for (const { times, interpolation } of tracks) {
    for (const time of times) all.add(time);
    if (interpolation === 'cubic') {
      const span = times[times.length - 1]! - times[0]!;
      // Ten minutes at that rate; a longer curve is followed more coarsely.
      const count = Math.min(36000, Math.ceil(span * 60));
      for (let i = 1; i < count; i++) all.add(Math.fround(times[0]! + (span * i) / count));
    }
    // A step needs a key just before it.
    if (interpolation === 'step') for (const time of times.subarray(1)) all.add(Math.fround(time - 1e-4));
  }
  const times = Float32Array.from([...all].sort((a, b) => a - b));
  return tracks.map((track) => ({
    ...track,
    interpolation: 'linear',
    times,
    values: Float32Array.from(times, (time) => sampleMorph(track, time)),
  }));
}

function sampleMorph({ times, values, interpolation }: MorphTrack, time: number): number {
  const k = findKey(times, time);
  const cubic = interpolation === 'cubic';
  const at = (key: number, part: number) => values[cubic ? 3 * key + 1 + part : key]!;
  if (k >= times.length - 1 || time <= times[k]! || interpolation === 'step') return at(k, 0);
  const span = times[k + 1]! - times[k]!;
  const u = (time - times[k]!) / span;
  if (!cubic) return at(k, 0) + (at(k + 1, 0) - at(k, 0)) * u;
  // Hermite basis of the glTF specification, appendix C.
  const u2 = u * u;
  const u3 = u2 * u;
  return (
    (2 * u3 - 3 * u2 + 1) * at(k, 0) +
    (u3 - 2 * u2 + u) * span * at(k, 1) +
    (-2 * u3 + 3 * u2) * at(k + 1, 0) +
    (u3 - u2) * span * at(k + 1, -1)
  );
}
