import { mkdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { UsageError } from '@stuntdouble/core/engine';
import { Failure, portableStem, sentenceOf, systemReasonOf } from '@stuntdouble/jobs';
import { EXIT_CODES } from '../exit-codes.js';
import { STREAM, streamOf } from '../standard-streams.js';
import { answer, type Context, type SharedOptions } from './context.js';

/**
 * The one file that a command makes of one; `-` is standard output, in the format that `--to` names.
 * @throws UsageError where none is named, or several.
 */
export function oneOutput(verb: string, named: readonly string[], to: string | undefined): string {
  const [output] = named;
  if (output === undefined) throw new UsageError(`OUT is missing: ${verb} IN OUT, or --out-dir for a folder`);
  if (named.length > 1)
    throw new UsageError(`${named.length + 1} files are named; several go into a folder, with --out-dir`);
  if (output === STREAM) return streamOf(to);
  if (to !== undefined)
    throw new UsageError('--to is for --out-dir and "-"; the extension of OUT decides its format');
  return output;
}

/** What is done with each of several files. */
type Each<Done extends { input: string }> = {
  /** The word for it, as in "convert them apart". */
  verb: string;
  /** The extension of what becomes of a file. */
  extensionOf: (input: string) => string;
  run: (input: string, output: string) => Promise<Done>;
  json: (done: Done) => object;
  lines: (done: Done) => readonly string[];
};

/**
 * Does files one by one into a folder, each under its own name, and prints the answer; one that fails does not keep the
 * others from being done.
 * @returns what was done; the exit code of what failed is left in the context by `leave`.
 */
export async function runIntoFolder<Done extends { input: string }>(
  inputs: readonly string[],
  folder: string,
  each: Each<Done>,
  options: SharedOptions & { dryRun?: boolean },
  context: Context,
): Promise<{ done: Done[]; leave: () => void }> {
  const outputs = inputs.map((input) =>
    join(folder, `${portableStem(basename(input, extname(input)))}.${each.extensionOf(input)}`),
  );
  const twice = outputs.find((output, i) => outputs.indexOf(output) !== i);
  if (twice !== undefined)
    throw new UsageError(`two of the files would become ${twice}; ${each.verb} them apart`);
  if (!options.dryRun)
    await mkdir(folder, { recursive: true }).catch((error: unknown) => {
      throw new Failure(`cannot make the folder ${folder}: ${systemReasonOf(error) ?? sentenceOf(error)}`);
    });
  const done: Done[] = [];
  const failed: { input: string; error: string }[] = [];
  for (const [i, input] of inputs.entries()) {
    context.terminal.progress.update(i, inputs.length, basename(input));
    try {
      done.push(await each.run(input, outputs[i]!));
    } catch (error) {
      if (inputs.length === 1) throw error;
      failed.push({ input, error: sentenceOf(error) });
    }
  }
  const { terminal } = context;
  answer(
    context,
    options,
    () => ({ files: done.map((one) => ({ input: one.input, ...each.json(one) })), failed }),
    () => done.flatMap((one, i) => [...(i > 0 ? [''] : []), ...each.lines(one)]),
  );
  for (const { error } of failed) terminal.err(`${terminal.errorColors.red('error:')} ${error}\n`);
  return {
    done,
    leave: () => {
      if (failed.length > 0) context.exitCode = EXIT_CODES.failed;
    },
  };
}
