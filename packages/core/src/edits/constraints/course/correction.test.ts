import { expect, it } from 'vitest';
import { apart, editedFigure } from '../../../../test/edited-figure.js';
import { vectorAt } from '../../../base/math/vector.js';
import { modelPoseOf } from '../../../scene/pose.js';
import { createMovingBody, loadBody } from '../solve/moving-body.js';
import { placesBefore } from './correction.js';

it('M18: the tip of an arm that ends at the shoulder is what hangs furthest on it, not a hand’s breadth on', () => {
  const { compile, poseAt, body } = editedFigure();
  const { plan } = compile([{ kind: 'orientation', joint: 'rightUpperArm', goal: { degrees: [0, 0, 20] } }], {
    stands: [],
  });
  const moving = createMovingBody(plan);
  loadBody(moving, poseAt(1));
  const places = placesBefore(moving, Float64Array.from(moving.positions));
  const tips = Array.from({ length: (places.length - moving.positions.length) / 3 }, (_, n) =>
    vectorAt(Float64Array.from(places), moving.positions.length + 3 * n),
  );
  const { matrices } = modelPoseOf(body.skeleton, poseAt(1));
  const placed = (joint: number) =>
    vectorAt(matrices, 16 * joint + 12).map((x) => x / body.height) as [number, number, number];
  const shoulder = placed(body.joints.rightUpperArm!);
  // One of the tips is a joint of that arm, and further away than a hand is long.
  const hand = placed(body.joints.rightHand!);
  expect(apart(hand, shoulder)).toBeGreaterThan(0.2);
  expect(Math.max(...tips.map((tip) => apart(tip, shoulder)))).toBeGreaterThanOrEqual(
    apart(hand, shoulder) - 1e-6,
  );
});
