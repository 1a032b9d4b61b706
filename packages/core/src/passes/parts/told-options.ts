import type { ListedOptions as AnyOptions } from '../../options/retarget-options.js';
import type { PassName } from '../pipeline.js';

/** What `retarget` may be told; everything has a default that needs no set-up. */
export type RetargetOptions = Omit<AnyOptions, 'passes'> & {
  /** Which passes run; all if left out. */
  passes?: readonly PassName[];
};

/** How one clip is moved: which passes run, and whether keys are kept. */
export type ClipOptions = Pick<
  RetargetOptions,
  'passes' | 'keys' | 'frameRate' | 'between' | 'wholeBody' | 'mapIsTold' | 'measure'
>;
