import { describe, expect, it } from 'vitest';
import { jointOf, tinyHuman } from '../../../test/tiny-rigs.js';
import type { Role } from '../../body/roles.js';
import { createRig } from '../../body/understand/create-rig.js';
import { modelPoseOf } from '../../scene/pose.js';
import type { Skeleton } from '../../scene/skeleton.js';
import { findTouchParts } from './touch-setup.js';

const [HAND, HEAD, HIPS] = [0, 6, 7];

/** The corners of a box about a place, turned about z, as the skin of a joint. */
function box(half: [number, number, number], angle: number, middle: [number, number, number]): Float32Array {
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  return Float32Array.from(
    [-1, 1].flatMap((i) =>
      [-1, 1].flatMap((j) =>
        [-1, 1].flatMap((k) => {
          const [x, y, z] = [middle[0] + i * half[0], middle[1] + j * half[1], middle[2] + k * half[2]];
          return [cosine * x - sine * y, sine * x + cosine * y, z];
        }),
      ),
    ),
  );
}

function withSkin(skeleton: Skeleton, skins: Partial<Record<Role, Float32Array>>): Skeleton {
  const hulls: (Float32Array | null)[] = skeleton.names.map(() => null);
  for (const [role, hull] of Object.entries(skins)) hulls[jointOf(skeleton, role as Role)] = hull;
  return { ...skeleton, hulls };
}

function bodiesOf(from: Skeleton, to: Skeleton) {
  const [source, target] = [createRig(from), createRig(to)];
  const [reference, other] = [source, target].map((rig) => modelPoseOf(rig.skeleton, rig.reference.pose));
  return findTouchParts(
    source,
    target,
    { source: source.joints, target: target.joints },
    reference!,
    other!,
  )!;
}

const partsOf = (skeleton: Skeleton) => bodiesOf(tinyHuman({ arms: 0.3 }), skeleton).target;

describe('findTouchParts', () => {
  it('a hand is as thick as from palm to back, however its arm slopes in the reference', () => {
    // Palms down in a T-pose are 3 cm thick and 9 cm wide.
    for (const armsDown of [0, 0.4, 0.8, 1.2, 1.5]) {
      const hand = box([0.05, 0.015, 0.045], -armsDown, [0.05, 0, 0]);
      const { parts, arm } = partsOf(withSkin(tinyHuman({ armsDown }), { leftHand: hand }));
      expect(arm).toBeCloseTo(0.55, 6);
      expect(parts[HAND]!.radius).toBeCloseTo(0.015, 4);
    }
  });

  it('bodies without a skin are as thick as each other, in arm lengths', () => {
    const [a, b] = [partsOf(tinyHuman({ arms: 0.4 })), partsOf(tinyHuman({ arms: 0.8, legs: 0.5 }))];
    a.parts.forEach((part, n) => {
      expect(part!.radius / a.arm).toBeCloseTo(b.parts[n]!.radius / b.arm, 9);
      expect(part!.radius).toBeGreaterThan(0);
    });
  });

  it('hips are as deep as their skin, and no wider than it and the thighs', () => {
    const skeleton = tinyHuman();
    const thigh = (x: number) => box([0.08, 0.2, 0.08], 0, [x, -0.2, 0]);
    const { parts } = partsOf(
      withSkin(skeleton, {
        hips: box([0.12, 0.05, 0.11], 0, [0, 0, 0]),
        leftUpperLeg: thigh(0),
        rightUpperLeg: thigh(0),
      }),
    );
    const { radius, places } = parts[HIPS]!;
    expect(radius).toBeCloseTo(0.11, 4);
    // Legs stand 0.2 m apart, so the thighs are 0.36 m wide: 0.14 between the ends, and 0.11 around them.
    expect(Math.abs(places[0]! - places[3]!)).toBeCloseTo(0.14, 4);
    const belt = partsOf(withSkin(skeleton, { hips: box([0.16, 0.01, 0.11], 0, [0, 0.1, 0]) })).parts[HIPS]!;
    expect(belt.radius).toBeCloseTo(0.11, 4);
  });

  it('a head is where its skin is, however large', () => {
    const { parts } = partsOf(withSkin(tinyHuman(), { head: box([0.4, 0.5, 0.4], 0, [0, 0.5, 0.1]) }));
    expect([...parts[HEAD]!.places.subarray(0, 3)].map((value) => Math.round(1000 * value))).toEqual([
      0, 500, 100,
    ]);
    expect(parts[HEAD]!.radius).toBeCloseTo(0.4, 4);
  });

  it('a body without a skin is as thick as one with the same bones', () => {
    const head = box([0.1, 0.15, 0.12], 0, [0, 0.1, 0]);
    const { source, target } = bodiesOf(tinyHuman(), withSkin(tinyHuman(), { head }));
    expect(target.parts[HEAD]!.radius).toBeCloseTo(0.12, 4);
    expect(source).toEqual(target);
    const other = bodiesOf(tinyHuman({ legs: 1 }), withSkin(tinyHuman(), { head }));
    expect(other.source.parts[HEAD]!.radius).not.toBeCloseTo(0.12, 2);
  });

  it('a body without arms has none', () => {
    const rig = createRig(tinyHuman());
    const model = modelPoseOf(rig.skeleton, rig.reference.pose);
    expect(findTouchParts(rig, rig, { source: rig.joints, target: {} }, model, model)).toBeNull();
  });
});
