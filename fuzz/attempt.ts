import { RetargetError, UsageError } from '@stuntdouble/core';
import { FormatError } from '@stuntdouble/formats';

/** How a case ended: whether anything came of it, and all that was wrong, a sentence each. */
export type Verdict = { gave: boolean; faults: string[] };

/** One input that a seed and a number repeat exactly. */
export type FuzzCase = {
  /** What it was made from, for people who look for it. */
  from: string;
  /** Tries everything that the case is for. Nothing is thrown: what goes wrong stands in the verdict. */
  run(): Promise<Verdict>;
  /** The input as a file, and the extension that suits it. */
  file(): { bytes: Uint8Array; extension: string };
  /** Smaller inputs that may fail alike, simplest first; left out where there are none. */
  smaller?(): FuzzCase[];
};

/** Starts a verdict. */
export function createVerdict(): Verdict {
  return { gave: false, faults: [] };
}

/**
 * Does one step of a case. What may be refused is refused by a FormatError, a RetargetError or a UsageError of one
 * short line; whatever else is thrown is a fault.
 * @returns what the step gave; undefined where it was refused or failed.
 */
export async function attempt<T>(
  verdict: Verdict,
  step: string,
  action: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    const isAllowed =
      error instanceof FormatError || error instanceof RetargetError || error instanceof UsageError;
    if (isAllowed) {
      const problem = messageProblem(error.message);
      if (problem) verdict.faults.push(`${step}: message of a ${error.name} ${problem} ${placeOf(error)}`);
    } else verdict.faults.push(`${step}: ${describeError(error)}`);
    return undefined;
  }
}

/** Notes that a step gave something, and the problem that was found in it. */
export function note(verdict: Verdict, step: string, problem: string | null): void {
  verdict.gave = true;
  if (problem !== null) verdict.faults.push(`${step}: ${problem}`);
}

/** The longest message that a person is shown. */
const LONGEST_MESSAGE = 300;

/** What is wrong with a sentence that people and terminals are to read; null for nothing. */
export function messageProblem(message: string): string | null {
  if (message.length > LONGEST_MESSAGE) return `has ${message.length} characters`;
  if (/[\r\n\u2028\u2029]/.test(message)) return 'has several lines';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are looked for.
  if (/[\u0000-\u001f\u007f-\u009f]/.test(message)) return 'holds control characters';
  if (/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(message)) return 'changes the direction of text';
  if (/[\ud800-\udfff]/u.test(message)) return 'holds half a character';
  return null;
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `threw ${String(error).slice(0, 100)}`;
  return `${error.name}: ${error.message.slice(0, 160)} ${placeOf(error)}`;
}

/** The topmost places of our own code that an error came from. */
function placeOf(error: Error): string {
  const places = (error.stack ?? '').split('\n').flatMap((line) => {
    const [, name = '', place] =
      /^\s+at (?:async )?(.*?)\(?(?:file:\/\/)?\/[^()]*\/packages\/([^()]*)\)?$/.exec(line) ?? [];
    return place === undefined ? [] : [`${name}${place}`];
  });
  return places.slice(0, 3).join(' < ');
}

/** What is common to faults of one kind: the sentence without its numbers and names. */
export function signatureOf(fault: string): string {
  return fault
    .replace(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replace(/(?<![\w:.])-?\d[\d.e+-]*/g, '#')
    .slice(0, 240);
}
