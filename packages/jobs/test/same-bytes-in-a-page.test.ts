import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenedPage, openPage } from '../../../scripts/browser.mjs';
import { type RetargetJob, retargetFiles } from '../src/index.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const sample = (file: string) => readFileSync(here(`../../../samples/files/${file}`));

/** What a page has to do: fetch two files, make others of them, and name those by their hashes. */
const PAGE = `
import { retargetFiles } from './index.js';

globalThis.hashes = async ({ source, target, ...job }) => {
  const bytesOf = async (name) => new Uint8Array(await (await fetch('/' + name)).arrayBuffer());
  const { files } = await retargetFiles({
    ...job,
    source: { name: source, content: await bytesOf(source) },
    target: { name: target, content: await bytesOf(target) },
  });
  return Promise.all(
    files.map(async ({ bytes }) =>
      [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))]
        .map((byte) => byte.toString(16).padStart(2, '0'))
        .join(''),
    ),
  );
};
`;

type Pair = { source: string; target: string } & Pick<RetargetJob, 'output' | 'options' | 'picture'>;

const PAIRS: Pair[] = [
  { source: 'motions/walk.glb', target: 'characters/goblin.glb', output: 'a.glb' },
  { source: 'motions/run-turn.glb', target: 'characters/vrm0-sister.vrm', output: 'a.vrm' },
  { source: 'motions/jump.glb', target: 'characters/vrm1-sister.vrm', output: 'a.vrma' },
  { source: 'captures/walk-cmu.bvh', target: 'characters/child.glb', output: 'a.bvh' },
  { source: 'captures/lie-down-cmu.bvh', target: 'characters/knight.glb', output: 'a.glb' },
  { source: 'captures/climb-mixamo.bvh', target: 'formats/guy-painted.fbx', output: 'a.fbx' },
  { source: 'formats/guy-walk.fbx', target: 'formats/child-greeting.fbx', output: 'a.fbx' },
  { source: 'formats/wave.vrma', target: 'characters/alien.glb', output: 'a.gltf' },
  { source: 'motions/walk.glb', target: 'animals/dog.glb', output: 'a.glb' },
  {
    ...{ source: 'motions/side-kick.glb', target: 'characters/robot.glb', output: 'a.glb' },
    options: { loop: true, mirror: true, reduce: true },
    picture: 'a.png',
  },
];

describe('a job in Node and in a page', () => {
  let server: Server;
  let opened: OpenedPage;
  beforeAll(async () => {
    const source = (path: string) => here(`../../${path}`);
    const { outputFiles } = await build({
      stdin: { contents: PAGE, resolveDir: here('../src') },
      alias: {
        '@stuntdouble/core/engine': source('core/src/engine.ts'),
        '@stuntdouble/core': source('core/src/index.ts'),
        '@stuntdouble/formats/kinds': source('formats/src/kinds/index.ts'),
        '@stuntdouble/formats': source('formats/src/index.ts'),
        '@stuntdouble/picture': source('picture/src/index.ts'),
      },
      bundle: true,
      format: 'esm',
      write: false,
      logLevel: 'error',
    });
    const page = outputFiles[0]!.contents;
    server = createServer((request, response) => {
      const name = new URL(request.url!, 'http://page').pathname.slice(1);
      if (name === '') {
        response.setHeader('content-type', 'text/html');
        response.end('<link rel="icon" href="data:,"><script type="module" src="page.js"></script>');
      } else if (name === 'page.js') {
        response.setHeader('content-type', 'text/javascript');
        response.end(page);
      } else response.end(sample(name));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    opened = await openPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await opened.page.waitForFunction('globalThis.hashes !== undefined');
  });
  afterAll(async () => {
    await opened?.close();
    server.closeAllConnections();
    server.close();
  });

  it.each(PAIRS)(
    'gives the same bytes: $source on $target as $output',
    async ({ source, target, ...job }) => {
      const { files } = await retargetFiles({
        ...job,
        source: { name: source, content: new Uint8Array(sample(source)) },
        target: { name: target, content: new Uint8Array(sample(target)) },
      });
      const hashes = files.map(({ bytes }) => createHash('sha256').update(bytes).digest('hex'));
      expect(hashes.length).toBeGreaterThan(0);
      const there = await opened.page.evaluate(`hashes(${JSON.stringify({ source, target, ...job })})`);
      expect(there).toEqual(hashes);
      expect(opened.problems).toEqual([]);
    },
  );
});
