import { describe, expect, it } from 'vitest';
import { createGoalBench, type GoalBench, type SolvedLimb, withHock } from '../../test/solve-goals.js';
import {
  angleBetween,
  clipOf,
  createRandom,
  DEGREES,
  distance,
  jointOf,
  placeAt,
  quatAt,
  rotationTrack,
  times,
  tinyHuman,
  turn,
} from '../../test/tiny-rigs.js';
import type { Vec3 } from '../base/math/vector.js';
import { SOLVERS, type SolverName } from '../options/limb-solvers.js';
import { LEG_JOINT_LIMITS, limitJoints } from '../passes/limit-joints.js';
import { compiledOf } from '../passes/pass.js';
import type { Skeleton } from '../scene/skeleton.js';
import { projectJoint } from '../solvers/joint-limits.js';

const source = tinyHuman({ name: 'source' });
const ITERATIVE = (Object.keys(SOLVERS) as SolverName[]).filter(
  (name) => name !== 'none' && name !== 'twoBone',
);
const EVERY = ['twoBone', ...ITERATIVE] as const;

/** Knees and elbows bent, so that limbs show which way. */
function bent(skeleton: Skeleton) {
  const track = (
    role: 'leftLowerLeg' | 'rightLowerLeg' | 'leftLowerArm' | 'rightLowerArm',
    axis: Vec3,
    angle: number,
  ) => {
    const joint = jointOf(skeleton, role);
    return rotationTrack(joint, [0], [times(turn(axis, angle), quatAt(skeleton.rest.rotations, joint))]);
  };
  return clipOf([
    track('leftLowerLeg', [1, 0, 0], 0.5),
    track('rightLowerLeg', [1, 0, 0], 0.5),
    track('leftLowerArm', [0, 1, 0], -0.6),
    track('rightLowerArm', [0, 1, 0], 0.6),
  ]);
}

const pose = bent(source);
const HIP = { leftUpperLeg: LEG_JOINT_LIMITS.leftUpperLeg! };

function benchOf(solver: SolverName, target: Skeleton, options = {}): GoalBench {
  return createGoalBench(source, target, { solvers: { all: solver }, ...options }, pose);
}

/** A point off the end of a limb, in the limb's own measure. */
function off(bench: GoalBench, limb: SolvedLimb, by: Readonly<Vec3>): Vec3 {
  const { length } = bench.limbOf(limb);
  return bench.endOf(bench.model, limb).map((x, c) => x + length * by[c]!) as Vec3;
}

const numbersOf = ({ rotations, translations }: { rotations: Float64Array; translations: Float64Array }) => [
  ...rotations,
  ...translations,
];

describe('a limb that is solved by a solver of its own', () => {
  it.each(EVERY)('K28–K31: %s brings hands and feet to their goals, turned as they were', (solver) => {
    const target = tinyHuman({ name: 'target', axes: createRandom(5), legs: 0.7 });
    const bench = benchOf(solver, target);
    const goals = {
      leftLeg: off(bench, 'leftLeg', [0.1, 0.25, 0.2]),
      rightLeg: off(bench, 'rightLeg', [-0.1, 0.05, -0.15]),
      leftArm: off(bench, 'leftArm', [-0.2, -0.3, 0.2]),
      rightArm: off(bench, 'rightArm', [0.1, 0.3, 0.1]),
    };
    const { model } = bench.solve(goals);
    for (const limb of Object.keys(goals) as (keyof typeof goals)[]) {
      const { length, target: joints } = bench.limbOf(limb);
      expect(distance(bench.endOf(model, limb), goals[limb]) / length, limb).toBeLessThan(1e-5);
      const turned = angleBetween(
        quatAt(model.rotations, joints.end),
        quatAt(bench.model.rotations, joints.end),
      );
      expect(turned, `${limb}'s end`).toBeLessThan(1e-6);
    }
    // What has no part in it stays.
    for (const joint of [jointOf(target, 'head'), jointOf(target, 'hips')])
      expect(placeAt(model, joint)).toEqual(placeAt(bench.model, joint));
  });

  it.each(EVERY)('K32: %s bends knees ahead and elbows back as the pose does, all around', (solver) => {
    const bench = benchOf(solver, tinyHuman({ name: 'target', axes: createRandom(2) }));
    const wanted = benchOf('twoBone', tinyHuman({ name: 'target', axes: createRandom(2) }));
    for (let k = 0; k < 12; k++) {
      const at: Vec3 = [0.2 * Math.sin(k), 0.15 + 0.1 * Math.cos(2 * k), 0.25 * Math.cos(k)];
      for (const limb of ['leftLeg', 'rightArm'] as const) {
        const goals = { [limb]: off(bench, limb, at) };
        const { middle } = bench.limbOf(limb).target;
        const [own, two] = [bench, wanted].map((each) => placeAt(each.solve(goals).model, middle));
        // With the end and the side given, a knee has one place.
        expect(distance(own!, two!)).toBeLessThan(2e-3);
      }
    }
  });

  it.each(EVERY)('KP14: %s takes straight limbs, goals at the root, far away and none at all', (solver) => {
    const straight = tinyHuman({ name: 'straight' });
    const bench = createGoalBench(source, straight, { solvers: { all: solver } });
    const { upper } = bench.limbOf('leftArm').target;
    const root = placeAt(bench.model, upper);
    const far: Vec3 = [3, 1, 5];
    for (const goal of [
      root,
      far,
      [1e30, 0, 0] as Vec3,
      [Number.NaN, 0, 0] as Vec3,
      [0, Number.POSITIVE_INFINITY, 0] as Vec3,
      bench.endOf(bench.model, 'leftArm'),
    ])
      expect(numbersOf(bench.solve({ leftArm: goal }).pose).every(Number.isFinite), `${goal}`).toBe(true);
    // Out of reach the arm points there, straight.
    const reached = bench.endOf(bench.solve({ leftArm: far }).model, 'leftArm');
    const { length } = bench.limbOf('leftArm');
    expect(distance(reached, root) / length).toBeGreaterThan(0.998);
    const way = distance(far, root);
    reached.forEach((x, c) => {
      expect(x).toBeCloseTo(root[c]! + ((far[c]! - root[c]!) * distance(reached, root)) / way, 2);
    });
    // What is no number leaves the limb as it is.
    expect(bench.solve({ leftArm: [Number.NaN, 0, 0] }).pose.rotations).toEqual(bench.before.rotations);
  });

  it.each(EVERY)('%s approaches the end of its reach softly: no knee snaps', (solver) => {
    const bench = benchOf(solver, tinyHuman({ name: 'target' }));
    const { upper, middle } = bench.limbOf('leftLeg').target;
    const { length } = bench.limbOf('leftLeg');
    const root = placeAt(bench.model, upper);
    let before: number | null = null;
    for (let share = 0.9; share < 1.1; share += 0.002) {
      const { model } = bench.solve({ leftLeg: [root[0], root[1] - share * length, root[2]] });
      const [knee, foot] = [placeAt(model, middle), bench.endOf(model, 'leftLeg')];
      const bend = Math.acos(
        Math.min(1, (knee[1] - root[1]) ** 2 / Math.max(1e-9, distance(knee, root) ** 2)) ** 0.5,
      );
      if (before !== null) expect(Math.abs(bend - before) / DEGREES).toBeLessThan(1);
      before = bend;
      expect(distance(foot, root)).toBeLessThan(length * 1.0001);
    }
  });

  it.each(EVERY)('R11: %s takes limbs with bones of no length', (solver) => {
    const target = tinyHuman({ name: 'flat', legs: 0.7 });
    const hand = jointOf(target, 'leftHand');
    for (let c = 0; c < 3; c++) target.rest.translations[3 * hand + c]! *= 1e-4;
    const bench = benchOf(solver, target);
    const { pose: solved } = bench.solve({ leftArm: [0.3, 1.2, 0.3], leftLeg: [0.1, 0.3, 0.2] });
    expect(numbersOf(solved).every(Number.isFinite)).toBe(true);
  });

  it.each(EVERY)('%s takes a foot that hangs on the root for the end of its leg', (solver) => {
    const target = tinyHuman({ name: 'loose', root: true, feetUnderRoot: true });
    const bench = benchOf(solver, target);
    const goal = off(bench, 'leftLeg', [0.05, 0.2, 0.1]);
    const { model } = bench.solve({ leftLeg: goal });
    expect(distance(bench.endOf(model, 'leftLeg'), goal)).toBeLessThan(1e-5);
    const { middle, end } = bench.limbOf('leftLeg').target;
    const shin = (at: typeof model) => distance(placeAt(at, middle), placeAt(at, end));
    expect(shin(model)).toBeCloseTo(shin(bench.model), 5);
  });

  it('none leaves a limb as copied', () => {
    const bench = benchOf('none', tinyHuman({ name: 'target' }));
    const { pose: solved } = bench.solve({ leftLeg: off(bench, 'leftLeg', [0.1, 0.2, 0]) });
    expect(solved.rotations).toEqual(bench.before.rotations);
  });

  it('KP13: a limb of centimetres is solved as one of metres', () => {
    const [small, large] = [0.01, 100].map((unit) => {
      const body = tinyHuman({ name: 'target' });
      body.rest.translations.forEach((x, i) => {
        body.rest.translations[i] = x / unit;
      });
      const bench = createGoalBench(
        source,
        { ...body, declared: { ...body.declared!, unit } },
        { solvers: { all: 'damped' } },
        pose,
      );
      return bench.solve({ leftArm: off(bench, 'leftArm', [-0.2, -0.3, 0.2]) }).pose.rotations;
    });
    small!.forEach((x, i) => {
      expect(x).toBeCloseTo(large![i]!, 6);
    });
  });
});

describe('limits inside the solve', () => {
  it.each([...EVERY.map((solver) => [solver, {}] as const), ['twoBone', { limits: HIP }] as const])(
    '%s bends a knee ahead that was copied a hair too straight (%j)',
    (solver, options) => {
      const knee = jointOf(source, 'leftLowerLeg');
      const rest = quatAt(source.rest.rotations, knee);
      for (const angle of [-4, -3, -2, -1, 0]) {
        const straight = clipOf([rotationTrack(knee, [0], [times(turn([1, 0, 0], angle * DEGREES), rest)])]);
        const target = tinyHuman({ name: 'target' });
        const bench = createGoalBench(source, target, { solvers: { all: solver }, ...options }, straight);
        const { upper, middle } = bench.limbOf('leftLeg').target;
        const { model } = bench.solve({ leftLeg: off(bench, 'leftLeg', [0, 0.15, 0]) });
        const [hip, bent, foot] = [
          placeAt(model, upper),
          placeAt(model, middle),
          bench.endOf(model, 'leftLeg'),
        ];
        expect(bent[2], `${angle}°`).toBeGreaterThan(Math.max(hip[2], foot[2]));
      }
    },
  );

  it.each(EVERY)('K33, W23: %s keeps to what human legs can do, whatever axes the joints have', (solver) => {
    const target = tinyHuman({ name: 'target', axes: createRandom(7) });
    const free = benchOf(solver, target);
    const bench = benchOf(solver, target, { limits: LEG_JOINT_LIMITS });
    let without = 0;
    let met = 0;
    for (let k = 0; k < 20; k++) {
      const goal = off(bench, 'leftLeg', [0.15 * Math.sin(3 * k), 0.02 + 0.02 * k, 0.3 * Math.cos(k)]);
      const { rotations } = bench.solve({ leftLeg: goal }).pose;
      const loose = free.solve({ leftLeg: goal }).pose.rotations;
      for (const limit of compiledOf(bench.setup, limitJoints)!) {
        const at = 4 * limit.joint;
        expect(projectJoint(rotations.slice(), at, limit)).toBeLessThan(1e-6);
        without = Math.max(without, projectJoint(loose, at, limit));
      }
      const { model } = bench.solve({ leftLeg: goal });
      if (distance(bench.endOf(model, 'leftLeg'), goal) < 1e-3 * bench.limbOf('leftLeg').length) met++;
    }
    expect(without, 'the limits have something to hold').toBeGreaterThan(2 * DEGREES);
    expect(met, 'and goals are met').toBeGreaterThan(5);
  });

  it('K33: a knee that may only bend is bent about its own axis alone, by two bones too', () => {
    const hinge = { type: 'hinge', axis: 'x', forward: 'y', angleDegrees: [0, 60], axes: 'body' } as const;
    const bench = benchOf('twoBone', tinyHuman({ name: 'target', axes: createRandom(9) }), {
      limits: { leftLowerLeg: hinge },
    });
    const { upper, middle } = bench.limbOf('leftLeg').target;
    const { length } = bench.limbOf('leftLeg');
    // 60° and what the knee is bent at rest, 2.7°, leave the foot no nearer than cos 31.3° of the leg.
    const root = placeAt(bench.model, upper);
    const { model, pose: solved } = bench.solve({
      leftLeg: [root[0], root[1] - 0.5 * length, root[2] + 0.1],
    });
    expect(distance(bench.endOf(model, 'leftLeg'), root) / length).toBeCloseTo(Math.cos(31.3 * DEGREES), 2);
    const [limit] = compiledOf(bench.setup, limitJoints)!;
    expect(limit!.joint).toBe(middle);
    expect(projectJoint(solved.rotations, 4 * middle, limit!)).toBeLessThan(1e-9);
  });

  it('K33: mirrored joints have the limits of the others', () => {
    const plain = tinyHuman({ name: 'plain' });
    const mirrored = tinyHuman({ name: 'mirrored' });
    // A foot turned inside out is what exporters leave of a mirrored leg; knees and hips are where they were.
    const shin = jointOf(mirrored, 'leftLowerLeg');
    const foot = jointOf(mirrored, 'leftFoot');
    mirrored.rest.scales[3 * shin] = -1;
    mirrored.rest.translations[3 * foot] = -mirrored.rest.translations[3 * foot]!;
    const [a, b] = [plain, mirrored].map((target) => {
      const bench = benchOf('damped', target, { limits: LEG_JOINT_LIMITS });
      const { model, pose: solved } = bench.solve({ leftLeg: [0.2, 0.35, 0.25] });
      for (const limit of compiledOf(bench.setup, limitJoints)!)
        expect(projectJoint(solved.rotations, 4 * limit.joint, limit)).toBeLessThan(1e-6);
      return bench.endOf(model, 'leftLeg');
    });
    expect(distance(a!, b!)).toBeLessThan(1e-3);
  });
});

describe('limbs of more joints', () => {
  it.each(ITERATIVE)(
    '%s turns an extra joint of a leg too, and hardly one that parts a straight shin',
    (solver) => {
      const turns = [0.08, 0].map((aside) => {
        const bench = benchOf(solver, withHock(aside));
        const hock = bench.setup.target.skeleton.names.indexOf('leftHock');
        const goal = off(bench, 'leftLeg', [0, 0.25, 0.1]);
        const { model, pose: solved } = bench.solve({ leftLeg: goal });
        expect(distance(bench.endOf(model, 'leftLeg'), goal)).toBeLessThan(1e-4);
        return angleBetween(quatAt(solved.rotations, hock), quatAt(bench.before.rotations, hock)) / DEGREES;
      });
      expect(turns[0]).toBeGreaterThan(1);
      expect(turns[1]).toBeLessThan(10);
    },
  );
});
