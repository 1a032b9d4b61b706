import { REQUIRED_ROLES } from '@stuntdouble/core';
import type { Truth } from './labels.js';

/** One answer about a body part: right, wrong, or none given. */
export type Verdict = {
  part: string;
  group: PartGroup;
  outcome: 'right' | 'wrong' | 'abstained';
  /** Of the answer; 0 where there was none. */
  confidence: number;
  /** The joint answered and the joint labelled, by name, where they differ. */
  remark: string;
  /** Whether left was taken for right or the reverse. */
  swapped: boolean;
};

/** Which column of the table a body part belongs to. */
export type PartGroup = 'required' | 'fingers' | 'others' | 'animal';

const required: ReadonlySet<string> = new Set(REQUIRED_ROLES);

/** The column of the table that a body part of a humanoid belongs to. */
export function groupOf(part: string, isAnimal: boolean): PartGroup {
  if (isAnimal) return 'animal';
  if (required.has(part)) return 'required';
  return /Thumb|Index|Middle|Ring|Little/.test(part) ? 'fingers' : 'others';
}

/** An answer: the part that each joint was said to play, or null. */
export type Answer = { part: string | null; confidence: number };

const mirrored = (part: string) =>
  part.replace(/left|right|Left|Right/, (word) => {
    const other = /left/i.test(word) ? 'right' : 'left';
    return /^[A-Z]/.test(word) ? other[0]!.toUpperCase() + other.slice(1) : other;
  });

/** Compares the answers on a skeleton with its labels. A part that has no label must not be given. */
export function judge(
  answers: readonly Answer[],
  truth: Truth,
  names: readonly string[],
  isAnimal: boolean,
): Verdict[] {
  const given = new Map<string, number>();
  answers.forEach(({ part }, joint) => {
    if (part !== null && !given.has(part)) given.set(part, joint);
  });
  const verdicts: Verdict[] = [];
  for (const part of new Set([...truth.joints.keys(), ...given.keys()])) {
    const joint = given.get(part);
    const right = truth.joints.get(part);
    const group = groupOf(part, isAnimal);
    if (joint === undefined) {
      verdicts.push({ part, group, outcome: 'abstained', confidence: 0, remark: '', swapped: false });
      continue;
    }
    const isRight = joint === right || truth.alternatives.has(`${part}=${names[joint]}`);
    verdicts.push({
      part,
      group,
      outcome: isRight ? 'right' : 'wrong',
      confidence: answers[joint]!.confidence,
      remark: isRight ? '' : `${part} ${names[joint]} (is ${right === undefined ? 'none' : names[right]})`,
      swapped: !isRight && truth.joints.get(mirrored(part)) === joint && mirrored(part) !== part,
    });
  }
  return verdicts;
}

/** How many answers were right, wrong and left out. */
export type Tally = { right: number; wrong: number; abstained: number };

/** Counts verdicts. */
export function tallyOf(verdicts: readonly Verdict[]): Tally {
  const tally: Tally = { right: 0, wrong: 0, abstained: 0 };
  for (const { outcome } of verdicts) tally[outcome]++;
  return tally;
}

/** Share of right answers, and of wrong ones, of everything that could have been answered. */
export function sharesOf({ right, wrong, abstained }: Tally): { right: number; wrong: number } {
  const all = right + wrong + abstained;
  return { right: all ? right / all : 1, wrong: all ? wrong / all : 0 };
}

/** Lower ends of the bins in which confidence is compared with how often it was deserved. */
export const CONFIDENCE_BINS: readonly number[] = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95];

/** Per bin of confidence how many answers were given and how many of them were right. */
export function calibrationOf(
  verdicts: readonly Verdict[],
): { from: number; answers: number; right: number }[] {
  return CONFIDENCE_BINS.map((from, b) => {
    const to = CONFIDENCE_BINS[b + 1] ?? Number.POSITIVE_INFINITY;
    const inside = verdicts.filter(
      ({ outcome, confidence }) => outcome !== 'abstained' && confidence >= from && confidence < to,
    );
    return {
      from,
      answers: inside.length,
      right: inside.filter(({ outcome }) => outcome === 'right').length,
    };
  });
}
