import type { MeasureCurves } from '@stuntdouble/core';
import { NOTABLE } from '@stuntdouble/core/engine';
import { inWords } from '../panels/in-words.js';

/** A measure over time that the heat strip can show: what is fine, and what is bad. */
export type HeatMeasure = { name: string; title: string; unit: string; fine: number; bad: number };

/** What is said of curves that have better words than their names. */
const WORDS: Readonly<Record<string, Pick<HeatMeasure, 'title' | 'unit'>>> = {
  slide: { title: 'feet slide', unit: '%/s' },
  float: { title: 'feet float', unit: '%' },
  sink: { title: 'feet sink', unit: '%' },
  ground: { title: 'under the floor', unit: '%' },
  support: { title: 'nothing carries', unit: '%' },
  pops: { title: 'joints pop', unit: '°' },
  selfContact: { title: 'hands off what they touch', unit: '%' },
  armsAlone: { title: 'arms turned for no reason', unit: '°' },
  carriedHands: { title: 'hands off what they carry', unit: '%' },
};

/** Curves with limits of their own, fine and bad per instant; of others the engine says what a person notices. */
const LIMITS: Readonly<Record<string, readonly [number, number]>> = {
  slide: [6, 20],
  float: [3, 8],
  sink: [2, 5],
  ground: [3, 8],
  support: [3, 8],
  selfContact: [6, 15],
  armsAlone: [6, 15],
  carriedHands: [6, 15],
};

/** What is bad, in times what a person notices. */
const BAD = 3;

/** Every curve that has a figure for each instant. Those that nothing limits are drawn, not judged. */
export function curveNames(curves: MeasureCurves): string[] {
  return Object.entries(curves).flatMap(([name, values]) =>
    Array.isArray(values) && values.length === curves.count && typeof values[0] === 'number' ? [name] : [],
  );
}

/** The figures of a curve. */
export function curveValues(curves: MeasureCurves, name: string): readonly number[] {
  return (curves as unknown as Readonly<Record<string, readonly number[]>>)[name] ?? [];
}

/** What a curve is called. */
export function curveTitle(name: string): string {
  return WORDS[name]?.title ?? inWords(name).toLowerCase();
}

/** What a curve is judged by; null where nothing says what is bad of it. */
export function heatMeasure(name: string): HeatMeasure | null {
  const notable = (NOTABLE as Readonly<Record<string, number>>)[name];
  const limits = LIMITS[name] ?? (notable === undefined ? null : ([notable, BAD * notable] as const));
  return (
    limits && {
      name,
      title: curveTitle(name),
      unit: WORDS[name]?.unit ?? '',
      fine: limits[0],
      bad: limits[1],
    }
  );
}

/** The curves that the strip can show: those that are judged, of what was measured last. */
export function heatNames(curves: MeasureCurves | null): string[] {
  return (curves ? curveNames(curves) : Object.keys(LIMITS)).filter((name) => heatMeasure(name) !== null);
}

/** How bad an instant is: 0 fine, up to 1 worth a look, beyond that bad; and by which measure. */
export type Heat = { level: Float32Array; worst: (HeatMeasure | null)[]; values: Float32Array; rate: number };

/**
 * The worst of all measures at each instant. Instants at which nothing can be measured are fine.
 * @param hidden Names of measures that do not count.
 */
export function heatOf(curves: MeasureCurves, hidden: readonly string[]): Heat {
  const { count, rate } = curves;
  const level = new Float32Array(count);
  const values = new Float32Array(count);
  const worst = new Array<HeatMeasure | null>(count).fill(null);
  for (const name of curveNames(curves)) {
    const measure = heatMeasure(name);
    if (!measure || hidden.includes(name)) continue;
    const curve = curveValues(curves, name);
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

/** What is worth a look for less than this, in seconds, is not: at 60 a second a single instant a hair over its limit. */
const BLINK = 0.03;

/** Stretches of one grade, from first to last instant. */
export function heatSpans(heat: Heat): { from: number; to: number; grade: 0 | 1 | 2 }[] {
  const spans: { from: number; to: number; grade: 0 | 1 | 2 }[] = [];
  for (let k = 0; k < heat.level.length; k++) {
    const grade = gradeOf(heat, k);
    const last = spans.at(-1);
    if (last?.grade === grade) last.to = k;
    else spans.push({ from: k, to: k, grade });
  }
  const joined: typeof spans = [];
  for (const { from, to, grade: own } of spans) {
    const grade = own === 1 && (to + 1 - from) / heat.rate < BLINK ? 0 : own;
    const last = joined.at(-1);
    if (last?.grade === grade) last.to = to;
    else joined.push({ from, to, grade });
  }
  return joined;
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
