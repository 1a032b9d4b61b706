import { describe, expect, it } from 'vitest';
import { stickFigure } from '../../test/stick-figure.js';
import { changeSpeed, trimClip } from '../clips/edit-clip.js';
import type { RetargetOptions } from '../passes/parts/told-options.js';
import { retarget } from '../retarget.js';
import type { Clip, Track } from './clip.js';
import { deferredTurns, deferTurns } from './deferred-turns.js';
import { isStill } from './still-track.js';

/** A motion whose rotation keys are read when they are needed, and how often that and moving them was asked for. */
function createDeferred(clip: Clip) {
  const counts = { reads: 0, maps: 0 };
  const tracks = clip.tracks.map((track): Track => {
    if (track.channel !== 'rotation' || isStill(track) || track.interpolation === 'cubic') return track;
    return deferTurns(track, {
      read() {
        counts.reads++;
        return track.values;
      },
      readKey(out, o, k) {
        for (let c = 0; c < 4; c++) out[o + c] = track.values[4 * k + c]!;
      },
      map(out, matrix) {
        counts.maps++;
        for (let i = 0; i < out.length; i++) {
          const row = i % 4;
          for (let c = 0; c < 4; c++) out[i] = out[i]! + matrix[4 * c + row]! * track.values[i - row + c]!;
        }
        return true;
      },
    });
  });
  return { clip: { ...clip, tracks }, counts };
}

function figures() {
  const source = stickFigure();
  const target = stickFigure({ arms: 'down' });
  const { clip, counts } = createDeferred(source.clips[0]!);
  const scene = (figure: typeof source, clips: Clip[], name: string) => ({
    format: 'gltf' as const,
    name,
    characters: [{ skeleton: figure.skeleton, clips }],
    morphs: [],
    document: null,
    warnings: [],
  });
  const move = (moved: Clip, options: RetargetOptions) =>
    retarget(scene(source, [moved], 'source'), scene(target, [], 'target'), options);
  return { clip, plain: source.clips[0]!, counts, move };
}

describe('deferTurns', () => {
  it('keys are moved without being read where they are kept', () => {
    const { clip, plain, counts, move } = figures();
    const options: RetargetOptions = { corrections: 'none', measure: false };
    const { clips, report } = move(clip, options);
    expect(report.clips[0]!.way).toBe('keys');
    expect(counts.maps).toBeGreaterThan(0);
    expect(counts.reads).toBe(0);
    const expected = move(plain, options).clips[0]!;
    expect(clips[0]!.tracks.length).toBe(expected.tracks.length);
    clips[0]!.tracks.forEach(({ values }, t) => {
      const { values: others } = expected.tracks[t]!;
      expect(values.length).toBe(others.length);
      values.forEach((value, i) => {
        expect(value).toBeCloseTo(others[i]!, 6);
      });
    });
  });

  it('keys are read once wherever else somebody needs them', () => {
    const { clip, plain, counts, move } = figures();
    const count = clip.tracks.filter((track) => deferredTurns(track)).length;
    expect(move(clip, { frameRate: 30 }).clips).toEqual(move(plain, { frameRate: 30 }).clips);
    expect(counts.reads).toBeGreaterThan(0);
    expect(counts.reads).toBeLessThanOrEqual(count);
  });

  it('what is made of a track holds its values', () => {
    const { clip, plain } = figures();
    for (const change of [
      (given: Clip) => changeSpeed(given, 2),
      (given: Clip) => trimClip(given, 0.1, 0.4),
      (given: Clip) => ({ ...given, tracks: given.tracks.map((track) => ({ ...track })) }),
    ]) {
      const changed = change(clip);
      expect(changed.tracks.some((track) => deferredTurns(track))).toBe(false);
      expect(changed).toEqual(change(plain));
    }
  });
});
