/*
 * The tests that read real files from ../shared/data, where these are; all others are the same without them.
 *
 *   node scripts/data-tests.mjs [ARGUMENTS OF VITEST …]
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMain, listFiles } from './source-files.mjs';

/** Modules through which tests come to the files, and the variable that names their folder. */
const WAYS =
  /real-data\.js|data-files\.js|adapters-three-files\.js|adapters-babylon-stage\.js|quality-files\.js|\bDATA_FOLDER\b|shared\/data/;

/**
 * Lists the test files that read the data.
 * @param {string} root the repository
 * @returns {string[]}
 */
export function dataTests(root) {
  return ['packages', 'apps', 'samples', 'bench', 'fuzz', 'examples']
    .flatMap((folder) => listFiles(root, folder, '.test.ts'))
    .filter((path) => WAYS.test(readFileSync(join(root, path), 'utf8')));
}

if (isMain(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const { status } = spawnSync(
    process.execPath,
    [vitest, 'run', ...dataTests(root), ...process.argv.slice(2)],
    { cwd: root, stdio: 'inherit' },
  );
  process.exitCode = status ?? 1;
}
