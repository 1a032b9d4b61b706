import {
  type BadMoment,
  type ClipMeasures,
  type ConstraintResult,
  type Contact,
  heatWords,
  type MeasureCurves,
  poolMeasures,
  type ResultVerdict,
  verdictOfClip,
} from '@stuntdouble/core/engine';
import { escapeXml } from '../escape-xml.js';
import { constraintFigure } from './constraint-figure.js';
import { figureText, GATES, type Verdict } from './gates.js';

/** What the page shows. */
export type MeasurePage = {
  source: string;
  result: string;
  clips: readonly ClipMeasures[];
  /** One per clip. */
  curves: readonly MeasureCurves[];
  verdicts: readonly Verdict[];
  /** How constraints came out, one list per clip, where the result was made with some. */
  constraints?: readonly (readonly ConstraintResult[])[];
  /** What is to be thought of the result, and why. */
  judged: ResultVerdict;
  /** Draws a moment of a clip, given by its place, as a PNG. */
  drawMoment: (clip: number, moment: BadMoment) => Uint8Array;
};

/** So many moments are drawn in a page, of the worst clips: more are neither looked at nor light to carry. */
const MOST_PICTURES = 24;

/**
 * The report card as one HTML page that needs nothing else: the verdict, the worst moments as pictures, figures, curves,
 * bad frames and contacts over time, worst clips first.
 */
export function measurePage({
  source,
  result,
  clips: all,
  curves: drawn,
  verdicts,
  constraints = [],
  judged,
  drawMoment,
}: MeasurePage): string {
  const order = worstFirst(all, judged);
  const clips = order.map((n) => all[n]!);
  const curves = order.map((n) => drawn[n]);
  const failed = verdicts.filter(({ passed }) => !passed);
  const title = `${source} → ${result}`;
  let drawnMoments = 0;
  const strips = order.map((n, place) => {
    const moments = curves[place]?.heat?.moments ?? [];
    const shown = moments.slice(0, MOST_PICTURES - drawnMoments);
    drawnMoments += shown.length;
    return momentStrip(shown, (moment) => drawMoment(n, moment));
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeXml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header><p class="dim">Report card</p><h1>${escapeXml(source)} <span class="dim">→</span> ${escapeXml(result)}</h1></header>
${judgedSection(judged)}
${verdictList(failed, verdicts.length)}
${tiles(clips)}
${clips.map((clip, n) => clipSection(clip, curves[n], constraints[order[n]!] ?? [], strips[n]!, verdictOfClip(judged, clip.name), clips.length > 1)).join('\n')}
<section><h2>All figures</h2>
${figureTable(clips)}
${legend()}</section>
</body>
</html>
`;
}

const STYLE = `
:root { color-scheme: light dark; --ink: #22262d; --dim: #666d78; --line: #dedbd4; --page: #f3f2ee; --card: #fcfbf9; --a: #2563eb; --b: #b45309; --good: #15803d; --bad: #dc2626; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8ec; --dim: #9aa3b2; --line: #343a46; --page: #14171d; --card: #1c2028; --a: #7aa5ff; --b: #f0a850; --good: #4ade80; --bad: #ff7b7b; } }
* { box-sizing: border-box; }
body { font: 15px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--page); max-width: 1000px; margin: 2rem auto 4rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1.2rem; overflow-wrap: anywhere; } header p { margin: 0; }
h2 { font-size: 1.15rem; margin: 0 0 .6rem; overflow-wrap: anywhere; } h3 { font-size: .95rem; margin: 1.4rem 0 .5rem; }
section, .verdict { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.2rem; margin: 1rem 0; }
.verdict { border-left: 6px solid currentColor; } .verdict p { margin: 0; color: var(--ink); } .verdict p strong { font-size: 1.25rem; margin-right: .4rem; }
.verdict ul { margin: .6rem 0 0; padding-left: 1.2rem; color: var(--ink); }
.good { color: var(--good); } .look { color: var(--b); } .broken, .bad { color: var(--bad); } .dim { color: var(--dim); }
.pill { font-size: .75rem; font-weight: 600; border: 1px solid currentColor; border-radius: 99px; padding: .1rem .55rem; margin-left: .5rem; vertical-align: .15em; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(165px, 1fr)); gap: .7rem; margin: 1rem 0; padding: 0; }
.tiles div { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .7rem .9rem; }
.tiles dt { color: var(--dim); font-size: .8rem; } .tiles dd { margin: 0; } .tiles strong { font-size: 1.35rem; font-weight: 600; font-variant-numeric: tabular-nums; } .tiles small { display: block; color: var(--dim); line-height: 1.35; }
.moments { display: grid; grid-template-columns: repeat(auto-fill, minmax(250px, 1fr)); gap: .8rem; list-style: none; margin: 0; padding: 0; }
.moments img { width: 100%; height: auto; display: block; border-radius: 8px; border: 1px solid var(--line); } .moments p { margin: .35rem 0 0; font-size: .85rem; line-height: 1.4; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; display: block; font-size: 12px; overflow-x: auto; }
th, td { text-align: right; padding: .25rem .5rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { font-weight: 500; color: var(--dim); } th:first-child, td:first-child { text-align: left; }
figure { margin: 1rem 0; } figcaption { color: var(--dim); font-size: .85rem; } svg { width: 100%; height: auto; display: block; }
svg text { font: 11px system-ui, sans-serif; fill: var(--dim); }
.key { display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 1em; border-radius: 2px; }
.ramp { display: inline-block; width: 6em; height: .7em; border-radius: 4px; vertical-align: -.05em; margin: 0 .3em; background: linear-gradient(90deg, #facc15, #f97316, #dc2626); }
summary { cursor: pointer; } .legend dt { font-weight: 500; } .legend dd { margin: 0 0 .4rem 1rem; color: var(--dim); }
`;

/** The clips in the order in which they are to be looked at: broken ones first, then those with most to look at. */
function worstFirst(clips: readonly ClipMeasures[], judged: ResultVerdict): number[] {
  const badness = clips.map(({ name }) => {
    const { verdict, reasons } = verdictOfClip(judged, name);
    return (verdict === 'broken' ? 1000 : 0) + reasons.length;
  });
  return clips.map((_, n) => n).sort((a, b) => badness[b]! - badness[a]! || a - b);
}

const WORDS = {
  good: ['Good', 'Nothing to mend.'],
  look: ['Look', 'It can be used. Have a look at what stands here first.'],
  broken: ['Broken', 'Not to be used as it is.'],
} as const;

function judgedSection({ verdict, reasons }: ResultVerdict): string {
  const list = reasons.map(
    ({ clip, message }) =>
      `<li>${clip === undefined ? '' : `<strong>${escapeXml(clip)}</strong>: `}${escapeXml(message)}</li>`,
  );
  const [word, says] = WORDS[verdict];
  return `<div class="verdict ${verdict}"><p><strong class="${verdict}">${word}</strong>${says}</p>${list.length > 0 ? `<ul>${list.join('')}</ul>` : ''}</div>`;
}

/** The figures that most people ask for, over all clips, each with what it means. */
function tiles(clips: readonly ClipMeasures[]): string {
  const all = poolMeasures(clips.map(({ motion }) => motion));
  const pops = all.pops + all.kneePops + all.bendFlips;
  const direction = Math.max(0, ...clips.map((clip) => clip.direction.worst));
  const shown: [name: string, value: string, says: string][] = [];
  if (all.slide)
    shown.push([
      'Standing feet slide',
      figureText(all.slide.mean, ' %/s'),
      `of the hip height; the source's own ${figureText(all.slide.source, ' %/s')}`,
    ]);
  if (all.agreement !== null)
    shown.push([
      'Contacts kept',
      `${Math.floor(1000 * all.agreement) / 10} %`,
      "feet and hands stand when the source's do",
    ]);
  if (all.sunk !== null)
    shown.push([
      'Frames in the floor',
      `${Number(all.sunk.toPrecision(3))} %`,
      "with a foot, and not the source's",
    ]);
  shown.push(
    [
      'Arms point elsewhere',
      figureText(direction, '°'),
      'at worst; they give way where they would cut the body',
    ],
    ['Snaps', String(pops), pops === 0 ? 'no joint leaps' : 'joints that leap, knees that turn over'],
  );
  return `<dl class="tiles">${shown.map(([name, value, says]) => `<div><dt>${name}</dt><dd><strong>${escapeXml(value)}</strong><small>${escapeXml(says)}</small></dd></div>`).join('')}</dl>`;
}

/** The worst moments of a clip as pictures, with a sentence each; empty where nothing is off. */
function momentStrip(moments: readonly BadMoment[], draw: (moment: BadMoment) => Uint8Array): string {
  if (moments.length === 0) return '';
  const items = moments.map((moment) => {
    const says = `${moment.time.toFixed(2)} s: ${heatWords(moment)}`;
    const picture = Buffer.from(draw(moment)).toString('base64');
    return `<li><img alt="Source and result at ${escapeXml(says)}" src="data:image/png;base64,${picture}"><p><strong>${moment.time.toFixed(2)} s</strong> ${escapeXml(heatWords(moment))}</p></li>`;
  });
  return `<h3>Worst moments</h3><p class="dim">The source on the left, the result on the right, coloured where it is off: hardly seen<span class="ramp"></span>seen by everyone. What the source does itself is not counted.</p>
<ul class="moments">${items.join('')}</ul>`;
}

/** What the figures mean, for who sees them for the first time. */
const LEGEND = `<dt>direction, rotation, twist</dt><dd>How far limbs point, joints are turned and limbs are rolled otherwise than the source's, in degrees. 0 is the same.</dd>
<dt>slide</dt><dd>How fast feet move over the ground while the source's stand on it, in % of the hip height a second. Under 0.5 nobody sees it.</dd>
<dt>float, sink, sunk</dt><dd>How far feet are above or in the floor while the source's stand on it, in % of the hip height; and in how many of the frames a foot is plainly in it where the source's is not.</dd>
<dt>agreement</dt><dd>How often feet and hands stand when the source's do. 1 is always.</dd>
<dt>support, unsupported</dt><dd>How often feet, knees, seat, back, elbows, hands and head lie on the floor with their skin when the source's do, 1 is always; and in how many of the frames nothing of the body does.</dd>
<dt>tilt</dt><dd>How much soles that stand are tilted against the source's, in degrees.</dd>
<dt>self-contact</dt><dd>How much nearer or farther hands are to the body than the source's, where they come near it, in % of the arm.</dd>
<dt>arms-alone</dt><dd>How far arms point otherwise than the source's where nothing is a reason to turn them, in degrees.</dd>
<dt>carried</dt><dd>By how much the distance of hands changes while they carry something between them, in %.</dd>
<dt>penetration</dt><dd>How deep the deepest skin of the arms is in the own body, in % of the arm.</dd>
<dt>ground</dt><dd>How deep the lowest joint of the body is in the floor, in % of the hip height.</dd>
<dt>jerk, pops</dt><dd>How much the result shakes beside the plain copy (1 is as much), and how often a joint leaps, a knee snaps or a bend turns over.</dd>
<dt>skin</dt><dd>How far skin is stretched that hangs on a joint which does not come along: 1 is as long as at rest.</dd>
<dt>limits</dt><dd>At how many instants a knee bends backwards, or folds into the thigh.</dd>
<dt>seam</dt><dd>How far the last pose of a loop is from its first, beyond the source's own, in degrees.</dd>
`;

/** What is said of every figure: those that have no words here are told as the limit that may be set to them. */
function legend(): string {
  const told = [...LEGEND.matchAll(/<dt>([^<]*)<\/dt>/g)].flatMap(([, names]) => names!.split(', '));
  const others = GATES.map(({ flag, meaning }) => [flag.slice('max-'.length), meaning] as const)
    .filter(([name]) => !told.includes(name))
    .map(
      ([name, meaning]) =>
        `<dt>${name}</dt><dd>${escapeXml(`${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`)}</dd>\n`,
    );
  return `<details open><summary>What the figures mean</summary><dl class="legend">\n${LEGEND}${others.join('')}</dl></details>`;
}

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

function clipSection(
  clip: ClipMeasures,
  curves: MeasureCurves | undefined,
  constraints: readonly ConstraintResult[],
  strip: string,
  { verdict }: ResultVerdict,
  isOneOfSeveral: boolean,
): string {
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
        curveFigure(
          'the lowest of the body over the floor while the source is on it, %',
          curves,
          [[curves.support, '--a']],
          'result',
        ),
        curveFigure('pops, degrees a frame and frame', curves, [[curves.pops, '--bad']], 'result'),
        ...armFigures(curves),
        ...(curves.skin ? [skinFigure(curves.skin, curves)] : []),
        contactFigure(curves),
        ...constraints.map((each) =>
          constraintFigure(each, curves, { width: WIDTH, left: LEFT, axis: timeAxis }),
        ),
      ]
    : [];
  const pill = isOneOfSeveral ? `<span class="pill ${verdict}">${verdict}</span>` : '';
  return `<section><h2>${escapeXml(clip.name === '' ? '(no name)' : clip.name)}${pill}</h2>
${strip}
<h3>Over time</h3>
${charts.join('\n')}
${reasons.length > 0 ? `<p class="dim">Not measured:</p><ul class="dim">${reasons.join('')}</ul>` : ''}</section>`;
}

/** What arms do over time, where there is something to see. */
function armFigures(curves: MeasureCurves): string[] {
  const { selfContact, armsAlone, carriedHands, penetration } = curves;
  const figures: [string, number[]][] = [
    ['touches of hands off, % of the arm', selfContact],
    ['arms that are left alone off, degrees', armsAlone],
    ['distance of hands that carry off its mean, %', carriedHands],
  ];
  const drawn = figures
    .filter(([, values]) => values.some(Number.isFinite))
    .map(([title, values]) => curveFigure(title, curves, [[values, '--a']], 'result'));
  if (!penetration) return drawn;
  const { times, deepest, copied } = penetration;
  return [
    ...drawn,
    curveFigure(
      'deepest skin of the arms in the body, % of the arm',
      curves,
      [
        [atFrames(times, copied, curves), '--b'],
        [atFrames(times, deepest, curves), '--a'],
      ],
      'plain copy',
      'result',
    ),
  ];
}

/** Figures of a few instants, each at the frames up to it. */
function atFrames(times: readonly number[], values: readonly number[], curves: MeasureCurves): number[] {
  return Array.from({ length: curves.count }, (_, k) => {
    const n = times.findIndex((time) => time >= k / curves.rate - 1e-6);
    return values[n < 0 ? values.length - 1 : n] ?? Number.NaN;
  });
}

/** The longest edge of loose skin, which is looked at in few instants, over all frames. */
function skinFigure({ times, stretch }: NonNullable<MeasureCurves['skin']>, curves: MeasureCurves): string {
  const line = atFrames(times, stretch, curves);
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
