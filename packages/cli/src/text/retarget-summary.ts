import { oneLine, printable, type Report } from '@stuntdouble/core/engine';
import {
  asTyped,
  constraintWords,
  type FileFacts,
  formatWord,
  type JobReport,
  type MadeFile,
} from '@stuntdouble/jobs';
import type { Terminal } from '../terminal.js';
import { MEASURE_HEADERS, measureCells, measureLegend, motionSummary } from './report-card.js';
import { type Cell, layOut } from './table.js';
import {
  bytes,
  counted,
  degrees,
  factLines,
  heading,
  judgedLines,
  referenceWords,
  seconds,
  short,
  toldJson,
  toldLines,
} from './words.js';

/** What a retarget has come to, for {@link retargetLines} to tell. */
export type Retargeted = {
  files: readonly MadeFile[];
  report: JobReport;
  /** Whether nothing was written. */
  dryRun: boolean;
};

/** The document that `retarget --json` prints. */
export function retargetJson({ files, report, dryRun }: Retargeted) {
  const { retarget, rootMotion, notes, warnings, verdict } = report;
  const paths = files.flatMap(({ kind, name }) => (kind === 'clips' ? [name] : []));
  return {
    output: dryRun ? null : paths.length === 1 ? paths[0]! : paths,
    clips: retarget.clips.map(({ name, frames, duration, way, constraints }) => ({
      ...{ name, frames, duration, way },
      ...(constraints && { constraints }),
    })),
    mapped: retarget.map.joints.length,
    verdict: verdict.verdict,
    reasons: verdict.reasons,
    ...(rootMotion && { rootMotion }),
    ...toldJson([...warnings, ...notes]),
    measures: retarget.measures,
  };
}

/** Tells a person what was read, how it fits, how true each clip is, what to look at, and where it is. */
export function retargetLines(done: Retargeted, terminal: Terminal): string[] {
  const { files, dryRun } = done;
  const { retarget: report, source, target, pictured } = done.report;
  const told = [...done.report.warnings, ...done.report.notes];
  const { colors } = terminal;
  const lines = [
    ...layOut([fileCells(source, report.source, terminal), fileCells(target, report.target, terminal)]),
    '',
    ...factLines(
      source.characters === 0
        ? [morphFact(done.report)]
        : [
            mappedFact(done.report),
            [
              'root',
              `× ${short(report.rootScales.horizontal)} along the floor, × ${short(report.rootScales.vertical)} up`,
              report.rootScales.reason,
            ],
            ...alignmentFacts(report),
          ],
      terminal,
    ),
    '',
    heading(counted(report.clips.length, 'clip'), terminal),
    ...clipLines(report, terminal),
    ...constraintLines(report, terminal),
  ];
  lines.push('', ...judgedLines(done.report.verdict, terminal, report.measures.length > 0));
  if (told.length > 0) lines.push('', ...toldLines(told, terminal));
  lines.push('');
  if (files.filter(({ kind }) => kind === 'clips').length > 1)
    lines.push('A BVH file holds one clip, so there is one file a clip:');
  if (pictured !== null && pictured < report.clips.length)
    lines.push(`The picture shows the first ${pictured} of ${report.clips.length} clips.`);
  for (const file of files)
    lines.push(
      dryRun
        ? colors.dim(`dry run: ${printable(file.name)} was not written`)
        : `${colors.green('wrote')} ${printable(file.name)} ${colors.dim(`(${bytes(file.bytes.byteLength)})`)}`,
    );
  return lines;
}

function fileCells(file: FileFacts, { reference, space }: Report['source'], terminal: Terminal): Cell[] {
  if (file.joints === null || space.height === 0)
    return [{ text: file.name, paint: terminal.colors.bold }, formatWord(file), morphCount(file)];
  return [
    { text: file.name, paint: terminal.colors.bold },
    formatWord(file),
    counted(file.joints, 'joint'),
    `${short(space.height)} m`,
    referenceWords(reference),
    { text: reference.reason, paint: terminal.colors.dim },
  ];
}

function morphCount({ morphTargets }: FileFacts): string {
  return counted(morphTargets, 'morph target');
}

/** What a file without a skeleton moves. */
function morphFact({ drivenMorphs, target }: JobReport): [string, string, string] {
  return [
    'map',
    `${drivenMorphs} of ${morphCount(target)} driven`,
    'morph weights alone: the source has no skeleton',
  ];
}

function mappedFact({ retarget, target }: JobReport): [string, string, string] {
  const { joints, unmapped } = retarget.map;
  return [
    'map',
    `${joints.length} of ${counted(target.joints ?? 0, 'joint')} driven`,
    `${unmapped.target.length} of the target and ${unmapped.source.length} of the source are left over; stuntdouble map lists them`,
  ];
}

/** Limbs that were turned by less than this are not worth a line, in radians (half a degree). */
const NOTABLE_TURN = 0.5 * (Math.PI / 180);

function alignmentFacts(report: Report): [string, string, string][] {
  const groups = new Map<string, { limbs: string[]; turn: number; reason: string; mode: string }>();
  for (const [limb, { mode, turn, roll, reason }] of Object.entries(report.alignment)) {
    if (mode === 'keep' || turn < NOTABLE_TURN) continue;
    // Both sides of a limb are said in one line, and so are all fingers.
    const isFinger = /(Thumb|Index|Middle|Ring|Little)$/.test(limb);
    const key = `${isFinger ? 'fingers' : limb.replace(/^(left|right)/, '')} ${mode} ${roll} ${reason}`;
    const group = groups.get(key) ?? { limbs: [], turn: 0, reason, mode };
    group.limbs.push(isFinger ? 'fingers' : limb);
    group.turn = Math.max(group.turn, turn);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ limbs, turn, reason, mode }) => [
    'rest',
    `${limbWords(limbs)} brought into line, by ${degrees((turn * 180) / Math.PI, 1)}`,
    ALIGNMENT_WORDS[mode as keyof typeof ALIGNMENT_WORDS]?.[reason] ?? reason,
  ]);
}

/** What the engine's reasons mean to who reads a summary for the first time. */
const ALIGNMENT_WORDS = {
  bones: {
    'its directions are the pose, not the body':
      'the two characters rest in different poses; that is no part of the motion',
  } as Record<string, string>,
  line: {
    'its bend at rest is anatomy, its direction is not':
      "the two rest in different poses; the target's own bend at rest stays",
  } as Record<string, string>,
};

/** Limbs in words: both sides of one together. */
function limbWords(limbs: readonly string[]): string {
  const words = new Set<string>();
  for (const limb of limbs) {
    const [, , part] = /^(left|right)(.*)$/.exec(limb) ?? [];
    const isPair = part !== undefined && limbs.includes(`left${part}`) && limbs.includes(`right${part}`);
    words.add(isPair ? `${part.toLowerCase()}s` : limb);
  }
  return [...words].join(', ');
}

const WAY_WORDS = {
  copy: 'copied',
  keys: 'keys kept',
  products: 'keys multiplied',
  frames: 'baked',
} as const;

/** One line a constraint: whether it is met, or missed by how much and when. */
function constraintLines(report: Report, terminal: Terminal): string[] {
  const several = report.clips.filter(({ constraints }) => constraints).length > 1;
  const rows = report.clips.flatMap(({ name: clip, constraints = [] }) =>
    constraints.map((result): Cell[] => {
      const { name, joint, state, times } = result;
      const paint = state === 'met' ? terminal.colors.green : terminal.colors.yellow;
      const place = several ? [clip] : [];
      const when = `${times.in.toFixed(2)} to ${times.out.toFixed(2)} s`;
      return [...place, name, joint === name ? '' : joint, when, { text: constraintWords(result), paint }];
    }),
  );
  if (rows.length === 0) return [];
  return [
    '',
    heading(counted(rows.length, 'constraint'), terminal),
    ...layOut(rows).map((line) => `  ${line}`),
  ];
}

/** How many clips are listed; of more than that, those which are furthest off. */
const MOST_LISTED = 16;

/** One line a clip: how long it is, how it was made, and how true it is. */
function clipLines(report: Report, terminal: Terminal): string[] {
  const measured = report.measures.length > 0;
  const worstOf = (i: number) => {
    const measures = report.measures[i];
    return measures ? Math.max(measures.direction.worst, measures.rotation.worst) : 0;
  };
  const all = report.clips.map((_, i) => i);
  const listed =
    all.length <= MOST_LISTED ? all : [...all].sort((a, b) => worstOf(b) - worstOf(a)).slice(0, MOST_LISTED);
  const rows = listed
    .sort((a, b) => a - b)
    .map((i): Cell[] => {
      const { name, duration, frames, way } = report.clips[i]!;
      const measures = report.measures[i];
      return [
        name === '' ? '(no name)' : name,
        seconds(duration),
        counted(frames, way === 'frames' ? 'frame' : 'key'),
        WAY_WORDS[way],
        ...(measures ? measureCells(measures, terminal) : []),
      ];
    });
  const header = ['clip', '', '', '', ...(measured ? MEASURE_HEADERS : [])];
  const lines = layOut(
    [header.map((text): Cell => ({ text, paint: terminal.colors.dim })), ...rows],
    [
      { most: 40 },
      { align: 'right' },
      { align: 'right' },
      {},
      ...MEASURE_HEADERS.map(() => ({ align: 'right' as const })),
    ],
  ).map((line) => `  ${line}`);
  if (listed.length < all.length) {
    const rest = Math.max(...all.filter((i) => !listed.includes(i)).map(worstOf));
    const quality = measured ? `, none more than ${degrees(rest)} off` : '';
    lines.push(
      terminal.colors.dim(`  and ${all.length - listed.length} more${quality}; --json lists them all`),
    );
  }
  if (measured) lines.push(measureLegend(terminal), ...motionSummary(report.measures, terminal));
  const reduced = report.clips.flatMap((clip) => clip.reduced ?? []);
  if (reduced.length > 0) {
    const sum = (of: 'before' | 'after') => reduced.reduce((total, keys) => total + keys[of], 0);
    lines.push(terminal.colors.dim(`  keys reduced from ${sum('before')} to ${sum('after')}`));
  }
  // Why keys were not kept: a reason that clips share is said once.
  for (const reason of new Set(
    report.clips.filter(({ way }) => way === 'products' || way === 'frames').map((clip) => clip.reason),
  ))
    if (reason !== '')
      lines.push(terminal.colors.dim(`  baked: every frame became a key, since ${asTyped(oneLine(reason))}`));
  return lines;
}
