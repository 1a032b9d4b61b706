import { copyData, isPlainData, isSameData } from '../base/copy-data.js';
import type { Rig } from '../body/rig.js';
import { createRigMap } from '../map/create-rig-map.js';
import type { RigMap } from '../map/rig-map.js';
import type { CorrectionsChoice } from '../options/choose-corrections.js';
import type { RigMapDocument } from '../options/rig-map-document.js';
import type { SetupOptions } from '../options/setup-options.js';
import type { Setup } from '../passes/pass.js';
import { createSetup } from './create-setup.js';

type FoundMap = ReturnType<typeof createRigMap>;

/** What is known of two rigs together. */
type Pairing = {
  map: FoundMap | null;
  /** The latest first. */
  setups: { told: object; setup: Setup }[];
};

/** By source, then by target, of rigs that are remembered; it ends with either. */
const pairings = new WeakMap<Rig, WeakMap<Rig, Pairing>>();

/** So many setups of two rigs are remembered: most callers have one set of options. */
const MOST_SETUPS = 4;

function pairingOf(source: Rig, target: Rig): Pairing {
  let ofSource = pairings.get(source);
  if (!ofSource) {
    ofSource = new WeakMap();
    pairings.set(source, ofSource);
  }
  let pairing = ofSource.get(target);
  if (!pairing) {
    pairing = { map: null, setups: [] };
    ofSource.set(target, pairing);
  }
  return pairing;
}

/**
 * {@link createRigMap} as it is remembered: to be read, never changed.
 * @param source A rig of `knownRig`, which nobody changes; so is the target.
 */
export function knownMap(source: Rig, target: Rig, document?: RigMapDocument): FoundMap {
  // A map of the user's is quickly read.
  if (document?.joints) return createRigMap(source, target, document);
  const pairing = pairingOf(source, target);
  pairing.map ??= createRigMap(source, target, document);
  return pairing.map;
}

/**
 * {@link createSetup} as it is remembered: to be read, never changed. Options that are no plain data, such as the
 * ground as a function, may mean something else each time: with them it is made anew.
 * @param source A rig of `knownRig`, which nobody changes; so is the target.
 * @param map What {@link knownMap} gave for these rigs and the map among the options.
 */
export function knownSetup(
  source: Rig,
  target: Rig,
  map: RigMap,
  options: SetupOptions &
    CorrectionsChoice & { map?: RigMapDocument; signal?: unknown; onProgress?: unknown },
): Setup {
  const { signal, onProgress, ...told } = options;
  const pairing = pairingOf(source, target);
  const found = pairing.setups.find((each) => isSameData(each.told, told));
  if (found) return found.setup;
  if (!isPlainData(told)) return createSetup(source, target, map, options);
  // Of a copy: a setup holds on to what it was told, and callers may change theirs.
  const kept = copyData(told);
  const setup = createSetup(source, target, map, kept);
  pairing.setups = [{ told: kept, setup }, ...pairing.setups.slice(0, MOST_SETUPS - 1)];
  return setup;
}
