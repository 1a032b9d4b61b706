import type { AlignedPair } from '../align/aligned-pair.js';
import { asksForGoal, type ChainTold, resolveChainRules, toldPlace } from '../align/chain-rules.js';
import { IDENTITY } from '../base/math/flat-constants.js';
import { conjugateQuaternion, multiplyQuaternions, slerpQuaternions } from '../base/math/quaternion.js';
import { subtractVectors, vectorAngle, vectorAt } from '../base/math/vector.js';
import type { Warning } from '../base/warnings.js';
import type { Chain } from '../body/chains/armature.js';
import { createArmature } from '../body/chains/create-armature.js';
import type { Rig } from '../body/rig.js';
import { type ChainGoalPlan, planChainGoal } from '../goals/chain-goals.js';
import { createLimbChain, type LimbChain, solveLimbChain } from '../goals/limb-chain.js';
import { sampleCurve } from '../goals/limb-scaling.js';
import { driverOf, type RigMap } from '../map/rig-map.js';
import type { ChainRules } from '../options/chain-rules.js';
import { forwardJoints, withAncestors } from '../scene/forward-joints.js';
import { createModelPose, type ModelPose } from '../scene/pose.js';
import { isAncestor } from '../scene/skeleton.js';
import type { LimitedJoint } from '../solvers/joint-limits.js';
import { limitJoints } from './limit-joints.js';
import { createFrameKeeper } from './parts/edited-target.js';
import { type CompileContext, compiledOf, definePass, type Frame, type Run, type Step } from './pass.js';

/** Chains that are brought to goals, in the order in which they are. */
export type ChainsSetup = { plans: readonly ChainGoalPlan[] };

/** The loop of the pass: its chains may be exchanged while it runs. */
export type ChainsStep = Step & {
  /** Goes over to other chains from the next frame on, within some seconds. */
  change(plans: readonly ChainGoalPlan[], seconds: number): void;
};

/**
 * Brings the ends of chains to their goals, each by its own solver, those of a low priority first (K1, K2, K23, K24):
 * tails, wings, spines, fingers, legs of animals; arms and legs of people only where a place is told, as `solveLimbs`
 * knows more of them. A goal is where the source's end is, scaled to the chain. It comes after all corrections, since
 * what hangs on the chains it turns moves with them.
 */
export const solveChains = definePass<'solveChains', ChainsSetup>({
  name: 'solveChains',
  summary: 'brings the ends of chains to their goals, each by its own solver',
  options: ['chains'],
  isAskedFor: true,
  compile(context) {
    const { chains } = context.options;
    if (chains === undefined) return null;
    const { plans, warnings } = planChains(context, compiledOf(context, limitJoints) ?? [], chains);
    for (const warning of warnings) context.warn(warning);
    return plans.length > 0 ? { plans } : null;
  },
  needsFrames: () => 'chains are brought to goals frame by frame',
  writes: ({ plans }) => ({ turnsOn: plans.flatMap(({ plan }) => plan.joints) }),
  prepare: ({ plans }, run) => createChainsStep(plans, run),
});

/**
 * Plans the goals of all chains that rules ask for, in solving order (K2): those of a low priority first, equal ones as
 * the armature lists them. Warns of what has no effect.
 */
export function planChains(
  { pair, whole }: Pick<CompileContext, 'pair' | 'whole'>,
  limits: readonly LimitedJoint[],
  rules: ChainRules,
): { plans: ChainGoalPlan[]; warnings: Warning[] } {
  const warnings: Warning[] = [];
  const idle = (name: string, why: string) =>
    warnings.push({ code: 'option-without-effect', message: `the option ${name} has no effect: ${why}` });
  const told = resolveChainRules(pair.target, rules);
  const priorityOf = ({ chain, rule }: ChainTold) => rule.priority ?? chain.priority;
  const plans: ChainGoalPlan[] = [];
  for (const each of [...told].sort((a, b) => priorityOf(a) - priorityOf(b))) {
    const { chain, rule, solvedLimb } = each;
    if (rule.imitation === 'direction' && pointsByTurns(chain, pair, whole))
      idle(
        `chains.${chain.name}.imitation`,
        'by the source’s turns alone its bones point as the source’s do',
      );
    // Arms and legs of people are solved where feet and hands are corrected, unless a place is told for them.
    if (!asksForGoal(rule) || (solvedLimb && !toldPlace(rule))) {
      if (rule.muted && !asksForGoal(rule) && !solvedLimb)
        idle(`chains.${chain.name}.muted`, 'it has no goal to leave');
      continue;
    }
    if (rule.muted || rule.goal === 'none') continue;
    const plan = planChainGoal(chain, rule, { ...pair, map: whole, limits });
    if (typeof plan === 'string') idle(`chains.${chain.name}`, plan);
    else plans.push(plan);
  }
  const { skeleton } = pair.target;
  const meet = plans.some((a) =>
    plans.some((b) => a !== b && isAncestor(skeleton, a.plan.joints[0]!, b.plan.joints[0]!)),
  );
  const why = 'no chain that is brought to a goal hangs on another, so that none has the last word';
  if (!meet && told.some(({ rule }) => rule.priority !== undefined && rule.priority !== 1))
    idle('chains.priority', why);
  if (!meet && pair.target.armature && isListedAnew(pair.target)) idle('targetArmature', `its order: ${why}`);
  return { plans, warnings };
}

/**
 * Whether every driven bone of a chain points as the source's in the references, and is one bone there too: then it does
 * whatever the source's turns are.
 */
function pointsByTurns(
  { joints }: Chain,
  { source, alignment, sourceReference }: AlignedPair,
  map: RigMap,
): boolean {
  const pairs = map.joints.filter(({ target, share }) => joints.includes(target) && !share);
  return pairs.every((pair, k) => {
    const next = pairs[k + 1];
    if (!next) return true;
    const bone = (model: ModelPose, from: number, to: number) =>
      subtractVectors(vectorAt(model.matrices, 16 * to + 12), vectorAt(model.matrices, 16 * from + 12));
    const angle = vectorAngle(
      bone(sourceReference, driverOf(pair), driverOf(next)),
      bone(alignment.model, pair.target, next.target),
    );
    return source.skeleton.parents[driverOf(next)] === driverOf(pair) && angle < 1e-5;
  });
}

/** Whether the chains of a rig are listed in another order than they are found in. */
function isListedAnew({ skeleton, armature }: Rig): boolean {
  const places = new Map(createArmature(skeleton).chains.map(({ joints }, i) => [joints[0]!, i]));
  const listed = armature!.chains.flatMap(({ joints }) => places.get(joints[0]!) ?? []);
  return listed.some((place, i) => i > 0 && place < listed[i - 1]!);
}

/** A chain with all the room for its solver. */
type Prepared = { plan: ChainGoalPlan; chain: LimbChain; source: Int32Array; target: Int32Array };

const goal = new Float64Array(3);
const turn = new Float64Array(4);

/** Builds the loop over chains; other chains may be put in while it runs. */
export function createChainsStep(
  plans: readonly ChainGoalPlan[],
  { setup, place }: Pick<Run, 'setup' | 'place'>,
): ChainsStep {
  const { source, target, alignment } = setup;
  const sourceModel = createModelPose(source.skeleton.names.length);
  const targetModel = createModelPose(target.skeleton.names.length);
  const prepare = (each: readonly ChainGoalPlan[]): Prepared[] =>
    each.flatMap((plan) => {
      const chain = createLimbChain(target.skeleton, plan.plan);
      if (!chain) return [];
      return [
        {
          plan,
          chain,
          source: plan.source
            ? withAncestors(source.skeleton, [plan.source.root, plan.source.end])
            : new Int32Array(),
          target: withAncestors(target.skeleton, plan.plan.joints),
        },
      ];
    });
  const count = target.skeleton.names.length;
  let current = prepare(plans);
  let before: Prepared[] | null = null;
  let left = 0;
  let whole = 0;
  let written = jointsOf(plans);
  let free: number[] = [];
  let keeper = createFrameKeeper(setup, written);
  const copied = new Float64Array(4 * count);
  /** From the new pose to the old one, by joint, as it was when chains were exchanged. */
  const offsets = new Float64Array(4 * count);
  const solve = (chains: readonly Prepared[], frame: Frame) => {
    for (let n = 0; n < chains.length; n++) {
      const { plan, chain, source: up, target: path } = chains[n]!;
      const weight = Math.min(1, Math.max(0, sampleCurve(plan.scaling.weight, frame.time)));
      if (!(weight > 0)) continue;
      forwardJoints(targetModel, target.skeleton, frame.target, path);
      const joints = plan.plan.joints;
      const end = 16 * joints[joints.length - 1]! + 12;
      if (plan.source) {
        forwardJoints(sourceModel, source.skeleton, frame.source, up, false);
        const { root, end: tip, length } = plan.source;
        const scale = 1 + sampleCurve(plan.scaling.limbScale, frame.time) * (plan.length / length - 1);
        const share = sampleCurve(plan.scaling.rootScale, frame.time);
        for (let c = 0; c < 3; c++) {
          const s = sourceModel.matrices[16 * root + 12 + c]!;
          const from = s + share * (targetModel.matrices[16 * joints[0]! + 12 + c]! - s);
          goal[c] = from + (sourceModel.matrices[16 * tip + 12 + c]! - s) * scale;
        }
      } else for (let c = 0; c < 3; c++) goal[c] = plan.place![c]!;
      for (let c = 0; c < 3; c++) {
        const at = targetModel.matrices[end + c]!;
        goal[c] = at + weight * (goal[c]! - at);
      }
      solveLimbChain(chain, frame.target, targetModel, goal, plan.bend, null);
    }
  };
  /** Goes on from the pose that there was before chains were exchanged, less and less of it. */
  const ease = (rotations: Float64Array) => {
    if (!(left > 0)) return;
    const u = left / whole;
    const share = u * u * u * (u * (6 * u - 15) + 10);
    for (let n = 0; n < written.length; n++) {
      const o = 4 * written[n]!;
      slerpQuaternions(turn, 0, IDENTITY, 0, offsets, o, share);
      multiplyQuaternions(rotations, o, rotations, o, turn, 0);
    }
  };
  const run = (frame: Frame) => {
    const { rotations } = frame.target;
    for (let n = 0; n < free.length; n++)
      for (let c = 4 * free[n]!; c < 4 * free[n]! + 4; c++) rotations[c] = alignment.pose.rotations[c]!;
    keeper.note(frame);
    if (before) {
      for (let i = 0; i < rotations.length; i++) copied[i] = rotations[i]!;
      solve(before, frame);
      ease(rotations);
      for (let i = 0; i < rotations.length; i++) {
        const old = rotations[i]!;
        rotations[i] = copied[i]!;
        copied[i] = old;
      }
      solve(current, frame);
      for (let n = 0; n < written.length; n++) {
        conjugateQuaternion(turn, 0, rotations, 4 * written[n]!);
        multiplyQuaternions(offsets, 4 * written[n]!, turn, 0, copied, 4 * written[n]!);
      }
      before = null;
      left = whole;
    } else solve(current, frame);
    left = Math.max(0, left - frame.seconds);
    ease(rotations);
    keeper.refresh(frame);
    place?.(frame);
  };
  return Object.assign(run, {
    change(next: readonly ChainGoalPlan[], seconds: number) {
      before ??= current;
      current = prepare(next);
      whole = seconds;
      const all = [...before, ...current].map(({ plan }) => plan);
      written = [...new Set([...written, ...jointsOf(all)])];
      free = [...new Set([...free, ...all.flatMap((plan) => plan.free)])];
      keeper = createFrameKeeper(setup, written);
    },
  });
}

function jointsOf(plans: readonly ChainGoalPlan[]): number[] {
  return [...new Set(plans.flatMap(({ plan }) => plan.joints))];
}
