import { basename } from 'node:path';
import {
  chooseCharacter,
  printable,
  type Skeleton,
  UsageError,
  writeReshapeScript,
} from '@stuntdouble/core/engine';
import {
  extensionOf,
  type Reshaped,
  type ReshapeJob,
  readOptionsOf,
  requireSkeleton,
  reshapeFile,
} from '@stuntdouble/jobs';
import { isSameFile, readFileText, type WriteOptions } from '@stuntdouble/jobs/node';
import type { Command } from 'commander';
import { readTyped } from '../standard-streams.js';
import type { Terminal } from '../terminal.js';
import { bytes, counted, heading, toldJson, toldLines } from '../text/words.js';
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

const EXAMPLES = `
Examples:
  $ stuntdouble reshape capture.bvh lean.bvh --keep roles
      body parts alone: what is between them is worked into them
  $ stuntdouble reshape hero.glb lean.glb --keep Hips,Spine,Head,LeftArm,RightArm
  $ stuntdouble reshape hero.glb --print-script > hero.txt
      the skeleton as a script, to take joints out of
  $ stuntdouble reshape hero.glb lean.glb --script hero.txt

Joints that stay are where they were and turned as they were at all times. A script has a line a joint:
  "Hips" { "Back" : "Spine", "Spine1", "Spine2" { "Head" } }
"Back" is where Spine2 is and carries the turns of all three. The result is a skeleton with its clips: meshes,
whose weights are for joints that may be gone, are left out.

What --json prints:
  { output, joints: { before, after }, names, clips: [name], notes: [{ code, message }], warnings: [{ code, message }] }
`;

type ReshapeOptions = SharedOptions &
  WriteOptions & {
    keep?: string;
    script?: string;
    printScript?: boolean;
    skeleton?: string;
  };

/** Adds the command `reshape IN OUT`. */
export function addReshape(program: Command, context: Context): void {
  addWriteOptions(
    addSharedOptions(
      program
        .command('reshape')
        .summary('rebuild a skeleton with fewer joints, its motion worked into those that stay')
        .description(
          'Writes the skeleton of IN with fewer joints to OUT, and its clips so that the joints that stay move exactly as they did.',
        )
        .argument('<IN>', 'the file to read')
        .argument('[OUT]', 'the file to write; its extension decides the format')
        .option(
          '--keep <JOINTS>',
          'the joints that stay, with commas between them; `roles` for all body parts',
        )
        .option('--script <FILE>', 'a script that names the joints and what they are made of')
        .option('--print-script', 'print a script that keeps every joint, and write nothing')
        .option('--skeleton <NAME>', 'take this skeleton, by name or number, where there are several'),
    ),
  )
    .addHelpText('after', EXAMPLES)
    .action((input: string, output: string | undefined, options: ReshapeOptions) =>
      run(input, output, options, context),
    );
}

async function run(
  input: string,
  output: string | undefined,
  options: ReshapeOptions,
  context: Context,
): Promise<void> {
  const choices = [options.keep, options.script, options.printScript].filter((each) => each !== undefined);
  if (choices.length !== 1)
    throw new UsageError('say which joints stay: one of --keep, --script or --print-script');
  if (!options.printScript && output === undefined) throw new UsageError('OUT is missing: reshape IN OUT');
  const extension = output === undefined ? '' : extensionOf(output, 'OUT');
  if (extension === 'vrm')
    throw new UsageError('a .vrm is a whole character with its meshes, which reshape leaves out: write .glb');
  if (output !== undefined && !options.force && isSameFile(output, input))
    throw new UsageError(`${output} is the file that is read; --force replaces it all the same`);
  context.terminal.progress.update(0, 1, `reading ${basename(input)}`);
  const scene = await readTyped(input, readOptionsOf(options));
  requireSkeleton(input, scene);
  if (options.printScript) {
    printScript(
      scene.characters[chooseCharacter(scene, options.skeleton).character]!.skeleton,
      options,
      context,
    );
    return;
  }
  const done = await reshapeFile({
    input: { name: input, scene },
    output: output!,
    ...(options.skeleton === undefined ? {} : { skeleton: options.skeleton }),
    keep: await jointsToKeep(options),
    onPlan: (paths) => checkPlanned(output!, paths, options),
  });
  for (const file of done.made) writeTyped(file.path, file.bytes, options, context);
  const paths = done.made.map(({ path }) => path);
  answer(
    context,
    options,
    () => ({
      output: paths.length === 1 ? paths[0]! : paths,
      joints: { before: done.before, after: done.names.length },
      names: done.names,
      clips: done.clips,
      ...toldJson(done.warnings),
    }),
    () => reshapeLines(input, done, context.terminal),
  );
  finish(context, options, done.warnings);
}

function printScript(skeleton: Skeleton, options: ReshapeOptions, context: Context): void {
  const script = writeReshapeScript(skeleton);
  answer(
    context,
    options,
    () => ({ script }),
    // A pipe gets names as they are, to be read again; a terminal would obey them.
    () =>
      script
        .trimEnd()
        .split('\n')
        .map((line) => (Number.isFinite(context.terminal.columns) ? printable(line) : line)),
  );
}

async function jointsToKeep({ keep, script }: ReshapeOptions): Promise<ReshapeJob['keep']> {
  if (script !== undefined) return { name: script, text: await readFileText(script) };
  if (keep === 'roles') return keep;
  return (keep ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function reshapeLines(input: string, done: Reshaped, terminal: Terminal): string[] {
  const { colors } = terminal;
  const lines = [
    `${heading(input, terminal)}  ${done.before} joints, of which ${done.names.length} stay, ${counted(done.clips.length, 'clip')}`,
  ];
  if (done.warnings.length > 0) lines.push('', ...toldLines(done.warnings, terminal));
  lines.push('');
  for (const file of done.made)
    lines.push(
      `${colors.green('wrote')} ${printable(file.path)} ${colors.dim(`(${bytes(file.bytes.byteLength)})`)}`,
    );
  return lines;
}
