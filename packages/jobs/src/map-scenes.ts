import {
  mapCharacters,
  type Rig,
  type RigMap,
  type Scene,
  type SetUpOptions,
  type Warning,
} from '@stuntdouble/core/engine';
import { uniqueWarnings } from './words.js';

/** Two rigs and who drives whom between them. */
export type Mapping = { source: Rig; target: Rig; map: RigMap; warnings: Warning[] };

/** Finds who drives whom between the characters of two files: what `retarget` finds with the same options. */
export function mapScenes(source: Scene, target: Scene, options: SetUpOptions = {}): Mapping {
  const { source: from, target: to, map, warnings } = mapCharacters(source, target, options);
  return { source: from.rig, target: to.rig, map, warnings: uniqueWarnings([...warnings]) };
}
