import type { Channel, Clip, Interpolation, MorphTrack, Track, Warning } from '@stuntdouble/core/engine';
import {
  type AnimationClip,
  InterpolateDiscrete,
  InterpolateSmooth,
  type KeyframeTrack,
  type Mesh,
  type Object3D,
  type SkinnedMesh,
} from 'three';
import type { ResolvedObject } from './animated-object.js';
import { jointOfBone } from './bind-pose.js';
import { isCubicTrack } from './cubic-track.js';
import type { MorphMesh } from './morph-meshes.js';
import { createNodeFinder, type ParsedName, parseTrackName } from './track-names.js';

const CHANNELS: Readonly<Record<string, Channel>> = {
  position: 'translation',
  quaternion: 'rotation',
  scale: 'scale',
};

/** What a track moves: an object and a property of it; null where its name says nothing. */
export type TrackResolver = (track: KeyframeTrack) => { object: Object3D | null; name: ParsedName } | null;

/** Finds the object that a track moves as three's mixer would, but once for each name, whatever clip it is of. */
export function createTrackResolver({ root, bones }: ResolvedObject): TrackResolver {
  const find = createNodeFinder(root);
  const known = new Map<string, Object3D | null>();
  const resolved = new Map<string, ReturnType<TrackResolver>>();
  return (track) => {
    let found = resolved.get(track.name);
    if (found === undefined) {
      found = resolve(track);
      resolved.set(track.name, found);
    }
    return found;
  };

  function resolve(track: KeyframeTrack): ReturnType<TrackResolver> {
    const parsed = resolveParsed(track);
    if (parsed?.object) return parsed;
    // BVHLoader leaves names as they are, with characters that mean something in the name of a track: mixamorig:Hips.
    const dot = track.name.lastIndexOf('.');
    const object = dot > 0 ? find(track.name.slice(0, dot)) : null;
    return object ? { object, name: { propertyName: track.name.slice(dot + 1) } } : parsed;
  }

  function resolveParsed(track: KeyframeTrack): ReturnType<TrackResolver> {
    const name = parseTrackName(track.name);
    if (!name) return null;
    const key = `${name.nodeName ?? ''}\n${name.objectName ?? ''}\n${name.objectIndex ?? ''}`;
    let object = known.get(key);
    if (object === undefined) {
      object = find(name.nodeName ?? '');
      if (name.objectName === 'bones') {
        const list = (object as SkinnedMesh | null)?.skeleton?.bones ?? bones;
        object =
          list.find((bone) => bone.name === name.objectIndex) ?? list[Number(name.objectIndex)] ?? null;
      }
      known.set(key, object);
    }
    return { object, name };
  }
}

/** The objects that clips turn, move or scale. */
export function animatedObjects(resolve: TrackResolver, clips: readonly AnimationClip[]): Set<Object3D> {
  const found = new Set<Object3D>();
  for (const clip of clips)
    for (const track of clip.tracks) {
      const target = resolve(track);
      if (target?.object && CHANNELS[target.name.propertyName]) found.add(target.object);
    }
  return found;
}

/**
 * Reads a clip of three's as keys of a skeleton: linear, discrete and smooth tracks, and glTF's cubic ones
 * with their tangents; morph weights by mesh and name, a VRM's expressions by name. Tracks that move nothing
 * of the character are left out, with a warning.
 */
export function readClip(
  clip: AnimationClip,
  { vrm }: Pick<ResolvedObject, 'vrm'>,
  resolve: TrackResolver,
  jointOf: ReadonlyMap<Object3D, number>,
  morphMeshes: readonly MorphMesh[],
): { clip: Clip; warnings: Warning[] } {
  const expressions = new Map<Object3D, string>(
    (vrm?.expressionManager?.expressions ?? []).map((object) => [object, object.expressionName]),
  );
  const read: Clip = { name: clip.name, duration: clip.duration, tracks: [], morphs: [] };
  const seenMorphs = new Set<string>();
  let dropped = 0;
  for (const track of clip.tracks) {
    const target = resolve(track);
    const channel = target && CHANNELS[target.name.propertyName];
    if (!target?.object) dropped++;
    else if (channel && target.name.propertyIndex === undefined) {
      const joint = jointOfBone(target.object, jointOf);
      if (joint >= 0) read.tracks.push({ joint, channel, ...keysOf(track, channel === 'rotation' ? 4 : 3) });
      else dropped++;
    } else if (target.name.propertyName === 'morphTargetInfluences')
      for (const morph of morphTracks(track, target.object as Mesh, target.name.propertyIndex, morphMeshes)) {
        const key = `${morph.mesh}\n${morph.morph}`;
        // The primitives of one mesh have the same keys.
        if (!seenMorphs.has(key)) read.morphs.push(morph);
        seenMorphs.add(key);
      }
    else if (target.name.propertyName === 'weight' && expressions.has(target.object))
      read.morphs.push({ mesh: '', morph: expressions.get(target.object)!, ...keysOf(track, 1) });
    else dropped++;
  }
  const warnings: Warning[] =
    dropped === 0
      ? []
      : [
          {
            code: 'channel-dropped',
            message: `"${clip.name}": ${dropped} track${dropped > 1 ? 's move' : ' moves'} nothing of the source's skeleton or morphs and ${dropped > 1 ? 'were' : 'was'} left out`,
          },
        ];
  return { clip: read, warnings };
}

type Keys = Pick<Track, 'times' | 'values'> & { interpolation: Interpolation };

/** The keys of a track, which has `size` numbers a value. */
function keysOf(track: KeyframeTrack, size: number): Keys {
  const times = toFloats(track.times);
  const values = toFloats(track.values);
  if (isCubicTrack(track)) return { interpolation: 'cubic', times, values };
  const interpolation = track.getInterpolation();
  if (interpolation === InterpolateDiscrete) return { interpolation: 'step', times, values };
  // Quaternions know no smooth way in three: they play linearly.
  if (interpolation === InterpolateSmooth && size !== 4)
    return { interpolation: 'cubic', times, values: smoothToCubic(times, values, size) };
  return { interpolation: 'linear', times, values };
}

function toFloats(values: ArrayLike<number>): Float32Array | Float64Array {
  return values instanceof Float32Array || values instanceof Float64Array
    ? values
    : Float32Array.from(values);
}

/**
 * three's smooth curve with its tangents written out: at each key the mean of the slopes on both sides. At the
 * ends as an action plays that is neither looped nor told otherwise (CubicInterpolant with ZeroSlopeEnding of
 * three.js): no slope at the start, half of the last slope at the end.
 */
function smoothToCubic(times: ArrayLike<number>, values: ArrayLike<number>, size: number): Float32Array {
  const count = times.length;
  const out = new Float32Array(3 * size * count);
  const slope = (k: number, c: number) => {
    const span = times[k + 1]! - times[k]!;
    return span > 0 ? (values[(k + 1) * size + c]! - values[k * size + c]!) / span : 0;
  };
  for (let k = 0; k < count; k++)
    for (let c = 0; c < size; c++) {
      const tangent = k === 0 ? 0 : (slope(k - 1, c) + (k < count - 1 ? slope(k, c) : 0)) / 2;
      out[3 * k * size + c] = tangent;
      out[(3 * k + 1) * size + c] = values[k * size + c]!;
      out[(3 * k + 2) * size + c] = tangent;
    }
  return out;
}

function* morphTracks(
  track: KeyframeTrack,
  mesh: Mesh,
  index: string | undefined,
  morphMeshes: readonly MorphMesh[],
): Generator<MorphTrack> {
  const entry = morphMeshes.find(({ meshes }) => meshes.includes(mesh));
  const places = Object.entries(mesh.morphTargetDictionary ?? {});
  const all = mesh.morphTargetInfluences?.length ?? places.length;
  const name = entry?.name ?? mesh.name;
  if (index !== undefined) {
    const morph =
      mesh.morphTargetDictionary?.[index] === undefined
        ? places.find(([, place]) => place === Number(index))?.[0]
        : index;
    if (morph !== undefined) yield { mesh: name, morph, ...keysOf(track, 1) };
    return;
  }
  if (all === 0) return;
  const keys = keysOf(track, all);
  const parts = keys.interpolation === 'cubic' ? 3 * keys.times.length : keys.times.length;
  for (const [morph, place] of places) {
    const values = new Float32Array(parts);
    for (let k = 0; k < parts; k++) values[k] = keys.values[k * all + place] ?? 0;
    yield { mesh: name, morph, interpolation: keys.interpolation, times: keys.times, values };
  }
}
