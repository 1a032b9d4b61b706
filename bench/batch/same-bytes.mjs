/*
 * The same 100 cells (ten of our captures on ten of our characters) without threads, by one and two threads, by a queue
 * with two workers, and after every blow that a batch must bear: the hash of all results must be one. By hand:
 *
 *     npm run build && node bench/batch/same-bytes.mjs
 *
 * Needs redis-server (Debian package redis-server) on this machine; without it the rows of the queue are left out. The
 * table of the last run stands in results.md.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createThreadRunner, openBatchFolder, planBatch, runBatch } from '@stuntdouble/jobs/node';

const bin = fileURLToPath(new URL('../../packages/cli/bin/stuntdouble.js', import.meta.url));
const samples = fileURLToPath(new URL('../../samples/files/', import.meta.url));
const root = mkdtempSync(join(tmpdir(), 'same-bytes-'));
const pick = (folder, count) =>
  readdirSync(join(samples, folder))
    .sort()
    .slice(0, count)
    .map((name) => {
      mkdirSync(join(root, folder), { recursive: true });
      writeFileSync(join(root, folder, name), readFileSync(join(samples, folder, name)));
      return name;
    });
pick('captures', 10);
pick('characters', 10);
const children = [];
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

function start(...argv) {
  const child = spawn(process.execPath, [bin, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    out += chunk;
  });
  const ended = new Promise((done) => child.on('close', (code) => done({ code, out })));
  return { child, ended };
}
const batch = (name, ...more) =>
  start(
    ...['batch', join(root, 'captures'), '--onto', join(root, 'characters'), '--out', join(root, name)],
    ...['--format', 'glb', '--animation-only', '--json', ...more],
  );
const cellsDone = (name) => {
  const lines = join(root, name, 'manifest.jsonl');
  return existsSync(lines) ? readFileSync(lines, 'utf8').split('\n').length - 1 : 0;
};
const reach = async (name, cells) => {
  while (cellsDone(name) < cells) await wait(20);
};
function hashOf(name) {
  const hash = createHash('sha256');
  const files = readdirSync(join(root, name), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.glb'))
    .sort();
  for (const path of files) hash.update(path).update(readFileSync(join(root, name, path)));
  return { files: files.length, hash: hash.digest('hex').slice(0, 16) };
}
const rows = [];
function tell(what, name) {
  const { files, hash } = hashOf(name);
  const unfinished = readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.tmp'),
  ).length;
  rows.push({ what, files, hash, unfinished });
  console.log(`| ${what} | ${files} | ${unfinished} | ${hash} |`);
}

console.log('| how | files | unfinished | hash of all |\n|---|---|---|---|');
for (const workers of ['0', '1', '2']) {
  await batch(`threads-${workers}`, '--workers', workers).ended;
  tell(
    workers === '0' ? 'no threads' : `${workers} thread${workers === '1' ? '' : 's'}`,
    `threads-${workers}`,
  );
}
{
  const stopped = batch('stopped', '--workers', '2');
  await reach('stopped', 20);
  stopped.child.kill('SIGINT');
  await stopped.ended;
  await batch('stopped', '--workers', '2').ended;
  tell('Ctrl-C, then the same command', 'stopped');
  const killed = batch('killed', '--workers', '2');
  await reach('killed', 20);
  killed.child.kill('SIGKILL');
  await killed.ended;
  await batch('killed', '--workers', '2').ended;
  tell('kill -9 of the batch, then the same command', 'killed');
}

/** A capture whose cells strike their thread, among the ten: theirs fail, and all others come out as ever. */
async function strike(blow, what) {
  const captures = join(root, `captures-${blow}`);
  cpSync(join(root, 'captures'), captures, { recursive: true });
  const [first] = readdirSync(captures).sort();
  writeFileSync(join(captures, `poison-${blow}.bvh`), readFileSync(join(captures, first)));
  const batch = {
    ...{
      sources: [captures],
      targets: [join(root, 'characters')],
      folder: openBatchFolder(join(root, blow)),
    },
    ...{ settings: { animationOnly: true }, recipes: new Map(), read: {}, version: '0', limits: {} },
    format: 'glb',
  };
  const runner = createThreadRunner({
    ...{ threads: 2, timeLimit: blow === 'hangs' ? 40_000 : 600_000, memory: 256 },
    module: new URL('../../packages/cli/test/poison-thread.mjs', import.meta.url),
  });
  const entries = await runBatch(batch, await planBatch(batch), { runner });
  await runner.close();
  batch.folder.close();
  const failed = entries.filter(({ error }) => error !== null);
  for (const { source, target, error } of failed)
    if (!source.includes(`poison-${blow}`)) console.log(`${source} on ${target}: ${error.sentence}`);
  tell(`${what} (${failed.length} cells fail, the others are here)`, blow);
}
await strike('exits', 'cells that end their thread');
await strike('hoards', 'cells that take all memory');
await strike('hangs', 'cells that never come back');

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (hasRedis) {
  const port = await new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });
  mkdirSync(join(root, 'redis'));
  const startRedis = () => {
    const redis = spawn('redis-server', [
      ...['--port', String(port), '--bind', '127.0.0.1', '--dir', join(root, 'redis'), '--save', ''],
      ...['--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction'],
    ]);
    children.push(redis);
    return redis;
  };
  let redis = startRedis();
  await wait(500);
  const queue = ['--queue', `redis://127.0.0.1:${port}`];
  const worker = () =>
    start('worker', ...queue, '--root', root, '--threads', '1', '--lock', '2s', '--stalled-interval', '1s');
  const workers = [worker(), worker()];
  await batch('queue', ...queue, '--queue-root', root).ended;
  tell('a queue and 2 workers', 'queue');

  const first = batch('worker-killed', ...queue, '--queue-root', root);
  await reach('worker-killed', 10);
  workers[0].child.kill('SIGKILL');
  await first.ended;
  tell('kill -9 of one of 2 workers', 'worker-killed');
  workers[0] = worker();

  const second = batch('redis-killed', ...queue, '--queue-root', root);
  await reach('redis-killed', 10);
  redis.kill('SIGKILL');
  await wait(500);
  redis = startRedis();
  await second.ended;
  tell('kill -9 and restart of Redis', 'redis-killed');

  const third = batch('worker-ended', ...queue, '--queue-root', root);
  await reach('worker-ended', 10);
  workers[1].child.kill('SIGTERM');
  await third.ended;
  tell('SIGTERM to one of 2 workers', 'worker-ended');
}
const isOne = rows.every(
  ({ hash, files, unfinished }) => hash === rows[0].hash && files === 100 && unfinished === 0,
);
console.log(isOne ? '\nOne hash.' : '\nNOT ONE HASH.');
process.exit(isOne ? 0 : 1);
