import pc from 'picocolors';
import { main } from '../src/main.js';
import type { Terminal } from '../src/terminal.js';

/** What a command line printed and how it ended. */
export type Run = { code: number; out: string; err: string };

/** Runs a command line in this process, as in a pipe: no colours, no progress. */
export async function runCommand(...argv: string[]): Promise<Run> {
  const run: Run = { code: -1, out: '', err: '' };
  const colors = pc.createColors(false);
  const terminal: Terminal = {
    out: (text) => {
      run.out += text;
    },
    err: (text) => {
      run.err += text;
    },
    colors,
    errorColors: colors,
    columns: Number.POSITIVE_INFINITY,
    progress: { update: () => {}, stop: () => {} },
  };
  run.code = await main(argv, terminal);
  return run;
}
