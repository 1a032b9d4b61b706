import { describe, expect, it } from 'vitest';
import type { GoalPlan } from './goal-plan.js';
import type { GoalRecord } from './goal-record.js';
import type { GoalSetup } from './goal-setup.js';
import { planHips } from './plan/plan-hips.js';
import { planShins } from './plan/plan-shins.js';
import { largestLift } from './plan/plan-soles.js';
import type { Planning } from './plan/planning.js';

const COUNT = 120;

/** A limb of a metre that hangs down from a metre's height, copied to 10 cm over the floor. */
type Limb = {
  kind: 'leg' | 'arm';
  /** Where its goal is, seen from where it is copied to: x and y. */
  off: readonly [x: number, y: number];
  /** Whether it stands; at no time if left out. */
  stands?: (k: number) => boolean;
};

/** A body with hips a metre high and some limbs; how high the lowest of its trunk is in the source, and how high here. */
function bodyOf(limbs: readonly Limb[], trunk = { source: 10, target: 10 }) {
  const width = limbs.length;
  const flat = (values: (k: number, limb: Limb) => readonly number[]) =>
    Float64Array.from(
      Array.from({ length: COUNT }, (_, k) => limbs.flatMap((limb) => values(k, limb))).flat(),
    );
  const carried = flat((k, { stands }) => [stands?.(k) ? 1 : 0]);
  const even = (value: number) => new Float64Array(COUNT).fill(value);
  const part = { trunk: [{ thickness: 0 }] };
  return {
    plan: {
      count: COUNT,
      rate: 60,
      shifts: new Float64Array(3 * width * COUNT),
      holds: new Float64Array(width * COUNT),
      hips: new Float64Array(3 * COUNT),
      floor: 0,
    } as unknown as GoalPlan,
    goals: {
      limbs: limbs.map(({ kind }) => ({ kind, length: 1, points: [] })),
      points: [],
      surfaces: [],
      hipHeight: 1,
      sourceHipHeight: 1,
      floor: 0,
      sourceFloor: 0,
      trunks: { source: part, target: part },
    } as unknown as GoalSetup,
    record: {
      count: COUNT,
      rate: 60,
      uppers: flat(() => [0, 1, 0]),
      middles: flat(() => [0, 0.55, 0]),
      ends: flat(() => [0, 0.1, 0]),
      places: flat((_, { off: [x, y] }) => [x, 0.1 + y, 0]),
      trunk: even(trunk.target),
      lying: even(trunk.target),
      sourceTrunk: even(trunk.source),
    } as unknown as GoalRecord,
    contacts: [],
    scales: { horizontal: 1, vertical: 1 },
    carried,
    standing: carried,
    resting: null,
  } satisfies Planning;
}

const always = () => true;

/** Hips as they are planned: x and y of a frame. */
function hipsOf(limbs: readonly Limb[], trunk?: { source: number; target: number }) {
  const planning = bodyOf(limbs, trunk);
  planHips(planning);
  const { hips, holds } = planning.plan;
  return {
    x: (k: number) => hips[3 * k]!,
    y: (k: number) => hips[3 * k + 1]!,
    holds,
  };
}

describe('hips that give way to limbs', () => {
  it('go half the way for a leg and the whole way for an arm', () => {
    expect(hipsOf([{ kind: 'leg', off: [0.1, 0], stands: always }]).x(60)).toBeCloseTo(0.05, 2);
    expect(hipsOf([{ kind: 'arm', off: [0.1, 0], stands: always }]).x(60)).toBeCloseTo(0.1, 2);
  });

  it('come down for a foot by at most half their height, beyond the half that they follow it by', () => {
    const { y } = hipsOf([{ kind: 'leg', off: [0, -2.1], stands: always }]);
    expect(y(60)).toBeCloseTo(-1.05 - 0.5, 1);
  });

  /** Two hands, one 30 cm too low and one as much too high: only what the lower one cannot reach is left to the hips. */
  const hands = (stands: (k: number) => boolean) =>
    hipsOf([
      { kind: 'arm', off: [0, -0.3], stands },
      { kind: 'arm', off: [0, 0.3], stands },
    ]);

  it('leave arms that carry all but straight', () => {
    const stretch = 1.2 + hands(always).y(60);
    expect(stretch).toBeGreaterThan(0.999);
    expect(stretch).toBeLessThan(0.99995);
  });

  it('begin a sixth of a second before a limb stands, softly, and are down in time', () => {
    const { y } = hands((k) => k >= 60);
    const down = Array.from({ length: COUNT }, (_, k) => -y(k) / 0.2001);
    expect(down[60]).toBeGreaterThan(0.99);
    expect(down[50]).toBeCloseTo(0.5, 2);
    const steps = down.slice(1).map((share, k) => share - down[k]!);
    expect(Math.max(...steps)).toBeGreaterThan(0.13);
    expect(Math.max(...steps)).toBeLessThan(0.16);
  });

  it('hold a foot to the floor up to 0.4 of their height, and take it along from twice that on', () => {
    const hold = (height: number) => hipsOf([{ kind: 'leg', off: [0, height - 0.1] }]).holds[60];
    expect(hold(0.4)).toBe(1);
    expect(hold(0.6)).toBeCloseTo(0.5, 6);
    expect(hold(0.8)).toBe(0);
  });

  it('let a high foot go within 0.3 s of its contact', () => {
    const { holds } = hipsOf([{ kind: 'leg', off: [0, 0.9], stands: (k) => k <= 30 }]);
    expect(holds[30]).toBe(1);
    expect(holds[39]).toBeCloseTo(0.5, 6);
    expect(holds[48]).toBeCloseTo(0, 9);
    expect(holds[46]).toBeGreaterThan(0);
  });

  it('bring a trunk down that the source has on the floor, and none that it has a tenth above', () => {
    const lowered = (source: number) => -hipsOf([], { source, target: 0.5 }).y(60) / (0.5 - source);
    expect(lowered(0.045)).toBeGreaterThan(0.95);
    expect(lowered(0.11)).toBeCloseTo(0, 9);
  });
});

describe('skin in the floor', () => {
  /** How far hips are lifted for a knee that is so deep in the floor, as the leg kneels. */
  function liftFor(depth: number): number {
    const planning = bodyOf([{ kind: 'leg', off: [0, 0] }]);
    const { record, goals, plan } = planning;
    // The thigh level, the shin back along the floor: its skin is 5 cm below knee and ankle.
    for (let k = 0; k < COUNT; k++) {
      record.uppers.set([0, 0.5 - depth, 0], 3 * k);
      record.middles.set([0, 0.05 - depth, 0.2], 3 * k);
      record.ends.set([0, 0.05 - depth, -0.2], 3 * k);
      record.places.set([0, 0.05 - depth, -0.2], 3 * k);
    }
    Object.assign(record, {
      shins: Float64Array.from({ length: 9 * COUNT }, (_, i) => ((i % 9) % 4 === 0 ? 1 : 0)),
      turned: Float64Array.from({ length: 16 * COUNT }, (_, i) => (i % 4 === 3 ? 1 : 0)),
    });
    Object.assign(goals.limbs[0]!, {
      length: Math.hypot(0.45, 0.2) + 0.4,
      bend: Float64Array.of(0, 0, 1),
      shin: { points: Float64Array.of(0, -0.05, 0, 0), girths: [0.05, 0.05] },
    });
    plan.holds.fill(1);
    planShins(planning, new Float64Array(COUNT));
    return plan.hips[3 * 60 + 1]!;
  }

  it('less than 0.2 % of the hip height is none, more lifts the hips, by 0.3 at most', () => {
    expect(liftFor(0.0015)).toBe(0);
    expect(liftFor(0.0025)).toBeCloseTo(0.0025, 4);
    expect(liftFor(0.1)).toBeCloseTo(0.1, 3);
    expect(liftFor(0.6)).toBeCloseTo(0.3, 6);
  });

  it('lifts a foot that stands by 3 % of the hip height at most', () => {
    expect(largestLift(0, 2)).toBeCloseTo(0.06, 9);
  });
});
