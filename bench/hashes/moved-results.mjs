/*
 * How far results have moved between two checkouts, both built, where hashes (hash-results.ts) only say that they have:
 * the farthest any joint is from where it was, as a part of the body's height, over a spread of pairs and settings.
 *
 *   node bench/hashes/moved-results.mjs OLD [--only samples|data] [--every 1] [--list]
 */
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { dataPairs, pairName, samplePairs } from '../dist/hashes/hash-pairs.js';
import { openPair } from '../dist/hashes/open-pair.js';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    every: { type: 'string', default: '1' },
    list: { type: 'boolean' },
  },
});
if (positionals.length !== 1) {
  console.error('usage: node bench/hashes/moved-results.mjs OLD [--only samples|data] [--every 1] [--list]');
  process.exit(2);
}

const SETTINGS = {
  defaults: {},
  'corrections none': { corrections: 'none' },
  'keys baked': { keys: 'bake' },
  mirror: { mirror: true },
  loop: { loop: true },
};

async function load(root) {
  const part = (path) => import(pathToFileURL(resolve(root, 'packages', path)).href);
  const { read } = await part('formats/dist/index.js');
  const known = new Map();
  return {
    core: await part('core/dist/engine.js'),
    read(path) {
      if (!known.has(path)) known.set(path, read(path));
      return known.get(path);
    },
  };
}

const sides = [await load(positionals[0]), await load(fileURLToPath(new URL('../..', import.meta.url)))];
const { core } = sides[1];

/** Where all joints are over time; nowhere where morphs alone are moved. */
function placesOf({ scene, character, clips }) {
  const skeleton = scene.characters[character]?.skeleton;
  if (!skeleton) return [];
  return clips.flatMap((clip) =>
    Array.from({ length: 1 + Math.floor(clip.duration * 30) }, (_, k) => {
      const pose = core.copyPose(skeleton.rest);
      core.sampleClip(pose, clip, k / 30);
      const { matrices } = core.modelPoseOf(skeleton, pose);
      return skeleton.names.map((_, joint) => matrices.slice(16 * joint + 12, 16 * joint + 15));
    }),
  );
}

/** The largest distance between two lists of frames, and their largest extent, which is about the height. */
function compare(before, after) {
  if (before.length !== after.length) return Number.POSITIVE_INFINITY;
  let [moved, low, high] = [0, Number.POSITIVE_INFINITY, 0];
  before.forEach((frame, k) => {
    let most = 0;
    frame.forEach((place, joint) => {
      moved = Math.max(moved, Math.hypot(...place.map((value, c) => value - after[k][joint][c])));
      most = Math.max(most, Math.hypot(...place.map((value, c) => value - frame[0][c])));
    });
    [low, high] = [Math.min(low, most), Math.max(high, most)];
  });
  return high > 0 ? moved / high : 0;
}

const pairs = [
  ...(options.only === 'data' ? [] : samplePairs()),
  ...(options.only === 'samples' ? [] : dataPairs().pairs),
].filter((_, n) => n % Number(options.every) === 0);
const found = [];
for (const pair of pairs)
  for (const [name, asked] of Object.entries(SETTINGS)) {
    const results = [];
    for (const { core: engine, read } of sides)
      try {
        const open = await openPair(pair, read);
        results.push(
          engine.retarget(open.source, open.target, { ...open.options, ...asked, measure: false }),
        );
      } catch (error) {
        results.push(error.message);
      }
    if (typeof results[0] === 'string' || typeof results[1] === 'string') {
      if (results[0] !== results[1])
        console.log(
          `${pairName(pair)}, ${name}: one is refused: ${results.find((one) => typeof one === 'string')}`,
        );
      continue;
    }
    const moved = compare(...results.map(placesOf));
    found.push({ moved, what: `${pairName(pair)}, ${name}` });
    if (options.list) console.log(moved.toExponential(1), found.at(-1).what);
  }
found.sort((a, b) => b.moved - a.moved);
const above = (limit) => found.filter(({ moved }) => moved > limit).length;
console.log(
  `${found.length} results; moved by more than 1e-12 of the body: ${above(1e-12)}, than 1e-9: ${above(1e-9)}, than 1e-6: ${above(1e-6)}, than 1e-3: ${above(1e-3)}`,
);
for (const { moved, what } of found.slice(0, 12)) console.log(moved.toExponential(1), what);
