/*
 * What a user gets by installing our packages: every dependency, however deep, carries a licence that may be passed
 * on with ours, is pinned by a checksum, and runs nothing while it is installed. With --audit the registry is asked
 * for known vulnerabilities of them, too, where it answers.
 *
 *   node scripts/check-supply.mjs [--audit] [FOLDER]
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMain, listPackages } from './source-files.mjs';

/** Licences that ask for no more than their own text to be passed on. */
const LICENCES = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0'],
  ...['Zlib', 'Unlicense', 'CC0-1.0'],
]);

/** Scripts that npm runs when a package is installed. */
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall'];

/**
 * Whether an SPDX expression leaves a choice that is allowed: of `OR` one side, of `AND` both. Others than these,
 * names and brackets are not understood, and not allowed.
 * @param {string | undefined} licence
 */
export function isAllowed(licence) {
  const words = (licence ?? '').match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const one = () => {
    const word = words[at++];
    if (word !== '(') return LICENCES.has(word ?? '');
    const inner = any();
    return words[at++] === ')' && inner;
  };
  const all = () => {
    let allowed = one();
    while (words[at] === 'AND') {
      at++;
      allowed = one() && allowed;
    }
    return allowed;
  };
  const any = () => {
    let allowed = all();
    while (words[at] === 'OR') {
      at++;
      allowed = all() || allowed;
    }
    return allowed;
  };
  return any() && at === words.length;
}

/**
 * Checks the dependencies of the published packages.
 * @param {string} root the repository
 * @returns {{ packages: number, problems: string[] }} how many packages of others a user installs, and what is wrong
 */
export function checkSupply(root) {
  const problems = [];
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages ?? {};
  const published = listPackages(root).filter(({ manifest }) => manifest.private !== true);
  const own = new Map(published.map(({ folder, manifest }) => [manifest.name, folder]));
  const found = new Set();

  /** Where a package that needs `name` finds it, as Node looks for it: in its own folder, then further up. */
  const find = (from, name) => {
    for (let at = from; ; at = at.replace(/(^|\/)[^/]*$/, '')) {
      const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
      if (lock[path]) return path;
      if (at === '') return null;
    }
  };
  const follow = (from, needs) => {
    for (const name of Object.keys(needs ?? {})) {
      if (own.has(name)) continue;
      const path = find(from, name);
      if (path === null) problems.push(`package-lock.json:1 ${name}, which ${from} needs, is not in it`);
      else if (!found.has(path)) {
        found.add(path);
        const { dependencies, optionalDependencies } = lock[path];
        follow(path, { ...dependencies, ...optionalDependencies });
      }
    }
  };
  for (const { folder, manifest } of published) {
    follow(folder, { ...manifest.dependencies, ...manifest.optionalDependencies });
    if (!isAllowed(manifest.license))
      problems.push(`${folder}/package.json:1 has the licence ${manifest.license ?? 'of nobody'}`);
    for (const script of INSTALL_SCRIPTS)
      if (manifest.scripts?.[script])
        problems.push(`${folder}/package.json:1 runs "${script}" when installed`);
  }
  for (const path of [...found].sort()) {
    const entry = lock[path];
    const name = path.replace(/^.*node_modules\//, '');
    const place = join(root, path, 'package.json');
    // What is installed has the last word, where it is installed: a part for another system is not.
    const manifest = existsSync(place) ? JSON.parse(readFileSync(place, 'utf8')) : null;
    const licence = manifest ? manifest.license : entry.license;
    if (!isAllowed(typeof licence === 'object' ? licence?.type : licence))
      problems.push(
        `${path} ${name} has the licence ${JSON.stringify(licence) ?? 'of nobody'}, which is not allowed`,
      );
    if (!entry.integrity) problems.push(`${path} ${name} has no checksum in package-lock.json`);
    const runs = INSTALL_SCRIPTS.filter((script) => manifest?.scripts?.[script]);
    if (entry.hasInstallScript || runs.length > 0 || existsSync(join(root, path, 'binding.gyp')))
      problems.push(`${path} ${name} runs scripts when it is installed`);
  }
  return { packages: found.size, problems };
}

/**
 * Reads what `npm audit --json` printed.
 * @param {string} text
 * @returns {{ answered: boolean, problems: string[] }} whether the registry answered, and known vulnerabilities
 */
export function readAudit(text) {
  let answer;
  try {
    answer = JSON.parse(text);
  } catch {
    return { answered: false, problems: [] };
  }
  if (answer?.metadata?.vulnerabilities === undefined) return { answered: false, problems: [] };
  const problems = Object.values(answer.vulnerabilities ?? {}).map(
    ({ name, severity, range }) => `${name} ${range} has a known vulnerability (${severity})`,
  );
  return { answered: true, problems };
}

if (isMain(import.meta.url)) {
  const folder = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
  const root = resolve(folder ?? fileURLToPath(new URL('..', import.meta.url)));
  const { packages, problems } = checkSupply(root);
  if (process.argv.includes('--audit')) {
    const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
      cwd: root,
      encoding: 'utf8',
      timeout: 120_000,
      shell: process.platform === 'win32',
    });
    const audit = readAudit(stdout ?? '');
    problems.push(...audit.problems);
    if (!audit.answered) console.log('supply: the registry did not answer npm audit; nothing was looked up');
    else if (audit.problems.length === 0) console.log('supply: npm audit knows of no vulnerability');
  }
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else
    console.log(
      `supply: ${packages} packages of others, all with an allowed licence and a checksum, none with install scripts`,
    );
}
