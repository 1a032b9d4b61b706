import { describe, expect, it } from 'vitest';
import { createGoalBench, type GoalBench, type SolvedLimb } from '../../test/solve-goals.js';
import {
  angleBetween,
  createRandom,
  DEGREES,
  distance,
  jointOf,
  placeAt,
  quatAt,
  tinyHuman,
} from '../../test/tiny-rigs.js';
import type { Vec3 } from '../base/math/vector.js';
import type { Role } from '../body/roles.js';
import type { AxedLimit } from '../options/joint-rules.js';
import type { SetupOptions } from '../options/setup-options.js';
import { goalsOf } from '../passes/goals/place-goals.js';
import { solveLimbs } from '../passes/goals/solve-limbs.js';
import { limitJoints } from '../passes/limit-joints.js';
import { compiledOf } from '../passes/pass.js';
import { createFrame } from '../passes/run-passes.js';
import { copyPose, type ModelPose, type Pose } from '../scene/pose.js';
import { projectJoint } from '../solvers/joint-limits.js';
import { createGoals } from './goals.js';
import { createReachTree, solveReach } from './solve-reach.js';

const source = tinyHuman({ name: 'source' });
const target = tinyHuman({ name: 'target', axes: createRandom(4), armsDown: 0.3 });

function benchOf(options: SetupOptions = {}): GoalBench {
  return createGoalBench(source, target, { reach: 'together', ...options });
}

/** A place ahead of a shoulder, in lengths of the arm. */
function ahead(bench: GoalBench, limb: SolvedLimb, share: number, up = 0): Vec3 {
  const { length, target: joints } = bench.limbOf(limb);
  const [x, y, z] = placeAt(bench.model, joints.upper);
  return [x, y + up * length, z + share * length];
}

const turnOf = (bench: GoalBench, pose: Pose, role: Role) =>
  angleBetween(
    quatAt(pose.rotations, jointOf(target, role)),
    quatAt(bench.before.rotations, jointOf(target, role)),
  );

const SPINE = ['spine', 'chest', 'upperChest', 'leftShoulder', 'rightShoulder'] as const;

const missOf = (bench: GoalBench, model: ModelPose, limb: SolvedLimb, goal: Vec3) =>
  distance(bench.endOf(model, limb), goal) / bench.limbOf(limb).length;

describe('reach: together', () => {
  it('K26: the spine bends where both hands are out of reach, and they reach', () => {
    const [alone, bench] = [benchOf({ reach: 'limbs' }), benchOf()];
    const goals = { leftArm: ahead(bench, 'leftArm', 1.25), rightArm: ahead(bench, 'rightArm', 1.2) };
    for (const limb of ['leftArm', 'rightArm'] as const) {
      expect(missOf(alone, alone.solve(goals).model, limb, goals[limb])).toBeGreaterThan(0.19);
      expect(missOf(bench, bench.solve(goals).model, limb, goals[limb])).toBeLessThan(2e-3);
    }
    const { pose, model } = bench.solve(goals);
    expect(turnOf(bench, pose, 'spine')).toBeGreaterThan(2 * DEGREES);
    // Hips, legs and head stay as they are turned; hands too.
    for (const role of ['hips', 'leftUpperLeg', 'head', 'neck', 'leftHand', 'rightHand'] as const) {
      const joint = jointOf(target, role);
      const turned = angleBetween(quatAt(model.rotations, joint), quatAt(bench.model.rotations, joint));
      expect(turned, role).toBeLessThan(1e-6);
    }
  });

  it('within reach nothing but the arm moves', () => {
    const [alone, bench] = [benchOf({ reach: 'limbs' }), benchOf()];
    const goals = { leftArm: ahead(bench, 'leftArm', 0.9), rightArm: ahead(bench, 'rightArm', 0.5, -0.3) };
    expect(bench.solve(goals).pose.rotations).toEqual(alone.solve(goals).pose.rotations);
  });

  it('R9, KP12: it does not matter which arm is listed first', () => {
    const bench = benchOf();
    const { setup } = bench;
    const goals = goalsOf(setup)!;
    const places = { left: ahead(bench, 'leftArm', 1.3, 0.2), right: ahead(bench, 'rightArm', 1.1, -0.4) };
    const solve = (limbs: typeof goals.limbs): Pose => {
      const ordered = { ...goals, limbs };
      const arms = limbs.flatMap(({ kind }, n) => (kind === 'arm' ? [n] : []));
      const plan = { ...compiledOf(setup, solveLimbs)!.solving!.reach!, arms };
      const tree = createReachTree(setup.target.skeleton, ordered, plan, setup.alignment.model);
      const into = createGoals(ordered, setup.source.skeleton.names.length, target.names.length);
      into.target.matrices.set(bench.model.matrices);
      into.target.rotations.set(bench.model.rotations);
      for (const n of arms) {
        into.places.set(places[limbs[n]!.side], 3 * n);
        into.weights[n] = 1;
      }
      const pose = copyPose(bench.before);
      solveReach(tree, pose, into, ordered);
      return pose;
    };
    const one = solve(goals.limbs);
    const other = solve([...goals.limbs].reverse());
    expect(turnOf(bench, one, 'spine')).toBeGreaterThan(DEGREES);
    one.rotations.forEach((x, i) => {
      expect(x).toBeCloseTo(other.rotations[i]!, 9);
    });
    expect(createFrame(setup, null).goals).not.toBeNull();
  });

  it('both hands at once: what is done for one is not undone for the other', () => {
    const bench = benchOf();
    // To both sides: each arm alone would turn the spine its own way.
    const places = {
      leftArm: ahead(bench, 'leftArm', 1.08, 0.1),
      rightArm: ahead(bench, 'rightArm', 1.08, 0.1),
    };
    const together = bench.solve(places).model;
    for (const limb of ['leftArm', 'rightArm'] as const)
      expect(missOf(bench, together, limb, places[limb])).toBeLessThan(1e-3);
    // A hand that stands on something stays there while the other reaches.
    const held = bench.endOf(bench.model, 'rightArm');
    const { model } = bench.solve({ leftArm: ahead(bench, 'leftArm', 1.3), rightArm: held });
    expect(distance(bench.endOf(model, 'rightArm'), held)).toBeLessThan(1e-3);
    expect(missOf(bench, model, 'leftArm', ahead(bench, 'leftArm', 1.3))).toBeLessThan(5e-3);
  });

  it('hands in the air come along, pointing where they did', () => {
    const bench = benchOf();
    const { model } = bench.solve({ leftArm: ahead(bench, 'leftArm', 1.4) }, 1);
    const { upper, end } = bench.limbOf('rightArm').target;
    const way = (at: ModelPose) => placeAt(at, end).map((x, c) => x - placeAt(at, upper)[c]!) as Vec3;
    expect(distance(way(model), way(bench.model))).toBeLessThan(1e-6);
    expect(distance(placeAt(model, upper), placeAt(bench.model, upper))).toBeGreaterThan(0.005);
    expect(missOf(bench, model, 'leftArm', ahead(bench, 'leftArm', 1.4))).toBeLessThan(0.02);
  });

  it('changes smoothly with the goal, from within reach to far beyond it, and no more than is needed', () => {
    const bench = benchOf();
    let before: Pose | null = null;
    let least = 0;
    const STEP = 0.002;
    for (let share = 0.9; share < 2; share += STEP) {
      const { pose } = bench.solve({ leftArm: ahead(bench, 'leftArm', share, 0.3) });
      for (const role of SPINE) {
        const joint = jointOf(target, role);
        if (before)
          expect(
            angleBetween(quatAt(pose.rotations, joint), quatAt(before.rotations, joint)),
            `${role} at ${share.toFixed(3)}`,
          ).toBeLessThan(1.5 * DEGREES);
      }
      // The farther away, the more: never back and forth.
      const whole = SPINE.reduce((sum, role) => sum + turnOf(bench, pose, role), 0);
      expect(whole).toBeGreaterThan(least - 0.05 * DEGREES);
      least = whole;
      before = pose;
    }
    expect(least).toBeLessThan(120 * DEGREES);
  });

  it('K33: stays inside the limits of the spine, and knows an elbow that does not straighten', () => {
    const stiff: AxedLimit = {
      type: 'swingTwist',
      twistAxis: 'y',
      twistDegrees: [-3, 3],
      swingDegrees: { x: [-3, 3], z: [-3, 3] },
    };
    const limits = { spine: stiff, chest: stiff, upperChest: stiff };
    const bench = benchOf({ limits });
    const goal = ahead(bench, 'leftArm', 1.5);
    const { pose } = bench.solve({ leftArm: goal });
    for (const limit of compiledOf(bench.setup, limitJoints)!)
      expect(projectJoint(pose.rotations.slice(), 4 * limit.joint, limit)).toBeLessThan(1e-9);
    expect(turnOf(bench, pose, 'spine')).toBeGreaterThan(2 * DEGREES);
    const bent: AxedLimit = {
      type: 'hinge',
      axis: 'y',
      forward: 'x',
      angleDegrees: [-120, -60],
      axes: 'body',
    };
    const elbowed = benchOf({ limits: { leftLowerArm: bent } });
    const near = ahead(elbowed, 'leftArm', 0.95);
    const solved = elbowed.solve({ leftArm: near });
    expect(
      turnOf(elbowed, solved.pose, 'spine'),
      'the spine makes good what the elbow cannot',
    ).toBeGreaterThan(DEGREES);
    expect(missOf(elbowed, solved.model, 'leftArm', near)).toBeLessThan(0.01);
  });

  it('R11: goals that are no numbers, at the root and at the end of the world give numbers', () => {
    const bench = benchOf();
    for (const goal of [
      [Number.NaN, 1, 1],
      [0, Number.NEGATIVE_INFINITY, 0],
      [1e30, 1e30, 0],
      [0, 1, 1e9],
      placeAt(bench.model, jointOf(target, 'leftUpperArm')),
      placeAt(bench.model, jointOf(target, 'spine')),
    ] as Vec3[]) {
      const { pose } = bench.solve({ leftArm: goal, rightArm: ahead(bench, 'rightArm', 1.2) });
      expect([...pose.rotations].every(Number.isFinite), `${goal}`).toBe(true);
    }
  });

  it('a body without a spine, or without arms, is solved as ever', () => {
    const armless = tinyHuman({ name: 'armless' });
    const roles = Object.fromEntries(
      Object.entries(armless.metadataRoles!).filter(([role]) => !/Arm|Hand|Shoulder|Middle/.test(role)),
    );
    const names = armless.names.map((name, i) =>
      /Arm|Hand|Shoulder|Middle/.test(name) ? `thing${i}` : name,
    );
    const bench = createGoalBench(source, { ...armless, names, metadataRoles: roles }, { reach: 'together' });
    expect(compiledOf(bench.setup, solveLimbs)!.solving).toBeNull();
  });
});
