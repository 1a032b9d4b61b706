import {
  addVectors,
  directionOf,
  dotVectors,
  meanVector,
  rejectVector,
  scaleVector,
  subtractVectors,
  type Vec3,
  vectorAngle,
  vectorLength,
} from '../../base/math/vector.js';
import { didWork } from '../../base/watch-work.js';
import { AXIS_VECTORS, nearestAxis } from '../../scene/skeleton.js';
import { type BodyGraph, commonAncestor, pathDown } from './body-graph.js';
import type { LimbPair } from './limb-pairs.js';

/** A body with two legs, two arms and a head, as it stands in one pose. */
export type Humanoid = {
  legs: LimbPair;
  arms: LimbPair;
  /** Where legs and spine part. */
  hips: number;
  /** Where the arms part. */
  chest: number;
  /** The highest joint of the branch that goes on above the arms. */
  crown: number;
  /** Unit vector from the feet to the head, along an axis where one is near. */
  up: Vec3;
  /** Unit vector from the second branch of each pair to the first, square to `up`. */
  across: Vec3;
  positions: readonly Vec3[];
  /** How much this looks like a person, 0 to 1. */
  score: number;
};

/** A head stands no further off the middle than this, over the body's size, even where it is tilted. */
const MOST_ASIDE = 0.12;

/** The joint of a head is no lower than this under where arms begin, over the body's height. */
const LOW_HEAD = 0.1;

/** How high a head is over where the arms begin at least, over the body's height. */
const LEAST_HEAD = 0.06;

/**
 * How high a head is over where the arms begin, over the body's height. A big head hangs around its joint, which may lie
 * as low as the arms begin: its skin rises all the same.
 */
function headRise(graph: BodyGraph, head: number, rise: number, tall: number): number {
  const share = rise / tall;
  if (share >= LEAST_HEAD || share <= -LOW_HEAD) return share;
  return Math.min(LEAST_HEAD, share + skinReach(graph, head) / tall);
}

/** How far the skin of a joint reaches from it; 0 where it has none. */
function skinReach({ skeleton: { hulls } }: BodyGraph, joint: number): number {
  const hull = hulls?.[joint];
  let reach = 0;
  for (let i = 0; hull && i + 2 < hull.length; i += 3)
    reach = Math.max(reach, vectorLength([hull[i]!, hull[i + 1]!, hull[i + 2]!]));
  return reach;
}

/** Falls from 1 inside a range to 0 at `slack` outside it. */
function within(value: number, low: number, high: number, slack: number): number {
  const outside = Math.max(low - value, value - high, 0);
  return Math.max(0, 1 - outside / slack);
}

/** A pose as it is asked about again and again while pairs are tried. */
type Stage = {
  graph: BodyGraph;
  positions: readonly Vec3[];
  pairs: readonly LimbPair[];
  floors: Map<string, number>;
};

/** A pair as it stands in a pose, whatever it is tried as. */
type HumanoidCandidate = {
  pair: LimbPair;
  /** From where the second branch begins to where the first does. */
  across: Vec3;
  /** The middle between the two. */
  root: Vec3;
  /** Where the branches end. */
  ends: readonly Vec3[];
  middle: Vec3;
  /** Lower where a branch has too few joints for a limb. */
  shortness: number;
};

/** Finds the pairs that are most like the legs and arms of a person in a pose, or null. */
export function findHumanoid(
  graph: BodyGraph,
  pairs: readonly LimbPair[],
  positions: readonly Vec3[],
): Humanoid | null {
  const stage: Stage = { graph, positions, pairs, floors: new Map() };
  const candidates = pairs.flatMap((pair): HumanoidCandidate[] => {
    const roots = firstApart(graph, pair, positions);
    if (!roots) return [];
    const ends = pair.paths.map((path) => positions[limbEnd(graph, path)]!);
    return [
      {
        pair,
        across: subtractVectors(roots.a, roots.b),
        root: middle(roots.a, roots.b),
        ends,
        middle: meanVector(ends)!,
        shortness: shortness(pair),
      },
    ];
  });
  let best: Humanoid | null = null;
  for (const legs of candidates)
    for (const arms of candidates) {
      if (legs === arms) continue;
      didWork(50);
      const found = judgePerson(stage, legs, arms, best?.score ?? 0);
      if (found && found.score > (best?.score ?? 0)) best = found;
    }
  return best;
}

/** The point that a limb ends at: the end site of its last joint, else the joint. */
export function limbEnd(graph: BodyGraph, path: readonly number[]): number {
  const last = path[path.length - 1]!;
  return graph.ends[last]! >= 0 ? graph.ends[last]! : last;
}

/** The first place along two mirrored paths where they are apart, which is where the limbs begin. */
export function firstApart(
  { size }: BodyGraph,
  { paths }: LimbPair,
  positions: readonly Vec3[],
): { a: Vec3; b: Vec3; index: number } | null {
  const shared = Math.min(paths[0].length, paths[1].length);
  for (let index = 0; index < shared; index++) {
    const a = positions[paths[0][index]!]!;
    const b = positions[paths[1][index]!]!;
    if (vectorLength(subtractVectors(a, b)) > 0.02 * size) return { a, b, index };
  }
  return null;
}

/**
 * Judges two pairs as the legs and arms of a person; null where they are none.
 * @param least Scores up to this are of no use: pairs that cannot have more are not looked at to the end.
 */
function judgePerson(
  stage: Stage,
  legCandidate: HumanoidCandidate,
  armCandidate: HumanoidCandidate,
  least: number,
): Humanoid | null {
  const { graph, positions } = stage;
  const { pair: legs, root: legRoot, ends: legEnds, across: legAcross } = legCandidate;
  const { pair: arms, root: armRoot } = armCandidate;
  // An arm is not a small part of a leg, nor the reverse; this is asked first, as most pairs fail it.
  const lengths = within(arms.length / legs.length, 0.4, 1.9, 0.4);
  if (!(lengths > 0)) return null;
  // One limb cannot hang from another.
  if (legs.paths.some((path) => path[0] === arms.paths[0][0] || path[0] === arms.paths[1][0])) return null;
  const body = directionOf(subtractVectors(armRoot, legCandidate.middle));
  if (!body) return null;
  const up = nearAxis(body);
  const height = (point: Readonly<Vec3>) => dotVectors(point, up);
  let legsDown = Number.POSITIVE_INFINITY;
  for (const end of legEnds) {
    const along = directionOf(subtractVectors(legRoot, end));
    legsDown = Math.min(legsDown, along ? dotVectors(along, up) : 0);
  }
  // Legs point down, the worse of them within 45 degrees.
  const down = within(legsDown, 0.7, 1, 0.5);
  if (!(down > 0)) return null;
  // A person is upright: the arms begin over the legs.
  const upright = within(vectorAngle(subtractVectors(armRoot, legRoot), up), 0, 0.5, 0.6);
  if (!(upright > 0)) return null;
  const declaredUp = graph.skeleton.declared.up;
  const first =
    lengths *
    down *
    upright *
    // A file that says which way is up is seldom wrong, and bodies stand along an axis of theirs.
    (declaredUp
      ? Math.max(0.15, within(vectorAngle([...AXIS_VECTORS[declaredUp]], up), 0, 0.35, 0.6))
      : within(nearestAxis(up).angle, 0, 0.35, 0.6)) *
    within(legs.likeness, 0.85, 1, 0.5) *
    within(arms.likeness, 0.85, 1, 0.7) *
    // A thigh, a shin and a foot; an arm, a forearm and a hand.
    legCandidate.shortness *
    armCandidate.shortness;
  // All that is still to come takes away from it, but for the rounding of a root.
  if (!(first > 0) || Math.sqrt(first) < least - 1e-9) return null;

  for (const path of legs.paths) if (isAbove(graph, path[0]!, arms.base)) return null;
  for (const path of arms.paths) if (isAbove(graph, path[0]!, legs.base)) return null;
  const hips = commonAncestor(graph, legs.base, arms.base);
  if (hips < 0) return null;

  // Sides of arms follow those of legs.
  let armAcross = armCandidate.across;
  let turnedArms = arms;
  if (dotVectors(legAcross, armAcross) < 0) {
    turnedArms = { ...arms, paths: [arms.paths[1], arms.paths[0]] };
    armAcross = scaleVector(armAcross, -1);
  }
  const across = directionOf(rejectVector(addVectors(legAcross, armAcross), up));
  const head = across && findHead(graph, arms, positions, up, across, dotVectors(armRoot, across));
  if (!across || head === null) return null;

  const lowest = Math.min(...legEnds.map(height));
  const tall = height(positions[head]!) - lowest;
  if (!(tall > 0)) return null;
  const armEnds = arms.paths.map((path) => height(positions[limbEnd(graph, path)]!));
  const armsUp = Math.min(
    ...arms.paths.map((path) => {
      const arm = directionOf(subtractVectors(positions[limbEnd(graph, path)]!, armRoot));
      return arm ? dotVectors(arm, up) : 0;
    }),
  );
  const lateral = (point: Readonly<Vec3>) => dotVectors(point, across);
  const centre = (lateral(legRoot) + lateral(armRoot)) / 2;
  const hasFingers = branchesAtEnd(graph, arms);
  const product = [
    first,
    // The feet are the lowest there is, but for a few handles and a cloak.
    within((lowest - lowestOf(stage, up)) / tall, -1, 0.06, 0.3),
    within((height(legRoot) - lowest) / tall, 0.15, 0.68, 0.15),
    // Arms begin above legs, well below the crown, and do not stand on the floor.
    within((height(armRoot) - height(legRoot)) / tall, 0.12, 0.6, 0.1),
    within(headRise(graph, head, height(positions[head]!) - height(armRoot), tall), LEAST_HEAD, 0.6, 0.06),
    within((Math.min(...armEnds) - lowest) / tall, 0.1, 2, 0.08),
    // The head is over the arms, not behind or before them.
    within(vectorAngle(subtractVectors(positions[head]!, armRoot), up), 0, 0.9, 0.5),
    // Both pairs have one middle, and so has the head.
    within(Math.abs(lateral(legRoot) - lateral(armRoot)) / tall, 0, 0.06, 0.15),
    within(Math.abs(lateral(positions[head]!) - centre) / tall, 0, 0.06, 0.2),
    within(
      vectorAngle(rejectVector(legAcross, up), rejectVector(armAcross, up)),
      0,
      Math.PI / 6,
      Math.PI / 3,
    ),
    // Arms that stretch to the sky are a capture's zero pose, all bones along one axis: another pose shows more.
    armsUp > 0.85 ? 0.6 : 1,
    // Where several pairs of one length hang side by side they are hair or feathers, unless one has fingers.
    hasFingers || !isOneOfMany(stage, arms) ? 1 : 0.6,
    // More legs than two, and no hands: a spider, a dragon.
    hasFingers || !standsOnOthers(stage, legs, arms, up, lowest + 0.1 * tall, lowest + 0.2 * tall) ? 1 : 0.3,
  ].reduce((all, term) => all * term, 1);
  if (!(product > 0)) return null;
  // Of nested or rival pairs the longer ones are the limbs: a leg is more than a skirt, an arm than a cape.
  const fullness =
    0.5 * Math.min(1, legs.length / (0.45 * tall)) +
    0.25 * Math.min(1, arms.length / (0.4 * tall)) +
    0.25 * (hasFingers ? 1 : 0.8);
  return {
    legs,
    arms: turnedArms,
    hips,
    chest: arms.base,
    crown: head,
    up,
    across,
    positions,
    score: Math.sqrt(product) * fullness,
  };
}

/** Whether further pairs of about the same length hang from where this one does. */
function isOneOfMany({ pairs }: Stage, { base, paths, length }: LimbPair): boolean {
  const own = new Set(paths.map((path) => path[0]!));
  return pairs.some(
    (pair) =>
      pair.base === base &&
      pair.length > 0.7 * length &&
      pair.length < 1.4 * length &&
      !pair.paths.some((path) => own.has(path[0]!)),
  );
}

function shortness({ paths }: LimbPair): number {
  const count = Math.min(paths[0].length, paths[1].length);
  return count > 2 ? 1 : count > 1 ? 0.85 : 0.6;
}

/** Whether a further pair of three joints and more stands on the floor: handles of the feet lie on it. */
function standsOnOthers(
  { graph, positions, pairs }: Stage,
  legs: LimbPair,
  arms: LimbPair,
  up: Readonly<Vec3>,
  floor: number,
  raised: number,
): boolean {
  return pairs.some(
    (pair) =>
      pair.paths.every(
        (path) =>
          path.length > 2 &&
          dotVectors(positions[limbEnd(graph, path)]!, up) < floor &&
          dotVectors(positions[path[0]!]!, up) > raised &&
          !graph.isControl[path[0]!] &&
          ![...legs.paths, ...arms.paths].some((limb) => limb.includes(path[0]!)),
      ) && pair.length > 0.5 * legs.length,
  );
}

/** Whether both arms end in several branches, as hands with fingers do. */
function branchesAtEnd({ children }: BodyGraph, { paths }: LimbPair): boolean {
  return paths.every((path) => path.slice(1).some((joint) => children[joint]!.length > 2));
}

function isAbove(graph: BodyGraph, above: number, joint: number): boolean {
  return above === joint || pathDown(graph, above, joint).length > 0;
}

function middle(a: Vec3, b: Vec3): Vec3 {
  return scaleVector(addVectors(a, b), 0.5);
}

/** The highest joint of the branches that go on above the arms, wings beside them left out, or null. */
function findHead(
  graph: BodyGraph,
  arms: LimbPair,
  positions: readonly Vec3[],
  up: Readonly<Vec3>,
  across: Readonly<Vec3>,
  middle: number,
): number | null {
  let best = -1;
  let highest = Number.NEGATIVE_INFINITY;
  const stack = graph.children[arms.base]!.filter(
    (child) => child !== arms.paths[0][0] && child !== arms.paths[1][0],
  );
  while (stack.length > 0) {
    const joint = stack.pop()!;
    const height = dotVectors(positions[joint]!, up);
    const isAside = Math.abs(dotVectors(positions[joint]!, across) - middle) > MOST_ASIDE * graph.size;
    if (height > highest && !isAside) {
      highest = height;
      best = joint;
    }
    for (const child of graph.children[joint]!) stack.push(child);
  }
  return best < 0 ? null : best;
}

function lowestOf({ graph, positions, floors }: Stage, up: Readonly<Vec3>): number {
  const key = up.join();
  const known = floors.get(key);
  if (known !== undefined) return known;
  let low = Number.POSITIVE_INFINITY;
  graph.parents.forEach((parent, i) => {
    if (parent !== -2 && !graph.isControl[i]) low = Math.min(low, dotVectors(positions[i]!, up));
  });
  floors.set(key, low);
  return low;
}

/** The axis of the file that a direction lies along within 30 degrees, else the direction itself. */
export function nearAxis(direction: Readonly<Vec3>): Vec3 {
  const { axis, angle } = nearestAxis(direction);
  return angle < Math.PI / 6 ? [...AXIS_VECTORS[axis]] : [...direction];
}
