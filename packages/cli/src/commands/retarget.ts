import { retargetFiles } from '@stuntdouble/jobs';
import { checkOutputs, writeWhole } from '@stuntdouble/jobs/node';
import type { Command } from 'commander';
import { checkRootMotionFile } from '../flags/check-root-motion-file.js';
import { addOptionFlags } from '../flags/option-flags.js';
import { RETARGET_HELP } from '../flags/retarget-help.js';
import { type RetargetCommandOptions, readRetargetJob } from '../flags/retarget-options.js';
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
  finish(context, options, report.warnings, report.verdict);
}
