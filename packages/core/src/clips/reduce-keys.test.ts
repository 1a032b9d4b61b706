import { describe, expect, it } from 'vitest';
import {
  clipOf,
  createRandom,
  distance,
  modelAt,
  placeAt,
  randomClip,
  rotationTrack,
  tinyHuman,
  translationTrack,
  turn,
} from '../../test/tiny-rigs.js';
import { UsageError } from '../base/errors.js';
import { reduceKeys } from './reduce-keys.js';

const FRAMES = Array.from({ length: 61 }, (_, k) => k / 30);

describe('reduceKeys', () => {
  it('a steady turn and a straight move need two keys', () => {
    const clip = clipOf([
      rotationTrack(
        3,
        FRAMES,
        FRAMES.map((t) => turn([0, 0, 1], 0.5 * t)),
      ),
      translationTrack(
        0,
        FRAMES,
        FRAMES.map((t) => [t, 0.93, 0] as const),
      ),
    ]);
    const { clip: reduced, before, after } = reduceKeys(tinyHuman(), clip);
    expect([before, after]).toEqual([122, 4]);
    expect(reduced.duration).toBe(clip.duration);
  });

  it('keys that repeat a stepped value go, those that change it stay', () => {
    const step = rotationTrack(
      2,
      FRAMES,
      FRAMES.map((t) => turn([1, 0, 0], Math.floor(2 * t) / 4)),
      'step',
    );
    const { clip } = reduceKeys(tinyHuman(), clipOf([step]));
    expect(clip.tracks[0]!.times.length).toBe(5);
    expect(clip.tracks[0]!.interpolation).toBe('step');
  });

  it('cubic tracks and clips of one key stay as they are', () => {
    const human = tinyHuman();
    const cubic = randomClip(createRandom(1), human, { interpolation: 'cubic', keys: 5 });
    expect(reduceKeys(human, cubic).clip.tracks).toEqual(cubic.tracks);
    const still = clipOf([rotationTrack(1, [0], [turn([1, 0, 0], 1)])]);
    expect(reduceKeys(human, still).clip.tracks).toEqual(still.tracks);
  });

  it('tracks with key times of their own stay within the bound together', () => {
    const human = tinyHuman();
    for (const seed of [1, 2, 3]) {
      const random = createRandom(seed);
      const clip = randomClip(random, human, { keys: 40, most: 0.05 });
      const { clip: reduced } = reduceKeys(human, clip, { position: 0.003, angleDegrees: 1 });
      for (const { times } of clip.tracks)
        for (const time of times)
          for (let joint = 0; joint < human.names.length; joint++)
            expect(
              distance(
                placeAt(modelAt(human, clip, time), joint),
                placeAt(modelAt(human, reduced, time), joint),
              ),
            ).toBeLessThan(0.0030001);
    }
  });

  it('a tolerance that is none is said', () => {
    for (const tolerance of [{ position: 0 }, { angleDegrees: -1 }, { position: Number.NaN }])
      expect(() => reduceKeys(tinyHuman(), clipOf([]), tolerance)).toThrow(UsageError);
  });
});
