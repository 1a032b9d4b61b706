import { describe, expect, it } from 'vitest';
import { sceneOf, stickFigure } from '../../../test/stick-figure.js';
import { UsageError } from '../../base/errors.js';
import { mirrorScene } from '../../clips/mirror-scene.js';
import { copySkeleton } from '../../scene/skeleton.js';
import { setUpScenes } from '../../setup/set-up-scenes.js';
import { clipsToUnderstand, familyMembers, isSameFamily } from './skeleton-family.js';

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

  it('is seen in a mirror where the source is', () => {
    const told = { sourceFamily: sceneOf(stickFigure()) };
    const seen = mirrorScene(sceneOf(figure));
    expect(() => setUpScenes(seen, sceneOf(stickFigure()), told)).not.toThrow();
  });

  it('says how its members stand in place of their own clips, unless a reference is told', () => {
    const own = { ...figure, clips: [{ name: 'own', duration: 1, tracks: [], morphs: [] }] };
    const other = { ...stickFigure(), clips: [{ name: 'other', duration: 1, tracks: [], morphs: [] }] };
    const namesOf = (...args: Parameters<typeof clipsToUnderstand>) =>
      clipsToUnderstand(...args).map(({ name }) => name);
    expect(namesOf(own, undefined)).toEqual(['own']);
    expect(namesOf(own, sceneOf(other))).toEqual(['other']);
    expect(namesOf(own, sceneOf(other), { clip: 'own', frame: 0 })).toEqual(['own', 'other']);
  });
});
