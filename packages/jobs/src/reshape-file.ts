import {
  type Character,
  chooseCharacter,
  createRig,
  isRole,
  jointLabel,
  type ReshapeNode,
  readReshapeScript,
  reshapeClip,
  reshapeSkeleton,
  type Scene,
  UsageError,
  type Warning,
} from '@stuntdouble/core/engine';
import { writeBytes } from '@stuntdouble/formats';
import type { NamedScene } from './choose-clips.js';
import { Failure, sentenceOf } from './failure.js';
import { extensionOf, outputPaths } from './output-paths.js';
import { uniqueWarnings } from './words.js';

/** A skeleton to be rebuilt with fewer joints. */
export type ReshapeJob = {
  input: NamedScene;
  /** What is made; its extension decides the format. */
  output: string;
  /** The skeleton that is taken, by name or number. */
  skeleton?: string;
  /** The joints that stay: their names, all body parts, or a script with the name of its file. */
  keep: readonly string[] | 'roles' | { name: string; text: string };
  /** Told the paths before anything is made; what it throws ends the job. */
  onPlan?: (paths: readonly string[]) => void;
};

/** What a skeleton has become. */
export type Reshaped = {
  /** How many joints there were. */
  before: number;
  /** The joints that stay. */
  names: string[];
  clips: string[];
  made: { path: string; bytes: Uint8Array }[];
  warnings: Warning[];
};

/**
 * Makes a file whose skeleton has fewer joints, its clips worked into those that stay, in memory.
 * @throws UsageError or Failure that says which joint or file is wrong.
 */
export async function reshapeFile({ input, output, skeleton, keep, onPlan }: ReshapeJob): Promise<Reshaped> {
  const extension = extensionOf(output, 'OUT');
  const { scene } = input;
  const { character, warnings: choiceWarnings } = chooseCharacter(scene, skeleton);
  const chosen = scene.characters[character]!;
  const reshaping = reshapeSkeleton(chosen.skeleton, jointsToKeep(chosen, keep));
  const clips = chosen.clips.map((clip) => reshapeClip(reshaping, clip));
  const warnings: Warning[] = [...scene.warnings, ...choiceWarnings, ...reshaping.warnings];
  const reshaped: Scene = {
    ...scene,
    characters: [{ skeleton: reshaping.skeleton, clips }],
    morphs: [],
    // No longer what the file's document holds: writing makes a new one.
    document: null,
  };
  const names = clips.map(({ name }) => name);
  const plan = outputPaths(output, names);
  onPlan?.(plan.map(({ path }) => path));
  const made: Reshaped['made'] = [];
  for (const { path, clips: indices } of plan) {
    const written = await writeBytes(extension, {
      scene: reshaped,
      character: 0,
      clips: indices.map((i) => clips[i]!),
    }).catch((error: unknown) => {
      throw error instanceof UsageError ? new Failure(`${input.name}: ${sentenceOf(error)}`) : error;
    });
    warnings.push(...written.warnings);
    made.push({ path, bytes: written.bytes });
  }
  return {
    before: chosen.skeleton.names.length,
    names: reshaping.skeleton.names,
    clips: names,
    made,
    warnings: uniqueWarnings(warnings),
  };
}

function jointsToKeep(
  { skeleton, clips }: Character,
  keep: ReshapeJob['keep'],
): readonly string[] | readonly ReshapeNode[] {
  if (keep === 'roles') {
    const roles = Object.entries(createRig(skeleton, { clips }).joints).filter(([role]) => isRole(role));
    if (roles.length === 0)
      throw new Failure(`no body part of "${skeleton.name}" was recognised; name joints`);
    return roles.map(([, joint]) => jointLabel(skeleton, joint));
  }
  if (!('text' in keep)) return keep;
  try {
    return readReshapeScript(keep.text);
  } catch (error) {
    throw new Failure(`cannot read ${keep.name}: ${sentenceOf(error)}`);
  }
}
