import { poolMeasures, SUPPORT_PARTS } from '@stuntdouble/core/engine';
import { BODY_BUILDS, MOTION_KINDS } from '../quality-files.js';
import { type QualityRow, WAYS, type Way } from './measure-quality.js';

const HEADS = [
  'slide, %/s',
  'its source’s',
  'contacts agree, F1',
  'support, F1',
  'nothing carries, % of frames',
  'feet sunk, % of frames',
  'float, %',
  'joints in the ground, %',
  'skin in the ground, %',
  'touches off, % of arm',
  'arms alone, mean, worst °, share',
  'carried hands, change, off scale, %',
  'jerk over the copy’s',
  'knee pops, flips per clip',
  'pops per clip',
];

/** The tables of bench/quality.md: everything pooled, then per motion and per body. Lengths in % of the hip height. */
export function formatQuality(rows: readonly QualityRow[], { date }: { date: string }): string[] {
  const group = (by: (row: QualityRow) => string, title: string) => {
    const names = [...new Set(rows.map(by))];
    return [
      `## ${title}`,
      '',
      head(''),
      rule(),
      ...names.flatMap((name) => {
        const some = rows.filter((row) => by(row) === name);
        return (['copied', 'offline', 'live'] as const).map((way) => line(`${name}, ${way}`, some, way));
      }),
      '',
    ];
  };
  return [
    '# How well feet, hands and ground come out',
    '',
    `Written by \`npm run bench:quality -- --save\` on ${date}: ${new Set(rows.map(({ motion, clip }) => motion + clip)).size} clips on ${new Set(rows.map(({ body }) => body)).size} bodies, ${rows.length} results each way. Measures are those of \`stuntdouble measure\`; everything is pooled over instants. *Copied* is rotations and root alone; *offline* looks at the whole clip; *live* goes pose by pose and never looks ahead.`,
    '',
    head(''),
    rule(),
    ...MOTION_KINDS.flatMap((kind) => {
      const some = rows.filter((row) => row.kind === kind);
      return some.length === 0 ? [] : WAYS.map((way) => line(`**${kind}, ${way}**`, some, way));
    }),
    ...WAYS.map((way) => line(`all, ${way}`, rows, way)),
    '',
    '*Steps* are walks, runs, jumps, boxing and dances, all that the data folder and our samples have, on the spot too; *inverted* are a cartwheel and rolls, *climbing* a ladder and stairs; *others* are crouches, idling, swimming, and a generated motion whose feet hover. Loops that walk on the spot are measured on the ground that moves under them.',
    '',
    'At most 0.5 %/s of slide offline and 0.8 live, at least 0.98 and 0.97 of agreement, and nothing sunk are asked for of steps; self-contact less than half of the copy’s; jerk 0.95 to 1.05. Depths in the ground are beyond the source’s own, mean over all instants of the deepest joint or skin; Mixamo’s 0.15–0.26 % of the body’s height are about 0.28–0.49 % of the hip height.',
    '',
    ...supportTable(rows),
    ...skinTable(rows),
    ...group(({ body }) => BODY_BUILDS[body] ?? 'others', 'By build'),
    ...group(({ motion, clip }) => `${motion.split('/').pop()} ${clip}`, 'By motion'),
    ...group(({ body }) => body.split('/').pop()!, 'By body'),
  ];
}

/** What carries, by kind of motion and part of the body. */
function supportTable(rows: readonly QualityRow[]): string[] {
  const lines = MOTION_KINDS.flatMap((kind) => {
    const some = rows.filter((row) => row.kind === kind);
    return WAYS.flatMap((way) => {
      const support = poolMeasures(some.map(({ measures }) => measures[way])).support;
      if (!support) return [];
      const cells = SUPPORT_PARTS.map((part) => support.parts[part]?.f1.toFixed(3) ?? 'n/a');
      return [`| ${[`${kind}, ${way}`, ...cells, `${support.empty} of ${support.carried}`].join(' | ')} |`];
    });
  });
  const heads = ['', ...SUPPORT_PARTS, 'nothing carries, frames'];
  return [
    '## What carries, part by part',
    '',
    `| ${heads.join(' | ')} |`,
    `|${heads.map(() => '---').join('|')}|`,
    ...lines,
    '',
    'F1 by surface, see docs/measures.md; 0.95 and no frame without support are asked of kneeling, sitting, lying and crawling.',
    '',
  ];
}

/** How much of each body's skin comes along, and what of it that hangs beside the body is stretched or drifts. */
function skinTable(rows: readonly QualityRow[]): string[] {
  const most = (values: readonly (number | null)[]) =>
    values.some((value) => value !== null) ? Math.max(...values.map((value) => value ?? 0)) : null;
  const lines = [...new Set(rows.map(({ body }) => body))].map((body) => {
    const some = rows.filter((row) => row.body === body);
    const driven = some.map(({ coverage }) => 100 * (coverage?.driven ?? 1));
    const sure = some.map(({ coverage }) => 100 * (coverage?.confidence ?? 0));
    const cells = [
      Math.min(...driven).toFixed(1),
      Math.min(...sure).toFixed(0),
      most(some.map(({ skin }) => skin.stretch))?.toFixed(2) ?? 'n/a',
      most(some.map(({ skin }) => skin.drift))?.toFixed(1) ?? 'n/a',
    ];
    return `| ${[body.split('/').pop()!, ...cells].join(' | ')} |`;
  });
  return [
    '## Skin that comes along, by body',
    '',
    '|  | skin driven, least % | map sure, least % | longest loose edge, over its rest | loose pieces drift, % of height |',
    '|---|---|---|---|---|',
    ...lines,
    '',
    'Offline, over all motions; an edge over 3 times its rest is torn. Bodies without joints beside the mapped body have no loose skin.',
    '',
  ];
}

function head(first: string): string {
  return `| ${[first, ...HEADS].join(' | ')} |`;
}

function rule(): string {
  return `|${['', ...HEADS].map(() => '---').join('|')}|`;
}

function line(name: string, rows: readonly QualityRow[], way: Way): string {
  const measures = rows.map((row) => row.measures[way]);
  const pool = poolMeasures(measures);
  const figure = (value: number | null | undefined, digits: number) =>
    value === null || value === undefined ? 'n/a' : value.toFixed(digits);
  return `| ${[
    name,
    figure(pool.slide?.mean, 2),
    figure(pool.slide?.source, 2),
    figure(pool.agreement, 3),
    figure(pool.support?.f1, 3),
    figure(pool.support && (100 * pool.support.empty) / Math.max(1, pool.support.carried), 2),
    figure(pool.sunk, 2),
    figure(pool.float, 2),
    figure(pool.ground, 2),
    figure(pool.groundSkin, 2),
    figure(pool.selfContact?.mean, 1),
    pool.armsAlone
      ? `${figure(pool.armsAlone.mean, 2)}, ${figure(pool.armsAlone.worst, 1)}, ${figure(pool.armsAlone.share, 2)}`
      : 'n/a',
    pool.carriedHands
      ? `${figure(pool.carriedHands.worst, 1)}, ${figure(pool.carriedHands.scaled, 1)}`
      : 'n/a',
    figure(pool.jerkRatio, 2),
    `${figure(pool.kneePops / measures.length, 1)}, ${figure(pool.bendFlips / measures.length, 1)}`,
    figure(pool.pops / measures.length, 1),
  ].join(' | ')} |`;
}
