import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import * as esbuild from 'esbuild';
import { rollup } from 'rollup';
import ts from 'typescript';
import { build as viteBuild } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import webpack from 'webpack';
import { openPage } from './browser.mjs';
import { pack } from './pack.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const sample = (path: string) => join(root, 'samples/files', path);

/** A project of somebody else, in which the tarball was installed and nothing else. */
let user = '';
let made = '';
beforeAll(async () => {
  made = mkdtempSync(join(tmpdir(), 'stuntdouble-pack-'));
  user = mkdtempSync(join(tmpdir(), 'stuntdouble-user-'));
  const tarball = await pack({ out: made, studio: false });
  writeFileSync(join(user, 'package.json'), '{ "name": "user", "private": true, "type": "module" }');
  const words = ['install', '--offline', '--no-audit', '--no-fund', tarball];
  execFileSync('npm', words, { cwd: user, stdio: 'pipe', shell: process.platform === 'win32' });
  cpSync(sample('motions/walk.bvh'), join(user, 'walk.bvh'));
  cpSync(sample('characters/vrm-girl.vrm'), join(user, 'hero.vrm'));
  cpSync(sample('formats/child-draco.glb'), join(user, 'child-draco.glb'));
});
afterAll(() => {
  for (const folder of [made, user]) rmSync(folder, { recursive: true, force: true });
});

/** The lines of an example, as README shows them. */
function shown(example: string): string {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  const found = new RegExp(`<!-- example: ${example} -->\n\`\`\`ts\n([^]*?)\`\`\``).exec(text);
  expect(found, `README shows ${example}`).not.toBeNull();
  return found![1]!;
}

describe('the tarball, in a project of somebody else', () => {
  test('brings nothing else with it, and the licences of what it holds', () => {
    const lock = JSON.parse(readFileSync(join(user, 'package-lock.json'), 'utf8'));
    expect(Object.keys(lock.packages)).toEqual(['', 'node_modules/stuntdouble']);
    const notices = readFileSync(join(user, 'node_modules/stuntdouble/THIRD-PARTY.md'), 'utf8');
    for (const name of ['commander', 'zod', 'fflate', 'meshoptimizer', 'draco3dgltf', 'iobuffer'])
      expect(notices).toMatch(new RegExp(`^## ${name} \\d`, 'm'));
  });

  test("README's lines run", () => {
    writeFileSync(join(user, 'first.mjs'), shown('examples/first.ts'));
    execFileSync(process.execPath, ['first.mjs'], { cwd: user });
    expect(readFileSync(join(user, 'hero-walk.vrm')).length).toBeGreaterThan(
      readFileSync(join(user, 'hero.vrm')).length,
    );
  });

  test('has the command, with Draco inside', () => {
    const command = join(user, 'node_modules/stuntdouble/bin/stuntdouble.js');
    const run = (...words: string[]) =>
      execFileSync(process.execPath, [command, ...words], { cwd: user, encoding: 'utf8' });
    const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8'));
    expect(run('--version')).toBe(`${version}\n`);
    const sheet = join(user, 'sheet.png');
    run('retarget', 'walk.bvh', 'child-draco.glb', '-o', 'out.glb', '--range', '0:0.2', '--picture', sheet);
    expect(readFileSync(sheet).length).toBeGreaterThan(1000);
  });

  test.each([
    { name: 'bundler', module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
    { name: 'nodenext', module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  ])("README's lines type-check with the resolution '$name'", ({ module, moduleResolution }) => {
    // Engines stand beside it where they are used; their types are looked for only then.
    const files = ['first', 'in-a-page'].map((name) => {
      const file = join(user, `${name}.ts`);
      writeFileSync(file, shown(`examples/${name}.ts`));
      return file;
    });
    const wrong = join(user, 'wrong.ts');
    writeFileSync(wrong, "import { read } from 'stuntdouble';\nexport const n: number = await read(1);\n");
    const options = {
      module,
      moduleResolution,
      strict: true,
      noEmit: true,
      types: [],
      target: 99 as const,
    };
    const program = ts.createProgram([...files, wrong], {
      ...options,
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    });
    const said = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => ({
      file: file?.fileName.replace(/.*\//, ''),
      text: ts.flattenDiagnosticMessageText(messageText, ' '),
    }));
    expect(said.filter(({ file }) => file !== 'wrong.ts')).toEqual([]);
    // What is wrong is seen: the types are there, and are no "any".
    expect(said.length).toBeGreaterThan(0);
  });
});

/** README's lines for a page, and what they and a character packed by Draco come to. */
const program = () => `${shown('examples/in-a-page.ts')}
import { createRig } from 'stuntdouble';
const child = await read('child-draco.glb');
const numbers = ({ clips }) => clips.flatMap(({ tracks }) => tracks.flatMap(({ values }) => [...values]));
globalThis.found = {
  bytes: bytes.length,
  hulls: child.characters[0].skeleton.hulls.map((hull) => (hull ? [...hull] : null)),
  height: createRig(child.characters[0].skeleton).space.height,
  hero: numbers(result),
  child: numbers(retarget(walk, child)),
};
`;

type Found = { bytes: number; hulls: (number[] | null)[]; height: number; hero: number[]; child: number[] };

/** Packers of modules for pages, each as its own documentation begins. */
const BUNDLERS: Record<string, (entry: string, outdir: string) => Promise<unknown>> = {
  esbuild: (entry, outdir) =>
    esbuild.build({
      entryPoints: [entry],
      outfile: join(outdir, 'main.js'),
      bundle: true,
      format: 'esm',
      logLevel: 'silent',
    }),
  webpack: (entry, outdir) =>
    new Promise((done, fail) => {
      const output = { path: outdir, filename: 'main.js', publicPath: './' };
      webpack({ mode: 'development', devtool: false, entry, output }, (error, stats) => {
        if (error || stats?.hasErrors()) fail(error ?? new Error(stats?.toString('errors-only')));
        else if (stats?.hasWarnings()) fail(new Error(stats.toString('errors-warnings')));
        else done(stats);
      });
    }),
  rollup: async (entry, outdir) => {
    const warnings: string[] = [];
    const bundle = await rollup({
      input: entry,
      plugins: [nodeResolve()],
      onwarn: ({ message, code }) => {
        if (code !== 'CIRCULAR_DEPENDENCY') warnings.push(message);
      },
    });
    expect(warnings).toEqual([]);
    await bundle.write({ dir: outdir, entryFileNames: 'main.js', format: 'es' });
  },
  vite: (entry, outDir) =>
    viteBuild({
      root: user,
      configFile: false,
      logLevel: 'error',
      build: {
        outDir,
        target: 'es2022',
        emptyOutDir: false,
        rolldownOptions: { input: entry, output: { entryFileNames: 'main.js' } },
      },
      base: './',
    }),
};

describe('packed for pages', () => {
  let server: Server;
  let address = '';
  let node: Found;
  beforeAll(async () => {
    const file = join(user, 'main.mjs');
    writeFileSync(file, program());
    execFileSync(
      process.execPath,
      [
        ...['--input-type=module', '-e'],
        `await import(${JSON.stringify(pathToFileURL(file).href)});
         (await import('node:fs')).writeFileSync('found.json', JSON.stringify(globalThis.found));`,
      ],
      { cwd: user },
    );
    node = JSON.parse(readFileSync(join(user, 'found.json'), 'utf8'));
    server = createServer((request, response) => {
      const path = new URL(request.url!, 'http://page').pathname;
      if (path.endsWith('/')) {
        response.setHeader('content-type', 'text/html');
        response.end('<link rel="icon" href="data:,"><script type="module" src="main.js"></script>');
        return;
      }
      // Files stand beside the page, whoever packed it.
      const place = /\.(bvh|vrm|glb)$/.test(path) ? path.replace(/.*\//, '/') : path;
      if (place.endsWith('.js')) response.setHeader('content-type', 'text/javascript');
      try {
        response.end(readFileSync(join(user, place)));
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test('Node has hulls of what Draco packed, and results', () => {
    expect(node.hulls.filter((hull) => hull !== null).length).toBeGreaterThan(10);
    expect(node.child.length).toBeGreaterThan(1000);
  });

  test.each(Object.keys(BUNDLERS))('%s packs it, and a browser comes to what Node does', async (name) => {
    const outdir = join(user, name);
    mkdirSync(outdir);
    await BUNDLERS[name]!(join(user, 'main.mjs'), outdir);
    const { page, problems, close } = await openPage(`${address}/${name}/`);
    try {
      await page.waitForFunction(() => 'found' in globalThis);
      const found: Found = JSON.parse(await page.evaluate('JSON.stringify(found)'));
      expect(problems).toEqual([]);
      expect(found.bytes).toBe(node.bytes);
      expect(found.hulls).toEqual(node.hulls);
      expect(found.height).toBeCloseTo(node.height, 9);
      for (const which of ['hero', 'child'] as const) {
        expect(found[which].length).toBe(node[which].length);
        const apart = found[which].map((value, i) => Math.abs(value - node[which][i]!));
        // Engines round sines and roots differently in the last place.
        expect(apart.reduce((a, b) => Math.max(a, b), 0)).toBeLessThan(1e-6);
      }
    } finally {
      await close();
    }
  });

  test.each(Object.keys(BUNDLERS))('%s packs the adapters, with an engine', async (name) => {
    for (const peer of ['three', '@babylonjs']) {
      const link = join(user, 'node_modules', peer);
      rmSync(link, { force: true });
      symlinkSync(join(root, 'node_modules', peer), link, 'junction');
    }
    const entry = join(user, `${name}-engines.mjs`);
    // Babylon.js is large: that it can be packed is seen once, and on its page among the examples.
    const engines = name === 'esbuild' ? ['three', 'babylon'] : ['three'];
    writeFileSync(
      entry,
      engines
        .map((engine) => `import * as ${engine} from 'stuntdouble/${engine}'; console.log(${engine});`)
        .join('\n'),
    );
    const outdir = join(user, `${name}-engines`);
    mkdirSync(outdir);
    await BUNDLERS[name]!(entry, outdir);
    expect(readFileSync(join(outdir, 'main.js'), 'utf8')).toContain('createLiveRetargeter');
  });
});
