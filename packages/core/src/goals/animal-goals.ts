import type { AlignedPair } from '../align/aligned-pair.js';
import { distanceFlat } from '../base/math/flat-vectors.js';
import { conjugateQuaternion, rotateVector } from '../base/math/quaternion.js';
import {
  directionOf,
  dotVectors,
  scaleVector,
  subtractVectors,
  type Vec3,
  vectorAt,
} from '../base/math/vector.js';
import { type AnimalLeg, legsOfAnimal } from '../body/animal-legs.js';
import type { Rig } from '../body/rig.js';
import { bodyPoints, hipHeightOf } from '../contacts/body-points.js';
import { driverOf, type RigMap } from '../map/rig-map.js';
import { withAncestors } from '../scene/forward-joints.js';
import type { ModelPose } from '../scene/pose.js';
import { isAncestor } from '../scene/skeleton.js';
import {
  acrossFoot,
  type GoalSetup,
  type LimbGoal,
  type LimbJoints,
  limbLength,
  type PointPair,
  stanceOf,
  unturned,
} from './goal-setup.js';
import { animalTrunk } from './parts/animal-trunk.js';
import { type AttachedJoint, attachedJoints } from './parts/attach-joints.js';
import { extremeSkin, shinSkin } from './parts/skin-points.js';

/**
 * Finds what can be corrected on two animals: every leg of the target that carries it and is driven by one that carries
 * the source, be they two, four, six or eight. Null where there is none, or where nothing carries both bodies.
 *
 * A leg is solved by two bones, from its root to where it bends most and on to its last long bone; what follows keeps its
 * copied turn, as a person's foot does: a hock stands as high as the source's leans, and the paw below it is what stands.
 */
export function createAnimalGoals(pair: AlignedPair, map: RigMap): GoalSetup | null {
  const { source, target, alignment, sourceReference, travel } = pair;
  if (!travel) return null;
  const sourceHipHeight = hipHeightOf(source);
  const hipHeight = hipHeightOf(target);
  const legs = pairLegs(source, target, map);
  if (legs.length === 0) return null;
  const attached = attachedJoints(target.skeleton, alignment.followers, (joint) =>
    legs.some((leg) => leg.target.joints.includes(joint)),
  );
  const hips = { source: travel.source, target: travel.target };
  const points = pairPaws(pair, legs, sourceHipHeight, hipHeight);
  const limbs = legs.flatMap((leg): LimbGoal[] => {
    const { source: from, target: to } = leg;
    const name = `${from.name}Foot` as const;
    const n = points.findIndex((point) => point.name === name);
    const joints = limbOfLeg(target, alignment.model, to, attached);
    const driver = limbOfLeg(source, sourceReference, from, null);
    if (n < 0 || !joints || !driver || !isAncestor(target.skeleton, hips.target, joints.upper)) return [];
    return [legGoal(pair, leg, driver, joints, n, points)];
  });
  if (limbs.length === 0) return null;
  const trunks = {
    source: animalTrunk(source, sourceReference, sourceHipHeight, hips.source),
    target: animalTrunk(target, alignment.model, hipHeight, hips.target),
  };
  const needed = (side: 'source' | 'target') => [
    hips[side],
    ...trunks[side].trunk.map(({ joint }) => joint),
    ...trunks[side].limbs.map(({ joint }) => joint),
    ...limbs.flatMap((limb) => Object.values(limb[side])),
    ...points.map((point) => point[side].joint),
    ...limbs.flatMap(({ toes }) => (side === 'target' && toes >= 0 ? [toes] : [])),
    ...(side === 'target' ? attached.flatMap(({ below, carrier }) => [carrier, ...below]) : []),
  ];
  return {
    limbs,
    points,
    arms: null,
    // An animal lies on its trunk, see `animalTrunk`.
    surfaces: [],
    laid: [],
    sourceJoints: withAncestors(source.skeleton, needed('source')),
    targetJoints: withAncestors(target.skeleton, needed('target')),
    hips,
    trunks,
    sourceHipHeight,
    hipHeight,
    sourceFloor: source.floor.height,
    floor: target.floor.height,
    attached,
  };
}

/** A leg of the target and the leg of the source that drives it. */
type LegPair = { source: AnimalLeg; target: AnimalLeg };

/** The legs that carry both bodies: each of the target's with the one of the source's that most of its joints follow. */
function pairLegs(source: Rig, target: Rig, map: RigMap): LegPair[] {
  const from = legsOfAnimal(source);
  const drivers = new Map(map.joints.map((pair) => [pair.target, driverOf(pair)]));
  const pairs = legsOfAnimal(target).flatMap((leg): LegPair[] => {
    const counts = from.map(
      ({ joints }) => leg.joints.filter((joint) => joints.includes(drivers.get(joint) ?? -1)).length,
    );
    const most = Math.max(0, ...counts);
    return most > 0 ? [{ source: from[counts.indexOf(most)]!, target: leg }] : [];
  });
  // A foot of the source is held once: where one leg drives several, those of its own name, or else the first, follow it.
  return pairs.filter(
    (pair, n) =>
      n ===
      pairs.findIndex(
        (other) =>
          other.source === pair.source &&
          (other.target.name === pair.source.name ||
            !pairs.some((each) => each.source === pair.source && each.target.name === pair.source.name)),
      ),
  );
}

/** The points of both bodies that touch the ground: a paw a leg, named as the source's, then hips and back. */
function pairPaws(
  { source, target, alignment, sourceReference, rootScales, travel }: AlignedPair,
  legs: readonly LegPair[],
  sourceHipHeight: number,
  hipHeight: number,
): PointPair[] {
  const from = bodyPoints(source);
  const to = bodyPoints(target);
  const partner = new Map<string, string>(
    legs.map((leg) => [`${leg.source.name}Foot`, `${leg.target.name}Foot`]),
  );
  // Over its floor each body's hips stand as high as they do, whatever the legs are scaled by.
  const level = (model: ModelPose, joint: number, floor: number) => model.matrices[16 * joint + 13]! - floor;
  const above =
    level(alignment.model, travel!.target, target.floor.height) -
    rootScales.vertical * level(sourceReference, travel!.source, source.floor.height);
  return from.flatMap((point): PointPair[] => {
    const name = point.name.endsWith('Foot') ? partner.get(point.name) : point.name;
    const match = to.find((other) => other.name === name);
    if (!match) return [];
    const lift = hipHeight * match.standing - rootScales.vertical * sourceHipHeight * point.standing - above;
    return [{ name: point.name, source: point, target: match, lift, lies: false }];
  });
}

/**
 * The two bones by which a leg is solved: from its root to where it is farthest off the line to its end. The end of a leg
 * with a foot is its hock, of any other its last joint.
 * @param attached Joints that hang elsewhere; null where it is only asked which they are.
 */
function limbOfLeg(
  { skeleton }: Rig,
  { matrices }: ModelPose,
  { name, joints }: AnimalLeg,
  attached: readonly AttachedJoint[] | null,
): LimbJoints | null {
  const isNamed = !name.startsWith('leg');
  const chain = isNamed ? joints.slice(0, 3) : joints.slice();
  const hangs = (joint: number, above: number) =>
    isAncestor(skeleton, above, joint) ||
    attached === null ||
    attached.some((each) => each.joint === joint && each.carrier === above);
  const first = chain.findIndex((joint, k) => k > 0 && !hangs(joint, chain[k - 1]!));
  const whole = first < 0 ? chain : chain.slice(0, first);
  if (whole.length < 3) return null;
  const [upper, end] = [whole[0]!, whole.at(-1)!];
  let middle = whole[1]!;
  if (!isNamed) {
    const off = (joint: number) =>
      Math.sqrt(
        Math.max(0, dotVectors(offLine(matrices, upper, joint, end), offLine(matrices, upper, joint, end))),
      );
    for (const joint of whole.slice(2, -1)) if (off(joint) > off(middle)) middle = joint;
  }
  const at = (joint: number) => 16 * joint + 12;
  const [a, b] = [
    distanceFlat(matrices, at(upper), matrices, at(middle)),
    distanceFlat(matrices, at(middle), matrices, at(end)),
  ];
  return a > 1e-6 && b > 1e-6 && a + b < 1e6 ? { upper, middle, end } : null;
}

/** The way from the line between two joints to a third, square to it. */
function offLine(matrices: Float64Array, a: number, joint: number, b: number): Vec3 {
  const at = (j: number) => vectorAt(matrices, 16 * j + 12);
  const line = subtractVectors(at(b), at(a));
  const bone = subtractVectors(at(joint), at(a));
  const square = dotVectors(line, line);
  return square > 0 ? subtractVectors(bone, scaleVector(line, dotVectors(bone, line) / square)) : bone;
}

/** A leg that is straighter than this, in its lengths, does not show where it bends. */
const SHOWS_BEND = 0.02;

/** Where a leg bends, in its upper joint's own axes: as it stands; a straight one as knees and elbows do. */
function bendOfLeg(
  { matrices, rotations }: ModelPose,
  leg: LimbJoints,
  length: number,
  isFront: boolean,
): Float64Array {
  const off = offLine(matrices, leg.upper, leg.middle, leg.end);
  const shown = Math.sqrt(dotVectors(off, off)) > SHOWS_BEND * length ? directionOf(off) : null;
  const bend = Float64Array.from(shown ?? [0, 0, isFront ? -1 : 1]);
  const back = new Float64Array(4);
  conjugateQuaternion(back, 0, rotations, 4 * leg.upper);
  rotateVector(bend, 0, back, 0, bend, 0);
  return bend;
}

function legGoal(
  { target, alignment, sourceReference, rootScales, travel }: AlignedPair,
  { source: from, target: to }: LegPair,
  source: LimbJoints,
  joints: LimbJoints,
  paw: number,
  points: readonly PointPair[],
): LimbGoal {
  const { skeleton } = target;
  const { model } = alignment;
  const below = to.joints.at(-1)!;
  const toes = below !== joints.end && isAncestor(skeleton, joints.end, below) ? below : -1;
  const length = limbLength(model, joints);
  const hips = { source: travel!.source, target: travel!.target };
  return {
    kind: 'leg',
    name: to.name,
    side: to.side,
    source,
    target: joints,
    sourceLength: limbLength(sourceReference, source),
    length,
    hangs: isAncestor(skeleton, joints.middle, joints.end),
    rigid: false,
    isSkinned: false,
    bend: bendOfLeg(model, joints, length, from.name.startsWith('front')),
    points: [paw, paw],
    stance: stanceOf([points[paw]!], hips, sourceReference, model, rootScales.horizontal),
    // A paw in the air hangs and curls: what it is off is turned with the body.
    heading: hips.target,
    unturn: unturned(model, hips.target),
    scaling: null,
    toes,
    across: acrossPaw(model, joints.end, points[paw]!),
    skin: extremeSkin(skeleton, model, joints.end, toes),
    toeSkin: toes < 0 ? new Float64Array(0) : extremeSkin(skeleton, model, toes),
    // A spider kneels on nothing.
    shin: to.name.startsWith('leg')
      ? { points: new Float64Array(0), girths: [0, 0] }
      : shinSkin(skeleton, model, joints.middle, joints.end),
  };
}

/** A paw that stands less than this share of the hip height ahead of its hock tells nothing of where it points. */
const POINTS_AHEAD = 0.02;

/** The axis that a paw's toes bend up about; see `acrossFoot`. Where a leg stands on its tip, across the body. */
function acrossPaw(model: ModelPose, end: number, { target: point }: PointPair): Float64Array {
  const across = acrossFoot(model, end, point);
  const place = vectorAt(model.matrices, 16 * point.joint + 12);
  const hock = vectorAt(model.matrices, 16 * end + 12);
  const away = subtractVectors(place, hock);
  const level = Math.sqrt(away[0] * away[0] + away[2] * away[2]);
  if (level > POINTS_AHEAD * Math.abs(away[1])) return across;
  const back = new Float64Array(4);
  conjugateQuaternion(back, 0, model.rotations, 4 * end);
  const left = Float64Array.of(-1, 0, 0);
  rotateVector(left, 0, back, 0, left, 0);
  return left;
}
