import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Mesh, Scene } from '@stuntdouble/core/engine';
import { read, readMeshes } from '@stuntdouble/formats';
import { measureQuality, type QualityRow } from './quality/measure-quality.js';
import { formatQuality } from './quality/quality-table.js';
import { BODIES, findQualityFile, MOTION_KINDS, MOTIONS } from './quality-files.js';

/*
 * Feet, hands and ground on real characters, against what was asked for: every motion of the list on every body.
 *
 *   npm run bench:quality                          prints the tables
 *   npm run bench:quality -- --save                and keeps them in bench/quality.md
 *   npm run bench:quality -- --only goblin         those whose motion or body has the word in its name
 *   npm run bench:quality -- --kind lying          motions of one kind
 *
 * A process a core does its share of the bodies: process.send tells whether this is one of them.
 */

/** In its environment a process finds which share of the bodies is its own, and of how many. */
const SHARE = 'STUNTDOUBLE_QUALITY_SHARE';

const words = process.argv.slice(2);
const save = words.includes('--save');
/** The word after a flag; null where the flag is not there. */
const wordAfter = (flag: string) => (words.includes(flag) ? (words[words.indexOf(flag) + 1] ?? '') : null);
const [only, kind] = [wordAfter('--only'), wordAfter('--kind')];
const known = words.filter(
  (word, n) =>
    word === '--save' || [word, words[n - 1]].some((each) => each === '--only' || each === '--kind'),
);
const isKind = kind === null || (MOTION_KINDS as readonly string[]).includes(kind);
if (known.length !== words.length || only === '' || !isKind) {
  console.error(
    `usage: npm run bench:quality -- [--save] [--only PART_OF_A_NAME] [--kind ${MOTION_KINDS.join('|')}]`,
  );
  process.exit(2);
}

const scenes = new Map<string, Scene | null>();
const missing: string[] = [];
async function sceneOf(file: string): Promise<Scene | null> {
  if (!scenes.has(file)) {
    const path = findQualityFile(file);
    if (!path) missing.push(file);
    scenes.set(file, path ? await read(path) : null);
  }
  return scenes.get(file)!;
}

const meshes = new Map<string, Mesh[]>();
async function meshesOf(body: string, scene: Scene): Promise<Mesh[]> {
  if (!meshes.has(body)) meshes.set(body, await readMeshes(scene));
  return meshes.get(body)!;
}

/** The rows of every so many-th body. */
async function rowsOf(share: number, shares: number): Promise<QualityRow[]> {
  const rows: QualityRow[] = [];
  const bodies = BODIES.filter((_, n) => n % shares === share);
  for (const motion of MOTIONS)
    for (const body of bodies) {
      if (motion.file === body || !`${motion.file} ${body}`.includes(only ?? '')) continue;
      if (kind !== null && motion.kind !== kind) continue;
      const [source, target] = [await sceneOf(motion.file), await sceneOf(body)];
      if (source && target)
        rows.push(...measureQuality(source, target, motion, body, await meshesOf(body, target)));
    }
  return rows;
}

/** What one process found. */
type Found = { rows: QualityRow[]; missing: string[] };

/** Lets another process find the rows of its share. */
function rowsElsewhere(share: number, shares: number): Promise<Found> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), words, {
      serialization: 'advanced',
      env: { ...process.env, [SHARE]: `${share} ${shares}` },
    });
    let found: Found | null = null;
    child.on('message', (message) => {
      found = message as Found;
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (found) resolve(found);
      else reject(new Error(`the process of share ${share} ended with ${code}`));
    });
  });
}

const told = process.env[SHARE];
if (told !== undefined) {
  const [share, shares] = told.split(' ').map(Number) as [number, number];
  const rows = await rowsOf(share, shares);
  process.send?.({ rows, missing } satisfies Found, () => process.disconnect());
} else {
  const shares = availableParallelism();
  const all = await Promise.all(Array.from({ length: shares }, (_, share) => rowsElsewhere(share, shares)));
  // As one process would have found them: motion by motion, and on each body by body.
  const place = ({ motion, body }: QualityRow) =>
    MOTIONS.findIndex(({ file }) => file === motion) * BODIES.length + BODIES.indexOf(body);
  const rows = all.flatMap((found) => found.rows).sort((a, b) => place(a) - place(b));
  const lost = [...new Set(all.flatMap((found) => found.missing))];
  if (lost.length > 0) console.error(`not found, and left out: ${lost.join(', ')}`);
  const lines = formatQuality(rows, { date: new Date().toISOString().slice(0, 10) });
  console.log(lines.join('\n'));
  if (save) {
    writeFileSync(new URL('../quality.md', import.meta.url), `${lines.join('\n')}\n`);
    console.log('saved in bench/quality.md');
  }
}
