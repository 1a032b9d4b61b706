import { borrow } from '../../base/lend-room.js';

/** The bit of what is noted for a whole arm that says that the other one is near; the others are of its probes. */
export const NEAR_OTHER = 1 << 30;

/** Notes of what is near arms in the frames of a clip. */
export type NearNotes = {
  /** Per row of the record and hand: per part the probes that are near it, a bit each; then those that are near any, and `NEAR_OTHER`. */
  masks: Uint32Array;
  /** Per row and hand where elbow and wrist were when that was noted: xyz each. */
  places: Float64Array;
  /** Per row how far elbows and wrists may be from where they were, metres, so that still nothing is asked; and where they were, in the order of `places`. */
  clear: Float64Array;
  /** Numbers of a hand, and of a row, in `masks`. */
  hand: number;
  row: number;
};

/** Numbers of a row in `clear`. */
export const CLEAR_NUMBERS = 13;

/** Room for notes. */
export function createNearNotes(parts: number, rows: number): NearNotes {
  const hand = parts + 1;
  return {
    masks: new Uint32Array(2 * hand * rows),
    places: borrow(12 * rows).fill(Number.POSITIVE_INFINITY),
    clear: borrow(CLEAR_NUMBERS * rows),
    hand,
    row: 2 * hand,
  };
}

/** The probes of an arm that are near anything in a row, and {@link NEAR_OTHER}. */
export function notedOf({ masks, row, hand: width }: NearNotes, slot: number, hand: number): number {
  return masks[row * slot + width * (hand + 1) - 1]!;
}
