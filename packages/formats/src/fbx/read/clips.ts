import {
  type Channel,
  type Clip,
  createPose,
  didWork,
  type MorphTrack,
  makeQuaternionsContinuous,
  multiplyQuaternions,
  pow,
  slerpQuaternions,
  type Track,
  type Warning,
} from '@stuntdouble/core/engine';
import { refuseBeyond } from '../../limits.js';
import type { NodeOwners } from '../../shared/node-owners.js';
import { fbxError } from '../parse/fbx-node.js';
import type { FbxId } from '../parse/objects.js';
import { denseTracks } from '../write/dense-tracks.js';
import { type AnimationCurve, sampleCurve } from './animation-curve.js';
import type { MorphChannel } from './blend-shapes.js';
import { cubicKeys, type PlainProperty } from './cubic-keys.js';
import { localTransform, type ModelTransform, quaternionFromEuler } from './model-transform.js';
import { inheritsPlainly, type ModelTree, poseModels, restValues } from './model-tree.js';
import { dropStillKeys, type Evaluate, keyTimes, resample, type Sampling } from './resample.js';
import { curvesOf, type PropertyCurves, type Take, type TakeLayer, weightAt } from './takes.js';

/** The tracks of a take by model, and its morphs by mesh model. */
export type TakeTracks = {
  name: string;
  duration: number;
  /** Tracks whose `joint` is the model's index. */
  tracks: Track[];
  /** The models that the take has curves for, moved or not. */
  touched: Set<number>;
  morphs: { model: number; track: MorphTrack }[];
};

/**
 * Turns the takes of a file into tracks of local transforms: layers flattened, angles to quaternions, pivots
 * folded in. Channels that stand still at rest get no track, those that stand still elsewhere one key.
 */
export function readTracks(
  takes: readonly Take[],
  tree: ModelTree,
  channels: readonly MorphChannel[],
  sampling: Sampling,
  warnings: Warning[],
): TakeTracks[] {
  const places = new Map(channels.map(({ object }, n) => [object.id, n]));
  const all = takes.map((take) => {
    // Times count from the start of their take.
    sampling.shared.clear();
    const isBaked = !inheritsPlainly(tree, (model) =>
      take.layers.some(({ models }) =>
        models
          .get(model)
          ?.S?.curves.some((curve, c) =>
            curve?.values.some((value) => Math.abs(value - tree.transforms[model]!.scaling[c]!) > 1e-6),
          ),
      ),
    );
    const touched = new Set(take.layers.flatMap(({ models }) => [...models.keys()]));
    const count = <T extends { times: ArrayLike<number> }>(made: T): T => countKeys(made, take, sampling);
    const tracks = isBaked
      ? bakeTracks(take, tree, sampling)
      : [...touched]
          .sort((a, b) => a - b)
          .flatMap((model) =>
            (denseTracks(take, tree, model, sampling) ?? modelTracks(take, tree, model, sampling)).map(count),
          );
    return {
      name: take.name,
      duration: Math.fround(take.end - take.start),
      tracks,
      touched,
      morphs: movedChannels(take, places).flatMap((n) => {
        const channel = channels[n]!;
        const track = morphTrack(take, tree, channel, sampling);
        return track ? [{ model: channel.model, track: count(track) }] : [];
      }),
    };
  });
  if (sampling.added <= 0)
    warnings.push({
      code: 'keys-resampled',
      message: 'The takes are very long for their keys; curves between keys were read as lines in part.',
    });
  return all;
}

/**
 * Adds the keys of a track to those that were read.
 * @throws FormatError where there are more than there may be.
 */
function countKeys<T extends { times: ArrayLike<number> }>(track: T, take: Take, sampling: Sampling): T {
  sampling.keys += track.times.length;
  didWork(5 * track.times.length);
  refuseBeyond(sampling.limits, 'keys', sampling.keys, { format: 'FBX', at: placeOf(take) });
  return track;
}

function placeOf({ name }: Take): string {
  return `the take "${name.slice(0, 80)}"`;
}

/** Bytes of a model's translation, turn and scale at one time: as a pose, and as keys of its own. */
const POSED_BYTES = 80;

/** The places of the channels that a take has curves for, in the file's order: takes may be many, and channels too. */
function movedChannels(take: Take, places: ReadonlyMap<FbxId, number>): number[] {
  const moved = new Set<number>();
  for (const { morphs } of take.layers)
    for (const id of morphs.keys()) {
      const place = places.get(id);
      if (place !== undefined) moved.add(place);
    }
  return [...moved].sort((a, b) => a - b);
}

/** The value of a property with all layers, as numbers: scale, translation, or angles where none is multiplied. */
function createVector(
  take: Take,
  model: number,
  letter: 'T' | 'R' | 'S',
  rest: readonly number[],
): { curves: AnimationCurve[]; evaluate: Evaluate; plain: PlainProperty | null } {
  const parts = partsOf(take, model, letter);
  const [lowest] = parts;
  if (!lowest) return stillVector(rest);
  // One layer is what most files have: a third of the time.
  if (parts.length === 1 && lowest.layer.isBase) {
    const { curves, defaults } = lowest.property;
    const still = rest.map((value, c) => defaults[c] ?? value);
    return {
      curves: curves.filter((curve) => curve !== null),
      plain: { curves, still },
      evaluate: (out, time, hint = 0) => {
        for (let c = 0; c < 3; c++) {
          const curve = curves[c];
          if (!curve) out[c] = still[c]!;
          else if (curve.times[hint] === time) out[c] = curve.values[hint]!;
          else out[c] = sampleCurve(curve, time, hint);
        }
      },
    };
  }
  return {
    curves: parts.flatMap(curvesOfPart),
    plain: null,
    evaluate: (out, time, hint = 0) => {
      for (let c = 0; c < 3; c++) {
        let value = rest[c]!;
        for (const { layer, property } of parts)
          value = addLayer(value, layer, property, c, time, letter === 'S' && layer.multipliesScales, hint);
        out[c] = value;
      }
    },
  };
}

/** What one layer says of a property. */
type LayerPart = { layer: TakeLayer; property: PropertyCurves };

/** What the layers of a take say of a property of a model, the lowest first. */
function partsOf(take: Take, model: number, letter: 'T' | 'R' | 'S'): LayerPart[] {
  return take.layers.flatMap((layer) => {
    const property = layer.models.get(model)?.[letter];
    return property ? [{ layer, property }] : [];
  });
}

const NO_CURVES: AnimationCurve[] = [];

/** A property that no layer speaks of. */
function stillVector(rest: readonly number[]): ReturnType<typeof createVector> {
  return {
    curves: NO_CURVES,
    plain: null,
    evaluate: (out) => {
      for (let c = 0; c < 3; c++) out[c] = rest[c]!;
    },
  };
}

/** The curves by which a property moves in one layer: its own, and that of the layer's weight. */
function curvesOfPart({ layer, property }: LayerPart): AnimationCurve[] {
  const own = property.curves.filter((curve) => curve !== null);
  return layer.weightCurve && !layer.isBase ? [...own, layer.weightCurve] : own;
}

/** The number that a layer has at a time, or null where it says nothing of it. */
function numberAt({ curves, defaults }: PropertyCurves, c: number, time: number, hint = 0): number | null {
  const curve = curves[c];
  if (!curve) return defaults[c] ?? null;
  // Times of tracks are mostly those of their curves.
  return curve.times[hint] === time ? curve.values[hint]! : sampleCurve(curve, time, hint);
}

function addLayer(
  below: number,
  layer: TakeLayer,
  property: PropertyCurves,
  c: number,
  time: number,
  multiplies: boolean,
  hint = 0,
): number {
  const value = numberAt(property, c, time, hint);
  if (value === null) return below;
  if (layer.isBase) return value;
  // FBX SDK: additive layers add their value by weight (scales: by power), others are blended over.
  const weight = weightAt(layer, time);
  if (weight === 0) return below;
  if (!layer.isAdditive) return below + (value - below) * weight;
  return multiplies ? below * pow(Math.abs(value), weight) * Math.sign(value) : below + value * weight;
}

/** The turn R of a model with all layers, as a quaternion. */
function createTurn(
  take: Take,
  model: number,
  { rotation, order }: ModelTransform,
): { curves: AnimationCurve[]; evaluate: Evaluate } {
  const angles = new Float64Array(3);
  const vector = createVector(take, model, 'R', rotation);
  const parts = partsOf(take, model, 'R');
  const first = parts.findIndex(({ layer }) => layer.multipliesTurns && !layer.isBase);
  if (first < 0)
    return {
      curves: vector.curves,
      evaluate: (out, time, hint) => {
        vector.evaluate(angles, time, hint);
        quaternionFromEuler(out, 0, angles, order);
      },
    };
  // Angles as long as layers add angles; from the first that is a turn as a whole on, turns.
  const identity = new Float64Array([0, 0, 0, 1]);
  const turn = new Float64Array(4);
  const own = new Float64Array(3);
  return {
    curves: vector.curves,
    evaluate: (out, time) => {
      angles.set(rotation);
      parts.forEach(({ layer, property }, n) => {
        if (n < first) {
          for (let c = 0; c < 3; c++) angles[c] = addLayer(angles[c]!, layer, property, c, time, false);
          return;
        }
        if (n === first) quaternionFromEuler(out, 0, angles, order);
        for (let c = 0; c < 3; c++)
          own[c] = numberAt(property, c, time) ?? (layer.isAdditive ? 0 : angles[c]!);
        quaternionFromEuler(turn, 0, own, order);
        const weight = weightAt(layer, time);
        if (layer.isAdditive) {
          slerpQuaternions(turn, 0, identity, 0, turn, 0, weight);
          multiplyQuaternions(out, 0, out, 0, turn, 0);
        } else slerpQuaternions(out, 0, out, 0, turn, 0, weight);
      });
    },
  };
}

/** The tracks of one model whose parent's scale needs no care. */
function modelTracks(take: Take, tree: ModelTree, model: number, sampling: Sampling): Track[] {
  const transform = tree.transforms[model]!;
  const translation = createVector(take, model, 'T', transform.translation);
  const turn = createTurn(take, model, transform);
  const scaling = createVector(take, model, 'S', transform.scaling);
  const t = new Float64Array(3);
  const s = Float64Array.from(transform.scaling);
  const q = new Float64Array(4);
  const outT = new Float64Array(3);
  const outR = new Float64Array(4);
  quaternionFromEuler(q, 0, transform.rotation, transform.order);
  t.set(transform.translation);

  const tracks: Track[] = [];
  const add = (
    channel: Channel,
    size: 3 | 4,
    curves: readonly AnimationCurve[],
    rest: Float64Array,
    evaluate: Evaluate,
    plain: PlainProperty | null = null,
  ) => {
    if (curves.length === 0 && isAt(evaluate, rest, size, take.start)) return;
    const cubic =
      plain &&
      cubicKeys(
        plain,
        take,
        sampling,
        channel === 'translation' ? { offsets: transform.rotationOffset } : {},
      );
    if (cubic) {
      tracks.push({ joint: model, channel, ...cubic });
      return;
    }
    const track = dropStillKeys(resample(evaluate, size, curves, take, sampling), size, rest);
    if (track) tracks.push({ joint: model, channel, ...track });
  };
  const { rest } = tree;
  add(
    'translation',
    3,
    transform.hasPivots ? [...translation.curves, ...turn.curves, ...scaling.curves] : translation.curves,
    rest.translations.subarray(3 * model, 3 * model + 3),
    transform.isBare
      ? translation.evaluate
      : (out, time, hint) => {
          translation.evaluate(t, time, hint);
          if (transform.hasPivots) {
            turn.evaluate(q, time, hint);
            scaling.evaluate(s, time, hint);
          }
          localTransform(out, 0, outR, 0, transform, t, q, s);
        },
    transform.hasPivots ? null : translation.plain,
  );
  const evaluateTurn: Evaluate = (out, time, hint) => {
    turn.evaluate(q, time, hint);
    localTransform(outT, 0, out, 0, transform, t, q, s);
  };
  add(
    'rotation',
    4,
    turn.curves,
    rest.rotations.subarray(4 * model, 4 * model + 4),
    transform.isBare ? turn.evaluate : evaluateTurn,
  );
  add(
    'scale',
    3,
    scaling.curves,
    rest.scales.subarray(3 * model, 3 * model + 3),
    scaling.evaluate,
    scaling.plain,
  );
  return tracks;
}

/** Whether a channel without curves is where the model stands anyway; a layer may say otherwise. */
function isAt(evaluate: Evaluate, rest: Float64Array, size: number, time: number): boolean {
  const value = new Float64Array(4);
  evaluate(value, time);
  for (let c = 0; c < size; c++)
    if (Math.abs(value[c]! - rest[c]!) > 1e-6 * Math.max(1, Math.abs(rest[c]!))) return false;
  return true;
}

/** All tracks of a take, from poses of the whole tree. */
function bakeTracks(take: Take, tree: ModelTree, sampling: Sampling): Track[] {
  const curves = take.layers.flatMap(curvesOf);
  const keys = keyTimes(curves, take);
  const times: number[] = [];
  for (let k = 0; k < keys.length; k++) {
    times.push(keys[k]!);
    const next = keys[k + 1];
    if (next === undefined) break;
    const frames = Math.ceil((next - keys[k]!) * sampling.frameRate - 1e-3);
    // Each frame costs as many keys as there are models.
    const added = Math.min(frames - 1, Math.floor(sampling.added / Math.max(1, tree.models.length)));
    if (added <= 0) continue;
    sampling.added -= added * tree.models.length;
    for (let n = 1; n <= added; n++) times.push(keys[k]! + ((next - keys[k]!) * n) / (added + 1));
  }
  const moved = [...new Set(take.layers.flatMap(({ models }) => [...models.keys()]))].map((model) => ({
    model,
    translation: createVector(take, model, 'T', tree.transforms[model]!.translation),
    turn: createTurn(take, model, tree.transforms[model]!),
    scaling: createVector(take, model, 'S', tree.transforms[model]!.scaling),
  }));
  const count = tree.models.length;
  // Before room is made: keys at many times and many models make many poses of a small file.
  const keyCount = 3 * count * times.length;
  refuseBeyond(sampling.limits, 'keys', sampling.keys + keyCount, { format: 'FBX', at: placeOf(take) });
  const room = POSED_BYTES * count * times.length;
  if (room > sampling.budget.bytes)
    throw fbxError(placeOf(take), `${times.length} times at which ${count} models must be posed`, 'fewer');
  sampling.budget.bytes -= room;
  sampling.keys += keyCount;
  const values = restValues(tree.transforms);
  const pose = createPose(count);
  const worlds = new Float64Array(16 * count);
  const stores = {
    translation: new Float32Array(3 * count * times.length),
    rotation: new Float32Array(4 * count * times.length),
    scale: new Float32Array(3 * count * times.length),
  };
  const value = new Float64Array(4);
  times.forEach((time, k) => {
    for (const { model, translation, turn, scaling } of moved) {
      translation.evaluate(value, time);
      for (let c = 0; c < 3; c++) values.translations[3 * model + c] = value[c]!;
      scaling.evaluate(value, time);
      for (let c = 0; c < 3; c++) values.scalings[3 * model + c] = value[c]!;
      turn.evaluate(value, time);
      for (let c = 0; c < 4; c++) values.rotations[4 * model + c] = value[c]!;
    }
    poseModels(pose, worlds, tree, values);
    stores.translation.set(pose.translations, 3 * count * k);
    stores.rotation.set(pose.rotations, 4 * count * k);
    stores.scale.set(pose.scales, 3 * count * k);
  });
  const keyed = Float32Array.from(times, (time) => time - take.start);
  const tracks: Track[] = [];
  for (let model = 0; model < count; model++) {
    for (const [channel, size, rest] of [
      ['translation', 3, tree.rest.translations],
      ['rotation', 4, tree.rest.rotations],
      ['scale', 3, tree.rest.scales],
    ] as const) {
      const own = new Float32Array(size * times.length);
      for (let k = 0; k < times.length; k++)
        for (let c = 0; c < size; c++) own[size * k + c] = stores[channel][(k * count + model) * size + c]!;
      if (size === 4) makeQuaternionsContinuous(own, times.length);
      const track = dropStillKeys(
        { times: keyed, values: own, interpolation: 'linear' },
        size,
        rest.subarray(size * model, size * (model + 1)),
      );
      if (track) tracks.push({ joint: model, channel, ...track });
    }
  }
  return tracks;
}

function morphTrack(
  take: Take,
  tree: ModelTree,
  channel: MorphChannel,
  sampling: Sampling,
): MorphTrack | null {
  const parts = take.layers.flatMap((layer): LayerPart[] => {
    const property = layer.morphs.get(channel.object.id);
    return property ? [{ layer, property }] : [];
  });
  const curves = parts.flatMap(curvesOfPart);
  if (curves.length === 0) return null;
  const names = { mesh: tree.names[channel.model]!, morph: channel.name };
  const [only] = parts;
  if (only && parts.length === 1 && only.layer.isBase) {
    const plain = { curves: only.property.curves, still: [channel.percent] };
    const cubic = cubicKeys(plain, take, sampling, { factor: 1 / channel.fullPercent });
    if (cubic) return { ...names, ...cubic };
  }
  const evaluate: Evaluate = (out, time) => {
    let value = channel.percent;
    for (const { layer, property } of parts) value = addLayer(value, layer, property, 0, time, false);
    out[0] = value / channel.fullPercent;
  };
  const keys = dropStillKeys(resample(evaluate, 1, curves, take, sampling), 1, [
    channel.percent / channel.fullPercent,
  ]);
  return keys && { ...names, ...keys };
}

/**
 * The clips of each character: the tracks of each take that touches its joints.
 * @param owners per model the characters it is in.
 * @param ownerOfMorphs the character that the morphs of a mesh model belong to.
 */
export function clipsFor(
  takes: readonly TakeTracks[],
  found: readonly { jointOfModel: Int32Array }[],
  owners: NodeOwners,
  ownerOfMorphs: (model: number) => number,
): Clip[][] {
  const clips = found.map((): Clip[] => []);
  for (const { name, duration, tracks, touched, morphs } of takes) {
    const own = new Map<number, Clip>();
    const clipOf = (character: number): Clip => {
      const known = own.get(character);
      if (known) return known;
      const made: Clip = { name, duration, tracks: [], morphs: [] };
      own.set(character, made);
      return made;
    };
    for (const track of tracks)
      for (const i of owners[track.joint]!)
        clipOf(i).tracks.push({ ...track, joint: found[i]!.jointOfModel[track.joint]! });
    if (found.length > 0)
      for (const { model, track } of morphs) clipOf(ownerOfMorphs(model)).morphs.push(track);
    // A take of a body that stands still is a pose, and still a clip.
    for (const model of touched) for (const i of owners[model]!) clipOf(i);
    for (const [i, clip] of own) clips[i]!.push(clip);
  }
  return clips;
}
