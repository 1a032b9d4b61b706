import { describe, expect, it } from 'vitest';
import { jointOf, tinyHuman } from '../../test/tiny-rigs.js';
import { createRig } from '../body/understand/create-rig.js';
import { solePoints } from './body-points.js';

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
