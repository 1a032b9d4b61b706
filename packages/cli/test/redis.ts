import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';

/** Whether there is a Redis to start; tests that need one are left out without it. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

/** The settings that a queue asks for. */
export const GOOD_SETTINGS = ['--appendonly', 'yes', '--maxmemory-policy', 'noeviction'];

/** A Redis of a test's own, on loopback, with its data in a folder. */
export type OwnRedis = { url: string; kill(): Promise<void>; restart(): Promise<void> };

/** Starts a Redis and waits until it answers. */
export async function startRedis(
  folder: string,
  settings: readonly string[] = GOOD_SETTINGS,
): Promise<OwnRedis> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const start = async () => {
    const child = spawn(
      'redis-server',
      ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...settings],
      { stdio: 'ignore' },
    );
    const client = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => null });
    client.on('error', () => {});
    for (;;) {
      try {
        await client.connect();
        await client.ping();
        break;
      } catch {
        if (child.exitCode !== null) throw new Error('redis-server ended at once');
        await wait(50);
      }
    }
    client.disconnect();
    return child;
  };
  let child = await start();
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    url,
    kill,
    async restart() {
      await kill();
      child = await start();
    },
  };
}

/** A port of loopback that nobody listens at. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
