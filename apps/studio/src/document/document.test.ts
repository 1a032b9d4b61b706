import { expect, it } from 'vitest';
import {
  changeOwn,
  changeShared,
  createDocument,
  effectiveRecipe,
  settingOf,
  withFile,
  withSetting,
} from './document.js';

it('what a target has of its own comes before what is shared', () => {
  let document = changeShared(createDocument(), (recipe) => withSetting(recipe, 'reach', 'together'));
  document = changeOwn(document, 'a', (recipe) => withSetting(recipe, 'reach', 'limbs'));
  expect(settingOf(effectiveRecipe(document, 'a'), 'reach')).toBe('limbs');
  expect(settingOf(effectiveRecipe(document, 'b'), 'reach')).toBe('together');
});

it('a setting that is left to its default again leaves nothing behind', () => {
  const told = withSetting({ version: 1 }, 'root.copyPosition', false);
  expect(told).toEqual({ version: 1, settings: { root: { copyPosition: false } } });
  expect(withSetting(told, 'root.copyPosition', undefined)).toEqual({ version: 1 });
  const document = changeOwn(createDocument(), 'a', () => told);
  expect(changeOwn(document, 'a', () => ({ version: 1 })).own).toEqual({});
});

it('a setting in a record leaves its neighbours', () => {
  const one = withSetting({ version: 1 }, 'spacing.arms', 0.5);
  const two = withSetting(one, 'spacing.legs', 0.25);
  expect(two.settings).toEqual({ spacing: { arms: 0.5, legs: 0.25 } });
  expect(settingOf(two, 'spacing.arms')).toBe(0.5);
  expect(settingOf(two, 'lookAt.weight')).toBeUndefined();
});

it('another file takes the place of one, with all that was kept for it', () => {
  const ref = (name: string) => ({ name, size: 1, sha256: name });
  let document = { ...createDocument(), source: ref('a'), targets: [ref('b'), ref('c')] };
  document = changeOwn(document, 'b', (recipe) =>
    withSetting(recipe, 'reach', 'together'),
  ) as typeof document;
  const changed = withFile(document, 'b', ref('d'));
  expect(changed.targets.map(({ name }) => name)).toEqual(['d', 'c']);
  expect(settingOf(effectiveRecipe(changed, 'd'), 'reach')).toBe('together');
  expect(changed.own.b).toBeUndefined();
  expect(withFile(document, 'a', ref('e')).source!.name).toBe('e');
});
