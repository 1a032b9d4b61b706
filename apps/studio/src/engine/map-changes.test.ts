import type { RigMapDocument } from '@stuntdouble/core';
import { expect, it } from 'vitest';
import { applyMapChanges, withChange } from './map-changes.js';

const found: RigMapDocument = {
  version: 1,
  joints: [
    { target: 'hips', sources: ['Hips'], role: 'hips' },
    { target: 'spine', sources: ['Spine'], share: { from: 'Hips', weight: 0.5 }, role: 'spine' },
  ],
};

it('changes one pair of a map and leaves the others', () => {
  const { joints } = applyMapChanges(found, [{ target: 'spine', sources: ['Spine1'] }]);
  expect(joints).toEqual([
    { target: 'hips', sources: ['Hips'], role: 'hips' },
    { target: 'spine', sources: ['Spine1'], role: 'spine' },
  ]);
});

it('takes a pair out, and adds one that was not there', () => {
  const { joints } = applyMapChanges(found, [
    { target: 'hips', sources: null },
    { target: 'tail', sources: ['Tail'] },
  ]);
  expect(joints!.map(({ target }) => target)).toEqual(['spine', 'tail']);
});

it('does not change the map it is given, and adds to a map without pairs', () => {
  const before = structuredClone(found);
  applyMapChanges(found, [{ target: 'hips', sources: null }]);
  expect(found).toEqual(before);
  expect(applyMapChanges({ version: 1 }, [{ target: 'a', sources: ['b'] }]).joints).toHaveLength(1);
});

it('the last change of a joint is the one that counts', () => {
  const once = withChange([], { target: 'a', sources: ['x'] });
  expect(withChange(once, { target: 'a', sources: null })).toEqual([{ target: 'a', sources: null }]);
});
