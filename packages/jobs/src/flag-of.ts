import { listOptions, type OptionName, optionOf } from '@stuntdouble/core/engine';

/** How an option is asked for on the command line, without what follows; its name where it has no flag. */
export function flagOf(name: OptionName): string {
  return optionOf(name)?.flag?.typed.split(' ')[0] ?? name;
}

let named: RegExp | null = null;

/**
 * A sentence of the engine for who types: options that it names as programs have them stand there as flags,
 * `keepCalibration` as `--keep-calibration` and `corrections: 'none'` as `--corrections none`. What is quoted is a name
 * of the file's own, and stays; so do fields of a document (`recipe.settings.rootMotion`) and the values that one may have.
 */
export function asTyped(sentence: string): string {
  const names = listOptions().map(([name]) => name);
  // A plain word, such as map, is an option only where a value follows it, or where it is called one.
  named ??= new RegExp(
    `(?<![.\\w])(?:(${names.join('|')}): '([^']*)'|(${names.filter((name) => /[A-Z]/.test(name)).join('|')})\\b|(?<=the option )(${names.join('|')})\\b(?!\\.))`,
    'g',
  );
  return sentence
    .split(/("[^"]*"|must be one of .*)/)
    .map((part, n) =>
      n % 2 === 1
        ? part
        : part.replace(
            named!,
            (all, withValue?: OptionName, value?: string, alone?: OptionName, called?: OptionName) => {
              const flag = flagOf((withValue ?? alone ?? called)!);
              if (!flag.startsWith('--')) return all;
              return value === undefined
                ? flag
                : `${flag} ${value.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}`;
            },
          ),
    )
    .join('');
}
