import type { NameTable } from '../name-table.js';
import { rigify } from './rigify.js';

/** Rigify before Blender 2.78, whose torso has names instead of numbers. */
export const rigifyEarly: NameTable = {
  ...rigify,
  name: 'early Rigify',
  hips: 'hips',
  spine: 'spine|spine-1|chest|chest-1|ribs',
  neck: 'neck|neck-1',
  head: 'head',
};
