import type { Frame, Setup } from '../setup/setup.js';
import type { PassName, Step } from './pipeline.js';

/** The passes that turn joints whether anything drives them or not. */
export const REWRITING_PASSES: readonly PassName[] = [
  'limitJoints',
  'spaceLimbs',
  'solveLimbs',
  'placeFeet',
  'lookAtPoint',
];

/** The target's joints that passes turn whether anything drives them or not: limited, spread, solved, or looking. */
export function rewrittenJoints(
  { limits, spacing, goals, solving, feet, look }: Setup,
  passes: readonly PassName[],
): number[] {
  return [
    ...(passes.includes('limitJoints') ? limits.map(({ joint }) => joint) : []),
    ...(passes.includes('spaceLimbs')
      ? spacing.flatMap(({ upper, end }) => (end >= 0 ? [upper, end] : [upper]))
      : []),
    ...(goals && passes.includes('solveLimbs')
      ? goals.limbs.flatMap(({ target: { upper, middle, end }, toes }) =>
          toes >= 0 ? [upper, middle, end, toes] : [upper, middle, end],
        )
      : []),
    ...(goals && solving && passes.includes('solveLimbs') ? solving.joints : []),
    ...(feet && passes.includes('placeFeet')
      ? feet.legs.flatMap(({ upper, middle, end }) => [upper, middle, end])
      : []),
    ...(look && passes.includes('lookAtPoint') ? look.lookers.map(({ joint }) => joint) : []),
  ];
}

/**
 * A step that puts such joints back into the reference where nothing else writes them, so that what one frame was
 * given is not added to in the next; null where there are none.
 */
export function restoreJoints(setup: Setup, passes: readonly PassName[]): Step | null {
  const driven = new Set(
    passes.includes('copyRotations') ? setup.map.joints.map(({ target }) => target) : [],
  );
  const joints = Int32Array.from(rewrittenJoints(setup, passes).filter((joint) => !driven.has(joint)));
  if (joints.length === 0) return null;
  const { rotations } = setup.alignment.pose;
  return (frame) => restoreFrame(frame, joints, rotations);
}

function restoreFrame({ target }: Frame, joints: Int32Array, rotations: Float64Array): void {
  for (let k = 0; k < joints.length; k++) {
    const i = 4 * joints[k]!;
    for (let c = 0; c < 4; c++) target.rotations[i + c] = rotations[i + c]!;
  }
}
