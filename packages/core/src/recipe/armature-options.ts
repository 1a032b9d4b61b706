import type { Warning } from '../base/warnings.js';
import { readArmature } from '../body/chains/armature-document.js';
import type { Rig } from '../body/rig.js';
import { solversOfArmature } from '../options/limb-solvers.js';
import { limitsOfArmature } from '../passes/limit-joints.js';
import type { RetargetOptions } from '../passes/parts/told-options.js';

/**
 * What {@link retarget} must be told to solve limbs as an armature says: each by the solver of its chain, within the
 * limits of its joints (K1, K3, K28). Where it says nothing of limbs or limits, nothing is told.
 * @param json An armature document of the target, be it of the older shape.
 * @throws UsageError that names the first place that is wrong.
 */
export function optionsOfArmature(
  json: unknown,
  target: Rig,
): { options: Pick<RetargetOptions, 'solvers' | 'limits'>; warnings: Warning[] } {
  const { armature, warnings } = readArmature(json, target.skeleton);
  const solvers = solversOfArmature(armature, target);
  const limits = limitsOfArmature(armature.limits, target.skeleton);
  return {
    options: {
      ...(Object.keys(solvers).length > 0 && { solvers }),
      ...(Object.keys(limits).length > 0 && { limits }),
    },
    warnings,
  };
}
