import { UNKNOWNS } from './arm-state.js';

/** Frames from one to another, and whether the clip begins, and ends, with them: else corrections are 0 before and after. */
export type ArmSpan = { first: number; last: number; isOpen: readonly [boolean, boolean] };

/** Frames that arms are solved in: so many, so far apart, from one on. */
export type ArmNodes = { begin: number; count: number; stride: number };

/**
 * Chooses the frames of a span that arms are solved in: those whose numbers are multiples of a stride, so that all spans
 * of a clip look at the same ones. A span that ends before the clip does has nothing corrected in the node before the
 * first and in that behind the last, both in the span or just beside it; one that begins or ends with the clip has a
 * node there, or beyond.
 */
export function nodesOf({ first, last, isOpen }: ArmSpan, stride: number): ArmNodes {
  const begin = isOpen[0] ? first : stride * Math.ceil((first - 1) / stride) + stride;
  const end = isOpen[1]
    ? stride * Math.ceil(last / stride)
    : stride * Math.floor((last + 1) / stride) - stride;
  return { begin, count: Math.max(1, (end - begin) / stride + 1), stride };
}

/**
 * out = what was found in nodes, in others that are nearer to each other: cubic between them, with slopes from neighbour
 * to neighbour, so that it bends as softly as it was solved. 0 beyond nodes beyond which nothing is corrected.
 */
export function spreadFound(
  out: Float64Array,
  into: ArmNodes,
  found: Float64Array,
  { begin, count, stride }: ArmNodes,
  isOpen: readonly [boolean, boolean],
): void {
  for (let f = 0; f < into.count; f++) {
    const at = (into.begin + into.stride * f - begin) / stride;
    const j = Math.floor(at);
    const s = at - j;
    // Hermite's weights: of the way from node to node, and of the slopes at both, which are 0 where nothing is corrected.
    const way = s * s * (3 - 2 * s);
    const leaving = j >= 0 && j < count ? s * (1 - s) * (1 - s) : 0;
    const coming = j + 1 >= 0 && j + 1 < count ? s * s * (s - 1) : 0;
    for (let i = 0; i < UNKNOWNS; i++) {
      const b = j >= 0 && j < count ? found[UNKNOWNS * j + i]! : 0;
      const c = j + 1 >= 0 && j + 1 < count ? found[UNKNOWNS * (j + 1) + i]! : 0;
      const a = j >= 1 && j <= count ? found[UNKNOWNS * (j - 1) + i]! : isOpen[0] ? 2 * b - c : 0;
      const d = j + 2 >= 0 && j + 2 < count ? found[UNKNOWNS * (j + 2) + i]! : isOpen[1] ? 2 * c - b : 0;
      out[UNKNOWNS * f + i] = b + way * (c - b) + (leaving * (c - a) + coming * (d - b)) / 2;
    }
  }
}
