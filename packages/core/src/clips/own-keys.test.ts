import { describe, expect, it } from 'vitest';
import type { Clip } from '../scene/clip.js';
import { ownKeys, ownTimes } from './own-keys.js';

const times = Float32Array.of(0, 1);
const source: Clip = {
  name: 'clip',
  duration: 1,
  tracks: [
    {
      joint: 0,
      channel: 'translation',
      interpolation: 'linear',
      times,
      values: Float64Array.of(1, 2, 3, 4, 5, 6),
    },
    { joint: 1, channel: 'scale', interpolation: 'step', times, values: Float32Array.of(1, 1, 1, 2, 2, 2) },
  ],
  morphs: [{ mesh: '', morph: 'aa', interpolation: 'linear', times, values: Float32Array.of(0, 1) }],
};

describe('ownKeys', () => {
  it('copies what is the source’s, in kind and value, and keeps shared times shared', () => {
    const own = ownKeys({ ...source, tracks: [...source.tracks] }, source);
    expect(own).toEqual(source);
    expect(own.tracks[0]!.values).not.toBe(source.tracks[0]!.values);
    expect(own.morphs[0]!.values).not.toBe(source.morphs[0]!.values);
    expect(own.tracks[0]!.times).not.toBe(times);
    expect(own.tracks[1]!.times).toBe(own.tracks[0]!.times);
    expect(own.morphs[0]!.times).toBe(own.tracks[0]!.times);
  });

  it('leaves alone what is the clip’s own', () => {
    const other = structuredClone(source);
    expect(ownKeys(other, source)).toBe(other);
    const mixed = { ...other, tracks: [other.tracks[0]!, source.tracks[1]!] };
    expect(ownKeys(mixed, source).tracks[0]!.values).toBe(other.tracks[0]!.values);
    expect(ownKeys(mixed, source).tracks[1]!.values).not.toBe(source.tracks[1]!.values);
  });
});

describe('ownTimes', () => {
  it('copies times that are the source’s, keeps them shared, and leaves alone what is the clip’s own', () => {
    const mine = Float32Array.of(0, 0.5, 1);
    const clip: Clip = {
      ...source,
      tracks: [...source.tracks, source.tracks[0]!].map((track, n) => ({
        ...track,
        values: track.values.slice(),
        ...(n === 2 && { times: mine }),
      })),
      morphs: [],
    };
    const own = ownTimes(clip, source);
    expect(own).toBe(clip);
    expect(own.tracks[0]!.times).toEqual(times);
    expect(own.tracks[0]!.times).not.toBe(times);
    expect(own.tracks[1]!.times).toBe(own.tracks[0]!.times);
    expect(own.tracks[2]!.times).toBe(mine);
  });
});
