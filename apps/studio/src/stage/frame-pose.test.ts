import { createSkeleton, modelPoseOf, multiplyQuaternions, type Pose } from '@stuntdouble/core/engine';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { referenceFromFrame } from './frame-pose.js';

const { skeleton } = createSkeleton('arm', [
  { name: 'root', parent: -1, translation: [0, 1, 0] },
  { name: 'upper', parent: 0, translation: [0, 0.5, 0] },
  { name: 'lower', parent: 1, translation: [0, 0.5, 0] },
]);

const turn = fc
  .tuple(...[0, 1, 2, 3].map(() => fc.double({ min: -1, max: 1, noNaN: true })))
  .filter((q) => Math.hypot(...q) > 0.1)
  .map((q) => q.map((x) => x / Math.hypot(...q)));
const pose = fc.array(turn, { minLength: 3, maxLength: 3 }).map(
  (turns): Pose => ({
    translations: skeleton.rest.translations.slice(),
    rotations: Float64Array.from(turns.flat()),
    scales: skeleton.rest.scales.slice(),
  }),
);
const product = (a: ArrayLike<number>, b: ArrayLike<number>) => {
  const out = new Float64Array(4);
  multiplyQuaternions(out, 0, Float64Array.from(a), 0, Float64Array.from(b), 0);
  return out;
};
const inverse = (q: ArrayLike<number>) => [-q[0]!, -q[1]!, -q[2]!, q[3]!];
const modelTurn = (of: Pose, joint: number) =>
  modelPoseOf(skeleton, of).rotations.slice(4 * joint, 4 * joint + 4);

it('S17: a joint that is turned on any frame is turned so on that frame by the new reference', () => {
  fc.assert(
    fc.property(pose, pose, turn, fc.constantFrom(0, 1, 2), (reference, before, turned, joint) => {
      const after = structuredClone(before);
      after.rotations.set(product(before.rotations.subarray(4 * joint, 4 * joint + 4), turned), 4 * joint);
      const next = referenceFromFrame(skeleton, reference, reference, before, after);
      // What the motion adds to the reference of the joint: G = C · A.
      const added = product(modelTurn(before, joint), inverse(modelTurn(reference, joint)));
      const shown = product(added, modelTurn(next, joint));
      const wanted = modelTurn(after, joint);
      const dot = Math.abs(shown.reduce((sum, x, n) => sum + x * wanted[n]!, 0));
      expect(dot).toBeCloseTo(1, 9);
      // No other joint's own turn is touched.
      for (let other = 0; other < 3; other++)
        if (other !== joint)
          expect(next.rotations.slice(4 * other, 4 * other + 4)).toEqual(
            reference.rotations.slice(4 * other, 4 * other + 4),
          );
    }),
  );
});

it('places and scales that are dragged on a frame are added to those of the reference', () => {
  const before = structuredClone(skeleton.rest);
  const after = structuredClone(before);
  after.translations[4] = 0.7;
  after.scales[5] = 2;
  const next = referenceFromFrame(skeleton, skeleton.rest, skeleton.rest, before, after);
  expect(next.translations[4]).toBeCloseTo(0.7, 12);
  expect(next.scales[5]).toBeCloseTo(2, 12);
});
