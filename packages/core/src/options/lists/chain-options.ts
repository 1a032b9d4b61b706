import { fieldsOf } from '../../base/plain-data.js';
import type { ArmatureDocument } from '../../body/chains/armature-document.js';
import { INDEXING, MATCHING } from '../chain-matching.js';
import { CHAIN_RULES } from '../chain-rules.js';
import { defineOption } from '../option.js';
import { choice, data } from '../shape.js';

const armature = () => data<ArmatureDocument>('an armature, as `writeArmature` gives it', {}, fieldsOf);

/** What is told of single chains, by which a setup is made. */
export const CHAIN_RULE_OPTIONS = {
  /** What is told of chains of the target, one by one: solver, goal, scales, imitation, alignment, priority. */
  chains: defineOption(CHAIN_RULES, {
    default: 'none',
    summary:
      'what is told of chains of the target, one by one: solver, goal, scales, priority, imitation, alignment, or that it is left as copied',
    group: 'chains',
    flag: {
      typed: '--chain <CHAIN.SETTING=VALUE>',
      says: 'what is told of a chain, limb or kind of chain of TARGET: tail.solver=fabrik, tail.goal=0,1,-1 or none, tail.weight=0.5, .limb-scale, .root-scale, .priority, .imitate, .align, .muted; repeatable',
    },
    changesKeys: 'given',
    asks: true,
    live: true,
  }),
};

/** Options that say which chains cover both bodies, and how they find each other. */
export const CHAIN_OPTIONS = {
  /** The chains of the source by the user's word. */
  sourceArmature: defineOption(armature(), {
    default: 'found',
    summary: 'the chains that cover the source, where those that are found are not what is meant',
    group: 'chains',
    flag: {
      typed: '--armature-source <FILE>',
      says: 'the chains of SOURCE, as "stuntdouble inspect --armature -o" writes them',
    },
    saved: 'place',
    asks: true,
    live: true,
  }),
  /** The chains of the target by the user's word, with their solvers, goals, scales and limits. */
  targetArmature: defineOption(armature(), {
    default: 'found',
    summary: 'the chains that cover the target, with their solvers, goals, scales and limits',
    group: 'chains',
    flag: {
      typed: '--armature-target <FILE>',
      says: 'the chains of TARGET likewise, and how each of them is solved',
    },
    saved: 'place',
    changesKeys: 'given',
    asks: true,
    live: true,
  }),
  /** Where chains that are found end: see `createArmature`. */
  branches: defineOption(choice('body', 'every'), {
    default: 'body',
    summary:
      'where chains that are found end: where the body parts, or at every joint with two children or more',
    group: 'chains',
    flag: { typed: '--branches <WHERE>' },
    live: true,
  }),
  /** How chains find each other. */
  matching: defineOption(MATCHING, {
    default: 'body parts first, then chains by shape and place',
    summary:
      'how chains of both bodies find each other: what counts, which way they are assigned, and pairs told',
    group: 'chains',
    flag: {
      typed: '--matching <RULES>',
      says: 'how chains find each other: roles or chains, best or greedy, threshold=0.6, weights such as direction=3, pair.TARGET=SOURCE or =none; by commas, repeatable',
    },
    live: true,
  }),
  /** How joints of two matched chains of different lengths find each other. */
  indexing: defineOption(INDEXING, {
    default: 'length; in limbs by their bones',
    summary:
      'how the joints of two chains of different lengths find each other: by place in the chain, by nearness, by length along it',
    group: 'chains',
    flag: {
      typed: '--indexing <HOW>',
      says: 'how joints of matched chains find each other: index, nearest or length',
    },
    live: true,
  }),
  /** What joints of a longer chain do that none of the source is left for (K15). */
  surplusJoints: defineOption(choice('share', 'rest'), {
    default: 'share',
    summary:
      'what surplus joints of a longer spine, neck or tail do: share the turn of the shorter one, or stay in rest on what carries them',
    group: 'chains',
    flag: { typed: '--surplus <WHAT>' },
    live: true,
  }),
};
