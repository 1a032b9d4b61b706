import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, extname, join, relative, sep } from 'node:path';
import { UsageError } from '@stuntdouble/core';
import { createByteRoom, readWholeFile } from '@stuntdouble/formats';

/** What is served: the built studio, and files that it opens. */
export type StudioServerOptions = {
  /** The folder of the built studio, which holds an `index.html`. */
  folder: string;
  /** Paths of files that the studio opens on arrival. */
  files?: readonly string[];
  /** 0, if left out, takes a free one. */
  port?: number;
};

/** A server that runs. */
export type StudioServer = { address: string; port: number; close(): Promise<void> };

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.glb': 'model/gltf-binary',
  '.vrm': 'model/gltf-binary',
};

/** What a page of the studio may do: it runs its own scripts and speaks to nobody else. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "font-src 'self'",
  "connect-src 'self' blob: data:",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

type Entry = { type: string; cache: string; read: () => Promise<Uint8Array> };

/**
 * Serves the studio on the loopback addresses of this machine and nowhere else. Only what is in a table that is made
 * at the start can be asked for, so that no path leads out of it; only by the names of this machine, so that no page
 * from elsewhere can reach it by a name of its own (421); only to be read. Files lie behind a token that only the
 * studio's own page is told.
 * @throws UsageError where the studio is not built, a file is not there, or the port is taken.
 */
export async function startStudioServer({
  folder,
  files = [],
  port = 0,
}: StudioServerOptions): Promise<StudioServer> {
  const table = await listEntries(folder);
  const index = table.get('/');
  if (!index) throw new UsageError(`the studio is not built in "${folder}"; run npm run studio:build`);
  const token = randomBytes(16).toString('hex');
  const listed = files.map((path, n) => ({ name: basename(path), url: `files/${token}/${n}`, path }));
  for (const { url, path } of listed) {
    const read = () => readWholeFile(path, createByteRoom());
    // Read once now, so that a wrong path is said on the command line and not in the page.
    await read();
    table.set(`/${url}`, { type: 'application/octet-stream', cache: 'no-store', read });
  }
  const page = withFiles(new TextDecoder().decode(await index.read()), listed);
  table.set('/', { ...index, read: async () => page });

  const first = createServer();
  const chosen = await listen(first, '127.0.0.1', port);
  const second = createServer();
  const servers = [first];
  // A machine without the other protocol is served all the same.
  if (
    await listen(second, '::1', chosen).then(
      () => true,
      () => false,
    )
  )
    servers.push(second);
  const hosts = new Set(['127.0.0.1', 'localhost', '[::1]'].map((host) => `${host}:${chosen}`));
  for (const server of servers)
    server.on('request', (request, response) => {
      answer(table, hosts, request, response).catch(() => response.destroy());
    });
  return {
    port: chosen,
    address: `http://127.0.0.1:${chosen}/`,
    close: async () => {
      await Promise.all(
        servers.map(
          (server) =>
            new Promise<void>((done) => {
              server.close(() => done());
              server.closeAllConnections();
            }),
        ),
      );
    },
  };
}

async function listEntries(folder: string): Promise<Map<string, Entry>> {
  const table = new Map<string, Entry>();
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of found) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const address = `/${relative(folder, path).split(sep).map(encodeURIComponent).join('/')}`;
    const isPage = address === '/index.html';
    table.set(isPage ? '/' : address, {
      type: TYPES[extname(entry.name).toLowerCase()] ?? 'application/octet-stream',
      // Names of built files change with what they hold; the page itself does not.
      cache: isPage ? 'no-store' : 'max-age=31536000, immutable',
      read: () => readFile(path),
    });
  }
  return table;
}

/** The page with the list of files in it, where its script finds it. */
function withFiles(html: string, files: readonly { name: string; url: string }[]): Uint8Array {
  if (files.length === 0) return new TextEncoder().encode(html);
  const list = JSON.stringify(files.map(({ name, url }) => ({ name, url })))
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;');
  return new TextEncoder().encode(
    html.replace('</head>', `<meta name="stuntdouble-files" content="${list}"></head>`),
  );
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      fail(
        new UsageError(
          error.code === 'EADDRINUSE'
            ? `port ${port} is taken; choose another with --port, or leave it out`
            : `cannot listen on ${host}: ${error.message}`,
        ),
      ),
    );
    server.listen({ host, port }, () => done((server.address() as AddressInfo).port));
  });
}

async function answer(
  table: ReadonlyMap<string, Entry>,
  hosts: ReadonlySet<string>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refuse = (status: number, words: string) => {
    response.writeHead(status, { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' });
    response.end(request.method === 'HEAD' ? undefined : `${words}\n`);
  };
  // By any other name it is not this server that is meant.
  if (!hosts.has((request.headers.host ?? '').toLowerCase())) return refuse(421, 'This is not that host.');
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405, 'Only GET and HEAD.');
  const path = (request.url ?? '').replace(/[?#].*$/s, '');
  const entry = table.get(path);
  if (!entry) return refuse(404, 'There is no such file.');
  const bytes = await entry.read().catch(() => null);
  if (!bytes) return refuse(404, 'The file is gone.');
  response.writeHead(200, {
    ...HEADERS,
    'content-type': entry.type,
    'content-length': bytes.length,
    'cache-control': entry.cache,
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}
