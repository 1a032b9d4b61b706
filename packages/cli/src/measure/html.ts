import { type ClipMeasures, type Contact, type MeasureCurves, poolMeasures } from '@stuntdouble/core/engine';
import { figureText, GATES, type Verdict } from '@stuntdouble/jobs';
import { escapeXml } from './junit.js';

/** What the page shows. */
export type MeasurePage = {
  source: string;
  result: string;
  clips: readonly ClipMeasures[];
  /** One per clip. */
  curves: readonly MeasureCurves[];
  verdicts: readonly Verdict[];
};

/** The report card as one HTML page that needs nothing else: figures, curves, bad frames and contacts over time. */
export function measurePage({ source, result, clips, curves, verdicts }: MeasurePage): string {
  const failed = verdicts.filter(({ passed }) => !passed);
  const title = `${source} → ${result}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeXml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escapeXml(title)}</h1>
${verdictList(failed, verdicts.length)}
${figureTable(clips)}
${clips.map((clip, n) => clipSection(clip, curves[n])).join('\n')}
</body>
</html>
`;
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1e24; --dim: #6a7280; --line: #d8dce3; --paper: #fff; --a: #2563eb; --b: #d97706; --bad: #dc2626; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8ec; --dim: #9aa3b2; --line: #343a46; --paper: #14171d; --a: #7aa5ff; --b: #f0a850; --bad: #ff6b6b; } }
body { font: 14px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 1000px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.3rem; } h2 { font-size: 1.05rem; margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; display: block; font-size: 12px; overflow-x: auto; }
th, td { text-align: right; padding: .2rem .45rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { font-weight: 500; color: var(--dim); } th:first-child, td:first-child { text-align: left; }
figure { margin: 1rem 0; } figcaption { color: var(--dim); } svg { width: 100%; height: auto; display: block; }
svg text { font: 11px system-ui, sans-serif; fill: var(--dim); }
.bad { color: var(--bad); } .good { color: #16a34a; } .key { display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 1em; }
.dim { color: var(--dim); }
`;

function verdictList(failed: readonly Verdict[], all: number): string {
  if (all === 0) return '';
  if (failed.length === 0) return `<p class="good">All ${all} limits are kept.</p>`;
  return `<ul class="bad">${failed.map(({ message }) => `<li>${escapeXml(message)}</li>`).join('')}</ul>`;
}

function figureTable(clips: readonly ClipMeasures[]): string {
  const heads = GATES.map(({ flag, meaning }) => `<th title="${escapeXml(meaning)}">${flag.slice(4)}</th>`);
  const rows = clips.map(
    (clip) =>
      `<tr><td>${escapeXml(clip.name)}</td>${GATES.map(({ value, unit }) => `<td>${figureText(value(clip), unit)}</td>`).join('')}</tr>`,
  );
  const pooled = poolMeasures(clips.map(({ motion }) => motion));
  const note =
    pooled.slide === null
      ? ''
      : `<p class="dim">All clips: slide ${figureText(pooled.slide.mean, ' %/s')} (the source's own ${figureText(pooled.slide.source, ' %/s')}), contacts agree to ${figureText(pooled.agreement, '')}. Lengths in % of the hip height.</p>`;
  return `<table><thead><tr><th>clip</th>${heads.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>${note}`;
}

const WIDTH = 960;
const LEFT = 90;

function clipSection(clip: ClipMeasures, curves: MeasureCurves | undefined): string {
  const reasons = Object.entries(clip.motion.notMeasured).map(
    ([name, reason]) => `<li>${escapeXml(name)}: ${escapeXml(reason)}</li>`,
  );
  const charts = curves
    ? [
        heatFigure(curves),
        curveFigure('foot slide in contacts, %/s', curves, [[curves.slide, '--a']], 'result'),
        curveFigure(
          'feet over and under the floor in contacts, %',
          curves,
          [
            [curves.float, '--a'],
            [curves.sink, '--bad'],
          ],
          'float',
          'sink',
        ),
        curveFigure(
          'hips over the floor, hip heights',
          curves,
          [
            [curves.sourceHips, '--b'],
            [curves.resultHips, '--a'],
          ],
          'source',
          'result',
        ),
        curveFigure('pops, degrees a frame and frame', curves, [[curves.pops, '--bad']], 'result'),
        ...(curves.skin ? [skinFigure(curves.skin, curves)] : []),
        contactFigure(curves),
      ]
    : [];
  return `<section><h2>${escapeXml(clip.name === '' ? '(no name)' : clip.name)}</h2>
${charts.join('\n')}
${reasons.length > 0 ? `<p class="dim">Not measured:</p><ul class="dim">${reasons.join('')}</ul>` : ''}</section>`;
}

/** The longest edge of loose skin, which is looked at in few instants, over all frames. */
function skinFigure({ times, stretch }: NonNullable<MeasureCurves['skin']>, curves: MeasureCurves): string {
  const line = Array.from({ length: curves.count }, (_, k) => {
    const n = times.findIndex((time) => time >= k / curves.rate - 1e-6);
    return stretch[n < 0 ? stretch.length - 1 : n] ?? Number.NaN;
  });
  return curveFigure(
    'longest edge of skin without a driver, over its rest',
    curves,
    [[line, '--a']],
    'result',
  );
}

/** How bad an instant is, 0 to 1: full at twice what a person notices. */
function badness({ slide, float, sink, ground }: MeasureCurves, k: number): number {
  const part = (value: number, notable: number) => (Number.isFinite(value) ? value / (2 * notable) : 0);
  return Math.min(
    1,
    Math.max(part(slide[k]!, 5), part(float[k]!, 3), part(sink[k]!, 2), part(ground[k]!, 2)),
  );
}

function heatFigure(curves: MeasureCurves): string {
  const cells = Math.min(240, curves.count);
  const width = (WIDTH - LEFT) / cells;
  const parts: string[] = [];
  for (let c = 0; c < cells; c++) {
    let worst = 0;
    const from = Math.floor((c * curves.count) / cells);
    for (let k = from; k < Math.max(from + 1, Math.floor(((c + 1) * curves.count) / cells)); k++)
      worst = Math.max(worst, badness(curves, k));
    const color = `hsl(${Math.round(130 * (1 - worst))} 70% ${Math.round(62 - 14 * worst)}%)`;
    parts.push(
      `<rect x="${num(LEFT + c * width)}" y="0" width="${num(width + 0.3)}" height="22" fill="${color}"/>`,
    );
  }
  return `<figure><figcaption>bad frames: slide, float, sink and body in the ground together</figcaption>
<svg viewBox="0 0 ${WIDTH} 40" role="img" aria-label="bad frames over time">${parts.join('')}${timeAxis(curves, 36)}</svg></figure>`;
}

function curveFigure(
  caption: string,
  curves: MeasureCurves,
  lines: [number[], string][],
  ...keys: string[]
): string {
  const finite = lines.flatMap(([values]) => values.filter(Number.isFinite));
  if (finite.length === 0) return '';
  const high = finite.reduce((a, b) => Math.max(a, b), 0) || 1;
  const low = finite.reduce((a, b) => Math.min(a, b), 0);
  const height = 120;
  const y = (value: number) => num(8 + (height - 16) * (1 - (value - low) / (high - low)));
  const x = (k: number) => num(LEFT + ((WIDTH - LEFT) * k) / Math.max(1, curves.count - 1));
  const paths = lines.map(([values, color]) => {
    let path = '';
    let drawing = false;
    values.forEach((value, k) => {
      if (!Number.isFinite(value)) {
        drawing = false;
        return;
      }
      path += `${drawing ? 'L' : 'M'}${x(k)} ${y(value)}`;
      drawing = true;
    });
    return `<path d="${path}" fill="none" stroke="var(${color})" stroke-width="1.5"/>`;
  });
  const legend = keys
    .map((key, i) => `<span class="key" style="background:var(${lines[i]![1]})"></span>${key}`)
    .join('');
  return `<figure><figcaption>${caption}${legend}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${height + 18}" role="img" aria-label="${escapeXml(caption)}">
<line x1="${LEFT}" x2="${WIDTH}" y1="${y(0)}" y2="${y(0)}" stroke="var(--line)"/>
<text x="${LEFT - 6}" y="14" text-anchor="end">${Number(high.toPrecision(3))}</text>
<text x="${LEFT - 6}" y="${height - 4}" text-anchor="end">${Number(low.toPrecision(3))}</text>
${paths.join('')}${timeAxis(curves, height + 14)}</svg></figure>`;
}

function contactFigure(curves: MeasureCurves): string {
  const names = [...new Set([...curves.sourceContacts, ...curves.resultContacts].map(({ point }) => point))];
  if (names.length === 0) return '';
  const seconds = Math.max(1, curves.count - 1) / curves.rate;
  const row = 22;
  const bars = (contacts: readonly Contact[], color: string, shift: number) =>
    contacts.map(({ point, start, end }) => {
      const x = LEFT + ((WIDTH - LEFT) * start) / seconds;
      const width = Math.max(1, ((WIDTH - LEFT) * (end - start)) / seconds);
      return `<rect x="${num(x)}" y="${names.indexOf(point) * row + shift}" width="${num(width)}" height="7" rx="2" fill="var(${color})"><title>${point} ${start.toFixed(2)}–${end.toFixed(2)} s</title></rect>`;
    });
  const height = names.length * row;
  return `<figure><figcaption>contacts<span class="key" style="background:var(--b)"></span>source<span class="key" style="background:var(--a)"></span>result</figcaption>
<svg viewBox="0 0 ${WIDTH} ${height + 20}" role="img" aria-label="contacts over time">
${names.map((name, i) => `<text x="${LEFT - 6}" y="${i * row + 14}" text-anchor="end">${name}</text>`).join('')}
${bars(curves.sourceContacts, '--b', 2).join('')}${bars(curves.resultContacts, '--a', 11).join('')}${timeAxis(curves, height + 14)}</svg></figure>`;
}

function timeAxis(curves: MeasureCurves, y: number): string {
  const seconds = (curves.count - 1) / curves.rate;
  if (!(seconds > 0)) return '';
  const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60].find((each) => seconds / each <= 12) ?? 120;
  const marks: string[] = [];
  for (let n = 0; n * step <= seconds + 1e-6; n++)
    marks.push(
      `<text x="${num(LEFT + ((WIDTH - LEFT) * n * step) / seconds)}" y="${y}" text-anchor="${n === 0 ? 'start' : 'middle'}">${Number((n * step).toFixed(1))}${n === 0 ? ' s' : ''}</text>`,
    );
  return marks.join('');
}

function num(value: number): number {
  return Math.round(value * 10) / 10;
}
