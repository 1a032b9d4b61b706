import {
  composeMatrix,
  copyPose,
  createMatrix,
  invertMatrix,
  type Mat4,
  modelPoseOf,
  multiplyMatrices,
  sampleClip,
} from '@stuntdouble/core/engine';
import { describe, expect, it } from 'vitest';
import { buildFbx } from '../../../test/fbx-builder.js';
import { readFbx } from './read-fbx.js';

type Numbers = [number, number, number];

const ZERO: Numbers = [0, 0, 0];
const ONE: Numbers = [1, 1, 1];

/** The orders by their number: the first letter turns first. */
const ORDERS = ['XYZ', 'XZY', 'YZX', 'YXZ', 'ZXY', 'ZYX'];

function matrixOf(translation: Numbers, turn: readonly number[], scale: Numbers): Mat4 {
  const out = createMatrix();
  const [t, q, s] = [translation, turn, scale].map((list) => Float64Array.from(list));
  composeMatrix(out, 0, t!, 0, q!, 0, s!, 0);
  return out;
}

const move = (by: Numbers) => matrixOf(by, [0, 0, 0, 1], ONE);
const grow = (by: Numbers) => matrixOf(ZERO, [0, 0, 0, 1], by);

const times = (...matrices: Mat4[]): Mat4 =>
  matrices.reduce((a, b) => {
    const out = createMatrix();
    multiplyMatrices(out, 0, a, 0, b, 0);
    return out;
  });

const inverse = (matrix: Mat4): Mat4 => {
  const out = createMatrix();
  invertMatrix(out, 0, matrix, 0);
  return out;
};

/** One axis at a time, which leaves nothing to get wrong. */
function turn(degrees: Numbers, order = 0): Mat4 {
  let out = createMatrix();
  for (const letter of ORDERS[order]!) {
    const axis = 'XYZ'.indexOf(letter);
    const half = (degrees[axis]! * Math.PI) / 360;
    const quaternion = [0, 0, 0, Math.cos(half)];
    quaternion[axis] = Math.sin(half);
    out = times(matrixOf(ZERO, quaternion, ONE), out);
  }
  return out;
}

/** A matrix without its place. */
const linear = (matrix: Mat4): Mat4 => {
  const out = matrix.slice();
  out.fill(0, 12, 15);
  return out;
};

/** Numbers from 0 to 1 that are the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * A chain of four models with everything set at random, and where the FBX SDK's rules put them at a key: each
 * model's matrix is T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹; what it takes over of its
 * parent's scale depends on the way of inheriting.
 */
function createChain(seed: number, way: 0 | 1 | 2) {
  const random = createRandom(seed);
  const any = (size: number): Numbers => [0, 0, 0].map(() => (2 * random() - 1) * size) as Numbers;
  const some = (size: number): Numbers => (random() < 0.6 ? any(size) : ZERO);
  const file = buildFbx();
  const layer = file.layer(file.stack('take', [0, 1]));
  let parent = 0;
  let [world, turned, parentScale] = [createMatrix(), createMatrix(), ONE];
  const places = [0, 1, 2, 3].map((n) => {
    // Scales that differ along the axes shear what does not inherit the plain way.
    const even = 0.5 + random();
    const scale: Numbers = way === 1 ? [0.5 + random(), 0.5 + random(), 0.5 + random()] : [even, even, even];
    const order = Math.floor(6 * random());
    const [t, r, key] = [any(5), any(170), any(170)];
    const [pre, post, offset, pivot, scaleOffset, scalePivot] = [
      some(170),
      some(90),
      some(2),
      some(2),
      some(2),
      some(2),
    ];
    parent = file.model(`${n}`, parent, {
      'Lcl Translation': t,
      'Lcl Rotation': r,
      'Lcl Scaling': scale,
      RotationActive: [1],
      RotationOrder: [order],
      PreRotation: pre,
      PostRotation: post,
      RotationOffset: offset,
      RotationPivot: pivot,
      ScalingOffset: scaleOffset,
      ScalingPivot: scalePivot,
      InheritType: [way],
    });
    const curve = (c: number) => ({ times: [0, 1], values: [r[c]!, key[c]!] });
    file.animate(layer, parent, 'Lcl Rotation', { X: curve(0), Y: curve(1), Z: curve(2) });
    const turns = times(turn(pre), turn(key, order), inverse(turn(post)));
    const local = times(
      times(move(t), move(offset), move(pivot), turns, inverse(move(pivot))),
      times(move(scaleOffset), move(scalePivot), grow(scale), inverse(move(scalePivot))),
    );
    const place = times(world, local).slice(12, 15);
    const above = linear(world);
    let now = times(above, turns, grow(scale));
    if (way === 0) now = times(turned, turns, inverse(turned), above, grow(scale));
    if (way === 2)
      now = times(above, grow(parentScale.map((value) => 1 / value) as Numbers), turns, grow(scale));
    now.set(place, 12);
    [world, turned, parentScale] = [now, times(turned, turns), scale];
    return place;
  });
  return { bytes: file.binary(), places };
}

describe('models stand where the rules of the FBX SDK put them', () => {
  it.each([0, 1, 2] as const)('with everything set at random, inherited by way %d', (way) => {
    for (let seed = 1; seed <= 15; seed++) {
      const { bytes, places } = createChain(1000 * way + seed, way);
      const { skeleton, clips } = readFbx(bytes).characters[0]!;
      const pose = copyPose(skeleton.rest);
      sampleClip(pose, clips[0]!, 1);
      const { matrices } = modelPoseOf(skeleton, pose);
      places.forEach((place, n) => {
        const joint = skeleton.names.indexOf(`${n}`);
        for (let c = 0; c < 3; c++)
          expect(
            Math.abs(matrices[16 * joint + 12 + c]! - place[c]!),
            `seed ${seed}, model ${n}`,
          ).toBeLessThan(1e-4);
      });
    }
  });
});
