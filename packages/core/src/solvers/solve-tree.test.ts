import { describe, expect, it } from 'vitest';
import { UsageError } from '../base/errors.js';
import { quaternionAngle } from '../base/math/quaternion.js';
import { compileLimit, projectLimit } from './joint-limits.js';
import { createTreeSolver, solveTree } from './solve-tree.js';
import { createSolverChain, measureChain, type SolverChain, updateChain } from './solver-chain.js';
import type { TreeEffector } from './tree-system.js';

/** A spine of three joints with an arm of three at each side: 0–2 spine, 3–6 left, 7–10 right. */
function createTorso(unit = 1): SolverChain {
  const tree = createSolverChain(11, [-1, 0, 1, 2, 3, 4, 5, 2, 7, 8, 9]);
  const offsets = [
    [0, 1, 0],
    [0, 0.2, 0],
    [0, 0.2, 0],
    ...[1, -1].flatMap((side) => [
      [0.05 * side, 0.15, 0],
      [0.12 * side, 0, 0],
      [0.28 * side, 0, -0.02],
      [0.26 * side, 0, 0.03],
    ]),
  ];
  offsets.forEach((offset, i) => {
    tree.offsets.set(
      offset.map((v) => unit * v),
      3 * i,
    );
  });
  measureChain(tree);
  updateChain(tree);
  return tree;
}

const LEFT = 6;
const RIGHT = 10;

describe('solveTree', () => {
  it('R9, KP12: spine and both arms meet their goals together, in whatever order they are listed', () => {
    const goals = (): TreeEffector[] => [
      { joint: LEFT, position: Float64Array.of(0.3, 1.2, 0.55) },
      { joint: RIGHT, position: Float64Array.of(-0.1, 1.0, 0.6) },
    ];
    const [one, other] = [createTorso(), createTorso()];
    solveTree(createTreeSolver(one, goals()));
    solveTree(createTreeSolver(other, goals().reverse()));
    expect(one.miss).toBeLessThan(1e-3);
    expect(one.iterations).toBeLessThan(60);
    for (let i = 0; i < 11; i++)
      expect(quaternionAngle(one.rotations, 4 * i, other.rotations, 4 * i)).toBeLessThan(1e-6);
    // The spine helps: a goal that the arms alone cannot reach.
    const far = createTorso();
    solveTree(
      createTreeSolver(far, [
        { joint: LEFT, position: Float64Array.of(0.35, 1.25, 0.75) },
        { joint: RIGHT, position: Float64Array.of(-0.35, 1.25, 0.75) },
      ]),
    );
    expect(far.miss).toBeLessThan(2e-3);
    expect(quaternionAngle(far.rotations, 0, Float64Array.of(0, 0, 0, 1), 0)).toBeGreaterThan(0.05);
  });

  it('R10: does the same in millimetres and kilometres', () => {
    const turns = [1, 1e-3, 1e3].map((unit) => {
      const tree = createTorso(unit);
      solveTree(
        createTreeSolver(tree, [
          { joint: LEFT, position: Float64Array.of(0.3 * unit, 1.2 * unit, 0.5 * unit) },
        ]),
      );
      expect(tree.miss).toBeLessThan(1e-3 * unit);
      return tree.rotations;
    });
    for (const rotations of turns.slice(1))
      for (let i = 0; i < 44; i++) expect(rotations[i]).toBeCloseTo(turns[0]![i]!, 6);
  });

  it('turns effectors as asked, and keeps limits and joints that shall not turn', () => {
    const tree = createTorso();
    tree.weights[0] = 0;
    const elbow = compileLimit({ type: 'hinge', axis: 'y', forward: 'x', angleDegrees: [-150, 0] });
    tree.limits[5] = elbow;
    const rotation = Float64Array.of(0, Math.sin(-0.6), 0, Math.cos(-0.6));
    solveTree(createTreeSolver(tree, [{ joint: LEFT, position: Float64Array.of(0.4, 1.5, 0.35), rotation }]));
    expect(tree.miss).toBeLessThan(2e-3);
    expect(quaternionAngle(tree.modelRotations, 4 * LEFT, rotation, 0)).toBeLessThan(0.01);
    expect(projectLimit(tree.rotations, 20, tree.rest, 20, elbow)).toBeLessThan(1e-6);
    expect(tree.rotations.slice(0, 4)).toEqual(Float64Array.of(0, 0, 0, 1));
  });

  it('goals that contradict each other are met by weight', () => {
    const distances = [10, 1].map((weight) => {
      const tree = createTorso();
      solveTree(
        createTreeSolver(tree, [
          { joint: LEFT, position: Float64Array.of(2, 1.5, 0), weight },
          { joint: RIGHT, position: Float64Array.of(-2, 1.5, 0), weight: 1 },
        ]),
      );
      return 2 - tree.positions[3 * LEFT]!;
    });
    expect(distances[0]).toBeLessThan(distances[1]! - 0.02);
  });

  it('a body at its goals is left alone, and what goals leave free goes back to the pose', () => {
    const tree = createTorso();
    const before = tree.rotations.slice();
    solveTree(createTreeSolver(tree, [{ joint: LEFT, position: tree.positions.slice(18, 21) }]));
    expect(tree.rotations).toEqual(before);
    const turned = [0, 0.3].map((attraction) => {
      const one = createTorso();
      const position = Float64Array.of(0.3, 1.2, 0.5);
      solveTree(createTreeSolver(one, [{ joint: LEFT, position }], { attraction }));
      expect(one.miss).toBeLessThan(1e-3);
      // The right arm has no goal: nothing of it turns.
      for (let i = 7; i < 11; i++)
        expect(quaternionAngle(one.rotations, 4 * i, before, 4 * i)).toBeLessThan(1e-9);
      let sum = 0;
      for (let i = 0; i < 11; i++) sum += quaternionAngle(one.rotations, 4 * i, before, 4 * i) ** 2;
      return sum;
    });
    expect(turned[1]).toBeLessThanOrEqual(turned[0]! + 1e-6);
  });

  it('R11: goals that are no numbers, no effectors, no length: no NaN', () => {
    const lists: number[][] = [
      [Number.NaN, 0, 0],
      [0, Number.POSITIVE_INFINITY, 0],
      [0, 1, 0],
      [1e20, 0, 0],
    ];
    for (const position of lists) {
      const tree = createTorso();
      solveTree(createTreeSolver(tree, [{ joint: LEFT, position: Float64Array.from(position) }]));
      for (const value of tree.rotations) expect(Number.isFinite(value)).toBe(true);
      expect(tree.miss).not.toBeNaN();
    }
    const empty = createTorso();
    solveTree(createTreeSolver(empty, []));
    expect(empty.iterations).toBe(0);
    const flat = createTorso(0);
    solveTree(createTreeSolver(flat, [{ joint: LEFT, position: Float64Array.of(1, 1, 1) }]));
    for (const value of flat.rotations) expect(Number.isFinite(value)).toBe(true);
    expect(() => createTreeSolver(empty, [{ joint: 11, position: new Float64Array(3) }])).toThrow(UsageError);
  });

  it('a goal with slack pulls at what is farther away, and at nothing nearer', () => {
    const shoulder = 4;
    const goal = (away: number): TreeEffector => ({
      joint: shoulder,
      position: Float64Array.of(0.17, 1.55, away),
      slack: 0.6,
    });
    for (const settings of [{}, { stiffness: 0.05 }]) {
      const near = createTorso();
      const before = near.rotations.slice();
      solveTree(createTreeSolver(near, [goal(0.5)], settings));
      expect(near.rotations).toEqual(before);
      expect(near.miss).toBe(0);
      const far = createTorso();
      solveTree(createTreeSolver(far, [goal(0.75)], settings));
      // It comes to the edge of the slack and no nearer.
      const away = Math.hypot(
        far.positions[12]! - 0.17,
        far.positions[13]! - 1.55,
        far.positions[14]! - 0.75,
      );
      expect(Math.abs(away - 0.6)).toBeLessThan(0.012);
    }
  });

  it('stiffness: no more is turned than is worth it, and goals in whatever order give the same', () => {
    const goals = (): TreeEffector[] => [
      { joint: LEFT, position: Float64Array.of(0.6, 1.9, 0.8) },
      { joint: RIGHT, position: Float64Array.of(-0.4, 0.9, 0.7) },
    ];
    const turned = ({ rotations }: SolverChain) => {
      let sum = 0;
      for (let i = 0; i < 11; i++)
        sum += quaternionAngle(rotations, 4 * i, Float64Array.of(0, 0, 0, 1), 0) ** 2;
      return Math.sqrt(sum);
    };
    const solved = [0.02, 0.1, 0.5, 2].map((stiffness) => {
      const [one, other] = [createTorso(), createTorso()];
      solveTree(createTreeSolver(one, goals(), { stiffness }));
      solveTree(createTreeSolver(other, goals().reverse(), { stiffness }));
      for (let i = 0; i < 11; i++)
        expect(quaternionAngle(one.rotations, 4 * i, other.rotations, 4 * i)).toBeLessThan(1e-4);
      return { turned: turned(one), miss: one.miss };
    });
    for (let k = 1; k < solved.length; k++) {
      expect(solved[k]!.turned).toBeLessThan(solved[k - 1]!.turned + 1e-6);
      expect(solved[k]!.miss).toBeGreaterThan(solved[k - 1]!.miss - 1e-6);
    }
    expect(solved[3]!.turned).toBeLessThan(0.3);
  });

  it('stiffness: a solve that is gone on with counts turns from the pose before it', () => {
    const once = createTorso();
    const goal: TreeEffector = { joint: LEFT, position: Float64Array.of(0.5, 1.3, 0.5) };
    const solver = createTreeSolver(once, [goal], { stiffness: 0.3 });
    solveTree(solver);
    const reached = once.rotations.slice();
    solveTree(solver, once.start);
    for (let i = 0; i < 11; i++)
      expect(quaternionAngle(reached, 4 * i, once.rotations, 4 * i)).toBeLessThan(1e-4);
    // From the pose that it has come to, it goes on towards the goal.
    const miss = once.miss;
    solveTree(solver);
    expect(once.miss).toBeLessThan(0.9 * miss);
  });
});
