import { type Mesh, type MeshSkin, multiplyMatrices, type Scene } from '@stuntdouble/core';
import { isMendable } from '../../format-error.js';
import { findHolders, findOwners } from '../../shared/node-owners.js';
import { type Surface, transformSurface } from '../../shared/transform-surface.js';
import { type FbxObjects, readObjects } from '../parse/objects.js';
import { isFbxDocument } from '../parse/parse-fbx.js';
import { readSettings } from '../parse/settings.js';
import { unpackBudgetFor } from '../parse/unpack-array.js';
import { type FbxGeometry, geometricTransform, materialColors, readGeometry } from './geometry.js';
import { holderOf, isHold } from './hulls.js';
import { mirrorMesh } from './mirror-space.js';
import { type ModelTree, readModelTree } from './model-tree.js';
import type { FoundSkeleton } from './skeletons.js';
import { type FbxSkin, readSkins, readWeights } from './skins.js';

/**
 * Reads the meshes that follow the characters of an FBX scene, one per material: polygons as triangles,
 * vertices apart where their normals are. What cannot be read is left out.
 */
export function readFbxMeshes(scene: Scene): Mesh[] {
  if (!isFbxDocument(scene.document)) return [];
  const { document } = scene;
  // What reading the motion has used up of the budget must not be missed here.
  const objects = readObjects({ ...document, budget: unpackBudgetFor(document.size) }, []);
  const tree = readModelTree(objects);
  const skins = readSkins(objects, tree, []);
  const found = scene.characters.map(({ skeleton }): FoundSkeleton => {
    const jointOfModel = new Int32Array(tree.models.length).fill(-1);
    skeleton.fileIndices.forEach((model, joint) => {
      jointOfModel[model] = joint;
    });
    return { skeleton, jointOfModel, skins: [] };
  });
  const owners = findOwners(
    tree.models.length,
    found.map(({ skeleton }) => skeleton),
  );
  const holders = findHolders(tree, owners, (i, model) => isHold(found[i]!, model));
  const skinsOfModel = new Map<number, FbxSkin[]>();
  for (const skin of skins) {
    const { clusters, model } = skin;
    skinsOfModel.set(model, [...(skinsOfModel.get(model) ?? []), skin]);
    for (const i of owners[clusters[0]!.joint]!)
      if (clusters.every(({ joint }) => found[i]!.jointOfModel[joint]! >= 0)) found[i]!.skins.push(skin);
  }
  const meshes: Mesh[] = [];
  tree.models.forEach((model, m) => {
    for (const { object: geometry } of objects.sourcesOf(model)) {
      if (geometry.type !== 'Geometry') continue;
      const own = (skinsOfModel.get(m) ?? []).filter((skin) => skin.geometry === geometry);
      const candidates = own.length > 0 ? owners[own[0]!.clusters[0]!.joint]! : holders[m]!;
      const character = candidates.find((i) =>
        own.length > 0 ? found[i]!.skins.includes(own[0]!) : holderOf(tree, found[i]!, m) !== null,
      );
      if (character === undefined) continue;
      try {
        const read = readGeometry(objects, geometry);
        if (!read) continue;
        const one = found[character]!;
        const worn = own.filter((skin) => skin.clusters.every(({ joint }) => one.jointOfModel[joint]! >= 0));
        meshes.push(...meshesOf(objects, tree, read, m, one, worn, character));
      } catch (error) {
        if (!isMendable(error)) throw error;
      }
    }
  });
  const { mirror } = readSettings(objects);
  return mirror === null ? meshes : meshes.map((mesh) => mirrorMesh(mesh, mirror));
}

function meshesOf(
  objects: FbxObjects,
  tree: ModelTree,
  geometry: FbxGeometry,
  model: number,
  found: FoundSkeleton,
  skins: readonly FbxSkin[],
  character: number,
): Mesh[] {
  const colors = materialColors(objects, tree.models[model]!);
  const geometric = geometricTransform(objects, tree.models[model]!);
  const hold = skins.length === 0 ? holderOf(tree, found, model) : null;
  const influences = skins.length === 0 ? null : strongestOf(objects, geometry, found, skins);
  const inverseBinds = new Float64Array(16 * found.skeleton.names.length);
  for (const { clusters } of skins)
    for (const { joint, inverseBind } of clusters)
      multiplyMatrices(inverseBinds, 16 * found.jointOfModel[joint]!, inverseBind, 0, geometric, 0);

  const used = [...new Set(geometry.materials)].sort((a, b) => a - b);
  return used.flatMap((material) => {
    const { vertices, corners, triangles } = triangulate(geometry, material);
    if (triangles.length === 0) return [];
    const count = vertices.length;
    const positions = new Float32Array(3 * count);
    const normals = geometry.normals && new Float32Array(3 * count);
    for (let v = 0; v < count; v++)
      for (let c = 0; c < 3; c++) {
        const value = geometry.points[3 * vertices[v]! + c]!;
        positions[3 * v + c] = Number.isFinite(value) ? value : 0;
        if (normals) normals[3 * v + c] = geometry.normals![3 * corners[v]! + c]!;
      }
    let surface: Surface = { positions, normals };
    let skin: MeshSkin | null = null;
    if (influences) {
      const joints = new Uint16Array(4 * count);
      const weights = new Float32Array(4 * count);
      for (let v = 0; v < count; v++)
        for (let c = 0; c < 4; c++) {
          joints[4 * v + c] = influences.joints[4 * vertices[v]! + c]!;
          weights[4 * v + c] = influences.weights[4 * vertices[v]! + c]!;
        }
      skin = { joints, weights, inverseBinds };
    } else if (hold) {
      const matrix = new Float64Array(16);
      multiplyMatrices(matrix, 0, hold.toJoint, 0, geometric, 0);
      surface = transformSurface(surface, matrix);
    }
    return [
      {
        name: tree.names[model]!,
        ...surface,
        triangles,
        color: colors[material] ?? colors[0] ?? [0.8, 0.8, 0.8],
        character,
        skin,
        joint: hold ? hold.joint : null,
      },
    ];
  });
}

/**
 * The polygons of one material as fans of triangles, over vertices that are a control point with a normal
 * each: `vertices` are their points, `corners` a corner of a polygon that has their normal.
 */
function triangulate(
  { corners, starts, normals, materials, points }: FbxGeometry,
  material: number,
): { vertices: number[]; corners: number[]; triangles: Uint32Array } {
  const vertices: number[] = [];
  const firstCorners: number[] = [];
  // Per point its first vertex, per vertex the next one of the same point.
  const first = new Int32Array(points.length / 3).fill(-1);
  const next: number[] = [];
  const isSameNormal = (a: number, b: number) =>
    !normals ||
    (normals[3 * a] === normals[3 * b] &&
      normals[3 * a + 1] === normals[3 * b + 1] &&
      normals[3 * a + 2] === normals[3 * b + 2]);
  const vertexOf = (corner: number) => {
    const point = corners[corner]!;
    let vertex = first[point]!;
    while (vertex >= 0 && !isSameNormal(firstCorners[vertex]!, corner)) vertex = next[vertex]!;
    if (vertex >= 0) return vertex;
    vertices.push(point);
    firstCorners.push(corner);
    next.push(first[point]!);
    first[point] = vertices.length - 1;
    return vertices.length - 1;
  };
  const triangles: number[] = [];
  for (let p = 0; p + 1 < starts.length; p++) {
    if (materials[p] !== material || starts[p + 1]! - starts[p]! < 3) continue;
    const a = vertexOf(starts[p]!);
    let b = vertexOf(starts[p]! + 1);
    for (let corner = starts[p]! + 2; corner < starts[p + 1]!; corner++) {
      const c = vertexOf(corner);
      triangles.push(a, b, c);
      b = c;
    }
  }
  return { vertices, corners: firstCorners, triangles: Uint32Array.from(triangles) };
}

/** The four strongest influences of each control point, weights summing to one. */
function strongestOf(
  objects: FbxObjects,
  { points }: FbxGeometry,
  { jointOfModel }: FoundSkeleton,
  skins: readonly FbxSkin[],
): { joints: Uint16Array; weights: Float32Array } {
  const count = Math.floor(points.length / 3);
  const joints = new Uint16Array(4 * count);
  const weights = new Float32Array(4 * count);
  for (const { clusters } of skins)
    for (const cluster of clusters) {
      const joint = jointOfModel[cluster.joint]!;
      const list = readWeights(objects, cluster);
      for (let i = 0; i < list.vertices.length; i++) {
        const vertex = list.vertices[i]!;
        const weight = list.weights[i]!;
        if (!(weight > 0) || !(vertex >= 0 && vertex < count)) continue;
        let weakest = 4 * vertex;
        for (let s = weakest + 1; s < 4 * vertex + 4; s++) if (weights[s]! < weights[weakest]!) weakest = s;
        if (weight <= weights[weakest]!) continue;
        weights[weakest] = weight;
        joints[weakest] = joint;
      }
    }
  const fallback = jointOfModel[skins[0]!.clusters[0]!.joint]!;
  for (let v = 0; v < count; v++) {
    let sum = 0;
    for (let s = 4 * v; s < 4 * v + 4; s++) sum += weights[s]!;
    if (sum > 0) for (let s = 4 * v; s < 4 * v + 4; s++) weights[s]! /= sum;
    else {
      // A vertex that no joint moves follows the skin's first joint, so that it is not lost.
      weights[4 * v] = 1;
      joints[4 * v] = fallback;
    }
  }
  return { joints, weights };
}
