import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { hasColors, writeToStream } from './terminal.js';

describe('colours', () => {
  it('are for terminals only, unless the user says otherwise', () => {
    expect(hasColors({ isTTY: true }, {})).toBe(true);
    expect(hasColors({ isTTY: false }, {})).toBe(false);
    expect(hasColors({}, {})).toBe(false);
    expect(hasColors({ isTTY: true }, { NO_COLOR: '1' })).toBe(false);
    expect(hasColors({ isTTY: true }, { TERM: 'dumb' })).toBe(false);
    expect(hasColors({ isTTY: false }, { FORCE_COLOR: '1' })).toBe(true);
    expect(hasColors({ isTTY: true }, { FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(false);
    expect(hasColors({ isTTY: true }, { NO_COLOR: '' })).toBe(true);
  });
});

describe('a stream', () => {
  /** A stream that answers every write with an error, as a pipe or device would. */
  const broken = (code: string) => {
    const write = (_: unknown, __: unknown, done: (error: Error) => void) =>
      done(Object.assign(new Error(code), { code, syscall: 'write' }));
    return Object.assign(new Writable({ write }), { fd: -1 }) as unknown as NodeJS.WriteStream & {
      fd: number;
    };
  };

  it('that breaks says why, however often it is written to, and ends nothing', async () => {
    const full = broken('ENOSPC');
    expect(await writeToStream(full, 'x')).toBe('the disk is full');
    const pipe = broken('EPIPE');
    for (let i = 0; i < 20; i++) expect(await writeToStream(pipe, 'x')).toBeNull();
    expect(pipe.listenerCount('error')).toBe(1);
  });
});
