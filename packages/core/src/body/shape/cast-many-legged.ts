import { dotVectors, subtractVectors, vectorLength } from '../../base/math/vector.js';
import { END, isAncestor } from '../../scene/skeleton.js';
import type { AnimalPart } from '../body-parts.js';
import { type BodyGraph, commonAncestor, longestPath } from './body-graph.js';
import { type AnimalCast, type PartCast, strideVote, toesVote } from './cast-four-legged.js';
import type { Animal } from './find-animal.js';
import { firstApart, limbEnd } from './find-humanoid.js';

/**
 * Names the legs of a body that stands on three pairs and more, or on one and has nothing else, counted from the front, the joint they part at,
 * and the middle branches ahead and behind. Front is where a further pair is (fangs, feelers) or, failing that,
 * where less of the middle lies beyond the legs: an abdomen reaches further than a head. Where neither tells, no
 * leg is named.
 */
export function castManyLegged(graph: BodyGraph, animal: Animal): AnimalCast {
  const { legs, others, positions, along, across, middle } = animal;
  const { children, parents, size } = graph;
  const casts: PartCast[] = [];
  let body = legs[0]!.base;
  for (const { base } of legs) body = commonAncestor(graph, body, base);
  if (body < 0) return { casts, sign: 0 };
  const place = (joint: number) => dotVectors(positions[joint]!, along);
  const side = (joint: number) => dotVectors(positions[joint]!, across) - middle;
  const legJoints = new Set(legs.flatMap(({ paths }) => paths.flat()));
  const carriesLegs = (joint: number) => [...legJoints].some((leg) => isBelow(graph, leg, joint));
  const middleBranches = (joint: number) =>
    children[joint]!.filter(
      (child) => Math.abs(side(child)) < 0.02 * size && !graph.isControl[child] && !carriesLegs(child),
    );
  // An abdomen that hangs from the joint above shows that the hips are there.
  const above = parents[body]!;
  const hips = above >= 0 && middleBranches(above).length > 0 ? above : body;
  casts.push({ part: 'hips', joint: hips, sure: 0.75, reason: 'where all legs part' });

  const footPlace = (paths: readonly number[][]) =>
    paths.reduce((sum, path) => sum + place(limbEnd(graph, path)), 0) / paths.length;
  const centre = legs.reduce((sum, { paths }) => sum + footPlace(paths), 0) / legs.length;
  const branches = [...new Set([hips, body])].flatMap(middleBranches).map((start) => {
    const path = longestPath(graph, start);
    return { path, end: place(limbEnd(graph, path)) - place(hips) };
  });
  let votes = 0;
  for (const pair of others) votes += 2 * Math.sign(footPlace(pair.paths) - centre);
  const ends = [1, -1].map((way) => branches.filter(({ end }) => way * end > 0.02 * size));
  ends.forEach((list, n) => {
    for (const { path } of list)
      if (path.some((joint) => carriesPair(graph, joint, side))) votes += n ? -2 : 2;
  });
  // Legs hang from the fore part of a body; what is left of it is behind them.
  const roots = legs.flatMap((pair) => {
    const apart = firstApart(graph, pair, positions);
    return apart ? [dotVectors(apart.a, along) / 2 + dotVectors(apart.b, along) / 2] : [];
  });
  const legRoot = roots.reduce((sum, root) => sum + root, 0) / (roots.length || 1);
  const beyond = [1, -1].map((way) =>
    Math.max(0, ...branches.map(({ end }) => way * (end + place(hips) - legRoot))),
  );
  if (
    legs.length > 1 &&
    votes === 0 &&
    Math.min(...beyond) > 0 &&
    Math.max(...beyond) > 1.6 * Math.min(...beyond)
  )
    votes = beyond[0]! > beyond[1]! ? -1 : 1;
  votes += strideVote(animal);
  if (legs.length === 1) votes += toesVote(graph, animal);
  if (Math.abs(votes) < 1) return { casts, sign: 0 };
  const sign = Math.sign(votes);

  const sides = sign > 0 ? (['Left', 'Right'] as const) : (['Right', 'Left'] as const);
  const hasEnds = graph.skeleton.flags.some((flags) => flags & END);
  const ordered = legs.slice().sort((a, b) => sign * (footPlace(b.paths) - footPlace(a.paths)));
  ordered.forEach((pair, n) => {
    const first = firstApart(graph, pair, positions)?.index ?? 0;
    sides.forEach((word, s) => {
      const path = pair.paths[s]!.slice(first);
      // Where all legs of a side begin in one place they are only anchored there.
      const isAnchor = legs.some(
        (other) =>
          other !== pair &&
          other.paths.some(
            ([joint]) =>
              vectorLength(subtractVectors(positions[joint!]!, positions[path[0]!]!)) < 0.005 * size,
          ),
      );
      const own = isAnchor ? path.slice(1) : path;
      (hasEnds ? own : own.slice(0, -1)).forEach((joint, k) => {
        // Feet that hang from the root are joints of their own, not a further piece of leg.
        const isFoot = !isAncestor(graph.skeleton, parents[joint]!, joint);
        const part: AnimalPart = `leg${n + 1}${word}${isFoot ? 'Foot' : k + 1}`;
        casts.push({
          part,
          joint,
          sure: 0.7,
          reason: 'in one of several pairs of chains that end on the floor',
        });
      });
    });
  });
  // What stands on two legs has its head above them, if any.
  if (legs.length > 1) castMiddle();
  return { casts, sign };

  /** The longest middle branch ahead is spine and head, the longest behind the abdomen. */
  function castMiddle(): void {
    const longest = (list: readonly { path: number[]; end: number }[]) =>
      list.reduce<number[]>((best, { path }) => (path.length > best.length ? path : best), []);
    const [front, rear] =
      sign > 0 ? [longest(ends[0]!), longest(ends[1]!)] : [longest(ends[1]!), longest(ends[0]!)];
    const marked = front.findIndex((joint) => carriesPair(graph, joint, side));
    const head = marked >= 0 ? marked : hasEnds ? front.length - 1 : -1;
    const spine = [...(hips === body ? [] : [body]), ...front.slice(0, Math.max(0, head))];
    if (head >= 0) {
      spine.forEach((joint, n) => {
        casts.push({ part: `spine${n + 1}`, joint, sure: 0.7, reason: 'between the hips and the head' });
      });
      casts.push({ part: 'head', joint: front[head]!, sure: 0.7, reason: 'at the end of the middle ahead' });
    }
    (hasEnds ? rear : rear.slice(0, -1)).forEach((joint, n) => {
      casts.push({
        part: `tail${n + 1}`,
        joint,
        sure: 0.7,
        reason: 'in a chain that goes back from the hips',
      });
    });
  }
}

function isBelow({ parents }: BodyGraph, joint: number, above: number): boolean {
  for (let at = joint; at >= 0; at = parents[at]!) if (at === above) return true;
  return false;
}

/** Whether two mirrored branches hang on a joint: fangs, feelers, eyes. */
function carriesPair({ children, size }: BodyGraph, joint: number, side: (joint: number) => number): boolean {
  return children[joint]!.some(
    (a) => side(a) > 0.01 * size && children[joint]!.some((b) => Math.abs(side(a) + side(b)) < 0.01 * size),
  );
}
