import { UsageError } from '@stuntdouble/core';
import { checkIsObject, describeValue, isGiven, isObject } from '../shared/option-values.js';
import type { LiveRetargeterOptions, RetargetGroupOptions } from './options.js';
import type { BabylonWarning } from './warnings.js';

/** What both functions take. */
const BOTH = {
  fixRootPosition: true,
  fixGroundReference: true,
  fixGroundReferenceDynamicRefNode: true,
  rootNodeName: true,
  groundReferenceNodeName: true,
  groundReferenceVerticalAxis: true,
  groundMode: true,
  mapNodeNames: true,
  showWarnings: true,
  onWarning: true,
  stuntdouble: true,
} as const;

const LIVE: Readonly<Record<keyof LiveRetargeterOptions, true>> = { ...BOTH, copyMorphs: true };

const GROUP: Readonly<Record<keyof RetargetGroupOptions, true>> = {
  ...BOTH,
  animationGroupName: true,
  fixAnimations: true,
  checkHierarchy: true,
  retargetAnimationKeys: true,
};

const KNOWN = { group: GROUP, live: LIVE } as const;

/**
 * Makes sure that Babylon's options can be meant: JavaScript checks none of them, and a plain object in place of a Map
 * would be no map at all. Those of `stuntdouble` are looked at by the engine.
 * @returns a warning for each option that there is not.
 * @throws UsageError that names the option.
 */
export function checkOptions(options: unknown, kind: keyof typeof KNOWN): BabylonWarning[] {
  checkIsObject(options);
  const { mapNodeNames, groundReferenceVerticalAxis: axis, groundMode, stuntdouble, onWarning } = options;
  if (isGiven(mapNodeNames) && Object.prototype.toString.call(mapNodeNames) !== '[object Map]')
    throw new UsageError(
      `mapNodeNames is ${describeValue(mapNodeNames)}; give a Map of source names and target names`,
    );
  if (isGiven(axis) && !['', 'X', 'Y', 'Z'].includes(axis as string))
    throw new UsageError(`groundReferenceVerticalAxis is ${describeValue(axis)}; it is "X", "Y", "Z" or ""`);
  if (isGiven(groundMode) && groundMode !== 'scaled' && groundMode !== 'pin')
    throw new UsageError(`groundMode is ${describeValue(groundMode)}; it is "scaled" or "pin"`);
  if (isGiven(onWarning) && typeof onWarning !== 'function')
    throw new UsageError(`onWarning is ${describeValue(onWarning)}; give a function`);
  if (isGiven(stuntdouble)) {
    if (!isObject(stuntdouble))
      throw new UsageError(`stuntdouble is ${describeValue(stuntdouble)}; give an object of options`);
    const { match } = stuntdouble;
    if (isGiven(match) && match !== 'auto' && match !== 'names')
      throw new UsageError(`stuntdouble.match is ${describeValue(match)}; it is "auto" or "names"`);
  }
  return Object.keys(options)
    .filter((name) => !(name in KNOWN[kind]))
    .map((name) => ({
      code: 'option-without-effect',
      message: `the option ${name} has no effect: ${
        name in GROUP ? 'live, it means nothing' : 'there is no such option'
      }`,
    }));
}
