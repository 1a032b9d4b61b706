import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sceneOf, stickFigure } from '../../test/stick-figure.js';
import type { Contact } from '../options/contact.js';
import type { RetargetOptions } from '../passes/parts/told-options.js';
import { retarget } from '../retarget.js';
import type { Track } from '../scene/clip.js';
import type { Scene } from '../scene/scene.js';
import { createSkeleton } from '../scene/skeleton.js';

/** What each function said that it did, and what was said since somebody was last looked at. */
const said = vi.hoisted(() => ({ by: new Map<string, number>(), since: 0 }));

// Files share what they have loaded: what is mocked here is loaded for this file alone.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.doUnmock('./watch-work.js');
  vi.resetModules();
});
// In place of the real one, which tells of work now and then: who says how much. No clock is needed for that.
vi.mock('./watch-work.js', () => ({
  watchWork: <T>(_tell: unknown, _expected: number, run: () => T): T => run(),
  didWork(amount: number) {
    said.since += amount;
    // Looking at the stack takes longer than the work itself.
    if (said.since < 2000) return;
    const callers = (new Error().stack ?? '').split('\n').slice(2);
    const names = callers.map((line) => /at (?:\w+\.)*(\w+) \(/.exec(line)?.[1] ?? '');
    // Whoever goes over a list says it inside of a function without a name.
    const name = names.find((each) => each !== '' && !['map', 'forEach', 'Array'].includes(each)) ?? '';
    said.by.set(name, (said.by.get(name) ?? 0) + said.since);
    said.since = 0;
  },
}));

beforeEach(() => said.by.clear());

/** Whoever says as much as this is asked whether to go on at least once while it works, but for what was rounded. */
const ASKED = 30_000;

function expectAsked(stages: readonly string[]): void {
  for (const stage of stages) expect(said.by.get(stage) ?? 0, stage).toBeGreaterThanOrEqual(ASKED);
}

/** A figure that walks for some minutes. */
function longScene(minutes: number): Scene {
  const character = stickFigure({ fingers: true });
  const walk = character.clips[0]!;
  const rounds = Math.ceil((60 * minutes) / walk.duration);
  const tracks = walk.tracks.map((track) => ({
    ...track,
    times: Float32Array.from(
      { length: track.times.length * rounds },
      (_, k) =>
        track.times[k % track.times.length]! + Math.floor(k / track.times.length) * (walk.duration + 0.01),
    ),
    values: Float32Array.from(
      { length: track.values.length * rounds },
      (_, i) => track.values[i % track.values.length]!,
    ),
  }));
  return sceneOf({ ...character, clips: [{ ...walk, duration: walk.duration * rounds, tracks }] });
}

const target = () => sceneOf(stickFigure({ arms: 'A', spine: 5, fingers: true, upperLeg: 0.5 }));

/** A body of 8,000 joints, two in a row, that all turn. */
function rays(size: number): Scene {
  const { skeleton } = createSkeleton(
    'rays',
    Array.from({ length: 8000 }, (_, i) => ({
      name: `ray${i}`,
      parent: i === 0 ? -1 : i % 2 === 0 ? i - 1 : 0,
      translation: [size * Math.cos(i), size * Math.sin(i), 0.1 * (i % 7)],
    })),
  );
  const values = Float32Array.of(0, 0, 0, 1, 0.6, 0, 0, 0.8);
  const times = Float32Array.of(0, 0.1);
  const tracks = skeleton.names.map(
    (_, joint): Track => ({ joint, channel: 'rotation', interpolation: 'linear', times, values }),
  );
  return sceneOf({ skeleton, clips: [{ name: 'turn', duration: 0.1, tracks, morphs: [] }] });
}

/*
 * Within the tenth of a second in which work must stop when told, nothing may be done that says nothing of itself: each
 * stage of a large work says that it did much, and so is asked whether to go on.
 */
describe('whether to go on is asked', () => {
  const moveLong = (options: RetargetOptions, minutes = 2) => retarget(longScene(minutes), target(), options);

  it('while a long clip is planned, solved and measured', () => {
    const steps = (['leftHeel', 'leftToe', 'rightHeel', 'rightToe'] as const).flatMap((point, p) =>
      Array.from({ length: 100 }, (_, n) => ({
        point,
        start: n + (p >> 1) / 2,
        end: n + 0.5 + (p >> 1) / 2,
      })),
    );
    const contacts = steps.map((step): Contact => ({ ...step, height: 0, position: null }));
    moveLong({ contacts: { walk: contacts } });
    expectAsked(['recordGoals', 'recordFrames', 'pointCourses']);
    expectAsked(['readFoot', 'planFeet', 'planSole', 'planHips', 'offsetHips', 'planContacts']);
    expectAsked(['createSampler', 'runFrames', 'mendClip']);
    expectAsked(['compareClips', 'sampleMotion', 'compareSide', 'contactsOfTracks', 'watched', 'stepsOf']);
  });

  it('while its loop is closed and its keys are reduced', () => {
    // Its ends nearly match, so that all of it is the loop, and there is something to close.
    const { duration } = stickFigure({ fingers: true }).clips[0]!;
    moveLong({ reduce: true, loop: true, range: [0, 60 * (duration + 0.01) + 0.004], measure: false });
    expectAsked(['closeTrack', 'keepNeeded', 'restoreKeys', 'instantsOf']);
  });

  it('while it is found out which part of it can loop', () => {
    moveLong({ loop: true, range: [0, 60.3], measure: false });
    expectAsked(['findCycle']);
  });

  it('while keys are moved one by one, and products of them made', () => {
    // Keys are so quickly moved that it takes twice as many until somebody is asked.
    moveLong({ corrections: 'none', measure: false }, 4);
    expectAsked(['standStill', 'retargetKeys', 'multiplyFrames']);
  });

  it('while it is found out where to look and what to stand on', () => {
    moveLong({ keys: 'refine', lookAt: { point: [0, 1, 2] }, groundHeight: () => 0.1, measure: false });
    expectAsked(['playUntil', 'findTimesBetween']);
  });

  it('while thousands of joints are understood, mapped, aligned and compiled', () => {
    retarget(rays(1), rays(1.3), { measure: false });
    expectAsked(['beginKnowledge', 'cleanNames', 'sharedSuffix', 'guessRoles', 'understandRig']);
    expectAsked(['lookAtBody', 'findLimbPairs', 'guessAnimalParts', 'findMirrorPlane']);
    expectAsked(['guessJointKinds', 'viewChains', 'findRuns', 'guessChainKinds']);
    expectAsked(['alignPair', 'planJointMoves', 'planJointScalings', 'createSetup']);
    expectAsked(['moveClip', 'planStanding']);
  });
});
