import type { Timing } from './time-contenders.js';

/** One of our own cores, and the floor that it is measured by. */
export type OwnTiming = Timing & { floor: string };

/** A measured bake: our cores, and everyone else in the order of printing. */
export type BakeResult = { ours: OwnTiming[]; others: Timing[] };

/** What a saved result belongs to. */
export type ResultLabel = { release: string; date: string; node: string };

/** Three significant digits where there are as many, without an exponent. */
function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function isFloor(timing: Timing): boolean {
  return timing.name.endsWith('floor');
}

/** Those that a core of ours is compared with: every peer, and its own floor. */
function rivalsOf(own: OwnTiming, others: readonly Timing[]): Timing[] {
  return others.filter((other) => !isFloor(other) || other.name === own.floor);
}

/** How a rival compares with ours: a peer by how much slower it is, a floor by how much ours is above it. */
function ratioOf(own: Timing, other: Timing): number {
  return isFloor(other) ? own.milliseconds / other.milliseconds : other.milliseconds / own.milliseconds;
}

/**
 * The result as lines to print: per core of ours its own time, then one line per peer and floor that ends in
 * the ratio. For a peer it is how many times faster ours is, for a floor how many times its cost ours takes.
 */
export function formatBake({ ours, others }: BakeResult): string[] {
  const width = Math.max(...[...ours, ...others].map(({ name }) => name.length)) + 2;
  const time = ({ name, milliseconds }: Timing) =>
    `${name.padEnd(width)}${digits(milliseconds).padStart(8)} ms`;
  if (ours.length === 0) return others.map(time);
  return ours.flatMap((own) => [
    `${own.name.padEnd(width + 2)}${digits(own.milliseconds).padStart(8)} ms`,
    ...rivalsOf(own, others).map((other) => {
      const words = isFloor(other) ? `${own.name} takes` : `${own.name} is faster by`;
      return `  ${time(other)}   ${words.padEnd(28)}${digits(ratioOf(own, other)).padStart(6)}×`;
    }),
  ]);
}

const HEADING = `# Bake, by release

Written by \`npm run bench -- --save\`. 65 joints × 1,800 frames, one thread, quickest run of each, all in one
process. Machines differ: the ratios are what to read. Against a peer, how many times faster ours is; against
a floor, how many times its cost ours takes.

| release | date | Node | ours | ms | against | ms | ratio |
|---|---|---|---|---|---|---|---|
`;

/**
 * The text of the results table with this result in it. A release that is measured again replaces its rows;
 * other releases stay as they are.
 * @param before the table as it is, or an empty text.
 */
export function addToResults(before: string, label: ResultLabel, { ours, others }: BakeResult): string {
  const kept = before
    .split('\n')
    .filter((line) => /^\| *v?\d/.test(line) && !line.startsWith(`| ${label.release} |`));
  const rows = ours.flatMap((own) =>
    rivalsOf(own, others).map((other) =>
      [
        '',
        label.release,
        label.date,
        label.node,
        own.name,
        digits(own.milliseconds),
        other.name,
        digits(other.milliseconds),
        `${digits(ratioOf(own, other))}×`,
        '',
      ]
        .join(' | ')
        .trim(),
    ),
  );
  return `${HEADING}${[...kept, ...rows].join('\n')}\n`;
}
