import {
  composeMatrix,
  createPose,
  decomposeMatrix,
  multiplyMatrices,
  normalizeQuaternion,
  type Pose,
  type Warning,
} from '@stuntdouble/core/engine';
import { type GltfJson, gltfError, nameOf } from '../gltf-json.js';

/** The hierarchy of all nodes of a file with their transforms at rest. */
export type NodeTree = {
  /** Per node its name, or `node<index>` where it has none. */
  names: string[];
  /** Per node its parent, or −1. */
  parents: Int32Array;
  children: number[][];
  /** Per node how many nodes are above it. */
  depths: Int32Array;
  /** All nodes depth first, parents before children, in the file's order otherwise. */
  order: number[];
  /** Local transforms per node, matrices taken apart. */
  rest: Pose;
  /** World matrices at rest, 16 numbers a node. */
  worlds: Float64Array;
  /** Per node whether it belongs to the scene that the file shows. */
  shown: boolean[];
};

/** Far beyond any tail or rope. */
const DEEPEST = 1024;

/**
 * Reads the node hierarchy. Nodes may stand in any order (S10, SP2).
 * @throws FormatError where nodes form a cycle.
 */
export function readNodeTree(json: GltfJson, warnings: Warning[]): NodeTree {
  const nodes = json.nodes ?? [];
  const count = nodes.length;
  const parents = new Int32Array(count).fill(-1);
  const children: number[][] = nodes.map(() => []);
  nodes.forEach((node, i) => {
    for (const child of node.children ?? []) {
      if (child === i) throw gltfError(`nodes[${i}].children`, 'the node itself', 'other nodes');
      if (parents[child]! < 0) {
        parents[child] = i;
        children[i]!.push(child);
      } else if (parents[child] !== i)
        warnings.push({
          code: 'file-repaired',
          message: `Node ${child} has two parents, ${parents[child]} and ${i}; the first was taken.`,
        });
    }
  });

  const order: number[] = [];
  const stack: number[] = [];
  for (let i = count - 1; i >= 0; i--) if (parents[i]! < 0) stack.push(i);
  while (stack.length > 0) {
    const i = stack.pop()!;
    order.push(i);
    const below = children[i]!;
    for (let c = below.length - 1; c >= 0; c--) stack.push(below[c]!);
  }
  if (order.length !== count) {
    const reached = new Set(order);
    const lost = nodes.findIndex((_, i) => !reached.has(i));
    throw gltfError(`nodes[${lost}]`, 'a node that is its own ancestor', 'a tree');
  }

  const depths = new Int32Array(count);
  for (const i of order) {
    if (parents[i]! >= 0) depths[i] = depths[parents[i]!]! + 1;
    if (depths[i]! > DEEPEST)
      throw gltfError(`nodes[${i}]`, `nodes nested more than ${DEEPEST} deep`, `at most ${DEEPEST} levels`);
  }

  const rest = readRest(json, warnings);
  const worlds = new Float64Array(16 * count);
  const local = new Float64Array(16);
  for (const i of order) {
    const parent = parents[i]!;
    composeMatrix(local, 0, rest.translations, 3 * i, rest.rotations, 4 * i, rest.scales, 3 * i);
    if (parent < 0) worlds.set(local, 16 * i);
    else multiplyMatrices(worlds, 16 * i, worlds, 16 * parent, local, 0);
  }

  const shownRoots = json.scene === undefined ? null : (json.scenes?.[json.scene]?.nodes ?? null);
  const shown = nodes.map(() => shownRoots === null);
  for (const root of shownRoots ?? []) shown[root] = true;
  for (const i of order) if (parents[i]! >= 0 && shown[parents[i]!]) shown[i] = true;

  return {
    names: nodes.map((node, i) => nameOf(node) || `node${i}`),
    parents,
    children,
    depths,
    order,
    rest,
    worlds,
    shown,
  };
}

/** Local transforms of all nodes; numbers that are not finite fall back to the identity's. */
function readRest(json: GltfJson, warnings: Warning[]): Pose {
  const nodes = json.nodes ?? [];
  const rest = createPose(nodes.length);
  nodes.forEach((node, i) => {
    const given = [
      ...(node.matrix ?? []),
      ...(node.translation ?? []),
      ...(node.rotation ?? []),
      ...(node.scale ?? []),
    ];
    if (!given.every(Number.isFinite)) {
      warnings.push({
        code: 'value-not-finite',
        message: `The transform of node ${i} is not finite; it was taken as none.`,
      });
      return;
    }
    if (node.matrix) {
      const matrix = Float64Array.from(node.matrix);
      decomposeMatrix(rest.translations, 3 * i, rest.rotations, 4 * i, rest.scales, 3 * i, matrix, 0);
      return;
    }
    if (node.translation) rest.translations.set(node.translation, 3 * i);
    if (node.scale) rest.scales.set(node.scale, 3 * i);
    if (node.rotation) {
      rest.rotations.set(node.rotation, 4 * i);
      normalizeQuaternion(rest.rotations, 4 * i, rest.rotations, 4 * i);
    }
  });
  return rest;
}
