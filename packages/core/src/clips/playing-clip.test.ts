import { describe, expect, it } from 'vitest';
import { sceneOf, stickFigure } from '../../test/stick-figure.js';
import { retarget } from '../retarget.js';
import { type Clip, poseAt, sampleTrack, type Track } from '../scene/clip.js';
import { copyPose, type Pose } from '../scene/pose.js';
import { lessenClip } from './lessen-clip.js';
import { pingPong } from './ping-pong.js';
import { playClip, playedTime } from './playing-clip.js';

const person = stickFigure();
const other = stickFigure({ names: 'unreal', arms: 'A', size: 0.8 });
const [walk] = person.clips as [Clip];

/** A clip of one track. */
const clipOf = (track: Partial<Track>, duration: number): Clip => ({
  name: 'one',
  duration,
  morphs: [],
  tracks: [
    {
      joint: 0,
      channel: 'translation',
      interpolation: 'linear',
      times: Float32Array.of(),
      values: Float32Array.of(),
      ...track,
    },
  ],
});

const xAt = ({ tracks: [track] }: Clip, time: number) => {
  const value = new Float64Array(4);
  sampleTrack(value, 0, track!, time);
  return value[0]!;
};

const apart = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Math.max(...Array.from(a, (x, i) => Math.abs(x - b[i]!)));

/** How far two poses are from each other in any number, turns by either sign. */
function posesApart(a: Pose, b: Pose): number {
  let most = Math.max(apart(a.translations, b.translations), apart(a.scales, b.scales));
  for (let i = 0; i < a.rotations.length; i += 4) {
    const [p, q] = [a.rotations.slice(i, i + 4), b.rotations.slice(i, i + 4)];
    most = Math.max(
      most,
      Math.min(
        apart(p, q),
        apart(
          p,
          q.map((x) => -x),
        ),
      ),
    );
  }
  return most;
}

describe('W5: how a clip is played', () => {
  it('W5: once it stops, looped it starts over, ping-pong it turns back', () => {
    const seen = (mode: 'once' | 'loop' | 'pingPong') =>
      [0, 1, 2, 2.5, 4, 5, 9].map((seconds) => playedTime(2, seconds, { mode }));
    expect(seen('once')).toEqual([0, 1, 2, 2, 2, 2, 2]);
    expect(seen('loop')).toEqual([0, 1, 0, 0.5, 0, 1, 1]);
    expect(seen('pingPong')).toEqual([0, 1, 2, 1.5, 0, 1, 1]);
    expect(playedTime(2, 5)).toBe(2);
  });

  it('W5: start, end and speed, backwards too', () => {
    const part = { start: 0.5, end: 1.5, speed: 2 } as const;
    expect([0, 0.25, 0.5, 1].map((seconds) => playedTime(4, seconds, part))).toEqual([0.5, 1, 1.5, 1.5]);
    expect(playedTime(4, 0.75, { ...part, mode: 'loop' })).toBe(1);
    expect(playedTime(4, 0.75, { ...part, mode: 'pingPong' })).toBe(1);
    expect([0, 0.25, 9].map((seconds) => playedTime(4, seconds, { ...part, speed: -2 }))).toEqual([
      1.5, 1, 0.5,
    ]);
    expect(playedTime(4, 1, { start: 1, end: 1, mode: 'loop' })).toBe(1);
    expect(playedTime(0, 1, { mode: 'pingPong' })).toBe(0);
  });

  it('W5: there and back, keys beyond the end are left out and times rise', () => {
    const values = Float32Array.of(0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0);
    const [made] = pingPong(clipOf({ times: Float32Array.of(0, 1, 2, 3), values }, 1.5)).tracks;
    expect(Array.from(made!.times)).toEqual([0, 1, 1.5, 2, 3]);
    expect(Array.from(made!.values).filter((_, i) => i % 3 === 0)).toEqual([0, 1, 1.5, 1, 0]);
  });

  it('W5: the amount is how much of a clip shows over what the pose holds', () => {
    const rest = person.skeleton.rest;
    const at = (amount: number) => {
      const pose = copyPose(rest);
      playClip(pose, walk, 0.5, { amount });
      return pose;
    };
    expect(posesApart(at(1), poseAt(person.skeleton, walk, 0.5))).toBeLessThan(1e-12);
    expect(posesApart(at(0), rest)).toBeLessThan(1e-12);
    const [full, half] = [at(1), at(0.5)];
    for (let i = 0; i < rest.rotations.length; i += 4) {
      const dot = (a: Pose, b: Pose) =>
        Math.abs([0, 1, 2, 3].reduce((sum, c) => sum + a.rotations[i + c]! * b.rotations[i + c]!, 0));
      const angle = (a: Pose, b: Pose) => 2 * Math.acos(Math.min(1, dot(a, b)));
      expect(angle(rest, half)).toBeCloseTo(angle(rest, full) / 2, 6);
    }
    full.translations.forEach((x, i) => {
      expect(half.translations[i]).toBeCloseTo((x + rest.translations[i]!) / 2, 6);
    });
  });
});

describe('W5: ping-pong as a clip', () => {
  it('W5: at any time it is the clip forwards, then backwards, with steps, lines and cubics', () => {
    const times = Float32Array.of(0, 0.5, 1.25, 2);
    const cases: Partial<Track>[] = [
      { interpolation: 'linear', values: Float32Array.of(0, 0, 0, 4, 0, 0, 1, 0, 0, 3, 0, 0) },
      { interpolation: 'step', values: Float32Array.of(0, 0, 0, 4, 0, 0, 1, 0, 0, 3, 0, 0) },
      {
        interpolation: 'cubic',
        values: Float32Array.from([0, 4, 1, 3].flatMap((x, k) => [k - 2, 0, 0, x, 0, 0, 3 - 2 * k, 0, 0])),
      },
    ];
    for (const track of cases)
      for (const duration of [2, 2.5]) {
        const clip = clipOf({ times, ...track }, duration);
        const both = pingPong(clip);
        expect(both.duration).toBe(2 * duration);
        const [made] = both.tracks;
        expect(Array.from(made!.times).every((time, k, all) => k === 0 || time > all[k - 1]!)).toBe(true);
        for (let time = 0.03; time < duration; time += 0.11) {
          expect(xAt(both, time)).toBeCloseTo(xAt(clip, time), 4);
          expect(xAt(both, 2 * duration - time)).toBeCloseTo(xAt(clip, time), 4);
        }
      }
  });

  it('W5: retarget gives it, its root motion with it, and says that a loop is nothing besides', () => {
    const [a, b] = [sceneOf(person, 'a'), sceneOf(other, 'b')];
    const options = { measure: false, rootMotion: 'apart' } as const;
    const plain = retarget(a, b, options);
    const both = retarget(a, b, { ...options, pingPong: true });
    const [once, twice] = [plain.clips[0]!, both.clips[0]!];
    expect(twice.duration).toBeCloseTo(2 * once.duration, 6);
    for (const time of [0.2, 0.7, 0.93])
      expect(
        posesApart(
          poseAt(other.skeleton, twice, 2 * once.duration - time),
          poseAt(other.skeleton, once, time),
        ),
      ).toBeLessThan(1e-5);
    const [way, back] = [plain.rootMotion![0]!, both.rootMotion![0]!];
    expect(back.times).toHaveLength(2 * way.times.length - 1);
    expect([...back.translations.slice(-3)]).toEqual([...way.translations.slice(0, 3)]);
    const said = retarget(a, b, { measure: false, pingPong: true, loop: true }).report.warnings;
    expect(said.map(({ message }) => message).join()).toMatch(/the option loop has no effect: pingPong/);
  });
});

describe('W5: less of a motion', () => {
  it('W5: keys stand between the reference and what they were, whatever leads from one to the next', () => {
    const pose = copyPose(person.skeleton.rest);
    pose.translations[0] = 10;
    const linear = clipOf({ times: Float32Array.of(0, 1), values: Float32Array.of(0, 0, 0, 20, 0, 0) }, 1);
    expect(xAt(lessenClip(linear, pose, 0.25), 1)).toBe(12.5);
    expect(lessenClip(linear, pose, 1)).toBe(linear);
    const cubic = clipOf(
      {
        interpolation: 'cubic',
        times: Float32Array.of(0, 1),
        values: Float32Array.of(0, 0, 0, 0, 0, 0, 8, 0, 0, 4, 0, 0, 20, 0, 0, 0, 0, 0),
      },
      1,
    );
    for (const time of [0, 0.3, 0.8, 1])
      expect(xAt(lessenClip(cubic, pose, 0.25), time)).toBeCloseTo(7.5 + 0.25 * xAt(cubic, time), 5);
  });

  it('W5: retarget moves the target by that share, from its aligned reference', () => {
    const [a, b] = [sceneOf(person, 'a'), sceneOf(other, 'b')];
    const arm = other.jointOf('leftUpperArm');
    const turnOf = (amount: number) => {
      const { clips } = retarget(a, b, { measure: false, corrections: 'none', amount });
      const { rotations } = poseAt(other.skeleton, clips[0]!, 0.25);
      return rotations.slice(4 * arm, 4 * arm + 4);
    };
    const angle = (p: Float64Array, q: Float64Array) =>
      2 * Math.acos(Math.min(1, Math.abs(p.reduce((sum, x, c) => sum + x * q[c]!, 0))));
    const [none, some, all] = [0, 0.3, 1].map(turnOf) as [Float64Array, Float64Array, Float64Array];
    expect(angle(none, all)).toBeGreaterThan(0.1);
    expect(angle(none, some)).toBeCloseTo(0.3 * angle(none, all), 1);
    expect(angle(some, all)).toBeLessThan(angle(none, all));
  });
});
