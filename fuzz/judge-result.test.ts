import { type Clip, type RetargetResult, retarget } from '@stuntdouble/core';
import { describe, expect, it } from 'vitest';
import { findUnsound, judgePose, judgeResult } from './judge-result.js';
import { plainBody } from './random/random-skeleton.js';

const turn = Float32Array.of(0.6, 0, 0, 0.8);

/** A sound result on which something can be broken. */
function soundResult(interpolation: 'linear' | 'cubic' = 'linear'): RetargetResult & { clips: [Clip] } {
  const skeleton = plainBody();
  const values = interpolation === 'cubic' ? Float32Array.of(0, 0, 0, 0, ...turn, 0, 0, 0, 0) : turn.slice();
  const track = { joint: 3, channel: 'rotation' as const, interpolation, times: Float32Array.of(0), values };
  const clip: Clip = { name: 'nod', duration: 0.1, tracks: [track], morphs: [] };
  const scene = {
    format: 'glb' as const,
    name: 'body',
    characters: [{ skeleton, clips: [clip] }],
    morphs: [],
    document: null,
    warnings: [],
  };
  const result = retarget(scene, scene);
  return { ...result, clips: [{ ...clip, tracks: [{ ...track, values: values.slice() }] }] };
}

describe('judgeResult', () => {
  it('finds nothing wrong with a sound result', () => {
    expect(judgeResult(soundResult())).toBeNull();
    expect(judgeResult(soundResult('cubic'))).toBeNull();
  });

  it.each([
    ['no number', [Number.NaN, 0, 0, 1], /not finite/],
    ['zero', [0, 0, 0, 0], /is zero/],
    ['too long', [0, 0, 0, 1.0001], /not of length 1/],
  ])('finds a rotation that is %s', (_, key, problem) => {
    const result = soundResult();
    result.clips[0].tracks[0]!.values.set(key);
    expect(judgeResult(result)).toMatch(problem);
  });

  it('looks at the value of a cubic key, not at its slopes', () => {
    const result = soundResult('cubic');
    result.clips[0].tracks[0]!.values[4] = 0;
    expect(judgeResult(result)).toMatch(/length/);
  });

  it('finds numbers of reports and root motion that are none, and warnings that cannot be shown', () => {
    const { report, ...rest } = soundResult();
    expect(
      judgeResult({
        ...rest,
        report: { ...report, rootScales: { ...report.rootScales, vertical: Number.NaN } },
      }),
    ).toContain('report.rootScales.vertical');
    const motion = {
      times: Float32Array.of(0),
      translations: new Float32Array(3),
      rotations: new Float32Array(4),
    };
    expect(judgeResult({ ...rest, report, rootMotion: [motion] })).toMatch(
      /^root motion: a rotation is zero/,
    );
    const warning = { code: 'clip-empty' as const, message: 'two\nlines' };
    expect(judgeResult({ ...rest, report: { ...report, warnings: [warning] } })).toContain('clip-empty');
  });

  it('finds tracks of joints that are not there and times that fall', () => {
    const elsewhere = soundResult();
    elsewhere.clips[0].tracks[0]!.joint = 999;
    expect(judgeResult(elsewhere)).toMatch(/not there/);
    const falling = soundResult();
    falling.clips[0].tracks[0]!.times = Float32Array.of(1, 0);
    falling.clips[0].tracks[0]!.values = Float32Array.of(...turn, ...turn);
    expect(judgeResult(falling)).toMatch(/rise/);
  });
});

it('judgePose finds rotations that are none', () => {
  const { rest } = plainBody();
  expect(judgePose(rest)).toBeNull();
  rest.rotations[3] = 2;
  expect(judgePose(rest)).toMatch(/length/);
});

it('findUnsound says where', () => {
  expect(findUnsound({ a: [{ b: 1 }, { b: Number.POSITIVE_INFINITY }] }, 'x')).toBe('x.a[].b is Infinity');
  expect(findUnsound({ a: Float32Array.of(1, Number.NaN), c: 'NaN' }, 'x')).toBe('x.a[] is NaN');
  expect(findUnsound({ a: [1, null, 'text', -0] }, 'x')).toBeNull();
});
