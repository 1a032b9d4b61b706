import { describe, expect, it } from 'vitest';
import { createPlainSetup } from '../../test/plainly.js';
import {
  clipOf,
  createRandom,
  DEGREES,
  jointOf,
  modelAt,
  placeAt,
  randomClip,
  rotationTrack,
  tinyHuman,
  translationTrack,
  turn,
} from '../../test/tiny-rigs.js';
import { UsageError } from '../base/errors.js';
import type { Vec3 } from '../base/math/vector.js';
import type { Role, Side } from '../body/roles.js';
import { createRig } from '../body/understand/create-rig.js';
import { createRigMap } from '../map/create-rig-map.js';
import type { GroundRule } from '../options/root-rule.js';
import type { Clip } from '../scene/clip.js';
import type { Skeleton } from '../scene/skeleton.js';
import { retargetFrames } from '../ways/frames/retarget-frames.js';
import { planKeys } from '../ways/keys/plan-keys.js';
import { matchGround } from './match-ground.js';
import { withoutPasses } from './pass.js';
import { PASS_NAMES } from './pipeline.js';

function setUp(source: Skeleton, target: Skeleton, ground: GroundRule) {
  const rigs = [createRig(source), createRig(target)] as const;
  return createPlainSetup(rigs[0], rigs[1], createRigMap(rigs[0], rigs[1]).map, { ground });
}

const bake = (setup: ReturnType<typeof setUp>, clip: Clip) =>
  retargetFrames(setup, clip, PASS_NAMES, { frameRate: 30 }).clip;

const heightOf = (skeleton: Skeleton, clip: Clip, time: number, role: Role) =>
  placeAt(modelAt(skeleton, clip, time), jointOf(skeleton, role))[1];

/** A crouch: thighs forward, shins back, one leg's further, hips left where they were. */
function crouch(skeleton: Skeleton, deep: Side = 'left'): Clip {
  const bend = (role: Role, degrees: number) =>
    rotationTrack(jointOf(skeleton, role), [0, 1], [turn([1, 0, 0], 0), turn([1, 0, 0], degrees * DEGREES)]);
  const other = deep === 'left' ? 'right' : 'left';
  return clipOf([
    bend(`${deep}UpperLeg`, -50),
    bend(`${deep}LowerLeg`, 70),
    bend(`${other}UpperLeg`, -30),
    bend(`${other}LowerLeg`, 45),
  ]);
}

/** Everything of a foot but its height over where it stands. */
const standing = (skeleton: Skeleton, clip: Clip, time: number, role: Role) =>
  heightOf(skeleton, clip, time, role) -
  placeAt(modelAt(skeleton, clipOf([]), 0), jointOf(skeleton, role))[1];

const SOURCE = tinyHuman();
const SHORT = tinyHuman({ legs: 0.45, arms: 0.9 });

describe('matchGround', () => {
  it('B12, B19: a named joint is, at every frame, as high over its standing height as the source’s, scaled', () => {
    const setup = setUp(SOURCE, SHORT, { joint: 'leftFoot' });
    const moved = bake(setup, crouch(SOURCE));
    for (const time of [0, 0.35, 0.7, 1]) {
      const wanted = setup.rootScales.vertical * standing(SOURCE, crouch(SOURCE), time, 'leftFoot');
      expect(standing(SHORT, moved, time, 'leftFoot')).toBeCloseTo(wanted, 4);
    }
  });

  it('a body part will do for a joint whose name nobody remembers', () => {
    const [source, short] = [
      tinyHuman({ rename: (name) => `a_${name}_1` }),
      tinyHuman({ legs: 0.45, rename: (name) => `b_${name}_2` }),
    ];
    const [named, meant] = ['b_rightFoot_2', 'rightFoot'].map((joint) =>
      bake(setUp(source, short, { joint }), crouch(source)),
    );
    expect(meant).toEqual(named);
    const other = bake(setUp(source, short, { joint: 'leftFoot' }), crouch(source));
    expect(other).not.toEqual(named);
  });

  it('B13, BP2, R14: the lowest joint of the frame counts, whatever the order of the joints', () => {
    for (const [dynamic, deep] of [
      [true, 'left'],
      [true, 'right'],
      [false, 'left'],
    ] as const) {
      const setup = setUp(SOURCE, SHORT, { dynamic });
      const clip = crouch(SOURCE, deep);
      const moved = bake(setup, clip);
      const lowest = (skeleton: Skeleton, of: Clip, time: number) =>
        Math.min(
          ...(['leftFoot', 'rightFoot', 'leftToes', 'rightToes'] as const).map((role) =>
            standing(skeleton, of, time, role),
          ),
        );
      const gap = Math.abs(lowest(SHORT, moved, 1) - setup.rootScales.vertical * lowest(SOURCE, clip, 1));
      if (dynamic) expect(gap).toBeLessThan(1e-4);
      // One fixed toe cannot do it where the other foot is the lower one.
      else expect(gap).toBeGreaterThan(1e-3);
    }
  });

  it('BP12, R14: a jump keeps its height in hip heights', () => {
    const hips = jointOf(SOURCE, 'hips');
    const at = (c: number) => SOURCE.rest.translations[3 * hips + c]!;
    const points = [0, 0.4, 0].map((up): Vec3 => [at(0), at(1) + up, at(2)]);
    const setup = setUp(SOURCE, SHORT, { dynamic: true });
    const moved = bake(setup, clipOf([translationTrack(hips, [0, 0.5, 1], points)]));
    expect(standing(SHORT, moved, 0.5, 'leftToes')).toBeCloseTo(0.4 * setup.rootScales.vertical, 4);
  });

  it('BP11, R14: hips with two keys are right between them, where the legs have many', () => {
    const random = createRandom(5);
    const legs = (['leftUpperLeg', 'leftLowerLeg', 'rightUpperLeg'] as const).map((r) => jointOf(SOURCE, r));
    const clip = randomClip(random, SOURCE, { joints: legs, keys: 20, duration: 1, most: 0.5 });
    const setup = setUp(SOURCE, SHORT, { joint: 'leftFoot' });
    const moved = retargetFrames(setup, clip, PASS_NAMES, {}).clip;
    for (const time of clip.tracks[0]!.times)
      expect(standing(SHORT, moved, time, 'leftFoot')).toBeCloseTo(
        setup.rootScales.vertical * standing(SOURCE, clip, time, 'leftFoot'),
        4,
      );
  });

  it('BP11: nothing but the height changes, and keys cannot be kept', () => {
    const setup = setUp(SOURCE, SHORT, {});
    const plain = withoutPasses(setup, [matchGround]);
    const clip = crouch(SOURCE);
    expect(planKeys(setup, clip, PASS_NAMES)).toHaveProperty('reason');
    expect(planKeys(plain, clip, PASS_NAMES)).not.toHaveProperty('reason');
    const [moved, unmoved] = [bake(setup, clip), bake(plain, clip)];
    const shift = heightOf(SHORT, moved, 0.8, 'hips') - heightOf(SHORT, unmoved, 0.8, 'hips');
    for (const role of ['head', 'leftHand', 'rightToes'] as const) {
      const [a, b] = [moved, unmoved].map((of) => placeAt(modelAt(SHORT, of, 0.8), jointOf(SHORT, role)));
      expect(a![0]).toBeCloseTo(b![0], 5);
      expect(a![1]).toBeCloseTo(b![1] + shift, 5);
      expect(a![2]).toBeCloseTo(b![2], 5);
    }
  });

  it('B6: a joint that is not there, or not mapped, is said', () => {
    expect(() => bake(setUp(SOURCE, SHORT, { joint: 'Tentacle' }), crouch(SOURCE))).toThrow(UsageError);
  });
});
