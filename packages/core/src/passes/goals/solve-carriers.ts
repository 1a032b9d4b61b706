import { limitJoints } from '../limit-joints.js';
import { compiledOf, definePass } from '../pass.js';
import { type ChainsSetup, createChainsStep, jointsOf, planChains } from './solve-chains.js';

/**
 * Brings chains that carry arms or legs, such as a spine, to their goals (K26, KP12). It comes before feet and hands have
 * goals, since these are placed from where a limb begins and would be moved on with it.
 */
export const solveCarriers = definePass<'solveCarriers', ChainsSetup>({
  name: 'solveCarriers',
  summary: 'brings chains that carry arms or legs to their goals, before those have theirs',
  options: ['chains'],
  isAskedFor: true,
  compile(context) {
    const { early } = planChains(context, compiledOf(context, limitJoints) ?? []);
    return early.length > 0 ? { plans: early } : null;
  },
  needsFrames: () => 'chains are brought to goals frame by frame',
  writes: ({ plans }) => ({ turnsOn: jointsOf(plans) }),
  prepare: ({ plans }, run) => createChainsStep(plans, run),
});
