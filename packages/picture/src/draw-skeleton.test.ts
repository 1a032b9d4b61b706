import { copyPose, createSkeleton, END, type JointDescription, modelPoseOf } from '@stuntdouble/core';
import { describe, expect, test } from 'vitest';
import { drawSkeleton } from './draw-skeleton.js';
import type { Shape } from './rasterize.js';

const WHITE = [1, 1, 1] as const;

function drawn(joints: readonly JointDescription[]): Shape {
  const { skeleton } = createSkeleton('test', joints);
  return drawSkeleton(skeleton, modelPoseOf(skeleton, skeleton.rest), WHITE);
}

/** Distance of a shape's nearest vertex to a point. */
function distanceTo(shape: Shape, x: number, y: number, z: number): number {
  let nearest = Infinity;
  for (let i = 0; i < shape.positions.length; i += 3)
    nearest = Math.min(
      nearest,
      Math.hypot(shape.positions[i]! - x, shape.positions[i + 1]! - y, shape.positions[i + 2]! - z),
    );
  return nearest;
}

const LEG: JointDescription[] = [
  { name: 'hips', parent: -1, translation: [0, 1, 0] },
  { name: 'thigh', parent: 0, translation: [0.1, -0.05, 0] },
  { name: 'shin', parent: 1, translation: [0, -0.45, 0.02] },
  { name: 'foot', parent: 2, translation: [0, -0.45, -0.02] },
  { name: 'foot_end', parent: 3, translation: [0, -0.05, 0.15], flags: END },
];

describe('drawSkeleton', () => {
  test('every joint of the body, end sites too, is at a bone', () => {
    const shape = drawn(LEG);
    let place = [0, 0, 0];
    for (const { translation } of LEG) {
      place = place.map((value, c) => value + translation![c]!);
      expect(distanceTo(shape, place[0]!, place[1]!, place[2]!)).toBeLessThan(0.05);
    }
    expect(Math.max(...shape.triangles)).toBeLessThan(shape.positions.length / 3);
  });

  test('normals are unit vectors', () => {
    const { normals } = drawn(LEG);
    for (let i = 0; i < normals.length; i += 3)
      expect(Math.hypot(normals[i]!, normals[i + 1]!, normals[i + 2]!)).toBeCloseTo(1, 5);
  });

  test('the line from a root on the floor to the hips is no body part', () => {
    const rooted = drawn([
      { name: 'root', parent: -1 },
      ...LEG.map((joint): JointDescription => ({ ...joint, parent: joint.parent + 1 })),
    ]);
    expect(distanceTo(rooted, 0, 0.5, 0)).toBeGreaterThan(0.05);
    expect(distanceTo(rooted, 0.1, 0.5, 0.02)).toBeLessThan(0.05);
  });

  test('a body that travels away from its root keeps its thickness, and its head', () => {
    const { skeleton } = createSkeleton('test', [
      { name: 'root', parent: -1 },
      ...LEG.map((joint): JointDescription => ({ ...joint, parent: joint.parent + 1 })),
      { name: 'head', parent: 1, translation: [0, 0.6, 0] },
    ]);
    const pose = copyPose(skeleton.rest);
    const here = drawSkeleton(skeleton, modelPoseOf(skeleton, pose), WHITE);
    pose.translations[3] = 20;
    const there = drawSkeleton(skeleton, modelPoseOf(skeleton, pose), WHITE);
    expect(there.positions).toHaveLength(here.positions.length);
    there.positions.forEach((value, i) => {
      expect(value).toBeCloseTo(here.positions[i]! + (i % 3 === 0 ? 20 : 0), 4);
    });
  });

  test('plain nodes between joints are passed over, and those above are left out', () => {
    const shape = drawn([
      { name: 'Armature', parent: -1, flags: 0 },
      { name: 'hips', parent: 0, translation: [0, 1, 0] },
      { name: 'group', parent: 1, translation: [0.5, 0, 0], flags: 0 },
      { name: 'thigh', parent: 2, translation: [-0.5, -0.2, 0] },
    ]);
    expect(distanceTo(shape, 0.5, 1, 0)).toBeGreaterThan(0.4);
    expect(distanceTo(shape, 0, 0, 0)).toBeGreaterThan(0.5);
    expect(distanceTo(shape, 0, 0.9, 0)).toBeLessThan(0.06);
  });

  test('a head is drawn beyond the neck', () => {
    const neck: JointDescription[] = [
      { name: 'chest', parent: -1, translation: [0, 1, 0] },
      { name: 'neck', parent: 0, translation: [0, 0.4, 0] },
    ];
    const top = (shape: Shape) => Math.max(...shape.positions.filter((_, i) => i % 3 === 1));
    const head = drawn([...neck, { name: 'mixamorig:Head', parent: 1, translation: [0, 0.1, 0] }]);
    const other = drawn([...neck, { name: 'joint_7', parent: 1, translation: [0, 0.1, 0] }]);
    expect(top(head)).toBeGreaterThan(top(other) + 0.03);
  });

  test.each([
    ['no joint', []],
    ['one joint', [{ name: 'alone', parent: -1 }]],
    [
      'joints in one place',
      [
        { name: 'a', parent: -1 },
        { name: 'b', parent: 0 },
      ],
    ],
    [
      'a joint that is nowhere',
      [
        { name: 'a', parent: -1 },
        { name: 'b', parent: 0, translation: [Number.NaN, 0, 0] },
      ],
    ],
  ])('%s gives nothing to draw', (_, joints) => {
    expect(drawn(joints).triangles).toHaveLength(0);
  });
});
