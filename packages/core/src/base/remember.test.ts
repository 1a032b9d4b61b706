import { afterEach, describe, expect, it } from 'vitest';
import { createMemory, isRemembering, remember, switchMemory } from './remember.js';

afterEach(() => switchMemory(true));

describe('remember', () => {
  it('gives what was made for the same owner and inputs, and makes it anew for others', () => {
    const memory = createMemory<{ a: object }, object>();
    const [owner, other, a, b] = [{}, {}, {}, {}];
    const first = remember(memory, owner, { a }, () => ({}));
    expect(remember(memory, owner, { a }, () => ({}))).toBe(first);
    expect(remember(memory, other, { a }, () => ({}))).not.toBe(first);
    expect(remember(memory, owner, { a: b }, () => ({}))).not.toBe(first);
    // One answer a memory keeps if nobody says more.
    expect(remember(memory, owner, { a }, () => ({}))).not.toBe(first);
  });

  it('keeps as many answers as told, and forgets the one used longest ago', () => {
    const memory = createMemory<number, object>(Object.is, 2);
    const owner = {};
    const [one, two] = [1, 2].map((n) => remember(memory, owner, n, () => ({})));
    expect(remember(memory, owner, 1, () => ({}))).toBe(one);
    remember(memory, owner, 3, () => ({}));
    expect(remember(memory, owner, 1, () => ({}))).toBe(one);
    expect(remember(memory, owner, 2, () => ({}))).not.toBe(two);
  });

  it('makes of what it keeps, so that callers may change what they gave', () => {
    const memory = createMemory<number[], number>((a, b) => a[0] === b[0]);
    const [owner, inputs] = [{}, [4]];
    expect(
      remember(
        memory,
        owner,
        inputs,
        ([n]) => n!,
        (list) => [...list],
      ),
    ).toBe(4);
    inputs[0] = 5;
    expect(
      remember(
        memory,
        owner,
        inputs,
        ([n]) => n!,
        (list) => [...list],
      ),
    ).toBe(5);
  });

  it('what fails is not remembered', () => {
    const memory = createMemory<null, number>();
    const owner = {};
    expect(() =>
      remember(memory, owner, null, () => {
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(remember(memory, owner, null, () => 3)).toBe(3);
  });

  it('switched off, makes everything anew and keeps nothing', () => {
    const memory = createMemory<null, object>();
    const owner = {};
    switchMemory(false);
    expect(isRemembering()).toBe(false);
    const first = remember(memory, owner, null, () => ({}));
    expect(remember(memory, owner, null, () => ({}))).not.toBe(first);
    switchMemory(true);
    expect(remember(memory, owner, null, () => ({}))).not.toBe(first);
  });
});
