import { UsageError } from '@stuntdouble/core';
import { checkIsObject, isGiven } from '../shared/option-values.js';

/**
 * Makes sure that what only three.js's side knows can be meant; the rest is looked at by the engine.
 * @throws UsageError that names the option.
 */
export function checkOptions(options: unknown): void {
  checkIsObject(options);
  const { names, onWarning, ...others } = options;
  for (const option of ['vrmBones', 'sourceVrmBones']) {
    const bones = others[option];
    if (isGiven(bones) && bones !== 'raw' && bones !== 'normalized')
      throw new UsageError(`${option} is ${String(bones)}; it is 'raw' or 'normalized'`);
  }
  if (isGiven(names) && Object.prototype.toString.call(names) !== '[object Object]')
    throw new UsageError(
      `names is ${typeof names === 'object' ? 'a list or a Map' : String(names)}; give an object of target names and the source names that drive them`,
    );
  if (isGiven(onWarning) && typeof onWarning !== 'function')
    throw new UsageError(`onWarning is ${String(onWarning)}; give a function`);
}
