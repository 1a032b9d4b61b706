import {
  composeMatrix,
  createPose,
  decomposeMatrix,
  invertMatrix,
  multiplyMatrices,
  multiplyQuaternions,
  type Pose,
} from '@stuntdouble/core';
import { fbxError } from './fbx-node.js';
import {
  localTransform,
  type ModelTransform,
  quaternionFromEuler,
  readModelTransform,
} from './model-transform.js';
import type { FbxId, FbxObject, FbxObjects } from './objects.js';

/** The models of a file (its nodes, in other formats' words) as a tree. */
export type ModelTree = {
  /** In the file's order. */
  models: FbxObject[];
  indexOf: Map<FbxId, number>;
  names: string[];
  /** Per model its parent, or −1. */
  parents: Int32Array;
  children: number[][];
  /** Per model how many are above it. */
  depths: Int32Array;
  /** Parents before children, in the file's order otherwise. */
  order: number[];
  transforms: ModelTransform[];
  /** Local transforms of the models as they stand. */
  rest: Pose;
  /** World matrices at rest, 16 numbers a model. */
  worlds: Float64Array;
};

/** The values of all models at an instant: what a file animates. */
export type ModelValues = {
  /** xyz per model. */
  translations: Float64Array;
  /** The turn R as a quaternion, xyzw per model. */
  rotations: Float64Array;
  /** xyz per model. */
  scalings: Float64Array;
};

/**
 * Reads the models of a file.
 * @throws FormatError where models form a cycle.
 */
export function readModelTree(objects: FbxObjects): ModelTree {
  const models = objects.all.filter(({ type }) => type === 'Model');
  const count = models.length;
  const indexOf = new Map(models.map(({ id }, i) => [id, i]));
  const parents = new Int32Array(count).fill(-1);
  const children: number[][] = models.map(() => []);
  models.forEach((model, i) => {
    for (const { object, property } of objects.targetsOf(model)) {
      // A model may be connected to a property of another, as look-at targets are.
      if (object.type !== 'Model' || property !== '') continue;
      parents[i] = indexOf.get(object.id)!;
      break;
    }
  });
  // Children in the order of their connections is what programs show; the models' order serves as well.
  parents.forEach((parent, i) => {
    if (parent >= 0) children[parent]!.push(i);
  });
  const order: number[] = [];
  const depths = new Int32Array(count);
  const stack: number[] = [];
  for (let i = count - 1; i >= 0; i--) if (parents[i]! < 0) stack.push(i);
  while (stack.length > 0) {
    const i = stack.pop()!;
    order.push(i);
    const parent = parents[i]!;
    depths[i] = parent < 0 ? 0 : depths[parent]! + 1;
    const below = children[i]!;
    for (let c = below.length - 1; c >= 0; c--) stack.push(below[c]!);
  }
  if (order.length !== count) {
    const reached = new Set(order);
    const lost = models.find((_, i) => !reached.has(i))!;
    throw fbxError(`Model ${lost.id}`, `"${lost.name}", which is its own ancestor`, 'a tree of models');
  }
  const transforms = models.map((model) => readModelTransform(objects, model));
  const tree: ModelTree = {
    models,
    indexOf,
    names: models.map(({ name }) => name),
    parents,
    children,
    depths,
    order,
    transforms,
    rest: createPose(count),
    worlds: new Float64Array(16 * count),
  };
  poseModels(tree.rest, tree.worlds, tree, restValues(transforms));
  return tree;
}

/** The values that the models have where nothing moves them. */
export function restValues(transforms: readonly ModelTransform[]): ModelValues {
  const values: ModelValues = {
    translations: new Float64Array(3 * transforms.length),
    rotations: new Float64Array(4 * transforms.length),
    scalings: new Float64Array(3 * transforms.length),
  };
  transforms.forEach(({ translation, rotation, scaling, order }, i) => {
    values.translations.set(translation, 3 * i);
    values.scalings.set(scaling, 3 * i);
    quaternionFromEuler(values.rotations, 4 * i, rotation, order);
  });
  return values;
}

const own = new Float64Array(3);
const ownScale = new Float64Array(3);
const quaternion = new Float64Array(4);
const matrix = new Float64Array(16);
const zero = new Float64Array(3);
const ones = new Float64Array(3).fill(1);

/**
 * Puts the local transforms of all models at an instant into `pose`, and their world matrices into `worlds`.
 *
 * A child that does not take over its parent's scale the plain way can stand to it in a way that no
 * translation, turn and scale express: sheared, where the parent's scale differs along its axes. The shear is
 * dropped then, and the translations of what hangs below are chosen such that every joint is where the file
 * puts it.
 */
export function poseModels(pose: Pose, worlds: Float64Array, tree: ModelTree, values: ModelValues): void {
  const { order, parents, transforms } = tree;
  const count = parents.length;
  const isPlain = transforms.every(({ inherit }) => inherit === 'RSrs');
  // Exact turns and linear parts, which differ from those of `worlds` below a shear.
  const turns = new Float64Array(isPlain ? 0 : 4 * count);
  const exact = new Float64Array(isPlain ? 0 : 16 * count);
  for (const i of order) {
    const parent = parents[i]!;
    const model = transforms[i]!;
    for (let c = 0; c < 3; c++) {
      own[c] = values.translations[3 * i + c]!;
      ownScale[c] = values.scalings[3 * i + c]!;
    }
    for (let c = 0; c < 4; c++) quaternion[c] = values.rotations[4 * i + c]!;
    localTransform(pose.translations, 3 * i, pose.rotations, 4 * i, model, own, quaternion, ownScale);
    for (let c = 0; c < 3; c++) pose.scales[3 * i + c] = ownScale[c]!;
    if (isPlain || parent < 0) {
      composeMatrix(matrix, 0, pose.translations, 3 * i, pose.rotations, 4 * i, pose.scales, 3 * i);
      if (parent < 0) worlds.set(matrix, 16 * i);
      else multiplyMatrices(worlds, 16 * i, worlds, 16 * parent, matrix, 0);
      if (!isPlain) {
        exact.set(matrix, 16 * i);
        for (let c = 0; c < 4; c++) turns[4 * i + c] = pose.rotations[4 * i + c]!;
      }
      continue;
    }
    poseInherited(pose, worlds, exact, turns, i, parent, model, values.scalings);
  }
}

const turnMatrix = new Float64Array(16);
const scaleMatrix = new Float64Array(16);
const parentScale = new Float64Array(16);
const unturn = new Float64Array(4);
const worldExact = new Float64Array(16);
const identityTurn = new Float64Array([0, 0, 0, 1]);

/**
 * One model of {@link poseModels}, by the FBX SDK's rules. With P the parent's exact matrix, its turn G and
 * its scale (whatever is left of the matrix) GS = G⁻¹ · P, its own scale LS, and r, s those of the child, the
 * child's linear part is RrSs: G·r·GS·s, RSrs: G·GS·r·s, Rrs: G·GS·LS⁻¹·r·s. Its place is P · t for all.
 */
function poseInherited(
  pose: Pose,
  worlds: Float64Array,
  exact: Float64Array,
  turns: Float64Array,
  i: number,
  parent: number,
  model: ModelTransform,
  scalings: Float64Array,
): void {
  multiplyQuaternions(turns, 4 * i, turns, 4 * parent, pose.rotations, 4 * i);
  const { translations, rotations, scales } = pose;
  // The place, and the linear part the plain way.
  composeMatrix(matrix, 0, translations, 3 * i, rotations, 4 * i, scales, 3 * i);
  multiplyMatrices(worldExact, 0, exact, 16 * parent, matrix, 0);
  if (model.inherit === 'Rrs') {
    composeMatrix(turnMatrix, 0, zero, 0, rotations, 4 * i, scales, 3 * i);
    for (let c = 0; c < 3; c++) own[c] = 1 / (scalings[3 * parent + c]! || 1);
    composeMatrix(scaleMatrix, 0, zero, 0, identityTurn, 0, own, 0);
    multiplyMatrices(turnMatrix, 0, scaleMatrix, 0, turnMatrix, 0);
    multiplyMatrices(turnMatrix, 0, exact, 16 * parent, turnMatrix, 0);
    for (let n = 0; n < 12; n++) worldExact[n] = turnMatrix[n]!;
  } else if (model.inherit === 'RrSs') {
    for (let c = 0; c < 4; c++) unturn[c] = (c < 3 ? -1 : 1) * turns[4 * parent + c]!;
    composeMatrix(parentScale, 0, zero, 0, unturn, 0, ones, 0);
    multiplyMatrices(parentScale, 0, parentScale, 0, exact, 16 * parent);
    for (let n = 12; n < 15; n++) parentScale[n] = 0;
    composeMatrix(scaleMatrix, 0, zero, 0, identityTurn, 0, scales, 3 * i);
    multiplyMatrices(scaleMatrix, 0, parentScale, 0, scaleMatrix, 0);
    composeMatrix(turnMatrix, 0, zero, 0, turns, 4 * i, ones, 0);
    multiplyMatrices(turnMatrix, 0, turnMatrix, 0, scaleMatrix, 0);
    for (let n = 0; n < 12; n++) worldExact[n] = turnMatrix[n]!;
  }
  for (let n = 0; n < 16; n++) exact[16 * i + n] = worldExact[n]!;
  if (invertMatrix(matrix, 0, worlds, 16 * parent)) {
    multiplyMatrices(matrix, 0, matrix, 0, worldExact, 0);
    const before = rotations.slice(4 * i, 4 * i + 4);
    decomposeMatrix(translations, 3 * i, rotations, 4 * i, scales, 3 * i, matrix, 0);
    let dot = 0;
    for (let c = 0; c < 4; c++) dot += before[c]! * rotations[4 * i + c]!;
    if (dot < 0) for (let c = 0; c < 4; c++) rotations[4 * i + c]! *= -1;
  }
  composeMatrix(matrix, 0, translations, 3 * i, rotations, 4 * i, scales, 3 * i);
  multiplyMatrices(worlds, 16 * i, worlds, 16 * parent, matrix, 0);
}
