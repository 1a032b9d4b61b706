import { describe, expect, it } from 'vitest';
import {
  angleBetween,
  clipOf,
  createRandom,
  DEGREES,
  distance,
  inverse,
  jointOf,
  mapOf,
  modelAt,
  placeAt,
  plainRig,
  type Quat,
  quatAt,
  randomClip,
  randomSkeleton,
  randomTurn,
  rotationTrack,
  skeletonOf,
  times,
  tinyHuman,
  translationTrack,
} from '../../test/tiny-rigs.js';
import { UsageError } from '../base/errors.js';
import { directionOf, subtractVectors, vectorAngle } from '../base/math/vector.js';
import type { Rig } from '../body/rig.js';
import type { Role } from '../body/roles.js';
import { createRig } from '../body/understand/create-rig.js';
import { checkHierarchy } from '../map/check-hierarchy.js';
import { createRigMap } from '../map/create-rig-map.js';
import type { SetupOptions } from '../options/setup-options.js';
import { copyRotations } from '../passes/copy-rotations.js';
import type { Setup } from '../passes/pass.js';
import { compiledOf } from '../passes/pass.js';
import type { PassName } from '../passes/pipeline.js';
import type { Clip } from '../scene/clip.js';
import { modelPoseOf } from '../scene/pose.js';
import { createSetup } from '../setup/create-setup.js';
import { retargetClip } from '../ways/retarget-clip.js';

const passes: readonly PassName[] = ['copyRotations', 'moveJoints', 'moveRoot'];

const rigs = (): [Rig, Rig] => [
  createRig(tinyHuman({ axes: createRandom(3) })),
  createRig(tinyHuman({ axes: createRandom(8), armsDown: 0.8, legs: 0.6, arms: 0.7 })),
];
const setUp = (options: SetupOptions = {}, [source, target] = rigs()): Setup =>
  createSetup(source, target, createRigMap(source, target).map, options);
const dance = (setup: Setup, seed = 21): Clip => randomClip(createRandom(seed), setup.source.skeleton);
const bake = (setup: Setup, clip: Clip): Clip => retargetClip(setup, clip, { passes, frameRate: 30 }).clip;
const instants = [0, 1 / 3, 2 / 3];

/** The angle between a bone of the source and of the result, in radians. */
function missOf(setup: Setup, clip: Clip, moved: Clip, from: Role, to: Role, time: number): number {
  const [a, b] = [[setup.source.skeleton, clip] as const, [setup.target.skeleton, moved] as const].map(
    ([skeleton, each]) => {
      const model = modelAt(skeleton, each, time);
      return directionOf(
        subtractVectors(placeAt(model, jointOf(skeleton, to)), placeAt(model, jointOf(skeleton, from))),
      )!;
    },
  );
  return vectorAngle(a!, b!);
}

describe('imitation by chains', () => {
  const bones: [Role, Role][] = [
    ['leftUpperArm', 'leftLowerArm'],
    ['leftLowerArm', 'leftHand'],
    ['leftUpperLeg', 'leftLowerLeg'],
    ['leftLowerLeg', 'leftFoot'],
    ['leftFoot', 'leftToes'],
    ['neck', 'head'],
  ];

  it('M4, K20: by direction every bone points as the source’s, legs, feet and neck too; by turns those keep their slopes', () => {
    const pointed = setUp({ imitation: 'direction' });
    const turned = setUp({ alignment: { leftArm: 'keep' } });
    const clip = dance(pointed);
    const [a, b] = [bake(pointed, clip), bake(turned, clip)];
    let apart = 0;
    for (const time of instants)
      for (const [from, to] of bones) {
        expect(missOf(pointed, clip, a, from, to, time)).toBeLessThan(1e-4);
        apart = Math.max(apart, missOf(turned, clip, b, from, to, time));
      }
    expect(apart).toBeGreaterThan(20 * DEGREES);
  });

  it('M7, MP5: by direction the roll is that of the turns: one swing apart, square to the bone', () => {
    const [pointed, turned] = [setUp({ imitation: 'direction' }), setUp()];
    const clip = dance(pointed);
    const [a, b] = [bake(pointed, clip), bake(turned, clip)];
    const { skeleton } = pointed.target;
    const head = jointOf(skeleton, 'head');
    for (const time of instants) {
      const [p, q] = [modelAt(skeleton, a, time), modelAt(skeleton, b, time)];
      // Nothing hangs on the head: it has no direction of its own, and its turn stays.
      expect(angleBetween(quatAt(p.rotations, head), quatAt(q.rotations, head))).toBeLessThan(1e-5);
      // Arms point as the source's by their references already.
      const arm = jointOf(skeleton, 'leftUpperArm');
      expect(angleBetween(quatAt(p.rotations, arm), quatAt(q.rotations, arm))).toBeLessThan(1e-4);
    }
  });

  it('K20: a limb that is kept stays in its own reference on what carries it, and the others move', () => {
    const setup = setUp({ imitation: { leftArm: 'keep', rightArm: 'direction' } });
    const clip = dance(setup);
    const moved = bake(setup, clip);
    const { skeleton, reference } = setup.target;
    const from = modelPoseOf(skeleton, reference.pose);
    const [chest, arm, hand] = (['upperChest', 'leftUpperArm', 'leftHand'] as const).map((role) =>
      jointOf(skeleton, role),
    );
    for (const time of instants) {
      const model = modelAt(skeleton, moved, time);
      for (const joint of [arm!, hand!]) {
        const relative = (m: typeof model): Quat =>
          times(inverse(quatAt(m.rotations, chest!)), quatAt(m.rotations, joint));
        expect(angleBetween(relative(model), relative(from))).toBeLessThan(1e-5);
      }
      expect(missOf(setup, clip, moved, 'rightUpperArm', 'rightLowerArm', time)).toBeLessThan(1e-4);
    }
    expect(
      setup.map.unmapped.target.some(({ joint, reason }) => joint === arm && reason.includes('as asked')),
    ).toBe(true);
  });

  it('K21: switched off, only the root is left', () => {
    const setup = setUp({ imitation: 'keep' });
    expect(setup.map.joints.map(({ role }) => role)).toEqual(['hips']);
    expect(setup.rootScales.horizontal).toBeCloseTo(setUp().rootScales.horizontal, 9);
    const moved = bake(setup, dance(setup));
    expect(
      new Set(moved.tracks.filter(({ times: keys }) => keys.length > 2).map(({ joint }) => joint)),
    ).toEqual(new Set([jointOf(setup.target.skeleton, 'hips')]));
  });

  it('chains of a body without roles go by the armature’s names; unknown names and modes are told', () => {
    expect(() => setUp({ imitation: { tail: 'keep' } })).toThrow(/"tail".*leftArm/s);
    expect(() => setUp({ imitation: { leftArm: 'mimic' as 'keep' } })).toThrow(UsageError);
    const chain = skeletonOf(
      Array.from({ length: 4 }, (_, i) => ({ name: `j${i}`, parent: i - 1, translation: [0, 0.2, 0] })),
    );
    const map = mapOf([
      [0, 0],
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
    const setup = createSetup(plainRig(chain), plainRig(chain), map, { imitation: { j0: 'direction' } });
    expect(compiledOf(setup, copyRotations)!.pointed.map(({ target }) => target)).toEqual([1, 2]);
  });
});

describe('eq. 3 to 5, corrected', () => {
  const random = createRandom(77);
  const line = (count: number, prefix: string) =>
    randomSkeleton(random, count, { prefix, parents: Array.from({ length: count }, (_, i) => i - 1) });

  it('KP2, R1: at rest the target rests; the form that algorithm 2 prints is far off', () => {
    const [from, to] = [line(3, 's'), line(3, 't')];
    const setup = createSetup(
      plainRig(from),
      plainRig(to),
      mapOf([
        [0, 0],
        [1, 1],
        [2, 2],
      ]),
    );
    const rest = clipOf(
      from.names.map((_, joint) => rotationTrack(joint, [0], [quatAt(from.rest.rotations, joint)])),
    );
    const moved = modelAt(to, bake(setup, rest), 0).rotations;
    const wanted = modelPoseOf(to, to.rest).rotations;
    const source = modelPoseOf(from, from.rest).rotations;
    let printed = 0;
    for (let joint = 1; joint < 3; joint++) {
      expect(angleBetween(quatAt(moved, joint), quatAt(wanted, joint))).toBeLessThan(1e-6);
      // M_parent,s⁻¹ · M_local,s · OM_t⁻¹, OM being the inverse of the rest in model space.
      const local = times(
        inverse(quatAt(source, joint - 1)),
        quatAt(from.rest.rotations, joint),
        quatAt(wanted, joint),
      );
      printed = Math.max(printed, angleBetween(local, quatAt(to.rest.rotations, joint)));
    }
    expect(printed).toBeGreaterThan(45 * DEGREES);
  });

  it('K16, K15, R1: five joints onto two rest at rest and turn as the last of those merged; the first’s rest, as printed, is far off', () => {
    const [from, to] = [line(5, 's'), line(2, 't')];
    const map = mapOf([
      [[0, 1], 0],
      [[2, 3, 4], 1],
    ]);
    const setup = createSetup(plainRig(from), plainRig(to), map);
    const clip = clipOf(
      from.names.map((_, joint) =>
        rotationTrack(joint, [0, 1], [quatAt(from.rest.rotations, joint), randomTurn(random)]),
      ),
    );
    const moved = bake(setup, clip);
    const [s0, t0] = [modelPoseOf(from, from.rest).rotations, modelPoseOf(to, to.rest).rotations];
    for (const [time, most] of [
      [0, 1e-6],
      [1, 1e-5],
    ] as const) {
      const [s, t] = [modelAt(from, clip, time).rotations, modelAt(to, moved, time).rotations];
      for (const [driver, joint] of [
        [1, 0],
        [4, 1],
      ] as const) {
        const wanted = times(quatAt(s, driver), inverse(quatAt(s0, driver)), quatAt(t0, joint));
        expect(angleBetween(quatAt(t, joint), wanted)).toBeLessThan(most);
      }
    }
    const printed = times(quatAt(s0, 4), inverse(quatAt(s0, 2)), quatAt(t0, 1));
    expect(angleBetween(printed, quatAt(t0, 1))).toBeGreaterThan(45 * DEGREES);
  });
});

describe('root options', () => {
  const walk = (setup: Setup): Clip => {
    const { skeleton } = setup.source;
    const hips = jointOf(skeleton, 'hips');
    const [x, y, z] = [0, 1, 2].map((c) => skeleton.rest.translations[3 * hips + c]!);
    return clipOf([
      rotationTrack(hips, [0, 1], [quatAt(skeleton.rest.rotations, hips), randomTurn(createRandom(2))]),
      translationTrack(
        hips,
        [0, 1],
        [
          [x!, y!, z!],
          [x! + 1, y! + 0.2, z! + 2],
        ],
      ),
    ]);
  };
  const hipsAt = (setup: Setup, side: 'source' | 'target', clip: Clip, time: number) => {
    const { skeleton } = setup[side];
    const model = modelAt(skeleton, clip, time);
    const hips = jointOf(skeleton, 'hips');
    return { place: placeAt(model, hips), turn: quatAt(model.rotations, hips) };
  };

  it('K19: without position the hips stay, without rotation they do not turn; limbs turn as ever', () => {
    const still = setUp({ root: { copyPosition: false } });
    const moved = bake(still, walk(still));
    expect(
      distance(hipsAt(still, 'target', moved, 1).place, hipsAt(still, 'target', moved, 0).place),
    ).toBeLessThan(1e-6);
    const straight = setUp({ root: { copyRotation: false } });
    const [plain, clip] = [setUp(), dance(straight)];
    const [a, b] = [bake(straight, clip), bake(plain, clip)];
    const { skeleton } = straight.target;
    for (const time of instants) {
      const { turn } = hipsAt(straight, 'target', a, time);
      expect(
        angleBetween(turn, quatAt(straight.alignment.model.rotations, jointOf(skeleton, 'hips'))),
      ).toBeLessThan(1e-6);
      for (const role of ['head', 'leftHand', 'rightFoot'] as const) {
        const joint = jointOf(skeleton, role);
        const [p, q] = [a, b].map((each) => quatAt(modelAt(skeleton, each, time).rotations, joint));
        expect(angleBetween(p!, q!)).toBeLessThan(1e-5);
      }
    }
  });

  it('K19, KP10: the position scale goes from the source’s place over the floor to the scaled one, by heights', () => {
    for (const share of [0, 0.5, 1]) {
      const setup = setUp({ root: { positionScale: share } });
      const clip = walk(setup);
      const moved = bake(setup, clip);
      const { horizontal, vertical } = setup.rootScales;
      expect(horizontal).not.toBeCloseTo(1, 1);
      const mix = (scale: number) => 1 + share * (scale - 1);
      const [from, to] = [0, 1].map((time) => hipsAt(setup, 'source', clip, time).place);
      const [a, b] = [0, 1].map((time) => hipsAt(setup, 'target', moved, time).place);
      expect(b![0] - a![0]).toBeCloseTo(mix(horizontal) * (to![0] - from![0]), 5);
      expect(b![2] - a![2]).toBeCloseTo(mix(horizontal) * (to![2] - from![2]), 5);
      for (const [s, t] of [
        [from!, a!],
        [to!, b!],
      ] as const)
        expect(t[1] - setup.target.floor.height).toBeCloseTo(
          mix(vertical) * (s[1] - setup.source.floor.height),
          2,
        );
    }
    for (const share of [-0.1, 1.5, Number.NaN])
      expect(() => setUp({ root: { positionScale: share } })).toThrow(UsageError);
  });
});

describe('checkHierarchy', () => {
  const tree = (parents: readonly number[]) =>
    plainRig(skeletonOf(parents.map((parent, i) => ({ name: `j${i}`, parent, translation: [0, 0.3, 0] }))));
  const all = mapOf([
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 3],
  ]);

  it('B15: a joint that hangs elsewhere than its driver loses its track, with a warning that names both', () => {
    const [source, target] = [tree([-1, 0, 1, 2]), tree([-1, 0, 1, 1])];
    const { map, warnings } = checkHierarchy(source, target, all);
    expect(map.joints.map((pair) => pair.target)).toEqual([0, 1, 2]);
    expect(warnings.map(({ code, joint }) => [code, joint])).toEqual([['hierarchy-mismatch', 'j3']]);
    const setup = createSetup(source, target, all, { checkHierarchy: true });
    expect(setup.warnings.some(({ code }) => code === 'hierarchy-mismatch')).toBe(true);
    const clip = clipOf([
      rotationTrack(3, [0, 1], [randomTurn(createRandom(1)), randomTurn(createRandom(2))]),
    ]);
    expect(bake(setup, clip).tracks.filter(({ joint }) => joint === 3)).toEqual([]);
    expect(
      bake(createSetup(source, target, all), clip).tracks.filter(({ joint }) => joint === 3),
    ).not.toEqual([]);
  });

  it('BP10: roots count, joints in no pair do not, and equal hierarchies lose nothing', () => {
    const same = tree([-1, 0, 1, 2]);
    expect(checkHierarchy(same, tree([-1, 0, 1, 2]), all)).toEqual({ map: all, warnings: [] });
    // An unmapped joint between two mapped ones.
    const sparse = mapOf([
      [0, 0],
      [2, 1],
      [3, 2],
    ]);
    expect(checkHierarchy(same, tree([-1, 0, 1]), sparse).warnings).toEqual([]);
    // A root that is another's child over there.
    const swapped = mapOf([
      [0, 1],
      [1, 0],
    ]);
    expect(checkHierarchy(same, same, swapped).map.joints).toEqual([]);
    const [source, target] = rigs();
    const { map } = createRigMap(source, target);
    expect(checkHierarchy(source, target, map).map).toEqual(map);
  });
});
