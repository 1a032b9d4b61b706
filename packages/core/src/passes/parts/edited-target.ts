import type { Stand } from '../../edits/constraints/compiled-constraint.js';
import type { EditedBody } from '../../edits/edited-body.js';
import type { EditedPart } from '../../edits/edits-of-part.js';
import { type Contact, isOnGround } from '../../options/contact.js';
import { type Clip, frameRateOf } from '../../scene/clip.js';
import { forwardJoints, withAncestors } from '../../scene/forward-joints.js';
import { createModelPose } from '../../scene/pose.js';
import { isAncestor } from '../../scene/skeleton.js';
import type { ClipPart, CompileContext, Frame, Setup } from '../pass.js';
import { detachedJointsOf } from './detached-joints.js';

/** The target as edits see it. */
export function editedBodyOf({
  pair: { target, alignment, travel },
}: Pick<CompileContext, 'pair'>): EditedBody {
  const { skeleton, joints, body, space, floor } = target;
  const hips = joints.hips ?? travel?.target ?? 0;
  const detached = detachedJointsOf({ target, alignment });
  return {
    skeleton,
    joints,
    ...(body && body.kind !== 'humanoid' && { parts: body.parts.map(({ part }) => part) }),
    reference: alignment.pose,
    height: space.height,
    hipHeight: alignment.model.matrices[16 * hips + 13]! - floor.height,
    floor: floor.height,
    ...(travel && { travels: travel.target }),
    ...(detached.length > 0 && { detached }),
  };
}

/** A part of a clip as edits see it: all of it where nothing is told. */
export function editedPartOf(clip: Clip, part: ClipPart | null): EditedPart {
  const { start = 0, speed = 1, mirror = false } = part ?? {};
  return { start, speed, mirror, frameRate: frameRateOf(clip) / speed };
}

/** What stands when, by the joint that carries it: feet by heel and toe, hands. */
export function standsOf({ joints, parts }: EditedBody, contacts: readonly Contact[] | null): Stand[] | null {
  if (!contacts) return null;
  return contacts.filter(isOnGround).flatMap(({ point, start, end }): Stand[] => {
    const part = (parts as readonly (string | null)[] | undefined)?.indexOf(point) ?? -1;
    const side = point.startsWith('left') ? 'left' : 'right';
    const joint = /(Toe|Heel)$/.test(point)
      ? joints[`${side}Foot`]
      : point.endsWith('Hand')
        ? joints[`${side}Hand`]
        : part;
    return joint === undefined || joint < 0 ? [] : [{ joint, start, end }];
  });
}

/** Keeps what a frame knows of the body in step with its pose while an edit changes that. */
export type FrameKeeper = {
  /** Notes how the body stands before an edit. */
  note(frame: Frame): void;
  /** Where it stands otherwise now, brings the travelling joint's place and turn up to date. */
  refresh(frame: Frame): void;
};

/** Builds a keeper for edits that write some joints. */
export function createFrameKeeper(
  { target: { skeleton }, travel }: Setup,
  written: Iterable<number>,
): FrameKeeper {
  if (!travel) return { note: () => {}, refresh: () => {} };
  const hips = travel.target;
  // Driven joints beside the hips are taken from model space, too, where root motion is taken out.
  const beside = [...new Set(written)].filter(
    (joint) => joint !== hips && !isAncestor(skeleton, hips, joint) && !isAncestor(skeleton, joint, hips),
  );
  const watched = [hips, ...beside];
  const path = withAncestors(skeleton, watched);
  const model = createModelPose(skeleton.names.length);
  const before = new Float64Array(7 * path.length);
  return {
    note({ target }) {
      for (let k = 0; k < path.length; k++) {
        for (let c = 0; c < 4; c++) before[7 * k + c] = target.rotations[4 * path[k]! + c]!;
        for (let c = 0; c < 3; c++) before[7 * k + 4 + c] = target.translations[3 * path[k]! + c]!;
      }
    },
    refresh(frame) {
      const { target } = frame;
      let isSame = true;
      for (let k = 0; k < path.length && isSame; k++) {
        for (let c = 0; c < 4; c++) isSame &&= before[7 * k + c] === target.rotations[4 * path[k]! + c]!;
        for (let c = 0; c < 3; c++)
          isSame &&= before[7 * k + 4 + c] === target.translations[3 * path[k]! + c]!;
      }
      if (isSame) return;
      forwardJoints(model, skeleton, target, path);
      for (let n = 0; n < watched.length; n++)
        for (let c = 4 * watched[n]!; c < 4 * watched[n]! + 4; c++)
          frame.targetModelRotations[c] = model.rotations[c]!;
      for (let c = 0; c < 3; c++) frame.travel[c] = model.matrices[16 * hips + 12 + c]!;
    },
  };
}
