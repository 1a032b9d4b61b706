import type { NameTable } from '../name-table.js';

/** Roblox's fifteen parts: the lower torso is the hips. */
export const roblox: NameTable = {
  name: 'Roblox R15',
  hips: 'LowerTorso',
  spine: 'UpperTorso',
  neck: 'Neck',
  head: 'Head',
  upperArm: 'UpperArm',
  lowerArm: 'LowerArm',
  hand: 'Hand',
  upperLeg: 'UpperLeg',
  lowerLeg: 'LowerLeg',
  foot: 'Foot',
  ignored: 'HumanoidRootPart|Root|HumanoidRootNode',
};
