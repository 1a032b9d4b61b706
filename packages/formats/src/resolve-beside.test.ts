import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildGltf } from '../test/gltf-builder.js';
import { FormatError } from './format-error.js';
import { read } from './read.js';
import { besideAddress, besidePath } from './resolve.js';
import { writeBytes } from './write.js';

/** A character whose buffer stands in another file, of sixteen bytes. */
const file = buildGltf([{ name: 'hips', children: [1] }, { name: 'spine' }]);
file.json.skins = [{ joints: [0, 1] }];
file.view(new TextEncoder().encode('sixteen letters.'));

const SECRET = 'a secret of some people';
const REFUSED = 'expected a file in the same folder or below';

/** What leads out of the folder, however it is written; `secret.txt` lies one folder above. */
const ESCAPES = [
  '../secret.txt',
  ' ../secret.txt',
  '.\t./secret.txt',
  '.\n./secret.txt',
  '%2e%2e/secret.txt',
  '%2E./secret.txt',
  'below/../../secret.txt',
  'below/%2e%2e/%2e%2e/secret.txt',
  '..%2fsecret.txt',
  '..%2Fsecret.txt',
  '%252e%252e%252fsecret.txt',
  'below/..%2f..%2fsecret.txt',
  '..\\secret.txt',
  '..%5csecret.txt',
  '.\\..\\..\\secret.txt',
  '\\secret.txt',
  '/etc/passwd',
  '%2fetc%2fpasswd',
  ' /etc/passwd',
  '//etc/passwd',
  '\\\\host\\share',
  'file:///etc/passwd',
  ' file:///etc/passwd',
  '\u0001file:///etc/passwd',
  'FILE:///etc/passwd',
  'fi\nle:///etc/passwd',
  'file:/etc/passwd',
  'C:\\secret.txt',
  'C:/secret.txt',
  'hero.bin\0.txt',
  'hero%00.bin',
  ' http://127.0.0.1:1/x',
  'HTTP://127.0.0.1:1/x',
  'ht\ttp://127.0.0.1:1/x',
  '//127.0.0.1:1/x',
  'ftp://127.0.0.1/x',
  'javascript:0',
  ' data:,0123456789abcdef',
  '',
  '.',
  './',
  '?',
  '#',
];

describe('files beside another', () => {
  let folder = '';
  let models = '';
  const asked: string[] = [];
  const elsewhere: string[] = [];
  const servers = [
    createServer((request, response) => {
      asked.push(request.url!);
      answer(request, response);
    }),
    createServer((request, response) => {
      elsewhere.push(request.url!);
      response.end(file.buffer());
    }),
  ];
  /** What the first server answers; set by each test. */
  let answer: RequestListener = () => {};
  const hosts: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stuntdouble-'));
    models = join(folder, 'models');
    await mkdir(join(models, 'below'), { recursive: true });
    await writeFile(join(folder, 'secret.txt'), SECRET);
    await writeFile(join(models, 'hero.bin'), file.buffer());
    await writeFile(join(models, 'below', 'a b#1.bin'), file.buffer());
    for (const server of servers) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      hosts.push(`127.0.0.1:${(server.address() as AddressInfo).port}`);
    }
  });
  afterAll(async () => {
    for (const server of servers) server.close();
    await rm(folder, { recursive: true });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    asked.length = 0;
    elsewhere.length = 0;
  });

  /** Reads a file that names a buffer, by its path. */
  const readNaming = async (uri: string, options = {}) => {
    await writeFile(join(models, 'hero.gltf'), file.gltf(uri));
    return read(join(models, 'hero.gltf'), options);
  };

  test.each(ESCAPES)('%j leads nowhere, by path, by file URL, by base and by http', async (uri) => {
    const path = join(models, 'hero.gltf');
    // A builder leaves an empty URI out, as exporters do.
    const bytes = file.gltf(uri === '' ? 'EMPTY' : uri);
    const named = new TextEncoder().encode(new TextDecoder().decode(bytes).replace('"EMPTY"', '""'));
    await writeFile(path, named);
    answer = (request, response) => response.end(request.url === '/models/hero.gltf' ? named : SECRET);
    const ways = [
      read(path),
      read(pathToFileURL(path)),
      read(pathToFileURL(path).href),
      read(named, { base: path }),
      read(named, { base: pathToFileURL(path).href }),
      read(`http://${hosts[0]}/models/hero.gltf`),
      read(named, { base: `http://${hosts[0]}/models/hero.gltf` }),
    ];
    for (const result of await Promise.allSettled(ways)) {
      expect(result.status).toBe('rejected');
      const { reason } = result as PromiseRejectedResult;
      expect(reason).toBeInstanceOf(FormatError);
      expect(reason.message).toContain(REFUSED);
    }
    expect(asked).toEqual(['/models/hero.gltf']);
    // From bytes alone nothing is beside; nor is there where an address is all there is.
    for (const base of [undefined, 'blob:http://127.0.0.1/x', 'data:,x'])
      await expect(read(named, base === undefined ? {} : { base })).rejects.toThrow(FormatError);
  });

  test('an address with a name and a password, or of another host, is refused before it is asked', async () => {
    for (const uri of [
      `http://user:pass@${hosts[0]}/models/hero.bin`,
      `//user@${hosts[0]}/models/hero.bin`,
      `http://${hosts[1]}/models/hero.bin`,
      `//${hosts[1]}/models/hero.bin`,
      `https://${hosts[0]}/models/hero.bin`,
    ]) {
      answer = (_, response) => response.end(file.gltf(uri));
      await expect(read(`http://${hosts[0]}/models/hero.gltf`)).rejects.toThrow(REFUSED);
    }
    expect(elsewhere).toEqual([]);
    expect(new Set(asked)).toEqual(new Set(['/models/hero.gltf']));
  });

  test('what lies beside or below is found, however it is written', async () => {
    for (const uri of [
      'hero.bin',
      './hero.bin',
      'below/../hero.bin',
      'below/a%20b%231.bin',
      'below/a b#1.bin',
    ])
      if (!uri.includes('..')) expect((await readNaming(uri)).characters).toHaveLength(1);
    expect(besideAddress('http://a.b/c/d.gltf', 'e/f.bin?v=1')).toBe('http://a.b/c/e/f.bin?v=1');
    expect(besideAddress('http://a.b/c/d.gltf', 'HTTP://A.B/c/e.bin')).toBe('http://a.b/c/e.bin');
    expect(besideAddress('http://a.b/c/d.gltf', 'http://a.b/cc/e.bin')).toBeNull();
    // A drive where files are meant, a folder of a server.
    expect(await besidePath('models', 'C|/secret.txt')).toBeNull();
    expect(besideAddress('http://a.b/c/d.gltf', 'C|/e.bin')).toBe('http://a.b/c/C|/e.bin');
    expect(await besidePath('models', '100%.bin')).toBe(join('models', '100%.bin'));
    expect(await besidePath('', 'x.bin')).toBe('x.bin');
  });

  test('a link beside the file is followed within its folder, and out of it only where that is allowed', async () => {
    await symlink(join(models, 'hero.bin'), join(models, 'below', 'inner.bin'));
    await symlink(join(folder, 'secret.txt'), join(models, 'outer.bin'));
    await symlink(folder, join(models, 'up'));
    expect((await readNaming('below/inner.bin')).characters).toHaveLength(1);
    for (const uri of ['outer.bin', 'up/secret.txt']) {
      await expect(readNaming(uri)).rejects.toThrow('a link out of the folder; followLinks allows these');
      expect((await readNaming(uri, { followLinks: true })).characters).toHaveLength(1);
    }
    // The file that was asked for may be a link itself; its folder is where it was asked for.
    await mkdir(join(folder, 'shelf'));
    await symlink(join(models, 'hero.gltf'), join(folder, 'shelf', 'hero.gltf'));
    await readNaming('hero.bin');
    await expect(read(join(folder, 'shelf', 'hero.gltf'))).rejects.toThrow('there is no such file');
    await writeFile(join(folder, 'shelf', 'hero.bin'), file.buffer());
    expect((await read(join(folder, 'shelf', 'hero.gltf'))).characters).toHaveLength(1);
  });

  test('pictures are taken in by the same rule, and each file once', async () => {
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 1, 2, 3, 4);
    await writeFile(join(models, 'skin.png'), png);
    await writeFile(join(folder, 'secret.png'), png);
    await symlink(join(folder, 'secret.png'), join(models, 'link.png'));
    const painted = buildGltf([{ name: 'hips', children: [1] }, { name: 'spine' }]);
    painted.json.skins = [{ joints: [0, 1] }];
    const names = ['skin.png', 'skin.png', ' ../secret.png', 'link.png'];
    painted.json.images = names.map((uri) => ({ uri }));
    await writeFile(join(models, 'painted.glb'), painted.glb());
    const written = async (options: object) => {
      const scene = await read(join(models, 'painted.glb'), options);
      const { bytes, warnings } = await writeBytes('glb', { scene, character: 0, clips: [] });
      const copy = await read(bytes);
      const { json } = copy.document as { json: { images: { uri?: string; bufferView?: number }[] } };
      return { json, warnings, size: bytes.length };
    };
    const { json, warnings, size } = await written({});
    expect(json.images.map(({ uri }) => uri)).toEqual([undefined, undefined, ' ../secret.png', 'link.png']);
    expect(json.images[0]!.bufferView).toBe(json.images[1]!.bufferView);
    expect(warnings).toHaveLength(2);
    expect(size).toBeLessThan(painted.glb().length + 300);
    expect((await written({ followLinks: true })).json.images[3]!.bufferView).toBeDefined();
    expect(await readFile(join(models, 'skin.png'))).toHaveLength(12);
  });

  test('a server may send on to its own addresses, but not to another host', async () => {
    const sendOn = (to: string, from = '/models/hero.bin'): RequestListener => {
      return (request, response) => {
        if (request.url === from) response.writeHead(302, { location: to }).end();
        else response.end(request.url === '/models/hero.gltf' ? file.gltf('hero.bin') : file.buffer());
      };
    };
    const address = `http://${hosts[0]}/models/hero.gltf`;
    answer = sendOn('/v2/hero.bin');
    expect((await read(address)).characters).toHaveLength(1);
    for (const to of [
      `http://${hosts[1]}/hero.bin`,
      `//${hosts[1]}/hero.bin`,
      'file:///etc/passwd',
      'data:,x',
      `http://user:pass@${hosts[0]}/hero.bin`,
    ]) {
      answer = sendOn(to);
      await expect(read(address)).rejects.toThrow('the server sends on to another host');
    }
    answer = sendOn(`http://${hosts[1]}/hero.gltf`, '/models/hero.gltf');
    await expect(read(address)).rejects.toThrow(
      `another host, http://${hosts[1]}/hero.gltf; read that if it is`,
    );
    expect(elsewhere).toEqual([]);
    answer = sendOn('/models/hero.bin');
    await expect(read(address)).rejects.toThrow('the server sends on more than 5 times');
  });

  test('https is not given up on the way, http may become it', async () => {
    const from = (start: string, to: string) => {
      vi.stubGlobal('fetch', async (address: string) =>
        address === start
          ? new Response('', { status: 301, headers: { location: to } })
          : new Response(Uint8Array.from(file.glb())),
      );
      return read(start);
    };
    await expect(from('https://a.b/x.glb', 'http://a.b/x.glb')).rejects.toThrow('sends on to another host');
    expect((await from('http://a.b/x.glb', 'https://a.b/x.glb')).characters).toHaveLength(1);
    await expect(from('http://a.b/x.glb', 'https://a.b:8443/x.glb')).rejects.toThrow('another host');
  });

  test('a page, which is not told of redirects, looks at where it came out', async () => {
    vi.stubGlobal('process', Object.create(process, { versions: { value: {} } }));
    vi.stubGlobal('location', { href: 'https://example.org/show/index.html' });
    let came = 'https://example.org/elsewhere/hero.glb';
    vi.stubGlobal('fetch', async (_: string, { redirect }: RequestInit) => {
      expect(redirect).toBe('follow');
      return Object.defineProperty(new Response(Uint8Array.from(file.glb())), 'url', { value: came });
    });
    expect((await read('hero.glb')).characters).toHaveLength(1);
    came = 'https://example.net/hero.glb';
    await expect(read('hero.glb')).rejects.toThrow('another host');
  });
});
