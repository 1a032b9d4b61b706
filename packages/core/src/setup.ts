import { type Alignment, alignReferences } from './align-references.js';
import type { BendingBone } from './bending-bones.js';
import { checkHierarchy } from './check-hierarchy.js';
import { checkSetupOptions } from './check-options.js';
import { type CorrectionsChoice, chooseCorrections } from './choose-corrections.js';
import type { Contact } from './contacts/find-contacts.js';
import type { GoalPlan } from './goals/goal-plan.js';
import { createGoalSetup, type GoalSetup } from './goals/goal-setup.js';
import type { Goals } from './goals/goals.js';
import type { LimbScalings } from './goals/limb-scaling.js';
import { createLimbSolving, type LimbSolving, type ReachMode } from './goals/solve-setup.js';
import { findIdleOptions } from './idle-options.js';
import {
  findPointedBones,
  type ImitationRule,
  leaveOut,
  type PointedBone,
  resolveImitation,
} from './imitation.js';
import {
  type JointMove,
  type JointScaling,
  planJointMoves,
  planJointScalings,
  type ScaleMode,
  type TranslationRule,
} from './joint-channels.js';
import { type JointLimits, type LimitedJoint, resolveLimits } from './passes/limit-joints.js';
import { type LookRule, type LookSetup, resolveLook } from './passes/look-at-point.js';
import type { GroundRule } from './passes/match-ground.js';
import { type FeetSetup, type GroundHeight, resolveFeet } from './passes/place-feet.js';
import { resolveSpacing, type SpacedLimb, type Spacing } from './passes/space-limbs.js';
import { type ModelPose, modelPoseOf, type Pose } from './pose.js';
import type { AlignmentMode, RootScales } from './report.js';
import type { Rig } from './rig.js';
import { driverOf, type RigMap } from './rig-map.js';
import { type Limb, limbOf } from './roles.js';
import { createRootMove, findRootMotionJoint, type RootMove, type RootRule } from './root-rule.js';
import { measureRootScales } from './root-scales.js';
import { JOINT, SKINNED } from './skeleton.js';
import type { LimbSolvers } from './solvers/limb-solvers.js';
import type { Warning } from './warnings.js';

/** What a setup may be told; every part has a default. */
export type SetupOptions = {
  /** How a limb's reference directions are aligned, per limb. */
  alignment?: Partial<Record<Limb, AlignmentMode>>;
  /** Overrides of the measured root scales. */
  rootScales?: { horizontal?: number; vertical?: number };
  /** What happens to travel: stays on the hips, moves to the joint above them, or is taken out. */
  rootMotion?: RootMotion;
  /** The joint of either side, or the body part, that root motion is read from; the hips if left out. */
  rootMotionJoint?: string;
  /** What the root takes over: place, turn, and how far the place is scaled. */
  root?: RootRule;
  /** How chains imitate the source's: by limb, by chain, or all; by their turns if left out. */
  imitation?: ImitationRule;
  /** Whether joints that hang otherwise than their drivers are left out; they are not if left out. */
  checkHierarchy?: boolean;
  /** How joints other than the travelling one are moved in their parents; see `TranslationMode`. */
  translations?: TranslationRule;
  /** Whether joints are scaled as their drivers are, from the reference; they are if left out. */
  scales?: ScaleMode;
  /** Whether, and by which joint, the body's height is matched to the source's over time; it is not if left out. */
  ground?: GroundRule;
  /**
   * Whether feet and hands are corrected, where both bodies have legs. They are (`auto`) if left out, unless keys are
   * to be kept or passes are chosen without those that correct; see {@link chooseCorrections}. Corrections are baked.
   */
  corrections?: 'none' | 'auto';
  /** Goals of arms and legs between the place of the source's end and the same reach; where corrected. */
  limbScalings?: LimbScalings;
  /** Limits that joints are held within, copied and solved, by joint name or role; none if left out. */
  limits?: JointLimits;
  /** How legs and arms reach their goals, by limb; by their two bones if left out. Where corrected. */
  solvers?: LimbSolvers;
  /** Whether arms reach by themselves (`limbs`, if left out) or the spine gives way for both (`together`); likewise. */
  reach?: ReachMode;
  /** How far arms and legs are spread; not at all if left out. */
  spacing?: Spacing;
  /** What head and eyes look at; they are as copied if left out. */
  lookAt?: LookRule;
  /** How high the ground is where it is not the even floor that the motion was made for. */
  groundHeight?: GroundHeight;
};

/**
 * What happens to the body's travel over the ground: it stays on the hips; moves to the joint above them
 * (`extract`); is taken out and given apart, for whoever carries the character (`apart`); or is taken out and
 * dropped, heading aside (`inPlace`).
 */
export type RootMotion = 'keep' | 'extract' | 'apart' | 'inPlace';

/** A map compiled for two rigs, once: plain data from which the passes build their loops. */
export type Setup = {
  source: Rig;
  target: Rig;
  map: RigMap;
  /** The target's reference pose, aligned with the source's. */
  alignment: Alignment;
  /** The source's reference pose in model space. */
  sourceReference: ModelPose;
  rootScales: RootScales;
  rootMotion: RootMotion;
  ground: GroundRule | null;
  /** The pair that carries the body through space: the hips, else the joint that most hangs on. */
  travel: { source: number; target: number } | null;
  /** How the travelling joint moves, in model space; null where nothing travels. */
  rootMove: RootMove | null;
  /** The source joint that root motion is read from, and the place on the target that headings turn about. */
  rootMotionFrom: { source: number; centre: Float64Array } | null;
  /**
   * Per frame of the clip at hand x, z and heading, where root motion is taken out; see `analyseTravel`. Null
   * where there is no clip: then it is read from each pose.
   */
  travelPath: Float64Array | null;
  /**
   * Bones of the source that do not keep their direction in the clip at hand; see `findBendingBones`. Null
   * where there is no clip: then every pose is looked at.
   */
  bending: BendingBone[] | null;
  /** Target joints whose turns are moved key by key in the clip at hand, so that no frame need turn them. */
  keyed?: ReadonlySet<number>;
  /** Bones that are pointed where the source's are; see `ImitationMode`. */
  pointed: PointedBone[];
  /** Whether something was asked for that forbids taking clips over whole. */
  asked: boolean;
  /** How driven joints move and grow in their parents. */
  moves: JointMove[];
  scalings: JointScaling[];
  /** Joints that are held within limits. */
  limits: LimitedJoint[];
  /** Limbs that are spread. */
  spacing: SpacedLimb[];
  /** What head and eyes look at; null where they are as copied. */
  look: LookSetup | null;
  /** Yaws and pitches of head and eyes over the clip at hand, see `planLook`; null where there is no clip. */
  lookPlan: Float64Array | null;
  /** What stands on uneven ground; null where the floor is even. */
  feet: FeetSetup | null;
  /** How the clip at hand stands on it, see `planFeetPlacing`; null where there is no clip. */
  feetPlan: Float64Array | null;
  /** What feet and hands are corrected by; null where nothing is to be, or can be. */
  goals: GoalSetup | null;
  /** How limbs are brought to their goals; null where it is by their two bones, without limits. */
  solving: LimbSolving | null;
  /** What touches what in the clip at hand, where somebody has told; null where it is to be found. */
  contacts: readonly Contact[] | null;
  /** The corrections of the clip at hand, see `planGoals`; null where there is no clip: then they are made as it goes. */
  goalPlan: GoalPlan | null;
  warnings: Warning[];
};

/** One instant on its way through the passes; allocated once, overwritten frame by frame. */
export type Frame = {
  /** Number of the frame in its clip. */
  index: number;
  /** Read: local transforms of the source. */
  source: Pose;
  /**
   * Model-space rotations of those source joints whose turns are needed in model space; written by
   * `copyRotations`. Behind the last joint stands the container's rotation, the parent of every root.
   */
  sourceModelRotations: Float64Array;
  /** Written: local transforms of the target. Starts as the aligned reference. */
  target: Pose;
  /**
   * Model-space rotations of those target joints that were turned in model space, the travelling one always;
   * and the container's. Written by `copyRotations`.
   */
  targetModelRotations: Float64Array;
  /** Model-space position of the target's travelling joint; written by `moveRoot`. */
  travel: Float64Array;
  /** What `extractRoot` took out: x, z in metres and the heading in radians. */
  rootMotion: Float64Array;
  /** Seconds of the clip at hand; of a live motion, since it began. */
  time: number;
  /** Seconds since the frame before, where frames come one after another; 0 where they do not. */
  seconds: number;
  /** Where feet and hands shall be; null where nothing is corrected. */
  goals: Goals | null;
};

/** Compiles a map for two rigs: aligns the references and measures the root scales. */
export function createSetup(
  source: Rig,
  target: Rig,
  given: RigMap,
  options: SetupOptions & CorrectionsChoice = {},
): Setup {
  checkSetupOptions(options);
  const checked = options.checkHierarchy
    ? checkHierarchy(source, target, given)
    : { map: given, warnings: [] };
  const whole = checked.map;
  const travel = findTravel(source, target, whole);
  const imitation = resolveImitation(target, whole, options.imitation, travel?.target);
  // A limb that keeps its own reference is not turned to where the source's points either.
  const kept = Object.fromEntries(imitation.keptLimbs.map((limb) => [limb, 'keep' as const]));
  const alignment = alignReferences(source, target, whole, { ...kept, ...options.alignment });
  const { scales, warnings } = measureRootScales(
    source,
    target,
    whole,
    alignment,
    options.rootScales,
    travel,
  );
  const sourceReference = modelPoseOf(source.skeleton, source.reference.pose);
  const map = leaveOut(
    whole,
    (pair) =>
      imitation.modes.get(pair.target) === 'keep' ||
      (options.root?.copyRotation === false && pair.target === travel?.target),
    'stays in its own reference, as asked',
  );
  const constants = { source, target, map, alignment, sourceReference, rootScales: scales, travel };
  const limits = options.limits ? resolveLimits(target, options.limits) : [];
  const goals =
    chooseCorrections(options) === 'auto' && travel
      ? createGoalSetup(source, target, whole, alignment, sourceReference, scales, options.limbScalings)
      : null;
  const setup: Setup = {
    source,
    target,
    map,
    alignment,
    sourceReference,
    rootScales: scales,
    rootMotion: options.rootMotion ?? 'keep',
    ground: options.ground ?? null,
    travel,
    rootMove:
      travel && createRootMove(source, target, travel, sourceReference, alignment, scales, options.root),
    rootMotionFrom:
      travel && findRootMotionJoint(source, target, whole, travel, alignment, options.rootMotionJoint),
    travelPath: null,
    bending: null,
    pointed: findPointedBones(target, map, alignment, imitation),
    asked: [
      options.imitation,
      options.root,
      options.translations,
      options.scales,
      options.checkHierarchy,
      options.limits,
      options.spacing,
      options.lookAt,
      options.groundHeight,
      options.contacts,
      options.limbScalings,
    ].some((option) => option !== undefined && option !== false),
    moves: planJointMoves(constants, options.translations),
    scalings: planJointScalings(constants, options.scales),
    limits,
    look: options.lookAt ? resolveLook(target, options.lookAt) : null,
    lookPlan: null,
    feet: options.groundHeight ? resolveFeet(target, travel?.target, options.groundHeight) : null,
    feetPlan: null,
    spacing: options.spacing ? resolveSpacing(target, alignment, options.spacing) : [],
    goals,
    solving:
      goals && createLimbSolving(target, alignment.model, goals, limits, options.solvers, options.reach),
    contacts: null,
    goalPlan: null,
    warnings: [...checked.warnings, ...alignment.warnings, ...warnings],
  };
  setup.warnings.push(...findIdleOptions(options, { ...setup, map: whole }));
  return setup;
}

/**
 * A branch with a smaller part of the mapped joints is a prop or an ornament: the legs of a body with all its
 * fingers have 6 % each. So is a branch of one joint.
 */
const SMALLEST_BRANCH = 0.05;

/**
 * The hips; else, of the joints on which at least 60 % of the mapped joints hang, an animal's hips; else the
 * topmost of them at which the body parts into branches, as hips do; else, for a body that is one chain, the
 * first of it.
 */
function findTravel(source: Rig, target: Rig, map: RigMap): Setup['travel'] {
  const hips = map.joints.find(({ role, share }) => role === 'hips' && !share);
  if (hips) return { source: driverOf(hips), target: hips.target };
  const { parents } = target.skeleton;
  const all = map.joints.length;
  // Children stand behind their parents: from the last joint on, each is counted into the one above it.
  const counts = new Int32Array(parents.length);
  for (const { target: joint } of map.joints) counts[joint]!++;
  for (let i = parents.length - 1; i >= 0; i--) if (parents[i]! >= 0) counts[parents[i]!]! += counts[i]!;
  const below = new Map(map.joints.map(({ target: joint }) => [joint, counts[joint]!]));
  const branches = new Map<number, number>();
  for (const [joint, count] of below) {
    if (count < 2 || count < SMALLEST_BRANCH * all) continue;
    let above = parents[joint]!;
    while (above >= 0 && !below.has(above)) above = parents[above]!;
    branches.set(above, (branches.get(above) ?? 0) + 1);
  }
  // A lone hand or leg is carried by whoever wears it: only bodies travel.
  const carriers = map.joints.filter(
    ({ target: joint, role }) => below.get(joint)! >= 0.6 * all && !(role && limbOf(role) !== 'torso'),
  );
  const isHips = (rig: Rig, joint: number) => rig.body?.parts[joint]?.part === 'hips';
  const carrier =
    carriers.find((pair) => !pair.share && isHips(target, pair.target) && isHips(source, driverOf(pair))) ??
    carriers.find(({ target: joint }) => (branches.get(joint) ?? 0) > 1) ??
    carriers[0];
  if (!carrier) return null;
  // What is skinned above it, or beside it on a joint above it, and driven by nobody comes along, or the skin
  // between would be torn.
  const isLeftBehind = (at: number) => !below.has(at) && (target.skeleton.flags[at]! & SKINNED) !== 0;
  const leavesBehind = (above: number, at: number) =>
    isLeftBehind(above) ||
    parents.some(
      (parent, other) =>
        parent === above &&
        other !== at &&
        isLeftBehind(other) &&
        (target.skeleton.flags[above]! & JOINT) !== 0,
    );
  let joint = carrier.target;
  while (parents[joint]! >= 0 && !below.has(parents[joint]!) && leavesBehind(parents[joint]!, joint))
    joint = parents[joint]!;
  return { source: insideBody(source, driverOf(carrier)), target: joint };
}

/**
 * The joint that tells where an animal's body is. Hips that hover over the body, more than half as high again as
 * the roots of its legs, would swing through the floor when it turns over: then the first of the spine, if that
 * is nearer to the legs.
 */
function insideBody(source: Rig, hips: number): number {
  const parts = source.body?.parts ?? [];
  const spine = parts.findIndex(({ part }) => part === 'spine1');
  if (parts[hips]?.part !== 'hips' || spine < 0 || source.skeleton.parents[spine] !== hips) return hips;
  const { matrices } = modelPoseOf(source.skeleton, source.reference.pose);
  const height = (joint: number) => matrices[16 * joint + 13]! - source.floor.height;
  const roots = parts.flatMap(({ part }, joint) =>
    /^leg\d+(?:Left|Right)1$|^(?:front|hind)(?:Left|Right)UpperLeg$/.test(part ?? '') ? [height(joint)] : [],
  );
  const legs = roots.reduce((sum, each) => sum + each, 0) / roots.length;
  const isNearer = Math.abs(height(spine) - legs) < Math.abs(height(hips) - legs);
  return height(hips) > 1.5 * legs && isNearer ? spine : hips;
}
