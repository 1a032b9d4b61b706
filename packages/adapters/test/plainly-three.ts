import * as three from '../src/three/index.js';

/** What is exact by itself (directions, kept keys, trips there and back) is tested without corrections. */
const PLAIN = { corrections: 'none' } as const;

/** `retargetClip`, turns and root alone unless told otherwise. */
export const retargetClip: typeof three.retargetClip = (target, source, clip, options) =>
  three.retargetClip(target, source, clip, withPlain(options));

/** `retargetClips`, likewise. */
export const retargetClips: typeof three.retargetClips = (target, source, clips, options) =>
  three.retargetClips(target, source, clips, withPlain(options));

/** `createLiveRetargeter`, likewise. */
export const createLiveRetargeter: typeof three.createLiveRetargeter = (target, source, options) =>
  three.createLiveRetargeter(target, source, withPlain(options));

/** What is no object of options goes on as it is, to be refused. */
function withPlain<Options>(options: Options): Options {
  const isTold = typeof options === 'object' && options !== null;
  return (isTold || options === undefined ? { ...PLAIN, ...options } : options) as Options;
}
