import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BROWSER_VARIABLE, findBrowser, findInstalledBrowser, openPage } from './browser.mjs';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stuntdouble-browser-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A file that may be run, standing in for a browser. */
const program = (...path: string[]) => {
  const file = join(folder, ...path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, '');
  chmodSync(file, 0o755);
  return file;
};

/** A platform without usual places, and without a build of playwright's in its folder. */
const NOWHERE = 'sunos';

describe('findInstalledBrowser', () => {
  test('looks through the path in its order, and takes only files that may be run', () => {
    mkdirSync(join(folder, 'a', 'chromium'), { recursive: true });
    writeFileSync(join(folder, 'a', 'google-chrome'), '');
    const edge = program('b', 'microsoft-edge');
    const PATH = ['', join(folder, 'a'), join(folder, 'gone'), join(folder, 'b')].join(delimiter);
    expect(findInstalledBrowser({ PATH }, NOWHERE)).toBe(edge);
  });
});

describe('findBrowser', () => {
  const fetches = [
    { name: 'first', from: 'here', fetch: async () => 'no way' },
    { name: 'second', from: 'there', fetch: async () => null },
  ];
  // Without a browser of playwright's own, which a machine may have and which no path can hide.
  const bare = findInstalledBrowser({}, NOWHERE) === null;

  test('takes the one that is named, or says that it cannot', async () => {
    const named = program('named');
    expect(await findBrowser({ env: { [BROWSER_VARIABLE]: named } })).toBe(named);
    await expect(findBrowser({ env: { [BROWSER_VARIABLE]: join(folder, 'none') } })).rejects.toThrow(
      /^STUNTDOUBLE_BROWSER names '.*none', which is no file that can be run$/,
    );
  });

  test.skipIf(!bare)(
    'fetches one where none is installed, and says so and from where before it does',
    async () => {
      const PATH = join(folder, 'fetched');
      const said: string[] = [];
      const fetched = await findBrowser({
        env: { PATH },
        platform: NOWHERE,
        fetches: [
          {
            name: 'copy',
            from: 'the shelf',
            fetch: async () => {
              expect(said).toHaveLength(1);
              program('fetched', 'chromium');
              return null;
            },
          },
        ],
        say: (line) => said.push(line),
      });
      expect(said[0]).toMatch(/Installing one: copy, from the shelf\./);
      expect(fetched).toBe(join(PATH, 'chromium'));
    },
  );

  test.skipIf(!bare)('says in one sentence what was tried where there is none', async () => {
    await expect(
      findBrowser({ env: { PATH: folder }, platform: NOWHERE, fetches, say: () => {} }),
    ).rejects.toThrow(
      'No browser for the tests of pages: no Chrome, Chromium or Edge is installed, and none could be ' +
        'fetched (first: no way; second: installed, but not found); install one, or name it in ' +
        BROWSER_VARIABLE,
    );
  });
});

describe('openPage', () => {
  test('opens a page that has WebGL2, and collects what goes wrong on it', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/favicon.ico') return response.writeHead(204).end();
      if (request.url !== '/') return response.writeHead(404).end();
      response.setHeader('content-type', 'text/html');
      return response.end('<h1>Hello</h1><script>console.error("one"); throw new Error("two")</script>');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    try {
      const { page, problems, close } = await openPage(address, { width: 100, height: 80 });
      try {
        expect(await page.textContent('h1')).toBe('Hello');
        expect(
          await page.evaluate(() => document.createElement('canvas').getContext('webgl2') !== null),
        ).toBe(true);
        await page.evaluate(() => fetch('/gone'));
        expect(problems).toContain('error: one');
        expect(problems).toContain('uncaught: two');
        expect(problems).toContain(`response 404: ${address}gone`);
      } finally {
        await close();
      }
    } finally {
      server.close();
    }
  });
});
