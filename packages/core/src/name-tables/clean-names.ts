/** Longer names than this are cut: no table has a word near it. */
const LONGEST_NAME = 200;

/** How many of a skeleton's names must share a prefix or a counter for it to mean nothing. */
const SHARED = 0.6;

/** What some rigs call every joint at the end of its name. */
const JOINT_SUFFIX = /[\s._-](?:jnt|joint|jt|bone|bn|bind|skin|sk|deform)$/i;

/** A joint's name with and without what an exporter may have added to it. */
export type CleanName = {
  /** Counter and blanks taken away, prefix and namespace still on. */
  full: string;
  /** Without namespace and without the prefix that the skeleton's names share. */
  short: string;
  /** `short` without a copy number (`.001`), or null where it has none. */
  uncopied: string | null;
};

/**
 * Takes away what the names of a whole skeleton share and what exporters add: namespaces, a common prefix
 * (`Hero_LeftArm`), running counters (`Bip01_L_Thigh_05`, `mixamorig:Hips_01`), the
 * word joint itself (`left_upLeg_joint`).
 */
export function cleanNames(names: readonly string[]): CleanName[] {
  const cut = names.map((name) => name.slice(0, LONGEST_NAME).trim());
  const full = withoutCounters(cut).map((name) => name.replace(JOINT_SUFFIX, ''));
  const local = full.map((name) => name.slice(Math.max(name.lastIndexOf(':'), name.lastIndexOf('|')) + 1));
  const prefix = sharedPrefix(local);
  return full.map((name, i) => {
    const short =
      prefix !== '' && local[i]!.length > prefix.length && local[i]!.startsWith(prefix)
        ? local[i]!.slice(prefix.length)
        : local[i]!;
    const copy = /[._ ]\d{3}$/.exec(short);
    return { full: name, short, uncopied: copy ? short.slice(0, copy.index) : null };
  });
}

/** Names without the running number that some exporters put behind each: it is one where most have it and few share it. */
function withoutCounters(names: string[]): string[] {
  const counters = new Set<string>();
  let named = 0;
  let counted = 0;
  for (const name of names) {
    if (name === '') continue;
    named++;
    const counter = /_\d+$/.exec(name);
    if (counter) {
      counted++;
      counters.add(counter[0]);
    }
  }
  const running = counted >= 6 && counted >= SHARED * named && counters.size >= 0.8 * counted;
  return running ? names.map((name) => name.replace(/_\d+$/, '')) : names;
}

/** The longest beginning, up to a separator, that most names share; never a side. */
function sharedPrefix(names: string[]): string {
  const counts = new Map<string, number>();
  let named = 0;
  for (const name of names) {
    if (name === '') continue;
    named++;
    const separator = /[\s._:|-]+/g;
    for (let depth = 0; depth < 3 && separator.exec(name); depth++) {
      const prefix = name.slice(0, separator.lastIndex);
      if (separator.lastIndex < name.length) counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
    }
  }
  let best = '';
  for (const [prefix, count] of counts)
    if (
      count >= 4 &&
      count >= SHARED * named &&
      prefix.length > best.length &&
      !/^(?:l|r|left|right)[\s._:|-]+$/i.test(prefix)
    )
      best = prefix;
  return best;
}
