import { RetargetError, UsageError } from '@stuntdouble/core';
import { FormatError } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { attempt, createVerdict, messageProblem, note, signatureOf } from './attempt.js';

describe('attempt', () => {
  it('takes the errors that are meant for people as refusals, and no others', async () => {
    for (const error of [
      new UsageError('no'),
      new RetargetError('no'),
      new FormatError({ format: 'BVH', at: 'line 1', found: 'x', expected: 'y' }),
    ]) {
      const verdict = createVerdict();
      await attempt(verdict, 'read', () => {
        throw error;
      });
      expect(verdict).toEqual({ gave: false, faults: [] });
    }
    for (const error of [
      new TypeError('x is undefined'),
      new RangeError('too long'),
      new Error('?'),
      'text',
    ]) {
      const verdict = createVerdict();
      await attempt(verdict, 'read', () => {
        throw error;
      });
      expect(verdict.faults).toHaveLength(1);
      expect(verdict.faults[0]).toMatch(/^read: /);
    }
  });

  it('finds fault with a refusal that cannot be shown', async () => {
    const verdict = createVerdict();
    await attempt(verdict, 'read', async () => {
      throw Object.assign(new UsageError(''), { message: 'two\nlines' });
    });
    expect(verdict.faults[0]).toContain('several lines');
  });

  it('gives what a step gave', async () => {
    const verdict = createVerdict();
    expect(await attempt(verdict, 'read', async () => 7)).toBe(7);
    note(verdict, 'read', null);
    expect(verdict).toEqual({ gave: true, faults: [] });
  });
});

describe('messageProblem', () => {
  it.each([
    ['x'.repeat(301), /301 characters/],
    ['a\nb', /lines/],
    ['a\u2028b', /lines/],
    ['a\u001b[31m', /control/],
    ['a\u0085', /control/],
    ['\u202eabc', /direction/],
    ['\u2066abc', /direction/],
    ['half \ud83d of it', /half/],
  ])('%j is told', (message, problem) => {
    expect(messageProblem(message)).toMatch(problem);
  });

  it.each(['x'.repeat(300), 'Größe 名前 😀: “quoted”, −1'])('%j is fine', (message) => {
    expect(messageProblem(message)).toBeNull();
  });
});

describe('signatureOf', () => {
  it('is the same for faults that differ in numbers and names', () => {
    const a = signatureOf('read: found 17 of "left", core/dist/clip.js:10:3');
    expect(signatureOf('read: found 4.5 of "right \\" hand", core/dist/clip.js:10:3')).toBe(a);
    expect(signatureOf('read: found 17 of "left", core/dist/pose.js:10:3')).not.toBe(a);
  });
});
