import {
  CHAIN_WEIGHTS,
  type ChainGoalRule,
  type ChainRule,
  type ChainRules,
  type ChainWeights,
  type MatchingRule,
} from '@stuntdouble/core/engine';
import { InvalidArgumentError } from 'commander';
import { parseSolver } from './solver-arguments.js';

const IMITATION = { turn: 'worldDelta', direction: 'direction', keep: 'keep' } as const;
const ALIGNMENT = { keep: 'keep', line: 'line', bones: 'bones' } as const;
const SWITCH = { true: true, false: false } as const;

/** How each setting of a chain is read, given what was read of its goal before. */
const SETTINGS: Record<string, (text: string, goal: ChainGoalRule) => ChainRule> = {
  solver: (text) => ({ solver: parseSolver(text) }),
  goal: (text, goal) => ({ goal: text === 'none' ? 'none' : { ...goal, place: placeOf(text) } }),
  weight: (text, goal) => ({ goal: { ...goal, weight: curveOf(text) } }),
  'limb-scale': (text) => ({ limbScale: curveOf(text) }),
  'root-scale': (text) => ({ rootScale: curveOf(text) }),
  priority: (text) => ({ priority: numberOf(text) }),
  imitate: (text) => ({ imitation: wordOf(text, IMITATION) }),
  align: (text) => ({ alignment: wordOf(text, ALIGNMENT) }),
  muted: (text) => ({ muted: wordOf(text, SWITCH) }),
};

/**
 * Reads `CHAIN.SETTING=VALUE` onto what was read before. Numbers that may change over time are one number or keys,
 * `VALUE@SECONDS` by commas, which are eased.
 */
export function parseChains(text: string, before: ChainRules = {}): ChainRules {
  const at = text.indexOf('=');
  const path = text.slice(0, Math.max(0, at)).trim();
  const dot = path.lastIndexOf('.');
  const [name, setting] = [path.slice(0, Math.max(0, dot)), path.slice(dot + 1)];
  const read = Object.hasOwn(SETTINGS, setting) ? SETTINGS[setting] : undefined;
  if (name === '' || !read)
    throw new InvalidArgumentError(
      `It must be CHAIN.SETTING=VALUE, such as tail.solver=fabrik; the settings are ${Object.keys(SETTINGS).join(', ')}.`,
    );
  const known = before[name] ?? {};
  const goal = typeof known.goal === 'object' ? known.goal : {};
  return { ...before, [name]: { ...known, ...read(text.slice(at + 1).trim(), goal) } };
}

function numberOf(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) throw new InvalidArgumentError(`"${text}" is no number.`);
  return value;
}

function placeOf(text: string): [number, number, number] {
  const [x, y, z, ...more] = text.split(',').map(numberOf);
  if (x === undefined || y === undefined || z === undefined || more.length > 0)
    throw new InvalidArgumentError('A goal must be X,Y,Z in metres, or none.');
  return [x, y, z];
}

function curveOf(text: string): NonNullable<ChainRule['limbScale']> {
  if (!text.includes('@')) return numberOf(text);
  return text.split(',').map((key) => {
    const [value = '', time = ''] = key.split('@');
    return { time: numberOf(time.replace(/s$/, '')), value: numberOf(value), easing: 'smoother' as const };
  });
}

function wordOf<T>(text: string, words: Readonly<Record<string, T>>): T {
  if (!Object.hasOwn(words, text))
    throw new InvalidArgumentError(`"${text}" is none of ${Object.keys(words).join(', ')}.`);
  return words[text]!;
}

/**
 * Reads rules of matching by commas onto what was read before: `roles` or `chains`, `best` or `greedy`,
 * `threshold=0.6`, a weight such as `direction=3`, and `pair.TARGET=SOURCE`, where either side may be `none`.
 */
export function parseMatching(text: string, before: MatchingRule = {}): MatchingRule {
  return text.split(',').reduce((rule, part) => addRule(rule, part.trim()), before);
}

function addRule(rule: MatchingRule, text: string): MatchingRule {
  if (text === 'roles' || text === 'chains') return { ...rule, by: text };
  if (text === 'best' || text === 'greedy') return { ...rule, assignment: text };
  const at = text.indexOf('=');
  const name = text.slice(0, Math.max(0, at)).trim();
  const value = text.slice(at + 1).trim();
  if (name.startsWith('pair.') && value !== '') {
    const [target, source] = [name.slice('pair.'.length), value].map((each) =>
      each === 'none' ? null : each,
    );
    return { ...rule, fixed: [...(rule.fixed ?? []), { source: source!, target: target! }] };
  }
  const number = value === '' ? Number.NaN : Number(value);
  if (at > 0 && name === 'threshold' && Number.isFinite(number)) return { ...rule, threshold: number };
  if (at > 0 && Object.hasOwn(CHAIN_WEIGHTS, name) && Number.isFinite(number))
    return { ...rule, weights: { ...rule.weights, [name as keyof ChainWeights]: number } };
  throw new InvalidArgumentError(
    `"${text}" is no rule; there are roles, chains, best, greedy, threshold=N, pair.TARGET=SOURCE, and weights: ${Object.keys(CHAIN_WEIGHTS).join(', ')}.`,
  );
}
