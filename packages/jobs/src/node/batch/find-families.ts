import {
  type Clip,
  type FamilyBody,
  familyBodyOf,
  isSameFamilyBody,
  standingOf,
} from '@stuntdouble/core/engine';
import type { ReadOptions } from '@stuntdouble/formats';
import { canonicalJson, sha256Of } from '../../batch/canonical-json.js';
import type { BatchFile } from '../../batch/cell.js';
import { readPlaced } from './do-cell.js';

/** What was found of the bodies in files before, by the hashes of the files; found anew by another version. */
export type KnownBodies = {
  version?: string;
  /** Bodies by their hashes: all captures of one actor share one. */
  bodies?: Record<string, FamilyBody>;
  /** Null for what has no family: files with several skeletons or none, and those that their skeletons explain. */
  files?: Record<string, Look | null>;
};

/** What a file shows of its body: how well it stands, and a mark of its motion by which equals are told apart. */
type Look = { body: string; standing: number; mark: string };

type Member = Look & { file: BatchFile };

/**
 * Gives every source the file by which it is understood where others have its skeleton: the member of its family that
 * stands best, or those that were named. Which one that is hangs on the motion in the files alone, not on their order, names
 * or place.
 * @param known What was found before; what is found now is added to it.
 */
export async function withFamilies(
  sources: readonly BatchFile[],
  named: readonly BatchFile[],
  known: KnownBodies,
  { version, ...place }: { base: string; read: ReadOptions; version: string },
): Promise<BatchFile[]> {
  if (known.version !== version) Object.assign(known, { version, bodies: {}, files: {} });
  const [bodies, files] = [known.bodies!, known.files!];
  const memberOf = async (file: BatchFile): Promise<Member | null> => {
    if (files[file.sha256] === undefined) files[file.sha256] = await lookAt(file, place, bodies);
    const found = files[file.sha256]!;
    return found && { file, ...found };
  };
  const membersOf = async (of: readonly BatchFile[]) => {
    const found: Member[] = [];
    for (const file of of) found.push(...[await memberOf(file)].filter((member) => member !== null));
    return found;
  };
  const isSame = (a: string, b: string) => a === b || isSameFamilyBody(bodies[a]!, bodies[b]!);
  const members = await membersOf(sources);
  const told = await membersOf(named);
  // The first that stands best speaks for all bodies like its own, then the first of the others for theirs.
  const best = bestOfBodies(members);
  const speakers: Member[] = [];
  const speakerOf = new Map<string, Member>();
  for (const member of best) {
    const speaker = speakers.find(({ body }) => isSame(member.body, body));
    if (!speaker) speakers.push(member);
    speakerOf.set(member.body, speaker ?? member);
  }
  const bodyOf = new Map(members.map(({ file, body }) => [file, body]));
  return sources.map((file) => {
    const body = bodyOf.get(file);
    if (body === undefined) return file;
    const asTold = told.filter((member) => isSame(body, member.body));
    const family = (asTold.length > 0 ? asTold : [speakerOf.get(body)!])
      .map((member) => member.file)
      .filter(({ sha256 }) => sha256 !== file.sha256);
    return family.length > 0 ? { ...file, family } : file;
  });
}

/** Of every body the member that stands best, the best of all first; marks decide between equals. */
function bestOfBodies(members: readonly Member[]): Member[] {
  const sorted = [...members].sort(
    (a, b) => b.standing - a.standing || (a.mark < b.mark ? -1 : a.mark > b.mark ? 1 : 0),
  );
  const seen = new Set<string>();
  return sorted.filter(({ body }) => !seen.has(body) && seen.add(body));
}

/** What a clip is told from others by, wherever its file lies and whatever the clip is called. */
function markOf({ duration, tracks }: Clip): number[] {
  return [duration, ...tracks.flatMap(({ values }) => [values.length, values[0]!, ...values.slice(-3)])];
}

/** Finds out what a file shows of its body. What cannot be read is told of when its cells are done. */
async function lookAt(
  file: BatchFile,
  place: { base: string; read: ReadOptions },
  bodies: Record<string, FamilyBody>,
): Promise<Look | null> {
  try {
    const { characters } = await readPlaced(file.path, place);
    const [character] = characters;
    if (!character || characters.length > 1) return null;
    const standing = standingOf(character);
    if (standing === null) return null;
    const family = familyBodyOf(character.skeleton);
    const body = await sha256Of(canonicalJson(family));
    bodies[body] = family;
    return { body, standing, mark: await sha256Of(JSON.stringify(character.clips.map(markOf))) };
  } catch {
    return null;
  }
}
