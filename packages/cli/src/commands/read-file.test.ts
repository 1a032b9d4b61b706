import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure, readScene } from '@stuntdouble/jobs';
import { readFileBytes, readFileText, readJson } from '@stuntdouble/jobs/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../test/run-command.js';

describe('documents named on the command line', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stuntdouble-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('are read whole, with or without a mark of the byte order', async () => {
    const path = join(folder, 'map.json');
    await writeFile(path, '\ufeff{"a":"é"}');
    expect(await readFileText(path)).toBe('{"a":"é"}');
    expect(await readJson(path, 'a map', (json) => json)).toEqual({ a: 'é' });
    expect(await readFileBytes(path)).toHaveLength(13);
  });

  test('that are no files are refused in one sentence', async () => {
    const refusal = (read: Promise<unknown>) => expect(read).rejects.toThrow(Failure);
    await refusal(readFileBytes(join(folder, 'nothing')));
    await expect(readFileBytes('nothing.json')).rejects.toThrow(
      'cannot read nothing.json: there is no such file',
    );
    await expect(readFileBytes(folder)).rejects.toThrow(`cannot read ${folder}: it is a folder`);
    if (process.platform === 'win32') return;
    await expect(readFileBytes('/dev/zero')).rejects.toThrow(
      'cannot read /dev/zero: it is a device, not a file',
    );
    await expect(readScene('/dev/zero')).rejects.toThrow('it is a device, not a file');
    await refusal(readScene('/dev/zero'));
  });

  test('a link out of the folder of a file is followed with --follow-links alone', async () => {
    await mkdir(join(folder, 'models'));
    await writeFile(join(folder, 'outside.bin'), 'sixteen letters.');
    await symlink(join(folder, 'outside.bin'), join(folder, 'models', 'hero.bin'));
    const path = join(folder, 'models', 'hero.gltf');
    await writeFile(
      path,
      JSON.stringify({
        asset: { version: '2.0' },
        buffers: [{ byteLength: 16, uri: 'hero.bin' }],
        nodes: [{ name: 'hips', children: [1] }, { name: 'spine' }],
        skins: [{ joints: [0, 1] }],
      }),
    );
    const refused = await runCommand('inspect', path);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('it is a link out of the folder');
    expect((await runCommand('inspect', path, '--follow-links')).code).toBe(0);
  });
});
