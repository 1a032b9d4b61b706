import type { AnimalPart } from '../body-parts.js';
import { isAncestor } from '../skeleton.js';
import { dotVectors } from '../vector.js';
import { type BodyGraph, commonAncestor } from './body-graph.js';
import type { PartCast } from './cast-four-legged.js';
import type { Animal } from './find-animal.js';
import { firstApart, limbEnd } from './find-humanoid.js';

/**
 * Names the legs of a body that stands on three pairs and more, counted from the front, and the joint they
 * part at. Front is where a further pair is (fangs, feelers) or, failing that, where the shorter middle branch
 * lies; where neither tells, no leg is named.
 */
export function castManyLegged(graph: BodyGraph, animal: Animal): PartCast[] {
  const { legs, others, positions, along } = animal;
  let body = legs[0]!.base;
  for (const { base } of legs) body = commonAncestor(graph, body, base);
  if (body < 0) return [];
  const casts: PartCast[] = [{ part: 'hips', joint: body, sure: 0.75, reason: 'where all legs part' }];
  const rootPlace = (paths: readonly number[][]) =>
    paths.reduce((sum, path) => sum + dotVectors(positions[limbEnd(graph, path)]!, along), 0) / paths.length;
  const centre = legs.reduce((sum, { paths }) => sum + rootPlace(paths), 0) / legs.length;
  let votes = 0;
  for (const pair of others) votes += 2 * Math.sign(rootPlace(pair.paths) - centre);
  if (Math.abs(votes) < 1) return casts;
  const sign = Math.sign(votes);
  const sides = sign > 0 ? (['Left', 'Right'] as const) : (['Right', 'Left'] as const);
  const ordered = legs.slice().sort((a, b) => sign * (rootPlace(b.paths) - rootPlace(a.paths)));
  ordered.forEach((pair, n) => {
    const first = firstApart(graph, pair, positions)?.index ?? 0;
    sides.forEach((side, s) => {
      pair.paths[s]!.slice(first).forEach((joint, k) => {
        // Feet that hang from the root are joints of their own, not a further piece of leg.
        const isFoot = !isAncestor(graph.skeleton, graph.parents[joint]!, joint);
        const part: AnimalPart = `leg${n + 1}${side}${isFoot ? 'Foot' : k + 1}`;
        casts.push({
          part,
          joint,
          sure: 0.7,
          reason: 'in one of several pairs of chains that end on the floor',
        });
      });
    });
  });
  return casts;
}
