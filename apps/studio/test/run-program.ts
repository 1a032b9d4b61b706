import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { openPage } from '../../../scripts/browser.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A program of the export sheet that runs in a page of its own. */
export type RunningProgram = { page: Page; problems: string[]; close: () => Promise<void> };

/** Bundles a program as one would who has installed what its first line says. */
async function bundle(program: string): Promise<Uint8Array> {
  const source = (path: string) => `${root}packages/${path}`;
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: root },
    alias: {
      stuntdouble: source('cli/src/index.ts'),
      '@stuntdouble/core/engine': source('core/src/engine.ts'),
      '@stuntdouble/core': source('core/src/index.ts'),
      '@stuntdouble/formats': source('formats/src/index.ts'),
    },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0]!.contents;
}

/** The address from which the program for the Playground fetches the library. */
const LIBRARY = 'https://esm.sh/stuntdouble';

/**
 * Runs a program in a real browser, from a server on this machine that has its files beside it.
 * @param probe Lines behind the program's own that hand out what is asked from outside.
 */
export async function runProgram(
  program: string,
  probe: string,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<RunningProgram> {
  const code = await bundle(`${program}\n${probe}`);
  const library = program.includes(LIBRARY) ? await bundle("export * from 'stuntdouble';") : null;
  const server = createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url!, 'http://page').pathname.slice(1));
    const body = name === 'program.js' ? code : files[name];
    if (name === '') {
      response.setHeader('content-type', 'text/html');
      response.end(
        '<!doctype html><link rel="icon" href="data:,"><style>body { margin: 0 } canvas { width: 100vw; height: 100vh; display: block }</style><body></body>',
      );
    } else if (body) {
      response.setHeader(
        'content-type',
        name.endsWith('.js') ? 'text/javascript' : 'application/octet-stream',
      );
      response.end(body);
    } else response.writeHead(404).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const opened = await openPage(`http://127.0.0.1:${port}/`, { width: 480, height: 360, seconds: 120 });
  const { page, problems } = opened;
  if (library)
    await page.route(`${LIBRARY}*`, (route) =>
      route.fulfill({
        body: Buffer.from(library),
        contentType: 'text/javascript',
        headers: { 'access-control-allow-origin': '*' },
      }),
    );
  await page.addScriptTag({ type: 'module', url: '/program.js' });
  return {
    page,
    problems,
    close: async () => {
      await opened.close();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
