import { describe, expect, it } from 'vitest';
import { withOtherAxes, withOtherUnit, withTurnedFile } from '../../test/reexpress.js';
import { stickFigure, turn } from '../../test/stick-figure.js';
import type { Vec3 } from '../base/math/vector.js';
import { createRig } from '../body/understand/create-rig.js';
import type { Clip, Track } from '../scene/clip.js';
import type { Character } from '../scene/scene.js';
import { bodyPoints, hipHeightOf, SOLE_POINTS, solePoints } from './body-points.js';
import { HELD_CONTACTS, STANDING_CONTACTS } from './contact-rules.js';
import {
  contactsOfTracks,
  findContacts,
  floorOffset,
  pointCourses,
  pointHeights,
  pointSpeeds,
} from './find-contacts.js';
import { trackPoints } from './track-points.js';

const figure = stickFigure();
const rig = createRig(figure.skeleton);
const unit = hipHeightOf(rig);
const hips = figure.jointOf('hips');

/** The whole body moved along a path from where it rests: metres at seconds. */
function moved(path: (t: number) => Vec3, duration = 2, rate = 60, name = 'path'): Clip {
  const count = Math.round(duration * rate) + 1;
  const times = Float64Array.from({ length: count }, (_, k) => k / rate);
  const values = new Float64Array(3 * count);
  const rest = figure.skeleton.rest.translations;
  times.forEach((t, k) => {
    values.set(
      path(t).map((value, c) => rest[3 * hips + c]! + value),
      3 * k,
    );
  });
  const track: Track = { joint: hips, channel: 'translation', interpolation: 'linear', times, values };
  return { name, duration, tracks: [track], morphs: [] };
}

const ofFeet = (clip: Clip, options = {}) =>
  findContacts(rig, clip, options).filter(({ point }) => SOLE_POINTS.includes(point));

describe('solePoints', () => {
  it('the heel is on the floor below the ankle, the ball at the toe joint with its own height', () => {
    const [heel, toe] = solePoints(rig);
    expect([heel!.name, heel!.standing]).toEqual(['leftHeel', 0]);
    expect(toe!.name).toBe('leftToe');
    expect(toe!.joint).toBe(figure.jointOf('leftToes'));
    // Hips rest at 1 m, toes 0.02 m over the floor.
    expect(toe!.standing).toBeCloseTo(0.02, 6);
    const tracks = trackPoints(
      rig,
      moved(() => [0, 0, 0]),
    );
    expect(tracks.positions[1]).toBeCloseTo(rig.floor.height, 9);
  });

  it('without toes the ball is on the floor 0.15 hip heights ahead of the ankle', () => {
    const bare = createRig(stickFigure({ toes: false }).skeleton);
    const points = solePoints(bare);
    expect(points.map(({ name }) => name)).toEqual(['leftHeel', 'leftToe', 'rightHeel', 'rightToe']);
    const tracks = trackPoints(bare, { name: '', duration: 0, tracks: [], morphs: [] }, points);
    const [heel, toe] = [tracks.positions.slice(0, 3), tracks.positions.slice(3, 6)];
    expect(toe[2]! - heel[2]!).toBeCloseTo(0.15 * hipHeightOf(bare), 6);
    expect(toe[1]).toBeCloseTo(bare.floor.height, 6);
  });

  it('skin gives the sole and how far ahead the ball is', () => {
    const skinned = stickFigure({ toes: false });
    const foot = skinned.jointOf('leftFoot');
    // A shoe: 0.1 m below the ankle, 0.3 m ahead, 0.05 m behind.
    const shoe = Float32Array.of(0, -0.1, 0.3, 0, -0.1, -0.05, 0.03, 0, 0, -0.03, 0, 0);
    skinned.skeleton.hulls = skinned.skeleton.names.map((_, joint) => (joint === foot ? shoe : null));
    const shod = createRig(skinned.skeleton);
    const points = solePoints(shod);
    const [heel, toe] = points;
    expect(heel!.offset[1]).toBeCloseTo(-0.1, 6);
    expect(toe!.offset[2]).toBeCloseTo(0.21, 6);
  });

  it('a body without feet has no soles, one without roles no points', () => {
    const legless = createRig(stickFigure({ without: ['leftFoot', 'rightFoot'] }).skeleton);
    expect(solePoints(legless)).toEqual([]);
    const nothing = { ...rig, joints: {} };
    expect(bodyPoints({ ...nothing, body: { kind: 'unknown', parts: [] } })).toEqual([]);
  });
});

describe('findContacts', () => {
  it('edges: empty, one instant, endless and broken clips give contacts or none, never an error', () => {
    for (const clip of [
      { name: '', duration: 0, tracks: [], morphs: [] },
      { name: '', duration: Number.NaN, tracks: [], morphs: [] },
      { name: '', duration: 1e30, tracks: [], morphs: [] },
      moved(() => [Number.NaN, 0, 0]),
    ])
      for (const contact of findContacts(rig, clip)) {
        expect(
          [contact.start, contact.end, contact.height, ...contact.position!].every(Number.isFinite),
        ).toBe(true);
      }
  });

  it('a body that stands is in contact with both feet all the time, and with nothing else', () => {
    const contacts = findContacts(
      rig,
      moved(() => [0, 0, 0]),
    );
    expect(contacts.map(({ point }) => point)).toEqual(['leftHeel', 'leftToe', 'rightHeel', 'rightToe']);
    for (const { start, end, height } of contacts) {
      expect([start, end]).toEqual([0, 2]);
      expect(height).toBe(0);
    }
    expect(JSON.parse(JSON.stringify(contacts))).toEqual(contacts);
  });

  it('a foot that is still at the limit goes on with its contact beside it, and stands on nothing by itself', () => {
    const ends = (lift: number) =>
      ofFeet(
        moved((t) => {
          const share = Math.min(1, Math.max(0, (t - 1) * 60));
          const hop = t > 1 && t < 1.2 ? lift * Math.sin((Math.PI * (t - 1)) / 0.2) : 0;
          // Up too fast for a contact; then it lies where only the loose limits reach.
          return [0, (0.034 * share + hop) * unit, 0];
        }),
      ).map(({ end }) => end);
    expect(ends(0)).toEqual([2, 2, 2, 2]);
    for (const end of ends(0.3)) expect(end).toBeLessThan(1.1);
  });

  it('faster than 40 %/s or higher than 4 % is none by the measure; slower and lower is', () => {
    const slides = (speed: number) =>
      ofFeet(
        moved((t) => [0, 0, speed * unit * t]),
        STANDING_CONTACTS,
      ).length;
    expect([slides(0.39), slides(0.41)]).toEqual([4, 0]);
    // Up from 1 s on, slowly: what is higher is no contact any more.
    const rises = (height: number) =>
      ofFeet(
        moved((t) => [0, unit * Math.min(height, Math.max(0, 0.1 * (t - 1))), 0]),
        STANDING_CONTACTS,
      )[0]!.end;
    expect(rises(0.03)).toBe(2);
    expect(rises(0.05)).toBeCloseTo(1.4, 1);
  });

  it('the detector for holding is stricter than the measure', () => {
    for (const key of ['height', 'speed', 'releaseHeight', 'releaseSpeed'] as const)
      expect(HELD_CONTACTS[key]).toBeLessThan(STANDING_CONTACTS[key]);
    const clip = moved((t) => [0, 0, 0.39 * unit * t]);
    expect(ofFeet(clip)).toEqual([]);
  });

  it('F4: hysteresis and merging bridge a twitch in one place, not a step', () => {
    const twitch = (size: number) => moved((t) => [0, 0, t > 1 && t < 1.03 ? size * unit : 0]);
    const twitchOnto = (size: number) => moved((t) => [0, 0, t > 1 ? size * unit : 0]);
    expect(ofFeet(twitch(0.03)).map(({ start, end }) => [start, end])).toEqual([
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 2],
    ]);
    // As short, but a tenth of the hip height on: two places, however quick the step was.
    const hop = ofFeet(twitchOnto(0.09)).filter(({ point }) => point === 'leftToe');
    expect(hop).toHaveLength(2);
    // Half a second of walking in between: two places.
    const step = moved((t) => [0, 0, unit * Math.min(1, Math.max(0, 2 * (t - 0.75)))]);
    expect(ofFeet(step).filter(({ point }) => point === 'leftToe')).toHaveLength(2);
    const [a, b] = ofFeet(step).filter(({ point }) => point === 'leftToe');
    expect(b!.position![2] - a!.position![2]).toBeCloseTo(unit, 2);
  });

  it('shorter than a tenth of a second is none', () => {
    const stop = (seconds: number) =>
      ofFeet(
        moved((t) => [0, 0, unit * (t < 1 ? t - 1 : t < 1 + seconds ? 0 : t - 1 - seconds)]),
        STANDING_CONTACTS,
      ).length;
    // Speeds are taken over 66 ms, so that a stop looks shorter by that.
    expect(stop(0.1)).toBe(0);
    expect(stop(0.3)).toBe(4);
  });

  it('stairs: what carries a foot that is the lowest of the body is a support of its height', () => {
    const stairs = moved((t) => [0, t < 1 ? 0 : 0.3 * unit, 0]);
    const left = ofFeet(stairs).filter(({ point }) => point === 'leftHeel');
    expect(left).toHaveLength(2);
    expect(left[0]!.height).toBe(0);
    expect(left[1]!.height).toBeCloseTo(0.3, 6);
  });

  it('a body that floats slowly up and down in the air stands on nothing', () => {
    // At a fifth of a hip height a second a foot is slow enough, and in one place for a third of a second.
    const floating = moved((t) => [0, (0.5 + 0.2 * Math.abs(((t / 2) % 1) * 2 - 1)) * unit, 0]);
    expect(ofFeet(floating).filter(({ height }) => height > 0.1)).toEqual([]);
  });

  it('a foot held still in the air beside a standing one carries nothing', () => {
    const thigh = figure.jointOf('leftUpperLeg');
    const raised = turn([1, 0, 0], -60);
    const track: Track = {
      joint: thigh,
      channel: 'rotation',
      interpolation: 'linear',
      times: Float32Array.of(0),
      values: Float64Array.from(raised),
    };
    const clip = { ...moved(() => [0, 0, 0]), tracks: [track] };
    expect(ofFeet(clip).map(({ point }) => point)).toEqual(['rightHeel', 'rightToe']);
  });

  it('a floor that is not quite where the skeleton has it is found', () => {
    const contacts = ofFeet(moved(() => [0, 0.1 * unit, 0]));
    expect(contacts).toHaveLength(4);
    for (const { height } of contacts) expect(height).toBe(0);
  });

  it('R6: unit, facing, axes and frame rate change nothing', () => {
    const path = (t: number): Vec3 => [0, Math.max(0, 0.3 * Math.sin(3 * t)), 0.2 * Math.sin(4 * t)];
    const character: Character = { skeleton: figure.skeleton, clips: [moved(path)] };
    const plain = findContacts(createRig(character.skeleton), character.clips[0]!);
    expect(plain.length).toBeGreaterThan(4);
    const told = (contacts: typeof plain) =>
      contacts.map(({ point, start, end, height }) => `${point} ${start} ${end} ${height.toFixed(4)}`);
    for (const other of [
      withOtherUnit(character, 100, 0.01),
      withTurnedFile(character, turn([0, 1, 0], 137)),
      withTurnedFile(character, turn([1, 0, 0], 90), { up: '+Z' }),
      withOtherAxes(character),
    ])
      expect(told(findContacts(createRig(other.skeleton), other.clips[0]!))).toEqual(told(plain));
    const coarse = findContacts(rig, moved(path, 2, 120));
    expect(coarse.map(({ point }) => point)).toEqual(plain.map(({ point }) => point));
    coarse.forEach(({ start, end }, i) => {
      expect(Math.abs(start - plain[i]!.start)).toBeLessThan(0.04);
      expect(Math.abs(end - plain[i]!.end)).toBeLessThan(0.04);
    });
  });

  it('speeds are in hip heights a second', () => {
    const tracks = trackPoints(
      rig,
      moved((t) => [0, 0, 0.25 * unit * t]),
    );
    for (const speed of pointSpeeds(tracks)) expect(speed).toBeCloseTo(0.25, 6);
    expect(contactsOfTracks(tracks, STANDING_CONTACTS)).toHaveLength(4);
  });

  it('figures that are read once are those that are read one by one', () => {
    const tracks = trackPoints(
      rig,
      moved((t) => [0, unit * (0.1 + 0.3 * Math.max(0, Math.sin(3 * t))), 0.1 * unit * Math.sin(2 * t)]),
    );
    const courses = pointCourses(tracks);
    expect(courses.floor).toBeCloseTo(0.1, 3);
    expect(courses.floor).toBe(floorOffset(tracks));
    expect(courses.speeds).toEqual(pointSpeeds(tracks));
    expect(courses.heights).toEqual(pointHeights(tracks));
    const contacts = contactsOfTracks(tracks);
    expect(contacts.length).toBeGreaterThan(0);
    expect(contactsOfTracks(tracks, {}, courses)).toEqual(contacts);
  });
});
