import type { Answer, AnswerOf, Ask, OpenFile, Question } from './protocol.js';
import type { StopSign } from './stop.js';

/** Something a worker could not do, in one sentence. */
export class EngineError extends Error {
  override name = 'EngineError';
  /** The kind of error as the engine named it: `FormatError`, `UsageError`, `RetargetError`, `Stopped`. */
  readonly kind: string;
  constructor(kind: string, message: string) {
    super(message);
    this.kind = kind;
  }
}

type Waiting = {
  resolve: (value: never) => void;
  reject: (error: Error) => void;
  onProgress: (part: number, words: string) => void;
};

/** One worker: questions go in, promises come out. */
export type Port = {
  ask<Q extends Question>(
    question: Q,
    onProgress?: (part: number, words: string) => void,
    stop?: StopSign,
  ): Promise<AnswerOf[Q['type']]>;
  /** How many questions are not answered yet. */
  pending(): number;
};

/** The two workers: `quick` understands and previews, `whole` solves, judges and writes. */
export type Engine = { quick: Port; whole: Port; open: (file: OpenFile) => Promise<AnswerOf['open']> };

/** What a port needs of a worker. */
export type WorkerLike = {
  postMessage(message: Ask): void;
  onmessage: ((event: MessageEvent<Answer>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
};

/** Puts questions to a worker. @param onChange Called when a question goes out or an answer comes in. */
export function createPort(worker: WorkerLike, onChange: () => void): Port {
  const waiting = new Map<number, Waiting>();
  let next = 1;
  worker.onmessage = ({ data }) => {
    const one = waiting.get(data.id);
    if (!one) return;
    if (data.type === 'progress') return one.onProgress(data.part, data.words);
    waiting.delete(data.id);
    if (data.type === 'done') one.resolve(data.value as never);
    else one.reject(new EngineError(data.error.name, data.error.message));
    onChange();
  };
  worker.onerror = (event) => {
    for (const one of waiting.values())
      one.reject(new EngineError('Error', event.message || 'the engine could not be started'));
    waiting.clear();
    onChange();
  };
  return {
    ask: (question, onProgress = () => {}, stop) =>
      new Promise((resolve, reject) => {
        const id = next++;
        waiting.set(id, { resolve: resolve as Waiting['resolve'], reject, onProgress });
        worker.postMessage({ id, ...(stop && { stop }), ...question });
        onChange();
      }),
    pending: () => waiting.size,
  };
}

/** Starts both workers. */
export function createEngine(onChange: () => void): Engine {
  const start = (name: string) =>
    createPort(
      new Worker(new URL('./engine-worker.ts', import.meta.url), { type: 'module', name }) as WorkerLike,
      onChange,
    );
  const quick = start('quick');
  const whole = start('whole');
  return {
    quick,
    whole,
    open: async (file) => {
      // Both read it: a solve must not wait for a scene to be cloned from one to the other. What is to be known of it
      // is found out once.
      whole.ask({ type: 'hold', file }).catch(() => {});
      return quick.ask({ type: 'open', file });
    },
  };
}

/**
 * Runs the newest of what it is given: one at a time, and of those that wait only the last.
 * @param onIdle Called when nothing is left to run.
 */
export function createLatest(onIdle: () => void = () => {}): (work: () => Promise<void>) => void {
  let running = false;
  let waiting: (() => Promise<void>) | null = null;
  const run = async (work: () => Promise<void>) => {
    running = true;
    await work().catch(() => {});
    running = false;
    const next = waiting;
    waiting = null;
    if (next) run(next);
    else onIdle();
  };
  return (work) => {
    if (running) waiting = work;
    else run(work);
  };
}
