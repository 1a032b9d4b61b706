import { describe, expect, it } from 'vitest';
import { guyBody } from '../characters/mixamo-guy.js';
import { walk } from '../motions/walk.js';
import { pitch, type Quat, roll, turnAbout, turnBy, yaw } from '../vector.js';
import type { EulerOrder } from './bvh-dialects.js';
import { eulerAngles, writeBvh } from './bvh-text.js';

const TURNS = { X: pitch, Y: yaw, Z: roll } as const;
const turnOf = (angles: readonly number[], order: EulerOrder): Quat =>
  turnBy(...[...order].map((axis, i) => TURNS[axis as 'X'](angles[i]!)));
const isSameTurn = (a: Quat, b: Quat) =>
  Math.abs(a.reduce((sum, value, i) => sum + value * b[i]!, 0)) > 1 - 1e-9;

describe('eulerAngles', () => {
  it.each(['XYZ', 'XZY', 'YXZ', 'YZX', 'ZXY', 'ZYX'] as const)(
    'gives angles that make the turn again: %s',
    (order) => {
      for (const turn of [
        turnAbout([1, 2, 3], 40),
        turnAbout([-1, 0.3, 2], 170),
        turnAbout([0, 1, 0], -135),
        turnAbout([1, 0, 0], 89),
        turnAbout([0.2, -1, 0.1], 5),
      ])
        expect(isSameTurn(turn, turnOf(eulerAngles(turn, order), order))).toBe(true);
    },
  );
});

describe('writeBvh', () => {
  const lines = writeBvh(guyBody, walk).trimEnd().split('\n');
  const start = lines.indexOf('MOTION');
  const frames = lines.slice(start + 3).map((line) => line.split(' ').map(Number));

  it('has as many channels in every frame as the hierarchy says', () => {
    const channels = lines
      .slice(0, start)
      .reduce((sum, line) => sum + Number(/CHANNELS (\d+)/.exec(line)?.[1] ?? 0), 0);
    expect(lines[start + 1]).toBe(`Frames: ${frames.length}`);
    for (const frame of frames) {
      expect(frame.length).toBe(channels);
      expect(frame.every(Number.isFinite)).toBe(true);
    }
  });

  it('begins with the T-pose, in centimetres', () => {
    expect(frames[0]!.slice(0, 3)).toEqual([0, 96, 0]);
    expect(frames[0]!.slice(3).every((value) => value === 0)).toBe(true);
  });
});
