import type { ClipMeasures } from '@stuntdouble/core';
import { inWords } from '../in-words.js';

/** A group of figures that stand together in a report, such as mean, p99 and worst of something. */
export type FigureRow = { path: string; title: string; figures: { name: string; text: string }[] };

/**
 * Every figure of a clip's measures, group by group, as the engine has them: read from what is there, so that a measure
 * that comes to the engine comes here, too. Lists and what could not be measured are left out.
 */
export function allFigures(measures: ClipMeasures): FigureRow[] {
  const { motion, ...rest } = measures;
  const { notMeasured: _, ...moving } = motion;
  return groupsOf({ ...rest, ...moving }, []);
}

function groupsOf(value: object, path: readonly string[]): FigureRow[] {
  const figures: FigureRow['figures'] = [];
  const below: FigureRow[] = [];
  for (const [name, part] of Object.entries(value)) {
    if (typeof part === 'number' && Number.isFinite(part)) figures.push({ name, text: figureText(part) });
    else if (typeof part === 'object' && part !== null && !Array.isArray(part) && !ArrayBuffer.isView(part))
      below.push(...groupsOf(part, [...path, name]));
  }
  if (figures.length === 0) return below;
  return [{ path: path.join('.'), title: titleOf(path), figures }, ...below];
}

function titleOf(path: readonly string[]): string {
  const words = path.map((name) => inWords(name).toLowerCase()).join(', ');
  return words === '' ? 'Clip' : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Three digits are enough; what rounds to less than a thousandth is 0. */
function figureText(value: number): string {
  return Math.abs(value) < 0.0005 ? '0' : String(Number(value.toPrecision(3)));
}
