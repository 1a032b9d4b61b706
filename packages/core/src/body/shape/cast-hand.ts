import {
  addVectors,
  crossVectors,
  directionOf,
  dotVectors,
  meanVector,
  scaleVector,
  subtractVectors,
  type Vec3,
  vectorAngle,
  vectorLength,
} from '../../base/math/vector.js';
import { type BodyGraph, longestPath } from './body-graph.js';
import { hullSize } from './cast-torso.js';
import { limbEnd } from './find-humanoid.js';

/** A finger: its joints from the knuckle (the thumb from its first joint) to the last one, and how sure it is. */
export type FingerCast = {
  finger: 'Thumb' | 'Index' | 'Middle' | 'Ring' | 'Little';
  joints: number[];
  sure: number;
};

type FingerChain = { joints: number[]; tip: Vec3 };

/** The skin of a finger is no larger than this many times that of the palm. */
const HELD = 2;

const FINGER_ORDER = ['Index', 'Middle', 'Ring', 'Little'] as const;

/**
 * Finds the fingers of a hand. The thumb is the one that sets off early and aside; the others follow in
 * order across the palm, beginning on the thumb's side.
 * @param forearm length of the forearm, by which a finger is told from a sword.
 */
export function castHand(
  graph: BodyGraph,
  hand: number,
  forearm: number,
  positions: readonly Vec3[],
): FingerCast[] {
  const wrist = positions[hand]!;
  const chains = fingerChains(graph, hand, forearm, positions);
  if (chains.length < 2 || chains.length > 5) return [];
  const ahead = directionOf(subtractVectors(meanVector(chains.map(({ tip }) => tip))!, wrist));
  if (!ahead) return [];
  const { thumb, sure } = findThumb(chains, wrist, ahead, positions);
  if (thumb < 0) return [];
  const others = chains.filter((_, n) => n !== thumb);
  const ordered = orderAcross(others, chains[thumb]!, ahead, positions);
  if (!ordered) return [];
  const casts: FingerCast[] = [];
  // Connectors that all start at one knuckle (MakeHuman's captures) carry a finger each.
  const isShared = (chain: FingerChain) =>
    chains.some(
      (other) =>
        other !== chain &&
        vectorLength(subtractVectors(positions[other.joints[0]!]!, positions[chain.joints[0]!]!)) <
          0.01 * forearm,
    );
  const trim = (chain: FingerChain): FingerChain =>
    chain.joints.length > 3 && isShared(chain) ? { ...chain, joints: chain.joints.slice(1) } : chain;
  const thumbJoints = knuckles(graph, trim(chains[thumb]!), wrist, positions, true, 0);
  if (thumbJoints.length > 1) casts.push({ finger: 'Thumb', joints: thumbJoints.slice(0, 3), sure });
  ordered.forEach((chain, n) => {
    const joints = knuckles(graph, trim(chain), wrist, positions, false, chains[thumb]!.joints.length);
    if (joints.length > 0) casts.push({ finger: FINGER_ORDER[n]!, joints: joints.slice(0, 3), sure });
  });
  return casts;
}

function fingerChains(
  graph: BodyGraph,
  hand: number,
  forearm: number,
  positions: readonly Vec3[],
): FingerChain[] {
  const wrist = positions[hand]!;
  const skinned = graph.children[hand]!.filter((child) => !graph.isControl[child]);
  let roots = skinned.length > 0 ? skinned : graph.children[hand]!.slice();
  // A palm joint between hand and fingers.
  if (roots.length === 1 && graph.children[roots[0]!]!.length > 1) roots = graph.children[roots[0]!]!.slice();
  // Carpal joints that hold two fingers each.
  roots = roots.flatMap((root) => {
    const below = graph.children[root]!.filter(
      (child) => graph.children[child]!.length > 0 || graph.ends[child]! >= 0,
    );
    return below.length > 1 ? below : [root];
  });
  const chains = roots.map((root): FingerChain => {
    const joints = longestPath(graph, root);
    return { joints, tip: positions[limbEnd(graph, joints)]! };
  });
  const reaches = chains.map(({ tip }) => vectorLength(subtractVectors(tip, wrist)));
  const usual = reaches.slice().sort((a, b) => b - a)[Math.floor(reaches.length / 2)] ?? 0;
  // What is held has more skin than the hand that holds it: a sword is one joint among fingers.
  const held = HELD * hullSize(graph, hand);
  return chains.filter(
    ({ joints }, n) =>
      reaches[n]! > 0.35 * usual &&
      reaches[n]! < Math.min(2.2 * usual, 1.5 * forearm) &&
      !(held > 0 && joints.some((joint) => hullSize(graph, joint) > held)),
  );
}

/** The chain whose start and end lie least far ahead and which points most away from the others. */
function findThumb(
  chains: readonly FingerChain[],
  wrist: Readonly<Vec3>,
  ahead: Readonly<Vec3>,
  positions: readonly Vec3[],
): { thumb: number; sure: number } {
  const length = Math.max(...chains.map(({ tip }) => dotVectors(subtractVectors(tip, wrist), ahead))) || 1;
  const scores = chains.map(({ joints, tip }, n) => {
    const others = chains.filter((_, m) => m !== n);
    const knuckle = (chain: FingerChain) => positions[chain.joints[Math.min(1, chain.joints.length - 1)]!]!;
    const direction = subtractVectors(tip, knuckle({ joints, tip }));
    const otherDirections = others.map(
      (other) => directionOf(subtractVectors(other.tip, knuckle(other))) ?? [0, 0, 0],
    );
    const mean = meanVector(otherDirections as Vec3[])!;
    const early = (point: Vec3) => dotVectors(subtractVectors(point, wrist), ahead) / length;
    const othersEarly = others.reduce((sum, other) => sum + early(other.tip), 0) / others.length;
    const spread = vectorLength(direction) > 0 && vectorLength(mean) > 0 ? vectorAngle(direction, mean) : 0;
    return (
      othersEarly -
      early(tip) +
      0.5 * Math.min(spread, 1.2) +
      0.5 * (averageOf(others.map((o) => early(knuckle(o)))) - early(knuckle({ joints, tip })))
    );
  });
  const ranked = scores.map((score, n) => ({ score, n })).sort((a, b) => b.score - a.score);
  const lead = ranked[0]!.score - (ranked[1]?.score ?? 0);
  if (!(ranked[0]!.score > 0.25) || !(lead > 0.08)) return { thumb: -1, sure: 0 };
  return { thumb: ranked[0]!.n, sure: Math.min(0.97, 0.8 + 0.4 * lead) };
}

function averageOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
}

/** Fingers in order across the palm, the thumb's neighbour first; null where they do not lie side by side. */
function orderAcross(
  fingers: readonly FingerChain[],
  thumb: FingerChain,
  ahead: Readonly<Vec3>,
  positions: readonly Vec3[],
): FingerChain[] | null {
  if (fingers.length < 2) return fingers.slice();
  // The middle of each finger: knuckles may share a point, and tips of a fist may meet.
  const centres = fingers.map(
    ({ joints, tip }) => meanVector([...joints.map((joint) => positions[joint]!), tip])!,
  );
  const centre = meanVector(centres)!;
  const flat = (v: Vec3) => subtractVectors(v, scaleVector(ahead, dotVectors(v, ahead)));
  const offsets = centres.map((c) => flat(subtractVectors(c, centre)));
  // The widest offset gives the line; a few rounds of power iteration give its mean direction.
  let line = offsets.reduce((a, b) => (vectorLength(b) > vectorLength(a) ? b : a));
  for (let round = 0; round < 8; round++) {
    let next: Vec3 = [0, 0, 0];
    for (const offset of offsets) next = addVectors(next, scaleVector(offset, dotVectors(offset, line)));
    line = directionOf(next) ?? line;
  }
  const axis = directionOf(line);
  if (!axis) return null;
  const thumbBase = positions[thumb.joints[0]!]!;
  const towards = dotVectors(subtractVectors(meanVector([thumbBase, thumb.tip])!, centre), axis);
  const sign = towards >= 0 ? 1 : -1;
  const places = offsets.map((offset) => sign * dotVectors(offset, axis));
  const spread = Math.max(...places) - Math.min(...places);
  const aside = vectorLength(crossVectors(axis, flat(subtractVectors(thumb.tip, centre))));
  // A thumb that opposes the palm from below says nothing about which end is its own.
  if (!(Math.abs(towards) > 0.1 * spread) && aside > spread) return null;
  return fingers
    .map((chain, n) => ({ chain, place: places[n]! }))
    .sort((a, b) => b.place - a.place)
    .map(({ chain }) => chain);
}

/**
 * The joints of a finger from the knuckle on: bones of the palm before it and a tip after it are left out.
 * Of four joints the first is in the palm where it begins near the wrist, else the last is the tip.
 */
function knuckles(
  graph: BodyGraph,
  { joints, tip }: FingerChain,
  wrist: Readonly<Vec3>,
  positions: readonly Vec3[],
  isThumb: boolean,
  thumbCount: number,
): number[] {
  const reach = vectorLength(subtractVectors(tip, wrist)) || 1;
  const from = (joint: number) => vectorLength(subtractVectors(positions[joint]!, wrist)) / reach;
  let list = joints.slice();
  // What starts at the wrist itself carries the finger.
  while (list.length > 1 && from(list[0]!) < 0.02 && !(isThumb && list.length <= 3 && from(list[1]!) > 0.5))
    list = list.slice(1);
  while (list.length > 3 && graph.isControl[list[list.length - 1]!] && !graph.isControl[list[0]!])
    list = list.slice(0, -1);
  if (isThumb) return list.length > 3 ? list.slice(0, 3) : list;
  if (list.length > 3) {
    // Fingers with more joints than the thumb have one in the palm.
    const palm = from(list[0]!) < 0.25 || thumbCount < list.length;
    if (palm) list = list.slice(1);
  } else if (list.length === 3 && from(list[0]!) < 0.2 && thumbCount === 2) list = list.slice(1);
  return list.slice(0, 3);
}
