import { describe, expect, it } from 'vitest';
import { stickFigure } from '../../test/stick-figure.js';
import { recallSkeleton } from './recall-skeleton.js';
import { copySkeleton } from './skeleton.js';

describe('recallSkeleton', () => {
  it('gives the object that was read before where all is the same, to its owner alone', () => {
    const { skeleton } = stickFigure();
    const owner = {};
    expect(recallSkeleton(owner, skeleton)).toBe(skeleton);
    expect(recallSkeleton(owner, copySkeleton(skeleton))).toBe(skeleton);
    const other = copySkeleton(skeleton);
    expect(recallSkeleton({}, other)).toBe(other);
  });

  it('a skeleton that differs, or that was changed since, is not recalled; one that came between is no matter', () => {
    const { skeleton } = stickFigure();
    const owner = {};
    recallSkeleton(owner, skeleton);
    const moved = copySkeleton(skeleton);
    moved.rest.translations[0] = 1e-9;
    expect(recallSkeleton(owner, moved)).toBe(moved);
    expect(recallSkeleton(owner, copySkeleton(moved))).toBe(moved);
    expect(recallSkeleton(owner, copySkeleton(skeleton))).toBe(skeleton);
    const again = copySkeleton(skeleton);
    skeleton.names[0] = 'changed by somebody';
    expect(recallSkeleton(owner, again)).toBe(again);
  });

  it('of many skeletons the latest are remembered', () => {
    const owner = {};
    const all = Array.from({ length: 20 }, (_, n) => {
      const { skeleton } = stickFigure();
      skeleton.name = `figure ${n}`;
      return recallSkeleton(owner, skeleton);
    });
    const recalled = all.filter((each) => recallSkeleton(owner, copySkeleton(each)) === each);
    expect(recalled).toEqual([]);
    const last = recallSkeleton(owner, copySkeleton(all[19]!));
    for (let n = 0; n < 5; n++) recallSkeleton(owner, copySkeleton(all[n]!));
    expect(recallSkeleton(owner, copySkeleton(last))).toBe(last);
  });
});
