import { describe, expect, it } from 'vitest';
import {
  clipOf,
  createRandom,
  jointOf,
  type Quat,
  rotationTrack,
  sceneOf,
  tinyHuman,
} from '../../test/tiny-rigs.js';
import { quaternionAngle } from '../base/math/quaternion.js';
import { createRig } from '../body/understand/create-rig.js';
import type { Track } from '../scene/clip.js';
import { calmClip } from './calm-clip.js';
import { findContacts } from './find-contacts.js';

const RATE = 60;
const COUNT = 240;
const scene = sceneOf(tinyHuman());
const { skeleton } = scene.characters[0]!;
const rig = createRig(skeleton);
const arm = jointOf(skeleton, 'leftUpperArm');

const times = Array.from({ length: COUNT }, (_, k) => k / RATE);
const about = (angle: number): Quat => [Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)];
const turns = (angleOf: (time: number, k: number) => number) =>
  rotationTrack(
    arm,
    times,
    times.map((time, k) => about(angleOf(time, k))),
  );
const calm = (track: Track, cutoff = 8): Track =>
  calmClip(rig, clipOf([track]), cutoff).tracks.find(({ joint }) => joint === arm)!;
/** The largest angle between two tracks, from one key to another. */
const apart = (a: Track, b: Track, from = 0, to = COUNT) => {
  let most = 0;
  for (let k = from; k < to; k++) most = Math.max(most, quaternionAngle(a.values, 4 * k, b.values, 4 * k));
  return most;
};

describe('a calm clip', () => {
  const swing = (time: number) => 0.8 * Math.sin(2 * Math.PI * time);

  it('has lost its jitter and nothing of its motion, which comes no later', () => {
    const random = createRandom(3);
    const noise = times.map(() => 0.02 * (random() + random() + random() - 1.5));
    const still = turns(swing);
    const shaken = turns((time, k) => swing(time) + noise[k]!);
    const calmed = calm(shaken);
    // Of even noise 8 Hz at 60 frames a second leave 0.53; to be late by a frame would cost 0.08 radians.
    expect(apart(calmed, still, 10, COUNT - 10)).toBeLessThan(0.65 * apart(shaken, still, 10, COUNT - 10));
    const jerk = ({ values }: Track) => {
      let sum = 0;
      for (let k = 3; k < COUNT; k++)
        sum += Math.abs(
          values[4 * k]! - 3 * values[4 * k - 4]! + 3 * values[4 * k - 8]! - values[4 * k - 12]!,
        );
      return sum;
    };
    expect(jerk(calmed)).toBeLessThan(0.15 * jerk(shaken));
  });

  it('keeps a blow as it was, and what is beside it calm', () => {
    const random = createRandom(5);
    const noise = times.map(() => 0.01 * (random() - 0.5));
    const blow = (time: number) => (time < 2 ? 0 : 1.2 * Math.exp(-(time - 2) / 0.05));
    const struck = turns((time, k) => blow(time) + noise[k]!);
    const calmed = calm(struck);
    expect(apart(calmed, struck, 119, 123)).toBeLessThan(0.01);
    expect(apart(calmed, turns(blow), 20, 100)).toBeLessThan(0.7 * apart(struck, turns(blow), 20, 100));
  });

  it('keeps the moment in which a foot comes down', () => {
    const leg = jointOf(skeleton, 'leftUpperLeg');
    const random = createRandom(7);
    // A straight leg swings in and stands from the second second on.
    const angle = times.map((time) => (time < 2 ? -0.4 * (2 - time) : 0) + 0.004 * (random() - 0.5));
    const given = { ...turns((_, k) => angle[k]!), joint: leg };
    const calmed = calmClip(rig, clipOf([given]), 6).tracks[0]!;
    const { start } = findContacts(rig, clipOf([given])).find(
      (contact) => contact.point === 'leftHeel' && contact.start > 0,
    )!;
    expect(start).toBeGreaterThan(1);
    const down = Math.round(start * RATE);
    expect(apart(calmed, given, down, down + 1)).toBeLessThan(0.1 * apart(calmed, given, 20, 40));
  });

  it('is the clip itself where keys are set by hand, curved, or still', () => {
    const few = clipOf([rotationTrack(arm, [0, 1, 2], [about(0), about(1), about(0)])]);
    expect(calmClip(rig, few, 8)).toBe(few);
    const still = clipOf([turns(() => 0.4)]);
    expect(calmClip(rig, still, 8)).toBe(still);
    const uneven = clipOf([
      rotationTrack(
        arm,
        times.map((time, k) => time + (k % 2) * 0.008),
        times.map((time) => about(swing(time))),
      ),
    ]);
    expect(calmClip(rig, uneven, 8)).toBe(uneven);
    const held = clipOf([{ ...turns(swing), interpolation: 'step' as const }]);
    expect(calmClip(rig, held, 8)).toBe(held);
  });

  it('goes over turns that change their sign', () => {
    const plain = turns(swing);
    const flipped = { ...plain, values: plain.values.map((x, i) => ((i >> 2) % 3 === 0 ? -x : x)) };
    expect(apart(calm(flipped), calm(plain))).toBeLessThan(1e-6);
  });
});
