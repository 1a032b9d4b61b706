import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sampleMorphs } from '@stuntdouble/core/engine';
import { read, writeBytes } from '@stuntdouble/formats';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dropFiles, type Hook, openStudio, type StudioPage } from '../studio-page.js';

const MINUTES = 60_000;
const samples = fileURLToPath(new URL('../../../../samples/files/', import.meta.url));
const sample = (path: string) => new Uint8Array(readFileSync(join(samples, path)));
/** Instants at which the face does something, on keys and between them. */
const TIMES = [0, 0.25, 0.61, 1.043, 1.7, 2.2];

let folder: string;
let studio: StudioPage;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stuntdouble-morphs-'));
  studio = await openStudio({ words: 'fresh&still' });
  await dropFiles(studio.page, '.view[data-side="source"]', [
    { name: 'wave.vrma', bytes: sample('formats/wave.vrma') },
  ]);
  await studio.settle();
}, 4 * MINUTES);
afterAll(async () => {
  await studio?.close();
  rmSync(folder, { recursive: true });
});

const shownAt = (time: number) =>
  studio.page.evaluate((at) => {
    const { stuntdouble } = globalThis as unknown as { stuntdouble: Hook };
    stuntdouble.clock.seek(at);
    return new Promise<ReturnType<Hook['morphs']>>((done) =>
      requestAnimationFrame(() =>
        requestAnimationFrame(() =>
          done(stuntdouble.morphs('target', stuntdouble.views().find(({ side }) => side === 'target')!.file)),
        ),
      ),
    );
  }, time);

/** Compares the face on the page with that of the exported file; gives how far weights are apart and go at most. */
async function compareFaces(format: string): Promise<{ apart: number; most: number; count: number }> {
  const { page, settle } = studio;
  await page.keyboard.press('Control+e');
  await page.click(`.sheet .segmented >> text="${format.toUpperCase()}"`);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('.sheet-foot .primary')]);
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  await page.keyboard.press('Escape');
  await settle();
  const clip = (await read(path)).characters[0]!.clips.at(-1)!;
  let [apart, most, count] = [0, 0, 0];
  for (const time of TIMES) {
    const shown = await shownAt(time);
    const weights = sampleMorphs(clip, time);
    count += weights.length;
    for (const { mesh, morph, weight } of weights) {
      // A file of another format may call the mesh otherwise: the morph's own name is its.
      const same = shown.filter(
        (one) => one.morph === morph && (format === 'glb' || format === 'vrm' ? one.mesh === mesh : true),
      );
      expect(same.length, `${mesh} ${morph}`).toBeGreaterThan(0);
      for (const one of same) apart = Math.max(apart, Math.abs(one.weight - weight));
      most = Math.max(most, weight);
    }
  }
  return { apart, most, count };
}

it(
  'the face that is shown is the one that is written: expressions of a VRM animation on a VRM',
  async () => {
    for (const name of ['vrm1-sister', 'vrm0-sister']) {
      await dropFiles(studio.page, '.view[data-side="target"]', [
        { name: `${name}.vrm`, bytes: sample(`characters/${name}.vrm`) },
      ]);
      await studio.settle();
      const { apart, most, count } = await compareFaces('vrm');
      expect(count).toBeGreaterThan(TIMES.length);
      expect(most).toBeGreaterThan(0.5);
      expect(apart).toBeLessThan(1e-5);
    }
    expect(studio.problems).toEqual([]);
  },
  4 * MINUTES,
);

it(
  'so it is on an FBX, whose meshes the page builds itself; and a motion without a face leaves it at rest',
  async () => {
    const { page, settle, problems } = studio;
    const scene = await read(join(samples, 'characters/vrm1-sister.vrm'));
    const { bytes } = await writeBytes('fbx', { scene, character: 0, clips: [] });
    await dropFiles(page, '.view[data-side="target"]', [{ name: 'sister.fbx', bytes }]);
    await settle();
    const { apart, most } = await compareFaces('fbx');
    expect(most).toBeGreaterThan(0.5);
    expect(apart).toBeLessThan(1e-5);

    await dropFiles(page, '.view[data-side="source"]', [
      { name: 'walk.glb', bytes: sample('motions/walk.glb') },
    ]);
    await settle();
    for (const time of TIMES)
      for (const { morph, weight } of await shownAt(time)) expect([morph, weight]).toEqual([morph, 0]);
    expect(problems).toEqual([]);
  },
  4 * MINUTES,
);
