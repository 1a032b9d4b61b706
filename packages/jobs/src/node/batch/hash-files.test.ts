import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashFile, type KnownHashes } from './hash-files.js';

describe('files of a batch are hashed', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'stuntdouble-hash-'));
    mkdirSync(join(folder, 'in/below'), { recursive: true });
    writeFileSync(join(folder, 'secret.bin'), 'secret');
    writeFileSync(join(folder, 'in/below/beside.bin'), 'beside');
    if (process.platform !== 'win32') {
      symlinkSync(join(folder, 'secret.bin'), join(folder, 'in/link.bin'));
      execFileSync('mkfifo', [join(folder, 'in/pipe.bin')]);
    }
    const uris = ['below/beside.bin', '../secret.bin', '%2e%2e/secret.bin', 'link.bin', 'pipe.bin', 'below'];
    const buffers = uris.map((uri) => ({ byteLength: 1, uri }));
    writeFileSync(join(folder, 'in/body.gltf'), JSON.stringify({ asset: { version: '2.0' }, buffers }));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('with what lies beside them, and nothing else that they name', () => {
    const known: KnownHashes = {};
    hashFile(join(folder, 'in/body.gltf'), known);
    const read = Object.keys(known).map((path) =>
      path.slice(resolve(folder).length + 1).replaceAll('\\', '/'),
    );
    expect(read.sort()).toEqual(['in/below/beside.bin', 'in/body.gltf']);
  });

  it('if they are files', () => {
    expect(() => hashFile(join(folder, 'in'), {})).toThrow('not a file');
    if (process.platform !== 'win32') {
      expect(() => hashFile(join(folder, 'in/pipe.bin'), {})).toThrow('not a file');
      expect(() => hashFile('/dev/zero', {})).toThrow('not a file');
    }
  });
});
