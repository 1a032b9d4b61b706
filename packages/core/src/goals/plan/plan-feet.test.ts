import { describe, expect, it } from 'vitest';
import type { Contact } from '../../options/contact.js';
import type { GoalPlan } from '../goal-plan.js';
import type { GoalRecord } from '../goal-record.js';
import type { GoalSetup } from '../goal-setup.js';
import { planFeet } from './plan-feet.js';

const COUNT = 60;

/** How a foot moves: pitch in radians, toes up; how high its ankle is placed; how high the source has heel and toe. */
type Motion = {
  pitch: (k: number) => number;
  height: (k: number) => number;
  heel?: (k: number) => number;
  toe?: (k: number) => number;
  /** How far ahead its ankle is placed, and whether it treads all the time without standing still. */
  ahead?: (k: number) => number;
  treads?: boolean;
};

/** One foot whose ankle is 0.1 m over its sole, with its ball 0.2 m ahead, planned; hips a metre high on both bodies. */
function plant({ pitch, height, heel, toe, ahead, treads }: Motion, contacts: readonly Contact[]) {
  const record = {
    count: COUNT,
    rate: 60,
    places: new Float64Array(3 * COUNT),
    ends: new Float64Array(3 * COUNT),
    copied: new Float64Array(6 * COUNT),
    source: new Float64Array(6 * COUNT),
    heights: new Float64Array(2 * COUNT),
    treading: new Uint8Array(treads ? 2 * COUNT : 0).fill(1),
    ground: [0, 0],
    pace: 1,
    turned: Float64Array.from({ length: 16 * COUNT }, (_, i) => (i % 4 === 3 ? 1 : 0)),
  } as unknown as GoalRecord;
  for (let k = 0; k < COUNT; k++) {
    const [c, s] = [Math.cos(pitch(k)), Math.sin(pitch(k))];
    record.places[3 * k + 1] = height(k);
    record.places[3 * k + 2] = ahead?.(k) ?? 0;
    record.ends[3 * k + 1] = 0.1;
    record.copied.set([0, 0.1 - 0.1 * c, 0.1 * s, 0, 0.1 - 0.1 * c + 0.2 * s, 0.1 * s + 0.2 * c], 6 * k);
    record.heights.set([heel?.(k) ?? 0, toe?.(k) ?? 0], 2 * k);
  }
  const goals = {
    limbs: [{ kind: 'leg', points: [0, 1], length: 1 }],
    points: ['leftHeel', 'leftToe'].map((name) => ({
      name,
      target: { standing: 0 },
    })),
    hipHeight: 1,
    sourceHipHeight: 1,
    floor: 0,
  } as unknown as GoalSetup;
  const plan = {
    count: COUNT,
    rate: 60,
    shifts: new Float64Array(3 * COUNT),
    turns: new Float64Array(3 * COUNT),
    floor: 0,
  } as unknown as GoalPlan;
  const carried = new Float64Array(COUNT);
  planFeet({
    plan,
    goals,
    record,
    contacts,
    scales: { horizontal: 1, vertical: 1 },
    carried,
    standing: carried,
    resting: null,
  });
  const ankles = Array.from({ length: COUNT }, (_, k) => height(k) + plan.shifts[3 * k + 1]!);
  return { plan, carried, ankles };
}

const contact = (point: 'leftHeel' | 'leftToe', first: number, last: number, height = 0): Contact => ({
  point,
  start: first / 60,
  end: last / 60,
  height,
  position: null,
});

const largestStep = (values: readonly number[]) =>
  Math.max(...values.slice(1).map((value, k) => Math.abs(value - values[k]!)));

describe('planFeet', () => {
  it('a foot that stands flat is on the floor, though the capture has it a little above', () => {
    const { ankles, carried } = plant({ pitch: () => 0, height: (k) => 0.12 + 0.004 * Math.sin(k) }, [
      contact('leftHeel', 10, 50),
      contact('leftToe', 10, 50),
    ]);
    for (let k = 10; k <= 50; k++) {
      expect(ankles[k]).toBeCloseTo(0.1, 6);
      expect(carried[k]).toBe(1);
    }
    expect(carried[0]).toBe(0);
  });

  it('a foot that treads comes down to the floor, as high over it as the source’s, and glides as placed', () => {
    const { plan, ankles, carried } = plant(
      {
        pitch: () => 0,
        height: () => 0.25,
        heel: () => 0.02,
        toe: () => 0.02,
        ahead: (k) => -0.001 * k * k,
        treads: true,
      },
      [],
    );
    for (let k = 0; k < COUNT; k++) {
      expect(ankles[k]).toBeCloseTo(0.12, 6);
      expect(plan.shifts[3 * k + 2]).toBeCloseTo(0, 6);
      expect(carried[k]).toBe(1);
    }
  });

  const flat = [contact('leftHeel', 10, 40), contact('leftToe', 10, 40)];

  it('a foot that skates is held where it is in the middle, but never farther than 0.15 from where it is', () => {
    const away = (speed: number) => {
      const { plan } = plant({ pitch: () => 0, height: () => 0.1, ahead: (k) => speed * k }, flat);
      return Math.max(...Array.from({ length: 31 }, (_, k) => Math.abs(plan.shifts[3 * (k + 10) + 2]!)));
    };
    expect(away(0.004)).toBeCloseTo(15 * 0.004, 6);
    expect(away(0.02)).toBeCloseTo(0.15, 6);
  });

  it('what a foot was held by is gone 0.2 s after it is let go, and not sooner', () => {
    const { plan } = plant(
      {
        pitch: () => 0,
        height: () => 0.1,
        ahead: (k) => 0.004 * Math.min(k, 40),
      },
      flat,
    );
    expect(Math.abs(plan.shifts[3 * 40 + 2]!)).toBeGreaterThan(0.05);
    expect(Math.abs(plan.shifts[3 * 47 + 2]!)).toBeGreaterThan(0.003);
    expect(Math.abs(plan.shifts[3 * 53 + 2]!)).toBeLessThan(0.0005);
  });

  it('a flat foot is turned to the floor by 0.35 at most', () => {
    const turnOf = (tilt: number) => {
      const { plan } = plant({ pitch: () => tilt, height: () => 0.1 }, flat);
      return Math.hypot(...plan.turns.slice(3 * 25, 3 * 26));
    };
    expect(turnOf(0.3)).toBeCloseTo(0.3, 6);
    expect(turnOf(0.8)).toBeCloseTo(0.35, 6);
  });

  it('a foot in the air does not follow every tremble of the source’s', () => {
    const { ankles } = plant({ pitch: () => 0, height: (k) => 0.4 + 0.02 * (k % 2) }, []);
    expect(largestStep(ankles)).toBeLessThan(0.004);
    expect(ankles[30]).toBeCloseTo(0.41, 2);
  });

  it('a foot that goes from its heel to its toe without being flat does not jump', () => {
    // Toes up by 0.2: on its heel the ankle is 4 cm higher than on its toe.
    const { ankles } = plant({ pitch: () => 0.2, height: () => 0.1 }, [
      contact('leftHeel', 5, 29),
      contact('leftToe', 32, 55),
    ]);
    expect(ankles[10]! - ankles[50]!).toBeGreaterThan(0.03);
    expect(largestStep(ankles.slice(5, 55))).toBeLessThan(0.006);
  });

  it('a heel that comes to stand on a step of another height does not jump', () => {
    const { ankles } = plant({ pitch: () => 0, height: () => 0.1 }, [
      contact('leftHeel', 0, 29),
      contact('leftHeel', 31, 59, 0.04),
    ]);
    expect(largestStep(ankles)).toBeLessThan(0.006);
    expect(ankles[0]).toBeCloseTo(0.1, 3);
    expect(ankles[59]).toBeCloseTo(0.14, 3);
  });
});
