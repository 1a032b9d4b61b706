import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DATA_FOLDER, describeData, hasData } from '../../core/test/real-data.js';

export { DATA_FOLDER, describeData, hasData };

/** Our own characters and motions, which every clone has. */
export const SAMPLES_FOLDER = fileURLToPath(new URL('../../../samples/files/', import.meta.url));

/** What the names of our own files begin with, where they stand among others. */
const SAMPLES = 'samples/';

/** All of our own files with one of the extensions, as `samples/…`. */
export function sampleFiles(pattern: RegExp): string[] {
  const files = readdirSync(SAMPLES_FOLDER, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => pattern.test(file))
    .map((file) => SAMPLES + file.replaceAll('\\', '/'))
    .sort();
}

/** Our own files, and the real ones where they are: what a test shows on the one, it shows on the other. */
export function allFiles(pattern: RegExp): string[] {
  return [...sampleFiles(pattern), ...dataFiles(pattern)];
}

/** Where a file stands: ours in the repository, the others beside it. */
export function pathOf(file: string): string {
  return file.startsWith(SAMPLES) ? SAMPLES_FOLDER + file.slice(SAMPLES.length) : DATA_FOLDER + file;
}

/** Those of a list that can be read here: ours, and the real ones where they are. */
export function present<T extends string | readonly [string, ...unknown[]]>(rows: readonly T[]): T[] {
  return rows.filter((row) => hasData || (typeof row === 'string' ? row : row[0]).startsWith(SAMPLES));
}

/** All files with one of the extensions, as paths within the folder. */
export function dataFiles(pattern: RegExp): string[] {
  if (!hasData) return [];
  const files = readdirSync(DATA_FOLDER, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => pattern.test(file)).sort();
}

/** The bytes of one file. */
export function readData(file: string): Uint8Array {
  return new Uint8Array(readFileSync(pathOf(file)));
}

/** How many joints the catalogue counts in a file's skins; null where it counts nodes. */
export function cataloguedJoints(file: string): number | null {
  if (file.startsWith(SAMPLES)) return null;
  const row = readFileSync(`${DATA_FOLDER}README.md`, 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| ${file} |`));
  const cell = row?.split('|')[4]?.trim() ?? '';
  return /nodes/.test(cell) ? null : Number.parseInt(cell, 10);
}
