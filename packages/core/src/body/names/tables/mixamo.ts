import type { NameTable } from '../name-table.js';
import { humanIk } from './human-ik.js';

/**
 * Mixamo: HumanIK's words behind `mixamorig`, in whatever state exporters left that prefix: `mixamorig:`,
 * `mixamorig1:`, `mixamorig9_`, `mixamorig_`, `Armature_mixamorig:`, or glued as three.js does.
 */
export const mixamo: NameTable = {
  ...humanIk,
  name: 'Mixamo',
  prefix: /^(?:armature[_ :|]?)?mixamorig\d*[:_ .]?/i,
};
