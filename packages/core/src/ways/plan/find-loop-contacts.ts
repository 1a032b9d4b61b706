import type { Rig } from '../../body/rig.js';
import { finiteClip } from '../../clips/edit-clip.js';
import { bodyPoints } from '../../contacts/body-points.js';
import type { ContactOptions } from '../../contacts/contact-rules.js';
import { contactsOfTracks } from '../../contacts/find-contacts.js';
import { findTreadmill, onMovingGround } from '../../contacts/find-treadmill.js';
import { trackPoints } from '../../contacts/track-points.js';
import { cutContacts, leadOf, unrollLoop, wayOfLoop } from '../../goals/plan/unroll-loop.js';
import type { Contact } from '../../options/contact.js';
import type { Clip } from '../../scene/clip.js';
import { modelPoseOf } from '../../scene/pose.js';

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
  const lead = way ? leadOf(clip) : 0;
  const tracks = trackPoints(rig, way ? unrollLoop(skeleton, hips!, clip, lead) : clip, bodyPoints(rig));
  const ground = findTreadmill(tracks);
  const contacts = contactsOfTracks(onMovingGround(tracks, ground), options);
  return way ? cutContacts(contacts, clip.duration, lead, ground) : contacts;
}
