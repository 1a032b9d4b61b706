import { addToList } from '@stuntdouble/core/engine';
import { escapeXml, figureText, type ManifestEntry, sourceWords } from '@stuntdouble/jobs';

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

/** Whether a cell was done but is broken, or does not keep a limit. */
export function isOff({ gates, verdict }: ManifestEntry): boolean {
  return verdict === 'broken' || gates.some(({ passed }) => !passed);
}

/** What is wrong with a cell that was done. */
export function offWords({ gates, verdict, reasons }: ManifestEntry): string[] {
  return [
    ...(verdict === 'broken' ? [`broken: ${reasons[0]}`] : []),
    ...gates
      .filter(({ passed }) => !passed)
      .map(({ flag, limit, value }) => `--${flag} ${limit} is ${figureText(value, '')}`),
  ];
}

function caseOf(entry: ManifestEntry): string {
  const open = `    <testcase classname="${escapeXml(entry.target)}" name="${escapeXml(sourceWords(entry))}" time="${(entry.cpuMs ?? 0) / 1000}"`;
  if (entry.error) return `${open}><error message="${escapeXml(entry.error.sentence)}"/></testcase>`;
  if (!isOff(entry)) return `${open}/>`;
  return `${open}><failure message="${escapeXml(offWords(entry).join('; '))}"/></testcase>`;
}
