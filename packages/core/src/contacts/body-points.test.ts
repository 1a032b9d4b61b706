import { describe, expect, it } from 'vitest';
import { jointOf, tinyHuman } from '../../test/tiny-rigs.js';
import type { BodyPart } from '../body/body-parts.js';
import type { Rig } from '../body/rig.js';
import { createRig } from '../body/understand/create-rig.js';
import { createSkeleton } from '../scene/skeleton.js';
import { hipHeightOf, solePoints } from './body-points.js';

/** The points of a human whose left foot is so many metres higher than the right one in its reference. */
function uneven(up: number) {
  const skeleton = tinyHuman();
  skeleton.rest.translations[3 * jointOf(skeleton, 'leftFoot') + 1]! += up;
  const points = solePoints(createRig(skeleton));
  return Object.fromEntries(points.map(({ name, standing }) => [name, standing]));
}

describe('solePoints', () => {
  it('a foot that is a little higher than the other in the reference stands there', () => {
    const [even, off] = [uneven(0), uneven(0.005)];
    expect(off.leftHeel! - even.leftHeel!).toBeCloseTo(0.005 / 0.93, 4);
    expect(off.leftToe! - even.leftToe!).toBeCloseTo(0.005 / 0.93, 4);
    expect(off.rightHeel).toBeCloseTo(even.rightHeel!, 6);
  });

  it('a foot that is lifted in the reference does not: it stands on the floor', () => {
    const { leftHeel, leftToe } = uneven(0.05);
    expect(leftHeel).toBe(0);
    expect(uneven(0.012).leftHeel).toBe(0);
    expect(leftToe).toBeCloseTo(uneven(0).leftToe!, 4);
  });
});

/** A body on two counted legs: where its hips are, and joints of its left leg from each other, the last one a tip. */
function onLegs(hips: number, leg: readonly (readonly [x: number, y: number])[]): Rig {
  const parts: (BodyPart | null)[] = ['hips'];
  const specs = [{ name: 'hips', parent: -1, translation: [0, hips, 0] as [number, number, number] }];
  for (const side of ['Left', 'Right'] as const)
    leg.forEach(([x, y], k) => {
      const parent = k === 0 ? 0 : specs.length - 1;
      specs.push({ name: `${side}${k}`, parent, translation: [side === 'Left' ? x : -x, y, 0] });
      parts.push(k < leg.length - 1 ? `leg1${side}${k + 1}` : null);
    });
  const { skeleton } = createSkeleton('legs', specs);
  const named = skeleton.names.map((name) => parts[specs.findIndex((spec) => spec.name === name)]!);
  const body = { kind: 'spider', parts: named.map((part) => ({ part, confidence: 1, reason: '' })) };
  const standing = { reference: { pose: skeleton.rest }, floor: { height: 0 }, space: { height: 1 } };
  return { skeleton, joints: {}, body, ...standing } as unknown as Rig;
}

describe('legs of animals', () => {
  it('that are arched over a low body are its measure: half of what their bones are long', () => {
    const low = onLegs(0.3, [
      [0.1, 0],
      [0.3, 0.4],
      [0.6, -0.8],
      [0, 0.1],
    ]);
    expect(hipHeightOf(low)).toBeCloseTo(0.5 * (0.5 + 1), 6);
    // A body that stands high is measured as it stands.
    expect(
      hipHeightOf(
        onLegs(2, [
          [0.1, 0],
          [0.3, 0.4],
          [0.6, -0.8],
          [0, 0.1],
        ]),
      ),
    ).toBe(2);
  });

  it('stand on their tips where the last joint is more than a quarter of the hips’ height over the floor', () => {
    const pointOf = (last: number) =>
      solePoints(
        onLegs(1, [
          [0.1, 0],
          [0.2, -0.4],
          [0, -0.6 + last],
          [0.2, -last],
        ]),
      ).find(({ name }) => name === 'leg1LeftFoot')!.offset;
    expect(pointOf(0.3)[0]).toBeCloseTo(0.2, 6);
    expect(pointOf(0.2)[0]).toBeCloseTo(0, 6);
  });
});
