import { expect, it } from 'vitest';
import { createLatest, createPort, EngineError, type WorkerLike } from './engine.js';
import type { Answer, Ask, Question } from './protocol.js';

/** A worker that answers when it is told to. */
function handWorker() {
  const asked: Ask[] = [];
  const worker: WorkerLike = { postMessage: (ask) => asked.push(ask), onmessage: null, onerror: null };
  const say = (answer: Answer) => worker.onmessage!({ data: answer } as MessageEvent<Answer>);
  return { worker, asked, say };
}

const question: Extract<Question, { type: 'open' }> = {
  type: 'open',
  file: { id: 'a', name: 'a.glb', file: new Blob(), beside: [] },
};

it('gives each question its own answer, whatever the order', async () => {
  const { worker, asked, say } = handWorker();
  const port = createPort(worker, () => {});
  const [first, second] = [port.ask(question), port.ask(question)];
  expect(port.pending()).toBe(2);
  say({ id: asked[1]!.id, type: 'done', value: { name: 'second' } as never });
  say({ id: asked[0]!.id, type: 'done', value: { name: 'first' } as never });
  expect((await first).name).toBe('first');
  expect((await second).name).toBe('second');
  expect(port.pending()).toBe(0);
});

it('a failure is an error with its sentence, and progress goes to whoever asked', async () => {
  const { worker, asked, say } = handWorker();
  const port = createPort(worker, () => {});
  const parts: number[] = [];
  const answer = port.ask(question, (part) => parts.push(part));
  say({ id: asked[0]!.id, type: 'progress', part: 0.5, words: 'walk' });
  say({ id: asked[0]!.id, type: 'failed', error: { name: 'FormatError', message: 'no such thing' } });
  await expect(answer).rejects.toEqual(new EngineError('FormatError', 'no such thing'));
  expect(parts).toEqual([0.5]);
});

it('of work that waits only the newest is done', async () => {
  let idle = 0;
  const latest = createLatest(() => idle++);
  const done: number[] = [];
  const ends: (() => void)[] = [];
  const work = (n: number) => () =>
    new Promise<void>((end) => {
      done.push(n);
      ends.push(end);
    });
  for (const n of [1, 2, 3]) latest(work(n));
  expect(done).toEqual([1]);
  ends[0]!();
  await new Promise((next) => setTimeout(next));
  expect(done).toEqual([1, 3]);
  expect(idle).toBe(0);
  ends[1]!();
  await new Promise((next) => setTimeout(next));
  expect(idle).toBe(1);
});
