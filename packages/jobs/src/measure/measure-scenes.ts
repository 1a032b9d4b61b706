import { chooseCharacter, type MeasureOptions, measure, type Warning } from '@stuntdouble/core/engine';
import { readMeshes } from '@stuntdouble/formats';
import type { NamedScene } from '../choose-clips.js';
import { Failure } from '../failure.js';
import { requireSkeleton } from '../read-scene.js';
import { uniqueWarnings } from '../words.js';
import { judge, type Verdict } from './gates.js';
import { type ClipPairs, pairClips } from './pair-clips.js';

/** Two files of which the second holds what became of clips of the first. */
export type MeasureJob = {
  source: NamedScene;
  result: NamedScene;
  /** `A=B` or `A`: which clips belong together; found by their names if left out. */
  pairs?: readonly string[];
  /** The limits that shall be kept, by flag; see `GATES`. */
  limits?: Readonly<Record<string, number>>;
  /** What the result was made with, so that it is measured by the same. */
  options?: Omit<MeasureOptions, 'pairs' | 'meshes'>;
};

/** The measures of two files. */
export type Measured = ReturnType<typeof measure> &
  ClipPairs & {
    /** Whether each limit is kept. */
    limits: Verdict[];
    /** Everything that was told by reading and measuring. */
    told: Warning[];
  };

/** Measures how true the clips of a result are to those of their source, skin included, and judges them by limits. */
export async function measureScenes({
  source,
  result,
  pairs: asked,
  limits = {},
  options = {},
}: MeasureJob): Promise<Measured> {
  const sourceClips = clipNames(source, options.sourceSkeleton);
  const resultClips = clipNames(result, options.targetSkeleton);
  const paired = pairClips(sourceClips, resultClips, asked);
  const measured = measure(source.scene, result.scene, {
    ...options,
    pairs: paired.pairs,
    meshes: await readMeshes(result.scene),
  });
  return {
    ...measured,
    ...paired,
    limits: judge(measured.clips, limits, measured.warnings),
    told: uniqueWarnings([...source.scene.warnings, ...result.scene.warnings, ...measured.warnings]),
  };
}

function clipNames({ name: path, scene }: NamedScene, skeleton: string | undefined): string[] {
  requireSkeleton(path, scene);
  const { character } = chooseCharacter(scene, skeleton);
  const names = scene.characters[character]!.clips.map(({ name }) => name);
  if (names.length === 0) throw new Failure(`${path} has no clips: there is nothing to measure`);
  return names;
}
