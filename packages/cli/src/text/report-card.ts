import { type AngleSummary, type ClipMeasures, LIMBS, poolMeasures } from '@stuntdouble/core/engine';
import type { Terminal } from '../terminal.js';
import { type Cell, layOut } from './table.js';
import { counted, degrees, heading, short } from './words.js';

/** Degrees of error up to which a result is as good as the format's numbers (QUALITY: at most 0.1°). */
const GOOD = 0.1;

/** An angle as a cell: green where it is good, yellow where a person would see it. */
function angle(value: number | undefined, { colors }: Pick<Terminal, 'colors'>): Cell {
  if (value === undefined) return '–';
  return {
    text: degrees(value),
    paint: value <= GOOD ? colors.green : value > 1 ? colors.yellow : (text) => text,
  };
}

/** The columns of {@link measureCells}: each error's mean, then its worst. */
export const MEASURE_HEADERS: readonly string[] = [
  'direction',
  'worst',
  'rotation',
  'worst',
  'twist',
  'worst',
];

/** What was measured of a clip as cells of a table, in degrees. */
export function measureCells(clip: ClipMeasures, terminal: Pick<Terminal, 'colors'>): Cell[] {
  return [clip.direction, clip.rotation, clip.twist].flatMap((summary: AngleSummary | null) => [
    angle(summary?.mean, terminal),
    angle(summary?.worst, terminal),
  ]);
}

/** The table of measured clips. */
export function measureTable(clips: readonly ClipMeasures[], terminal: Pick<Terminal, 'colors'>): string[] {
  return layOut(
    [
      ['clip', ...MEASURE_HEADERS, 'samples'].map((text): Cell => ({ text, paint: terminal.colors.dim })),
      ...clips.map((clip): Cell[] => [
        clip.name === '' ? '(no name)' : clip.name,
        ...measureCells(clip, terminal),
        String(clip.samples),
      ]),
    ],
    [{ most: 40 }, ...[...MEASURE_HEADERS, ''].map(() => ({ align: 'right' as const }))],
  ).map((line) => `  ${line}`);
}

/** The directions limb by limb, over all clips: the mean of their means and the worst of all. */
export function limbTable(clips: readonly ClipMeasures[], terminal: Pick<Terminal, 'colors'>): string[] {
  const rows: Cell[][] = [];
  for (const limb of LIMBS) {
    const summaries = clips
      .map(({ direction }) => direction.limbs[limb])
      .filter((summary) => summary !== undefined);
    if (summaries.length === 0) continue;
    const mean = summaries.reduce((sum, summary) => sum + summary.mean, 0) / summaries.length;
    const worst = Math.max(...summaries.map((summary) => summary.worst));
    rows.push([limb, angle(mean, terminal), angle(worst, terminal)]);
  }
  if (rows.length === 0) return [];
  const header = ['limb', 'direction', 'worst'].map((text): Cell => ({ text, paint: terminal.colors.dim }));
  return [
    heading('limb by limb', terminal),
    ...layOut([header, ...rows], [{}, { align: 'right' }, { align: 'right' }]).map((line) => `  ${line}`),
  ];
}

/** What the columns mean, for whoever meets them the first time. */
export function measureLegend({ colors }: Pick<Terminal, 'colors'>): string {
  return colors.dim(
    '  direction of arms, hands, fingers and leg lines, rotation from the reference, twist about the limb: mean and worst',
  );
}

/** A figure as a cell: green up to `good`, yellow beyond `notable`; a dash where it could not be measured. */
function figure(
  value: number | null | undefined,
  good: number,
  notable: number,
  { colors }: Pick<Terminal, 'colors'>,
): Cell {
  if (value === null || value === undefined) return '–';
  const paint = value <= good ? colors.green : value > notable ? colors.yellow : (text: string) => text;
  return { text: short(value), paint };
}

const MOTION_HEADERS = [
  'slide',
  'p99',
  'source',
  'float',
  'sink',
  'sunk',
  'agree',
  'ground',
  'hands',
  'jerk',
  'pops',
];

/** The table of feet, contacts, ground and smoothness: one row a clip, and one for all where there are several. */
export function motionTable(clips: readonly ClipMeasures[], terminal: Pick<Terminal, 'colors'>): string[] {
  const rows = clips.map(({ name, motion }): Cell[] => {
    const { slide, heights, agreement, ground, selfContact, smoothness } = motion;
    return [
      name === '' ? '(no name)' : name,
      figure(slide?.result.mean, 0.5, 3, terminal),
      figure(slide?.result.p99, 2, 15, terminal),
      slide ? short(slide.source.mean) : '–',
      figure(heights?.float.mean, 0.5, 2, terminal),
      figure(heights?.sink.mean, 0.1, 1, terminal),
      figure(heights && (100 * heights.sunkFrames) / heights.frames, 0, 0.1, terminal),
      agreement ? agreementCell(agreement.f1, terminal) : '–',
      figure(ground?.joints.mean, 0.1, 0.3, terminal),
      figure(selfContact?.result.mean, 1.5, 4, terminal),
      smoothness?.jerkRatio == null ? '–' : short(smoothness.jerkRatio),
      figure(
        smoothness && (motion.pops?.count ?? 0) + smoothness.kneePops + smoothness.bendFlips,
        0,
        0,
        terminal,
      ),
    ];
  });
  if (rows.every((row) => row.slice(1).every((cell) => cell === '–'))) return [];
  if (clips.length > 1) {
    const all = poolMeasures(clips.map(({ motion }) => motion));
    rows.push([
      { text: 'all', paint: terminal.colors.bold },
      figure(all.slide?.mean, 0.5, 3, terminal),
      figure(all.slide?.p99, 2, 15, terminal),
      all.slide ? short(all.slide.source) : '–',
      figure(all.float, 0.5, 2, terminal),
      figure(all.sink, 0.1, 1, terminal),
      figure(all.sunk, 0, 0.1, terminal),
      all.agreement === null ? '–' : agreementCell(all.agreement, terminal),
      figure(all.ground, 0.1, 0.3, terminal),
      figure(all.selfContact?.mean, 1.5, 4, terminal),
      all.jerkRatio === null ? '–' : short(all.jerkRatio),
      figure(all.pops + all.kneePops + all.bendFlips, 0, 0, terminal),
    ]);
  }
  const header = ['clip', ...MOTION_HEADERS].map((text): Cell => ({ text, paint: terminal.colors.dim }));
  return [
    heading('feet and body', terminal),
    ...layOut(
      [header, ...rows],
      [{ most: 40 }, ...MOTION_HEADERS.map(() => ({ align: 'right' as const }))],
    ).map((line) => `  ${line}`),
    terminal.colors.dim(
      "  slide of planted feet in % of the hip height a second, and the source's own; float, sink and ground in %;",
    ),
    terminal.colors.dim(
      '  sunk: % of frames; agree: F1 of contacts; hands: % of the arm; jerk: over plain copying; pops: of all joints',
    ),
  ];
}

const ARM_HEADERS = ['touch', 'copied', 'alone', 'carried', 'in body', 'copied'];

/** The table of arms: what touches, what is left alone, what is carried, and what goes through the own body. */
export function armTable(clips: readonly ClipMeasures[], terminal: Pick<Terminal, 'colors'>): string[] {
  const rows = clips.map(({ name, motion, penetration }): Cell[] => [
    name === '' ? '(no name)' : name,
    figure(motion.selfContact?.result.mean, 2, 4, terminal),
    motion.selfContact?.copied ? short(motion.selfContact.copied.mean) : '–',
    figure(motion.armsAlone?.result.mean, 0.1, 1, terminal),
    figure(motion.carriedHands?.result.worst, 1, 3, terminal),
    figure(penetration?.deepest.mean, 1, 3, terminal),
    penetration?.copied ? short(penetration.copied.deepest.mean) : '–',
  ]);
  if (rows.every((row) => row.slice(1).every((cell) => cell === '–'))) return [];
  const header = ['clip', ...ARM_HEADERS].map((text): Cell => ({ text, paint: terminal.colors.dim }));
  return [
    heading('arms', terminal),
    ...layOut([header, ...rows], [{ most: 40 }, ...ARM_HEADERS.map(() => ({ align: 'right' as const }))]).map(
      (line) => `  ${line}`,
    ),
    terminal.colors.dim(
      '  touch: error of what hands touch, in body: deepest skin of arms, % of the arm; alone: degrees; carried: %',
    ),
  ];
}

function agreementCell(f1: number, { colors }: Pick<Terminal, 'colors'>): Cell {
  return { text: short(f1), paint: f1 >= 0.98 ? colors.green : f1 < 0.9 ? colors.yellow : (text) => text };
}

/**
 * The feet of all clips in one line, for the end of a retarget, and limbs that snap in another; empty where nothing
 * stands and nothing snaps.
 */
export function motionSummary(
  clips: readonly ClipMeasures[],
  { colors }: Pick<Terminal, 'colors'>,
): string[] {
  const all = poolMeasures(clips.map(({ motion }) => motion));
  const lines: string[] = [];
  if (all.slide && all.agreement !== null) {
    const sunk = all.sunk === 0 ? 'nothing sunk' : `${short(all.sunk ?? 0)} % of frames sunk`;
    lines.push(
      `  feet slide ${short(all.slide.mean)} %/s ${colors.dim(`(the source's own ${short(all.slide.source)})`)}, contacts agree to ${short(all.agreement)}, ${sunk}`,
    );
  }
  const snaps = [
    ...(all.kneePops > 0 ? [`knees snap ${counted(all.kneePops, 'time')}`] : []),
    ...(all.bendFlips > 0 ? [`knees or elbows turn over ${counted(all.bendFlips, 'time')}`] : []),
  ];
  if (snaps.length > 0) lines.push(colors.yellow(`  ${snaps.join(', ')}`));
  return lines;
}
