import { didWork } from '../../base/watch-work.js';

/** Longer names than this are cut: no table has a word near it. */
const LONGEST_NAME = 200;

/** How many of a skeleton's names must share a prefix or a suffix for it to mean nothing. */
const SHARED = 0.6;

/** What some rigs call every joint at the end of its name. */
const JOINT_SUFFIX = /[\s._-](?:jnt|joint|jt|bone|bn|bind|skin|sk|deform)$/i;

/** What Bethesda's rigs repeat in brackets: `NPC L Thigh [LThg]`. */
const BRACKETS = /\s*\[[^\]]*\]/;

/** The number that Blender gives a copy. */
export const COPY_NUMBER = /[._ ]\d{3}$/;

/** A joint's name with and without what an exporter may have added to it. */
export type CleanName = {
  /** The name from least to most taken away: namespace, then the prefixes that the skeleton's names share. */
  forms: string[];
  /** The shortest form without a copy number (`.001`), or null where it has none. */
  uncopied: string | null;
};

/**
 * Takes away what the names of a whole skeleton share and what exporters add: namespaces and paths, a common
 * prefix (`Hero_LeftArm`), running counters (`Bip01_L_Thigh_05`, `mixamorig:Hips_01`), copy numbers, the word
 * joint itself (`left_upLeg_joint`).
 */
export function cleanNames(names: readonly string[]): CleanName[] {
  const cut = names.map((name) => name.slice(0, LONGEST_NAME).trim());
  const uncounted = withoutCopyNumbers(withoutCounters(cut.map((name) => name.replace(BRACKETS, ''))));
  didWork(10 * names.length);
  const suffix = sharedSuffix(uncounted);
  didWork(10 * names.length);
  const full = uncounted.map((name) =>
    suffix !== '' && name.endsWith(suffix) && name.length > suffix.length
      ? name.slice(0, -suffix.length)
      : name.replace(JOINT_SUFFIX, ''),
  );
  const local = full.map((name) => name.slice(Math.max(name.lastIndexOf(':'), name.lastIndexOf('|')) + 1));
  const prefixes = sharedPrefixes(local);
  didWork(10 * names.length);
  return full.map((name, i) => {
    const forms = local[i] === name ? [name] : [name, local[i]!];
    for (const prefix of prefixes)
      if (local[i]!.length > prefix.length && local[i]!.startsWith(prefix))
        forms.push(local[i]!.slice(prefix.length));
    const shortest = forms[forms.length - 1]!;
    return { forms, uncopied: COPY_NUMBER.test(shortest) ? shortest.replace(COPY_NUMBER, '') : null };
  });
}

/** Names without the running number that some exporters put behind each: it is one where most have it and few share it. */
function withoutCounters(names: string[]): string[] {
  const counted = names.filter((name) => /_\d+$/.test(name));
  const counters = new Set(counted.map((name) => name.slice(name.lastIndexOf('_'))));
  const isRunning = isShared(counted.length, names) && counters.size >= 0.8 * counted.length;
  return isRunning ? names.map((name) => name.replace(/_\d+$/, '')) : names;
}

/** Names without their copy numbers where nearly all have one: a few may be words of their own (`spine.001`). */
function withoutCopyNumbers(names: string[]): string[] {
  const copied = names.filter((name) => COPY_NUMBER.test(name));
  const named = names.filter((name) => name !== '');
  return copied.length >= 6 && copied.length >= 0.9 * named.length
    ? names.map((name) => name.replace(COPY_NUMBER, ''))
    : names;
}

/** The beginnings, each up to a separator, that most names share, shortest first; never a side. */
function sharedPrefixes(names: string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) {
    // After a separator, or where a capital starts a word: Hero_LeftArm, EthanLeftArm.
    const start = /[\s._:|-]+|[a-z0-9](?=[A-Z])/g;
    for (let depth = 0; depth < 4 && start.exec(name); depth++)
      if (start.lastIndex < name.length) {
        const prefix = name.slice(0, start.lastIndex);
        counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
      }
  }
  return [...counts]
    .filter(([prefix, count]) => isShared(count, names) && !/^(?:l|r|left|right)[\s._:|-]*$/i.test(prefix))
    .map(([prefix]) => prefix)
    .sort((a, b) => a.length - b.length);
}

/** The last word of a name, and the last two. */
const ENDINGS = [/[\s._-][^\s._-]+$/, /[\s._-][^\s._-]+[\s._-][^\s._-]+$/];

/** The longest ending of one or two words that most names share: `_Joint_01`. Never a side. */
function sharedSuffix(names: string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) {
    didWork(10);
    for (const ending of ENDINGS) {
      const found = ending.exec(name)?.[0];
      if (found !== undefined) counts.set(found, (counts.get(found) ?? 0) + 1);
    }
  }
  let longest = '';
  for (const [suffix, count] of counts)
    if (
      isShared(count, names) &&
      suffix.length > longest.length &&
      !/[\s._-](?:l|r|left|right)$/i.test(suffix)
    )
      longest = suffix;
  return longest;
}

function isShared(count: number, names: string[]): boolean {
  return count >= 4 && count >= SHARED * names.filter((name) => name !== '').length;
}
