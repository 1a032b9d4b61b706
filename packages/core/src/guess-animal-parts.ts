import type { AnimalPart, BodyKind, PartGuess } from './body-parts.js';
import type { ShapeOptions } from './guess-shape-roles.js';
import { createBodyGraph, positionsOf } from './shape/body-graph.js';
import { type AnimalCast, castFourLegged } from './shape/cast-four-legged.js';
import { castManyLegged } from './shape/cast-many-legged.js';
import { findAnimal } from './shape/find-animal.js';
import { findLimbPairs } from './shape/limb-pairs.js';
import { AXIS_VECTORS, type Skeleton } from './skeleton.js';
import type { Vec3 } from './vector.js';

/** Below this an answer is not given. */
const LEAST_SURE = 0.6;

/**
 * Says which part of an animal each joint is, by shape alone: how many pairs of legs stand on the floor, where
 * the trunk runs between them, which end carries a head and which a tail. Every part is null where the shape
 * is not known.
 */
export function guessAnimalParts(
  skeleton: Skeleton,
  options: ShapeOptions = {},
): { kind: BodyKind; parts: PartGuess[] } {
  const parts: PartGuess[] = skeleton.names.map(() => ({
    part: null,
    confidence: 0,
    reason: 'no body part by its shape',
  }));
  const poses = options.pose ? [options.pose] : skeleton.bind ? [skeleton.bind] : [skeleton.rest];
  const graph = createBodyGraph(skeleton, poses[0]!);
  if (!graph) return { kind: 'unknown', parts };
  const up: Vec3 = [...AXIS_VECTORS[skeleton.declared.up ?? '+Y']];
  const animal = findAnimal(graph, findLimbPairs(graph), positionsOf(skeleton, poses[0]!), up);
  let kind: BodyKind = 'unknown';
  let cast: AnimalCast = { casts: [], sign: 0 };
  if (animal && animal.legs.length === 2) {
    kind = 'quadruped';
    cast = castFourLegged(graph, animal);
  } else if (animal && animal.legs.length > 2) {
    kind = 'spider';
    cast = castManyLegged(graph, animal);
  } else if (animal && animal.legs.length === 1) {
    // Wings are as long as legs and longer; small arms are a dinosaur's.
    const leg = animal.legs[0]!.length;
    const wings = animal.others.find(({ length }) => length > 0.8 * leg);
    const arms = animal.others.find(({ length, paths }) => length > 0.2 * leg && paths[0].length > 2);
    kind = wings ? 'bird' : 'biped';
    if (wings) cast = castFourLegged(graph, animal, { pair: wings, are: 'wings' });
    else if (arms) cast = castFourLegged(graph, animal, { pair: arms, are: 'arms' });
  } else if (!animal && isOneLine(graph.children, graph.parents)) kind = 'snake';
  const given = new Set<AnimalPart>();
  for (const { part, joint, sure, reason } of cast.casts) {
    if (joint < 0 || parts[joint]!.part !== null || given.has(part) || sure < LEAST_SURE) continue;
    given.add(part);
    parts[joint] = { part, confidence: Math.min(0.95, sure), reason };
  }
  if (given.size === 0 && kind !== 'snake') kind = 'unknown';
  return { kind, parts };
}

/** Whether nearly all joints hang in one long line. */
function isOneLine(children: readonly number[][], parents: Int32Array): boolean {
  let longest = 0;
  let counted = 0;
  const depth = new Int32Array(parents.length);
  parents.forEach((parent, i) => {
    if (parent === -2) return;
    counted++;
    depth[i] = parent >= 0 ? depth[parent]! + 1 : 1;
    if (children[i]!.length === 0) longest = Math.max(longest, depth[i]!);
  });
  return longest >= 8 && longest > 0.7 * counted;
}
