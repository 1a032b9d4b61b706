import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const live = (engine: string) => ({
  find: `stuntdouble/${engine}/live`,
  replacement: here(`../../packages/adapters/dist/live/${engine}/index.js`),
});

// The pages load the live entries as they are shipped: `npm run build` makes them.
export default defineConfig({
  root: here('.'),
  cacheDir: here('../../node_modules/.vite/example-live'),
  assetsInclude: ['**/*.vrm'],
  resolve: { alias: [live('three'), live('babylon')] },
  build: {
    target: 'es2022',
    rolldownOptions: { input: [here('index.html'), here('babylon.html')] },
  },
  server: { fs: { allow: [here('../..')] } },
});
