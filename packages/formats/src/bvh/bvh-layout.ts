import type { BvhChannel } from './parse-bvh.js';

/** What a scene read from a BVH file keeps of it, so that other motion can be written into the same hierarchy. */
export type BvhLayout = {
  /** Tells this document from those of other formats. */
  kind: 'bvh';
  /** The channels of each joint, by the joint's index in the file. */
  channels: BvhChannel[][];
  /** Whether the joint's positions are added to its OFFSET rather than stand in its place. */
  added: boolean[];
};

/** Whether a scene's document is one of BVH's. */
export function isBvhLayout(document: unknown): document is BvhLayout {
  return typeof document === 'object' && document !== null && 'kind' in document && document.kind === 'bvh';
}
