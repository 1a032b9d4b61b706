import { describe, expect, it } from 'vitest';
import { COUNT, DEGREES, legOf, snapOf } from '../../../../test/planned-leg.js';
import { calmLimbs } from './calm-limbs.js';

const none = () => Float64Array.from({ length: 16 * COUNT }, (_, i) => (i % 4 === 3 ? 1 : 0));

/** A limb whose goal is at its end, and whose upper bone is turned by so many degrees to lie on the floor, frame by frame. */
function laidBy(angles: readonly number[], isLaid = true) {
  const { record, goals, plan } = legOf(Array.from({ length: COUNT }, () => 0));
  const turned = none();
  angles.forEach((angle, k) => {
    const half = (angle * DEGREES) / 2;
    for (let j = 1; j < 4; j++) turned.set([Math.sin(half), 0, 0, Math.cos(half)], 16 * k + 4 * j);
  });
  Object.assign(record, {
    turned,
    unlaid: isLaid ? none() : null,
    places: record.ends.slice(),
    copied: record.ends.slice(),
  });
  Object.assign(goals.limbs[0]!, {
    kind: 'arm',
    hangs: true,
    rigid: false,
    toes: -1,
    points: [],
    bend: Float64Array.of(0, 0, 1),
  });
  Object.assign(plan, {
    turns: new Float64Array(3 * COUNT),
    swivels: new Float64Array(COUNT),
    bends: new Float64Array(COUNT),
    calms: null,
    solved: null,
  });
  calmLimbs({ plan, goals, record, carried: new Float64Array(COUNT) });
  const calms = plan.calms;
  return calms && angles.map((angle, k) => angle + calms[9 * k]! / DEGREES);
}

describe('calmLimbs', () => {
  const jump = Array.from({ length: COUNT }, (_, k) => (k < 20 ? 0 : 12));

  it('what lays a limb on the floor within a frame does so softly, and lies as before soon after', () => {
    const shown = laidBy(jump);
    expect(shown).not.toBeNull();
    expect(snapOf(shown!)).toBeLessThan(2.5);
    for (const k of [5, 35]) expect(shown![k]).toBeCloseTo(jump[k]!, 3);
  });

  it('what the copy itself does within a frame is left alone, and so is what is laid softly', () => {
    expect(laidBy(jump, false)).toBeNull();
    expect(laidBy(jump.map((_, k) => 6 - 6 * Math.cos(k / 7)))).toBeNull();
  });
});
