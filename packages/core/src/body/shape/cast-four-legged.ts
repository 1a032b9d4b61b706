import { log } from '../../base/math/functions.js';
import {
  addVectors,
  dotVectors,
  scaleVector,
  subtractVectors,
  type Vec3,
  vectorLength,
} from '../../base/math/vector.js';
import { END, isAncestor, SKINNED } from '../../scene/skeleton.js';
import type { AnimalPart } from '../body-parts.js';
import { type BodyGraph, commonAncestor, longestPath, pathDown } from './body-graph.js';
import { hullSize } from './cast-torso.js';
import type { Animal } from './find-animal.js';
import { firstApart, limbEnd } from './find-humanoid.js';
import type { LimbPair } from './limb-pairs.js';
import { pathLength } from './split-limb.js';

/** A part found, its joint, how sure, and why. */
export type PartCast = { part: AnimalPart; joint: number; sure: number; reason: string };

/** A pair on the neck that is longer than this share of a leg is arms, not ears or horns. */
const ARM = 0.65;

/** What was found in an animal: its parts, and which way along its body is ahead, 0 where nothing tells. */
export type AnimalCast = { casts: PartCast[]; sign: number };

/** Gives a part to a joint, with how sure that is and why. */
type GivePart = (part: AnimalPart, joint: number, how: number, reason: string) => void;

/** Legs that were split, left and right as `sides` has it, and limbs that leave the floor. */
type SplitLegs = {
  sides: readonly ('Left' | 'Right')[];
  hindLegs: readonly ReturnType<typeof splitLeg>[];
  frontLegs: readonly ReturnType<typeof splitLeg>[];
  flying: LimbPair | undefined;
};

/** A pair longer than the hind legs that hangs on the trunk: wings, of a body that stands on four legs. */
function flyingOf({ others }: Animal, hind: LimbPair, trunkToFront: readonly number[]): LimbPair | undefined {
  return others.find(({ base, length }) => length > hind.length && trunkToFront.includes(base));
}

const LEG_WORDS = ['UpperLeg', 'LowerLeg', 'Foot', 'Toes'] as const;

/** Gives legs and wings their parts. */
function castLegs(
  graph: BodyGraph,
  { positions }: Animal,
  { sides, hindLegs, frontLegs, flying }: SplitLegs,
  isRaised: boolean,
  give: GivePart,
): void {
  sides.forEach((side, n) => {
    for (const [end, girdleWord, legs] of [
      ['hind', 'Hip', hindLegs],
      ['front', 'Shoulder', frontLegs],
    ] as const) {
      const leg = legs[n];
      if (!leg) continue;
      const reason =
        isRaised && end === 'front'
          ? 'in one of two mirrored chains ahead of the legs'
          : `in one of two mirrored chains that end on the floor, at the ${end === 'hind' ? 'rear' : 'front'}`;
      give(`${end}${side}${girdleWord}` as AnimalPart, leg.girdle, leg.sure, 'between the spine and a leg');
      leg.joints.forEach((joint, k) => {
        give(`${end}${side}${LEG_WORDS[k]!}`, joint, leg.sure, reason);
      });
    }
    if (flying)
      trimTip(graph, apartOnly(graph, flying, n, positions)).forEach((joint, k) => {
        give(`wing${side}${k + 1}`, joint, 0.85, 'in one of two mirrored chains that leave the floor');
      });
  });
}

/**
 * Names the parts of a body that stands on four legs, or on two with wings or arms before them. Ahead is where
 * the head is: the end of the trunk with ears or eyes, to which toes point and whose legs hang from the spine.
 * @param raised The front pair, where that does not stand on the floor.
 */
export function castFourLegged(
  graph: BodyGraph,
  animal: Animal,
  raised?: { pair: LimbPair; are: 'wings' | 'arms' },
): AnimalCast {
  const { positions, along } = animal;
  const none: AnimalCast = { casts: [], sign: 0 };
  const wings = raised?.are === 'wings' ? raised.pair : undefined;
  const [one, two] = raised ? [animal.legs[0]!, raised.pair] : (animal.legs as [LimbPair, LimbPair]);
  const place = (joint: number) => dotVectors(positions[joint]!, along);
  const rootPlace = (pair: LimbPair) => {
    const apart = firstApart(graph, pair, positions)!;
    return dotVectors(addVectors(apart.a, apart.b), along) / 2;
  };
  const trunkRoot = commonAncestor(graph, one.base, two.base);
  if (trunkRoot < 0) return none;
  const votes = raised
    ? 3 * Math.sign(rootPlace(two) - rootPlace(one)) + toesVote(graph, animal) + strideVote(animal)
    : aheadVotes(graph, animal, one, two, trunkRoot);
  if (Math.abs(votes) < 0.8) return none;
  const sign = Math.sign(votes);
  const ahead = (joint: number) => sign * place(joint);
  const [hind, front] = raised
    ? [one, two]
    : sign * (rootPlace(two) - rootPlace(one)) > 0
      ? [one, two]
      : [two, one];
  // left = up × ahead, ahead = sign · (across × up), so left = sign · across.
  const sides = sign > 0 ? (['Left', 'Right'] as const) : (['Right', 'Left'] as const);
  const sure = Math.min(0.95, 0.7 + 0.08 * Math.abs(votes));
  const casts: PartCast[] = [];
  const give: GivePart = (part, joint, how, reason) => {
    casts.push({ part, joint, sure: Math.min(how, sure), reason });
  };

  const trunkToFront = pathDown(graph, trunkRoot, front.base);
  const hindLegs = hind.paths.map((path) =>
    splitLeg(graph, animal, path, hind, wings ? 'bird' : 'hind', ahead),
  );
  const frontLegs = wings
    ? []
    : front.paths.map((path) => splitLeg(graph, animal, path, front, raised ? 'raised' : 'front', ahead));
  castLegs(
    graph,
    animal,
    { sides, hindLegs, frontLegs, flying: wings ?? flyingOf(animal, hind, trunkToFront) },
    !!raised,
    give,
  );

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
  const hasTips = [...hindLegs, ...frontLegs].every(
    ({ joints }) => joints.length === 4 && graph.children[joints[3]!]!.length === 1,
  );
  const { path: onward, head, isSureHead } = neckOf(graph, animal, front, ahead, hind.length, hasTips);
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
  // Joints that no skin follows lead from one place to another.
  for (const joint of onward.filter((each) => isSkinned(graph, each)))
    if (neck.length === 0 && ahead(joint) <= shoulders + 0.005 * graph.size) spine.push(joint);
    else neck.push(joint);
  spine.forEach((joint, n) => {
    give(`spine${n + 1}`, joint, 0.9, 'on the way from the hind legs to the front');
  });
  // Arms that hang from the hips do not show where the chest ends.
  const showsChest = !(raised && front.base === hind.base);
  if (isSureHead && showsChest)
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
    sign * rootPlace(hind),
  );
  tail.forEach((joint, n) => {
    give(`tail${n + 1}`, joint, 0.88, 'in a chain that goes back from the hips');
  });
  return { casts, sign };
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
  let votes = toesVote(graph, animal) + strideVote(animal);
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

/** A walk says which way it goes; half of a walk says nothing. */
export function strideVote({ stride }: Animal): number {
  return Math.abs(stride) > 0.6 ? 2 * Math.sign(stride) : 0;
}

/** Toes lie ahead of what carries them: the sum over all legs, −2 to 2. */
export function toesVote(graph: BodyGraph, { legs, along, positions }: Animal): number {
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

/** A bird's thigh is about 0.7 of its shank, as a logarithm; those of what walks on four legs are alike. */
const BIRD_THIGH = -0.36;

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
  which: 'front' | 'hind' | 'bird' | 'raised',
  ahead: (joint: number) => number,
): LegSplit {
  const isHind = which === 'hind' || which === 'bird';
  // Feet that hang elsewhere and end a leg are all of it that stands: no hock is above them.
  const isDetached = (n: number) =>
    n === path.length - 1 && !isAncestor(graph.skeleton, path[n - 1]!, path[n]!);
  const points = path.map((joint) => positions[joint]!);
  const end = limbEnd(graph, path);
  if (end !== path[path.length - 1]) points.push(positions[end]!);
  const heights = points.map((p) => dotVectors(p, up) - floor);
  const isAside = path.map(
    (joint) => Math.abs(dotVectors(positions[joint]!, across) - middle) > 0.01 * pair.length,
  );
  const top = Math.max(...heights.filter((_, i) => isAside[i] ?? false)) || 1;
  const isUpright =
    which !== 'raised' && top > 0.6 * pathLength(points, isAside.indexOf(true), points.length - 1);
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
          const ratio = (log((b1 || 1e-9) / (b2 || 1e-9)) - (which === 'bird' ? BIRD_THIGH : 0)) / 0.5;
          const last = hasToes ? t : f;
          let cost = Math.min(9, ratio * ratio);
          cost += over(b3 / (b2 || 1e-9), 1.1, 0.2);
          if (which === 'raised') {
            if (hasToes) continue;
          } else {
            cost += over((top - heights[u]!) / top, isHind ? 0.18 : 0.32, 0.04);
            cost += over(heights[last]! / top, 0.16, 0.05);
          }
          // A leg that stands upright sets out downwards: what leads aside first is a girdle.
          if (isUpright && heights[u]! - heights[l]! < 0.2 * b1) cost += 2;
          // A shoulder blade leads ahead to the point of the shoulder, the upper leg from there back to the elbow.
          if (which === 'front' && ahead(path[l]!) - ahead(path[u]!) > 0.2 * b1) cost += 2;
          // A hock stands off the floor; only bears and people put it down.
          if (isHind && !isDetached(f)) cost += over(0.15 - heights[f]! / top, 0, 0.08);
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
 * stand on the head, whichever joint they hang from; a jaw parts at the head or just beyond it, which the skin
 * tells; without them only a plain line of bones says where its head is, by ending.
 * @param leg Length of a leg: by it arms are told from ears, and what carries arms is no neck.
 * @param hasTips Whether the rig ends its feet in joints that move nothing.
 */
function neckOf(
  graph: BodyGraph,
  { positions, across, middle, others }: Animal,
  front: LimbPair,
  ahead: (joint: number) => number,
  leg: number,
  hasTips: boolean,
): { path: number[]; head: number; isSureHead: boolean } {
  const { children } = graph;
  const side = (joint: number) => dotVectors(positions[joint]!, across) - middle;
  const furthest = (joint: number): number =>
    longestPath(graph, joint).reduce((most, j) => Math.max(most, ahead(j)), Number.NEGATIVE_INFINITY);
  const taken = new Set(front.paths.map((limb) => limb[0]!));
  const path: number[] = [];
  const onHead: Vec3[] = [];
  let parts = -1;
  let hasArms = false;
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
      if (pair && pair.length > ARM * leg) hasArms = true;
      else if (apart) onHead.push(apart.a);
      else if (mirrored !== undefined) onHead.push(positions[mirrored]!);
      if (central.length > 1 && parts < 0) parts = path.length - 1;
    }
    let next = -1;
    for (const child of central) if (next < 0 || furthest(child) > furthest(next)) next = child;
    if (next < 0 || furthest(next) <= ahead(at)) break;
    path.push(next);
    at = next;
  }
  const unsure = { path, head: -1, isSureHead: false };
  if (hasArms) return unsure;
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
  // What goes on upwards without going ahead is no head yet.
  if (path.length === 0 || graph.reach[path[path.length - 1]!]! > 0.3 * leg) return unsure;
  const size = (n: number) => (n < 0 || n >= path.length ? 0 : hullSize(graph, path[n]!));
  if (parts >= 0) {
    // A skull is larger than a beak, and than the last bone of a neck.
    const [before, own] = [size(parts - 1), size(parts)];
    if (!(Math.max(before, own) > 1.15 * Math.min(before, own))) return unsure;
    const at = own > before ? parts : parts - 1;
    return { path: path.slice(0, at), head: path[at]!, isSureHead: true };
  }
  if (!path.every((joint) => children[joint]!.length <= 1)) return unsure;
  const last = path.length - 1;
  const isTip =
    graph.isControl[path[last]!] || hasTips || (graph.skeleton.hulls && size(last) < 0.5 * size(last - 1));
  const isEnd = graph.ends[path[last]!]! >= 0 || path.length < 3 || size(last) > 0.8 * size(last - 1);
  // A last joint that neither skin nor an end site tells from a tip leaves it open where the head is.
  if (!isTip && (!isEnd || (path.length > 2 && size(last) === 0 && graph.ends[path[last]!]! < 0)))
    return unsure;
  const at = isTip && last > 0 ? last - 1 : last;
  return { path: path.slice(0, at), head: path[at]!, isSureHead: true };
}

/** The longest middle branch that goes back from the hips. */
function tailOf(
  graph: BodyGraph,
  { positions, across, middle }: Animal,
  starts: readonly number[],
  not: readonly number[],
  ahead: (joint: number) => number,
  legs: number,
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
  // What stands over the legs and ahead of them is still the back.
  const back = best.findIndex((joint) => ahead(joint) < legs + 0.005 * graph.size);
  return trimTip(graph, back > 0 && best.length > back + 2 ? best.slice(back) : best);
}

function castEars(
  graph: BodyGraph,
  animal: Animal,
  head: number,
  sides: readonly ('Left' | 'Right')[],
  give: (part: AnimalPart, joint: number, how: number, reason: string) => void,
): void {
  const { positions, up } = animal;
  const longest = ARM * animal.legs[0]!.length;
  // Horns may start in the middle of the skull; ears do not.
  const pair = animal.others.find(
    ({ base, paths, length }) =>
      length < longest &&
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
