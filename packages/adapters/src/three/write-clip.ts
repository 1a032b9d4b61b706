import type { Clip, Track } from '@stuntdouble/core';
import {
  AnimationClip,
  InterpolateDiscrete,
  InterpolateLinear,
  type KeyframeTrack,
  NumberKeyframeTrack,
  type Object3D,
  QuaternionKeyframeTrack,
  type SkinnedMesh,
  VectorKeyframeTrack,
} from 'three';
import type { ResolvedObject } from './animated-object.js';
import { makeCubic } from './cubic-track.js';
import type { MorphMesh } from './morph-meshes.js';
import type { ObjectCharacter } from './read-character.js';
import { createNodeFinder, parseTrackName } from './track-names.js';

const PROPERTIES = { translation: 'position', rotation: 'quaternion', scale: 'scale' } as const;

/**
 * Names objects for tracks, each once: by their names where a name leads to its object, so that clips also play on
 * copies of the character; else by place among the bones of a skinned mesh, or by uuid.
 */
export function createTrackNamer(resolved: ResolvedObject): (object: Object3D) => string {
  const names = new Map<Object3D, string>();
  const find = createNodeFinder(resolved.root);
  return (object) => {
    const name = names.get(object) ?? findTrackName(resolved, object, find);
    names.set(object, name);
    return name;
  };
}

/**
 * Makes a clip of three's from keys of a skeleton, for a mixer on `resolved.root`: cubic keys with their
 * tangents, morph weights on every mesh that has them.
 * @param nameOf What tracks call their objects, see {@link createTrackNamer}.
 */
export function writeClip(
  clip: Clip,
  { resolved, objects }: Pick<ObjectCharacter, 'resolved' | 'objects'>,
  morphMeshes: readonly MorphMesh[],
  nameOf: (object: Object3D) => string,
): AnimationClip {
  const tracks = clip.tracks.map((track) => {
    const Keys = track.channel === 'rotation' ? QuaternionKeyframeTrack : VectorKeyframeTrack;
    const name = `${nameOf(objects[track.joint]!)}.${PROPERTIES[track.channel]}`;
    return finish(new Keys(name, track.times, track.values), track);
  });
  for (const track of clip.morphs) {
    const entry = morphMeshes.find(({ name, morphs }) => name === track.mesh && morphs.includes(track.morph));
    if (!entry) continue;
    const targets =
      entry.meshes.length > 0
        ? entry.meshes.map(
            (mesh) =>
              `${nameOf(mesh)}.morphTargetInfluences[${morphKey(mesh.morphTargetDictionary!, track.morph)}]`,
          )
        : (resolved.vrm?.expressionManager?.expressions ?? [])
            .filter(({ expressionName }) => expressionName === track.morph)
            .map((expression) => `${nameOf(expression)}.weight`);
    for (const name of targets)
      tracks.push(finish(new NumberKeyframeTrack(name, track.times, track.values), track));
  }
  return new AnimationClip(clip.name, clip.duration, tracks);
}

function finish(track: KeyframeTrack, { interpolation }: Pick<Track, 'interpolation'>): KeyframeTrack {
  if (interpolation === 'cubic') makeCubic(track);
  else track.setInterpolation(interpolation === 'step' ? InterpolateDiscrete : InterpolateLinear);
  return track;
}

/** A morph by its name, or by its place where a track's name could not hold it. */
function morphKey(dictionary: Record<string, number>, morph: string): string {
  return /[[\]]/.test(morph) || morph === '' ? String(dictionary[morph]) : morph;
}

/** What leads three's mixer from the root to an object and to no other. */
function findTrackName(
  { root }: ResolvedObject,
  object: Object3D,
  find: (name: string) => Object3D | null,
): string {
  const { name } = object;
  const parsed = name === '' ? null : parseTrackName(`${name}.position`);
  if (parsed?.nodeName === name && parsed.objectName === undefined && find(name) === object) return name;
  const bones = (root as SkinnedMesh).skeleton?.bones ?? [];
  const place = bones.indexOf(object as (typeof bones)[number]);
  // A bone that is itself named by a number would be found before the place is.
  if (place >= 0 && bones.every(({ name }) => name !== String(place))) return `.bones[${place}]`;
  return object.uuid;
}
