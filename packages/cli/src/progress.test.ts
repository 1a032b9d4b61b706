import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createProgress } from './progress.js';

/** A stream that says it is a terminal and remembers what it was sent. */
function fakeTerminal(): { stream: NodeJS.WriteStream; text: () => string } {
  const chunks: string[] = [];
  const stream = Object.assign(new PassThrough(), {
    isTTY: true,
    columns: 80,
    rows: 24,
    cursorTo: () => true,
    clearLine: () => true,
    moveCursor: () => true,
    clearScreenDown: () => true,
  });
  stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => chunks.join('') };
}

describe('progress', () => {
  it('is silent where nobody watches', () => {
    const progress = createProgress({ progress: null });
    progress.update(1, 2, 'walk');
    progress.stop();
    progress.stop();
  });

  it('shows how far it is and what it works on, and gives the cursor back', () => {
    const { stream, text } = fakeTerminal();
    const progress = createProgress({ progress: stream });
    progress.update(1, 4, 'walk');
    progress.stop();
    expect(text()).toContain('25%  walk');
    // Show the cursor, as the terminal had it before.
    expect(text().lastIndexOf('\u001b[?25h')).toBeGreaterThan(text().lastIndexOf('\u001b[?25l'));
  });

  it('leaves no trace where nothing was ever under way', () => {
    const { stream, text } = fakeTerminal();
    createProgress({ progress: stream }).stop();
    expect(text()).toBe('');
  });
});
