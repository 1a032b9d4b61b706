import { describe, expect, it } from 'vitest';
import { editedFigure } from '../../../test/edited-figure.js';
import { createRandom } from '../../../test/tiny-rigs.js';
import { UsageError } from '../../base/errors.js';
import type { Constraint, EventTime } from '../../options/constraint.js';
import type { EditWarning } from '../edit-warnings.js';
import { constraintsOfPart } from '../edits-of-part.js';
import { checkConstraints } from './check-constraints.js';
import { findEvents } from './find-events.js';
import { type EventSource, snapTimes } from './snap-times.js';

const RATE = 60;

/** A point that swings along x, once a second, for two seconds; slowest at its ends. */
function swing(noise = 0): Float64Array {
  const random = createRandom(3);
  return Float64Array.from({ length: 3 * 121 }, (_, i) =>
    i % 3 === 0 ? 0.3 * Math.sin((2 * Math.PI * (i / 3)) / RATE) + noise * (random() - 0.5) : 0,
  );
}

describe('events of a motion (M21)', () => {
  it('are where the acceleration of a point along its way crosses zero', () => {
    for (const noise of [0, 0.002]) {
      const events = findEvents(swing(noise), RATE);
      const at = (event: string) => events.filter((each) => each.event === event).map(({ time }) => time);
      [0.25, 0.75, 1.25, 1.75].forEach((time, n) => {
        expect(Math.abs(at('still')[n]! - time)).toBeLessThan(noise > 0 ? 0.04 : 0.005);
      });
      [0.5, 1, 1.5].forEach((time, n) => {
        expect(Math.abs(at('fast')[n]! - time)).toBeLessThan(noise > 0 ? 0.04 : 0.01);
      });
      expect(events.length).toBeLessThan(10);
    }
  });

  it('are none where nothing moves, or in a few frames', () => {
    expect(findEvents(new Float64Array(300), RATE)).toEqual([]);
    expect(findEvents(new Float64Array(6), RATE)).toEqual([]);
  });
});

describe('times that are events (M21)', () => {
  const { body } = editedFigure();
  const source: EventSource = {
    body,
    frameRate: 30,
    stands: [{ joint: body.joints.leftFoot!, start: 0.62, end: 1.1 }],
    coursesOf: (joints) => joints.map(() => swing()),
  };
  const snapped = (times: Constraint['times'], joint = 'rightHand') => {
    const warnings: EditWarning[] = [];
    const [each] = snapTimes(
      checkConstraints([{ joint, kind: 'point', goal: { place: [0, 1, 0] }, times }]),
      source,
      warnings,
    );
    return { times: each!.times as Record<string, number>, warnings };
  };

  it('are snapped to the nearest one, and ramps of plain times go along', () => {
    const { times, warnings } = snapped({
      in: 0.5,
      start: { event: 'still', near: 0.8 },
      end: { event: 'still', near: { frame: 36 } },
      out: 1.4,
    });
    expect(times.start).toBeCloseTo(0.75, 2);
    expect(times.end).toBeCloseTo(1.25, 2);
    expect(times.in).toBeCloseTo(0.45, 2);
    expect(times.out).toBeCloseTo(1.45, 2);
    expect(warnings).toEqual([]);
  });

  it('may be contacts of the same limb, or events of another joint', () => {
    expect(snapped({ start: { event: 'contact', near: 0.7 } }, 'leftToes').times.start).toBe(0.62);
    expect(snapped({ end: { event: 'release', near: 1, joint: 'leftFoot' } }).times.end).toBe(1.1);
  });

  it('stay where they are with a warning where there is none near', () => {
    const { times, warnings } = snapped({ start: { event: 'contact', near: 0.7 } });
    expect(times.start).toBe(0.7);
    expect(warnings.map(({ code }) => code)).toEqual(['constraint-event-missing']);
    expect(snapped({ start: { event: 'still', near: 0.8, within: 0.01 } }).warnings).toHaveLength(1);
  });

  it('go along with parts, speeds and mirrors of a clip', () => {
    const start: EventTime = { event: 'contact', near: 3, joint: 'leftFoot' };
    const [each] = constraintsOfPart([{ kind: 'lock', joint: 'leftHand', times: { start } }], {
      start: 1,
      speed: 2,
      mirror: true,
      frameRate: 30,
    });
    expect(each!.times!.start).toEqual({ event: 'contact', near: 1, within: 0.125, joint: 'rightFoot' });
  });

  it('are named with their path where they cannot be meant', () => {
    const wrong = (start: unknown) => () =>
      checkConstraints([{ kind: 'lock', joint: 'leftHand', times: { start } }]);
    expect(wrong({ event: 'jump', near: 1 })).toThrow(UsageError);
    expect(wrong({ event: 'still' })).toThrow('constraints[0].times.start.near');
    expect(wrong({ event: 'still', near: 1, after: 2 })).toThrow('constraints[0].times.start.after');
    expect(wrong({ event: 'still', near: 1, within: -1 })).toThrow('constraints[0].times.start.within');
  });
});
