import { readFileSync } from 'node:fs';
import { escapeXml, figureText, type ManifestEntry, sourceWords } from '@stuntdouble/jobs';
import type { DrawnCell } from '@stuntdouble/jobs/node';
import { isOff, offWords } from './batch-junit.js';

/** How many of the worst cells have a picture, and how many of each character. */
const MOST_PICTURES = 200;
const A_CHARACTER = 3;

/** Cells with the worst first: those that failed, broken ones and those beyond a limit, those to be looked at, then by how far feet slide. */
export function worstFirst(entries: readonly ManifestEntry[]): ManifestEntry[] {
  const rank = (entry: ManifestEntry) =>
    entry.state === 'failed' ? 3 : isOff(entry) ? 2 : entry.verdict === 'look' ? 1 : 0;
  return [...entries].sort(
    (a, b) => rank(b) - rank(a) || (b.measures.slide ?? -1) - (a.measures.slide ?? -1),
  );
}

/** Cells that failed for one reason together: a file that cannot be read fails all of its cells with one sentence. What fails the most comes first. */
export function byReason(failed: readonly ManifestEntry[]): [ManifestEntry, ...ManifestEntry[]][] {
  const groups = new Map<string, [ManifestEntry, ...ManifestEntry[]]>();
  for (const entry of failed) {
    const sentence = entry.error?.sentence ?? '';
    const group = groups.get(sentence);
    if (group) group.push(entry);
    else groups.set(sentence, [entry]);
  }
  return [...groups.values()].sort((a, b) => b.length - a.length);
}

/** The cells that a gallery shows pictures of: the worst, and some of each character. */
export function picturedCells(entries: readonly ManifestEntry[], all: boolean): ManifestEntry[] {
  const done = worstFirst(entries).filter(({ state }) => state === 'done');
  if (all) return done;
  const ofTarget = new Map<string, number>();
  return done.filter((entry, n) => {
    const count = ofTarget.get(entry.target) ?? 0;
    ofTarget.set(entry.target, count + 1);
    return n < MOST_PICTURES || count < A_CHARACTER;
  });
}

/**
 * A page of all cells that needs nothing else, the worst first, to be filtered by what is typed.
 * @param drawn By the keys of cells the path of a PNG, which becomes part of the page, and the way to a report card.
 */
export function galleryPage(
  title: string,
  entries: readonly ManifestEntry[],
  drawn: ReadonlyMap<string, DrawnCell>,
): string {
  const failed = entries.filter(({ state }) => state === 'failed').length;
  const off = entries.filter(isOff).length;
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
<p>${entries.length} cells, ${failed} failed, ${off} broken or beyond a limit. The worst come first: what failed, what is broken or beyond a limit, what is to be looked at, then by how far feet slide.</p>
<p><input id="filter" type="search" placeholder="character or source" aria-label="show cells whose character or source has this in its name"> <span id="count"></span></p>
<main>
${[
  ...byReason(entries.filter(({ state }) => state === 'failed')).map(failureSection),
  ...worstFirst(entries.filter(({ state }) => state !== 'failed')).map((entry) =>
    cellSection(entry, drawn.get(entry.key)),
  ),
].join('\n')}
</main>
<script>
const filter = document.getElementById('filter');
const cells = [...document.querySelectorAll('section')];
filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const cell of cells) {
    let fitting = 0;
    for (const each of cell.querySelectorAll('[data-name]')) {
      each.hidden = !words.every((word) => each.dataset.name.includes(word));
      fitting += each.hidden ? 0 : 1;
    }
    cell.hidden = fitting === 0;
    cell.querySelector('details')?.toggleAttribute('open', words.length > 0);
    shown += fitting;
  }
  document.getElementById('count').textContent = words.length ? shown + ' of ${entries.length}' : '';
});
</script>
</body>
</html>
`;
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1e24; --dim: #6a7280; --line: #d8dce3; --paper: #fff; --bad: #dc2626; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8ec; --dim: #9aa3b2; --line: #343a46; --paper: #14171d; --bad: #ff6b6b; } }
body { font: 14px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 1100px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.3rem; } h2 { font-size: 1rem; margin: 0; }
section { border-top: 1px solid var(--line); padding: 1rem 0; } img { max-width: 100%; display: block; margin-top: .5rem; }
p { margin: .2rem 0; } .dim { color: var(--dim); } .bad { color: var(--bad); } input { font: inherit; padding: .3rem .6rem; min-width: 20rem; }
`;

/** A cell by its names, in an element that the filter shows and hides. */
function nameElement(tag: string, entry: ManifestEntry): string {
  const { source, target } = entry;
  const name = `${source} ${target} ${entry.clip.join(' ')}`.toLowerCase();
  const words = [sourceWords(entry), target].filter(Boolean).join(' → ');
  return `<${tag} data-name="${escapeXml(name)}">${escapeXml(words)}</${tag}>`;
}

/** All cells that failed for one reason. */
function failureSection([first, ...others]: readonly [ManifestEntry, ...ManifestEntry[]]): string {
  const more =
    others.length > 0
      ? `<details><summary>the same for ${others.length} more</summary>${others.map((entry) => nameElement('p', entry)).join('')}</details>`
      : '';
  return `<section>${nameElement('h2', first)}<p class="bad">${escapeXml(first.error?.sentence ?? '')}</p>${more}</section>`;
}

/** What is to be thought of a cell that is not off. What nobody measured is called good by its map and skin alone, so that is said. */
function verdictLine({ verdict, reasons, measures }: ManifestEntry): string {
  if (!verdict || verdict === 'broken') return '';
  const isMeasured = Object.values(measures).some((value) => value !== null);
  if (!isMeasured && verdict === 'good') return '<p>not measured; nothing speaks against it otherwise</p>';
  const why = [...reasons, ...(isMeasured ? [] : ['not measured'])].join('; ');
  return `<p>${verdict}${escapeXml(why === '' ? '' : `: ${why}`)}</p>`;
}

function cellSection(entry: ManifestEntry, drawn: DrawnCell | undefined): string {
  const { target, measures, output } = entry;
  const figures = [
    ['slide', measures.slide, ' %/s'],
    ['float', measures.float, ' %'],
    ['sink', measures.sink, ' %'],
    ['agreement', measures.agreement, ''],
    ['tilt', measures.tilt, '°'],
    ['direction', measures.direction, '°'],
    ['pops', measures.pops, ''],
  ] as const;
  const lines = [
    isOff(entry) ? `<p class="bad">${escapeXml(offWords(entry).join('; '))}</p>` : '',
    verdictLine(entry),
    `<p class="dim">${figures.map(([word, value, unit]) => `${word} ${figureText(value, unit)}`).join(', ')}</p>`,
    entry.warnings.length > 0 ? `<p class="dim">${escapeXml(entry.warnings.join(', '))}</p>` : '',
    // Clips that are kept for a character with all of them are nothing to open.
    output.length > 0 && !output[0]!.startsWith('.')
      ? `<p>${output.map((path) => `<a href="${escapeXml(encodeURI(path))}">${escapeXml(path)}</a>`).join(' ')}</p>`
      : '',
    drawn?.card ? `<p><a href="${escapeXml(encodeURI(drawn.card))}">report card</a></p>` : '',
    drawn
      ? `<img loading="lazy" alt="${escapeXml(`${sourceWords(entry)} above, ${target} below, at the same instants`)}" src="data:image/png;base64,${readFileSync(drawn.picture).toString('base64')}">`
      : '',
  ];
  return `<section>${nameElement('h2', entry)}${lines.join('')}</section>`;
}
