import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryFolder } from './repository-folder.js';

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

/** Puts rows into results.md in place of earlier ones of the same subjects. */
export function recordResults(rows: readonly Row[]): void {
  const path = join(repositoryFolder(), 'fuzz/results.md');
  const kept = new Map<string, string>();
  if (existsSync(path))
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      const name = /^\| ((?:files|documents|skeletons|memory)[^|]*?) \|/.exec(line)?.[1];
      if (name !== undefined) kept.set(name, line);
    }
  const date = new Date().toISOString().slice(0, 10);
  for (const { name, seed, cases, results, refused, faulty, slow, slowest } of rows)
    kept.set(
      name,
      `| ${name} | ${date} | ${seed} | ${cases} | ${results} | ${refused} | ${faulty} | ${slow} | ${Math.round(slowest)} ms |`,
    );
  const lines = [...kept].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
  writeFileSync(path, `${HEADER}\n${lines.join('\n')}\n`);
}
