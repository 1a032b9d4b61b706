import { rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { ReadOptions } from '@stuntdouble/formats';
import type { ManifestEntry } from '../../batch/manifest.js';
import { Failure, sentenceOf } from '../../failure.js';
import type { CellRunner } from '../batch/cell-runners.js';
import { PASSING_FAILURES } from '../batch/do-cell.js';
import { isBucketPlace } from '../store/object-store.js';
import { temporaryName } from '../temporary-files.js';
import { checkRedis } from './check-redis.js';
import { loadBullmq } from './load-bullmq.js';
import { readQueueAddress } from './queue-address.js';
import { nameOfQueue, type QueuedJob, unpackJob } from './queued-job.js';

/** What a worker is told. */
export type WorkerSettings = {
  url: string;
  /** The one folder, or place in a bucket, that it reads and writes. */
  root: string;
  version: string;
  /** What does the cells: threads, never the thread that answers the queue. */
  runner: CellRunner;
  read: ReadOptions;
  /** Milliseconds that a job belongs to a worker of which nothing is heard; 30,000 if left out. */
  lock?: number;
  /** Milliseconds between looks for jobs whose worker is gone; 15,000 if left out. */
  stalledInterval?: number;
  /** Milliseconds between looks whether the queue stands still and there is room again; 10,000 if left out. */
  roomInterval?: number;
  tell?: (line: string) => void;
  onCell?: (entry: ManifestEntry) => void;
};

/** A worker that takes jobs. */
export type QueueWorker = {
  /** Finishes the cells in hand, gives back what was not begun, and ends. */
  stop(): Promise<void>;
  /** Ends when the worker has, or rejects with what broke it down. */
  ended: Promise<void>;
};

/** How much must be free before a disk that was full is written to again, in bytes. */
const ROOM = 2 ** 20;

/**
 * Takes jobs from a queue until it is told to stop.
 *
 * Cells run in threads: a thread that answers the queue must never be busy for longer than a job is locked, or another
 * worker takes the job as well (seen: a healthy job of 8 s under a lock of 3 s ran twice, and failed).
 * @throws UsageError where the queue cannot be reached, or its server would lose jobs.
 */
export async function startQueueWorker(settings: WorkerSettings): Promise<QueueWorker> {
  const { version, runner, read, tell, onCell, roomInterval = 10_000 } = settings;
  const root = isBucketPlace(settings.root) ? settings.root.replace(/\/+$/, '') : resolve(settings.root);
  const address = readQueueAddress(settings.url);
  const { bullmq, Redis } = await loadBullmq();
  await checkRedis(Redis, address);
  const { connection } = address;
  const name = nameOfQueue(version);
  const queue = new bullmq.Queue<QueuedJob>(name, { connection });
  queue.on('error', () => {});
  const worker = `${hostname()}:${process.pid}`;
  let isStopping = false;

  const standStill = async () => {
    if (await queue.isPaused()) return;
    await queue.pause();
    tell?.(`the disk below ${root} is full: the queue stands still until there is room`);
  };
  // By any worker: the one that stopped the queue may have been ended since, and nobody else would let it go on.
  const goOn = async () => {
    if (!(await queue.isPaused()) || !hasRoom(root)) return;
    await queue.resume();
    tell?.('there is room again: the queue goes on');
  };
  // A server that is gone comes back.
  const clock = setInterval(() => void goOn().catch(() => {}), roomInterval);

  const consumer = new bullmq.Worker<QueuedJob, ManifestEntry[]>(
    name,
    async (job, token) => {
      let orders: ReturnType<typeof unpackJob>['orders'];
      let done: ManifestEntry[];
      try {
        ({ orders, done } = unpackJob(root, job.data, { read, worker, version }));
      } catch (error) {
        throw new bullmq.UnrecoverableError(sentenceOf(error));
      }
      const entries = [...done];
      const handBack = async () => {
        if (entries.length > done.length)
          await job.updateData({ ...job.data, done: entries as unknown as QueuedJob['done'] });
      };
      const isLast = job.attemptsMade + 1 >= (job.opts.attempts ?? 1);
      let hasPassing = false;
      for (const order of orders) {
        if (isStopping) {
          await handBack();
          await job.moveToWait(token);
          throw new bullmq.WaitingError();
        }
        const entry = await runner.run(order);
        if (!entry) throw new Failure('the worker was ended');
        if (entry.error?.code === 'disk-full') {
          await handBack();
          await standStill();
          // Not a try that failed: it is not counted.
          await job.moveToDelayed(Date.now() + 1000, token);
          throw new bullmq.DelayedError();
        }
        if (entry.error && PASSING_FAILURES.has(entry.error.code)) hasPassing = true;
        else onCell?.(entry);
        if (isLast || !(entry.error && PASSING_FAILURES.has(entry.error.code)))
          entries.push({ ...entry, attempts: Math.max(entry.attempts, job.attemptsMade + 1) });
      }
      if (hasPassing && !isLast) {
        await handBack();
        throw new Failure('the system failed a cell; it is tried again');
      }
      return entries;
    },
    {
      connection,
      concurrency: runner.width,
      lockDuration: settings.lock ?? 30_000,
      stalledInterval: settings.stalledInterval ?? 15_000,
      maxStalledCount: 2,
    },
  );
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  consumer.on('error', () => {});
  return {
    ended,
    async stop() {
      if (isStopping) return ended;
      isStopping = true;
      await consumer.close();
      clearInterval(clock);
      await queue.close();
      await runner.close();
      end();
    },
  };
}

/** Whether a disk takes something again, tried by writing to it: what it says of itself is not what quotas say. */
function hasRoom(root: string): boolean {
  if (isBucketPlace(root)) return true;
  const path = join(root, temporaryName());
  try {
    writeFileSync(path, new Uint8Array(ROOM));
    return true;
  } catch {
    return false;
  } finally {
    rmSync(path, { force: true });
  }
}
