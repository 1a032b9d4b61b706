import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  compareMotions,
  measureMotion,
  retargetClip,
  type Scene,
  setUpScenes,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { movedPart, playLive } from './quality/measure-quality.js';
import { findQualityFile } from './quality-files.js';

/*
 * Pops of knees, elbows and all other joints: the captures of the data folder and our own motions on a few bodies,
 * offline and live, by `measurePops`.
 *
 *   npm run build && node bench/dist/pops.js            prints a line a motion and body, and sums
 *   node bench/dist/pops.js --only kneel                those whose motion or body has the word in its name
 *   node bench/dist/pops.js --seconds 6                 how much of each motion; 8 if left out
 */

const BODIES = [
  'samples/characters/goblin.glb',
  'samples/characters/child.glb',
  'samples/characters/robot.glb',
  'samples/characters/unreal-mannequin.glb',
  'misc/mannequiny-0.3.0.glb',
];
const words = process.argv.slice(2);
const wordAfter = (flag: string) => (words.includes(flag) ? (words[words.indexOf(flag) + 1] ?? '') : null);
const only = wordAfter('--only') ?? '';
const seconds = Number(wordAfter('--seconds') ?? 8);

const motions = ['samples/motions/walk.glb', 'cmu/02_01.bvh'].flatMap((first) => {
  const path = findQualityFile(first);
  if (!path) return [];
  const folder = dirname(path);
  return readdirSync(folder)
    .filter((file) => /\.(glb|bvh)$/.test(file) && file !== 'walk.bvh')
    .map((file) => `${folder}/${file}`);
});
const bodies: Scene[] = [];
for (const body of BODIES) {
  const path = findQualityFile(body);
  if (path) bodies.push(await read(path));
}
const sums = { offline: 0, live: 0, flips: 0, results: 0 };
for (const path of motions) {
  const source = await read(path);
  for (const target of bodies) {
    if (!`${path} ${target.name}`.includes(only)) continue;
    const { setup, sourceIndex } = setUpScenes(source, target, { corrections: 'auto' });
    const [first] = source.characters[sourceIndex]!.clips;
    if (!first) continue;
    const clip = movedPart(setup, first, [0, seconds]);
    const moved = retargetClip(setup, clip, { mapIsTold: true }).clip;
    const offline = measureMotion(compareMotions(setup, clip, moved));
    const live = measureMotion(compareMotions(setup, clip, playLive(setup, clip)));
    sums.offline += offline.pops?.count ?? 0;
    sums.live += live.pops?.count ?? 0;
    sums.flips += offline.smoothness?.bendFlips ?? 0;
    sums.results++;
    console.log(
      `${String(offline.pops?.count).padStart(4)} worst ${offline.pops?.worst.toFixed(1).padStart(6)} live ${String(live.pops?.count).padStart(4)} jerk ${offline.smoothness?.jerkRatio?.toFixed(2)} slide ${offline.slide?.result.mean.toFixed(2)} f1 ${offline.agreement?.f1.toFixed(3)}  ${source.name} > ${target.name}  ${offline.pops?.joints.slice(0, 3).join(', ')}`,
    );
  }
}
console.log(
  `${sums.results} results: ${sums.offline} pops offline, ${sums.live} live, ${sums.flips} flips of a bend plane`,
);
