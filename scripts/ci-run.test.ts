import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { writeTree } from './run-script.js';

/** What the stand-in for npm does: exit codes of its commands, and what the test run leaves behind. */
type Npm = { ci?: number; lint?: number; build?: number; test?: number; results?: unknown; onData?: unknown };

const folders: string[] = [];
const run = ({ ci = 0, lint = 0, build = 0, test = 0, results, onData }: Npm, docsGate = 0) => {
  const npm = [
    '#!/usr/bin/env bash',
    'case "$1 $2" in',
    `  "ci ") exit ${ci} ;;`,
    `  "run lint") exit ${lint} ;;`,
    `  "run build") exit ${build} ;;`,
    '  "test --" | "run test:data")',
    '    for argument in "$@"; do',
    '      case "$argument" in --outputFile.json=*) file=$(echo "$argument" | cut -d= -f2-) ;; esac',
    '    done',
    // The first run knows of no data, the second one does.
    results === undefined ? '' : '    if [ "$STUNTDOUBLE_DATA" = none ]; then cp results.json "$file"; fi',
    onData === undefined ? '' : '    if [ "$STUNTDOUBLE_DATA" != none ]; then cp data.json "$file"; fi',
    `    exit ${test} ;;`,
    'esac',
    'exit 9',
  ].join('\n');
  const script = readFileSync(new URL('../.ci/run', import.meta.url), 'utf8');
  const gates = [...script.matchAll(/node (scripts\/[\w-]+\.mjs)/g)].map(([, path]) => [path!, '']);
  // A clone, and beside it the data where there is any.
  const clone = {
    ...Object.fromEntries(gates),
    '.ci/run': script,
    'bin/npm': npm,
    'results.json': JSON.stringify(results ?? null),
    'data.json': JSON.stringify(onData ?? null),
    'scripts/check-docs.mjs': `process.exit(${docsGate})`,
  };
  const tree = writeTree({
    ...(onData === undefined ? {} : { 'shared/data/README.md': '' }),
    ...Object.fromEntries(Object.entries(clone).map(([path, text]) => [`clone/${path}`, text])),
  });
  const root = join(tree, 'clone');
  folders.push(tree);
  chmodSync(join(root, 'bin/npm'), 0o755);
  const { status, stdout } = spawnSync('bash', [join(root, '.ci/run')], {
    encoding: 'utf8',
    env: {
      ...process.env,
      STUNTDOUBLE_DATA: undefined,
      PATH: `${join(root, 'bin')}${delimiter}${process.env.PATH}`,
    },
  });
  return { code: status, last: stdout.trimEnd().split('\n').at(-1), output: stdout };
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const suite = (status: string, ...tests: string[]) => ({
  name: 'some.test.ts',
  status,
  message: 'cannot be loaded',
  assertionResults: tests.map((each, n) => ({
    status: each,
    fullName: `test ${n}`,
    failureMessages: each === 'failed' ? ['1 is not 2'] : [],
  })),
});
const good = { numPassedTests: 3, testResults: [suite('passed', 'passed', 'passed', 'passed', 'skipped')] };

describe('.ci/run', () => {
  test('ends with the counts of the tests, and succeeds where nothing failed', () => {
    expect(run({ results: good })).toMatchObject({ code: 0, last: '3 passed, 0 failed' });
  });

  test('runs the tests that read real files where these are, and counts both runs', () => {
    const onData = { numPassedTests: 2, testResults: [suite('failed', 'passed', 'passed', 'failed')] };
    expect(run({ results: good, onData })).toMatchObject({ code: 1, last: '5 passed, 1 failed' });
  });

  test('counts failed tests, and suites that do not load', () => {
    const results = {
      numPassedTests: 1,
      testResults: [suite('failed', 'passed', 'failed', 'failed'), suite('failed')],
    };
    const { output, ...ended } = run({ test: 1, results });
    expect(ended).toEqual({ code: 1, last: '1 passed, 3 failed' });
    // The last lines are what a person sees who was not there.
    expect(output.trimEnd().split('\n').slice(-4, -1)).toEqual([
      'failed: some.test.ts: test 1: 1 is not 2',
      'failed: some.test.ts: test 2: 1 is not 2',
      'failed: some.test.ts: cannot be loaded',
    ]);
  });

  test('counts each failed step and still runs the tests', () => {
    const { output, ...ended } = run({ lint: 1, results: good }, 1);
    expect(ended).toEqual({ code: 1, last: '3 passed, 2 failed' });
    expect(output).toContain('failed: lint\nfailed: doc gate\n3 passed');
  });

  test('fails where the test run fails without saying why', () => {
    expect(run({ test: 1, results: good })).toMatchObject({ code: 1, last: '3 passed, 1 failed' });
    expect(run({ test: 1 })).toMatchObject({ code: 1, last: '0 passed, 1 failed' });
  });

  test('stops after an install or a build that failed', () => {
    expect(run({ ci: 1, results: good })).toMatchObject({ code: 1, last: '0 passed, 1 failed' });
    const { code, last, output } = run({ build: 2, results: good });
    expect({ code, last }).toEqual({ code: 1, last: '0 passed, 1 failed' });
    expect(output).not.toContain('== tests');
  });

  test('fails where no test ran at all', () => {
    expect(run({ results: { numPassedTests: 0, testResults: [] } })).toMatchObject({ code: 1 });
  });
});
