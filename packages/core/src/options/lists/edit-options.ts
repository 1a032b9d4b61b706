import { listAt } from '../../base/plain-data.js';
import type { Constraint, GoalPlaces } from '../constraint.js';
import type { Layer } from '../layer.js';
import type { JointWeights } from '../limb-rules.js';
import { defineOption } from '../option.js';
import { choice, code, data, type Shape, table } from '../shape.js';

const curve = { kind: 'curve' } as Shape<JointWeights[string]>;

/** Options that say what a person did by hand. */
export const EDIT_OPTIONS = {
  /** What joints shall do for a time, in the times of the source's clips; see docs/constraints.md. */
  constraints: defineOption(
    data<readonly Constraint[]>('a list of constraints, see docs/constraints.md', { type: 'array' }, listAt),
    {
      default: 'none',
      summary: 'what joints shall do for a time: hands on a place, feet above a plane, eyes on a point',
      group: 'edits',
      pass: 'applyConstraints',
      flag: {
        typed: '--constraints <FILE>',
        says: 'do what FILE asks of joints for a time, and add its layers: a JSON of constraints, layers or both (docs/constraints.md)',
      },
      saved: 'place',
      changesKeys: 'given',
      asks: true,
      live: true,
    },
  ),
  /** Curves that are added to the motion, in the times of the source's clips. */
  layers: defineOption(
    data<readonly Layer[]>('a list of layers, see docs/constraints.md', { type: 'array' }, listAt),
    {
      default: 'none',
      summary: 'curves that are added to joints and hips, before or after corrections',
      group: 'edits',
      saved: 'place',
      changesKeys: 'given',
      asks: true,
      live: true,
    },
  ),
  /** Whether what stands is held while a constraint pulls (`contacts`, if left out), or may be pulled along. */
  hold: defineOption(choice('contacts', 'none'), {
    default: 'contacts',
    summary: 'whether what stands stays where it is while a constraint pulls at the body',
    group: 'edits',
    pass: 'applyConstraints',
    live: true,
  }),
  /** How willingly joints turn for constraints: 1 if left out, 0 not at all; curves are in the times of the source's clips. */
  jointWeights: defineOption(table('joint or limb', curve), {
    default: '1 for all',
    summary:
      'how willingly joints turn for constraints, by joint, limb or query: 0 not at all, 2 twice as willingly; may change over time',
    group: 'edits',
    pass: 'applyConstraints',
    live: true,
  }),
  /** Where props and other characters are that goals of constraints follow. */
  goalPlaces: defineOption(code<GoalPlaces>('a function that tells where a node or another character is'), {
    default: 'none',
    summary: 'where props and other characters are that goals of constraints follow',
    group: 'edits',
    pass: 'applyConstraints',
    saved: 'never',
    live: true,
  }),
};
