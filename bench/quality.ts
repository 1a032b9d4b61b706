import { writeFileSync } from 'node:fs';
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
 */

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

const rows: QualityRow[] = [];
for (const motion of MOTIONS)
  for (const body of BODIES) {
    if (motion.file === body || !`${motion.file} ${body}`.includes(only ?? '')) continue;
    if (kind !== null && motion.kind !== kind) continue;
    const [source, target] = [await sceneOf(motion.file), await sceneOf(body)];
    if (source && target)
      rows.push(...measureQuality(source, target, motion, body, await meshesOf(body, target)));
  }
if (missing.length > 0) console.error(`not found, and left out: ${missing.join(', ')}`);
const lines = formatQuality(rows, { date: new Date().toISOString().slice(0, 10) });
console.log(lines.join('\n'));
if (save) {
  writeFileSync(new URL('../quality.md', import.meta.url), `${lines.join('\n')}\n`);
  console.log('saved in bench/quality.md');
}
