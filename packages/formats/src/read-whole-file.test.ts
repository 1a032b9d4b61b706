import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '@stuntdouble/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildGltf } from '../test/gltf-builder.js';
import { createByteRoom } from './byte-room.js';
import { fetchBytes } from './fetch-bytes.js';
import { FormatError } from './format-error.js';
import { read } from './read.js';
import { readWholeFile } from './read-whole-file.js';

describe.skipIf(process.platform === 'win32')('what is no file', () => {
  let folder = '';
  const socket = createServer();
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stuntdouble-'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await new Promise<void>((resolve) => socket.listen(join(folder, 'socket'), resolve));
  });
  afterAll(async () => {
    await new Promise((resolve) => socket.close(resolve));
    await rm(folder, { recursive: true });
  });

  test.each([
    ['/dev/zero', 'it is a device, not a file'],
    ['/dev/null', 'it is a device, not a file'],
    ['pipe', 'it is a pipe; save what comes out of it to a file first'],
    ['socket', 'it is a socket, not a file'],
    ['.', 'it is a folder'],
    ['nothing', 'there is no such file'],
    ['a\0b', 'the name holds a letter that no file can have'],
  ])('%s is refused at once, in one sentence', async (name, sentence) => {
    const path = name.startsWith('/') ? name : `${folder}/${name}`;
    const error = await read(path).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toBe(`cannot read ${JSON.stringify(path)}: ${sentence}`);
  });

  test('a pipe or a device beside a file is no buffer of it', async () => {
    const file = buildGltf([{ name: 'hips' }]);
    file.json.skins = [{ joints: [0] }];
    file.view(new Uint8Array(4));
    await writeFile(join(folder, 'hero.gltf'), file.gltf('pipe'));
    await expect(read(join(folder, 'hero.gltf'))).rejects.toThrow('it is a pipe');
  });
});

describe('how much is read', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stuntdouble-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test.each([0, 1, 65_535, 65_536, 65_537, 300_000])('a file of %i bytes is read whole', async (size) => {
    const path = join(folder, 'file');
    const bytes = Uint8Array.from({ length: size }, (_, i) => (i * 7) % 251);
    await writeFile(path, bytes);
    const room = createByteRoom(size);
    expect(await readWholeFile(path, room)).toEqual(bytes);
    expect(room.used).toBe(size);
    if (size > 0) await expect(readWholeFile(path, createByteRoom(size - 1))).rejects.toThrow(FormatError);
  });

  test.skipIf(process.platform !== 'linux')(
    'a file that does not say how long it is ends where the room does',
    async () => {
      // Files of the system have the size 0 and content all the same.
      const path = '/proc/self/smaps';
      const whole = await readWholeFile(path, createByteRoom());
      expect(whole.length).toBeGreaterThan(1000);
      const error = await readWholeFile(path, createByteRoom(100)).catch((cause: unknown) => cause);
      expect(error).toMatchObject({ name: 'FormatError', limit: 'bytes' });
    },
  );

  test('a file and those that it names share one limit, which the error names', async () => {
    const file = buildGltf([{ name: 'hips' }]);
    file.json.skins = [{ joints: [0] }];
    file.view(new Uint8Array(1000));
    const gltf = file.gltf('hero.bin');
    await writeFile(join(folder, 'hero.gltf'), gltf);
    await writeFile(join(folder, 'hero.bin'), file.buffer());
    const path = join(folder, 'hero.gltf');
    const both = gltf.length + 1000;
    expect((await read(path, { limits: { bytes: both } })).characters).toHaveLength(1);
    await expect(read(path, { limits: { bytes: both - 1 } })).rejects.toThrow(
      `glTF, buffers[0]: found 1000 bytes or more with the ${gltf.length} of the files read before; expected at most ${both - 1} (limits.bytes)`,
    );
    const resolve = async () => file.buffer();
    for (const source of [gltf, new Blob([Uint8Array.from(gltf)])]) {
      expect((await read(source, { resolve, limits: { bytes: both } })).characters).toHaveLength(1);
      for (const bytes of [both - 1, gltf.length - 1])
        await expect(read(source, { resolve, limits: { bytes } })).rejects.toThrow('(limits.bytes)');
    }
  });

  test('a server that sends without end is hung up on', async () => {
    let isClosed = false;
    const server = createHttpServer((request, response) => {
      if (request.url === '/announced') {
        response.writeHead(200, { 'content-length': 2 ** 40 }).write('x');
        return;
      }
      const piece = new Uint8Array(2 ** 16);
      const timer = setInterval(() => response.write(piece), 1);
      response.on('close', () => {
        clearInterval(timer);
        isClosed = true;
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      for (const path of ['/announced', '/endless'])
        await expect(fetchBytes(host + path, createByteRoom(2 ** 20))).rejects.toThrow('(limits.bytes)');
      await expect.poll(() => isClosed).toBe(true);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
