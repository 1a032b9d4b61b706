import { describe, expect, it } from 'vitest';
import { areLate, copyBonds, gatherBonds, joinBonds, lateBonds, mirrorBonds } from './skin-bonds.js';

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** Two triangles that share an edge; three vertices follow joint 0 alone, the fourth joints 1 and 2 alike. */
const skin = {
  positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0],
  influences: [
    {
      joints: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0],
      weights: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.5, 0.5, 0, 0],
    },
  ],
  joints: [0, 1, 2],
  inverses: [...IDENTITY, ...IDENTITY, ...IDENTITY],
  triangles: [0, 1, 2, 1, 3, 2],
};

describe('the bonds of a skin', () => {
  it('are what vertices and edges share', () => {
    const gatherer = gatherBonds(4);
    gatherer.addSkin(skin);
    const bonds = gatherer.finish()!;
    // Two edges lead from the fourth vertex to others: each binds 1 and 2 to 0 by half of a half.
    expect([...bonds.joints]).toEqual([0, 1, 0, 2, 1, 2]);
    expect([...bonds.strengths]).toEqual([0.5, 0.5, 0.25]);
    expect([...bonds.weights]).toEqual([3, 0.5, 0.5, 0]);
    expect([...bonds.centres.subarray(3, 6)]).toEqual([1, 1, 0]);
  });

  it('are the same by table and by map, and joined from parts', () => {
    const bonds = [4, 600].map((count) => {
      const gatherer = gatherBonds(count);
      gatherer.addSkin(skin);
      return gatherer.finish()!;
    });
    expect(bonds[1]!.joints).toEqual(bonds[0]!.joints);
    expect(bonds[1]!.strengths).toEqual(bonds[0]!.strengths);
    const joined = joinBonds(5, [{ bonds: bonds[0]!, joints: [4, 3, -1, 0] }])!;
    expect([...joined.joints]).toEqual([3, 4]);
    expect([...joined.strengths]).toEqual([0.5]);
    expect([...joined.weights]).toEqual([0, 0, 0, 0.5, 3]);
  });

  it('are gathered late where nobody looks but at the weights, and are the same then', () => {
    const gatherer = gatherBonds(4);
    gatherer.addSkin(skin);
    const bonds = gatherer.finish()!;
    let gathered = 0;
    const late = lateBonds(bonds.weights, () => {
      gathered++;
      return bonds;
    });
    const joints = [4, 3, 0, 1];
    const [copy, joined] = [copyBonds(late), joinBonds(5, [{ bonds: late, joints }])!];
    expect([...joined.weights]).toEqual([0.5, 0, 0, 0.5, 3]);
    expect([late, copy, joined].map(areLate)).toEqual([true, true, true]);
    expect(gathered).toBe(0);
    expect(joined).toEqual(joinBonds(5, [{ bonds, joints }]));
    expect(copy).toEqual(bonds);
    expect([late, copy, joined].map(areLate)).toEqual([false, false, false]);
    expect(gathered).toBe(1);
  });

  it('leave out what is no weight, no joint or no vertex, and are none without a skin', () => {
    const gatherer = gatherBonds(2);
    gatherer.addSkin({
      ...skin,
      influences: [{ joints: [9, 0, 0, 0], weights: [1, Number.NaN, -1, 0] }],
      triangles: [7, 8, 9],
    });
    expect(gatherer.finish()).toBeNull();
    const rigid = gatherBonds(2);
    rigid.addRigid(1, [0, 0, 2, 0, 0, 4, Number.NaN, 0, 0]);
    expect([...rigid.finish()!.weights]).toEqual([0, 2]);
    expect([...mirrorBonds(rigid.finish()!, 2).centres]).toEqual([0, 0, -0, 0, 0, -3]);
  });
});
