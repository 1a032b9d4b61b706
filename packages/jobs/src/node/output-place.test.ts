import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { UsageError } from '@stuntdouble/core';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../../cli/test/folder.js';
import { Failure } from '../failure.js';
import { checkOutputs, isSameFile } from './output-place.js';

const folder = createFolder();
const { at } = folder;
writeFileSync(at('a'), '');
writeFileSync(at('other'), '');
mkdirSync(at('sub'));
symlinkSync('a', at('link'));
linkSync(at('a'), at('twin'));

describe('places of outputs', () => {
  it('are checked before any work is done', () => {
    for (const [path, reason] of [
      [at('none', 'x'), 'its folder is not there'],
      [at('sub'), 'it is a folder'],
      [at('a', 'x'), 'a part of its path is a file, not a folder'],
      [at('link'), 'it is a link to a'],
      ['/dev/full', 'it is no file but a device, a pipe or a socket'],
      [at('x'.repeat(300)), 'the name is too long'],
    ] as const) {
      expect(() => checkOutputs([path], { force: true }), path).toThrow(reason);
      expect(() => checkOutputs([path], { force: true }), path).toThrow(Failure);
    }
    expect(() => checkOutputs([at('a')])).toThrow('there already');
    checkOutputs([at('new'), at('new2')]);
    checkOutputs([at('a'), at('new')], { force: true });
  });

  it('are not one, not even on systems that do not tell upper from lower case', () => {
    for (const [first, second] of [
      [at('x.json'), at('x.json')],
      [at('x.json'), at('X.JSON')],
      [at('caf\u00e9'), at('cafe\u0301')],
      [at('x'), at('sub', '..', 'x')],
    ] as const)
      expect(() => checkOutputs([first, second]), second).toThrow(UsageError);
  });

  it('are known by any name of a file', () => {
    expect(isSameFile(at('a'), at('link'))).toBe(true);
    expect(isSameFile(at('a'), at('twin'))).toBe(true);
    expect(isSameFile(at('a'), at('sub', '..', 'a'))).toBe(true);
    expect(isSameFile(at('a'), at('other'))).toBe(false);
    expect(isSameFile(at('none'), at('sub', '..', 'none'))).toBe(true);
    expect(isSameFile(at('none'), at('a'))).toBe(false);
  });
});
