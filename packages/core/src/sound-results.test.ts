import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findUnsound, findUnsoundClip } from '../test/find-unsound.js';
import { sceneOf, stickFigure } from '../test/stick-figure.js';
import { wildCase } from '../test/wild-scenes.js';
import { RetargetError, UsageError } from './base/errors.js';
import { createRig } from './body/understand/create-rig.js';
import type { RetargetOptions } from './passes/parts/told-options.js';
import { type RetargetResult, retarget } from './retarget.js';
import type { Clip } from './scene/clip.js';
import type { Scene } from './scene/scene.js';
import { setUpScenes } from './setup/set-up-scenes.js';
import { type Recorder, recordFrames } from './ways/frames/record-frames.js';

function findUnsoundResult({ clips, report, rootMotion }: RetargetResult): string | null {
  for (const clip of clips) {
    const found = findUnsoundClip(clip);
    if (found) return found;
  }
  return findUnsound(report, 'report') ?? findUnsound(rootMotion ?? null, 'rootMotion');
}

/** Where a result is unsound, or what it threw that is no word to the user; null where all is well. */
function tryCase(source: Scene, target: Scene, options: RetargetOptions = {}): string | null {
  try {
    return findUnsoundResult(retarget(source, target, options));
  } catch (error) {
    if (error instanceof RetargetError || error instanceof UsageError) return null;
    return String((error as Error).stack);
  }
}

const figure = (changes: Parameters<typeof stickFigure>[0] = {}) => sceneOf(stickFigure(changes));

/** Rotation keys of a scene's clips, multiplied by a number that differs from key to key. */
function stretchKeys(scene: Scene, factor: (key: number) => number): Scene {
  const stretch = (clip: Clip): Clip => ({
    ...clip,
    tracks: clip.tracks.map((track) =>
      track.channel === 'rotation'
        ? { ...track, values: track.values.map((x, i) => x * factor(Math.floor(i / 4))) }
        : track,
    ),
  });
  return {
    ...scene,
    characters: scene.characters.map(({ skeleton, clips }) => ({ skeleton, clips: clips.map(stretch) })),
  };
}

describe('results are sound', () => {
  it('whatever the bodies, clips and options: only results and words to the user', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const { source, target, options } = wildCase(seed, 24);
        expect(tryCase(source, target, options)).toBeNull();
      }),
      { numRuns: 60, seed: 14 },
    );
  });

  it('on skeletons of hundreds of joints too', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const { source, target, options } = wildCase(seed, 400);
        expect(tryCase(source, target, options)).toBeNull();
      }),
      { numRuns: 12, seed: 14 },
    );
  });

  it('whichever two names of a body are exchanged', () => {
    const source = figure();
    const count = figure({ toes: true }).characters[0]!.skeleton.names.length;
    for (let i = 0; i < count; i++)
      for (let j = i + 1; j < count; j += 2) {
        const target = figure({ toes: true, arms: 'A' });
        const { names } = target.characters[0]!.skeleton;
        [names[i], names[j]] = [names[j]!, names[i]!];
        const result = retarget(source, target, { measure: false });
        expect(findUnsoundResult(result), `${names[i]} and ${names[j]}`).toBeNull();
        // Nothing had to stand in for a turn that was none.
        expect(result.report.warnings.map(({ code }) => code)).not.toContain('result-mended');
      }
  });

  for (const [way, target, options] of [
    ['copy', figure(), {}],
    ['keys', figure({ arms: 'A', upperArm: 0.4 }), { corrections: 'none' }],
    ['frames', figure({ arms: 'A', spine: 5 }), { corrections: 'none', keys: 'bake' }],
    ['products', figure({ arms: 'A', spine: 5 }), { corrections: 'none' }],
  ] as const)
    it(`keys of another length than 1 come out at length 1, and are told of (${way})`, () => {
      const source = stretchKeys(figure(), (key) => 0.5 + (key % 3));
      const result = retarget(source, target, options);
      expect(findUnsoundResult(result)).toBeNull();
      const plain = retarget(figure(), target, options);
      expect(result.report.clips[0]!.way).toBe(plain.report.clips[0]!.way);
      expect(plain.report.warnings.filter(({ code }) => code === 'turn-not-unit')).toEqual([]);
      expect(result.report.warnings).toContainEqual(
        expect.objectContaining({ code: 'turn-not-unit', joint: 'mixamorig:Hips' }),
      );
      result.clips[0]!.tracks.forEach(({ values }, n) => {
        plain.clips[0]!.tracks[n]!.values.forEach((x, i) => {
          expect(values[i]).toBeCloseTo(x, 5);
        });
      });
    });

  for (const [way, target, options] of [
    ['copy', figure(), {}],
    ['keys', figure({ arms: 'A', upperArm: 0.4 }), { corrections: 'none' }],
    ['frames', figure({ arms: 'A', spine: 5 }), { corrections: 'none', keys: 'bake' }],
  ] as const)
    it(`keys that were rounded to 16 bits come out at length 1 without a word (${way})`, () => {
      const source = stretchKeys(figure(), (key) => 1 + 3e-5 * Math.sin(key));
      const result = retarget(source, target, options);
      expect(findUnsoundResult(result)).toBeNull();
      expect(result.report.warnings.filter(({ code }) => code === 'turn-not-unit')).toEqual([]);
    });

  it('a bind pose of numbers that are none is replaced by the rest pose, and the joint is named', () => {
    const target = figure({ arms: 'A' });
    const { skeleton } = target.characters[0]!;
    skeleton.bind = structuredClone(skeleton.rest);
    skeleton.bind.rotations.fill(Number.NaN, 12, 16);
    skeleton.bind.translations[9] = Number.POSITIVE_INFINITY;
    const result = retarget(figure(), target, { targetReference: 'bind' });
    expect(findUnsoundResult(result)).toBeNull();
    expect(result.report.warnings).toContainEqual(
      expect.objectContaining({ code: 'value-not-finite', joint: skeleton.names[3] }),
    );
    expect(Number.isNaN(skeleton.bind.rotations[12])).toBe(true);
  });

  it('offsets that lead out of the world are left out, and the joint is named', () => {
    const target = figure({ arms: 'A' });
    const { skeleton } = target.characters[0]!;
    skeleton.rest.translations[3 * 4] = 1e37;
    const result = retarget(figure(), target);
    expect(findUnsoundResult(result)).toBeNull();
    expect(result.report.warnings).toContainEqual(
      expect.objectContaining({ code: 'value-not-finite', joint: skeleton.names[4] }),
    );
  });

  it('scales that multiply to what no number holds are left out', () => {
    const target = figure();
    target.characters[0]!.skeleton.rest.scales.fill(1e6);
    target.characters[0]!.skeleton.rest.scales.fill(1e-30, 30, 33);
    expect(tryCase(figure({ arms: 'A' }), target)).toBeNull();
  });

  it('a skeleton of turns that are none moves as one of the same turns at length 1', () => {
    const source = figure();
    const stretched = figure({ arms: 'A' });
    const { rest } = stretched.characters[0]!.skeleton;
    for (let i = 0; i < rest.rotations.length; i++) rest.rotations[i]! *= 3;
    const a = retarget(source, stretched);
    const b = retarget(source, figure({ arms: 'A' }));
    expect(findUnsoundResult(a)).toBeNull();
    a.clips[0]!.tracks.forEach(({ values }, n) => {
      b.clips[0]!.tracks[n]!.values.forEach((x, i) => {
        expect(values[i]).toBeCloseTo(x, 5);
      });
    });
    expect(a.report.warnings.some(({ code }) => code === 'turn-not-unit')).toBe(true);
  });

  it('a gaze of another length than 1 turns the eyes by a turn', () => {
    const source = figure();
    const [clip] = source.characters[0]!.clips;
    const times = Float32Array.of(0, 1);
    clip!.gaze = { interpolation: 'linear', times, values: Float32Array.of(0, 3, 0, 4, 0, 0, 0, 0) };
    const result = retarget(source, figure({ arms: 'A' }));
    expect(findUnsoundResult(result)).toBeNull();
    expect(Array.from(result.clips[0]!.gaze!.values)).toEqual(
      Array.from(Float32Array.of(0, 0.6, 0, 0.8, 0, 0.6, 0, 0.8)),
    );
    expect(clip!.gaze.values[1]).toBe(3);
  });

  it('measures that have no number are null, and say why', () => {
    const { source, target, options } = wildCase(236, 40);
    const { report } = retarget(source, target, options);
    expect(findUnsound(report.measures, 'measures')).toBeNull();
    expect(report.measures[0]!.motion.notMeasured.heights).toContain('no size');
  });

  it('a rig is made of a sound skeleton, and the given one stays as it is', () => {
    const { skeleton } = stickFigure();
    skeleton.rest.translations[4] = Number.NaN;
    skeleton.container[5] = 0;
    const rig = createRig(skeleton);
    expect(findUnsound(rig.skeleton, 'skeleton')).toBeNull();
    expect(skeleton.rest.translations[4]).toBeNaN();
    const { skeleton: whole } = stickFigure();
    expect(createRig(whole).skeleton.rest).toBe(whole.rest);
  });

  it('a frame without a turn is given the one before it, and the joint is named', () => {
    const targets = Float64Array.of(0, 0.6, 0, 0.8, 0, 0, 0, 0, 0, 3, 0, 4, Number.NaN, 0, 0, 1);
    const recorder: Recorder = {
      turned: Int32Array.of(0),
      turns: [new Float32Array(16)],
      moved: new Int32Array(0),
      moves: [],
      scaled: new Int32Array(0),
      scales: [],
      mended: new Set(),
    };
    recordFrames(recorder, { frames: new Array(4), sources: targets, targets }, 0, 4);
    const turn = Array.from(Float32Array.of(0, 0.6, 0, 0.8));
    expect(Array.from(recorder.turns[0]!)).toEqual([...turn, ...turn, ...turn, ...turn]);
    expect([...recorder.mended]).toEqual([0]);
  });
});

describe('a setup for live use', () => {
  it('refuses what cannot be meant, as a retarget does: units that no body has', () => {
    for (const sourceUnit of [1e300, 0, Number.NaN])
      expect(() => setUpScenes(figure(), figure(), { sourceUnit })).toThrow(UsageError);
    expect(() => setUpScenes(figure(), figure(), { sourceUnit: 0.01 })).not.toThrow();
  });
});
