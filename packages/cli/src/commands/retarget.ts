import { UsageError } from '@stuntdouble/core';
import { printable } from '@stuntdouble/core/engine';
import { extensionWords, READ_EXTENSIONS, WRITTEN_EXTENSIONS } from '@stuntdouble/formats/kinds';
import { type RetargetJob, retargetFiles, retargetFilesTogether } from '@stuntdouble/jobs';
import { checkOutputs, writeWhole } from '@stuntdouble/jobs/node';
import { type Command, Help, Option } from 'commander';
import { parseEdit, parsePair } from '../flags/arguments.js';
import { checkRootMotionFile } from '../flags/check-root-motion-file.js';
import { isMainFlag, shortRetargetHelp, wrapHelp } from '../flags/help-pages.js';
import { addOptionFlags } from '../flags/option-flags.js';
import { RETARGET_HELP } from '../flags/retarget-help.js';
import { type RetargetCommandOptions, readRetargetJob, togetherJob } from '../flags/retarget-options.js';
import { isStandardOutput } from '../standard-streams.js';
import { type Retargeted, retargetJson, retargetLines } from '../text/retarget-summary.js';
import { addSharedOptions, addWriteOptions, answer, type Context, finish } from './context.js';

/** Adds the command `retarget SOURCE TARGET`. */
export function addRetarget(program: Command, context: Context): void {
  const command = program
    .command('retarget')
    .summary('move clips of SOURCE onto the character in TARGET')
    .description(
      'Moves the clips of SOURCE onto the character in TARGET, whatever its names, units, axes, rest pose and proportions, and writes them into a copy of the target file. Prints what was understood, how well it fits, and what to look at.',
    )
    .argument('<SOURCE>', `the file with the motion: ${extensionWords(READ_EXTENSIONS)}; - is standard input`)
    .argument('<TARGET>', 'the file with the character that shall move; - is standard input')
    .option(
      '-o, --output <OUT>',
      `the file to write: ${extensionWords(WRITTEN_EXTENSIONS)}; - is standard output, -.bvh in that format`,
    )
    .option(
      '--with <FILES...>',
      'SOURCE2 TARGET2 …: more characters in the same space, whom constraints of each may follow',
    )
    .option('--prop <FILES...>', 'things in the same space that constraints may follow, by the file’s name')
    .option(
      '--recipe <FILE>',
      'do as a saved recipe (or .retarget file) says; what is given besides has the last word',
    )
    .option(
      '--pair <TARGET=SOURCE>',
      'what drives one joint of TARGET, on top of the map that is found or told: a joint of SOURCE, several by +, or none; repeatable',
      parsePair,
    )
    .option(
      '--edit-target <JOINT=X,Y,Z>',
      'turn a joint of the reference pose of TARGET on by degrees, before limbs are compared; with /PLACE and /SCALE after it where wanted; repeatable',
      parseEdit,
    )
    .option('--edit-source <JOINT=X,Y,Z>', 'likewise for SOURCE', parseEdit)
    .option(
      '--save-recipe <FILE>',
      'write down all of this but --clip and --range, map included, to be edited and repeated',
    )
    .option(
      '--save-layer <FILE>',
      'write what constraints changed as a layer of keys to be edited, for --constraints instead of them',
    )
    .option('--root-motion-file <FILE>', 'write what --root-motion apart takes out, as .json')
    .option(
      '--new-bind',
      'bind the mesh of TARGET anew, so that the rotation keys of SOURCE play on it as they are; feet and hands are not corrected, and clips of TARGET are dropped',
    )
    .option('--replace', 'drop the clips that TARGET has already')
    .option('--animation-only', 'write the skeleton and its clips without meshes')
    .option(
      '--compress',
      'compress keys in .glb and .vrma, by EXT_meshopt_compression: no joint off by more than a millimetre (on a body of 2 m, its arms stretched out)',
    )
    .option('--dry-run', 'do everything but write')
    .option(
      '--picture <FILE>',
      'draw source and result side by side, with their textures: instants in a .png, the first clip in motion in a .gif',
    )
    .addOption(
      new Option(
        '--camera <NAME>',
        'from where the picture is seen; follow goes along with the body; three-quarter if left out',
      ).choices(['three-quarter', 'front', 'side', 'follow']),
    )
    .option(
      '--card <FILE>',
      'write the report card as a page: figures and curves over time, and each constraint with when it counts and by how much it is missed',
    )
    .option('--no-heat', 'leave out the colours that show in the picture where the worst measure is bad');
  addOptionFlags(addWriteOptions(addSharedOptions(command)))
    .configureHelp({
      ...program.configureHelp(),
      visibleOptions: (shown) => {
        const all = new Help().visibleOptions(shown);
        return context.helpAll ? all : all.filter(isMainFlag);
      },
    })
    .addHelpText('after', () =>
      wrapHelp(context.helpAll ? RETARGET_HELP : shortRetargetHelp(), context.terminal.columns),
    )
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
  const streams = isStandardOutput(options.output);
  const job = await readRetargetJob(source, target, options);
  if (options.with || options.prop) {
    await runTogether(job, options, context);
    return;
  }
  const { files, report } = await retargetFiles({
    ...job,
    onPlan: (plan) => {
      checkRootMotionFile(plan.options, options);
      // What goes to standard output is the first that is made, and no file.
      if (!options.dryRun) checkOutputs(streams ? plan.files.slice(1) : plan.files, options);
    },
    onProgress: context.terminal.progress.update,
  });
  // All files are made before the first is written: what fails, fails before anything has changed.
  const streamed = streams ? files.filter(({ kind }) => kind === 'clips') : [];
  if (streamed.length > 1)
    throw new UsageError(
      `-o ${options.output} would write ${streamed.length} files; choose one clip by --clip`,
    );
  const kept = files.filter((file) => !streamed.includes(file));
  if (!options.dryRun) for (const { name, bytes } of kept) writeWhole(name, bytes, options);
  const done: Retargeted = { files: kept, report, dryRun: options.dryRun === true };
  if (streams) {
    // Standard output holds the file and nothing else: what is said goes to standard error.
    context.terminal.progress.stop();
    if (!options.dryRun) for (const { bytes } of streamed) context.terminal.outBytes(bytes);
    context.terminal.err(`${retargetLines(done, context.terminal).join('\n')}\n`);
    finish(context, options, report.warnings);
    return;
  }
  answer(
    context,
    options,
    () => retargetJson(done),
    () => retargetLines(done, context.terminal),
  );
  finish(context, options, report.warnings, report.verdict);
}

/** Several characters in one space: what is told of each stands under its name. */
async function runTogether(
  job: RetargetJob,
  options: RetargetCommandOptions,
  context: Context,
): Promise<void> {
  const done = await retargetFilesTogether({
    ...togetherJob(job, options),
    onPlan: (plan) => {
      checkRootMotionFile(plan.options, options);
      if (!options.dryRun) checkOutputs(plan.files, options);
    },
    onProgress: context.terminal.progress.update,
  });
  const told = done.map(({ name, files, report }) => ({
    name,
    files,
    report,
    dryRun: options.dryRun === true,
  }));
  if (!options.dryRun)
    for (const { files } of told) for (const { name, bytes } of files) writeWhole(name, bytes, options);
  answer(
    context,
    options,
    () => ({ characters: told.map((each) => ({ name: each.name, ...retargetJson(each) })) }),
    () =>
      told.flatMap((each, n) => [
        ...(n > 0 ? [''] : []),
        context.terminal.colors.bold(`— ${printable(each.name)} —`),
        ...retargetLines(each, context.terminal),
      ]),
  );
  const warnings = told.flatMap(({ report }) => report.warnings);
  const worst = told.find(({ report }) => report.verdict.verdict === 'broken') ?? told[0]!;
  finish(context, options, warnings, worst.report.verdict);
}
