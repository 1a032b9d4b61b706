import { listOptions } from '@stuntdouble/core';
import type { Option } from 'commander';

/** Words of flags whose text is read by a rule of its own. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  '--root-motion': ['keep', 'extract', 'apart', 'in-place'],
  '--imitate': ['turn', 'direction', 'keep'],
  '--twist': ['joints', 'limbs', 'none'],
  '--translations': ['rest', 'root-scaled', 'length-scaled', 'copied'],
};

/** The words that a flag takes, where it takes one of a list. */
export function choicesOf(option: Option): readonly string[] {
  if (option.argChoices) return option.argChoices;
  if (!option.long || !(option.required || option.optional)) return [];
  const known = WORDS[option.long];
  if (known) return known;
  for (const [, { flag, shape }] of listOptions())
    if (flag && shape.kind === 'choice' && flag.typed.split(/[ ,]+/).includes(option.long))
      return shape.words;
  return [];
}
