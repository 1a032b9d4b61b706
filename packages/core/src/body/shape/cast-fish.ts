import { dotVectors, vectorLength } from '../../base/math/vector.js';
import type { BodyGraph } from './body-graph.js';
import type { AnimalCast, PartCast } from './cast-four-legged.js';
import type { Animal } from './find-animal.js';
import { firstApart, limbEnd } from './find-humanoid.js';

/**
 * Names the fins and the head of a body that lies along one line and stands on nothing. Fins begin nearer to the
 * head than to the tail and are swept back: where only one of the two speaks, nothing is named. Null where the
 * body is no fish.
 */
export function castFish(graph: BodyGraph, animal: Animal): AnimalCast | null {
  const { positions, along, across, middle, others } = animal;
  const place = (joint: number) => dotVectors(positions[joint]!, along);
  const bodies = Array.from(graph.parents, (_, i) => i).filter(
    (i) => graph.parents[i] !== -2 && !graph.isControl[i],
  );
  const central = bodies.filter(
    (i) => Math.abs(dotVectors(positions[i]!, across) - middle) < 0.03 * graph.size,
  );
  const fins = others[0];
  if (!fins || central.length < 4) return null;
  const ends = central.map((joint) => (graph.ends[joint]! >= 0 ? graph.ends[joint]! : joint));
  const places = [...central, ...ends].map(place);
  const [low, high] = [Math.min(...places), Math.max(...places)];
  const heights = central.map((joint) => dotVectors(positions[joint]!, animal.up));
  const length = high - low;
  // A body lies where it is longer than high, and long against its fins.
  if (!(length > 2 * (Math.max(...heights) - Math.min(...heights))) || fins.length > 0.8 * length)
    return null;
  const apart = firstApart(graph, fins, positions);
  if (!apart || vectorLength(apart.a) === Number.POSITIVE_INFINITY) return null;
  const root = dotVectors(apart.a, along) / 2 + dotVectors(apart.b, along) / 2;
  const tip = fins.paths.reduce((sum, path) => sum + place(limbEnd(graph, path)) / 2, 0);
  const nearer = (root - (low + high) / 2) / length;
  const swept = (root - tip) / fins.length;
  const sign = Math.sign(nearer);
  if (Math.abs(nearer) < 0.08 || swept * sign < 0.05) return { casts: [], sign: 0 };
  const casts: PartCast[] = [];
  const sides = sign > 0 ? (['Left', 'Right'] as const) : (['Right', 'Left'] as const);
  sides.forEach((side, n) => {
    fins.paths[n]!.slice(apart.index).forEach((joint, k, list) => {
      // Without end sites the last joint may only mark where the fin ends.
      if (graph.ends[joint]! < 0 && k > 0 && k === list.length - 1) return;
      casts.push({
        part: `fin${side}${k + 1}`,
        joint,
        sure: 0.7,
        reason: 'in one of two mirrored chains beside the body',
      });
    });
  });
  const head = central.reduce((best, joint) => (sign * place(joint) > sign * place(best) ? joint : best));
  // A tip ahead of the head would be taken for it; an end site, or what hangs on it, shows that it is none.
  if (graph.ends[head]! >= 0 || graph.children[head]!.length > 0)
    casts.push({ part: 'head', joint: head, sure: 0.7, reason: 'the foremost joint in the middle' });
  return { casts, sign };
}
