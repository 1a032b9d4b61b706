import { UsageError } from '../base/errors.js';
import { createMatrix, type Mat4 } from '../base/math/matrix.js';
import { dotVectors, type Vec3, vectorAngle } from '../base/math/vector.js';
import { copyPose, createPose, type Pose } from './pose.js';
import { copyBonds, type SkinBonds } from './skin-bonds.js';

/** Joint flag: the joint deforms a skin, is a bone by the file's own word, or is animated. Not set on plain nodes. */
export const JOINT = 1;
/** Joint flag: an end site or leaf helper that only marks where its parent ends. */
export const END = 2;
/** Joint flag: some vertex carries weight of this joint. */
export const SKINNED = 4;

/**
 * A hierarchy of joints as its file has it, with every plain node on the way from the scene to a joint, so
 * that scaled armatures, nodes between joints and several roots are nothing special.
 */
export type Skeleton = {
  name: string;
  /** One name per joint; may repeat and may be empty. */
  names: string[];
  /** The parent of each joint, or −1. A parent always stands before its children. */
  parents: Int32Array;
  /** The joint's index in its own file (glTF node, BVH order). */
  fileIndices: Int32Array;
  /** {@link JOINT}, {@link END}, {@link SKINNED}, or-ed. */
  flags: Uint8Array;
  /** Local transforms as the file's nodes have them, in the file's unit. */
  rest: Pose;
  /** Local transforms in which the skin was bound, where the file has a skin. */
  bind?: Pose;
  /** Takes the file's axes, unit and facing to model space: metres, +Y up, +Z forward, right-handed. */
  container: Mat4;
  /** What the file itself says of its axes and unit; null where it says nothing. */
  declared: {
    up: Axis | null;
    facing: Axis | null;
    unit: number | null;
    /** Set where the file is a capture: its rest is a list of bone lengths, not the pose of a character. */
    capture?: boolean;
  };
  /**
   * Per joint, extreme points of the skin that follows it: xyz triples in the joint's own local space, or
   * null. Gives floors, soles and thickness without the mesh.
   */
  hulls?: (Float32Array | null)[];
  /** What the skin ties together: which joints share vertices and edges, and where their skin is. */
  bonds?: SkinBonds;
  /** Roles by the file's own word (VRM): role name to joint. */
  metadataRoles?: Record<string, number>;
};

/** A signed coordinate axis. */
export type Axis = '+X' | '-X' | '+Y' | '-Y' | '+Z' | '-Z';

/** The unit vectors of the signed axes. */
export const AXIS_VECTORS: Readonly<Record<Axis, readonly [number, number, number]>> = {
  '+X': [1, 0, 0],
  '-X': [-1, 0, 0],
  '+Y': [0, 1, 0],
  '-Y': [0, -1, 0],
  '+Z': [0, 0, 1],
  '-Z': [0, 0, -1],
};

/** The six axes by name. */
export const AXIS_NAMES = Object.keys(AXIS_VECTORS) as Axis[];

/** One joint as {@link createSkeleton} takes it, in any order. */
export type JointDescription = {
  name: string;
  /** Index of the parent in the same list, or −1. */
  parent: number;
  /** Index in the file; the place in the list if left out. */
  fileIndex?: number;
  /** Local, in the file's unit; 0, 0, 0 if left out. */
  translation?: ArrayLike<number>;
  /** Local, xyzw; the identity if left out. */
  rotation?: ArrayLike<number>;
  /** Local; 1, 1, 1 if left out. */
  scale?: ArrayLike<number>;
  /** {@link JOINT} if left out. */
  flags?: number;
};

/**
 * Makes a skeleton from joints in any order: they are sorted so that parents stand before children, keeping
 * the given order otherwise. Several roots are fine.
 * @returns the skeleton, and for each place in the given list its joint index.
 * @throws UsageError where a parent index does not exist or parents form a cycle.
 */
export function createSkeleton(
  name: string,
  joints: readonly JointDescription[],
  options: { container?: Mat4; declared?: Skeleton['declared'] } = {},
): { skeleton: Skeleton; order: Int32Array } {
  const count = joints.length;
  const children: number[][] = joints.map(() => []);
  const roots: number[] = [];
  joints.forEach((joint, i) => {
    if (joint.parent < 0) roots.push(i);
    else if (joint.parent >= count || joint.parent === i)
      throw new UsageError(`joint ${i} ("${joint.name}") has parent ${joint.parent}, which is not there`);
    else children[joint.parent]!.push(i);
  });
  // Depth first, children in the given order: chains stay together, as people expect to read them.
  const sorted: number[] = [];
  const stack = roots.slice().reverse();
  while (stack.length > 0) {
    const i = stack.pop()!;
    sorted.push(i);
    const below = children[i]!;
    for (let c = below.length - 1; c >= 0; c--) stack.push(below[c]!);
  }
  if (sorted.length !== count) throw new UsageError(`the parents of skeleton "${name}" form a cycle`);
  const order = new Int32Array(count);
  sorted.forEach((from, to) => {
    order[from] = to;
  });
  const rest = createPose(count);
  const skeleton: Skeleton = {
    name,
    names: sorted.map((i) => joints[i]!.name),
    parents: Int32Array.from(sorted, (i) => (joints[i]!.parent < 0 ? -1 : order[joints[i]!.parent]!)),
    fileIndices: Int32Array.from(sorted, (i) => joints[i]!.fileIndex ?? i),
    flags: Uint8Array.from(sorted, (i) => joints[i]!.flags ?? JOINT),
    rest,
    container: options.container ?? createMatrix(),
    declared: options.declared ?? { up: null, facing: null, unit: null },
  };
  sorted.forEach((from, to) => {
    const { translation, rotation, scale } = joints[from]!;
    if (translation) rest.translations.set(Array.from(translation), 3 * to);
    if (rotation) rest.rotations.set(Array.from(rotation), 4 * to);
    if (scale) rest.scales.set(Array.from(scale), 3 * to);
  });
  return { skeleton, order };
}

/** The direct children of every joint, in order. */
export function childrenOf(skeleton: Skeleton): number[][] {
  const children: number[][] = skeleton.names.map(() => []);
  skeleton.parents.forEach((parent, joint) => {
    if (parent >= 0) children[parent]!.push(joint);
  });
  return children;
}

/** Whether `ancestor` stands above `joint` (or is it). */
export function isAncestor(skeleton: Skeleton, ancestor: number, joint: number): boolean {
  let at = joint;
  while (at > ancestor) at = skeleton.parents[at]!;
  return at === ancestor;
}

/**
 * Whether two skeletons are one and the same: names, hierarchy, rest pose and container. Their clips can
 * then be exchanged without a change.
 */
export function isSameSkeleton(a: Skeleton, b: Skeleton): boolean {
  const count = a.names.length;
  if (count !== b.names.length) return false;
  for (let i = 0; i < count; i++)
    if (a.names[i] !== b.names[i] || a.parents[i] !== b.parents[i]) return false;
  // A tenth of a float32's rounding of typical values: files that were merely saved again agree.
  const close = (x: Float64Array, y: Float64Array) =>
    x.every((value, i) => Math.abs(value - y[i]!) <= 1e-6 * Math.max(1, Math.abs(value)));
  return (
    close(a.rest.translations, b.rest.translations) &&
    close(a.rest.rotations, b.rest.rotations) &&
    close(a.rest.scales, b.rest.scales) &&
    close(a.container, b.container)
  );
}

/** A copy that shares nothing that may change with the original. */
export function copySkeleton(skeleton: Skeleton): Skeleton {
  return {
    ...skeleton,
    names: skeleton.names.slice(),
    parents: skeleton.parents.slice(),
    fileIndices: skeleton.fileIndices.slice(),
    flags: skeleton.flags.slice(),
    rest: copyPose(skeleton.rest),
    container: skeleton.container.slice(),
    declared: { ...skeleton.declared },
    ...(skeleton.bind && { bind: copyPose(skeleton.bind) }),
    ...(skeleton.hulls && { hulls: skeleton.hulls.map((hull) => hull?.slice() ?? null) }),
    ...(skeleton.bonds && { bonds: copyBonds(skeleton.bonds) }),
    ...(skeleton.metadataRoles && { metadataRoles: { ...skeleton.metadataRoles } }),
  };
}

/** The axis nearest to a direction, and the angle to it in radians. */
export function nearestAxis(direction: Readonly<Vec3>): { axis: Axis; angle: number } {
  let best: Axis | null = null;
  let most = Number.NEGATIVE_INFINITY;
  for (const axis of AXIS_NAMES) {
    const along = dotVectors(direction, AXIS_VECTORS[axis]);
    if (!(along > most)) continue;
    most = along;
    best = axis;
  }
  if (best === null) return { axis: '+Y', angle: Number.POSITIVE_INFINITY };
  return { axis: best, angle: vectorAngle(direction, AXIS_VECTORS[best]) };
}
