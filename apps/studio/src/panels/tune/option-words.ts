import { inWords } from '../in-words.js';

/** What parts of options are called where their own names, taken apart into words, would not tell a stranger. */
const TITLES: Record<string, string> = {
  'rootScales.horizontal': 'Across',
  'rootScales.vertical': 'Up',
  'root.copyPosition': 'Move the hips',
  'root.copyRotation': 'Turn the hips',
  'root.positionScale': 'Scale of travel',
  'ground.dynamic': 'Lowest joint',
  'ground.joint': 'Ground joint',
  'spacing.arms': 'Arms apart',
  'spacing.legs': 'Legs apart',
  'lookAt.headDegrees': 'Head, most',
  'lookAt.eyeDegrees': 'Eyes, most',
  limbScale: 'Reach',
  rootScale: 'Begins',
  maxIterations: 'Most steps',
  checkHierarchy: 'Same hierarchy',
  frameRate: 'Frames a second',
  limits: 'Human legs',
  loop: 'Close the loop',
  'loop.seconds': 'Seam',
  'loop.travel': 'Carried by',
  'loop.height': 'Height',
  reach: 'Out of reach',
  reduce: 'Fewer keys',
  'reduce.position': 'Off by',
  'reduce.angleDegrees': 'Turned by',
  rootMotion: 'Travel goes',
  rootMotionJoint: 'Read from',
  'solvers.all': 'Solver',
  translations: 'Moved joints',
  travel: 'On the spot',
  between: 'Between frames',
  range: 'Part',
  hold: 'What stands',
  jointWeights: 'Willing joints',
};

/** What words of choices are called, likewise. */
const WORDS: Record<string, string> = {
  twoBone: 'Two bones',
  fabrik: 'FABRIK',
  ccd: 'CCD',
  ccdForward: 'CCD, from the root',
  damped: 'Damped Jacobian',
  pseudoInverse: 'Pseudo-inverse',
  transpose: 'Jacobian transpose',
  worldDelta: 'By turns',
  direction: 'By direction',
  line: 'By its line',
  bones: 'Bone by bone',
  rest: 'Stay at rest',
  rootScaled: 'By root scale',
  boneLengthScaled: 'By bone length',
  'rootMotion keep': 'Stays on the hips',
  extract: 'To the root joint',
  apart: 'Given apart',
  inPlace: 'Taken out',
  limbs: 'Limb alone',
  together: 'Spine too',
  'imitation keep': 'Not at all',
  'solvers none': 'None: as copied',
  'hold contacts': 'Stays',
  'hold none': 'May move',
};

/** What a part of an option is called. */
export function titleOf(path: readonly string[]): string {
  const last = path.at(-1)!;
  return TITLES[path.join('.')] ?? (path.length > 1 ? TITLES[last] : undefined) ?? inWords(last);
}

/** What a word that an option can be is called. */
export function wordTitle(option: string, word: string): string {
  return (
    WORDS[`${option} ${word}`] ?? WORDS[word] ?? (/^[+-]?[A-Z]$|^..?$/.test(word) ? word : inWords(word))
  );
}
