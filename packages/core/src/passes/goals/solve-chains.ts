import type { AlignedPair } from '../../align/aligned-pair.js';
import { asksForGoal, type ChainTold, resolveChainRules, toldPlace } from '../../align/chain-rules.js';
import { subtractVectors, vectorAngle, vectorAt } from '../../base/math/vector.js';
import type { Warning } from '../../base/warnings.js';
import type { Chain } from '../../body/chains/armature.js';
import { createArmature } from '../../body/chains/create-armature.js';
import type { Rig } from '../../body/rig.js';
import { type ChainGoalPlan, planChainGoal } from '../../goals/chain-goals.js';
import { createLimbChain, type LimbChain, solveLimbChain } from '../../goals/limb-chain.js';
import { sampleCurve } from '../../goals/limb-scaling.js';
import { driverOf, type RigMap } from '../../map/rig-map.js';
import { chainSolverOf, idleSettingsOf, SOLVED_LIMBS } from '../../options/limb-solvers.js';
import { forwardJoints, withAncestors } from '../../scene/forward-joints.js';
import { createModelPose, type ModelPose } from '../../scene/pose.js';
import { isAncestor } from '../../scene/skeleton.js';
import type { LimitedJoint } from '../../solvers/joint-limits.js';
import { limitJoints } from '../limit-joints.js';
import { createFrameKeeper } from '../parts/edited-target.js';
import { type CompileContext, compiledOf, definePass, type Run, type Step } from '../pass.js';

/** Chains that are brought to goals, in the order in which they are. */
export type ChainsSetup = { plans: readonly ChainGoalPlan[] };

/**
 * Brings the ends of chains to their goals, each by its own solver, those of a low priority first (K1, K2, K23, K24):
 * tails, wings, fingers, legs of animals; arms and legs of people only where a place is told, as `solveLimbs`
 * knows more of them. A goal is where the source's end is, scaled to the chain. It comes after all corrections, since
 * what hangs on the chains it turns moves with them; chains that carry arms and legs have had theirs in `solveCarriers`.
 */
export const solveChains = definePass<'solveChains', ChainsSetup>({
  name: 'solveChains',
  summary: 'brings the ends of chains to their goals, each by its own solver',
  options: ['chains'],
  isAskedFor: true,
  compile(context) {
    const { late, warnings } = planChains(context, compiledOf(context, limitJoints) ?? []);
    for (const warning of warnings) context.warn(warning);
    return late.length > 0 ? { plans: late } : null;
  },
  needsFrames: () => 'chains are brought to goals frame by frame',
  writes: ({ plans }) => ({ turnsOn: jointsOf(plans) }),
  prepare: ({ plans }, run) => createChainsStep(plans, run),
});

/** The goals of chains: of those that carry arms or legs, which come first, and of all others; in solving order. */
export type PlannedChains = { early: ChainGoalPlan[]; late: ChainGoalPlan[]; warnings: Warning[] };

/**
 * Plans the goals of all chains that rules ask for, in solving order (K2): those of a low priority first, equal ones as
 * the armature lists them. A chain that carries arms or legs is solved before these have goals, which are placed from
 * where they begin; unless by the user's order or priority it has the last word over what hangs on it. Warns of what has
 * no effect.
 */
export function planChains(
  { pair, whole, options, corrects }: Pick<CompileContext, 'pair' | 'whole' | 'options' | 'corrects'>,
  limits: readonly LimitedJoint[],
): PlannedChains {
  const warnings: Warning[] = [];
  if (options.chains === undefined) return { early: [], late: [], warnings };
  const idle = (name: string, why: string) =>
    warnings.push({ code: 'option-without-effect', message: `the option ${name} has no effect: ${why}` });
  const told = resolveChainRules(pair.target, options.chains);
  const priorityOf = ({ chain, rule }: ChainTold) => rule.priority ?? chain.priority;
  const plans: ChainGoalPlan[] = [];
  for (const each of [...told].sort((a, b) => priorityOf(a) - priorityOf(b))) {
    const { chain, rule, solvedLimb } = each;
    const name = `chains.${chain.name}`;
    if (rule.imitation === 'direction' && pointsByTurns(chain, pair, whole))
      idle(`${name}.imitation`, 'by the source’s turns alone its bones point as the source’s do');
    if (rule.goal === 'none' && rule.solver !== undefined && rule.solver !== 'none')
      idle(`${name}.solver`, 'it has no goal');
    if (rule.solver !== undefined && !solvedLimb)
      for (const [setting, why] of idleSettingsOf(rule.solver)) idle(`${name}.solver.${setting}`, why);
    if (rule.imitation && !whole.joints.some((driven) => chain.joints.includes(driven.target)))
      idle(`${name}.imitation`, 'nothing of the source drives it');
    const isLeftAnyway =
      !asksForGoal(rule) ||
      rule.goal === 'none' ||
      (rule.solver !== undefined && chainSolverOf(rule.solver).method === 'none');
    if (rule.muted && isLeftAnyway && !solvedLimb) idle(`${name}.muted`, 'it has no goal to leave');
    // Arms and legs of people are solved where feet and hands are corrected, unless a place is told for them.
    if (!asksForGoal(rule) || (solvedLimb && !toldPlace(rule))) continue;
    if (rule.muted || rule.goal === 'none') continue;
    const plan = planChainGoal(chain, rule, { ...pair, map: whole, limits });
    if (typeof plan === 'string') idle(name, plan);
    else plans.push(plan);
  }
  const { skeleton } = pair.target;
  const hangsOn = (a: ChainGoalPlan, b: ChainGoalPlan) =>
    a !== b && isAncestor(skeleton, b.plan.joints[0]!, a.plan.joints[0]!);
  const meeting = new Set(
    plans.flatMap((a) => plans.flatMap((b) => (hangsOn(a, b) ? [a.name, b.name] : []))),
  );
  const why = 'no chain that is brought to a goal hangs on it or carries it, so that none has the last word';
  for (const { chain, rule } of told)
    if (rule.priority !== undefined && rule.priority !== 1 && !meeting.has(chain.name))
      idle(`chains.${chain.name}.priority`, why);
  if (meeting.size === 0 && pair.target.armature && isListedAnew(pair.target))
    idle('targetArmature', `its order: ${why}`);
  const carriers = plans.filter(({ plan }) => limbsOn(pair.target, plan.joints).length > 0);
  const early = carriers.filter((carrier) =>
    plans.slice(0, plans.indexOf(carrier)).every((before) => !hangsOn(before, carrier)),
  );
  for (const carrier of carriers)
    if (corrects && !early.includes(carrier))
      warnings.push({
        code: 'goals-moved',
        message: `chain "${carrier.name}" has the last word over what hangs on it, as was asked: its goal moves ${limbsOn(pair.target, carrier.plan.joints).join(', ')} on from where corrections had brought them`,
      });
  return { early, late: plans.filter((plan) => !early.includes(plan)), warnings };
}

/** The arms and legs of a person that begin below the first of some joints in a row. */
function limbsOn({ skeleton, joints }: Rig, chain: readonly number[]): string[] {
  return SOLVED_LIMBS.filter((limb) => {
    const side = limb.startsWith('left') ? 'left' : 'right';
    const first = limb.endsWith('Leg') ? joints[`${side}UpperLeg`] : joints[`${side}UpperArm`];
    return first !== undefined && !chain.includes(first) && isAncestor(skeleton, chain[0]!, first);
  });
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

/** Builds the loop over chains. */
export function createChainsStep(
  plans: readonly ChainGoalPlan[],
  { setup, place }: Pick<Run, 'setup' | 'place'>,
): Step {
  const { source, target } = setup;
  const sourceModel = createModelPose(source.skeleton.names.length);
  const targetModel = createModelPose(target.skeleton.names.length);
  const chains = plans.flatMap((plan): Prepared[] => {
    const chain = createLimbChain(target.skeleton, plan.plan);
    if (!chain) return [];
    const ends = plan.source ? [plan.source.root, plan.source.end] : [];
    return [
      {
        plan,
        chain,
        source: withAncestors(source.skeleton, ends),
        target: withAncestors(target.skeleton, plan.plan.joints),
      },
    ];
  });
  const keeper = createFrameKeeper(setup, jointsOf(plans));
  return (frame) => {
    keeper.note(frame);
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
    keeper.refresh(frame);
    place?.(frame);
  };
}

/** The joints that chains turn, each once. */
export function jointsOf(plans: readonly ChainGoalPlan[]): number[] {
  return [...new Set(plans.flatMap(({ plan }) => plan.joints))];
}
