import { basename } from 'node:path';
import {
  type Clip,
  CORRECTION_OPTIONS,
  chooseCharacter,
  chooseCorrections,
  createRig,
  frameRateOf,
  goalsOf,
  leavesCorrectionsOut,
  mirrorScene,
  optionsOfArmature,
  optionsOfRecipe,
  PASS_NAMES,
  type Recipe,
  type ReferenceChoice,
  type RetargetOptions,
  type RetargetResult,
  recipeOf,
  retarget,
  rolesOfDocument,
  type Scene,
  setUpScenes,
  UsageError,
  type Warning,
} from '@stuntdouble/core';
import { read, rebind, writeBytes } from '@stuntdouble/formats';
import type { Command } from 'commander';
import { type ClipRange, secondsOfRange } from '../arguments.js';
import { Failure } from '../failure.js';
import { jsonText } from '../json-text.js';
import { refuseWithNewBind } from '../new-bind.js';
import { addOptionFlags, flagOf, optionsOfFlags } from '../option-flags.js';
import { defaultOutput, extensionOf, outputPaths } from '../output-paths.js';
import { checkOutputs, isSameFile, type WriteOptions } from '../output-place.js';
import { listed } from '../pair-clips.js';
import { partOf } from '../progress.js';
import { readOptionsOf, readScene, requireSkeleton } from '../read-scene.js';
import { type Retargeted, retargetLines } from '../retarget-summary.js';
import { checkRootMotionFile, rootMotionBytes, rootMotionJson } from '../root-motion-file.js';
import { isSpireFile, readSpireOptions } from '../spire-files.js';
import { short, toldJson, uniqueWarnings } from '../words.js';
import { writeWhole } from '../write-whole.js';
import {
  addSharedOptions,
  addWriteOptions,
  answer,
  type Context,
  finish,
  loadMap,
  type SharedOptions,
} from './context.js';

const EXAMPLES = `
Examples:
  $ stuntdouble retarget walk.glb hero.vrm -o hero-walk.vrm
      all clips of walk.glb on hero: the same file as before, with the clips added
  $ stuntdouble retarget dance.bvh hero.glb -o out.glb --clip dance --range 1.5:4 --fps 30
      a part of one clip, baked to 30 frames a second
  $ stuntdouble retarget walk.glb hero.glb -o hero-walk-clip.glb --animation-only
      the skeleton and its clips alone, for engines that keep clips apart from characters
  $ stuntdouble retarget run.glb hero.glb -o hero-run.bvh --root-motion in-place --dry-run
      say what would come out, and write nothing
  $ stuntdouble retarget walk.glb robot.glb --map robot.json --picture sheet.png
      with a map of your own, and a picture of source and result side by side
  $ stuntdouble retarget walk.glb hero.glb -o hero-limp.glb --mirror --loop --reduce 0.5
      as seen in a mirror, made to loop, with no more keys than half a millimetre needs
  $ stuntdouble inspect walk.glb --contacts -o steps.json; stuntdouble retarget walk.glb hero.glb --contacts steps.json
      hold feet and hands when steps.json says, which you may edit in between
  $ stuntdouble retarget pick-up.glb hero.glb --constraints examples/constraints/pick-and-release.json
      a hand where you say, when you say, with the rest as captured
  $ stuntdouble retarget walk.glb ogre.glb --spacing 0.2,0.1 --look-at 0,1.6,5
      arms and legs spread for a wide body, head and eyes on a point ahead
  $ stuntdouble retarget carry.glb hero.glb --limb-scale arms=0,0 --reach together
      hands where the hands of carry.glb are, and the spine helps where arms are too short
  $ stuntdouble retarget walk.glb hero.glb --imitate arms=keep --imitate legs=keep --limb-scale arms=1 --solver damped
      limbs from their goals alone: inverse kinematics without imitation
  $ stuntdouble retarget walk.glb hero.glb -o hero-walk.glb --new-bind
      the rotation keys of walk.glb as they are, and a mesh that is bound so that they fit
  $ stuntdouble retarget walk.glb hero.glb --save-recipe hero.json; stuntdouble retarget run.glb hero.glb --recipe hero.json
      the same way again for other clips of the same source

The extension of OUT decides the format: .glb, .vrm, .gltf, .vrma, .fbx or .bvh. Without -o it is TARGET-SOURCE in the
current folder, in the target's format. A BVH holds one clip: several become OUT-CLIP.bvh. Everything in the
target's file stays as it is; a clip whose name is taken gets a suffix, --replace drops the old clips. Files
are written whole or not at all, and an existing one is replaced only with --force.

Reference poses are what turns are counted from; auto finds one that looks like a standing body:
  auto, rest (the file's nodes), bind (its skin), frame:K (of the first clip), CLIP@SECONDS or CLIP@Kf

Solvers bring hands and feet to their goals: for all limbs (--solver damped) or one (--solver leftArm=fabrik, arms=ccd,
legs=two-bone, all=damped); what is said of a limb comes before what is said of all. Settings stand behind a colon:
  --solver arms=damped:iterations=50,damping=0.2,tolerance=0.0001,step=0.5   lengths are shares of the limb's
  two-bone bends knee or elbow, exactly; fabrik reaches along straight lines; ccd curls the tip, ccd-forward swings the
  root; damped, pseudo-inverse and transpose share the way among all joints of a limb; none leaves it as copied

Passes, in their order: ${PASS_NAMES.join(', ')} (docs/pipeline.md says what each does)

What --json prints:
  { output, clips: [{ name, frames, duration, way, constraints? }], mapped, notes: [{ code, message }], warnings: [{ code, message }], measures: [...] }
  output is the path, a list of paths where there are several, null with --dry-run; mapped is the number of
  target joints that are driven; way is copy, keys (kept), products or frames (baked); measures as measure --json. With
  --root-motion apart also rootMotion: [{ name, times, translations, rotations }], in seconds, metres (xyz) and
  turns about the vertical (xyzw), which --root-motion-file writes too. With constraints also how each came out:
  [{ index, name, joint, state, frames, missed, worst, worstTime, mean }], in metres, or radians for turns.
`;

/** What is typed; flags that stand for options of the engine are in the engine's list, and understood by `optionsOfFlags`. */
type RetargetCommandOptions = SharedOptions &
  WriteOptions & {
    output?: string;
    clip?: string[];
    keys?: boolean;
    fps?: number;
    range?: ClipRange;
    speed?: number;
    map?: string;
    recipe?: string;
    saveRecipe?: string;
    referenceSource?: ReferenceChoice;
    referenceTarget?: ReferenceChoice;
    skeleton?: string;
    sourceSkeleton?: string;
    rootMotionFile?: string;
    contacts?: string;
    constraints?: string;
    newBind?: boolean;
    replace?: boolean;
    animationOnly?: boolean;
    dryRun?: boolean;
    picture?: string;
  };

/** Adds the command `retarget SOURCE TARGET`. */
export function addRetarget(program: Command, context: Context): void {
  const command = program
    .command('retarget')
    .summary('move clips of SOURCE onto the character in TARGET')
    .description(
      'Moves the clips of SOURCE onto the character in TARGET, whatever its names, units, axes, rest pose and proportions, and writes them into a copy of the target file. Prints what was understood, how well it fits, and what to look at.',
    )
    .argument('<SOURCE>', 'the file with the motion: .glb, .gltf, .vrm, .vrma, .fbx or .bvh')
    .argument('<TARGET>', 'the file with the character that shall move')
    .option('-o, --output <OUT>', 'the file to write: .glb, .vrm, .gltf, .vrma, .fbx or .bvh')
    .option(
      '--recipe <FILE>',
      'do as a saved recipe (or .retarget file) says; what is given besides has the last word',
    )
    .option('--save-recipe <FILE>', 'write down all of this, map included, to be edited and repeated')
    .option('--root-motion-file <FILE>', 'write what --root-motion apart takes out, as .json')
    .option(
      '--new-bind',
      'bind the mesh of TARGET anew, so that the rotation keys of SOURCE play on it as they are; feet and hands are not corrected, and clips of TARGET are dropped',
    )
    .option('--replace', 'drop the clips that TARGET has already')
    .option('--animation-only', 'write the skeleton and its clips without meshes')
    .option('--dry-run', 'do everything but write')
    .option('--picture <FILE>', 'draw source and result side by side into a .png');
  addOptionFlags(addWriteOptions(addSharedOptions(command)))
    .addHelpText('after', EXAMPLES)
    .action((source: string, target: string, options: RetargetCommandOptions) =>
      run(source, target, options, context),
    );
}

async function run(
  sourcePath: string,
  targetPath: string,
  options: RetargetCommandOptions,
  context: Context,
): Promise<void> {
  if (options.keys && options.fps !== undefined)
    throw new UsageError('--keys keeps the keys as they are and --fps bakes them; give one of the two');
  if (options.newBind) {
    const asked = {
      ...optionsOfFlags(options),
      ...(options.contacts === undefined ? {} : { contacts: {} }),
      ...(options.constraints === undefined ? {} : { constraints: [] }),
    };
    refuseWithNewBind(asked, asked, options);
  }
  refuseUncorrected({
    ...optionsOfFlags(options),
    ...(options.contacts === undefined ? {} : { contacts: {} }),
  });
  if (options.output !== undefined) {
    extensionOf(options.output);
    refuseInput(options.output, [sourcePath, targetPath], options);
  }
  if (options.picture !== undefined) {
    if (!/\.png$/i.test(options.picture))
      throw new UsageError(`--picture ${options.picture}: pictures are written as .png`);
    refuseInput(options.picture, [sourcePath, targetPath], options);
  }
  if (options.saveRecipe !== undefined) {
    if (!/\.json$/i.test(options.saveRecipe))
      throw new UsageError(`--save-recipe ${options.saveRecipe}: recipes are written as .json`);
    refuseInput(options.saveRecipe, [sourcePath, targetPath], options);
  }
  if (options.rootMotionFile !== undefined)
    refuseInput(options.rootMotionFile, [sourcePath, targetPath], options);
  const saved = await loadRecipe(options.recipe);
  const ownMap = await loadMap(options.map);
  const contacts =
    options.contacts === undefined
      ? undefined
      : (await (await import('../read-contacts.js')).readContactsFile(options.contacts)).clips;
  const edits =
    options.constraints === undefined
      ? {}
      : await (await import('../read-edits.js')).readEditsFile(options.constraints);
  const { progress } = context.terminal;
  progress.update(0, 1, `reading ${basename(sourcePath)}`);
  const source = await readScene(sourcePath, readOptionsOf(options));
  progress.update(0.05, 1, `reading ${basename(targetPath)}`);
  const target = await readScene(targetPath, readOptionsOf(options));
  const morphsAlone = source.characters.length === 0 && source.otherClips?.some(hasMorphs) === true;
  if (!morphsAlone) requireSkeleton(sourcePath, source);
  if (!morphsAlone || target.morphs.length === 0) requireSkeleton(targetPath, target);
  if (morphsAlone && (options.picture ?? options.saveRecipe) !== undefined)
    throw new UsageError(
      `${sourcePath} moves morph targets alone; --picture and --save-recipe are for files with a skeleton`,
    );
  const recipe =
    isSpireFile(options.recipe) && !morphsAlone
      ? await readSpireOptions(options.recipe, source, target, optionsOfFlags(options))
      : { ...armatureOptions(saved, target, options.skeleton), ...saved.options };
  const map = ownMap ?? recipe.map;
  const clips = chooseClips(sourcePath, source, targetPath, target, options);
  checkRootMotionFile({ ...recipe, ...optionsOfFlags(options) }, options);
  const output = options.output ?? defaultOutput(source, target);
  const plan = outputPaths(
    output,
    clips.map(({ name }) => name),
  );
  const files = [
    ...plan.map(({ path }) => path),
    ...(options.picture === undefined ? [] : [options.picture]),
    ...(options.saveRecipe === undefined ? [] : [options.saveRecipe]),
    ...(options.rootMotionFile === undefined ? [] : [options.rootMotionFile]),
  ];
  if (!options.dryRun) checkOutputs(files, options);

  const range = options.range && commonRange(options.range, clips);
  refuseHuge(clips, range, options);
  const typed = { ...optionsOfFlags(options), ...(contacts ? { contacts } : {}), ...edits };
  const both = { ...recipe, ...typed };
  // A recipe says by name whether feet and hands are corrected; what is typed has the last word.
  if (typed.corrections === undefined && decidesCorrections(typed)) delete both.corrections;
  const isRebound = options.newBind === true || saved.recipe?.bind === 'retargeted';
  if (isRebound) {
    if (options.newBind && typed.corrections === undefined) delete both.corrections;
    refuseWithNewBind(both, typed, { ...options, output });
    if (morphsAlone)
      throw new UsageError(
        `${sourcePath} moves morph targets alone; --new-bind is for files with a skeleton`,
      );
    both.corrections = 'none';
  }
  const told: RetargetOptions = {
    ...both,
    ...(options.clip ? { clips: clips.map(({ name }) => name) } : {}),
    ...(map ? { map } : {}),
    ...(range ? { range } : {}),
  };
  const watched = { ...told, onProgress: partOf(progress, 0.1, 0.9) };
  const result: RetargetResult = isRebound
    ? await rebind(source, target, watched)
    : retarget(source, target, watched);

  // All files are made before the first is written: what fails, fails before anything has changed.
  const warnings: Warning[] = [
    ...saved.warnings,
    ...source.warnings,
    ...target.warnings,
    ...result.report.warnings,
    ...result.report.notes,
  ];
  const made: { path: string; bytes: Uint8Array }[] = [];
  const character = morphsAlone ? 0 : chooseCharacter(target, told.targetSkeleton).character;
  const body = target.characters[character];
  const roles = map && body && rolesOfDocument(map, body.skeleton, 'target');
  for (const [n, { path, clips: indices }] of plan.entries()) {
    progress.update(0.9 + (0.05 * n) / plan.length, 1, `making ${basename(path)}`);
    const written = await writeBytes(
      extensionOf(path),
      {
        scene: result.scene,
        character: result.character,
        clips: indices.map((i) => result.clips[i]!),
        ...(roles ? { roles } : {}),
      },
      { replace: options.replace === true, meshes: options.animationOnly !== true },
    );
    warnings.push(...written.warnings);
    made.push({ path, bytes: written.bytes });
    if (written.warnings.some(({ code }) => code === 'clip-name-taken'))
      await takeWrittenNames(result, written.bytes, indices);
  }
  let pictured = 0;
  if (options.picture !== undefined) {
    progress.update(0.95, 1, `drawing ${basename(options.picture)}`);
    const { MOST_CLIPS, pictureOf } = await import('@stuntdouble/picture');
    pictured = Math.min(MOST_CLIPS, result.clips.length);
    const picture = await pictureOf({
      source,
      result,
      sourceClips: clips,
      timing: { start: range?.[0] ?? 0, speed: options.speed ?? 1 },
      ...(map ? { map } : {}),
      ...(options.sourceSkeleton === undefined ? {} : { sourceSkeleton: options.sourceSkeleton }),
      ...(options.referenceSource === undefined ? {} : { sourceReference: options.referenceSource }),
      ...(options.referenceTarget === undefined ? {} : { targetReference: options.referenceTarget }),
    });
    made.push({ path: options.picture, bytes: picture });
  }
  if (options.saveRecipe !== undefined) {
    const { setup } = setUpScenes(told.mirror ? mirrorScene(source) : source, target, told);
    const written = {
      // Which clips were taken, and what part of them, is no part of how it is done. Corrections are said by name,
      // where there is something to correct: what holds if nothing is said may change.
      ...recipeOf(setup, {
        ...withoutClips(told),
        ...(goalsOf(setup)
          ? { corrections: 'auto' }
          : chooseCorrections(told) === 'none'
            ? { corrections: 'none' }
            : {}),
      }),
      ...(isRebound && { bind: 'retargeted' as const }),
      source: {
        ...(told.sourceSkeleton !== undefined && { skeleton: told.sourceSkeleton }),
        file: sourcePath,
      },
      target: {
        ...(told.targetSkeleton !== undefined && { skeleton: told.targetSkeleton }),
        file: targetPath,
      },
    };
    made.push({
      path: options.saveRecipe,
      bytes: new TextEncoder().encode(jsonText(written)),
    });
  }
  if (options.rootMotionFile !== undefined)
    made.push({ path: options.rootMotionFile, bytes: rootMotionBytes(result) });
  if (!options.dryRun) for (const file of made) writeWhole(file.path, file.bytes, options);

  const done: Retargeted = {
    source: {
      path: sourcePath,
      scene: source,
      character: morphsAlone ? 0 : chooseCharacter(source, options.sourceSkeleton).character,
    },
    target: { path: targetPath, scene: target, character },
    result: isRebound ? { ...result, scene: target, character } : result,
    made,
    paths: plan.map(({ path }) => path),
    pictured: options.picture === undefined ? null : pictured,
    dryRun: options.dryRun === true,
    warnings: uniqueWarnings(warnings),
  };
  answer(
    context,
    options,
    () => retargetJson(done),
    () => retargetLines(done, context.terminal),
  );
  finish(context, options, done.warnings);
}

function hasMorphs({ morphs }: Clip): boolean {
  return morphs.length > 0;
}

function withoutClips({ clips: _clips, range: _range, ...rest }: RetargetOptions): RetargetOptions {
  return rest;
}

/** What a recipe says, where one was given. */
async function loadRecipe(path: string | undefined): Promise<SavedOptions> {
  if (path === undefined || isSpireFile(path)) return { recipe: null, options: {}, warnings: [] };
  const { recipe, warnings } = await (await import('../read-recipe.js')).readRecipeFile(path);
  if (recipe.source?.armature !== undefined)
    warnings.push({
      code: 'recipe-entry-ignored',
      message: 'recipe.source.armature is nothing that retarget carries out; it has no effect',
    });
  return { recipe, options: optionsOfRecipe(recipe), warnings };
}

type SavedOptions = { recipe: Recipe | null; options: RetargetOptions; warnings: Warning[] };

/** What the armature of a recipe says of the target's limbs; what was imperfect about it joins the recipe's warnings. */
function armatureOptions(
  { recipe, warnings }: SavedOptions,
  target: Scene,
  skeleton = recipe?.target?.skeleton,
): RetargetOptions {
  const armature = recipe?.target?.armature;
  if (armature === undefined || target.characters.length === 0) return {};
  const character = target.characters[chooseCharacter(target, skeleton).character]!;
  const told = optionsOfArmature(armature, createRig(character.skeleton, { clips: character.clips }));
  warnings.push(...told.warnings);
  return told.options;
}

/** Gives the report the names that clips have got in the file, where their own were taken. */
async function takeWrittenNames(
  { character, report }: RetargetResult,
  file: Uint8Array,
  indices: readonly number[],
): Promise<void> {
  const { characters } = await read(file, { skin: false });
  // New clips stand at the end, in order.
  const names = (characters[character]?.clips ?? []).slice(-indices.length).map(({ name }) => name);
  indices.forEach((i, n) => {
    const name = names[n];
    if (!name?.startsWith(report.clips[i]!.name)) return;
    report.clips[i]!.name = name;
    const measures = report.measures[i];
    if (measures) measures.name = name;
  });
}

function refuseInput(path: string, inputs: readonly string[], { force }: RetargetCommandOptions): void {
  if (force) return;
  for (const input of inputs)
    if (isSameFile(path, input))
      throw new UsageError(`${path} is one of the files that are read; --force replaces it all the same`);
}

/** Whether what was typed says by itself whether feet and hands are corrected. */
function decidesCorrections(typed: RetargetOptions): boolean {
  return (
    typed.keys === 'keep' || typed.passes !== undefined || CORRECTION_OPTIONS.some((name) => typed[name])
  );
}

/** What says how goals are reached means nothing where there are none. */
function refuseUncorrected(typed: RetargetOptions): void {
  const name = CORRECTION_OPTIONS.find((each) => typed[each] !== undefined);
  const against = [
    typed.corrections === 'none' && '--corrections none',
    typed.keys === 'keep' && '--keys',
    leavesCorrectionsOut(typed) && '--passes without placeGoals and solveLimbs',
  ].find((words) => words !== false);
  if (name && against)
    throw new UsageError(
      `${flagOf(name)} says how feet and hands are corrected, and with ${against} they are not; leave out one of the two`,
    );
}

/** The clips of the source that were asked for, in the order they were asked for; all if none was named. */
function chooseClips(
  sourcePath: string,
  source: Scene,
  targetPath: string,
  target: Scene,
  options: RetargetCommandOptions,
): Clip[] {
  const character =
    source.characters.length > 0 ? chooseCharacter(source, options.sourceSkeleton).character : 0;
  const clips = source.characters[character]?.clips ?? source.otherClips ?? [];
  if (clips.length === 0) {
    const other = source.characters.findIndex((each) => each.clips.length > 0);
    if (other >= 0)
      throw new Failure(
        `skeleton ${character} of ${sourcePath} has no clips, but skeleton ${other} has ${source.characters[other]!.clips.length}: choose it with --source-skeleton ${other}`,
      );
    const count = Math.max(0, ...target.characters.map((each) => each.clips.length));
    throw new Failure(
      count > 0
        ? `${sourcePath} has no clips but ${targetPath} has ${count}: are the two files swapped? (SOURCE, with the motion, comes first)`
        : `${sourcePath} has no clips: there is no motion in it`,
    );
  }
  if (!options.clip) return [...clips];
  return [...new Set(options.clip)].map((name) => {
    const clip = clips.find((each) => each.name === name);
    if (!clip)
      throw new UsageError(
        `--clip ${name}: ${sourcePath} has no such clip; it has ${listed(clips.map((each) => each.name))}`,
      );
    return clip;
  });
}

/** More frames than anybody means: nine hours at 30 a second. A broken file can claim a clip of a billion years. */
const MOST_FRAMES = 1_000_000;

function refuseHuge(
  clips: readonly Clip[],
  range: [number, number] | undefined,
  { fps, speed }: RetargetCommandOptions,
) {
  for (const { name, duration } of clips) {
    const length = range ? Math.min(range[1], duration) - range[0] : duration;
    if ((length / (speed ?? 1)) * (fps ?? 30) > MOST_FRAMES)
      throw new Failure(
        `clip "${name}" is ${short(duration)} s long, which would be more than a million frames; take a part with --range, or other clips with --clip`,
      );
  }
}

/**
 * One range in seconds for all clips.
 * @throws UsageError where it is given in frames and the clips do not agree on how long a frame is.
 */
function commonRange(range: ClipRange, clips: readonly Clip[]): [number, number] {
  const rates = clips.map(frameRateOf);
  const inFrames = [range.start, range.end].some((point) => point !== undefined && 'frame' in point);
  if (inFrames && rates.some((rate) => Math.abs(rate - rates[0]!) > 1e-3 * rates[0]!))
    throw new UsageError(
      '--range is in frames, but the clips have different frame rates; choose one with --clip, or give seconds',
    );
  const longest = Math.max(...clips.map(({ duration }) => duration));
  const [start, end] = secondsOfRange(range, longest, rates[0]!);
  if (!(start < end))
    throw new UsageError(`--range goes from ${short(start)} s to ${short(end)} s, where nothing is left`);
  if (start >= longest)
    throw new UsageError(
      `--range starts at ${short(start)} s, but the longest clip ends at ${short(longest)} s`,
    );
  return [start, end];
}

/** The document that `retarget --json` prints. */
export function retargetJson({ result, paths, dryRun, warnings }: Retargeted) {
  const { report } = result;
  const rootMotion = rootMotionJson(result);
  return {
    output: dryRun ? null : paths.length === 1 ? paths[0]! : paths,
    clips: report.clips.map(({ name, frames, duration, way, constraints }) => ({
      ...{ name, frames, duration, way },
      ...(constraints && { constraints }),
    })),
    mapped: report.map.joints.length,
    ...(rootMotion && { rootMotion }),
    ...toldJson(warnings),
    measures: report.measures,
  };
}
