import type { Clip, RetargetOptions, Scene } from '@stuntdouble/core';
import { read } from '@stuntdouble/formats';
import { findQualityFile } from '../quality-files.js';
import { type HashedPair, LONGEST_PART, readSampleMap } from './hash-pairs.js';

/** A pair as the settings take it: both files read, and what of the motion is moved. */
export type OpenPair = {
  pair: HashedPair;
  source: Scene;
  target: Scene;
  sourcePath: string;
  targetPath: string;
  /** The clips that are moved; none where the source has none. */
  clips: readonly Clip[];
  /** The options that say which clips, which part of them, by which map. */
  options: Pick<RetargetOptions, 'clips' | 'range' | 'map'>;
};

/** Reads files, each once: what the library remembers of a file is of use to all its pairs. */
export function createFileReader(): (path: string) => Promise<Scene> {
  const scenes = new Map<string, Promise<Scene>>();
  return (path) => {
    const known = scenes.get(path) ?? read(path);
    scenes.set(path, known);
    return known;
  };
}

/** Opens the files of a pair. @throws Error where one is missing. */
export async function openPair(
  pair: HashedPair,
  readScene: (path: string) => Promise<Scene>,
): Promise<OpenPair> {
  const [sourcePath, targetPath] = [pair.source, pair.target].map((file) => {
    const path = findQualityFile(file);
    if (path === null) throw new Error(`${file} is missing`);
    return path;
  }) as [string, string];
  const source = await readScene(sourcePath);
  const target = await readScene(targetPath);
  const clips = chooseClips(source, pair.clip);
  const options: OpenPair['options'] = {};
  if (clips.length > 0) options.clips = clips.map(({ name }) => name);
  const [only] = clips;
  const from = pair.from ?? 0;
  if (pair.part === 'data' && clips.length === 1 && only!.duration > LONGEST_PART)
    options.range = [from, Math.min(only!.duration, from + LONGEST_PART)];
  if (pair.map) options.map = readSampleMap(pair.map);
  return { pair, source, target, sourcePath, targetPath, clips, options };
}

/** The clips of the first character that has any; of the file, where it has no skeleton. */
function chooseClips({ characters, otherClips = [], name }: Scene, wanted: HashedPair['clip']): Clip[] {
  const all = characters.find(({ clips }) => clips.length > 0)?.clips ?? otherClips;
  if (typeof wanted === 'object') return all;
  if (wanted === undefined) return all.slice(0, 1);
  const found = all.filter((clip) => clip.name === wanted).slice(0, 1);
  if (found.length === 0) throw new Error(`"${name}" has no clip "${wanted}"`);
  return found;
}
