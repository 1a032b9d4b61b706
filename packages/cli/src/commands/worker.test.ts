import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ManifestEntry } from '@stuntdouble/jobs';
import {
  type Batch,
  type CellRunner,
  createPlainRunner,
  createQueueRunner,
  createThreadRunner,
  hashFile,
  openBatchFolder,
  planBatch,
  type QueueWorker,
  runBatch,
  startQueueWorker,
  type WorkerSettings,
} from '@stuntdouble/jobs/node';
import { Queue, UnrecoverableError, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createFolder } from '../../test/folder.js';
import { GOOD_SETTINGS, hasRedis, type OwnRedis, startRedis } from '../../test/redis.js';
import { runCommand } from '../../test/run-command.js';
import { stickFigureBvh, stickFigureGltf } from '../../test/stick-figure.js';
import { readVersion } from '../read-version.js';

const bin = fileURLToPath(new URL('../../bin/stuntdouble.js', import.meta.url));
const version = readVersion();
const folder = createFolder();
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

const resultsOf = (out: string) =>
  readdirSync(out, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.gltf$/.test(path))
    .sort();
const hashOf = (out: string) => {
  const hash = createHash('sha256');
  for (const path of resultsOf(out)) hash.update(path).update(readFileSync(join(out, path)));
  return hash.digest('hex');
};
const leftovers = () =>
  readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.tmp'));

describe('worker', () => {
  it('tells its defaults as they would be typed', async () => {
    const { out } = await runCommand('worker', '--help');
    for (const span of ['10m', '30s', '15s']) expect(out).toContain(`(default: ${span})`);
  });

  it.each([
    [['--root', '.'], 2, /give the queue: --queue redis:/],
    [['--root', '.', '--queue', 'http://me:secret@host'], 2, /an address of http:/],
    [['--root', folder.at('none'), '--queue', 'redis://127.0.0.1:1'], 2, /there is no such folder/],
    [
      ['--root', folder.path, '--queue', 'redis://me:secret@127.0.0.1:1'],
      2,
      /there is no queue at redis:\/\/127.*ECONNREFUSED/,
    ],
  ])('refuses %j in one sentence that shows no password', async (argv, code, message) => {
    const run = await runCommand('worker', ...argv);
    expect(run.code).toBe(code);
    expect(run.err).toMatch(message);
    expect(run.err.trim().split('\n')[0]).not.toContain('secret');
  });
});

describe.skipIf(!hasRedis)('a queue (needs redis-server, Debian package redis-server)', () => {
  let redis: OwnRedis;
  let plain: string;
  beforeAll(async () => {
    mkdirSync(folder.at('redis'));
    mkdirSync(folder.at('data/sources'), { recursive: true });
    mkdirSync(folder.at('data/targets'));
    for (let n = 0; n < 6; n++)
      writeFileSync(folder.at(`data/sources/walk-${n}.bvh`), stickFigureBvh('mixamo', { frames: 30 + n }));
    writeFileSync(folder.at('data/targets/one.gltf'), stickFigureGltf());
    writeFileSync(folder.at('data/targets/two.gltf'), stickFigureGltf({ bodies: 1 }));
    redis = await startRedis(folder.at('redis'));
    plain = await made('plain', createPlainRunner());
  });
  afterAll(() => redis?.kill());

  const batchTo = (name: string, sources = folder.at('data/sources')): Batch => ({
    sources: [sources],
    targets: [folder.at('data/targets')],
    folder: openBatchFolder(folder.at('data', name)),
    ...{ settings: {}, recipes: new Map(), read: {}, version, limits: {} },
  });
  const run = async (name: string, runner: CellRunner, sources?: string): Promise<ManifestEntry[]> => {
    const batch = batchTo(name, sources);
    try {
      return await runBatch(batch, await planBatch(batch), { runner });
    } finally {
      await runner.close();
      batch.folder.close();
    }
  };
  const made = async (name: string, runner: CellRunner) => {
    const entries = await run(name, runner);
    expect(entries.map(({ error }) => error)).toEqual(entries.map(() => null));
    return hashOf(folder.at('data', name));
  };
  const queueRunner = () =>
    createQueueRunner({ url: redis.url, root: folder.at('data'), version, lookEvery: 300 });
  const workers: QueueWorker[] = [];
  afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.stop())));
  const startWorker = async (settings: Partial<WorkerSettings> = {}) => {
    const worker = await startQueueWorker({
      ...{ url: redis.url, root: folder.at('data'), version, read: {}, lock: 2000, stalledInterval: 1000 },
      runner: createPlainRunner(),
      ...settings,
    });
    workers.push(worker);
  };
  const spawnWorker = () => {
    const child = spawn(
      process.execPath,
      [
        ...[bin, 'worker', '--queue', redis.url, '--root', folder.at('data')],
        ...['--threads', '1', '--lock', '2s', '--stalled-interval', '1s'],
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    children.push(child);
    return child;
  };

  it('gives the same bytes as one process, from two workers that share the work', async () => {
    await startWorker();
    await startWorker();
    expect(await made('two-workers', await queueRunner())).toBe(plain);
  });

  it('writes one file a character with all clips to the same bytes as one process does', async () => {
    const joined = async (name: string, runner: CellRunner) => {
      const batch = { ...batchTo(name), settings: { layout: 'character' as const } };
      const entries = await runBatch(batch, await planBatch(batch), { runner });
      await runner.close();
      batch.folder.close();
      expect(entries.map(({ error }) => error)).toEqual(entries.map(() => null));
      expect(resultsOf(folder.at('data', name))).toEqual(['one.gltf', 'two.gltf']);
      return hashOf(folder.at('data', name));
    };
    await startWorker();
    const byQueue = await joined('joined-by-queue', await queueRunner());
    expect(byQueue).toBe(await joined('joined', createPlainRunner()));
  });

  it('writes one file a clip to the same bytes as one process does', async () => {
    const library = folder.at('data/library.gltf');
    writeFileSync(library, stickFigureGltf({ naming: 'mixamo', clips: ['Idle', 'Walk: fast', 'Run'] }));
    const named = (name: string): Batch => ({ ...batchTo(name, library), name: '{target}/{clip}{ext}' });
    await startWorker();
    const hashes: string[] = [];
    for (const [name, runner] of [
      ['clips-plain', createPlainRunner()],
      ['clips-queue', await queueRunner()],
    ] as const) {
      const batch = named(name);
      const entries = await runBatch(batch, await planBatch(batch), { runner });
      await runner.close();
      batch.folder.close();
      expect(entries.map(({ ofClip }) => ofClip)).toEqual([
        'Idle',
        'Walk: fast',
        'Run',
        'Idle',
        'Walk: fast',
        'Run',
      ]);
      expect(resultsOf(folder.at('data', name))).toHaveLength(6);
      hashes.push(hashOf(folder.at('data', name)));
    }
    expect(hashes[1]).toBe(hashes[0]);
    rmSync(library);
  });

  it('does by another what a worker had in hand when it was killed, to the same bytes and nothing half done', async () => {
    const first = spawnWorker();
    const runner = await queueRunner();
    const lines = folder.at('data/killed/manifest.jsonl');
    const making = made('killed', runner);
    while (!existsSync(lines)) await wait(20);
    const ended = once(first, 'exit');
    first.kill('SIGKILL');
    await ended;
    await startWorker();
    expect(await making).toBe(plain);
    expect(leftovers().filter((path) => path.startsWith('data/killed'))).toEqual([]);
  });

  it('goes on after its Redis was killed and started again', async () => {
    await startWorker();
    const making = made('restarted', await queueRunner());
    const lines = folder.at('data/restarted/manifest.jsonl');
    while (!existsSync(lines)) await wait(5);
    await redis.restart();
    expect(await making).toBe(plain);
  });

  it('finishes the cell in hand when told to end, and another goes on with the rest', async () => {
    const first = spawnWorker();
    let told = '';
    first.stdout!.on('data', (chunk: Buffer) => {
      told += chunk.toString();
    });
    const making = made('ended', await queueRunner());
    while (!existsSync(folder.at('data/ended/manifest.jsonl'))) await wait(20);
    const ended = once(first, 'exit');
    first.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
    expect(told).toMatch(/^done \d+ cell/);
    await startWorker();
    expect(await making).toBe(plain);
  });

  it('takes back what nobody has begun when the batch is stopped, and the same batch does the rest', async () => {
    const runner = await queueRunner();
    const making = run('withdrawn', runner);
    await wait(300);
    await runner.withdraw!();
    expect(await making).toEqual([]);
    await startWorker();
    expect(await made('withdrawn', await queueRunner())).toBe(plain);
  });

  it('begins nothing that comes after the rest was taken back', async () => {
    const runner = await queueRunner();
    await runner.withdraw!();
    expect(await run('too-late', runner)).toEqual([]);
  });

  it('does with the next run what the queue gave up, since every worker that began it was lost', async () => {
    // What the queue says of such a job, said at once.
    const giveUp = async () => {
      throw new UnrecoverableError('job stalled more than allowable limit');
    };
    const losing = new Worker(`stuntdouble-${version}`, giveUp, { connection: { url: redis.url } });
    const entries = await run('lost', await queueRunner());
    await losing.close();
    expect(new Set(entries.map(({ error }) => error?.code))).toEqual(new Set(['system']));
    expect(entries[0]!.error!.sentence).toMatch(/^every worker that began it was lost/);
    await startWorker();
    expect(await made('lost', await queueRunner())).toBe(plain);
  });

  it('stands still while the disk is full, says so, and counts no try', async () => {
    const doer = createPlainRunner();
    let isFull = true;
    const told: string[] = [];
    await startWorker({
      roomInterval: 100,
      tell: (line) => {
        told.push(line);
        isFull = false;
      },
      runner: {
        ...doer,
        run: async (order) => {
          const entry = (await doer.run(order))!;
          return isFull
            ? { ...entry, state: 'failed', error: { code: 'disk-full', sentence: 'the disk is full' } }
            : entry;
        },
      },
    });
    const heard: string[] = [];
    const runner = await createQueueRunner({
      ...{ url: redis.url, root: folder.at('data'), version, lookEvery: 300 },
      tell: (line) => heard.push(line),
    });
    const entries = await run('full', runner);
    expect(entries).toHaveLength(12);
    expect(entries.map(({ attempts, state }) => `${state} ${attempts}`)).toEqual(entries.map(() => 'done 1'));
    expect(hashOf(folder.at('data/full'))).toBe(plain);
    expect(told[0]).toMatch(/is full: the queue stands still/);
    expect(heard.map((line) => line.slice(0, 18))).toEqual(['the queue stands s', 'the queue goes on']);
  });

  it('goes on by any worker where the one that found the disk full was ended before there was room', async () => {
    const doer = createPlainRunner();
    let found = () => {};
    const isFound = new Promise<void>((done) => {
      found = done;
    });
    const ending = await startQueueWorker({
      ...{ url: redis.url, root: folder.at('data'), version, read: {}, roomInterval: 600_000, tell: found },
      runner: {
        ...doer,
        run: async (order) => ({
          ...(await doer.run(order))!,
          ...{ state: 'failed', error: { code: 'disk-full', sentence: 'the disk is full' } },
        }),
      },
    });
    const running = made('left-full', await queueRunner());
    await isFound;
    await ending.stop();
    const told: string[] = [];
    await startWorker({ roomInterval: 100, tell: (line) => told.push(line) });
    expect(await running).toBe(plain);
    expect(told).toEqual(['there is room again: the queue goes on']);
  });

  it('tries again what the system failed, and says in the end why it did not work', async () => {
    const doer = createPlainRunner();
    let tries = 0;
    await startWorker({
      runner: {
        ...doer,
        run: async (order) => {
          const entry = (await doer.run(order))!;
          if (!order.cell.output.startsWith('one/walk-0')) return entry;
          tries++;
          return { ...entry, state: 'failed', error: { code: 'system', sentence: 'the disk failed' } };
        },
      },
    });
    const entries = await run('failing', await queueRunner());
    expect(tries).toBe(3);
    const failed = entries.filter(({ state }) => state === 'failed');
    expect(failed).toMatchObject([{ attempts: 3, error: { sentence: 'the disk failed' } }]);
  });

  it('fails a cell whose file is broken or gone with its sentence, and only that', async () => {
    const sources = folder.at('data/some-broken');
    mkdirSync(sources);
    writeFileSync(join(sources, 'good.bvh'), stickFigureBvh());
    writeFileSync(join(sources, 'broken.bvh'), 'HIERARCHY\nROOT');
    await startWorker();
    const entries = await run('broken', await queueRunner(), sources);
    expect(entries.filter(({ state }) => state === 'done')).toHaveLength(2);
    for (const { error } of entries.filter(({ state }) => state === 'failed')) {
      expect(error!.sentence).toMatch(/^cannot read some-broken\/broken\.bvh: /);
      expect(error!.sentence).not.toContain(folder.path);
    }
  });

  it('fails a cell whose file is exchanged or gone after it was planned, and does that one with the next batch', async () => {
    const sources = folder.at('data/exchanged');
    mkdirSync(sources);
    // Of other sizes, and so of other families: a cell hangs on the file that speaks for its own.
    for (const [n, name] of ['good', 'other', 'gone'].entries())
      writeFileSync(join(sources, `${name}.bvh`), stickFigureBvh('mixamo', { scale: 100 + 9 * n }));
    const batch = batchTo('exchange', sources);
    const plan = await planBatch(batch);
    writeFileSync(join(sources, 'other.bvh'), stickFigureBvh('mixamo', { frames: 50 }));
    rmSync(join(sources, 'gone.bvh'));
    await startWorker();
    const runner = await queueRunner();
    const entries = await runBatch(batch, plan, { runner });
    await runner.close();
    batch.folder.close();
    const told = entries.map(({ source, error }) => [source.slice(10, -4), error?.sentence]);
    expect(told.filter(([name]) => name === 'good')).toEqual([
      ['good', undefined],
      ['good', undefined],
    ]);
    for (const [name, sentence] of told.filter(([name]) => name !== 'good'))
      expect(sentence).toMatch(name === 'gone' ? /gone\.bvh/ : /^exchanged\/other\.bvh has changed since/);
    expect(resultsOf(folder.at('data/exchange'))).toEqual(['one/good.gltf', 'two/good.gltf']);
    const later = await run('exchange', await queueRunner(), sources);
    expect(later.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done']);
  });

  it.each([
    ['exits', /ended before its time/],
    ['hoards', /not enough memory/],
    ['hangs', /took longer than 4 s/],
  ])(
    'ends the thread of a cell that %s, fails it with a sentence and does all others',
    async (blow, sentence) => {
      const sources = folder.at('data', blow);
      mkdirSync(sources);
      for (const name of ['good', `poison-${blow}`])
        writeFileSync(join(sources, `${name}.bvh`), stickFigureBvh());
      const module = new URL('../../test/poison-thread.mjs', import.meta.url);
      const timeLimit = blow === 'hangs' ? 4000 : 60_000;
      await startWorker({ runner: createThreadRunner({ threads: 1, timeLimit, module, memory: 128 }) });
      const targets = [folder.at('data/targets/one.gltf')];
      const batch = { ...batchTo(`out-${blow}`, sources), targets };
      const runner = await queueRunner();
      const entries = await runBatch(batch, await planBatch(batch), { runner });
      await runner.close();
      batch.folder.close();
      const [bad, good] = [true, false].map((isBad) =>
        entries.filter(({ source }) => source.includes('poison') === isBad),
      );
      expect(good!.map(({ state }) => state)).toEqual(['done']);
      expect(bad).toMatchObject([
        { attempts: blow === 'hangs' ? 1 : 2, error: { sentence: expect.stringMatching(sentence) } },
      ]);
      expect(leftovers()).toEqual([]);
    },
  );

  it('obeys its root: a job that leads out of it, by its path or by a link, or that is none of ours, fails', async () => {
    await startWorker();
    const queue = new Queue(`stuntdouble-${version}`, { connection: { url: redis.url } });
    symlinkSync(folder.path, folder.at('data/way-out'));
    writeFileSync(folder.at('secret.bvh'), stickFigureBvh());
    const cell = {
      ...{
        key: 'a'.repeat(64),
        source: 'sources/walk-0.bvh',
        target: 'targets/one.gltf',
        recipe: null,
        family: [],
      },
      output: 'x.gltf',
      hashes: ['sources/walk-0.bvh', 'targets/one.gltf'].map(
        (path) => hashFile(folder.at('data', path), {}).sha256,
      ),
    };
    const job = {
      ...{ version: 1, base: '', folder: 'safe', settings: {}, recipes: {}, makes: 'files' },
      ...{ done: [], cells: [cell] },
    };
    const attempt = async (data: object) => {
      const added = await queue.add('cells', data);
      for (;;) {
        const state = await added.getState();
        if (state === 'completed' || state === 'failed') break;
        await wait(20);
      }
      return (await queue.getJob(added.id!))!.failedReason ?? '';
    };
    const change = (more: object) => ({ ...job, cells: [{ ...cell, ...more }] });
    expect(await attempt(change({ source: '../secret.bvh' }))).toMatch(/no place below the folder/);
    expect(await attempt(change({ source: 'way-out/secret.bvh' }))).toMatch(/leads out .* by a link/);
    expect(await attempt(change({ output: '../../x.gltf' }))).toMatch(/no place below the folder/);
    expect(await attempt({ ...job, folder: '/etc' })).toMatch(/no place below the folder/);
    expect(await attempt({ ...job, more: 1 })).toMatch(/none of this version/);
    expect(await attempt({ hello: 1 })).toMatch(/none of this version/);
    expect(existsSync(folder.at('x.gltf'))).toBe(false);
    rmSync(folder.at('data/way-out'));
    expect(await attempt(job)).toBe('');
    await queue.close();
  });

  it('says that a Redis asks for a password, or for another, without showing one', async () => {
    mkdirSync(folder.at('guarded'));
    const guarded = await startRedis(folder.at('guarded'));
    try {
      const client = new Redis(guarded.url);
      await client.config('SET', 'requirepass', 'secret');
      client.disconnect();
      for (const url of [guarded.url, guarded.url.replace('//', '//:wrong@')]) {
        const { code, err } = await runCommand('worker', '--root', folder.path, '--queue', url);
        expect(code).toBe(2);
        expect(err).toMatch(/asks for another name or password/);
        expect(err).not.toMatch(/wrong|secret/);
      }
    } finally {
      await guarded.kill();
    }
  });

  it('sees no job of another version', async () => {
    await startWorker({ version: '0.0.0-other' });
    const runner = await queueRunner();
    const making = run('other-version', runner);
    await wait(500);
    await runner.withdraw!();
    expect(await making).toEqual([]);
  });

  it.each([
    [['--appendonly', 'no', ...GOOD_SETTINGS.slice(2)], /loses jobs when it is restarted \(appendonly no\)/],
    [[...GOOD_SETTINGS.slice(0, 2), '--maxmemory-policy', 'allkeys-lru'], /throws data out .*allkeys-lru/],
  ])('refuses a Redis with %j in one sentence', async (settings, message) => {
    mkdirSync(folder.at('wrong'), { recursive: true });
    const wrong = await startRedis(folder.at('wrong'), settings);
    const argv = ['worker', '--root', folder.at('data'), '--queue', wrong.url];
    const { code, err } = await runCommand(...argv);
    await wrong.kill();
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  it('is what the command does, and wants one way at a time', async () => {
    await startWorker();
    const argv = ['batch', folder.at('data/sources'), '--onto', folder.at('data/targets'), '--json'];
    const child = spawn(process.execPath, [
      ...[bin, ...argv, '--out', folder.at('data/typed'), '--queue', redis.url],
      ...['--queue-root', folder.at('data')],
    ]);
    children.push(child);
    const typed = { out: '' };
    child.stdout.on('data', (chunk: Buffer) => {
      typed.out += chunk.toString();
    });
    await once(child, 'close');
    expect(JSON.parse(typed.out)).toMatchObject({ done: 12, failed: 0 });
    expect(hashOf(folder.at('data/typed'))).toBe(plain);
    const both = await runCommand(
      ...[...argv, '--out', folder.at('data/both'), '--queue', redis.url, '--workers', '1'],
    );
    expect(both.code).toBe(2);
    expect(both.err).toMatch(/give one of the two/);
  });
});
