import { describe, expect, it } from 'vitest';
import { underNode } from '../../test/reexpress.js';
import { type Figure, sceneOf, stickFigure } from '../../test/stick-figure.js';
import { createRig } from '../body/understand/create-rig.js';
import { retarget } from '../retarget.js';
import { poseAt } from '../scene/clip.js';
import { modelPoseOf } from '../scene/pose.js';
import type { Character } from '../scene/scene.js';
import { setUpScenes } from '../setup/set-up-scenes.js';

const scalesOf = (source: Character, target: Character, options = {}) =>
  setUpScenes(sceneOf(source), sceneOf(target), options).setup.rootScales;
const figure = (of: Figure = {}) => stickFigure(of);

describe('root scales', () => {
  it('are one between equal bodies, whatever their names, axes and unit', () => {
    const scales = scalesOf(figure(), figure({ names: 'unreal', axes: 'boneX', unit: 0.01, facing: 180 }));
    expect(scales.horizontal).toBeCloseTo(1, 9);
    expect(scales.vertical).toBeCloseTo(1, 9);
  });

  it('WP5, MP7: are the ratio of bodies that differ in size alone', () => {
    const scales = scalesOf(figure(), figure({ size: 0.4 }));
    expect(scales.horizontal).toBeCloseTo(0.4, 9);
    expect(scales.vertical).toBeCloseTo(0.4, 9);
  });

  it('WP5: along the ground by hip width and leg bones, upwards by hip heights over the floor', () => {
    const scales = scalesOf(figure({ upperLeg: 0.45 }), figure({ upperLeg: 0.25 }));
    expect(scales.horizontal).toBeCloseTo((0.2 + 0.25 + 0.42) / (0.2 + 0.45 + 0.42), 9);
    expect(scales.vertical).toBeCloseTo((0.08 + 0.42 + 0.25 + 0.05) / (0.08 + 0.42 + 0.45 + 0.05), 9);
  });

  it('W14: a source that is stretched in its scene fits otherwise', () => {
    const tall = underNode(figure(), { scale: [1, 2, 1] });
    expect(scalesOf(tall, figure()).vertical).toBeCloseTo(0.5, 9);
    const big = underNode(figure(), { scale: [3, 3, 3] });
    expect(scalesOf(big, figure())).toMatchObject({
      horizontal: expect.closeTo(1 / 3, 9),
      vertical: expect.closeTo(1 / 3, 9),
    });
  });

  it('W14: stretched along its way, a source takes the target further, and standing it is the same', () => {
    const end = (source: Character) => {
      const { clips } = retarget(sceneOf(source), sceneOf(figure()), { corrections: 'none', measure: false });
      const { skeleton } = createRig(figure().skeleton);
      return [0, 1].map((time) => {
        const { matrices } = modelPoseOf(skeleton, poseAt(skeleton, clips[0]!, time));
        return matrices[16 * figure().jointOf('hips') + 14]!;
      });
    };
    const [from, to] = end(figure({ names: 'unreal' })) as [number, number];
    const [began, ended] = end(underNode(figure({ names: 'unreal' }), { scale: [1, 1, 2] })) as [
      number,
      number,
    ];
    expect(to - from).toBeGreaterThan(0.1);
    expect((ended - began) / (to - from)).toBeGreaterThan(1.5);
    expect(began).toBeCloseTo(from, 3);
  });

  it('are what the caller says', () => {
    const scales = scalesOf(figure(), figure({ size: 2 }), { rootScales: { horizontal: 0, vertical: 3 } });
    expect(scales).toMatchObject({ horizontal: 0, vertical: 3 });
    expect(scales.reason).toMatch(/^along the ground as asked, upwards /);
  });

  it('fall back to the heights of the skeletons, and say so', () => {
    const upper: Figure = { without: ['leftUpperLeg', 'rightUpperLeg'] };
    const { setup, warnings } = setUpScenes(
      sceneOf(figure(upper)),
      sceneOf(figure({ ...upper, size: 2 })),
      {},
    );
    expect(setup.rootScales.vertical).toBeCloseTo(2, 6);
    expect(warnings.map(({ code }) => code)).toContain('scale-fallback');
  });

  it('are finite for bodies of no size', () => {
    const flat = figure();
    flat.skeleton.rest.translations.fill(0);
    for (const [a, b] of [
      [flat, figure()],
      [figure(), flat],
    ] as const) {
      const { horizontal, vertical } = scalesOf(a, b);
      expect(Number.isFinite(horizontal) && Number.isFinite(vertical)).toBe(true);
    }
  });

  it('WP5: hips travel and jump in proportion, and standing stays standing', () => {
    const source = figure();
    const small = figure({ size: 0.5, names: 'unreal' });
    const { clips } = retarget(sceneOf(source), sceneOf(small));
    const hipsAt = (of: ReturnType<typeof stickFigure>, clip: (typeof clips)[0], time: number) => {
      const { skeleton } = createRig(of.skeleton);
      const { matrices } = modelPoseOf(skeleton, poseAt(skeleton, clip, time));
      return [12, 13, 14].map((c) => matrices[16 * of.jointOf('hips') + c]!);
    };
    for (const time of [0, 0.3, 1]) {
      const a = hipsAt(source, source.clips[0]!, time);
      hipsAt(small, clips[0]!, time).forEach((value, c) => {
        expect(value).toBeCloseTo(0.5 * a[c]!, 6);
      });
    }
  });
});
