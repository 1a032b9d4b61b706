import { describe, expect, it } from 'vitest';
import { stickFigure } from '../../test/stick-figure.js';
import type { Rig } from '../body/rig.js';
import { createRig } from '../body/understand/create-rig.js';
import { createRigMap } from '../map/create-rig-map.js';
import type { Clip } from '../scene/clip.js';
import type { Skeleton } from '../scene/skeleton.js';
import { createSetup } from '../setup/create-setup.js';
import { compareMotions } from './comparison.js';
import { type GroundMeasure, measureGround } from './measure-ground.js';

const figure = stickFigure();
const hips = figure.jointOf('hips');

/** One second in which the body is lower than at rest, in metres. */
function lowered(by: number): Clip {
  const values = Float64Array.from([0, 1, 2, 0, 1, 2], (c) => {
    const rest = figure.skeleton.rest.translations[3 * hips + c]!;
    return c === 1 ? rest - by : rest;
  });
  return {
    name: 'lowered',
    duration: 1,
    tracks: [
      {
        joint: hips,
        channel: 'translation',
        interpolation: 'linear',
        times: Float64Array.of(0, 1),
        values,
      },
    ],
    morphs: [],
  };
}

function groundOf(skeleton: Skeleton, source: number, result: number): GroundMeasure {
  const rig: Rig = createRig(skeleton);
  const setup = createSetup(rig, rig, createRigMap(rig, rig).map);
  return measureGround(compareMotions(setup, lowered(source), lowered(result)));
}

describe('measureGround', () => {
  it('is the mean depth of the deepest, in % of the hip height, and 0 above the floor', () => {
    // Toes rest 0.02 m over the floor, hips 1 m.
    expect(groundOf(figure.skeleton, 0, 0.12).joints.mean).toBeCloseTo(10, 6);
    expect(groundOf(figure.skeleton, 0, 0.01).joints.mean).toBe(0);
    expect(groundOf(figure.skeleton, 0, 0.12).skin).toBeNull();
    expect(groundOf(figure.skeleton, 0, 0.12).sunkFrames).toBe(61);
  });

  it('what the source itself is under its floor is not what retargeting has done', () => {
    const { joints, sourceJoints, deeper, sunkFrames } = groundOf(figure.skeleton, 0.07, 0.12);
    expect(joints.mean).toBeCloseTo(10, 6);
    expect(sourceJoints.mean).toBeCloseTo(5, 6);
    expect(deeper.joints.mean).toBeCloseTo(5, 6);
    expect(groundOf(figure.skeleton, 0.12, 0.07).deeper.joints.mean).toBe(0);
    expect(sunkFrames).toBe(0);
  });

  it('skin that is under the floor as the body rests counts from there', () => {
    const foot = figure.jointOf('leftFoot');
    const shin = figure.jointOf('leftLowerLeg');
    const rest = (joint: number, height: number): Float32Array => {
      // A speck of skin under a joint, at a height over the floor; the figure's axes are the model's.
      let at = 0;
      for (let j = joint; j >= 0; j = figure.skeleton.parents[j]!)
        at += figure.skeleton.rest.translations[3 * j + 1]!;
      return Float32Array.of(0, height - at, 0);
    };
    const hulls = figure.skeleton.names.map((_, joint) =>
      joint === foot ? rest(joint, 0) : joint === shin ? rest(joint, -0.03) : null,
    );
    const skeleton: Skeleton = { ...figure.skeleton, hulls };
    expect(groundOf(skeleton, 0, 0).skin!.mean).toBeCloseTo(0, 4);
    expect(groundOf(skeleton, 0, 0.05).skin!.mean).toBeCloseTo(5, 4);
    expect(groundOf(skeleton, 0, 0.05).deeper.skin!.mean).toBeCloseTo(5, 4);
  });
});
