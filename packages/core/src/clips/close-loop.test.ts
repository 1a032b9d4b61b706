import { describe, expect, it } from 'vitest';
import {
  angleBetween,
  clipOf,
  createRandom,
  jointOf,
  type Quat,
  quatAt,
  randomClip,
  rotationTrack,
  times,
  tinyHuman,
  translationTrack,
  turn,
} from '../../test/tiny-rigs.js';
import { UsageError } from '../base/errors.js';
import type { Vec3 } from '../base/math/vector.js';
import { type Clip, poseAt, sampleTrack } from '../scene/clip.js';
import { closeLoop } from './close-loop.js';

const HUMAN = tinyHuman();
const HIPS = jointOf(HUMAN, 'hips');
const FRAMES = Array.from({ length: 61 }, (_, k) => k / 30);

const rotationAt = (clip: Clip, joint: number, time: number): Quat =>
  quatAt(poseAt(HUMAN, clip, time).rotations, joint);

describe('closeLoop', () => {
  it('the last pose becomes the first, and the middle of the clip stays as it was', () => {
    for (const seed of [1, 2, 3]) {
      const clip = randomClip(createRandom(seed), HUMAN, { keys: 30, most: 0.6 });
      const closed = closeLoop(HUMAN, clip);
      for (let joint = 0; joint < HUMAN.names.length; joint++) {
        expect(angleBetween(rotationAt(clip, joint, 0), rotationAt(clip, joint, 2))).toBeGreaterThan(1e-3);
        expect(angleBetween(rotationAt(closed, joint, 0), rotationAt(closed, joint, 2))).toBeLessThan(1e-3);
        expect(angleBetween(rotationAt(closed, joint, 1), rotationAt(clip, joint, 1))).toBeLessThan(1e-3);
      }
    }
  });

  it('no step is larger than it was by more than the eased seam', () => {
    const clip = clipOf([
      rotationTrack(
        4,
        FRAMES,
        FRAMES.map((t) => turn([0, 0, 1], 0.4 * t)),
      ),
    ]);
    const closed = closeLoop(HUMAN, clip, { seconds: 0.5 });
    const track = closed.tracks[0]!;
    // A quintic's steepest slope is 1.875 over its length: half of 0.8 rad over 0.5 s.
    for (let k = 1; k < track.times.length; k++) {
      const step = angleBetween(quatAt(track.values, k - 1), quatAt(track.values, k));
      expect(step).toBeLessThan((0.4 + (1.875 * 0.4) / 0.5) * (track.times[k]! - track.times[k - 1]!) + 1e-3);
    }
  });

  it('a walk goes on walking: its way and its heading stay, height and lean close', () => {
    const points = FRAMES.map((t): Vec3 => [0.1 * t, 0.93 + 0.02 * t, 1.2 * t]);
    const quats = FRAMES.map((t) => times(turn([0, 1, 0], 0.3 * t), turn([1, 0, 0], 0.1 * t)));
    const clip = clipOf([translationTrack(HIPS, FRAMES, points), rotationTrack(HIPS, FRAMES, quats)]);
    const closed = closeLoop(HUMAN, clip, { travel: HIPS });
    const place = (time: number) => {
      const out = new Float64Array(3);
      sampleTrack(out, 0, closed.tracks[0]!, time);
      return out;
    };
    expect(place(2)[1]).toBeCloseTo(place(0)[1]!, 5);
    expect(place(2)[2]! - place(0)[2]!).toBeCloseTo(2.4, 5);
    const turned = times(rotationAt(closed, HIPS, 2), [
      ...rotationAt(closed, HIPS, 0).map((v, c) => (c < 3 ? -v : v)),
    ] as Quat);
    expect(angleBetween(turned, turn([0, 1, 0], 0.6))).toBeLessThan(1e-3);
    // The same feet on the same spot close whole.
    const standing = clipOf([
      translationTrack(
        HIPS,
        FRAMES,
        FRAMES.map((t): Vec3 => [0.02 * t, 0.93, 0]),
      ),
    ]);
    const stands = closeLoop(HUMAN, standing, { travel: HIPS }).tracks[0]!.values;
    expect(stands[0]).toBeCloseTo(stands[stands.length - 3]!, 5);
  });

  it('a clip that loops already is left alone, morphs and sparse keys too', () => {
    const clip: Clip = {
      ...clipOf([rotationTrack(3, [0, 1, 2], [turn([1, 0, 0], 0), turn([1, 0, 0], 1), turn([1, 0, 0], 0)])]),
      morphs: [
        {
          mesh: 'Face',
          morph: 'smile',
          interpolation: 'linear',
          times: Float32Array.of(0, 2),
          values: Float32Array.of(0.5, 0.5),
        },
      ],
    };
    expect(closeLoop(HUMAN, clip)).toEqual(clip);
    const open = { ...clip, morphs: [{ ...clip.morphs[0]!, values: Float32Array.of(0, 1) }] };
    const { values } = closeLoop(HUMAN, open).morphs[0]!;
    expect(values[0]).toBeCloseTo(0.5, 5);
    expect(values[values.length - 1]).toBeCloseTo(0.5, 5);
  });

  it('an empty clip stays empty, and a window that is none is said', () => {
    expect(closeLoop(HUMAN, clipOf([]))).toEqual(clipOf([]));
    expect(() => closeLoop(HUMAN, clipOf([]), { seconds: 0 })).toThrow(UsageError);
  });
});
