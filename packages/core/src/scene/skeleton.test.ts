import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stickFigure } from '../../test/stick-figure.js';
import { UsageError } from '../base/errors.js';
import {
  childrenOf,
  copySkeleton,
  createSkeleton,
  END,
  isAncestor,
  isSameSkeleton,
  JOINT,
  type JointDescription,
} from './skeleton.js';

describe('createSkeleton', () => {
  it('makes nothing of nothing', () => {
    const { skeleton, order } = createSkeleton('empty', []);
    expect(skeleton.names).toEqual([]);
    expect(order.length).toBe(0);
    expect(childrenOf(skeleton)).toEqual([]);
  });

  it('takes one joint, with every part left out', () => {
    const { skeleton } = createSkeleton('one', [{ name: '', parent: -1 }]);
    expect([...skeleton.rest.rotations]).toEqual([0, 0, 0, 1]);
    expect([...skeleton.rest.scales]).toEqual([1, 1, 1]);
    expect(skeleton.flags[0]).toBe(JOINT);
    expect(skeleton.declared).toEqual({ up: null, facing: null, unit: null });
  });

  it('keeps duplicate and empty names apart by place', () => {
    const { skeleton } = createSkeleton('twins', [
      { name: 'a', parent: -1 },
      { name: 'a', parent: 0 },
      { name: '', parent: 0 },
      { name: '', parent: 2 },
    ]);
    expect(skeleton.names).toEqual(['a', 'a', '', '']);
    expect([...skeleton.parents]).toEqual([-1, 0, 0, 2]);
  });

  it('S10, SP2: sorts any order of any number of roots so that parents stand first, and says where each went', () => {
    const joints = fc.array(fc.nat(), { maxLength: 40 }).map((choices) =>
      // Joint i hangs on an earlier one or on none; then the list is shuffled by a fixed rule.
      choices.map((choice, i): JointDescription & { id: number } => ({
        name: `j${i % 7}`,
        parent: (choice % (i + 1)) - 1,
        id: i,
        translation: [i, 2 * i, 3 * i],
      })),
    );
    fc.assert(
      fc.property(joints, fc.infiniteStream(fc.nat()), (list, random) => {
        const shuffled = list
          .map((joint) => ({ joint, key: random.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ joint }) => joint);
        const at = new Map(shuffled.map((joint, i) => [joint.id, i]));
        const given = shuffled.map((joint) => ({
          ...joint,
          parent: joint.parent < 0 ? -1 : at.get(joint.parent)!,
        }));
        const { skeleton, order } = createSkeleton('any', given);
        given.forEach((joint, i) => {
          const to = order[i]!;
          const parent = skeleton.parents[to]!;
          expect(parent).toBeLessThan(to);
          expect(parent).toBe(joint.parent < 0 ? -1 : order[joint.parent]);
          expect(skeleton.rest.translations[3 * to]).toBe(joint.id);
          expect(skeleton.fileIndices[to]).toBe(i);
        });
        expect(new Set(order).size).toBe(given.length);
      }),
    );
  });

  it('refuses a parent that is not there, a joint that hangs on itself, and a cycle', () => {
    const make = (parents: number[]) =>
      createSkeleton(
        'wrong',
        parents.map((parent, i) => ({ name: `j${i}`, parent })),
      );
    expect(() => make([-1, 5])).toThrow(UsageError);
    expect(() => make([0])).toThrow(/joint 0 .* parent 0/);
    expect(() => make([1, 0])).toThrow(/cycle/);
    expect(() => make([-1, 2, 3, 1])).toThrow(/cycle/);
  });

  it('does not overflow on a very deep chain', () => {
    const count = 50_000;
    const { skeleton } = createSkeleton(
      'rope',
      Array.from({ length: count }, (_, i) => ({ name: '', parent: i - 1 })),
    );
    expect(isAncestor(skeleton, 0, count - 1)).toBe(true);
  });
});

describe('isAncestor', () => {
  it('counts a joint as its own, and not its siblings', () => {
    const { skeleton, jointOf } = stickFigure();
    expect(isAncestor(skeleton, jointOf('hips'), jointOf('leftHand'))).toBe(true);
    expect(isAncestor(skeleton, jointOf('leftHand'), jointOf('leftHand'))).toBe(true);
    expect(isAncestor(skeleton, jointOf('leftHand'), jointOf('hips'))).toBe(false);
    expect(isAncestor(skeleton, jointOf('leftUpperArm'), jointOf('rightHand'))).toBe(false);
  });

  it('keeps several roots apart', () => {
    const { skeleton } = createSkeleton('two', [
      { name: 'a', parent: -1 },
      { name: 'b', parent: -1 },
      { name: 'c', parent: 1 },
    ]);
    expect(isAncestor(skeleton, 0, 2)).toBe(false);
    expect(isAncestor(skeleton, 1, 2)).toBe(true);
  });
});

describe('isSameSkeleton', () => {
  it('knows a skeleton that was merely saved again, and each thing that makes it another', () => {
    const { skeleton } = stickFigure();
    const again = copySkeleton(skeleton);
    again.rest.translations = Float64Array.from(Float32Array.from(again.rest.translations));
    expect(isSameSkeleton(skeleton, again)).toBe(true);
    const change = (edit: (copy: ReturnType<typeof copySkeleton>) => void) => {
      const copy = copySkeleton(skeleton);
      edit(copy);
      return isSameSkeleton(skeleton, copy);
    };
    expect(change((copy) => copy.names.splice(3, 1, 'other'))).toBe(false);
    expect(change((copy) => copy.parents.fill(0, 5, 6))).toBe(false);
    expect(change((copy) => copy.rest.translations.fill(0.5, 7, 8))).toBe(false);
    expect(change((copy) => copy.rest.scales.fill(2, 0, 1))).toBe(false);
    expect(change((copy) => copy.container.fill(2, 0, 1))).toBe(false);
    expect(isSameSkeleton(skeleton, stickFigure({ toes: false }).skeleton)).toBe(false);
  });

  it('never calls broken numbers the same', () => {
    const { skeleton } = stickFigure();
    const broken = copySkeleton(skeleton);
    broken.rest.translations[4] = Number.NaN;
    expect(isSameSkeleton(skeleton, broken)).toBe(false);
    expect(isSameSkeleton(broken, skeleton)).toBe(false);
  });
});

describe('copySkeleton', () => {
  it('shares nothing that may change', () => {
    const { skeleton } = stickFigure();
    skeleton.bind = { ...skeleton.rest, rotations: skeleton.rest.rotations.slice() };
    const copy = copySkeleton(skeleton);
    copy.names[0] = 'x';
    copy.rest.rotations[0] = 9;
    copy.flags[0] = END;
    copy.bind!.rotations[0] = 9;
    copy.declared.unit = 9;
    expect(skeleton.names[0]).not.toBe('x');
    expect(skeleton.rest.rotations[0]).not.toBe(9);
    expect(skeleton.bind!.rotations[0]).not.toBe(9);
    expect(skeleton.declared.unit).not.toBe(9);
    expect(skeleton.flags[0]).toBe(JOINT);
  });
});
