import { UsageError } from '@stuntdouble/core';
import { listed } from '../words.js';

/** A clip of the source and the clip of the result that it became. */
export type ClipPair = [source: string, result: string];

/** Which clips belong together, and which were left alone. */
export type ClipPairs = { pairs: ClipPair[]; alone: { source: string[]; result: string[] } };

/** The name without the ` (2)` that a clip gets where its name was taken in the target. */
function withoutSuffix(name: string): string {
  return name.replace(/ \(\d+\)$/, '');
}

/** The number of such a suffix; 1 where there is none. */
function numberOf(name: string): number {
  return Number(/ \((\d+)\)$/.exec(name)?.[1] ?? 1);
}

/**
 * Finds which clips belong together: by the user's word, else by name, also where the result's carries the
 * suffix of a name that was taken: then the target's own clip of that name is left out; where there is just one on either side, they are a pair.
 * @param asked `A=B` or `A`. A name may hold `=` itself: every way to cut it is tried.
 * @throws UsageError where the user names a clip that is not there, or nothing can be paired.
 */
export function pairClips(
  source: readonly string[],
  result: readonly string[],
  asked: readonly string[] = [],
): ClipPairs {
  const pairs: ClipPair[] =
    asked.length > 0 ? asked.map((text) => askedPair(text, source, result)) : foundPairs(source, result);
  if (pairs.length === 0)
    throw new UsageError(
      `no clip of the result carries the name of one of the source (${listed(source)} against ${listed(result)}); pair them with --clip A=B`,
    );
  return {
    pairs,
    alone: {
      source: source.filter((name) => !pairs.some(([a]) => a === name)),
      result: result.filter((name) => !pairs.some(([, b]) => b === name)),
    },
  };
}

function foundPairs(source: readonly string[], result: readonly string[]): ClipPair[] {
  if (source.length === 1 && result.length === 1) return [[source[0]!, result[0]!]];
  const pairs: ClipPair[] = [];
  for (const name of source) {
    // A target that had a clip of that name has it still: what came from the source is the last that was added.
    const same = result.filter(
      (other) => other === name || (withoutSuffix(other) === name && !source.includes(other)),
    );
    const last = same.sort((a, b) => numberOf(a) - numberOf(b)).at(-1);
    if (last !== undefined) pairs.push([name, last]);
  }
  return pairs;
}

function askedPair(text: string, source: readonly string[], result: readonly string[]): ClipPair {
  if (source.includes(text) && result.includes(text)) return [text, text];
  for (let at = text.indexOf('='); at >= 0; at = text.indexOf('=', at + 1)) {
    const a = text.slice(0, at);
    const b = text.slice(at + 1);
    if (source.includes(a) && result.includes(b)) return [a, b];
  }
  const [a = '', b = a] = text.split('=');
  if (!source.includes(a))
    throw new UsageError(`--clip ${text}: the source has no clip "${a}"; it has ${listed(source)}`);
  throw new UsageError(`--clip ${text}: the result has no clip "${b}"; it has ${listed(result)}`);
}
