import { describe, expect, it } from 'vitest';
import type { GoalSetup } from '../goal-setup.js';
import type { Goals } from '../goals.js';
import { createLiveBends } from './live-bends.js';

const DEGREES = Math.PI / 180;

/**
 * A leg of two bones of half a metre under a hip joint a metre high, its goal as far away as told, frame by frame: how far
 * its knee is bent, how high the hips are lifted, and how far its goal was moved.
 * @param gives Whether the hips go where they are asked to.
 */
function playLeg(reaches: readonly number[], carried: number, gives: boolean) {
  const limb = { kind: 'leg', length: 1, target: { upper: 0, middle: 1, end: 2 } };
  const bends = createLiveBends({ limbs: [limb], hipHeight: 1 } as unknown as GoalSetup);
  const matrices = new Float64Array(48);
  const copied = Math.cos(30 * DEGREES);
  const goals = {
    places: new Float64Array(3),
    target: { matrices },
    weights: Float64Array.of(1),
    carried: Float64Array.of(carried),
    seconds: Float64Array.of(1 / 60),
  } as unknown as Goals;
  const hips = new Float64Array(3);
  return reaches.map((reach) => {
    matrices.set([0, 1, 0], 12);
    matrices.set([0, 1 - copied / 2, Math.sin(30 * DEGREES) / 2], 28);
    matrices.set([0, 1 - copied, 0], 44);
    goals.places.set([0, 1 - reach, 0]);
    bends.find(goals, hips);
    if (!gives) hips.fill(0);
    for (let i = 12; i < 48; i += 16) for (let c = 0; c < 3; c++) matrices[i + c]! += hips[c]!;
    bends.move(goals);
    expect(goals.places.every(Number.isFinite)).toBe(true);
    expect(hips.every(Number.isFinite)).toBe(true);
    const far = 1 + hips[1]! - goals.places[1]!;
    return {
      bend: (2 * Math.acos(Math.min(1, far))) / DEGREES,
      hips: hips[1]!,
      moved: Math.abs(goals.places[1]! - (1 - reach)),
    };
  });
}

const bendsOf = (reaches: readonly number[], carried: number) =>
  playLeg(reaches, carried, false).map(({ bend }) => bend);

const snapOf = (bends: readonly number[]) =>
  Math.max(...bends.slice(1, -1).map((bend, k) => Math.abs(bends[k + 2]! - 2 * bend + bends[k]!)));
const at = (degrees: number) => Math.cos((degrees / 2) * DEGREES);
const leap = Array.from({ length: 90 }, (_, k) => at(k < 30 ? 60 : 72));

describe('createLiveBends', () => {
  it('a knee in the air that would leap does not, and is where it shall be soon after', () => {
    const bends = bendsOf(leap, 0);
    expect(snapOf(bends)).toBeLessThan(2.5);
    expect(bends[29]).toBeCloseTo(60, 6);
    expect(bends[60]).toBeCloseTo(72, 0);
    expect(Math.max(...bends)).toBeLessThan(76);
  });

  it('what carries stays where it is, to a thousandth of its leg', () => {
    // As bent as this that is a sixth of a degree of the knee: d bend = −2 · d reach / sin(bend / 2).
    expect(Math.abs(bendsOf(leap, 1)[30]! - 72)).toBeLessThan(0.25);
    expect(bendsOf(leap, 1)[60]).toBeCloseTo(72, 2);
  });

  it('a knee that carries gives way by as much, which is more the straighter it is', () => {
    const straighter = Array.from({ length: 90 }, (_, k) => at(k < 30 ? 30 : 32.4));
    expect(snapOf(bendsOf(straighter, 1))).toBeLessThan(2.2);
  });

  it('the hips give way for a leg that carries: what snaps its knee is hardly to be seen of them', () => {
    // The root of a capture that trembles for two frames, under a leg that stands nearly straight.
    const trembles = Array.from({ length: 90 }, (_, k) => at(k === 30 || k === 31 ? 25 : 20));
    const [still, given] = [playLeg(trembles, 1, false), playLeg(trembles, 1, true)];
    const [snap, left] = [still, given].map((frames) => snapOf(frames.map(({ bend }) => bend)));
    expect(snap).toBeGreaterThan(4);
    expect(left).toBeLessThan(2.8);
    expect(Math.max(...given.map(({ hips }) => Math.abs(hips)))).toBeLessThanOrEqual(0.02 + 1e-12);
    expect(Math.max(...given.map(({ moved }) => moved))).toBeLessThanOrEqual(0.001 + 1e-12);
    expect(given[89]!.bend).toBeCloseTo(20, 1);
    expect(given[89]!.hips).toBeCloseTo(0, 4);
    // A leg in the air asks nothing of them, and nor does one that does not leap.
    expect(playLeg(trembles, 0, true).every(({ hips }) => hips === 0)).toBe(true);
    const slow = Array.from({ length: 60 }, (_, k) => at(40 + 5 * Math.sin(k / 10)));
    expect(playLeg(slow, 1, true).every(({ hips }) => hips === 0)).toBe(true);
  });

  it('what does not leap is not touched, and the first frame has nothing to follow', () => {
    const slow = Array.from({ length: 60 }, (_, k) => at(60 + 10 * Math.sin(k / 10)));
    bendsOf(slow, 0).forEach((bend, k) => {
      expect(bend).toBeCloseTo(60 + 10 * Math.sin(k / 10), 6);
    });
    expect(bendsOf([at(100)], 0)[0]).toBeCloseTo(100, 6);
  });

  it('a goal at the hip joint or out of reach gives no NaN', () => {
    for (const reaches of [leap.map(() => 0), leap.map((_, k) => (k % 2 ? 3 : 0.5))]) bendsOf(reaches, 0);
  });
});
