import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const source = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

// The page runs on the sources, so that it shows a change without a build.
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Of its own, so that both pages can be open at once.
  cacheDir: source('node_modules/.vite/example-babylon'),
  resolve: {
    alias: [
      { find: 'stuntdouble/babylon', replacement: source('packages/adapters/src/babylon/index.ts') },
      { find: '@stuntdouble/core/engine', replacement: source('packages/core/src/engine.ts') },
      { find: '@stuntdouble/core', replacement: source('packages/core/src/index.ts') },
    ],
  },
  server: { fs: { allow: [source('.')] } },
});
