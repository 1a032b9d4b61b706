import type { Skeleton } from '@stuntdouble/core';

/** The labels of one file: which joint plays which body part, by people's reading. */
export type Label = {
  kind: string;
  note: string;
  roles: Record<string, { name: string; index: number | null }>;
};

/** Body parts of one skeleton by label: the joint of each, and answers that are equally right. */
export type Truth = {
  joints: Map<string, number>;
  /** `part=joint name`, as the notes of the labels allow. */
  alternatives: Set<string>;
};

/** The answers that the note of a label calls equally right, as `part=joint name`. */
export function alternativesOf(note: string): Set<string> {
  const right = new Set<string>();
  for (const [, alternatives] of note.matchAll(/\(alt: ([^)]*)\)/g)) {
    let part = '';
    for (const entry of alternatives!.split(/, | or /)) {
      const [left, joint] = entry.split('=');
      if (joint !== undefined) part = left!;
      right.add(`${part}=${joint ?? left}`);
      // Notes that name parts only speak of a joint that has no label: the thumb of CMU, the one leg of a toy.
      if (/^(left|right)/.test(entry)) right.add(`${entry}=LeftLeg`);
      if (entry.startsWith('Thumb')) right.add(`left${entry}=LThumb`).add(`right${entry}=RThumb`);
    }
  }
  return right;
}

/** Finds the labelled joints in a skeleton, by their index in the file where the label has one, else by name. */
export function readTruth(label: Label, skeleton: Skeleton): Truth {
  const joints = new Map<string, number>();
  for (const [part, { name, index }] of Object.entries(label.roles)) {
    const byIndex = index === null ? -1 : skeleton.fileIndices.indexOf(index);
    const joint = byIndex >= 0 ? byIndex : skeleton.names.indexOf(name);
    if (joint >= 0) joints.set(part, joint);
  }
  return { joints, alternatives: alternativesOf(label.note) };
}
