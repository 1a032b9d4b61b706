import {
  type Clip,
  chooseCharacter,
  type FamilyBody,
  familyBodyOf,
  type Scene,
  standingOf,
} from '@stuntdouble/core/engine';
import type { ReadOptions } from '@stuntdouble/formats';
import { canonicalJson, sha256Of } from '../../batch/canonical-json.js';
import type { BatchFile } from '../../batch/cell.js';
import { readPlaced } from './read-planned.js';

/** A file of a batch that is to be looked at before any of its cells is done. */
export type LookOrder = {
  path: string;
  /** The folder that paths are counted from, or a place in a bucket. */
  base: string;
  read: ReadOptions;
  /** Which of its skeletons is meant, as `--skeleton-source` says it. */
  skeleton?: string;
};

/** What a file shows: the names of its clips, and the body that it may share with others. */
export type FileLook = {
  clips: string[];
  /** Numbers in their keys, which the room that results take is guessed from. */
  numbers: number;
  /** None of files with several skeletons or none, and of those that their skeletons explain. */
  family?: {
    body: FamilyBody;
    /** How well it stands. */
    standing: number;
    /** Of its motion, by which equals are told apart. */
    mark: string;
  };
};

/** What was found of files before, by their hashes; found anew by another version. */
export type KnownLooks = {
  version?: string;
  /** Bodies by their hashes: all captures of one actor share one. */
  bodies?: Record<string, FamilyBody>;
  /** Null for what cannot be read: its cells say why. */
  files?: Record<string, KnownLook | null>;
};

/** A look as it is remembered, its body by the hash of it. */
export type KnownLook = {
  clips: string[];
  numbers: number;
  body?: string;
  standing?: number;
  mark?: string;
};

/** Looks at a file. @returns null where it cannot be read, which its cells will tell of. */
export async function lookAtFile({ skeleton, ...order }: LookOrder): Promise<FileLook | null> {
  let scene: Scene;
  try {
    scene = await readPlaced(order.path, order);
  } catch {
    return null;
  }
  const clips = clipsOf(scene, skeleton);
  const motion = { clips: clips.map(({ name }) => name), numbers: clips.reduce(addNumbers, 0) };
  const [character] = scene.characters;
  const standing = character && scene.characters.length === 1 ? standingOf(character) : null;
  if (!character || standing === null) return motion;
  const mark = await sha256Of(JSON.stringify(character.clips.map(markOf)));
  return { ...motion, family: { body: familyBodyOf(character.skeleton), standing, mark } };
}

/** The clips that a cell would move: those of the skeleton that is meant. */
function clipsOf(scene: Scene, skeleton: string | undefined): readonly Clip[] {
  try {
    const character = scene.characters.length > 0 ? chooseCharacter(scene, skeleton).character : 0;
    return scene.characters[character]?.clips ?? scene.otherClips ?? [];
  } catch {
    // There is no such skeleton: its cells say so.
    return [];
  }
}

function addNumbers(sum: number, { tracks }: Clip): number {
  return tracks.reduce((all, { values }) => all + values.length, sum);
}

/** What a clip is told from others by, wherever its file lies and whatever the clip is called. */
function markOf({ duration, tracks }: Clip): number[] {
  return [duration, ...tracks.flatMap(({ values }) => [values.length, values[0]!, ...values.slice(-3)])];
}

/** What looks at files: this thread, or others beside it. */
export type Looker = {
  /** How many files are looked at at once. */
  readonly width: number;
  /** What a file shows. @throws Failure where a thread died of it, or nobody waits for it any more. */
  look(order: LookOrder): Promise<FileLook | null>;
};

/** Looks at files in the thread that calls it. */
export const PLAIN_LOOKER: Looker = { width: 1, look: lookAtFile };

/**
 * Looks at those files of a batch that are not known yet.
 * @param known What was found before; what is found now is added to it.
 * @returns why some could not be looked at, by their hashes: whoever looked at them died of it. They may have done so by
 * chance, so it is not remembered, and no cell may go without what they would have shown.
 */
export async function lookAtFiles(
  files: readonly BatchFile[],
  known: KnownLooks,
  { version, ...place }: Omit<LookOrder, 'path'> & { version: string },
  { width, look }: Looker = PLAIN_LOOKER,
): Promise<Map<string, unknown>> {
  if (known.version !== version) Object.assign(known, { version, bodies: {}, files: {} });
  const named = new Map(files.map((file) => [lookName(file, place.skeleton), file]));
  const queue = [...named].filter(([name]) => known.files![name] === undefined);
  const failed = new Map<string, unknown>();
  const goOn = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [name, { path, sha256 }] = next;
      try {
        const found = await look({ ...place, path });
        known.files![name] = found && (await remembered(found, known.bodies!));
      } catch (error) {
        failed.set(sha256, error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, queue.length) }, goOn));
  return failed;
}

async function remembered(
  { family, ...motion }: FileLook,
  bodies: Record<string, FamilyBody>,
): Promise<KnownLook> {
  if (!family) return motion;
  const { body: whole, ...rest } = family;
  const body = await sha256Of(canonicalJson(whole));
  bodies[body] = whole;
  return { ...motion, body, ...rest };
}

/** What is known of a file; null where it could not be read. */
export function knownLook(
  file: Pick<BatchFile, 'sha256'>,
  known: KnownLooks,
  skeleton?: string,
): KnownLook | null {
  return known.files?.[lookName(file, skeleton)] ?? null;
}

const lookName = ({ sha256 }: Pick<BatchFile, 'sha256'>, skeleton: string | undefined) =>
  skeleton === undefined ? sha256 : `${sha256} ${skeleton}`;
