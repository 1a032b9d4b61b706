import { UsageError } from '../../base/errors.js';
import { oneOf } from '../../base/plain-data.js';
import { limitAt } from '../../body/chains/armature-document.js';
import { LIMBS } from '../../body/roles.js';
import type { AxedLimit } from '../joint-rules.js';
import type { LookRule, Spacing } from '../limb-rules.js';
import { defineOption } from '../option.js';
import { choice, data, either, field, number, onOff, pair, record, table, text } from '../shape.js';

const IMITATION_AXES = { enum: ['own', 'body'] };
const AXIS = { enum: ['x', 'y', 'z'] };
const DEGREE_RANGE = { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 };

/** A limit as JSON: a hinge, or swing and twist. */
const limit = data<AxedLimit>(
  'a hinge limit, or one of swing and twist, in degrees',
  {
    anyOf: [
      {
        type: 'object',
        required: ['type', 'axis', 'forward', 'angleDegrees'],
        properties: {
          type: { const: 'hinge' },
          axes: IMITATION_AXES,
          axis: AXIS,
          forward: AXIS,
          angleDegrees: DEGREE_RANGE,
        },
      },
      {
        type: 'object',
        required: ['type', 'twistAxis', 'twistDegrees', 'swingDegrees'],
        properties: {
          type: { const: 'swingTwist' },
          axes: IMITATION_AXES,
          twistAxis: AXIS,
          twistDegrees: DEGREE_RANGE,
          swingDegrees: {
            type: 'object',
            properties: { x: DEGREE_RANGE, y: DEGREE_RANGE, z: DEGREE_RANGE },
            additionalProperties: false,
          },
        },
      },
    ],
  },
  (value, at) => {
    limitAt(value, at);
    const { axes } = value as AxedLimit;
    if (axes !== undefined) oneOf(axes, ['own', 'body'], `${at}.axes`);
  },
);

/** A place that is looked at; a list of the caller's, which is read in every update. */
const point = data<ArrayLike<number>>(
  'three numbers, in metres of model space',
  { type: 'array', items: { type: 'number' }, minItems: 3 },
  (value) => {
    if (!(((value as ArrayLike<number> | null)?.length ?? 0) >= 3))
      throw new UsageError('lookAt needs a point of three numbers, or a joint');
  },
);

const share = () => number({ least: -1, most: 1 });
const angle = () => number({ least: 0, most: 180, unit: '°' });

/** Options that say how limbs and joints follow those of the source. */
export const TURN_OPTIONS = {
  /**
   * How the whole body follows: `turns`, or through an `intermediate` skeleton (Monzani et al. 2000), which is a preset:
   * every limb and chain imitates by direction, and references are aligned bone by bone or kept, as `restPosture` says.
   * What `imitation` and `alignment` say of single limbs has the last word.
   */
  mode: defineOption(choice('turns', 'intermediate'), {
    default: 'turns',
    summary:
      'how the whole body follows: by the source’s turns, or through an intermediate skeleton whose bones point as the source’s',
    group: 'turns',
    pass: 'copyRotations',
    flag: { typed: '--mode <MODE>' },
    changesKeys: ['intermediate'],
    asks: true,
    live: true,
  }),
  /** With `mode: 'intermediate'`: whether the target's own posture stays as a style. */
  restPosture: defineOption(choice('shared', 'kept'), {
    default: 'shared',
    summary:
      'with an intermediate skeleton: whether both bodies share the source’s rest posture, or the target’s own is kept throughout the motion',
    group: 'turns',
    pass: 'copyRotations',
    flag: { typed: '--rest-posture <WHICH>' },
    changesKeys: 'given',
    asks: true,
    live: true,
  }),
  /** How a limb's reference directions are aligned, per limb. */
  alignment: defineOption(table('limb', choice('keep', 'line', 'bones'), LIMBS), {
    default: 'arms and fingers bones, legs line, others keep',
    summary:
      'how each limb of the target is brought to where the source’s points before turns are counted: not at all, by its line, or bone by bone',
    group: 'turns',
    flag: {
      typed: '--align <LIMB=MODE>',
      says: 'how a limb of the reference is aligned: keep, line or bones; repeatable',
    },
    live: true,
  }),
  /** How chains imitate the source's: by limb, by chain, or all; by their turns if left out. */
  imitation: defineOption(
    either(
      choice('worldDelta', 'direction', 'keep'),
      table('limb or chain of the target, `*` for the others', choice('worldDelta', 'direction', 'keep')),
    ),
    {
      default: 'worldDelta',
      summary:
        'how limbs follow the source: by its turns, by the directions of its bones as well, or not at all; for all, or limb by limb',
      group: 'turns',
      pass: 'copyRotations',
      flag: {
        typed: '--imitate <[PART=]MODE>',
        says: 'how a limb or chain follows: turn, direction (of its bones), keep (not at all); repeatable',
      },
      changesKeys: 'given',
      asks: true,
      live: true,
    },
  ),
  /** Whether joints that hang otherwise than their drivers are left out; they are not if left out. */
  checkHierarchy: defineOption(onOff(), {
    default: 'false',
    summary: 'leave out joints that hang otherwise than those that drive them',
    group: 'turns',
    flag: { typed: '--check-hierarchy' },
    asks: true,
    live: true,
  }),
  /** How joints other than the travelling one are moved in their parents; see `TranslationMode`. */
  translations: defineOption(
    either(
      choice('rest', 'rootScaled', 'boneLengthScaled', 'copied'),
      table(
        'joint of the target, `*` for the others',
        choice('rest', 'rootScaled', 'boneLengthScaled', 'copied'),
      ),
    ),
    {
      default: 'body parts rest, others boneLengthScaled',
      summary:
        'how joints move in their parents: not at all, stretched as travel or as the bone is, or as in the source; for all, or joint by joint',
      group: 'turns',
      pass: 'moveJoints',
      flag: {
        typed: '--translations <[JOINT=]MODE>',
        says: 'how joints move in their parents: rest, root-scaled, length-scaled or copied; repeatable',
      },
      asks: true,
      live: true,
    },
  ),
  /** Whether joints are scaled as their drivers are, from the reference; they are if left out. */
  scales: defineOption(choice('rest', 'copied'), {
    default: 'copied',
    summary: 'whether joints grow and shrink as the source’s do',
    group: 'turns',
    pass: 'moveJoints',
    flag: { typed: '--scales <MODE>', says: 'joints that grow: rest or copied' },
    asks: true,
    live: true,
  }),
  /** Limits that joints are held within, copied and solved, by joint name or role; none if left out. */
  limits: defineOption(table('joint of the target, or body part', limit), {
    default: 'none',
    summary: 'how far joints may turn, by joint or body part: as hinges, or by swing and twist',
    group: 'turns',
    flag: { typed: '--limit-legs', says: 'keep hips and knees within what human legs can do' },
    changesKeys: 'given',
    asks: true,
    live: true,
  }),
  /** How far arms and legs are spread; not at all if left out. */
  spacing: defineOption(
    record<Spacing>({
      arms: field(
        share(),
        '0',
        'how far arms are spread: 1 turns them 45° away from the body, -1 towards it',
      ),
      legs: field(share(), '0', 'how far legs are spread, likewise'),
    }),
    {
      default: 'none',
      summary: 'spread arms and legs, or draw them in, for a body wider or slimmer than the source',
      group: 'turns',
      pass: 'spaceLimbs',
      flag: {
        typed: '--spacing <ARMS[,LEGS]>',
        says: 'spread arms and legs (up to 1: 45°) or draw them in (down to -1)',
      },
      changesKeys: 'given',
      asks: true,
      live: true,
    },
  ),
  /** How twist joints share the twist of their limb; by the place of their skin if left out. See `TwistRule`. */
  twist: defineOption(
    either(
      choice('joints', 'limbs', 'none'),
      table('joint of the target, or body part', number({ least: 0, most: 1 })),
    ),
    {
      default: 'joints',
      summary:
        'who shares the twist of arms and shins: twist joints by the place of their skin, limbs too, or nobody; or shares from 0 to 1, joint by joint',
      group: 'turns',
      pass: 'spreadTwist',
      flag: {
        typed: '--twist <WHO>',
        says: 'who shares the twist of arms and shins: joints, limbs too, none; or JOINT=SHARE from 0 (as above the limb) to 1 (as its end), repeatable',
      },
      asks: true,
      live: true,
    },
  ),
  /** What head and eyes look at; they are as copied if left out. */
  lookAt: defineOption(
    record<LookRule>({
      point: field(point, 'none', 'a place that is looked at, in metres'),
      joint: field(text(), 'none', 'a joint or body part of the target that is looked at instead'),
      headDegrees: field(pair(angle()), '60, 30', 'how far the head turns at most, aside and up or down'),
      eyeDegrees: field(pair(angle()), '9, 9', 'how far eyes turn at most from the head, likewise'),
      speed: field(
        number({ least: 0, most: 1 }),
        '0.1',
        'share of the way that a look goes in a sixtieth of a second; 1 is at once',
      ),
      weight: field(
        number({ least: 0, most: 1 }),
        '1',
        '0 leaves head and eyes as copied, 1 turns them wholly',
      ),
    }),
    {
      default: 'none',
      summary: 'what head and eyes are turned to: a place, or a joint of the target',
      group: 'turns',
      pass: 'lookAtPoint',
      flag: {
        typed: '--look-at <WHAT>',
        says: 'turn head and eyes to X,Y,Z in metres, or to a joint or body part of TARGET',
      },
      changesKeys: 'given',
      asks: true,
      live: true,
    },
  ),
};
