/*
 * Finds what the live entries must bring at once: the functions that are called when an avatar with the names of VRM or
 * Mixamo begins to follow our samples, and those that any body's frames call. Writes scripts/live-first.json; run it after a build, when a test says
 * that a first frame fetches something.
 *
 *   node scripts/find-live-first.mjs
 */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { fromSources } from './bundle.mjs';
import { ENGINES, LIVE, packLive, readUnits, sourceName } from './bundle-live.mjs';

const root = new URL('..', import.meta.url);

/** A page ships its own motion: one of ours. Visitors bring what most avatars are: a VRM, or Mixamo's names. */
const MOTIONS = ['walk', 'jump', 'run-turn', 'clap', 'wave-on-one-leg', 'pick-up', 'crawl'];
const AVATARS = ['vrm1-sister.vrm', 'vrm0-sister.vrm', 'vrm-girl.vrm', 'mixamo-guy.glb'];
/** Bodies of which frames are looked at alone: whatever setting them up fetches, frames shall not have to wait. */
const OTHERS = ['baker.glb', 'alien.glb', 'goblin.glb', 'knight.glb', 'unreal-mannequin.glb', 'child.glb'];

/** Opens a motion and an avatar in an engine: how they are bound, and how the motion is shown at a part of its length. */
const OPEN = {
  async three(motion, avatar) {
    const { AnimationMixer } = await import('three');
    const { loadGltf, SAMPLES_FOLDER } = await import(new URL('bench/dist/adapters-three-files.js', root));
    const source = await loadGltf(`${SAMPLES_FOLDER}motions/${motion}.glb`);
    const target = await loadGltf(`${SAMPLES_FOLDER}characters/${avatar}`);
    source.scene.animations = source.animations;
    const mixer = new AnimationMixer(source.scene);
    mixer.clipAction(source.animations[0]).play();
    return {
      target: target.userData.vrm ?? target.scene,
      sources: [source, source.scene],
      show: (part) => mixer.setTime(part * source.animations[0].duration),
    };
  },
  async babylon(motion, avatar) {
    const { createStage, loadSample, showAt } = await import(
      new URL('bench/dist/adapters-babylon-stage.js', root)
    );
    const scene = createStage();
    const source = await loadSample(scene, `motions/${motion}.glb`);
    const target = await loadSample(scene, `characters/${avatar}`);
    return {
      target: target.root,
      sources: [source.root],
      show: (part) => showAt(source.groups[0], part),
    };
  },
};

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** Where the functions of a file begin that were called since this was asked before. */
async function calledIn(file) {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const { functions } = result.find(({ url }) => url === file.href) ?? { functions: [] };
  return functions.flatMap(({ ranges: [{ startOffset, count }] }) => (count > 0 ? [startOffset] : []));
}

const FRAMES = 200;

/** Where the functions begin that a page needs, with feet held or with turns copied alone. */
async function findCalled(engine, file, options) {
  const called = new Set();
  const note = async (isNeeded) => {
    for (const start of await calledIn(file)) if (isNeeded) called.add(start);
  };
  const { createLiveRetargeter, whileBeginning } = await import(file);
  /** Where turns are copied it is the beginning that is looked at, as a page makes it of what is there. */
  const create = (...given) =>
    options ? whileBeginning(() => createLiveRetargeter(...given)) : createLiveRetargeter(...given);
  await note(true);
  for (const motion of MOTIONS)
    for (const avatar of [...AVATARS, ...OTHERS]) {
      const { target, sources, show } = await OPEN[engine](motion, avatar);
      for (const source of sources) {
        const live = await create(target, source, options).catch(() => null);
        await note(AVATARS.includes(avatar));
        // Bodies that a beginning does not know wait for all of it.
        if (!live) continue;
        for (let frame = 0; frame < FRAMES; frame++) {
          show(frame / FRAMES);
          live.update(1 / 60);
        }
        live.reset();
        live.update(1 / 60);
        live.dispose();
        await note(true);
      }
    }
  return called;
}

const COPIES = { three: { corrections: 'none' }, babylon: { stuntdouble: { corrections: 'none' } } };

const first = {};
const soon = {};
for (const engine of ENGINES) {
  const text = await packLive(engine, fromSources());
  const file = new URL(`${LIVE}-${engine}.js`, root);
  writeFileSync(file, text);
  const copied = await findCalled(engine, file, COPIES[engine]);
  const held = await findCalled(engine, file);
  rmSync(file);
  for (const { isFunction, names, file: source, start } of readUnits(text).units) {
    if (!isFunction) continue;
    const list = copied.has(start) ? first : held.has(start) ? soon : null;
    if (!list) continue;
    list[source] ??= [];
    list[source].push(sourceName(names[0], source));
  }
}

/** The same with files and names in order, and without what another list has. */
const ordered = (list, without = {}) =>
  Object.fromEntries(
    Object.keys(list)
      .sort()
      .map((file) => [file, [...new Set(list[file])].filter((name) => !without[file]?.includes(name)).sort()])
      .filter(([, names]) => names.length > 0),
  );
const written = fileURLToPath(new URL('live-first.json', import.meta.url));
writeFileSync(written, JSON.stringify({ first: ordered(first), soon: ordered(soon, first) }, null, 2));
execFileSync('npx', ['biome', 'format', '--write', written], { stdio: 'ignore' });
