import { describe, expect, it } from 'vitest';
import { sceneOf, stickFigure } from '../../test/stick-figure.js';
import { retarget } from '../retarget.js';
import type { Clip } from '../scene/clip.js';
import type { Scene } from '../scene/scene.js';
import { didWork, watchWork } from './watch-work.js';

/** A figure whose walk is repeated until it lasts half a minute, twice. */
function longScene(): Scene {
  const character = stickFigure({ fingers: true });
  const [walk] = character.clips as [Clip];
  const times = 30;
  const longer = (name: string): Clip => ({
    ...walk,
    name,
    duration: walk.duration * times,
    tracks: walk.tracks.map((track) => ({
      ...track,
      times: Float32Array.from({ length: track.times.length * times }, (_, k) => {
        const round = Math.floor(k / track.times.length);
        return track.times[k % track.times.length]! + round * (walk.duration + 0.01);
      }),
      values: Float32Array.from(
        { length: track.values.length * times },
        (_, i) => track.values[i % track.values.length]!,
      ),
    })),
  });
  return sceneOf({ ...character, clips: [longer('first'), longer('second')] });
}

const target = () => sceneOf(stickFigure({ arms: 'A', spine: 5, fingers: true, upperLeg: 0.5 }));

describe('watched work', () => {
  it('is told of as it goes on, never less than before, and ends at the end', () => {
    const seen: [number, number, string][] = [];
    retarget(longScene(), target(), { reduce: true, onProgress: (...told) => seen.push(told) });
    expect(seen[0]).toEqual([0, 2, '']);
    expect(seen.at(-1)).toEqual([2, 2, '']);
    for (let n = 1; n < seen.length; n++) {
      expect(seen[n]![0]).toBeGreaterThanOrEqual(seen[n - 1]![0]);
      expect(seen[n]![1]).toBe(2);
    }
    expect(new Set(seen.map(([, , clip]) => clip))).toEqual(new Set(['', 'first', 'second']));
    // Of a clip of half a minute in every phase.
    for (const [from, to] of [
      [0, 0.3],
      [0.3, 0.7],
      [0.7, 0.8],
      [0.8, 1],
    ] as const)
      expect(seen.filter(([done]) => done > from && done < to).length).toBeGreaterThan(1);
  });

  it('ends where a signal says so, whenever that is', () => {
    const source = longScene();
    let asked = 0;
    retarget(source, target(), {
      signal: {
        throwIfAborted() {
          asked++;
        },
      },
    });
    expect(asked).toBeGreaterThan(20);
    for (const last of [1, 2, Math.floor(asked / 3), Math.floor(asked / 2), asked - 1]) {
      let left = last;
      const signal = {
        throwIfAborted() {
          if (--left === 0) throw new Error('stopped');
        },
      };
      expect(() => retarget(source, target(), { signal })).toThrow('stopped');
    }
  });

  it('is asked while the source is mirrored and while the part that loops is found and cut', () => {
    const askers = new Set<string>();
    const signal = {
      throwIfAborted() {
        for (const [, name] of (new Error().stack ?? '').matchAll(/at (?:\w+\.)*(\w+) \(/g))
          askers.add(name!);
      },
    };
    retarget(longScene(), target(), { mirror: true, loop: true, range: [0, 25], measure: false, signal });
    expect([...askers]).toEqual(expect.arrayContaining(['mirrorKeys', 'trimClip', 'findCycle']));
  });

  it('gives what it gives unwatched, to the last bit', () => {
    const source = longScene();
    const watched = retarget(source, target(), { onProgress: () => {}, loop: true });
    const alone = retarget(source, target(), { loop: true });
    expect(watched.clips).toEqual(alone.clips);
    expect(watched.report).toEqual(alone.report);
  });

  it('may be done inside of watched work', () => {
    const source = longScene();
    const expected = retarget(source, target(), { measure: false });
    const small = sceneOf(stickFigure());
    const result = retarget(source, target(), {
      measure: false,
      onProgress: () => retarget(small, small, { measure: false }),
    });
    expect(result.clips).toEqual(expected.clips);
  });

  it('is forgotten when it ends, and when it fails', () => {
    const told: number[] = [];
    const fail = () =>
      watchWork(
        () => {
          throw new Error('stopped');
        },
        1,
        () => didWork(1e9),
      );
    watchWork(
      (part) => told.push(part),
      1e6,
      () => {
        expect(fail).toThrow('stopped');
        didWork(1e6);
      },
    );
    didWork(1e9);
    expect(told).toEqual([1 - 2 ** -3]);
  });
});
