import type { Vec3 } from '../src/base/math/vector.js';
import { type Clip, sampleClip, type Track } from '../src/scene/clip.js';
import { copyPose, createModelPose, createPose, localToModel, type Pose } from '../src/scene/pose.js';
import type { Character } from '../src/scene/scene.js';
import { type Axis, copySkeleton, JOINT, type Skeleton } from '../src/scene/skeleton.js';
import { over, times, turn, turned } from './stick-figure.js';

/*
 * The same body and the same motion, written down otherwise: each function gives a new character whose joints
 * move through the world exactly as before (up to the turn, scale or shift that it names), in another
 * convention. The given character is never changed.
 */

/** A character written down otherwise, and where each joint of the original now stands. */
export type Reexpressed = Character & { places: Int32Array };

const NONE = Float64Array.of(0, 0, 0, 1);
const at4 = (values: ArrayLike<number>, i: number) =>
  Float64Array.of(values[i]!, values[i + 1]!, values[i + 2]!, values[i + 3]!);
const at3 = (values: ArrayLike<number>, i: number): Vec3 => [values[i]!, values[i + 1]!, values[i + 2]!];

function copyOf({ skeleton, clips }: Character): Character {
  return {
    skeleton: copySkeleton(skeleton),
    clips: clips.map((clip) => ({
      ...clip,
      tracks: clip.tracks.map((track) => ({ ...track, values: Float64Array.from(track.values) })),
    })),
  };
}

function unmoved(character: Character): Reexpressed {
  return { ...character, places: Int32Array.from(character.skeleton.names, (_, i) => i) };
}

/** Runs over every value of a track, tangents included; `tangent` tells which it is. */
function eachValue(track: Track, change: (at: number, tangent: boolean) => void): void {
  const size = track.channel === 'rotation' ? 4 : 3;
  for (let i = 0; i < track.values.length; i += size)
    change(i, track.interpolation === 'cubic' && (i / size) % 3 !== 1);
}

const posesOf = ({ rest, bind }: Skeleton): Pose[] => (bind ? [rest, bind] : [rest]);

const isUniform = (scales: ArrayLike<number>, i: number) =>
  Math.abs(scales[i]! - scales[i + 1]!) < 1e-6 * Math.abs(scales[i]!) &&
  Math.abs(scales[i]! - scales[i + 2]!) < 1e-6 * Math.abs(scales[i]!);

/**
 * Other bone axes: G' = G · C with one constant C per joint, so L' = C_parent⁻¹ · L · C and t' = C_parent⁻¹ · t.
 * Joints that are not uniformly scaled keep theirs, since C would have to go through the scale.
 */
export function withOtherAxes(
  original: Character,
  axes: (joint: number) => Float64Array = (joint) =>
    turn([1 + (joint % 3), (joint * 7) % 5, 2], 40 + 53 * joint),
): Reexpressed {
  const character = copyOf(original);
  const { skeleton, clips } = character;
  const scaled = new Set<number>();
  skeleton.names.forEach((_, joint) => {
    if (posesOf(skeleton).some(({ scales }) => !isUniform(scales, 3 * joint))) scaled.add(joint);
  });
  for (const { tracks } of clips)
    for (const track of tracks)
      if (track.channel === 'scale')
        eachValue(track, (i) => {
          if (!isUniform(track.values, i)) scaled.add(track.joint);
        });
  const constants = skeleton.names.map((_, joint) => (scaled.has(joint) ? NONE : axes(joint)));
  const parentInverse = (joint: number) => {
    const parent = skeleton.parents[joint]!;
    return parent < 0 ? NONE : over(constants[parent]!, NONE);
  };
  for (const pose of posesOf(skeleton))
    skeleton.names.forEach((_, joint) => {
      const before = parentInverse(joint);
      pose.rotations.set(times(times(before, at4(pose.rotations, 4 * joint)), constants[joint]!), 4 * joint);
      pose.translations.set(turned(before, at3(pose.translations, 3 * joint)), 3 * joint);
    });
  for (const { tracks } of clips)
    for (const track of tracks) {
      const before = parentInverse(track.joint);
      if (track.channel === 'rotation')
        eachValue(track, (i) => {
          track.values.set(times(times(before, at4(track.values, i)), constants[track.joint]!), i);
        });
      else if (track.channel === 'translation')
        eachValue(track, (i) => {
          track.values.set(turned(before, at3(track.values, i)), i);
        });
    }
  skeleton.hulls?.forEach((hull, joint) => {
    if (!hull) return;
    const back = over(constants[joint]!, NONE);
    for (let i = 0; i < hull.length; i += 3) hull.set(turned(back, at3(hull, i)), i);
  });
  const { bonds } = skeleton;
  if (bonds)
    constants.forEach((constant, joint) => {
      bonds.centres.set(turned(over(constant, NONE), at3(bonds.centres, 3 * joint)), 3 * joint);
    });
  return unmoved(character);
}

/**
 * Another rest (and bind) pose: each given joint is turned by a turn about the file's axes, all below it with
 * it. Clips say what they said: joints without rotation keys get one that holds the old rest.
 */
export function withOtherRest(original: Character, turns: ReadonlyMap<number, Float64Array>): Reexpressed {
  const character = copyOf(original);
  const { skeleton, clips } = character;
  for (const clip of clips)
    for (const joint of turns.keys())
      if (!clip.tracks.some((track) => track.joint === joint && track.channel === 'rotation'))
        clip.tracks.push({
          joint,
          channel: 'rotation',
          interpolation: 'linear',
          times: Float32Array.of(0),
          values: at4(skeleton.rest.rotations, 4 * joint),
        });
  for (const pose of posesOf(skeleton)) {
    const model = createModelPose(skeleton.names.length);
    localToModel(
      model,
      { ...skeleton, container: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1) },
      pose,
    );
    for (const [joint, q] of turns) {
      const parent = skeleton.parents[joint]!;
      const above = parent < 0 ? NONE : at4(model.rotations, 4 * parent);
      const local = times(times(over(above, q), above), at4(pose.rotations, 4 * joint));
      pose.rotations.set(local, 4 * joint);
    }
  }
  return unmoved(character);
}

/** All joints once more behind a new one at `index`, whose parent is `parent`; `adopt` says who hangs on it. */
function insertJoint(
  original: Character,
  index: number,
  parent: number,
  name: string,
  adopt: (joint: number) => boolean,
): { character: Character; places: Int32Array } {
  const { skeleton, clips } = original;
  const places = Int32Array.from(skeleton.names, (_, i) => (i < index ? i : i + 1));
  const count = skeleton.names.length + 1;
  const newPlace = (joint: number) => (joint < 0 ? -1 : places[joint]!);
  const poseOf = (pose: Pose): Pose => {
    const out = createPose(count);
    places.forEach((to, from) => {
      out.translations.set(pose.translations.subarray(3 * from, 3 * from + 3), 3 * to);
      out.rotations.set(pose.rotations.subarray(4 * from, 4 * from + 4), 4 * to);
      out.scales.set(pose.scales.subarray(3 * from, 3 * from + 3), 3 * to);
    });
    return out;
  };
  const names = [...skeleton.names];
  names.splice(index, 0, name);
  const parents = new Int32Array(count);
  const flags = new Uint8Array(count).fill(JOINT);
  const fileIndices = new Int32Array(count);
  places.forEach((to, from) => {
    parents[to] = adopt(from) ? index : newPlace(skeleton.parents[from]!);
    flags[to] = skeleton.flags[from]!;
    fileIndices[to] = skeleton.fileIndices[from]!;
  });
  parents[index] = newPlace(parent);
  fileIndices[index] = Math.max(...skeleton.fileIndices) + 1;
  const hulls = skeleton.hulls && [...skeleton.hulls];
  hulls?.splice(index, 0, null);
  const bonds = skeleton.bonds && {
    joints: skeleton.bonds.joints.map(newPlace),
    strengths: skeleton.bonds.strengths,
    weights: new Float64Array(count),
    centres: new Float64Array(3 * count),
  };
  places.forEach((to, from) => {
    bonds?.weights.set(skeleton.bonds!.weights.subarray(from, from + 1), to);
    bonds?.centres.set(skeleton.bonds!.centres.subarray(3 * from, 3 * from + 3), 3 * to);
  });
  const roles = skeleton.metadataRoles;
  return {
    places,
    character: {
      skeleton: {
        ...skeleton,
        names,
        parents,
        flags,
        fileIndices,
        rest: poseOf(skeleton.rest),
        ...(skeleton.bind && { bind: poseOf(skeleton.bind) }),
        ...(hulls && { hulls }),
        ...(bonds && { bonds }),
        ...(roles && {
          metadataRoles: Object.fromEntries(
            Object.entries(roles).map(([role, joint]) => [role, newPlace(joint)]),
          ),
        }),
      },
      clips: clips.map((clip) => ({
        ...clip,
        tracks: clip.tracks.map((track) => ({ ...track, joint: newPlace(track.joint) })),
      })),
    },
  };
}

/**
 * A twist joint half way between a joint and one of its children. With `share` it takes half of the joint's
 * turn about the bone in every pose, as twist joints do; else it stands still.
 */
export function withTwistJoint(original: Character, child: number, share: boolean): Reexpressed {
  const { character, places } = insertJoint(
    copyOf(original),
    child,
    original.skeleton.parents[child]!,
    `${original.skeleton.names[original.skeleton.parents[child]!]}_twist`,
    (joint) => joint === child,
  );
  const { skeleton, clips } = character;
  const to = places[child]!;
  for (const pose of posesOf(skeleton))
    for (let c = 0; c < 3; c++) {
      const whole = pose.translations[3 * to + c]!;
      pose.translations[3 * child + c] = whole / 2;
      pose.translations[3 * to + c] = whole / 2;
    }
  for (const clip of clips)
    for (const track of clip.tracks)
      if (track.joint === to && track.channel === 'translation')
        eachValue(track, (i, tangent) => {
          for (let c = 0; c < 3; c++)
            track.values[i + c] =
              track.values[i + c]! - (tangent ? 0 : skeleton.rest.translations[3 * child + c]!);
        });
  if (share) {
    const carrier = skeleton.parents[child]!;
    const bone = at3(skeleton.rest.translations, 3 * to);
    const rest = at4(skeleton.rest.rotations, 4 * carrier);
    for (const clip of clips) {
      const track = clip.tracks.find(({ joint, channel }) => joint === carrier && channel === 'rotation');
      if (!track || track.interpolation === 'cubic') continue;
      const shared = new Float64Array(track.values.length);
      for (let i = 0; i < track.values.length; i += 4) {
        // The turn from rest, about the bone: q = rest · d, and half of d's twist goes to the new joint.
        const d = over(rest, at4(track.values, i));
        const length = Math.hypot(...bone);
        const along = (d[0]! * bone[0] + d[1]! * bone[1] + d[2]! * bone[2]) / length;
        let angle = 2 * Math.atan2(along, d[3]!);
        if (angle > Math.PI) angle -= 2 * Math.PI;
        if (angle < -Math.PI) angle += 2 * Math.PI;
        const half = turn(bone, (angle * 90) / Math.PI);
        track.values.set(times(at4(track.values, i), over(half, NONE)), i);
        shared.set(half, i);
      }
      clip.tracks.push({ ...track, joint: child, values: shared });
    }
  }
  return { ...character, places };
}

/** The whole file turned about its origin, roots and their keys, with what it says of its axes. */
export function withTurnedFile(
  original: Character,
  q: Float64Array,
  declared?: Partial<Skeleton['declared']>,
): Reexpressed {
  const character = copyOf(original);
  const { skeleton, clips } = character;
  const isRoot = (joint: number) => skeleton.parents[joint]! < 0;
  for (const pose of posesOf(skeleton))
    skeleton.names.forEach((_, joint) => {
      if (!isRoot(joint)) return;
      pose.rotations.set(times(q, at4(pose.rotations, 4 * joint)), 4 * joint);
      pose.translations.set(turned(q, at3(pose.translations, 3 * joint)), 3 * joint);
    });
  for (const { tracks } of clips)
    for (const track of tracks.filter(({ joint }) => isRoot(joint))) {
      if (track.channel === 'rotation')
        eachValue(track, (i) => track.values.set(times(q, at4(track.values, i)), i));
      else if (track.channel === 'translation')
        eachValue(track, (i) => track.values.set(turned(q, at3(track.values, i)), i));
    }
  skeleton.declared = { ...skeleton.declared, ...declared };
  return unmoved(character);
}

function scaleAll(values: Float64Array | Float32Array, factor: number): void {
  for (let i = 0; i < values.length; i++) values[i] = values[i]! * factor;
}

/** All lengths in another unit: `factor` new units to the old one. `unit` is what the file says of it. */
export function withOtherUnit(original: Character, factor: number, unit: number | null): Reexpressed {
  const character = copyOf(original);
  const { skeleton, clips } = character;
  for (const pose of posesOf(skeleton)) scaleAll(pose.translations, factor);
  for (const { tracks } of clips)
    for (const { channel, values } of tracks) if (channel === 'translation') scaleAll(values, factor);
  for (const hull of skeleton.hulls ?? []) if (hull) scaleAll(hull, factor);
  if (skeleton.bonds) scaleAll(skeleton.bonds.centres, factor);
  skeleton.declared = { ...skeleton.declared, unit };
  return unmoved(character);
}

/** A new node above all roots that is turned, scaled and moved: the file's body stands otherwise in its scene. */
export function underNode(
  original: Character,
  node: { translation?: Vec3; rotation?: Float64Array; scale?: Vec3; name?: string },
): Reexpressed {
  const { character, places } = insertJoint(
    copyOf(original),
    0,
    -1,
    node.name ?? 'Stage',
    (joint) => original.skeleton.parents[joint]! < 0,
  );
  const { skeleton } = character;
  skeleton.flags[0] = 0;
  for (const pose of posesOf(skeleton)) {
    pose.translations.set(node.translation ?? [0, 0, 0], 0);
    pose.rotations.set(node.rotation ?? NONE, 0);
    pose.scales.set(node.scale ?? [1, 1, 1], 0);
  }
  return { ...character, places };
}

/** Composes re-expressions: the second applied to what the first gave. */
export function andThen(first: Reexpressed, change: (character: Character) => Reexpressed): Reexpressed {
  const second = change(first);
  return { ...second, places: first.places.map((place) => second.places[place]!) };
}

/** A non-uniform scale above the body that a node below it takes back: the world does not change. */
export function underCancelledScale(original: Character, scale: Vec3): Reexpressed {
  const inner = underNode(original, { scale: [1 / scale[0], 1 / scale[1], 1 / scale[2]], name: 'Inner' });
  return andThen(inner, (character) => underNode(character, { scale, name: 'Outer' }));
}

/**
 * A moving node above the roots, with the roots' keys taken back by as much at every key: the world does not
 * move otherwise at the times of `frames`.
 */
export function underMovingNode(
  original: Character,
  move: (time: number) => { translation: Vec3; rotation: Float64Array },
): Reexpressed {
  const roots = original.skeleton.names.map((_, i) => i).filter((i) => original.skeleton.parents[i]! < 0);
  const { character, places } = insertJoint(copyOf(original), 0, -1, 'Stage', (joint) =>
    roots.includes(joint),
  );
  const { skeleton, clips } = character;
  skeleton.flags[0] = JOINT;
  clips.forEach((clip, n) => {
    // The clip's own keys, and 60 a second between them.
    const grid = Array.from({ length: Math.floor(clip.duration * 60) + 1 }, (_, k) => k / 60);
    const all = new Set([...grid, ...clip.tracks.flatMap(({ times }) => Array.from(times))]);
    const keys = Float64Array.from([...all].sort((a, b) => a - b));
    const track = (joint: number, channel: Track['channel'], size: number): Track => ({
      joint,
      channel,
      interpolation: 'linear',
      times: keys,
      values: new Float64Array(size * keys.length),
    });
    const own = [track(0, 'translation', 3), track(0, 'rotation', 4)];
    const pose = copyPose(original.skeleton.rest);
    const theirs = roots.map((root) => [
      track(places[root]!, 'translation', 3),
      track(places[root]!, 'rotation', 4),
    ]);
    keys.forEach((time, k) => {
      sampleClip(pose, original.clips[n]!, time);
      const { translation, rotation } = move(time);
      own[0]!.values.set(translation, 3 * k);
      own[1]!.values.set(rotation, 4 * k);
      const back = over(rotation, NONE);
      roots.forEach((root, r) => {
        const p = at3(pose.translations, 3 * root);
        const offset: Vec3 = [p[0] - translation[0], p[1] - translation[1], p[2] - translation[2]];
        theirs[r]![0]!.values.set(turned(back, offset), 3 * k);
        theirs[r]![1]!.values.set(times(back, at4(pose.rotations, 4 * root)), 4 * k);
      });
    });
    const isRoot = new Set(roots.map((root) => places[root]!));
    clip.tracks = [
      ...own,
      ...theirs.flat(),
      ...clip.tracks.filter(({ joint, channel }) => !(isRoot.has(joint) && channel !== 'scale')),
    ];
  });
  return { ...character, places };
}

/** The positions of joints over a clip, xyz after xyz, instant after instant, in the skeleton's model space. */
export function worldMotion(
  skeleton: Skeleton,
  clip: Clip,
  instants: ArrayLike<number>,
  joints: ArrayLike<number>,
): Float64Array {
  const pose = copyPose(skeleton.rest);
  const model = createModelPose(skeleton.names.length);
  const out = new Float64Array(3 * joints.length * instants.length);
  for (let k = 0; k < instants.length; k++) {
    sampleClip(pose, clip, instants[k]!);
    localToModel(model, skeleton, pose);
    for (let n = 0; n < joints.length; n++)
      for (let c = 0; c < 3; c++)
        out[3 * (k * joints.length + n) + c] = model.matrices[16 * joints[n]! + 12 + c]!;
  }
  return out;
}

/** The largest distance between two motions of the same joints, instant by instant. */
export function largestDistance(
  a: Float64Array,
  b: Float64Array,
  scale = 1,
  shift: Vec3 = [0, 0, 0],
): number {
  let most = 0;
  for (let i = 0; i < a.length; i += 3) {
    const d = Math.hypot(
      a[i]! - scale * (b[i]! - shift[0]),
      a[i + 1]! - scale * (b[i + 1]! - shift[1]),
      a[i + 2]! - scale * (b[i + 2]! - shift[2]),
    );
    // NaN must not look like no distance.
    if (!(d <= most)) most = Number.isNaN(d) ? Number.POSITIVE_INFINITY : d;
  }
  return most;
}

/** The signed axis that a turn takes +Y to, for files that name their up axis. */
export function upAfter(q: Float64Array): Axis {
  const v = turned(q, [0, 1, 0]);
  const c = [0, 1, 2].reduce((a, b) => (Math.abs(v[b as 0]) > Math.abs(v[a as 0]) ? b : a));
  return `${v[c as 0] > 0 ? '+' : '-'}${'XYZ'[c]}` as Axis;
}
