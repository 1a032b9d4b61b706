import { describe, expect, it } from 'vitest';
import {
  angleBetween,
  createRandom,
  quatAt,
  randomClip,
  randomSkeleton,
  rotationTrack,
} from '../../test/tiny-rigs.js';
import { RetargetError, UsageError } from '../base/errors.js';
import type { Clip } from './clip.js';
import { poseAt } from './clip.js';
import { bakeClip, clipOfMotion, frameTimes, readFrame } from './motion.js';
import { createPose } from './pose.js';

describe('frameTimes', () => {
  it('goes from 0 to the end, the end included, and never past it', () => {
    expect([...frameTimes(1, 4)]).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect([...frameTimes(0.9, 4)].map((t) => Math.round(t * 100) / 100)).toEqual([0, 0.25, 0.5, 0.75, 0.9]);
    // A float32 end a hair after a frame is that frame.
    expect(frameTimes(Math.fround(2.1), 30)).toHaveLength(64);
  });

  it('a clip of no length is one frame', () => {
    expect([...frameTimes(0, 30)]).toEqual([0]);
    expect([...frameTimes(-1, 30)]).toEqual([0]);
  });

  it('a rate that is no rate is a wrong use', () => {
    for (const rate of [0, -30, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => frameTimes(1, rate)).toThrow(UsageError);
  });

  it('a length that no machine holds is refused in one sentence, at once', () => {
    for (const duration of [1e30, 1e6, Number.POSITIVE_INFINITY, Number.NaN])
      expect(() => frameTimes(duration, 30)).toThrow(RetargetError);
    expect(() => frameTimes(1e30, 30)).toThrow('a clip of 1e+30 s would take more than 1000000 frames');
  });
});

describe('bakeClip and clipOfMotion', () => {
  const random = createRandom(4);
  const skeleton = randomSkeleton(random, 5, { scales: true });
  const clip = randomClip(random, skeleton, { joints: [0, 1, 3], travels: 0, interpolation: 'cubic' });

  it('R19: every frame is the clip sampled at that time', () => {
    const motion = bakeClip(skeleton, clip, 24);
    const pose = createPose(5);
    for (let frame = 0; frame < motion.frameCount; frame++) {
      readFrame(pose, motion, frame);
      const expected = poseAt(skeleton, clip, Math.min(frame / 24, clip.duration));
      for (let joint = 0; joint < 5; joint++)
        expect(angleBetween(quatAt(pose.rotations, joint), quatAt(expected.rotations, joint))).toBeLessThan(
          1e-5,
        );
      pose.translations.forEach((x, i) => {
        expect(x).toBeCloseTo(expected.translations[i]!, 5);
      });
      pose.scales.forEach((x, i) => {
        expect(x).toBeCloseTo(expected.scales[i]!, 6);
      });
    }
  });

  it('R13: frames become tracks with continuous signs, and what never moves gets none', () => {
    const motion = bakeClip(skeleton, clip, 30);
    for (let i = 0; i < motion.rotations.length; i += 8)
      for (let c = 0; c < 4; c++) motion.rotations[i + c] = -motion.rotations[i + c]!;
    const back = clipOfMotion('back', motion);
    expect(back.tracks.map(({ joint, channel }) => `${joint} ${channel}`).sort()).toEqual(
      ['0 rotation', '0 translation', '1 rotation', '3 rotation', ...flipped(motion.frameCount)].sort(),
    );
    for (const { channel, values } of back.tracks) {
      if (channel !== 'rotation') continue;
      for (let i = 4; i < values.length; i += 4) {
        let dot = 0;
        for (let c = 0; c < 4; c++) dot += values[i + c]! * values[i + c - 4]!;
        expect(dot).toBeGreaterThanOrEqual(0);
      }
    }
  });

  /** Joints at rest whose sign was turned by hand leave the rest's numbers, though not its turn. */
  function flipped(frames: number): string[] {
    return frames > 0 ? ['2 rotation', '4 rotation'] : [];
  }

  it('goes there and back unchanged', () => {
    const motion = bakeClip(skeleton, clip, 30);
    const again = bakeClip(skeleton, clipOfMotion('again', motion), 30);
    expect(again.frameCount).toBe(motion.frameCount);
    again.rotations.forEach((x, i) => {
      expect(x).toBeCloseTo(motion.rotations[i]!, 5);
    });
    expect(Math.max(...again.translations.map((x, i) => Math.abs(x - motion.translations[i]!)))).toBeLessThan(
      1e-6,
    );
  });

  it('an empty clip is one frame at rest', () => {
    const empty: Clip = { name: 'empty', duration: 0, tracks: [], morphs: [] };
    const motion = bakeClip(skeleton, empty);
    expect(motion.frameCount).toBe(1);
    expect(clipOfMotion('empty', motion).tracks).toEqual([]);
    const still: Clip = { ...empty, tracks: [rotationTrack(0, [0], [[0, 0, 0, 1]])] };
    expect(bakeClip(skeleton, still).frameCount).toBe(1);
  });
});
