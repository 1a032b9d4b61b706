/*
 * One tarball that installs by itself: the command in its one file, the library as modules of its own, the studio, and
 * what they use of others inside, with their licences. It depends on nothing; three.js and Babylon.js are the user's.
 *
 *   node scripts/pack.mjs [--out FOLDER] [--without-studio] [--repository URL]
 *
 * Needs a build (npm run pack makes one). Prints the path of the tarball.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { COMMAND, DRACO } from './bundle.mjs';
import { isMain, listPackages } from './source-files.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What the library is made of, and where each part of it goes. */
const LIBRARIES = ['core', 'formats', 'adapters'];

/** Ways into the command that are for programs of this project alone. */
const OWN = ['./printing'];

/** An import of another package or of an inner name, in modules and in declarations. */
const IMPORT = /(\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)(['"])([@#\w][@#\w./-]*)\2/g;

const manifestOf = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

/** Engines that a user has already; their names stay. */
const PEERS = Object.keys(manifestOf('packages/adapters').peerDependencies);

/** Whether an import is of such an engine, or of a part of it. */
const isPeer = (name) => PEERS.some((peer) => name === peer || name.startsWith(`${peer}/`));

/**
 * Puts the package together in a folder.
 * @param {string} folder where it is made; what was there is removed
 * @param {{ studio?: boolean, repository?: string }} [options]
 */
export async function stage(folder, { studio = true, repository } = {}) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const cli = manifestOf('packages/cli');
  cpSync(join(root, 'packages/cli/bin'), join(folder, 'bin'), { recursive: true });
  cpSync(join(root, COMMAND), join(folder, 'dist/bundle'), { recursive: true });
  for (const name of ['LICENSE', 'README.md']) cpSync(join(root, 'packages/cli', name), join(folder, name));
  cpSync(join(root, 'packages/core/recipe.schema.json'), join(folder, 'recipe.schema.json'));

  const packed = new Set();
  const entries = copyLibraries(folder, cli, packed);
  await packOthers(folder, packed);
  if (studio) {
    execFileSync(
      process.execPath,
      [
        join(root, 'node_modules/vite/bin/vite.js'),
        'build',
        'apps/studio',
        '--outDir',
        join(folder, 'studio'),
        '--emptyOutDir',
      ],
      { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
    );
  }
  const others = new Set(
    ['packages/cli', 'packages/formats', ...(studio ? ['apps/studio'] : [])].flatMap(packagesOf),
  );
  writeFileSync(join(folder, 'THIRD-PARTY.md'), notices([...others].sort()));

  const { peerDependencies, peerDependenciesMeta } = manifestOf('packages/adapters');
  const { name, version, description, license, type, engines, bin } = cli;
  const manifest = {
    ...{ name, version, description, license, type, engines, bin },
    keywords: [
      'animation',
      'retargeting',
      'skeleton',
      'vrm',
      'fbx',
      'bvh',
      'gltf',
      'three',
      'babylonjs',
      'mocap',
    ],
    ...(repository && { repository: { type: 'git', url: repository } }),
    sideEffects: false,
    exports: {
      ...Object.fromEntries(entries),
      './recipe.schema.json': './recipe.schema.json',
      './package.json': './package.json',
    },
    peerDependencies,
    peerDependenciesMeta,
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/**
 * Copies the built modules and declarations, with the names of our own packages made into paths.
 * @param {Set<string>} packed grows by the names of others that they import
 * @returns the ways in, as `exports` names them
 */
function copyLibraries(folder, cli, packed) {
  const places = new Map(
    listPackages(root)
      .filter(({ folder: from }) => LIBRARIES.includes(from.replace('packages/', '')))
      .flatMap(({ folder: from, manifest }) =>
        Object.entries(manifest.exports).flatMap(([way, entry]) =>
          typeof entry === 'object' && entry.types
            ? [
                [
                  posix.join(manifest.name, way),
                  `lib/${from.replace('packages/', '')}/${entry.default.replace('./dist/', '')}`,
                ],
              ]
            : [],
        ),
      ),
  );
  const copy = (from, to) => {
    const text = readFileSync(from, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
    const rewritten = text.replace(IMPORT, (whole, start, quote, name) => {
      if (isPeer(name) || name.startsWith('node:')) return whole;
      const place = name === '#draco' ? 'lib/others/draco.js' : (places.get(name) ?? placeOfOther(name));
      if (!places.has(name) && name !== '#draco' && to.endsWith('.js')) packed.add(name);
      const way = posix.relative(posix.dirname(to), place);
      return `${start}${quote}${way.startsWith('.') ? way : `./${way}`}${quote}`;
    });
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    writeFileSync(join(folder, to), rewritten);
  };
  for (const name of LIBRARIES) {
    const from = join(root, 'packages', name, 'dist');
    // Node's own decoder, and the packed one, which has its place among the others.
    for (const ending of ['.js', '.d.ts'])
      for (const path of listBuilt(from, ending))
        if (path !== 'draco.js' && !/(^|\/)draco-node\.(js|d\.ts)$/.test(path))
          copy(join(from, path), `lib/${name}/${path}`);
  }
  return Object.entries(cli.exports)
    .filter(([way, entry]) => entry.types && !OWN.includes(way))
    .map(([way, { types, default: main }]) => {
      const to = (path) => path.replace('./dist/', 'lib/');
      for (const path of [types, main]) copy(join(root, 'packages/cli', path), to(path));
      return [way, { types: `./${to(types)}`, default: `./${to(main)}` }];
    });
}

/** Paths below a built folder, which other lists leave out. */
function listBuilt(from, ending) {
  return readdirSync(from, { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => path.endsWith(ending))
    .sort();
}

const placeOfOther = (name) => `lib/others/${name.replace(/[^\w]+/g, '-')}.js`;

/** Packs what the library uses of others, each into one module that runs in Node and on pages. */
async function packOthers(folder, names) {
  mkdirSync(join(folder, 'lib/others'), { recursive: true });
  cpSync(join(root, DRACO), join(folder, 'lib/others/draco.js'));
  await build({
    entryPoints: [...names].map((name) => ({ in: name, out: placeOfOther(name).replace(/\.js$/, '') })),
    absWorkingDir: join(root, 'packages/formats'),
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022'],
    legalComments: 'inline',
    logLevel: 'warning',
  });
}

/** The packages of others that one of ours holds once it is packed: what it depends on, however deep, by the lock. */
function packagesOf(folder) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const found = new Set();
  const follow = (needs) => {
    for (const name of Object.keys(needs ?? {})) {
      if (found.has(name)) continue;
      found.add(name);
      const own = packages[`node_modules/${name}`];
      follow(own?.link ? packages[own.resolved]?.dependencies : own?.dependencies);
    }
  };
  follow(manifestOf(folder).dependencies);
  return [...found].filter((name) => !name.startsWith('@stuntdouble/'));
}

/** Names, versions and licences of what is inside. */
function notices(names) {
  const parts = names.map((name) => {
    const folder = [join(root, 'node_modules', name), join(root, 'apps/studio/node_modules', name)].find(
      existsSync,
    );
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    const text = file
      ? readFileSync(join(folder, file), 'utf8').trim()
      : `Under ${license}; the package has no copy of it.`;
    return `## ${name} ${version} (${license})\n\n${text}\n`;
  });
  return `# What this package holds of others\n\n${parts.join('\n')}`;
}

/**
 * Makes the tarball.
 * @param {{ out?: string, studio?: boolean, repository?: string }} [options]
 * @returns {Promise<string>} its path
 */
export async function pack({ out = join(root, 'out'), ...options } = {}) {
  const folder = join(out, 'package');
  await stage(folder, options);
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const path = join(out, `${name}-${version}.tgz`);
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', out], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  return path;
}

if (isMain(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      out: { type: 'string' },
      'without-studio': { type: 'boolean' },
      repository: { type: 'string' },
    },
  });
  const path = await pack({
    ...(values.out && { out: resolve(values.out) }),
    studio: !values['without-studio'],
    ...(values.repository && { repository: values.repository }),
  });
  console.log(relative(process.cwd(), path));
}
