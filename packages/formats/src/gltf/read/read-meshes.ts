import type { Mesh, MeshSkin, Scene, Warning } from '@stuntdouble/core/engine';
import { isMendable } from '../../format-error.js';
import { findOwners } from '../../shared/node-owners.js';
import { type Surface, transformSurface } from '../../shared/transform-surface.js';
import { type GltfDocument, isGltfDocument } from '../document.js';
import { type GltfPrimitive, gltfError, nameOf } from '../gltf-json.js';
import { readInverseBinds } from './bind-pose.js';
import {
  createVertexBudget,
  type Geometry,
  prepareGeometry,
  readGeometry,
  readTriangles,
  takeVertices,
} from './geometry.js';
import { findMeshOwners, holderOf } from './hulls.js';
import { readNodeTree } from './node-tree.js';
import type { FoundSkeleton } from './skeletons.js';

/**
 * Reads the meshes that follow the characters of a scene, for pictures and for measuring the skin. Scenery
 * that follows no joint is left out, and so is what cannot be read. Empty for formats that have no meshes.
 *
 * A mesh that hangs on a joint without a skin has its positions in that joint's own space.
 */
export async function readMeshes(scene: Scene): Promise<Mesh[]> {
  const meshes: Mesh[] = [];
  await visitMeshes(scene, ({ mesh }) => meshes.push(mesh));
  return meshes;
}

/** A mesh as it is read, and where in the document it is from. */
export type VisitedMesh = {
  mesh: Mesh;
  document: GltfDocument;
  /** The node that shows the mesh. */
  node: number;
  /** Index of the mesh in the document, and its part with one material. */
  source: number;
  primitive: GltfPrimitive;
  geometry: Geometry;
  /** Takes the document's positions to those of the mesh, where it hangs on a joint. */
  toJoint: Float64Array | null;
  /** Weights of the morph targets at rest. */
  weights: readonly unknown[];
  /** Where the part stands in the document, for errors. */
  at: string;
};

/**
 * Reads meshes as {@link readMeshes} does, one at a time.
 * @param uvSetOf which set of texture coordinates a part needs, if any.
 */
export async function visitMeshes(
  scene: Scene,
  visit: (visited: VisitedMesh) => void,
  uvSetOf: (document: GltfDocument, primitive: GltfPrimitive) => number | undefined = () => undefined,
): Promise<void> {
  const { document } = scene;
  if (!isGltfDocument(document) || !(await prepareGeometry(document, []))) return;
  const { json } = document;
  const warnings: Warning[] = [];
  const tree = readNodeTree(json, warnings);
  const found = scene.characters.map(({ skeleton }): FoundSkeleton => {
    const jointOfNode = new Int32Array(tree.parents.length).fill(-1);
    skeleton.fileIndices.forEach((node, joint) => {
      jointOfNode[node] = joint;
    });
    return { skeleton, jointOfNode, skins: [] };
  });
  const owners = findOwners(
    tree.parents.length,
    found.map(({ skeleton }) => skeleton),
  );
  (json.skins ?? []).forEach(({ joints }, skin) => {
    for (const i of owners[joints[0] ?? -1] ?? [])
      if (joints.every((node) => found[i]!.jointOfNode[node]! >= 0)) found[i]!.skins.push(skin);
  });
  const { ofNode } = findMeshOwners(document, tree, found, owners);

  const budget = createVertexBudget();
  for (const [n, node] of (json.nodes ?? []).entries()) {
    if (node.mesh === undefined || !tree.shown[n]) continue;
    budget.left -= 8;
    if (budget.left < 0) break;
    const { skin } = node;
    const character = ofNode.get(n)?.find((i) => skin !== undefined || holderOf(tree, found[i]!, n));
    if (character === undefined) continue;
    const hold = skin === undefined ? holderOf(tree, found[character]!, n) : null;
    const mesh = json.meshes![node.mesh]!;
    for (const [p, primitive] of mesh.primitives.entries()) {
      const at = `meshes[${node.mesh}].primitives[${p}]`;
      if (!takeVertices(budget, document, primitive)) break;
      try {
        const geometry = readGeometry(document, primitive, at, uvSetOf(document, primitive));
        if (!geometry) continue;
        const triangles = readTriangles(document, primitive, geometry, at);
        if (triangles.length === 0) continue;
        if (skin !== undefined && geometry.influences.length === 0) continue;
        const read: Mesh = {
          name: nameOf(mesh) || tree.names[n]!,
          ...(hold ? transformSurface(geometry, hold.toJoint) : copyOf(geometry)),
          triangles,
          color: colorOf(document, primitive),
          character,
          skin: skin === undefined ? null : skinOf(document, found[character]!, skin, geometry),
          joint: hold ? hold.joint : null,
        };
        const toJoint = hold ? hold.toJoint : null;
        const given: unknown = node.weights ?? mesh.weights;
        const weights = Array.isArray(given) ? given : [];
        visit({
          mesh: read,
          document,
          node: n,
          source: node.mesh,
          primitive,
          geometry,
          toJoint,
          weights,
          at,
        });
      } catch (error) {
        if (!isMendable(error)) throw error;
      }
    }
  }
}

/** Positions and normals that may be changed without changing the file. */
function copyOf({ positions, normals }: Geometry): Surface {
  return { positions: positions.slice(), normals: normals?.slice() ?? null };
}

/** The four strongest influences of each vertex, weights summing to one. */
function skinOf(document: GltfDocument, found: FoundSkeleton, skin: number, geometry: Geometry): MeshSkin {
  const { skeleton, jointOfNode } = found;
  const nodes = document.json.skins![skin]!.joints;
  const inverses = readInverseBinds(document, skin, []);
  if (!inverses)
    throw gltfError(`skins[${skin}].inverseBindMatrices`, 'matrices that cannot be read', 'some');
  const inverseBinds = new Float64Array(16 * skeleton.names.length);
  nodes.forEach((node, i) => {
    inverseBinds.set(inverses.subarray(16 * i, 16 * i + 16), 16 * jointOfNode[node]!);
  });
  const joints = new Uint16Array(4 * geometry.count);
  const weights = new Float32Array(4 * geometry.count);
  for (let v = 0; v < geometry.count; v++) {
    for (const set of geometry.influences)
      for (let c = 0; c < 4; c++) {
        const weight = set.weights[4 * v + c]!;
        const node = nodes[set.joints[4 * v + c]!];
        if (!(weight > 0) || node === undefined) continue;
        // Takes the place of the weakest of the four, if it is stronger.
        let weakest = 4 * v;
        for (let s = 4 * v + 1; s < 4 * v + 4; s++) if (weights[s]! < weights[weakest]!) weakest = s;
        if (weight <= weights[weakest]!) continue;
        weights[weakest] = weight;
        joints[weakest] = jointOfNode[node]!;
      }
    let sum = 0;
    for (let s = 4 * v; s < 4 * v + 4; s++) sum += weights[s]!;
    if (sum > 0) for (let s = 4 * v; s < 4 * v + 4; s++) weights[s]! /= sum;
    else {
      // A vertex that no joint moves follows the skin's first joint, so that it is not lost.
      weights[4 * v] = 1;
      joints[4 * v] = jointOfNode[nodes[0]!]!;
    }
  }
  return { joints, weights, inverseBinds };
}

function colorOf(document: GltfDocument, primitive: GltfPrimitive): [number, number, number] {
  const material = document.json.materials?.[primitive.material ?? -1];
  const factor: unknown = material?.pbrMetallicRoughness?.baseColorFactor;
  if (!Array.isArray(factor)) return [1, 1, 1];
  const part = (i: number) => (typeof factor[i] === 'number' ? Math.min(1, Math.max(0, factor[i])) : 1);
  return [part(0), part(1), part(2)];
}
