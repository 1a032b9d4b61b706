import { areLate, gatherBonds, transformPoint } from '@stuntdouble/core/engine';
import { describe, expect, it } from 'vitest';
import { measureSkin } from './skin-hulls.js';

/** Numbers between −1 and 1, the same every time. */
function createNumbers(): () => number {
  let state = 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return (2 * state) / 2147483647 - 1;
  };
}

const BONES = 5;
/** A place that vertices name, and that no bone has. */
const NO_BONE = 3;

/** Vertices anywhere, each of which follows four of a few bones. */
function skinOf(vertices: number) {
  const next = createNumbers();
  const isBone = (place: number) => place < BONES && place !== NO_BONE;
  const places = Uint8Array.from({ length: 4 * vertices }, () => Math.floor((next() + 1) * 3));
  return {
    positions: Float32Array.from({ length: 3 * vertices }, next),
    places,
    weights: Float32Array.from({ length: 4 * vertices }, () => Math.max(0, next())),
    inverses: Float64Array.from({ length: 16 * BONES }, next),
    isBone,
    triangles: Uint16Array.from({ length: 3 * vertices }, () => Math.floor(((next() + 1) / 2) * vertices)),
  };
}

describe('the skin of an engine', () => {
  const skin = skinOf(300);

  it('has for each bone the points that lie farthest in 26 directions', () => {
    const { hulls } = measureSkin(skin);
    expect([...hulls.keys()].sort()).toEqual([0, 1, 2, 4]);
    const signs = [-1, 0, 1];
    const directions = signs
      .flatMap((x) => signs.flatMap((y) => signs.map((z) => [x, y, z])))
      .filter((direction) => direction.some((c) => c !== 0));
    for (const [place, hull] of hulls) {
      const own: Float64Array[] = [];
      for (let v = 0; v < 300; v++) {
        const weights = [...skin.weights.subarray(4 * v, 4 * v + 4)];
        const most = Math.max(...weights);
        if (!(most > 0) || skin.places[4 * v + weights.indexOf(most)] !== place) continue;
        const point = new Float64Array(3);
        transformPoint(point, 0, skin.inverses, 16 * place, skin.positions, 3 * v);
        own.push(point);
      }
      directions.forEach((direction, d) => {
        const along = (point: ArrayLike<number>) => direction.reduce((sum, c, k) => sum + c * point[k]!, 0);
        const farthest = Math.max(...own.map(along));
        expect(along(hull.subarray(3 * d, 3 * d + 3))).toBeCloseTo(farthest, 5);
      });
    }
  });

  it('has the bonds that are gathered of it, late', () => {
    const { bonds } = measureSkin(skin);
    expect(areLate(bonds!)).toBe(true);
    const gatherer = gatherBonds(BONES);
    gatherer.addSkin({
      ...{ positions: skin.positions, inverses: skin.inverses, triangles: skin.triangles },
      influences: [{ joints: skin.places, weights: skin.weights }],
      joints: [0, 1, 2, -1, 4],
    });
    const gathered = gatherer.finish()!;
    expect(bonds!.weights).toEqual(gathered.weights);
    expect(areLate(bonds!)).toBe(true);
    expect(bonds).toEqual(gathered);
  });

  it('is gathered at once where a vertex lies so far away that its bonds may be left out', () => {
    const positions = skin.positions.slice();
    positions[0] = 1e20;
    expect(areLate(measureSkin({ ...skin, positions }).bonds!)).toBe(false);
  });

  it('has no bonds where nothing follows a bone, and leaves out what is no number', () => {
    expect(measureSkin({ ...skin, weights: new Float32Array(1200) })).toEqual({
      hulls: new Map(),
      bonds: null,
    });
    const positions = new Float32Array(900).fill(Number.NaN);
    expect(measureSkin({ ...skin, positions }).hulls.size).toBe(0);
  });
});
