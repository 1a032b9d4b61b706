import { describe, expect, it } from 'vitest';
import { placeBody } from './body/body.js';
import { guyBody } from './characters/mixamo-guy.js';
import { makeCharacters } from './make-characters.js';
import { walk } from './motions/walk.js';
import { poseAt } from './sample-motion.js';
import { axesAlongX, localsOf, mirrorAxes, poseRig, quantiseWeights } from './sample-rig.js';
import {
  add,
  inverse,
  mirror,
  type Placement,
  place,
  rotate,
  scale,
  subtract,
  turnBy,
  type Vec3,
} from './vector.js';

const near = (a: Vec3, b: Vec3) => Math.hypot(...subtract(a, b));

describe('quantiseWeights', () => {
  it('keeps the four strongest and sums to 255', () => {
    const { joints, weights } = quantiseWeights(
      new Map([
        [3, 0.1],
        [7, 0.4],
        [1, 0.2],
        [9, 0.25],
        [4, 0.05],
      ]),
    );
    expect(joints).toEqual([7, 9, 1, 3]);
    expect(weights.reduce((sum, weight) => sum + weight)).toBe(255);
  });

  it('fills up with zeros that point at joint 0', () => {
    expect(quantiseWeights(new Map([[5, 0.3]]))).toEqual({ joints: [5, 0, 0, 0], weights: [255, 0, 0, 0] });
  });
});

describe('mirrorAxes', () => {
  it('mirrors the bone and turns every axis around, as Unreal does', () => {
    const axes = axesAlongX([1, -0.5, 0.1], [0, 0, 1]);
    const mirrored = mirrorAxes(axes);
    for (const axis of [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as const)
      expect(near(rotate(mirrored, axis), scale(mirror(rotate(axes, axis)), -1))).toBeLessThan(1e-12);
  });
});

describe('rigs', () => {
  const characters = makeCharacters();

  it.each(characters.map(({ name, rig }) => ({ name, rig })))(
    '$name: local transforms put every joint where the body has it, at rest and in motion',
    ({ rig }) => {
      const tPose = { turns: {}, hips: rig.body.joints.hips! };
      const bent = { turns: poseAt(walk, 0.3).turns, hips: add(rig.body.joints.hips!, [0.1, 0, 0.3]) };
      for (const pose of [rig.rest, tPose, bent]) {
        const placements = poseRig(rig, pose);
        const locals = localsOf(rig, placements);
        const { rotation, unit, facing } = rig.container;
        const world: Placement[] = [];
        rig.joints.forEach((joint, i) => {
          const above =
            joint.parent < 0 ? { rotation, translation: [0, 0, 0] as const } : world[joint.parent]!;
          world.push({
            rotation: turnBy(above.rotation, locals[i]!.rotation),
            translation: place(above, scale(locals[i]!.translation, unit)),
          });
        });
        const now = placeBody(rig.body, pose);
        rig.joints.forEach((joint, i) => {
          if (!joint.role || joint.part !== 'plays') return;
          const inBody = rotate(inverse(facing), world[i]!.translation);
          expect(near(inBody, now[joint.role]!.translation), joint.name).toBeLessThan(1e-9);
        });
      }
    },
  );

  it('differ in names, unit, facing, rest pose and axes', () => {
    expect(new Set(characters.flatMap(({ rig }) => rig.joints.map(({ name }) => name))).size).toBeGreaterThan(
      300,
    );
    expect(new Set(characters.map(({ rig }) => rig.container.unit)).size).toBeGreaterThanOrEqual(3);
    const arms = characters.map(({ rig }) => {
      const { leftUpperArm, leftLowerArm } = placeBody(rig.body, rig.rest);
      const [x, y] = subtract(leftLowerArm!.translation, leftUpperArm!.translation);
      return Math.round((Math.atan2(-y, x) * 180) / Math.PI);
    });
    expect(new Set(arms).size).toBeGreaterThanOrEqual(4);
    expect(guyBody.order.length).toBeGreaterThan(50);
  });
});
