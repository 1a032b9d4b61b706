import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryFolder } from './repository-folder.js';
import type { MemoryRow } from './try-memory.js';

/** What came of one subject. */
export type Row = {
  name: string;
  seed: number;
  cases: number;
  /** Cases of which a result came, of which none did as it should be, and in which something was wrong. */
  results: number;
  refused: number;
  faulty: number;
  /** Cases that took too long, and the longest, in milliseconds of the processor. */
  slow: number;
  slowest: number;
};

const HEADER = `# What fuzzing found

Written by \`npm run fuzz\`; a row is replaced when its subject is tried again. *Refused* is as it should be: a sentence
says why. *Faulty* is everything else that is no sound result. The slowest case is in milliseconds of the processor,
all of its steps together.

| what | date | seed | cases | results | refused | faulty | over 2 s | slowest |
|---|---|---|---|---|---|---|---|---|`;

/** A row in one line, for people who wait. */
export function rowText({ name, cases, results, refused, faulty, slow, slowest }: Row): string {
  return `${name}: ${cases} cases, ${results} results, ${refused} refused, ${faulty} faulty, ${slow} over 2 s, slowest ${Math.round(slowest)} ms`;
}

const MEMORY_HEADER = `## Memory

Each file is read, understood, retargeted from and onto and written in a process of its own. Measured is the peak of the
process over what it had before the file was opened; allowed are twenty times the file, or what its deflated parts
unpack to if that is more, and 64 MB. A bomb is allowed twenty times its own size.

| file | bytes | allowed | peak | processor | end |
|---|---|---|---|---|---|`;

const megabytes = (bytes: number) => (Number.isFinite(bytes) ? `${Math.round(bytes / 2 ** 20)} MB` : '–');
const milliseconds = (time: number) => (Number.isFinite(time) ? `${Math.round(time)} ms` : '–');

/** What a file took, in one line. */
export function memoryText({ name, size, allowed, peak, milliseconds: time, end }: MemoryRow): string {
  return `${name}: ${size} bytes, ${megabytes(peak)} of ${megabytes(allowed)}, ${milliseconds(time)}, ${end}`;
}

/**
 * Puts rows into results.md in place of earlier ones of the same subjects.
 * @param memory All that was measured; where nothing was, what was measured earlier stays.
 */
export function recordResults(rows: readonly Row[], memory: readonly MemoryRow[]): void {
  const path = join(repositoryFolder(), 'fuzz/results.md');
  const kept = new Map<string, string>();
  const [table = '', earlier = ''] = existsSync(path) ? readFileSync(path, 'utf8').split(MEMORY_HEADER) : [];
  if (table !== '')
    for (const line of table.split('\n')) {
      const name = /^\| ((?:files|documents|skeletons)[^|]*?) \|/.exec(line)?.[1];
      if (name !== undefined) kept.set(name, line);
    }
  const date = new Date().toISOString().slice(0, 10);
  for (const { name, seed, cases, results, refused, faulty, slow, slowest } of rows)
    kept.set(
      name,
      `| ${name} | ${date} | ${seed} | ${cases} | ${results} | ${refused} | ${faulty} | ${slow} | ${Math.round(slowest)} ms |`,
    );
  const lines = [...kept].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
  const measured = memory.map(
    ({ name, size, allowed, peak, milliseconds: time, end }) =>
      `| ${name} | ${size} | ${megabytes(allowed)} | ${megabytes(peak)} | ${milliseconds(time)} | ${end.replaceAll('|', '\\|')} |`,
  );
  const below = measured.length > 0 ? `\n${measured.join('\n')}\n` : earlier;
  writeFileSync(path, `${HEADER}\n${lines.join('\n')}\n${below === '' ? '' : `\n${MEMORY_HEADER}${below}`}`);
}
