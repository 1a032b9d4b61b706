import {
  composeMatrix,
  decomposeMatrix,
  END,
  invertMatrix,
  JOINT,
  type Mat4,
  multiplyMatrices,
  type Skeleton,
} from '@stuntdouble/core/engine';
import type { GltfDocument } from '../document.js';
import type { GltfJson, GltfNode } from '../gltf-json.js';

/**
 * Makes a document that holds a skeleton and nothing else: a node per joint with the same name, place and
 * transform, in the same order. Where it had a skin, or has joints only, the joints are listed in a skin with
 * their bind pose, so that other programs see joints and not plain nodes.
 * @param container what becomes a node above the roots, for files whose own space is not glTF's; or null.
 * @param isGathered whether several roots get a node above them in any case, as meshes with a skin need it.
 */
export function createSkeletonDocument(
  name: string,
  skeleton: Skeleton,
  container: Mat4 | null,
  isGathered = false,
): GltfDocument {
  const { names, parents, rest, flags } = skeleton;
  const nodes: GltfNode[] = names.map((jointName, i) => ({
    ...(jointName === '' ? {} : { name: jointName }),
    ...transformOf(
      rest.translations.subarray(3 * i, 3 * i + 3),
      rest.rotations.subarray(4 * i, 4 * i + 4),
      rest.scales.subarray(3 * i, 3 * i + 3),
    ),
  }));
  const roots: number[] = [];
  parents.forEach((parent, i) => {
    if (parent < 0) roots.push(i);
    else nodes[parent]!.children = [...(nodes[parent]!.children ?? []), i];
  });
  const isPlaced = container?.some((value, n) => value !== (n % 5 === 0 ? 1 : 0)) === true;
  const isUnderOne = isPlaced || (isGathered && roots.length > 1);
  if (!isPlaced && isUnderOne) nodes.push({ name: `${name} space`, children: roots });
  if (container && isPlaced) {
    const t = new Float64Array(3);
    const r = new Float64Array(4);
    const s = new Float64Array(3);
    decomposeMatrix(t, 0, r, 0, s, 0, container, 0);
    nodes.push({ name: `${name} space`, children: roots, ...transformOf(t, r, s) });
  }
  const sceneRoots = isUnderOne ? [nodes.length - 1] : roots;
  const json: GltfJson = {
    asset: { version: '2.0', generator: 'Stuntdouble' },
    scene: 0,
    scenes: [{ ...(name === '' ? {} : { name }), nodes: sceneRoots }],
    nodes,
  };
  const buffers: Uint8Array[] = [];
  const joints = Array.from(names.keys()).filter((i) => flags[i]! & JOINT);
  // A body of rigid parts has no skin, and its plain nodes are as much a part of it as its joints.
  const isSkinned = skeleton.bind !== undefined || flags.every((flag) => flag & (JOINT | END));
  // Joints of a skin must have a common root.
  if (isSkinned && sceneRoots.length === 1 && joints.length > 0) {
    const inverses = inverseBindsOf(skeleton, joints);
    buffers.push(new Uint8Array(inverses.buffer));
    json.buffers = [{ byteLength: inverses.byteLength }];
    json.bufferViews = [{ buffer: 0, byteLength: inverses.byteLength }];
    json.accessors = [{ bufferView: 0, componentType: 5126, count: joints.length, type: 'MAT4' }];
    json.skins = [{ name: skeleton.name, joints, inverseBindMatrices: 0 }];
  }
  return { kind: 'gltf', json, buffers, otherChunks: [], base: null, decodedViews: new Map() };
}

function transformOf(t: Float64Array, r: Float64Array, s: Float64Array): GltfNode {
  const node: GltfNode = {};
  if (t.some((value) => value !== 0)) node.translation = [...t];
  if (r[0] !== 0 || r[1] !== 0 || r[2] !== 0) node.rotation = [...r];
  if (s.some((value) => value !== 1)) node.scale = [...s];
  return node;
}

/** Inverse world matrices in the bind pose (rest, where there is none), as float32. */
function inverseBindsOf(skeleton: Skeleton, joints: readonly number[]): Float32Array {
  const pose = skeleton.bind ?? skeleton.rest;
  const worlds = new Float64Array(16 * skeleton.names.length);
  const local = new Float64Array(16);
  skeleton.parents.forEach((parent, i) => {
    composeMatrix(local, 0, pose.translations, 3 * i, pose.rotations, 4 * i, pose.scales, 3 * i);
    if (parent < 0) worlds.set(local, 16 * i);
    else multiplyMatrices(worlds, 16 * i, worlds, 16 * parent, local, 0);
  });
  const inverses = new Float32Array(16 * joints.length);
  joints.forEach((joint, n) => {
    invertMatrix(inverses, 16 * n, worlds, 16 * joint);
  });
  return inverses;
}
