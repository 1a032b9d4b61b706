import type { NameTable } from '../name-table.js';
import { humanIk } from './human-ik.js';

/** Decentraland's avatars: HumanIK's words behind `Avatar_`. */
export const decentraland: NameTable = {
  ...humanIk,
  name: 'Decentraland',
  prefix: /^avatar_/i,
};
