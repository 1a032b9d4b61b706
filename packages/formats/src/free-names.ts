import type { Clip, Warning } from '@stuntdouble/core';

/** Gives clips whose name is taken, by the file or by each other, a suffix and a warning. */
export function giveFreeNames(clips: readonly Clip[], names: readonly string[], warnings: Warning[]): Clip[] {
  const taken = new Set(names);
  return clips.map((clip) => {
    let name = clip.name;
    for (let n = 2; taken.has(name); n++) name = `${clip.name} (${n})`;
    taken.add(name);
    if (name === clip.name) return clip;
    warnings.push({
      code: 'clip-name-taken',
      message: `A clip named "${clip.name}" is in the file already; the new one is "${name}".`,
    });
    return { ...clip, name };
  });
}
