import type { FbxValue } from '../parse/fbx-node.js';
import type { UnpackBudget } from '../parse/unpack-array.js';

/** Keys of one number over time. */
export type AnimationCurve = {
  /** Seconds, rising. Curves with the same times share them. */
  times: Float64Array;
  values: Float64Array;
  /**
   * How the curve goes on from each key: `STEP`, `STEP_NEXT`, `LINEAR`, `CUBIC`. One
   * number where all keys are alike.
   */
  modes: Uint8Array;
  /** Where the slopes come from; worked out when they are first needed, as dense keys need none. */
  attributes: KeyAttributes;
  tangents: Float64Array | null;
};

/** The attributes of keys, as files have them: runs of keys that share flags and four numbers. */
type KeyAttributes = {
  flags: Float64Array;
  data: FbxValue | undefined;
  runs: Uint32Array;
  budget: UnpackBudget;
};
