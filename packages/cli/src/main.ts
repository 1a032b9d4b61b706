import { printable } from '@stuntdouble/core/engine';
import { extensionWords, READ_EXTENSIONS, WRITTEN_EXTENSIONS } from '@stuntdouble/formats/kinds';
import { asTyped, sentenceOf } from '@stuntdouble/jobs';
import { Command, CommanderError } from 'commander';
import { addBatch } from './commands/batch.js';
import { addClean } from './commands/clean.js';
import { addCompletion } from './commands/completion.js';
import type { Context } from './commands/context.js';
import { addConvert } from './commands/convert.js';
import { addInspect } from './commands/inspect.js';
import { addMap } from './commands/map.js';
import { addMeasure } from './commands/measure.js';
import { addReshape } from './commands/reshape.js';
import { addRetarget } from './commands/retarget.js';
import { addStudio } from './commands/studio.js';
import { addWorker } from './commands/worker.js';
import { exitCodeOf } from './exit-code-of.js';
import { EXIT_CODES } from './exit-codes.js';
import { wrapHelp } from './flags/help-pages.js';
import { suggestFlag } from './flags/suggest-flag.js';
import { readVersion } from './read-version.js';
import type { Terminal } from './terminal.js';
import { cut } from './text/table.js';

/** Which kinds of files are read, and which written. */
function fileWords(): string {
  const onlyRead = READ_EXTENSIONS.filter((extension) => !WRITTEN_EXTENSIONS.includes(extension));
  const both = `${extensionWords(WRITTEN_EXTENSIONS, 'and')} are read and written`;
  return onlyRead.length === 0 ? both : `${both}, ${extensionWords(onlyRead, 'and')} only read`;
}

const GUIDE = `
Start here:
  $ stuntdouble inspect hero.vrm                             what is in a file
  $ stuntdouble retarget walk.glb hero.vrm -o hero-walk.vrm  put its motion on another character
  $ stuntdouble measure walk.glb hero-walk.vrm               see how true the result is
  $ stuntdouble clean capture.bvh clean.bvh                  make a motion stand on its own body
  $ stuntdouble convert walk.bvh walk.vrma                   the same motion in another format
  $ stuntdouble batch captures --onto hero.vrm --out moved   many files, on all processors
  $ stuntdouble studio walk.glb hero.vrm                     see it in the browser, and make it better

Files: ${fileWords()}; what a file is, its bytes decide.
Exit codes: 0 done, 1 a file could not be read, used or written, 2 wrong use, 3 done with warnings under --strict,
4 done but the verdict is broken or a limit was not kept,
130 stopped by Ctrl-C (128 and the number of the signal); a file that was not finished is then removed.
Errors are one sentence on standard error; standard output then stays empty. With --json, standard output
holds one JSON document and nothing else. Colours are for terminals only, and never where NO_COLOR is set.
`;

/** The command line as commander knows it, speaking to the context's terminal. */
export function createProgram(context: Context): Command {
  const { terminal } = context;
  const program = new Command('stuntdouble')
    .description('Any motion, on any body: moves skeletal animation from one character onto any other.')
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .configureHelp({
      styleTitle: (text) => terminal.colors.bold(text),
      styleCommandText: (text) => terminal.colors.cyan(text),
      styleSubcommandText: (text) => terminal.colors.cyan(text),
      styleOptionText: (text) => terminal.colors.cyan(text),
      styleArgumentText: (text) => terminal.colors.cyan(text),
    })
    .configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.err,
      getOutHelpWidth: () => helpWidth(terminal),
      getErrHelpWidth: () => 110,
      getOutHasColors: () => terminal.colors.isColorSupported,
      getErrHasColors: () => terminal.errorColors.isColorSupported,
      outputError: (text, write) => {
        const lines = text.split('\n').map((line) => cut(printable(line), 300));
        write(lines.join('\n').replace(/^error:/, terminal.errorColors.red('error:')));
      },
    })
    .exitOverride()
    .addHelpText('after', () => wrapHelp(GUIDE, terminal.columns));
  addRetarget(program, context);
  addBatch(program, context);
  addWorker(program, context);
  addInspect(program, context);
  addMap(program, context);
  addMeasure(program, context);
  addClean(program, context);
  addConvert(program, context);
  addReshape(program, context);
  addStudio(program, context);
  addCompletion(program, context);
  for (const command of program.commands) {
    command.showHelpAfterError(`(stuntdouble ${command.name()} --help shows what it takes)`);
    refuseUnknownFlags(command);
    tellExcessArguments(command);
  }
  return program.showHelpAfterError('(stuntdouble --help shows what it takes)');
}

/** How wide help is: as wide as the terminal, and never wider than one reads. */
function helpWidth({ columns }: Terminal): number {
  return Math.min(columns, 110);
}

/** Refuses a flag that a command does not have, as it was typed, with what was probably meant. */
function refuseUnknownFlags(command: Command): void {
  const refusing = command as Command & { unknownOption: (flag: string) => void };
  refusing.unknownOption = (flag) => {
    const meant = suggestFlag(command, flag);
    command.error(`error: unknown option '${flag}'${meant ? `\n(Did you mean ${meant}?)` : ''}`, {
      code: 'commander.unknownOption',
    });
  };
}

/**
 * Says of arguments that are too many which they are, and which of the flags beside them take no value: what was
 * meant to go with such a flag is what is too much, as in `inspect walk.glb --contacts contacts.json`.
 */
function tellExcessArguments(command: Command): void {
  const error = command.error.bind(command);
  command.error = (message, options) => {
    if (options?.code !== 'commander.excessArguments') return error(message, options);
    const takes = command.registeredArguments.length;
    const typed: Record<string, unknown> = command.opts();
    const switches = command.options.filter(
      (flag) => flag.isBoolean() && typed[flag.attributeName()] === true,
    );
    return error(
      `error: '${command.name()}' takes ${takes} argument${takes === 1 ? '' : 's'}, and got ${command.args.length}: ${command.args.join(', ')}${switches.map(({ long }) => `; ${long} takes no value`).join('')}`,
      options,
    );
  };
}

/** Takes `all` out of `--help all`: commander knows no help that takes a word. */
export function readHelpAll(argv: readonly string[]): { argv: string[]; helpAll: boolean } {
  const at = argv.findIndex((word, n) => /^(-h|--help)$/.test(word) && argv[n + 1] === 'all');
  if (at < 0) return { argv: [...argv], helpAll: false };
  return { argv: argv.filter((_, n) => n !== at + 1), helpAll: true };
}

/**
 * Runs one command line.
 * @param typed What was typed after the name of the command.
 * @returns the exit code: 0 done, 1 failed, 2 wrong use, 3 done with warnings under `--strict`, 4 done but broken, or a limit not kept.
 */
export async function main(typed: readonly string[], terminal: Terminal): Promise<number> {
  const { argv, helpAll } = readHelpAll(typed);
  const context: Context = { terminal, exitCode: EXIT_CODES.done, helpAll };
  try {
    await createProgram(context).parseAsync(argv, { from: 'user' });
    return context.exitCode;
  } catch (error) {
    // Commander has said itself what is wrong, or has shown the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.done : EXIT_CODES.wrongUse;
    terminal.err(`${terminal.errorColors.red('error:')} ${asTyped(sentenceOf(error))}\n`);
    return exitCodeOf(error);
  }
}
