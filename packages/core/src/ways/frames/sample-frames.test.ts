import { describe, expect, it } from 'vitest';
import {
  createRandom,
  mapOf,
  oneToOne,
  plainRig,
  quatAt,
  randomClip,
  randomSkeleton,
  rotationTrack,
} from '../../../test/tiny-rigs.js';
import { PASS_NAMES } from '../../passes/pipeline.js';
import { createFrame } from '../../passes/run-passes.js';
import { type Interpolation, sampleClip, type Track } from '../../scene/clip.js';
import { copyPose } from '../../scene/pose.js';
import { createSetup } from '../../setup/create-setup.js';
import { retargetFrames } from './retarget-frames.js';
import {
  type Block,
  createSampler,
  middleTime,
  sampleFrames,
  sampleMiddles,
  sampleStill,
} from './sample-frames.js';

const random = createRandom(7);
const skeleton = randomSkeleton(random, 4, { prefix: 's' });
const setup = createSetup(plainRig(skeleton), plainRig(skeleton), oneToOne(4));

function createBlock(count: number): Block {
  const size = 4 * skeleton.names.length;
  const sources = new Float64Array(count * size);
  const frames = Array.from({ length: count }, (_, b) => {
    const frame = createFrame(setup, null);
    const rotations = sources.subarray(b * size, (b + 1) * size);
    rotations.set(skeleton.rest.rotations);
    return { ...frame, source: { ...copyPose(skeleton.rest), rotations } };
  });
  return { frames, sources, targets: new Float64Array(count * size) };
}

/** Tracks of all kinds: keys on the frames and beside them, that move and that stand. */
function mixedTracks(interpolation: Interpolation, times: Float32Array): Track[] {
  const { tracks } = randomClip(random, skeleton, { interpolation, travels: 0, keys: times.length });
  return [
    ...tracks.map((track, n): Track => (n % 2 === 0 ? { ...track, times } : track)),
    {
      joint: 2,
      channel: 'scale',
      interpolation: 'linear',
      times,
      values: new Float32Array(3 * times.length).fill(2),
    },
  ];
}

describe('reading tracks frame by frame', () => {
  const times = Float32Array.of(0, 0.3, 0.35, 1.1, 1.4, 2);

  it.each(['step', 'linear', 'cubic'] as const)(
    '%s keys: at the frames and half way, as the clip has them',
    (how) => {
      const tracks = mixedTracks(how, times);
      const clip = { name: '', duration: 2, tracks, morphs: [] };
      const sampler = createSampler(tracks, times);
      const block = createBlock(3);
      sampleStill(sampler, block);
      const wanted = copyPose(skeleton.rest);
      const check = (b: number, time: number) => {
        const { source } = block.frames[b]!;
        sampleClip(wanted, clip, time);
        for (const store of ['rotations', 'translations', 'scales'] as const)
          wanted[store].forEach((x, i) => {
            expect(source[store][i]).toBeCloseTo(x, 5);
          });
      };
      for (const from of [0, 3]) {
        sampleFrames(sampler, block, from, 3);
        for (let b = 0; b < 3; b++) check(b, times[from + b]!);
      }
      const intervals = Int32Array.of(0, 2, 4);
      sampleMiddles(sampler, block, intervals, 0, 3);
      intervals.forEach((k, b) => {
        check(b, middleTime(times, k));
      });
      sampleMiddles(sampler, block, intervals, 2, 1);
      check(0, middleTime(times, 4));
    },
  );

  it('tracks without keys are left out, and rotations that are no numbers are told', () => {
    const broken = rotationTrack(
      1,
      [0, 2],
      [
        [0, 0, 0, 1],
        [Number.NaN, 0, 0, 1],
      ],
    );
    expect(createSampler([rotationTrack(1, [], [])], times)).toMatchObject({
      turns: [],
      searched: [],
      still: [],
    });
    expect(createSampler([broken], times).finite).toBe(false);
    const onFrames = createSampler([broken], Float32Array.of(0, 2));
    sampleFrames(onFrames, createBlock(2), 0, 2);
    expect(onFrames.finite).toBe(false);
  });
});

describe('tracks that play no part', () => {
  it('are not read: what hangs on no driver changes nothing, and neither does a broken key there', () => {
    const source = randomSkeleton(random, 6, { parents: [-1, 0, 1, 2, 3, 1], prefix: 's' });
    const target = randomSkeleton(random, 3, { parents: [-1, 0, 1], prefix: 't' });
    const lean = createSetup(
      plainRig(source),
      plainRig(target),
      mapOf([
        [0, 0, 'hips'],
        [1, 1],
        [3, 2],
      ]),
    );
    const clip = randomClip(random, source, { travels: 0 });
    const without = { ...clip, tracks: clip.tracks.filter(({ joint }) => joint !== 4 && joint !== 5) };
    expect(without.tracks.length).toBe(clip.tracks.length - 2);
    const options = { refine: true };
    const moved = retargetFrames(lean, clip, PASS_NAMES, options);
    expect(moved).toEqual(retargetFrames(lean, without, PASS_NAMES, options));
    const broken = structuredClone(clip);
    broken.tracks.find(({ joint }) => joint === 5)!.values.fill(Number.NaN);
    expect(retargetFrames(lean, broken, PASS_NAMES, options)).toEqual(moved);
    // What lies between two drivers does.
    const between = { ...clip, tracks: clip.tracks.filter(({ joint }) => joint !== 2) };
    const other = retargetFrames(lean, between, PASS_NAMES, options).clip;
    expect(quatAt(other.tracks[2]!.values, 1)).not.toEqual(quatAt(moved.clip.tracks[2]!.values, 1));
  });
});
