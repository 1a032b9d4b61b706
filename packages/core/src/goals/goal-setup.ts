import { type Alignment, rolesOfMap } from '../align/align-references.js';
import type { AlignedPair } from '../align/aligned-pair.js';
import { invertMatrix, transformPoint } from '../base/math/matrix.js';
import { conjugateQuaternion, divideQuaternions, rotateVector } from '../base/math/quaternion.js';
import { dotVectors, subtractVectors, vectorAt, vectorLength } from '../base/math/vector.js';
import type { RoleJoints } from '../body/body.js';
import type { Rig } from '../body/rig.js';
import type { Role, Side } from '../body/roles.js';
import { type BodyPoint, bodyPoints } from '../contacts/body-points.js';
import { type BodySurface, bodySurfaces } from '../contacts/body-surfaces.js';
import { restsByFlesh } from '../contacts/find-resting.js';
import type { RigMap } from '../map/rig-map.js';
import type { PointName } from '../options/contact.js';
import type { LimbScalings } from '../options/limb-rules.js';
import { withAncestors } from '../scene/forward-joints.js';
import type { ModelPose } from '../scene/pose.js';
import { isAncestor } from '../scene/skeleton.js';
import { type ArmSetup, createArmSetup, withArmLimbs } from './arms/arm-setup.js';
import { shapeJoints } from './arms/shape-row.js';
import { type FullLimbScaling, fullLimbScaling } from './limb-scaling.js';
import type { AttachedJoint } from './parts/attach-joints.js';
import { type LaidPart, laidParts } from './parts/lay-parts.js';
import { extremeSkin, type ShinSkin, shinSkin } from './parts/skin-points.js';
import { addStandInHands, isHandJoint } from './parts/stand-in-hands.js';
import { type Trunk, trunkOf } from './parts/trunk.js';

/** Three joints of a limb, from its root to its end. */
export type LimbJoints = { upper: number; middle: number; end: number };

/** A point of the body that both rigs have. */
export type PointPair = {
  name: PointName;
  source: BodyPoint;
  target: BodyPoint;
  /** The height of the target's point over the scaled source's, as the two lie differently deep: metres. */
  lift: number;
  /** Whether the body is put on it where it lies; an animal lies on its skin, be it on belly, side or back: `stayLow`. */
  lies: boolean;
};

/** An arm or a leg that both rigs have, as the corrections see it. */
export type LimbGoal = {
  kind: 'leg' | 'arm';
  /** As options name it, `leftArm`; of an animal `hindLeft`, as its parts are. */
  name: string;
  side: Side;
  source: LimbJoints;
  target: LimbJoints;
  /** Lengths of both bones together, in metres. */
  sourceLength: number;
  length: number;
  /** Whether the target's end hangs on its middle; else it is placed, see `PlacedJoint`. */
  hangs: boolean;
  /** Whether the target's end is no joint of a hand, and moves with its middle instead of keeping its turn. */
  rigid: boolean;
  /** Where the middle joint points when the limb bends, in the upper joint's own axes: knees ahead, elbows back. */
  bend: Float64Array;
  /** Numbers of the points at the limb's end, in `GoalSetup.points`: heel and toe, or the hand. */
  points: number[];
  /**
   * The way from the scaled source's foot to the goal in the references, along the ground, xz; it turns with the foot, so
   * that a body at rest stays as it stands.
   */
  stance: [number, number];
  /** The target's joint with which that turns, and its R⁻¹ in the reference, model space: the end, or an animal's hips. */
  heading: number;
  unturn: Float64Array;
  /** Where its goal is scaled to; null where it is as told by the kind of the limb. */
  scaling: FullLimbScaling | null;
  /** The target's toes, which bend; −1 for an arm, or where there are none below the foot. */
  toes: number;
  /**
   * A direction across a foot that it rolls and its toes bend up about, in the end's local space; across a hand that it
   * bends back about, 0 where it cannot.
   */
  across: Float64Array;
  /** Extreme points of what moves as one with the target's end, in its local space; and of the toes in theirs. */
  skin: Float64Array;
  toeSkin: Float64Array;
  /** Whether what is known of the end is skin, not joints alone. */
  isSkinned: boolean;
  /** The skin of a leg's shin, and how thick that is, see `shinSkin`; empty for an arm. */
  shin: ShinSkin;
};

/** The outside of a part that both bodies have, with the number of its point in `GoalSetup.points`. */
export type RestingSurface = { surface: BodySurface; point: number };

/** Two rigs as corrections know them, once: which limbs they solve and which points touch the ground. */
export type GoalSetup = {
  limbs: LimbGoal[];
  points: PointPair[];
  /** Both bodies as their arms touch them; null where one has no arms. */
  arms: ArmSetup | null;
  /** Joints whose places are needed, with all above them. */
  sourceJoints: Int32Array;
  targetJoints: Int32Array;
  hips: { source: number; target: number };
  /** The outsides of the target's parts that lie on the floor: knees, elbows, seat, back and head. */
  surfaces: RestingSurface[];
  /** The joints that are turned for them to lie there, see `layParts`. */
  laid: readonly LaidPart[];
  /** Torso and head, and what lies on the floor with them, see `trunkOf`. */
  trunks: { source: Trunk; target: Trunk };
  /** Height of the hips over the floor in the reference poses, metres: the unit of everything about feet. */
  sourceHipHeight: number;
  hipHeight: number;
  /** Model-space heights of the floors. */
  sourceFloor: number;
  floor: number;
  /** Parts of legs that hang elsewhere and are brought there when all else is done, see `followSkin`. */
  attached: readonly AttachedJoint[];
};

/** Finds what can be corrected on two rigs; null where they have no hips, or no leg, in common. */
export function createGoalSetup(
  { source, target, alignment, sourceReference, rootScales: scales }: AlignedPair,
  map: RigMap,
  scalings: LimbScalings = {},
): GoalSetup | null {
  const roles = addStandInHands(source, target, rolesOfMap(map, source), sourceReference, alignment.model);
  const hips = { source: roles.source.hips ?? -1, target: roles.target.hips ?? -1 };
  if (hips.source < 0 || hips.target < 0) return null;
  const sourceHipHeight = sourceReference.matrices[16 * hips.source + 13]! - source.floor.height;
  const hipHeight = alignment.model.matrices[16 * hips.target + 13]! - target.floor.height;
  if (!(sourceHipHeight > 1e-6) || !(hipHeight > 1e-6)) return null;
  const points = pairPoints(source, target, roles);
  for (const pair of points)
    pair.lift = hipHeight * pair.target.standing - scales.vertical * sourceHipHeight * pair.source.standing;
  const limbs: LimbGoal[] = [];
  for (const kind of ['leg', 'arm'] as const)
    for (const side of ['left', 'right'] as const) {
      const names: Role[] =
        kind === 'leg'
          ? [`${side}UpperLeg`, `${side}LowerLeg`, `${side}Foot`]
          : [`${side}UpperArm`, `${side}LowerArm`, `${side}Hand`];
      const [from, to] = [limbJoints(roles.source, names), limbJoints(roles.target, names)];
      if (!from || !to || !isLimb(target, alignment, to)) continue;
      if (to.upper === hips.target || !isAncestor(target.skeleton, hips.target, to.upper)) continue;
      const ends: PointName[] = kind === 'leg' ? [`${side}Heel`, `${side}Toe`] : [`${side}Hand`];
      const at = ends.map((name) => points.findIndex((pair) => pair.name === name));
      if (at.includes(-1)) continue;
      const below = kind === 'leg' ? (target.joints[`${side}Toes`] ?? -1) : -1;
      const toes = below > to.end && isAncestor(target.skeleton, to.end, below) ? below : -1;
      const rigid = kind === 'arm' && roles.rigid.has(side);
      limbs.push({
        kind,
        name: `${side}${kind === 'leg' ? 'Leg' : 'Arm'}`,
        side,
        source: from,
        target: to,
        sourceLength: limbLength(sourceReference, from),
        length: limbLength(alignment.model, to),
        hangs: isAncestor(target.skeleton, to.middle, to.end),
        bend: bendIn(
          alignment.model,
          to.upper,
          kind === 'leg' && !bendsBackwards(alignment.model, to) ? 1 : -1,
        ),
        points: at,
        stance:
          kind === 'leg'
            ? stanceOf(
                at.map((n) => points[n]!),
                hips,
                sourceReference,
                alignment.model,
                scales.horizontal,
              )
            : [0, 0],
        heading: to.end,
        unturn: unturned(alignment.model, to.end),
        scaling: scalingOf(scalings, side, kind),
        toes,
        across:
          kind === 'leg'
            ? acrossFoot(alignment.model, to.end, points[at[1]!]?.target)
            : acrossHand(alignment.model, to, side, rigid),
        rigid,
        skin:
          kind === 'leg'
            ? extremeSkin(target.skeleton, alignment.model, to.end, toes)
            : extremeSkin(
                target.skeleton,
                alignment.model,
                to.end,
                -1,
                rigid ? to.middle : to.end,
                isHandJoint(target, alignment.model, to),
              ),
        isSkinned: endHasSkin(target, to.end),
        shin:
          kind === 'leg'
            ? shinSkin(target.skeleton, alignment.model, to.middle, to.end)
            : { points: new Float64Array(0), girths: [0, 0] },
        toeSkin: toes < 0 ? new Float64Array(0) : extremeSkin(target.skeleton, alignment.model, toes),
      });
    }
  if (!limbs.some(({ kind }) => kind === 'leg')) return null;
  const armOf = (side: Side) => limbs.findIndex((limb) => limb.kind === 'arm' && limb.side === side);
  const arms = createArmSetup(source, target, roles, sourceReference, alignment.model, {
    limbs: [armOf('left'), armOf('right')],
    scale: sourceHipHeight > 0 ? hipHeight / sourceHipHeight : 1,
  });
  const trunks = {
    source: trunkOf(source, sourceReference, roles.source, sourceHipHeight),
    target: trunkOf(target, alignment.model, roles.target, hipHeight),
  };
  const surfaces = restingSurfaces(target, roles.target, alignment.model, points);
  const needed = (side: 'source' | 'target') => [
    hips[side],
    ...trunks[side].trunk.map(({ joint }) => joint),
    ...limbs.flatMap((limb) => Object.values(limb[side])),
    ...points.map((pair) => pair[side].joint),
    ...(arms ? shapeJoints(arms[side]) : []),
    ...limbs.flatMap(({ toes }) => (side === 'target' && toes >= 0 ? [toes] : [])),
    ...surfaces.flatMap(({ surface }) => (side === 'target' ? surface.joints : [])),
  ];
  return {
    limbs,
    points,
    arms,
    sourceJoints: withAncestors(source.skeleton, needed('source')),
    targetJoints: withAncestors(target.skeleton, needed('target')),
    hips,
    surfaces,
    laid: laidParts(surfaces, roles.target),
    trunks,
    sourceHipHeight,
    hipHeight,
    sourceFloor: source.floor.height,
    floor: target.floor.height,
    attached: [],
  };
}

/** The outsides of parts that lie on the floor, of those that both bodies have. */
function restingSurfaces(
  target: Rig,
  joints: RoleJoints,
  model: ModelPose,
  points: readonly PointPair[],
): RestingSurface[] {
  return bodySurfaces(target, joints, model).flatMap((surface): RestingSurface[] => {
    const point = points.findIndex(({ name }) => restsByFlesh(name) && surface.touches.includes(name));
    return point < 0 ? [] : [{ surface, point }];
  });
}

/** The same two rigs with fewer limbs: those that are left out have no goals, and no point of theirs touches anything. */
export function withLimbs(goals: GoalSetup, isKept: (limb: LimbGoal) => boolean): GoalSetup {
  const limbs = goals.limbs.filter(isKept);
  const left = goals.limbs.filter((limb) => !limbs.includes(limb));
  const isLeft = ({ name }: PointPair, n: number) =>
    left.some(
      ({ kind, side, points: ends }) =>
        ends.includes(n) ||
        (name.startsWith(side) && (kind === 'leg' ? /Heel$|Toe$|Knee$/ : /Hand$|Elbow$/).test(name)),
    );
  const points = goals.points.filter((pair, n) => !isLeft(pair, n));
  const surfaces = goals.surfaces.flatMap(({ surface, point }): RestingSurface[] => {
    const kept = points.indexOf(goals.points[point]!);
    return kept < 0 ? [] : [{ surface, point: kept }];
  });
  const numberOf = (n: number) => (n < 0 ? n : limbs.indexOf(goals.limbs[n]!));
  return {
    ...goals,
    limbs: limbs.map((limb) => ({
      ...limb,
      points: limb.points.map((n) => points.indexOf(goals.points[n]!)),
    })),
    points,
    surfaces,
    laid: goals.laid.flatMap((part) => {
      const kept = surfaces.findIndex(({ surface }) => surface === goals.surfaces[part.surface]!.surface);
      return kept < 0 ? [] : [{ ...part, surface: kept }];
    }),
    arms:
      goals.arms && withArmLimbs(goals.arms, [numberOf(goals.arms.limbs[0]), numberOf(goals.arms.limbs[1])]),
  };
}

/** A knee that is farther behind its leg's line than this share of the leg's length bends backwards. */
const BACKWARDS = 0.05;

function pairPoints(
  source: Rig,
  target: Rig,
  roles: { source: RoleJoints; target: RoleJoints },
): PointPair[] {
  const from = bodyPoints(source, roles.source);
  const to = bodyPoints(target, roles.target);
  return from.flatMap((point): PointPair[] => {
    const match = to.find(({ name }) => name === point.name);
    return match ? [{ name: point.name, source: point, target: match, lift: 0, lies: true }] : [];
  });
}

/** The way from the scaled source's foot to the target's in the references, along the ground, x and z. */
export function stanceOf(
  points: readonly PointPair[],
  hips: GoalSetup['hips'],
  source: ModelPose,
  target: ModelPose,
  scale: number,
): [number, number] {
  const place = new Float64Array(3);
  const off = [0, 0, 0];
  for (const { source: from, target: to } of points) {
    transformPoint(place, 0, target.matrices, 16 * to.joint, Float64Array.from(to.offset), 0);
    for (let c = 0; c < 3; c++) off[c]! += place[c]! - target.matrices[16 * hips.target + 12 + c]!;
    transformPoint(place, 0, source.matrices, 16 * from.joint, Float64Array.from(from.offset), 0);
    for (let c = 0; c < 3; c++) off[c]! -= scale * (place[c]! - source.matrices[16 * hips.source + 12 + c]!);
  }
  return [off[0]! / points.length, off[2]! / points.length];
}

/** Level and square to the way from a foot's heel to its ball in the reference; turning about it lifts the toes. */
export function acrossFoot(model: ModelPose, foot: number, ball: BodyPoint | undefined): Float64Array {
  const across = new Float64Array(3);
  const inverse = new Float64Array(16);
  if (!ball || !invertMatrix(inverse, 0, model.matrices, 16 * foot)) return across;
  transformPoint(across, 0, model.matrices, 16 * ball.joint, Float64Array.from(ball.offset), 0);
  const x = across[0]! - model.matrices[16 * foot + 12]!;
  const z = across[2]! - model.matrices[16 * foot + 14]!;
  const level = Math.sqrt(x * x + z * z);
  for (let c = 0; c < 3; c++) across[c] = level > 1e-9 ? (inverse[8 + c]! * x - inverse[c]! * z) / level : 0;
  return across;
}

/**
 * Across a hand, so that turning about it bends the hand back. In any reference pose arms are in the plane of the body,
 * hanging, at an angle or level, palms in or down: the thumb is ahead, so that is what a left hand bends back about, and
 * a right one about the opposite.
 */
function acrossHand(model: ModelPose, { middle, end }: LimbJoints, side: Side, rigid: boolean): Float64Array {
  const across = new Float64Array(3);
  const inverse = new Float64Array(16);
  if (rigid || !invertMatrix(inverse, 0, model.matrices, 16 * end)) return across;
  const forearm = subtractVectors(
    vectorAt(model.matrices, 16 * end + 12),
    vectorAt(model.matrices, 16 * middle + 12),
  );
  const square = dotVectors(forearm, forearm);
  const sign = side === 'left' ? 1 : -1;
  const along = square > 0 ? (sign * forearm[2]) / square : 0;
  const way = [-along * forearm[0], -along * forearm[1], sign - along * forearm[2]];
  // Of an arm that points straight ahead nothing is known.
  if (dotVectors(way as [number, number, number], way as [number, number, number]) < 0.1) return across;
  for (let c = 0; c < 3; c++)
    across[c] = inverse[c]! * way[0]! + inverse[4 + c]! * way[1]! + inverse[8 + c]! * way[2]!;
  return across;
}

/** R⁻¹ of a joint in model space. */
export function unturned(model: ModelPose, joint: number): Float64Array {
  const undo = new Float64Array(4);
  conjugateQuaternion(undo, 0, model.rotations, 4 * joint);
  return undo;
}

function scalingOf(scalings: LimbScalings, side: Side, kind: LimbGoal['kind']): FullLimbScaling | null {
  const limb = kind === 'leg' ? (`${side}Leg` as const) : (`${side}Arm` as const);
  const scaling = scalings[limb];
  return scaling ? fullLimbScaling(`limbScalings.${limb}`, scaling) : null;
}

function limbJoints(joints: RoleJoints, names: readonly Role[]): LimbJoints | null {
  const [upper, middle, end] = names.map((name) => joints[name]);
  return upper === undefined || middle === undefined || end === undefined ? null : { upper, middle, end };
}

/** Whether a hand or a foot, or anything below it, has skin. */
function endHasSkin({ skeleton }: Rig, end: number): boolean {
  return skeleton.hulls?.some((hull, joint) => hull && isAncestor(skeleton, end, joint)) ?? false;
}

/** Whether three joints are a limb that can be solved: a chain with length, whose end at least is carried by it. */
function isLimb(
  { skeleton }: Rig,
  { model, placed }: Alignment,
  { upper, middle, end }: LimbJoints,
): boolean {
  if (upper === middle || middle === end || !isAncestor(skeleton, upper, middle)) return false;
  const carried = placed.some(({ joint, carrier }) => joint === end && carrier === middle);
  if (!isAncestor(skeleton, middle, end) && !carried) return false;
  const [a, b] = [distance(model, upper, middle), distance(model, middle, end)];
  return a > 1e-6 && b > 1e-6 && a + b < 1e6;
}

function distance(model: ModelPose, a: number, b: number): number {
  return vectorLength(
    subtractVectors(vectorAt(model.matrices, 16 * a + 12), vectorAt(model.matrices, 16 * b + 12)),
  );
}

/** Length of both bones of a limb, metres. */
export function limbLength(model: ModelPose, { upper, middle, end }: LimbJoints): number {
  return distance(model, upper, middle) + distance(model, middle, end);
}

/** Whether a leg's middle joint is well behind the line from its hip joint to its end: a bird's, a robot's. */
function bendsBackwards(model: ModelPose, { upper, middle, end }: LimbJoints): boolean {
  const at = (joint: number) => vectorAt(model.matrices, 16 * joint + 12);
  const line = subtractVectors(at(end), at(upper));
  const bone = subtractVectors(at(middle), at(upper));
  const along = dotVectors(bone, line) / dotVectors(line, line);
  return bone[2] - along * line[2] < -BACKWARDS * limbLength(model, { upper, middle, end });
}

/** Ahead (or behind, for −1) as the reference stands, in a joint's own axes. */
function bendIn(model: ModelPose, joint: number, ahead: 1 | -1): Float64Array {
  const undo = Float64Array.of(0, 0, 0, 1);
  divideQuaternions(undo, 0, model.rotations, 4 * joint, undo, 0);
  const bend = Float64Array.of(0, 0, ahead);
  rotateVector(bend, 0, undo, 0, bend, 0);
  return bend;
}

/** The source's joints that the goals depend on: those looked at, and the drivers of those of the target. */
export function sourceJointsOf(
  { map, source }: { map: RigMap; source: Rig },
  goals: GoalSetup,
): ReadonlySet<number> {
  const targets = new Set(goals.targetJoints);
  const drivers = map.joints
    .filter(({ target }) => targets.has(target))
    .flatMap(({ sources, share }) => (share ? [...sources, share.from] : sources));
  return new Set(withAncestors(source.skeleton, [...goals.sourceJoints, ...drivers]));
}
