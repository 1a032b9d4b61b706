import type { RoleJoints } from '../body.js';
import { invertMatrix, transformPoint } from '../matrix.js';
import type { ModelPose } from '../pose.js';
import type { Rig } from '../rig.js';
import type { Role } from '../roles.js';
import { subtractVectors, type Vec3, vectorAt, vectorLength } from '../vector.js';

/** A part of the body as a thick line between two places that move with joints. */
export type TouchPart = {
  joints: [number, number];
  /** Places in the joints' local spaces: xyz, xyz. */
  places: Float64Array;
  /** Half its thickness, in metres; 0 where the skin of one body is not known. */
  radius: number;
};

/** What hands can touch on two bodies. */
export type TouchSetup = {
  source: TouchPart[];
  target: TouchPart[];
  /** Pairs of parts, by number: a hand and what it may touch. */
  pairs: [number, number][];
  /** Limbs (numbers in `GoalSetup.limbs`) whose ends are parts 0 and 1, or −1. */
  limbs: [number, number];
  /** Lengths of the arms, in metres. */
  sourceArm: number;
  arm: number;
};

/** A head without a skin: its middle is this far over its joint, in arm lengths. */
const HEAD_MIDDLE = 0.15;

/**
 * Hands and arms have at most this half thickness, in arm lengths, and hips: what is thicker is a sword, a shield or a
 * skirt that moves with them.
 */
const THICKEST_LIMB = 0.15;
const THICKEST_TRUNK = 0.5;

/** Hands first; the order of `TouchSetup.source` and `target`. */
const PARTS = ['leftHand', 'rightHand', 'leftForearm', 'rightForearm', 'leftArm', 'rightArm', 'head', 'hips'];
/** Which parts each hand may touch: the other hand and arm, head and hips. */
const PAIRS: readonly [number, number][] = [
  [0, 1],
  [0, 3],
  [0, 5],
  [0, 6],
  [0, 7],
  [1, 2],
  [1, 4],
  [1, 6],
  [1, 7],
];

/** Finds what hands can touch on two bodies; null where one has no arms. */
export function createTouchSetup(
  source: Rig,
  target: Rig,
  roles: { source: RoleJoints; target: RoleJoints },
  sourceReference: ModelPose,
  reference: ModelPose,
  limbs: [number, number],
): TouchSetup | null {
  const skinned = hasHulls(source) && hasHulls(target);
  const from = partsOf(source, roles.source, sourceReference, skinned);
  const to = partsOf(target, roles.target, reference, skinned);
  if (!from || !to || (limbs[0] < 0 && limbs[1] < 0)) return null;
  const known = PARTS.map((_, n) => from.parts[n] !== null && to.parts[n] !== null);
  const nowhere: TouchPart = { joints: [0, 0], places: new Float64Array(6), radius: 0 };
  return {
    source: from.parts.map((part) => part ?? nowhere),
    target: to.parts.map((part) => part ?? nowhere),
    pairs: PAIRS.filter(([a, b]) => known[a] && known[b] && limbs[a]! >= 0),
    limbs,
    sourceArm: from.arm,
    arm: to.arm,
  };
}

/** Whether the thickness of a body is known: files of clips alone have skins without vertices. */
export function hasHulls({ skeleton }: Rig): boolean {
  return skeleton.hulls?.some((hull) => hull !== null) ?? false;
}

function partsOf(
  rig: Rig,
  roles: RoleJoints,
  model: ModelPose,
  skinned: boolean,
): { parts: (TouchPart | null)[]; arm: number } | null {
  const place = (joint: number): Vec3 => vectorAt(model.matrices, 16 * joint + 12);
  const between = (a?: number, b?: number) =>
    a === undefined || b === undefined ? 0 : vectorLength(subtractVectors(place(a), place(b)));
  const lengths = (['left', 'right'] as const)
    .map(
      (side) =>
        between(roles[`${side}UpperArm`], roles[`${side}LowerArm`]) +
        between(roles[`${side}LowerArm`], roles[`${side}Hand`]),
    )
    .filter((length) => length > 1e-6);
  if (lengths.length === 0) return null;
  const arm = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const line = (from: Role, to: Role, thick: Role = from): TouchPart | null => {
    const [a, b, skin] = [roles[from], roles[to], roles[thick]];
    if (a === undefined || b === undefined) return null;
    const radius = skinned && skin !== undefined ? halfThickness(rig, model, skin, 0) : 0;
    const most = (from === thick ? THICKEST_LIMB : THICKEST_TRUNK) * arm;
    return { joints: [a, b], places: new Float64Array(6), radius: Math.min(radius, most) };
  };
  const hand = (side: 'left' | 'right') =>
    line(`${side}Hand`, `${side}MiddleProximal`) ?? line(`${side}Hand`, `${side}Hand`);
  return {
    parts: [
      hand('left'),
      hand('right'),
      line('leftLowerArm', 'leftHand'),
      line('rightLowerArm', 'rightHand'),
      line('leftUpperArm', 'leftLowerArm'),
      line('rightUpperArm', 'rightLowerArm'),
      headOf(rig, roles, model, skinned, HEAD_MIDDLE * arm),
      line('leftUpperLeg', 'rightUpperLeg', 'hips'),
    ],
    arm,
  };
}

function headOf(
  rig: Rig,
  { head }: RoleJoints,
  model: ModelPose,
  skinned: boolean,
  height: number,
): TouchPart | null {
  if (head === undefined) return null;
  const inverse = new Float64Array(16);
  if (!invertMatrix(inverse, 0, model.matrices, 16 * head)) return null;
  const middle = Float64Array.from(vectorAt(model.matrices, 16 * head + 12));
  middle[1] = middle[1]! + height;
  transformPoint(middle, 0, inverse, 0, middle, 0);
  return {
    joints: [head, head],
    places: Float64Array.of(...middle, ...middle),
    radius: skinned ? halfThickness(rig, model, head, 1) : 0,
  };
}

/** Half the extent of a joint's skin: the smallest (`rank` 0) or the middle one (1) of three; 0 where it has none. */
function halfThickness(rig: Rig, model: ModelPose, joint: number, rank: 0 | 1): number {
  const hull = rig.skeleton.hulls?.[joint];
  if (!hull || hull.length < 12) return 0;
  const place = new Float64Array(3);
  const low = [0, 1, 2].map(() => Number.POSITIVE_INFINITY);
  const high = [0, 1, 2].map(() => Number.NEGATIVE_INFINITY);
  for (let i = 0; i < hull.length; i += 3) {
    transformPoint(place, 0, model.matrices, 16 * joint, hull, i);
    for (let c = 0; c < 3; c++) {
      low[c] = Math.min(low[c]!, place[c]!);
      high[c] = Math.max(high[c]!, place[c]!);
    }
  }
  return high.map((value, c) => value - low[c]!).sort((a, b) => a - b)[rank]! / 2;
}
