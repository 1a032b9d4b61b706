import type { ClipMeasures } from '@stuntdouble/core';
import type { Judged, Understanding } from '../../engine/protocol.js';
import { plainFailure, plainReason } from './plain-reasons.js';

/** One line of the report card. */
export type CardRow = {
  name: string;
  title: string;
  summary: string;
  unit: string;
  digits: number;
  value: number;
  /** 0 fine, 1 worth a look, 2 bad; null where it is not judged. */
  grade: 0 | 1 | 2 | null;
  /** Fine, and yet worse than what there was before this result: no reason for a colour, in either sense. */
  isWorse: boolean;
};

type Rule = Omit<CardRow, 'value' | 'grade' | 'isWorse'> & {
  read: (measures: ClipMeasures) => number | null | undefined;
  /**
   * Up to here it is fine, from there on bad; in falling order where more is better; null where it is not judged. What
   * the engine's verdict judges is fine exactly where that finds nothing (docs/measures.md).
   */
  limits: readonly [number, number] | null;
  /** Up to where it is fine beside this source, where that is more. */
  fineBeside?: (measures: ClipMeasures) => number;
  /** What the source, or the plain copy of it, has of it: whose that is, and the value. */
  beside?: readonly [whose: string, read: (measures: ClipMeasures) => number | null | undefined];
};

const OWN = "the source's own";
const COPIED = "the plain copy's";
/** What is worse than before by less than this share nobody sees. */
const HARDLY = 0.05;

const RULES: readonly Rule[] = [
  {
    name: 'slide',
    title: 'Feet slide',
    summary: 'Mean speed of planted feet, in % of the hip height a second',
    unit: '%/s',
    digits: 2,
    read: ({ motion }) => motion.slide?.result.mean,
    limits: [0.5, 6],
    // A millimetre a second beyond the source's own nobody sees.
    fineBeside: ({ motion }) => (motion.slide?.source?.mean ?? 0) + 0.1,
    beside: [OWN, ({ motion }) => motion.slide?.source?.mean],
  },
  {
    name: 'agreement',
    title: 'Contacts kept',
    summary: "How well contacts agree with the source's: F1, 0 to 1",
    unit: '',
    digits: 2,
    read: ({ motion }) => motion.agreement?.f1,
    limits: [0.95, 0.8],
  },
  {
    name: 'sunk',
    title: 'Under the floor',
    summary: "Frames with a foot more than 2 % under the floor where the source's is not",
    unit: '%',
    digits: 1,
    read: ({ motion }) =>
      motion.heights && (100 * motion.heights.sunkFrames) / Math.max(1, motion.heights.frames),
    limits: [0, 5],
  },
  {
    name: 'float',
    title: 'Feet float',
    summary: 'Mean height of planted feet over the floor, in % of the hip height',
    unit: '%',
    digits: 2,
    read: ({ motion }) => motion.heights?.float.mean,
    limits: [1, 4],
    beside: [OWN, ({ motion }) => motion.heights?.sourceFloat?.mean],
  },
  {
    name: 'direction',
    title: 'Arms off by',
    summary: 'Mean angle between arms, hands and fingers of source and result',
    unit: '°',
    digits: 2,
    read: ({ direction }) => direction.mean,
    limits: [3, 12],
  },
  {
    name: 'selfContact',
    title: 'Hand contact',
    summary: 'Mean error of the distances of hands from what they touch in the source, in % of the arm',
    unit: '%',
    digits: 1,
    read: ({ motion }) => motion.selfContact?.result.mean,
    limits: [6, 15],
    beside: [COPIED, ({ motion }) => motion.selfContact?.copied?.mean],
  },
  {
    name: 'jerk',
    title: 'Jerk',
    summary: 'Jerk of the result over that of the plain copy; 1 is as smooth',
    unit: '×',
    digits: 2,
    read: ({ motion }) => motion.smoothness?.jerkRatio,
    limits: [1.25, 4],
    beside: [COPIED, () => 1],
  },
  {
    name: 'correction',
    title: 'Corrected by',
    summary: 'Mean turn that corrections add to the plain copy',
    unit: '°',
    digits: 1,
    read: ({ motion }) => motion.correction?.turn.mean,
    limits: null,
  },
];

/** The lines of a clip's report card; what could not be measured is left out. */
export function cardOf(measures: ClipMeasures): CardRow[] {
  return RULES.flatMap((rule): CardRow[] => {
    const { read, limits: _, fineBeside, beside, ...words } = rule;
    const value = read(measures);
    if (value === null || value === undefined || !Number.isFinite(value)) return [];
    const limits = limitsFor(rule, measures);
    const grade = limits && gradeOf(value, limits);
    const before = beside?.[1](measures);
    const seen = 0.5 * 10 ** -rule.digits;
    const isWorse = grade === 0 && typeof before === 'number' && value > (1 + HARDLY) * before + seen;
    const summary = isWorse
      ? `${words.summary}; within the limit, and yet more than ${beside![0]} ${before.toFixed(rule.digits)}`
      : words.summary;
    return [{ ...words, summary, value, grade, isWorse }];
  });
}

function limitsFor({ limits, fineBeside }: Rule, measures: ClipMeasures): readonly [number, number] | null {
  if (!limits || !fineBeside) return limits;
  const fine = Math.max(limits[0], fineBeside(measures));
  return [fine, Math.max(limits[1], 2 * fine)];
}

function gradeOf(value: number, [fine, bad]: readonly [number, number]): 0 | 1 | 2 {
  const [v, f, b] = fine < bad ? [value, fine, bad] : [-value, -fine, -bad];
  return v <= f ? 0 : v <= b ? 1 : 2;
}

/**
 * A result in one figure: the mean of its judged lines, each 100 where it is fine and falling in a straight line to
 * 50 where it is bad and 0 as far beyond. Null where too little could be measured.
 */
export function scoreOf(measures: ClipMeasures): number | null {
  const marks = RULES.flatMap((rule) => {
    const value = rule.read(measures);
    const limits = limitsFor(rule, measures);
    if (!limits || value === null || value === undefined || !Number.isFinite(value)) return [];
    const [fine, bad] = limits;
    const beyond = (value - fine) / (bad - fine);
    return [100 - 50 * Math.max(0, Math.min(2, beyond))];
  });
  return marks.length >= LEAST_LINES ? marks.reduce((sum, mark) => sum + mark, 0) / marks.length : null;
}

/** With fewer lines than this a figure says nothing: a body without feet and hands is not as good as all of them. */
const LEAST_LINES = 3;

/** A verdict, and its reasons in sentences, the worst first. */
export type Verdict = { word: 'good' | 'look' | 'broken'; reason: string; reasons: string[] };

/** The figure of a result where it says something: what is broken is not worth 100, however well its limbs move. */
export function scoreWords(judged: Judged | null, verdict: Verdict | null): string {
  if (verdict?.word === 'broken') return '!';
  if (!judged) return '…';
  const score = scoreOf(judged.measures);
  // Rounded down: beside a line that is off, or a verdict that asks for a look, nobody believes a full 100.
  return score === null ? '–' : String(Math.floor(verdict?.word === 'look' ? Math.min(99, score) : score));
}

/** What is to be thought of a result: what the engine says of it, or that nothing could be matched. */
export function verdictOf(understanding: Understanding, judged: Judged | null): Verdict {
  const { failure } = understanding;
  if (failure) return { word: 'broken', reason: plainFailure(failure), reasons: [plainFailure(failure)] };
  const told = judged?.verdict.reasons ?? [];
  const off = judged ? cardOf(judged.measures).filter(({ grade }) => grade !== null && grade > 0) : [];
  const [first, ...others] = told.map(plainReason);
  if (first === undefined) {
    const reason = off.length > 0 ? whatIsOff(off) : ALL_FINE;
    return { word: judged?.verdict.verdict ?? 'good', reason, reasons: [] };
  }
  // What the card shows in red is said too, where no reason is about it.
  const far = off.filter(({ name, grade }) => grade === 2 && !told.some(({ code }) => code === name));
  const reason = far.length > 0 ? `${first} Not as in the source: ${listed(far)}.` : first;
  return { word: judged!.verdict.verdict, reason, reasons: [reason, ...others] };
}

const ALL_FINE = 'Nothing to mend: every measure is within its limit.';

/** Lines of the card whose titles want the figure behind them, as they are called in a list. */
const IN_A_LIST: Readonly<Record<string, string>> = {
  agreement: 'contacts',
  sunk: 'feet under the floor',
  direction: 'direction of the arms',
};

/** Lines that are beyond what is fine, where the engine's verdict goes by none of them: first those that are far off. */
function whatIsOff(rows: readonly CardRow[]): string {
  const far = listed(rows.filter(({ grade }) => grade === 2));
  const little = listed(rows.filter(({ grade }) => grade !== 2));
  if (far === '') return `Nothing stands out. A little off on the card: ${little}.`;
  return `Nothing is broken, yet not as in the source: ${far}.${little && ` A little off: ${little}.`}`;
}

function listed(rows: readonly CardRow[]): string {
  return rows.map(({ name, title }) => IN_A_LIST[name] ?? title.toLowerCase()).join(', ');
}
