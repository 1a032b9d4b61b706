import { expect, it } from 'vitest';
import { shortNames } from './joint-names.js';

it('leaves out what nearly all joints begin with', () => {
  expect(
    shortNames(['mixamorig:Hips', 'mixamorig:Spine', 'mixamorig:Head', 'mixamorig:Neck', 'Armature']),
  ).toEqual(['Hips', 'Spine', 'Head', 'Neck', 'Armature']);
  expect(shortNames(['Bip01 L Hand', 'Bip01 R Hand', 'Bip01 Head', 'Bip01 Spine'])[0]).toBe('L Hand');
});

it('keeps beginnings that mean something, and names that are nothing else', () => {
  const sided = ['left_hand', 'right_hand', 'left_foot', 'right_foot', 'hips'];
  expect(shortNames(sided)).toEqual(sided);
  const bare = ['a:', 'a:', 'a:', 'a:'];
  expect(shortNames(bare)).toEqual(bare);
});
