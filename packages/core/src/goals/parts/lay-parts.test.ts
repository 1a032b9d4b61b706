import { describe, expect, it } from 'vitest';
import type { BodySurface } from '../../contacts/body-surfaces.js';
import { forwardJoints } from '../../scene/forward-joints.js';
import { copyPose, createModelPose, type Pose } from '../../scene/pose.js';
import { createSkeleton } from '../../scene/skeleton.js';
import { laidParts, layParts, turnParts } from './lay-parts.js';

/**
 * A body on its back along z, joints a metre over the floor's height of 0: hips, spine, chest, neck, head; an upper arm, a
 * forearm and a hand.
 */
const NAMES = ['hips', 'spine', 'chest', 'neck', 'head', 'arm', 'forearm', 'hand'];
const AT: [number, number, number][] = [
  [0, 1, 0],
  [0, 0, 0.1],
  [0, 0, 0.3],
  [0, 0, 0.2],
  [0, 0, 0.1],
  [0.2, 0, 0],
  [0.3, 0, 0],
  [0.25, 0, 0],
];
const { skeleton } = createSkeleton(
  'body',
  NAMES.map((name, n) => ({ name, parent: [-1, 0, 1, 2, 3, 2, 5, 6][n]!, translation: AT[n]! })),
);
const joints = Int32Array.from(NAMES.keys());
const roles = {
  hips: 0,
  spine: 1,
  chest: 2,
  neck: 3,
  head: 4,
  leftUpperArm: 5,
  leftLowerArm: 6,
  leftHand: 7,
};

/** Parts whose skin is so deep under its joint. */
function bodyOf(depths: { seat?: number; back?: number; head?: number; leftElbow?: number }) {
  const joint = { seat: 0, back: 2, head: 4, leftElbow: 6 };
  const surfaces = (Object.keys(depths) as (keyof typeof joint)[]).map((name) => ({
    surface: {
      name,
      joints: [joint[name]],
      places: [Float64Array.of(0, -depths[name]!, 0)],
      radii: [1],
      thickness: 0,
    } as unknown as BodySurface,
  }));
  return { surfaces, laid: laidParts(surfaces, roles), targetJoints: joints, hipHeight: 1 };
}

/** How high each part is after laying, and what was done. */
function lay(depths: Parameters<typeof bodyOf>[0], rests: number[]) {
  const body = bodyOf(depths);
  const pose: Pose = copyPose(skeleton.rest);
  const model = createModelPose(NAMES.length);
  forwardJoints(model, skeleton, pose, joints);
  const lays = new Float64Array(3 * body.laid.length);
  layParts(pose, model, skeleton, body, lays, Float64Array.from(rests));
  const heights = body.surfaces.map(
    ({
      surface: {
        joints: [j],
        places,
      },
    }) => {
      const [x, y, z] = places[0]!;
      const m = model.matrices;
      const at = 16 * j!;
      return m[at + 1]! * x! + m[at + 5]! * y! + m[at + 9]! * z! + m[at + 13]!;
    },
  );
  return { heights, lays, pose, model, body };
}

describe('layParts', () => {
  it('brings back, head and elbow to the height of a seat that rests', () => {
    const { heights } = lay({ seat: 0.12, back: 0.1, head: 0.08, leftElbow: 0.05 }, [1, 1, 1, 1]);
    for (const height of heights) expect(height).toBeCloseTo(0.88, 3);
  });

  it('a head that would hold its body up is turned out of the floor, though it need not rest', () => {
    const { heights } = lay({ seat: 0.12, back: 0.12, head: 0.15 }, [1, 1, 0]);
    // From 0.85; its neck is short.
    expect(heights[2]).toBeGreaterThan(0.878);
  });

  it('leaves a body alone that does not lie, and parts that do not rest', () => {
    expect(
      lay({ seat: 0.12, back: 0.05, leftElbow: 0.05 }, [0, 0, 1]).lays.every((value) => value === 0),
    ).toBe(true);
    const { lays, body } = lay({ seat: 0.12, leftElbow: 0.05 }, [1, 0]);
    expect(body.laid).toHaveLength(1);
    expect(lays.every((value) => value === 0)).toBe(true);
  });

  it('turns a spine by 12° at most, and the less the less it rests', () => {
    const angle = (rest: number, depth = 0) => {
      const { lays } = lay({ seat: 0.3, back: depth }, [1, rest]);
      return (Math.hypot(lays[0]!, lays[1]!, lays[2]!) * 180) / Math.PI;
    };
    expect(angle(1)).toBeCloseTo(12, 3);
    expect(angle(0.1)).toBeLessThan(6);
    expect(angle(0.1)).toBeGreaterThan(0);
  });

  it('a forearm goes on as it points', () => {
    const { model } = lay({ seat: 0.12, leftElbow: 0.05 }, [1, 1]);
    const [elbow, hand] = [16 * 6 + 13, 16 * 7 + 13];
    expect(model.matrices[elbow]).toBeCloseTo(0.93, 3);
    expect(model.matrices[hand]).toBeCloseTo(model.matrices[elbow]!, 6);
  });

  it('what was found can be done again', () => {
    const { lays, pose, body } = lay({ seat: 0.12, back: 0.1, head: 0.08, leftElbow: 0.05 }, [1, 1, 1, 1]);
    const again = copyPose(skeleton.rest);
    const model = createModelPose(NAMES.length);
    forwardJoints(model, skeleton, again, joints);
    turnParts(again, model, skeleton, body, lays);
    again.rotations.forEach((value, i) => {
      expect(value).toBeCloseTo(pose.rotations[i]!, 6);
    });
  });
});
