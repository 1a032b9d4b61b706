import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '@stuntdouble/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildGltf } from '../test/gltf-builder.js';
import type { WriteInput } from './format.js';
import { read } from './read.js';
import { write, writeBytes } from './write.js';

async function input(): Promise<WriteInput> {
  const file = buildGltf([{ name: 'hips' }]);
  file.json.skins = [{ joints: [0] }];
  return { scene: await read(file.glb(), { name: 'hero' }), character: 0, clips: [] };
}

describe('write', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stuntdouble-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('the extension says the format, in any case, by path or URL', async () => {
    const path = join(folder, 'hero.GLB');
    const result = await write(path, await input());
    expect(result).toMatchObject({ path, warnings: [], byteLength: (await readFile(path)).length });
    expect((await read(path)).format).toBe('glb');
    await write(pathToFileURL(join(folder, 'hero.gltf')), await input());
    expect((await read(join(folder, 'hero.gltf'))).format).toBe('gltf');
  });

  test('an existing file is replaced only by force, and nothing is left lying about', async () => {
    const path = join(folder, 'hero.glb');
    await writeFile(path, 'precious');
    await expect(write(path, await input())).rejects.toThrow('exists; pass force');
    expect(await readFile(path, 'utf8')).toBe('precious');
    await write(path, await input(), { force: true });
    expect((await read(path)).characters).toHaveLength(1);
    expect(await readdir(folder)).toEqual(['hero.glb']);
  });

  test('a file that is replaced keeps its mode', async () => {
    const path = join(folder, 'hero.glb');
    await writeFile(path, 'old');
    await chmod(path, 0o640);
    await write(path, await input(), { force: true });
    expect((await stat(path)).mode & 0o777).toBe(0o640);
  });

  test('a link is written through only when asked, and a dangling one never replaced', async () => {
    const real = join(folder, 'real.glb');
    const link = join(folder, 'link.glb');
    await symlink('real.glb', link);
    for (const force of [false, true])
      await expect(write(link, await input(), { force })).rejects.toThrow('is a link; pass writeThrough');
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    await write(link, await input(), { writeThrough: true });
    expect((await read(real)).characters).toHaveLength(1);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    await expect(write(link, await input(), { writeThrough: true })).rejects.toThrow('exists; pass force');
    await mkdir(join(folder, 'folder.glb'));
    await expect(write(join(folder, 'folder.glb'), await input(), { force: true })).rejects.toThrow(
      'it is a folder',
    );
  });

  test('a signal is asked before anything is made', async () => {
    const path = join(folder, 'hero.glb');
    await expect(write(path, await input(), { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
    expect(await readdir(folder)).toEqual([]);
  });

  test('a failure leaves no file', async () => {
    const whole = await input();
    const clips = [{ name: 'broken', duration: 0, tracks: [], morphs: [] }];
    await expect(write(join(folder, 'a.glb'), { ...whole, character: 3, clips })).rejects.toThrow(UsageError);
    await expect(write(join(folder, 'no', 'folder', 'a.glb'), whole)).rejects.toThrow(
      'there is no such folder',
    );
    expect(await readdir(folder)).toEqual([]);
  });

  test('an unknown extension names those that are known', async () => {
    await expect(writeBytes('obj', await input())).rejects.toThrow(
      /^\.obj cannot be written; these can: \.glb, \.gltf, \.vrm, \.vrma, .*\.bvh/,
    );
    await expect(write(join(folder, 'hero'), await input())).rejects.toThrow('the output has no extension');
  });
});
