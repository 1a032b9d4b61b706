/*
 * Room for numbers that are needed while a clip is looked at, and not after: several megabytes for half a minute of
 * motion. Made anew for every clip they bring the collector in every other time, which took a tenth of the whole.
 */

/** More numbers than these are not kept from one clip to the next: 16 MB. */
const MOST_KEPT = 1 << 21;

let room = new Float64Array(0);
/** How many numbers of the room are lent, and how many were asked for while any were. */
let lent = 0;
let asked = 0;
let borrowers = 0;

/** Does work that may {@link borrow}; what it has borrowed is taken back when it is done, and must not be kept. */
export function lendRoom<Result>(work: () => Result): Result {
  const before = lent;
  borrowers++;
  try {
    return work();
  } finally {
    lent = before;
    borrowers--;
    if (borrowers === 0) {
      const needed = Math.min(asked, MOST_KEPT);
      if (needed > room.length) room = new Float64Array(needed);
      asked = 0;
    }
  }
}

/** Room for numbers, all 0; lent where there is somebody who takes it back, see {@link lendRoom}. */
export function borrow(length: number): Float64Array {
  if (borrowers > 0) asked += length;
  const end = lent + length;
  if (borrowers === 0 || end > room.length) return new Float64Array(length);
  const own = room.subarray(lent, end);
  lent = end;
  own.fill(0);
  return own;
}
