import type { Format } from '../format.js';
import { readBvh } from './read-bvh.js';
import { sniffBvh } from './sniff-bvh.js';

export type { EulerOrder } from './euler.js';
export { type ReadBvhOptions, readBvh } from './read-bvh.js';

/** Biovision hierarchies: motion capture as text. */
export const bvh: Format = {
  name: 'BVH',
  extensions: ['bvh'],
  sniff: sniffBvh,
  read: async (bytes, options) => readBvh(bytes, options),
};
