import {
  type Clip,
  type Contact,
  copyPose,
  createModelPose,
  localToModel,
  type ModelPose,
  type Pose,
  type Role,
  sampleClip,
  transformPoint,
} from '@stuntdouble/core/engine';
import type { FileFacts } from '../engine/protocol.js';

/** A body and what it plays, with the instant of it that is meant. */
export type Instant = { facts: FileFacts; clip: Clip; time: number };

/** Seconds to either side of an instant within which it is seen what moves. */
const STEP = 1 / 60;

/**
 * The joint of the result that a measure is bad about at an instant, as far as poses and contacts say: the foot that
 * slides, the arm that points elsewhere, the joint that snaps; −1 where nothing of the body stands for it.
 * @param measure A curve of the engine by its name.
 * @param contacts What the result touches, in its own time.
 */
export function worstJoint(
  measure: string,
  contacts: readonly Contact[],
  result: Instant,
  source: Instant | null,
): number {
  const { facts, time } = result;
  const { points, joints } = facts;
  const now = contacts.filter(({ start, end }) => time >= start && time <= end);
  const soles = now.flatMap(({ point, on }) =>
    on === undefined && /Heel|Toe|Foot/.test(point) ? (points[point] ?? []) : [],
  );
  const all = Object.values(points);
  switch (measure) {
    case 'slide': {
      const [before, after] = [poseAt(result, -STEP).model, poseAt(result, STEP).model];
      return jointOfMost(soles, (point) => distance(placeOf(before, point), placeOf(after, point)));
    }
    case 'float': {
      const { model } = poseAt(result);
      return jointOfMost(soles, (point) => placeOf(model, point)[1]!);
    }
    case 'sink': {
      const { model } = poseAt(result);
      return jointOfMost(soles, (point) => -placeOf(model, point)[1]!);
    }
    case 'pops':
      return snappingJoint(result);
    case 'armsAlone':
      return source ? strayingArm(result, source) : -1;
    case 'selfContact': {
      const touch = now.find(({ point, on }) => on !== undefined && points[point]);
      return touch ? points[touch.point]!.joint : (joints.rightHand ?? -1);
    }
    case 'carriedHands':
      return joints.rightHand ?? -1;
    case 'support':
      return joints.hips ?? points.hips?.joint ?? -1;
    default: {
      const { model } = poseAt(result);
      return jointOfMost(all, (point) => -placeOf(model, point)[1]!);
    }
  }
}

type Point = FileFacts['points'][string];

function poseAt({ facts, clip, time }: Instant, later = 0): { pose: Pose; model: ModelPose } {
  const skeleton = facts.skeleton!;
  const pose = copyPose(skeleton.rest);
  sampleClip(pose, clip, Math.max(0, Math.min(clip.duration, time + later)));
  const model = createModelPose(skeleton.names.length);
  localToModel(model, skeleton, pose);
  return { pose, model };
}

const place = new Float64Array(3);

function placeOf({ matrices }: ModelPose, { joint, offset }: Point): [number, number, number] {
  transformPoint(place, 0, matrices, 16 * joint, offset, 0);
  return [place[0]!, place[1]!, place[2]!];
}

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);
}

function jointOfMost(points: readonly Point[], value: (point: Point) => number): number {
  let most = Number.NEGATIVE_INFINITY;
  let joint = -1;
  for (const point of points) {
    const own = value(point);
    if (!(own > most)) continue;
    most = own;
    joint = point.joint;
  }
  return joint;
}

/** The joint whose turn in its parent changes its speed most from one frame to the next. */
function snappingJoint(result: Instant): number {
  const [a, b, c] = [-STEP, 0, STEP].map((later) => poseAt(result, later).pose.rotations);
  let most = 0;
  let worst = -1;
  for (let joint = 0; 4 * joint < b!.length; joint++) {
    const change = Math.abs(angleOf(b!, c!, joint) - angleOf(a!, b!, joint));
    if (!(change > most)) continue;
    most = change;
    worst = joint;
  }
  return worst;
}

/** How far a joint turns between two poses, in radians. */
function angleOf(a: Pose['rotations'], b: Pose['rotations'], joint: number): number {
  let dot = 0;
  for (let c = 0; c < 4; c++) dot += a[4 * joint + c]! * b[4 * joint + c]!;
  return 2 * Math.acos(Math.min(1, Math.abs(dot)));
}

/** The root of the part of an arm that points farthest from where the source's does. */
function strayingArm(result: Instant, source: Instant): number {
  const [ours, theirs] = [poseAt(result).model, poseAt(source).model];
  let most = 0;
  let worst = -1;
  for (const side of ['left', 'right'] as const)
    for (const [from, to] of [
      [`${side}UpperArm`, `${side}LowerArm`],
      [`${side}LowerArm`, `${side}Hand`],
    ] as [Role, Role][]) {
      const joint = result.facts.joints[from];
      const a = directionOf(ours, result.facts, from, to);
      const b = directionOf(theirs, source.facts, from, to);
      if (joint === undefined || !a || !b) continue;
      const apart = distance(a, b);
      if (!(apart > most)) continue;
      most = apart;
      worst = joint;
    }
  return worst;
}

function directionOf({ matrices }: ModelPose, { joints }: FileFacts, from: Role, to: Role): number[] | null {
  const [a, b] = [joints[from], joints[to]];
  if (a === undefined || b === undefined) return null;
  const way = [0, 1, 2].map((c) => matrices[16 * b + 12 + c]! - matrices[16 * a + 12 + c]!);
  const length = Math.hypot(...way);
  return length > 0 ? way.map((one) => one / length) : null;
}
