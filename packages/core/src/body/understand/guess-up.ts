import {
  addVectors,
  directionOf,
  dotVectors,
  subtractVectors,
  type Vec3,
  vectorLength,
} from '../../base/math/vector.js';
import type { Warning } from '../../base/warnings.js';
import { didWork } from '../../base/watch-work.js';
import { type Clip, sampleClip } from '../../scene/clip.js';
import { copyPose, type Pose } from '../../scene/pose.js';
import { AXIS_NAMES, AXIS_VECTORS, type Axis, nearestAxis, type Skeleton } from '../../scene/skeleton.js';
import {
  type BodyPose,
  betweenRoles,
  bodyExtent,
  bodyPoseOf,
  bodySize,
  legsVector,
  positionOf,
  type RoleJoints,
  torsoVector,
} from '../body.js';
import type { RigSpace } from '../rig-space.js';

/** A body that is nearer to an axis than this stands along it; else it leans. */
const STANDS_ALONG = (25 * Math.PI) / 180;

/** How many clips are looked at, and how many instants of each. */
const UP_LOOKS = { clips: 4, instants: 24 };

/** A zero pose whose lowest joint is so near the plane of the origin stands on it, in heights of the body. */
const STANDS_ON_ORIGIN = 0.03;
/** Frames of a clip are less exact: soles under joints, and captures that sink a little. */
const NEAR_ORIGIN = 0.08;

/** What speaks for a format's own word, and for what only the names of a capture's joints say. */
const DECLARED = { format: 1.5, names: 0.5 };
/** What speaks for an axis where nothing else does: most files have +Y up, of the others most +Z. */
const USUAL: Partial<Record<Axis, number>> = { '+Y': 0.3, '+Z': 0.1 };

/** Below this much confidence it is said that the way up was guessed. */
const SURE = 0.3;

/**
 * Which way is up.
 *
 * A rest or bind pose that stands as the file says is believed at once, and so is a capture's zero pose that stands on
 * the plane of the origin: in its clip the body may lie, hang or crawl, and frames of such a clip say nothing of up.
 * Else every axis a is weighed by
 *
 *   v, the share of frames in which the body stands along a (torso and legs in one line, within 25° of a);
 *   s, the share of frames whose lowest joint is near the plane of the origin: that plane is the floor;
 *   r, whether the zero pose stands along a;
 *
 *   score = (v ≥ 0.1 or r ? s : 0) + 0.5 v + (r: 2 where its lowest joint is on that plane, else 0.5) + what is usual,
 *
 * and 1.5 for the axis that the format declares, 0.5 for the one that names of a collection imply: the file's word is
 * overruled by a body that stands on the origin's plane along another axis, and by nothing less. Without v or r in
 * front of s a capture that lies flat takes its own side for the floor (3 of 430 captures came out wrong).
 */
export function guessUp(
  skeleton: Skeleton,
  joints: RoleJoints,
  clips: Iterable<Clip>,
): { up: RigSpace['up']; warnings: Warning[] } {
  const { declared, name } = skeleton;
  const rest = standOf(skeleton, skeleton.rest, joints);
  const bind = skeleton.bind ? standOf(skeleton, skeleton.bind, joints) : null;
  const isDeclared = ({ axis }: StandingPose) => declared.up !== null && axis === declared.up;
  if (declared.up && !declared.capture && (isDeclared(rest) || (bind && isDeclared(bind))))
    return { up: asDeclared(declared.up, 1), warnings: [] };
  const height = standingHeight(rest.body);
  if (declared.capture && rest.axis && isOnOrigin(skeleton, rest, height))
    return believeZeroPose(skeleton, rest.axis);

  // Who has no body parts stands along nothing, in no frame, and then where its joints are has no say either.
  const frames = Object.keys(joints).length > 0 ? framesOf(skeleton, joints, clips) : [];
  const scores = AXIS_NAMES.map((axis) => {
    const up: Vec3 = [...AXIS_VECTORS[axis]];
    const zero = [rest, bind].filter((stand) => stand?.axis === axis) as StandingPose[];
    let stands = 0;
    let touches = 0;
    for (const frame of frames) {
      didWork(skeleton.names.length);
      if (frame.axis === axis) stands++;
      if (Math.abs(bodyExtent(skeleton, frame.body, up).low) < NEAR_ORIGIN * height) touches++;
    }
    const v = stands / Math.max(1, frames.length);
    const s = touches / Math.max(1, frames.length);
    let score = (v >= 0.1 || zero.length > 0 ? s : 0) + 0.5 * v + (USUAL[axis] ?? 0);
    if (zero.length > 0) score += zero.some((stand) => isOnOrigin(skeleton, stand, height)) ? 2 : 0.5;
    if (axis === declared.up) score += declared.capture ? DECLARED.names : DECLARED.format;
    return { axis, score, isSeen: v > 0 || zero.length > 0 };
  });
  scores.sort((a, b) => b.score - a.score);
  const [best, second] = scores as [(typeof scores)[0], (typeof scores)[0]];
  const confidence = Math.min(1, best.score - second.score);
  if (best.axis === declared.up) return { up: asDeclared(declared.up, confidence), warnings: [] };
  if (!best.isSeen)
    return {
      up: { direction: [0, 1, 0], confidence: 0, reason: 'nothing says otherwise' },
      warnings: [
        { code: 'up-guessed', message: `nothing in "${name}" says which way is up; +Y was assumed` },
      ],
    };
  const up = {
    direction: [...AXIS_VECTORS[best.axis]] as Vec3,
    confidence,
    reason: 'the body stands along it',
  };
  if (declared.up && !declared.capture) {
    const message = `the format says ${declared.up} is up, but the body of "${name}" stands along ${best.axis}; the body was followed`;
    return { up, warnings: [{ code: 'up-guessed', message }] };
  }
  if (confidence >= SURE) return { up, warnings: [] };
  const message = `"${name}" never clearly stands: ${best.axis} was taken for up, and ${second.axis} is nearly as likely; say which way is up if the result lies down`;
  return { up, warnings: [{ code: 'up-guessed', message }] };
}

/** What a zero pose that stands on the plane of the origin says; the names of a collection may say otherwise. */
function believeZeroPose(
  { declared, name }: Skeleton,
  axis: Axis,
): { up: RigSpace['up']; warnings: Warning[] } {
  const reason = 'the zero pose stands along it, on the plane of the origin';
  const up = { direction: [...AXIS_VECTORS[axis]] as Vec3, confidence: 0.95, reason };
  if (!declared.up || declared.up === axis) return { up, warnings: [] };
  const message = `files with the joint names of "${name}" have ${declared.up} up, but its zero pose stands along ${axis}; the pose was followed`;
  return { up, warnings: [{ code: 'up-guessed', message }] };
}

function asDeclared(axis: Axis, confidence: number): RigSpace['up'] {
  return { direction: [...AXIS_VECTORS[axis]], confidence, reason: 'the format says so' };
}

/** A pose, and the axis along which it stands; null where it does not. */
type StandingPose = { body: BodyPose; axis: Axis | null };

function standOf(skeleton: Skeleton, pose: Pose, joints: RoleJoints): StandingPose {
  const body = bodyPoseOf(skeleton, pose, joints);
  const torso = directionOf(torsoVector(body) ?? [0, 0, 0]);
  const legs = directionOf(legsVector(body) ?? [0, 0, 0]);
  // Torso and legs in one line are a body standing straight; a folded body has no say.
  let stands: Vec3 | null = null;
  if (torso && legs && dotVectors(torso, legs) > 0.8) stands = addVectors(torso, legs);
  else if (torso && !legs) stands = torso;
  const nearest = stands && nearestAxis(stands);
  return { body, axis: nearest && nearest.angle < STANDS_ALONG ? nearest.axis : null };
}

function isOnOrigin(skeleton: Skeleton, { body, axis }: StandingPose, height: number): boolean {
  if (!axis) return false;
  return Math.abs(bodyExtent(skeleton, body, [...AXIS_VECTORS[axis]]).low) < STANDS_ON_ORIGIN * height;
}

/** How tall a body is, whatever pose it is in: legs are a little over half of it. */
export function standingHeight(body: BodyPose): number {
  const bone = (from: 'UpperLeg' | 'LowerLeg', to: 'LowerLeg' | 'Foot') => {
    const line =
      betweenRoles(body, `left${from}`, `left${to}`) ?? betweenRoles(body, `right${from}`, `right${to}`);
    return line ? vectorLength(line) : 0;
  };
  const legs = bone('UpperLeg', 'LowerLeg') + bone('LowerLeg', 'Foot');
  if (legs > 0) return 1.9 * legs;
  const [hips, head] = [positionOf(body, 'hips'), positionOf(body, 'head')];
  return bodySize(body) || (hips && head ? 2 * vectorLength(subtractVectors(head, hips)) : 1);
}

/** Instants spread over the clips, none at an end: the first frame is often a T-pose that was put before a capture. */
function framesOf(skeleton: Skeleton, joints: RoleJoints, clips: Iterable<Clip>): StandingPose[] {
  const frames: StandingPose[] = [];
  const moving = [...clips].filter(({ tracks }) => tracks.length > 0);
  for (const clip of moving.slice(0, UP_LOOKS.clips)) {
    const pose = copyPose(skeleton.rest);
    const hints = new Int32Array(clip.tracks.length);
    for (let k = 0; k < UP_LOOKS.instants; k++) {
      sampleClip(pose, clip, (clip.duration * (k + 0.5)) / UP_LOOKS.instants, hints);
      frames.push(standOf(skeleton, pose, joints));
    }
  }
  return frames;
}
