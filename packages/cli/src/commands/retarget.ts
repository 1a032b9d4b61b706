import { retargetFiles } from '@stuntdouble/jobs';
import { checkOutputs, writeWhole } from '@stuntdouble/jobs/node';
import type { Command } from 'commander';
import {
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
} from '../flags/arguments.js';
import { checkRootMotionFile } from '../flags/check-root-motion-file.js';
import { RETARGET_HELP } from '../flags/retarget-help.js';
import {
  IMITATION,
  type RetargetCommandOptions,
  ROOT_MOTION,
  readRetargetJob,
  TRANSLATIONS,
} from '../flags/retarget-options.js';
import { parseLimbScales, parseSolvers } from '../flags/solver-arguments.js';
import { type Retargeted, retargetJson, retargetLines } from '../text/retarget-summary.js';
import { addSharedOptions, addWriteOptions, answer, type Context, finish } from './context.js';

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
    .addHelpText('after', RETARGET_HELP)
    .action((source: string, target: string, options: RetargetCommandOptions) =>
      run(source, target, options, context),
    );
}

async function run(
  source: string,
  target: string,
  options: RetargetCommandOptions,
  context: Context,
): Promise<void> {
  const { files, report } = await retargetFiles({
    ...(await readRetargetJob(source, target, options)),
    onPlan: (plan) => {
      checkRootMotionFile(plan.options, options);
      if (!options.dryRun) checkOutputs(plan.files, options);
    },
    onProgress: context.terminal.progress.update,
  });
  // All files are made before the first is written: what fails, fails before anything has changed.
  if (!options.dryRun) for (const { name, bytes } of files) writeWhole(name, bytes, options);
  const done: Retargeted = { files, report, dryRun: options.dryRun === true };
  answer(
    context,
    options,
    () => retargetJson(done),
    () => retargetLines(done, context.terminal),
  );
  finish(context, options, report.warnings);
}
