import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createBabylonPeer } from './peers/babylon.js';
import { createThreePeer } from './peers/three.js';
import { createFrameFloor, createKeyFloor } from './timing/floors.js';
import { createLive } from './timing/live.js';
import { createOurs } from './timing/ours.js';
import { addToResults, type BakeResult, formatBake } from './timing/results.js';
import { timeContenders } from './timing/time-contenders.js';
import { createWorkload } from './timing/workload.js';

/*
 * The bake, clip in memory to clip in memory, against peers and floors; and live, pose by pose, over as many frames.
 *
 *   npm run bench               prints the ratios
 *   npm run bench -- --save     and puts them into bench/results.md under the release's number
 *   npm run bench -- --rounds 30
 */

const words = process.argv.slice(2);
const save = words.includes('--save');
const roundsAt = words.indexOf('--rounds');
const rounds = roundsAt < 0 ? 8 : Number(words[roundsAt + 1]);
const strange = words.filter(
  (word, n) => word !== '--save' && n !== roundsAt && (roundsAt < 0 || n !== roundsAt + 1),
);
if (strange.length > 0 || !Number.isInteger(rounds) || rounds < 1) {
  console.error('usage: npm run bench -- [--save] [--rounds COUNT], COUNT a whole number above 0');
  process.exit(2);
}

const workload = createWorkload();
const { joints, frames } = workload.size;
const ours = [...createOurs(workload), createLive(workload)];
const others = [
  createBabylonPeer(workload, true),
  createBabylonPeer(workload, false),
  createThreePeer(workload),
  createKeyFloor(workload),
  createFrameFloor(workload),
];
const date = new Date().toISOString().slice(0, 10);
console.log(
  `bake: ${joints} joints × ${frames.toLocaleString('en')} frames, clip to clip, quickest of ${rounds} rounds; Node ${process.version}, ${date}`,
);
// After each collection the compiler starts over with what it had learned of dead objects: a quarter of a second
// gives everyone the time for that and some tries after it.
const timings = timeContenders([...ours, ...others], { rounds, turn: 250, warmUp: 1500 });
const result: BakeResult = {
  ours: ours.map(({ floor }, n) => ({ ...timings[n]!, floor })),
  others: timings.slice(ours.length),
};
for (const line of formatBake(result)) console.log(line);

if (save) {
  const table = new URL('../results.md', import.meta.url);
  const manifest = new URL('../../packages/core/package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const before = existsSync(table) ? readFileSync(table, 'utf8') : '';
  writeFileSync(
    table,
    addToResults(before, { release: version, date, node: process.version.slice(1) }, result),
  );
  console.log('saved in bench/results.md');
}
