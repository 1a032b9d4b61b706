import { expect, test } from 'vitest';
import SkipReporter from './skip-reporter.js';

const one = (state: string, fullName: string) => ({
  module: { relativeModuleId: 'a.test.ts' },
  fullName,
  result: () => ({ state }),
});

test('every test that was left out is listed once, with its reason and the share of them', () => {
  const tests = [
    one('passed', 'walks'),
    one('skipped', 'real captures (needs ../shared/data)'),
    one('skipped', 'reads pipes'),
    one('failed', 'runs'),
  ];
  const modules = [{ children: { allTests: () => tests } }];
  const lines: string[] = [];
  new SkipReporter().onTestRunEnd(modules as never, [], 'passed', (line) => lines.push(line));
  expect(lines).toEqual([
    '\n2 of 4 tests were left out (50.0 %):',
    '  a.test.ts: real captures: needs ../shared/data',
    '  a.test.ts: reads pipes: not for this system',
  ]);
});
