import { createMatrix, invertMatrix, multiplyMatrices, type Warning } from '@stuntdouble/core/engine';
import { isMendable } from '../../format-error.js';
import { childrenNamed, firstValueOf } from '../parse/child-records.js';
import { fbxError, numberOf } from '../parse/fbx-node.js';
import type { FbxObject, FbxObjects } from '../parse/objects.js';
import { unpackArray } from '../parse/unpack-array.js';
import type { ModelTree } from './model-tree.js';

/** What one joint does to a mesh. */
export type SkinCluster = {
  object: FbxObject;
  /** The model that is the joint. */
  joint: number;
  /** The joint's world matrix when the mesh was bound; null where the file has none that makes sense. */
  bind: Float64Array | null;
  /** From the space of the mesh's model to that of the joint, when bound. */
  inverseBind: Float64Array;
};

/** A mesh that follows joints. */
export type FbxSkin = {
  geometry: FbxObject;
  /** The model of the mesh. */
  model: number;
  clusters: SkinCluster[];
};

/** So many clusters may be read beyond four for every object: a file's connections can ask for any number. */
const SPARE_CLUSTERS = 4096;

/**
 * Reads the skins of a file, without their weights.
 * @throws FormatError where skins are connected to very many meshes.
 */
export function readSkins(objects: FbxObjects, tree: ModelTree, warnings: Warning[]): FbxSkin[] {
  const skins: FbxSkin[] = [];
  let loose = 0;
  let flat = 0;
  // A mesh may stand in several places, with its clusters each time.
  let room = SPARE_CLUSTERS + 4 * objects.all.length;
  for (const deformer of objects.all) {
    if (deformer.type !== 'Deformer' || deformer.subtype !== 'Skin') continue;
    for (const { object: geometry } of objects.targetsOf(deformer)) {
      if (geometry.type !== 'Geometry') continue;
      for (const { object: meshModel } of objects.targetsOf(geometry)) {
        const model = tree.indexOf.get(meshModel.id);
        if (model === undefined) continue;
        const clusters: SkinCluster[] = [];
        room -= 1 + objects.sourcesOf(deformer).length;
        if (room < 0) throw fbxError('Connections', 'skins of very many meshes', 'one mesh a skin');
        for (const { object } of objects.sourcesOf(deformer)) {
          if (object.subtype !== 'Cluster') continue;
          const link = objects.sourcesOf(object).find((source) => source.object.type === 'Model');
          const joint = link && tree.indexOf.get(link.object.id);
          if (joint === undefined) {
            loose++;
            continue;
          }
          const cluster = readCluster(objects, tree, object, joint, model);
          if (!cluster.bind) flat++;
          clusters.push(cluster);
        }
        if (clusters.length > 0) skins.push({ geometry, model, clusters });
      }
    }
  }
  if (loose > 0)
    warnings.push({
      code: 'file-repaired',
      message: `${loose} clusters of skins belong to no joint and were left out.`,
    });
  if (flat > 0)
    warnings.push({
      code: 'file-repaired',
      message: `${flat} clusters of skins have no bind matrix, or a flat one; the rest pose was taken.`,
    });
  return skins;
}

function readCluster(
  objects: FbxObjects,
  tree: ModelTree,
  object: FbxObject,
  joint: number,
  model: number,
): SkinCluster {
  const bind = matrixOf(objects, object, 'TransformLink');
  const given = matrixOf(objects, object, 'Transform');
  const inverseBind = createMatrix();
  if (given) inverseBind.set(given);
  else if (invertMatrix(inverseBind, 0, bind ?? tree.worlds, bind ? 0 : 16 * joint))
    multiplyMatrices(inverseBind, 0, inverseBind, 0, tree.worlds, 16 * model);
  return { object, joint, bind, inverseBind };
}

/** A matrix of a record; null where it is missing, not finite or flat. */
function matrixOf(objects: FbxObjects, object: FbxObject, name: string): Float64Array | null {
  try {
    const matrix = unpackArray(
      firstValueOf(object, name),
      objects.document.budget,
      `Deformer ${object.id}.${name}`,
    );
    return matrix.length === 16 && isUseful(matrix) ? matrix : null;
  } catch (error) {
    if (!isMendable(error)) throw error;
    return null;
  }
}

const scratch = new Float64Array(16);

function isUseful(matrix: Float64Array): boolean {
  return matrix.every(Number.isFinite) && invertMatrix(scratch, 0, matrix, 0);
}

/** The vertices that a cluster moves, and how much. */
export function readWeights(
  objects: FbxObjects,
  { object }: SkinCluster,
): { vertices: Float64Array; weights: Float64Array } {
  const { budget } = objects.document;
  const list = firstValueOf(object, 'Indexes');
  // A cluster that moves nothing has no lists.
  if (list === undefined) return { vertices: new Float64Array(0), weights: new Float64Array(0) };
  const vertices = unpackArray(list, budget, `Deformer ${object.id}.Indexes`);
  const weights = unpackArray(firstValueOf(object, 'Weights'), budget, `Deformer ${object.id}.Weights`);
  const count = Math.min(vertices.length, weights.length);
  return { vertices: vertices.subarray(0, count), weights: weights.subarray(0, count) };
}

/** The world matrices of models in the file's bind poses, by model; of several poses the first counts. */
export function readBindPoses(objects: FbxObjects, tree: ModelTree): Map<number, Float64Array> {
  const worlds = new Map<number, Float64Array>();
  for (const pose of objects.all) {
    if (pose.type !== 'Pose' || pose.subtype !== 'BindPose') continue;
    for (const node of childrenNamed(pose, 'PoseNode')) {
      const id = firstValueOf(node, 'Node');
      const model = typeof id === 'number' || typeof id === 'bigint' ? tree.indexOf.get(id) : undefined;
      if (model === undefined || worlds.has(model)) continue;
      try {
        const value = firstValueOf(node, 'Matrix');
        const matrix = unpackArray(value, objects.document.budget, `Pose ${pose.id}.Matrix`);
        if (matrix.length === 16 && numberOf(matrix[15]) !== 0 && isUseful(matrix)) worlds.set(model, matrix);
      } catch (error) {
        if (!isMendable(error)) throw error;
      }
    }
  }
  return worlds;
}
