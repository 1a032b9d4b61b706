import {
  type Clip,
  chooseCharacter,
  judgeTornSkin,
  judgeWarnings,
  measureClip,
  measureSkin,
  mirrorScene,
  partNotes,
  type RetargetOptions,
  type RetargetResult,
  type RigMapDocument,
  retarget,
  type Scene,
  setUpScenes,
  UsageError,
  type VerdictReason,
  verdictOf,
} from '@stuntdouble/core/engine';
import { readMeshes, rebind } from '@stuntdouble/formats';
import { checkJobOptions } from './check-job-options.js';
import { chooseClips, type NamedScene, refuseHuge } from './choose-clips.js';
import { commonRange } from './clip-range.js';
import { decidesCorrections } from './correction-options.js';
import type { JobDocument } from './documents/parse-document.js';
import { readJobDocuments, recipeOptions } from './documents/read-job-documents.js';
import { isPlayedAsStored, playSpireFile } from './documents/spire-files.js';
import { makeFiles, rolesOf } from './make-files.js';
import { refuseWithNewBind } from './new-bind.js';
import { defaultOutput, lastName, outputPaths } from './output-paths.js';
import { hearEvents, partOf, type TellProgress } from './progress.js';
import { readScene, requireSkeleton } from './read-scene.js';
import type { FileFacts, JobFile, JobReport, MadeFile, MovedClips, RetargetJob } from './retarget-job.js';
import { rootMotionJson } from './root-motion-file.js';
import { uniqueWarnings } from './words.js';

/**
 * Moves clips from one file onto the character in another: reads both, retargets, and makes every file that was
 * asked for, in memory. It prints nothing and writes nothing.
 * @throws UsageError where the job cannot be meant as it stands, Failure where a file cannot be used, and what the
 * signal throws.
 */
export async function retargetFiles(
  job: RetargetJob,
): Promise<{ files: MadeFile[]; report: JobReport; moved: MovedClips }> {
  const tell: TellProgress = (...told) => {
    job.signal?.throwIfAborted();
    job.onProgress?.(...told);
  };
  const { options = {} } = job;
  checkJobOptions(job);
  const documents = await readJobDocuments(job);

  tell(0, 1, `reading ${lastName(job.source.name)}`);
  const source = { name: job.source.name, scene: await sceneOf(job.source, job.signal) };
  await hearEvents(job.signal);
  tell(0.05, 1, `reading ${lastName(job.target.name)}`);
  const target = { name: job.target.name, scene: await sceneOf(job.target, job.signal) };
  await hearEvents(job.signal);
  const morphsAlone = checkScenes(source, target, job);

  const recipe = recipeOptions(documents, source.scene, target.scene, options, morphsAlone);
  const map = withPairs(documents.map ?? options.map ?? recipe.map, job.pairs);
  const clips = chooseClips(source, target, {
    ...(job.clips && { clips: job.clips }),
    ...(options.sourceSkeleton === undefined ? {} : { sourceSkeleton: options.sourceSkeleton }),
  });
  const { output = defaultOutput(source.scene, target.scene) } = job;
  const names = clips.map(({ name }) => name);
  const plan = output === null ? [] : outputPaths(output, names);
  const others = [job.picture, job.card, job.saveRecipe, job.saveLayer, job.rootMotionFile].filter(
    (name) => name !== undefined,
  );
  job.onPlan?.({ files: [...plan.map(({ path }) => path), ...others], options: { ...recipe, ...options } });

  const range = job.range && commonRange(job.range, clips);
  refuseHuge(clips, range, options);
  const typed = {
    ...options,
    ...(documents.contacts ? { contacts: documents.contacts } : {}),
    ...documents.edits,
  };
  const both = { ...recipe, ...typed };
  // A recipe says by name whether feet and hands are corrected; what is asked for besides has the last word.
  if (typed.corrections === undefined && decidesCorrections(typed)) delete both.corrections;
  const isRebound = job.newBind === true || documents.recipe?.bind === 'retargeted';
  if (isRebound) {
    if (output === null)
      throw new UsageError('a mesh that is bound anew is for the clips of one source; write a file for each');
    if (job.newBind && typed.corrections === undefined) delete both.corrections;
    refuseWithNewBind(both, typed, { ...job, output });
    if (morphsAlone)
      throw new UsageError(
        `${source.name} moves morph targets alone; --new-bind is for files with a skeleton`,
      );
    both.corrections = 'none';
  }
  const told: RetargetOptions = {
    ...both,
    ...(job.clips ? { clips: clips.map(({ name }) => name) } : {}),
    ...(map ? { map } : {}),
    ...(range ? { range } : {}),
  };
  const watched = {
    ...told,
    onProgress: partOf(tell, 0.1, 0.9),
    ...(job.signal && { signal: job.signal }),
  };
  const result: RetargetResult = isRebound
    ? await rebind(source.scene, target.scene, watched)
    : retarget(source.scene, target.scene, watched);
  const isTold = documents.map !== undefined || (job.pairs?.length ?? 0) > 0 || range !== undefined;
  if (documents.spire && !morphsAlone && !isRebound && !isTold && isPlayedAsStored(typed))
    playStored(result, documents.spire, source.scene, target.scene, told);
  await hearEvents(job.signal);

  const character = morphsAlone ? 0 : chooseCharacter(target.scene, told.targetSkeleton).character;
  const roles = rolesOf(told.map, target.scene, character);
  const done = { job, source, target, clips, plan, told, isRebound, result, character, roles };
  const { files, pictured, warnings: fromWriting } = await makeFiles(done, tell);
  const sourceCharacter = morphsAlone ? 0 : chooseCharacter(source.scene, options.sourceSkeleton).character;
  const parted = partNotes(
    uniqueWarnings([
      ...documents.warnings,
      ...source.scene.warnings,
      ...target.scene.warnings,
      ...result.report.warnings,
      ...result.report.notes,
      ...fromWriting,
    ]),
  );
  const known = new Set(result.report.warnings.map(({ message }) => message));
  const later = parted.warnings.filter(({ message }) => !known.has(message));
  const verdict = verdictOf([
    ...result.report.verdict.reasons,
    ...(await judgeSkinOf(source.scene, target.scene, told, result)),
    ...judgeWarnings(later).reasons,
  ]);
  return {
    files,
    moved: { clips: result.clips, character: result.character, ...(roles && { roles }) },
    report: {
      source: factsOf(source, sourceCharacter),
      target: factsOf(target, character),
      retarget: result.report,
      rootMotion: rootMotionJson(result),
      drivenMorphs: new Set(
        result.clips.flatMap(({ morphs }) => morphs.map(({ mesh, morph }) => `${mesh}/${morph}`)),
      ).size,
      pictured,
      ...parted,
      verdict,
    },
  };
}

/** A map with more changes on top of it. */
function withPairs(
  map: RigMapDocument | undefined,
  pairs: RetargetJob['pairs'] = [],
): RigMapDocument | undefined {
  return pairs.length === 0 ? map : { version: 1, ...map, changes: [...(map?.changes ?? []), ...pairs] };
}

/** Puts the clips that a `.retarget` file plays by its stored numbers in place of computed ones, and measures those. */
function playStored(
  result: RetargetResult,
  spire: JobDocument,
  source: Scene,
  target: Scene,
  options: RetargetOptions,
): void {
  const { setup, sourceIndex, targetIndex } = setUpScenes(source, target, options);
  const from = source.characters[sourceIndex]!;
  const wanted = result.report.clips.map(({ name }) => from.clips.find((clip) => clip.name === name)!);
  const played = playSpireFile(spire, from.skeleton, target.characters[targetIndex]!.skeleton, wanted);
  played.forEach((clip, n) => {
    result.clips[n] = { ...result.clips[n]!, tracks: clip.tracks };
    if (options.measure !== false)
      result.report.measures[n] = measureClip(setup, wanted[n]!, result.clips[n]!);
  });
}

/** Why the skin of a result is broken: looked at where some of it hangs beside the body and nothing moves it. */
async function judgeSkinOf(
  source: Scene,
  target: Scene,
  options: RetargetOptions,
  { clips, character, report }: RetargetResult,
): Promise<VerdictReason[]> {
  const isLoose = report.warnings.some(({ code }) => code === 'skin-left-behind');
  if (!isLoose || options.measure === false) return [];
  const meshes = (await readMeshes(target)).filter((mesh) => mesh.character === character);
  const { setup } = setUpScenes(options.mirror ? mirrorScene(source) : source, target, options);
  return judgeTornSkin(clips.map((clip) => measureSkin(setup, clip, meshes)));
}

function sceneOf({ name, content, options }: JobFile, signal: RetargetJob['signal']): Promise<Scene> | Scene {
  if (typeof content === 'object' && 'characters' in content) return content;
  return readScene(name, { ...options, ...(signal && { signal }) }, content);
}

/**
 * Makes sure that there is something to move, and something to move it onto.
 * @returns whether the source has no skeleton and moves morph targets alone.
 */
function checkScenes(source: NamedScene, target: NamedScene, job: RetargetJob): boolean {
  const hasMorphs = ({ morphs }: Clip) => morphs.length > 0;
  const morphsAlone =
    source.scene.characters.length === 0 && source.scene.otherClips?.some(hasMorphs) === true;
  if (!morphsAlone) requireSkeleton(source.name, source.scene);
  if (!morphsAlone || target.scene.morphs.length === 0) requireSkeleton(target.name, target.scene);
  if (morphsAlone && (job.picture ?? job.card ?? job.saveRecipe) !== undefined)
    throw new UsageError(
      `${source.name} moves morph targets alone; --picture, --card and --save-recipe are for files with a skeleton`,
    );
  return morphsAlone;
}

function factsOf({ name, scene }: NamedScene, character: number): FileFacts {
  return {
    name,
    format: scene.format,
    characters: scene.characters.length,
    joints: scene.characters[character]?.skeleton.names.length ?? null,
    morphTargets: scene.morphs.reduce((sum, { names }) => sum + names.length, 0),
  };
}
