import { extname } from 'node:path';
import { type OptionName, UsageError } from '@stuntdouble/core/engine';
import { CALM_RATE, type CleanOptions, cleanFile, extensionOf, readOptionsOf } from '@stuntdouble/jobs';
import { isSameFile, readContactsFile, type WriteOptions } from '@stuntdouble/jobs/node';
import type { Command } from 'commander';
import { collect, parseAxis, parsePositive, parseUnit } from '../flags/arguments.js';
import { CLEAN_HELP } from '../flags/clean-help.js';
import { addOptionFlags, optionsOfFlags } from '../flags/option-flags.js';
import { contentOf } from '../standard-streams.js';
import { type CleanedFiles, cleanJson, cleanLines } from '../text/clean-summary.js';
import {
  addSharedOptions,
  addWriteOptions,
  answer,
  type Context,
  checkPlanned,
  finish,
  type SharedOptions,
  writeTyped,
} from './context.js';
import { oneOutput, runIntoFolder } from './into-folder.js';

type CleanFlags = SharedOptions &
  WriteOptions & {
    outDir?: string;
    to?: string;
    /** False where `--no-calm` was typed. */
    calm?: number | false;
    clip?: string[];
    skeleton?: string;
    contacts?: string;
    up?: CleanOptions['up'];
    facing?: CleanOptions['facing'];
    unit?: number;
    floor?: number;
    animationOnly?: boolean;
    compress?: boolean;
    dryRun?: boolean;
  };

/** Options of a retarget that mean the same where the body is its own. */
const KEPT_OPTIONS = [
  'frameRate',
  'loop',
  'reduce',
  'reach',
  'solvers',
] as const satisfies readonly OptionName[];

/** Adds the command `clean IN OUT`, or `clean IN... --out-dir DIR`. */
export function addClean(program: Command, context: Context): void {
  const command = program
    .command('clean')
    .summary('make a captured or generated motion stand on its own body')
    .description(
      'Makes the motion in IN stand: feet that slide hold, jitter is taken out, the rest stays as it is. The same body, the same clips; what changed is measured before and after.',
    )
    .argument('<IN>', 'the file to read; - is standard input')
    .argument(
      '[OUT...]',
      'the file to write; its extension decides the format. With --out-dir more files to read',
    )
    .option('--out-dir <DIR>', 'clean all files into this folder, each under its own name')
    .option(
      '--to <EXT>',
      'the format of files in --out-dir, or of what goes to standard output, by its extension',
    )
    .option(
      '--calm <HZ>',
      `what is faster is jitter, but for impacts and blows; ${CALM_RATE} if left out`,
      parsePositive,
    )
    .option('--no-calm', 'take out no jitter')
    .option('--clip <NAME>', 'clean this clip alone; repeatable; all clips if left out', collect)
    .option('--skeleton <NAME>', 'clean this skeleton, by name or number, where there are several')
    .option('--contacts <FILE>', 'when feet and hands hold, as "stuntdouble inspect --contacts -o" writes it')
    .option('--up <AXIS>', 'which axis of IN is up: x, y, z, -x, -y or -z', parseAxis)
    .option('--facing <AXIS>', 'which way the body of IN faces', parseAxis)
    .option('--unit <UNIT>', 'what IN counts in: m, cm, mm, in, ft, or metres a unit', parseUnit)
    .option('--floor <HEIGHT>', 'how high the floor of IN is, in its own unit', Number)
    .option('--animation-only', 'write the skeleton and its clips without meshes')
    .option('--compress', 'compress keys in .glb and .vrma, by EXT_meshopt_compression')
    .option('--dry-run', 'do everything but write');
  addOptionFlags(addWriteOptions(addSharedOptions(command)), KEPT_OPTIONS)
    .addHelpText('after', CLEAN_HELP)
    .action((input: string, rest: string[], options: CleanFlags) => {
      if (options.floor !== undefined && !Number.isFinite(options.floor))
        throw new UsageError('--floor is a height: a number in the unit of the file');
      if (options.outDir !== undefined) return runMany([input, ...rest], options.outDir, options, context);
      return run(input, oneOutput('clean', rest, options.to), options, context);
    });
}

async function run(input: string, output: string, options: CleanFlags, context: Context): Promise<void> {
  const done = await clean(input, output, options, context);
  answer(
    context,
    options,
    () => cleanJson(done),
    () => cleanLines(done, context.terminal),
  );
  finish(context, options, done.warnings, done.verdict);
}

/** Cleans files one by one into a folder. */
async function runMany(
  inputs: readonly string[],
  folder: string,
  options: CleanFlags,
  context: Context,
): Promise<void> {
  const extension = options.to && extensionOf(`x.${options.to.replace(/^\./, '')}`, '--to');
  // Names that differ by case alone are one file on some systems.
  const taken = new Set<string>();
  const { done, leave } = await runIntoFolder<CleanedFiles>(
    inputs,
    folder,
    {
      verb: 'clean',
      extensionOf: (input) => extension ?? extname(input).slice(1).toLowerCase(),
      run: (input, output) => clean(input, output, options, context, taken),
      json: cleanJson,
      lines: (one) => cleanLines(one, context.terminal),
    },
    options,
    context,
  );
  const worst = done.find(({ verdict }) => verdict.verdict === 'broken') ?? done[0];
  finish(
    context,
    options,
    done.flatMap(({ warnings }) => warnings),
    worst?.verdict,
  );
  leave();
}

async function clean(
  input: string,
  output: string,
  options: CleanFlags,
  context: Context,
  taken?: Set<string>,
): Promise<CleanedFiles> {
  extensionOf(output, 'OUT');
  if (!options.force && isSameFile(output, input))
    throw new UsageError(`${output} is the file that is read; --force replaces it all the same`);
  const { clip, skeleton, animationOnly, compress, calm, up, facing, unit, floor, dryRun = false } = options;
  const { name, content } = contentOf(input);
  const listed = optionsOfFlags(options);
  const kept = Object.fromEntries(
    KEPT_OPTIONS.flatMap((each) => (listed[each] === undefined ? [] : [[each, listed[each]]])),
  );
  const contacts = options.contacts === undefined ? null : await readContactsFile(options.contacts);
  const done = await cleanFile({
    ...{ input: name, content, output },
    read: readOptionsOf(options),
    options: {
      ...kept,
      ...(calm !== undefined && { calm: calm === false ? null : calm }),
      ...(up !== undefined && { up }),
      ...(facing !== undefined && { facing }),
      ...(unit !== undefined && { unit }),
      ...(floor !== undefined && { floor }),
    },
    ...(clip && { clips: clip }),
    ...(skeleton === undefined ? {} : { skeleton }),
    ...(contacts && { contacts: contacts.clips }),
    ...(animationOnly && { animationOnly }),
    ...(compress && { compress }),
    ...(taken && { taken }),
    ...(!dryRun && { onPlan: (paths: readonly string[]) => checkPlanned(output, paths, options) }),
    onProgress: context.terminal.progress.update,
  });
  if (!dryRun) for (const file of done.made) writeTyped(file.path, file.bytes, options, context);
  return { ...done, dryRun };
}
