import { type Clip, chooseCharacter, type RetargetOptions, type Scene, UsageError } from '@stuntdouble/core';
import { Failure } from './failure.js';
import { listed, short } from './words.js';

/** A scene and what its file is called. */
export type NamedScene = { name: string; scene: Scene };

/**
 * The clips of the source that were asked for, in the order they were asked for; all if none was named.
 * @throws UsageError or Failure where there is no such clip, or none at all.
 */
export function chooseClips(
  { name: sourcePath, scene: source }: NamedScene,
  { name: targetPath, scene: target }: NamedScene,
  asked: { clips?: readonly string[]; sourceSkeleton?: string },
): Clip[] {
  const character =
    source.characters.length > 0 ? chooseCharacter(source, asked.sourceSkeleton).character : 0;
  const clips = source.characters[character]?.clips ?? source.otherClips ?? [];
  if (clips.length === 0) {
    const other = source.characters.findIndex((each) => each.clips.length > 0);
    if (other >= 0)
      throw new Failure(
        `skeleton ${character} of ${sourcePath} has no clips, but skeleton ${other} has ${source.characters[other]!.clips.length}: choose it with --source-skeleton ${other}`,
      );
    const count = Math.max(0, ...target.characters.map((each) => each.clips.length));
    throw new Failure(
      count > 0
        ? `${sourcePath} has no clips but ${targetPath} has ${count}: are the two files swapped? (SOURCE, with the motion, comes first)`
        : `${sourcePath} has no clips: there is no motion in it`,
    );
  }
  return clipsNamed(sourcePath, clips, asked.clips);
}

/**
 * Clips of a file by their names, in the order of these; all if none are given. Blender's exporters put the armature
 * before the name ("Armature|Walk"), and letters differ in size: what nothing is called exactly may be said shorter,
 * where one clip alone is meant.
 * @throws UsageError where there is no such clip, or several.
 */
export function clipsNamed(
  path: string,
  clips: readonly Clip[],
  names: readonly string[] | undefined,
): Clip[] {
  if (!names) return [...clips];
  const chosen = names.map((name) => {
    const clip = clips.find((each) => each.name === name);
    if (clip) return clip;
    const meant = clips.filter((each) => isMeant(each.name, name));
    if (meant.length === 1) return meant[0]!;
    const namesOf = (some: readonly Clip[]) => listed(some.map((each) => each.name));
    throw new UsageError(
      meant.length > 1
        ? `--clip ${name}: ${path} has ${meant.length} clips that can be meant, ${namesOf(meant)}; say one whole`
        : `--clip ${name}: ${path} has no such clip; it has ${namesOf(clips)}`,
    );
  });
  return [...new Set(chosen)];
}

/** Whether a clip can be meant by less than its name: without what is before a bar, in letters of any size. */
function isMeant(name: string, said: string): boolean {
  const [whole, less] = [name.toLowerCase(), said.toLowerCase()];
  return whole === less || whole.slice(whole.lastIndexOf('|') + 1) === less;
}

/** More frames than anybody means: nine hours at 30 a second. A broken file can claim a clip of a billion years. */
const MOST_FRAMES = 1_000_000;

/**
 * Refuses clips that would become more frames than anybody means.
 * @param range The part that is taken, in seconds.
 * @throws Failure that names the clip.
 */
export function refuseHuge(
  clips: readonly Clip[],
  range: [number, number] | undefined,
  { frameRate, speed }: Pick<RetargetOptions, 'frameRate' | 'speed'>,
) {
  for (const { name, duration } of clips) {
    const length = range ? Math.min(range[1], duration) - range[0] : duration;
    if ((length / (speed ?? 1)) * (frameRate ?? 30) > MOST_FRAMES)
      throw new Failure(
        `clip "${name}" is ${short(duration)} s long, which would be more than a million frames; take a part with --range, or other clips with --clip`,
      );
  }
}
