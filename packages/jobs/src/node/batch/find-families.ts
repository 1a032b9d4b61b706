import { isSameFamilyBody } from '@stuntdouble/core/engine';
import type { BatchFile } from '../../batch/cell.js';
import { type KnownLooks, knownLook } from './look-at-file.js';

/** A file that shares its body with others: which that is, how well it stands, and a mark of its motion. */
type Member = { file: BatchFile; body: string; standing: number; mark: string };

/**
 * Gives every source the file by which it is understood where others have its skeleton: the member of its family that
 * stands best, or those that were named. Which one that is hangs on the motion in the files alone, not on their order, names
 * or place.
 * @param known What was seen of all these files.
 */
export function withFamilies(
  sources: readonly BatchFile[],
  named: readonly BatchFile[],
  known: KnownLooks,
  skeleton?: string,
): BatchFile[] {
  const { bodies = {} } = known;
  const membersOf = (files: readonly BatchFile[]) =>
    files.flatMap((file): Member[] => {
      const { body, standing, mark } = knownLook(file, known, skeleton) ?? {};
      return body === undefined ? [] : [{ file, body, standing: standing!, mark: mark! }];
    });
  const isSame = (a: string, b: string) => a === b || isSameFamilyBody(bodies[a]!, bodies[b]!);
  const members = membersOf(sources);
  const told = membersOf(named);
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
