import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPlainSetup } from '../../../test/plainly.js';
import {
  angleBetween,
  createRandom,
  DEGREES,
  jointOf,
  mapOf,
  modelAt,
  plainRig,
  quatAt,
  randomClip,
  randomSkeleton,
  tinyHuman,
} from '../../../test/tiny-rigs.js';
import type { Role } from '../../body/roles.js';
import { createRig } from '../../body/understand/create-rig.js';
import { createRigMap } from '../../map/create-rig-map.js';
import type { Setup } from '../../passes/pass.js';
import { PASS_NAMES } from '../../passes/pipeline.js';
import { createFrame, prepareSteps } from '../../passes/run-passes.js';
import { type Clip, sampleClip, type Track } from '../../scene/clip.js';
import { modelPoseOf } from '../../scene/pose.js';
import { mergeTimes, mergeTracks, thinTracks } from './refine-frames.js';
import { retargetFrames } from './retarget-frames.js';

/** How far driven joints are from what the passes give, at the worst of many instants, in degrees. */
function worstMiss(setup: Setup, clip: Clip, moved: Clip, instants = 400): number {
  const steps = prepareSteps(setup, null, PASS_NAMES);
  const frame = createFrame(setup, null);
  let worst = 0;
  for (let n = 0; n <= instants; n++) {
    const time = (clip.duration * n) / instants;
    sampleClip(frame.source, clip, time);
    frame.time = time;
    for (const step of steps) step(frame);
    const wanted = modelPoseOf(setup.target.skeleton, frame.target).rotations;
    const got = modelAt(setup.target.skeleton, moved, time).rotations;
    for (const { target } of setup.map.joints)
      worst = Math.max(worst, angleBetween(quatAt(got, target), quatAt(wanted, target)));
  }
  return worst / DEGREES;
}

const lengthsOf = ({ tracks }: Clip, channel: Track['channel']) =>
  new Map(tracks.flatMap((track) => (track.channel === channel ? [[track.joint, track.times.length]] : [])));

describe('frames between frames', () => {
  it('go into the tracks that need them alone, and every joint is true at all instants', () => {
    let [refined, spared] = [0, 0];
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), (seed) => {
        const random = createRandom(seed);
        const source = randomSkeleton(random, 7, { parents: [-1, 0, 1, 2, 3, 2, 5], prefix: 's' });
        const target = randomSkeleton(random, 5, { parents: [-1, 0, 1, 2, 1], prefix: 't' });
        // The second joint takes over two turns; what hangs on it follows one each.
        const map = mapOf([
          [0, 0, 'hips'],
          [[1, 2], 1],
          [3, 2],
          [4, 3],
          [5, 4],
        ]);
        const setup = createPlainSetup(plainRig(source), plainRig(target), map);
        const clip = randomClip(random, source, { most: 1.5, keys: 6, travels: 0 });
        const plain = retargetFrames(setup, clip, PASS_NAMES);
        const { clip: moved, frames } = retargetFrames(setup, clip, PASS_NAMES, { refine: true });
        expect(worstMiss(setup, clip, moved, 120)).toBeLessThan(0.03);
        const turns = lengthsOf(moved, 'rotation');
        expect(turns.get(1)).toBe(frames);
        for (const joint of [0, 2, 3, 4]) expect(turns.get(joint)).toBe(plain.frames);
        expect(lengthsOf(moved, 'translation').get(0)).toBe(plain.frames);
        refined += frames - plain.frames;
        spared += plain.frames;
      }),
      { numRuns: 20 },
    );
    expect(refined).toBeGreaterThan(100);
    expect(spared).toBeGreaterThan(100);
  });

  it('go into places that move on arcs, as of feet that hang elsewhere', () => {
    const merged = mergeTimes(Float32Array.of(0, 1), Float32Array.of(0.5));
    const track = (values: number[], times: number[]): Track => ({
      joint: 3,
      channel: 'translation',
      interpolation: 'linear',
      times: Float32Array.from(times),
      values: Float32Array.from(values),
    });
    const first = track([1, 0, 0, 0, 1, 0], [0, 1]);
    const onLine = mergeTracks([first], [track([0.5, 0.5, 0], [0.5])], merged, []);
    expect(onLine[0]).toBe(first);
    const onArc = mergeTracks([first], [track([Math.SQRT1_2, Math.SQRT1_2, 0], [0.5])], merged, []);
    expect([...onArc[0]!.times]).toEqual([0, 0.5, 1]);
    expect(onArc[0]!.values[3]).toBeCloseTo(Math.SQRT1_2, 6);
  });

  it('are right where a quick turn needs several and a slow one needs one, feet that are placed included', () => {
    const source = createRig(tinyHuman({}));
    const target = createRig(tinyHuman({ root: true, feetUnderRoot: true, legs: 0.6 }));
    const setup = createPlainSetup(source, target, createRigMap(source, target).map);
    const foot = jointOf(target.skeleton, 'leftFoot');
    const hips = jointOf(source.skeleton, 'hips');
    const random = createRandom(3);
    const slow = randomClip(random, source.skeleton, { travels: hips, duration: 4, keys: 5, most: 0.8 });
    const quick = randomClip(random, source.skeleton, { travels: hips, duration: 4, keys: 60, most: 0.4 });
    // Slow first, then quick. Keys that nearly fall together are baked as one, which bends lines: here all do.
    const times = Float64Array.from([
      ...slow.tracks[0]!.times,
      ...quick.tracks[0]!.times.map((time) => time + 4.05),
    ]);
    const clip: Clip = {
      ...slow,
      duration: 8,
      tracks: slow.tracks.map((track, n) => {
        const { values } = quick.tracks[n]!;
        return { ...track, times, values: Float64Array.from([...track.values, ...values]) };
      }),
    };
    const plain = retargetFrames(setup, clip, PASS_NAMES).clip;
    const { clip: moved } = retargetFrames(setup, clip, PASS_NAMES, { refine: true });
    const turn = (of: Clip) =>
      of.tracks.find((track) => track.joint === foot && track.channel === 'rotation')!;
    const first = new Set(turn(plain).times);
    const runs = new Set<number>();
    let run = 0;
    for (const time of turn(moved).times)
      if (first.has(time)) {
        runs.add(run);
        run = 0;
      } else run++;
    expect(runs).toContain(1);
    expect(Math.max(...runs)).toBeGreaterThan(1);
    expect(worstMiss(setup, clip, moved, 1000)).toBeLessThan(0.03);
    // Places are those that the passes give at the very times that were added.
    const steps = prepareSteps(setup, null, PASS_NAMES);
    const frame = createFrame(setup, null);
    const place = moved.tracks.find((track) => track.joint === foot && track.channel === 'translation')!;
    place.times.forEach((time, k) => {
      sampleClip(frame.source, clip, time);
      for (const step of steps) step(frame);
      for (let c = 0; c < 3; c++)
        expect(place.values[3 * k + c]).toBeCloseTo(frame.target.translations[3 * foot + c]!, 4);
    });
  });

  it('are taken out again where all were baked at once and a track does without', () => {
    const first = Float32Array.of(0, 1, 2);
    const merged = mergeTimes(first, Float32Array.of(0.25, 0.5, 1.5));
    const track = (read: (time: number) => number): Track => ({
      joint: 0,
      channel: 'scale',
      interpolation: 'linear',
      times: merged.times,
      values: Float32Array.from([...merged.times].flatMap((time) => [read(time), 1, 1])),
    });
    const [line, curve] = thinTracks(
      [track((time) => 1 + Math.abs(time - 1)), track((t) => t * t)],
      first,
      merged,
    );
    expect(line!.times).toBe(first);
    expect([...line!.values]).toEqual([2, 1, 1, 1, 1, 1, 2, 1, 1]);
    expect(curve!.times).toBe(merged.times);
  });

  it('a clip that is corrected keeps fingers and head as they were where only limbs need more', () => {
    const random = createRandom(5);
    const source = createRig(tinyHuman({ spines: 3 }));
    const target = createRig(tinyHuman({ spines: 2, axes: random, legs: 0.6 }));
    const setup = createPlainSetup(source, target, createRigMap(source, target).map, {
      spacing: { arms: 0.5, legs: 0.3 },
    });
    const uneven = randomClip(random, source.skeleton, {
      travels: jointOf(source.skeleton, 'hips'),
      duration: 0.5,
      most: 1.5,
    });
    // Keys that nearly fall together are baked as one, which bends lines a little: here all do.
    const { times } = uneven.tracks[0]!;
    const clip: Clip = { ...uneven, tracks: uneven.tracks.map((track) => ({ ...track, times })) };
    const plain = retargetFrames(setup, clip, PASS_NAMES).frames;
    const { clip: moved, frames } = retargetFrames(setup, clip, PASS_NAMES, { refine: true });
    expect(frames).toBeGreaterThan(plain);
    const turns = lengthsOf(moved, 'rotation');
    const at = (role: Role) => turns.get(jointOf(target.skeleton, role));
    expect(at('head')).toBe(plain);
    expect(at('leftLowerArm')).toBe(plain);
    expect(worstMiss(setup, clip, moved)).toBeLessThan(0.05);
  });
});

describe('mergeTimes', () => {
  it('keeps all times in order, and says where each came from', () => {
    const { times, order } = mergeTimes(Float32Array.of(0, 1, 2), Float32Array.of(0.5, 1.25, 1.5));
    expect([...times]).toEqual([0, 0.5, 1, 1.25, 1.5, 2]);
    expect([...order]).toEqual([0, -1, 1, -2, -3, 2]);
  });

  it('changes nothing where there is nothing to put between', () => {
    expect(mergeTimes(Float32Array.of(0, 1), Float32Array.of())).toEqual({
      times: Float32Array.of(0, 1),
      order: Int32Array.of(0, 1),
    });
  });
});
