import {
  chooseCharacter,
  createRig,
  createRigMap,
  type MapRules,
  type ReferenceChoice,
  type Rig,
  type RigMap,
  type RigMapDocument,
  rolesOfDocument,
  type Scene,
  type Warning,
} from '@stuntdouble/core/engine';
import { uniqueWarnings } from './words.js';

/** Two rigs and who drives whom between them. */
export type Mapping = { source: Rig; target: Rig; map: RigMap; warnings: Warning[] };

/** What is told of two files before it is found who drives whom. */
export type MapOptions = {
  /** A map to start from. */
  document?: RigMapDocument;
  /** The skeleton of each, by name or number. */
  sourceSkeleton?: string;
  targetSkeleton?: string;
  sourceReference?: ReferenceChoice;
  targetReference?: ReferenceChoice;
  /** How chains are matched and their joints indexed. */
  rules?: MapRules;
};

/** Finds who drives whom between the characters of two files. */
export function mapScenes(sourceScene: Scene, targetScene: Scene, options: MapOptions = {}): Mapping {
  const { document } = options;
  const warnings = [...sourceScene.warnings, ...targetScene.warnings];
  const rigOf = (
    scene: Scene,
    name: string | undefined,
    reference: ReferenceChoice | undefined,
    side: 'source' | 'target',
  ) => {
    const choice = chooseCharacter(scene, name);
    const { skeleton, clips } = scene.characters[choice.character]!;
    const rig = createRig(skeleton, {
      clips,
      ...(reference === undefined ? {} : { reference }),
      ...(document ? { roles: rolesOfDocument(document, skeleton, side) } : {}),
    });
    warnings.push(...choice.warnings, ...rig.warnings);
    return rig;
  };
  const source = rigOf(sourceScene, options.sourceSkeleton, options.sourceReference, 'source');
  const target = rigOf(targetScene, options.targetSkeleton, options.targetReference, 'target');
  const { map, warnings: mapWarnings } = createRigMap(source, target, document, options.rules);
  return { source, target, map, warnings: uniqueWarnings([...warnings, ...mapWarnings]) };
}
