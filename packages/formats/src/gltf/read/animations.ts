import {
  type Channel,
  type Clip,
  channelSize,
  durationOf,
  hypot,
  type Interpolation,
  type MorphTrack,
  type Warning,
} from '@stuntdouble/core/engine';
import { isMendable } from '../../format-error.js';
import { type Limits, refuseBeyond } from '../../limits.js';
import type { NodeOwners } from '../../shared/node-owners.js';
import type { GltfDocument } from '../document.js';
import {
  type GltfAnimation,
  type GltfJson,
  type GltfMesh,
  gltfError,
  isIndex,
  isObject,
  nameOf,
  show,
} from '../gltf-json.js';
import { readFloats } from './accessor.js';
import { channelTarget } from './channel-target.js';
import { holderOf, type MeshOwners } from './hulls.js';
import type { Humanoid } from './humanoid.js';
import type { NodeTree } from './node-tree.js';
import type { FoundSkeleton } from './skeletons.js';

// Maps rather than objects: a path named "constructor" must find nothing.
const CHANNELS: ReadonlyMap<unknown, Channel> = new Map(
  (['translation', 'rotation', 'scale'] as const).map((channel) => [channel, channel]),
);

const INTERPOLATIONS: ReadonlyMap<string, Interpolation> = new Map([
  ['LINEAR', 'linear'],
  ['STEP', 'step'],
  ['CUBICSPLINE', 'cubic'],
]);

/** The name of a file's animation as a clip: its own, else `clip<index>`. */
export function clipName(animation: GltfAnimation, index: number): string {
  return nameOf(animation) || `clip${index}`;
}

/** The name that morph tracks give to a node's mesh: the mesh's, else the node's. */
export function morphMeshName(json: GltfJson, tree: Pick<NodeTree, 'names'>, node: number): string {
  const mesh = json.nodes![node]!.mesh;
  return (mesh === undefined ? '' : nameOf(json.meshes![mesh])) || tree.names[node]!;
}

/** The names of a mesh's morph targets: by `extras.targetNames`, else `morph<index>`. */
export function morphNames(json: GltfJson, mesh: number): string[] {
  const described = json.meshes![mesh]!;
  const known = namesOfMeshes.get(described);
  if (known) return known;
  const { primitives, extras } = described;
  let count = 0;
  for (const { targets } of primitives) count = Math.max(count, targets?.length ?? 0);
  const given = isObject(extras) && Array.isArray(extras.targetNames) ? extras.targetNames : [];
  const names = Array.from({ length: count }, (_, i) =>
    typeof given[i] === 'string' ? given[i] : `morph${i}`,
  );
  namesOfMeshes.set(described, names);
  return names;
}

/** Asked for once a node, and a mesh may be shown by thousands of them. */
const namesOfMeshes = new WeakMap<GltfMesh, string[]>();

/** Keys read from a sampler, after repair. */
type Keys = { times: Float32Array; values: Float32Array; interpolation: Interpolation };

/** Whom the clips of a file may move, and how much they may hold. */
export type ClipOwners = {
  found: readonly FoundSkeleton[];
  /** Per node the skeletons it is in. */
  owners: NodeOwners;
  meshOwners: MeshOwners;
  humanoid: Humanoid | null;
  limits: Limits;
  signal?: { throwIfAborted(): void } | undefined;
};

/**
 * Reads the file's animations (W1), one clip per character that an animation touches; where there is no
 * character, one list of clips that hold morph weights alone.
 * What is broken in a channel is mended, or the channel left out, with a warning.
 */
export function readClips(
  document: GltfDocument,
  tree: NodeTree,
  { found, owners, meshOwners, humanoid, limits, signal }: ClipOwners,
  warnings: Warning[],
): Clip[][] {
  const { json } = document;
  // Without a skeleton there may still be morph weights, which then belong to nobody.
  const count = Math.max(1, found.length);
  const clips: Clip[][] = Array.from({ length: count }, () => []);
  const speaker = Math.max(
    0,
    found.findIndex(({ skeleton }) => skeleton.metadataRoles),
  );
  // Exporters share one times accessor among hundreds of channels; the tracks share the array then.
  const timesCache = new Map<unknown, Float32Array>();
  const read: Reader = {
    document,
    warnings,
    timesCache,
    keysCache: new Map(),
    room: roomForKeys(document),
    keys: 0,
    limits,
  };

  for (const [a, animation] of (json.animations ?? []).entries()) {
    signal?.throwIfAborted();
    const name = clipName(animation, a);
    // Made where a channel needs it: an animation moves few of a crowd.
    const own = new Map<number, Clip>();
    const clipOf = (character: number): Clip => {
      const known = own.get(character);
      if (known) return known;
      const made: Clip = { name, duration: 0, tracks: [], morphs: [] };
      own.set(character, made);
      return made;
    };
    const done = new Set<string>();
    let pointers = 0;
    for (const [c, channel] of animation.channels.entries()) {
      const at = `animations[${a}].channels[${c}]`;
      const target = channelTarget(channel.target);
      if (!target) {
        warnings.push({ code: 'file-repaired', message: `${at} has no target and was left out.` });
        continue;
      }
      const { node, path } = target;
      if (path === 'pointer') {
        pointers++;
        continue;
      }
      // Without a node the target is an extension's business, by the specification.
      if (node === undefined) continue;
      try {
        if (!isIndex(node, tree.parents.length))
          throw gltfError(`${at}.target.node`, show(node), `one of ${tree.parents.length} nodes`);
        if (done.has(`${node} ${path}`)) throw gltfError(at, 'a second channel for one target', 'one');
        done.add(`${node} ${path}`);
        const sampler =
          animation.samplers[isIndex(channel.sampler, animation.samplers.length) ? channel.sampler : -1];
        if (!sampler) throw gltfError(`${at}.sampler`, show(channel.sampler), 'a sampler of the animation');
        if (path === 'weights') {
          const tracks = readMorphTracks(read, sampler, node, tree, at);
          clipOf(ownerOfMorphs(json, tree, found, meshOwners, node)).morphs.push(...tracks);
          continue;
        }
        const kind = CHANNELS.get(path);
        if (!kind)
          throw gltfError(`${at}.target.path`, show(path), 'translation, rotation, scale or weights');
        const expression = humanoid?.expressions.get(node);
        if (expression !== undefined && kind === 'translation') {
          const keys = readKeys(read, sampler, 'VEC3', 3, at);
          if (keys) clipOf(speaker).morphs.push({ mesh: '', morph: expression, ...firstComponent(keys) });
          continue;
        }
        if (humanoid?.gaze === node && kind === 'rotation') {
          const keys = readKeys(read, sampler, 'VEC4', 4, at);
          if (keys) clipOf(speaker).gaze = keys;
          continue;
        }
        if (owners[node]!.length === 0) continue;
        const keys = readKeys(read, sampler, kind === 'rotation' ? 'VEC4' : 'VEC3', channelSize(kind), at);
        if (!keys) continue;
        for (const i of owners[node]!) {
          const joint = found[i]!.jointOfNode[node]!;
          clipOf(i).tracks.push({ joint, channel: kind, ...keys });
        }
      } catch (error) {
        if (!isMendable(error)) throw error;
        warnings.push({
          code: 'file-repaired',
          message: `A channel of "${name}" was left out: ${error.message}.`,
        });
      }
    }
    if (pointers > 0)
      warnings.push({
        code: 'feature-ignored',
        message: `${pointers} channels of "${name}" animate what is no joint (KHR_animation_pointer) and were not read.`,
      });
    for (const [i, clip] of own) {
      if (clip.tracks.length + clip.morphs.length === 0 && !clip.gaze) continue;
      clip.duration = durationOf(clip);
      refuseBeyond(limits, 'seconds', clip.duration, { format: 'glTF', at: `animations[${a}]` });
      clips[i]!.push(clip);
    }
  }
  return clips;
}

/** The X of keys of three numbers, as keys of one. */
function firstComponent({ times, values, interpolation }: Keys): Keys {
  return {
    times,
    values: Float32Array.from({ length: values.length / 3 }, (_, i) => values[3 * i]!),
    interpolation,
  };
}

/** Keys that were read from a sampler, and what tells them from others with the same values. */
type SharedKeys = { input: unknown; interpolation: unknown; type: string; keys: Keys | null };

type Reader = {
  document: GltfDocument;
  warnings: Warning[];
  timesCache: Map<unknown, Float32Array>;
  /** Keys that several channels share are held once; by the accessor of their values. */
  keysCache: Map<unknown, SharedKeys[]>;
  /** How many bytes of keys may still be read. */
  room: number;
  /** How many keys there are in the tracks so far, and how many there may be. */
  keys: number;
  limits: Limits;
};

/**
 * Adds the keys of some tracks to those that were read: channels may share keys, but each becomes a track.
 * @throws FormatError where there are more than there may be.
 */
function countKeys(read: Reader, keys: number, at: string): void {
  read.keys += keys;
  refuseBeyond(read.limits, 'keys', read.keys, { format: 'glTF', at });
}

/**
 * Accessors may overlap, and a thousand of them may each stand for the whole file: what they are unpacked to
 * is bounded by what the file holds. Real files need at most four times that.
 */
function roomForKeys({ buffers }: GltfDocument): number {
  return buffers.reduce((sum, data) => sum + 8 * (data?.length ?? 0), 2 ** 24);
}

/** What a track takes besides its keys. */
const TRACK_BYTES = 256;

/** Reads a sampler: keys at rising, finite times, as many values as keys. */
function readKeys(
  read: Reader,
  sampler: Record<string, unknown>,
  type: 'SCALAR' | 'VEC3' | 'VEC4',
  size: number,
  at: string,
): Keys | null {
  const accessors = read.document.json.accessors ?? [];
  const count = isIndex(sampler.input, accessors.length) ? Number(accessors[sampler.input]!.count) : 0;
  // Before they are unpacked. Weights are cut into one track per morph target, and then thrown away.
  countKeys(read, (type === 'SCALAR' ? size : 1) * (count > 0 ? count : 0), at);
  if (type === 'SCALAR') return unpackKeys(read, sampler, type, size, at);
  const { input, output, interpolation } = sampler;
  const others = read.keysCache.get(output);
  const known = others?.find(
    (one) => one.input === input && one.interpolation === interpolation && one.type === type,
  );
  if (known) return known.keys;
  const keys = unpackKeys(read, sampler, type, size, at);
  const made: SharedKeys = { input, interpolation, type, keys };
  if (others) others.push(made);
  else read.keysCache.set(output, [made]);
  return keys;
}

function unpackKeys(
  read: Reader,
  sampler: Record<string, unknown>,
  type: 'SCALAR' | 'VEC3' | 'VEC4',
  size: number,
  at: string,
): Keys | null {
  const { document, warnings, timesCache } = read;
  if (read.room < 0) throw gltfError(at, 'keys many times larger than the file', 'keys of its own');
  const mode = sampler.interpolation === undefined ? 'LINEAR' : String(sampler.interpolation);
  const interpolation = INTERPOLATIONS.get(mode);
  if (!interpolation) throw gltfError(`${at}.interpolation`, show(mode), 'LINEAR, STEP or CUBICSPLINE');
  let times = timesCache.get(sampler.input);
  if (!times) {
    // Copied: clips are the caller's to change, the file's bytes are not.
    times = readFloats(document, sampler.input, ['SCALAR'], `${at}.input`).values.slice();
    timesCache.set(sampler.input, times);
    read.room -= times.byteLength;
  }
  let values = readFloats(document, sampler.output, [type], `${at}.output`).values.slice();
  read.room -= values.byteLength;
  const stride = interpolation === 'cubic' ? 3 * size : size;
  const count = Math.min(times.length, Math.floor(values.length / stride));
  if (count !== times.length || values.length !== count * stride)
    warnings.push({
      code: 'file-repaired',
      message: `${at} has ${times.length} times and values for ${values.length / stride}; the first ${count} were read.`,
    });
  if (count === 0) return null;

  const kept = risingKeys(times, count);
  if (kept) {
    warnings.push({
      code: 'file-repaired',
      message: `${at} has times that do not rise; ${kept.length} of ${count} keys were read, in order.`,
    });
    const all = values;
    const sourceTimes = times;
    times = Float32Array.from(kept, (key) => sourceTimes[key]!);
    values = new Float32Array(kept.length * stride);
    kept.forEach((from, to) => {
      values.set(all.subarray(from * stride, (from + 1) * stride), to * stride);
    });
  } else {
    if (times.length !== count) times = times.slice(0, count);
    if (values.length !== count * stride) values = values.slice(0, count * stride);
  }
  if (times.length === 0) return null;
  mendValues(values, stride, type === 'VEC4', interpolation, at, warnings);
  return { times, values, interpolation };
}

/** The keys with finite times in rising order, of keys at one time the last; null where all keys are that. */
function risingKeys(times: Float32Array, count: number): number[] | null {
  let isRising = true;
  for (let k = 0; k < count; k++)
    if (!Number.isFinite(times[k]!) || (k > 0 && !(times[k]! > times[k - 1]!))) isRising = false;
  if (isRising) return null;
  const keys = Array.from({ length: count }, (_, k) => k);
  const sorted = keys
    .filter((k) => Number.isFinite(times[k]!))
    .sort((a, b) => times[a]! - times[b]! || a - b);
  return sorted.filter((key, i) => i + 1 >= sorted.length || times[sorted[i + 1]!]! > times[key]!);
}

/** Replaces what is not finite by the value before, and turns without a direction by none. */
function mendValues(
  values: Float32Array,
  stride: number,
  isRotation: boolean,
  interpolation: Interpolation,
  at: string,
  warnings: Warning[],
): void {
  let bad = 0;
  for (let i = 0; i < values.length; i++) {
    if (Number.isFinite(values[i]!)) continue;
    values[i] = i >= stride ? values[i - stride]! : 0;
    bad++;
  }
  if (isRotation) {
    const offset = interpolation === 'cubic' ? 4 : 0;
    for (let i = offset; i + 3 < values.length; i += stride)
      if (hypot(values[i]!, values[i + 1]!, values[i + 2]!, values[i + 3]!) < 1e-6) {
        values.set(i >= stride ? values.subarray(i - stride, i - stride + 4) : [0, 0, 0, 1], i);
        bad++;
      }
  }
  if (bad > 0)
    warnings.push({
      code: 'value-not-finite',
      message: `${at} holds ${bad} values that are not finite or turns of zero length; the value before was taken.`,
    });
}

/** Cuts the weights of a node, which stand together in the file, into one track per morph target. */
function readMorphTracks(
  read: Reader,
  sampler: Record<string, unknown>,
  node: number,
  tree: NodeTree,
  at: string,
): MorphTrack[] {
  const { json } = read.document;
  const mesh = json.nodes![node]!.mesh;
  if (mesh === undefined) throw gltfError(`${at}.target`, 'weights on a node without a mesh', 'a mesh');
  const names = morphNames(json, mesh);
  if (names.length === 0) throw gltfError(`${at}.target`, 'weights of a mesh without morph targets', 'some');
  const keys = readKeys(read, sampler, 'SCALAR', names.length, at);
  if (!keys) return [];
  const { times, values, interpolation } = keys;
  const parts = interpolation === 'cubic' ? 3 : 1;
  read.room -= TRACK_BYTES * names.length;
  if (read.room < 0) throw gltfError(at, 'more morph weights than the file can mean', 'fewer');
  return names.map((morph, m) => {
    const own = new Float32Array(times.length * parts);
    for (let i = 0; i < own.length; i++) own[i] = values[i * names.length + m]!;
    return { mesh: morphMeshName(json, tree, node), morph, interpolation, times, values: own };
  });
}

/** The character that a mesh node's morphs belong to: by its skin, else by the joint it hangs on, else the first. */
function ownerOfMorphs(
  json: GltfJson,
  tree: NodeTree,
  found: readonly FoundSkeleton[],
  { ofNode }: MeshOwners,
  index: number,
): number {
  const { skin } = json.nodes![index]!;
  const owner = ofNode
    .get(index)
    ?.find((i) => skin !== undefined || holderOf(tree, found[i]!, index) !== null);
  return owner ?? 0;
}
