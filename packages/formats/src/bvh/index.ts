import type { Format } from '../format.js';
import { readBvh } from './read-bvh.js';
import { sniffBvh } from './sniff-bvh.js';
import { writeBvhScene } from './write-bvh-scene.js';

export { EULER_ORDERS, type EulerOrder } from '../shared/euler.js';
export { type ReadBvhOptions, readBvh } from './read-bvh.js';
export { type WriteBvhOptions, writeBvh } from './write-bvh.js';

/** Biovision hierarchies: motion capture as text. */
export const bvh: Format = {
  name: 'BVH',
  extensions: ['bvh'],
  sniff: sniffBvh,
  read: async (bytes, { bvh: own, ...options }) => readBvh(bytes, { ...options, ...own }),
  write: writeBvhScene,
};
