import { listAt, oneOf } from '../base/plain-data.js';
import { addFinalLayers } from './add-final-layers.js';
import { addPoseLayers } from './add-pose-layers.js';
import { applyConstraints } from './apply-constraints.js';
import { copyRotations } from './copy-rotations.js';
import { extractRoot } from './extract-root.js';
import { followSkin } from './follow-skin.js';
import { holdContacts } from './goals/hold-contacts.js';
import { keepAboveGround } from './goals/keep-above-ground.js';
import { placeFeet } from './goals/place-feet.js';
import { placeGoals } from './goals/place-goals.js';
import { settleHips } from './goals/settle-hips.js';
import { solveCarriers } from './goals/solve-carriers.js';
import { solveChains } from './goals/solve-chains.js';
import { solveLimbs } from './goals/solve-limbs.js';
import { limitJoints } from './limit-joints.js';
import { lookAtPoint } from './look-at-point.js';
import { matchGround } from './match-ground.js';
import { moveJoints } from './move-joints.js';
import { moveLegRoots } from './move-leg-roots.js';
import { moveRoot } from './move-root.js';
import { type Pass, type Setup, withoutPasses } from './pass.js';
import { spaceLimbs } from './space-limbs.js';
import { spreadTwist } from './spread-twist.js';

/**
 * The frame passes in the order in which they run. Rotations come first since every later correction is made
 * to the copied pose, and joints move in their parents with them; the root is moved before anything that needs to
 * know where the body is, and then moved on as its legs ask for; what a person adds to the pose comes next, so that all corrections respect it; joints are limited and limbs spread before anything is made of where they end; the height
 * is matched to the ground on top of that (B19). Chains that carry arms and legs are brought to their goals, since limbs
 * are seen from where they begin. Then goals are placed, held while the source stands, and lifted off
 * the floor; the hips give way to them; and limbs are solved, when nothing above them moves any more; the
 * whole is stood on ground that is not even. Other chains are brought to their goals from there. Head and eyes look from where the body ends up. What a person asks for
 * of the finished pose is met as near to it as can be, and layers that are to have the last word have it. When no limb turns any more its twist is shared along it. Root motion is taken out when the hips have their final place. Last, what is skinned beside the body goes where the body has ended up.
 */
export const PASSES = [
  copyRotations,
  moveJoints,
  moveRoot,
  moveLegRoots,
  addPoseLayers,
  limitJoints,
  spaceLimbs,
  matchGround,
  solveCarriers,
  placeGoals,
  holdContacts,
  keepAboveGround,
  settleHips,
  solveLimbs,
  placeFeet,
  solveChains,
  lookAtPoint,
  applyConstraints,
  addFinalLayers,
  spreadTwist,
  extractRoot,
  followSkin,
] as const satisfies readonly Pass[];

/** The name of a pass. */
export type PassName = (typeof PASSES)[number]['name'];

/** The names of the passes, in the order in which they run. */
export const PASS_NAMES: readonly PassName[] = PASSES.map(({ name }) => name);

/** Makes sure that passes are. @throws UsageError that names the one that is none. */
export function checkPasses(passes: readonly unknown[] | undefined): void {
  if (passes === undefined) return;
  listAt(passes, 'passes').forEach((pass, i) => {
    oneOf(pass, PASS_NAMES, `passes[${i}]`);
  });
}

/** A setup in which feet and hands stay as copied. */
export function withoutCorrections(setup: Setup): Setup {
  return withoutPasses(
    setup,
    (PASSES as readonly Pass[]).filter(({ corrects }) => corrects),
  );
}
