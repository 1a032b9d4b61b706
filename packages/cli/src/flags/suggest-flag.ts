import type { Command } from 'commander';
import { choicesOf } from './flag-choices.js';

/** Flags that remove or replace something: never what somebody else's word is taken for. */
const DESTRUCTIVE = new Set(['--force', '--replace', '--write-through', '--new-bind']);

/** What people who come from elsewhere type, and what it is called here, with the word that it takes there. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  '--out': '--output',
  '--outfile': '--output',
  '--frame-rate': '--fps',
  '--framerate': '--fps',
  '--bonemap': '--map',
  '--mapping': '--map',
  '--start': '--range',
  '--end': '--range',
  '--no-feet': '--corrections none',
  '--no-hands': '--corrections none',
  '--no-ik': '--corrections none',
  '--no-foot-ik': '--corrections none',
  '--no-correction': '--corrections none',
  '--no-corrections': '--corrections none',
  '--plain': '--corrections none',
  '--raw': '--corrections none',
  '--no-root-motion': '--root-motion in-place',
  '--no-travel': '--root-motion in-place',
  '--scale': '--root-scale',
  '--bones': '--map',
  '--animation': '--clip',
  '--anim': '--clip',
  '--flip': '--mirror',
  '--preview': '--picture',
  '--screenshot': '--picture',
  '--image': '--picture',
};

/**
 * What was probably meant by a flag that a command does not have, as it would be typed; null where nothing is near.
 * What removes or replaces something is never proposed: it would be typed without a second look.
 */
export function suggestFlag(command: Command, typed: string): string | null {
  const name = typed.split('=')[0]!;
  const flags = command.options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : []));
  const other = OTHER_NAMES[name];
  if (other !== undefined) return flags.includes(other.split(' ')[0]!) ? other : null;
  // A value that was typed as if it were the flag: --in-place, or --inplace, for --root-motion in-place.
  const folded = (word: string) => word.replaceAll('-', '').toLowerCase();
  for (const option of command.options) {
    const word = choicesOf(option).find((choice) => folded(choice) === folded(name));
    if (option.long && word) return `${option.long} ${word}`;
  }
  const safe = flags.filter((flag) => !DESTRUCTIVE.has(flag));
  const begun = safe.filter((flag) => name.length > 4 && flag.startsWith(name));
  if (begun.length === 1) return begun[0]!;
  const nearest = safe
    .map((flag) => ({ flag, apart: distance(flag.slice(2), name.slice(2)) }))
    .sort((a, b) => a.apart - b.apart)[0];
  // One letter in three may be wrong.
  return nearest && nearest.apart <= Math.min(3, name.slice(2).length / 3) ? nearest.flag : null;
}

/** How many letters must be put in, left out, replaced or exchanged with the next to make one word of another. */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i, ...new Array<number>(b.length).fill(0)]);
  for (let j = 0; j <= b.length; j++) rows[0]![j] = j;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      rows[i]![j] = Math.min(
        rows[i - 1]![j]! + 1,
        rows[i]![j - 1]! + 1,
        rows[i - 1]![j - 1]! + (isSame ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        rows[i]![j] = Math.min(rows[i]![j]!, rows[i - 2]![j - 2]! + 1);
    }
  return rows[a.length]![b.length]!;
}
