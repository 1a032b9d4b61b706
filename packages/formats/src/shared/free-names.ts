import type { Clip, Warning } from '@stuntdouble/core';

/** Gives clips whose name is taken, by the file or by each other, a suffix and a warning. */
export function giveFreeNames(clips: readonly Clip[], names: readonly string[], warnings: Warning[]): Clip[] {
  const taken = new Set(names);
  // From where a number was free before on: of a thousand clips of one name none asks a thousand times.
  const next = new Map<string, number>();
  return clips.map((clip) => {
    let name = clip.name;
    let n = next.get(name) ?? 2;
    for (; taken.has(name); n++) name = `${clip.name} (${n})`;
    next.set(clip.name, n);
    taken.add(name);
    if (name === clip.name) return clip;
    warnings.push({
      code: 'clip-name-taken',
      message: `A clip named "${clip.name}" is in the file already; the new one is "${name}".`,
    });
    return { ...clip, name };
  });
}
