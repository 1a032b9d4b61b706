import {
  checkShape,
  type ImitationMode,
  LEG_JOINT_LIMITS,
  listOptions,
  NAMING_SCHEME_NAMES,
  OPTION_GROUPS,
  type OptionName,
  type RetargetOptions,
  type ShapeData,
  type TranslationMode,
} from '@stuntdouble/core/engine';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  collect,
  parseAlignment,
  parseAxis,
  parseChoice,
  parseGround,
  parseLook,
  parseLoop,
  parseModes,
  parseMorphs,
  parsePasses,
  parsePositive,
  parseRange,
  parseReference,
  parseRoot,
  parseRootScale,
  parseSpacing,
  parseTolerance,
  parseTwist,
  parseUnit,
} from './arguments.js';
import { parseChains, parseMatching } from './chain-arguments.js';
import { parseLimbScales, parseSolvers } from './solver-arguments.js';

/*
 * The flags that stand for options of the engine. Which there are, how they are typed and what they say comes from the
 * engine's list; here stands how what is typed becomes a value, where the option's kind does not tell.
 */

const ROOT_MOTION = { keep: 'keep', extract: 'extract', apart: 'apart', 'in-place': 'inPlace' } as const;
const TRAVEL = { 'as-given': 'asGiven', 'from-feet': 'fromFeet' } as const;
const IMITATION = {
  turn: 'worldDelta',
  direction: 'direction',
  keep: 'keep',
} as const satisfies Record<string, ImitationMode>;
const TRANSLATIONS = {
  rest: 'rest',
  'root-scaled': 'rootScaled',
  'length-scaled': 'boneLengthScaled',
  copied: 'copied',
} as const satisfies Record<string, TranslationMode>;

/** How the text of a flag is read; what may be repeated is read onto what was read before. */
type Parse = (text: string, before: never) => unknown;

const PARSERS: Partial<Record<OptionName, Parse>> = {
  clips: collect,
  range: parseRange,
  sourceReference: parseReference,
  targetReference: parseReference,
  sourceNaming: parseChoice(NAMING_SCHEME_NAMES),
  targetNaming: parseChoice(NAMING_SCHEME_NAMES),
  sourceFamily: collect,
  sourceUp: parseAxis,
  targetUp: parseAxis,
  sourceFacing: parseAxis,
  targetFacing: parseAxis,
  sourceUnit: parseUnit,
  targetUnit: parseUnit,
  passes: parsePasses,
  alignment: parseAlignment,
  imitation: parseModes(Object.keys(IMITATION)),
  translations: parseModes(Object.keys(TRANSLATIONS)),
  spacing: parseSpacing,
  twist: parseTwist,
  lookAt: parseLook,
  rootScales: parseRootScale,
  root: parseRoot,
  rootMotion: parseChoice(Object.keys(ROOT_MOTION)),
  travel: parseChoice(Object.keys(TRAVEL)),
  ground: parseGround,
  chains: parseChains,
  matching: parseMatching,
  indexing: parseChoice(['index', 'nearest', 'length']),
  solvers: parseSolvers,
  limbScalings: parseLimbScales,
  loop: parseLoop,
  reduce: parseTolerance,
  morphs: parseMorphs,
};

/** What stands in a file, or is understood when the files are at hand: `retarget` reads these flags itself. */
const READ_LATER: ReadonlySet<OptionName> = new Set([
  'sourceArmature',
  'targetArmature',
  'clips',
  'range',
  'map',
  'sourceFamily',
  'contacts',
  'constraints',
]);

/** What a flag means where it is not what was read. */
const MEANINGS: Partial<Record<OptionName, (read: never) => unknown>> = {
  keys: () => 'keep',
  measure: (isOn: boolean) => (isOn ? undefined : false),
  limits: () => LEG_JOINT_LIMITS,
  ground: (rule: true | object) => (rule === true ? {} : rule),
  rootMotion: (word: keyof typeof ROOT_MOTION) => ROOT_MOTION[word],
  travel: (word: keyof typeof TRAVEL) => TRAVEL[word],
  imitation: (words: Record<string, keyof typeof IMITATION>) => mapValues(words, IMITATION),
  translations: (words: Record<string, keyof typeof TRANSLATIONS>) => mapValues(words, TRANSLATIONS),
};

/** Options that say how both files are read. */
export const SPACE_OPTIONS = [
  'sourceFamily',
  'sourceUp',
  'targetUp',
  'sourceFacing',
  'targetFacing',
  'sourceUnit',
  'targetUnit',
  'sourceFloor',
  'targetFloor',
] as const satisfies readonly OptionName[];

/** Adds the flags of all options that have one, or of some, under the headings of their groups. */
export function addOptionFlags(command: Command, names?: readonly OptionName[]): Command {
  for (const [name, { flag, summary, shape, group }] of listOptions()) {
    if (!flag || (names && !names.includes(name))) continue;
    const option = new Option(flag.typed, flag.says ?? summary).helpGroup(`${OPTION_GROUPS[group]}:`);
    const parse = PARSERS[name] ?? parserOf(shape);
    if (parse && /[<[]/.test(flag.typed)) option.argParser(parse as (text: string) => unknown);
    command.addOption(option);
  }
  return command;
}

/** The options that flags ask for, but for those that are read when the files are at hand. */
export function optionsOfFlags(typed: object): RetargetOptions {
  const given = typed as Readonly<Record<string, unknown>>;
  const options: Record<string, unknown> = {};
  for (const [name, { flag }] of listOptions()) {
    if (!flag || READ_LATER.has(name)) continue;
    const read = given[new Option(flag.typed).attributeName()];
    if (read === undefined) continue;
    const means = MEANINGS[name];
    const value = means ? means(read as never) : read;
    if (value !== undefined) options[name] = value;
  }
  // To ask for a rate is to ask for a bake.
  if (options.frameRate !== undefined) options.keys ??= 'bake';
  return options;
}

/** What flags say of how both files are read. */
export function spaceOptionsOf(typed: object): Pick<RetargetOptions, (typeof SPACE_OPTIONS)[number]> {
  const all = optionsOfFlags(typed);
  return Object.fromEntries(SPACE_OPTIONS.flatMap((name) => (name in all ? [[name, all[name]]] : [])));
}

/** How a value of a kind is read. */
function parserOf(shape: ShapeData): Parse | undefined {
  if (shape.kind === 'choice') return parseChoice(shape.words);
  if (shape.kind !== 'number') return undefined;
  if (shape.above === 0 && shape.most === undefined) return parsePositive;
  return (text: string) => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (!Number.isFinite(value)) throw new InvalidArgumentError('It must be a number.');
    try {
      checkShape(shape, value, 'It');
    } catch (error) {
      throw new InvalidArgumentError(`${(error as Error).message.replace(/^It: /, 'It ')}.`);
    }
    return value;
  };
}

function mapValues<K extends string, V>(words: Record<string, K>, values: Record<K, V>): Record<string, V> {
  return Object.fromEntries(Object.entries(words).map(([name, word]) => [name, values[word]]));
}
