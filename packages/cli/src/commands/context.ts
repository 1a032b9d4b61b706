import { partNotes, type RigMapDocument, type Warning } from '@stuntdouble/core/engine';
import type { Limits } from '@stuntdouble/formats';
import { jsonText } from '@stuntdouble/jobs';
import { readRigMap } from '@stuntdouble/jobs/node';
import type { Command } from 'commander';
import { EXIT_CODES } from '../exit-codes.js';
import { parseLimit } from '../flags/arguments.js';
import type { Terminal } from '../terminal.js';

/** What every command gets from the outside, and the exit code it leaves behind. */
export type Context = {
  terminal: Terminal;
  exitCode: number;
  /** Whether all of the help was asked for, by `--help all`. */
  helpAll?: boolean;
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

/** Prints the answer of a command: the JSON document where `--json` was given, else the lines for a person. */
export function answer(
  { terminal }: Context,
  options: SharedOptions,
  json: () => unknown,
  lines: () => readonly string[],
): void {
  terminal.progress.stop();
  if (options.json) terminal.out(jsonText(json()));
  else terminal.out(`${lines().join('\n')}\n`);
}

/** Leaves the exit code of a command that came to its end: 3 where `--strict` meets warnings; notes are none. */
export function finish(context: Context, options: SharedOptions, told: readonly Warning[]): void {
  if (options.strict && partNotes(told).warnings.length > 0) context.exitCode = EXIT_CODES.doneWithWarnings;
}

/** Reads the file that `--map` names, where it was given. */
export async function loadMap(path: string | undefined): Promise<RigMapDocument | undefined> {
  return path === undefined ? undefined : readRigMap(path);
}
