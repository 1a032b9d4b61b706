/*
 * Finds what the entries for pages that move clips must bring: what is run, down to single branches, where our motions
 * are moved onto avatars with the names of VRM or Mixamo. Writes scripts/page-calls.json; run it after a build, when a
 * test says that a page fetches more than it has to.
 *
 *   node scripts/find-page-calls.mjs
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { fromSources } from './bundle.mjs';
import { ENTRIES, nameOf, PAGE, packPage, readCuttable } from './bundle-page.mjs';
import { tellCold } from './cut-cold.mjs';

const root = new URL('..', import.meta.url);
const { loadGltf, SAMPLES_FOLDER } = await import(new URL('bench/dist/adapters-three-files.js', root));
const { read } = await import(new URL('packages/formats/dist/index.js', root));

const AVATARS = ['vrm1-sister.vrm', 'vrm0-sister.vrm', 'vrm-girl.vrm', 'mixamo-guy.glb'];
const MOTIONS = readdirSync(`${SAMPLES_FOLDER}motions`).filter((name) => name.endsWith('.glb'));

/** What a page may ask for, the least first, and the file that each adds. */
const ASKED = {
  'three-clip': { first: { corrections: 'none' }, feet: {} },
  core: { first: { corrections: 'none', measure: false }, feet: { measure: false }, measures: {} },
};

/** What pages hand over of what a loader gave them: the avatar of a VRM, scenes alone, all as it is. */
const HANDED = [
  ({ scene, userData }, source) => [userData.vrm ?? scene, source],
  ({ scene }, source) => [scene, source.scene],
  (target, source) => [target, source],
];

/** Opens a motion and an avatar. @returns what moves one onto the other, as often as it is called */
const OPEN = {
  async 'three-clip'({ retargetClips }, motion, avatar, options, handed) {
    const source = await loadGltf(motion);
    const target = await loadGltf(avatar);
    return () => retargetClips(...handed(target, source), source.animations, options);
  },
  async core({ retarget }, motion, avatar, options) {
    const [source, target] = [await read(motion), await read(avatar)];
    return () => retarget(source, target, options);
  },
};

/**
 * Motions that are handed over in every way, and moved twice: what was understood of a body is found again the second
 * time.
 */
const TWICE = ['walk.glb', 'clap.glb'];

const session = new Session();
session.connect();
await session.post('Profiler.enable');

/** What of a file was run while something was done with it: whether any of a stretch of it was. */
async function watch(file, text, work) {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  await work(await import(`${file.href}?${Math.random()}`));
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  const { functions } = result.find(({ url }) => url.startsWith(file.href));
  const counts = new Uint8Array(text.length).fill(1);
  // The inner behind the outer.
  const ranges = functions
    .flatMap((each) => each.ranges)
    .sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  for (const { startOffset, endOffset, count } of ranges)
    counts.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  return (start, end) => {
    for (let at = start; at < end; at++) if (counts[at] && !/[\s;]/.test(text[at])) return true;
    return false;
  };
}

const lists = {};
for (const name of Object.keys(ENTRIES)) {
  const text = await packPage(name, fromSources());
  const file = new URL(`${PAGE}-${name}.js`, root);
  writeFileSync(file, text);
  const runs = [];
  for (const [part, options] of Object.entries(ASKED[name]))
    runs.push({
      part,
      wasRun: await watch(file, text, async (entry) => {
        for (const motion of MOTIONS)
          for (const avatar of AVATARS)
            for (const handed of TWICE.includes(motion) ? HANDED : HANDED.slice(0, 1)) {
              const move = await OPEN[name](
                entry,
                `${SAMPLES_FOLDER}motions/${motion}`,
                `${SAMPLES_FOLDER}characters/${avatar}`,
                ...[options, handed],
              );
              await move();
              if (TWICE.includes(motion)) await move();
            }
      }),
    });
  rmSync(file);
  lists[name] = tellCold(text, readCuttable(text), nameOf, runs);
}
const written = fileURLToPath(new URL('page-calls.json', import.meta.url));
writeFileSync(written, JSON.stringify(lists, null, 2));
execFileSync('npx', ['biome', 'format', '--write', written], { stdio: 'ignore' });
