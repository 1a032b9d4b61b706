import { CHAIN_WEIGHTS, type ChainWeights, type MatchingRule } from '@stuntdouble/core/engine';
import { InvalidArgumentError } from 'commander';

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
