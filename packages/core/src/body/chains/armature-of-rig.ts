import { createMemory, remember } from '../../base/remember.js';
import type { Skeleton } from '../../scene/skeleton.js';
import type { Rig } from '../rig.js';
import type { Armature } from './armature.js';
import { createArmature } from './create-armature.js';

const found = createMemory<Skeleton, Armature>();

/** The chains of a rig: those it was told, else those that are found. To be read, never changed. */
export function armatureOfRig({ skeleton, armature }: Pick<Rig, 'skeleton' | 'armature'>): Armature {
  return armature ?? remember(found, skeleton, skeleton, () => createArmature(skeleton));
}
