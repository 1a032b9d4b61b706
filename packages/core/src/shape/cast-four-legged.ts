import type { AnimalPart } from '../body-parts.js';
import { END, SKINNED } from '../skeleton.js';
import { addVectors, dotVectors, scaleVector, subtractVectors, type Vec3, vectorLength } from '../vector.js';
import { type BodyGraph, commonAncestor, longestPath, pathDown } from './body-graph.js';
import type { Animal } from './find-animal.js';
import { firstApart, limbEnd } from './find-humanoid.js';
import type { LimbPair } from './limb-pairs.js';
import { pathLength } from './split-limb.js';

/** A part found, its joint, how sure, and why. */
export type PartCast = { part: AnimalPart; joint: number; sure: number; reason: string };

/**
 * Names the parts of a body that stands on four legs, or on two with wings before them. Ahead is where the
 * head is: the end of the trunk with ears or eyes, to which toes point and whose legs hang from the spine.
 */
export function castFourLegged(graph: BodyGraph, animal: Animal, wings?: LimbPair): PartCast[] {
  const { positions, along } = animal;
  const [one, two] = wings ? [animal.legs[0]!, wings] : (animal.legs as [LimbPair, LimbPair]);
  const place = (joint: number) => dotVectors(positions[joint]!, along);
  const rootPlace = (pair: LimbPair) => {
    const apart = firstApart(graph, pair, positions)!;
    return dotVectors(addVectors(apart.a, apart.b), along) / 2;
  };
  const trunkRoot = commonAncestor(graph, one.base, two.base);
  if (trunkRoot < 0) return [];
  const votes = wings
    ? 3 * Math.sign(rootPlace(wings) - rootPlace(one)) + toesVote(graph, animal)
    : aheadVotes(graph, animal, one, two, trunkRoot);
  if (Math.abs(votes) < 0.8) return [];
  const sign = Math.sign(votes);
  const ahead = (joint: number) => sign * place(joint);
  const [hind, front] = wings
    ? [one, two]
    : sign * (rootPlace(two) - rootPlace(one)) > 0
      ? [one, two]
      : [two, one];
  // left = up × ahead, ahead = sign · (across × up), so left = sign · across.
  const sides = sign > 0 ? (['Left', 'Right'] as const) : (['Right', 'Left'] as const);
  const sure = Math.min(0.95, 0.7 + 0.08 * Math.abs(votes));
  const casts: PartCast[] = [];
  const give = (part: AnimalPart, joint: number, how: number, reason: string) => {
    casts.push({ part, joint, sure: Math.min(how, sure), reason });
  };

  const trunkToFront = pathDown(graph, trunkRoot, front.base);
  const hindLegs = hind.paths.map((path) => splitLeg(graph, animal, path, hind, true));
  const frontLegs = wings ? [] : front.paths.map((path) => splitLeg(graph, animal, path, front, false));
  const legWords = ['UpperLeg', 'LowerLeg', 'Foot', 'Toes'] as const;
  sides.forEach((side, n) => {
    for (const [end, girdleWord, legs] of [
      ['hind', 'Hip', hindLegs],
      ['front', 'Shoulder', frontLegs],
    ] as const) {
      const leg = legs[n];
      if (!leg) continue;
      const reason = `in one of two mirrored chains that end on the floor, at the ${end === 'hind' ? 'rear' : 'front'}`;
      give(`${end}${side}${girdleWord}` as AnimalPart, leg.girdle, leg.sure, 'between the spine and a leg');
      leg.joints.forEach((joint, k) => {
        give(`${end}${side}${legWords[k]!}`, joint, leg.sure, reason);
      });
    }
    const flying =
      wings ?? animal.others.find(({ base, length }) => length > hind.length && trunkToFront.includes(base));
    if (flying)
      trimTip(graph, apartOnly(graph, flying, n, positions)).forEach((joint, k) => {
        give(`wing${side}${k + 1}`, joint, 0.85, 'in one of two mirrored chains that leave the floor');
      });
  });

  // Thighs may hang from the first joint of the spine: the hips are then the joint above it, where thighs begin.
  const thighs = firstApart(graph, hind, positions)!;
  const thighMiddle = scaleVector(addVectors(thighs.a, thighs.b), 0.5);
  const gap = (joint: number) => vectorLength(subtractVectors(positions[joint]!, thighMiddle));
  let hips = trunkRoot;
  const above = graph.parents[hips]!;
  const isSpineFirst =
    above >= 0 && hips === hind.base && isSkinned(graph, above) && gap(above) < 0.5 * gap(hips);
  if (isSpineFirst) hips = above;
  give('hips', hips, 0.9, 'where hind legs and spine part');

  const trunk = pathDown(graph, hips, front.base);
  const { path: onward, head, isSureHead } = neckOf(graph, animal, front, (joint) => ahead(joint));
  // Half way between shoulder blade and upper leg, which lean differently from animal to animal.
  const shoulders = wings
    ? sign * rootPlace(front)
    : averageOf(
        frontLegs.flatMap(({ girdle, joints }) =>
          [girdle >= 0 ? girdle : (joints[0] ?? front.base), joints[0] ?? front.base].map(ahead),
        ),
      );
  // The neck begins ahead of the shoulders.
  // Where thighs hang from the spine, front legs hang from the neck: one and the same program makes both.
  const spine = isSpineFirst ? trunk.slice(0, -1) : trunk.slice();
  const neck: number[] = isSpineFirst ? [front.base] : [];
  for (const joint of onward)
    if (neck.length === 0 && ahead(joint) <= shoulders + 0.005 * graph.size) spine.push(joint);
    else neck.push(joint);
  spine.forEach((joint, n) => {
    give(`spine${n + 1}`, joint, 0.9, 'on the way from the hind legs to the front');
  });
  if (isSureHead)
    neck.forEach((joint, n) => {
      give(`neck${n + 1}`, joint, 0.88, 'between the shoulders and the head');
    });
  if (head >= 0 && isSureHead) give('head', head, 0.88, 'at the end of the trunk ahead');
  if (head >= 0 && isSureHead) castEars(graph, animal, head, sides, give);

  const tail = tailOf(
    graph,
    animal,
    [hips, trunkRoot, hind.base],
    [...trunk, ...hind.paths.map((path) => path[0]!)],
    ahead,
  );
  tail.forEach((joint, n) => {
    give(`tail${n + 1}`, joint, 0.88, 'in a chain that goes back from the hips');
  });
  return casts;
}

function averageOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
}

function isSkinned({ skeleton }: BodyGraph, joint: number): boolean {
  return (skeleton.flags[joint]! & SKINNED) !== 0 || !skeleton.flags.some((flags) => flags & SKINNED);
}

/** Which way along the body is ahead; the sign is the answer, the size how much speaks for it. */
function aheadVotes(
  graph: BodyGraph,
  animal: Animal,
  one: LimbPair,
  two: LimbPair,
  trunkRoot: number,
): number {
  const place = (joint: number) => dotVectors(animal.positions[joint]!, animal.along);
  const towards = Math.sign(place(two.base) - place(one.base)) || 1;
  let votes = toesVote(graph, animal);
  // Most rigs start at the hips.
  if (trunkRoot === one.base && trunkRoot !== two.base) votes += 1.5 * towards;
  if (trunkRoot === two.base && trunkRoot !== one.base) votes -= 1.5 * towards;
  // Ears, eyes and jaws are at the head's end.
  for (const pair of animal.others) {
    const at = place(pair.base);
    const beyond = Math.max(Math.abs(at - place(one.base)), Math.abs(at - place(two.base)));
    if (beyond > Math.abs(place(one.base) - place(two.base)))
      votes += 1.5 * Math.sign(at - (place(one.base) + place(two.base)) / 2);
  }
  return votes;
}

/** Toes lie ahead of what carries them. */
function toesVote(graph: BodyGraph, { legs, along, positions }: Animal): number {
  let sum = 0;
  for (const { paths, length } of legs)
    for (const path of paths) {
      const points = path.map((joint) => positions[joint]!);
      const end = limbEnd(graph, path);
      if (end !== path[path.length - 1]) points.push(positions[end]!);
      const toe = subtractVectors(points[points.length - 1]!, points[points.length - 2]!);
      sum += Math.max(-1, Math.min(1, dotVectors(toe, along) / (0.06 * length)));
    }
  return (2 * sum) / (2 * legs.length);
}

type LegSplit = { girdle: number; joints: number[]; sure: number };

/**
 * Finds upper leg, lower leg, foot and toes along a leg: two long bones from the top, then the foot, which
 * ends at the ball near the floor. What stands before is the girdle, what follows are tips. A shoulder blade is
 * a long bone of its own, a hip is not.
 */
function splitLeg(
  graph: BodyGraph,
  { positions, up, floor, across, middle }: Animal,
  path: readonly number[],
  pair: LimbPair,
  isHind: boolean,
): LegSplit {
  const points = path.map((joint) => positions[joint]!);
  const end = limbEnd(graph, path);
  if (end !== path[path.length - 1]) points.push(positions[end]!);
  const heights = points.map((p) => dotVectors(p, up) - floor);
  const isAside = path.map(
    (joint) => Math.abs(dotVectors(positions[joint]!, across) - middle) > 0.01 * pair.length,
  );
  const top = Math.max(...heights.filter((_, i) => isAside[i] ?? false)) || 1;
  let best: { joints: number[]; upper: number; cost: number } | null = null;
  let second = Number.POSITIVE_INFINITY;
  const count = Math.min(path.length, 10);
  for (let u = 0; u + 2 < count; u++)
    for (let l = u + 1; l + 1 < count; l++)
      for (let f = l + 1; f < count; f++)
        for (let t = f + 1; t <= count; t++) {
          // t === count stands for a leg without toes.
          const hasToes = t < count;
          const b1 = pathLength(points, u, l);
          const b2 = pathLength(points, l, f);
          const b3 = hasToes ? pathLength(points, f, t) : 0;
          const ratio = Math.log((b1 || 1e-9) / (b2 || 1e-9)) / 0.5;
          const last = hasToes ? t : f;
          let cost = Math.min(9, ratio * ratio);
          cost += over(b3 / (b2 || 1e-9), 1.1, 0.2);
          cost += over((top - heights[u]!) / top, isHind ? 0.18 : 0.32, 0.04);
          cost += over(heights[last]! / top, 0.16, 0.05);
          // A hock stands off the floor; only bears and people put it down.
          if (isHind) cost += over(0.15 - heights[f]! / top, 0, 0.08);
          cost += isAside[u] ? 0 : 1.5;
          cost += 2.2 * (l - u - 1 + (f - l - 1) + (hasToes ? t - f - 1 : 0));
          cost += 0.35 * Math.max(0, count - 1 - last) + 0.15 * u;
          // A girdle is one joint that stands aside; without toes a joint is left for nothing.
          cost += hasToes ? 0 : 0.5;
          if (best === null || cost < best.cost) {
            second = best?.cost ?? second;
            best = { joints: [u, l, f, ...(hasToes ? [t] : [])].map((k) => path[k]!), upper: u, cost };
          } else second = Math.min(second, cost);
        }
  if (!best) return { girdle: -1, joints: [], sure: 0 };
  const before = best.upper - 1;
  const girdle = before >= 0 && isAside[before] ? path[before]! : -1;
  return { girdle, joints: best.joints, sure: Math.min(0.92, 0.5 + 0.42 * Math.min(1, second - best.cost)) };
}

function over(value: number, limit: number, spread: number): number {
  const excess = Math.max(0, value - limit) / spread;
  return Math.min(9, excess * excess);
}

/** The joints of a limb that stand off the middle. */
function apartOnly(graph: BodyGraph, pair: LimbPair, n: number, positions: readonly Vec3[]): number[] {
  const first = firstApart(graph, pair, positions)?.index ?? 0;
  return pair.paths[n]!.slice(first);
}

/** Without the last joint where the rig marks ends by joints instead of end sites. */
function trimTip({ skeleton }: BodyGraph, path: number[]): number[] {
  const hasEnds = skeleton.flags.some((flags) => flags & END);
  return hasEnds || path.length < 3 ? path : path.slice(0, -1);
}

/**
 * From where the front limbs part to the head: the middle branch that goes furthest ahead. Ears, eyes or horns
 * stand on the head, whichever joint they hang from; without them only a plain line of bones says where its
 * head is, by ending.
 */
function neckOf(
  graph: BodyGraph,
  { positions, across, middle, others }: Animal,
  front: LimbPair,
  ahead: (joint: number) => number,
): { path: number[]; head: number; isSureHead: boolean } {
  const { children } = graph;
  const side = (joint: number) => dotVectors(positions[joint]!, across) - middle;
  const furthest = (joint: number): number =>
    longestPath(graph, joint).reduce((most, j) => Math.max(most, ahead(j)), Number.NEGATIVE_INFINITY);
  const taken = new Set(front.paths.map((limb) => limb[0]!));
  const path: number[] = [];
  const onHead: Vec3[] = [];
  for (let at = front.base; path.length < 40; ) {
    const below = children[at]!.filter((child) => !taken.has(child) && !graph.isControl[child]);
    const central = below.filter((child) => Math.abs(side(child)) < 0.02 * graph.size);
    if (at !== front.base) {
      const mirrored = below.find(
        (a) =>
          side(a) > 0.01 * graph.size && below.some((b) => Math.abs(side(a) + side(b)) < 0.01 * graph.size),
      );
      const pair = others.find(({ base }) => base === at);
      const apart = pair && firstApart(graph, pair, positions);
      if (apart) onHead.push(apart.a);
      else if (mirrored !== undefined) onHead.push(positions[mirrored]!);
    }
    let next = -1;
    for (const child of central) if (next < 0 || furthest(child) > furthest(next)) next = child;
    if (next < 0 || furthest(next) <= ahead(at)) break;
    path.push(next);
    at = next;
  }
  const mark = onHead[onHead.length - 1];
  if (mark) {
    const flat = addVectors(mark, scaleVector(across, middle - dotVectors(mark, across)));
    const gap = (joint: number) => vectorLength(subtractVectors(positions[joint]!, flat));
    let at = 0;
    path.forEach((joint, n) => {
      if (gap(joint) < gap(path[at]!)) at = n;
    });
    return { path: path.slice(0, at), head: path[at]!, isSureHead: true };
  }
  const trimmed = path.length > 2 ? trimTip(graph, path) : path;
  const isPlain = path.every((joint) => children[joint]!.length <= 1);
  return {
    path: trimmed.slice(0, -1),
    head: trimmed[trimmed.length - 1] ?? -1,
    isSureHead: path.length > 0 && isPlain,
  };
}

/** The longest middle branch that goes back from the hips. */
function tailOf(
  graph: BodyGraph,
  { positions, across, middle }: Animal,
  starts: readonly number[],
  not: readonly number[],
  ahead: (joint: number) => number,
): number[] {
  let best: number[] = [];
  for (const start of new Set(starts))
    for (const child of graph.children[start]!) {
      if (not.includes(child) || graph.isControl[child]) continue;
      const path = longestPath(graph, child);
      const last = path[path.length - 1]!;
      const isCentral = Math.abs(dotVectors(positions[child]!, across) - middle) < 0.02 * graph.size;
      if (!isCentral || ahead(last) > ahead(start) - 0.03 * graph.size || path.length < 2) continue;
      if (path.length > best.length) best = path;
    }
  return trimTip(graph, best);
}

function castEars(
  graph: BodyGraph,
  animal: Animal,
  head: number,
  sides: readonly ('Left' | 'Right')[],
  give: (part: AnimalPart, joint: number, how: number, reason: string) => void,
): void {
  const { positions, up } = animal;
  // Horns may start in the middle of the skull; ears do not.
  const pair = animal.others.find(
    ({ base, paths }) =>
      firstApart(graph, { base, paths, length: 0, likeness: 1 }, positions)?.index === 0 &&
      (base === head || base === graph.parents[head] || graph.parents[base] === head) &&
      paths.every(
        (path) => dotVectors(subtractVectors(positions[limbEnd(graph, path)]!, positions[head]!), up) > 0,
      ),
  );
  if (!pair) return;
  sides.forEach((side, n) => {
    const path = pair.paths[n]!;
    const joints = path.length > 1 ? trimEar(graph, path) : path;
    joints.forEach((joint, k) => {
      give(`ear${side}${k + 1}`, joint, 0.75, 'in one of two mirrored chains that rise from the head');
    });
  });
}

function trimEar({ skeleton }: BodyGraph, path: number[]): number[] {
  return skeleton.flags.some((flags) => flags & END) ? path : path.slice(0, -1);
}
