/** What a file may ask for. Each is looked at before room is made for what is beyond it. */
export type Limits = {
  /** Bytes of a file and of all files that it names, together. */
  bytes: number;
  /** Bytes that are decoded as one text: the JSON of a glTF, an ASCII FBX, a BVH in UTF-16. At most 2²⁹ − 24. */
  text: number;
  /** Joints of a file; of glTF and FBX all nodes count, as each may be one. At most 32,768. */
  joints: number;
  /** Keys of all clips, added up over their tracks. */
  keys: number;
  /** Seconds from 0 to the last key of a clip. */
  seconds: number;
};

/** The limits that hold where a caller sets none. */
export const DEFAULT_LIMITS: Readonly<Limits> = {
  // Five times the largest character that is known to be sold.
  bytes: 2 ** 30,
  // The longest string of V8; decoding a longer one ends the process.
  text: 2 ** 29 - 24,
  // Ten times the largest character that is known. One costs a tenth of a millisecond and ten kilobytes to understand.
  joints: 10_000,
  // Two and a half hours of a whole body at 120 frames a second.
  keys: 2 ** 26,
  // Eleven days: time alone costs nothing, and files whose times are not in seconds can still be read.
  seconds: 1_000_000,
};
