import { type ConstraintResult, type MeasureCurves, missText } from '@stuntdouble/core/engine';
import { escapeXml } from '../escape-xml.js';

/** Where the charts of a page stand, and what draws seconds under them. */
type ChartFrame = { width: number; left: number; axis: (curves: MeasureCurves, y: number) => string };

const HEIGHT = 70;

/** How one constraint came out, in words. */
export function constraintWords({
  state,
  frames,
  missed,
  worst,
  worstTime,
  curve,
}: ConstraintResult): string {
  if (state === 'idle') return 'never counted in full';
  if (state === 'met') return `met in all ${frames} frames`;
  return `missed in ${missed} of ${frames} frames, most by ${missText(worst, curve.unit)} at ${worstTime.toFixed(2)} s`;
}

/**
 * A constraint over time: as a band how much it counted, as a line by how much it was missed. A line up to its
 * constraint's ramps is what the motion had to go there, and no fault.
 */
export function constraintFigure(
  result: ConstraintResult,
  curves: MeasureCurves,
  { width, left, axis }: ChartFrame,
): string {
  const { times, alphas, misses, unit } = result.curve;
  const seconds = Math.max(1, curves.count - 1) / curves.rate;
  const most = misses.reduce((a, b) => Math.max(a, b), 0);
  // A constraint that is met to the last digit has no scale of its own: a millimetre, or a tenth of a degree.
  const high = Math.max(most, unit === 'radians' ? 0.002 : 0.001);
  const x = (time: number) => round(left + ((width - left) * time) / seconds);
  const y = (share: number) => round(4 + (HEIGHT - 8) * (1 - share));
  const band = alphas.map((alpha, k) => `L${x(times[k]!)} ${y(alpha)}`).join('');
  const first = times[0] ?? 0;
  const area = times.length > 0 ? `M${x(first)} ${y(0)}${band}L${x(times[times.length - 1]!)} ${y(0)}Z` : '';
  const line = misses.map((miss, k) => `${k === 0 ? 'M' : 'L'}${x(times[k]!)} ${y(miss / high)}`).join('');
  const title = `constraint ${result.name}${result.joint === '' ? '' : ` (${result.joint})`}`;
  return `<figure><figcaption>${escapeXml(title)}: <strong class="${result.state === 'missed' ? 'look' : 'good'}">${constraintWords(result)}</strong><span class="key" style="background:var(--line)"></span>counts<span class="key" style="background:var(--bad)"></span>miss</figcaption>
<svg viewBox="0 0 ${width} ${HEIGHT + 18}" role="img" aria-label="${escapeXml(`${title} over time`)}">
<path d="${area}" fill="var(--line)" stroke="none"/>
<text x="${left - 6}" y="14" text-anchor="end">${missText(high, unit)}</text>
<text x="${left - 6}" y="${HEIGHT - 2}" text-anchor="end">0</text>
<path d="${line}" fill="none" stroke="var(--bad)" stroke-width="1.5"/>${axis(curves, HEIGHT + 14)}</svg></figure>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
