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
import { LEAST_CURL } from '../hand-side.js';
import type { Side } from '../roles.js';
import type { BodyGraph } from './body-graph.js';
import { castHand, type FingerCast } from './cast-hand.js';

/** A hand that is all there is of a body; the side is null where nothing tells palm from back. */
export type LoneHand = { wrist: number; fingers: FingerCast[]; side: Side | null };

/** Fingers that point further apart than this, in radians, are no fingers. */
const PARALLEL = Math.PI / 4;

/**
 * Finds the hand in a rig that is nothing else: four or five chains off a wrist, of which one, the thumb, sets
 * off aside. What stands above the wrist may be a forearm, never a body. Null where it is no hand.
 */
export function findLoneHand(graph: BodyGraph): LoneHand | null {
  const { children, parents, positions, reach } = graph;
  const joints = parents.reduce((count, parent) => count + (parent === -2 ? 0 : 1), 0);
  if (joints < 9 || joints > 60) return null;
  for (let wrist = 0; wrist < parents.length; wrist++) {
    if (parents[wrist] === -2 || children[wrist]!.length < 4) continue;
    let line = 0;
    let isLine = true;
    for (let at = parents[wrist]!; at >= 0; at = parents[at]!) {
      line++;
      if (children[at]!.length > 1) isLine = false;
    }
    // Fingers do not branch; what does is a body with limbs.
    const branches = Array.from(
      parents,
      (parent, i) => parent !== -2 && children[i]!.length > 1 && i !== wrist,
    );
    if (!isLine || joints - line < 0.8 * joints || branches.includes(true)) continue;
    const fingers = castHand(graph, wrist, 1.4 * reach[wrist]!, positions);
    const long = fingers.filter(({ finger }) => finger !== 'Thumb');
    if (long.length < 3 || fingers.length === long.length || long.some((each) => each.joints.length < 2))
      continue;
    const directions = long.map(({ joints: own }) =>
      directionOf(subtractVectors(positions[own[own.length - 1]!]!, positions[own[0]!]!)),
    );
    const mean = meanVector(directions.filter((direction) => direction !== null));
    if (!mean || directions.some((each) => each === null || vectorAngle(each, mean) > PARALLEL)) continue;
    return { wrist, fingers, side: sideOfHand(wrist, fingers, positions) };
  }
  return null;
}

/**
 * The side of a hand by how its fingers bend. With f from the wrist to the knuckles, t from the last finger to
 * the index and n out of the palm, n · (f × t) is positive for a left hand: palm down, fingers ahead (−Z), the
 * left thumb points right (+X), and (−Z) × (+X) = −Y. Fingers bend towards n, and the thumb lies on that side.
 */
function sideOfHand(wrist: number, fingers: readonly FingerCast[], positions: readonly Vec3[]): Side | null {
  const long = fingers.filter(({ finger }) => finger !== 'Thumb');
  const knuckle = ({ joints }: FingerCast) => positions[joints[0]!]!;
  const ahead = subtractVectors(meanVector(long.map(knuckle))!, positions[wrist]!);
  const index = long.find(({ finger }) => finger === 'Index');
  if (!index) return null;
  const normal = directionOf(
    crossVectors(ahead, subtractVectors(knuckle(index), knuckle(long[long.length - 1]!))),
  );
  if (!normal) return null;
  let curl = 0;
  let length = 0;
  for (const { joints } of long) {
    const [a, b, c] = joints.map((joint) => positions[joint]!);
    if (!a || !b || !c) continue;
    const near = subtractVectors(b, a);
    const far = subtractVectors(c, b);
    const along = dotVectors(far, near) / (dotVectors(near, near) || 1);
    curl += dotVectors(addVectors(far, scaleVector(near, -along)), normal);
    length += vectorLength(far);
  }
  const bend = length > 0 ? curl / length : 0;
  const thumb = fingers.find(({ finger }) => finger === 'Thumb')!;
  const tip = positions[thumb.joints[thumb.joints.length - 1]!]!;
  const drop = dotVectors(subtractVectors(tip, positions[wrist]!), normal) / (vectorLength(ahead) || 1);
  const signs = [
    Math.abs(bend) > LEAST_CURL ? Math.sign(bend) : 0,
    Math.abs(drop) > 0.15 ? Math.sign(drop) : 0,
  ];
  // A thumb that lies on the back of a hand was bent there, or it is no hand: nothing is said.
  const sum = signs[0]! + signs[1]!;
  return sum === 0 ? null : sum > 0 ? 'left' : 'right';
}
