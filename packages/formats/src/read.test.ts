import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '@stuntdouble/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildGltf } from '../test/gltf-builder.js';
import { read } from './read.js';
import { encodeBase64 } from './shared/base64.js';
import { writeBytes } from './write.js';

const file = buildGltf([{ name: 'hips', children: [1] }, { name: 'spine' }]);
file.json.skins = [{ joints: [0, 1] }];
const bytes = file.glb();

describe('read', () => {
  test('warnings are one line that hides nothing, whatever the file calls its parts', async () => {
    const name = `a\u0007\u202e${'x'.repeat(500)}`;
    const file = new TextEncoder().encode(
      `HIERARCHY\nROOT ${name}\n{\nOFFSET 0 0 0\nCHANNELS 3 ${name} Xrotation Yrotation\n}\nMOTION\nFrames: 1\nFrame Time: 1\n0 0 0\n`,
    );
    const { warnings } = await read(file);
    expect(warnings.length).toBeGreaterThan(0);
    for (const { message } of warnings) {
      expect(message.length).toBeLessThanOrEqual(300);
      expect(message).not.toMatch(/[\p{Cc}\u202e]/u);
    }
  });

  test('a signal is asked before, between and after', async () => {
    const file = buildGltf([{ name: 'a' }]);
    file.json.skins = [{ joints: [0] }];
    const bytes = file.glb();
    let asked = 0;
    await read(bytes, {
      signal: {
        throwIfAborted() {
          asked++;
        },
      },
    });
    expect(asked).toBeGreaterThanOrEqual(4);
    for (let last = 1; last <= asked; last++) {
      let left = last;
      const signal = {
        throwIfAborted() {
          if (--left === 0) throw new Error('stopped');
        },
      };
      await expect(read(bytes, { signal })).rejects.toThrow('stopped');
    }
  });

  test('a signal is asked while a text is taken apart and made', async () => {
    const askers = new Set<string>();
    const signal = {
      throwIfAborted() {
        for (const [, name] of (new Error().stack ?? '').matchAll(/at (?:\w+\.)*(\w+) \(/g))
          askers.add(name!);
      },
    };
    const frame = Array.from({ length: 60 }, (_, n) => `${n}.5`).join(' ');
    const joints = Array.from(
      { length: 20 },
      (_, n) => `JOINT j${n} { OFFSET 0 1 0 CHANNELS 3 Zrotation Xrotation Yrotation`,
    );
    const text = `HIERARCHY\n${joints.join('\n').replace('JOINT', 'ROOT')}${'}'.repeat(20)}\nMOTION\nFrames: 4000\nFrame Time: 0.01\n${`${frame}\n`.repeat(4000)}`;
    const capture = await read(new TextEncoder().encode(text), { signal });
    expect([...askers]).toEqual(expect.arrayContaining(['readNumbers', 'rotationsOf']));
    askers.clear();
    const { clips } = capture.characters[0]!;
    await writeBytes('bvh', { scene: capture, character: 0, clips }, { signal });
    expect([...askers]).toEqual(expect.arrayContaining(['sampleJoints', 'addFrames']));
    for (const [extension, encoder] of [
      ['glb', 'encodeGltfClips'],
      ['fbx', 'encodeFbxClips'],
    ] as const) {
      askers.clear();
      await writeBytes(extension, { scene: capture, character: 0, clips }, { signal });
      expect([...askers]).toContain(encoder);
      if (extension === 'fbx') expect([...askers]).toContain('deflate');
    }
    askers.clear();
    const numbers = Array.from({ length: 100_000 }, (_, n) => n);
    const ascii = `; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXVersion: 7400\n}\nObjects:  {\n\tVertices: *100000 {\n\t\ta: ${numbers.join(',')}\n\t}\n}\n`;
    await read(new TextEncoder().encode(ascii), { signal });
    expect([...askers]).toContain('readArray');
  });

  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stuntdouble-'));
    await writeFile(join(folder, 'my hero.v2.glb'), bytes);
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('a path, a file URL, bytes, a buffer, a Blob and a data URI give the same skeleton', async () => {
    const path = join(folder, 'my hero.v2.glb');
    const whole = new Blob([Uint8Array.from(bytes)]);
    const data = `data:model/gltf-binary;base64,${encodeBase64(bytes)}`;
    for (const source of [path, pathToFileURL(path), pathToFileURL(path).href, bytes, whole, data]) {
      const scene = await read(source);
      expect(scene.characters[0]!.skeleton.names).toEqual(['hips', 'spine']);
    }
    expect((await read(Uint8Array.from(bytes).buffer)).format).toBe('glb');
  });

  test('the scene has the name of the file, or the one given', async () => {
    const path = join(folder, 'my hero.v2.glb');
    expect((await read(path)).name).toBe('my hero.v2');
    expect((await read(pathToFileURL(path))).name).toBe('my hero.v2');
    expect((await read(bytes)).name).toBe('untitled');
    expect((await read(path, { name: 'Hero' })).name).toBe('Hero');
    expect((await read(new File([Uint8Array.from(bytes)], 'upload.vrm'))).name).toBe('upload');
  });

  test('an address, and the buffer that stands beside it', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/models/hero.gltf?v=1') response.end(file.gltf('hero.bin'));
      else if (request.url === '/models/hero.bin') response.end(file.buffer());
      else response.writeHead(404).end();
    });
    // A buffer must hold something to be asked for.
    file.view(new Float32Array(1));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const scene = await read(`http://127.0.0.1:${port}/models/hero.gltf?v=1`);
      expect(scene.name).toBe('hero');
      expect(scene.characters).toHaveLength(1);
      await expect(read(`http://127.0.0.1:${port}/nothing.glb`)).rejects.toThrow('the server answered 404');
    } finally {
      server.close();
    }
  });

  test('what is not there is one clear sentence', async () => {
    await expect(read(join(folder, 'nothing.glb'))).rejects.toThrow(UsageError);
    await expect(read(join(folder, 'nothing.glb'))).rejects.toThrow('there is no such file');
    await expect(read(folder)).rejects.toThrow('it is a folder');
    await expect(read('')).rejects.toThrow('pass a path, a URL, bytes or a File');
    await expect(read(new Uint8Array(0))).rejects.toThrow('an empty file');
  });

  test('a scene can go to a worker', async () => {
    const copy = structuredClone(await read(bytes));
    expect(copy.characters[0]!.skeleton.names).toEqual(['hips', 'spine']);
  });
});
