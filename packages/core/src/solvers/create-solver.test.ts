import { describe, expect, it } from 'vitest';
import { randomDirection, randomRotation, seededRandom } from '../../test/random-chains.js';
import { UsageError } from '../base/errors.js';
import { quaternionAngle, rotateVector } from '../base/math/quaternion.js';
import { localToModel, modelPoseOf } from '../scene/pose.js';
import { createSkeleton } from '../scene/skeleton.js';
import type { ChainSolver } from './create-solver.js';
import { createSolver } from './create-solver.js';
import type { JointLimit } from './joint-limits.js';
import { compileLimit, projectLimit } from './joint-limits.js';
import { createSkeletonChain, loadChain, storeChain } from './skeleton-chain.js';
import { createSolverChain, measureChain, type SolverChain, updateChain } from './solver-chain.js';

const SOLVERS: [string, ChainSolver][] = [
  ['twoBone', { method: 'twoBone' }],
  ['fabrik', { method: 'fabrik' }],
  ['ccd backward', { method: 'ccd', sweep: 'backward' }],
  ['ccd forward', { method: 'ccd', sweep: 'forward' }],
  ['transpose', { method: 'jacobian', variant: 'transpose' }],
  ['pseudo-inverse', { method: 'jacobian', variant: 'pseudoInverse' }],
  ['damped', { method: 'jacobian', variant: 'damped' }],
];

/** A chain along −Y whose joints each bend a little, in a plane. */
function createBent(bones: readonly number[], bend = 0.1): SolverChain {
  const chain = createSolverChain(bones.length + 1);
  bones.forEach((length, i) => {
    chain.offsets[3 * i + 4] = -length;
    chain.rotations[4 * i] = Math.sin(bend / 2);
    chain.rotations[4 * i + 3] = Math.cos(bend / 2);
  });
  measureChain(chain);
  updateChain(chain);
  return chain;
}

function effectorOf(chain: SolverChain): Float64Array {
  return chain.positions.slice(-3);
}

function expectFinite(chain: SolverChain): void {
  for (const list of [chain.rotations, chain.positions, chain.modelRotations])
    for (const value of list) expect(Number.isFinite(value)).toBe(true);
  for (let i = 0; i < chain.rotations.length; i += 4)
    expect(Math.hypot(...chain.rotations.subarray(i, i + 4))).toBeCloseTo(1, 6);
}

describe.each(SOLVERS)('%s', (_, solver) => {
  const far = Number.POSITIVE_INFINITY;
  const goals: [string, number[]][] = [
    ['at the root', [0, 0, 0]],
    ['opposite', [0, 0.8, 0]],
    ['on the line', [0, -0.5, 0]],
    ['out of reach', [3, 4, 0]],
    ['very far', [0, 1e30, 0]],
    ['without end', [0, far, 0]],
    ['that is no number', [Number.NaN, 0, 0]],
  ];
  const chains: [string, () => SolverChain][] = [
    ['one joint', () => createBent([])],
    ['one bone', () => createBent([1])],
    ['a straight limb', () => createBent([0.5, 0.5], 0)],
    ['a straight tail', () => createBent([0.2, 0.2, 0.2, 0.2, 0.2], 0)],
    ['a bent limb', () => createBent([0.5, 0.4])],
    ['zero-length bones', () => createBent([0.5, 0, 0.4, 0])],
    ['no length at all', () => createBent([0, 0, 0])],
    ['a folded limb', () => createBent([0.5, 0.5], Math.PI)],
  ];
  for (const [body, create] of chains)
    it.each(goals)(`R11, KP14: ${body}, goal %s: no NaN`, (_, position) => {
      const chain = create();
      createSolver(chain, solver)({ position: Float64Array.from(position) });
      expectFinite(chain);
    });

  it('KP14: a straight chain bends towards where it is told', () => {
    const chain = createBent(solver.method === 'twoBone' ? [0.5, 0.5] : [0.3, 0.3, 0.3], 0);
    chain.straightBend = Float64Array.of(0, 0, 1);
    const goal = Float64Array.of(0, -0.6 * chain.length, 0);
    createSolver(chain, solver)({ position: goal });
    expect(chain.miss).toBeLessThan(2e-3 * chain.length);
    expect(chain.positions[5]).toBeGreaterThan(0.1);
    expect(Math.abs(chain.positions[3]!)).toBeLessThan(1e-3);
  });

  it('R10: does the same in millimetres, metres and kilometres', () => {
    const answers = [1, 1e-3, 1e3].map((unit) => {
      const chain = createBent([0.5 * unit, 0.4 * unit]);
      createSolver(chain, solver)({ position: Float64Array.of(0.3 * unit, -0.4 * unit, 0.2 * unit) });
      expect(chain.miss).toBeLessThan(1e-3 * chain.length);
      return { rotations: chain.rotations.slice(), iterations: chain.iterations };
    });
    for (const { rotations, iterations } of answers.slice(1)) {
      expect(iterations).toBe(answers[0]!.iterations);
      rotations.forEach((value, i) => void expect(value).toBeCloseTo(answers[0]!.rotations[i]!, 9));
    }
  });

  it('is deterministic, leaves a chain that is at its goal, and goes part of the way by weight', () => {
    const [one, two, half] = [
      createBent([0.5, 0.4], 0.6),
      createBent([0.5, 0.4], 0.6),
      createBent([0.5, 0.4], 0.6),
    ];
    const before = one.rotations.slice();
    const end = effectorOf(one);
    createSolver(one, solver)({ position: end });
    one.rotations.forEach((value, i) => void expect(value).toBeCloseTo(before[i]!, 6));
    const position = Float64Array.of(0.1, -0.6, 0.3);
    createSolver(one, solver)({ position });
    createSolver(two, solver)({ position });
    one.rotations.set(before);
    createSolver(one, solver)({ position });
    expect(one.rotations).toEqual(two.rotations);
    createSolver(half, solver)({ position, weight: 0.5 });
    const wanted = end.map((value, c) => (value + position[c]!) / 2);
    effectorOf(half).forEach((value, c) => void expect(value).toBeCloseTo(wanted[c]!, 3));
  });

  it('turns the effector as asked, on its goal', () => {
    const chain = createBent([0.5, 0.4]);
    const rotation = Float64Array.from(randomRotation(seededRandom(4)));
    createSolver(chain, solver)({ position: Float64Array.of(0.2, -0.5, 0.3), rotation });
    expect(chain.miss).toBeLessThan(1e-3);
    expect(quaternionAngle(chain.modelRotations, 8, rotation, 0)).toBeLessThan(1e-6);
  });

  it('bends where it is asked to', () => {
    const chain = createBent([0.5, 0.4], 0.5);
    createSolver(chain, solver)({ position: Float64Array.of(0, -0.5, 0), bend: Float64Array.of(1, 0, 0) });
    expect(chain.positions[3]).toBeGreaterThan(0.2);
    expect(Math.abs(chain.positions[5]!)).toBeLessThan(5e-3);
    expect(chain.miss).toBeLessThan(1e-3);
  });

  it('K33: keeps to limits, and meets goals that they allow', () => {
    const random = seededRandom(9);
    const knee: JointLimit = { type: 'hinge', axis: 'x', forward: 'y', angleDegrees: [0, 144] };
    const hip: JointLimit = {
      type: 'swingTwist',
      twistAxis: 'y',
      twistDegrees: [-40, 40],
      swingDegrees: { x: [-108, 30], z: [-40, 40] },
    };
    const chain = createBent([0.5, 0.4]);
    const limits = [compileLimit(hip), compileLimit(knee)];
    chain.limits[0] = limits[0]!;
    chain.limits[1] = limits[1]!;
    const solve = createSolver(chain, solver);
    const start = chain.rotations.slice();
    let met = 0;
    for (let k = 0; k < 100; k++) {
      // A pose that the limits allow says where a goal is that can be met.
      const angles = [-0.9 * random(), 0.3 + 1.2 * random(), 0.4 * (random() - 0.5)];
      chain.rotations.fill(0);
      chain.rotations.set([Math.sin(angles[0]! / 2), 0, 0, Math.cos(angles[0]! / 2)], 0);
      chain.rotations.set([Math.sin(angles[1]! / 2), 0, 0, Math.cos(angles[1]! / 2)], 4);
      chain.rotations[11] = 1;
      updateChain(chain);
      const position = effectorOf(chain);
      rotateVector(
        position,
        0,
        Float64Array.of(0, 0, Math.sin(angles[2]! / 2), Math.cos(angles[2]! / 2)),
        0,
        position,
        0,
      );
      chain.rotations.set(start);
      solve({ position });
      expectFinite(chain);
      for (let i = 0; i < 2; i++)
        expect(projectLimit(chain.rotations.slice(), 4 * i, chain.rest, 4 * i, limits[i]!)).toBeLessThan(
          1e-4,
        );
      if (chain.miss < 5e-3 * chain.length) met++;
    }
    expect(met).toBeGreaterThanOrEqual(95);
  });

  it('does not flip along a moving goal', () => {
    const random = seededRandom(12);
    for (let path = 0; path < 10; path++) {
      const a = randomDirection(random);
      const b = randomDirection(random);
      let last: number[] | null = null;
      for (let k = 0; k < 100; k++) {
        // Solved each time from the same pose, as a motion's frames are from a copied one that hardly changes.
        const chain = createBent([0.45, 0.45], 0.4);
        const t = (2 * Math.PI * k) / 100;
        const position = Float64Array.from(
          [0, -0.6, 0.05].map((v, c) => v + 0.2 * (Math.cos(t) * a[c]! + Math.sin(t) * b[c]!)),
        );
        createSolver(chain, solver)({ position });
        const p = chain.positions;
        const normal = [
          p[4]! * p[8]! - p[5]! * p[7]!,
          p[5]! * p[6]! - p[3]! * p[8]!,
          p[3]! * p[7]! - p[4]! * p[6]!,
        ];
        if (last) expect(normal.reduce((sum, v, c) => sum + v * last![c]!, 0)).toBeGreaterThan(0);
        last = normal;
      }
    }
  });

  it('KP15: on a skeleton with scales and nodes between, FK after the solve reaches the goal', () => {
    const { skeleton } = createSkeleton('arm', [
      { name: 'scene', parent: -1, scale: [0.01, 0.01, 0.01], rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] },
      { name: 'chest', parent: 0, translation: [0, 10, 100], scale: [-2, 2, 2] },
      { name: 'upper', parent: 1, translation: [5, 0, 0], rotation: [0.1, 0.2, 0.3, Math.sqrt(0.86)] },
      {
        name: 'twist',
        parent: 2,
        translation: [0, 10, 0],
        rotation: [0, 0.6, 0, 0.8],
        scale: [1.5, 1.5, 1.5],
      },
      { name: 'lower', parent: 3, translation: [0, 12, 1], rotation: [0.5, 0, 0, Math.sqrt(0.75)] },
      { name: 'hand', parent: 4, translation: [0, 20, 0] },
    ]);
    const pose = skeleton.rest;
    const model = modelPoseOf(skeleton, pose);
    const link = createSkeletonChain(skeleton, [2, 4, 5]);
    loadChain(link, model);
    for (let i = 0; i < 3; i++)
      for (let c = 0; c < 3; c++)
        expect(link.chain.positions[3 * i + c]).toBeCloseTo(
          model.matrices[16 * link.joints[i]! + 12 + c]!,
          12,
        );
    const root = link.chain.positions.slice(0, 3);
    const away = randomDirection(seededRandom(2)).map((v) => 0.6 * link.chain.length * v);
    const position = root.map((v, c) => v + away[c]!);
    createSolver(link.chain, solver)({ position });
    storeChain(link, pose, model);
    localToModel(model, skeleton, pose);
    const reached = model.matrices.subarray(16 * 5 + 12, 16 * 5 + 15);
    const miss = Math.hypot(...reached.map((v, c) => v - position[c]!));
    expect(miss).toBeLessThan(1e-3 * link.chain.length);
    expect(miss).toBeCloseTo(link.chain.miss, 9);
  });
});

describe('createSolver', () => {
  it('K30: FABRIK lies straight towards a goal out of reach', () => {
    const chain = createBent([0.3, 0.3, 0.3]);
    createSolver(chain, { method: 'fabrik' })({ position: Float64Array.of(3, 0, 4) });
    effectorOf(chain).forEach((value, c) => void expect(value).toBeCloseTo([0.54, 0, 0.72][c]!, 9));
  });

  it('two-bone takes split limbs along rigidly', () => {
    const chain = createBent([0.2, 0.25, 0.4], 0);
    chain.rotations.set([Math.sin(0.4), 0, 0, Math.cos(0.4)], 8);
    const twist = chain.rotations.slice(4, 8);
    createSolver(chain, { method: 'twoBone' })({ position: Float64Array.of(0.2, -0.5, 0.1) });
    expect(chain.miss).toBeLessThan(1e-9);
    expect(quaternionAngle(chain.rotations, 4, twist, 0)).toBeLessThan(1e-9);
  });

  it('wrong use is said', () => {
    expect(() => createSolver(createSolverChain(3, [-1, 0, 0]), { method: 'fabrik' })).toThrow(UsageError);
    expect(() => createSolver(createBent([1]), { method: 'ccd', maxIterations: Number.NaN })).toThrow(
      'maxIterations',
    );
    expect(() => createSolverChain(0)).toThrow(UsageError);
    expect(() => createSolverChain(2, [-1, 5])).toThrow('hangs on 5');
  });

  it('none leaves all as it is, and still says how far the goal is', () => {
    const chain = createBent([1]);
    const before = chain.rotations.slice();
    createSolver(chain, { method: 'none' })({ position: new Float64Array(3) });
    expect(chain.rotations).toEqual(before);
    expect(chain.miss).toBeCloseTo(1, 9);
  });
});
