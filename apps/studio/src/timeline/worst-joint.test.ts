import { readFileSync } from 'node:fs';
import type { Clip, Contact } from '@stuntdouble/core/engine';
import { beforeAll, expect, it } from 'vitest';
import { answerQuestion, createMemory } from '../engine/handlers.js';
import type { FileFacts } from '../engine/protocol.js';
import { worstJoint } from './worst-joint.js';

/** The left foot stands then, and the right one swings. */
const TIME = 0.4;

let facts: FileFacts;
let clip: Clip;
beforeAll(async () => {
  const path = 'motions/walk.glb';
  const bytes = readFileSync(new URL(`../../../../samples/files/${path}`, import.meta.url));
  const file = { id: path, name: path, file: new Blob([new Uint8Array(bytes)]), beside: [] };
  facts = await answerQuestion(createMemory(), { type: 'open', file }, { progress: () => {} });
  clip = facts.clips[0]!;
});

const contact = (point: Contact['point'], more: Partial<Contact> = {}): Contact => ({
  point,
  start: 0,
  end: clip.duration,
  height: 0,
  position: null,
  ...more,
});

/** The walk with the turns of one joint changed at the keys that a test picks. */
function turned(joint: number, isMeant: (time: number) => boolean): Clip {
  const half = Math.SQRT1_2;
  return {
    ...clip,
    tracks: clip.tracks.map((track) => {
      if (track.joint !== joint || track.channel !== 'rotation') return track;
      const values = track.values.slice();
      track.times.forEach((time, k) => {
        if (isMeant(time)) values.set([half, 0, 0, half], 4 * k);
      });
      return { ...track, values };
    }),
  };
}

const blame = (measure: string, contacts: readonly Contact[], played = clip) =>
  worstJoint(measure, contacts, { facts, clip: played, time: TIME }, { facts, clip, time: TIME });

it('of two feet that are to stand the one that moves slides, the higher one floats, the lower one sinks', () => {
  const standing = [contact('leftHeel'), contact('rightHeel')];
  const { leftFoot, rightFoot } = facts.joints;
  expect(blame('slide', standing)).toBe(rightFoot);
  expect(blame('float', standing)).toBe(rightFoot);
  expect(blame('sink', standing)).toBe(leftFoot);
  // A foot that is not to stand is not to blame.
  expect(blame('slide', [contact('leftHeel'), contact('rightHeel', { end: TIME / 2 })])).toBe(leftFoot);
  expect(blame('slide', [])).toBe(-1);
});

it('the arm that points elsewhere than the source’s, and the joint that snaps', () => {
  const { leftUpperArm, rightLowerLeg } = facts.joints;
  expect(
    blame(
      'armsAlone',
      [],
      turned(leftUpperArm!, () => true),
    ),
  ).toBe(leftUpperArm);
  const snapping = turned(rightLowerLeg!, (time) => Math.abs(time - TIME) < 0.02);
  expect(blame('pops', [], snapping)).toBe(rightLowerLeg);
});

it('the hand that touches, what is lowest, and the hips where nothing carries', () => {
  const { leftHand, leftToes, rightHand, hips } = facts.joints;
  expect(blame('selfContact', [contact('rightHand'), contact('leftHand', { on: 'trunk' })])).toBe(leftHand);
  expect(blame('carriedHands', [])).toBe(rightHand);
  expect(blame('support', [])).toBe(hips);
  expect([facts.joints.leftFoot, leftToes]).toContain(blame('ground', []));
});
