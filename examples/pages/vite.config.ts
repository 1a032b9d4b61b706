import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const source = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

// The pages run on the sources, so that they show a change without a build, and load our samples.
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  cacheDir: source('node_modules/.vite/example-pages'),
  publicDir: source('samples/files'),
  resolve: {
    alias: [
      { find: 'stuntdouble/three', replacement: source('packages/adapters/src/three/index.ts') },
      { find: 'stuntdouble/babylon', replacement: source('packages/adapters/src/babylon/index.ts') },
      { find: '@stuntdouble/core/engine', replacement: source('packages/core/src/engine.ts') },
      { find: /^@stuntdouble\/core$/, replacement: source('packages/core/src/index.ts') },
    ],
  },
  build: {
    target: 'es2022',
    rolldownOptions: {
      input: ['three-vrm', 'three-fbx', 'babylon'].map((name) =>
        fileURLToPath(new URL(`${name}.html`, import.meta.url)),
      ),
    },
  },
  server: { fs: { allow: [source('.')] } },
});
