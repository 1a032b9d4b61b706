import { listAt } from '../../base/plain-data.js';
import type { EditedContact } from '../contact.js';
import type { LimbScaling } from '../limb-rules.js';
import { LIMB_SOLVERS, SOLVED_LIMBS } from '../limb-solvers.js';
import { defineOption } from '../option.js';
import { choice, data, field, record, type Shape, table } from '../shape.js';

const curve = { kind: 'curve' } as Shape<NonNullable<LimbScaling['weight']>>;

/** Options of a setup that say whether and how feet and hands are corrected. */
export const CORRECTION_LIST = {
  /**
   * Whether feet and hands are corrected, where both bodies have legs. They are (`auto`) if left out, unless keys are
   * to be kept or passes are chosen without those that correct; see `chooseCorrections`. Corrections are baked.
   */
  corrections: defineOption(choice('none', 'auto'), {
    default: 'auto; none where keys are kept',
    summary: 'make feet stand and hands touch as in the source (auto), or leave limbs as copied (none)',
    group: 'corrections',
    flag: {
      typed: '--corrections <WHICH>',
      says: 'feet that hold and hands that touch: auto, which is the default, or none for plain turns',
    },
    changesKeys: ['auto'],
    live: true,
  }),
  /** Goals of arms and legs between the place of the source's end and the same reach; where corrected. */
  limbScalings: defineOption(
    table(
      'limb',
      record<LimbScaling>({
        limbScale: field(
          curve,
          '0',
          '0 reaches as far as the source in metres, 1 as far in lengths of the limb',
        ),
        rootScale: field(curve, '1', '0 begins where the source’s limb begins, 1 where the target’s does'),
        weight: field(curve, '1', '0 leaves the limb as copied, 1 brings it to its goal'),
      }),
      SOLVED_LIMBS,
    ),
    {
      default: 'none',
      summary:
        'where hands and feet go, by limb: from where the source’s are to the same reach for this body; may change over time',
      group: 'corrections',
      flag: {
        typed: '--limb-scale <LIMB=SCALE[,ROOT]>',
        says: 'goals of a limb from where the hand or foot of SOURCE is (0) to the same reach (1), and likewise from where the limb begins; repeatable',
      },
      changesKeys: 'given',
      corrects: true,
      asks: true,
      live: true,
    },
  ),
  /** How legs and arms reach their goals, by limb; by their two bones if left out. Where corrected. */
  solvers: defineOption(LIMB_SOLVERS, {
    default: 'twoBone for all',
    summary: 'by which method each limb is brought to its goal',
    group: 'corrections',
    flag: {
      typed: '--solver <[LIMB=]SOLVER>',
      says: 'how a limb is brought to its goal, see below: two-bone, which is the default, fabrik, ccd, damped …; repeatable',
    },
    changesKeys: 'given',
    corrects: true,
    live: true,
  }),
  /** Whether arms reach by themselves (`limbs`, if left out) or the spine gives way for both (`together`); likewise. */
  reach: defineOption(choice('limbs', 'together'), {
    default: 'limbs',
    summary: 'whether arms reach by themselves, or the spine bends for both hands where they cannot',
    group: 'corrections',
    flag: {
      typed: '--reach <HOW>',
      says: 'limbs: arms reach by themselves; together: the spine bends for both hands where they cannot',
    },
    changesKeys: 'given',
    corrects: true,
    live: true,
  }),
};

/** What touches what, told clip by clip. */
export const CONTACT_OPTIONS = {
  /**
   * What touches what and when, by the name of the source's clip and in its times, where finding it is not enough:
   * as the report gives it, edited. Where corrected; found in clips that are not named.
   */
  contacts: defineOption(
    table(
      'clip',
      data<readonly EditedContact[]>(
        'contacts, as the report gives them',
        { type: 'array', items: { type: 'object' } },
        listAt,
      ),
    ) as Shape<Readonly<Record<string, readonly EditedContact[]>>>,
    {
      default: 'found',
      summary: 'what touches what and when, clip by clip, where what is found is not what is meant',
      group: 'corrections',
      flag: {
        typed: '--contacts <FILE>',
        says: 'hold feet and hands when FILE says, as "stuntdouble inspect --contacts -o" writes it',
      },
      changesKeys: 'given',
      corrects: true,
      asks: true,
    },
  ),
};
