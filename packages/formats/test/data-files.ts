import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Real characters and motions, which stand beside the repository and are never part of it. */
export const DATA_FOLDER = fileURLToPath(new URL('../../../../shared/data/', import.meta.url));

/** For `describe.skipIf(!hasData)`; titles of such tests say 'needs ../shared/data'. */
export const hasData = existsSync(DATA_FOLDER);

/** All files with one of the extensions, as paths within the folder. */
export function dataFiles(pattern: RegExp): string[] {
  if (!hasData) return [];
  const files = readdirSync(DATA_FOLDER, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => pattern.test(file)).sort();
}

/** The bytes of one file. */
export function readData(file: string): Uint8Array {
  return new Uint8Array(readFileSync(DATA_FOLDER + file));
}

/** How many joints the catalogue counts in a file's skins; null where it counts nodes. */
export function cataloguedJoints(file: string): number | null {
  const row = readFileSync(`${DATA_FOLDER}README.md`, 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| ${file} |`));
  const cell = row?.split('|')[4]?.trim() ?? '';
  return /nodes/.test(cell) ? null : Number.parseInt(cell, 10);
}
