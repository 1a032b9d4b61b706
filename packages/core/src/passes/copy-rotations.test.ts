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
  mapOf,
  modelAt,
  oneToOne,
  placeAt,
  plainRig,
  type Quat,
  quatAt,
  randomClip,
  randomSkeleton,
  rotationTrack,
  skeletonOf,
  times,
  tinyHuman,
  turn,
  turnVector,
} from '../../test/tiny-rigs.js';
import { twistAbout, twistAngle } from '../base/math/quaternion.js';
import { subtractVectors, type Vec3, vectorAngle } from '../base/math/vector.js';
import type { Role } from '../body/roles.js';
import { createRig } from '../body/understand/create-rig.js';
import { createRigMap } from '../map/create-rig-map.js';
import type { Clip } from '../scene/clip.js';
import { poseAt } from '../scene/clip.js';
import { modelPoseOf } from '../scene/pose.js';
import type { Skeleton } from '../scene/skeleton.js';
import { retargetFrames } from '../ways/frames/retarget-frames.js';
import type { Setup } from './pass.js';
import { PASS_NAMES } from './pipeline.js';

const bake = (setup: Setup, clip: Clip) => retargetFrames(setup, clip, PASS_NAMES, { frameRate: 30 }).clip;

function humans(source: Parameters<typeof tinyHuman>[0], target: Parameters<typeof tinyHuman>[0]) {
  const rigs = [createRig(tinyHuman(source)), createRig(tinyHuman(target))] as const;
  return createPlainSetup(rigs[0], rigs[1], createRigMap(rigs[0], rigs[1]).map);
}

const boneOf = (skeleton: Skeleton, clip: Clip, time: number, from: Role, to: Role): Vec3 => {
  const model = modelAt(skeleton, clip, time);
  return subtractVectors(placeAt(model, jointOf(skeleton, to)), placeAt(model, jointOf(skeleton, from)));
};

const ARM_BONES = (['left', 'right'] as const).flatMap((side) => [
  [`${side}UpperArm`, `${side}LowerArm`] as const,
  [`${side}LowerArm`, `${side}Hand`] as const,
  [`${side}Hand`, `${side}MiddleProximal`] as const,
]);

describe('directions (M4)', () => {
  it('M4: after conversion every mapped arm bone points as the source’s, to 1e-4 rad', () => {
    for (const seed of [1, 2, 3]) {
      const random = createRandom(seed);
      const setup = humans(
        { axes: random, armsDown: seed * 10 * DEGREES },
        { axes: random, armsDown: 55 * DEGREES, arms: 0.8, legs: 0.4 },
      );
      const clip = randomClip(random, setup.source.skeleton, { most: 1.5 });
      const moved = bake(setup, clip);
      for (const time of moved.tracks[0]!.times)
        for (const [from, to] of ARM_BONES)
          expect(
            vectorAngle(
              boneOf(setup.source.skeleton, clip, time, from, to),
              boneOf(setup.target.skeleton, moved, time, from, to),
            ),
          ).toBeLessThan(1e-4);
    }
  });

  it('X4(i): the source in its reference puts the target into its aligned reference', () => {
    const random = createRandom(4);
    const setup = humans({ axes: random }, { axes: random, armsDown: 1, spines: 5 });
    const still = clipOf([
      rotationTrack(
        0,
        [0, 1],
        [quatAt(setup.source.skeleton.rest.rotations, 0), quatAt(setup.source.skeleton.rest.rotations, 0)],
      ),
    ]);
    const pose = modelAt(setup.target.skeleton, bake(setup, still), 0.4);
    for (const { target } of setup.map.joints)
      expect(
        angleBetween(quatAt(pose.rotations, target), quatAt(setup.alignment.model.rotations, target)),
      ).toBeLessThan(1e-5);
  });
});

describe('twist (M7, MP5)', () => {
  const random = createRandom(6);
  const setup = humans({ axes: random }, { axes: random, armsDown: 45 * DEGREES });
  const { source, target } = setup;
  const cases: [Role, Vec3, string][] = [
    ['leftLowerArm', [1, 0, 0], 'the roll of a forearm'],
    ['head', [0, 1, 0], 'the turn of a head'],
    ['rightFoot', [0, 0, 1], 'the roll of a foot'],
  ];
  for (const [role, axis, name] of cases)
    it(`M7, MP5: ${name} is transferred, not the direction alone`, () => {
      const joint = jointOf(source.skeleton, role);
      const rest = quatAt(setup.sourceReference.rotations, joint);
      const parent = source.skeleton.parents[joint]!;
      // A roll of 50 degrees about an axis of model space, put into the joint's own local space.
      const roll = turn(axis, 50 * DEGREES);
      const local = times(inverse(quatAt(setup.sourceReference.rotations, parent)), roll, rest);
      const clip = clipOf([
        rotationTrack(joint, [0, 1], [quatAt(source.skeleton.rest.rotations, joint), local]),
      ]);
      const moved = bake(setup, clip);
      const there = jointOf(target.skeleton, role);
      const result = modelAt(target.skeleton, moved, 1).rotations;
      const delta = times(quatAt(result, there), inverse(quatAt(setup.alignment.model.rotations, there)));
      expect(angleBetween(delta, roll)).toBeLessThan(1e-5);
      const out = Float64Array.from(delta);
      twistAbout(out, 0, out, 0, Float64Array.from(axis), 0);
      expect(twistAngle(out, 0, Float64Array.from(axis), 0)).toBeCloseTo(50 * DEGREES, 5);
    });
});

describe('scale and mirrors (WP8)', () => {
  it('WP8: a target with mirrored nodes moves as the same body built without them', () => {
    const random = createRandom(8);
    const source = randomSkeleton(random, 4, { parents: [-1, 0, 1, 2] });
    const plain = randomSkeleton(random, 4, { parents: [-1, 0, 1, 2] });
    const world = modelPoseOf(plain, plain.rest);
    // Joint 1 is mirrored in x: below it all is built for the mirrored world, so that every joint stands where it stood.
    const flip = (v: Vec3): Vec3 => [-v[0], v[1], v[2]];
    const flipTurn = ([x, y, z, w]: Quat): Quat => [x, -y, -z, w];
    const at = (i: number): Vec3 => [
      plain.rest.translations[3 * i]!,
      plain.rest.translations[3 * i + 1]!,
      plain.rest.translations[3 * i + 2]!,
    ];
    const mirrored = skeletonOf([
      { name: 'a', parent: -1, translation: at(0), rotation: quatAt(plain.rest.rotations, 0) },
      {
        name: 'b',
        parent: 0,
        translation: at(1),
        rotation: quatAt(plain.rest.rotations, 1),
        scale: [-1, 1, 1],
      },
      { name: 'c', parent: 1, translation: flip(at(2)), rotation: flipTurn(quatAt(plain.rest.rotations, 2)) },
      { name: 'd', parent: 2, translation: flip(at(3)), rotation: flipTurn(quatAt(plain.rest.rotations, 3)) },
    ]);
    const mirroredWorld = modelPoseOf(mirrored, mirrored.rest);
    for (let joint = 0; joint < 4; joint++)
      expect(distance(placeAt(world, joint), placeAt(mirroredWorld, joint))).toBeLessThan(1e-9);
    const clip = randomClip(random, source, { travels: 0 });
    // Once with the mirrored joint driven, once with it between two driven ones.
    for (const map of [
      oneToOne(4),
      mapOf([
        [0, 0, 'hips'],
        [2, 2],
        [3, 3],
      ]),
    ]) {
      const results = [plain, mirrored].map((skeleton) => {
        const moved = bake(createPlainSetup(plainRig(source), plainRig(skeleton), map), clip);
        return (time: number) => modelAt(skeleton, moved, time);
      });
      for (const time of [0, 0.4, 1.1, 2])
        for (let joint = 0; joint < 4; joint++)
          expect(distance(placeAt(results[0]!(time), joint), placeAt(results[1]!(time), joint))).toBeLessThan(
            1e-5,
          );
    }
  });

  it('WP8: a mirrored source drives as the matrices of its joints turn', () => {
    const random = createRandom(9);
    const source = randomSkeleton(random, 5, { parents: [-1, 0, 1, 2, 3], mirrors: true });
    expect(source.rest.scales.some((x) => x < 0)).toBe(true);
    const target = randomSkeleton(random, 5, { parents: [-1, 0, 1, 2, 3] });
    const setup = createPlainSetup(plainRig(source), plainRig(target), oneToOne(5));
    const clip = randomClip(random, source);
    const moved = bake(setup, clip);
    const rest = modelPoseOf(source, source.rest);
    for (const time of moved.tracks[0]!.times) {
      const now = modelAt(source, clip, time);
      const result = modelAt(target, moved, time);
      for (let joint = 0; joint < 5; joint++) {
        const delta = times(
          quatAt(result.rotations, joint),
          inverse(quatAt(setup.alignment.model.rotations, joint)),
        );
        // Each column of the joint's matrix at rest, turned by what the target was given, is the column now.
        for (let c = 0; c < 3; c++) {
          const column = (m: Float64Array): Vec3 => [
            m[16 * joint + 4 * c]!,
            m[16 * joint + 4 * c + 1]!,
            m[16 * joint + 4 * c + 2]!,
          ];
          expect(distance(turnVector(delta, column(rest.matrices)), column(now.matrices))).toBeLessThan(1e-4);
        }
      }
    }
  });

  it('WP8: non-uniform scale above a joint does not bend its turn', () => {
    const random = createRandom(10);
    const source = randomSkeleton(random, 4, { parents: [-1, 0, 1, 2] });
    const target = randomSkeleton(random, 4, { parents: [-1, 0, 1, 2] });
    target.rest.scales.set([1, 2.5, 0.4], 3);
    const setup = createPlainSetup(plainRig(source), plainRig(target), oneToOne(4));
    const clip = randomClip(random, source);
    const moved = bake(setup, clip);
    const plain = { ...target, rest: { ...target.rest, scales: new Float64Array(12).fill(1) } };
    const movedPlain = bake(createPlainSetup(plainRig(source), plainRig(plain), oneToOne(4)), clip);
    for (const track of moved.tracks)
      if (track.channel === 'rotation')
        expect(track.values).toEqual(
          movedPlain.tracks.find(({ joint, channel }) => joint === track.joint && channel === 'rotation')!
            .values,
        );
  });
});

describe('more joints on the target than on the source', () => {
  it('X4(i), R1: surplus spines share the turn evenly, the last one has all of it, and rest stays rest', () => {
    const random = createRandom(12);
    const setup = humans({ spines: 1 }, { spines: 3, axes: random });
    const { source, target } = setup;
    const spine = jointOf(source.skeleton, 'spine');
    const bend = turn([1, 0, 0], 60 * DEGREES);
    const clip = clipOf([rotationTrack(spine, [0, 1], [[0, 0, 0, 1], bend])]);
    const moved = bake(setup, clip);
    const turnOf = (role: Role, time: number) => {
      const joint = jointOf(target.skeleton, role);
      return times(
        quatAt(modelAt(target.skeleton, moved, time).rotations, joint),
        inverse(quatAt(setup.alignment.model.rotations, joint)),
      );
    };
    (['spine', 'chest', 'upperChest'] as const).forEach((role, n) => {
      expect(angleBetween(turnOf(role, 1), turn([1, 0, 0], 20 * (n + 1) * DEGREES))).toBeLessThan(1e-5);
      expect(angleBetween(turnOf(role, 0), [0, 0, 0, 1])).toBeLessThan(1e-5);
    });
    expect(angleBetween(turnOf('head', 1), bend)).toBeLessThan(1e-5);
  });

  it('KP7: joints between driven ones follow their parent as they rest', () => {
    const random = createRandom(14);
    const source = randomSkeleton(random, 2, { parents: [-1, 0] });
    const target = randomSkeleton(random, 4, { parents: [-1, 0, 1, 2] });
    const setup = createPlainSetup(
      plainRig(source),
      plainRig(target),
      mapOf([
        [0, 0, 'hips'],
        [1, 3],
      ]),
    );
    const moved = bake(setup, randomClip(random, source));
    for (const time of [0, 0.8]) {
      const pose = poseAt(target, moved, time).rotations;
      for (const joint of [1, 2]) expect(quatAt(pose, joint)).toEqual(quatAt(target.rest.rotations, joint));
    }
  });
});
