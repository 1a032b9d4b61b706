import { directionOf, dotVectors, rejectVector, subtractVectors, type Vec3 } from '../../base/math/vector.js';
import type { BodyGraph } from './body-graph.js';

/**
 * A body that is one long line, as a snake's: its joints from end to end, the head first where that is known, and
 * how many of them are head: up to the last one that a jaw or a tongue hangs on.
 */
export type Line = { joints: number[]; isHeadFirst: boolean; head: number };

/** The share of the joints that a line must hold. */
const MOST_IN_LINE = 0.7;
/** How near to an end, as a share of the joints, a jaw or a tongue hangs. */
const NEAR_END = 0.35;

/**
 * Finds the longest way through a body, where that is nearly all of it; null where it is not. The head is the end
 * beside which something else hangs: a jaw, a tongue, eyes.
 */
export function findLine(graph: BodyGraph): Line | null {
  const { parents, children, lengths, isControl } = graph;
  const counted = Array.from(parents, (_, i) => i).filter((i) => parents[i] !== -2 && !isControl[i]);
  if (counted.length < 8) return null;
  /** The joint furthest from another along the bones, and the way there. */
  const furthest = (from: number): number[] => {
    // −2 as long as nobody has come by.
    const before = new Int32Array(parents.length).fill(-2);
    const far = new Float64Array(parents.length);
    before[from] = -1;
    const queue = [from];
    let last = from;
    for (let n = 0; n < queue.length; n++) {
      const at = queue[n]!;
      if (far[at]! > far[last]!) last = at;
      const visit = (next: number) => {
        if (before[next] !== -2 || isControl[next]) return;
        before[next] = at;
        far[next] = far[at]! + lengths[parents[next] === at ? next : at]!;
        queue.push(next);
      };
      for (const child of children[at]!) visit(child);
      if (parents[at]! >= 0) visit(parents[at]!);
    }
    const path: number[] = [];
    for (let at = last; at >= 0; at = before[at]!) path.push(at);
    return path;
  };
  const joints = furthest(furthest(counted[0]!)[0]!);
  if (joints.length < 8 || joints.length < MOST_IN_LINE * counted.length) return null;
  const on = new Map(joints.map((joint, n) => [joint, n]));
  let front = 0;
  let rear = 0;
  const last = joints.length - 1;
  for (const joint of counted) {
    if (on.has(joint)) continue;
    let at = joint;
    while (at >= 0 && !on.has(at)) at = parents[at]!;
    // What carries the line is no part of either end.
    const n = on.get(at);
    if (n === undefined) continue;
    if (n <= NEAR_END * last) front = Math.max(front, n + 1);
    else if (n >= (1 - NEAR_END) * last) rear = Math.max(rear, last - n + 1);
  }
  if (front > 0 && rear > 0) return { joints, isHeadFirst: false, head: 0 };
  return {
    joints: rear > 0 ? joints.reverse() : joints,
    isHeadFirst: front + rear > 0,
    head: Math.max(front, rear),
  };
}

/** Which way a line heads: from its last joint to its first, along the ground; null where it stands or tells nothing. */
export function headingOfLine(
  { joints, isHeadFirst }: Line,
  positions: readonly Vec3[],
  up: Readonly<Vec3>,
): Vec3 | null {
  if (!isHeadFirst) return null;
  const along = subtractVectors(positions[joints[0]!]!, positions[joints[joints.length - 1]!]!);
  const flat = rejectVector(along, up);
  return dotVectors(flat, flat) > 0.1 * dotVectors(along, along) ? directionOf(flat) : null;
}
