import { subtractVectors, type Vec3, vectorLength } from '../../base/math/vector.js';
import { didWork } from '../../base/watch-work.js';
import type { Clip } from '../../scene/clip.js';
import { poseAt } from '../../scene/clip.js';
import type { Pose } from '../../scene/pose.js';
import type { Skeleton } from '../../scene/skeleton.js';
import type { RoleGuess } from '../rig.js';
import type { Role, Side } from '../roles.js';
import { type BodyGraph, createBodyGraph, positionsOf } from './body-graph.js';
import { castHand } from './cast-hand.js';
import { castArms, castLegs, type LimbCast } from './cast-limbs.js';
import { castTorso } from './cast-torso.js';
import { findLoneHand } from './find-hand.js';
import { findHumanoid, type Humanoid } from './find-humanoid.js';
import { readFacing } from './read-facing.js';
import { type LookAtBody, lookAtBody } from './seen-body.js';

/** What shape may be read from besides the rest and bind poses. */
export type ShapeOptions = {
  /** Clips at hand: how joints move tells knees, elbows and the front. They are looked at where standing tells too little. */
  clips?: Iterable<Clip>;
  /** A pose to look at instead of bind and rest. */
  pose?: Pose;
  /** How the body is looked at, where somebody remembers what was seen; anew if left out. */
  look?: LookAtBody;
};

/**
 * Below this an answer is not given.
 * A forearm that is sure does not make its upper arm so: of two more that were given by that rule both were wrong
 * (bench/mapping, 110 files).
 */
export const LEAST_SURE = 0.6;
/** A body that looks less like a person than this is none. */
const LEAST_PERSON = 0.6;
/** A hand has no more joints and nodes than this, tips and forearm included. */
const MOST_OF_A_HAND = 80;
/** How sure a hand is whose body is not there to tell its side. */
const LONE_HAND = 0.8;
/** Nothing looks better than a person who stands at ease: no further pose is looked at. */
const PLAIN_PERSON = 0.85;

/**
 * Says which body part each joint plays by shape alone: where limbs part, how long they are, what is mirrored,
 * what stands on the floor, which way toes and knees point. Names are not looked at. Each answer has a
 * confidence and a reason; below certainty the role is null. All roles are null where the body is no person's.
 */
export function guessShapeRoles(
  skeleton: Skeleton,
  options: ShapeOptions = {},
): { guesses: RoleGuess[]; score: number } {
  const nothing = (reason: string): RoleGuess[] =>
    skeleton.names.map(() => ({ role: null, confidence: 0, reason }));
  const found = findPerson(skeleton, options);
  if (!found) {
    const hand = guessLoneHand(skeleton, options.pose ?? skeleton.bind ?? skeleton.rest);
    return hand ?? { guesses: nothing('its shape is not that of a person'), score: 0 };
  }
  return { guesses: castPerson(skeleton, found, options.clips ?? []), score: found.body.score };
}

/** A hand without a body, or null: without a side it has no roles, and is none. */
function guessLoneHand(skeleton: Skeleton, pose: Pose): { guesses: RoleGuess[]; score: number } | null {
  if (skeleton.names.length > MOST_OF_A_HAND) return null;
  const graph = createBodyGraph(skeleton, pose);
  const hand = graph && findLoneHand(graph);
  if (!hand?.side) return null;
  const guesses: RoleGuess[] = skeleton.names.map(() => ({
    role: null,
    confidence: 0,
    reason: 'no body part by its shape',
  }));
  const give = (role: string, joint: number, reason: string) => {
    guesses[joint] = { role: role as Role, confidence: LONE_HAND, reason };
  };
  give(`${hand.side}Hand`, hand.wrist, 'where five fingers part');
  for (const { finger, joints } of hand.fingers)
    joints.forEach((joint, k) => {
      const isThumb = finger === 'Thumb';
      give(
        `${hand.side}${finger}${(isThumb ? THUMB : FINGER)[k]!}`,
        joint,
        `${isThumb ? 'the finger that sets off aside' : 'in order across the palm'}, the palm where fingers bend to`,
      );
    });
  return { guesses, score: LONE_HAND };
}

type Found = { graph: BodyGraph; body: Humanoid; pose: Pose };

function findPerson(
  skeleton: Skeleton,
  { clips = [], pose, look: lookAt = lookAtBody }: ShapeOptions,
): Found | null {
  const still = pose ? [pose] : skeleton.bind ? [skeleton.bind, skeleton.rest] : [skeleton.rest];
  const seen = lookAt(skeleton, still[0]!);
  if (!seen) return null;
  const { graph, pairs } = seen;
  let best: Found | null = null;
  const look = (candidate: Pose) => {
    // Where nodes are in the first pose is known from the graph.
    const positions = candidate === still[0] ? graph.positions : positionsOf(skeleton, candidate);
    const body = findHumanoid(graph, pairs, positions);
    didWork(10 * positions.length);
    if (body && body.score > (best?.body.score ?? LEAST_PERSON)) best = { graph, body, pose: candidate };
    return best !== null && best.body.score > PLAIN_PERSON;
  };
  for (const candidate of still) if (look(candidate)) return best;
  // A skin is bound to a body in plain view; what is no person there is none in some frame of a clip.
  if (skeleton.bind) return best;
  for (const clip of [...clips].slice(0, 3))
    for (let k = 0; k < 4; k++) if (look(poseAt(skeleton, clip, (clip.duration * k) / 4))) return best;
  return best;
}

function castPerson(skeleton: Skeleton, { graph, body, pose }: Found, clips: Iterable<Clip>): RoleGuess[] {
  const { positions } = body;
  const legs = castLegs(graph, body);
  const arms = castArms(graph, body);
  const hands = arms.map(({ lower, end }) =>
    end < 0
      ? []
      : castHand(graph, end, vectorLength(subtractVectors(positions[end]!, positions[lower]!)), positions),
  );
  const torso = castTorso(graph, body, {
    hasCollars: arms.every(({ girdle }) => girdle >= 0),
    hasTips: legs.every(({ toes }) => toes >= 0 && graph.children[toes]!.length > 0),
  });
  const facing = readFacing(graph, body, { legs, arms, hands }, pose, () => posesInMotion(skeleton, clips));

  // A figure that is only just a person's leaves a doubt on everything.
  const person = Math.min(1, 0.75 + 0.25 * ((body.score - LEAST_PERSON) / (PLAIN_PERSON - LEAST_PERSON)));
  const guesses: RoleGuess[] = skeleton.names.map(() => ({
    role: null,
    confidence: 0,
    reason: 'no body part by its shape',
  }));
  const give = (role: Role, joint: number, sure: number, reason: string) => {
    if (joint < 0 || guesses[joint]!.role !== null) return;
    const confidence = Math.min(0.97, sure * person);
    guesses[joint] =
      confidence >= LEAST_SURE
        ? { role, confidence, reason }
        : { role: null, confidence: 0, reason: `perhaps ${role}: ${reason}, but too unsure` };
  };
  give('hips', torso.hips, torso.sure.hips, 'where two legs and the spine part');
  const spineRoles = spineRolesOf(torso.spine.length);
  torso.spine.forEach((joint, n) => {
    const role = spineRoles[n];
    if (role) give(role, joint, torso.sure.spine, 'on the way from the legs up to the arms');
  });
  if (torso.neck[0] !== undefined)
    give('neck', torso.neck[0], torso.sure.neck, 'between the arms and the head');
  give('head', torso.head, torso.sure.head, 'on top, above the arms');
  if (facing.sign === 0) return guesses;

  const sides: Side[] = facing.sign > 0 ? ['left', 'right'] : ['right', 'left'];
  const front = `, ${facing.reason} showing the front`;
  sides.forEach((side, n) => {
    const limb = (cast: LimbCast, parts: readonly [keyof LimbCast['sure'], string, string][]) => {
      for (const [slot, name, reason] of parts)
        give(`${side}${name}` as Role, cast[slot], Math.min(cast.sure[slot], facing.sure), reason + front);
    };
    limb(legs[n]!, [
      ['upper', 'UpperLeg', 'the start of one of two mirrored chains that end on the floor'],
      ['lower', 'LowerLeg', 'half way down a leg'],
      ['end', 'Foot', 'where a leg meets the floor'],
      ['toes', 'Toes', 'ahead of the ankle on the floor'],
    ]);
    limb(arms[n]!, [
      ['girdle', 'Shoulder', 'between the chest and an arm'],
      ['upper', 'UpperArm', 'the start of one of two mirrored chains beside the chest'],
      ['lower', 'LowerArm', 'half way along an arm'],
      ['end', 'Hand', 'the end of an arm'],
    ]);
    for (const { finger, joints, sure } of hands[n]!)
      joints.forEach((joint, k) => {
        const phalanx = (finger === 'Thumb' ? THUMB : FINGER)[k]!;
        const reason = finger === 'Thumb' ? 'the finger that sets off aside' : 'in order across the palm';
        give(
          `${side}${finger}${phalanx}` as Role,
          joint,
          Math.min(sure, facing.sure, arms[n]!.sure.end),
          reason + front,
        );
      });
  });
  return guesses;
}

const THUMB = ['Metacarpal', 'Proximal', 'Distal'] as const;
const FINGER = ['Proximal', 'Intermediate', 'Distal'] as const;

/** What the joints of a torso are called, by how many there are: from four on the chest is left out. */
function spineRolesOf(count: number): (Role | null)[] {
  if (count <= 3) return (['spine', 'chest', 'upperChest'] as const).slice(0, count);
  return Array.from({ length: count }, (_, n) => (n === 0 ? 'spine' : n === count - 1 ? 'upperChest' : null));
}

/** Where joints are at instants of the clips, for how knees bend. */
function posesInMotion(skeleton: Skeleton, clips: Iterable<Clip>): Vec3[][] {
  const poses: Vec3[][] = [];
  for (const clip of [...clips].slice(0, 3))
    for (let k = 0; k < 4; k++) {
      const positions = positionsOf(skeleton, poseAt(skeleton, clip, (clip.duration * (k + 0.5)) / 4));
      if (positions.every((p) => p.every(Number.isFinite))) poses.push(positions);
    }
  return poses;
}
