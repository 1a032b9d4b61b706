import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import LongestFirst from './scripts/longest-first.ts';

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// Tests run on the sources, so that a change is tested without a build.
export default defineConfig({
  resolve: {
    alias: [
      { find: /^@stuntdouble\/core\/engine$/, replacement: source('packages/core/src/engine.ts') },
      { find: /^@stuntdouble\/core$/, replacement: source('packages/core/src/index.ts') },
      { find: /^@stuntdouble\/formats$/, replacement: source('packages/formats/src/index.ts') },
      {
        find: /^@stuntdouble\/formats\/([a-z]+)$/,
        replacement: source('packages/formats/src/$1/index.ts'),
      },
      { find: /^@stuntdouble\/picture$/, replacement: source('packages/picture/src/index.ts') },
      { find: /^@stuntdouble\/jobs$/, replacement: source('packages/jobs/src/index.ts') },
      { find: /^@stuntdouble\/jobs\/node$/, replacement: source('packages/jobs/src/node/index.ts') },
      {
        find: /^@stuntdouble\/adapters\/([a-z]+)$/,
        replacement: source('packages/adapters/src/$1/index.ts'),
      },
      { find: /^#draco$/, replacement: source('packages/formats/src/gltf/read/draco-node.ts') },
      { find: /^stuntdouble\/printing$/, replacement: source('packages/cli/src/printing.ts') },
      { find: /^stuntdouble\/([a-z]+)$/, replacement: source('packages/adapters/src/$1/index.ts') },
      { find: /^stuntdouble$/, replacement: source('packages/cli/src/index.ts') },
    ],
  },
  test: {
    include: ['packages', 'apps', 'samples', 'bench', 'fuzz', 'examples', 'scripts'].map(
      (folder) => `${folder}/**/*.test.ts`,
    ),
    exclude: ['**/node_modules/**', '**/dist/**'],
    // Files share a process and what it has loaded: loading the engine anew for each took a third of all the time. A test
    // puts back what it changes of the process.
    isolate: false,
    // Both cores of a small machine work; the default leaves one of two to the main process, which has little to do.
    maxWorkers: 2,
    // Limits are for what hangs: a machine that does ten other things takes ten times as long.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    reporters: ['default', source('scripts/skip-reporter.ts')],
    sequence: { sequencer: LongestFirst },
    setupFiles: [source('scripts/fix-random.ts')],
  },
});
