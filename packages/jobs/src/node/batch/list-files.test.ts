import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { listFiles } from './list-files.js';

const root = mkdtempSync(join(tmpdir(), 'stuntdouble-list-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
for (const path of [
  'b.bvh',
  'a.GLB',
  'note.txt',
  '.hidden.bvh',
  'deep/c.bvh',
  'deep/er/d.fbx',
  'out/e.glb',
]) {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), '');
}
const listed = (...names: string[]) =>
  listFiles(
    names.map((name) => join(root, name)),
    (path) => path === join(root, 'out'),
  ).map(({ path }) => relative(root, path).split(sep).join('/'));

describe('listFiles', () => {
  it('finds below a folder what can be read, sorted, without hidden files and results', () => {
    expect(listed('.')).toEqual(['a.GLB', 'b.bvh', 'deep/c.bvh', 'deep/er/d.fbx']);
  });

  it('follows patterns, and lists each file once', () => {
    expect(listed('*.bvh')).toEqual(['b.bvh']);
    expect(listed('**/*.bvh', 'b.bvh')).toEqual(['b.bvh', 'deep/c.bvh']);
    expect(listed('deep/?.bvh')).toEqual(['deep/c.bvh']);
  });

  it('follows links to files and folders, though not back to where they came from, and lists those that lead nowhere', () => {
    mkdirSync(join(root, 'linked'));
    symlinkSync('../b.bvh', join(root, 'linked/b.bvh'));
    symlinkSync('../deep', join(root, 'linked/deep'));
    symlinkSync('.', join(root, 'linked/here'));
    symlinkSync('../gone.bvh', join(root, 'linked/gone.bvh'));
    symlinkSync('round.bvh', join(root, 'linked/round.bvh'));
    const below = ['b.bvh', 'deep/c.bvh', 'deep/er/d.fbx', 'gone.bvh', 'round.bvh'];
    expect(listed('linked')).toEqual(below.map((path) => `linked/${path}`));
    rmSync(join(root, 'linked'), { recursive: true });
  });

  it('says below which folders of an argument a file lies', () => {
    const belowOf = (...names: string[]) =>
      Object.fromEntries(
        listFiles(
          names.map((name) => join(root, name)),
          () => false,
        ).map(({ path, below }) => [relative(root, path).split(sep).join('/'), below]),
      );
    expect(belowOf('.')).toMatchObject({ 'b.bvh': '', 'deep/c.bvh': 'deep', 'deep/er/d.fbx': 'deep/er' });
    expect(belowOf('deep')).toEqual({ 'deep/c.bvh': '', 'deep/er/d.fbx': 'er' });
    expect(belowOf('deep/c.bvh')).toEqual({ 'deep/c.bvh': '' });
    expect(belowOf('de*/**/*.fbx')).toEqual({ 'deep/er/d.fbx': 'deep/er' });
    // By the first argument that names it.
    expect(belowOf('deep', '.')).toMatchObject({ 'deep/er/d.fbx': 'er', 'b.bvh': '' });
  });

  it('says what was not found', () => {
    expect(() => listed('none.bvh')).toThrow(/none\.bvh: there is no such file or folder/);
    expect(() => listed('*.vrm')).toThrow(/\*\.vrm: no file in it can be read/);
  });
});
