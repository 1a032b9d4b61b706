import {
  composeMatrix,
  createPose,
  decomposeMatrix,
  invertMatrix,
  multiplyMatrices,
  multiplyQuaternions,
  type Pose,
} from '@stuntdouble/core/engine';
import { fbxError } from '../parse/fbx-node.js';
import type { FbxId, FbxObject, FbxObjects } from '../parse/objects.js';
import {
  animatedValues,
  localTransform,
  type ModelTransform,
  quaternionFromEuler,
  readModelTransform,
} from './model-transform.js';

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
  /** Per model its place in `order`. */
  ranks: Int32Array;
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
  for (const model of models) takeKindOver(objects, model);
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
    ranks: Int32Array.from(order),
    transforms,
    rest: createPose(count),
    worlds: new Float64Array(16 * count),
  };
  order.forEach((model, rank) => {
    tree.ranks[model] = rank;
  });
  poseModels(tree.rest, tree.worlds, tree, restValues(transforms));
  return tree;
}

/** Some programs write every model as a plain node, and what it is in its attribute alone. */
function takeKindOver(objects: FbxObjects, model: FbxObject): void {
  if (model.subtype !== 'Null' && model.subtype !== '') return;
  const attribute = objects.sourcesOf(model).find(({ object }) => object.type === 'NodeAttribute');
  if (attribute && /^(LimbNode|Limb|Root)$/.test(attribute.object.subtype))
    model.subtype = attribute.object.subtype;
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

/**
 * Whether every model stands to its parent as translation, turn and scale say, so that each can be looked at
 * alone. Not so where a model takes over the scale of those above it in a way of its own, and that scale is
 * not one (Rrs) or differs along the axes (RrSs), or moves.
 */
export function inheritsPlainly(
  { transforms, parents, order }: ModelTree,
  movesScale: (model: number) => boolean,
): boolean {
  if (transforms.every(({ inherit }) => inherit === 'RSrs')) return true;
  const isOne = new Uint8Array(transforms.length);
  const isEven = new Uint8Array(transforms.length);
  const near = (a: number, b: number) => Math.abs(a - b) <= 1e-6 * Math.abs(b);
  for (const i of order) {
    const { scaling, inherit } = transforms[i]!;
    const parent = parents[i]!;
    if (parent >= 0 && inherit === 'Rrs' && !isOne[parent]) return false;
    if (parent >= 0 && inherit === 'RrSs' && !isEven[parent]) return false;
    const moves = movesScale(i);
    isOne[i] = !moves && scaling.every((value) => near(value, 1)) ? 1 : 0;
    isEven[i] =
      !moves && scaling.every((value) => near(value, scaling[0])) && (parent < 0 || isEven[parent]) ? 1 : 0;
  }
  return true;
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

/** One model of {@link poseModels}: its exact matrix, and the local transform nearest to it. */
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
  const { translations, rotations, scales } = pose;
  exactWorld(exact, turns, i, parent, model, pose, scalings);
  for (let n = 0; n < 16; n++) worldExact[n] = exact[16 * i + n]!;
  if (invertMatrix(matrix, 0, worlds, 16 * parent)) {
    multiplyMatrices(matrix, 0, matrix, 0, worldExact, 0);
    const before = rotations.slice(4 * i, 4 * i + 4);
    decomposeMatrix(translations, 3 * i, rotations, 4 * i, scales, 3 * i, matrix, 0);
    // Where the scale is nothing along an axis, so is the turn that comes out; its own is as good as any.
    if (!Number.isFinite(sumAt(rotations, 4 * i, 4))) rotations.set(before, 4 * i);
    mendAt(translations, 3 * i, 0);
    mendAt(scales, 3 * i, 1);
    let dot = 0;
    for (let c = 0; c < 4; c++) dot += before[c]! * rotations[4 * i + c]!;
    if (dot < 0) for (let c = 0; c < 4; c++) rotations[4 * i + c]! *= -1;
  }
  composeMatrix(matrix, 0, translations, 3 * i, rotations, 4 * i, scales, 3 * i);
  multiplyMatrices(worlds, 16 * i, worlds, 16 * parent, matrix, 0);
}

function sumAt(values: Float64Array, at: number, size: number): number {
  let sum = 0;
  for (let c = 0; c < size; c++) sum += values[at + c]!;
  return sum;
}

/** Puts a fallback in the place of what is not finite, or is once it becomes a float. */
function mendAt(values: Float64Array, at: number, fallback: number): void {
  for (let c = 0; c < 3; c++) if (!Number.isFinite(Math.fround(values[at + c]!))) values[at + c] = fallback;
}

/**
 * The exact matrix of a model below another, by the FBX SDK's rules. With P the parent's exact matrix, its
 * turn G and its scale (whatever is left of the matrix) GS = G⁻¹ · P, its own scale LS, and r, s those of the
 * child, the child's linear part is RrSs: G·r·GS·s, RSrs: G·GS·r·s, Rrs: G·GS·LS⁻¹·r·s. Its place is P · t for
 * all.
 * @param local the child's own translation, turn and scale, at its index.
 */
function exactWorld(
  exact: Float64Array,
  turns: Float64Array,
  i: number,
  parent: number,
  model: ModelTransform,
  local: Pose,
  scalings: Float64Array,
): void {
  const { translations, rotations, scales } = local;
  multiplyQuaternions(turns, 4 * i, turns, 4 * parent, rotations, 4 * i);
  // The place, and the linear part the plain way.
  composeMatrix(matrix, 0, translations, 3 * i, rotations, 4 * i, scales, 3 * i);
  multiplyMatrices(exact, 16 * i, exact, 16 * parent, matrix, 0);
  if (model.inherit === 'Rrs') {
    composeMatrix(turnMatrix, 0, zero, 0, rotations, 4 * i, scales, 3 * i);
    for (let c = 0; c < 3; c++) own[c] = 1 / (scalings[3 * parent + c]! || 1);
    composeMatrix(scaleMatrix, 0, zero, 0, identityTurn, 0, own, 0);
    multiplyMatrices(turnMatrix, 0, scaleMatrix, 0, turnMatrix, 0);
    multiplyMatrices(turnMatrix, 0, exact, 16 * parent, turnMatrix, 0);
    for (let n = 0; n < 12; n++) exact[16 * i + n] = turnMatrix[n]!;
  } else if (model.inherit === 'RrSs') {
    scaleOf(parentScale, exact, turns, parent);
    composeMatrix(scaleMatrix, 0, zero, 0, identityTurn, 0, scales, 3 * i);
    multiplyMatrices(scaleMatrix, 0, parentScale, 0, scaleMatrix, 0);
    composeMatrix(turnMatrix, 0, zero, 0, turns, 4 * i, ones, 0);
    multiplyMatrices(turnMatrix, 0, turnMatrix, 0, scaleMatrix, 0);
    for (let n = 0; n < 12; n++) exact[16 * i + n] = turnMatrix[n]!;
  }
}

/** out = G⁻¹ · P without its place: what is left of a model's matrix without its turn. */
function scaleOf(out: Float64Array, exact: Float64Array, turns: Float64Array, model: number): void {
  for (let c = 0; c < 4; c++) unturn[c] = (c < 3 ? -1 : 1) * turns[4 * model + c]!;
  composeMatrix(out, 0, zero, 0, unturn, 0, ones, 0);
  multiplyMatrices(out, 0, out, 0, exact, 16 * model);
  for (let n = 12; n < 15; n++) out[n] = 0;
}

/**
 * The way back of {@link poseModels}: values whose local transforms are the given ones. Below a shear, which
 * local transforms cannot express, every model still comes to stand where `pose` puts it.
 */
export function valuesOfPose(out: ModelValues, tree: ModelTree, pose: Pose): void {
  const { order, parents, transforms } = tree;
  const count = parents.length;
  const local = createPose(count);
  const worlds = new Float64Array(16 * count);
  const exact = new Float64Array(16 * count);
  const turns = new Float64Array(4 * count);
  const t = new Float64Array(3);
  const q = new Float64Array(4);
  for (const i of order) {
    const parent = parents[i]!;
    const model = transforms[i]!;
    composeMatrix(matrix, 0, pose.translations, 3 * i, pose.rotations, 4 * i, pose.scales, 3 * i);
    if (parent < 0) worlds.set(matrix, 16 * i);
    else multiplyMatrices(worlds, 16 * i, worlds, 16 * parent, matrix, 0);
    local.translations.set(pose.translations.subarray(3 * i, 3 * i + 3), 3 * i);
    local.rotations.set(pose.rotations.subarray(4 * i, 4 * i + 4), 4 * i);
    local.scales.set(pose.scales.subarray(3 * i, 3 * i + 3), 3 * i);
    if (parent >= 0 && invertMatrix(matrix, 0, exact, 16 * parent)) {
      // r · s = P⁻¹ · A, with LS before it for Rrs; and G⁻¹ · A · GS⁻¹ for RrSs, where GS is even.
      multiplyMatrices(matrix, 0, matrix, 0, worlds, 16 * i);
      const place = matrix.slice(12, 15);
      if (model.inherit === 'Rrs') {
        for (let c = 0; c < 3; c++) own[c] = out.scalings[3 * parent + c]!;
        composeMatrix(scaleMatrix, 0, zero, 0, identityTurn, 0, own, 0);
        multiplyMatrices(matrix, 0, scaleMatrix, 0, matrix, 0);
      } else if (model.inherit === 'RrSs') {
        scaleOf(parentScale, exact, turns, parent);
        invertMatrix(scaleMatrix, 0, parentScale, 0);
        multiplyMatrices(matrix, 0, parentScale, 0, matrix, 0);
        multiplyMatrices(matrix, 0, matrix, 0, scaleMatrix, 0);
      }
      decomposeMatrix(local.translations, 3 * i, local.rotations, 4 * i, local.scales, 3 * i, matrix, 0);
      local.translations.set(place, 3 * i);
    }
    for (let c = 0; c < 3; c++) out.scalings[3 * i + c] = local.scales[3 * i + c]!;
    if (parent < 0) {
      composeMatrix(exact, 16 * i, local.translations, 3 * i, local.rotations, 4 * i, local.scales, 3 * i);
      for (let c = 0; c < 4; c++) turns[4 * i + c] = local.rotations[4 * i + c]!;
    } else exactWorld(exact, turns, i, parent, model, local, out.scalings);
    animatedValues(
      t,
      q,
      model,
      local.translations.subarray(3 * i, 3 * i + 3),
      local.rotations.subarray(4 * i, 4 * i + 4),
      local.scales.subarray(3 * i, 3 * i + 3),
    );
    out.translations.set(t, 3 * i);
    out.rotations.set(q, 4 * i);
  }
}
