import {
  type Clip,
  type RetargetOptions,
  retarget,
  type Scene,
  type Track,
  UsageError,
} from '@stuntdouble/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { read } from '../src/index.js';

const sample = (path: string) => read(new URL(`../../../samples/files/${path}`, import.meta.url).pathname);

let capture: Scene;
let walk: Scene;
let guy: Scene;
let goblin: Scene;
let girl: Scene;

beforeAll(async () => {
  capture = await sample('captures/walk-cmu.bvh');
  walk = await sample('motions/walk.glb');
  guy = await sample('characters/mixamo-guy.glb');
  goblin = await sample('characters/goblin.glb');
  girl = await sample('characters/vrm-girl.vrm');
});

const clipsOf = (scene: Scene) => scene.characters[0]!.clips;
const withClips = (scene: Scene, clips: Clip[]): Scene => ({
  ...scene,
  characters: [{ ...scene.characters[0]!, clips }],
});
/** All key times of a clip, each but once. */
const timesOf = ({ tracks }: Clip) =>
  [...new Set(tracks.flatMap(({ times }) => [...times].map((time) => Math.round(1e4 * time))))].sort(
    (a, b) => a - b,
  );
const mostKeys = ({ tracks }: Clip) => Math.max(...tracks.map(({ times }) => times.length));

describe('keys of a baked clip', () => {
  it('have one even rate, and as many frames as the source, corrected or not', () => {
    for (const target of [goblin, girl])
      for (const options of [{}, { keys: 'bake', corrections: 'none' }] as RetargetOptions[]) {
        const { clips, report } = retarget(capture, target, { ...options, keepCalibration: true });
        const source = clipsOf(capture)[0]!;
        expect(clips[0]!.duration).toBeCloseTo(source.duration, 6);
        expect(mostKeys(clips[0]!)).toBe(mostKeys(source));
        expect(report.clips[0]!.frames).toBe(mostKeys(source));
        const steps = new Set(timesOf(clips[0]!).map((time, k, all) => (k > 0 ? time - all[k - 1]! : 0)));
        steps.delete(0);
        expect(Math.max(...steps) - Math.min(...steps)).toBeLessThanOrEqual(1);
      }
  });

  it('stay as many in a clip that stands still', () => {
    const still = clipsOf(capture)[0]!;
    const standing: Clip = {
      ...still,
      tracks: still.tracks.map((track) => {
        const size = track.channel === 'rotation' ? 4 : 3;
        const first = track.values.slice(-size);
        return { ...track, values: Float32Array.from(track.values, (_, i) => first[i % size]!) };
      }),
    };
    const { clips } = retarget(withClips(capture, [standing]), goblin);
    expect(mostKeys(clips[0]!)).toBe(mostKeys(still));
    expect(clips[0]!.duration).toBeCloseTo(still.duration, 6);
  });

  it('say how far lines between them miss, and are more where that is asked for', () => {
    const plain = retarget(capture, goblin).report.clips[0]!;
    expect(plain.missed).toBeGreaterThan(0);
    const asked = plain.missed! / 2;
    const denser = retarget(capture, goblin, { between: asked }).report.clips[0]!;
    expect(denser.missed).toBeLessThanOrEqual(asked);
    expect((denser.frames - 1) % (plain.frames - 1)).toBe(0);
    expect(denser.frames).toBeLessThanOrEqual(4 * (plain.frames - 1) + 1);
    expect(retarget(capture, goblin, { measure: false }).report.clips[0]!.missed).toBeUndefined();
  });

  it('are uneven with keys: refine, and true to a fortieth of a degree', () => {
    const { clips } = retarget(capture, goblin, { keys: 'refine' });
    const steps = new Set(timesOf(clips[0]!).map((time, k, all) => (k > 0 ? time - all[k - 1]! : 0)));
    expect(steps.size).toBeGreaterThan(3);
    expect(() => retarget(capture, goblin, { keys: 'even' } as never)).toThrow(UsageError);
  });
});

describe('a clip that moves some joints (W25)', () => {
  /** The walk with its tracks of some joints alone. */
  const partly = (names: RegExp): Scene => {
    const [clip] = clipsOf(walk);
    const { skeleton } = walk.characters[0]!;
    const tracks = clip!.tracks.filter(({ joint }) => names.test(skeleton.names[joint]!));
    return withClips(walk, [{ ...clip!, tracks }]);
  };
  const keyOf = ({ joint, channel }: Track) => `${joint} ${channel}`;
  /** Whether each track of a clip is in another one with the same values at the times of the first. */
  const expectSameTracks = (some: Clip, all: Clip) => {
    expect(some.tracks.length).toBeGreaterThan(0);
    for (const track of some.tracks) {
      const other = all.tracks.find((each) => keyOf(each) === keyOf(track))!;
      expect(other).toBeDefined();
      expect([...other.times]).toEqual([...track.times]);
      other.values.forEach((value, i) => {
        expect(value).toBeCloseTo(track.values[i]!, 6);
      });
    }
  };
  const jointsOf = (scene: Scene, clip: Clip) =>
    new Set(clip.tracks.map(({ joint }) => scene.characters[0]!.skeleton.names[joint]!));

  it('W25: gives tracks to their counterparts alone: one for one', () => {
    for (const options of [{}, { corrections: 'none' }, { keys: 'bake' }] as RetargetOptions[]) {
      const { clips } = retarget(partly(/LeftArm$/), girl, options);
      expect(clips[0]!.tracks).toHaveLength(1);
      const whole = retarget(partly(/LeftArm$/), girl, { ...options, wholeBody: true });
      expect(whole.clips[0]!.tracks.length).toBeGreaterThan(10);
    }
  });

  it('W25: limbs that the clip does not move are not in the result, corrected or not', () => {
    const arms = retarget(partly(/Arm$|Hand$|Hips$/), goblin);
    for (const name of jointsOf(goblin, arms.clips[0]!)) expect(name).not.toMatch(/leg|foot|toe/i);
    const lower = retarget(partly(/Hips$|Leg$|Foot$/), goblin);
    expect(lower.report.clips[0]!.contacts!.length).toBeGreaterThan(0);
    for (const name of jointsOf(goblin, lower.clips[0]!)) expect(name).not.toMatch(/arm|hand/i);
  });

  it('W25: who stands keeps his legs: tracks that never change count', () => {
    const [clip] = clipsOf(walk);
    const still = {
      ...clip!,
      tracks: clip!.tracks.map((track) => {
        const size = track.channel === 'rotation' ? 4 : 3;
        return { ...track, values: Float32Array.from(track.values, (_, i) => track.values[i % size]!) };
      }),
    };
    const { clips } = retarget(withClips(walk, [still]), girl);
    expect([...jointsOf(girl, clips[0]!)].some((name) => /leg/i.test(name))).toBe(true);
  });

  it('W25: corrects a limb only where the clip has tracks for the hips and for it', () => {
    for (const names of [/UpLeg$|Leg$|Foot$/, /Arm$|Hand$/, /Hips$|Spine/, /Hips$|LeftArm$/]) {
      const { clips, report } = retarget(partly(names), goblin);
      const plain = retarget(partly(names), goblin, { corrections: 'none' });
      expect(report.clips[0]!.contacts ?? []).toEqual([]);
      expectSameTracks(clips[0]!, plain.clips[0]!);
    }
    const { clips, report } = retarget(partly(/Hips$|LeftUpLeg$|LeftLeg$|LeftFoot$/), goblin);
    const points = report.clips[0]!.contacts!.map(({ point }) => point);
    expect(points).toContain('leftHeel');
    for (const point of points) expect(point).not.toMatch(/^right/);
    for (const name of jointsOf(goblin, clips[0]!)) expect(name).not.toMatch(/right|\.R$|_R$/i);
  });

  it('W25: values are those of the whole-body result, which holds the other joints besides', () => {
    for (const names of [
      /LeftArm$/,
      /Arm$|Hand$|Hips$/,
      /Hips$|Leg$|Foot$/,
      /Hips$|LeftUpLeg$|LeftLeg$|LeftFoot$/,
    ])
      for (const target of [girl, goblin]) {
        const { clips } = retarget(partly(names), target);
        const whole = retarget(partly(names), target, { wholeBody: true });
        expectSameTracks(clips[0]!, whole.clips[0]!);
        const own = new Set(clips[0]!.tracks.map(keyOf));
        const added = whole.clips[0]!.tracks.filter((track) => !own.has(keyOf(track)));
        expect(added.length).toBeGreaterThan(0);
        for (const { channel, values } of added) {
          const size = channel === 'rotation' ? 4 : 3;
          expect([...values].every((value, i) => Math.abs(value - values[i % size]!) < 1e-6)).toBe(true);
        }
      }
  });

  it('W25: who stays where he is keeps his place: travel that never changes counts', () => {
    const { skeleton } = walk.characters[0]!;
    const [clip] = clipsOf(walk);
    // The same body, twice as large, so that it stands where its double does.
    const rest = { ...skeleton.rest, translations: skeleton.rest.translations.map((value) => 2 * value) };
    const tracks = clip!.tracks.map((track): Track => {
      const { joint, channel, values } = track;
      if (channel !== 'translation') return track;
      return {
        ...track,
        values: Float32Array.from(values, (_, i) => rest.translations[3 * joint + (i % 3)]!),
      };
    });
    const source = {
      ...walk,
      characters: [{ skeleton: { ...skeleton, rest }, clips: [{ ...clip!, tracks }] }],
    };
    const { clips } = retarget(source, withClips(walk, []), { corrections: 'none' });
    const moved = clips[0]!.tracks.filter(({ channel }) => channel === 'translation');
    expect(moved.map(({ joint }) => skeleton.names[joint])).toEqual([expect.stringMatching(/Hips$/)]);
    expect([...moved[0]!.values].every((value, i) => Math.abs(value - moved[0]!.values[i % 3]!) < 1e-6)).toBe(
      true,
    );
  });

  it('W25: what is left alone is not counted against it', () => {
    const { report } = retarget(partly(/LeftArm$|LeftForeArm$/), girl, { corrections: 'none' });
    expect(report.measures[0]!.direction.worst).toBeLessThan(0.1);
  });
});

describe('a pose for calibration', () => {
  /** A capture that begins with a few frames of its skeleton's zero pose, which is a T. */
  const calibrated = (frames: number): Scene => {
    const [clip] = clipsOf(capture);
    const step = clip!.tracks[0]!.times[1]!;
    const tracks = clip!.tracks.map((track) => {
      const held = track.channel === 'rotation' ? [0, 0, 0, 1] : [...track.values.slice(0, 3)];
      return {
        ...track,
        times: Float32Array.from({ length: track.times.length + frames }, (_, k) => k * step),
        values: Float32Array.from([...Array.from({ length: frames }, () => held).flat(), ...track.values]),
      };
    });
    return withClips(capture, [{ ...clip!, duration: clip!.duration + frames * step, tracks }]);
  };

  it('is left out of the result, with a note, and kept where asked for', () => {
    const source = withoutCalibration(capture);
    for (const frames of [1, 5]) {
      const scene = calibrated(frames);
      const { clips, report } = retarget(scene, goblin);
      expect(report.notes.map(({ code }) => code)).toContain('calibration-left-out');
      expect(clips[0]!.duration).toBeLessThan(clipsOf(scene)[0]!.duration - 0.9 * frames * 0.008);
      expect(report.clips[0]!.start).toBeGreaterThan(0);
      const kept = retarget(scene, goblin, { keepCalibration: true });
      expect(kept.clips[0]!.duration).toBeCloseTo(clipsOf(scene)[0]!.duration, 5);
      expect(kept.report.notes.map(({ code }) => code)).not.toContain('calibration-left-out');
    }
    expect(retarget(source, goblin).report.notes.map(({ code }) => code)).not.toContain(
      'calibration-left-out',
    );
  });
});

/** A capture from half a second on: whatever it begins with is gone. */
function withoutCalibration(scene: Scene): Scene {
  const [clip] = clipsOf(scene);
  const tracks = clip!.tracks.map((track) => {
    const size = track.channel === 'rotation' ? 4 : 3;
    const from = [...track.times].findIndex((time) => time >= 0.5);
    return {
      ...track,
      times: Float32Array.from(track.times.slice(from), (time) => time - track.times[from]!),
      values: track.values.slice(size * from),
    };
  });
  return withClips(scene, [
    { ...clip!, duration: Math.max(...tracks.map(({ times }) => times.at(-1)!)), tracks },
  ]);
}

describe('a clip that shall loop', () => {
  it('is cut to its cycle', () => {
    // Five steps of a walk that is four steps long: two of them are its cycle.
    const [clip] = clipsOf(walk);
    const { duration } = clip!;
    const again = (track: Track): Track => {
      const size = track.channel === 'rotation' ? 4 : 3;
      const count = track.times.length - 1;
      const more = Math.floor(count / 4);
      const travel =
        track.channel === 'translation'
          ? track.values.slice(3 * count).map((v, c) => v - track.values[c]!)
          : null;
      const extra = track.values
        .slice(size, size * (more + 1))
        .map((v, i) => v + (travel ? travel[i % 3]! : 0));
      return {
        ...track,
        times: Float32Array.from([
          ...track.times,
          ...Array.from({ length: more }, (_, k) => duration + track.times[k + 1]!),
        ]),
        values: Float32Array.from([...track.values, ...extra]),
      };
    };
    const longer = { ...clip!, duration: 1.25 * duration, tracks: clip!.tracks.map(again) };
    const { clips, report } = retarget(withClips(walk, [longer]), guy, { loop: true });
    expect(report.notes.map(({ code }) => code)).toContain('loop-cut');
    expect(clips[0]!.duration).toBeCloseTo(duration / 2, 1);
    expect(report.measures[0]!.motion.loopSeam!.result).toBeLessThan(0.2);
  });

  it('is left as it is, with a warning, where no two instants match', async () => {
    const lying = await sample('captures/lie-down-cmu.bvh');
    const range = [0.5, 4] as const;
    const { clips, report } = retarget(lying, guy, { range, loop: true });
    expect(report.warnings.map(({ code }) => code)).toContain('loop-not-found');
    const plain = retarget(lying, guy, { range });
    expect(clips[0]!.tracks.length).toBe(plain.clips[0]!.tracks.length);
    clips[0]!.tracks.forEach((track, n) => {
      expect(track.values).toEqual(plain.clips[0]!.tracks[n]!.values);
    });
  });

  it('is taken whole where its ends match', () => {
    const { clips, report } = retarget(walk, goblin, { loop: true });
    expect(report.notes.map(({ code }) => code)).not.toContain('loop-cut');
    expect(clips[0]!.duration).toBeCloseTo(clipsOf(walk)[0]!.duration, 5);
  });
});
