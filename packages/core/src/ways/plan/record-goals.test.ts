import { describe, expect, it } from 'vitest';
import { sceneOf, stickFigure, turn } from '../../../test/stick-figure.js';
import { goalsOf } from '../../passes/goals/place-goals.js';
import { PASS_NAMES } from '../../passes/pipeline.js';
import { type Clip, sampleClip, type Track } from '../../scene/clip.js';
import { copyPose } from '../../scene/pose.js';
import { setUpScenes } from '../../setup/set-up-scenes.js';
import { recordGoals } from './record-goals.js';

const source = stickFigure({ fingers: true });
const target = stickFigure({ fingers: true, size: 0.6, axes: 'boneY' });
const { setup } = setUpScenes(sceneOf(source), sceneOf(target), {});
const walk = source.clips[0]!;
const COUNT = 61;
const GRID = { count: COUNT, rate: 60, pace: 1 };
const record = (clip: Clip) => recordGoals(setup, { found: {}, keyed: null }, clip, PASS_NAMES, GRID);
type Store = 'source' | 'copied' | 'places' | 'uppers' | 'middles' | 'ends' | 'lows' | 'trunk';
const STORES: readonly Store[] = ['source', 'copied', 'places', 'uppers', 'middles', 'ends', 'lows', 'trunk'];

/** The largest difference between two records, in metres. */
function difference(a: ReturnType<typeof record>, b: ReturnType<typeof record>): number {
  return Math.max(
    ...STORES.map((store) =>
      a[store].reduce((most, value, i) => Math.max(most, Math.abs(value - b[store][i]!)), 0),
    ),
  );
}

/** The same motion with a key on every frame of the planning grid, which is read without a search. */
function onGrid(clip: Clip): Clip {
  const times = Float32Array.from({ length: COUNT }, (_, k) => k / 60);
  const pose = copyPose(source.skeleton.rest);
  const tracks = clip.tracks.map((track): Track => {
    const [store, size] =
      track.channel === 'rotation' ? ([pose.rotations, 4] as const) : ([pose.translations, 3] as const);
    const values = new Float64Array(size * COUNT);
    times.forEach((_, k) => {
      sampleClip(pose, clip, k / 60);
      values.set(store.subarray(size * track.joint, size * (track.joint + 1)), size * k);
    });
    return { ...track, times, values };
  });
  return { ...clip, tracks };
}

describe('recordGoals', () => {
  it('moves every frame, and is finite', () => {
    const found = record(walk);
    for (const store of STORES) expect(found[store].every(Number.isFinite), store).toBe(true);
    const width = goalsOf(setup)!.limbs.length;
    for (let k = 1; k < COUNT; k++)
      expect(found.ends[3 * width * k + 2], `frame ${k}`).not.toBe(found.ends[3 * width * (k - 1) + 2]);
  });

  it('gives the same whether keys stand on the grid or must be searched', () => {
    expect(difference(record(onGrid(walk)), record(walk))).toBeLessThan(1e-9);
  });

  it('does not depend on fingers', () => {
    const finger = source.jointOf('leftIndexProximal');
    const tracks = walk.tracks.map((track) =>
      track.joint === finger ? { ...track, times: Float32Array.of(0), values: turn([0, 0, 1], -80) } : track,
    );
    expect(difference(record({ ...walk, tracks }), record(walk))).toBe(0);
  });
});
