import * as babylon from '../src/babylon/index.js';

/** What is exact by itself (directions, kept keys, Babylon's own rules) is tested without corrections. */
const PLAIN = { corrections: 'none' } as const;

/** `retargetAnimationGroup`, turns and root alone unless told otherwise. */
export const retargetAnimationGroup: typeof babylon.retargetAnimationGroup = (avatar, group, options) =>
  babylon.retargetAnimationGroup(avatar, group, withPlain(options));

/** `retargetAnimationGroups`, likewise. */
export const retargetAnimationGroups: typeof babylon.retargetAnimationGroups = (avatar, groups, options) =>
  babylon.retargetAnimationGroups(avatar, groups, withPlain(options));

/** `createLiveRetargeter`, likewise. */
export const createLiveRetargeter: typeof babylon.createLiveRetargeter = (avatar, source, options) =>
  babylon.createLiveRetargeter(avatar, source, withPlain(options));

function withPlain<Options extends { stuntdouble?: object } | null | undefined>(options: Options): Options {
  return { ...options, stuntdouble: { ...PLAIN, ...options?.stuntdouble } } as Options;
}
