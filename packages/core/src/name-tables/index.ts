import { classicBvh } from './classic-bvh.js';
import { cmu } from './cmu.js';
import { humanIk } from './human-ik.js';
import { mixamo } from './mixamo.js';
import type { NameTable } from './name-table.js';
import { rigify } from './rigify.js';
import { unity } from './unity.js';
import { unreal } from './unreal.js';
import { vrm } from './vrm.js';

export type { NameTable } from './name-table.js';

/** Every naming convention that is known. Where two explain a skeleton equally well, the earlier one labels. */
export const NAME_TABLES: readonly NameTable[] = [
  humanIk,
  mixamo,
  cmu,
  unreal,
  rigify,
  vrm,
  unity,
  classicBvh,
];
