import {
  type FieldData,
  LEG_JOINT_LIMITS,
  listOptions,
  type OptionData,
  type Plain,
  type Recipe,
  type ShapeData,
} from '@stuntdouble/core/engine';
import { settingOf } from '../../document/document.js';
import { inWords } from '../in-words.js';
import { titleOf, wordTitle } from './option-words.js';

/** What a control looks like, made from the shape that core's list gives an option. */
export type ControlKind =
  | { kind: 'number'; least?: number; most?: number; digits: number; unit?: string; hasSlider: boolean }
  | { kind: 'choice'; choices: readonly { value: string; title: string }[] }
  /** `on` is told where it is more than true. */
  | { kind: 'switch'; on?: Plain }
  /** A joint of the character, or left to the engine. */
  | { kind: 'joint' }
  /** As many numbers as there are labels, told together. */
  | { kind: 'numbers'; labels: readonly string[]; unit?: string }
  /** A named unit, or how many metres it is. */
  | { kind: 'unit'; choices: readonly { value: string; title: string }[] }
  /** What has no control of its own, typed as JSON. */
  | { kind: 'json'; says: string };

/** One control of the panel: an option of core's list, or a part of one. */
export type Control = ControlKind & {
  /** Where its value stands among the settings of a recipe. */
  path: readonly string[];
  /**
   * Per step of the path what a value that is no record stands for: the part that has this name (`*` of a table,
   * `solver` of a solver with settings), nothing but that it is on (an empty name), or null where there is none such.
   */
  hubs: readonly (string | null)[];
  title: string;
  summary: string;
  /** What holds where it is left out, in words. */
  default: string;
  group: string;
};

/** A section of the panel. */
export type Group = { name: string; title: string; summary: string };

/** What sections are called; what is not here goes by its option's name. */
const GROUP_TITLES: Record<string, string> = {
  turns: 'Copy rotations',
  root: 'Move root',
  corrections: 'Feet and hands',
  chains: 'Chains',
  edits: 'Constraints',
  clip: 'The clip',
  choice: 'How files are read',
  ground: 'Match ground',
  spacing: 'Spread limbs',
};

/** Options that are told elsewhere in the studio, and where. */
export const TOLD_ELSEWHERE: Record<string, string> = {
  clips: 'the list of clips, and the export sheet',
  sourceSkeleton: 'the card of its file',
  targetSkeleton: 'the card of its file',
  map: 'the map panel',
  mapIsTold: 'follows from the map',
  sourceReference: 'the pose panel',
  targetReference: 'the pose panel',
  sourceArmature: 'a recipe that is dropped',
  targetArmature: 'a recipe that is dropped',
  sourceNaming: 'a recipe that is dropped',
  targetNaming: 'a recipe that is dropped',
  chains: 'a recipe that is dropped',
  passes: 'the steps at the end of the panel',
  contacts: 'the timeline',
  constraints: 'the timeline',
  layers: 'the timeline',
  corrections: 'the switch of its section',
  measure: 'always, after solving',
};

/** Limbs that settings of their own are reached for at once; the others are in a list. */
export const FIRST_LIMBS = ['leftArm', 'rightArm', 'leftLeg', 'rightLeg'] as const;

const isShown = ([name, { saved }]: [string, OptionData]) => saved !== 'never' && !(name in TOLD_ELSEWHERE);

/** Options with parts that are off unless they are told have a section of their own, with a switch. */
function isSection({ shape, default: otherwise }: OptionData): boolean {
  return shape.kind === 'record' && (otherwise === 'none' || otherwise === 'off');
}

const groupOf = (name: string, option: OptionData) => (isSection(option) ? name : option.group);

/** The limbs that a table is by; null where it is by something else. */
function limbsOf(shape: ShapeData): readonly string[] | null {
  if (shape.kind === 'either') return limbsOf(shape.second);
  return shape.kind === 'table' && /limb/.test(shape.by) ? (shape.names ?? []) : null;
}

/** Every limb that some option can be told for by itself. */
export const LIMB_CHOICES: readonly string[] = [
  ...new Set(listOptions().flatMap(([, { shape }]) => limbsOf(shape) ?? [])),
].filter((limb) => limb !== 'all');

/** The sections, in the order of core's list, those of single options behind their group. */
export const GROUPS: readonly Group[] = [
  ...new Map(
    ['turns', 'root', 'corrections', 'chains', 'edits', 'clip', 'choice'].flatMap((group) =>
      listOptions()
        .filter((entry) => isShown(entry) && entry[1].group === group)
        .sort((a, b) => Number(isSection(a[1])) - Number(isSection(b[1])))
        .map(([name, option]): [string, Group] => {
          const own = groupOf(name, option);
          return [
            own,
            {
              name: own,
              title: GROUP_TITLES[own] ?? inWords(own),
              summary: isSection(option) ? option.summary : (GROUP_TITLES[own] ?? own),
            },
          ];
        }),
    ),
  ).values(),
];

type Place = Pick<Control, 'path' | 'hubs' | 'title' | 'summary' | 'default' | 'group'>;

/** The controls of a part of an option: itself, or those of its parts. */
function controlsOf(shape: ShapeData, at: Place): Control[] {
  const option = at.path[0]!;
  const choicesOf = (words: readonly string[]) =>
    words.map((value) => ({ value, title: wordTitle(option, value) }));
  switch (shape.kind) {
    case 'number': {
      const { least, most, above, isWhole, unit } = shape;
      return [
        {
          ...at,
          kind: 'number',
          ...((least ?? above) !== undefined && { least: least ?? above! }),
          ...(most !== undefined && { most }),
          ...(unit && unit.length <= 2 && { unit: unit === '°' ? unit : ` ${unit}` }),
          digits: isWhole ? 0 : 2,
          hasSlider: most !== undefined && most <= 180 && least !== undefined,
        },
      ];
    }
    case 'curve':
      return [{ ...at, kind: 'number', least: 0, most: 1, digits: 2, hasSlider: true }];
    case 'switch':
      return [{ ...at, kind: 'switch' }];
    case 'choice':
      return [{ ...at, kind: 'choice', choices: choicesOf(shape.words) }];
    case 'text':
      return [{ ...at, kind: 'joint' }];
    case 'list':
      return shape.count === 2 && shape.of.kind === 'number'
        ? [{ ...at, kind: 'numbers', labels: ['aside', 'up'], unit: shape.of.unit ?? '' }]
        : [{ ...at, kind: 'json', says: 'a list' }];
    case 'record':
      return Object.entries(shape.fields).flatMap(([name, field]) => partOf(at, name, field, null));
    case 'either':
      return eitherOf(shape.first, shape.second, at);
    case 'table':
    case 'data':
      return [dataControl(option, shape.kind === 'data' ? shape.says : `by ${shape.by}`, at)];
    case 'code':
      return [];
  }
}

function partOf(at: Place, name: string, field: FieldData, hub: string | null): Control[] {
  const path = [...at.path, name];
  const { shape, summary, default: otherwise } = field;
  return controlsOf(shape, {
    ...at,
    path,
    hubs: [...at.hubs, hub],
    title: titleOf(path),
    summary,
    default: otherwise,
  });
}

function eitherOf(first: ShapeData, second: ShapeData, at: Place): Control[] {
  const [only] = controlsOf(first, at);
  if (!only) return [];
  // A word for all, or words by limb or joint: the word alone stands for the table's others.
  if (second.kind === 'table') return [{ ...only, path: [...at.path, '*'], hubs: [...at.hubs, '*'] }];
  if (second.kind === 'number' && first.kind === 'choice')
    return [{ ...at, kind: 'unit', choices: only.kind === 'choice' ? only.choices : [] }];
  if (second.kind !== 'record') return [only];
  const required = Object.entries(second.fields).find(([, field]) => field.isRequired)?.[0];
  const hub = required ?? '';
  const parts = Object.entries(second.fields)
    .filter(([name]) => name !== required)
    .flatMap(([name, field]) => partOf(at, name, field, hub));
  return [
    required === undefined ? only : { ...only, path: [...at.path, required], hubs: [...at.hubs, hub] },
    ...parts,
  ];
}

/** Data with a check of its own: what is often told has a control, all else is typed. */
function dataControl(option: string, says: string, at: Place): Control {
  if (option === 'limits') return { ...at, kind: 'switch', on: LEG_JOINT_LIMITS as unknown as Plain };
  if (option === 'range') return { ...at, kind: 'numbers', labels: ['From', 'To'], unit: ' s' };
  if (at.path.at(-1) === 'point') return { ...at, kind: 'numbers', labels: ['X', 'Y', 'Z'] };
  return { ...at, kind: 'json', says };
}

function placeOf(name: string, option: OptionData): Place {
  return {
    path: [name],
    hubs: [],
    title: titleOf([name]),
    summary: option.summary,
    default: option.default,
    group: groupOf(name, option),
  };
}

/** Controls of what holds for the whole body: every option that is told here, made from its shape. */
export const CONTROLS: readonly Control[] = listOptions()
  .filter(isShown)
  .flatMap(([name, option]) => {
    const { shape } = option;
    const at = placeOf(name, option);
    if (shape.kind !== 'table' || limbsOf(shape) === null) return controlsOf(shape, at);
    // What is told by limb is told for all of them at once where the option has a word for that.
    if (!shape.names || shape.names.includes('all'))
      return controlsOf(shape.of, {
        ...at,
        path: [name, 'all'],
        hubs: [null],
        title: titleOf([name, 'all']),
      });
    return [];
  });

/** Controls of one limb. */
export function limbControls(limb: string): readonly Control[] {
  return listOptions()
    .filter(isShown)
    .flatMap(([name, option]) => {
      const { shape } = option;
      const limbs = limbsOf(shape);
      const table = shape.kind === 'either' ? shape.second : shape;
      if (!limbs || table.kind !== 'table' || (limbs.length > 0 && !limbs.includes(limb))) return [];
      const hub = shape.kind === 'either' ? '*' : null;
      return controlsOf(table.of, {
        ...placeOf(name, option),
        path: [name, limb],
        hubs: [hub],
        title: titleOf([name === 'limbScalings' ? 'limbScale' : name]),
      }).map((control) => nameForLimb(control, limb));
    });
}

/** Controls of limbs that differ from their defaults, with the limb in their names: what holds for all is not all there is. */
export function changedLimbControls(recipe: Recipe): readonly Control[] {
  return LIMB_CHOICES.flatMap((limb) =>
    limbControls(limb)
      .filter((control) => controlValue(recipe, control) !== undefined)
      .map((control) => ({
        ...control,
        title:
          control.path[2] === 'limbScale'
            ? `${inWords(limb)} reach`
            : `${inWords(limb)}: ${control.title.toLowerCase()}`,
      })),
  );
}

function nameForLimb(control: Control, limb: string): Control {
  if (control.path[2] === 'limbScale')
    return { ...control, title: limb.endsWith('Arm') ? 'Arm reach' : 'Leg reach' };
  return control.path[2] === 'solver' ? { ...control, title: 'Solver' } : control;
}

type Values = { readonly [name: string]: Plain };

function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What stands in a place as a record of parts, be it told by a word. */
function partsOf(value: Plain | undefined, hub: string | null): Values {
  if (isRecord(value)) return value;
  return value === undefined || !hub ? {} : { [hub]: value };
}

/** The value of a control in a recipe; undefined where it is left to its default. */
export function controlValue(recipe: Recipe, { path, hubs, kind }: Control): Plain | undefined {
  let at = settingOf(recipe, path[0]!);
  for (const [n, name] of path.slice(1).entries()) at = partsOf(at, hubs[n] ?? null)[name];
  return kind === 'switch' && isRecord(at) && path.length === 1 ? true : at;
}

/** What an option is told (undefined: nothing) for one of its controls to have a value (undefined: its default). */
export function settingWith(
  recipe: Recipe,
  { path, hubs }: Control,
  value: Plain | undefined,
): { name: string; value: Plain | undefined } {
  const put = (before: Plain | undefined, depth: number): Plain | undefined => {
    if (depth === path.length) return value;
    const hub = hubs[depth - 1] ?? null;
    const { [path[depth]!]: old, ...others } = partsOf(before, hub);
    const next = put(old, depth + 1);
    const parts = next === undefined ? others : { ...others, [path[depth]!]: next };
    const names = Object.keys(parts);
    if (names.length === 0) return hub === '' && before !== undefined ? true : undefined;
    return hub && names.length === 1 && names[0] === hub ? parts[hub] : parts;
  };
  return { name: path[0]!, value: put(settingOf(recipe, path[0]!), 1) };
}

/** Solvers that come to their answer in one step: how many steps others take, and how large, is nothing to them. */
const AT_ONCE: readonly (Plain | undefined)[] = [undefined, 'twoBone', 'none'];

/** Whether a control does anything as a recipe is: settings of a solver that goes step by step wait until one is chosen. */
export function isOfUse(recipe: Recipe, control: Control): boolean {
  const at = control.path.length - 1;
  if (control.hubs[at - 1] !== 'solver' || control.path[at] === 'solver') return true;
  if (controlValue(recipe, control) !== undefined) return true;
  const chosen = { ...control, kind: 'choice' as const, path: [...control.path.slice(0, -1), 'solver'] };
  return !AT_ONCE.includes(controlValue(recipe, { ...chosen, choices: [] }));
}

/** The default of a control as a value; undefined where it is found or measured. */
export function defaultValue(control: Control): Plain | undefined {
  const { default: words } = control;
  switch (control.kind) {
    case 'number':
      return words.trim() !== '' && Number.isFinite(Number(words)) ? Number(words) : undefined;
    case 'switch':
      return words === 'true';
    case 'choice': {
      // `twoBone for all` begins with the word.
      const [first = ''] = words.split(/[ ,;]/);
      return control.choices.some(({ value }) => value === first) ? first : undefined;
    }
    case 'numbers': {
      const parts = words.split(',').map(Number);
      return parts.length === control.labels.length && parts.every(Number.isFinite) ? parts : undefined;
    }
    default:
      return undefined;
  }
}

/** The option that switches a whole section on or off, and what it is told then; null where it is always on. */
export function groupSwitch(
  group: string,
  recipe: Recipe,
): { on: boolean; name: string; value: (on: boolean) => Plain | undefined } | null {
  if (group === 'corrections')
    return {
      on: settingOf(recipe, 'corrections') !== 'none',
      name: 'corrections',
      value: (on) => (on ? undefined : 'none'),
    };
  if (group === 'root')
    return {
      on: settingOf(recipe, 'root.copyPosition') !== false,
      name: 'root.copyPosition',
      value: (on) => (on ? undefined : false),
    };
  const option = listOptions().find(([name]) => name === group);
  if (!option || !isSection(option[1])) return null;
  return {
    on: settingOf(recipe, group) !== undefined,
    name: group,
    value: (on) => (on ? FIRST_VALUES[group] : undefined),
  };
}

/** What a section with parts is told when it is switched on. */
const FIRST_VALUES: Record<string, Plain> = {
  ground: { dynamic: false },
  lookAt: { point: [0, 1.5, 4] },
  spacing: { arms: 0, legs: 0 },
};
