import { copyPose, createSkeleton } from '@stuntdouble/core/engine';
import { describe, expect, it } from 'vitest';
import { readGif } from '../test/read-gif.js';
import type { PictureRow } from './figures.js';
import { drawMovingPicture, MOST_FRAMES, movingPicture } from './moving-picture.js';

/** A stick of three joints that walks along z. */
function walker(frames: number): PictureRow {
  const { skeleton } = createSkeleton('stick', [
    { name: 'hips', parent: -1, translation: [0, 0.5, 0] },
    { name: 'chest', parent: 0, translation: [0, 0.5, 0] },
    { name: 'head', parent: 1, translation: [0, 0.5, 0] },
  ]);
  const poses = Array.from({ length: frames }, (_, k) => {
    const pose = copyPose(skeleton.rest);
    pose.translations[2] = 0.1 * k;
    return pose;
  });
  return { title: 'stick', skeleton, meshes: [], poses, floor: 0 };
}

/** The middle of the pixels that are not background, from the left. */
function middleOf({ width, height, data }: { width: number; height: number; data: Uint8Array }): number {
  let sum = 0;
  let count = 0;
  for (let y = 0; y < height - 30; y++)
    for (let x = 0; x < width; x++) {
      const i = 3 * (y * width + x);
      if (data[i + 2]! - data[i]! < 30) continue;
      sum += x;
      count++;
    }
  return sum / count;
}

describe('drawMovingPicture', () => {
  const size = { width: 120, height: 150 };
  it('the body crosses the picture of a camera that stands, and stays in the middle of one that goes along', () => {
    const still = drawMovingPicture({ rows: [walker(20)], rate: 15, size, camera: 'side' });
    expect(Math.abs(middleOf(still[19]!) - middleOf(still[0]!))).toBeGreaterThan(30);
    const along = drawMovingPicture({ rows: [walker(20)], rate: 15, size, camera: 'follow' });
    for (const frame of along) expect(Math.abs(middleOf(frame) - 60)).toBeLessThan(6);
  });

  it('a GIF of it has its frames and its time, all rows in step', () => {
    const drawn: number[] = [];
    const bytes = movingPicture({
      rows: [walker(6), walker(3)],
      rate: 15,
      size: { width: 160, height: 110 },
      onFrame: (n) => drawn.push(n),
    });
    const { frames, delays } = readGif(bytes);
    expect(frames.length).toBe(6);
    expect(drawn).toEqual([1, 2, 3, 4, 5, 6]);
    expect(delays.reduce((a, b) => a + b)).toBe(40);
  });

  it('shows heat where and when it is, and leaves the rest as it was', () => {
    const row = walker(2);
    const hot = { ...row, heat: [null, Float32Array.of(0, 1, 0)], caption: 'worst: the chest' };
    const [before, after] = drawMovingPicture({ rows: [hot], rate: 15, size, camera: 'front' });
    /** How many pixels are red, in the upper and the lower half of a figure. */
    const redOf = ({ width, height, data }: typeof before & {}) => {
      const red = [0, 0];
      for (let y = 0; y < height - 44; y++)
        for (let x = 0; x < width; x++) {
          const i = 3 * (y * width + x);
          if (data[i]! - data[i + 2]! > 60) red[2 * y < height - 44 ? 0 : 1]!++;
        }
      return red;
    };
    expect(redOf(before!)).toEqual([0, 0]);
    const [upper, lower] = redOf(after!);
    expect(upper).toBeGreaterThan(30);
    expect(lower).toBeLessThan(upper! / 5);
  });

  it('refuses nothing to draw, and more frames than there is time for', () => {
    expect(() => movingPicture({ rows: [], rate: 15 })).toThrow('at least one row');
    expect(() => movingPicture({ rows: [walker(MOST_FRAMES + 1)], rate: 15 })).toThrow(
      `at most ${MOST_FRAMES}`,
    );
  });
});
