import { describe, expect, it } from 'vitest';
import { createPlainSetup } from '../../test/plainly.js';
import {
  angleBetween,
  clipOf,
  createRandom,
  DEGREES,
  distance,
  inverse,
  jointOf,
  modelAt,
  placeAt,
  type Quat,
  quatAt,
  randomClip,
  rotationTrack,
  type TinyHumanOptions,
  times,
  tinyHuman,
  translationTrack,
  turn,
  turnVector,
} from '../../test/tiny-rigs.js';
import type { Vec3 } from '../base/math/vector.js';
import { createRig } from '../body/understand/create-rig.js';
import { createRigMap } from '../map/create-rig-map.js';
import type { RootMotion } from '../options/root-rule.js';
import type { Clip } from '../scene/clip.js';
import { JOINT, type Skeleton } from '../scene/skeleton.js';
import { retargetFrames } from '../ways/frames/retarget-frames.js';
import { rootAbove } from './extract-root.js';
import type { Setup } from './pass.js';
import { PASS_NAMES } from './pipeline.js';

function setUp(rootMotion: RootMotion, target: TinyHumanOptions = {}, axes = createRandom(5)): Setup {
  const rigs = [
    createRig(tinyHuman({ axes, root: true })),
    createRig(tinyHuman({ axes, legs: 0.6, root: true, ...target })),
  ] as const;
  return createPlainSetup(rigs[0], rigs[1], createRigMap(rigs[0], rigs[1]).map, { rootMotion });
}

const bake = (setup: Setup, clip: Clip, frameRate = 60) =>
  retargetFrames(setup, clip, PASS_NAMES, { frameRate }).clip;

const FRAMES = 121;

/** Two seconds of walking four metres on a curve: the hips sway and bob twice a second while the heading turns. */
function curvedWalk(setup: Setup, turnBy = 90 * DEGREES): Clip {
  const { skeleton } = setup.source;
  const hips = jointOf(skeleton, 'hips');
  const parent = skeleton.parents[hips]!;
  const R = setup.sourceReference;
  const undo = inverse(quatAt(R.rotations, parent));
  const [places, turns]: [Vec3[], Quat[]] = [[], []];
  const keys = Array.from({ length: FRAMES }, (_, k) => k / 60);
  const path: Vec3 = [0, 0, 0];
  for (const t of keys) {
    const heading = (turnBy * t) / 2;
    const beat = Math.sin(4 * Math.PI * t);
    // The source's root stands at the origin with axes of its own.
    const world: Vec3 = [path[0] + 0.03 * beat, placeAt(R, hips)[1] + 0.02 * beat, path[2]];
    const [x, y, z] = times(undo, [...world, 0], inverse(undo));
    places.push([x, y, z]);
    turns.push(times(undo, turn([0, 1, 0], heading), quatAt(R.rotations, hips)));
    path[0] += (2 / 60) * Math.sin(heading);
    path[2] += (2 / 60) * Math.cos(heading);
  }
  return clipOf([translationTrack(hips, keys, places), rotationTrack(hips, keys, turns)], 'curve');
}

/** Ground speed of a point over the clip, in metres a second. */
function speeds(points: readonly Vec3[]): number[] {
  return points.slice(1).map((p, k) => 60 * Math.hypot(p[0] - points[k]![0], p[2] - points[k]![2]));
}

const at = (skeleton: Skeleton, clip: Clip, joint: number): Vec3[] =>
  Array.from({ length: FRAMES }, (_, k) => placeAt(modelAt(skeleton, clip, k / 60), joint));

describe('extract', () => {
  for (const feetUnderRoot of [false, true])
    it(`the whole body moves through the world as before${feetUnderRoot ? ', feet under the root too' : ''}`, () => {
      const [kept, extracted] = (['keep', 'extract'] as const).map((rootMotion) => {
        const setup = setUp(rootMotion, { feetUnderRoot });
        const random = createRandom(31);
        const dance = randomClip(random, setup.source.skeleton, { most: 0.4 });
        const walk = curvedWalk(setup);
        const clip = {
          ...walk,
          tracks: [
            ...walk.tracks,
            ...dance.tracks.filter(({ joint }) => joint > jointOf(setup.source.skeleton, 'hips')),
          ],
        };
        const moved = bake(setup, clip);
        return {
          skeleton: setup.target.skeleton,
          moved,
          joints: setup.map.joints.map(({ target }) => target),
        };
      });
      for (let k = 0; k < FRAMES; k += 5) {
        const [a, b] = [kept!, extracted!].map(({ skeleton, moved }) => modelAt(skeleton, moved, k / 60));
        for (const joint of kept!.joints) {
          expect(distance(placeAt(a!, joint), placeAt(b!, joint))).toBeLessThan(1e-5);
          expect(angleBetween(quatAt(a!.rotations, joint), quatAt(b!.rotations, joint))).toBeLessThan(1e-5);
        }
      }
    });

  it('travel and heading are on the root, smooth, and the sway stays in the hips', () => {
    const setup = setUp('extract');
    const moved = bake(setup, curvedWalk(setup));
    const { skeleton } = setup.target;
    const root = at(skeleton, moved, 0);
    const [first, last] = [modelAt(skeleton, moved, 0), modelAt(skeleton, moved, 2)];
    const { horizontal } = setup.rootScales;
    expect(distance(root[0]!, root[FRAMES - 1]!)).toBeGreaterThan(3 * horizontal);
    const turned = times(quatAt(last.rotations, 0), inverse(quatAt(first.rotations, 0)));
    expect(angleBetween(turned, turn([0, 1, 0], 90 * DEGREES))).toBeLessThan(1 * DEGREES);
    // Steady within a few percent, where the swaying hips are not.
    const spread = (list: number[]) => Math.max(...list) - Math.min(...list);
    const steady = speeds(root).slice(20, -20);
    expect(spread(steady)).toBeLessThan(
      0.35 * spread(speeds(at(skeleton, moved, jointOf(skeleton, 'hips'))).slice(20, -20)),
    );
    // The root stays on the floor.
    expect(Math.max(...root.map(([, y]) => Math.abs(y - root[0]![1])))).toBeLessThan(1e-6);
  });

  it('without a joint above the hips everything stays as it was', () => {
    const setup = setUp('extract', { root: false });
    const kept = setUp('keep', { root: false });
    expect(rootAbove(setup.target.skeleton, jointOf(setup.target.skeleton, 'hips'))).toBe(-1);
    expect(bake(setup, curvedWalk(setup))).toEqual(bake(kept, curvedWalk(kept)));
  });

  it('frames between keys are not multiplied by the heading', () => {
    const counts = (['keep', 'extract'] as const).map((rootMotion) => {
      const setup = setUp(rootMotion, { spines: 2 });
      return retargetFrames(setup, curvedWalk(setup), PASS_NAMES, { refine: true }).frames;
    });
    expect(counts[1]!).toBeLessThanOrEqual(1.5 * counts[0]!);
  });
});

describe('inPlace', () => {
  it('the body stands, and sways and turns as it did', () => {
    const setup = setUp('inPlace');
    const kept = setUp('keep');
    const { skeleton } = setup.target;
    const hips = jointOf(skeleton, 'hips');
    const [still, moved] = [bake(setup, curvedWalk(setup)), bake(kept, curvedWalk(kept))];
    const [stays, goes] = [at(skeleton, still, hips), at(skeleton, moved, hips)];
    const home = placeAt(setup.alignment.model, hips);
    for (const p of stays) expect(Math.hypot(p[0] - home[0], p[2] - home[2])).toBeLessThan(0.12);
    expect(distance(goes[0]!, goes[FRAMES - 1]!)).toBeGreaterThan(1.5);
    for (let k = 0; k < FRAMES; k += 10) {
      // Height and rotation are untouched.
      expect(stays[k]![1]).toBeCloseTo(goes[k]![1], 5);
      const [a, b] = [still, moved].map((clip) => quatAt(modelAt(skeleton, clip, k / 60).rotations, hips));
      expect(angleBetween(a!, b!)).toBeLessThan(1e-5);
    }
    // Sway is left: the hips do not freeze.
    expect(Math.max(...speeds(stays).slice(20, -20))).toBeGreaterThan(0.1);
  });

  it('a loop stays a loop: the last frame meets the first', () => {
    const setup = setUp('inPlace');
    const { skeleton } = setup.target;
    const straight = curvedWalk(setup, 0);
    const stays = at(skeleton, bake(setup, straight), jointOf(skeleton, 'hips'));
    expect(distance(stays[0]!, stays[FRAMES - 1]!)).toBeLessThan(1e-4);
  });
});

describe('rootAbove', () => {
  it('takes the nearest real joint, else the topmost node, else none', () => {
    const skeleton = tinyHuman({ root: true });
    const hips = jointOf(skeleton, 'hips');
    expect(rootAbove(skeleton, hips)).toBe(0);
    skeleton.flags[0] = 0;
    expect(rootAbove(skeleton, hips)).toBe(0);
    skeleton.flags[0] = JOINT;
    expect(rootAbove(skeleton, jointOf(skeleton, 'spine'))).toBe(hips);
    expect(rootAbove(skeleton, 0)).toBe(-1);
  });
});

describe('given apart', () => {
  it('W24, WP9: clip and root motion together are the kept motion; the clip alone goes nowhere', () => {
    const [apart, kept] = [setUp('apart'), setUp('keep')];
    const clip = curvedWalk(apart);
    const { clip: moved, rootMotion } = retargetFrames(apart, clip, PASS_NAMES, { frameRate: 60 });
    const whole = bake(kept, clip);
    const { skeleton } = apart.target;
    const hips = jointOf(skeleton, 'hips');
    const { times: keys, translations, rotations } = rootMotion!;
    const way: Vec3[] = [];
    for (let k = 0; k < keys.length; k += 10) {
      const carry = quatAt(rotations, k);
      expect([carry[0], carry[2]]).toEqual([0, 0]);
      const [here, there] = [modelAt(skeleton, moved, keys[k]!), modelAt(skeleton, whole, keys[k]!)];
      way.push(placeAt(here, hips));
      for (const joint of [hips, jointOf(skeleton, 'leftHand'), jointOf(skeleton, 'rightFoot')]) {
        const [x, y, z] = turnVector(carry, placeAt(here, joint));
        const at = [0, 1, 2].map((c) => translations[3 * k + c]!);
        expect(distance([x + at[0]!, y + at[1]!, z + at[2]!], placeAt(there, joint))).toBeLessThan(1e-4);
        expect(
          angleBetween(times(carry, quatAt(here.rotations, joint)), quatAt(there.rotations, joint)),
        ).toBeLessThan(1e-4);
      }
    }
    // Sway stays in the hips; four metres of travel do not.
    for (const place of way)
      expect(Math.hypot(place[0] - way[0]![0], place[2] - way[0]![2])).toBeLessThan(0.3);
    expect(Math.hypot(translations.at(-3)!, translations.at(-1)!)).toBeGreaterThan(1);
    // The way is curved: its turn, about the vertical, is taken out of the hips as well.
    const turnOver = (of: Clip) =>
      angleBetween(
        ...([keys[0]!, keys.at(-1)!].map((time) => quatAt(modelAt(skeleton, of, time).rotations, hips)) as [
          Quat,
          Quat,
        ]),
      );
    expect(turnOver(whole)).toBeGreaterThan(0.5);
    expect(turnOver(moved)).toBeLessThan(0.5 * turnOver(whole));
  });
});
