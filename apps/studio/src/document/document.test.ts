import { expect, it } from 'vitest';
import {
  changeOwn,
  changeShared,
  createDocument,
  effectiveRecipe,
  settingOf,
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
