import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { minify } from 'terser';
import { defineConfig, type Plugin } from 'vite';

const source = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** What a page of the studio may do, where no server says so: it speaks to no other host. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' blob: data:; font-src 'self'; connect-src 'self' blob: data:; worker-src 'self'; base-uri 'none'; form-action 'none'";

/** Writes the policy into the built page, for hosts that send no headers. */
const policy: Plugin = {
  name: 'policy',
  apply: 'build',
  transformIndexHtml: () => [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY },
      injectTo: 'head-prepend',
    },
  ],
};

/** Gives the Draco decoder its program as a file of the build: by itself it looks for it where only Node finds it. */
const draco: Plugin = {
  name: 'draco',
  enforce: 'pre',
  resolveId: (id) => (id === '#draco' ? '\0draco' : null),
  load: (id) =>
    id === '\0draco'
      ? `import factory from '${source('node_modules/draco3dgltf/draco_decoder_gltf_nodejs.js')}';
import program from '${source('node_modules/draco3dgltf/draco_decoder_gltf.wasm')}?url';
export const createDracoModule = () => factory({ locateFile: () => program });`
      : null,
};

/** Functions of the formats that come only with a file that needs them, by the module that has them. */
const WHEN_NEEDED: Record<string, string> = {
  'bvh/read-bvh': 'readBvh',
  'bvh/write-bvh-scene': 'writeBvhScene',
  'fbx/read/read-fbx': 'readFbx',
  'fbx/write/write-fbx': 'writeFbx',
  'gltf/read/read-dressed-meshes': 'readDressedMeshes',
  'gltf/write/write': 'writeGltf',
  'vrma/index': 'writeVrma',
};

/** Puts a function that fetches its program first in the place of each of these; all of them give promises. */
const whenNeeded: Plugin = {
  name: 'when-needed',
  enforce: 'pre',
  async resolveId(id, importer, options) {
    if (!importer?.includes('/packages/formats/src/')) return null;
    const found = await this.resolve(id, importer, { ...options, skipSelf: true });
    const path = found?.id.split('/packages/formats/src/')[1]?.replace(/\.ts$/, '');
    return path && WHEN_NEEDED[path] ? `\0when-needed:${path}` : null;
  },
  load(id) {
    const path = id.startsWith('\0when-needed:') ? id.slice('\0when-needed:'.length) : '';
    const name = WHEN_NEEDED[path];
    return name
      ? `export const ${name} = async (...given) => (await import('${source(`packages/formats/src/${path}.ts`)}')).${name}(...given);`
      : null;
  },
};

/**
 * Leaves out of the worker what only the page and the command show: the sentences about options and passes, their defaults
 * in words, and what is said of flags.
 */
const wordless: Plugin = {
  name: 'wordless',
  transform: (code, id) =>
    /\/packages\/core\/src\/(options\/lists|passes)\//.test(id)
      ? {
          code: code.replace(/\b(summary|says|default):\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")/g, "$1: ''"),
          map: null,
        }
      : null,
};

/** Leaves out of the worker what corrects poses live: it moves whole clips, which are planned before they are moved. */
const neverLive: Plugin = {
  name: 'never-live',
  enforce: 'pre',
  async load(id) {
    if (!id.includes('/packages/core/src/goals/live/')) return null;
    const names = (await readFile(id, 'utf8')).matchAll(/^export function (\w+)/gm);
    return Array.from(
      names,
      ([, name]) =>
        `export const ${name} = () => { throw new Error('${name} is for poses that come live'); };`,
    ).join('\n');
  },
};

/**
 * Takes a second look at programs that are minified: it saves a hundredth more of the worker by gzip (245.8 to 243.3 kB).
 * By itself, as vite's `build.minify`, terser leaves workers as they are.
 */
const smaller: Plugin = {
  name: 'smaller',
  apply: 'build',
  enforce: 'post',
  async generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      const { code } = await minify(chunk.code, { module: true, compress: { passes: 2 }, ecma: 2020 });
      if (code && code.length < chunk.code.length) chunk.code = code;
    }
  },
};

// The studio runs on the sources, so that it shows a change without another build.
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  assetsInclude: ['**/*.vrm', '**/*.bvh', '**/*.glb'],
  plugins: [react(), policy, draco, whenNeeded, smaller],
  worker: { format: 'es', plugins: () => [draco, whenNeeded, neverLive, wordless, smaller] },
  resolve: {
    alias: [
      { find: /^@stuntdouble\/core\/engine$/, replacement: source('packages/core/src/engine.ts') },
      { find: /^@stuntdouble\/core$/, replacement: source('packages/core/src/index.ts') },
      { find: /^@stuntdouble\/formats$/, replacement: source('packages/formats/src/index.ts') },
      { find: /^@stuntdouble\/formats\/kinds$/, replacement: source('packages/formats/src/kinds/index.ts') },
    ],
  },
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
    target: 'es2022',
  },
  server: { fs: { allow: [source('.')] } },
});
