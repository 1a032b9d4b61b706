import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkWritable, isSameFile, writeWhole } from './write-whole.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stuntdouble-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('writeWhole', () => {
  it('writes a file and leaves nothing beside it', async () => {
    await writeWhole(join(folder, 'a.bin'), new Uint8Array([1, 2, 3]));
    expect([...(await readFile(join(folder, 'a.bin')))]).toEqual([1, 2, 3]);
    expect(await readdir(folder)).toEqual(['a.bin']);
  });

  it('leaves a file that is there as it was, unless told to replace it', async () => {
    const path = join(folder, 'a.txt');
    await writeFile(path, 'old');
    await expect(writeWhole(path, 'new')).rejects.toThrow(
      /a\.txt: it is there already \(--force replaces it\)/,
    );
    expect(await readFile(path, 'utf8')).toBe('old');
    expect(await readdir(folder)).toEqual(['a.txt']);
    await writeWhole(path, 'new', { force: true });
    expect(await readFile(path, 'utf8')).toBe('new');
    expect(await readdir(folder)).toEqual(['a.txt']);
  });

  it('says in one sentence why it cannot write, before and while it does', async () => {
    await mkdir(join(folder, 'sub'));
    await writeFile(join(folder, 'file'), '');
    for (const [path, reason] of [
      [join(folder, 'none', 'a'), /its folder is not there/],
      [join(folder, 'sub'), /it is a folder/],
      [join(folder, 'file', 'a'), /is a file, not a folder/],
    ] as const) {
      await expect(checkWritable(path, true), path).rejects.toThrow(reason);
      await expect(writeWhole(path, 'x', { force: true }), path).rejects.toThrow(/^cannot write /);
    }
    expect((await readdir(folder)).sort()).toEqual(['file', 'sub']);
    await expect(checkWritable(join(folder, 'file'), false)).rejects.toThrow(/there already/);
    await checkWritable(join(folder, 'new'), false);
  });

  it('knows one file by two names', async () => {
    await writeFile(join(folder, 'a'), '');
    await symlink(join(folder, 'a'), join(folder, 'b'));
    expect(await isSameFile(join(folder, 'a'), join(folder, 'b'))).toBe(true);
    expect(await isSameFile(join(folder, 'a'), join(folder, 'sub', '..', 'a'))).toBe(true);
    expect(await isSameFile(join(folder, 'a'), join(folder, 'c'))).toBe(false);
  });
});
