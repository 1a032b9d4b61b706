/*
 * The thread that a command runs in; `supervise.ts` says why. It speaks to the thread that started it by messages
 * alone. Threads that do cells of a batch start here too, so that the command stays one file.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { printable } from '@stuntdouble/core/engine';
import { CELL_THREAD, runCellThread, type UnfinishedEvent, watchUnfinished } from '@stuntdouble/jobs/node';
import { main } from './main.js';
import { createTerminal, type StreamFacts } from './terminal.js';
import { cut } from './text/table.js';

/** What the thread is started with. */
export type ThreadStart = { argv: readonly string[]; facts: StreamFacts };

/** What the thread is told: that it shall come to an end. */
export type ThreadOrder = { kind: 'stop' };

/** What the thread tells. */
export type ThreadMessage =
  | UnfinishedEvent
  | { kind: 'out' | 'err'; text: string | Uint8Array }
  | { kind: 'progress'; done: number; total: number; what: string }
  | { kind: 'quiet' }
  /** A line for standard error or standard output, at once. */
  | { kind: 'now'; stream: 'stderr' | 'stdout'; line: string }
  /** From now on the first signal is told to the thread, which ends by itself; the second ends it. */
  | { kind: 'patient' }
  | { kind: 'done'; code: number };

const port = parentPort;
if (port && workerData === CELL_THREAD) runCellThread(port);
else if (port) {
  const tell = (message: ThreadMessage) => port.postMessage(message);
  const { argv, facts } = workerData as ThreadStart;
  watchUnfinished(tell);
  const terminal = createTerminal(facts, {
    out: (text) => tell({ kind: 'out', text }),
    outBytes: (text) => tell({ kind: 'out', text }),
    err: (text) => tell({ kind: 'err', text }),
    progress: {
      update: (done, total, what) => tell({ kind: 'progress', done, total, what: cut(printable(what), 40) }),
      stop: () => tell({ kind: 'quiet' }),
    },
    tellNow: (line) => tell({ kind: 'now', stream: 'stderr', line }),
    outNow: (line) => tell({ kind: 'now', stream: 'stdout', line }),
    onStop: (listener) => {
      tell({ kind: 'patient' });
      port.on('message', (order: ThreadOrder) => {
        if (order.kind === 'stop') listener();
      });
    },
  });
  tell({ kind: 'done', code: await main(argv, terminal) });
}
