import type { RetargetOptions } from './retarget-options.js';

/** Options that give keys other than the source's, or other turns than copied ones, whatever they are set to. */
const CHANGING = [
  ...(['frameRate', 'passes', 'rootMotionJoint', 'root', 'imitation', 'limbScalings', 'limits'] as const),
  ...(['solvers', 'reach', 'spacing', 'lookAt', 'groundHeight', 'ground', 'contacts'] as const),
  ...(['constraints', 'layers'] as const),
];

/** Options that do so where they are on. */
const SWITCHES = ['mirror', 'repairKeys', 'loop', 'reduce'] as const;

/**
 * The option that asks for other rotation keys than the source's own, where one does: such options make no sense
 * where keys are played as they are, through a retargeted bind pose.
 * @returns its name; null where no option does.
 */
export function findKeyChange(options: RetargetOptions): keyof RetargetOptions | null {
  if (options.corrections === 'auto') return 'corrections';
  if (options.keys === 'bake') return 'keys';
  if (options.rootMotion !== undefined && options.rootMotion !== 'keep') return 'rootMotion';
  return (
    CHANGING.find((name) => options[name] !== undefined) ?? SWITCHES.find((name) => options[name]) ?? null
  );
}
