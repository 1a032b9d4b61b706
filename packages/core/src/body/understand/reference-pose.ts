import { UsageError } from '../../base/errors.js';
import { lengthOf } from '../../base/math/functions.js';
import { multiplyQuaternions, normalizeQuaternion, quaternionAngle } from '../../base/math/quaternion.js';
import { type Vec3, vectorAngle } from '../../base/math/vector.js';
import type { Warning } from '../../base/warnings.js';
import { type Clip, frameRateOf, poseAt, sampleClip } from '../../scene/clip.js';
import { findJoint } from '../../scene/joint-names.js';
import { copyPose, type Pose } from '../../scene/pose.js';
import { isAncestor, type Skeleton } from '../../scene/skeleton.js';
import {
  type BodyPose,
  betweenRoles,
  bodyPoseOf,
  judgeStance,
  limbBend,
  type RoleJoints,
  type Stance,
} from '../body.js';
import type { JointEdit, ReferenceChoice, ReferencePose } from '../reference.js';
import type { Side } from '../roles.js';
import { composeStance, straightenLegs } from './compose-stance.js';

/**
 * Makes the reference pose that the caller asked for.
 * @throws UsageError where the file has no such pose.
 */
export function createReferencePose(
  skeleton: Skeleton,
  choice: Exclude<ReferenceChoice, 'auto'>,
  clips: Iterable<Clip>,
): ReferencePose {
  if (choice === 'rest') return { kind: 'rest', pose: copyPose(skeleton.rest), reason: 'as asked' };
  if (choice === 'bind') {
    if (!skeleton.bind)
      throw new UsageError(`"${skeleton.name}" has no skin, so it has no bind pose; use rest`);
    return { kind: 'bind', pose: copyPose(skeleton.bind), reason: 'as asked' };
  }
  if (typeof choice !== 'object' || choice === null)
    throw new UsageError(
      `there is no reference pose "${choice}"; there are auto, rest, bind, frames and poses`,
    );
  if ('pose' in choice) {
    const { pose } = choice;
    if (pose.rotations.length !== skeleton.rest.rotations.length)
      throw new UsageError(
        `the given pose has ${pose.rotations.length / 4} joints, "${skeleton.name}" has ${skeleton.names.length}`,
      );
    checkPose(pose, skeleton);
    return { kind: 'pose', pose: copyPose(pose), reason: 'as asked' };
  }
  if ('base' in choice) {
    const base = createReferencePose(skeleton, choice.base === 'auto' ? 'rest' : choice.base, clips);
    const edits: readonly JointEdit[] = isEditList(choice.edits)
      ? choice.edits
      : Object.entries(choice.edits).map(([name, rotation]) => ({ name, rotation }));
    const placed = new Set(base.placed);
    for (const edit of edits) {
      const joint = editJoint(base.pose, skeleton, edit);
      if (edit.translation || edit.scale) placed.add(joint);
    }
    return {
      ...base,
      kind: 'pose',
      reason: `${base.kind}, edited`,
      ...(placed.size > 0 && { placed: [...placed] }),
    };
  }
  const available = [...clips];
  const clip = choice.clip === undefined ? available[0] : available.find(({ name }) => name === choice.clip);
  if (!clip)
    throw new UsageError(
      choice.clip === undefined
        ? `"${skeleton.name}" has no clip to take a reference frame from`
        : `there is no clip "${choice.clip}"; there are ${available.map(({ name }) => `"${name}"`).join(', ') || 'none'}`,
    );
  const time = choice.time ?? (choice.frame ?? 0) / frameRateOf(clip);
  // Half a frame of slack: a frame number may fall on the float32 end of the clip.
  if (!(time >= 0 && time <= clip.duration + 0.5 / frameRateOf(clip)))
    throw new UsageError(`clip "${clip.name}" is ${clip.duration} s long; there is no pose at ${time} s`);
  return {
    kind: 'frame',
    frame: { clip: clip.name, time },
    pose: poseAt(skeleton, clip, time),
    reason: 'as asked',
  };
}

function checkPose({ translations, rotations, scales }: Pose, { name, names }: Skeleton): void {
  names.forEach((joint, i) => {
    const own = rotations.subarray(4 * i, 4 * i + 4);
    const rest = [...translations.subarray(3 * i, 3 * i + 3), ...scales.subarray(3 * i, 3 * i + 3)];
    if (!(lengthOf(own) > 1e-6) || rest.length < 6 || ![...own, ...rest].every(Number.isFinite))
      throw new UsageError(
        `the given pose has no transform for "${joint}" of "${name}": its numbers are none`,
      );
  });
}

function isEditList(
  edits: readonly JointEdit[] | Record<string, [number, number, number, number]>,
): edits is readonly JointEdit[] {
  return Array.isArray(edits);
}

/** @returns the joint that was edited. */
function editJoint(pose: Pose, skeleton: Skeleton, edit: JointEdit): number {
  const { name, translation, rotation, turn, scale } = edit;
  const joint = findJoint(skeleton, name);
  if (joint === null)
    throw new UsageError(`"${name}" is to be edited, but "${skeleton.name}" has no such joint`);
  for (const values of [translation, rotation, turn, scale])
    if (values && !values.every(Number.isFinite))
      throw new UsageError(`"${name}" is to be edited to ${values.join(', ')}, which are no numbers`);
  for (const values of [rotation, turn])
    if (values && lengthOf(values) < 1e-6)
      throw new UsageError(`"${name}" is to be turned by ${values.join(', ')}, which is no rotation`);
  if (translation) pose.translations.set(translation, 3 * joint);
  if (scale) pose.scales.set(scale, 3 * joint);
  if (rotation) pose.rotations.set(rotation, 4 * joint);
  if (turn)
    multiplyQuaternions(pose.rotations, 4 * joint, Float64Array.from(turn), 0, pose.rotations, 4 * joint);
  if (rotation || turn) normalizeQuaternion(pose.rotations, 4 * joint, pose.rotations, 4 * joint);
  return joint;
}

type ReferenceCandidate = { reference: ReferencePose; body: BodyPose; stance: Stance };

/**
 * Chooses the reference pose that looks most like a standing body: a skinned file's rest or bind pose; a
 * capture's first frame where that is a T-pose, else its zero pose where that is a body at all; else the frame
 * of its clips that is most like one; else, of a body in mid-step, the stance between left and right.
 */
export function guessReferencePose(
  skeleton: Skeleton,
  joints: RoleJoints,
  clips: Iterable<Clip>,
  up: Readonly<Vec3>,
): { reference: ReferencePose; warnings: Warning[] } {
  const judge = (reference: ReferencePose): ReferenceCandidate => {
    const body = bodyPoseOf(skeleton, reference.pose, joints);
    return { reference, body, stance: judgeStance(body, up) };
  };
  const rest = judge({ kind: 'rest', pose: copyPose(skeleton.rest), reason: 'the pose the file rests in' });
  if (joints.hips === undefined && joints.leftUpperArm === undefined && joints.leftUpperLeg === undefined)
    return { reference: rest.reference, warnings: [] };
  const bind =
    skeleton.bind && posesDiffer(skeleton.rest, skeleton.bind)
      ? judge({ kind: 'bind', pose: copyPose(skeleton.bind), reason: 'the pose the skin was bound in' })
      : null;
  /** Clips are looked at where rest and bind leave a doubt: one that stands is the same in every clip. */
  const firstFrame = (): ReferenceCandidate | null => {
    const clip = [...clips].find(({ tracks }) => tracks.length > 0);
    if (!clip) return null;
    const pose = poseAt(skeleton, clip, 0);
    const frame = { clip: clip.name, time: 0 };
    return judge({ kind: 'frame', frame, pose, reason: `the first frame of "${clip.name}"` });
  };

  const pick = (
    candidate: ReferenceCandidate,
    why: string,
  ): { reference: ReferencePose; warnings: Warning[] } => ({
    reference: { ...candidate.reference, reason: `${candidate.reference.reason}: ${why}` },
    warnings:
      candidate === rest
        ? []
        : [
            {
              code: 'reference-chosen',
              message: `the reference pose of "${skeleton.name}" is ${candidate.reference.reason}, since ${why}`,
            },
          ],
  });

  if (bind) {
    if (!isStanding(rest.stance) && isStanding(bind.stance))
      return pick(bind, 'its rest is no standing body');
    // A percent of the body: less is the slack between exporters, more is a body caught in motion.
    if (isStanding(bind.stance) && rest.stance.asymmetry > bind.stance.asymmetry + 0.01)
      return pick(bind, 'its rest is not symmetric');
    if (isStanding(bind.stance) && rest.stance.bend > bind.stance.bend + Math.PI / 6)
      return pick(bind, 'its rest is crouched');
    if (isStanding(rest.stance)) return pick(rest, 'it looks like a standing body');
  }
  const isPlain = isStanding(rest.stance) && isTPose(rest.stance) && !skeleton.declared.capture;
  const first = skeleton.bind === undefined && !isPlain ? firstFrame() : null;
  // Of a capture whose zero pose is no body no pose at hand need have straight legs.
  const isBodiless = skeleton.declared.capture === true && !isStanding(rest.stance);
  const standStraight = (candidate: ReferenceCandidate): ReferenceCandidate =>
    isBodiless ? withStraightLegs(skeleton, joints, clips, up, candidate, judge) : candidate;
  if (first) {
    if (isTPose(first.stance) && (!isTPose(rest.stance) || skeleton.declared.capture))
      return pick(first, 'the capture starts in a T-pose');
    if (!isStanding(rest.stance) && isStanding(first.stance))
      return pick(standStraight(first), 'its zero pose is no standing body');
  }
  if (isStanding(rest.stance)) return pick(rest, 'it looks like a standing body');
  const still = standingFrame(skeleton, joints, clips, up, judge);
  if (still && isStanding(still.stance))
    return pick(standStraight(still), 'of all poses at hand it looks most like a standing body');
  const whole = standingFrame(skeleton, joints, clips, up, judge, true);
  if (whole && isStanding(whole.stance))
    return pick(standStraight(whole), 'of all instants at hand it looks most like a standing body');
  const best = [rest, bind, first ?? firstFrame(), still].reduce((a, b) =>
    b && badness(b.stance) < badness(a!.stance) - 0.05 ? b : a,
  )!;
  // A body in mid-step stands once its left and right limbs are averaged.
  const composed = composeStance(skeleton, joints, best.reference.pose, up);
  const stance =
    composed &&
    judge({ kind: 'pose', pose: composed, reason: `${best.reference.reason}, left and right averaged` });
  if (stance && isStanding(stance.stance))
    return pick(standStraight(stance), 'no pose at hand is a standing body');
  const { reference, warnings } = pick(best, 'nothing looks more like a standing body');
  return {
    reference,
    warnings: [
      ...warnings,
      {
        code: 'reference-odd',
        message: skeleton.declared.capture
          ? `"${skeleton.name}" never stands, and its zero pose is no body; ${best.reference.reason} was taken as reference by guess: name a file with the same skeleton that stands`
          : `no pose of "${skeleton.name}" looks like a standing body; ${best.reference.reason} was taken as reference, choose another if the result is off`,
      },
    ],
  };
}

/** How many clips are searched for a standing body, and how many instants of each. */
const SEARCH = { clips: 8, instants: 32 };

/**
 * The instant of the clips at which the body looks most like standing: upright, symmetric, limbs straight. The
 * hips and what carries them stay at rest, so that how far the body has travelled and turned by then is no part
 * of the pose; unless it is taken as a whole, since captures may lay the hips down in their zero pose.
 */
function standingFrame(
  skeleton: Skeleton,
  joints: RoleJoints,
  clips: Iterable<Clip>,
  up: Readonly<Vec3>,
  judge: (reference: ReferencePose) => ReferenceCandidate,
  isWhole = false,
): ReferenceCandidate | null {
  const { hips } = joints;
  if (hips === undefined) return null;
  const carriers = skeleton.names.flatMap((_, joint) => (isAncestor(skeleton, joint, hips) ? [joint] : []));
  const value = ({ stance }: ReferenceCandidate) => unlikeStanding(stance);
  let best: ReferenceCandidate | null = null;
  const legs: Partial<Record<Side, { pose: Pose; cost: number }>> = {};
  for (const clip of [...clips].filter(({ tracks }) => tracks.length > 0).slice(0, SEARCH.clips)) {
    const pose = copyPose(skeleton.rest);
    const hints = new Int32Array(clip.tracks.length);
    for (let k = 0; k < SEARCH.instants; k++) {
      // Not at the file's own frames: the same motion in other keys has the same reference.
      const time = (clip.duration * k) / SEARCH.instants;
      sampleClip(pose, clip, time, hints);
      if (!isWhole) for (const joint of carriers) copyJoint(pose, skeleton.rest, joint);
      const instant = `"${clip.name}" at ${Number(time.toFixed(3))} s`;
      const found: Omit<ReferencePose, 'pose'> = isWhole
        ? { kind: 'frame', frame: { clip: clip.name, time }, reason: instant }
        : { kind: 'pose', reason: `the limbs of ${instant}` };
      const candidate = judge({ ...found, pose });
      if (best === null || value(candidate) < value(best))
        best = { ...candidate, reference: { ...found, pose: copyPose(pose) } };
      for (const side of SIDES) {
        const cost = legCost(candidate.body, side, up);
        if (cost < (legs[side]?.cost ?? Number.POSITIVE_INFINITY))
          legs[side] = { pose: copyPose(pose), cost };
      }
    }
  }
  if (!best || !legs.left || !legs.right || isWhole) return best;
  // In a step one leg stands and the other swings: each is taken from where it stands.
  const pose = copyPose(best.reference.pose);
  for (const side of SIDES) {
    const top = joints[`${side}UpperLeg`]!;
    skeleton.names.forEach((_, joint) => {
      if (joint === top || isAncestor(skeleton, top, joint)) copyJoint(pose, legs[side]!.pose, joint);
    });
  }
  const stood = judge({ kind: 'pose', pose, reason: `${best.reference.reason}, each leg as it stands` });
  return value(stood) < value(best) ? stood : best;
}

function copyJoint(out: Pose, { translations, rotations, scales }: Pose, joint: number): void {
  for (let c = 0; c < 3; c++) {
    out.translations[3 * joint + c] = translations[3 * joint + c]!;
    out.scales[3 * joint + c] = scales[3 * joint + c]!;
  }
  for (let c = 0; c < 4; c++) out.rotations[4 * joint + c] = rotations[4 * joint + c]!;
}

const SIDES = ['left', 'right'] as const;

/** Knees that are bent less than this, in radians, are straight: hips are 0.4 % of the leg lower by it. */
const STRAIGHT_LEGS = (10 * Math.PI) / 180;

/** How far feet that stand point up, from ankle to toes, in radians. */
const STANDING_SLOPE = { least: -45 * (Math.PI / 180), most: 0, usual: -27 * (Math.PI / 180) } as const;

/** A candidate with straight legs, its feet as they stand where a leg is straightest; itself where its legs are. */
function withStraightLegs(
  skeleton: Skeleton,
  joints: RoleJoints,
  clips: Iterable<Clip>,
  up: Readonly<Vec3>,
  candidate: ReferenceCandidate,
  judge: (reference: ReferencePose) => ReferenceCandidate,
): ReferenceCandidate {
  const { reference, body } = candidate;
  const bends = SIDES.map((side) => limbBend(body, `${side}UpperLeg`, `${side}LowerLeg`, `${side}Foot`) ?? 0);
  if (Math.max(...bends) < STRAIGHT_LEGS) return candidate;
  const slope = footSlope(skeleton, joints, clips, up);
  const pose = straightenLegs(skeleton, joints, reference.pose, up, slope);
  return pose ? judge({ kind: 'pose', pose, reason: `${reference.reason}, legs straightened` }) : candidate;
}

/** How far a foot points up while its leg is straightest, in radians; null where there are no toes. */
function footSlope(
  skeleton: Skeleton,
  joints: RoleJoints,
  clips: Iterable<Clip>,
  up: Readonly<Vec3>,
): number | null {
  let best: { cost: number; slope: number } | null = null;
  for (const clip of [...clips].filter(({ tracks }) => tracks.length > 0).slice(0, SEARCH.clips)) {
    const pose = copyPose(skeleton.rest);
    const hints = new Int32Array(clip.tracks.length);
    for (let k = 0; k < SEARCH.instants; k++) {
      sampleClip(pose, clip, (clip.duration * k) / SEARCH.instants, hints);
      const body = bodyPoseOf(skeleton, pose, joints);
      for (const side of SIDES) {
        const cost = legCost(body, side, up);
        const toes = betweenRoles(body, `${side}Foot`, `${side}Toes`);
        if (toes && cost < (best?.cost ?? Number.POSITIVE_INFINITY))
          best = { cost, slope: Math.PI / 2 - vectorAngle(toes, up) };
      }
    }
  }
  if (best === null) return null;
  // In the air feet hang down, whatever their legs do.
  return best.slope > STANDING_SLOPE.least && best.slope < STANDING_SLOPE.most
    ? best.slope
    : STANDING_SLOPE.usual;
}

/** How far a leg is from standing: the bend of its knee and how far it leans, in radians; infinite without a leg. */
function legCost(body: BodyPose, side: Side, up: Readonly<Vec3>): number {
  const bend = limbBend(body, `${side}UpperLeg`, `${side}LowerLeg`, `${side}Foot`);
  const line = betweenRoles(body, `${side}Foot`, `${side}UpperLeg`);
  return bend === null || !line ? Number.POSITIVE_INFINITY : bend + vectorAngle(line, up);
}

/** How far a pose is from that of a body that stands: a right angle of bend is as odd as a fifth of the body off symmetry. */
export function unlikeStanding(stance: Stance): number {
  return badness(stance) + (0.4 * (stance.bend + stance.step)) / Math.PI + (isStanding(stance) ? 0 : 1);
}

function badness(stance: Stance): number {
  return (stance.upright ? 0 : 1) + stance.asymmetry;
}

function isStanding(stance: Stance): boolean {
  // A tenth of the body off symmetry is a stride; an elbow or knee folded past 100 degrees is no stance, nor
  // are arms that stretch to the sky, as in captures whose zero pose lays all bones along one axis. Knees and
  // feet that differ by more than 30 degrees are a step.
  const degrees = Math.PI / 180;
  return (
    stance.upright &&
    stance.asymmetry < 0.1 &&
    stance.bend < 100 * degrees &&
    stance.step < 30 * degrees &&
    stance.armRaise < 45 * degrees
  );
}

function isTPose(stance: Stance): boolean {
  const degrees = Math.PI / 180;
  return (
    stance.upright &&
    stance.asymmetry < 0.05 &&
    stance.armSlope !== null &&
    stance.armSlope < 20 * degrees &&
    stance.bend < 25 * degrees
  );
}

function posesDiffer(a: Pose, b: Pose): boolean {
  for (let i = 0; i < a.rotations.length; i += 4)
    if (quaternionAngle(a.rotations, i, b.rotations, i) > 1e-3) return true;
  const size = a.translations.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return a.translations.some((value, i) => Math.abs(value - b.translations[i]!) > 1e-3 * size);
}
