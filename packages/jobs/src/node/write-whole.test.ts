import * as fs from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchUnfinished } from './unfinished-files.js';
import { writeWhole } from './write-whole.js';

// Files share what they have loaded: what is mocked here is loaded for this file alone.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.doUnmock('node:fs');
  vi.resetModules();
});
vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>();
  const watched = ['fsyncSync', 'linkSync', 'renameSync', 'writeSync', 'fchownSync'] as const;
  return { ...real, ...Object.fromEntries(watched.map((name) => [name, vi.fn(real[name] as never)])) };
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stuntdouble-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  watchUnfinished(() => {});
  await rm(folder, { recursive: true, force: true });
});

/** What the system answers. */
function systemError(code: string): Error {
  return Object.assign(new Error(code), { code, syscall: 'test' });
}

/** Lets something happen at the moment that a file's bytes are put on the disk, before it gets its name. */
function duringWrite(happen: () => void): void {
  vi.mocked(fs.fsyncSync).mockImplementationOnce(() => happen());
}

describe('writeWhole', () => {
  it('writes a file and leaves nothing beside it', async () => {
    writeWhole(join(folder, 'a.bin'), new Uint8Array([1, 2, 3]));
    expect([...(await readFile(join(folder, 'a.bin')))]).toEqual([1, 2, 3]);
    expect(await readdir(folder)).toEqual(['a.bin']);
  });

  it('leaves a file that is there as it was, unless told to replace it', async () => {
    const path = join(folder, 'a.txt');
    await writeFile(path, 'old');
    expect(() => writeWhole(path, 'new')).toThrow(/a\.txt: it is there already \(--force replaces it\)/);
    expect(await readFile(path, 'utf8')).toBe('old');
    writeWhole(path, 'new', { force: true });
    expect(await readFile(path, 'utf8')).toBe('new');
    expect(await readdir(folder)).toEqual(['a.txt']);
  });

  it('never replaces what another process put there meanwhile, with and without hard links', async () => {
    for (const hasLinks of [true, false]) {
      const path = join(folder, `${hasLinks}.txt`);
      duringWrite(() => fs.writeFileSync(path, 'theirs'));
      if (!hasLinks)
        vi.mocked(fs.linkSync).mockImplementationOnce(() => {
          throw systemError('EPERM');
        });
      expect(() => writeWhole(path, 'ours')).toThrow('it is there already');
      expect(await readFile(path, 'utf8')).toBe('theirs');
    }
    expect((await readdir(folder)).sort()).toEqual(['false.txt', 'true.txt']);
  });

  it('writes where there are no hard links', async () => {
    vi.mocked(fs.linkSync).mockImplementationOnce(() => {
      throw systemError('EPERM');
    });
    writeWhole(join(folder, 'a'), 'x');
    expect(await readFile(join(folder, 'a'), 'utf8')).toBe('x');
    expect(await readdir(folder)).toEqual(['a']);
  });

  it('has all bytes on the disk before the file gets its name, and then the name', () => {
    for (const force of [false, true]) {
      const order: string[] = [];
      vi.mocked(fs.fsyncSync).mockImplementation((file) => {
        const info = fs.fstatSync(file);
        order.push(info.isDirectory() ? 'folder' : `${info.size} bytes`);
      });
      const naming = vi.mocked(force ? fs.renameSync : fs.linkSync);
      const real = naming.getMockImplementation()!;
      naming.mockImplementation((from, to) => {
        order.push('name');
        real(from, to);
      });
      writeWhole(join(folder, String(force)), 'abc', { force });
      expect(order).toEqual(['3 bytes', 'name', 'folder']);
      naming.mockImplementation(real);
    }
  });

  it('goes on where the disk takes only a part at once', async () => {
    const real = vi.mocked(fs.writeSync).getMockImplementation()! as (...all: unknown[]) => number;
    vi.mocked(fs.writeSync).mockImplementation(((file: number, bytes: Uint8Array, at: number) =>
      real(file, bytes, at, 1)) as never);
    writeWhole(join(folder, 'a'), 'abc');
    vi.mocked(fs.writeSync).mockImplementation(real as never);
    expect(await readFile(join(folder, 'a'), 'utf8')).toBe('abc');
  });

  it('keeps mode and owner of what it replaces, and refuses where it cannot', async () => {
    const path = join(folder, 'a');
    await writeFile(path, 'old');
    await chmod(path, 0o640);
    writeWhole(path, 'new', { force: true });
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    if (process.getuid?.() === 0) {
      fs.chownSync(path, 12345, 23456);
      writeWhole(path, 'newer', { force: true });
      const { uid, gid, mode } = await stat(path);
      expect([uid, gid, mode & 0o777]).toEqual([12345, 23456, 0o640]);
      vi.mocked(fs.fchownSync).mockImplementationOnce(() => {
        throw systemError('EPERM');
      });
      expect(() => writeWhole(path, 'newest', { force: true })).toThrow(/belongs to another user or group/);
      expect(await readFile(path, 'utf8')).toBe('newer');
    }
    expect(await readdir(folder)).toEqual(['a']);
  });

  it('leaves nothing where the disk is full, and says so in one sentence', async () => {
    for (const [code, reason] of [
      ['ENOSPC', 'the disk is full'],
      ['EDQUOT', 'the disk quota is used up'],
      ['EIO', 'the disk failed'],
    ] as const) {
      vi.mocked(fs.writeSync).mockImplementationOnce(() => {
        throw systemError(code);
      });
      expect(() => writeWhole(join(folder, 'a'), 'x')).toThrow(`a: ${reason}`);
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it('writes through a link only when told to, and never replaces one', async () => {
    await writeFile(join(folder, 'real'), 'old');
    await symlink('real', join(folder, 'link'));
    await symlink('link', join(folder, 'second'));
    for (const force of [false, true])
      expect(() => writeWhole(join(folder, 'link'), 'new', { force })).toThrow(
        /link: it is a link to real \(--write-through writes through it\)/,
      );
    expect(() => writeWhole(join(folder, 'link'), 'new', { writeThrough: true })).toThrow('there already');
    expect(await readFile(join(folder, 'real'), 'utf8')).toBe('old');
    writeWhole(join(folder, 'second'), 'new', { force: true, writeThrough: true });
    expect(await readFile(join(folder, 'real'), 'utf8')).toBe('new');
    expect(fs.readlinkSync(join(folder, 'second'))).toBe('link');
    expect((await readdir(folder)).sort()).toEqual(['link', 'real', 'second']);
  });

  it('does not replace a link that leads nowhere, nor follow a circle', async () => {
    await symlink('gone', join(folder, 'link'));
    expect(() => writeWhole(join(folder, 'link'), 'x', { force: true })).toThrow(
      /link: it is a link to gone, which is not there/,
    );
    expect(fs.readlinkSync(join(folder, 'link'))).toBe('gone');
    writeWhole(join(folder, 'link'), 'x', { writeThrough: true });
    expect(await readFile(join(folder, 'gone'), 'utf8')).toBe('x');
    await symlink('b', join(folder, 'a'));
    await symlink('a', join(folder, 'b'));
    expect(() => writeWhole(join(folder, 'a'), 'x', { force: true, writeThrough: true })).toThrow(
      'its links go round in a circle',
    );
  });

  it('says in one sentence why a place cannot be written', async () => {
    await writeFile(join(folder, 'file'), '');
    fs.mkdirSync(join(folder, 'sub'));
    for (const [path, reason] of [
      [join(folder, 'none', 'a'), 'its folder is not there'],
      [join(folder, 'sub'), 'it is a folder'],
      [join(folder, 'file', 'a'), 'a part of its path is a file, not a folder'],
      [join(folder, 'x'.repeat(300)), 'the name is too long'],
      ['/dev/null', 'it is no file but a device, a pipe or a socket'],
    ] as const)
      expect(() => writeWhole(path, 'x', { force: true }), path).toThrow(reason);
    expect((await readdir(folder)).sort()).toEqual(['file', 'sub']);
  });

  it('takes the longest name that a file can have', async () => {
    const name = 'x'.repeat(255);
    writeWhole(join(folder, name), 'x');
    expect(await readdir(folder)).toEqual([name]);
  });

  it('tells of its temporary file before it is there, and when it is gone', () => {
    const told: string[] = [];
    watchUnfinished(({ kind, path }) => {
      expect(fs.existsSync(path), kind).toBe(false);
      expect(basename(path)).toMatch(/^\.stuntdouble-/);
      told.push(kind);
    });
    writeWhole(join(folder, 'a'), 'x');
    expect(told).toEqual(['begin', 'end']);
  });
});
