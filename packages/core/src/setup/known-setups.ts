import { copyData, isPlainData, isSameData } from '../base/copy-data.js';
import { createMemory, type Memory, remember } from '../base/remember.js';
import type { Rig } from '../body/rig.js';
import { createRigMap } from '../map/create-rig-map.js';
import type { MapRules } from '../map/pair-chains.js';
import type { RigMap } from '../map/rig-map.js';
import type { CorrectionsChoice } from '../options/choose-corrections.js';
import type { RigMapDocument } from '../options/rig-map-document.js';
import type { SetupOptions } from '../options/setup-options.js';
import type { Setup } from '../passes/pass.js';
import { createSetup } from './create-setup.js';

type FoundMap = ReturnType<typeof createRigMap>;

/** So many setups of two rigs are remembered: most callers have one set of options. */
const MOST_SETUPS = 4;

/** What is known of a source together with each target: memories of its own, so that they end with either rig. */
type Pairings = { maps: Memory<ToldMap, FoundMap>; setups: Memory<ToldOptions, Setup> };

const pairings = createMemory<null, Pairings>();

function createPairings(): Pairings {
  return {
    maps: createMemory<ToldMap, FoundMap>(isSameData, MOST_SETUPS),
    setups: createMemory<ToldOptions, Setup>(isSameData, MOST_SETUPS),
  };
}

/** What a map is made by, besides the rigs. */
type ToldMap = { document: RigMapDocument | undefined; how: MapRules };

/** What a setup is told, apart from whom to tell how far it is. */
type ToldOptions = SetupOptions & CorrectionsChoice & { map?: RigMapDocument };

/**
 * {@link createRigMap} as it is remembered: to be read, never changed.
 * @param source A rig of `knownRig`, which nobody changes; so is the target.
 */
export function knownMap(
  source: Rig,
  target: Rig,
  document: RigMapDocument | undefined,
  how: MapRules,
): FoundMap {
  // A map of the user's is quickly read, and a function may mean something else each time.
  if (document?.joints || !isPlainData(how)) return createRigMap(source, target, document, how);
  const { maps } = remember(pairings, source, null, createPairings);
  return remember(
    maps,
    target,
    { document, how },
    (told) => createRigMap(source, target, told.document, told.how),
    copyData,
  );
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
  options: ToldOptions & { signal?: unknown; onProgress?: unknown },
): Setup {
  const { signal, onProgress, ...told } = options;
  if (!isPlainData(told)) return createSetup(source, target, map, options);
  const { setups } = remember(pairings, source, null, createPairings);
  // Of a copy: a setup holds on to what it was told, and callers may change theirs.
  return remember(setups, target, told, (kept) => createSetup(source, target, map, kept), copyData);
}
