import type { ClipMeasures } from '@stuntdouble/core/engine';
import { escapeXml, figureText, GATES, type Verdict } from '@stuntdouble/jobs';

/**
 * A JUnit report of measured clips, as continuous integration reads it: one case a clip and limit; without
 * limits one a clip, which passes. What could not be measured is skipped. Every case tells all figures.
 */
export function junitReport(clips: readonly ClipMeasures[], verdicts: readonly Verdict[]): string {
  const failures = verdicts.filter(({ passed }) => !passed).length;
  const skipped = verdicts.filter(({ value }) => value === null).length;
  const cases =
    verdicts.length > 0
      ? verdicts.map(caseOf)
      : clips.map(({ name }) => `    <testcase classname="${escapeXml(name)}" name="measured"/>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${cases.length}" failures="${failures}" skipped="${skipped}">`,
    `  <testsuite name="stuntdouble measure" tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}">`,
    ...cases,
    '    <system-out>',
    ...clips.map((clip) => escapeXml(`${clip.name}: ${figuresOf(clip)}`)),
    '    </system-out>',
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function caseOf({ flag, clip, passed, value, message }: Verdict): string {
  const open = `    <testcase classname="${escapeXml(clip ?? 'all clips')}" name="${flag}"`;
  if (value === null) return `${open}><skipped message="${escapeXml(message)}"/></testcase>`;
  return passed ? `${open}/>` : `${open}><failure message="${escapeXml(message)}"/></testcase>`;
}

function figuresOf(clip: ClipMeasures): string {
  return GATES.map(({ flag, unit, value }) => `${flag.slice(4)} ${figureText(value(clip), unit)}`).join(', ');
}
