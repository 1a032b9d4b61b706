import { addToList } from '@stuntdouble/core/engine';
import type { ManifestEntry } from '@stuntdouble/jobs';
import { escapeXml } from '../measure/junit.js';

/** A JUnit report of a batch: a suite a character, a case a cell. A cell that failed is an error, a limit that was not kept a failure. */
export function batchJunit(entries: readonly ManifestEntry[]): string {
  const suites = new Map<string, ManifestEntry[]>();
  for (const entry of entries) addToList(suites, entry.target, entry);
  const errors = entries.filter(({ state }) => state === 'failed').length;
  const failures = entries.filter(isOff).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${entries.length}" failures="${failures}" errors="${errors}">`,
    ...[...suites].flatMap(([target, cells]) => [
      `  <testsuite name="${escapeXml(target)}" tests="${cells.length}" failures="${cells.filter(isOff).length}" errors="${cells.filter(({ state }) => state === 'failed').length}">`,
      ...cells.map(caseOf),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

/** Whether a cell was done but does not keep a limit. */
export function isOff({ gates }: ManifestEntry): boolean {
  return gates.some(({ passed }) => !passed);
}

function caseOf(entry: ManifestEntry): string {
  const open = `    <testcase classname="${escapeXml(entry.target)}" name="${escapeXml(entry.source)}" time="${(entry.cpuMs ?? 0) / 1000}"`;
  if (entry.error) return `${open}><error message="${escapeXml(entry.error.sentence)}"/></testcase>`;
  const missed = entry.gates.filter(({ passed }) => !passed);
  if (missed.length === 0) return `${open}/>`;
  const told = missed.map(({ flag, limit, value }) => `--${flag} ${limit}: ${value}`).join('; ');
  return `${open}><failure message="${escapeXml(told)}"/></testcase>`;
}
