import { addToList } from '../base/add-to-list.js';
import { UsageError } from '../base/errors.js';
import { composeMatrix, createMatrix, decomposeMatrix, multiplyMatrices } from '../base/math/matrix.js';
import { makeQuaternionsContinuous, quaternionAngle, slerpQuaternions } from '../base/math/quaternion.js';
import type { Warning } from '../base/warnings.js';
import { type Channel, type Clip, sampleTrack, type Track } from '../scene/clip.js';
import { findJoint, jointLabel } from '../scene/joint-names.js';
import { copyPose, createPose, type Pose } from '../scene/pose.js';
import type { Skeleton } from '../scene/skeleton.js';
import type { ReshapeNode } from './reshape-script.js';

/** A skeleton rebuilt with fewer joints, and how each of its joints is made of the old ones. */
export type Reshaping = {
  skeleton: Skeleton;
  original: Skeleton;
  /** Per new joint the old ones whose transforms, multiplied in this order, are its own; the last one is its place. */
  paths: Int32Array[];
  warnings: Warning[];
};

/**
 * Rebuilds a skeleton with fewer joints (S21). Every joint that stays is where it was and turned as it was, in
 * every pose: the transforms of the joints between it and the next that stays above, of those above the first
 * as well, are worked into its own. What hung on joints that go is gone, and hulls move to the next joint above.
 * @param keep labels of the joints that stay, or nodes of a script (see `readReshapeScript`).
 * @throws UsageError where nothing stays, a joint is not there or listed twice, or a script puts a joint under
 * one that its own do not hang on.
 */
export function reshapeSkeleton(
  skeleton: Skeleton,
  keep: readonly string[] | readonly ReshapeNode[],
): Reshaping {
  if (keep.length === 0) throw new UsageError(`no joint of "${skeleton.name}" is to stay`);
  const nodes = isLabels(keep) ? nodesOfLabels(skeleton, keep) : nodesOfScript(skeleton, keep);
  const paths = nodes.map(({ joint, parent }) =>
    pathTo(skeleton, joint, parent < 0 ? -1 : nodes[parent]!.joint),
  );
  const warnings: Warning[] = [];
  const sheared = new Set<number>();
  for (const path of paths)
    for (const joint of path.slice(0, -1)) if (isUneven(skeleton.rest.scales, 3 * joint)) sheared.add(joint);
  for (const joint of sheared)
    warnings.push({
      code: 'feature-ignored',
      joint: skeleton.names[joint]!,
      message: `"${skeleton.names[joint]}" is scaled unevenly; what that shears cannot be kept once it is gone`,
    });
  const places = new Map(nodes.map(({ joint }, i) => [joint, i]));
  const reshaped: Skeleton = {
    name: skeleton.name,
    names: nodes.map(({ name }) => name),
    parents: Int32Array.from(nodes, ({ parent }) => parent),
    fileIndices: Int32Array.from(nodes.keys()),
    flags: Uint8Array.from(nodes, ({ joint }) => skeleton.flags[joint]!),
    rest: foldPose(paths, skeleton.rest),
    container: skeleton.container.slice(),
    declared: { ...skeleton.declared },
    ...(skeleton.bind && { bind: foldPose(paths, skeleton.bind) }),
  };
  if (skeleton.metadataRoles) {
    const roles = Object.entries(skeleton.metadataRoles).flatMap(([role, joint]) =>
      places.has(joint) ? [[role, places.get(joint)!] as const] : [],
    );
    reshaped.metadataRoles = Object.fromEntries(roles);
  }
  if (skeleton.hulls) reshaped.hulls = foldHulls(skeleton, places);
  return { skeleton: reshaped, original: skeleton, paths, warnings };
}

/** How far keys may lie off between themselves: turns in radians, moves in parts of the skeleton's size. */
const RESHAPE_TOLERANCE = { turn: 2e-4, move: 1e-5 };
/** So many times a stretch between two keys is halved at most. */
const MOST_HALVINGS = 6;

/**
 * Moves a clip onto the skeleton that it was reshaped to. Tracks of joints that nothing was worked into stay
 * as they are; the others get keys where any of their joints had one, and between them where a straight way
 * would miss. Morph weights stay.
 */
export function reshapeClip({ original, paths }: Reshaping, clip: Clip): Clip {
  const byJoint = new Map<number, Track[]>();
  for (const track of clip.tracks) if (track.times.length > 0) addToList(byJoint, track.joint, track);
  const size = Math.max(1e-9, ...original.rest.translations.map(Math.abs));
  const tracks: Track[] = [];
  paths.forEach((path, joint) => {
    const used = Array.from(path).flatMap((old) => byJoint.get(old) ?? []);
    if (used.length === 0) return;
    if (path.length === 1) tracks.push(...used.map((track) => ({ ...track, joint })));
    else tracks.push(...foldTracks(original, path, used, joint, size));
  });
  return { ...clip, tracks };
}

function isLabels(keep: readonly string[] | readonly ReshapeNode[]): keep is readonly string[] {
  return typeof keep[0] === 'string';
}

type Node = { name: string; joint: number; parent: number };

function nodesOfLabels(skeleton: Skeleton, labels: readonly string[]): Node[] {
  const kept = new Set<number>();
  for (const label of labels) {
    const joint = jointAt(skeleton, label);
    if (kept.has(joint)) throw new UsageError(`"${label}" is listed twice`);
    kept.add(joint);
  }
  const joints = [...kept].sort((a, b) => a - b);
  const places = new Map(joints.map((joint, i) => [joint, i]));
  return joints.map((joint) => {
    let above = skeleton.parents[joint]!;
    while (above >= 0 && !places.has(above)) above = skeleton.parents[above]!;
    return { name: skeleton.names[joint]!, joint, parent: above < 0 ? -1 : places.get(above)! };
  });
}

function nodesOfScript(skeleton: Skeleton, script: readonly ReshapeNode[]): Node[] {
  const nodes: Node[] = [];
  const names = new Set<string>();
  const joints = new Set<number>();
  for (const { name, sources, parent } of script) {
    if (names.has(name)) throw new UsageError(`the script names "${name}" twice`);
    names.add(name);
    const own = sources.map((label) => jointAt(skeleton, label));
    own.forEach((joint, k) => {
      if (k > 0 && !isBelow(skeleton, joint, own[k - 1]!))
        throw new UsageError(
          `"${name}" is made of "${sources[k]}" after "${sources[k - 1]}", but the first does not hang on the second`,
        );
    });
    const joint = own[own.length - 1]!;
    if (joints.has(joint))
      throw new UsageError(`"${sources[sources.length - 1]}" makes two joints, which it cannot`);
    joints.add(joint);
    if (parent >= 0 && !isBelow(skeleton, joint, nodes[parent]!.joint))
      throw new UsageError(
        `"${name}" stands under "${nodes[parent]!.name}", but "${sources[sources.length - 1]}" does not hang on "${jointLabel(skeleton, nodes[parent]!.joint)}"`,
      );
    nodes.push({ name, joint, parent });
  }
  return nodes;
}

function jointAt(skeleton: Skeleton, label: string): number {
  const joint = findJoint(skeleton, label);
  if (joint === null) throw new UsageError(`"${skeleton.name}" has no joint "${label}"`);
  return joint;
}

function isBelow(skeleton: Skeleton, joint: number, above: number): boolean {
  for (let at = skeleton.parents[joint]!; at >= above; at = skeleton.parents[at]!)
    if (at === above) return true;
  return false;
}

/** The joints from below one down to another, topmost first; from the root where there is none above. */
function pathTo(skeleton: Skeleton, joint: number, above: number): Int32Array {
  const path: number[] = [];
  for (let at = joint; at !== above && at >= 0; at = skeleton.parents[at]!) path.push(at);
  return Int32Array.from(path.reverse());
}

function isUneven(scales: Float64Array, i: number): boolean {
  const [x, y, z] = [Math.abs(scales[i]!), Math.abs(scales[i + 1]!), Math.abs(scales[i + 2]!)];
  return Math.max(x, y, z) - Math.min(x, y, z) > 1e-4 * Math.max(x, y, z);
}

const local = createMatrix();
const product = createMatrix();

/** out = the transforms along a path of a pose, multiplied, taken apart again. */
function foldPath(out: Pose, i: number, path: Int32Array, pose: Pose): void {
  for (let n = 0; n < path.length; n++) {
    const joint = path[n]!;
    composeMatrix(local, 0, pose.translations, 3 * joint, pose.rotations, 4 * joint, pose.scales, 3 * joint);
    if (n === 0) product.set(local);
    else multiplyMatrices(product, 0, product, 0, local, 0);
  }
  decomposeMatrix(out.translations, 3 * i, out.rotations, 4 * i, out.scales, 3 * i, product, 0);
}

function foldPose(paths: readonly Int32Array[], pose: Pose): Pose {
  const out = createPose(paths.length);
  paths.forEach((path, i) => {
    if (path.length > 1) foldPath(out, i, path, pose);
    else {
      const joint = path[0]!;
      out.translations.set(pose.translations.subarray(3 * joint, 3 * joint + 3), 3 * i);
      out.rotations.set(pose.rotations.subarray(4 * joint, 4 * joint + 4), 4 * i);
      out.scales.set(pose.scales.subarray(3 * joint, 3 * joint + 3), 3 * i);
    }
  });
  return out;
}

/** The points of every joint's skin, on the next joint above that stays; those above the first go to none. */
function foldHulls(skeleton: Skeleton, places: ReadonlyMap<number, number>): (Float32Array | null)[] {
  const points: number[][] = Array.from(places, () => []);
  const pose = skeleton.bind ?? skeleton.rest;
  const down = createPose(1);
  const m = createMatrix();
  skeleton.hulls!.forEach((hull, joint) => {
    if (!hull) return;
    let owner = joint;
    while (owner >= 0 && !places.has(owner)) owner = skeleton.parents[owner]!;
    if (owner < 0) return;
    m.fill(0);
    for (let n = 0; n < 16; n += 5) m[n] = 1;
    if (owner !== joint) {
      foldPath(down, 0, pathTo(skeleton, joint, owner), pose);
      composeMatrix(m, 0, down.translations, 0, down.rotations, 0, down.scales, 0);
    }
    for (let i = 0; i < hull.length; i += 3)
      for (let r = 0; r < 3; r++)
        points[places.get(owner)!]!.push(
          m[r]! * hull[i]! + m[4 + r]! * hull[i + 1]! + m[8 + r]! * hull[i + 2]! + m[12 + r]!,
        );
  });
  return points.map((list) => (list.length > 0 ? Float32Array.from(list) : null));
}

/** One instant of a joint that others were worked into. */
type Key = { time: number; pose: Pose };

/** The tracks of a path as those of one joint. */
function foldTracks(
  original: Skeleton,
  path: Int32Array,
  tracks: readonly Track[],
  joint: number,
  size: number,
): Track[] {
  const pose = copyPose(original.rest);
  const at = (time: number): Key => {
    for (const track of tracks) {
      const store =
        track.channel === 'rotation'
          ? pose.rotations
          : track.channel === 'scale'
            ? pose.scales
            : pose.translations;
      sampleTrack(store, (track.channel === 'rotation' ? 4 : 3) * track.joint, track, time);
    }
    const key = { time, pose: createPose(1) };
    foldPath(key.pose, 0, path, pose);
    return key;
  };
  const times = [...new Set(tracks.flatMap((track) => Array.from(track.times)))].sort((a, b) => a - b);
  const isStepped = tracks.every(({ interpolation }) => interpolation === 'step');
  const keys: Key[] = [at(times[0]!)];
  const tolerance = RESHAPE_TOLERANCE.move * size;
  const between = (a: Key, b: Key, depth: number) => {
    const middle = (a.time + b.time) / 2;
    if (depth === 0 || !(middle > a.time && middle < b.time)) return;
    const exact = at(middle);
    if (!isMissed(a.pose, b.pose, exact.pose, tolerance)) return;
    between(a, exact, depth - 1);
    keys.push(exact);
    between(exact, b, depth - 1);
  };
  for (const time of times.slice(1)) {
    const next = at(time);
    if (!isStepped) between(keys[keys.length - 1]!, next, MOST_HALVINGS);
    keys.push(next);
  }
  const channels = new Set<Channel>(['rotation', 'translation']);
  if (tracks.some(({ channel }) => channel === 'scale')) channels.add('scale');
  return [...channels].flatMap((channel) => trackOf(keys, channel, joint, isStepped, tolerance));
}

/** Whether the pose halfway is not where a straight way between two would put it. */
function isMissed(a: Pose, b: Pose, middle: Pose, tolerance: number): boolean {
  slerpQuaternions(halfway, 0, a.rotations, 0, b.rotations, 0, 0.5);
  if (quaternionAngle(halfway, 0, middle.rotations, 0) > RESHAPE_TOLERANCE.turn) return true;
  for (let c = 0; c < 3; c++) {
    if (Math.abs((a.translations[c]! + b.translations[c]!) / 2 - middle.translations[c]!) > tolerance)
      return true;
    if (Math.abs((a.scales[c]! + b.scales[c]!) / 2 - middle.scales[c]!) > RESHAPE_TOLERANCE.turn) return true;
  }
  return false;
}

const halfway = new Float64Array(4);

function trackOf(
  keys: readonly Key[],
  channel: Channel,
  joint: number,
  isStepped: boolean,
  tolerance: number,
): Track[] {
  const store = (pose: Pose) =>
    channel === 'rotation' ? pose.rotations : channel === 'scale' ? pose.scales : pose.translations;
  const size = channel === 'rotation' ? 4 : 3;
  const first = store(keys[0]!.pose);
  const still = channel === 'translation' ? 0.1 * tolerance : 1e-9;
  // A joint that only turns is moved where joints were worked into it, and stays where they were not moved.
  const isStill = keys.every(({ pose }) => store(pose).every((x, c) => Math.abs(x - first[c]!) <= still));
  const used = isStill ? keys.slice(0, 1) : keys;
  const values = Float32Array.from(used.flatMap(({ pose }) => Array.from(store(pose))));
  if (channel === 'rotation') makeQuaternionsContinuous(values, values.length / size);
  const times = Float32Array.from(used, ({ time }) => time);
  return [{ joint, channel, interpolation: isStepped ? 'step' : 'linear', times, values }];
}
