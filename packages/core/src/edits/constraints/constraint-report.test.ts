import { describe, expect, it } from 'vitest';
import { editedFigure, plus } from '../../../test/edited-figure.js';
import type { Constraint } from '../../options/constraint.js';
import { createConstraintReport, missText } from './constraint-report.js';
import { rampAt } from './ramp.js';

const { stepOf, poseAt, placeOf, body } = editedFigure();
const times = { in: 0.5, start: 1, end: 2, out: 2.5 };
const place = plus(placeOf(poseAt(1.5), 'rightHand'), [0, -0.1 * body.height, 0]);

/** The report of a document over all frames at a rate. */
function reportOf(document: readonly Constraint[], rate: number) {
  const { step, data } = stepOf(document);
  const report = createConstraintReport(data, step);
  for (let k = 0; k <= 3 * rate; k++) {
    step(poseAt(k / rate), k / rate);
    report.note(k / rate);
  }
  return report.finish().results;
}

describe('the report of constraints', () => {
  it('has a curve of how much each counted and by how much it was missed, in the frames in which it counted', () => {
    const [near, far, turn] = reportOf(
      [
        { kind: 'point', joint: 'rightHand', goal: { place }, times },
        { kind: 'point', joint: 'leftHand', goal: { place: plus(place, [5, 0, 0]) }, times },
        { kind: 'orientation', joint: 'head', goal: { degrees: [0, 20, 0] }, times },
      ],
      60,
    );
    const { curve } = near!;
    expect(curve.unit).toBe('metres');
    expect(turn!.curve.unit).toBe('radians');
    expect(curve.times[0]!).toBeGreaterThan(0.5);
    expect(curve.times.at(-1)!).toBeLessThan(2.5);
    curve.times.forEach((time, k) => {
      expect(curve.alphas[k]!).toBeCloseTo(rampAt(times, 'smoother', time), 9);
      if (curve.alphas[k] === 1) expect(curve.misses[k]!).toBeLessThan(1e-6);
    });
    // On the ramp a part of the way is still to go.
    expect(curve.misses[5]!).toBeGreaterThan(0.01);
    expect(far!.state).toBe('missed');
    expect(Math.max(...far!.curve.misses.filter((_, k) => far!.curve.alphas[k] === 1))).toBe(far!.worst);
  });

  it('tells what is missed by little in units in which it is something', () => {
    expect(missText(0.0174, 'metres')).toBe('1.7 cm');
    expect(missText(0.00013, 'metres')).toBe('0.13 mm');
    expect(missText(0.1, 'radians')).toBe('5.7°');
    expect(missText(0.0002, 'radians')).toBe('0.011°');
  });

  it('keeps a curve of at most 600 instants, the worst among them', () => {
    const document: Constraint[] = [
      { kind: 'point', joint: 'rightHand', goal: { place: plus(place, [5, 0, 0]) }, ramp: 'give' },
    ];
    const [result] = reportOf(document, 450);
    const { times: instants, misses } = result!.curve;
    expect(instants.length).toBeLessThanOrEqual(600);
    expect(instants.length).toBeGreaterThan(300);
    expect([...instants].sort((a, b) => a - b)).toEqual(instants);
    expect(Math.max(...misses)).toBe(result!.worst);
  });
});
