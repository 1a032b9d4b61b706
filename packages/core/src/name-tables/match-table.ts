import type { Role, Side } from '../roles.js';
import type { CleanName } from './clean-names.js';
import type { NameTable } from './name-table.js';
import { foldWord, type NameReading, readName } from './read-name.js';

/** What a table says of a name: a role, a torso or neck joint whose role the hierarchy decides, or nothing. */
export type Part = Role | 'spineJoint' | 'neckJoint' | 'ignored';

/** A table's word for a joint. */
export type PartMatch = {
  part: Part;
  /** 0 for the table's preferred word, more for the ones behind it. */
  preference: number;
  /** The joint carries the family's own prefix. */
  prefixed: boolean;
  /** The word fits only without the copy number. */
  uncopied: boolean;
};

type Word = { part: string; preference: number };

/** A table made ready for looking words up. */
export type CompiledTable = {
  table: NameTable;
  /** Words that need a side; the part lacks it (`UpperArm`). */
  sided: Map<string, Word>;
  /** Words that need none. */
  central: Map<string, Word>;
};

const SIDED = {
  eye: 'Eye',
  shoulder: 'Shoulder',
  upperArm: 'UpperArm',
  lowerArm: 'LowerArm',
  hand: 'Hand',
  upperLeg: 'UpperLeg',
  lowerLeg: 'LowerLeg',
  foot: 'Foot',
  toes: 'Toes',
} as const;
const CENTRAL = {
  hips: 'hips',
  spine: 'spineJoint',
  neck: 'neckJoint',
  head: 'head',
  jaw: 'jaw',
} as const;
const FINGERS = {
  thumb: ['ThumbMetacarpal', 'ThumbProximal', 'ThumbDistal'],
  index: ['IndexProximal', 'IndexIntermediate', 'IndexDistal'],
  middle: ['MiddleProximal', 'MiddleIntermediate', 'MiddleDistal'],
  ring: ['RingProximal', 'RingIntermediate', 'RingDistal'],
  little: ['LittleProximal', 'LittleIntermediate', 'LittleDistal'],
} as const;

/** Makes a table ready for {@link matchTable}. */
export function compileTable(table: NameTable): CompiledTable {
  const sided = new Map<string, Word>();
  const central = new Map<string, Word>();
  const add = (words: Map<string, Word>, part: string, list: string | undefined) => {
    list?.split('|').forEach((word, preference) => {
      const key = foldWord(word);
      if (!words.has(key)) words.set(key, { part, preference });
    });
  };
  for (const [field, part] of Object.entries(SIDED)) add(sided, part, table[field as keyof typeof SIDED]);
  for (const [field, parts] of Object.entries(FINGERS))
    parts.forEach((part, i) => {
      add(sided, part, table[field as keyof typeof FINGERS]?.[i]);
    });
  for (const [field, part] of Object.entries(CENTRAL))
    add(central, part, table[field as keyof typeof CENTRAL]);
  add(sided, 'ignored', table.ignored);
  add(central, 'ignored', table.ignored);
  return { table, sided, central };
}

/** Reads names once for all tables. */
export function createNameReader(): (name: string) => NameReading[] {
  const known = new Map<string, NameReading[]>();
  return (name) => {
    let readings = known.get(name);
    if (!readings) {
      readings = readName(name);
      known.set(name, readings);
    }
    return readings;
  };
}

/**
 * What a table says of each name; null where it does not know it.
 * @param handSide the side of a skeleton that is one hand, for tables whose words leave it open.
 */
export function matchTable(
  { table, sided, central }: CompiledTable,
  names: readonly CleanName[],
  read: (name: string) => NameReading[],
  handSide: Side | null = null,
): (PartMatch | null)[] {
  const lookUp = (name: string): Omit<PartMatch, 'prefixed' | 'uncopied'> | null => {
    for (const { key, side } of read(name)) {
      const word = (side ? sided : central).get(key);
      if (word) return { part: partOf(word.part, side), preference: word.preference };
    }
    if (!table.oneHand || !handSide) return null;
    const word = sided.get(foldWord(name));
    return word ? { part: partOf(word.part, handSide), preference: word.preference } : null;
  };
  return names.map(({ forms, uncopied }) => {
    for (const form of forms) {
      const rest = withoutPrefix(table, form);
      if (rest === null) continue;
      const found = lookUp(rest);
      if (found) return { ...found, prefixed: true, uncopied: false };
      const again = lookUp(rest.replace(/[._ ]\d{3}$/, ''));
      return again && { ...again, prefixed: true, uncopied: true };
    }
    for (let i = forms.length - 1; i >= 0; i--) {
      const found = lookUp(forms[i]!);
      if (found) return { ...found, prefixed: false, uncopied: false };
    }
    const again = uncopied === null ? null : lookUp(uncopied);
    return again && { ...again, prefixed: false, uncopied: true };
  });
}

function partOf(part: string, side: Side | null): Part {
  return (side && part !== 'ignored' ? `${side}${part}` : part) as Part;
}

/** What follows the family's prefix, or null where the name has none. */
function withoutPrefix({ prefix }: NameTable, name: string): string | null {
  const match = prefix?.exec(name);
  return match && match[0].length > 0 && match[0].length < name.length ? name.slice(match[0].length) : null;
}
