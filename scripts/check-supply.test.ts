import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { checkSupply, isAllowed, readAudit } from './check-supply.mjs';
import { runScript, writeTree } from './run-script.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

type Entry = Record<string, unknown>;

/** Checks a repository whose one package needs `a`, which needs `b`. */
function check(entries: Record<string, Entry>, files: Record<string, unknown> = {}, own: Entry = {}) {
  const lock = {
    'node_modules/a': { license: 'MIT', integrity: 'sha512-x', dependencies: { b: '1' } },
    'node_modules/b': { license: 'ISC', integrity: 'sha512-x' },
    'node_modules/dev': { license: 'GPL-3.0-only', dev: true, hasInstallScript: true },
    ...entries,
  };
  const root = writeTree({
    'packages/cli/package.json': JSON.stringify({
      name: 'cli',
      license: 'MIT',
      dependencies: { a: '1' },
      devDependencies: { dev: '1' },
      ...own,
    }),
    'package-lock.json': JSON.stringify({ lockfileVersion: 3, packages: lock }),
    ...Object.fromEntries(Object.entries(files).map(([path, content]) => [path, JSON.stringify(content)])),
  });
  folders.push(root);
  return checkSupply(root);
}

describe('check-supply', () => {
  test('passes this repository', () => {
    const { code, lines } = runScript('check-supply.mjs', fileURLToPath(new URL('..', import.meta.url)));
    expect(lines).toEqual([expect.stringMatching(/^supply: \d\d packages of others/)]);
    expect(code).toBe(0);
  });

  test('fails where something is wrong', () => {
    const root = writeTree({
      'packages/cli/package.json': '{ "name": "cli", "license": "GPL-3.0-only" }',
      'package-lock.json': '{}',
    });
    folders.push(root);
    const { code, lines } = runScript('check-supply.mjs', root);
    expect([code, lines]).toEqual([1, ['packages/cli/package.json:1 has the licence GPL-3.0-only']]);
  });

  test('looks at what users install alone, however deep', () => {
    expect(check({})).toEqual({ packages: 2, problems: [] });
    const deep = check({ 'node_modules/b': { license: 'AGPL-3.0-only', integrity: 'x' } });
    expect(deep.problems).toEqual([expect.stringMatching(/b has the licence "AGPL-3.0-only"/)]);
    const nested = check({ 'node_modules/a/node_modules/b': { license: 'GPL-2.0', integrity: 'x' } });
    expect(nested.problems).toEqual([
      expect.stringMatching(/a\/node_modules\/b b has the licence "GPL-2.0"/),
    ]);
  });

  test.each<[string, Record<string, Entry>, Record<string, unknown>, Entry, RegExp]>([
    ['no licence', { 'node_modules/b': { integrity: 'x' } }, {}, {}, /b has the licence of nobody/],
    ['no checksum', { 'node_modules/b': { license: 'MIT' } }, {}, {}, /b has no checksum/],
    [
      'an install script in the lock file',
      { 'node_modules/b': { license: 'MIT', integrity: 'x', hasInstallScript: true } },
      {},
      {},
      /b runs scripts when it is installed/,
    ],
    [
      'an install script in what is installed',
      {},
      { 'node_modules/b/package.json': { license: 'MIT', scripts: { postinstall: 'x' } } },
      {},
      /b runs scripts when it is installed/,
    ],
    [
      'another licence in what is installed',
      {},
      { 'node_modules/a/package.json': { license: 'SSPL-1.0' } },
      {},
      /a has the licence "SSPL-1.0"/,
    ],
    ['a dependency that is not locked', {}, {}, { dependencies: { c: '1' } }, /c, .* is not in it/],
    ['an install script of our own', {}, {}, { scripts: { install: 'x' } }, /runs "install" when installed/],
  ])('refuses %s', (_, entries, files, own, problem) => {
    expect(check(entries, files, own).problems).toEqual([expect.stringMatching(problem)]);
  });

  test('understands expressions of licences', () => {
    for (const licence of ['MIT', '(MIT OR GPL-3.0)', 'MIT AND ISC', '(MIT AND (GPL-3.0 OR Zlib))'])
      expect(isAllowed(licence), licence).toBe(true);
    for (const licence of [
      'GPL-3.0',
      'MIT AND GPL-3.0',
      'SEE LICENSE IN x',
      '',
      undefined,
      'MIT WITH x',
      '(MIT',
    ])
      expect(isAllowed(licence), licence).toBe(false);
  });

  test('tells an answer of the registry from none', () => {
    expect(readAudit('')).toEqual({ answered: false, problems: [] });
    expect(readAudit('{"statusCode":405,"error":{"summary":""}}').answered).toBe(false);
    const none = { vulnerabilities: {}, metadata: { vulnerabilities: { total: 0 } } };
    expect(readAudit(JSON.stringify(none))).toEqual({ answered: true, problems: [] });
    const one = { ...none, vulnerabilities: { b: { name: 'b', severity: 'high', range: '<2' } } };
    expect(readAudit(JSON.stringify(one)).problems).toEqual(['b <2 has a known vulnerability (high)']);
  });
});
