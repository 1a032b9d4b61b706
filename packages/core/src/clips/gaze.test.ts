import { expect, test } from 'vitest';
import { quaternionAngle, rotateVector } from '../base/math/quaternion.js';
import type { Clip } from '../scene/clip.js';
import { poseAt } from '../scene/clip.js';
import { modelPoseOf } from '../scene/pose.js';
import { createSkeleton } from '../scene/skeleton.js';
import { changeSpeed, trimClip } from './edit-clip.js';
import { gazeToEyes } from './gaze.js';

// A head with eyes whose own axes are anything but the body's.
const half = Math.SQRT1_2;
const { skeleton } = createSkeleton('face', [
  { name: 'head', parent: -1, translation: [0, 1.5, 0], rotation: [half, 0, 0, half] },
  { name: 'leftEye', parent: 0, translation: [0.03, 0, -0.05], rotation: [0, 0, half, half] },
  { name: 'rightEye', parent: 0, translation: [-0.03, 0, -0.05], rotation: [0, half, 0, half] },
]);
const joints = { head: 0, leftEye: 1, rightEye: 2 };
const angle = 0.3;
const gaze = {
  interpolation: 'linear' as const,
  times: Float32Array.of(0, 1),
  values: Float32Array.of(0, 0, 0, 1, 0, Math.sin(angle / 2), 0, Math.cos(angle / 2)),
};

test('a gaze turns both eyes in the head’s space, whatever their own axes are', () => {
  const tracks = gazeToEyes(skeleton, skeleton.rest, joints, gaze);
  expect(tracks.map(({ joint }) => joint)).toEqual([1, 2]);
  const clip: Clip = { name: 'look', duration: 1, tracks, morphs: [] };
  const before = modelPoseOf(skeleton, skeleton.rest).rotations;
  const start = modelPoseOf(skeleton, poseAt(skeleton, clip, 0)).rotations;
  const after = modelPoseOf(skeleton, poseAt(skeleton, clip, 1)).rotations;
  for (const eye of [1, 2]) {
    expect(quaternionAngle(start, 4 * eye, before, 4 * eye)).toBeLessThan(1e-6);
    expect(quaternionAngle(after, 4 * eye, before, 4 * eye)).toBeCloseTo(angle, 5);
    // What pointed ahead points to the left: yaw about +Y from +Z to +X.
    const ahead = Float64Array.of(0, 0, 1);
    const inEye = new Float64Array(3);
    const inverse = Float64Array.from(before.subarray(4 * eye, 4 * eye + 4));
    for (let c = 0; c < 3; c++) inverse[c] = -inverse[c]!;
    rotateVector(inEye, 0, inverse, 0, ahead, 0);
    rotateVector(inEye, 0, after, 4 * eye, inEye, 0);
    expect(inEye[0]).toBeCloseTo(Math.sin(angle), 5);
    expect(inEye[2]).toBeCloseTo(Math.cos(angle), 5);
  }
});

test('a body without eyes gets no tracks', () => {
  expect(gazeToEyes(skeleton, skeleton.rest, { head: 0 }, gaze)).toEqual([]);
});

test('a gaze is cut and sped up with its clip', () => {
  const clip: Clip = { name: 'look', duration: 1, tracks: [], morphs: [], gaze };
  const half = trimClip(clip, 0.5, 1).gaze!;
  expect([...half.times]).toEqual([0, 0.5]);
  expect(2 * Math.asin(half.values[1]!)).toBeCloseTo(angle / 2, 5);
  expect([...changeSpeed(clip, 2).gaze!.times]).toEqual([0, 0.5]);
});
