import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProgress } from './progress.js';

/** A stream that says it is a terminal and remembers what it was sent. */
function fakeTerminal(): { stream: NodeJS.WriteStream; text: () => string } {
  let text = '';
  const stream = Object.assign(new PassThrough(), {
    isTTY: true,
    columns: 80,
    rows: 24,
    cursorTo: () => true,
    clearLine: () => true,
    moveCursor: () => true,
    clearScreenDown: () => true,
  });
  stream.write = (chunk: unknown) => {
    text += String(chunk);
    return true;
  };
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => text };
}

/** The numbers that were drawn, in order. */
const percents = (text: string) => [...text.matchAll(/(\d+)%/g)].map((match) => Number(match[1]));

beforeEach(async () => {
  // What is loaded only when a bar is drawn must not be waited for with a clock that stands.
  await import('cli-progress');
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

describe('progress', () => {
  it('is silent where nobody watches', () => {
    const progress = createProgress(null);
    progress.update(1, 2, 'walk');
    progress.stop();
    progress.stop();
  });

  it('shows how far it is and what it works on, and gives the cursor back', async () => {
    const { stream, text } = fakeTerminal();
    const progress = createProgress(stream);
    progress.update(1, 4, 'walk');
    await vi.advanceTimersByTimeAsync(1000);
    progress.stop();
    expect(text()).toContain('25%  walk');
    // Show the cursor, as the terminal had it before.
    expect(text().lastIndexOf('\u001b[?25h')).toBeGreaterThan(text().lastIndexOf('\u001b[?25l'));
  });

  it('never runs back, whatever it is told', async () => {
    const { stream, text } = fakeTerminal();
    const progress = createProgress(stream);
    await vi.advanceTimersByTimeAsync(500);
    for (const [done, total] of [
      [1, 4],
      [3, 4],
      [0, 1],
      [2, 10],
      [Number.NaN, 1],
      [1, 0],
      [9, 8],
      [1, 2],
    ] as const) {
      progress.update(done, total, 'x');
      await vi.advanceTimersByTimeAsync(200);
    }
    progress.stop();
    const drawn = percents(text());
    expect(drawn).toEqual([...drawn].sort((a, b) => a - b));
    expect(drawn.at(-1)).toBe(100);
  });

  it('is never silent for two seconds, though nothing is told', async () => {
    const { stream, text } = fakeTerminal();
    const progress = createProgress(stream);
    let before = '';
    for (let second = 0; second < 20; second += 2) {
      await vi.advanceTimersByTimeAsync(2000);
      expect(text().length, `${second} s`).toBeGreaterThan(before.length);
      before = text();
    }
    progress.stop();
  });

  it('leaves no trace where all was quick, and listens to no signal', async () => {
    const { stream, text } = fakeTerminal();
    const listeners = process.listenerCount('SIGINT');
    const quick = createProgress(stream);
    quick.update(1, 2, 'walk');
    await vi.advanceTimersByTimeAsync(100);
    quick.stop();
    await vi.advanceTimersByTimeAsync(3000);
    expect(text()).toBe('');
    const slow = createProgress(stream);
    await vi.advanceTimersByTimeAsync(3000);
    expect(process.listenerCount('SIGINT')).toBe(listeners);
    slow.stop();
  });
});
