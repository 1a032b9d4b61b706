import type { MeasureCurves } from '@stuntdouble/core';

/** A measure over time that the heat strip can show: what is fine, and what is bad. */
export type HeatMeasure = {
  name: 'slide' | 'float' | 'sink' | 'ground';
  title: string;
  unit: string;
  fine: number;
  bad: number;
};

/** The measures of the strip. Limits are those of the report card, per instant. */
export const HEAT_MEASURES: readonly HeatMeasure[] = [
  { name: 'slide', title: 'feet slide', unit: '%/s', fine: 6, bad: 20 },
  { name: 'float', title: 'feet float', unit: '%', fine: 3, bad: 8 },
  { name: 'sink', title: 'feet sink', unit: '%', fine: 2, bad: 5 },
  { name: 'ground', title: 'under the floor', unit: '%', fine: 3, bad: 8 },
];

/** How bad an instant is: 0 fine, up to 1 worth a look, beyond that bad; and by which measure. */
export type Heat = { level: Float32Array; worst: (HeatMeasure | null)[]; values: Float32Array; rate: number };

/** The worst of some measures at each instant. Instants at which nothing can be measured are fine. */
export function heatOf(curves: MeasureCurves, names: readonly string[]): Heat {
  const { count, rate } = curves;
  const level = new Float32Array(count);
  const values = new Float32Array(count);
  const worst = new Array<HeatMeasure | null>(count).fill(null);
  for (const measure of HEAT_MEASURES) {
    if (!names.includes(measure.name)) continue;
    const curve = curves[measure.name];
    for (let k = 0; k < count; k++) {
      const value = curve[k]!;
      // 0 at half of what is fine, 1 where it is bad.
      const heat = (value - measure.fine / 2) / (measure.bad - measure.fine / 2);
      if (!(heat > level[k]!)) continue;
      level[k] = heat;
      values[k] = value;
      worst[k] = measure;
    }
  }
  return { level, worst, values, rate };
}

/** The grade of an instant: fine, worth a look, bad. */
export function gradeOf({ level, worst, values }: Heat, k: number): 0 | 1 | 2 {
  const measure = worst[k];
  if (!measure || !(level[k]! > 0)) return 0;
  return values[k]! > measure.bad ? 2 : values[k]! > measure.fine ? 1 : 0;
}

/** Stretches of one grade, from first to last instant. */
export function heatSpans(heat: Heat): { from: number; to: number; grade: 0 | 1 | 2 }[] {
  const spans: { from: number; to: number; grade: 0 | 1 | 2 }[] = [];
  for (let k = 0; k < heat.level.length; k++) {
    const grade = gradeOf(heat, k);
    const last = spans.at(-1);
    if (last?.grade === grade) last.to = k;
    else spans.push({ from: k, to: k, grade });
  }
  return spans;
}

/** The worst instant of the next bad stretch after a time, or the one before it; null where there is none. */
export function nextSpot(heat: Heat, time: number, way: 1 | -1): number | null {
  const spots = heatSpans(heat)
    .filter(({ grade }) => grade > 0)
    .map(({ from, to }) => {
      let worst = from;
      for (let k = from; k <= to; k++) if (heat.level[k]! > heat.level[worst]!) worst = k;
      return worst / heat.rate;
    });
  const slack = 0.5 / heat.rate;
  const ahead =
    way > 0 ? spots.find((spot) => spot > time + slack) : spots.filter((spot) => spot < time - slack).at(-1);
  return ahead ?? (way > 0 ? spots[0] : spots.at(-1)) ?? null;
}
