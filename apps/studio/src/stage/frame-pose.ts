import {
  conjugateQuaternion,
  modelPoseOf,
  multiplyQuaternions,
  type Pose,
  type Skeleton,
} from '@stuntdouble/core/engine';

/**
 * The reference in which a frame of the result looks as it was dragged. With C the turn that a frame adds to the aligned
 * reference A of a joint, its rotation in model space is G = C · A; dragged to G' = W · G it needs A' = C⁻¹ · W · C · A.
 * Alignment goes along with that: what it keeps, such as the direction of a limb, stays as it is.
 * @param reference The pose that is edited.
 * @param aligned The same after alignment with the source.
 * @param before The frame as it was.
 * @param after The frame as it was dragged to.
 */
export function referenceFromFrame(
  skeleton: Skeleton,
  reference: Pose,
  aligned: Pose,
  before: Pose,
  after: Pose,
): Pose {
  const [from, to, still, edited] = [before, after, aligned, reference].map(
    (pose) => modelPoseOf(skeleton, pose).rotations,
  ) as [Float64Array, Float64Array, Float64Array, Float64Array];
  const next = structuredClone(reference);
  for (let i = 0; i < reference.translations.length; i++) {
    next.translations[i]! += after.translations[i]! - before.translations[i]!;
    next.scales[i]! *= before.scales[i] === 0 ? 1 : after.scales[i]! / before.scales[i]!;
  }
  const at = (store: Float64Array, joint: number) => store.slice(4 * joint, 4 * joint + 4);
  const inverse = (q: Float64Array) => {
    const out = new Float64Array(4);
    conjugateQuaternion(out, 0, q, 0);
    return out;
  };
  const product = (...turns: Float64Array[]) =>
    turns.reduce((left, right) => {
      const out = new Float64Array(4);
      multiplyQuaternions(out, 0, left, 0, right, 0);
      return out;
    });
  for (let joint = 0; joint < skeleton.names.length; joint++) {
    const [had, has] = [at(before.rotations, joint), at(after.rotations, joint)];
    if (had.every((value, n) => value === has[n])) continue;
    // Joints above may have been dragged, too: what counts is the joint's own turn, where its parent is now.
    const own = product(at(to, joint), inverse(has), had);
    const world = product(at(to, joint), inverse(own));
    const added = product(at(from, joint), inverse(at(still, joint)));
    const model = at(edited, joint);
    const turn = product(inverse(added), world, added);
    next.rotations.set(product(at(reference.rotations, joint), inverse(model), turn, model), 4 * joint);
  }
  return next;
}
