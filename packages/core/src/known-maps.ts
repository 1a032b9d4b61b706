import type { Rig } from './rig.js';
import { createRigMap, type RigMapDocument } from './rig-map.js';

type FoundMap = ReturnType<typeof createRigMap>;

/** Maps by the two rigs, of those that are remembered; they end with either. */
const maps = new WeakMap<Rig, WeakMap<Rig, FoundMap>>();

/**
 * {@link createRigMap} as it is remembered: to be read, never changed.
 * @param source A rig of `knownRig`, which nobody changes; so is the target.
 */
export function knownMap(source: Rig, target: Rig, document?: RigMapDocument): FoundMap {
  // A map of the user's is quickly read.
  if (document?.joints) return createRigMap(source, target, document);
  let ofSource = maps.get(source);
  if (!ofSource) {
    ofSource = new WeakMap();
    maps.set(source, ofSource);
  }
  let found = ofSource.get(target);
  if (!found) {
    found = createRigMap(source, target, document);
    ofSource.set(target, found);
  }
  return found;
}
