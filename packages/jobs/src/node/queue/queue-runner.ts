import type { Job } from 'bullmq';
import type { ManifestEntry } from '../../batch/manifest.js';
import { Failure } from '../../failure.js';
import type { CellRunner } from '../batch/cell-runners.js';
import { type CellOrder, failedEntry } from '../batch/do-cell.js';
import { checkRedis } from './check-redis.js';
import { loadBullmq } from './load-bullmq.js';
import { readQueueAddress } from './queue-address.js';
import { MOST_CELLS, nameOfJob, nameOfQueue, packJob, type QueuedJob } from './queued-job.js';

/** How cells reach workers of other processes and machines. */
export type QueueSettings = {
  /** Such as `redis://127.0.0.1:6379`. */
  url: string;
  /** The folder, or place in a bucket, that workers know as their root: all files and results lie below it. */
  root: string;
  version: string;
  /** Cells in hand at once, waiting ones among them; 4,096 if left out. */
  width?: number;
  /** Milliseconds between looks at jobs of which nothing was heard; 15,000 if left out. */
  lookEvery?: number;
  /** Takes a line about the queue: that it stands still, and that it goes on. */
  tell?: (line: string) => void;
};

/** Jobs that are done stay this long, so that their results can be asked for: an hour. */
const KEPT = { age: 3600, count: 20_000 };

/** How a job is tried again that the system failed. */
const RETRIES = { attempts: 3, backoff: { type: 'exponential', delay: 1000 } };

type Waiting = { order: CellOrder; end(entry: ManifestEntry | null): void };
type Sent = { data: QueuedJob; cells: Waiting[] };

/**
 * Sends cells to workers by a queue, up to 32 of one source in a job, and takes their lines back.
 *
 * Results are told by events. A server that was restarted may have lost some of these, with the last second of all
 * else, so jobs of which nothing was heard are looked at from time to time: one that is done has its result, one that
 * is gone is sent again. Sending twice does no harm: the same cell has the same bytes.
 * @throws UsageError where the queue cannot be reached, or its server would lose jobs.
 */
export async function createQueueRunner(settings: QueueSettings): Promise<CellRunner> {
  const { root, version, width = 4096, lookEvery = 15_000, tell } = settings;
  const address = readQueueAddress(settings.url);
  const { bullmq, Redis } = await loadBullmq();
  await checkRedis(Redis, address);
  const { connection } = address;
  const name = nameOfQueue(version);
  const queue = new bullmq.Queue<QueuedJob, ManifestEntry[]>(name, { connection });
  const events = new bullmq.QueueEvents(name, { connection });
  // A server that is gone comes back, or the person who waits stops.
  queue.on('error', () => {});
  events.on('error', () => {});
  await events.waitUntilReady();

  const waiting: Waiting[] = [];
  const sent = new Map<string, Sent>();
  let isFlushing = false;
  let isWithdrawn = false;

  const send = async (cells: Waiting[]) => {
    const data = packJob(
      root,
      cells.map(({ order }) => order),
    );
    const jobId = nameOfJob(data);
    sent.set(jobId, { data, cells });
    // One of this name that is done was for results that are gone since.
    const before = await queue.getJob(jobId);
    if (before && ['completed', 'failed'].includes(await before.getState())) await before.remove();
    await queue.add('cells', data, { jobId, ...RETRIES, removeOnComplete: KEPT, removeOnFail: KEPT });
  };
  const flush = async () => {
    if (isFlushing) return;
    isFlushing = true;
    while (waiting.length > 0) {
      const [{ order: first }] = waiting as [Waiting, ...Waiting[]];
      const other = waiting.findIndex(
        ({ order }) => order.cell.source !== first.cell.source || order.makes !== first.makes,
      );
      const cells = waiting.splice(0, Math.min(other < 0 ? waiting.length : other, MOST_CELLS));
      await send(cells).catch((error: unknown) => {
        for (const { order, end } of cells) end(failedEntry(order, error));
      });
    }
    isFlushing = false;
  };

  const settle = (id: string, entries: readonly ManifestEntry[]) => {
    const job = sent.get(id);
    if (!job) return;
    sent.delete(id);
    const byKey = new Map(entries.map((entry) => [entry.key, entry]));
    for (const { order, end } of job.cells)
      end(byKey.get(order.cell.key) ?? failedEntry(order, new Failure('a worker gave no answer for it')));
  };
  const fail = (id: string, reason: string) => {
    const job = sent.get(id);
    if (job)
      settle(
        id,
        job.cells.map(({ order }) => {
          const entry = failedEntry(order, new Failure(reason));
          // No fault of its files: the next run tries it again.
          return STALLED.test(reason) ? { ...entry, error: { code: 'system', sentence: LOST } } : entry;
        }),
      );
  };
  events.on('completed', ({ jobId, returnvalue }) => settle(jobId, entriesOf(returnvalue)));
  events.on('failed', ({ jobId, failedReason }) => fail(jobId, failedReason));
  events.on('paused', () =>
    tell?.('the queue stands still: the disk of a worker is full; it goes on when there is room'),
  );
  events.on('resumed', () => tell?.('the queue goes on'));

  const look = async () => {
    for (const [id, { data }] of [...sent]) {
      const job: Job<QueuedJob, ManifestEntry[]> | undefined = await queue.getJob(id);
      if (!job) {
        if (sent.has(id))
          await queue.add('cells', data, {
            jobId: id,
            ...RETRIES,
            removeOnComplete: KEPT,
            removeOnFail: KEPT,
          });
        continue;
      }
      const state = await job.getState();
      // What was read of it may be from before it was done.
      if (state === 'completed') settle(id, entriesOf((await queue.getJob(id))?.returnvalue));
      else if (state === 'failed') fail(id, job.failedReason ?? 'a worker failed');
    }
  };
  let looking: Promise<void> | null = null;
  const clock = setInterval(() => {
    looking ??= look()
      .catch(() => {})
      .finally(() => {
        looking = null;
      });
  }, lookEvery);

  return {
    width,
    run: (order) =>
      new Promise((end) => {
        // What comes after the rest was taken back is not begun either.
        if (isWithdrawn) return end(null);
        waiting.push({ order, end });
        setImmediate(() => void flush());
      }),
    async withdraw() {
      isWithdrawn = true;
      for (const { end } of waiting.splice(0)) end(null);
      for (const [id, { cells }] of [...sent]) {
        const job = await queue.getJob(id);
        // One that a worker has begun is not to be had back: it is waited for.
        const isGone = job ? await job.remove().then(...ANSWERS) : true;
        if (!isGone || !sent.delete(id)) continue;
        for (const { end } of cells) end(null);
      }
    },
    async close() {
      clearInterval(clock);
      await looking;
      await Promise.all([queue.close(), events.close()]);
    },
  };
}

/** What the queue says of a job whose workers were not heard of too often, and what that means. */
const STALLED = /^job stalled more than/;
const LOST =
  'every worker that began it was lost, or too busy to be heard of; it is tried again by the next run';

const ANSWERS = [() => true, () => false] as const;

/** What a job gave back: data, or the text of it. */
function entriesOf(value: unknown): ManifestEntry[] {
  const entries: unknown = typeof value === 'string' ? JSON.parse(value) : value;
  return Array.isArray(entries) ? (entries as ManifestEntry[]) : [];
}
