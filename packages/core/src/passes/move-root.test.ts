import { describe, expect, it } from 'vitest';
import {
  clipOf,
  createRandom,
  distance,
  jointOf,
  modelAt,
  placeAt,
  randomClip,
  tinyHuman,
  translationTrack,
  turn,
} from '../../test/tiny-rigs.js';
import type { Vec3 } from '../base/math/vector.js';
import { createRig } from '../body/understand/create-rig.js';
import { createRigMap } from '../map/create-rig-map.js';
import type { SetupOptions } from '../options/setup-options.js';
import type { Clip } from '../scene/clip.js';
import type { Skeleton } from '../scene/skeleton.js';
import { createSetup } from '../setup/create-setup.js';
import { retargetFrames } from '../ways/frames/retarget-frames.js';
import { PASS_NAMES } from './pipeline.js';

function setUp(source: Skeleton, target: Skeleton, options: SetupOptions = {}) {
  const rigs = [createRig(source), createRig(target)] as const;
  return createSetup(rigs[0], rigs[1], createRigMap(rigs[0], rigs[1]).map, {
    corrections: 'none',
    ...options,
  });
}

const bake = (setup: ReturnType<typeof setUp>, clip: Clip) =>
  retargetFrames(setup, clip, PASS_NAMES, { frameRate: 30 }).clip;

const hipsAt = (skeleton: Skeleton, clip: Clip, time: number) =>
  placeAt(modelAt(skeleton, clip, time), jointOf(skeleton, 'hips'));

/** A jump of 0.4 m over a leap of 1 m. */
function jump(skeleton: Skeleton): Clip {
  const hips = jointOf(skeleton, 'hips');
  const at = (c: number) => skeleton.rest.translations[3 * hips + c]!;
  const points = [0, 0.4, 0].map((up, k): Vec3 => [at(0), at(1) + up, at(2) + 0.5 * k]);
  return clipOf([translationTrack(hips, [0, 0.5, 1], points)]);
}

describe('travel', () => {
  it('B10, BP12, WP5: a jump is as high, and a leap as far, as the bodies’ ratio says', () => {
    const source = tinyHuman();
    for (const legs of [0.4, 0.85, 1.3]) {
      const target = tinyHuman({ legs });
      const setup = setUp(source, target);
      const moved = bake(setup, jump(source));
      const [start, top, end] = [0, 0.5, 1].map((time) => hipsAt(target, moved, time));
      const ratio = (legs + 0.08) / (0.85 + 0.08);
      expect(setup.rootScales.vertical).toBeCloseTo(ratio, 6);
      expect(top![1] - start![1]).toBeCloseTo(0.4 * ratio, 5);
      expect(end![2] - start![2]).toBeCloseTo((0.2 + legs) / (0.2 + 0.85), 2);
      expect(end![1]).toBeCloseTo(legs + 0.08, 5);
    }
  });

  it('R4, BP1, SP4: parents that are moved and scaled change nothing in the world', () => {
    const source = tinyHuman();
    const plain = tinyHuman({ root: true, legs: 0.6 });
    const wrapped = tinyHuman({ root: true, legs: 0.6 });
    // The root stands elsewhere and at a hundredth of the scale; what hangs on it makes up for the scale.
    wrapped.rest.translations.set([3, 0, -2]);
    wrapped.rest.scales.set([0.01, 0.01, 0.01]);
    for (let i = 3; i < wrapped.rest.translations.length; i++)
      wrapped.rest.translations[i] = 100 * wrapped.rest.translations[i]!;
    const random = createRandom(3);
    const clip: Clip = {
      ...randomClip(random, source),
      tracks: [...randomClip(random, source).tracks, ...jump(source).tracks],
    };
    const [a, b] = [plain, wrapped].map((target) => ({ target, moved: bake(setUp(source, target), clip) }));
    for (const time of [0, 0.3, 0.7, 1.6])
      for (let joint = 1; joint < plain.names.length; joint++) {
        const [x, y, z] = placeAt(modelAt(b!.target, b!.moved, time), joint);
        expect(distance(placeAt(modelAt(a!.target, a!.moved, time), joint), [x - 3, y, z + 2])).toBeLessThan(
          1e-4,
        );
      }
  });

  it('SP4: hips that are not joint 0, under an armature and a root, keep their travel', () => {
    const source = tinyHuman({ root: true });
    const target = tinyHuman();
    const moved = bake(setUp(source, target), jump(source));
    expect(hipsAt(target, moved, 0.5)[1] - hipsAt(target, moved, 0)[1]).toBeCloseTo(0.4, 5);
  });

  it('travel of the joint above the hips arrives on the hips', () => {
    const source = tinyHuman({ root: true });
    const target = tinyHuman();
    const clip = clipOf([
      translationTrack(
        0,
        [0, 1],
        [
          [0, 0, 0],
          [2, 0.1, 1],
        ],
      ),
    ]);
    const moved = bake(setUp(source, target), clip);
    const [a, b] = [hipsAt(target, moved, 0), hipsAt(target, moved, 1)];
    expect([b[0] - a[0], b[1] - a[1], b[2] - a[2]].map((x) => Math.round(1e4 * x) / 1e4)).toEqual([
      2, 0.1, 1,
    ]);
  });

  it('scales that the user gives are used as given', () => {
    const source = tinyHuman();
    const target = tinyHuman({ legs: 0.5 });
    const setup = setUp(source, target, { rootScales: { horizontal: 2, vertical: 0 } });
    const moved = bake(setup, jump(source));
    const [start, top, end] = [0, 0.5, 1].map((time) => hipsAt(target, moved, time));
    expect(top![1]).toBeCloseTo(start![1], 6);
    expect(end![2] - start![2]).toBeCloseTo(2, 5);
  });

  it('a parent flattened to nothing gives no NaN', () => {
    const source = tinyHuman();
    const target = tinyHuman({ root: true });
    target.rest.scales.set([0, 0, 0]);
    target.rest.rotations.set(turn([0, 1, 0], 1));
    const moved = bake(setUp(source, target), jump(source));
    for (const { values } of moved.tracks) expect(values.every(Number.isFinite)).toBe(true);
  });
});
