import { scaleVector, type Vec3 } from '../../base/math/vector.js';
import { didWork } from '../../base/watch-work.js';
import { AXIS_VECTORS, type Skeleton } from '../../scene/skeleton.js';
import type { AnimalPart, BodyKind, PartGuess } from '../body-parts.js';
import { castFish } from './cast-fish.js';
import { type AnimalCast, castFourLegged } from './cast-four-legged.js';
import { castManyLegged } from './cast-many-legged.js';
import { findAnimal } from './find-animal.js';
import { findLine, headingOfLine } from './find-line.js';
import type { ShapeOptions } from './guess-shape-roles.js';
import { LEAST_SURE } from './guess-shape-roles.js';
import { readStride } from './read-stride.js';
import { lookAtBody } from './seen-body.js';

/**
 * Says which part of an animal each joint is, by shape alone: how many pairs of legs stand on the floor, where
 * the trunk runs between them, which end carries a head and which a tail. Every part is null where the shape
 * is not known. `ahead` is where the body heads, a unit vector in the space of the skeleton's container, or null.
 */
export function guessAnimalParts(
  skeleton: Skeleton,
  options: ShapeOptions = {},
): { kind: BodyKind; parts: PartGuess[]; ahead: Vec3 | null } {
  const parts: PartGuess[] = skeleton.names.map(() => ({
    part: null,
    confidence: 0,
    reason: 'no body part by its shape',
  }));
  const poses = options.pose ? [options.pose] : skeleton.bind ? [skeleton.bind] : [skeleton.rest];
  const seen = (options.look ?? lookAtBody)(skeleton, poses[0]!);
  if (!seen) return { kind: 'unknown', parts, ahead: null };
  const { graph, pairs } = seen;
  const up: Vec3 = [...AXIS_VECTORS[skeleton.declared.up ?? '+Y']];
  const { positions } = graph;
  const animal = findAnimal(graph, pairs, positions, up);
  if (animal && animal.legs.length > 0)
    animal.stride = readStride(graph, animal.legs, options.clips ?? [], animal.along, up);
  didWork(20 * positions.length);
  let ahead: Vec3 | null = null;
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
    else cast = castManyLegged(graph, animal);
  } else if (animal) {
    const fish = castFish(graph, animal);
    if (fish) {
      kind = 'fish';
      cast = fish;
    }
  }
  if (animal && cast.sign !== 0) ahead = scaleVector(animal.along, cast.sign);
  const line = kind === 'unknown' ? findLine(graph) : null;
  if (line) {
    kind = 'snake';
    ahead = headingOfLine(line, positions, up);
  }
  didWork(20 * positions.length);
  const given = new Set<AnimalPart>();
  for (const { part, joint, sure, reason } of cast.casts) {
    if (joint < 0 || parts[joint]!.part !== null || given.has(part) || sure < LEAST_SURE) continue;
    given.add(part);
    parts[joint] = { part, confidence: Math.min(0.95, sure), reason };
  }
  if (given.size === 0 && kind !== 'snake') kind = 'unknown';
  return { kind, parts, ahead };
}
