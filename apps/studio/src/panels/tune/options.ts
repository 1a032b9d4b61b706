import { LEG_JOINT_LIMITS, type PassName, type Plain } from '@stuntdouble/core/engine';
import { settingOf } from '../../document/document.js';
import type { StudioRecipe } from '../../engine/map-changes.js';

/*
 * THE SEAM to core's one list of options: this file describes, in the shape that list has, what the panel shows. When
 * core exports it, OPTIONS becomes that list and everything below stays.
 */

/** An option as it is declared: once, with all that a control needs. */
export type Option = {
  /** A path into the settings of a recipe: `spacing.arms`. */
  name: string;
  title: string;
  summary: string;
  pass: PassGroup;
  default: Plain;
} & (
  | { kind: 'number'; bounds: readonly [number, number]; step: number; unit?: string; digits?: number }
  | { kind: 'choice'; choices: readonly { value: string; title: string }[] }
  /** `on` is told where it is more than true. */
  | { kind: 'switch'; on?: Plain }
  /** A joint of the character, or found by itself where it is left out. */
  | { kind: 'joint' }
  /** As many numbers as there are labels, told together. */
  | { kind: 'numbers'; labels: readonly string[]; unit?: string }
);

/** Passes that belong together in the panel. */
export type PassGroup = 'copy' | 'root' | 'limits' | 'goals' | 'ground' | 'look' | 'motion' | 'clip';

/** A group of the panel: its passes, and the option whose being told switches it on. */
export type Group = {
  name: PassGroup;
  title: string;
  passes: readonly PassName[];
  summary: string;
};

/** The groups, in the order in which their passes run. */
export const GROUPS: readonly Group[] = [
  {
    name: 'copy',
    title: 'Copy rotations',
    passes: ['copyRotations', 'moveJoints'],
    summary: 'Each joint turns as its driver does, from the aligned references',
  },
  {
    name: 'root',
    title: 'Move root',
    passes: ['moveRoot'],
    summary: 'The hips travel, stretched to the size of the body',
  },
  {
    name: 'limits',
    title: 'Limits and spacing',
    passes: ['limitJoints', 'spaceLimbs'],
    summary: 'Arms and legs are spread for a wide body',
  },
  {
    name: 'goals',
    title: 'Feet and hands',
    passes: ['placeGoals', 'holdContacts', 'keepAboveGround', 'settleHips', 'solveLimbs'],
    summary: 'Feet stay planted, hands keep their goals',
  },
  {
    name: 'ground',
    title: 'Match ground',
    passes: ['matchGround', 'placeFeet'],
    summary: 'The height is matched over time',
  },
  { name: 'look', title: 'Look at', passes: ['lookAtPoint'], summary: 'Head and eyes look at a point' },
  {
    name: 'motion',
    title: 'Root motion',
    passes: ['extractRoot'],
    summary: 'Where travel over the ground ends up',
  },
  { name: 'clip', title: 'The clip', passes: [], summary: 'Its part, its speed, its keys' },
];

const SOLVERS = [
  { value: 'twoBone', title: 'Two bones' },
  { value: 'fabrik', title: 'FABRIK' },
  { value: 'ccd', title: 'CCD' },
  { value: 'ccdForward', title: 'CCD, from the root' },
  { value: 'damped', title: 'Damped Jacobian' },
  { value: 'pseudoInverse', title: 'Pseudo-inverse' },
  { value: 'transpose', title: 'Jacobian transpose' },
  { value: 'none', title: 'None: as copied' },
] as const;

const IMITATION = [
  { value: 'worldDelta', title: 'By turns' },
  { value: 'direction', title: 'By direction' },
  { value: 'keep', title: 'Not at all' },
] as const;

const ALIGNMENT = [
  { value: 'auto', title: 'As found' },
  { value: 'keep', title: 'Keep' },
  { value: 'line', title: 'By its line' },
  { value: 'bones', title: 'Bone by bone' },
] as const;

/** Limbs that can have settings of their own. */
export const CHAINS = [
  { value: 'all', title: 'All' },
  { value: 'leftArm', title: 'Left arm' },
  { value: 'rightArm', title: 'Right arm' },
  { value: 'leftLeg', title: 'Left leg' },
  { value: 'rightLeg', title: 'Right leg' },
] as const;

/** Options that hold for the whole body. */
export const OPTIONS: readonly Option[] = [
  {
    name: 'imitation',
    title: 'Imitation',
    summary: 'How joints follow: as their drivers have turned, pointing where they point, or not at all',
    pass: 'copy',
    kind: 'choice',
    choices: IMITATION,
    default: 'worldDelta',
  },
  {
    name: 'root.copyRotation',
    title: 'Turn the hips',
    summary: "Whether the hips take over the source's turns",
    pass: 'copy',
    kind: 'switch',
    default: true,
  },
  {
    name: 'translations',
    title: 'Moved joints',
    summary: 'How joints other than the hips are moved in their parents',
    pass: 'copy',
    kind: 'choice',
    choices: [
      { value: 'auto', title: 'As found' },
      { value: 'rest', title: 'Stay at rest' },
      { value: 'rootScaled', title: 'By root scale' },
      { value: 'boneLengthScaled', title: 'By bone length' },
      { value: 'copied', title: 'Copied' },
    ],
    default: 'auto',
  },
  {
    name: 'scales',
    title: 'Scales',
    summary: 'Whether joints are scaled as their drivers are',
    pass: 'copy',
    kind: 'choice',
    choices: [
      { value: 'copied', title: 'Copied' },
      { value: 'rest', title: 'Stay at rest' },
    ],
    default: 'copied',
  },
  {
    name: 'checkHierarchy',
    title: 'Same hierarchy',
    summary: 'Leave out joints that hang otherwise than their drivers',
    pass: 'copy',
    kind: 'switch',
    default: false,
  },
  {
    name: 'root.copyPosition',
    title: 'Move the hips',
    summary: 'Whether the hips are moved at all',
    pass: 'root',
    kind: 'switch',
    default: true,
  },
  {
    name: 'root.positionScale',
    title: 'Scale of travel',
    summary: '0 takes metres as they are, 1 stretches them to the body',
    pass: 'root',
    kind: 'number',
    bounds: [0, 1],
    step: 0.01,
    default: 1,
  },
  {
    name: 'rootScales.horizontal',
    title: 'Across',
    summary: 'Stretch of travel over the ground; measured if left alone',
    pass: 'root',
    kind: 'number',
    bounds: [0, 3],
    step: 0.01,
    default: 1,
  },
  {
    name: 'rootScales.vertical',
    title: 'Up',
    summary: 'Stretch of height over the floor; measured if left alone',
    pass: 'root',
    kind: 'number',
    bounds: [0, 3],
    step: 0.01,
    default: 1,
  },
  {
    name: 'limits',
    title: 'Human legs',
    summary: 'Keep hips and knees within what human legs can do',
    pass: 'limits',
    kind: 'switch',
    default: false,
    on: LEG_JOINT_LIMITS as unknown as Plain,
  },
  {
    name: 'spacing.arms',
    title: 'Arms apart',
    summary: '1 turns upper arms away from the body by 45°',
    pass: 'limits',
    kind: 'number',
    bounds: [-1, 1],
    step: 0.01,
    default: 0,
  },
  {
    name: 'spacing.legs',
    title: 'Legs apart',
    summary: '1 turns upper legs away from each other by 45°',
    pass: 'limits',
    kind: 'number',
    bounds: [-1, 1],
    step: 0.01,
    default: 0,
  },
  {
    name: 'solvers.all',
    title: 'Solver',
    summary: 'How legs and arms reach their goals',
    pass: 'goals',
    kind: 'choice',
    choices: SOLVERS,
    default: 'twoBone',
  },
  {
    name: 'reach',
    title: 'Out of reach',
    summary: 'Whether arms reach by themselves, or the spine gives way',
    pass: 'goals',
    kind: 'choice',
    choices: [
      { value: 'limbs', title: 'Limb alone' },
      { value: 'together', title: 'Spine too' },
    ],
    default: 'limbs',
  },
  {
    name: 'ground.dynamic',
    title: 'Lowest joint',
    summary: 'Take the lowest joint of each frame, for motions that lie or sit',
    pass: 'ground',
    kind: 'switch',
    default: false,
  },
  {
    name: 'ground.joint',
    title: 'Ground joint',
    summary: 'The joint or body part that stands on the ground; found if left empty',
    pass: 'ground',
    kind: 'joint',
    default: '',
  },
  {
    name: 'lookAt.point',
    title: 'Point',
    summary: 'A place in metres that is looked at: across, up, ahead',
    pass: 'look',
    kind: 'numbers',
    labels: ['X', 'Y', 'Z'],
    default: [0, 1.5, 4],
  },
  {
    name: 'lookAt.joint',
    title: 'Joint',
    summary: 'A joint of the character that is looked at',
    pass: 'look',
    kind: 'joint',
    default: '',
  },
  {
    name: 'lookAt.weight',
    title: 'Weight',
    summary: '0 leaves head and eyes as copied',
    pass: 'look',
    kind: 'number',
    bounds: [0, 1],
    step: 0.01,
    default: 1,
  },
  {
    name: 'lookAt.speed',
    title: 'Speed',
    summary: 'Share of the way within a sixtieth of a second',
    pass: 'look',
    kind: 'number',
    bounds: [0.01, 1],
    step: 0.01,
    default: 0.1,
  },
  {
    name: 'rootMotion',
    title: 'Travel',
    summary: 'Stays on the hips, moves to the joint above them, or is taken out',
    pass: 'motion',
    kind: 'choice',
    choices: [
      { value: 'keep', title: 'Stays on the hips' },
      { value: 'extract', title: 'To the root joint' },
      { value: 'inPlace', title: 'Taken out' },
    ],
    default: 'keep',
  },
  {
    name: 'rootMotionJoint',
    title: 'Read from',
    summary: 'The joint or body part that root motion is read from',
    pass: 'motion',
    kind: 'joint',
    default: '',
  },
  {
    name: 'range',
    title: 'Part',
    summary: 'Seconds of the clip to take, from and to; all if left alone',
    pass: 'clip',
    kind: 'numbers',
    labels: ['From', 'To'],
    unit: 's',
    default: [],
  },
  {
    name: 'keys',
    title: 'Keys',
    summary: 'Keep keys where that is exact, insist on it, bake every frame, or add frames where lines miss',
    pass: 'clip',
    kind: 'choice',
    choices: [
      { value: 'auto', title: 'Where exact' },
      { value: 'keep', title: 'Keep' },
      { value: 'bake', title: 'Bake' },
      { value: 'refine', title: 'Refine' },
    ],
    default: 'auto',
  },
  {
    name: 'frameRate',
    title: 'Frames a second',
    summary: "The rate of a bake; the source's own if left alone",
    pass: 'clip',
    kind: 'number',
    bounds: [1, 120],
    step: 1,
    digits: 0,
    default: 60,
  },
  {
    name: 'mirror',
    title: 'Mirror',
    summary: 'Exchange left and right: the motion as seen in a mirror',
    pass: 'clip',
    kind: 'switch',
    default: false,
  },
  {
    name: 'speed',
    title: 'Speed',
    summary: 'How many times as fast the result plays',
    pass: 'clip',
    kind: 'number',
    bounds: [0.1, 4],
    step: 0.05,
    unit: '×',
    default: 1,
  },
  {
    name: 'wholeBody',
    title: 'Whole body',
    summary: 'Hold joints that the clip does not move, instead of giving them no keys',
    pass: 'clip',
    kind: 'switch',
    default: false,
  },
  {
    name: 'keepCalibration',
    title: 'Keep calibration',
    summary: 'Keep a T- or A-pose at the beginning of a capture, which is there for calibration',
    pass: 'clip',
    kind: 'switch',
    default: false,
  },
  {
    name: 'loop',
    title: 'Close the loop',
    summary: 'Find the cycle, and make its last pose the first',
    pass: 'clip',
    kind: 'switch',
    default: false,
  },
  {
    name: 'reduce',
    title: 'Fewer keys',
    summary: 'Leave out keys that interpolation gives anyway',
    pass: 'clip',
    kind: 'switch',
    default: false,
  },
  {
    name: 'repairKeys',
    title: 'Repair keys',
    summary: 'Replace rotation keys that stand alone a half turn off',
    pass: 'clip',
    kind: 'switch',
    default: false,
  },
];

/** Options of one limb. */
export function limbOptions(limb: string): readonly Option[] {
  return [
    {
      name: `alignment.${limb}`,
      title: 'Alignment',
      summary: "How the limb's reference directions are made the source's",
      pass: 'copy',
      kind: 'choice',
      choices: ALIGNMENT,
      default: 'auto',
    },
    {
      name: `limbScalings.${limb}.limbScale`,
      title: limb.endsWith('Arm') ? 'Arm reach' : 'Leg reach',
      summary: '0 puts the end where the source has it, 1 as far in lengths of this limb',
      pass: 'goals',
      kind: 'number',
      bounds: [0, 1],
      step: 0.01,
      default: 1,
    },
    {
      name: `limbScalings.${limb}.weight`,
      title: 'Weight',
      summary: '0 leaves the limb as copied, 1 brings it to the goal',
      pass: 'goals',
      kind: 'number',
      bounds: [0, 1],
      step: 0.01,
      default: 1,
    },
    {
      name: `solvers.${limb}`,
      title: 'Solver',
      summary: 'How this limb reaches its goal',
      pass: 'goals',
      kind: 'choice',
      choices: SOLVERS,
      default: 'twoBone',
    },
  ];
}

/** The option that switches a whole group on or off, and what it is told then; null where it is always on. */
export function groupSwitch(
  group: PassGroup,
  recipe: StudioRecipe,
): { on: boolean; name: string; value: (on: boolean) => Plain | undefined } | null {
  switch (group) {
    case 'goals':
      return {
        on: settingOf(recipe, 'corrections') !== 'none',
        name: 'corrections',
        value: (on) => (on ? undefined : 'none'),
      };
    case 'root':
      return {
        on: settingOf(recipe, 'root.copyPosition') !== false,
        name: 'root.copyPosition',
        value: (on) => (on ? undefined : false),
      };
    case 'ground':
      return {
        on: settingOf(recipe, 'ground') !== undefined,
        name: 'ground',
        value: (on) => (on ? { dynamic: false } : undefined),
      };
    case 'look':
      return {
        on: settingOf(recipe, 'lookAt') !== undefined,
        name: 'lookAt',
        value: (on) => (on ? { point: [0, 1.5, 4] } : undefined),
      };
    case 'limits':
      return {
        on: settingOf(recipe, 'spacing') !== undefined,
        name: 'spacing',
        value: (on) => (on ? { arms: 0, legs: 0 } : undefined),
      };
    default:
      return null;
  }
}

/** How many settings of a recipe differ from their defaults. Contacts are counted by clip. */
export function countChanged({ settings }: StudioRecipe): number {
  const leaves = (value: Plain): number =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Math.max(
          1,
          Object.values(value).reduce((sum: number, inner) => sum + leaves(inner as Plain), 0),
        )
      : 1;
  return Object.entries(settings ?? {}).reduce(
    (sum, [name, value]) => sum + (name === 'contacts' ? Object.keys(value as object).length : leaves(value)),
    0,
  );
}
