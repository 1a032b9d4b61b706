import type { Numbers } from '../src/base/math/quaternion.js';
import type { Vec3 } from '../src/base/math/vector.js';
import type { Rig } from '../src/body/rig.js';
import { isRole, type Role } from '../src/body/roles.js';
import type { RigMap } from '../src/map/rig-map.js';
import type { Clip, Interpolation, Track } from '../src/scene/clip.js';
import { poseAt } from '../src/scene/clip.js';
import { type ModelPose, modelPoseOf } from '../src/scene/pose.js';
import type { Scene } from '../src/scene/scene.js';
import { createSkeleton, JOINT, type JointDescription, type Skeleton } from '../src/scene/skeleton.js';

/*
 * The smallest rigs on which the cores can be proved: random trees without names that mean anything, and a
 * human of stand-in joints. Quaternions here are plain tuples with their own product, so that what the
 * kernels compute is compared with something else.
 */

/** A quaternion as a tuple, xyzw. */
export type Quat = [number, number, number, number];

/** The identity. */
export const IDENTITY: Readonly<Quat> = [0, 0, 0, 1];

/** Degrees to radians. */
export const DEGREES = Math.PI / 180;

/** Random numbers from 0 to 1 that are the same on every run (Lehmer's generator). */
export function createRandom(seed: number): () => number {
  let state = (Math.abs(Math.trunc(seed)) % 2147483646) + 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return (state - 1) / 2147483646;
  };
}

/** The product of quaternions: the last turns first. */
export function times(...quats: readonly Readonly<Quat>[]): Quat {
  return quats.reduce<Quat>(
    ([ax, ay, az, aw], [bx, by, bz, bw]) => [
      aw * bx + ax * bw + ay * bz - az * by,
      aw * by - ax * bz + ay * bw + az * bx,
      aw * bz + ax * by - ay * bx + az * bw,
      aw * bw - ax * bx - ay * by - az * bz,
    ],
    [...IDENTITY],
  );
}

/** The inverse of a unit quaternion. */
export function inverse([x, y, z, w]: Readonly<Quat>): Quat {
  return [-x, -y, -z, w];
}

/** The turn by an angle in radians about an axis of any length. */
export function turn([x, y, z]: Readonly<Vec3>, angle: number): Quat {
  const k = Math.sin(angle / 2) / Math.hypot(x, y, z);
  return [x * k, y * k, z * k, Math.cos(angle / 2)];
}

/** A turn about a random axis by at most `most` radians. */
export function randomTurn(random: () => number, most = Math.PI): Quat {
  const axis: Vec3 = [random() - 0.5, random() - 0.5, random() - 0.5];
  return turn(Math.hypot(...axis) > 1e-3 ? axis : [1, 0, 0], (2 * random() - 1) * most);
}

/** v turned by q. */
export function turnVector(q: Readonly<Quat>, v: Readonly<Vec3>): Vec3 {
  const [x, y, z] = times(q, [v[0], v[1], v[2], 0], inverse(q));
  return [x, y, z];
}

/** The angle in radians between two turns, whatever their signs. */
export function angleBetween(a: Readonly<Quat>, b: Readonly<Quat>): number {
  const [x, y, z, w] = times(inverse(a), b);
  return 2 * Math.atan2(Math.hypot(x, y, z), Math.abs(w));
}

/** Reads a quaternion out of a flat store: number `n` of it. */
export function quatAt(values: Readonly<Numbers>, n: number): Quat {
  return [values[4 * n]!, values[4 * n + 1]!, values[4 * n + 2]!, values[4 * n + 3]!];
}

/** Reads a joint's model-space position. */
export function placeAt(model: ModelPose, joint: number): Vec3 {
  const o = 16 * joint + 12;
  return [model.matrices[o]!, model.matrices[o + 1]!, model.matrices[o + 2]!];
}

/** The distance of two points. */
export function distance(a: Readonly<Vec3>, b: Readonly<Vec3>): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** Where a clip puts a skeleton at a time, in model space. */
export function modelAt(skeleton: Skeleton, clip: Clip, time: number): ModelPose {
  return modelPoseOf(skeleton, poseAt(skeleton, clip, time));
}

/** A skeleton from joints in order; parents by index. */
export function skeletonOf(joints: readonly JointDescription[], name = 'rig'): Skeleton {
  return createSkeleton(name, joints, {
    declared: { up: '+Y', facing: '+Z', unit: 1 },
  }).skeleton;
}

/** A random tree of joints: names `prefix0`, `prefix1` …, each hanging on one before it. */
export function randomSkeleton(
  random: () => number,
  count: number,
  options: { parents?: readonly number[]; prefix?: string; scales?: boolean; mirrors?: boolean } = {},
): Skeleton {
  const joints = Array.from({ length: count }, (_, i): JointDescription => {
    const size = options.scales ? 0.5 + random() : 1;
    const mirror = options.mirrors && random() < 0.3 ? -1 : 1;
    return {
      name: `${options.prefix ?? 'joint'}${i}`,
      parent: options.parents?.[i] ?? Math.floor(random() * i) - (i === 0 ? 1 : 0),
      translation: [random() - 0.5, random(), random() - 0.5],
      rotation: randomTurn(random),
      scale: [size * mirror, size, size],
    };
  });
  return skeletonOf(joints, options.prefix ?? 'tree');
}

/** A rig of a skeleton as it stands: rest is the reference, roles as given, nothing guessed. */
export function plainRig(skeleton: Skeleton, joints: Partial<Record<Role, number>> = {}): Rig {
  const roleOf = new Map(Object.entries(joints).map(([role, joint]) => [joint, role as Role]));
  return {
    skeleton,
    guesses: skeleton.names.map((_, i) => ({
      role: roleOf.get(i) ?? null,
      confidence: 1,
      reason: 'as told',
    })),
    joints,
    reference: { kind: 'rest', pose: skeleton.rest, reason: 'as told' },
    space: {
      up: { direction: [0, 1, 0], confidence: 1, reason: 'as told' },
      facing: { direction: [0, 0, 1], confidence: 1, reason: 'as told' },
      unit: { metres: 1, confidence: 1, reason: 'as told' },
      height: 1.7,
    },
    floor: { height: 0, confidence: 1, reason: 'as told' },
    warnings: [],
  };
}

/** A map of joint pairs `[source, target]`; the first may be a list of joints whose turns are taken over. */
export function mapOf(
  pairs: readonly (readonly [number | readonly number[], number, (Role | undefined)?])[],
): RigMap {
  return {
    joints: pairs
      .map(([from, target, role]) => ({
        target,
        sources: typeof from === 'number' ? [from] : [...from],
        role: role ?? null,
        confidence: 1,
        reason: 'as told',
      }))
      .sort((a, b) => a.target - b.target),
    unmapped: { source: [], target: [] },
  };
}

/** The map that pairs joint with joint by index; the first one travels, as hips do. */
export function oneToOne(count: number): RigMap {
  return mapOf(Array.from({ length: count }, (_, i) => [i, i, i === 0 ? 'hips' : undefined] as const));
}

/** A clip of tracks, as long as its last key. */
export function clipOf(tracks: Track[], name = 'clip'): Clip {
  let duration = 0;
  for (const { times: keys } of tracks) duration = Math.max(duration, keys[keys.length - 1] ?? 0);
  return { name, duration, tracks, morphs: [] };
}

/** A rotation track from quaternions a key. */
export function rotationTrack(
  joint: number,
  keyTimes: readonly number[],
  quats: readonly Readonly<Quat>[],
  interpolation: Interpolation = 'linear',
): Track {
  return {
    joint,
    channel: 'rotation',
    interpolation,
    times: Float32Array.from(keyTimes),
    values: Float32Array.from(quats.flat()),
  };
}

/** A translation track from points a key. */
export function translationTrack(
  joint: number,
  keyTimes: readonly number[],
  points: readonly Readonly<Vec3>[],
  interpolation: Interpolation = 'linear',
): Track {
  return {
    joint,
    channel: 'translation',
    interpolation,
    times: Float32Array.from(keyTimes),
    values: Float32Array.from(points.flat()),
  };
}

/** Key times from 0 to `duration`, unevenly spread. */
export function unevenTimes(random: () => number, count: number, duration: number): number[] {
  const inner = Array.from({ length: Math.max(0, count - 2) }, (_, k) =>
    Math.fround(((k + 0.2 + 0.6 * random()) / Math.max(1, count - 2)) * 0.9 * duration + 0.05 * duration),
  );
  return [0, ...inner, Math.fround(duration)].slice(0, count);
}

/** A clip that turns the given joints about their rest by smooth random turns of at most `most` radians. */
export function randomClip(
  random: () => number,
  skeleton: Skeleton,
  options: {
    joints?: readonly number[];
    interpolation?: Interpolation;
    keys?: number;
    duration?: number;
    most?: number;
    travels?: number;
  } = {},
): Clip {
  const { interpolation = 'linear', keys = 9, duration = 2, most = 0.9 } = options;
  const tracks: Track[] = [];
  for (const joint of options.joints ?? skeleton.names.map((_, i) => i)) {
    const rest = quatAt(skeleton.rest.rotations, joint);
    const keyTimes = unevenTimes(random, keys, duration);
    const quats = keyTimes.flatMap((): Quat[] => {
      const value = times(rest, randomTurn(random, most));
      if (interpolation !== 'cubic') return [value];
      const slope = (): Quat => [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5];
      return [slope(), value, slope()];
    });
    tracks.push(rotationTrack(joint, keyTimes, quats, interpolation));
  }
  if (options.travels !== undefined) {
    const joint = options.travels;
    const keyTimes = unevenTimes(random, keys, duration);
    const at = (c: number) => skeleton.rest.translations[3 * joint + c]!;
    const points = keyTimes.flatMap((): Vec3[] => {
      const value: Vec3 = [at(0) + random() - 0.5, at(1) + 0.2 * random(), at(2) + random() - 0.5];
      if (interpolation !== 'cubic') return [value];
      const slope = (): Vec3 => [random() - 0.5, random() - 0.5, random() - 0.5];
      return [slope(), value, slope()];
    });
    tracks.push(translationTrack(joint, keyTimes, points, interpolation));
  }
  return { ...clipOf(tracks), duration: Math.fround(duration) };
}

/** How {@link tinyHuman} is built. */
export type TinyHumanOptions = {
  name?: string;
  /** How far the arms hang below the horizontal, in radians; 0 is a T-pose. */
  armsDown?: number;
  /** Length of the legs; 0.85 m if left out. */
  legs?: number;
  /** Length of the arms; 0.55 m if left out. */
  arms?: number;
  /** Number of spine joints between hips and neck, 1 to 5; 3 if left out. */
  spines?: number;
  /** A generator from which every joint gets axes of its own; all parallel to the model's if left out. */
  axes?: () => number;
  /** Whether index and little fingers show the plane of the palm. */
  fingers?: boolean;
  /** A joint above the hips on the floor. */
  root?: boolean;
  /** Whether the feet hang under the root instead of under the shins; needs `root`. */
  feetUnderRoot?: boolean;
  /** Changes the joints' names; roles stay known by the file's own word. */
  rename?: (name: string) => string;
};

const SPINE_ROLES: readonly (readonly Role[])[] = [
  ['spine'],
  ['spine', 'chest'],
  ['spine', 'chest', 'upperChest'],
];

/** A human of stand-in joints, about 1.7 m tall, that stands on the floor facing +Z; its roles are known. */
export function tinyHuman(options: TinyHumanOptions = {}): Skeleton {
  const { legs = 0.85, arms = 0.55, armsDown = 0, spines = 3 } = options;
  const hipHeight = legs + 0.08;
  const list: { name: string; parent: string | null; place: Vec3 }[] = [];
  const add = (name: string, parent: string | null, place: Vec3) => {
    list.push({ name, parent, place });
  };
  if (options.root) add('root', null, [0, 0, 0]);
  add('hips', options.root ? 'root' : null, [0, hipHeight, 0]);
  const names = SPINE_ROLES[spines - 1] ?? ['spine', 'mid1', 'mid2', 'mid3', 'chest'].slice(0, spines);
  names.forEach((name, n) => {
    add(name, n === 0 ? 'hips' : names[n - 1]!, [0, hipHeight + 0.1 + (0.35 * n) / spines, 0.01 * n]);
  });
  const top = names[names.length - 1]!;
  add('neck', top, [0, hipHeight + 0.5, 0]);
  add('head', 'neck', [0, hipHeight + 0.6, 0.02]);
  for (const [side, sign] of [
    ['left', 1],
    ['right', -1],
  ] as const) {
    const along = (d: number): Vec3 => [
      sign * (0.18 + Math.cos(armsDown) * d),
      hipHeight + 0.42 - Math.sin(armsDown) * d,
      0,
    ];
    add(`${side}Shoulder`, top, [sign * 0.04, hipHeight + 0.42, 0]);
    add(`${side}UpperArm`, `${side}Shoulder`, along(0));
    add(`${side}LowerArm`, `${side}UpperArm`, along(arms / 2));
    add(`${side}Hand`, `${side}LowerArm`, along(arms));
    add(`${side}MiddleProximal`, `${side}Hand`, along(arms + 0.09));
    for (const [finger, ahead] of [
      ['Index', 0.025],
      ['Little', -0.04],
    ] as const) {
      const [x, y] = along(arms + 0.085);
      if (options.fingers) add(`${side}${finger}Proximal`, `${side}Hand`, [x, y, ahead]);
    }
    add(`${side}UpperLeg`, 'hips', [sign * 0.1, hipHeight - 0.04, 0]);
    add(`${side}LowerLeg`, `${side}UpperLeg`, [sign * 0.1, hipHeight - 0.04 - legs / 2, 0.01]);
    add(`${side}Foot`, options.feetUnderRoot ? 'root' : `${side}LowerLeg`, [
      sign * 0.1,
      hipHeight - 0.04 - legs,
      0,
    ]);
    add(`${side}Toes`, `${side}Foot`, [sign * 0.1, 0.02, 0.13]);
  }
  const at = new Map(list.map(({ name }, i) => [name, i]));
  const turns = list.map(() => (options.axes ? randomTurn(options.axes) : [...IDENTITY]) as Quat);
  const joints = list.map(({ name, parent, place }, i): JointDescription => {
    const p = parent === null ? -1 : at.get(parent)!;
    const from = p < 0 ? [0, 0, 0] : list[p]!.place;
    const offset: Vec3 = [place[0] - from[0]!, place[1] - from[1]!, place[2] - from[2]!];
    const undo = p < 0 ? IDENTITY : inverse(turns[p]!);
    return {
      name: options.rename?.(name) ?? name,
      parent: p,
      translation: turnVector(undo, offset),
      rotation: times(undo, turns[i]!),
      flags: JOINT,
    };
  });
  const { skeleton, order } = createSkeleton(options.name ?? 'human', joints, {
    declared: { up: '+Y', facing: '+Z', unit: 1 },
  });
  skeleton.metadataRoles = Object.fromEntries(
    list.flatMap(({ name }, i) => (isRole(name) ? [[name, order[i]!]] : [])),
  );
  return skeleton;
}

/** The joint of a {@link tinyHuman} that plays a role. */
export function jointOf(skeleton: Skeleton, role: Role): number {
  return skeleton.metadataRoles![role]!;
}

/** A scene of one character. */
export function sceneOf(skeleton: Skeleton, clips: Clip[] = [], morphs: Scene['morphs'] = []): Scene {
  return {
    format: 'glb',
    name: skeleton.name,
    characters: [{ skeleton, clips }],
    morphs,
    document: null,
    warnings: [],
  };
}
