/*
 * What is made by packing modules together: the command in one file, which starts in less than half the time of its
 * two hundred modules, the Draco decoder with its program inside, for pages, which have no folder to look for it in, and
 * the entries of the adapters for pages, which load what a first frame (bundle-live.mjs) or a clip needs (bundle-page.mjs).
 * All are made from the sources, so that they need no build before them.
 *
 *   node scripts/bundle.mjs      writes packages/cli/dist/bundle, packages/formats/dist/draco.js, packages/adapters/dist/live and packages/adapters/dist/page
 */
import { copyFileSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleLive, LIVE } from './bundle-live.mjs';
import { bundlePage, PAGE } from './bundle-page.mjs';
import { isMain, listPackages } from './source-files.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

/** Where the command and the decoder are written, from the root. */
export const COMMAND = 'packages/cli/dist/bundle';
export const DRACO = 'packages/formats/dist/draco.js';

/** Settings that both have in common: one file of ES modules, for the oldest Node that is promised. */
const SHARED = { bundle: true, format: 'esm', target: ['es2022', 'node20.19'], logLevel: 'warning' };

/**
 * The Draco decoder and its program as one module for any place. It is told to be where no files are: then it takes
 * the program that it is given, and asks for none of Node's modules.
 * @param {string} outfile
 */
export async function bundleDraco(outfile) {
  const decoder = require.resolve('draco3dgltf/draco_decoder_gltf_nodejs.js');
  const program = readFileSync(join(dirname(decoder), 'draco_decoder_gltf.wasm')).toString('base64');
  await build({
    ...SHARED,
    stdin: {
      contents: `import createDecoderModule from ${JSON.stringify(decoder)};
const PROGRAM = '${program}';
export async function createDracoModule() {
  const wasmBinary = Uint8Array.from(atob(PROGRAM), (letter) => letter.charCodeAt(0));
  return createDecoderModule({ wasmBinary });
}`,
      resolveDir: root,
    },
    outfile: join(root, outfile),
    platform: 'neutral',
    minifyWhitespace: true,
    define: { process: 'undefined', __dirname: '""' },
    plugins: [emptyModules(['fs', 'path'])],
    banner: {
      js: '/* The Draco decoder (draco3dgltf 1.5.7, Apache-2.0, https://github.com/google/draco), packed for pages. */',
    },
  });
}

/** Gives nothing for modules that are never asked for where the file runs. */
const emptyModules = (names) => ({
  name: 'empty-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^(${names.join('|')})$`) }, ({ path }) => ({ path, namespace: 'empty' }));
    onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'module.exports = {};' }));
  },
});

/**
 * The command in one file, and beside it the thread that supervises it, which starts in no time since it brings nothing
 * but itself: a module is compiled whole before any of it runs, in each thread again. The Draco decoder stays outside
 * for the same reason.
 * @param {string} outdir
 */
export async function bundleCommand(outdir) {
  const shared = {
    ...SHARED,
    platform: 'node',
    minify: true,
    // Who wants a queue or a bucket installs these beside it.
    external: ['bullmq', 'ioredis', 'aws4fetch'],
    // Modules in CommonJS ask for Node's own by require.
    banner: {
      js: "import { createRequire as __require } from 'node:module';\nconst require = __require(import.meta.url);",
    },
    plugins: [fromSources(), placesOfModules(outdir), noTranslations()],
  };
  const resolveDir = join(root, 'packages/cli/src');
  await Promise.all([
    build({
      ...shared,
      stdin: {
        contents:
          "import './command-thread.js'; export { sentenceOf, systemReasonOf } from '@stuntdouble/jobs';",
        resolveDir,
      },
      outfile: join(root, outdir, 'command.js'),
    }),
    build({
      ...shared,
      stdin: { contents: "export { supervise } from './supervise.js';", resolveDir },
      outfile: join(root, outdir, 'supervise.js'),
      // Words for a command that broke down: the command has them.
      plugins: [elsewhere(/^@stuntdouble\/jobs$/, './command.js'), ...shared.plugins],
    }),
  ]);
}

/** Leaves an import to another file. */
const elsewhere = (filter, path) => ({
  name: 'elsewhere',
  setup: ({ onResolve }) => onResolve({ filter }, () => ({ path, external: true })),
});

/** Leaves out what zod says in forty languages; the command speaks one, its own. */
const noTranslations = () => ({
  name: 'no-translations',
  setup({ onLoad }) {
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
});

/** Resolves our own packages, and the names that these have inside, to their sources. */
export const fromSources = () => ({
  name: 'from-sources',
  setup({ onResolve }) {
    const packages = listPackages(root);
    onResolve({ filter: /^(@stuntdouble\/|stuntdouble$|stuntdouble\/)/ }, ({ path }) => {
      const { folder, manifest } = packages.find(
        ({ manifest: { name } }) => path === name || path.startsWith(`${name}/`),
      );
      const entry = manifest.exports[`.${path.slice(manifest.name.length)}`];
      const built = typeof entry === 'string' ? entry : entry.default;
      return { path: join(root, folder, built.replace('./dist/', 'src/').replace(/\.js$/, '.ts')) };
    });
    // The decoder with its program inside, in a file of its own that is looked at when it is needed.
    onResolve({ filter: /^#draco$/ }, () => ({ path: './draco.js', external: true }));
  },
});

/**
 * Modules that look for files beside themselves look from where they would be if they stood alone; the thread that is
 * started is the one file.
 */
const placesOfModules = (outdir) => ({
  name: 'places-of-modules',
  setup({ onLoad }) {
    onLoad({ filter: /packages[\\/][\w-]+[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return null;
      const built = path.replace(/([\\/])src([\\/])/, '$1dist$2').replace(/\.ts$/, '.js');
      const way = relative(join(root, outdir), built).split(sep).join('/');
      const contents = text
        .replace("'./command-thread.js', import.meta.url", "'./command.js', import.meta.OWN")
        .replaceAll('import.meta.url', `new URL('${way}', import.meta.url).href`)
        .replace('import.meta.OWN', 'import.meta.url');
      return { contents, loader: 'ts' };
    });
  },
});

if (isMain(import.meta.url)) {
  await bundleDraco(DRACO);
  await bundleCommand(COMMAND);
  await bundleLive(LIVE, fromSources());
  await bundlePage(PAGE, fromSources());
  copyFileSync(join(root, DRACO), join(root, COMMAND, 'draco.js'));
}
