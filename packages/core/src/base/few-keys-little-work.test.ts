import { describe, expect, it, vi } from 'vitest';
import { sceneOf, stickFigure } from '../../test/stick-figure.js';
import type { RetargetOptions } from '../passes/parts/told-options.js';
import { retarget } from '../retarget.js';
import type { Clip, Track } from '../scene/clip.js';
import type { Scene } from '../scene/scene.js';
import { createSkeleton } from '../scene/skeleton.js';

/** What all functions together said that they did. */
const said = vi.hoisted(() => ({ work: 0 }));

// In place of the real one: how much is done is counted, whatever machine it is done on.
vi.mock('./watch-work.js', () => ({
  watchWork: <T>(_tell: unknown, _expected: number, run: () => T): T => run(),
  didWork(amount: number) {
    said.work += amount;
  },
}));

/** Ten million joints in a frame take about a second. */
const A_SECOND = 1e7;

function workOf(source: Scene, target: Scene, options: RetargetOptions): number {
  said.work = 0;
  retarget(source, target, options);
  return said.work;
}

/** A walk, changed. */
function walking(change: (clip: Clip) => Clip): Scene {
  const character = stickFigure();
  return sceneOf({ ...character, clips: character.clips.map(change) });
}

/** Every track has one more key, long after the others. */
function withStrayKey(seconds: number): Scene {
  const stray = (track: Track): Track => ({
    ...track,
    times: Float32Array.of(...track.times, seconds),
    values: Float32Array.of(
      ...track.values,
      ...track.values.slice(-track.values.length / track.times.length),
    ),
  });
  return walking((clip) => ({ ...clip, duration: seconds, tracks: clip.tracks.map(stray) }));
}

const target = () => sceneOf(stickFigure({ arms: 'A', size: 0.8, upperLeg: 0.5 }));

/** Three places that no hand is at once. */
const OUT_OF_REACH: RetargetOptions['constraints'] = [
  { kind: 'point', joint: 'leftHand', goal: { place: [5, 5, 5] } },
  { kind: 'point', joint: 'rightHand', goal: { place: [-5, 0, 1] }, level: 2 },
  { kind: 'point', joint: 'head', goal: { place: [1, -9, 5] } },
];

describe('few keys are little work', () => {
  it.each<[string, RetargetOptions]>([
    ['as it is', {}],
    ['that is measured and looked at', { lookAt: { point: [0, 1, 2] } }],
    ['on uneven ground', { groundHeight: (x) => 0.1 * Math.sin(x) }],
    ['whose root motion is given apart', { rootMotion: 'apart', corrections: 'none', keys: 'bake' }],
  ])('with one that strayed to the end of an hour: a walk %s', (_, options) => {
    expect(workOf(withStrayKey(3500), target(), options)).toBeLessThan(A_SECOND);
  });

  it('with two of a track in one place but for rounding', () => {
    // In the pose in which captures are calibrated, which is looked for frame by frame.
    const still = walking((clip) => ({
      ...clip,
      duration: 3,
      tracks: clip.tracks.slice(0, 4).map((track) => {
        const width = track.values.length / track.times.length;
        const key = track.values.slice(0, width);
        return { ...track, times: Float64Array.of(0, 1e-30), values: Float32Array.of(...key, ...key) };
      }),
    }));
    expect(workOf(still, target(), {})).toBeLessThan(0.3 * A_SECOND);
  });

  it('whose constraints contradict each other, over many frames', () => {
    const keyed = walking((clip) => ({
      ...clip,
      duration: 20,
      tracks: clip.tracks.map((track) => ({ ...track, times: track.times.map((time) => 20 * time) })),
    }));
    const { report } = retarget(keyed, target(), { constraints: OUT_OF_REACH });
    expect(report.clips[0]!.frames).toBeGreaterThan(500);
    expect(report.warnings.map(({ code }) => code)).toContain('constraint-not-settled');
    expect(workOf(keyed, target(), { constraints: OUT_OF_REACH })).toBeLessThan(1.5 * A_SECOND);
  });

  it('on a body of hundreds of joints that is pulled three ways', () => {
    const { skeleton } = createSkeleton(
      'chain',
      Array.from({ length: 240 }, (_, i) => ({
        name: `j${i}`,
        parent: i - 1,
        translation: [i % 2 ? 0.1 : 0.02, 0.1, 0] as const,
      })),
    );
    const times = Float32Array.of(0, 1 / 30, 2 / 30);
    const values = Float32Array.of(0, 0, 0, 1, 0, 0, 0.1, 0.995, 0, 0, 0.2, 0.98);
    const tracks = skeleton.names.map(
      (_, joint): Track => ({ joint, channel: 'rotation', interpolation: 'linear', times, values }),
    );
    const chain = sceneOf({ skeleton, clips: [{ name: 'bend', duration: 2 / 30, tracks, morphs: [] }] });
    const work = workOf(chain, chain, {
      measure: false,
      constraints: [
        { kind: 'point', joint: 'j239', goal: { place: [5, 5, 5] } },
        { kind: 'point', joint: 'j239', goal: { place: [-5, 0, 1] }, level: 2 },
        { kind: 'point', joint: 'j120', goal: { place: [1, -20, 5] } },
      ],
    });
    expect(work).toBeLessThan(0.1 * A_SECOND);
  });
});
