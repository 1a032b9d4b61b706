import { deserialize, serialize } from 'node:v8';
import type { Clip, Scene } from '@stuntdouble/core/engine';
import { type Written, writeBytes } from '@stuntdouble/formats';
import type { BatchSettings, Cell } from '../../batch/cell.js';
import { Failure } from '../../failure.js';
import { extensionOf, stemOf } from '../../output-paths.js';
import type { MovedClips } from '../../retarget-job.js';

/** The clips of a cell as they are kept until its character is written: nothing is lost of them, morphs and gaze neither. */
export function writePart({ clips, character, roles }: MovedClips): Uint8Array {
  return serialize({ clips, character, roles });
}

/** @throws Failure where the bytes are no clips that were kept. */
function readPart(bytes: Uint8Array, name: string): MovedClips {
  let part: MovedClips;
  try {
    part = deserialize(bytes) as MovedClips;
  } catch {
    throw new Failure(
      `the clips of ${name} were kept by another version of Node; do them again with --force`,
    );
  }
  if (!Array.isArray(part?.clips)) throw new Failure(`what was kept of ${name} is no clips`);
  return part;
}

/**
 * Writes a character with the clips of its cells.
 * @param get Fetches what was kept of a cell, by its key.
 */
export async function joinCharacter(
  scene: Scene,
  cell: Cell,
  { animationOnly, compress = false, replace }: BatchSettings,
  get: (key: string) => Promise<Uint8Array>,
): Promise<Written & { clips: Clip[] }> {
  const parts: { source: string; moved: MovedClips }[] = [];
  for (const { key, source } of cell.parts ?? [])
    parts.push({ source, moved: readPart(await get(key), source) });
  const [first] = parts;
  if (!first) throw new Failure(`there are no clips for ${cell.target}`);
  const { character, roles } = first.moved;
  const other = parts.find(({ moved }) => moved.character !== character);
  if (other)
    throw new Failure(
      `${first.source} and ${other.source} move different skeletons of ${cell.target}; write one file a cell, or say which with --skeleton-target`,
    );
  const clips = nameClips(parts.map(({ source, moved }) => ({ source, clips: moved.clips })));
  const written = await writeBytes(
    extensionOf(cell.output),
    { scene, character, clips, ...(roles && { roles }) },
    { replace: replace === true, meshes: animationOnly !== true, compress },
  );
  return { ...written, clips };
}

/** Clips keep their names where these are their own; else they are called after their files. */
function nameClips(parts: readonly { source: string; clips: readonly Clip[] }[]): Clip[] {
  const count = new Map<string, number>();
  for (const { clips } of parts) for (const { name } of clips) count.set(name, (count.get(name) ?? 0) + 1);
  return parts.flatMap(({ source, clips }) =>
    clips.map((clip) => {
      if (count.get(clip.name) === 1) return clip;
      const stem = stemOf(source);
      return { ...clip, name: clips.length === 1 ? stem : `${stem} ${clip.name}` };
    }),
  );
}
