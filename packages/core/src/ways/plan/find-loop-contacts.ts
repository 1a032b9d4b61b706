import { didWork } from '../../base/watch-work.js';
import type { Rig } from '../../body/rig.js';
import { finiteClip } from '../../clips/edit-clip.js';
import { bodyPoints } from '../../contacts/body-points.js';
import type { ContactOptions } from '../../contacts/contact-rules.js';
import { contactsOfTracks } from '../../contacts/find-contacts.js';
import { findTreadmill, onMovingGround } from '../../contacts/find-treadmill.js';
import { CONTACT_RATE, trackPoints } from '../../contacts/track-points.js';
import { createArmRecord, findHandContacts, recordSource } from '../../goals/arms/arm-record.js';
import { referenceDepths } from '../../goals/arms/arm-setup.js';
import { createBodyShape } from '../../goals/arms/body-shape.js';
import { contactsOfHands } from '../../goals/arms/hand-contacts.js';
import { shapeJoints } from '../../goals/arms/shape-row.js';
import { cutContacts, leadOf, unrollLoop, wayOfLoop } from '../../goals/plan/unroll-loop.js';
import type { Contact } from '../../options/contact.js';
import { type Clip, sampleClip } from '../../scene/clip.js';
import { forwardJoints, withAncestors } from '../../scene/forward-joints.js';
import { copyPose, createModelPose, modelPoseOf } from '../../scene/pose.js';

/** Finds what hands of a body touch and carry in a clip. */
function findTouchesOf(rig: Rig, clip: Clip, count: number): Contact[] {
  const { skeleton, joints, reference } = rig;
  const stands = modelPoseOf(skeleton, reference.pose);
  const shape = createBodyShape(rig, joints, stands);
  if (!shape) return [];
  const record = createArmRecord(shape, { count, rate: CONTACT_RATE }, false);
  const depths = referenceDepths(shape, stands);
  const needed = withAncestors(skeleton, shapeJoints(shape));
  const pose = copyPose(skeleton.rest);
  const model = createModelPose(skeleton.names.length);
  for (let k = 0; k < count; k++) {
    sampleClip(pose, clip, k / CONTACT_RATE);
    forwardJoints(model, skeleton, pose, needed);
    recordSource(record, shape, depths, model.matrices, k);
    didWork(10);
  }
  return contactsOfHands({ found: findHandContacts(record), rate: CONTACT_RATE });
}

/**
 * Finds what touches what in a clip as `findContacts` does, and in a loop as {@link planLoopingGoals} does: what stands
 * where it ends and begins is looked at with the turns before and after.
 */
export function findLoopContacts(rig: Rig, given: Clip, options?: ContactOptions): Contact[] {
  const { skeleton, joints, reference, floor } = rig;
  const { hips } = joints;
  const { clip } = finiteClip(given);
  const height =
    hips === undefined ? 0 : modelPoseOf(skeleton, reference.pose).matrices[16 * hips + 13]! - floor.height;
  const way =
    hips !== undefined && height > 0 ? wayOfLoop(skeleton, hips, Object.values(joints), height, clip) : null;
  const lead = way ? leadOf(clip, CONTACT_RATE) : 0;
  const unrolled = way ? unrollLoop(skeleton, hips!, clip, { rate: CONTACT_RATE, lead }) : clip;
  const tracks = trackPoints(rig, unrolled, bodyPoints(rig));
  const ground = findTreadmill(tracks);
  const contacts = [
    ...contactsOfTracks(onMovingGround(tracks, ground), options),
    ...findTouchesOf(rig, unrolled, tracks.count),
  ];
  return way ? cutContacts(contacts, clip.duration, lead / CONTACT_RATE, ground) : contacts;
}
