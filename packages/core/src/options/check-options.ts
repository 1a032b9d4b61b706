import { UsageError } from '../base/errors.js';
import { fieldsOf, listAt, numberAt, oneOf, textAt } from '../base/plain-data.js';
import { LIMBS } from '../body/roles.js';
import type { SetupOptions } from '../options/setup-options.js';
import { PASS_NAMES } from '../passes/pipeline.js';
import { checkLimbSolvers, SOLVED_LIMBS } from './limb-solvers.js';
import type { RetargetOptions } from './retarget-options.js';

/*
 * What types say and JavaScript does not check: a misspelt word would silently be the default, and a number that
 * is none would go through to the last key. Options that are looked at where they are used are not looked at here.
 */

/** Makes sure that passes are. @throws UsageError that names the one that is none. */
export function checkPasses(passes: readonly unknown[] | undefined): void {
  if (passes === undefined) return;
  listAt(passes, 'passes').forEach((pass, i) => {
    oneOf(pass, PASS_NAMES, `passes[${i}]`);
  });
}

/** Makes sure that the options of `retarget` can be meant. @throws UsageError that names the option. */
export function checkRetargetOptions(options: RetargetOptions): void {
  const { clips, keys, map, morphs, passes, contacts, loop, reduce } = fieldsOf(
    options,
    'options',
  ) as RetargetOptions;
  if (clips !== undefined)
    listAt(clips, 'clips').forEach((name, i) => {
      textAt(name, `clips[${i}]`);
    });
  if (keys !== undefined) oneOf(keys, ['auto', 'keep', 'bake'], 'keys');
  if (map !== undefined) fieldsOf(map, 'map');
  if (morphs !== undefined) fieldsOf(morphs, 'morphs');
  if (contacts !== undefined) fieldsOf(contacts, 'contacts');
  if (loop !== undefined && typeof loop !== 'boolean')
    checkNames(loop, ['seconds', 'travel', 'height'], 'loop');
  if (reduce !== undefined && typeof reduce !== 'boolean')
    checkNames(reduce, ['position', 'angleDegrees'], 'reduce');
  checkPasses(passes);
}

/** Makes sure that an option has no entries but those that there are. @throws UsageError that names the other one. */
function checkNames(value: unknown, names: readonly string[], at: string): Record<string, unknown> {
  const fields = fieldsOf(value, at);
  for (const name of Object.keys(fields)) oneOf(name, names, at);
  return fields;
}

/** Makes sure that a limb's scaling is numbers and curves; what they hold is looked at where they are used. */
function checkScaling(scaling: unknown, at: string): void {
  for (const [name, curve] of Object.entries(checkNames(scaling, ['limbScale', 'rootScale', 'weight'], at)))
    if (curve !== undefined && typeof curve !== 'number')
      listAt(curve, `${at}.${name}`).forEach((key, k) => {
        const { easing } = checkNames(key, ['time', 'value', 'easing'], `${at}.${name}[${k}]`);
        if (easing !== undefined) oneOf(easing, ['step', 'linear', 'smooth'], `${at}.${name}[${k}].easing`);
      });
}

/** Makes sure that the options of a setup can be meant. @throws UsageError that names the option. */
export function checkSetupOptions(options: SetupOptions): void {
  const { alignment, rootScales, rootMotion, root, scales, ground, corrections, solvers, reach } = options;
  const { limbScalings, spacing, lookAt, hold } = options;
  if (rootMotion !== undefined) oneOf(rootMotion, ['keep', 'extract', 'apart', 'inPlace'], 'rootMotion');
  if (scales !== undefined) oneOf(scales, ['rest', 'copied'], 'scales');
  if (corrections !== undefined) oneOf(corrections, ['none', 'auto'], 'corrections');
  if (solvers !== undefined) checkLimbSolvers(solvers, 'solvers');
  if (hold !== undefined) oneOf(hold, ['contacts', 'none'], 'hold');
  if (reach !== undefined) oneOf(reach, ['limbs', 'together'], 'reach');
  if (limbScalings !== undefined)
    for (const [limb, scaling] of Object.entries(checkNames(limbScalings, SOLVED_LIMBS, 'limbScalings')))
      if (scaling !== undefined) checkScaling(scaling, `limbScalings.${limb}`);
  if (spacing !== undefined) checkNames(spacing, ['arms', 'legs'], 'spacing');
  if (root !== undefined) checkNames(root, ['copyPosition', 'copyRotation', 'positionScale'], 'root');
  if (lookAt !== undefined)
    checkNames(lookAt, ['point', 'joint', 'headDegrees', 'eyeDegrees', 'speed', 'weight'], 'lookAt');
  if (rootScales !== undefined)
    for (const [axis, scale] of Object.entries(fieldsOf(rootScales, 'rootScales'))) {
      oneOf(axis, ['horizontal', 'vertical'], 'rootScales');
      if (scale !== undefined && numberAt(scale, `rootScales.${axis}`) < 0)
        throw new UsageError(`rootScales.${axis} is ${scale}; travel cannot be stretched by less than 0`);
    }
  if (alignment !== undefined)
    for (const [limb, mode] of Object.entries(fieldsOf(alignment, 'alignment'))) {
      oneOf(limb, LIMBS, 'alignment');
      if (mode !== undefined) oneOf(mode, ['keep', 'line', 'bones'], `alignment.${limb}`);
    }
  if (ground !== undefined && ground !== null) {
    const { joint } = checkNames(ground, ['joint', 'dynamic'], 'ground');
    if (joint !== undefined) textAt(joint, 'ground.joint');
  }
}
