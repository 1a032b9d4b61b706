import type { Growth } from './mapping-growth.js';
import { calibrationOf, type PartGroup, sharesOf, tallyOf, type Verdict } from './score-mapping.js';

/** What was found in one file, in one of the two ways of asking. */
export type MappedFile = {
  file: string;
  kind: string;
  /** Whether the body is in a T-, A- or arms-down pose in some pose at hand. */
  atEase: boolean;
  /** Whether names were replaced, joints shuffled and humanoid blocks removed. */
  scrambled: boolean;
  joints: number;
  readMilliseconds: number;
  milliseconds: number;
  verdicts: Verdict[];
};

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

function verdictsOf(files: readonly MappedFile[], groups?: readonly PartGroup[]): Verdict[] {
  const all = files.flatMap(({ verdicts }) => verdicts);
  return groups ? all.filter(({ group }) => groups.includes(group)) : all;
}

function summaryRow(name: string, verdicts: readonly Verdict[]): string {
  const tally = tallyOf(verdicts);
  const { right, wrong } = sharesOf(tally);
  const sure = verdicts.filter((v) => v.outcome === 'wrong' && v.confidence > 0.9).length;
  const swapped = verdicts.filter((v) => v.swapped).length;
  return `| ${name} | ${tally.right} | ${tally.wrong} | ${tally.abstained} | ${percent(right)} | ${percent(wrong)} | ${swapped} | ${sure} |`;
}

/** The tables of the bench as lines of Markdown: summary, calibration, time, per part, per file. */
export function formatMapping(
  files: readonly MappedFile[],
  unread: readonly string[],
  label: { date: string },
  growth: readonly Growth[] = [],
): string[] {
  const kept = files.filter(({ scrambled }) => !scrambled);
  const lost = files.filter(({ scrambled }) => scrambled);
  const people = (list: readonly MappedFile[]) => list.filter(({ kind }) => kind === 'humanoid');
  const easy = people(lost).filter(({ atEase }) => atEase);
  const fourLegs = (list: readonly MappedFile[]) => list.filter(({ kind }) => kind === 'quadruped');
  const others = (list: readonly MappedFile[]) =>
    list.filter(({ kind }) => kind !== 'humanoid' && kind !== 'quadruped');
  const isCore = ({ part }: Verdict) =>
    /Leg|Foot|Toes|Hip$|Shoulder|^hips|^spine|^neck|^tail|^head/.test(part);
  const lines = [
    '# Body parts found, against labels',
    '',
    `Written by \`npm run bench:mapping -- --save\`, ${label.date}. ${new Set(files.map(({ file }) => file)).size} files. "At ease" is a`,
    'T-, A- or arms-down pose; "swapped" counts left taken for right; "sure and wrong" counts wrong answers above a',
    'confidence of 0.9. A part that has no label counts as wrong where it is given.',
    '',
    '| | right | wrong | abstained | right | wrong | swapped | sure and wrong |',
    '|---|---|---|---|---|---|---|---|',
    summaryRow('names kept, humanoids', verdictsOf(people(kept))),
    summaryRow('names kept, quadrupeds', verdictsOf(fourLegs(kept))),
    summaryRow('names kept, other bodies', verdictsOf(others(kept))),
    summaryRow('names replaced, at ease, 15 required', verdictsOf(easy, ['required'])),
    summaryRow('names replaced, at ease, fingers', verdictsOf(easy, ['fingers'])),
    summaryRow('names replaced, at ease, all', verdictsOf(easy)),
    summaryRow('names replaced, all humanoids', verdictsOf(people(lost))),
    summaryRow(
      'names replaced, quadrupeds: legs, spine, neck, tail, head',
      verdictsOf(fourLegs(lost)).filter(isCore),
    ),
    summaryRow('names replaced, quadrupeds, all', verdictsOf(fourLegs(lost))),
    summaryRow('names replaced, other bodies', verdictsOf(others(lost))),
    '',
    '## How far confidence can be trusted',
    '',
    '| confidence from | names kept | right | names replaced | right |',
    '|---|---|---|---|---|',
  ];
  const lostBins = calibrationOf(verdictsOf(lost));
  calibrationOf(verdictsOf(kept)).forEach(({ from, answers, right }, b) => {
    const other = lostBins[b]!;
    lines.push(
      `| ${from} | ${answers} | ${percent(answers ? right / answers : 1)} | ${other.answers} | ${percent(other.answers ? other.right / other.answers : 1)} |`,
    );
  });
  const sum = (list: readonly MappedFile[], of: (file: MappedFile) => number) =>
    list.reduce((total, file) => total + of(file), 0);
  lines.push(
    '',
    '## Time',
    '',
    `Understanding all rigs with names kept takes ${percent(sum(kept, (f) => f.milliseconds) / sum(kept, (f) => f.readMilliseconds))} of the time of reading them, with names replaced ${percent(sum(lost, (f) => f.milliseconds) / sum(lost, (f) => f.readMilliseconds))}.`,
    '',
    ...(growth.length === 0
      ? []
      : [
          'A person without names and with ever more hair:',
          '',
          '| joints | ms | µs a joint |',
          '|---|---|---|',
          ...growth.map(
            ({ joints, milliseconds }) =>
              `| ${joints} | ${milliseconds.toFixed(2)} | ${((1000 * milliseconds) / joints).toFixed(1)} |`,
          ),
          '',
        ]),
    '## Names replaced, per body part of humanoids',
    '',
    '| part | right | wrong | abstained |',
    '|---|---|---|---|',
  );
  const perPart = new Map<string, Verdict[]>();
  for (const verdict of verdictsOf(people(lost))) {
    const bare = verdict.part.replace(/^(left|right)/, '');
    perPart.set(bare, [...(perPart.get(bare) ?? []), verdict]);
  }
  for (const [part, verdicts] of perPart) {
    const { right, wrong, abstained } = tallyOf(verdicts);
    lines.push(`| ${part} | ${right} | ${wrong} | ${abstained} |`);
  }
  for (const [heading, list] of [
    ['Names kept, per file', kept],
    ['Names replaced, per file', lost],
  ] as const) {
    lines.push('', `## ${heading}`, '');
    lines.push(
      '| file | kind | joints | right | wrong | abstained | wrong answers |',
      '|---|---|---|---|---|---|---|',
    );
    for (const { file, kind, joints, verdicts } of list) {
      const { right, wrong, abstained } = tallyOf(verdicts);
      const remarks = verdicts.flatMap(({ remark }) => (remark ? [remark.replaceAll('|', '\\|')] : []));
      const shown = remarks.length > 4 ? [...remarks.slice(0, 4), '…'] : remarks;
      lines.push(
        `| ${file} | ${kind} | ${joints} | ${right} | ${wrong} | ${abstained} | ${shown.join('; ')} |`,
      );
    }
  }
  if (unread.length > 0) lines.push('', `Not read, or without a skeleton: ${unread.join(', ')}.`);
  return lines;
}
