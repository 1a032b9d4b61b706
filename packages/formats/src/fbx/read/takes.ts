import type { Warning } from '@stuntdouble/core';
import { isMendable } from '../../format-error.js';
import { type FbxValue, fbxError, numberOf } from '../parse/fbx-node.js';
import type { FbxId, FbxObject, FbxObjects } from '../parse/objects.js';
import type { UnpackBudget } from '../parse/unpack-array.js';
import { type AnimationCurve, type CurveMemory, isTime, readCurve, sampleCurve } from './animation-curve.js';
import type { ModelTree } from './model-tree.js';

/** Curves of the numbers of one property; null where a number does not move in its layer. */
export type PropertyCurves = {
  curves: readonly (AnimationCurve | null)[];
  /** The value of each number that has no curve; null where the layer says nothing of it. */
  defaults: readonly (number | null)[];
};

/** What one layer animates. */
export type TakeLayer = {
  /** Whether it is the lowest of its take, which the others are put on. */
  isBase: boolean;
  /** 0 to 1. */
  weight: number;
  /** Percent over time, in the weight's place; null where it stands still. */
  weightCurve: AnimationCurve | null;
  /** Whether it is added to the layers below it or put in their place. */
  isAdditive: boolean;
  /** Whether turns are multiplied (else angles are added), when additive. */
  multipliesTurns: boolean;
  /** Whether scales are multiplied, when additive. */
  multipliesScales: boolean;
  /** By model: `Lcl Translation`, `Lcl Rotation`, `Lcl Scaling` as `T`, `R`, `S`. */
  models: Map<number, Partial<Record<'T' | 'R' | 'S', PropertyCurves>>>;
  /** By the number of a blend shape channel. */
  morphs: Map<FbxId, PropertyCurves>;
};

/** One take: a stack of layers over a span of time. */
export type Take = {
  name: string;
  /** Seconds. */
  start: number;
  end: number;
  layers: TakeLayer[];
};

const PROPERTIES: Readonly<Record<string, 'T' | 'R' | 'S'>> = {
  'Lcl Translation': 'T',
  'Lcl Rotation': 'R',
  'Lcl Scaling': 'S',
};

/** Reads the takes of a file: animation stacks, with the curves of models and blend shapes. */
export function readTakes(objects: FbxObjects, tree: ModelTree, warnings: Warning[]): Take[] {
  // By the places of their objects.
  const curves: (AnimationCurve | null | undefined)[] = new Array(objects.all.length).fill(undefined);
  const memory: CurveMemory = { time: null, flags: null, counts: null };
  let lost = '';
  const curveOf = (object: FbxObject) => {
    const known = curves[object.index];
    let curve: AnimationCurve | null = known ?? null;
    try {
      if (known) chargeAgain(known, objects.document.budget);
      if (known !== undefined) return known;
      curve = readCurve(object, objects.document, memory);
    } catch (error) {
      if (!isMendable(error)) throw error;
      lost ||= error.message;
      if (known) return null;
    }
    curves[object.index] = curve;
    return curve;
  };
  const stacks = objects.all.filter(({ type }) => type === 'AnimationStack');
  const owned = new Set<FbxId>();
  const takes: Take[] = [];
  for (const stack of stacks) {
    const layers = objects
      .sourcesOf(stack)
      .flatMap(({ object }) => (object.type === 'AnimationLayer' ? [object] : []))
      // A layer belongs to one stack: a file could have it in thousands.
      .filter(({ id }) => !owned.has(id));
    for (const { id } of layers) owned.add(id);
    const take = readTake(objects, tree, stack, layers, curveOf, warnings);
    if (take) takes.push(take);
  }
  // Layers that hang on no stack are what some hand-written exporters leave.
  const orphans = objects.all.filter(({ type, id }) => type === 'AnimationLayer' && !owned.has(id));
  for (const layer of owned.size === 0 ? orphans : []) {
    const stack = stacks.length === 1 && orphans.length === 1 ? stacks[0]! : layer;
    const take = readTake(objects, tree, stack, [layer], curveOf, warnings);
    if (take) takes.push(take);
  }
  if (lost !== '') warnings.push({ code: 'file-repaired', message: `Curves were left out: ${lost}.` });
  return takes;
}

/** A curve that moves several numbers becomes keys for each: these count as if it were there so often. */
function chargeAgain({ times }: AnimationCurve, budget: UnpackBudget): void {
  budget.bytes -= 16 * times.length;
  if (budget.bytes < 0)
    throw fbxError('AnimationCurve', 'curves that move very many objects', 'a curve for each');
}

function readTake(
  objects: FbxObjects,
  tree: ModelTree,
  stack: FbxObject,
  layerObjects: readonly FbxObject[],
  curveOf: (object: FbxObject) => AnimationCurve | null,
  warnings: Warning[],
): Take | null {
  const solo = layerObjects.filter((layer) => numberOf(objects.propertyOf(layer, 'Solo')?.[0]) !== 0);
  const heard = (solo.length > 0 ? solo : layerObjects).filter(
    (layer) => numberOf(objects.propertyOf(layer, 'Mute')?.[0]) === 0,
  );
  const layers = heard.map((layer) => readLayer(objects, tree, layer, layer === layerObjects[0], curveOf));
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const curve of layers.flatMap(curvesOf)) {
    first = Math.min(first, curve.times[0]!);
    last = Math.max(last, curve.times[curve.times.length - 1]!);
  }
  const name = stack.name || 'Take';
  if (!(last >= first)) return null;
  const seconds = (values: readonly FbxValue[] | undefined) =>
    numberOf(values?.[0]) / objects.document.ticksPerSecond;
  const start = seconds(objects.propertyOf(stack, 'LocalStart'));
  const end = seconds(objects.propertyOf(stack, 'LocalStop'));
  // A span that none of the keys lies in is one that was never set.
  const hasSpan = isTime(start) && isTime(end) && end > start && start < last && end > first;
  if (!hasSpan) return { name, start: first, end: last, layers };
  // What is cut off by a hundredth of a second is rounding.
  if (last > end + 0.01 || first < start - 0.01)
    warnings.push({
      code: 'take-read',
      message: `The keys of "${name}" reach from ${first.toFixed(2)} s to ${last.toFixed(2)} s; the take itself is ${start.toFixed(2)} s to ${end.toFixed(2)} s, which was read.`,
    });
  return { name, start, end: Math.max(start, Math.min(end, last)), layers };
}

/** The weight of a layer at a time, 0 to 1. */
export function weightAt({ weight, weightCurve }: TakeLayer, time: number): number {
  return weightCurve ? Math.min(Math.max(sampleCurve(weightCurve, time) / 100, 0), 1) : weight;
}

/** All curves of a layer. */
export function curvesOf(layer: TakeLayer): AnimationCurve[] {
  const all: AnimationCurve[] = layer.weightCurve ? [layer.weightCurve] : [];
  const add = ({ curves }: PropertyCurves) => {
    for (const curve of curves) if (curve) all.push(curve);
  };
  for (const { T, R, S } of layer.models.values())
    for (const property of [T, R, S]) if (property) add(property);
  for (const property of layer.morphs.values()) add(property);
  return all;
}

function readLayer(
  objects: FbxObjects,
  tree: ModelTree,
  layer: FbxObject,
  isBase: boolean,
  curveOf: (object: FbxObject) => AnimationCurve | null,
): TakeLayer {
  const read = (name: string, fallback: number) => numberOf(objects.propertyOf(layer, name)?.[0], fallback);
  const out: TakeLayer = {
    isBase,
    weight: Math.min(Math.max(read('Weight', 100) / 100, 0), 1),
    weightCurve: null,
    isAdditive: read('BlendMode', 0) === 0,
    multipliesTurns: read('RotationAccumulationMode', 0) === 0,
    multipliesScales: read('ScaleAccumulationMode', 0) === 0,
    models: new Map(),
    morphs: new Map(),
  };
  for (const { object: node, property: own } of objects.sourcesOf(layer)) {
    if (node.type !== 'AnimationCurveNode') continue;
    if (own === 'Weight') {
      out.weightCurve ??= readProperty(objects, node, ['d|Weight'], curveOf).curves[0] ?? null;
      continue;
    }
    for (const { object, property } of objects.targetsOf(node)) {
      const model = tree.indexOf.get(object.id);
      const letter = PROPERTIES[property];
      if (model !== undefined && letter) {
        const entry = out.models.get(model) ?? {};
        out.models.set(model, entry);
        entry[letter] ??= readProperty(objects, node, ['d|X', 'd|Y', 'd|Z'], curveOf);
      } else if (object.type === 'Deformer' && property === 'DeformPercent') {
        if (!out.morphs.has(object.id))
          out.morphs.set(object.id, readProperty(objects, node, ['d|DeformPercent'], curveOf));
      }
    }
  }
  return out;
}

function readProperty(
  objects: FbxObjects,
  node: FbxObject,
  names: readonly string[],
  curveOf: (object: FbxObject) => AnimationCurve | null,
): PropertyCurves {
  const curves: (AnimationCurve | null)[] = names.map(() => null);
  for (const { object, property } of objects.sourcesOf(node)) {
    if (object.type !== 'AnimationCurve') continue;
    // A lone number may be connected as plain `d`.
    const n = names.length === 1 ? 0 : names.indexOf(property);
    if (n >= 0) curves[n] ??= curveOf(object);
  }
  const defaults = names.map((name, n) => {
    if (curves[n]) return null;
    const values = objects.propertyOf(node, name);
    return values === undefined ? null : numberOf(values[0]);
  });
  return { curves, defaults };
}
