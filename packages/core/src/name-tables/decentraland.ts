import { humanIk } from './human-ik.js';
import type { NameTable } from './name-table.js';

/** Decentraland's avatars: HumanIK's words behind `Avatar_`. */
export const decentraland: NameTable = {
  ...humanIk,
  name: 'Decentraland',
  prefix: /^avatar_/i,
};
