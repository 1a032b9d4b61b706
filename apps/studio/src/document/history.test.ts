import fc from 'fast-check';
import { expect, it } from 'vitest';
import { commit, createHistory, redo, undo } from './history.js';

it('undo to the start and redo to the end gives every state again, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { maxLength: 30 }), (states) => {
      let history = createHistory(-1);
      const seen = [-1];
      for (const [n, state] of states.entries()) {
        history = commit(history, `step ${n}`, state);
        if (state !== seen.at(-1)) seen.push(state);
      }
      for (const state of seen.slice(0, -1).reverse()) {
        history = undo(history);
        expect(history.present).toBe(state);
      }
      expect(history.past).toEqual([]);
      for (const state of seen.slice(1)) {
        history = redo(history);
        expect(history.present).toBe(state);
      }
      expect(history.future).toEqual([]);
    }),
  );
});

it('all changes of one drag are one step, and a change after undoing is another', () => {
  let history = createHistory(0);
  for (const value of [1, 2, 3]) history = commit(history, 'drag', value, 'a');
  expect(history.past).toHaveLength(1);
  history = commit(history, 'drag', 4, 'b');
  expect(history.past).toHaveLength(2);
  history = undo(history);
  expect(history.present).toBe(3);
  expect(undo(history).present).toBe(0);
});

it('what was undone is forgotten when something else is done', () => {
  const history = commit(undo(commit(createHistory(0), 'one', 1)), 'two', 2);
  expect(history.future).toEqual([]);
  expect(redo(history)).toBe(history);
});

it('labels name the step that undo and redo would take', () => {
  let history = commit(commit(createHistory(0), 'one', 1), 'two', 2);
  expect(history.past.at(-1)!.label).toBe('two');
  history = undo(history);
  expect(history.future[0]!.label).toBe('two');
  expect(history.past.at(-1)!.label).toBe('one');
});
