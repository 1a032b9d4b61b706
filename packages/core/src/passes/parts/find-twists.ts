import type { AlignedPair } from '../../align/aligned-pair.js';
import { conjugateQuaternion, divideQuaternions, rotateVector } from '../../base/math/quaternion.js';
import {
  addVectors,
  directionOf,
  dotVectors,
  scaleVector,
  subtractVectors,
  type Vec3,
  vectorAt,
  vectorLength,
} from '../../base/math/vector.js';
import { TWIST_WORDS, wordsOf } from '../../body/joint-kinds.js';
import type { Rig } from '../../body/rig.js';
import type { Role } from '../../body/roles.js';
import type { TwistRule } from '../../options/joint-rules.js';
import { type ModelPose, modelPoseOf } from '../../scene/pose.js';
import { isAncestor, isSameSkeleton, type Skeleton } from '../../scene/skeleton.js';

/**
 * The bones whose twist is shared: where each begins and ends. What turns about a forearm or a shin is mostly the hand
 * or the foot at its end; what turns about an upper arm is the arm itself, and a forearm's turn about its own bone,
 * which looks the same while the elbow is straight, is none of its business.
 */
const TWISTED_BONES = [
  { start: 'UpperArm', end: 'LowerArm', takesEnd: false, isFound: true },
  { start: 'LowerArm', end: 'Hand', takesEnd: true, isFound: true },
  { start: 'LowerLeg', end: 'Foot', takesEnd: true, isFound: true },
  // Spread over thighs real clips stretched skin by up to 11.9 times instead of 8.1: only where told.
  { start: 'UpperLeg', end: 'LowerLeg', takesEnd: false, isFound: false },
] as const;

/** How far along a bone a twist joint stands, and how far off its line, in bone lengths. */
const ALONG = { from: -0.05, to: 0.97 } as const;
const OFF_LINE = 0.08;
/** The same where its name says what it is. */
const OFF_NAMED = 0.3;
/** What has no name for it and stands nearer to the start is a part of the limb, such as a plate or a robot's shell. */
const ALONG_UNNAMED = 0.1;
/** A limb's joint with less than this share of the skin of its bone leaves that to its twist joints. */
const HARDLY_TWISTED = 0.05;

/** A joint that takes a share of a bone's twist. */
export type TwistJoint = {
  joint: number;
  /** How much of the twist at the start of the bone, and of that at its end, it adds to the turn of the bone's own joint. */
  ofStart: number;
  ofEnd: number;
  /** The bone's direction in the axes of what the joint hangs on, in the bind pose. */
  axis: Vec3;
  /** The local rotation in the bind pose; null for a joint that is driven, or leads to one, and is turned on from there. */
  bind: Float64Array | null;
  /** The place in the list of what it hangs on; −1 where that is the bone's own joint. */
  above: number;
};

/** A bone whose twist is shared. */
export type TwistBone = {
  /** The joint that turns it. */
  start: number;
  /** The direction of the bone in that joint's own axes. */
  axis: Vec3;
  /** Undoes its local rotation in the bind pose. */
  unbind: Float64Array;
  /** From it to the end of the bone, the end last; none where what turns there is not shared. */
  path: Int32Array;
  /** Undoes the product of their local rotations in the bind pose. */
  unbindPath: Float64Array;
  /** What the bone's own joint adds to its turn, likewise; null where it keeps it. */
  own: { ofStart: number; ofEnd: number } | null;
  /** Parents first. */
  joints: TwistJoint[];
  /** Joints below those that turn and lead to the end: they keep their turn in model space. */
  kept: TwistJoint[];
};

/**
 * Finds the joints of a target that share the twist of an arm's or a shin's bone: those that hang on it, lie along it
 * and lead nowhere, unless something drives them already. What is told comes first, and may name any joint of a limb.
 * @param sharesOwn Whether an upper arm gives of its own turn where its twist joints could take none otherwise.
 * @returns none where both skeletons are one: there all twist joints have keys of their own.
 */
export function findTwists(
  { source, target, map, alignment }: Pick<AlignedPair, 'source' | 'target' | 'map' | 'alignment'>,
  rule: TwistRule,
  told: ReadonlyMap<number, number>,
  isTaken: (joint: number) => boolean,
  sharesOwn = false,
): TwistBone[] {
  const { skeleton } = target;
  if (isSameSkeleton(source.skeleton, skeleton)) return [];
  const driven = new Set(map.joints.map((pair) => pair.target));
  for (const { joint } of [...alignment.placed, ...alignment.followers]) driven.add(joint);
  const model = modelPoseOf(skeleton, skeleton.bind ?? skeleton.rest);
  const bones: TwistBone[] = [];
  for (const side of ['left', 'right'] as const)
    for (const { start, end, takesEnd, isFound } of TWISTED_BONES) {
      const from = target.joints[`${side}${start}` as Role];
      const to = target.joints[`${side}${end}` as Role];
      if (from === undefined || to === undefined || !driven.has(from)) continue;
      if (!isAncestor(skeleton, from, to) || from === to) continue;
      const line = lineOf(model, from, to);
      if (line === null) continue;
      const finds = isFound && rule !== 'none';
      const twists = listTwists(target, { from, to, line, finds, told, driven, isTaken }, model);
      const ownTold = told.get(from) ?? null;
      if (twists.length === 0 && ownTold === null) continue;
      const place = ownPlace(skeleton, from, line, twists, model);
      // Skin of the upper arm that lies before that of its twist joints takes all of the twist, and leaves them none.
      const isIdle = place !== null && twists.every(({ share, isTold }) => !isTold && share >= place);
      const gives = rule === 'limbs' || (sharesOwn && rule === 'joints' && !takesEnd && isIdle);
      const ownShare = ownTold ?? (gives && isFound ? place : null);
      const shares = twists.map(({ joint, share, isTold }) => ({
        joint,
        ...(isTold || ownShare !== null || place === null ? straight(share) : besideOwn(share, place)),
      }));
      const own = ownShare === null ? null : straight(ownShare);
      bones.push(twistBone(skeleton, model, { from, to, line, takesEnd }, shares, own));
    }
  return bones;
}

type Shares = { ofStart: number; ofEnd: number };

/**
 * With φ and ψ the twists at the start and at the end of a bone, skin at a share s of the way is to be turned by
 * s · (φ + ψ) against what the bone hangs on; the bone's own joint is by φ.
 */
const straight = (share: number): Shares => ({ ofStart: share - 1, ofEnd: share });

/**
 * The same where the bone's own joint keeps its turn, so that what the source tells it stays exact: its skin, at a
 * place along the bone, is turned as it is, and twist joints lead over from there to either end.
 */
function besideOwn(share: number, place: number): Shares {
  if (share < place) return { ofStart: share / place - 1, ofEnd: 0 };
  return { ofStart: 0, ofEnd: place < 1 ? (share - place) / (1 - place) : 0 };
}

/** A bone as a line: where it begins, its unit direction and its length. */
type BoneLine = { at: Vec3; direction: Vec3; length: number };

function lineOf(model: ModelPose, from: number, to: number): BoneLine | null {
  const at = vectorAt(model.matrices, 16 * from + 12);
  const way = subtractVectors(vectorAt(model.matrices, 16 * to + 12), at);
  const direction = directionOf(way);
  return direction && { at, direction, length: vectorLength(way) };
}

/** How far along a bone a place is, in bone lengths, and how far off its line. */
function placeOn({ at, direction, length }: BoneLine, place: Vec3): { along: number; off: number } {
  const way = subtractVectors(place, at);
  const along = dotVectors(way, direction);
  const off = vectorLength(addVectors(way, scaleVector(direction, -along)));
  return { along: along / length, off: off / length };
}

/** Where the skin of a joint is; where none follows it, the joint itself. */
function skinPlace({ bonds }: Skeleton, { matrices }: ModelPose, joint: number): Vec3 {
  const m = 16 * joint;
  const [x, y, z] = bonds && bonds.weights[joint]! > 0 ? vectorAt(bonds.centres, 3 * joint) : [0, 0, 0];
  return [0, 1, 2].map(
    (r) => matrices[m + r]! * x + matrices[m + 4 + r]! * y + matrices[m + 8 + r]! * z + matrices[m + 12 + r]!,
  ) as Vec3;
}

const clampShare = (share: number) => Math.min(1, Math.max(0, share));

type Twist = { joint: number; share: number; isTold: boolean };

/** The twist joints of a bone, parents first. */
function listTwists(
  { skeleton }: Rig,
  {
    from,
    to,
    line,
    finds,
    told,
    driven,
    isTaken,
  }: {
    from: number;
    to: number;
    line: BoneLine;
    finds: boolean;
    told: ReadonlyMap<number, number>;
    driven: ReadonlySet<number>;
    isTaken: (joint: number) => boolean;
  },
  model: ModelPose,
): Twist[] {
  const { parents, names, bonds } = skeleton;
  const leads = leadsSomewhere(skeleton, driven);
  const twists: Twist[] = [];
  const inside = new Set([from]);
  for (let joint = from + 1; joint < parents.length; joint++) {
    if (!inside.has(parents[joint]!) || driven.has(joint)) continue;
    inside.add(joint);
    const share = told.get(joint);
    if (share !== undefined) {
      twists.push({ joint, share, isTold: true });
      continue;
    }
    if (!finds || isTaken(joint) || leads[joint] === 1 || isAncestor(skeleton, joint, to)) continue;
    const isNamed = wordsOf(names[joint]!).some((word) => TWIST_WORDS.has(word));
    const isSkinned = bonds !== undefined && bonds.weights[joint]! > 0;
    // Only names tell what a joint without skin is there for.
    if (!isNamed && (!isSkinned || hasSkinBelow(skeleton, joint))) continue;
    const { along, off } = placeOn(line, vectorAt(model.matrices, 16 * joint + 12));
    if (!(along >= (isNamed ? ALONG.from : ALONG_UNNAMED) && along <= ALONG.to)) continue;
    if (off > (isNamed ? OFF_NAMED : OFF_LINE)) continue;
    twists.push({
      joint,
      share: clampShare(placeOn(line, skinPlace(skeleton, model, joint)).along),
      isTold: false,
    });
  }
  return twists;
}

/** Whether something driven hangs on a joint. */
function leadsSomewhere({ parents }: Skeleton, driven: ReadonlySet<number>): Uint8Array {
  const leads = new Uint8Array(parents.length);
  for (let joint = parents.length - 1; joint >= 0; joint--)
    if ((driven.has(joint) || leads[joint] === 1) && parents[joint]! >= 0) leads[parents[joint]!] = 1;
  return leads;
}

function hasSkinBelow(skeleton: Skeleton, joint: number): boolean {
  return skeleton.parents.some(
    (_, other) => other > joint && skeleton.bonds!.weights[other]! > 0 && isAncestor(skeleton, joint, other),
  );
}

/** Where along a bone the skin of its own joint lies; null where that is hardly any. */
function ownPlace(
  skeleton: Skeleton,
  start: number,
  line: BoneLine,
  twists: readonly Twist[],
  model: ModelPose,
): number | null {
  const weights = skeleton.bonds?.weights;
  if (!weights) return null;
  const all = twists.reduce((sum, { joint }) => sum + weights[joint]!, weights[start]!);
  if (!(weights[start]! > HARDLY_TWISTED * all)) return null;
  return clampShare(placeOn(line, skinPlace(skeleton, model, start)).along);
}

function twistBone(
  skeleton: Skeleton,
  model: ModelPose,
  { from, to, line, takesEnd }: { from: number; to: number; line: BoneLine; takesEnd: boolean },
  twists: readonly (Shares & { joint: number })[],
  own: Shares | null,
): TwistBone {
  const { parents } = skeleton;
  const bind = skeleton.bind ?? skeleton.rest;
  const path: number[] = [];
  for (let at = to; at !== from; at = parents[at]!) path.unshift(at);
  const unbind = new Float64Array(4);
  conjugateQuaternion(unbind, 0, bind.rotations, 4 * from);
  const unbindPath = new Float64Array(4);
  // G_end⁻¹ · G_start, the bind's turn from the start to the end, undone.
  divideQuaternions(unbindPath, 0, model.rotations, 4 * to, model.rotations, 4 * from);
  const places = new Map(twists.map(({ joint }, n) => [joint, n]));
  const described = ({ joint, ofStart, ofEnd }: Shares & { joint: number }): TwistJoint => ({
    joint,
    ofStart,
    ofEnd,
    axis: axisIn(model, parents[joint]!, line.direction),
    bind: bind.rotations.slice(4 * joint, 4 * joint + 4),
    above: places.get(parents[joint]!) ?? -1,
  });
  const turned = new Set([...places.keys(), ...(own === null ? [] : [from])]);
  const kept = path.filter((joint) => turned.has(parents[joint]!) && !turned.has(joint));
  return {
    start: from,
    axis: axisIn(model, from, line.direction),
    unbind,
    path: Int32Array.from(takesEnd ? path : []),
    unbindPath,
    own,
    joints: twists.map(described),
    kept: kept.map((joint) => ({ ...described({ joint, ofStart: 0, ofEnd: 0 }), bind: null })),
  };
}

/** A direction of model space in the axes of a joint. */
function axisIn({ rotations }: ModelPose, joint: number, direction: Vec3): Vec3 {
  const store = new Float64Array(7);
  conjugateQuaternion(store, 0, rotations, 4 * joint);
  store.set(direction, 4);
  rotateVector(store, 4, store, 0, store, 4);
  return vectorAt(store, 4);
}
