/*
 * The first call in a page: nothing has run before, both characters are new, a motion of 1,800 frames. Ours beside the
 * engines' own, in a real browser, each in a page of its own, turn by turn; the median of all turns. Times are those that
 * the processor gave to the page's main thread, as Linux counts them, so that others who use the machine count little.
 * Besides the whole adapter, packed with the page, the entry for pages that move clips stands by itself, as it is
 * shipped: its first line has Chrome compile it while it loads, which is not timed, as packed scripts are not.
 * By hand:
 *
 *     npm run build && node bench/first-call.mjs [--turns 7] [--only three|babylon] [--rounds 4] [--write]
 *
 * --write leaves the table in bench/first-call.md.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { findInstalledBrowser } from '../scripts/browser.mjs';

const argv = process.argv.slice(2);
const told = (flag, otherwise) => (argv.includes(flag) ? argv[argv.indexOf(flag) + 1] : otherwise);
const turns = Number(told('--turns', 7));
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const FRAMES = 1800;
const MOTION = 'motions/walk.glb';
/** Bodies, and whether the entry for clips brings all that they need. */
const CASES = [
  ['Mixamo', 'characters/mixamo-guy.glb', true],
  ['VRM', 'characters/vrm1-sister.vrm', true],
  ['Unreal', 'characters/unreal-mannequin.glb'],
  ['feet under the root', 'characters/knight.glb'],
];
/** Calls in a page: of the first one nothing has run before, of the last one the code has. */
const ROUNDS = Number(told('--rounds', 4));
const CONTENDERS = {
  three: ['theirs', 'plain', 'shipped', 'corrected'],
  babylon: ['theirs', 'plain', 'corrected'],
};
const WORDS = {
  plain: "`corrections: 'none'`",
  shipped: "`corrections: 'none'`, `stuntdouble/three/clip` as it is shipped",
  corrected: 'defaults',
};

/** What each page does: it loads two files, and then is called. */
const PAGES = {
  three: `
    import * as three from 'three';
    import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
    import { retargetClip as retargetOfThree } from 'three/addons/utils/SkeletonUtils.js';
    import { createLiveRetargeter, retargetClip } from '@stuntdouble/adapters/three';
    const load = (bytes) => new GLTFLoader().parseAsync(bytes.buffer, '');
    const skinOf = (root) => {
      let found = null;
      root.traverse((node) => {
        if (node.isSkinnedMesh && (!found || node.skeleton.bones.length > found.skeleton.bones.length)) found = node;
      });
      return found;
    };
    /** The clip again and again, until it has so many frames. */
    const longer = (clip, frames) => {
      const most = Math.max(...clip.tracks.map(({ times }) => times.length));
      const again = Math.ceil(frames / most);
      const step = clip.duration * (1 + 1 / (most - 1));
      const tracks = clip.tracks.map((track) => {
        const copy = track.clone();
        const { length } = track.times;
        copy.times = Float32Array.from({ length: again * length }, (_, k) => track.times[k % length] + step * Math.floor(k / length));
        copy.values = Float32Array.from({ length: again * track.values.length }, (_, k) => track.values[k % track.values.length]);
        return copy;
      });
      return new three.AnimationClip(clip.name, -1, tracks);
    };
    globalThis.load = async (who, motion, character, frames) => {
      const [source, target] = [await load(motion), await load(character)];
      const clip = longer(source.animations[0], frames);
      let call;
      if (who === 'theirs') {
        const { setup } = createLiveRetargeter(target.scene, source.scene, { corrections: 'none' });
        const label = ({ names }, joint) => three.PropertyBinding.sanitizeNodeName(names[joint]);
        const names = Object.fromEntries(setup.map.joints.filter(({ role }) => role).map(({ target: to, sources }) => [
          label(setup.target.skeleton, to), label(setup.source.skeleton, sources.at(-1))]));
        const hips = setup.map.joints.find(({ role }) => role === 'hips');
        const options = { names, hip: label(setup.source.skeleton, hips.sources.at(-1)), scale: setup.rootScales.horizontal };
        const mesh = skinOf(target.scene);
        let bones = skinOf(source.scene)?.skeleton;
        if (!bones) {
          const all = [];
          source.scene.traverse((node) => { if (node.isBone || node.type === 'Object3D') all.push(node); });
          bones = new three.Skeleton(all);
        }
        call = () => retargetOfThree(mesh, bones, clip, options);
      } else {
        const move = who === 'shipped' ? (await import('/clip/index.js')).retargetClip : retargetClip;
        const options = who === 'corrected' ? {} : { corrections: 'none' };
        call = () => move(target.scene, source.scene, clip, options);
      }
      globalThis.call = async () => {
        const made = await call();
        if (!(made.tracks.length > 10)) throw new Error('no clip was made');
      };
    };`,
  babylon: `
    import { AnimatorAvatar } from '@babylonjs/core/Animations/animatorAvatar.js';
    import { NullEngine } from '@babylonjs/core/Engines/nullEngine.js';
    import { ImportMeshAsync } from '@babylonjs/core/Loading/sceneLoader.js';
    import { Logger } from '@babylonjs/core/Misc/logger.js';
    import { Scene } from '@babylonjs/core/scene.js';
    import '@babylonjs/loaders/glTF/2.0/index.js';
    import { createLiveRetargeter, retargetAnimationGroup } from '@stuntdouble/adapters/babylon';
    Logger.LogLevels = Logger.NoneLogLevel;
    const longer = (group, frames) => {
      const long = group.clone('long', undefined, true, true);
      const most = Math.max(...long.targetedAnimations.map(({ animation }) => animation.getKeys().length));
      const span = group.to - group.from;
      const step = span + span / (most - 1);
      for (const { animation } of long.targetedAnimations) {
        const keys = animation.getKeys();
        animation.setKeys(Array.from({ length: Math.ceil(frames / most) }, (_, n) =>
          keys.map((key) => ({ ...key, frame: key.frame + n * step, value: key.value.clone() }))).flat());
      }
      long.to = Math.max(...long.targetedAnimations.map(({ animation }) => animation.getKeys().at(-1).frame));
      return long;
    };
    globalThis.load = async (who, motion, character, frames) => {
      const scene = new Scene(new NullEngine());
      const load = (bytes) => ImportMeshAsync(bytes, scene, { pluginExtension: '.glb' });
      const source = await load(motion);
      const group = longer(source.animationGroups[0], frames);
      const target = await load(character);
      const [from, to] = [source.meshes[0], target.meshes[0]];
      for (const each of scene.animationGroups) each.stop();
      let call;
      if (who === 'theirs') {
        const { setup } = createLiveRetargeter(to, from, { stuntdouble: { corrections: 'none' }, showWarnings: false });
        const named = ({ names }, joint) => names[joint];
        const mapNodeNames = new Map(setup.map.joints.filter(({ role }) => role).map(({ target: joint, sources }) => [
          named(setup.source.skeleton, sources.at(-1)), named(setup.target.skeleton, joint)]));
        const by = (role) => named(setup.source.skeleton, setup.source.joints[role]);
        const avatar = new AnimatorAvatar('target', to, false, false);
        avatar.showWarnings = false;
        const options = { mapNodeNames, rootNodeName: by('hips'), groundReferenceNodeName: by('leftFoot') };
        call = () => avatar.retargetAnimationGroup(group, options);
      } else {
        const options = { showWarnings: false, ...(who === 'plain' && { stuntdouble: { corrections: 'none' } }) };
        call = () => retargetAnimationGroup(to, group, options);
      }
      globalThis.call = () => {
        const made = call();
        if (!(made.targetedAnimations.length > 10)) throw new Error('no group was made');
      };
    };`,
};

const server = await chromium.launchServer({
  executablePath: findInstalledBrowser(),
  args: ['--no-sandbox'],
});
const browser = await chromium.connect(server.wsEndpoint());

/** Milliseconds that the main threads of all pages have had of the processor. */
function spent() {
  let sum = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (!words.includes('--type=renderer') || !isBelow(pid, server.process().pid)) continue;
      sum += Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
    } catch {
      // It has ended meanwhile.
    }
  return sum;
}

/** Whether a process was started by another, or by one that was. */
function isBelow(pid, above) {
  for (let each = Number(pid); each > 1; ) {
    if (each === above) return true;
    each = Number(
      readFileSync(`/proc/${each}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[1],
    );
  }
  return false;
}

const files = Object.fromEntries(
  [MOTION, ...CASES.map(([, path]) => path)].map((path) => [
    path,
    readFileSync(here(`../samples/files/${path}`)).toString('base64'),
  ]),
);

/** Leaves imports to what is served. */
const leaveTo = (filter) => ({
  name: 'leave-to',
  setup: ({ onResolve }) =>
    onResolve({ filter }, ({ path, kind }) => (kind === 'entry-point' ? null : { path, external: true })),
});

/** What pages load, by path. */
const served = new Map([
  ['/', '<!doctype html><script type="importmap">{"imports":{"three":"/three.js"}}</script>'],
]);
for (const file of ['index.js', 'first.js', 'feet.js'])
  served.set(
    `/clip/${file}`,
    readFileSync(here(`../packages/adapters/dist/page/three-clip/${file}`), 'utf8'),
  );
const pages = createServer(({ url }, answer) => {
  const text = served.get(url);
  answer.writeHead(text === undefined ? 404 : 200, {
    'content-type': url === '/' ? 'text/html' : 'text/javascript',
  });
  answer.end(text);
});
await new Promise((done) => pages.listen(0, '127.0.0.1', done));
const address = `http://127.0.0.1:${pages.address().port}`;

/** Calls in a page in which nothing has run before, each with both files loaded anew. @returns milliseconds of each. */
async function callOnce(engine, who, character) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    page.on('pageerror', (error) => console.error(String(error)));
    await page.goto(address);
    await page.addScriptTag({ url: `${address}/${engine}-page.js`, type: 'module' });
    const times = [];
    for (let round = 0; round < ROUNDS; round++) {
      await page.evaluate(
        async ([who, motion, body, frames]) => {
          const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
          await globalThis.load(who, bytes(motion), bytes(body), frames);
        },
        [who, files[MOTION], files[character], FRAMES],
      );
      const before = spent();
      await page.evaluate(() => globalThis.call());
      times.push(spent() - before);
    }
    return times;
  } finally {
    await context.close();
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const heads = (what) => [
  `| ${what}, ${FRAMES} frames, both characters new | ${CASES.map(([name]) => name).join(' | ')} |`,
  `|---|${CASES.map(() => '---|').join('')}`,
];
const cold = heads('first call of a page');
const warm = heads('a later call, the code has run before');
for (const [engine, contents] of Object.entries(PAGES)) {
  if (told('--only', engine) !== engine) continue;
  const pack = async (contents, elsewhere) => {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: here('.') },
      ...{ bundle: true, minify: true, format: 'esm', platform: 'browser', target: 'es2022', write: false },
      plugins: [leaveTo(elsewhere)],
    });
    return outputFiles[0].text;
  };
  // The entry that is shipped and the page use one three.js.
  if (engine === 'three') served.set('/three.js', await pack("export * from 'three';", /^$/));
  served.set(`/${engine}-page.js`, await pack(contents, /^(three|\/clip\/index\.js)$/));
  const contenders = CONTENDERS[engine];
  const times = new Map(contenders.map((who) => [who, CASES.map(() => [])]));
  for (let turn = 0; turn < turns; turn++)
    for (const [n, [, character, isBrought]] of CASES.entries())
      for (const who of contenders)
        if (isBrought || who !== 'shipped') times.get(who)[n].push(await callOnce(engine, who, character));
  const label = { three: 'three.js', babylon: 'Babylon.js' }[engine];
  const row = (round, who, words) => {
    const of = (who, n) => median(times.get(who)[n].map((each) => each.at(round)));
    const cells = CASES.map((_, n) =>
      times.get(who)[n].length === 0
        ? 'fetches the rest'
        : `${(of('theirs', n) / of(who, n)).toFixed(1)} × (${of(who, n).toFixed(0)} of ${of('theirs', n).toFixed(0)} ms)`,
    );
    return `| times as fast as ${label}, ${words} | ${cells.join(' | ')} |`;
  };
  for (const who of contenders.slice(1)) {
    cold.push(row(0, who, WORDS[who]));
    warm.push(row(-1, who, WORDS[who]));
  }
}
const version = browser.version();
await browser.close();
await server.close();
pages.close();
const text = `# The first call in a page

\`node bench/first-call.mjs --turns ${turns} --rounds ${ROUNDS}\`: our walk, again and again, on our characters; Chromium ${version}, ${cpus().length} processors that others used too: times are those that the page's main thread had of the processor. Each call in a page of its own in which nothing has run before, the contenders turn by turn, the median of ${turns}; the engine's own is told who drives whom, which is not timed.

${cold.join('\n')}

${warm.join('\n')}
`;
console.log(text);
if (argv.includes('--write')) writeFileSync(here('first-call.md'), text);
