import { describe, expect, it } from 'vitest';
import { randomDirection, seededRandom } from '../../test/random-chains.js';
import { quaternionAngle, rotateVector } from '../base/math/quaternion.js';
import { localToModel, modelPoseOf } from '../scene/pose.js';
import { createSkeleton } from '../scene/skeleton.js';
import {
  createTwoBoneSolution,
  softenReach,
  solveTwoBone,
  type TwoBoneOptions,
  type TwoBoneSolution,
} from './solve-two-bone.js';
import { turnJoint } from './turn-joint.js';

type Point = readonly [number, number, number];

function solve(root: Point, mid: Point, end: Point, goal: Point, options?: TwoBoneOptions): TwoBoneSolution {
  const out = createTwoBoneSolution();
  const at = (p: Point) => Float64Array.from(p);
  solveTwoBone(out, at(root), 0, at(mid), 0, at(end), 0, at(goal), 0, options);
  return out;
}

const distance = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);

function turned(q: Float64Array, v: Point): Float64Array {
  const out = new Float64Array(3);
  rotateVector(out, 0, q, 0, Float64Array.from(v), 0);
  return out;
}

const minus = (a: ArrayLike<number>, b: ArrayLike<number>): Point => [
  a[0]! - b[0]!,
  a[1]! - b[1]!,
  a[2]! - b[2]!,
];

/** Every number finite, the turns put the bones where the positions say, lengths as before. */
function expectSound(s: TwoBoneSolution, root: Point, mid: Point, end: Point): void {
  const size = distance(mid, root) + distance(end, mid);
  for (const part of [s.mid, s.end, s.upperTurn, s.lowerTurn, s.bend])
    for (const value of part) expect(Number.isFinite(value)).toBe(true);
  expect(Math.hypot(...s.upperTurn)).toBeCloseTo(1, 12);
  expect(Math.hypot(...s.lowerTurn)).toBeCloseTo(1, 12);
  expect(distance(turned(s.upperTurn, minus(mid, root)), minus(s.mid, root))).toBeLessThanOrEqual(
    1e-9 * size,
  );
  expect(distance(turned(s.lowerTurn, minus(end, mid)), minus(s.end, s.mid))).toBeLessThanOrEqual(
    3e-6 * size,
  );
}

const ROOT: Point = [0, 1, 0];
const KNEE: Point = [0, 0.55, 0.05];
const ANKLE: Point = [0, 0.1, 0];
const STRAIGHT_KNEE: Point = [0, 0.55, 0];

describe('solveTwoBone', () => {
  const edges: [string, Point, Point, Point, Point][] = [
    ['straight limb', ROOT, STRAIGHT_KNEE, ANKLE, [0, 0.3, 0]],
    ['straight limb, goal beside it', ROOT, STRAIGHT_KNEE, ANKLE, [0.3, 0.4, 0.1]],
    ['goal at the root', ROOT, KNEE, ANKLE, ROOT],
    ['goal at the end', ROOT, KNEE, ANKLE, ANKLE],
    ['goal opposite', ROOT, KNEE, ANKLE, [0, 1.8, 0]],
    ['goal opposite a straight limb', ROOT, STRAIGHT_KNEE, ANKLE, [0, 1.8, 0]],
    ['goal far away', ROOT, KNEE, ANKLE, [0, -1e9, 3]],
    ['folded limb', ROOT, STRAIGHT_KNEE, ROOT, [0.2, 0.5, 0]],
    ['folded limb, goal at the root', ROOT, STRAIGHT_KNEE, ROOT, ROOT],
    ['upper bone without length', ROOT, ROOT, ANKLE, [0.2, 0.5, 0]],
    ['lower bone without length', ROOT, ANKLE, ANKLE, [0.2, 0.5, 0]],
    ['unequal bones, goal inside their difference', ROOT, [0, 0.9, 0.01], ANKLE, [0, 0.95, 0.01]],
    ['all in one point', ROOT, ROOT, ROOT, [0.2, 0.5, 0]],
    ['goal that is no number', ROOT, KNEE, ANKLE, [Number.NaN, 0, 0]],
    ['goal without end', ROOT, KNEE, ANKLE, [0, Number.POSITIVE_INFINITY, 0]],
  ];
  it.each(edges)('R11, KP14: %s gives sound turns', (_, root, mid, end, goal) => {
    for (const options of [
      {},
      { bend: Float64Array.of(0, 0, 1) },
      { bend: Float64Array.of(0, -1, 0) },
      { bend: new Float64Array(3), straightBend: Float64Array.of(0, 1, 0) },
      { straightBend: Float64Array.of(Number.NaN, 0, 0) },
      { softness: 1 },
    ]) {
      const solution = solve(root, mid, end, goal, options);
      expectSound(solution, root, mid, end);
      expect(solution.miss).not.toBeNaN();
    }
  });

  it('changes nothing where the end is at its goal', () => {
    const { upperTurn, lowerTurn } = solve(ROOT, [0, 0.6, 0.2], ANKLE, ANKLE);
    const identity = Float64Array.of(0, 0, 0, 1);
    expect(quaternionAngle(upperTurn, 0, identity, 0)).toBeLessThan(1e-7);
    expect(quaternionAngle(lowerTurn, 0, identity, 0)).toBeLessThan(1e-7);
  });

  it('R10: reaches 10,000 random goals at 5 to 98 % of reach, from millimetres to kilometres', () => {
    const random = seededRandom(1);
    let met = 0;
    for (let k = 0; k < 10_000; k++) {
      const unit = 10 ** (Math.floor(7 * random()) - 3);
      const from = (p: Point, length: number): Point => {
        const d = randomDirection(random);
        return [p[0] + length * d[0], p[1] + length * d[1], p[2] + length * d[2]];
      };
      const root = from([0, 0, 0], unit);
      const upper = unit * (0.5 + random());
      const lower = unit * (0.5 + random());
      const mid = from(root, upper);
      const end = from(mid, lower);
      const reach = upper + lower;
      const least = Math.max(0.05, Math.abs(upper - lower) / reach);
      const goal = from(root, reach * (least + (0.98 - least) * random()));
      const bend = random() < 0.5 ? null : Float64Array.from(randomDirection(random));
      const solution = solve(root, mid, end, goal, { bend });
      // By the turns, not by the positions given.
      const upperNew = turned(solution.upperTurn, minus(mid, root));
      const lowerNew = turned(solution.lowerTurn, minus(end, mid));
      const reached = [0, 1, 2].map((c) => root[c]! + upperNew[c]! + lowerNew[c]!);
      if (distance(reached, goal) <= 0.001 * reach) met++;
    }
    expect(met).toBeGreaterThanOrEqual(9990);
  });

  it('bends where it is asked to, and the middle joint turns as a hinge', () => {
    const bend = Float64Array.of(1, 0, 0);
    const s = solve(ROOT, KNEE, ANKLE, [0, 0.4, 0], { bend });
    expect(s.mid[0]).toBeGreaterThan(0.2);
    expect(s.mid[2]).toBeCloseTo(0, 9);
    // The knee's axis, square to the leg's plane in the pose, is turned alike by both bones.
    expect(distance(turned(s.upperTurn, [1, 0, 0]), turned(s.lowerTurn, [1, 0, 0]))).toBeLessThan(1e-9);
  });

  it('a straight limb bends where it is told to without being twisted', () => {
    const s = solve(ROOT, STRAIGHT_KNEE, ANKLE, [0, 0.4, 0], { straightBend: Float64Array.of(0, 0, 1) });
    expect(s.mid[2]).toBeGreaterThan(0.2);
    expect(distance(turned(s.upperTurn, [1, 0, 0]), [1, 0, 0])).toBeLessThan(1e-9);
    const asked = solve(ROOT, STRAIGHT_KNEE, ANKLE, [0, 0.4, 0], { bend: Float64Array.of(0, 0, 1) });
    expect(distance(turned(asked.upperTurn, [1, 0, 0]), [1, 0, 0])).toBeLessThan(1e-9);
    // Knocked over backward by a hair: still forward.
    const knocked = solve(ROOT, [0, 0.55, -1e-6], ANKLE, [0, 0.4, 0], {
      straightBend: Float64Array.of(0, 0, 1),
    });
    expect(knocked.mid[2]).toBeGreaterThan(0.2);
    expect(distance(turned(knocked.upperTurn, [1, 0, 0]), [1, 0, 0])).toBeLessThan(1e-3);
  });

  it('a hinge that is hyperextended by a hair bends its own way, and never turns over', () => {
    const straightBend = Float64Array.of(0, 0, 1);
    const goal: Point = [0.02, 0.2, 0.1];
    let before: TwoBoneSolution | null = null;
    for (let z = -0.03; z <= 0.03; z += 0.0005) {
      const knee: Point = [0, 0.55, z];
      const hinge = solve(ROOT, knee, ANKLE, goal, { straightBend, isHinge: true });
      expectSound(hinge, ROOT, knee, ANKLE);
      expect(hinge.miss).toBeLessThan(1e-9);
      expect(hinge.bend[2]).toBeGreaterThan(0.5);
      if (before) expect(distance(hinge.mid, before.mid)).toBeLessThan(0.005);
      before = hinge;
    }
    // Without, the bend of the pose is taken at its word.
    expect(solve(ROOT, [0, 0.55, -0.03], ANKLE, goal, { straightBend }).bend[2]).toBeLessThan(-0.5);
  });

  it('stretches softly: no jump of the knee along a goal that leaves', () => {
    const angles: number[] = [];
    for (let k = 0; k <= 400; k++) {
      const s = solve(ROOT, KNEE, ANKLE, [0, 0.2 - 0.001 * k, 0]);
      angles.push(quaternionAngle(s.upperTurn, 0, s.lowerTurn, 0));
    }
    const steps = angles.slice(1).map((angle, k) => Math.abs(angle - angles[k]!));
    expect(Math.max(...steps)).toBeLessThan(0.02);
    // Without softening the last millimetre before full stretch takes several degrees.
    const length = 2 * Math.hypot(0.45, 0.05);
    const kneeAt = (away: number) => {
      const hard = solve(ROOT, KNEE, ANKLE, [0, 1 - away, 0], { softness: 1 });
      return quaternionAngle(hard.upperTurn, 0, hard.lowerTurn, 0);
    };
    const jump = Math.abs(kneeAt(length) - kneeAt(length - 0.001));
    expect(jump).toBeGreaterThan(0.03);
  });

  it('the softened reach is monotone, smooth and never beyond the length', () => {
    let before = softenReach(0, 0.97);
    let slope = 1;
    for (let d = 0.001; d < 1.3; d += 0.001) {
      const reach = softenReach(d, 0.97);
      expect(reach).toBeGreaterThanOrEqual(before);
      expect(reach).toBeLessThanOrEqual(1);
      expect(Math.abs((reach - before) / 0.001 - slope)).toBeLessThan(0.03);
      slope = (reach - before) / 0.001;
      before = reach;
    }
    expect(before).toBe(1);
    expect(softenReach(5, 1)).toBe(1);
  });

  it('the bend does not flip along a moving goal', () => {
    const random = seededRandom(3);
    for (let path = 0; path < 50; path++) {
      const centre: Point = [0, 0.45, 0.1];
      const a = randomDirection(random);
      const b = randomDirection(random);
      let last: Float64Array | null = null;
      for (let k = 0; k < 200; k++) {
        const t = (2 * Math.PI * k) / 200;
        const goal = centre.map((v, c) => v + 0.35 * (Math.cos(t) * a[c]! + Math.sin(t) * b[c]!));
        const s = solve(ROOT, KNEE, ANKLE, goal as unknown as Point);
        const normal = Float64Array.of(
          s.bend[1]! * (s.end[2]! - 0) - s.bend[2]! * (s.end[1]! - 1),
          s.bend[2]! * s.end[0]! - s.bend[0]! * s.end[2]!,
          s.bend[0]! * (s.end[1]! - 1) - s.bend[1]! * s.end[0]!,
        );
        if (last !== null)
          expect(normal[0]! * last[0]! + normal[1]! * last[1]! + normal[2]! * last[2]!).toBeGreaterThan(0);
        last = normal;
      }
    }
  });

  it('KP15: through a skeleton with scales, a mirrored node and twist joints the end reaches its goal', () => {
    const { skeleton } = createSkeleton('leg', [
      { name: 'scene', parent: -1, scale: [0.01, 0.01, 0.01], rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] },
      { name: 'hips', parent: 0, translation: [0, 0, 100], scale: [-1, 1, 1] },
      { name: 'upper', parent: 1, rotation: [0.1, 0.2, 0.3, Math.sqrt(0.86)], scale: [2, 2, 2] },
      { name: 'twist', parent: 2, translation: [0, 10, 0] },
      { name: 'lower', parent: 3, translation: [0, 12, 1], rotation: [0.5, 0, 0, Math.sqrt(0.75)] },
      { name: 'end', parent: 4, translation: [0, 20, 0] },
    ]);
    const pose = skeleton.rest;
    const model = modelPoseOf(skeleton, pose);
    const before = model.rotations.slice();
    const m = model.matrices;
    const goal = Float64Array.of(m[16 * 2 + 12]! + 0.3, m[16 * 2 + 13]! - 0.25, m[16 * 2 + 14]! + 0.1);
    const s = createTwoBoneSolution();
    solveTwoBone(s, m, 16 * 2 + 12, m, 16 * 4 + 12, m, 16 * 5 + 12, goal, 0);
    turnJoint(pose.rotations, 4 * 2, before, 4 * 1, null, s.upperTurn);
    turnJoint(pose.rotations, 4 * 4, before, 4 * 3, s.upperTurn, s.lowerTurn);
    turnJoint(pose.rotations, 4 * 5, before, 4 * 4, s.lowerTurn, null);
    localToModel(model, skeleton, pose);
    expect(distance(m.subarray(16 * 5 + 12), goal)).toBeLessThan(1e-9);
    // The end keeps its model rotation.
    expect(quaternionAngle(model.rotations, 4 * 5, before, 4 * 5)).toBeLessThan(1e-7);
  });

  it('W22: a knee keeps its side at every fold, also with a shin longer than the thigh, and nothing leaps', () => {
    const front = Float64Array.of(0, 0, 1);
    const [thigh, shin] = [0.35, 0.5];
    const options = { straightBend: front, isHinge: true, keepsSide: true };
    // A thigh that hangs down and bends by more and more, up to 170 degrees, with a goal that circles the foot.
    let before: TwoBoneSolution | null = null;
    for (let k = 0; k <= 1700; k++) {
      const bend = (k / 10) * (Math.PI / 180);
      const knee: Point = [0, 1 - thigh, 0];
      const foot: Point = [0, 1 - thigh - shin * Math.cos(bend), -shin * Math.sin(bend)];
      const goal: Point = [foot[0] + 0.03 * Math.sin(k / 60), foot[1] + 0.03 * Math.cos(k / 60), foot[2]];
      const s = solve(ROOT, knee, foot, goal, options);
      expectSound(s, ROOT, knee, foot);
      // The shin bends backwards about the axis of the hinge, never to the front.
      const [upper, lower] = [minus(s.mid, ROOT), minus(s.end, s.mid)];
      expect(upper[1] * lower[2] - upper[2] * lower[1]).toBeGreaterThan(-1e-3);
      if (before)
        for (const part of ['upperTurn', 'lowerTurn'] as const)
          expect(quaternionAngle(s[part], 0, before[part], 0)).toBeLessThan(0.05);
      before = s;
    }
  });

  it('goals nearer than a limb can be folded are approached softly, the farther ones met', () => {
    const knee: Point = [0, 0.7, 0.01];
    const foot: Point = [0, 0.3, -0.3];
    const reaches = Array.from({ length: 60 }, (_, k) => {
      const s = solve(ROOT, knee, foot, [0, 1 - k / 150, 0], { keepsSide: true });
      return distance(s.end, ROOT);
    });
    const [upper, lower] = [distance(knee, ROOT), distance(foot, knee)];
    expect(Math.min(...reaches)).toBeGreaterThanOrEqual(Math.abs(upper - lower) - 1e-9);
    for (let k = 1; k < reaches.length; k++)
      expect(reaches[k]!).toBeGreaterThanOrEqual(reaches[k - 1]! - 1e-12);
    expect(reaches[59]!).toBeCloseTo(59 / 150, 9);
  });

  it('a limb that is swivelled turns on as it begins to be folded: no bone rolls from one frame to the next', () => {
    let before: TwoBoneSolution | null = null;
    for (let k = 0; k <= 200; k++) {
      // An elbow that closes from 0.45 to 0.35 of the arm, where a fold begins at 0.4.
      const reach = 0.45 - k / 2000;
      const across = Math.sqrt(0.25 - (reach * reach) / 4);
      const elbow: Point = [across, 1 - reach / 2, 0];
      const hand: Point = [0, 1 - reach, 0];
      const s = solve(ROOT, elbow, hand, [0.02, 1 - reach, 0.03], { keepsSide: true, swivel: 0.4 });
      expectSound(s, ROOT, elbow, hand);
      if (before)
        for (const part of ['upperTurn', 'lowerTurn'] as const)
          expect(quaternionAngle(s[part], 0, before[part], 0)).toBeLessThan(0.01);
      before = s;
    }
  });
});

describe('limbs that are solved plainly', () => {
  // Bent by so much of its length, a limb of two bones of 0.5; reaching so much of it, where that is told.
  const bent = (height: number): [Point, Point] => {
    const half = Math.sqrt(0.25 - height * height);
    return [
      [0, 1 - half, height],
      [0, 1 - 2 * half, 0],
    ];
  };
  const folded = (reach: number): [Point, Point] => bent(Math.sqrt(0.25 - (reach * reach) / 4));
  const goal: Point = [0.15, 0.35, 0.2];
  const front = Float64Array.of(0.2, 0.1, 1);
  const borders: [string, (off: number) => [Point, Point], TwoBoneOptions][] = [
    ['a knee that is hardly bent', (off) => bent(0.05 + off), { isHinge: true, straightBend: front }],
    ['an elbow that is hardly bent', (off) => bent(0.005 + off), { straightBend: front, swivel: 0.3 }],
    [
      'a knee that is folded',
      (off) => folded(0.4 + off),
      { isHinge: true, straightBend: front, keepsSide: true },
    ],
    [
      'an elbow that is folded',
      (off) => folded(0.4 + off),
      { straightBend: front, keepsSide: true, swivel: -0.4 },
    ],
  ];
  it.each(borders)('%s is solved alike on both sides of where it no longer is', (_, limb, options) => {
    const [before, after] = [-1e-7, 1e-7].map((off) => {
      const [mid, end] = limb(off);
      const solution = solve(ROOT, mid, end, goal, options);
      expectSound(solution, ROOT, mid, end);
      return solution;
    }) as [TwoBoneSolution, TwoBoneSolution];
    expect(quaternionAngle(before.upperTurn, 0, after.upperTurn, 0)).toBeLessThan(1e-4);
    expect(quaternionAngle(before.lowerTurn, 0, after.lowerTurn, 0)).toBeLessThan(1e-4);
    expect(distance(before.bend, after.bend)).toBeLessThan(1e-4);
    expect(distance(before.mid, after.mid)).toBeLessThan(1e-5);
  });

  it('places are the same where they alone are asked for, and turns are as they were', () => {
    for (const goal of [
      [0.2, 0.3, 0.3],
      [0.1, 0.02, 0.1],
    ] as const) {
      const whole = solve(ROOT, KNEE, ANKLE, goal, { swivel: 0.4, keepsSide: true });
      const places = solve(ROOT, KNEE, ANKLE, goal, { swivel: 0.4, keepsSide: true, isPlacesOnly: true });
      for (const part of ['mid', 'end', 'bend', 'miss'] as const) expect(places[part]).toEqual(whole[part]);
      expect(Array.from(places.upperTurn)).toEqual([0, 0, 0, 1]);
      expect(Array.from(whole.upperTurn)).not.toEqual([0, 0, 0, 1]);
    }
  });
});
