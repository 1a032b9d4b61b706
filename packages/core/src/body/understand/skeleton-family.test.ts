import { describe, expect, it } from 'vitest';
import { sceneOf, stickFigure } from '../../../test/stick-figure.js';
import { UsageError } from '../../base/errors.js';
import { copySkeleton } from '../../scene/skeleton.js';
import { setUpScenes } from '../../setup/set-up-scenes.js';
import { familyMembers, isSameFamily } from './skeleton-family.js';

describe('a family of skeletons', () => {
  const figure = stickFigure();
  const { skeleton } = figure;

  it('has the same names, parents and bones, wherever the root stands', () => {
    const other = copySkeleton(skeleton);
    other.rest.translations[1]! += 5;
    other.rest.rotations.set([0.6, 0, 0, 0.8], 4);
    expect(isSameFamily(skeleton, other)).toBe(true);
    expect(isSameFamily(skeleton, stickFigure({ upperArm: 0.5 }).skeleton)).toBe(false);
    const renamed = copySkeleton(skeleton);
    renamed.names[3] = 'other';
    expect(isSameFamily(skeleton, renamed)).toBe(false);
  });

  it('leaves the skeleton itself out', () => {
    expect(familyMembers(skeleton, sceneOf(figure))).toEqual([]);
    expect(familyMembers(skeleton, [sceneOf(stickFigure())])).toHaveLength(1);
  });

  it('is refused by name where no file of it has the skeleton of the source', () => {
    const source = sceneOf(figure);
    const stranger = sceneOf(stickFigure({ upperArm: 0.5 }));
    expect(() => setUpScenes(source, sceneOf(stickFigure()), { sourceFamily: stranger })).toThrow(UsageError);
    expect(() =>
      setUpScenes(source, sceneOf(stickFigure()), { sourceFamily: sceneOf(stickFigure()) }),
    ).not.toThrow();
  });
});
