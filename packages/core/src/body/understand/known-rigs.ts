import { copyData, isSameData } from '../../base/copy-data.js';
import { createMemory, remember } from '../../base/remember.js';
import type { Warning } from '../../base/warnings.js';
import { didWork } from '../../base/watch-work.js';
import { checkClips } from '../../scene/check-scene.js';
import type { Clip } from '../../scene/clip.js';
import { isSettled } from '../../scene/recall-skeleton.js';
import { copySkeleton, type Skeleton } from '../../scene/skeleton.js';
import { soundSkeleton } from '../../scene/sound-skeleton.js';
import type { ReferencePose } from '../reference.js';
import type { Rig, RigOptions } from '../rig.js';
import { guessRoles } from '../shape/guess-roles.js';
import { createLook, type LookAtBody, lookAtBody } from '../shape/seen-body.js';
import { understandRig } from './understand-rig.js';

/*
 * Understanding a skeleton takes a thousand times as long as seeing that it has not changed, and people move clips
 * one by one. So what was understood is remembered with the skeleton, and used again where all that it was made of is
 * the same: the skeleton's content, what the caller told, and the clips, as far as they were looked at. Nobody can tell
 * which calls came before but by the time it takes. The memory ends with the skeleton.
 */

type Roles = ReturnType<typeof guessRoles>;

/** What the caller may say besides the skeleton and its clips. */
type Told = Required<Pick<RigOptions, 'roles' | 'reference' | 'space' | 'weighsShape'>>;

/** What is known of a skeleton, as long as it stays what it was. */
type Knowledge = {
  /** The skeleton as it was: a copy, unless nobody can change it. */
  was: Skeleton;
  /** What is computed with: the same, or a copy in which numbers that are none are replaced, and what is said of that. */
  sound: ReturnType<typeof soundSkeleton>;
  /** With the shape's say and without; null as long as nobody has asked, or where the clips have a say. */
  roles: { weighed: Roles | null; named: Roles | null };
  /** The latest first. */
  rigs: { told: Told; rig: Rig; holdsForEveryClip: boolean }[];
};

const known = createMemory<Skeleton, Knowledge>(
  (was, skeleton) => isSettled(skeleton) || isSameData(was, skeleton),
);

/** So many rigs of one skeleton are remembered: people try a few references, not many. */
const MOST_RIGS = 4;

function beginKnowledge(was: Skeleton): Knowledge {
  didWork(20 * was.names.length);
  const sound = soundSkeleton(was);
  didWork(20 * was.names.length);
  return { was, sound, roles: { weighed: null, named: null }, rigs: [] };
}

function knowledgeOf(skeleton: Skeleton): Knowledge {
  return remember(known, skeleton, skeleton, beginKnowledge, (given) =>
    isSettled(given) ? given : copySkeleton(given),
  );
}

/** Clips that tell whether somebody has looked at them, and are made sure to be clips when somebody does. */
function watch(clips: Iterable<Clip>): Iterable<Clip> & { wereSeen: boolean } {
  return {
    wereSeen: false,
    [Symbol.iterator]() {
      if (!this.wereSeen && Array.isArray(clips)) checkClips(clips, 'clips');
      this.wereSeen = true;
      return clips[Symbol.iterator]();
    },
  };
}

/** {@link guessRoles} as it is remembered: to be read, never changed. */
export function knownRoles(skeleton: Skeleton, clips: Iterable<Clip> = []): Roles {
  return rolesOf(knowledgeOf(skeleton), clips, lookAtBody, true);
}

function rolesOf(
  { sound, roles }: Knowledge,
  clips: Iterable<Clip>,
  look: LookAtBody,
  weighsShape: boolean,
): Roles {
  const known = weighsShape ? 'weighed' : 'named';
  if (roles[known]) return roles[known];
  const watched = watch(clips);
  const found = guessRoles(sound.skeleton, { clips: watched, look, weighsShape });
  if (!watched.wereSeen) roles[known] = found;
  return found;
}

/**
 * A rig as it is remembered, to be read and never changed, and what was said of it this time: which clip a reference was
 * found in is told, but makes no other rig.
 */
export type KnownRig = {
  rig: Rig;
  words: RigWords;
  /** Whether the skeleton alone says all of it, so that its clips were not looked at. */
  holdsForEveryClip: boolean;
  /** Whether numbers of the skeleton were replaced, so that its arrays are not those of the caller's. */
  isRepaired: boolean;
};

/** What a rig says of itself that nothing is computed from. */
type RigWords = Pick<Rig, 'space' | 'floor'> & {
  reference: Pick<ReferencePose, 'reason' | 'frame'>;
  warnings: readonly Warning[];
};

const wordsOf = ({ reference, space, floor, warnings }: Rig): RigWords => ({
  reference,
  space,
  floor,
  warnings,
});

/** All of a rig but its words: another clip may say the same with more or less confidence. */
function substanceOf({ reference: { kind, pose }, warnings, space, floor, ...rest }: Rig): object {
  const { up, facing, unit, height } = space;
  return { kind, pose, places: [up.direction, facing.direction, unit.metres, height, floor.height], ...rest };
}

/** {@link createRig} as it is remembered; see {@link copyRig}. */
export function knownRig(skeleton: Skeleton, options: RigOptions = {}): KnownRig {
  const told: Told = {
    roles: options.roles ?? {},
    reference: options.reference ?? 'auto',
    space: options.space ?? {},
    weighsShape: options.weighsShape ?? true,
  };
  const knowledge = knowledgeOf(skeleton);
  const isRepaired = knowledge.sound.skeleton !== knowledge.was;
  const rigs = knowledge.rigs.filter((each) => isSameData(each.told, told));
  const found = rigs.find(({ holdsForEveryClip }) => holdsForEveryClip);
  if (found) return { rig: found.rig, words: wordsOf(found.rig), holdsForEveryClip: true, isRepaired };
  const clips = watch(options.clips ?? []);
  const look = createLook();
  const rig = understandRig(knowledge.sound.skeleton, {
    guessed: rolesOf(knowledge, clips, look, told.weighsShape),
    clips,
    ...told,
    look,
  });
  rig.warnings.unshift(...knowledge.sound.warnings);
  const words = wordsOf(rig);
  didWork(20 * rig.guesses.length);
  // Clips that were looked at mostly tell the same: then it is the same rig, and what was made of it holds.
  const substance = substanceOf(rig);
  const same = rigs.find((each) => isSameData(substanceOf(each.rig), substance));
  const holdsForEveryClip = !clips.wereSeen;
  if (same) return { rig: same.rig, words, holdsForEveryClip, isRepaired };
  const kept = { told: copyData(told), rig, holdsForEveryClip };
  knowledge.rigs = [kept, ...knowledge.rigs.slice(0, MOST_RIGS - 1)];
  return { rig, words, holdsForEveryClip, isRepaired };
}

/**
 * A rig for a caller to keep: its answers are copies, its skeleton's arrays those of the caller's own, or copies where
 * nobody may change these.
 */
export function copyRig({ rig, words, isRepaired }: KnownRig, skeleton: Skeleton): Rig {
  const { skeleton: complete, ...answers } = rig;
  const { hulls, ...bare } = isRepaired
    ? copySkeleton(complete)
    : isSettled(skeleton)
      ? copySkeleton(skeleton)
      : skeleton;
  const { kind, pose } = rig.reference;
  const { reason, frame } = words.reference;
  const reference: ReferencePose = { kind, pose, reason, ...(frame && { frame }) };
  return {
    skeleton: {
      ...bare,
      ...(complete.hulls && hulls && { hulls }),
      container: complete.container.slice(),
    },
    ...copyData({
      ...answers,
      reference,
      space: words.space,
      floor: words.floor,
      warnings: [...words.warnings],
    }),
  };
}
