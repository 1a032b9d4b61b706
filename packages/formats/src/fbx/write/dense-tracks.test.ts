import type { Scene, Track } from '@stuntdouble/core';
import { describe, expect, it } from 'vitest';
import { buildFbx, type CurveDescription, type Properties } from '../../../test/fbx-builder.js';
import { readFbx } from '../read/read-fbx.js';

const FRAMES = Array.from({ length: 31 }, (_, k) => k / 30);

const wave = (size: number, phase: number): CurveDescription => ({
  times: FRAMES,
  values: FRAMES.map((time) => size * Math.sin(5 * time + phase)),
});

/**
 * A joint that moves in every frame. With a layer of no weight above it, it moves no differently, but is read
 * time by time.
 */
function read(
  properties: Properties,
  isLayered: boolean,
  change: Partial<Record<string, CurveDescription>> = {},
) {
  const file = buildFbx();
  const joint = file.model('joint', 0, { InheritType: [1], 'Lcl Translation': [1, 2, 3], ...properties });
  file.model('tip', joint, { InheritType: [1] });
  const stack = file.stack('take', [0, 1]);
  const base = file.layer(stack);
  file.animate(base, joint, 'Lcl Translation', { X: wave(3, 0), Z: wave(1, 1), ...change });
  file.animate(base, joint, 'Lcl Rotation', { X: wave(80, 2), Y: wave(50, 3), Z: wave(170, 4) }, { Y: 7 });
  file.animate(base, joint, 'Lcl Scaling', { Y: wave(0.2, 5) }, { X: 2 });
  if (isLayered) {
    const over = file.layer(stack, { Weight: [0], RotationAccumulationMode: [1] });
    for (const property of ['Lcl Translation', 'Lcl Rotation', 'Lcl Scaling'] as const)
      file.animate(over, joint, property, { X: wave(9, 0) });
  }
  return tracksOf(readFbx(file.binary()));
}

const tracksOf = (scene: Scene): Track[] => scene.characters[0]!.clips[0]!.tracks;

describe('tracks of a key for every frame', () => {
  it.each([
    {},
    { PreRotation: [10, 20, 30], PostRotation: [5, -6, 7], RotationActive: [1] },
    { RotationOrder: [3], RotationOffset: [4, 5, 6], RotationActive: [1] },
  ] satisfies Properties[])('are what curves are, time by time: %o', (properties) => {
    const [dense, others] = [read(properties, false), read(properties, true)];
    expect(dense.map(({ channel }) => channel)).toEqual(['translation', 'rotation', 'scale']);
    dense.forEach((track, n) => {
      const other = others[n]!;
      expect([track.joint, track.channel, track.interpolation]).toEqual([
        other.joint,
        other.channel,
        other.interpolation,
      ]);
      expect([...track.times]).toEqual([...other.times]);
      track.values.forEach((value, i) => {
        expect(value).toBeCloseTo(other.values[i]!, 5);
      });
    });
  });

  it('share their times', () => {
    const [first, ...rest] = read({}, false);
    for (const { times } of rest) expect(times).toBe(first!.times);
  });

  it('are not for curves with steps or with keys at other times', () => {
    const early = { times: [0, 0.51, 1], values: [0, 1, 0] };
    expect(read({}, false, { Y: early })[0]!.times.length).toBe(32);
    const steps = { times: FRAMES, values: FRAMES.map((_, k) => k % 2), flags: [0x402] };
    const times = read({}, false, { Y: steps })[0]!.times.length;
    expect(times).toBeGreaterThan(31);
  });

  it('stay finite where values are not', () => {
    const broken = { times: FRAMES, values: FRAMES.map((_, k) => (k === 5 ? Number.NaN : k)) };
    for (const { values } of read({}, false, { X: broken })) expect(values.every(Number.isFinite)).toBe(true);
  });
});
