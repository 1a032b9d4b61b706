import type { Role, Side } from '../roles.js';
import { type CleanName, COPY_NUMBER } from './clean-names.js';
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

/** What a word means to one table; the part lacks the side where one is needed (`UpperArm`). */
type Word = { part: string; preference: number; table: number };

/** The words of all tables, to be looked up at once. */
export type Lexicon = {
  tables: readonly NameTable[];
  /** Words that need a side. */
  sided: Map<string, Word[]>;
  /** Words that need none. */
  central: Map<string, Word[]>;
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
const FINGER_ROLES = {
  thumb: ['ThumbMetacarpal', 'ThumbProximal', 'ThumbDistal'],
  index: ['IndexProximal', 'IndexIntermediate', 'IndexDistal'],
  middle: ['MiddleProximal', 'MiddleIntermediate', 'MiddleDistal'],
  ring: ['RingProximal', 'RingIntermediate', 'RingDistal'],
  little: ['LittleProximal', 'LittleIntermediate', 'LittleDistal'],
} as const;

/** Makes tables ready for {@link matchNames}. */
export function createLexicon(tables: readonly NameTable[]): Lexicon {
  const sided = new Map<string, Word[]>();
  const central = new Map<string, Word[]>();
  tables.forEach((words, table) => {
    const add = (to: Map<string, Word[]>, part: string, list: string | undefined) => {
      list?.split('|').forEach((written, preference) => {
        const key = foldWord(written);
        const known = to.get(key);
        const word = { part, preference, table };
        if (!known) to.set(key, [word]);
        // Of two meanings that a table gives one word, the first counts: roles come before what is ignored.
        else if (known[known.length - 1]!.table !== table) known.push(word);
      });
    };
    for (const [field, part] of Object.entries(SIDED)) add(sided, part, words[field as keyof typeof SIDED]);
    for (const [field, parts] of Object.entries(FINGER_ROLES))
      parts.forEach((part, i) => {
        add(sided, part, words[field as keyof typeof FINGER_ROLES]?.[i]);
      });
    for (const [field, part] of Object.entries(CENTRAL))
      add(central, part, words[field as keyof typeof CENTRAL]);
    add(sided, 'ignored', words.ignored);
    add(central, 'ignored', words.ignored);
  });
  return { tables, sided, central };
}

/**
 * What each table says of each name, as `[table][joint]`; null where it does not know it.
 * @param handSide the side of a skeleton that is one hand, for tables whose words leave it open.
 */
export function matchNames(
  lexicon: Lexicon,
  names: readonly CleanName[],
  handSide: Side | null,
): (PartMatch | null)[][] {
  const { tables, sided, central } = lexicon;
  const matches = tables.map((): (PartMatch | null)[] => names.map(() => null));
  const read = createNameReader();
  const prefixes = tables.flatMap(({ prefix }, table) => (prefix ? [{ prefix, table }] : []));
  const oneHanded = tables.map(({ oneHand }) => oneHand === true);

  names.forEach(({ forms, uncopied }, joint) => {
    // The sides, and with them the words, are found in the order of the readings, surest first.
    const lookUp = (name: string, prefixed: number | null, isUncopied: boolean) => {
      for (const { key, side } of read(name)) {
        const words = (side ? sided : central).get(key);
        if (words) for (const word of words) note(word, side, prefixed, isUncopied);
        if (!side && handSide)
          for (const word of sided.get(key) ?? [])
            if (oneHanded[word.table]) note(word, handSide, prefixed, isUncopied);
      }
    };
    const note = (word: Word, side: Side | null, prefixed: number | null, isUncopied: boolean) => {
      const { part, preference, table } = word;
      if (matches[table]![joint] || (prefixed !== null && table !== prefixed)) return;
      matches[table]![joint] = {
        part: (side && part !== 'ignored' ? `${side}${part}` : part) as Part,
        preference,
        prefixed: prefixed !== null,
        uncopied: isUncopied,
      };
    };
    for (const { prefix, table } of prefixes)
      for (const form of forms) {
        const found = prefix.exec(form);
        if (!found || found[0].length === 0 || found[0].length === form.length) continue;
        const rest = form.slice(found[0].length);
        lookUp(rest, table, false);
        lookUp(rest.replace(COPY_NUMBER, ''), table, true);
        break;
      }
    for (let i = forms.length - 1; i >= 0; i--) lookUp(forms[i]!, null, false);
    if (uncopied !== null) lookUp(uncopied, null, true);
  });
  return matches;
}

/** Reads names, each once. */
function createNameReader(): (name: string) => NameReading[] {
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
