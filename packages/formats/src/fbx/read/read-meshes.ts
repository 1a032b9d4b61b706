import {
  addToList,
  type Mesh,
  type MeshSkin,
  multiplyMatrices,
  type Scene,
  type Warning,
} from '@stuntdouble/core/engine';
import { isMendable } from '../../format-error.js';
import type { MeshMorph } from '../../shared/dressed-mesh.js';
import { findHolders, findOwners } from '../../shared/node-owners.js';
import { type Surface, transformSurface } from '../../shared/transform-surface.js';
import { firstValueOf } from '../parse/child-records.js';
import { textOf } from '../parse/fbx-node.js';
import { type FbxObject, type FbxObjects, readObjects } from '../parse/objects.js';
import { isFbxDocument } from '../parse/parse-fbx.js';
import { readSettings } from '../parse/settings.js';
import { unpackBudgetFor } from '../parse/unpack-array.js';
import { type FbxGeometry, geometricTransform, readGeometry, readUvs } from './geometry.js';
import { holderOf, isHold } from './hulls.js';
import { baseColorOf, texturesOf, uvSetOf, uvTransformOf } from './materials.js';
import { mirrorMesh, mirrorMorph } from './mirror-space.js';
import { type ModelTree, readModelTree } from './model-tree.js';
import { createMorphReader, type MorphReader, pickMorph } from './morph-shapes.js';
import type { FoundSkeleton } from './skeletons.js';
import { type FbxSkin, readSkins, readWeights } from './skins.js';
import { triangulatePolygon } from './triangulate.js';

/**
 * Reads the meshes that follow the characters of an FBX scene, one per material: polygons as triangles,
 * vertices apart where their normals are. What cannot be read is left out.
 */
export function readFbxMeshes(scene: Scene): Mesh[] {
  const read = readFbxParts(scene, { isDressed: false }, []);
  return (read?.parts ?? []).map(({ mesh }) => mesh);
}

/** A part of a mesh with one material, and what only its file says of it. */
export type FbxPart = {
  mesh: Mesh;
  /** Two numbers per vertex, v upwards; null where there are none or none were asked for. */
  uvs: Float32Array | null;
  morphs: MeshMorph[];
  /** Parts of one number are parts of one mesh. */
  whole: number;
  material: FbxObject | null;
  isDoubleSided: boolean;
};

/** The parts of a scene's meshes, and the file's objects, where what they name is looked up. */
export type FbxParts = { parts: FbxPart[]; objects: FbxObjects };

/**
 * Reads meshes as {@link readFbxMeshes} does, part by part.
 * @param options `isDressed` asks for texture coordinates and morph targets, and for warnings of what is left out.
 * @returns null where the scene is from another format.
 */
export function readFbxParts(
  scene: Scene,
  { isDressed }: { isDressed: boolean },
  warnings: Warning[],
): FbxParts | null {
  if (!isFbxDocument(scene.document)) return null;
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
    addToList(skinsOfModel, model, skin);
    for (const i of owners[clusters[0]!.joint]!)
      if (clusters.every(({ joint }) => found[i]!.jointOfModel[joint]! >= 0)) found[i]!.skins.push(skin);
  }
  const parts: FbxPart[] = [];
  const tally: Tally = { scenery: [], broken: [], weak: new Map() };
  const morphs = isDressed ? createMorphReader(objects, tree, warnings) : null;
  let whole = 0;
  tree.models.forEach((model, m) => {
    for (const { object: geometry } of objects.sourcesOf(model)) {
      if (geometry.type !== 'Geometry') continue;
      const own = (skinsOfModel.get(m) ?? []).filter((skin) => skin.geometry === geometry);
      const candidates = own.length > 0 ? owners[own[0]!.clusters[0]!.joint]! : holders[m]!;
      const character = candidates.find((i) =>
        own.length > 0 ? found[i]!.skins.includes(own[0]!) : holderOf(tree, found[i]!, m) !== null,
      );
      if (character === undefined) {
        if (geometry.subtype === 'Mesh') tally.scenery.push(tree.names[m]!);
        continue;
      }
      try {
        const read = readGeometry(objects, geometry);
        if (!read) continue;
        const one = found[character]!;
        const worn = own.filter((skin) => skin.clusters.every(({ joint }) => one.jointOfModel[joint]! >= 0));
        const context: PartContext = { objects, tree, found: one, character, whole: whole++, morphs, tally };
        parts.push(...partsOf(context, geometry, read, m, worn));
      } catch (error) {
        if (!isMendable(error)) throw error;
        tally.broken.push(`${tree.names[m]!} (${error.message})`);
      }
    }
  });
  if (isDressed) tell(tally, tree, warnings);
  const { mirror } = readSettings(objects);
  if (mirror !== null)
    for (const part of parts) {
      part.mesh = mirrorMesh(part.mesh, mirror);
      part.morphs = part.morphs.map((morph) => mirrorMorph(morph, mirror));
    }
  return { parts, objects };
}

/** What was left out of meshes: by the names of their models, and of vertices the weight that was lost at most. */
type Tally = { scenery: string[]; broken: string[]; weak: Map<string, { vertices: number; most: number }> };

function tell({ scenery, broken, weak }: Tally, tree: ModelTree, warnings: Warning[]): void {
  const few = (names: readonly string[]) =>
    names
      .slice(0, 5)
      .map((name) => name.slice(0, 60))
      .join(', ') + (names.length > 5 ? ', …' : '');
  if (scenery.length > 0)
    warnings.push({
      code: 'feature-ignored',
      message: `Meshes that follow no joint of the character were left out: ${few(scenery)}.`,
    });
  if (broken.length > 0)
    warnings.push({ code: 'file-repaired', message: `Meshes could not be read: ${few(broken)}.` });
  for (const [name, { vertices, most }] of weak)
    warnings.push({
      code: 'feature-ignored',
      message: `"${name.slice(0, 80)}": ${vertices} vertices follow more than four joints; the four strongest were kept, and ${Math.max(1, Math.round(100 * most))} % of the pull at most was shared among them.`,
    });
  // MotionBuilder writes its own views of the scene as cameras.
  const seen = tree.models.filter(
    ({ subtype, name }) => (subtype === 'Camera' || subtype === 'Light') && !name.startsWith('Producer '),
  );
  if (seen.length > 0)
    warnings.push({
      code: 'feature-ignored',
      message: `Cameras and lights were left out: ${few(seen.map(({ name }) => name))}.`,
    });
}

type PartContext = {
  objects: FbxObjects;
  tree: ModelTree;
  found: FoundSkeleton;
  character: number;
  whole: number;
  /** Null where texture coordinates and morph targets are not asked for. */
  morphs: MorphReader | null;
  tally: Tally;
};

function partsOf(
  { objects, tree, found, character, whole, morphs, tally }: PartContext,
  object: FbxObject,
  geometry: FbxGeometry,
  model: number,
  skins: readonly FbxSkin[],
): FbxPart[] {
  const wearer = tree.models[model]!;
  const materials = objects
    .sourcesOf(wearer)
    .flatMap((link) => (link.object.type === 'Material' ? link.object : []));
  const geometric = geometricTransform(objects, wearer);
  const hold = skins.length === 0 ? holderOf(tree, found, model) : null;
  const name = tree.names[model]!;
  const influences = skins.length === 0 ? null : strongestOf(objects, geometry, found, skins);
  if (influences && influences.vertices > 0) tally.weak.set(name, influences);
  const inverseBinds = new Float64Array(16 * found.skeleton.names.length);
  for (const { clusters } of skins)
    for (const { joint, inverseBind } of clusters)
      multiplyMatrices(inverseBinds, 16 * found.jointOfModel[joint]!, inverseBind, 0, geometric, 0);
  const toJoint = hold && new Float64Array(16);
  if (hold && toJoint) multiplyMatrices(toJoint, 0, hold.toJoint, 0, geometric, 0);
  const shapes = morphs?.(object, geometry) ?? [];
  const uvsOf = new Map<string | null, Float32Array | null>();
  const isDoubleSided = textOf(firstValueOf(wearer, 'Culling')) !== 'CullingOnCCW';

  const used = [...new Set(geometry.materials)].sort((a, b) => a - b);
  return used.flatMap((index): FbxPart[] => {
    const material = materials[index] ?? materials[0] ?? null;
    const set = morphs && uvSetOf(objects, material);
    if (morphs && !uvsOf.has(set)) uvsOf.set(set, readUvs(objects, object, geometry, set));
    const cornerUvs = uvsOf.get(set) ?? null;
    const { vertices, corners, triangles } = triangulate(geometry, index, cornerUvs);
    if (triangles.length === 0) return [];
    const count = vertices.length;
    const positions = new Float32Array(3 * count);
    const normals = geometry.normals && new Float32Array(3 * count);
    for (let v = 0; v < count; v++)
      for (let c = 0; c < 3; c++) {
        const value = geometry.points[3 * vertices[v]! + c]!;
        positions[3 * v + c] = Number.isFinite(Math.fround(value)) ? value : 0;
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
    } else if (toJoint) surface = transformSurface(surface, toJoint);
    const hasPicture = material !== null && texturesOf(objects, material).uses.base !== undefined;
    const color: Mesh['color'] =
      !material || hasPicture ? [0.8, 0.8, 0.8] : baseColorOf(objects, material, false);
    const { scale, offset } = uvTransformOf(objects, morphs && material);
    const uvs = cornerUvs && new Float32Array(2 * count);
    if (uvs)
      for (let i = 0; i < 2 * count; i++)
        uvs[i] =
          offset[(i & 1) as 0 | 1] + scale[(i & 1) as 0 | 1] * cornerUvs[2 * corners[i >> 1]! + (i & 1)]!;
    return [
      {
        mesh: {
          name,
          ...surface,
          triangles,
          color,
          character,
          skin,
          joint: hold ? hold.joint : null,
        },
        uvs,
        morphs: shapes.map((shape) => pickMorph(shape, vertices, toJoint)),
        whole,
        material,
        isDoubleSided,
      },
    ];
  });
}

/**
 * The polygons of one material as triangles, over vertices that are a control point with a normal and texture
 * coordinates each: `vertices` are their points, `corners` a corner of a polygon that has the rest.
 */
function triangulate(
  { corners, starts, normals, materials, points }: FbxGeometry,
  material: number,
  uvs: Float32Array | null,
): { vertices: number[]; corners: number[]; triangles: Uint32Array } {
  const vertices: number[] = [];
  const firstCorners: number[] = [];
  // Per point its first vertex, per vertex the next one of the same point.
  const first = new Int32Array(points.length / 3).fill(-1);
  const next: number[] = [];
  const isSame = (a: number, b: number) =>
    (!normals ||
      (normals[3 * a] === normals[3 * b] &&
        normals[3 * a + 1] === normals[3 * b + 1] &&
        normals[3 * a + 2] === normals[3 * b + 2])) &&
    (!uvs || (uvs[2 * a] === uvs[2 * b] && uvs[2 * a + 1] === uvs[2 * b + 1]));
  const vertexOf = (corner: number) => {
    const point = corners[corner]!;
    let vertex = first[point]!;
    while (vertex >= 0 && !isSame(firstCorners[vertex]!, corner)) vertex = next[vertex]!;
    if (vertex >= 0) return vertex;
    vertices.push(point);
    firstCorners.push(corner);
    next.push(first[point]!);
    first[point] = vertices.length - 1;
    return vertices.length - 1;
  };
  const triangles: number[] = [];
  for (let p = 0; p + 1 < starts.length; p++)
    if (materials[p] === material)
      triangulatePolygon(points, corners, starts[p]!, starts[p + 1]!, (a, b, c) => {
        triangles.push(vertexOf(a), vertexOf(b), vertexOf(c));
      });
  return { vertices, corners: firstCorners, triangles: Uint32Array.from(triangles) };
}

/**
 * The four strongest influences of each control point, weights summing to one; and how many points have more of
 * them, with the largest share of the pull that the four do not have.
 */
function strongestOf(
  objects: FbxObjects,
  { points }: FbxGeometry,
  { jointOfModel }: FoundSkeleton,
  skins: readonly FbxSkin[],
): { joints: Uint16Array; weights: Float32Array; vertices: number; most: number } {
  const count = Math.floor(points.length / 3);
  const joints = new Uint16Array(4 * count);
  const weights = new Float32Array(4 * count);
  const sums = new Float64Array(count);
  for (const { clusters } of skins)
    for (const cluster of clusters) {
      const joint = jointOfModel[cluster.joint]!;
      const list = readWeights(objects, cluster);
      for (let i = 0; i < list.vertices.length; i++) {
        const vertex = list.vertices[i]!;
        const weight = list.weights[i]!;
        if (!(weight > 0 && weight < Number.POSITIVE_INFINITY) || !(vertex >= 0 && vertex < count)) continue;
        sums[vertex]! += weight;
        let weakest = 4 * vertex;
        for (let s = weakest + 1; s < 4 * vertex + 4; s++) if (weights[s]! < weights[weakest]!) weakest = s;
        // Two clusters of one joint pull together.
        for (let s = 4 * vertex; s < 4 * vertex + 4; s++)
          if (weights[s]! > 0 && joints[s] === joint) weakest = s;
        if (weights[weakest]! > 0 && joints[weakest] === joint) weights[weakest]! += weight;
        else if (weight > weights[weakest]!) {
          weights[weakest] = weight;
          joints[weakest] = joint;
        }
      }
    }
  const fallback = jointOfModel[skins[0]!.clusters[0]!.joint]!;
  let vertices = 0;
  let most = 0;
  for (let v = 0; v < count; v++) {
    let sum = 0;
    for (let s = 4 * v; s < 4 * v + 4; s++) sum += weights[s]!;
    // Weights are rounded by the programs that write them: a thousandth is no fifth joint.
    if (sum > 0 && sum < 0.999 * sums[v]!) {
      vertices++;
      most = Math.max(most, 1 - sum / sums[v]!);
    }
    if (sum > 0) for (let s = 4 * v; s < 4 * v + 4; s++) weights[s]! /= sum;
    else {
      // A vertex that no joint moves follows the skin's first joint, so that it is not lost.
      weights[4 * v] = 1;
      joints[4 * v] = fallback;
    }
  }
  return { joints, weights, vertices, most };
}
