import { describe, expect, it } from 'vitest';
import { underNode } from '../../test/reexpress.js';
import { stickFigure } from '../../test/stick-figure.js';
import { modelPoseOf } from '../scene/pose.js';
import { createSkeleton, type Skeleton } from '../scene/skeleton.js';
import { findFloor, footJoints, lowestJoint, lowestSkin } from './floor.js';
import { createRig } from './understand/create-rig.js';

const floorOf = (skeleton: Skeleton) => createRig(skeleton).floor;

describe('findFloor', () => {
  it('is 0 where there is nothing to stand on', () => {
    const { skeleton } = createSkeleton('empty', []);
    expect(findFloor(skeleton, {}, skeleton.rest)).toMatchObject({
      height: 0,
      reason: 'nothing to stand on',
    });
  });

  it('is finite for a broken pose', () => {
    const { skeleton } = stickFigure();
    skeleton.rest.translations.fill(Number.NaN);
    expect(Number.isFinite(findFloor(skeleton, {}, skeleton.rest).height)).toBe(true);
  });

  it('is the lowest skin of the feet, not of a coat', () => {
    const { skeleton, jointOf } = stickFigure();
    skeleton.hulls = skeleton.names.map(() => null);
    skeleton.hulls[jointOf('leftFoot')] = Float32Array.of(0, -0.09, 0, 0, 0.1, 0);
    skeleton.hulls[jointOf('hips')] = Float32Array.of(0, -3, 0);
    const { height, reason } = floorOf(skeleton);
    expect(height).toBeCloseTo(0.08 - 0.09, 6);
    expect(reason).toMatch(/skin/);
  });

  it('is the ground plane where the feet are near it', () => {
    expect(floorOf(stickFigure().skeleton)).toMatchObject({ height: 0, reason: 'the ground plane' });
  });

  it('goes with a body that stands elsewhere, by the place of what carries it', () => {
    const armature = underNode(stickFigure(), { name: 'Armature' });
    const lifted = underNode(armature, { translation: [1, 2.5, 0], name: 'Stage' });
    expect(floorOf(lifted.skeleton).height).toBeCloseTo(2.5, 9);
  });

  it('is the lowest joint of the feet where nothing else tells', () => {
    const { skeleton, jointOf } = stickFigure();
    skeleton.rest.translations[3 * jointOf('hips') + 1]! -= 5;
    const { height, reason } = floorOf(skeleton);
    expect(height).toBeCloseTo(0.02 - 5, 6);
    expect(reason).toMatch(/lowest joint/);
  });

  it('is the lowest joint of all for a body without feet', () => {
    const { skeleton, jointOf } = stickFigure({ without: ['leftUpperLeg', 'rightUpperLeg'] });
    const { matrices } = modelPoseOf(skeleton, skeleton.rest);
    expect(floorOf(skeleton).height).toBeCloseTo(matrices[16 * jointOf('hips') + 13]!, 6);
  });
});

describe('what stands', () => {
  it('feet are ankles, toes and all below them', () => {
    const { skeleton, jointOf } = stickFigure();
    const feet = footJoints(skeleton, { leftFoot: jointOf('leftFoot') });
    expect(feet).toEqual([jointOf('leftFoot'), jointOf('leftToes')]);
  });
  it('nobody is infinitely high', () => {
    const { skeleton } = stickFigure();
    const model = modelPoseOf(skeleton, skeleton.rest);
    expect(lowestJoint(model, [])).toBe(Number.POSITIVE_INFINITY);
    expect(lowestSkin(skeleton, model, [0, 1])).toBe(Number.POSITIVE_INFINITY);
  });
});
