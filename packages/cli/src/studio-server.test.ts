import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StudioServer, startStudioServer } from './studio-server.js';

let folder: string;
let server: StudioServer;

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: string };

/** Asks as a browser would not: any path, host and method, as they stand. */
function ask(path: string, options: { host?: string; method?: string } = {}): Promise<Answer> {
  return new Promise((done, fail) => {
    const { host = `127.0.0.1:${server.port}`, method = 'GET' } = options;
    const sent = request(
      { host: '127.0.0.1', port: server.port, path, method, headers: { host } },
      (response) => {
        let body = '';
        response.on('data', (part) => {
          body += String(part);
        });
        response.on('end', () => done({ status: response.statusCode!, headers: response.headers, body }));
      },
    );
    sent.on('error', fail);
    sent.end();
  });
}

it('opens files alone: no folder, no device', async () => {
  const built = join(folder, 'built');
  await expect(startStudioServer({ folder: built, files: [folder] })).rejects.toThrow('it is a folder');
  if (process.platform !== 'win32')
    await expect(startStudioServer({ folder: built, files: ['/dev/zero'] })).rejects.toThrow(
      'it is a device',
    );
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stuntdouble-studio-'));
  await mkdir(join(folder, 'built/assets'), { recursive: true });
  await writeFile(join(folder, 'built/index.html'), '<html><head></head><body>studio</body></html>');
  await writeFile(join(folder, 'built/assets/a.js'), 'let a;');
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await writeFile(join(folder, 'wa"lk<.bvh'), 'HIERARCHY');
  server = await startStudioServer({ folder: join(folder, 'built'), files: [join(folder, 'wa"lk<.bvh')] });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

describe('the studio is served safely', () => {
  it('gives the page and its files, with headers that keep it to itself', async () => {
    const page = await ask('/');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.headers['content-security-policy']).not.toMatch(/https?:|\*/);
    expect(page.headers['cross-origin-opener-policy']).toBe('same-origin');
    expect(page.headers['cross-origin-embedder-policy']).toBe('require-corp');
    expect(page.headers['x-content-type-options']).toBe('nosniff');
    const script = await ask('/assets/a.js?v=1');
    expect([script.status, script.body]).toEqual([200, 'let a;']);
  });

  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '//etc/passwd',
    '/..%2fsecret.txt',
    '',
    '/assets',
    '/files/0',
  ])('no path leads out of the table: %s', async (path) => {
    const answer = await ask(path || '/none');
    expect(answer.status).toBe(404);
    expect(answer.body).not.toContain('secret');
  });

  it.each(['evil.example', 'localhost', `127.0.0.1:1`, `evil.example:80`, 'evil.localhost:80'])(
    'answers only to its own name, not to "%s"',
    async (host) => {
      expect((await ask('/', { host })).status).toBe(421);
    },
  );

  it('answers to each of its own names', async () => {
    for (const name of ['127.0.0.1', 'localhost', '[::1]', 'LOCALHOST'])
      expect((await ask('/', { host: `${name}:${server.port}` })).status).toBe(200);
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('refuses %s', async (method) => {
    expect((await ask('/', { method })).status).toBe(405);
  });

  it('HEAD gives headers alone', async () => {
    const { status, body, headers } = await ask('/', { method: 'HEAD' });
    expect([status, body]).toEqual([200, '']);
    expect(Number(headers['content-length'])).toBeGreaterThan(0);
  });

  it('files of the command line lie behind a token that the page alone is told', async () => {
    const { body } = await ask('/');
    const [, content] = /name="stuntdouble-files" content="([^"]*)"/.exec(body)!;
    const [file] = JSON.parse(content!.replaceAll('&quot;', '"').replaceAll('&lt;', '<')) as {
      name: string;
      url: string;
    }[];
    expect(file!.name).toBe('wa"lk<.bvh');
    expect(file!.url).toMatch(/^files\/[0-9a-f]{32}\/0$/);
    const given = await ask(`/${file!.url}`);
    expect([given.status, given.body, given.headers['cache-control']]).toEqual([
      200,
      'HIERARCHY',
      'no-store',
    ]);
    expect((await ask(`/files/${'0'.repeat(32)}/0`)).status).toBe(404);
  });
});

it('says what is wrong before it serves', async () => {
  await expect(startStudioServer({ folder })).rejects.toThrow('is not built');
  await expect(
    startStudioServer({ folder: join(folder, 'built'), files: ['not-there.fbx'] }),
  ).rejects.toThrow('cannot read "not-there.fbx"');
  await expect(startStudioServer({ folder: join(folder, 'built'), port: server.port })).rejects.toThrow(
    `port ${server.port} is taken`,
  );
});
