import pc from 'picocolors';
import { main } from '../src/main.js';
import type { Terminal } from '../src/terminal.js';

/** What a command line printed and how it ended. */
export type Run = { code: number; out: string; err: string; bytes?: Uint8Array[] };

/** Runs a command line in this process, as in a pipe: no colours, no progress. */
export function runCommand(...argv: string[]): Promise<Run> {
  return runInColumns(Number.POSITIVE_INFINITY, ...argv);
}

/** The same in a terminal that is so many letters wide. */
export function runInColumns(columns: number, ...argv: string[]): Promise<Run> {
  return runIn({ columns }, ...argv);
}

/** The same with somebody who hears what is told while the work goes on, and may ask for its end. */
export function runHeard(hear: (line: string, stop: () => void) => void, ...argv: string[]): Promise<Run> {
  const stops: (() => void)[] = [];
  const tellNow = (line: string) =>
    hear(line, () => {
      for (const stop of stops) stop();
    });
  return runIn({ tellNow, onStop: (listener) => void stops.push(listener) }, ...argv);
}

async function runIn(more: Partial<Terminal>, ...argv: string[]): Promise<Run> {
  const run: Run = { code: -1, out: '', err: '' };
  const colors = pc.createColors(false);
  const terminal: Terminal = {
    out: (text) => {
      run.out += text;
    },
    outBytes: (bytes) => {
      run.bytes = [...(run.bytes ?? []), bytes];
    },
    err: (text) => {
      run.err += text;
    },
    colors,
    errorColors: colors,
    columns: Number.POSITIVE_INFINITY,
    progress: { update: () => {}, stop: () => {} },
    ...more,
  };
  run.code = await main(argv, terminal);
  return run;
}
