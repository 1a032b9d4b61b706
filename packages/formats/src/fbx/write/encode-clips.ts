import {
  type Clip,
  copyPose,
  createPose,
  didWork,
  findKey,
  quaternionAngle,
  type Skeleton,
  sampleTrack,
  type Track,
  UsageError,
  type Warning,
} from '@stuntdouble/core/engine';
import { zlibSync } from 'fflate';
import { nearestEulerAngles } from '../../shared/euler.js';
import { createArray, createNode, type FbxArray, type FbxNode, type FbxValue } from '../parse/fbx-node.js';
import type { MorphChannel } from '../read/blend-shapes.js';
import { animatedValues, quaternionFromEuler, RADIANS } from '../read/model-transform.js';
import { inheritsPlainly, type ModelTree, restValues, valuesOfPose } from '../read/model-tree.js';

/** Records that add clips to a file. */
export type EncodedClips = {
  objects: FbxNode[];
  connections: FbxNode[];
  /** For the list of takes, which some readers look at. */
  takes: FbxNode[];
  warnings: Warning[];
};

/** Keys of a property's numbers. */
type Keys = {
  /** Seconds. */
  times: number[];
  /** One list per number. */
  values: number[][];
  isStep: boolean;
};

/** How far turns by angles may be from turns by quaternions between two keys, in radians: 0.003°. */
const TURN_TOLERANCE = 5e-5;

/** Keys are not put nearer than this: 1/960 s. */
const SHORTEST = 1 / 960;

/** The longest clip, in seconds: a day. Times of two are beyond 2⁵³ of FBX's parts of a second. */
const LONGEST = 86_400;

/** How many keys may be added to a clip: hours of a body between two keys must not fill the memory. */
const MOST_ADDED = 2_000_000;

/** How many keys may still be added. */
type Room = { left: number };

/** The bits of a key's flags: a line, or a step; its tangents are the user's. */
const LINEAR_FLAGS = 0x404;
const STEP_FLAGS = 0x402;

/** Two weights of 0.3333 in the bits of a float, which is what keys without weights have. */
const USUAL_WEIGHTS = new Float32Array(new Uint32Array([0x0d050d05]).buffer)[0]!;

/**
 * Turns clips into records: a stack and a layer each, a curve node per property that moves, a curve per
 * number. Turns become angles in the model's own order, continuous, with keys added where a line between
 * angles would leave the way between two turns.
 * @param modelOf the model in `tree` of each joint.
 * @param takeId gives a number that no object of the file has.
 * @param ticksPerSecond what the file's times are counted in.
 */
export function encodeFbxClips(
  clips: readonly Clip[],
  skeleton: Skeleton,
  tree: ModelTree,
  modelOf: (joint: number) => number,
  channels: readonly MorphChannel[],
  takeId: () => number,
  ticksPerSecond: number,
): EncodedClips {
  const out: EncodedClips = { objects: [], connections: [], takes: [], warnings: [] };
  const memory: ArrayMemory = new Map();
  const ticksOf = (seconds: number) => Math.round(seconds * ticksPerSecond);
  for (const clip of clips) {
    const reach = reachOf(clip);
    if (!(reach <= LONGEST))
      throw new UsageError(
        `clip "${clip.name}" reaches ${reach} s; an FBX file can hold up to ${LONGEST} s: cut it`,
      );
    const stack = takeId();
    const layer = takeId();
    const end = ticksOf(clip.duration);
    const time = (name: string, value: number) =>
      createNode('P', 'SSSSL', [name, 'KTime', 'Time', '', value]);
    out.objects.push(
      createNode(
        'AnimationStack',
        'LSS',
        [stack, `${clip.name}\x00\x01AnimStack`, ''],
        [
          createNode(
            'Properties70',
            '',
            [],
            [
              time('LocalStart', 0),
              time('LocalStop', end),
              time('ReferenceStart', 0),
              time('ReferenceStop', end),
            ],
          ),
        ],
      ),
      createNode('AnimationLayer', 'LSS', [layer, 'BaseLayer\x00\x01AnimLayer', ''], []),
    );
    out.connections.push(connect(layer, stack));
    out.takes.push(
      createNode(
        'Take',
        'S',
        [clip.name],
        [
          createNode('FileName', 'S', [`${clip.name.replaceAll(/[^\w-]+/g, '_')}.tak`]),
          createNode('LocalTime', 'LL', [0, end]),
          createNode('ReferenceTime', 'LL', [0, end]),
        ],
      ),
    );
    const add = (
      target: FbxValue,
      name: string,
      property: string,
      numbers: readonly string[],
      keys: Keys,
    ) => {
      const node = takeId();
      out.objects.push(
        createNode(
          'AnimationCurveNode',
          'LSS',
          [node, `${name}\x00\x01AnimCurveNode`, ''],
          [
            createNode(
              'Properties70',
              '',
              [],
              numbers.map((number, c) =>
                createNode('P', 'SSSSD', [`d|${number}`, 'Number', '', 'A', keys.values[c]![0]!]),
              ),
            ),
          ],
        ),
      );
      out.connections.push(connect(node, layer), connect(node, target, property));
      numbers.forEach((number, c) => {
        const curve = takeId();
        out.objects.push(curveNode(curve, keys, c, memory, ticksOf));
        out.connections.push(connect(curve, node, `d|${number}`));
      });
    };
    const tracks = encodeTracks(clip, skeleton, tree, modelOf);
    if (tracks.length === 0 && clip.morphs.length === 0 && skeleton.names.length > 0)
      tracks.push(stillTrack(clip, tree, modelOf(0)));
    for (const { model, letter, keys } of tracks) {
      const property = { T: 'Lcl Translation', R: 'Lcl Rotation', S: 'Lcl Scaling' }[letter];
      add(tree.models[model]!.id, letter, property, ['X', 'Y', 'Z'], keys);
    }
    addMorphs(clip, tree, channels, add, out.warnings);
  }
  return out;
}

/** How far a clip's keys are from zero at most, in seconds. */
function reachOf({ duration, tracks, morphs }: Clip): number {
  let reach = Math.abs(duration);
  for (const { times } of [...tracks, ...morphs])
    if (times.length > 0) reach = Math.max(reach, Math.abs(times[0]!), Math.abs(times[times.length - 1]!));
  return reach;
}

/** A connection of an object to another, or to a property of it. */
export function connect(from: FbxValue, to: FbxValue, property?: string): FbxNode {
  return property === undefined
    ? createNode('C', 'SLL', ['OO', from, to])
    : createNode('C', 'SLLS', ['OP', from, to, property]);
}

/** Times that many curves share are packed once. */
type ArrayMemory = Map<number[], FbxArray>;

function curveNode(
  id: number,
  { times, values, isStep }: Keys,
  c: number,
  memory: ArrayMemory,
  ticksOf: (seconds: number) => number,
): FbxNode {
  const numbers = values[c]!;
  let keyTimes = memory.get(times);
  if (!keyTimes) {
    keyTimes = deflate(createArray('l', times.map(ticksOf)));
    memory.set(times, keyTimes);
  }
  return createNode(
    'AnimationCurve',
    'LSS',
    [id, '\x00\x01AnimCurve', ''],
    [
      createNode('Default', 'D', [numbers[0]!]),
      createNode('KeyVer', 'I', [4009]),
      createNode('KeyTime', 'l', [keyTimes]),
      createNode('KeyValueFloat', 'f', [deflate(createArray('f', numbers))]),
      createNode('KeyAttrFlags', 'i', [createArray('i', [isStep ? STEP_FLAGS : LINEAR_FLAGS])]),
      createNode('KeyAttrDataFloat', 'f', [createArray('f', [0, 0, USUAL_WEIGHTS, 0])]),
      createNode('KeyAttrRefCount', 'i', [createArray('i', [times.length])]),
    ],
  );
}

/** The array packed, where that makes it smaller. */
export function deflate(array: FbxArray): FbxArray {
  if (array.length < 128) return array;
  const plain = new Uint8Array(array.store.buffer, array.store.byteOffset + array.start, array.length);
  // Half a second for the curves of three minutes of a body.
  didWork(0.3 * plain.length);
  const packed = zlibSync(plain, { level: 6 });
  if (packed.length >= plain.length) return array;
  const store = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  return { ...array, encoding: 1, store, start: 0, length: packed.length };
}

type EncodedTrack = { model: number; letter: 'T' | 'R' | 'S'; keys: Keys };

function encodeTracks(
  clip: Clip,
  skeleton: Skeleton,
  tree: ModelTree,
  modelOf: (joint: number) => number,
): EncodedTrack[] {
  const byJoint = new Map<number, Partial<Record<Track['channel'], Track>>>();
  for (const track of clip.tracks) {
    if (track.times.length === 0) continue;
    const tracks = byJoint.get(track.joint) ?? {};
    byJoint.set(track.joint, tracks);
    tracks[track.channel] = track;
  }
  const scaled = new Set<number>();
  for (const [joint, { scale }] of byJoint) if (scale) scaled.add(modelOf(joint));
  if (!inheritsPlainly(tree, (model) => scaled.has(model))) return bakeTracks(clip, skeleton, tree, modelOf);
  const room: Room = { left: MOST_ADDED };
  return [...byJoint.keys()]
    .sort((a, b) => a - b)
    .flatMap((joint) => encodeJoint(byJoint.get(joint)!, skeleton, joint, tree, modelOf(joint), room));
}

/** A clip in which nothing moves is still a clip: its first joint is told to stand where it stands. */
function stillTrack({ duration }: Clip, { transforms }: ModelTree, model: number): EncodedTrack {
  const times = duration > 0 ? [0, duration] : [0];
  const values = transforms[model]!.translation.map((value) => times.map(() => value));
  return { model, letter: 'T', keys: { times, values, isStep: false } };
}

function encodeJoint(
  tracks: Partial<Record<Track['channel'], Track>>,
  { rest }: Skeleton,
  joint: number,
  tree: ModelTree,
  model: number,
  room: Room,
): EncodedTrack[] {
  const transform = tree.transforms[model]!;
  const { translation, rotation, scale } = tracks;
  const t = rest.translations.slice(3 * joint, 3 * joint + 3);
  const r = rest.rotations.slice(4 * joint, 4 * joint + 4);
  const s = rest.scales.slice(3 * joint, 3 * joint + 3);
  const valueT = new Float64Array(3);
  const valueR = new Float64Array(4);
  const evaluate = (time: number) => {
    if (translation) sampleTrack(t, 0, translation, time);
    if (rotation) sampleTrack(r, 0, rotation, time);
    if (scale) sampleTrack(s, 0, scale, time);
    animatedValues(valueT, valueR, transform, t, r, s);
  };
  const out: EncodedTrack[] = [];
  const moving = transform.hasPivots ? [translation, rotation, scale] : [translation];
  const placing = moving.filter((track) => track !== undefined);
  if (placing.length > 0) out.push({ model, letter: 'T', keys: numberKeys(placing, evaluate, valueT, room) });
  if (rotation)
    out.push({ model, letter: 'R', keys: turnKeys(rotation, evaluate, valueR, transform.order, room) });
  if (scale) out.push({ model, letter: 'S', keys: numberKeys([scale], evaluate, s, room) });
  return out;
}

/** Times as numbers: those of the tracks, all of them. */
function timesOf(tracks: readonly Track[]): number[] {
  const all = new Set<number>();
  for (const { times } of tracks) for (const time of times) all.add(time);
  return [...all].sort((a, b) => a - b);
}

/** Keys of three numbers, with more between them where a line would leave the curve by a millionth of its size. */
function numberKeys(
  tracks: readonly Track[],
  evaluate: (time: number) => void,
  value: Float64Array,
  room: Room,
): Keys {
  const times = timesOf(tracks);
  didWork(10 * times.length);
  const isStep = tracks.every(({ interpolation }) => interpolation === 'step');
  const keys: Keys = { times: [], values: [[], [], []], isStep };
  const sample = (time: number) => {
    evaluate(time);
    return Float64Array.from(value.subarray(0, 3));
  };
  const push = (time: number, numbers: Float64Array) => {
    keys.times.push(time);
    for (let c = 0; c < 3; c++) keys.values[c]!.push(numbers[c]!);
  };
  const fill = (t0: number, a: Float64Array, t1: number, b: Float64Array) => {
    if (t1 - t0 < 2 * SHORTEST || room.left <= 0) return;
    const middle = (t0 + t1) / 2;
    const between = sample(middle);
    const quarter = sample((t0 + middle) / 2);
    let size = 0;
    let away = 0;
    for (let c = 0; c < 3; c++) {
      size = Math.max(size, Math.abs(a[c]!), Math.abs(b[c]!));
      away = Math.max(
        away,
        Math.abs((a[c]! + b[c]!) / 2 - between[c]!),
        Math.abs((3 * a[c]! + b[c]!) / 4 - quarter[c]!),
      );
    }
    if (away <= 1e-6 * size) return;
    room.left--;
    fill(t0, a, middle, between);
    push(middle, between);
    fill(middle, between, t1, b);
  };
  // Lines stay lines where no turn about a pivot moves the joint.
  const isLines =
    tracks.length === 1 && tracks[0]!.interpolation !== 'cubic' && tracks[0]!.channel !== 'rotation';
  let before = sample(times[0]!);
  push(times[0]!, before);
  for (let k = 1; k < times.length; k++) {
    const next = sample(times[k]!);
    if (!isStep && !isLines) fill(times[k - 1]!, before, times[k]!, next);
    push(times[k]!, next);
    before = next;
  }
  return keys;
}

/** Keys of angles in degrees, x, y, z. */
function turnKeys(
  track: Track,
  evaluate: (time: number) => void,
  value: Float64Array,
  order: Parameters<typeof nearestEulerAngles>[4],
  room: Room,
): Keys {
  const isStep = track.interpolation === 'step';
  const keys: Keys = { times: [], values: [[], [], []], isStep };
  const axes = [...order].map((letter) => letter.charCodeAt(0) - 88);
  // In the order's own sequence.
  const angles = new Float64Array(3);
  const degrees = new Float64Array(3);
  const straight = new Float64Array(4);
  const anglesAt = (time: number, from: Float64Array) => {
    evaluate(time);
    angles.set(from);
    nearestEulerAngles(angles, 0, value, 0, order);
    return Float64Array.from(angles);
  };
  const push = (time: number, sequence: Float64Array) => {
    keys.times.push(time);
    for (let c = 0; c < 3; c++) keys.values[axes[c]!]!.push(sequence[c]! / RADIANS);
  };
  const fill = (t0: number, a: Float64Array, t1: number, b: Float64Array) => {
    if (t1 - t0 < 2 * SHORTEST || room.left <= 0) return;
    const middle = (t0 + t1) / 2;
    const between = anglesAt(middle, a);
    for (let c = 0; c < 3; c++) degrees[axes[c]!] = (a[c]! + b[c]!) / 2 / RADIANS;
    quaternionFromEuler(straight, 0, degrees, order);
    // The value is the turn in the middle still.
    let isOff = quaternionAngle(straight, 0, value, 0) > TURN_TOLERANCE;
    if (!isOff) {
      evaluate((t0 + middle) / 2);
      for (let c = 0; c < 3; c++) degrees[axes[c]!] = (3 * a[c]! + b[c]!) / 4 / RADIANS;
      quaternionFromEuler(straight, 0, degrees, order);
      isOff = quaternionAngle(straight, 0, value, 0) > TURN_TOLERANCE;
    }
    if (!isOff) return;
    room.left--;
    fill(t0, a, middle, between);
    push(middle, between);
    fill(middle, between, t1, b);
  };
  const { times } = track;
  didWork(10 * times.length);
  let before = anglesAt(times[0]!, new Float64Array(3));
  push(times[0]!, before);
  for (let k = 1; k < times.length; k++) {
    const next = anglesAt(times[k]!, before);
    if (!isStep) fill(times[k - 1]!, before, times[k]!, next);
    push(times[k]!, next);
    before = next;
  }
  return keys;
}

/** Tracks of models that must be looked at together: values of whole poses, at all keys and 60 times a second. */
function bakeTracks(
  clip: Clip,
  skeleton: Skeleton,
  tree: ModelTree,
  modelOf: (joint: number) => number,
): EncodedTrack[] {
  const keys = timesOf(clip.tracks);
  const times: number[] = [];
  let left = Math.floor(MOST_ADDED / Math.max(1, skeleton.names.length));
  keys.forEach((time, k) => {
    times.push(time);
    const next = keys[k + 1];
    if (next === undefined) return;
    const added = Math.min(Math.ceil((next - time) * 60 - 1e-3) - 1, left);
    left -= Math.max(0, added);
    for (let n = 1; n <= added; n++) times.push(time + ((next - time) * n) / (added + 1));
  });
  const joints = skeleton.names.map((_, joint) => modelOf(joint));
  const pose = copyPose(tree.rest);
  const jointPose = createPose(joints.length);
  const values = restValues(tree.transforms);
  const lists = joints.map(() => ({
    T: [[], [], []] as number[][],
    R: [[], [], []] as number[][],
    S: [[], [], []] as number[][],
  }));
  const last = joints.map((model) => {
    const { rotation, order } = tree.transforms[model]!;
    return Float64Array.from([...order], (letter) => rotation[letter.charCodeAt(0) - 88]! * RADIANS);
  });
  for (const time of times) {
    didWork(10 * joints.length);
    jointPose.translations.set(skeleton.rest.translations);
    jointPose.rotations.set(skeleton.rest.rotations);
    jointPose.scales.set(skeleton.rest.scales);
    for (const track of clip.tracks) {
      if (track.times.length === 0) continue;
      const store =
        track.channel === 'rotation'
          ? jointPose.rotations
          : track.channel === 'translation'
            ? jointPose.translations
            : jointPose.scales;
      sampleTrack(store, track.joint * (track.channel === 'rotation' ? 4 : 3), track, time);
    }
    joints.forEach((model, joint) => {
      pose.translations.set(jointPose.translations.subarray(3 * joint, 3 * joint + 3), 3 * model);
      pose.rotations.set(jointPose.rotations.subarray(4 * joint, 4 * joint + 4), 4 * model);
      pose.scales.set(jointPose.scales.subarray(3 * joint, 3 * joint + 3), 3 * model);
    });
    valuesOfPose(values, tree, pose);
    joints.forEach((model, joint) => {
      const { order } = tree.transforms[model]!;
      nearestEulerAngles(last[joint]!, 0, values.rotations, 4 * model, order);
      for (let c = 0; c < 3; c++) {
        lists[joint]!.T[c]!.push(values.translations[3 * model + c]!);
        lists[joint]!.S[c]!.push(values.scalings[3 * model + c]!);
        lists[joint]!.R[order.charCodeAt(c) - 88]!.push(last[joint]![c]! / RADIANS);
      }
    });
  }
  return joints.flatMap((model, joint) => {
    const { translation, rotation, scaling } = tree.transforms[model]!;
    const rest = { T: translation, R: rotation, S: scaling };
    return (['T', 'R', 'S'] as const).flatMap((letter) => {
      const lists3 = lists[joint]![letter];
      const moves = lists3.some((list, c) =>
        list.some((value) => Math.abs(value - rest[letter][c]!) > 1e-6 * Math.max(1, Math.abs(value))),
      );
      return moves ? [{ model, letter, keys: { times, values: lists3, isStep: false } }] : [];
    });
  });
}

function addMorphs(
  clip: Clip,
  tree: ModelTree,
  channels: readonly MorphChannel[],
  add: (target: FbxValue, name: string, property: string, numbers: readonly string[], keys: Keys) => void,
  warnings: Warning[],
): void {
  let lost = 0;
  for (const track of clip.morphs) {
    const own = channels.filter(
      ({ name, model }) => name === track.morph && tree.names[model] === track.mesh,
    );
    if (own.length === 0) lost++;
    if (track.times.length === 0) continue;
    const cubic = track.interpolation === 'cubic';
    for (const { object, fullPercent } of own) {
      const times = [...track.times];
      const values = times.map((_, k) => track.values[cubic ? 3 * k + 1 : k]! * fullPercent);
      const keys: Keys = cubic
        ? cubicKeys(track, fullPercent)
        : { times, values: [values], isStep: track.interpolation === 'step' };
      add(object.id, 'DeformPercent', 'DeformPercent', ['DeformPercent'], keys);
    }
  }
  if (lost > 0)
    warnings.push({
      code: 'morph-dropped',
      message: `${lost} morph tracks of "${clip.name}" have no blend shape in the file and were left out.`,
    });
}

/** A cubic of weights as lines, 60 a second. */
function cubicKeys({ times, values }: Clip['morphs'][number], factor: number): Keys {
  const start = times[0]!;
  const end = times[times.length - 1]!;
  const count = Math.min(Math.max(1, Math.ceil((end - start) * 60)), 100_000);
  const keys: Keys = { times: [], values: [[]], isStep: false };
  for (let n = 0; n <= count; n++) {
    const time = start + ((end - start) * n) / count;
    const k = Math.min(findKey(times, time), Math.max(0, times.length - 2));
    const span = times.length > 1 ? times[k + 1]! - times[k]! : 0;
    const u = span > 0 ? Math.min(1, (time - times[k]!) / span) : 0;
    // The Hermite basis of the glTF specification, appendix C.
    const value =
      span > 0
        ? (2 * u * u * u - 3 * u * u + 1) * values[3 * k + 1]! +
          (u * u * u - 2 * u * u + u) * span * values[3 * k + 2]! +
          (3 * u * u - 2 * u * u * u) * values[3 * k + 4]! +
          (u * u * u - u * u) * span * values[3 * k + 3]!
        : values[1]!;
    keys.times.push(time);
    keys.values[0]!.push(value * factor);
  }
  return keys;
}
