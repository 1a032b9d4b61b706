import { rmSync } from 'node:fs';
import { constants } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import pc from 'picocolors';
import type { ThreadMessage, ThreadOrder, ThreadStart } from './command-thread.js';
import { EXIT_CODES } from './exit-codes.js';
import { createProgress } from './progress.js';
import { describeStreams, writeToStream } from './terminal.js';

/** Signals that ask a command to stop. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The part of a thread that is made use of. */
export type CommandThread = Pick<Worker, 'on' | 'terminate' | 'postMessage'>;

/** The part of a process that is made use of. */
export type SupervisedProcess = Pick<NodeJS.Process, 'env' | 'on' | 'off' | 'kill' | 'pid'> & {
  stdout: NodeJS.WriteStream & { fd: number };
  stderr: NodeJS.WriteStream & { fd: number };
};

/**
 * Runs a command line in a thread of its own, and stays free to answer signals, to draw progress and to clean up.
 *
 * Retargeting, reading and writing files compute for seconds without a break, during which a thread answers no
 * signal and draws nothing. Looking at a flag every few milliseconds would have to be done in every phase of every
 * package, and be right everywhere; a thread can be ended anywhere, at once. What it was writing it has told before
 * it began (`unfinished-files.ts`), and all that it told arrives before its end does, so nothing unfinished stays.
 * Memory that runs out ends that thread only, and is told in a sentence.
 *
 * Starting the thread costs about 30 ms. The rejected ways: to leave signals to the system (no line is printed, the
 * cursor stays hidden, files being written stay); to listen for them in the one thread (nothing is heard while it
 * computes).
 * @returns the exit code: that of the command, 1 where standard output broke, 128 and the number of the signal that
 * stopped it.
 */
export async function supervise(
  argv: readonly string[],
  process: SupervisedProcess,
  start: (data: ThreadStart) => CommandThread = startThread,
): Promise<number> {
  const facts = describeStreams(process);
  const errorColors = pc.createColors(facts.hasErrorColors);
  const progress = createProgress(facts.isWatched ? process.stderr : null);
  const unfinished = new Set<string>();
  const said: { kind: 'out' | 'err'; text: string | Uint8Array }[] = [];
  let code: number | null = null;
  let failure: unknown = null;
  let stoppedBy: (typeof SIGNALS)[number] | null = null;

  const thread = start({ argv, facts });
  const removeUnfinished = () => {
    for (const path of unfinished)
      try {
        rmSync(path, { force: true });
      } catch {
        // A later run sweeps it.
      }
  };
  let isPatient = false;
  /** What asked a command to end that finishes first what it has in hand. */
  let askedBy: (typeof SIGNALS)[number] | null = null;
  const stop = (signal: (typeof SIGNALS)[number]) => {
    if (isPatient) {
      isPatient = false;
      askedBy = signal;
      thread.postMessage({ kind: 'stop' } satisfies ThreadOrder);
      return;
    }
    // Asked twice: the thread is inside a call to the system that does not end.
    if (stoppedBy) {
      removeUnfinished();
      process.kill(process.pid, 'SIGKILL');
    }
    stoppedBy = signal;
    void thread.terminate();
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  await new Promise<void>((ended) => {
    thread.on('message', (message: ThreadMessage) => {
      if ('text' in message) said.push(message);
      else if (message.kind === 'begin') unfinished.add(message.path);
      else if (message.kind === 'end') unfinished.delete(message.path);
      else if (message.kind === 'progress') progress.update(message.done, message.total, message.what);
      else if (message.kind === 'quiet') progress.stop();
      else if (message.kind === 'patient') isPatient = true;
      else if (message.kind === 'now') void writeToStream(process[message.stream], `${message.line}\n`);
      else {
        code = message.code;
        // Nothing is left to wait for, be it a connection that is kept open.
        void thread.terminate();
      }
    });
    thread.on('error', (error) => {
      failure = error;
    });
    thread.on('exit', () => ended());
  });
  removeUnfinished();
  progress.stop();
  // From here on nothing is unfinished, and a reader may take as long as it likes: signals end the process at once.
  for (const signal of SIGNALS) process.off(signal, stop);

  const error = (sentence: string) => ({
    kind: 'err' as const,
    text: `${errorColors.red('error:')} ${sentence}\n`,
  });
  if (code === null && stoppedBy) {
    await writeToStream(process.stderr, `stopped by ${stoppedBy}; no unfinished file is left\n`);
    return 128 + constants.signals[stoppedBy];
  }
  if (code === null) said.push(error(await sentenceOfEnd(failure)));
  for (const { kind, text } of said) {
    const broken = await writeToStream(kind === 'out' ? process.stdout : process.stderr, text);
    // Standard error that breaks leaves nobody to be told.
    if (broken === null || kind === 'err') continue;
    const { text: sentence } = error(`cannot write to standard output: ${broken}`);
    await writeToStream(process.stderr, sentence);
    return EXIT_CODES.failed;
  }
  if (code === EXIT_CODES.stopped && askedBy) return 128 + constants.signals[askedBy];
  return code ?? EXIT_CODES.failed;
}

async function sentenceOfEnd(failure: unknown): Promise<string> {
  if ((failure as NodeJS.ErrnoException | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return 'there is not enough memory for this; NODE_OPTIONS=--max-old-space-size=8192 allows 8 GB';
  // Loaded only now, as it brings the engine with it, which this thread has no use for.
  const { sentenceOf } = await import('@stuntdouble/jobs');
  return sentenceOf(failure ?? 'the command ended before its time');
}

/** Starts the thread with as much memory as this one would have, which a thread does not get by itself. */
function startThread(workerData: ThreadStart): CommandThread {
  return new Worker(new URL('./command-thread.js', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20) },
  });
}
