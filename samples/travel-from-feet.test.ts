import { type Clip, type RetargetOptions, retarget, type Scene } from '@stuntdouble/core';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { samplesFolder } from './catalogue.js';

const vectorAt = (values: ArrayLike<number>, at: number) =>
  [values[at]!, values[at + 1]!, values[at + 2]!] as const;

const walk = await read(`${samplesFolder}motions/walk.glb`);
const goblin = await read(`${samplesFolder}characters/goblin.glb`);

/** The track that carries a clip over the ground: the one that goes furthest. */
function travelTrack({ tracks }: Clip) {
  const gone = ({ values, times }: Clip['tracks'][0]) => {
    const [a, b] = [vectorAt(values, 0), vectorAt(values, 3 * (times.length - 1))];
    return Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  };
  return tracks
    .filter(({ channel }) => channel === 'translation')
    .reduce((a, b) => (gone(b) > gone(a) ? b : a));
}

/** The walk on the spot: as far as it travels from first to last, its hips are brought back, steadily. */
function onTheSpot(scene: Scene): Scene {
  const characters = scene.characters.map((character) => ({
    ...character,
    clips: character.clips.map((clip): Clip => {
      const track = travelTrack(clip);
      const end = track.times.length - 1;
      const values = track.values.slice();
      for (let k = 0; k <= end; k++)
        for (let c = 0; c < 3; c++)
          values[3 * k + c]! -=
            ((track.values[3 * end + c]! - track.values[c]!) * track.times[k]!) / track.times[end]!;
      return { ...clip, tracks: clip.tracks.map((each) => (each === track ? { ...track, values } : each)) };
    }),
  }));
  return { ...scene, characters };
}

/** How far the result goes, in the unit that its root motion is told in. */
function gone(source: Scene, options: RetargetOptions): number {
  const { clips, rootMotion } = retarget(source, goblin, { measure: false, ...options });
  const way = rootMotion?.[0]?.translations ?? travelTrack(clips[0]!).values;
  const [a, b] = [vectorAt(way, 0), vectorAt(way, way.length - 3)];
  return Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
}

describe('travel from feet', () => {
  const still = onTheSpot(walk);
  const meant = gone(walk, {});

  it('W24: a walk on the spot goes as far as the one that was captured, with every root motion', () => {
    expect(meant).toBeGreaterThan(0.3);
    expect(gone(still, {})).toBeLessThan(0.05 * meant);
    for (const rootMotion of ['keep', 'extract', 'apart'] as const)
      expect(
        gone(still, { travel: 'fromFeet', rootMotion }) / gone(walk, { rootMotion }),
        rootMotion,
      ).toBeCloseTo(1, 1);
    expect(gone(still, { travel: 'fromFeet', rootMotion: 'inPlace' })).toBeLessThan(0.05 * meant);
  });

  it('a clip that travels by itself stays as it is, and that is said', () => {
    const { clips, report } = retarget(walk, goblin, { travel: 'fromFeet', measure: false });
    expect(report.warnings.map(({ code }) => code)).toContain('option-without-effect');
    expect(clips).toEqual(retarget(walk, goblin, { measure: false }).clips);
  });
});
