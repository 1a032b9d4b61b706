import { describe, expect, it } from 'vitest';
import { stickFigure, turn } from '../../test/stick-figure.js';
import { createRig } from '../body/understand/create-rig.js';
import { hipHeightOf } from '../contacts/body-points.js';
import { createRigMap } from '../map/create-rig-map.js';
import type { Clip, Track } from '../scene/clip.js';
import type { Character } from '../scene/scene.js';
import { createSetup } from '../setup/create-setup.js';
import { compareMotions } from './comparison.js';
import { measureClip } from './measure.js';
import { measureOverTime } from './measure-over-time.js';
import { poolMeasures } from './pool-measures.js';

const bare = stickFigure();
const hips = bare.jointOf('hips');

/** How far the skin is from every joint, metres. */
const THICK = 0.12;
/** How high the hips of a body on its back are, metres: its shoulders are 2 cm behind them. */
const DOWN = THICK + 0.02;

/** A body with a skin: a cube of points about every joint. */
function skinned(): Character {
  const figure = stickFigure();
  const signs = [-THICK, THICK];
  const cube = signs.flatMap((x) => signs.flatMap((y) => signs.flatMap((z) => [x, y, z])));
  const hulls = figure.skeleton.names.map(() => Float32Array.from(cube));
  return { ...figure, skeleton: { ...figure.skeleton, hulls } };
}

const body = skinned();
const setupOf = (source: Character, target: Character) => {
  const rigs = [createRig(source.skeleton), createRig(target.skeleton)] as const;
  return createSetup(rigs[0], rigs[1], createRigMap(rigs[0], rigs[1]).map);
};
const self = setupOf(body, body);
const unit = hipHeightOf(self.target);
const floor = self.target.floor.height;

const TIMES = Float64Array.from({ length: 121 }, (_, k) => k / 60);

/** Two seconds on the back, with the hips so high over the floor at each time, metres. */
function lying(height: (t: number) => number): Clip {
  const values = new Float64Array(3 * TIMES.length);
  TIMES.forEach((t, k) => {
    values.set([0, floor + height(t), 0], 3 * k);
  });
  const travel: Track = {
    joint: hips,
    channel: 'translation',
    interpolation: 'linear',
    times: TIMES,
    values,
  };
  const flat: Track = {
    joint: hips,
    channel: 'rotation',
    interpolation: 'linear',
    times: TIMES,
    values: Float64Array.from([...TIMES].flatMap(() => [...turn([1, 0, 0], -90)])),
  };
  return { name: 'lying', duration: 2, tracks: [travel, flat], morphs: [] };
}

const onBack = lying(() => DOWN);
const measured = (source: Clip, result: Clip, setup = self) =>
  measureClip(setup, source, result).motion.support!;

describe('support', () => {
  it('a body that lies as its source does agrees in every part, and something carries at every instant', () => {
    const support = measured(onBack, onBack);
    expect(support.f1).toBe(1);
    expect(support.parts.seat).toMatchObject({ f1: 1, sourceFrames: 121, resultFrames: 121 });
    expect(support.parts.back).toMatchObject({ f1: 1, sourceFrames: 121, resultFrames: 121 });
    expect(support).toMatchObject({ carried: 121, empty: 0 });
  });

  it('one that hovers by 2 % carries as contacts go, but nothing of it is on the floor; at 5 % nothing carries', () => {
    const near = measured(
      onBack,
      lying(() => DOWN + 0.02 * unit),
    );
    expect(near).toMatchObject({ f1: 1, carried: 121, empty: 121 });
    const high = measured(
      onBack,
      lying(() => DOWN + 0.05 * unit),
    );
    expect(high.parts.seat).toMatchObject({ f1: 0, sourceFrames: 121, resultFrames: 0 });
    expect(high.empty).toBe(121);
  });

  it('one that is sunk by 7 % lies on nothing, a source that is sunk lies on the floor', () => {
    const low = lying(() => DOWN - 0.07 * unit);
    expect(measured(onBack, low).parts.seat).toMatchObject({ f1: 0, resultFrames: 0 });
    expect(measured(low, onBack).parts.seat).toMatchObject({ f1: 1, sourceFrames: 121 });
  });

  it('half of the time is an F1 of two thirds, and what moves fast carries nothing', () => {
    const half = lying((t) => DOWN + (t > 1 ? 0.5 * unit : 0));
    const { seat } = measured(onBack, half).parts;
    const recall = seat!.sourceMatched / seat!.sourceFrames;
    expect(recall).toBeGreaterThan(0.45);
    expect(recall).toBeLessThan(0.55);
    expect(seat!.f1).toBeCloseTo((2 * recall) / (1 + recall), 9);
    const shaken = lying((t) => DOWN + 0.03 * unit * Math.sin(20 * t));
    expect(measured(onBack, shaken).parts.seat!.resultFrames).toBeLessThan(60);
  });

  it('a source without a skin lies wherever its joints are low: flesh cannot be had from proportions', () => {
    const setup = setupOf(bare, body);
    const bareUnit = hipHeightOf(setup.source);
    for (const joint of [-0.1, 0.05, 0.19]) {
      const source = lying(() => joint * bareUnit);
      expect(measured(source, onBack, setup).parts.seat, `${joint}`).toMatchObject({ f1: 1 });
    }
    const above = lying(() => 0.3 * bareUnit);
    expect(measured(above, onBack, setup).parts.seat).toMatchObject({ sourceFrames: 0 });
  });

  it('curves have the lowest of the body, pools add counts up', () => {
    const comparison = compareMotions(
      self,
      onBack,
      lying(() => DOWN + 0.02 * unit),
    );
    const { support } = measureOverTime(comparison);
    expect(support).toHaveLength(121);
    for (const height of support) expect(height).toBeCloseTo(2, 2);
    const motion = measureClip(self, onBack, onBack).motion;
    const hovering = measureClip(
      self,
      onBack,
      lying(() => DOWN + 0.05 * unit),
    ).motion;
    const pool = poolMeasures([motion, hovering]).support!;
    expect(pool.parts.seat!.sourceFrames).toBe(242);
    expect(pool.parts.seat!.f1).toBeCloseTo(2 / 3, 9);
    expect(pool).toMatchObject({ carried: 242, empty: 121 });
  });
});
