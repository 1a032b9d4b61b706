import { squared } from '../base/math/functions.js';
import { createMatrix, multiplyMatrices } from '../base/math/matrix.js';
import { type Vec3, vectorAt } from '../base/math/vector.js';
import { didWork } from '../base/watch-work.js';
import { isRole, mirrorRole } from '../body/roles.js';
import { checkScene } from '../scene/check-scene.js';
import type { Clip, Track } from '../scene/clip.js';
import { modelPoseOf, type Pose } from '../scene/pose.js';
import { recallSkeleton } from '../scene/recall-skeleton.js';
import type { Scene } from '../scene/scene.js';
import { type Axis, childrenOf, type Skeleton } from '../scene/skeleton.js';
import { mirrorBonds } from '../scene/skin-bonds.js';

/**
 * The mirror image of a scene: every character and clip as seen in a mirror, what was left being right.
 *
 * With M the reflection across a plane of the file's own axes, every joint's local transform L becomes
 * M · L · M, so every transform in model space is the reflected one: rotations (x, y, z, w) become
 * (x, −y, −z, w) for a reflection across x, translations change the sign of x, scales stay. The map is linear
 * in the keys, so sparse, stepped and cubic tracks keep their kind. Each joint takes the name and role of its
 * partner on the other side. What comes out is a body like any other, which can be retargeted onto any
 * character, the one it came from included: that is how a motion is mirrored, whatever the axes and the
 * asymmetries of a rig.
 *
 * The scene's document is not mirrored: this is a source to take motion from, not one to be written.
 */
export function mirrorScene(scene: Scene): Scene {
  checkScene(scene, 'scene');
  const otherMorph = partnersByName(scene.morphs.flatMap(({ names }) => names));
  return {
    ...scene,
    characters: scene.characters.map(({ skeleton, clips }) => {
      const axis = mirrorAxisOf(skeleton);
      return {
        skeleton: mirrorSkeleton(skeleton, axis),
        clips: clips.map((clip) => mirrorKeys(clip, axis, otherMorph)),
      };
    }),
    ...(scene.otherClips && { otherClips: scene.otherClips.map((clip) => mirrorKeys(clip, 0, otherMorph)) }),
  };
}

/** The axis across which a file is reflected: x, or z where x is up. Facing is read from the body afterwards. */
function mirrorAxisOf({ declared }: Skeleton): 0 | 2 {
  return declared.up === '+X' || declared.up === '-X' ? 2 : 0;
}

const AXIS_LETTERS = ['X', 'Y', 'Z'] as const;

function mirrorSkeleton(skeleton: Skeleton, axis: 0 | 2): Skeleton {
  const partners = findPartners(skeleton, axis);
  const reflection = createMatrix();
  reflection[5 * axis] = -1;
  const container = createMatrix();
  multiplyMatrices(container, 0, reflection, 0, skeleton.container, 0);
  multiplyMatrices(container, 0, container, 0, reflection, 0);
  const letter = AXIS_LETTERS[axis];
  const facing = skeleton.declared.facing;
  const mirrored: Axis | null =
    facing?.[1] === letter ? (`${facing[0] === '+' ? '-' : '+'}${letter}` as Axis) : facing;
  return {
    ...skeleton,
    names: skeleton.names.map((_, joint) => skeleton.names[partners[joint]!]!),
    rest: mirrorPose(skeleton.rest, axis),
    ...(skeleton.bind && { bind: mirrorPose(skeleton.bind, axis) }),
    container,
    declared: { ...skeleton.declared, facing: mirrored },
    ...(skeleton.hulls && {
      hulls: skeleton.hulls.map((hull) => hull?.map((value, i) => (i % 3 === axis ? -value : value)) ?? null),
    }),
    ...(skeleton.bonds && { bonds: mirrorBonds(skeleton.bonds, axis) }),
    ...(skeleton.metadataRoles && {
      metadataRoles: Object.fromEntries(
        Object.entries(skeleton.metadataRoles).map(([role, joint]) => [
          isRole(role) ? mirrorRole(role) : role,
          joint,
        ]),
      ),
    }),
  };
}

function mirrorPose(pose: Pose, axis: 0 | 2): Pose {
  return {
    translations: pose.translations.map((value, i) => (i % 3 === axis ? -value : value)),
    rotations: pose.rotations.map((value, i) => (isKept(i % 4, axis) ? value : -value)),
    scales: pose.scales.slice(),
  };
}

/** Whether a component of a quaternion survives the reflection: w does, and the turn about the axis across. */
function isKept(component: number, axis: 0 | 2): boolean {
  return component === 3 || component === axis;
}

function mirrorKeys(clip: Clip, axis: 0 | 2, otherMorph: ReadonlyMap<string, string>): Clip {
  const rotate = (values: Track['values']) =>
    values.map((value, i) => (isKept(i % 4, axis) ? value : -value)) as Track['values'];
  return {
    ...clip,
    tracks: clip.tracks.map((track) => {
      didWork(track.times.length);
      if (track.channel === 'rotation') return { ...track, values: rotate(track.values) };
      if (track.channel === 'scale') return { ...track, values: track.values.slice() };
      const values = track.values.map((value, i) => (i % 3 === axis ? -value : value)) as Track['values'];
      return { ...track, values };
    }),
    morphs: clip.morphs.map((track) => ({ ...track, morph: otherMorph.get(track.morph) ?? track.morph })),
    // A gaze is counted in a space of its own, in which left and right are x.
    ...(clip.gaze && {
      gaze: {
        ...clip.gaze,
        values: clip.gaze.values.map((value, i) => (isKept(i % 4, 0) ? value : -value)) as Track['values'],
      },
    }),
  };
}

/** Joints further from their partner's mirror image than this share of the body's height are none by place. */
const PARTNER_DISTANCE = 0.04;

/**
 * The partner of each joint across the body: by name where another joint has the same name with the sides
 * exchanged, else by place, among the children of the parent's partner. A joint in the middle, or without a
 * partner, is its own.
 */
export function findPartners(skeleton: Skeleton, axis: 0 | 2 = mirrorAxisOf(skeleton)): Int32Array {
  const { names, parents } = skeleton;
  const count = names.length;
  const partners = Int32Array.from({ length: count }, (_, i) => i);
  const byName = new Map<string, number>();
  names.forEach((name, joint) => {
    if (!byName.has(name)) byName.set(name, joint);
  });
  const { matrices } = modelPoseOf(
    { ...skeleton, container: createMatrix() },
    skeleton.bind ?? skeleton.rest,
  );
  const places = names.map((_, i): Vec3 => vectorAt(matrices, 16 * i + 12));
  const height = Math.max(
    1e-9,
    ...[0, 1, 2].map((c) => {
      const values = places.map((place) => place[c]!).filter(Number.isFinite);
      return values.reduce((a, b) => Math.max(a, b), -1e300) - values.reduce((a, b) => Math.min(a, b), 1e300);
    }),
  );
  const middle = middleOf(places, parents, axis);
  const isTaken = new Uint8Array(count);
  const named = new Map([...partnersByName(names)].map(([a, b]) => [byName.get(a)!, byName.get(b)!]));
  for (const [joint, other] of named) {
    partners[joint] = other;
    isTaken[joint] = 1;
  }
  const sides = names.map(sideInName);
  const children = childrenOf(skeleton);
  const roots = [...parents.keys()].filter((joint) => parents[joint]! < 0);
  for (let joint = 0; joint < count; joint++) {
    if (isTaken[joint]) continue;
    const parent = parents[joint]! < 0 ? -1 : partners[parents[joint]!]!;
    const side = sides[joint]!;
    let best = joint;
    // Names that say opposite sides are partners however the body stands ("Lefthand" and "RightHand").
    let nearest = side === 0 ? squared(PARTNER_DISTANCE * height) : Number.POSITIVE_INFINITY;
    const [x, y, z] = places[joint]!;
    const others = parent < 0 ? roots : children[parent]!;
    didWork(0.05 * others.length);
    for (const other of others) {
      if (isTaken[other] || sides[other] !== -side) continue;
      const place = places[other]!;
      const across = (axis === 0 ? x : z) + place[axis] - 2 * middle;
      const along = axis === 0 ? z - place[2] : x - place[0];
      const gap = across * across + along * along + squared(y - place[1]);
      if (gap < nearest) {
        nearest = gap;
        best = other;
      }
    }
    partners[joint] = best;
    partners[best] = joint;
    isTaken[joint] = 1;
    isTaken[best] = 1;
  }
  return partners;
}

/** Where the mirror plane crosses its axis: at the root of the body, which is the first joint that parts. */
function middleOf(places: readonly Vec3[], parents: Int32Array, axis: 0 | 2): number {
  const children = new Int32Array(places.length);
  parents.forEach((parent) => {
    if (parent >= 0) children[parent] = children[parent]! + 1;
  });
  const parting = children.findIndex((number) => number > 1);
  return places[Math.max(parting, 0)]?.[axis] ?? 0;
}

/** How names say their side; the first group is left or right, in one of these spellings. */
const SIDE_WORDS: readonly (readonly [RegExp, Readonly<Record<string, string>>])[] = [
  [/left|right/gi, { left: 'right', right: 'left' }],
  [/(?<![a-z])(?:lft|rgt)(?![a-z])/gi, { lft: 'rgt', rgt: 'lft' }],
  [/左|右/g, { 左: '右', 右: '左' }],
  [/(?<![a-zA-Z])[lrLR](?![a-zA-Z])/g, { l: 'r', r: 'l' }],
  [/(?<![a-zA-Z])[lrLR](?=[A-Z])|(?<=[a-z])[LR](?![a-z])/g, { l: 'r', r: 'l' }],
];

/** −1 where a name says left, 1 where it says right, 0 where it says neither. */
function sideInName(name: string): -1 | 0 | 1 {
  for (const [pattern] of SIDE_WORDS) {
    const [word] = name.match(pattern) ?? [];
    if (word) return /^(?:l|左)/i.test(word) ? -1 : 1;
  }
  return 0;
}

/** Pairs of names that differ by their side alone, each way. */
export function partnersByName(names: readonly string[]): Map<string, string> {
  const all = new Set(names);
  const pairs = new Map<string, string>();
  for (const name of all) {
    for (const [pattern, other] of SIDE_WORDS) {
      const swapped = name.replace(pattern, (word) => likeCase(word, other[word.toLowerCase()] ?? word));
      if (swapped !== name && all.has(swapped)) {
        pairs.set(name, swapped);
        break;
      }
    }
  }
  return pairs;
}

function likeCase(pattern: string, word: string): string {
  if (pattern === pattern.toLowerCase()) return word;
  if (pattern === pattern.toUpperCase()) return word.toUpperCase();
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** A scene in the mirror. Its skeletons are the objects of the last time where they are the same, and so what is known of them. */
export function mirrorKnownScene(scene: Scene): Scene {
  const mirrored = mirrorScene(scene);
  const characters = mirrored.characters.map(({ skeleton, clips }, i) => ({
    skeleton: recallSkeleton(scene.characters[i]!.skeleton, skeleton),
    clips,
  }));
  return { ...mirrored, characters };
}
