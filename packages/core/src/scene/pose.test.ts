import { describe, expect, it } from 'vitest';
import { underCancelledScale, underNode, withOtherAxes } from '../../test/reexpress.js';
import { stickFigure, times, turn, turned } from '../../test/stick-figure.js';
import { composeMatrix, createMatrix } from '../base/math/matrix.js';
import { quaternionAngle } from '../base/math/quaternion.js';
import { createPose, modelPoseOf, rotationOfMatrix, signRotation } from './pose.js';
import { createSkeleton, type Skeleton } from './skeleton.js';

const positions = (skeleton: Skeleton, joints = skeleton.names.map((_, i) => i)) => {
  const { matrices } = modelPoseOf(skeleton, skeleton.rest);
  return joints.flatMap((joint) => [12, 13, 14].map((c) => matrices[16 * joint + c]!));
};
const expectClose = (a: readonly number[], b: readonly number[], within: number) => {
  expect(a.length).toBe(b.length);
  a.forEach((value, i) => {
    expect(Math.abs(value - b[i]!)).toBeLessThan(within);
  });
};

describe('localToModel', () => {
  it('has nothing to do without joints', () => {
    expect(modelPoseOf(createSkeleton('empty', []).skeleton, createPose(0)).rotations.length).toBe(0);
  });

  it('W2: is the product of translation, rotation and scale from the root down', () => {
    const { skeleton } = createSkeleton('arm', [
      { name: 'a', parent: -1, translation: [1, 0, 0], rotation: turn([0, 0, 1], 90), scale: [2, 2, 2] },
      { name: 'b', parent: 0, translation: [3, 0, 0], scale: [1, 3, 1] },
      { name: 'c', parent: 1, translation: [0, 1, 0] },
    ]);
    // Three along x, doubled, turned to y, one along x.
    expectClose(positions(skeleton, [1]), [1, 6, 0], 1e-12);
    // From there one along y, tripled, doubled, turned to -x.
    expectClose(positions(skeleton, [2]), [-5, 6, 0], 1e-12);
  });

  it('W2: several roots each stand in the container', () => {
    const { skeleton } = createSkeleton('two', [
      { name: 'a', parent: -1, translation: [1, 0, 0] },
      { name: 'b', parent: -1, translation: [0, 2, 0] },
    ]);
    skeleton.container = createMatrix();
    for (const i of [0, 5, 10]) skeleton.container[i] = 0.01;
    expectClose(positions(skeleton), [0.01, 0, 0, 0, 0.02, 0], 1e-12);
  });

  it('gives positions that do not depend on joint axes', () => {
    const figure = stickFigure({ fingers: true });
    expectClose(positions(withOtherAxes(figure).skeleton), positions(figure.skeleton), 1e-12);
    for (const axes of ['boneY', 'boneX'] as const)
      expectClose(
        positions(stickFigure({ fingers: true, axes }).skeleton),
        positions(figure.skeleton),
        1e-12,
      );
  });

  it('WP8: carries rotations past a non-uniform scale', () => {
    const figure = stickFigure({ axes: 'boneY' });
    const squeezed = underCancelledScale(figure, [3, 0.25, 1.5]);
    const before = modelPoseOf(figure.skeleton, figure.skeleton.rest);
    const after = modelPoseOf(squeezed.skeleton, squeezed.skeleton.rest);
    figure.skeleton.names.forEach((_, i) => {
      expect(quaternionAngle(before.rotations, 4 * i, after.rotations, 4 * squeezed.places[i]!)).toBeLessThan(
        1e-9,
      );
    });
    expectClose(positions(squeezed.skeleton, [...squeezed.places]), positions(figure.skeleton), 1e-9);
    // From the root down: the turn of a parent comes first.
    const [first, second] = [turn([0, 0, 1], 90), turn([1, 0, 0], 40)];
    const { skeleton } = createSkeleton('arm', [
      { name: 'a', parent: -1, rotation: first, scale: [3, 0.25, 1.5] },
      { name: 'b', parent: 0, rotation: second },
    ]);
    const { rotations } = modelPoseOf(skeleton, skeleton.rest);
    expectClose([...rotations.subarray(4, 8)], [...times(first, second)], 1e-12);
  });

  it('WP8: counts a mirrored node by the signs of its scale', () => {
    const figure = stickFigure();
    const twice = underNode(underNode(figure, { scale: [-1, 1, 1] }), { scale: [-1, 1, 1] });
    const before = modelPoseOf(figure.skeleton, figure.skeleton.rest);
    const after = modelPoseOf(twice.skeleton, twice.skeleton.rest);
    figure.skeleton.names.forEach((_, i) => {
      expect(quaternionAngle(before.rotations, 4 * i, after.rotations, 4 * (i + 2))).toBeLessThan(1e-9);
    });
    // Once: what is seen in a mirror across x is turned by half about x, and every direction is the other way.
    const once = underNode(figure, { scale: [-1, 1, 1] });
    const { rotations } = modelPoseOf(once.skeleton, once.skeleton.rest);
    figure.skeleton.names.forEach((_, i) => {
      const half = times(turn([1, 0, 0], 180), before.rotations.slice(4 * i, 4 * i + 4));
      expect(quaternionAngle(Float64Array.from(half), 0, rotations, 4 * (i + 1))).toBeLessThan(1e-7);
    });
  });
});

describe('signRotation', () => {
  it('is diag(signs), but for a −1 in all', () => {
    const q = new Float64Array(4);
    for (const x of [1, -1])
      for (const y of [1, -1])
        for (const z of [1, -1]) {
          const any = signRotation(q, 0, Float64Array.of(2 * x, y, 0.5 * z), 0);
          expect(any).toBe(x < 0 || y < 0 || z < 0);
          const overall = x * y * z;
          [
            [1, 0, 0],
            [0, 1, 0],
            [0, 0, 1],
          ].forEach((axis, c) => {
            const v = turned(q, axis as [number, number, number]);
            expect(v[c as 0]).toBeCloseTo(overall * [x, y, z][c]!, 12);
          });
        }
  });
});

describe('rotationOfMatrix', () => {
  it('reads the rotation off whatever the uniform scale, and the identity off nothing', () => {
    const q = times(turn([1, 2, 3], 77), turn([0, 1, 0], -20));
    const out = new Float64Array(4);
    for (const scale of [1e-4, 1, 300]) {
      const matrix = createMatrix();
      composeMatrix(matrix, 0, Float64Array.of(1, 2, 3), 0, q, 0, Float64Array.of(scale, scale, scale), 0);
      rotationOfMatrix(out, 0, matrix, 0);
      expect(quaternionAngle(out, 0, q, 0)).toBeLessThan(1e-7);
    }
    rotationOfMatrix(out, 0, new Float64Array(16), 0);
    expect(out.every(Number.isFinite)).toBe(true);
  });
});
