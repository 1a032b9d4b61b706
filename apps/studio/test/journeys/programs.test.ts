import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Clip, copyPose, createRig, modelPoseOf, type Skeleton, sampleClip } from '@stuntdouble/core';
import { read } from '@stuntdouble/formats';
import { decode } from 'fast-png';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runProgram } from '../run-program.js';
import { openStudio, type StudioPage } from '../studio-page.js';

const MINUTES = 60_000;
const samples = fileURLToPath(new URL('../../../../samples/files/', import.meta.url));
const sample = (path: string) => new Uint8Array(readFileSync(join(samples, path)));
const FILES = {
  'walk.glb': sample('motions/walk.glb'),
  'vrm-girl.vrm': sample('characters/vrm-girl.vrm'),
};
/** Instants of the walk, on its frames and between them. */
const TIMES = [0, 0.2, 0.733, 1.511];

let folder: string;
let studio: StudioPage;
let exported: { skeleton: Skeleton; clip: Clip; height: number };
const programs: Record<string, string> = {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stuntdouble-programs-'));
  studio = await openStudio({ words: 'fresh&still' });
  const { page, settle } = studio;
  // What a person set, a pose that was mended and a joint without a driver: all of it must be in the programs.
  await page.click('#tab-tune');
  await page.click('.segmented >> text=Left arm');
  const field = page.locator('input[aria-label="Arm reach, typed"]');
  await field.fill('0.5');
  await field.press('Enter');
  await settle();
  await page.click('#tab-pose');
  await page.click('text=A-pose');
  await settle();
  await page.click('#tab-map');
  await page.locator('section[aria-label="Torso"] .group-head').click();
  await page.click('[data-joint="Head"]');
  await page.keyboard.press('m');
  await page.keyboard.press('Backspace');
  await settle();
  await page.keyboard.press('Control+e');
  await page.click('.sheet .segmented >> text=GLB');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('.sheet-foot .primary')]);
  const path = join(folder, 'result.glb');
  await download.saveAs(path);
  await settle();
  for (const tab of ['three.js', 'Babylon.js', 'Playground']) {
    await page.click(`.sheet .segmented >> text=${tab}`);
    programs[tab] = (await page.textContent('.code'))!;
  }
  const { skeleton, clips } = (await read(path)).characters[0]!;
  const clip = clips.at(-1)!;
  exported = { skeleton, clip, height: createRig(skeleton, { clips }).space.height };
}, 4 * MINUTES);
afterAll(async () => {
  await studio?.close();
  rmSync(folder, { recursive: true });
});

/** How far joints in a page are at most from those of the exported file, in heights of the body, over all instants. */
async function apart(page: Page): Promise<number> {
  const { skeleton, clip, height } = exported;
  let worst = 0;
  for (const time of TIMES) {
    const pose = copyPose(skeleton.rest);
    sampleClip(pose, clip, time);
    const { matrices } = modelPoseOf(skeleton, pose);
    const shown = (await page.evaluate(`globalThis.placesAt(${time})`)) as Record<number, number[]>;
    skeleton.fileIndices.forEach((node, joint) => {
      if (node < 0) return;
      for (let c = 0; c < 3; c++)
        worst = Math.max(worst, Math.abs(shown[node]![c]! - matrices[16 * joint + 12 + c]!));
    });
  }
  return worst / height;
}

/** Whether a page shows a body: several colours, and another picture at another instant. */
async function isDrawn(page: Page): Promise<boolean> {
  const picture = async (time: number) => {
    await page.evaluate(`globalThis.placesAt(${time})`);
    return page.screenshot();
  };
  const [first, second] = [await picture(0.2), await picture(0.733)];
  const { data, channels } = decode(first);
  const colours = new Set<string>();
  for (let i = 0; i < data.length; i += channels)
    colours.add(`${data[i]! >> 3} ${data[i + 1]! >> 3} ${data[i + 2]! >> 3}`);
  return colours.size > 50 && !first.equals(second);
}

/** Places of all nodes of the file at a time, by their numbers; what is drawn then stands still. */
const THREE_PROBE = `
globalThis.placesAt = (time) => {
  renderer.setAnimationLoop(null);
  mixer.setTime(time);
  renderer.render(scene, camera);
  gltf.scene.updateMatrixWorld(true);
  const places = {};
  for (const [object, { nodes }] of gltf.parser.associations)
    if (object.isObject3D && nodes !== undefined) places[nodes] = object.matrixWorld.elements.slice(12, 15);
  return places;
};
globalThis.played = () => mixer.time;`;

/** Babylon.js is left-handed: the loader puts a root above the file's own space, and places are seen from that. */
const BABYLON_PROBE = `
globalThis.placesAt = (time) => {
  engine.stopRenderLoop();
  const [group] = loaded.animationGroups;
  group.pause();
  group.goToFrame(time * group.targetedAnimations[0].animation.framePerSecond);
  scene.render();
  const root = loaded.meshes.find(({ name }) => name === '__root__');
  const toFile = root.computeWorldMatrix(true).clone().invert();
  const places = {};
  for (const node of [...loaded.transformNodes, ...loaded.meshes]) {
    const pointer = node._internalMetadata?.gltf?.pointers?.find((one) => one.startsWith('/nodes/'));
    if (!pointer) continue;
    node.computeWorldMatrix(true);
    places[pointer.slice(7)] = root.position.constructor.TransformCoordinates(node.absolutePosition, toFile).asArray();
  }
  return places;
};
globalThis.played = () => loaded.animationGroups[0].animatables[0].masterFrame;`;

/** Waits until a program has played on by itself. */
async function playsBySelf(page: Page): Promise<void> {
  await page.waitForFunction('globalThis.played !== undefined');
  await page.waitForFunction('globalThis.played() > 0.05');
}

it(
  'B26: the three.js program, run in a browser as it stands, plays and draws the motion of the exported file',
  async () => {
    const { page, problems, close } = await runProgram(programs['three.js']!, THREE_PROBE, FILES);
    try {
      await playsBySelf(page);
      expect(await apart(page)).toBeLessThan(1e-5);
      expect(await isDrawn(page)).toBe(true);
      expect(problems).toEqual([]);
    } finally {
      await close();
    }
  },
  4 * MINUTES,
);

it(
  'B26: so does the Babylon.js program',
  async () => {
    const { page, problems, close } = await runProgram(programs['Babylon.js']!, BABYLON_PROBE, FILES);
    try {
      await playsBySelf(page);
      expect(await apart(page)).toBeLessThan(1e-5);
      expect(await isDrawn(page)).toBe(true);
      expect(problems).toEqual([]);
    } finally {
      await close();
    }
  },
  4 * MINUTES,
);

it(
  'B26: so does the one for the Playground, which asks for both files and sends nothing',
  async () => {
    // What the Playground gives a program: the library as a global, a canvas, an engine, and a loop.
    const before = `import * as BABYLON from '@babylonjs/core';
import '@babylonjs/loaders/glTF';
const canvas = document.body.appendChild(document.createElement('canvas'));
const engine = new BABYLON.Engine(canvas, true);
`;
    const program = programs.Playground!.replace(
      'return scene;',
      'globalThis.loaded = loaded; return scene;',
    );
    const after = `
const scene = await createScene();
engine.runRenderLoop(() => scene.render());
${BABYLON_PROBE}`;
    const { page, problems, close } = await runProgram(before + program, after, {});
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.url());
    });
    try {
      for (const [name, bytes] of Object.entries(FILES)) {
        const title = name.startsWith('walk') ? 'the motion' : 'the character';
        await page.setInputFiles(`input[type="file"][title="${title}"]`, {
          name,
          mimeType: 'application/octet-stream',
          buffer: Buffer.from(bytes),
        });
      }
      await playsBySelf(page);
      expect(await apart(page)).toBeLessThan(1e-5);
      expect(await isDrawn(page)).toBe(true);
      expect(sent).toEqual([]);
      expect(problems).toEqual([]);
    } finally {
      await close();
    }
  },
  4 * MINUTES,
);
