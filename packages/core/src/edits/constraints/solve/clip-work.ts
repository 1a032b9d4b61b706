import { WORK_BUDGET } from './system.js';

/**
 * The work that all frames of a clip may take together, in products; see `WORK_BUDGET`. Goals out of reach take a
 * hundred times as long as others, and a few keys may be thousands of frames: without an end to it, a file of a few
 * kilobytes takes minutes.
 */
export type ClipWork = {
  /** What is left, and what there was. */
  left: number;
  all: number;
};

/** What every clip may take, about an eighth of a second. */
const CLIP_WORK = 200_000_000;
/** What it may take for every key of its source on top: as much as two frames of most sets that contradict each other. */
const KEY_WORK = 24_000_000;
/** No frame takes more of what is left than one part in so many, so that less and less is done, not nothing at once. */
const PARTS_OF_REST = 16;
/**
 * What a frame may take however little is left, fifteen steps of a person and five of two hundred joints: constraints that can
 * be met are, and others are followed some way.
 */
const LEAST_WORK = 50_000;

/** Keys a second from which all of them count: fewer say little of the frames between them, and count the less. */
const DENSE_KEYS = 7.5;

/** The work of a clip of so many seconds whose source has so many keys. */
export function createClipWork(keys: number, seconds: number): ClipWork {
  const density = seconds > 0 ? Math.min(1, keys / (DENSE_KEYS * seconds)) : 1;
  const all = CLIP_WORK + KEY_WORK * keys * density;
  return { left: all, all };
}

/** What the next frame may take. */
export function workOfFrame({ left }: ClipWork): number {
  return Math.min(WORK_BUDGET, LEAST_WORK + Math.max(0, left) / PARTS_OF_REST);
}
