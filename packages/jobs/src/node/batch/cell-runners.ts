import { rmSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { ManifestEntry } from '../../batch/manifest.js';
import { Failure } from '../../failure.js';
import { beginFile, endFile } from '../unfinished-files.js';
import { CELL_THREAD, type CellThreadMessage, type CellThreadOrder } from './cell-thread.js';
import { type CellOrder, createCellDoer, failedEntry } from './do-cell.js';
import { type FileLook, type Looker, PLAIN_LOOKER } from './look-at-file.js';

/** What does cells. The same cells have the same bytes, whatever does them. */
export type CellRunner = {
  /** How many cells are in hand at once. */
  readonly width: number;
  /** Does a cell. @returns its line, or null where it was taken back before anybody began it. */
  run(order: CellOrder): Promise<ManifestEntry | null>;
  /** Takes back what nobody has begun, where cells wait elsewhere than in this process. */
  withdraw?(): Promise<void>;
  close(): Promise<void>;
};

/** Does cells in the thread that calls it, one at a time; for debugging. */
export function createPlainRunner(): CellRunner & Looker {
  const doCell = createCellDoer();
  return { ...PLAIN_LOOKER, run: doCell, close: () => Promise.resolve() };
}

/** How threads are started, and when they are ended. */
export type ThreadSettings = {
  threads: number;
  /** Milliseconds that a cell may take in a thread that is warm. */
  timeLimit: number;
  /** The module whose start calls `runCellThread` where `workerData` is `CELL_THREAD`. */
  module: URL;
  /** Megabytes of a thread's memory; 1024 if left out. */
  memory?: number;
};

/** How often a cell is tried whose thread has died. */
const MOST_ATTEMPTS = 2;

/**
 * Does cells in threads, each of which does one at a time. A thread that hangs, dies or runs out of memory is ended
 * alone, what it was writing is removed, and another takes its place. Files are looked at in the same threads, so that
 * one which cannot be borne is not the end of a batch before it has begun. A runner that was closed starts threads anew.
 */
export function createThreadRunner({
  threads,
  timeLimit,
  module,
  memory = 1024,
}: ThreadSettings): CellRunner & Looker {
  const idle: CellThread[] = [];
  const waiting: ((thread: CellThread) => void)[] = [];
  const all = new Set<CellThread>();
  // Started when they are needed: a batch with nothing to do has none.
  const open = () => {
    const thread = startThread(module, memory);
    all.add(thread);
    return thread;
  };
  const free = (thread: CellThread) => {
    const next = waiting.shift();
    if (next) next(thread);
    else idle.push(thread);
  };
  const take = async () => {
    const thread = idle.pop() ?? (all.size < threads ? open() : null);
    return thread ?? new Promise<CellThread>((take) => waiting.push(take));
  };
  /** Lets a thread do something. One that dies of it is replaced, and tells why. */
  const inThread = async (order: CellThreadOrder): Promise<ThreadAnswer> => {
    const thread = await take();
    try {
      const answer = await thread.run(order, timeLimit);
      free(thread);
      return answer;
    } catch (error) {
      all.delete(thread);
      await thread.end();
      if (waiting.length > 0 && all.size < threads) waiting.shift()!(open());
      throw error;
    }
  };
  /** Lets another thread try once more what the first one died of. */
  const inThreads = async (order: CellThreadOrder): Promise<{ answer: ThreadAnswer; attempt: number }> => {
    for (let attempt = 1; ; attempt++)
      try {
        return { answer: await inThread(order), attempt };
      } catch (error) {
        if (attempt >= MOST_ATTEMPTS || error instanceof TooLong) throw error;
      }
  };
  return {
    width: threads,
    async run(order) {
      try {
        const { answer, attempt } = await inThreads(order);
        return { ...(answer as ManifestEntry), attempts: attempt };
      } catch (error) {
        const attempts = error instanceof TooLong ? 1 : MOST_ATTEMPTS;
        return { ...failedEntry(order, error), attempts };
      }
    },
    look: async (order) => (await inThreads({ look: order })).answer as FileLook | null,
    async close() {
      const open = [...all];
      all.clear();
      idle.length = 0;
      await Promise.all(open.map((thread) => thread.end()));
    },
  };
}

type ThreadAnswer = ManifestEntry | FileLook | null;

/** A cell that took longer than it may. */
class TooLong extends Failure {}

type CellThread = {
  run(order: CellThreadOrder, timeLimit: number): Promise<ThreadAnswer>;
  end(): Promise<void>;
};

function startThread(module: URL, memory: number): CellThread {
  const worker = new Worker(module, {
    workerData: CELL_THREAD,
    resourceLimits: { maxOldGenerationSizeMb: memory },
  });
  const unfinished = new Set<string>();
  let done: ((answer: ThreadAnswer) => void) | null = null;
  let died: ((error: unknown) => void) | null = null;
  let death: unknown = null;
  const ready = new Promise<void>((resolve) => {
    worker.on('message', (message: CellThreadMessage) => {
      if (message.kind === 'ready') resolve();
      else if (message.kind === 'cell') done?.(message.entry);
      else if (message.kind === 'look') done?.(message.look);
      else if (message.event.kind === 'begin') {
        unfinished.add(message.event.path);
        beginFile(message.event.path);
      } else {
        unfinished.delete(message.event.path);
        endFile(message.event.path);
      }
    });
    worker.on('error', (error) => {
      death = sentenceOfDeath(error);
      died?.(death);
      resolve();
    });
    worker.on('exit', () => {
      death ??= new Failure('the thread that did it ended before its time');
      died?.(death);
      resolve();
    });
  });
  return {
    async run(order, timeLimit) {
      // The clock starts with the cell, not with the thread.
      await ready;
      if (death !== null) throw death;
      let clock: NodeJS.Timeout | undefined;
      try {
        return await new Promise<ThreadAnswer>((resolve, reject) => {
          done = resolve;
          died = reject;
          clock = setTimeout(
            () => reject(new TooLong(`it took longer than ${spanWords(timeLimit)}`)),
            timeLimit,
          );
          worker.postMessage(order);
        });
      } finally {
        clearTimeout(clock);
        done = null;
        died = null;
      }
    },
    async end() {
      await worker.terminate();
      for (const path of unfinished) {
        rmSync(path, { force: true });
        endFile(path);
      }
      unfinished.clear();
    },
  };
}

function sentenceOfDeath(error: unknown): Failure {
  return (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new Failure('there is not enough memory for it in a thread')
    : new Failure(`the thread that did it died: ${error instanceof Error ? error.message : String(error)}`);
}

function spanWords(milliseconds: number): string {
  const minutes = milliseconds / 60_000;
  return minutes >= 1 ? `${Number(minutes.toFixed(1))} min` : `${Number((milliseconds / 1000).toFixed(1))} s`;
}
