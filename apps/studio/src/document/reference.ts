import {
  choiceOfBase,
  createReferencePose,
  editsBetween,
  type JointEdit,
  type Pose,
  type RecipeReference,
  type ReferenceChoice,
} from '@stuntdouble/core/engine';
import type { FileFacts, Understanding } from '../engine/protocol.js';

/** A reference as it was found, so that edits on top of it do not depend on a guess. */
export function foundBase({ kind, frame, pose }: Understanding['target']): RecipeReference['base'] {
  if (kind === 'rest' || kind === 'bind') return kind;
  if (kind === 'frame' && frame) return { clip: frame.clip, time: frame.time };
  return {
    pose: {
      translations: [...pose.translations],
      rotations: [...pose.rotations],
      scales: [...pose.scales],
    },
  };
}

/** The pose that edits are made on. */
export function basePose(facts: FileFacts, base: RecipeReference['base'], found: Pose): Pose {
  if (base === 'auto') return found;
  const choice = choiceOfBase(base) as Exclude<ReferenceChoice, 'auto'>;
  return createReferencePose(facts.skeleton!, choice, facts.clips).pose;
}

/** A reference that gives a pose: what was there, with the edits that lead to it. */
export function referenceOfPose(
  facts: FileFacts,
  before: RecipeReference | undefined,
  found: Understanding['target'],
  pose: Pose,
): RecipeReference {
  const hasBase = before && before.base !== 'auto';
  const base = hasBase ? before.base : foundBase(found);
  const edits: JointEdit[] = editsBetween(facts.skeleton!, basePose(facts, base, found.pose), pose);
  return edits.length > 0 ? { base, edits } : { base: before?.base ?? 'auto' };
}
