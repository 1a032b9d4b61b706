import { UsageError } from '@stuntdouble/core';
import type { Command } from 'commander';
import { choicesOf } from '../flags/flag-choices.js';
import type { Context } from './context.js';

const EXAMPLES = `
Examples:
  $ stuntdouble completion bash >> ~/.bashrc
  $ stuntdouble completion zsh > "\${fpath[1]}/_stuntdouble"
  $ stuntdouble completion fish > ~/.config/fish/completions/stuntdouble.fish
      then open a new shell
`;

/** A flag as shells need it. */
type Flag = { long: string; says: string; takesValue: boolean; choices: readonly string[] };
type Entry = { name: string; says: string; flags: Flag[] };

/** Adds the command `completion SHELL`. */
export function addCompletion(program: Command, context: Context): void {
  program
    .command('completion')
    .summary('print what makes a shell complete commands and options')
    .description('Prints a script for bash, zsh or fish that completes commands, options and their words.')
    .argument('<SHELL>', 'bash, zsh or fish')
    .addHelpText('after', EXAMPLES)
    .action((shell: string) => {
      const write = SHELLS[shell];
      if (!write) throw new UsageError(`completion knows bash, zsh and fish, not "${shell}"`);
      context.terminal.out(write(entriesOf(program)));
    });
}

function entriesOf(program: Command): Entry[] {
  return program.commands.map((command) => ({
    name: command.name(),
    says: command.summary(),
    flags: command.options.flatMap((option) =>
      option.long
        ? [
            {
              long: option.long,
              says: option.description.replace(/\s+/g, ' '),
              takesValue: option.required || option.optional,
              choices: choicesOf(option),
            },
          ]
        : [],
    ),
  }));
}

const SHELLS: Readonly<Record<string, (entries: readonly Entry[]) => string>> = {
  bash: (entries) => `# Completes stuntdouble in bash.
_stuntdouble() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" flags=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${entries.map(({ name }) => name).join(' ')}" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]} $before" in
${entries
  .flatMap(({ name, flags }) =>
    flags
      .filter(({ choices }) => choices.length > 0)
      .map(
        ({ long, choices }) =>
          `    "${name} ${long}") COMPREPLY=($(compgen -W "${choices.join(' ')}" -- "$word")); return ;;`,
      ),
  )
  .join('\n')}
  esac
  case "\${COMP_WORDS[1]}" in
${entries.map(({ name, flags }) => `    ${name}) flags="${flags.map(({ long }) => long).join(' ')}" ;;`).join('\n')}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _stuntdouble stuntdouble
`,
  zsh: (entries) => `#compdef stuntdouble
# Completes stuntdouble in zsh.
_stuntdouble() {
  if (( CURRENT == 2 )); then
    local -a commands=(${entries.map(({ name, says }) => quoted(`${name}:${says}`)).join(' ')})
    _describe command commands
    return
  fi
  case "$words[2]" in
${entries
  .map(
    ({ name, flags }) =>
      `    ${name}) _arguments ${[
        ...flags.map(({ long, says, takesValue, choices }) =>
          quoted(
            `*${long}[${says.replace(/[[\]:]/g, ' ')}]${takesValue ? `:value:${choices.length > 0 ? `(${choices.join(' ')})` : '_files'}` : ''}`,
          ),
        ),
        "'*:file:_files'",
      ].join(' ')} ;;`,
  )
  .join('\n')}
  esac
}
compdef _stuntdouble stuntdouble
`,
  fish: (entries) => `# Completes stuntdouble in fish.
${entries
  .flatMap(({ name, says, flags }) => [
    `complete -c stuntdouble -n __fish_use_subcommand -f -a ${name} -d ${quoted(says)}`,
    ...flags.map(
      ({ long, says: words, takesValue, choices }) =>
        `complete -c stuntdouble -n '__fish_seen_subcommand_from ${name}' -l ${long.slice(2)}${takesValue ? ' -r' : ''}${choices.length > 0 ? ` -f -a ${quoted(choices.join(' '))}` : ''} -d ${quoted(words)}`,
    ),
  ])
  .join('\n')}
`,
};

/** A word in single quotes, whatever it holds. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
