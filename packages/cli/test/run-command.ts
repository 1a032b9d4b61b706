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
export async function runInColumns(columns: number, ...argv: string[]): Promise<Run> {
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
    columns,
    progress: { update: () => {}, stop: () => {} },
  };
  run.code = await main(argv, terminal);
  return run;
}
