import {
  cbrt,
  composeMatrix,
  copyPose,
  decomposeMatrix,
  invertMatrix,
  multiplyMatrices,
  type Pose,
  type Skeleton,
} from '@stuntdouble/core/engine';

/** Bind and rest are one where no number of a local matrix differs by more, relative to the joint's size. */
const SAME = 1e-5;

/** What is needed of a tree of nodes to place a bind pose in it. */
export type RestTree = {
  parents: ArrayLike<number>;
  depths: ArrayLike<number>;
  /** World matrices at rest, 16 numbers a node. */
  worlds: Float64Array;
};

/**
 * The transform that takes the space a skin was bound in to the scene: the one that brings most joints to
 * their rest, or where the poses differ the scene's, the armature's or a given node's space.
 * @param joints nodes of the tree, one per 16 numbers of `inverses` and `binds`.
 * @param nodes nodes whose space the skin may have been bound in, such as the mesh's.
 */
export function findCommonTransform(
  tree: RestTree,
  joints: readonly number[],
  inverses: Float64Array,
  binds: Float64Array,
  nodes: readonly number[],
): Float64Array {
  const perJoint = new Float64Array(16 * joints.length);
  joints.forEach((node, i) => {
    multiplyMatrices(perJoint, 16 * i, tree.worlds, 16 * node, inverses, 16 * i);
  });
  const ofJoint = (i: number) => perJoint.slice(16 * i, 16 * i + 16);
  const votesFor = (candidate: Float64Array) => {
    const size = Math.max(...candidate.map(Math.abs));
    let votes = 0;
    for (let i = 0; i < joints.length; i++) {
      let differs = 0;
      for (let n = 0; n < 16; n++)
        differs = Math.max(differs, Math.abs(candidate[n]! - perJoint[16 * i + n]!));
      // A thousandth: what float32 matrices of far-away joints lose, and far less than a pose.
      if (differs <= 1e-3 * size) votes++;
    }
    return votes;
  };
  const top = topmost(tree, joints);
  const ofTop = ofJoint(joints.indexOf(top));
  // Some joints may have moved, but bind and rest are the same pose at heart. A bare majority would not do:
  // the fingers of a stiff hand agree with each other wherever the arm went.
  const step = Math.max(1, Math.floor(joints.length / 16));
  const samples = [
    ofTop,
    ...Array.from({ length: Math.ceil(joints.length / step) }, (_, i) => ofJoint(i * step)),
  ];
  const common = samples.find((candidate) => votesFor(candidate) >= 0.9 * joints.length);
  if (common) return common;

  // The poses differ. Scale survives any pose, so it tells which spaces the skin can have been bound in:
  // the scene's, the armature's (what hangs above the first joint), or the mesh node's.
  const spaces: Float64Array[] = [Float64Array.from(IDENTITY)];
  const armature = tree.parents[top]!;
  if (armature >= 0) spaces.push(tree.worlds.slice(16 * armature, 16 * armature + 16));
  for (const node of nodes) spaces.push(tree.worlds.slice(16 * node, 16 * node + 16));
  const scale = sizeOf(ofTop);
  const world = new Float64Array(16);
  const distanceTo = (candidate: Float64Array) => {
    let distance = 0;
    joints.forEach((node, i) => {
      multiplyMatrices(world, 0, candidate, 0, binds, 16 * i);
      for (let n = 0; n < 16; n++) distance += Math.abs(world[n]! - tree.worlds[16 * node + n]!);
    });
    return distance;
  };
  const fitting = spaces.filter((space) => Math.abs(sizeOf(space) - scale) <= 0.01 * scale);
  const distances = fitting.map(distanceTo);
  return fitting[distances.indexOf(Math.min(...distances))] ?? ofTop;
}

/** How much a matrix enlarges lengths, on average: the cube root of its determinant. */
function sizeOf(m: Float64Array): number {
  const determinant =
    m[0]! * (m[5]! * m[10]! - m[6]! * m[9]!) -
    m[4]! * (m[1]! * m[10]! - m[2]! * m[9]!) +
    m[8]! * (m[1]! * m[6]! - m[2]! * m[5]!);
  return cbrt(Math.abs(determinant));
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** The joint that has the fewest nodes above it. */
function topmost({ depths }: RestTree, joints: readonly number[]): number {
  return joints.reduce((best, joint) => (depths[joint]! < depths[best]! ? joint : best));
}

/** World matrices of the bound joints to a local pose; all other joints keep their rest. */
export function bindToLocal(skeleton: Skeleton, worlds: Float64Array, isBound: Uint8Array): Pose {
  const { parents, rest } = skeleton;
  const pose = copyPose(rest);
  const restLocal = new Float64Array(16);
  const local = new Float64Array(16);
  for (let i = 0; i < parents.length; i++) {
    const parent = parents[i]!;
    composeMatrix(restLocal, 0, rest.translations, 3 * i, rest.rotations, 4 * i, rest.scales, 3 * i);
    if (!isBound[i]) {
      if (parent < 0) worlds.set(restLocal, 16 * i);
      else multiplyMatrices(worlds, 16 * i, worlds, 16 * parent, restLocal, 0);
      continue;
    }
    if (parent < 0) local.set(worlds.subarray(16 * i, 16 * i + 16));
    else if (invertMatrix(local, 0, worlds, 16 * parent))
      multiplyMatrices(local, 0, local, 0, worlds, 16 * i);
    else continue;
    const size = Math.max(...restLocal.map(Math.abs));
    // Equal but for rounding: the rest's own numbers, so that the two poses are one.
    if (restLocal.every((value, n) => Math.abs(value - local[n]!) <= SAME * size)) continue;
    decomposeMatrix(pose.translations, 3 * i, pose.rotations, 4 * i, pose.scales, 3 * i, local, 0);
    let dot = 0;
    for (let c = 0; c < 4; c++) dot += pose.rotations[4 * i + c]! * rest.rotations[4 * i + c]!;
    if (dot < 0) for (let c = 0; c < 4; c++) pose.rotations[4 * i + c]! *= -1;
  }
  return pose;
}
