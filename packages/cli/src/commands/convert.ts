import { basename } from 'node:path';
import { UsageError } from '@stuntdouble/core/engine';
import { EULER_ORDERS, type EulerOrder } from '@stuntdouble/formats';
import { convertFile, extensionOf, readOptionsOf } from '@stuntdouble/jobs';
import { isSameFile, readDocument, type WriteOptions } from '@stuntdouble/jobs/node';
import { type Command, Option } from 'commander';
import { collect } from '../flags/arguments.js';
import { CONVERT_HELP } from '../flags/convert-help.js';
import { contentOf } from '../standard-streams.js';
import { type ConvertedFiles, convertJson, convertLines } from '../text/convert-summary.js';
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

type ConvertOptions = SharedOptions &
  WriteOptions & {
    clip?: string[];
    skeleton?: string;
    animationOnly?: boolean;
    compress?: boolean;
    dryRun?: boolean;
    outDir?: string;
    to?: string;
    flipYz?: boolean;
    euler?: EulerOrder;
    rig?: string;
    mesh?: boolean;
  };

/** Adds the command `convert IN OUT`, or `convert IN... --out-dir DIR`. */
export function addConvert(program: Command, context: Context): void {
  addWriteOptions(
    addSharedOptions(
      program
        .command('convert')
        .summary('write a file in another format, its motion as it is')
        .description(
          'Writes what is in IN to OUT in the format that the extension of OUT names: the same skeleton and the same motion, all clips, without moving them onto another character.',
        )
        .argument('<IN>', 'the file to read')
        .argument(
          '[OUT...]',
          'the file to write; its extension decides the format. With --out-dir more files to read',
        )
        .option('--out-dir <DIR>', 'convert all files into this folder, each under its own name')
        .option(
          '--to <EXT>',
          'the format of files in --out-dir, glb if left out, or of what goes to standard output, by its extension',
        )
        .option('--flip-yz', 'of a BVH: what is along Z is up')
        .addOption(
          new Option(
            '--euler <ORDER>',
            'of a BVH: the order of its angles; as the file names them if left out',
          ).choices(EULER_ORDERS),
        )
        .option('--rig <FILE>', 'names of joints, a scale and a turn, as a .rig of SpireMiniEngine has them')
        .option('--mesh', 'give a file without meshes a stick figure; for .glb and .gltf')
        .option('--clip <NAME>', 'take this clip alone; repeatable; all clips if left out', collect)
        .option('--skeleton <NAME>', 'take this skeleton, by name or number, where there are several')
        .option('--animation-only', 'write the skeleton and its clips without meshes')
        .option(
          '--compress',
          'compress keys in .glb and .vrma, by EXT_meshopt_compression: no joint off by more than a millimetre (on a body of 2 m, its arms stretched out)',
        )
        .option('--dry-run', 'do everything but write'),
    ),
  )
    .addHelpText('after', CONVERT_HELP)
    .action((input: string, rest: string[], options: ConvertOptions) => {
      if (options.outDir !== undefined) return runMany([input, ...rest], options.outDir, options, context);
      return run(input, oneOutput('convert', rest, options.to), options, context);
    });
}

async function run(input: string, output: string, options: ConvertOptions, context: Context): Promise<void> {
  context.terminal.progress.update(0, 1, `converting ${basename(input)}`);
  const done = await convert(input, output, options, context);
  answer(
    context,
    options,
    () => convertJson(done),
    () => convertLines(done, context.terminal),
  );
  finish(context, options, done.warnings);
}

/** Converts files one by one into a folder. */
async function runMany(
  inputs: readonly string[],
  folder: string,
  options: ConvertOptions,
  context: Context,
): Promise<void> {
  const extension = extensionOf(`x.${(options.to ?? 'glb').replace(/^\./, '')}`, '--to');
  // Names that differ by case alone are one file on some systems.
  const taken = new Set<string>();
  const { done, leave } = await runIntoFolder<ConvertedFiles>(
    inputs,
    folder,
    {
      verb: 'convert',
      extensionOf: () => extension,
      run: (input, output) => convert(input, output, options, context, taken),
      json: convertJson,
      lines: (one) => convertLines(one, context.terminal),
    },
    options,
    context,
  );
  finish(
    context,
    options,
    done.flatMap(({ warnings }) => warnings),
  );
  leave();
}

async function convert(
  input: string,
  output: string,
  options: ConvertOptions,
  context: Context,
  taken?: Set<string>,
): Promise<ConvertedFiles> {
  extensionOf(output, 'OUT');
  if (!options.force && isSameFile(output, input))
    throw new UsageError(`${output} is the file that is read; --force replaces it all the same`);
  const { clip, skeleton, animationOnly, compress, flipYz, euler, mesh, dryRun = false } = options;
  const rig = await readDocument(options.rig);
  const { name, content } = contentOf(input);
  const done = await convertFile({
    ...{ input: name, content, output },
    read: readOptionsOf(options),
    ...(clip && { clips: clip }),
    ...(skeleton === undefined ? {} : { skeleton }),
    ...(animationOnly && { animationOnly }),
    ...(compress && { compress }),
    ...(flipYz && { flipYZ: true }),
    ...(euler && { euler }),
    ...(rig && { rig }),
    ...(mesh && { stickFigure: true }),
    ...(taken && { taken }),
    ...(!dryRun && { onPlan: (paths: readonly string[]) => checkPlanned(output, paths, options) }),
  });
  if (!dryRun) for (const file of done.made) writeTyped(file.path, file.bytes, options, context);
  return { ...done, dryRun };
}
