import {
  partNotes,
  type ResultVerdict,
  type RigMapDocument,
  UsageError,
  type Warning,
} from '@stuntdouble/core/engine';
import type { Limits } from '@stuntdouble/formats';
import { jsonText } from '@stuntdouble/jobs';
import { checkOutputs, readRigMap, type WriteOptions, writeWhole } from '@stuntdouble/jobs/node';
import type { Command } from 'commander';
import { EXIT_CODES } from '../exit-codes.js';
import { parseLimit } from '../flags/arguments.js';
import { isStandardOutput } from '../standard-streams.js';
import type { Terminal } from '../terminal.js';

/** What every command gets from the outside, and the exit code it leaves behind. */
export type Context = {
  terminal: Terminal;
  exitCode: number;
  /** Whether all of the help was asked for, by `--help all`. */
  helpAll?: boolean;
  /** Whether standard output has got a file: what is said then goes to standard error. */
  streamed?: boolean;
};

/** The options that every command has. */
export type SharedOptions = {
  json?: boolean;
  strict?: boolean;
  followLinks?: boolean;
  limit?: Partial<Limits>;
};

/** Adds the options that every command has. */
export function addSharedOptions(command: Command): Command {
  return command
    .option('--json', 'print one JSON document on standard output and nothing else there')
    .option('--strict', 'end with exit code 3 where there are warnings; notes are none')
    .option('--follow-links', 'follow links beside a file out of its folder')
    .option(
      '--limit <NAME=N>',
      'how much a file may ask for: bytes, text, joints, keys or seconds (repeatable)',
      parseLimit,
    );
}

/** Adds the options of commands that write files; they are those of {@link WriteOptions}. */
export function addWriteOptions(command: Command): Command {
  return command
    .option('--force', 'replace files that are there already')
    .option('--write-through', 'where a file to write is a link, write what it leads to');
}

/**
 * Makes sure before the work that files can be written as they were named; `-` is standard output.
 * @throws UsageError that names the file.
 */
export function checkTyped(files: readonly string[], options: SharedOptions & WriteOptions): void {
  const streams = files.filter(isStandardOutput);
  if (streams.length > 0 && options.json)
    throw new UsageError(
      `${streams[0]} writes the file to standard output, where --json writes too; give one of the two`,
    );
  if (streams.length > 1) throw new UsageError('standard output holds one file; name the others');
  checkOutputs(
    files.filter((file) => !isStandardOutput(file)),
    options,
  );
}

/**
 * The same of what one file that was typed has become.
 * @throws UsageError where standard output would get several.
 */
export function checkPlanned(
  typed: string,
  files: readonly string[],
  options: SharedOptions & WriteOptions,
): void {
  if (isStandardOutput(typed) && files.length > 1)
    throw new UsageError(`${typed} would get ${files.length} files; choose one clip by --clip`);
  checkTyped(isStandardOutput(typed) ? [typed] : files, options);
}

/** Writes a file that a command made, whole, or puts it out by standard output. */
export function writeTyped(
  path: string,
  content: Uint8Array | string,
  options: WriteOptions,
  context: Context,
): void {
  if (!isStandardOutput(path)) {
    writeWhole(path, content, options);
    return;
  }
  context.terminal.progress.stop();
  context.terminal.outBytes(typeof content === 'string' ? new TextEncoder().encode(content) : content);
  context.streamed = true;
}

/** Prints the answer of a command: the JSON document where `--json` was given, else the lines for a person. */
export function answer(
  { terminal, streamed }: Context,
  options: SharedOptions,
  json: () => unknown,
  lines: () => readonly string[],
): void {
  terminal.progress.stop();
  if (options.json) terminal.out(jsonText(json()));
  else if (streamed) terminal.err(`${lines().join('\n')}\n`);
  else terminal.out(`${lines().join('\n')}\n`);
}

/**
 * Leaves the exit code of a command that came to its end: 3 where `--strict` meets warnings, which notes are not; 4 where
 * the verdict is broken.
 */
export function finish(
  context: Context,
  options: SharedOptions,
  told: readonly Warning[],
  judged?: ResultVerdict,
): void {
  if (options.strict && partNotes(told).warnings.length > 0) context.exitCode = EXIT_CODES.doneWithWarnings;
  if (judged?.verdict === 'broken') context.exitCode = EXIT_CODES.limitNotKept;
}

/** Reads the file that `--map` names, where it was given. */
export async function loadMap(path: string | undefined): Promise<RigMapDocument | undefined> {
  return path === undefined ? undefined : readRigMap(path);
}
