import type { Shape, ShapeData, Typed, ValueOf } from './shape.js';

/** The headings under which options stand in help, documentation and studio, in this order. */
export const OPTION_GROUPS = {
  choice: 'What is moved, and onto what',
  chains: 'Chains: how the parts of both bodies are found, matched and solved',
  clip: 'The clip: its part, speed and keys',
  turns: 'Turns: how limbs and joints follow',
  root: 'Root: travel over the ground, and height',
  corrections: 'Corrections: feet that stand, hands that touch',
  edits: 'Edits: what a person did by hand',
  run: 'The run',
} as const;

/** A heading under which options stand. */
export type OptionGroup = keyof typeof OPTION_GROUPS;

/** A flag of the command line: how it is typed, `--clip <NAME>`, and what it does where that is not the summary. */
export type OptionFlag = { typed: string; says?: string };

/** All that anybody has to know of an option. */
export type OptionData = {
  shape: ShapeData;
  /** What holds where it is left out, in words. */
  default: string;
  /** What it does, in a line that a stranger understands, without a capital or a full stop. */
  summary: string;
  group: OptionGroup;
  /** The one pass that carries it out: where that does not run, the option has no effect. */
  pass?: string;
  flag?: OptionFlag;
  /** Where a recipe keeps it: among the settings, if left out; in a place of its own; or nowhere. */
  saved?: 'settings' | 'place' | 'never';
  /**
   * Whether it asks for other rotation keys than the source's: whatever it is set to (`given`), where it is on, or
   * where it is one of some words.
   */
  changesKeys?: 'given' | 'on' | readonly string[];
  /** Whether it says how feet and hands are corrected, and nothing else: to give it asks for corrections. */
  corrects?: true;
  /** Whether it forbids taking clips over whole where it is given, be both skeletons one. */
  asks?: true;
  /** Whether it means something live, frame by frame. */
  live?: true;
};

/** {@link OptionData} whose values have a type. */
export type Option<T> = OptionData & Typed<T>;

/** An option, the type of its values kept. */
export function defineOption<T>(shape: Shape<T>, about: Omit<OptionData, 'shape'>): Option<T> {
  return { shape, ...about };
}

/** What may be told of the options of a list: each may be left out. */
export type OptionValues<List> = { [Name in keyof List]?: ValueOf<List[Name]> };
