import { UsageError } from '../../base/errors.js';
import type { Clip } from '../../scene/clip.js';
import type { Character, Scene } from '../../scene/scene.js';
import type { Skeleton } from '../../scene/skeleton.js';
import { bodyPoseOf, judgeStance } from '../body.js';
import type { ReferenceChoice } from '../reference.js';
import { ZERO_POSE_SURE } from './capture-floor.js';
import { knownRig } from './known-rigs.js';
import { unlikeStanding } from './reference-pose.js';

/** Bones of one family differ by less than this share of the longest: exporters print four digits. */
const SAME_BONE = 1e-3;

/** What a family is known by, as plain data: names and parents of joints, and the way from each joint's parent to it. */
export type FamilyBody = { names: string; offsets: number[] };

/** What a skeleton's family is known by. Where its roots stand is no part of it. */
export function familyBodyOf({ names, parents, rest }: Skeleton): FamilyBody {
  const offsets = [...rest.translations];
  parents.forEach((parent, joint) => {
    if (parent < 0) offsets.fill(0, 3 * joint, 3 * joint + 3);
  });
  return { names: JSON.stringify([names, [...parents]]), offsets };
}

/** Whether two bodies are of one family; see {@link isSameFamily}. */
export function isSameFamilyBody(a: FamilyBody, b: FamilyBody): boolean {
  if (a.names !== b.names) return false;
  let longest = 0;
  let furthest = 0;
  for (let c = 0; c < a.offsets.length; c++) {
    longest = Math.max(longest, Math.abs(a.offsets[c]!));
    furthest = Math.max(furthest, Math.abs(a.offsets[c]! - b.offsets[c]!));
  }
  return furthest <= SAME_BONE * longest;
}

/**
 * Whether two skeletons are of one family: the same names, parents, and ways from each joint to the next, as all captures
 * of one actor have them. Where the roots stand, and how joints are turned at rest, may differ.
 */
export function isSameFamily(a: Skeleton, b: Skeleton): boolean {
  return a.names.length === b.names.length && isSameFamilyBody(familyBodyOf(a), familyBodyOf(b));
}

/** The characters of some scenes that are of a skeleton's family, itself left out. */
export function familyMembers(skeleton: Skeleton, scenes: Scene | readonly Scene[]): Character[] {
  const list: readonly Scene[] = Array.isArray(scenes) ? scenes : [scenes as Scene];
  return list
    .flatMap(({ characters }) => characters)
    .filter((character) => character.skeleton !== skeleton && isSameFamily(skeleton, character.skeleton));
}

/**
 * The clips that a character is understood by: its own, or those of its family, so that reference, up and floor are the
 * same for all who are understood by them. Where a reference is told, it may be a frame of its own clips.
 * @throws UsageError where none of the family has its skeleton.
 */
export function clipsToUnderstand(
  { skeleton, clips }: Character,
  family: Scene | readonly Scene[] | undefined,
  reference: ReferenceChoice = 'auto',
): Clip[] {
  if (family === undefined) return [...clips];
  const members = familyMembers(skeleton, family);
  if (members.length === 0)
    throw new UsageError(
      `sourceFamily holds no file with the skeleton of "${skeleton.name}": names, parents and bones must be the same`,
    );
  const theirs = members.flatMap((member) => member.clips);
  return reference === 'auto' ? theirs : [...clips, ...theirs];
}

/**
 * How well the clips of a character show how its body stands, by which members of a family are compared: how sure its
 * floor is, less for a reference that is bent, in mid-step or lying; null where the skeleton alone says it, whatever its
 * clips do.
 */
export function standingOf({ skeleton, clips }: Character): number | null {
  const { holdsForEveryClip, rig, words } = knownRig(skeleton, { clips });
  const { reference, joints, space } = rig;
  const standsAtZero = reference.kind === 'rest' && words.floor.confidence >= ZERO_POSE_SURE;
  if (holdsForEveryClip || standsAtZero) return null;
  const stance = judgeStance(bodyPoseOf(skeleton, reference.pose, joints), space.up.direction);
  return words.floor.confidence - unlikeStanding(stance);
}
