import { basename } from 'node:path';
import {
  type AlignmentMode,
  type Clip,
  chooseCharacter,
  chooseCorrections,
  createRig,
  frameRateOf,
  goalsOf,
  type ImitationMode,
  LEG_JOINT_LIMITS,
  type Limb,
  type LimbScalings,
  type LimbSolvers,
  type LookRule,
  leavesCorrectionsOut,
  type MorphMap,
  mirrorScene,
  optionsOfArmature,
  optionsOfRecipe,
  PASS_NAMES,
  type PassName,
  type Recipe,
  type ReferenceChoice,
  type RetargetOptions,
  type RetargetResult,
  type RootRule,
  recipeOf,
  retarget,
  rolesOfDocument,
  type Scene,
  setUpScenes,
  type TranslationMode,
  UsageError,
  type Warning,
} from '@stuntdouble/core';
import { read, rebind, writeBytes } from '@stuntdouble/formats';
import type { Command } from 'commander';
import {
  type ClipRange,
  collect,
  parseAlignment,
  parseChoice,
  parseGround,
  parseLook,
  parseLoop,
  parseModes,
  parseMorphs,
  parsePasses,
  parsePositive,
  parseRange,
  parseReference,
  parseRoot,
  parseRootScale,
  parseSpacing,
  parseTolerance,
  secondsOfRange,
} from '../arguments.js';
import { Failure } from '../failure.js';
import { jsonText } from '../json-text.js';
import { refuseWithNewBind } from '../new-bind.js';
import { defaultOutput, extensionOf, outputPaths } from '../output-paths.js';
import { checkOutputs, isSameFile, type WriteOptions } from '../output-place.js';
import { listed } from '../pair-clips.js';
import { partOf } from '../progress.js';
import { readOptionsOf, readScene, requireSkeleton } from '../read-scene.js';
import { type Retargeted, retargetLines } from '../retarget-summary.js';
import { checkRootMotionFile, rootMotionBytes, rootMotionJson } from '../root-motion-file.js';
import { parseLimbScales, parseSolvers } from '../solver-arguments.js';
import { isSpireFile, readSpireOptions } from '../spire-files.js';
import { short, uniqueWarnings, warningJson } from '../words.js';
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
  { output, clips: [{ name, frames, duration, way }], mapped, warnings: [{ code, message }], measures: [...] }
  output is the path, a list of paths where there are several, null with --dry-run; mapped is the number of
  target joints that are driven; way is copy, keys (kept), products or frames (baked); measures as measure --json. With
  --root-motion apart also rootMotion: [{ name, times, translations, rotations }], in seconds, metres (xyz) and
  turns about the vertical (xyzw), which --root-motion-file writes too.
`;

const ROOT_MOTION = { keep: 'keep', extract: 'extract', apart: 'apart', 'in-place': 'inPlace' } as const;
const IMITATION = {
  turn: 'worldDelta',
  direction: 'direction',
  keep: 'keep',
} as const satisfies Record<string, ImitationMode>;
const TRANSLATIONS = {
  rest: 'rest',
  'root-scaled': 'rootScaled',
  'length-scaled': 'boneLengthScaled',
  copied: 'copied',
} as const satisfies Record<string, TranslationMode>;

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
    passes?: PassName[];
    skeleton?: string;
    sourceSkeleton?: string;
    rootMotion?: keyof typeof ROOT_MOTION;
    rootScale?: { horizontal: number; vertical: number };
    align?: Partial<Record<Limb, AlignmentMode>>;
    rootMotionJoint?: string;
    rootMotionFile?: string;
    root?: RootRule;
    imitate?: Record<string, keyof typeof IMITATION>;
    translations?: Record<string, keyof typeof TRANSLATIONS>;
    scales?: 'rest' | 'copied';
    checkHierarchy?: boolean;
    corrections?: 'none' | 'auto';
    contacts?: string;
    spacing?: { arms: number; legs: number };
    lookAt?: LookRule;
    limitLegs?: boolean;
    solver?: LimbSolvers;
    reach?: 'limbs' | 'together';
    limbScale?: LimbScalings;
    mirror?: boolean;
    repairKeys?: boolean;
    loop?: true | { seconds: number };
    reduce?: true | { position: number; angleDegrees?: number };
    ground?: true | { joint?: string; dynamic?: boolean };
    morph?: MorphMap;
    newBind?: boolean;
    replace?: boolean;
    animationOnly?: boolean;
    dryRun?: boolean;
    picture?: string;
    measure: boolean;
  };

/** Adds the command `retarget SOURCE TARGET`. */
export function addRetarget(program: Command, context: Context): void {
  addWriteOptions(
    addSharedOptions(
      program
        .command('retarget')
        .summary('move clips of SOURCE onto the character in TARGET')
        .description(
          'Moves the clips of SOURCE onto the character in TARGET, whatever its names, units, axes, rest pose and proportions, and writes them into a copy of the target file. Prints what was understood, how well it fits, and what to look at.',
        )
        .argument('<SOURCE>', 'the file with the motion: .glb, .gltf, .vrm, .vrma, .fbx or .bvh')
        .argument('<TARGET>', 'the file with the character that shall move')
        .option('-o, --output <OUT>', 'the file to write: .glb, .vrm, .gltf, .vrma, .fbx or .bvh')
        .option('--clip <NAME>', 'take this clip of SOURCE; repeatable; all clips if left out', collect)
        .option('--keys', 'keep the keys of SOURCE; an error where that cannot be exact')
        .option('--fps <N>', 'bake to N frames a second', parsePositive)
        .option('--range <START:END>', 'take a part: seconds (0.5:2) or frames (10f:40f)', parseRange)
        .option('--speed <X>', 'play X times as fast', parsePositive)
        .option('--map <FILE>', 'who drives whom, as "stuntdouble map -o" writes it')
        .option(
          '--recipe <FILE>',
          'do as a saved recipe (or .retarget file) says; what is given besides has the last word',
        )
        .option('--save-recipe <FILE>', 'write down all of this, map included, to be edited and repeated')
        .option('--reference-source <POSE>', 'the pose turns of SOURCE are counted from', parseReference)
        .option('--reference-target <POSE>', 'likewise for TARGET', parseReference)
        .option('--passes <NAMES>', 'run these passes alone, with commas between them', parsePasses)
        .option('--skeleton <NAME>', 'the skeleton of TARGET, by name or number, where there are several')
        .option('--source-skeleton <NAME>', 'the skeleton of SOURCE, likewise')
        .option(
          '--root-motion <HOW>',
          'keep on the hips, extract to the root joint, take apart into a file, or stay in-place',
          parseChoice(Object.keys(ROOT_MOTION) as (keyof typeof ROOT_MOTION)[]),
        )
        .option('--root-motion-file <FILE>', 'write what --root-motion apart takes out, as .json')
        .option('--root-scale <H[,V]>', 'stretch the travel by H along the floor and V up', parseRootScale)
        .option(
          '--align <LIMB=MODE>',
          'how a limb of the reference is aligned: keep, line or bones; repeatable',
          parseAlignment,
        )
        .option(
          '--root-motion-joint <NAME>',
          'read root motion from this joint or body part; the hips if left out',
        )
        .option(
          '--root <PARTS[,SCALE]>',
          'what the hips take over: both, position, rotation or none; SCALE 0 takes their metres as they are, 1 scales them',
          parseRoot,
        )
        .option(
          '--imitate <[PART=]MODE>',
          'how a limb or chain follows: turn, direction (of its bones), keep (not at all); repeatable',
          parseModes(Object.keys(IMITATION) as (keyof typeof IMITATION)[]),
        )
        .option(
          '--translations <[JOINT=]MODE>',
          'how joints move in their parents: rest, root-scaled, length-scaled or copied; repeatable',
          parseModes(Object.keys(TRANSLATIONS) as (keyof typeof TRANSLATIONS)[]),
        )
        .option(
          '--scales <MODE>',
          'joints that grow: rest or copied',
          parseChoice(['rest', 'copied'] as const),
        )
        .option('--check-hierarchy', 'leave out joints that hang otherwise than those that drive them')
        .option(
          '--corrections <WHICH>',
          'feet that hold and hands that touch: auto, which is the default, or none for plain turns',
          parseChoice(['auto', 'none'] as const),
        )
        .option(
          '--ground [JOINT]',
          'keep the height of a joint or body part over the floor as in SOURCE: a toe if none is named; "lowest" takes the lowest joint of each frame',
          parseGround,
        )
        .option(
          '--morph <FROM=TO>',
          'put the morph target FROM of SOURCE onto TO, or on none (FROM=), where names do not tell; repeatable',
          parseMorphs,
        )
        .option(
          '--contacts <FILE>',
          'hold feet and hands when FILE says, as "stuntdouble inspect --contacts -o" writes it',
        )
        .option(
          '--spacing <ARMS[,LEGS]>',
          'spread arms and legs (up to 1: 45°) or draw them in (down to -1)',
          parseSpacing,
        )
        .option(
          '--look-at <WHAT>',
          'turn head and eyes to X,Y,Z in metres, or to a joint or body part of TARGET',
          parseLook,
        )
        .option('--limit-legs', 'keep hips and knees within what human legs can do')
        .option(
          '--solver <[LIMB=]SOLVER>',
          'how a limb is brought to its goal, see below: two-bone, which is the default, fabrik, ccd, damped …; repeatable',
          parseSolvers,
        )
        .option(
          '--reach <HOW>',
          'limbs: arms reach by themselves; together: the spine bends for both hands where they cannot',
          parseChoice(['limbs', 'together'] as const),
        )
        .option(
          '--limb-scale <LIMB=SCALE[,ROOT]>',
          'goals of a limb from where the hand or foot of SOURCE is (0) to the same reach (1), and likewise from where the limb begins; repeatable',
          parseLimbScales,
        )
        .option('--mirror', 'exchange left and right')
        .option('--repair-keys', 'first replace single rotation keys that stand a half turn off')
        .option(
          '--loop [SECONDS]',
          'make the last pose the first, eased over 0.25 s or what is given',
          parseLoop,
        )
        .option(
          '--reduce [MM]',
          'leave out keys that no joint misses by more than 0.1 mm and 0.1°, or MM[,DEGREES]',
          parseTolerance,
        )
        .option(
          '--new-bind',
          'bind the mesh of TARGET anew, so that the rotation keys of SOURCE play on it as they are; feet and hands are not corrected, and clips of TARGET are dropped',
        )
        .option('--replace', 'drop the clips that TARGET has already')
        .option('--animation-only', 'write the skeleton and its clips without meshes')
        .option('--dry-run', 'do everything but write')
        .option('--picture <FILE>', 'draw source and result side by side into a .png')
        .option('--no-measure', 'skip the measures, which take their time on long clips'),
    ),
  )
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
      ...libraryOptions(options),
      ...(options.contacts === undefined ? {} : { contacts: {} }),
    };
    refuseWithNewBind(asked, asked, options);
  }
  refuseUncorrected({
    ...libraryOptions(options),
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
      ? await readSpireOptions(options.recipe, source, target, libraryOptions(options))
      : { ...armatureOptions(saved, target, options.skeleton), ...saved.options };
  const map = ownMap ?? recipe.map;
  const clips = chooseClips(sourcePath, source, targetPath, target, options);
  checkRootMotionFile({ ...recipe, ...libraryOptions(options) }, options);
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
  const typed = { ...libraryOptions(options), ...(contacts ? { contacts } : {}) };
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

function libraryOptions(options: RetargetCommandOptions): RetargetOptions {
  return {
    ...(options.measure ? {} : { measure: false }),
    ...(options.keys ? { keys: 'keep' } : options.fps === undefined ? {} : { keys: 'bake' }),
    ...(options.fps === undefined ? {} : { frameRate: options.fps }),
    ...(options.speed === undefined ? {} : { speed: options.speed }),
    ...(options.referenceSource === undefined ? {} : { sourceReference: options.referenceSource }),
    ...(options.referenceTarget === undefined ? {} : { targetReference: options.referenceTarget }),
    ...(options.sourceSkeleton === undefined ? {} : { sourceSkeleton: options.sourceSkeleton }),
    ...(options.skeleton === undefined ? {} : { targetSkeleton: options.skeleton }),
    ...(options.passes === undefined ? {} : { passes: options.passes }),
    ...(options.align === undefined ? {} : { alignment: options.align }),
    ...(options.rootScale === undefined ? {} : { rootScales: options.rootScale }),
    ...(options.rootMotionJoint === undefined ? {} : { rootMotionJoint: options.rootMotionJoint }),
    ...(options.root && { root: options.root }),
    ...(options.imitate && { imitation: mapValues(options.imitate, IMITATION) }),
    ...(options.translations && { translations: mapValues(options.translations, TRANSLATIONS) }),
    ...(options.scales === undefined ? {} : { scales: options.scales }),
    ...(options.checkHierarchy && { checkHierarchy: true }),
    ...(options.corrections === undefined ? {} : { corrections: options.corrections }),
    ...(options.morph && { morphs: options.morph }),
    ...(options.spacing && { spacing: options.spacing }),
    ...(options.lookAt && { lookAt: options.lookAt }),
    ...(options.limitLegs && { limits: LEG_JOINT_LIMITS }),
    ...(options.solver && { solvers: options.solver }),
    ...(options.reach === undefined ? {} : { reach: options.reach }),
    ...(options.limbScale && { limbScalings: options.limbScale }),
    ...(options.mirror && { mirror: true }),
    ...(options.repairKeys && { repairKeys: true }),
    ...(options.loop && { loop: options.loop }),
    ...(options.reduce && { reduce: options.reduce }),
    ...(options.ground && { ground: options.ground === true ? {} : options.ground }),
    ...(options.rootMotion === undefined ? {} : { rootMotion: ROOT_MOTION[options.rootMotion] }),
  };
}

/** Whether what was typed says by itself whether feet and hands are corrected. */
function decidesCorrections(typed: RetargetOptions): boolean {
  return (
    typed.keys === 'keep' || typed.passes !== undefined || CORRECTION_FLAGS.some(([, name]) => typed[name])
  );
}

/** Flags that say how hands and feet are corrected. */
const CORRECTION_FLAGS = [
  ['--contacts', 'contacts'],
  ['--solver', 'solvers'],
  ['--reach', 'reach'],
  ['--limb-scale', 'limbScalings'],
] as const;

/** What says how goals are reached means nothing where there are none. */
function refuseUncorrected(typed: RetargetOptions): void {
  const flag = CORRECTION_FLAGS.find(([, name]) => typed[name] !== undefined)?.[0];
  const against = [
    typed.corrections === 'none' && '--corrections none',
    typed.keys === 'keep' && '--keys',
    leavesCorrectionsOut(typed) && '--passes without placeGoals and solveLimbs',
  ].find((words) => words !== false);
  if (flag && against)
    throw new UsageError(
      `${flag} says how feet and hands are corrected, and with ${against} they are not; leave out one of the two`,
    );
}

function mapValues<K extends string, V>(words: Record<string, K>, values: Record<K, V>): Record<string, V> {
  return Object.fromEntries(Object.entries(words).map(([name, word]) => [name, values[word]]));
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
    clips: report.clips.map(({ name, frames, duration, way }) => ({ name, frames, duration, way })),
    mapped: report.map.joints.length,
    ...(rootMotion && { rootMotion }),
    warnings: warnings.map(warningJson),
    measures: report.measures,
  };
}
