/*
 * Measures what the studio is judged by, in headless Chromium and in Node, and writes bench/studio.md:
 *
 *   npm run studio:figures            on a machine that does nothing else: the first picture is by the clock
 *
 * Needs a build of the command line and of the studio.
 */
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startStudioServer } from '../packages/cli/dist/studio-server.js';
import { createKeptMotions, measureAgain, previewFrame, retarget } from '../packages/core/dist/engine.js';
import { read } from '../packages/formats/dist/index.js';
import { openPage } from './browser.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const sample = (path) => read(join(root, 'samples/files', path));

/** Milliseconds of the processor that a piece of work takes: the median of some turns, and the quickest. */
function timed(turns, work) {
  const took = Array.from({ length: turns }, () => {
    const from = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(from);
    return (user + system) / 1000;
  }).sort((a, b) => a - b);
  return { median: took[turns >> 1], least: took[0] };
}

/** A clip that is repeated until it is so long, each time where the last ended in time. */
function prolong(clip, seconds) {
  const times = Math.ceil(seconds / clip.duration);
  return {
    ...clip,
    duration: clip.duration * times,
    morphs: [],
    tracks: clip.tracks.map((track) => {
      const size = track.values.length / track.times.length;
      const count = Math.max(1, track.times.length - 1);
      const keys = Array.from({ length: times * count }, (_, k) => k);
      return {
        ...track,
        times: Float32Array.from(keys, (k) => Math.floor(k / count) * clip.duration + track.times[k % count]),
        values: Float32Array.from(
          keys.flatMap((k) => [...track.values.slice((k % count) * size, (k % count) * size + size)]),
        ),
      };
    }),
  };
}

/** What workers do, timed in Node: the engine is the same, and so is its compiler. */
async function engineFigures() {
  const source = await sample('motions/walk.glb');
  const target = await sample('characters/unreal-mannequin.glb');
  const [character] = source.characters;
  const clip = prolong(character.clips[0], 60);
  const long = { ...source, characters: [{ ...character, clips: [clip] }] };
  const solve = (more = {}) => retarget(long, target, { measure: false, ...more });
  for (let n = 0; n < 4; n++) solve();
  const { clips, scene, report } = solve();
  const contacts = report.clips[0].contacts ?? [];
  let reach = 0;
  const slider = timed(60, () => {
    reach += 0.001;
    previewFrame(long, target, { spacing: { arms: reach } }, clip.name, 30, contacts);
  });
  const whole = timed(15, () => {
    reach += 0.001;
    solve({ spacing: { arms: reach } });
  });
  const result = {
    ...scene,
    characters: scene.characters.map((one, n) => (n === 0 ? { ...one, clips } : one)),
  };
  const asked = { pairs: [[clip.name, clips[0].name]], curves: true };
  // Of a motion that was just loaded, and of one that is being tuned, as the worker does it.
  const first = () => measureAgain(long, result, asked, createKeptMotions());
  const kept = createKeptMotions();
  const again = () => measureAgain(long, result, asked, kept);
  for (let n = 0; n < 15; n++) for (const run of [first, again]) run();
  const [judgeFirst, judge] = [timed(15, first), timed(15, again)];
  const joints = `${character.skeleton.names.length} and ${target.characters[0].skeleton.names.length} joints`;
  return [
    [`a changed slider on the frame that is seen, ${joints}, a clip of 60 s`, slider, 33],
    ['60 s solved anew, without measures', whole, 200],
    ['60 s measured after a changed setting, with curves', judge, 200],
    ['60 s measured for the first time, with curves', judgeFirst, 200],
  ].map(([what, { median, least }, most]) => [
    what,
    `${median.toFixed(1)} ms (least ${least.toFixed(1)})`,
    `${most} ms`,
  ]);
}

/** What a person waits for and a machine keeps, in the page. */
async function pageFigures() {
  const server = await startStudioServer({ folder: join(root, 'apps/studio/dist'), files: [] });
  const { page, close } = await openPage('about:blank', { width: 1280, height: 720, seconds: 180 });
  const settle = () =>
    page.waitForSelector('html[data-settled="true"]', { state: 'attached', timeout: 120_000 });
  // The first frame with both bodies on it, by the page's own clock, which begins with the navigation.
  const first = [];
  for (let n = 0; n < 5; n++) {
    await page.goto(`${server.address}?fresh`);
    const shown = await page.waitForFunction(
      () => {
        const hook = globalThis.stuntdouble;
        const views = hook?.views() ?? [];
        const isThere =
          views.length === 2 && views.every(({ side, file }) => hook.matrices(side, file)?.length > 0);
        return isThere && hook.info().frames > 0 ? performance.now() : null;
      },
      undefined,
      { polling: 10, timeout: 60_000 },
    );
    first.push(await shown.jsonValue());
  }
  first.sort((a, b) => a - b);
  await page.goto(`${server.address}?fresh&still`);
  await settle();
  const frames = () => page.evaluate(() => globalThis.stuntdouble.info().frames);
  const before = await frames();
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const drawn = (await frames()) - before;
  await close();
  const held = await heldAfterLoads(server.address);
  await server.close();
  return [
    [
      'first picture of both bodies, by the clock',
      `${first[2].toFixed(0)} ms (${first.map((ms) => ms.toFixed(0)).join(', ')})`,
      '2,000 ms',
    ],
    ['frames drawn in two seconds of idleness', String(drawn), '0'],
    ['held before and after 50 and 100 loads', held.join(' → '), 'the same'],
  ];
}

/**
 * What a page holds before and after many loads. Without the compiler: what it makes of code that runs often is a
 * megabyte by then, levels off, and is nothing that a load leaves behind.
 */
async function heldAfterLoads(address) {
  const { page, close } = await openPage(`${address}?fresh&still`, {
    width: 1280,
    height: 720,
    seconds: 180,
    args: ['--js-flags=--no-opt --no-sparkplug --no-maglev'],
  });
  const settle = () =>
    page.waitForSelector('html[data-settled="true"]', { state: 'attached', timeout: 120_000 });
  await settle();
  const devtools = await page.context().newCDPSession(page);
  const kept = async () => {
    for (let n = 0; n < 3; n++) await devtools.send('HeapProfiler.collectGarbage');
    const { usedSize } = await devtools.send('Runtime.getHeapUsage');
    const { geometries, textures } = await page.evaluate(() => globalThis.stuntdouble.info());
    return `${(usedSize / 1e6).toFixed(2)} MB, ${geometries} geometries, ${textures} textures`;
  };
  const load = async (name) => {
    const button = page.locator('button[aria-label="Samples to try"]');
    if (await button.isVisible()) await button.click();
    await page.locator('.tag', { hasText: name }).first().click();
    await page.keyboard.press('Escape');
    await settle();
  };
  for (const name of ['Goblin', 'Child', 'Goblin', 'Child']) await load(name);
  const held = [await kept()];
  for (let turn = 0; turn < 2; turn++) {
    for (let n = 0; n < 25; n++) for (const name of ['Goblin', 'Child']) await load(name);
    held.push(await kept());
  }
  await close();
  return held;
}

const rows = [...(await engineFigures()), ...(await pageFigures())];
const text = `# The studio in figures

Written by \`npm run studio:figures\` on Node ${process.version}, ${new Date().toISOString().slice(0, 10)}, two cores, no graphics card. Times of the engine are the
processor's, the median of many turns on warm code, defaults but for the setting that changes; the page is a build of ours from a local server. The
machine's load was ${loadavg()[0].toFixed(1)} of two cores: by the clock, things take longer on a busy one.

| what | measured | asked |
|---|---|---|
${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}
`;
writeFileSync(join(root, 'bench/studio.md'), text);
console.log(text);
