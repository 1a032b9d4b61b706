import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { read } from 'stuntdouble';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const samples = fileURLToPath(new URL('../samples/files/', import.meta.url));
const sample = (path: string) => new File([readFileSync(samples + path)], path.replace(/.*\//, ''));

// As built: a job runs in a thread of its own, which is started from a file.
const { createService } = (await import(
  new URL('./dist/service/service.js', import.meta.url).href
)) as typeof import('./service/service.js');

describe('the service', () => {
  const server = createService({ bytes: 2 ** 23, jobs: 1 });
  let address = '';
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  const send = (files: Record<string, File | string>, to = address) => {
    const body = new FormData();
    for (const [name, file] of Object.entries(files)) body.set(name, file);
    return fetch(`${to}/retarget`, { method: 'POST', body });
  };
  /** An address as it stands, which fetch would mend or refuse. */
  const askFor = (path: string) =>
    new Promise<Response>((done, failed) => {
      const { port } = server.address() as AddressInfo;
      get({ host: '127.0.0.1', port, path }, async (answer) => {
        const parts: Uint8Array<ArrayBuffer>[] = [];
        for await (const part of answer) parts.push(part);
        done(new Response(new Blob(parts), { status: answer.statusCode! }));
      }).once('error', failed);
    });
  const walk = sample('captures/walk-cmu.bvh');
  const goblin = sample('characters/goblin.glb');

  it('takes a motion and a character, and answers with the character moving', async () => {
    const response = await send({ source: walk, target: goblin });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-stuntdouble-verdict')).toMatch(/^(good|look)$/);
    const scene = await read(new Uint8Array(await response.arrayBuffer()));
    expect(scene.format).toBe('glb');
    expect(scene.characters[0]!.clips.map(({ name }) => name)).toContain('walk-cmu');
  });

  it('gives another format where it is asked for', async () => {
    const response = await send({ source: walk, target: goblin, format: 'bvh' });
    expect(await response.text()).toMatch(/^HIERARCHY/);
  });

  it.each([
    ['one file', () => send({ source: walk }), 400, /needs two files/],
    [
      'a broken file',
      () => send({ source: new File(['HIERARCHY'], 'a.bvh'), target: goblin }),
      422,
      /a\.bvh/,
    ],
    ['files the wrong way round', () => send({ source: goblin, target: walk }), 422, /./],
    [
      'a format that is none',
      () => send({ source: walk, target: goblin, format: 'exe' }),
      400,
      /format is one of/,
    ],
    [
      'a format that every object has',
      () => send({ source: walk, target: goblin, format: 'constructor' }),
      400,
      /format is one of/,
    ],
    [
      'too much',
      () => send({ source: walk, target: new File([new Uint8Array(2 ** 23)], 'x') }),
      413,
      /may have/,
    ],
    ['no form', () => fetch(`${address}/retarget`, { method: 'POST', body: 'hello' }), 415, /multipart/],
    ['another way', () => fetch(`${address}/retarget`), 405, /by POST/],
    ['a place that is no address', () => askFor('//'), 404, /there is \/retarget/],
    ['another place', () => fetch(`${address}/../etc/passwd`), 404, /there is \/retarget/],
  ])('refuses %s in a sentence', async (_, ask, status, sentence) => {
    const response = await ask();
    expect(response.status).toBe(status);
    const { error } = (await response.json()) as { error: string };
    expect(error).toMatch(sentence);
    expect(error).not.toMatch(/\n/);
  });

  /** Sends the head of a request, then its body bit by bit as long as it may. @returns what came back. */
  const sendSlowly = (head: string[], bytes: number) =>
    new Promise<{ told: string; sent: number }>((done, failed) => {
      const { port } = server.address() as AddressInfo;
      let [told, sent] = ['', 0];
      const socket = connect(port, '127.0.0.1');
      const type = 'Content-Type: multipart/form-data; boundary=x';
      // Before the clock: what a socket is given before it is connected is sent in the order it came.
      socket.write(['POST /retarget HTTP/1.1', 'Host: x', type, ...head, '', ''].join('\r\n'));
      const clock = setInterval(() => {
        if (head.some((line) => line.startsWith('Expect')) || sent >= bytes) return;
        const part = Buffer.alloc(Math.min(2 ** 20, bytes - sent));
        socket.write(part);
        sent += part.length;
      }, 2);
      socket.on('data', (part) => {
        told += part.toString();
      });
      socket.once('error', failed).once('close', () => {
        clearInterval(clock);
        done({ told, sent });
      });
    });

  it.each([
    ['before it is sent, who asks', ['Content-Length: 20000000', 'Expect: 100-continue'], 0],
    ['who says how much it is and sends it', ['Content-Length: 20000000'], 20_000_000],
    ['who sends more than allowed', ['Transfer-Encoding: chunked', '', '1400000'], 20 * 2 ** 20],
  ])('tells that it is too much, without cutting the answer off: %s', async (_, head, bytes) => {
    const { told, sent } = await sendSlowly(head, bytes);
    expect(told).toMatch(/^HTTP\/1\.1 413 /);
    expect(told).toContain('a request may have 8388608 bytes');
    expect(told).not.toContain('100 Continue');
    expect(sent).toBe(bytes);
    expect((await send({ source: walk, target: goblin })).status).toBe(200);
  });

  it('takes so many jobs at once, and tells others to come back', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => send({ source: walk, target: goblin })));
    const codes = answers.map(({ status }) => status).sort();
    expect(codes).toEqual([200, 503, 503]);
    await Promise.all(answers.map((each) => each.arrayBuffer()));
  });

  it('works on while others send slowly, of whom it takes so many', async () => {
    const slow = createService({ jobs: 1, uploads: 3 });
    slow.listen(0, '127.0.0.1');
    await once(slow, 'listening');
    const { port } = slow.address() as AddressInfo;
    const dribble = async () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      await once(socket, 'connect');
      const type = 'Content-Type: multipart/form-data; boundary=x';
      socket.write(
        [
          'POST /retarget HTTP/1.1',
          'Host: x',
          type,
          'Content-Length: 99',
          'Expect: 100-continue',
          '',
          '',
        ].join('\r\n'),
      );
      // Its place is taken when it is told to go on.
      await once(socket, 'data');
      return socket;
    };
    const sockets = [await dribble(), await dribble()];
    const to = `http://127.0.0.1:${port}`;
    expect((await send({ source: walk, target: goblin }, to)).status).toBe(200);
    sockets.push(await dribble());
    expect((await send({ source: walk, target: goblin }, to)).status).toBe(503);
    for (const socket of sockets) socket.destroy();
    slow.close();
    slow.closeAllConnections();
  });

  it('gives the place of one who went away to the next', async () => {
    // A motion that takes many seconds, and a place that is free within a second of its sender's going.
    const lines = (await walk.text()).split('\n');
    const first = lines.findIndex((line) => line.startsWith('Frame Time:')) + 1;
    const frames = lines.slice(first).filter(Boolean);
    const times = Math.ceil(15_000 / frames.length);
    const header = lines
      .slice(0, first)
      .map((line) => line.replace(/^Frames:.*/, `Frames: ${times * frames.length}`));
    const long = new File(
      [[...header, ...Array.from({ length: times }, () => frames.join('\n'))].join('\n')],
      'long.bvh',
    );
    const roomy = createService({ jobs: 1 });
    roomy.listen(0, '127.0.0.1');
    await once(roomy, 'listening');
    const to = `http://127.0.0.1:${(roomy.address() as AddressInfo).port}`;
    const body = new FormData();
    body.set('source', long);
    body.set('target', goblin);
    const leaves = AbortSignal.timeout(1500);
    await expect(fetch(`${to}/retarget`, { method: 'POST', body, signal: leaves })).rejects.toThrow();
    await new Promise((done) => setTimeout(done, 1000));
    expect((await send({ source: walk, target: goblin }, to)).status).toBe(200);
    roomy.close();
    roomy.closeAllConnections();
  });

  it('ends a job that takes too long', async () => {
    const quick = createService({ seconds: 0.001 });
    quick.requestTimeout = 0;
    quick.listen(0, '127.0.0.1');
    await once(quick, 'listening');
    const to = `http://127.0.0.1:${(quick.address() as AddressInfo).port}`;
    const response = await send({ source: walk, target: goblin }, to);
    expect(response.status).toBe(504);
    quick.close();
    quick.closeAllConnections();
  });
});
