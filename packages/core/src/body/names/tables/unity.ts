import type { NameTable } from '../name-table.js';
import { vrm } from './vrm.js';

/** The words of Unity's humanoid and of VRM 0.x, which call the thumb's first joint proximal. */
export const unity: NameTable = {
  ...vrm,
  name: 'Unity humanoid',
  thumb: ['thumbProximal', 'thumbIntermediate', 'thumbDistal'],
};
