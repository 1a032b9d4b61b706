import {
  type ArmatureDocument,
  type JointEdit,
  type ReferenceChoice,
  type RetargetOptions,
  type RigMapDocument,
  UsageError,
} from '@stuntdouble/core/engine';
import {
  type ClipRange,
  checkJobOptions,
  type RetargetJob,
  readFamily,
  readOptionsOf,
  type TogetherJob,
} from '@stuntdouble/jobs';
import { readDocument, readJson, type WriteOptions } from '@stuntdouble/jobs/node';
import type { SharedOptions } from '../commands/context.js';
import { checkInputs, contentOf, isStandardOutput, STREAM } from '../standard-streams.js';
import { checkRetargetOutputs } from './check-retarget-outputs.js';
import { optionsOfFlags } from './option-flags.js';
import { recipeFamily, recipeOrigin } from './recipe-origin.js';

/** What is typed; flags that stand for options of the engine are in the engine's list, and understood by `optionsOfFlags`. */
export type RetargetCommandOptions = SharedOptions &
  WriteOptions & {
    output?: string;
    clip?: string[];
    keys?: boolean;
    fps?: number;
    range?: ClipRange;
    map?: string;
    pair?: NonNullable<RigMapDocument['changes']>;
    recipe?: string;
    saveRecipe?: string;
    saveLayer?: string;
    rootMotionFile?: string;
    contacts?: string;
    constraints?: string;
    with?: string[];
    prop?: string[];
    referenceFrom?: string[];
    newBind?: boolean;
    replace?: boolean;
    animationOnly?: boolean;
    compress?: boolean;
    dryRun?: boolean;
    picture?: string;
    card?: string;
    camera?: NonNullable<RetargetJob['camera']>;
    /** False where `--no-heat` was typed. */
    heat?: boolean;
  } & ArmatureFlags &
  EditFlags;

/**
 * What was typed as a job, with the documents that it names read.
 * @throws UsageError where flags cannot be meant together, or name files that must not be written.
 */
export async function readRetargetJob(
  source: string,
  target: string,
  options: RetargetCommandOptions,
): Promise<RetargetJob> {
  if (options.keys && options.fps !== undefined)
    throw new UsageError('--keys keeps the keys as they are and --fps bakes them; give one of the two');
  checkInputs(['SOURCE', source], ['TARGET', target]);
  if (isStandardOutput(options.output) && options.json)
    throw new UsageError(
      '-o - writes the file to standard output, where --json writes too; give one of the two',
    );
  const reading = { options: readOptionsOf(options) };
  const fileOf = (typed: string) => ({ ...contentOf(typed), ...reading });
  const referenceFrom = options.referenceFrom ?? (await recipeFamily(options.recipe));
  const family = await readFamily(referenceFrom, readOptionsOf(options));
  const job: RetargetJob = {
    source: fileOf(source),
    target: fileOf(target),
    options: {
      ...optionsOfFlags(options),
      ...(family.length > 0 && { sourceFamily: family }),
      ...(await readArmatures(options)),
      ...editedReferences(options),
    },
    ...(options.clip && { clips: options.clip }),
    ...(options.pair && { pairs: options.pair }),
    ...(options.range && { range: options.range }),
    ...(options.newBind && { newBind: true }),
    ...(outputOf(options.output) !== undefined && { output: outputOf(options.output)! }),
    ...(options.replace && { replace: true }),
    ...(options.animationOnly && { animationOnly: true }),
    ...(options.compress && { compress: true }),
    ...(options.picture !== undefined && { picture: options.picture }),
    ...(options.card !== undefined && { card: options.card }),
    ...(options.camera !== undefined && { camera: options.camera }),
    ...(options.heat === false && { heat: false }),
    ...(options.saveRecipe !== undefined && {
      saveRecipe: options.saveRecipe,
      origin: recipeOrigin(options.saveRecipe, { source, target, family: referenceFrom }),
    }),
    ...(options.saveLayer !== undefined && { saveLayer: options.saveLayer }),
    ...(options.rootMotionFile !== undefined && { rootMotionFile: options.rootMotionFile }),
  };
  checkJobOptions({ ...job, contacts: options.contacts, constraints: options.constraints });
  checkRetargetOutputs(
    isStandardOutput(options.output) ? withoutOutput(options) : options,
    [source, target].filter((file) => file !== STREAM),
  );
  for (const kind of ['recipe', 'map', 'contacts', 'constraints'] as const) {
    const document = await readDocument(options[kind]);
    if (document) job[kind] = document;
  }
  return job;
}

/** Joints of reference poses that are edited, and the poses that they are edited from. */
type EditFlags = {
  editSource?: readonly JointEdit[];
  editTarget?: readonly JointEdit[];
  referenceSource?: ReferenceChoice;
  referenceTarget?: ReferenceChoice;
};

function editedReferences(options: EditFlags): Pick<RetargetOptions, 'sourceReference' | 'targetReference'> {
  const { editSource, editTarget, referenceSource = 'auto', referenceTarget = 'auto' } = options;
  return {
    ...(editSource && { sourceReference: { base: referenceSource, edits: editSource } }),
    ...(editTarget && { targetReference: { base: referenceTarget, edits: editTarget } }),
  };
}

/** Files that say which chains cover SOURCE and TARGET. */
export type ArmatureFlags = { armatureSource?: string; armatureTarget?: string };

/** Reads the armatures that flags name. */
export async function readArmatures({
  armatureSource: source,
  armatureTarget: target,
}: ArmatureFlags): Promise<Pick<RetargetOptions, 'sourceArmature' | 'targetArmature'>> {
  return {
    ...(source !== undefined && { sourceArmature: await readJson(source, 'an armature', armatureOf) }),
    ...(target !== undefined && { targetArmature: await readJson(target, 'an armature', armatureOf) }),
  };
}

/** What a file says of chains: an armature, or a recipe that holds nothing else. */
function armatureOf(json: unknown): ArmatureDocument {
  if (typeof json !== 'object' || json === null || !('chains' in json || 'SkeletonStructure' in json))
    throw new UsageError('it lists no chains; "stuntdouble inspect FILE --armature OUT" writes an armature');
  return json as ArmatureDocument;
}

/** Flags that speak of one source and one target. */
const ONE_PAIR = ['recipe', 'map', 'contacts', 'saveRecipe', 'newBind'] as const;

/**
 * The job of several characters in one space.
 * @throws UsageError where flags cannot be meant for several.
 */
export function togetherJob(job: RetargetJob, options: RetargetCommandOptions): TogetherJob {
  const typed = options.with ?? [];
  if (typed.length % 2 !== 0)
    throw new UsageError(
      `--with takes a SOURCE and a TARGET for every other character, and got ${typed.length} file${typed.length === 1 ? '' : 's'}`,
    );
  for (const name of ONE_PAIR)
    if (options[name] !== undefined && options[name] !== false)
      throw new UsageError(
        `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} is for one pair of files; leave it out with --with`,
      );
  if (isStandardOutput(options.output) || [...typed, ...(options.prop ?? [])].includes(STREAM))
    throw new UsageError('--with reads and writes several files; - is for one');
  const fileOf = (name: string) => ({ name, content: name, options: readOptionsOf(options) });
  const { clips, recipe, map, contacts, saveRecipe, newBind, ...rest } = job;
  return {
    ...rest,
    options: { ...rest.options, ...(clips && { clips }) },
    others: Array.from({ length: typed.length / 2 }, (_, n) => ({
      source: fileOf(typed[2 * n]!),
      target: fileOf(typed[2 * n + 1]!),
    })),
    ...(options.prop && { props: options.prop.map(fileOf) }),
  };
}

/** The name of the file to make; of standard output only the extension counts, and none is the target's. */
function outputOf(output: string | undefined): string | undefined {
  if (!isStandardOutput(output)) return output;
  return output === STREAM ? undefined : `standard-output${output.slice(1)}`;
}

function withoutOutput({ output, ...rest }: RetargetCommandOptions): RetargetCommandOptions {
  return rest;
}
