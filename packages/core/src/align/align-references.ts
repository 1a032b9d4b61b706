import { DEGREE } from '../base/math/angles.js';
import { atan2, hypot } from '../base/math/functions.js';
import { invertMatrix, transformPoint } from '../base/math/matrix.js';
import {
  conjugateQuaternion,
  divideQuaternions,
  multiplyQuaternions,
  quaternionFromAxisAngle,
  rotateVector,
  shortestArc,
} from '../base/math/quaternion.js';
import {
  addVectors,
  crossVectors,
  directionOf,
  dotVectors,
  meanVector,
  rejectVector,
  subtractVectors,
  type Vec3,
  vectorAngle,
  vectorAt,
  vectorLength,
} from '../base/math/vector.js';
import type { Warning } from '../base/warnings.js';
import {
  type BodyPose,
  bodyPoseOf,
  limbBend,
  positionOf,
  type RoleJoints,
  torsoChain,
  torsoVector,
} from '../body/body.js';
import type { Rig } from '../body/rig.js';
import { LIMB_ROLES, LIMBS, type Limb, limbOf, type Role, type Side, sideOf } from '../body/roles.js';
import { driverOf, type JointPair, type RigMap } from '../map/rig-map.js';
import type { AlignmentMode } from '../options/joint-rules.js';
import {
  copyPose,
  createModelPose,
  localToModel,
  type ModelPose,
  modelPoseOf,
  type Pose,
  rotationOfMatrix,
  signRotation,
} from '../scene/pose.js';
import { childrenOf, isAncestor, type Skeleton } from '../scene/skeleton.js';
import { directionsOfChains } from './align-chains.js';
import { type FoundFollower, findFollowers } from './find-followers.js';
import type { Travel } from './find-travel.js';

/** What was done to one limb of the target's reference pose, and why. */
export type LimbAlignment = {
  mode: AlignmentMode;
  /** The largest turn that aligning gave any joint of the limb, in radians. */
  turn: number;
  /** Whether roll about the limb was aligned too, on evidence that both sides show. */
  roll: boolean;
  reason: string;
};

/** Torsos that lean more differently than this are not two anatomies but two poses. */
const TORSO_LEAN = 30 * DEGREE;
/** Knees that bend more differently than this are two poses; less is a goblin's anatomy. */
const KNEE_DIFFERENCE = 60 * DEGREE;
/** Elbows bent less than this show no bend plane to speak of. */
const ELBOW_EVIDENCE = 5 * DEGREE;

/** A joint that hangs elsewhere than its body part would, and what carries it instead. */
export type PlacedJoint = {
  joint: number;
  /** The target joint whose movement it must follow. */
  carrier: number;
  /** From carrier to joint in the carrier's own axes, in metres, as the reference has it. */
  offset: Vec3;
};

/**
 * A joint beside the mapped body whose skin is bound to it, and what of the body it goes with. Where it turns, its model
 * rotation is the carrier's times `turn`.
 */
export type Follower = PlacedJoint & {
  /** From the carrier's axes to its own, as the reference has them; null where it is placed alone, and turns by itself. */
  turn: Float64Array | null;
  /** Whether it stands above its carrier: then it is moved when all else has been, and what hangs on it stays. */
  above: boolean;
};

/** The target's reference pose, turned so that its limbs point as the source's do. */
export type Alignment = {
  /** Local transforms of every target joint. */
  pose: Pose;
  /** The same in model space. */
  model: ModelPose;
  limbs: Partial<Record<Limb, LimbAlignment>>;
  placed: PlacedJoint[];
  /** Joints beside the mapped body that go with what their skin is bound to. */
  followers: Follower[];
  /** Joints beside the mapped body whose skin stays behind, or fits nothing that moves. */
  left: number[];
  /** Pairs that the map lacks: ends of legs that hang elsewhere, such as paws on handles. */
  ends: JointPair[];
  /** Target joints whose roll about their own bone was aligned on evidence of both sides. */
  rolled: number[];
  warnings: Warning[];
};

/**
 * Which joint of each rig plays a role in this map: only joints with one driver count. Where a driver is the
 * last part of a bone that the source has in parts, the role is played by the part where the bone begins.
 */
export function rolesOfMap(map: RigMap, sourceRig: Rig): { source: RoleJoints; target: RoleJoints } {
  const source: RoleJoints = {};
  const target: RoleJoints = {};
  for (const pair of map.joints) {
    if (!pair.role || pair.share) continue;
    const begin = sourceRig.joints[pair.role];
    source[pair.role] = begin !== undefined && pair.sources.includes(begin) ? begin : driverOf(pair);
    target[pair.role] = pair.target;
  }
  return { source, target };
}

/** How a limb is aligned unless the caller says otherwise: arms and fingers bone by bone, legs by their line, the rest not at all. */
export function defaultAlignmentMode(limb: Limb): AlignmentMode {
  if (limb === 'torso' || limb === 'neck') return 'keep';
  return limb.endsWith('Leg') ? 'line' : 'bones';
}

/** Two bodies in their reference poses, by the roles that a map has for both. */
type ComparedBodies = { from: BodyPose; to: BodyPose; roles: ReturnType<typeof rolesOfMap> };

/** How limbs are aligned: as asked, else by what they are; legs whose knees bend too differently bone by bone. */
function chooseModes(
  { from, to, roles }: ComparedBodies,
  target: Rig,
  modes: Partial<Record<Limb, AlignmentMode>>,
  warnings: Warning[],
): Partial<Record<Limb, LimbAlignment>> {
  const limbs: Partial<Record<Limb, LimbAlignment>> = {};
  for (const limb of LIMBS) {
    if (!LIMB_ROLES[limb].some((role) => roles.target[role] !== undefined)) continue;
    const mode = modes[limb] ?? defaultAlignmentMode(limb);
    limbs[limb] = { mode, turn: 0, roll: false, reason: modes[limb] ? 'as asked' : REASONS[mode] };
  }
  for (const side of ['left', 'right'] as const) {
    const knees = [from, to].map((body) =>
      limbBend(body, `${side}UpperLeg`, `${side}LowerLeg`, `${side}Foot`),
    );
    const leg = limbs[`${side}Leg`];
    if (!leg || modes[`${side}Leg`] || knees[0] === null || knees[1] === null) continue;
    const difference = Math.abs(knees[0]! - knees[1]!);
    if (difference > KNEE_DIFFERENCE) {
      leg.mode = 'bones';
      leg.reason = 'the knees bend too differently to be anatomy';
      warnings.push({
        code: 'knees-differ',
        pass: 'alignReferences',
        joint: target.skeleton.names[roles.target[`${side}LowerLeg`]!]!,
        message: `the ${side} knees bend ${Math.round(difference / DEGREE)} degrees differently in the reference poses; the leg was aligned bone by bone`,
      });
    }
  }
  return limbs;
}

/** Turns that joints of the target are given in model space, 4 numbers each, and what changes them. */
type JointTurns = {
  corrections: Float64Array;
  /** A direction as a joint has turned it so far. */
  turnedBy: (joint: number, v: Readonly<Vec3>) => Vec3;
  /** Turns a joint the shortest way so that what it `has` points as `wanted`. */
  swing: (joint: number, wanted: Readonly<Vec3>, has: Readonly<Vec3>) => void;
  /** Turns a joint about a direction so that `has` falls into the half plane of `wanted`. */
  roll: (
    joint: number,
    axis: Readonly<Vec3>,
    wanted: Readonly<Vec3>,
    has: Readonly<Vec3>,
    weight?: number,
  ) => boolean;
};

function createTurns(count: number): JointTurns {
  const corrections = new Float64Array(4 * count);
  const quaternion = new Float64Array(8);
  const vectors = new Float64Array(6);
  const turnedBy = (joint: number, v: Readonly<Vec3>): Vec3 => {
    vectors.set(v, 0);
    rotateVector(vectors, 3, corrections, 4 * joint, vectors, 0);
    return vectorAt(vectors, 3);
  };
  const swing = (joint: number, wanted: Readonly<Vec3>, has: Readonly<Vec3>) => {
    vectors.set(turnedBy(joint, has), 0);
    vectors.set(wanted, 3);
    shortestArc(quaternion, 0, vectors, 0, vectors, 3);
    multiplyQuaternions(corrections, 4 * joint, quaternion, 0, corrections, 4 * joint);
  };
  const roll = (
    joint: number,
    axis: Readonly<Vec3>,
    wanted: Readonly<Vec3>,
    has: Readonly<Vec3>,
    weight = 1,
  ): boolean => {
    const a = directionOf(rejectVector(turnedBy(joint, has), axis));
    const b = directionOf(rejectVector(wanted, axis));
    if (!a || !b) return false;
    const angle = weight * atan2(dotVectors(crossVectors(a, b), axis), dotVectors(a, b));
    vectors.set(axis, 0);
    quaternionFromAxisAngle(quaternion, 0, vectors, 0, angle);
    multiplyQuaternions(corrections, 4 * joint, quaternion, 0, corrections, 4 * joint);
    return true;
  };
  return { corrections, turnedBy, swing, roll };
}

/** Directions of bones and limbs that both bodies have. */
function bonesOf({ from, to, roles }: ComparedBodies, tips: Parameters<typeof endOfBone>[3]) {
  /** Where a bone points: to the next joint of its limb that both sides have, or to the tip. */
  const boneOf = (role: Role): { source: Vec3; target: Vec3 } | null => {
    const start = { source: positionOf(from, role), target: positionOf(to, role) };
    if (!start.source || !start.target) return null;
    const end = endOfBone(role, from, to, tips);
    if (!end) return null;
    const bone = {
      source: subtractVectors(end.source, start.source),
      target: subtractVectors(end.target, start.target),
    };
    return directionOf(bone.source) && directionOf(bone.target) ? bone : null;
  };
  const lineOf = (limb: Limb): { source: Vec3; target: Vec3 } | null => {
    const lineRoles = LIMB_ROLES[limb].filter(
      (role) =>
        !role.endsWith('Shoulder') &&
        !role.endsWith('Toes') &&
        roles.source[role] !== undefined &&
        roles.target[role] !== undefined,
    );
    const [first, last] = [lineRoles[0], lineRoles[lineRoles.length - 1]];
    if (!first || !last || first === last) return null;
    return {
      source: subtractVectors(positionOf(from, last)!, positionOf(from, first)!),
      target: subtractVectors(positionOf(to, last)!, positionOf(to, first)!),
    };
  };
  return { boneOf, lineOf };
}

/** Swings the target's torso as one onto the source's where it leans too differently, or where that was asked for. */
function swingTorso(
  { swing }: JointTurns,
  hips: number,
  source: Rig,
  target: Rig,
  mode: AlignmentMode | undefined,
): { limb: LimbAlignment; warning?: Warning } | null {
  const a = torsoVector(bodyPoseOf(source.skeleton, source.reference.pose, source.joints));
  const b = torsoVector(bodyPoseOf(target.skeleton, target.reference.pose, target.joints));
  if (!a || !b || mode === 'keep') return null;
  const lean = vectorAngle(a, b);
  if (lean <= TORSO_LEAN && mode === undefined) return null;
  swing(hips, a, b);
  const reason = mode ? 'as asked' : 'it leans too differently to be anatomy';
  const limb: LimbAlignment = { mode: 'line', turn: lean, roll: false, reason };
  if (mode) return { limb };
  const message = `the torsos lean ${Math.round(lean / DEGREE)} degrees differently in the reference poses; the target was swung as one`;
  return { limb, warning: { code: 'torso-swung', pass: 'alignReferences', message } };
}

/**
 * Makes two reference poses comparable by turning the target's limbs to where the source's point, by the
 * smallest turns, parents first:
 *  - arms, hands and fingers bone by bone, so that their directions become the source's exactly; roll only
 *    where both sides show it (bent elbows, the plane of the finger roots); an upper arm that does not show
 *    it keeps its front in front;
 *  - legs by one swing of the line from hip joint to ankle, so that the knee's rest bend, which is anatomy,
 *    stays; feet keep their own direction in model space, so that soles stay flat;
 *  - torso, neck, collar bones and feet never: their slopes are anatomy.
 *  - tails by their line and wings bone by bone, where both bodies have them; other parts without a role not.
 * The hips are then set so that the aligned legs stand on the target's floor.
 */
export function alignReferences(
  source: Rig,
  target: Rig,
  map: RigMap,
  modes: Partial<Record<Limb, AlignmentMode>> = {},
  travel: Travel | null = null,
  chainModes: ReadonlyMap<string, AlignmentMode> = new Map(),
): Alignment {
  const roles = rolesOfMap(map, source);
  const from = bodyPoseOf(source.skeleton, source.reference.pose, roles.source);
  const to = bodyPoseOf(target.skeleton, target.reference.pose, roles.target);
  const reference = modelPoseOf(target.skeleton, target.reference.pose);
  const warnings: Warning[] = [];
  const { placed, followers, left, ends, carriers } = findCarried(source, target, map, travel, to, warnings);
  const roleOf = new Map<number, Role>(
    Object.entries(roles.target).map(([role, joint]) => [joint, role as Role]),
  );
  const chains = directionsOfChains(source, target, map, chainModes);
  const tips = { source: tipsOf(source.skeleton, from), target: tipsOf(target.skeleton, to) };
  const rolled: number[] = [];
  const limbs = chooseModes({ from, to, roles }, target, modes, warnings);

  const count = target.skeleton.names.length;
  const turns = createTurns(count);
  const { corrections, turnedBy, swing, roll } = turns;
  const { boneOf, lineOf } = bonesOf({ from, to, roles }, tips);
  const known = new Uint8Array(count);

  /** Corrects a joint after everything that it hangs on: in a list, since hierarchies may be deeper than calls may. */
  const correct = (joint: number): void => {
    const waiting: number[] = [];
    for (let at = joint; at >= 0 && known[at] === 0; at = carriers.get(at) ?? target.skeleton.parents[at]!) {
      known[at] = BEGUN;
      waiting.push(at);
    }
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      correctNext(at);
      known[at] = DONE;
    }
  };

  const correctNext = (joint: number): void => {
    const parent = carriers.get(joint) ?? target.skeleton.parents[joint]!;
    if (parent >= 0) corrections.copyWithin(4 * joint, 4 * parent, 4 * parent + 4);
    else corrections[4 * joint + 3] = 1;
    const role = roleOf.get(joint);
    if (!role) {
      const chain = chains.get(joint);
      if (chain) swing(joint, chain.source, chain.target);
      return;
    }
    const limb = limbOf(role);
    const alignment = limb && limbs[limb];
    if (role === 'hips') {
      const swung = swingTorso(turns, joint, source, target, modes.torso);
      if (swung) limbs.torso = swung.limb;
      if (swung?.warning) warnings.push(swung.warning);
      return;
    }
    if (!alignment || alignment.mode === 'keep') return;
    if (role.endsWith('Foot')) {
      // Soles stay flat: the foot turns with the hips, not with the leg's swing.
      const base = roles.target.hips;
      if (base === undefined) corrections.set([0, 0, 0, 1], 4 * joint);
      else {
        correct(base);
        // Hips that hang on the foot wait for it: then it goes on with what it hangs on itself.
        if (known[base] === DONE) corrections.copyWithin(4 * joint, 4 * base, 4 * base + 4);
      }
      return;
    }
    if (role.endsWith('Toes') || role.endsWith('Shoulder')) return;
    const isFirst =
      LIMB_ROLES[limb].filter((r) => !r.endsWith('Shoulder')).find((r) => roles.target[r] !== undefined) ===
      role;
    if (alignment.mode === 'line') {
      const line = isFirst ? lineOf(limb) : null;
      if (line) swing(joint, line.source, line.target);
    } else {
      const bone = boneOf(role);
      if (bone) {
        swing(joint, bone.source, bone.target);
        const side = sideOf(role)!;
        const axis = directionOf(bone.source)!;
        const evidence = role.endsWith('UpperArm')
          ? bendEvidence(side, from, to)
          : role.endsWith('Hand')
            ? palmEvidence(side, from, to)
            : null;
        if (evidence && roll(joint, axis, evidence.source, evidence.target)) {
          alignment.roll = true;
          rolled.push(joint);
        } else if (role.endsWith('UpperArm')) {
          const has = turnedBy(joint, FORWARD);
          roll(joint, axis, FORWARD, FORWARD, frontWeight(axis, has));
        }
      }
    }
    const w = corrections[4 * joint + 3]!;
    const turn =
      2 *
      atan2(
        hypot(corrections[4 * joint]!, corrections[4 * joint + 1]!, corrections[4 * joint + 2]!),
        Math.abs(w),
      );
    alignment.turn = Math.max(alignment.turn, turn);
  };

  for (let joint = 0; joint < count; joint++) correct(joint);

  const pose = correctedPose(target, reference, corrections, carriers);
  const model = createModelPose(count);
  localToModel(model, target.skeleton, pose);
  standOnFloor(target, roles.target, reference, pose, model);
  placeJoints(placed, target.skeleton, pose, model);
  const beside = followers.filter(({ above }) => !above);
  placeJoints(beside, target.skeleton, pose, model);
  return { pose, model, limbs, placed, followers, left, ends, rolled, warnings };
}

/** The joints that do not go along with the body by themselves, and what carries each of those that turn with it. */
type CarriedJoints = Pick<Alignment, 'placed' | 'followers' | 'left' | 'ends'> & {
  carriers: Map<number, number>;
};

function findCarried(
  source: Rig,
  target: Rig,
  map: RigMap,
  travel: Travel | null,
  body: BodyPose,
  warnings: Warning[],
): CarriedJoints {
  const reference = modelPoseOf(target.skeleton, target.reference.pose);
  const placed = findPlaced(target, body.joints, body, reference, warnings);
  const carriers = new Map(placed.map(({ joint, carrier }) => [joint, carrier]));
  const found = findFollowers(source, target, map, travel, carriers, reference);
  const followers = found.followers.map((follower) => heldFollower(follower, body, reference));
  for (const { joint, carrier, turn, above } of followers) if (turn && !above) carriers.set(joint, carrier);
  if (found.left.length > 0) warnings.push(leftBehind(target.skeleton, found.left));
  return { placed, followers, left: found.left, ends: found.pairs, carriers };
}

/** A follower as the reference holds it: where it is from its carrier, and how it is turned. */
function heldFollower(
  { joint, carrier, turns, above }: FoundFollower,
  { positions }: BodyPose,
  reference: ModelPose,
): Follower {
  const turn = new Float64Array(4);
  divideQuaternions(turn, 0, reference.rotations, 4 * carrier, reference.rotations, 4 * joint);
  const offset = intoAxesOf(reference, carrier, subtractVectors(positions[joint]!, positions[carrier]!));
  return { joint, carrier, offset, turn: turns ? turn : null, above };
}

/** Says which joints with skin stay where they are. */
function leftBehind({ names }: Skeleton, left: readonly number[]): Warning {
  const listed = left.slice(0, 6).map((joint) => `"${names[joint]}"`);
  const more = left.length - listed.length;
  return {
    code: 'skin-left-behind',
    pass: 'followSkin',
    joint: names[left[0]!]!,
    message: `${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''} carr${left.length > 1 ? 'y' : 'ies'} skin, but nothing moves ${left.length > 1 ? 'them' : 'it'}, and nothing shows what ${left.length > 1 ? 'they belong' : 'it belongs'} to: map ${left.length > 1 ? 'them' : 'it'}, if ${left.length > 1 ? 'they' : 'it'} should come along`,
  };
}

/** How far a joint is with being corrected: its turn in the list has come near, or is over. */
const BEGUN = 1;
const DONE = 2;

/** Ahead, in model space. */
const FORWARD: Readonly<Vec3> = [0, 0, 1];

/**
 * How far the front of an upper arm shall stay in front while the arm is swung, 0 to 1.
 * The smallest turn alone depends on where it starts: T → A → T' and T → T' differ by a roll as large as the
 * triangle they span, so the same character bound with other arms would roll its hands otherwise (0.3 % of
 * the height at the fingers). Keeping the part of `ahead` that is square to the arm in its half plane has no
 * such memory for arms that are raised and lowered beside the body. Arms that point ahead have no front:
 * from 30 degrees off the axis on down to 12 the smallest turn takes over.
 */
function frontWeight(axis: Readonly<Vec3>, ahead: Readonly<Vec3>): number {
  const off = Math.min(vectorLength(rejectVector(FORWARD, axis)), vectorLength(rejectVector(ahead, axis)));
  const u = Math.min(1, Math.max(0, (off - 0.2) / 0.3));
  return u * u * (3 - 2 * u);
}

const REASONS: Record<AlignmentMode, string> = {
  keep: 'its slope is anatomy',
  line: 'its bend at rest is anatomy, its direction is not',
  bones: 'its directions are the pose, not the body',
};

/** Where a bone ends on both sides. */
function endOfBone(
  role: Role,
  from: BodyPose,
  to: BodyPose,
  tips: { source: Map<number, Vec3>; target: Map<number, Vec3> },
): { source: Vec3; target: Vec3 } | null {
  if (role.endsWith('Hand')) return handEnd(sideOf(role)!, from, to);
  const chain = LIMB_ROLES[limbOf(role)!];
  for (const next of chain.slice(chain.indexOf(role) + 1)) {
    const a = positionOf(from, next);
    const b = positionOf(to, next);
    if (a && b) return { source: a, target: b };
  }
  const a = tips.source.get(from.joints[role]!);
  const b = tips.target.get(to.joints[role]!);
  return a && b ? { source: a, target: b } : null;
}

const POINTING_FINGERS = ['Middle', 'Index', 'Ring', 'Little'] as const;

/** The end of the hand: the root of the middle finger, else the mean of the finger roots that both sides have. */
function handEnd(side: Side, from: BodyPose, to: BodyPose): { source: Vec3; target: Vec3 } | null {
  const common = POINTING_FINGERS.map((finger): Role => `${side}${finger}Proximal`).filter(
    (role) => positionOf(from, role) && positionOf(to, role),
  );
  const used = common[0] === `${side}MiddleProximal` ? common.slice(0, 1) : common;
  const a = meanVector(used.map((role) => positionOf(from, role)!));
  const b = meanVector(used.map((role) => positionOf(to, role)!));
  return a && b ? { source: a, target: b } : null;
}

/** The normals of the elbows' bend planes, where both elbows are bent enough to show one. */
function bendEvidence(side: Side, from: BodyPose, to: BodyPose): { source: Vec3; target: Vec3 } | null {
  const normal = (body: BodyPose) => {
    const bend = limbBend(body, `${side}UpperArm`, `${side}LowerArm`, `${side}Hand`);
    if (bend === null || bend < ELBOW_EVIDENCE) return null;
    const upper = subtractVectors(positionOf(body, `${side}LowerArm`)!, positionOf(body, `${side}UpperArm`)!);
    const lower = subtractVectors(positionOf(body, `${side}Hand`)!, positionOf(body, `${side}LowerArm`)!);
    return crossVectors(upper, lower);
  };
  const source = normal(from);
  const target = normal(to);
  return source && target ? { source, target } : null;
}

/** Across the palm from the little (or ring) finger's root to the index finger's, where both sides have them. */
function palmEvidence(side: Side, from: BodyPose, to: BodyPose): { source: Vec3; target: Vec3 } | null {
  for (const finger of ['Little', 'Ring', 'Middle'] as const) {
    const across = [from, to].map((body) => {
      const index = positionOf(body, `${side}IndexProximal`);
      const other = positionOf(body, `${side}${finger}Proximal`);
      const offset = index && other ? subtractVectors(index, other) : null;
      return offset && directionOf(offset) ? offset : null;
    });
    if (across[0] && across[1]) return { source: across[0], target: across[1] };
  }
  return null;
}

/** For joints with exactly one child, where that child is: the tip of a last phalanx. */
function tipsOf(skeleton: Skeleton, body: BodyPose): Map<number, Vec3> {
  const tips = new Map<number, Vec3>();
  childrenOf(skeleton).forEach((children, joint) => {
    if (children.length === 1) tips.set(joint, body.positions[children[0]!]!);
  });
  return tips;
}

/** Joints whose place in the hierarchy is not where their body part hangs (feet under the root, fingers beside the hand). */
function findPlaced(
  target: Rig,
  joints: RoleJoints,
  body: BodyPose,
  reference: ModelPose,
  warnings: Warning[],
): PlacedJoint[] {
  const { skeleton } = target;
  const placed: PlacedJoint[] = [];
  const carriers = new Map<number, number>();
  /** Joints whose carriers are placed by way of them: names that were exchanged do that. */
  const circular: number[] = [];
  /** Whether a joint goes along with another, by hierarchy or as it is placed. */
  const goesAlong = (joint: number, other: number): boolean => {
    let at = joint;
    while (at >= 0 && at !== other) at = carriers.get(at) ?? skeleton.parents[at]!;
    return at === other;
  };
  const roleOf = new Map(Object.entries(joints).map(([role, joint]) => [joint, role as Role]));
  /** Joints whose skin says that they belong to another body part than their name does. */
  const elsewhere: number[] = [];
  const isHeldElsewhere = (joint: number, carrier: number): boolean => {
    const { bonds } = skeleton;
    if (!bonds) return false;
    // Across the middle of the body nothing is held.
    const [a, b] = [body.positions[joint]![0], body.positions[carrier]![0]];
    const beside = 0.05 * target.space.height;
    if (Math.min(Math.abs(a), Math.abs(b)) > beside && a < 0 !== b < 0) return true;
    const side = sideOf(roleOf.get(joint)!);
    let here = 0;
    let across = 0;
    bonds.strengths.forEach((strength, n) => {
      const [p, q] = [bonds.joints[2 * n]!, bonds.joints[2 * n + 1]!];
      const isP = isAncestor(skeleton, joint, p);
      if (isP === isAncestor(skeleton, joint, q)) return;
      let other = isP ? q : p;
      while (other >= 0 && !roleOf.has(other)) other = skeleton.parents[other]!;
      const otherSide = other < 0 ? null : sideOf(roleOf.get(other)!);
      if (otherSide && otherSide !== side) across += strength;
      else if (other >= 0) here += strength;
    });
    return across > here;
  };
  const torso = torsoChain(skeleton, target.joints);
  const top = torso[torso.length - 1] ?? joints.hips;
  for (const limb of LIMBS) {
    let carrier = limb === 'torso' ? undefined : limb.endsWith('Leg') ? joints.hips : top;
    const side = limb.startsWith('left') ? 'left' : 'right';
    if (/(Thumb|Index|Middle|Ring|Little)$/.test(limb)) carrier = joints[`${side}Hand`];
    for (const role of LIMB_ROLES[limb]) {
      const joint = joints[role];
      if (joint === undefined) continue;
      if (
        carrier !== undefined &&
        !isAncestor(skeleton, carrier, joint) &&
        !isAncestor(skeleton, joint, carrier)
      ) {
        if (goesAlong(carrier, joint)) circular.push(joint);
        else if (isHeldElsewhere(joint, carrier)) elsewhere.push(joint);
        else {
          const offset = subtractVectors(body.positions[joint]!, body.positions[carrier]!);
          placed.push({ joint, carrier, offset: intoAxesOf(reference, carrier, offset) });
          carriers.set(joint, carrier);
        }
      }
      carrier = joint;
    }
  }
  if (placed.length > 0)
    warnings.push({
      code: 'joint-placed',
      pass: 'alignReferences',
      joint: skeleton.names[placed[0]!.joint]!,
      message: `${placed.length} joint${placed.length > 1 ? 's hang' : ' hangs'} elsewhere than the body part would (such as "${skeleton.names[placed[0]!.joint]}"); ${placed.length > 1 ? 'they are' : 'it is'} placed as well as turned`,
    });
  if (circular.length > 0)
    warnings.push({
      code: 'joint-not-placed',
      pass: 'alignReferences',
      joint: skeleton.names[circular[0]!]!,
      message: `"${skeleton.names[circular[0]!]}"${circular.length > 1 ? ` and ${circular.length - 1} more hang` : ' hangs'} elsewhere than the body part would, which in turn would hang on it: turned, not placed; are names exchanged?`,
    });
  if (elsewhere.length > 0)
    warnings.push({
      code: 'joint-not-placed',
      pass: 'alignReferences',
      joint: skeleton.names[elsewhere[0]!]!,
      message: `"${skeleton.names[elsewhere[0]!]}"${elsewhere.length > 1 ? ` and ${elsewhere.length - 1} more hang` : ' hangs'} elsewhere than the body part would, and so does the skin: turned, not placed; are names exchanged?`,
    });
  return placed;
}

function intoAxesOf(model: ModelPose, joint: number, v: Vec3): Vec3 {
  const store = new Float64Array(7);
  conjugateQuaternion(store, 0, model.rotations, 4 * joint);
  store.set(v, 4);
  rotateVector(store, 4, store, 0, store, 4);
  return vectorAt(store, 4);
}

/** Local rotations that give each joint its reference rotation turned by its correction. */
function correctedPose(
  target: Rig,
  reference: ModelPose,
  corrections: Float64Array,
  carriers: ReadonlyMap<number, number>,
): Pose {
  const { skeleton } = target;
  const pose = copyPose(target.reference.pose);
  const wanted = new Float64Array(reference.rotations.length);
  const signs = new Float64Array(4);
  for (let i = 0; i < skeleton.names.length; i++) {
    multiplyQuaternions(wanted, 4 * i, corrections, 4 * i, reference.rotations, 4 * i);
    const p = skeleton.parents[i]!;
    if (p < 0 && corrections[4 * i + 3] === 1) continue;
    // Where parent and joint are corrected alike the local rotation is what it was, to the last bit.
    if (p >= 0 && !carriers.has(i) && sameQuaternion(corrections, 4 * i, 4 * p)) continue;
    if (p >= 0) divideQuaternions(pose.rotations, 4 * i, wanted, 4 * p, wanted, 4 * i);
    else {
      rotationOfMatrix(signs, 0, skeleton.container, 0);
      divideQuaternions(pose.rotations, 4 * i, signs, 0, wanted, 4 * i);
    }
    if (signRotation(signs, 0, pose.scales, 3 * i)) {
      conjugateQuaternion(signs, 0, signs, 0);
      multiplyQuaternions(pose.rotations, 4 * i, pose.rotations, 4 * i, signs, 0);
    }
  }
  return pose;
}

function sameQuaternion(values: Float64Array, i: number, j: number): boolean {
  return (
    values[i] === values[j] &&
    values[i + 1] === values[j + 1] &&
    values[i + 2] === values[j + 2] &&
    values[i + 3] === values[j + 3]
  );
}

/** Lifts or lowers the hips so that the aligned ankles are as high over the floor as they were. */
function standOnFloor(
  target: Rig,
  joints: RoleJoints,
  reference: ModelPose,
  pose: Pose,
  model: ModelPose,
): void {
  const ankles = [joints.leftFoot, joints.rightFoot].filter((joint) => joint !== undefined);
  const { hips } = joints;
  if (hips === undefined || ankles.length === 0) return;
  const lowest = (of: ModelPose) => Math.min(...ankles.map((joint) => of.matrices[16 * joint + 13]!));
  const lift = lowest(reference) - lowest(model);
  if (Math.abs(lift) < 1e-9) return;
  const position = addVectors(vectorAt(model.matrices, 16 * hips + 12), [0, lift, 0]);
  setModelPosition(target.skeleton, pose, model, hips, position);
  localToModel(model, target.skeleton, pose);
}

/** Sets a joint's local translation so that it stands at a place in model space. `model` is not brought up to date. */
export function setModelPosition(
  skeleton: Skeleton,
  pose: Pose,
  model: ModelPose,
  joint: number,
  position: Vec3,
): void {
  const parent = skeleton.parents[joint]!;
  const inverse = new Float64Array(16);
  if (parent < 0) invertMatrix(inverse, 0, skeleton.container, 0);
  else invertMatrix(inverse, 0, model.matrices, 16 * parent);
  transformPoint(pose.translations, 3 * joint, inverse, 0, Float64Array.from(position), 0);
}

function placeJoints(placed: readonly PlacedJoint[], skeleton: Skeleton, pose: Pose, model: ModelPose): void {
  for (const { joint, carrier, offset } of placed) {
    const turned = new Float64Array(offset);
    rotateVector(turned, 0, model.rotations, 4 * carrier, turned, 0);
    const position = addVectors(vectorAt(model.matrices, 16 * carrier + 12), vectorAt(turned, 0));
    setModelPosition(skeleton, pose, model, joint, position);
    localToModel(model, skeleton, pose);
  }
}
