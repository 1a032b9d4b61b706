import { type AngleSummary, type ClipMeasures, LIMBS } from '@stuntdouble/core';
import { type Cell, layOut } from './table.js';
import type { Terminal } from './terminal.js';
import { degrees, heading } from './words.js';

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
