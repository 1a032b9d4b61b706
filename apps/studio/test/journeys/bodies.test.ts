import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ArmatureDocument, copyPose, createRig, modelPoseOf, sampleClip } from '@stuntdouble/core';
import { read } from '@stuntdouble/formats';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { dropFiles, type Hook, openStudio, type StudioPage } from '../studio-page.js';

const MINUTES = 60_000;
const WORDS = 'fresh&still&time=0.6';

let folder: string;
let studio: StudioPage;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stuntdouble-bodies-'));
  studio = await openStudio({ words: WORDS, width: 1600, height: 900 });
}, 4 * MINUTES);
afterAll(async () => {
  await studio?.close();
  rmSync(folder, { recursive: true });
});
// What is open and chosen belongs to each journey: the page is loaded anew, since to begin anew keeps how it is looked at.
beforeEach(async () => {
  await studio.page.goto(`${studio.address}?${WORDS}`);
  await studio.settle();
}, MINUTES);

const hook = <T>(read: (hook: Hook) => T): Promise<T> =>
  studio.page.evaluate(`(${String(read)})(globalThis.stuntdouble)`) as Promise<T>;
const own = () => hook((h) => Object.values(h.document().own)[0] ?? { version: 1 as const });
const matricesOf = (side: 'source' | 'target') =>
  studio.page.evaluate(
    `globalThis.stuntdouble.matrices('${side}', globalThis.stuntdouble.views().find((view) => view.side === '${side}').file)`,
  ) as Promise<number[]>;
const furthest = (a: readonly number[], b: readonly number[]) =>
  Math.max(...a.map((value, n) => Math.abs(value - b[n]!)));

/** Types a number into a field, as people do. */
async function type(label: string, text: string): Promise<void> {
  const field = studio.page.locator(`input[aria-label="${label}"]`);
  await field.fill(text);
  await field.press('Enter');
  await studio.settle();
}

it(
  'B21: a character is chosen from the shelf, its joints and axes are shown, it plays at a speed, and goes back to rest',
  async () => {
    const { page, settle } = studio;
    const before = await hook((h) => h.views().find(({ side }) => side === 'target')!.file);
    await page.locator('.tag', { hasText: 'Goblin' }).first().click();
    await settle();
    expect(await hook((h) => h.views().find(({ side }) => side === 'target')!.file)).not.toBe(before);
    await page.keyboard.press('n');
    expect(
      await page.locator('button[aria-label="Axes of joints"]').first().getAttribute('aria-pressed'),
    ).toBe('true');
    await page.keyboard.press('n');
    await page.click('button[aria-label="Play"]');
    expect(await hook((h) => h.clock.playing())).toBe(true);
    await page.click('button[aria-label="Pause"]');
    await settle();
    const playing = await matricesOf('target');
    await page.click('#tab-pose');
    await settle();
    const resting = await matricesOf('target');
    expect(furthest(playing, resting)).toBeGreaterThan(0.05);
    expect(studio.problems).toEqual([]);
  },
  3 * MINUTES,
);

it(
  'S11: beside the map, a joint of the character is turned by typing, and the motion follows',
  async () => {
    const { page, settle } = studio;
    await page.click('#tab-map');
    await page.locator('#map-search').fill('head');
    await page.locator('.pair-row').first().click();
    await page.locator('summary', { hasText: 'Turn it in the reference pose' }).click();
    const before = await matricesOf('target');
    await type('rotate X, typed', '25');
    await settle();
    expect((await own()).references?.target?.edits).toHaveLength(1);
    expect(furthest(before, await matricesOf('target'))).toBeGreaterThan(0.01);
    await page.keyboard.press('Control+z');
    await settle();
    expect(await own()).toEqual({ version: 1 });
  },
  3 * MINUTES,
);

it(
  'S17, K37: a joint is posed on a frame of the motion; the frame becomes the reference; the mesh is bound as it stands',
  async () => {
    const { page, settle } = studio;
    await page.click('#tab-pose');
    await page.click('.segmented >> text=Frame');
    await settle();
    const shown = await matricesOf('target');
    await page.click('.segmented >> text=Reference');
    await settle();
    expect(furthest(shown, await matricesOf('target'))).toBeGreaterThan(0.05);

    await page.click('button >> text=This frame');
    await settle();
    // The reference is the frame, as it was seen.
    expect((await own()).references?.target?.edits?.length).toBeGreaterThan(3);
    expect(furthest(shown, await matricesOf('target'))).toBeLessThan(1e-4);
    await page.keyboard.press('Control+z');
    await settle();

    // A mesh that is bound anew.
    await page.click('button >> text=T-pose');
    await settle();
    await page.keyboard.press('Control+e');
    await page.click('.sheet .segmented >> text=GLB');
    await page.click('button[aria-label="Bind the mesh anew"]');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('.sheet-foot .primary')]);
    const path = join(folder, 'bound.glb');
    await download.saveAs(path);
    const { skeleton } = (await read(path)).characters[0]!;
    expect(skeleton.bind).toBeDefined();
    expect(await page.textContent('.code')).toContain('--new-bind');
    await page.keyboard.press('Escape');
    expect(studio.problems).toEqual([]);
  },
  3 * MINUTES,
);

it(
  'K38: chains are saved, edited, loaded and found anew; goals of hands and feet are made and removed',
  async () => {
    const { page, settle } = studio;
    await page.click('#tab-map');
    const choose = async (item: string) => {
      await page.click('button >> text=Chains …');
      await page.locator('.popup-item', { hasText: item }).click();
    };
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      choose("Save the character's chains"),
    ]);
    const path = join(folder, 'chains.json');
    await download.saveAs(path);
    const armature = JSON.parse(readFileSync(path, 'utf8')) as ArmatureDocument;
    expect(armature.chains.length).toBeGreaterThan(4);
    const load = async (file: string) => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        choose("Load the character's chains"),
      ]);
      await chooser.setFiles(file);
      await settle();
    };
    await load(path);
    await page.waitForFunction(
      () =>
        Object.values((globalThis as unknown as { stuntdouble: Hook }).stuntdouble.document().own).length > 0,
    );
    expect((await own()).target?.armature).toMatchObject({ chains: armature.chains });
    await settle();
    await choose("Find the character's chains anew");
    await settle();
    expect(await own()).toEqual({ version: 1 });
    // What is no armature is refused in a sentence, and nothing changes.
    writeFileSync(path, '{"version": 1, "chains": 7}');
    await load(path);
    expect(await own()).toEqual({ version: 1 });

    await page.click('section[aria-label="Outline"] >> text=Outline');
    await page.click('button >> text=Hold hands and feet');
    await settle();
    expect((await own()).constraints!.map(({ joint }) => joint)).toEqual([
      'leftHand',
      'rightHand',
      'leftFoot',
      'rightFoot',
    ]);
    await page.click('button >> text=Remove all');
    await settle();
    expect(await own()).toEqual({ version: 1 });
  },
  3 * MINUTES,
);

it(
  'K42: a tree shows bodies, joints and goals: a click selects, a body is hidden, a goal is muted',
  async () => {
    const { page, settle } = studio;
    await page.click('section[aria-label="Outline"] >> text=Outline');
    await page.click('section[aria-label="Outline"] .group-head >> text=vrm-girl');
    const tree = page.locator('ul[aria-label^="Joints of vrm-girl"]');
    const count = await tree.locator('li').count();
    expect(count).toBeGreaterThan(20);
    await tree.locator('.tree-joint', { hasText: 'Head' }).first().click();
    await settle();
    expect(await page.locator('.marker.selected:not([hidden])').count()).toBeGreaterThan(0);
    await tree.locator('button.fold').nth(1).click();
    expect(await tree.locator('li').count()).toBeLessThan(count);
    await page.click('button[aria-label^="Hide vrm-girl"]');
    await settle();
    expect(await page.locator('button[aria-label^="Show vrm-girl"]').count()).toBe(1);
    await page.click('button[aria-label^="Show vrm-girl"]');
    await page.click('button >> text=Hold hands and feet');
    await settle();
    await page.locator('ul[aria-label="Goals"] button[aria-label^="Mute"]').first().click();
    await settle();
    expect((await own()).constraints![0]!.muted).toBe(true);
    expect(studio.problems).toEqual([]);
  },
  3 * MINUTES,
);

it(
  'K44: a clip is chosen and played, and a pose is keyed, moved and taken away on the timeline',
  async () => {
    const { page, settle } = studio;
    await page.keyboard.press('1');
    await settle();
    const arm = (await hook((h) => h.placeOf('target', 'RightUpperArm')))!;
    await page.mouse.click(arm.x, arm.y);
    const before = await matricesOf('target');
    await page.keyboard.press('i');
    await settle();
    await type('rightUpperArm Z, degrees', '40');
    await settle();
    const [layer] = (await own()).layers!;
    expect(layer!.joints!.rightUpperArm).toMatchObject([{ time: 0.6, degrees: [0, 0, 40] }]);
    expect(furthest(before, await matricesOf('target'))).toBeGreaterThan(0.05);
    await page.keyboard.press('Delete');
    await settle();
    expect(await own()).toEqual({ version: 1 });
    expect(furthest(before, await matricesOf('target'))).toBeLessThan(1e-6);
  },
  3 * MINUTES,
);

/** A GLB with everything that another has, and its nodes and skins once more: smaller, and two metres aside. */
function twice(glb: Uint8Array): Uint8Array {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  const length = view.getUint32(12, true);
  type Node = { name?: string; children?: number[]; skin?: number };
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length))) as {
    nodes: Node[];
    skins: { joints: number[]; skeleton?: number }[];
    scenes: { nodes: number[] }[];
  };
  const [nodes, skins, roots] = [json.nodes.length, json.skins.length, json.scenes[0]!.nodes];
  json.nodes.push(
    ...json.nodes.map((node) => ({
      ...node,
      name: `Twin_${node.name}`,
      ...(node.children && { children: node.children.map((child) => child + nodes) }),
      ...(node.skin !== undefined && { skin: node.skin + skins }),
    })),
    {
      name: 'Twin',
      translation: [2, 0, 0],
      scale: [0.5, 0.5, 0.5],
      children: roots.map((root) => root + nodes),
    } as Node,
  );
  json.skins.push(
    ...json.skins.map(({ skeleton, ...skin }) => ({
      ...skin,
      joints: skin.joints.map((joint) => joint + nodes),
      ...(skeleton !== undefined && { skeleton: skeleton + nodes }),
    })),
  );
  json.scenes[0]!.nodes = [...roots, 2 * nodes];
  const text = new TextEncoder().encode(JSON.stringify(json));
  const padded = Math.ceil(text.length / 4) * 4;
  const rest = glb.subarray(20 + length);
  const made = new Uint8Array(20 + padded + rest.length).fill(0x20);
  made.set(glb.subarray(0, 12));
  made.set(text, 20);
  made.set(rest, 20 + padded);
  const head = new DataView(made.buffer);
  head.setUint32(8, made.length, true);
  head.setUint32(12, padded, true);
  head.setUint32(16, 0x4e4f534a, true);
  return made;
}

it(
  'WP7: of a file with two bodies the other one is chosen, moves, is undone, and is written',
  async () => {
    const { page, settle } = studio;
    const goblin = readFileSync(new URL('../../../../samples/files/characters/goblin.glb', import.meta.url));
    await dropFiles(page, '.view[data-side="target"]', [
      { name: 'two.glb', bytes: twice(new Uint8Array(goblin)) },
    ]);
    await settle();
    const choice = page.locator('button[aria-label="Skeleton of two.glb"]');
    // Places of some joints: where there are more of them, the first do.
    const places = async () => (await matricesOf('target')).slice(0, 16 * 20);
    const first = await places();
    await choice.click();
    await page.locator('[role="option"][data-state="unchecked"]').click();
    await settle();
    const chosen = Number(
      /#(\d)$/.exec(await hook((h) => h.views().find(({ side }) => side === 'target')!.file))?.[1],
    );
    const second = await places();
    expect(furthest(first, second)).toBeGreaterThan(0.1);
    await page.keyboard.press('Control+z');
    await settle();
    expect(furthest(await places(), first)).toBeLessThan(1e-6);
    await page.keyboard.press('Control+Shift+z');
    await settle();
    expect(furthest(await places(), second)).toBeLessThan(1e-6);
    await page.keyboard.press('Control+e');
    await page.click('.sheet .segmented >> text=GLB');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('.sheet-foot .primary')]);
    const path = join(folder, 'two-moved.glb');
    await download.saveAs(path);
    const { characters } = await read(path);
    expect(characters.map(({ clips }) => clips.length)).toEqual(
      characters.map((_, n) => (n === chosen ? 1 : 0)),
    );
    expect(studio.problems).toEqual([]);
  },
  3 * MINUTES,
);

it(
  'a capture that begins with a pose for calibration: source and result are shown at the same instant of it',
  async () => {
    const { page, settle } = studio;
    const path = new URL('../../../../samples/files/captures/walk-cmu.bvh', import.meta.url);
    const bytes = new Uint8Array(readFileSync(path));
    await dropFiles(page, '.view[data-side="source"]', [{ name: 'walk-cmu.bvh', bytes }]);
    await settle();
    await page.keyboard.press('Home');
    await settle();
    const { skeleton, clips } = (await read(bytes, { name: 'walk-cmu' })).characters[0]!;
    const at = (time: number) => {
      const { skeleton: own } = createRig(skeleton, { clips });
      const pose = copyPose(own.rest);
      sampleClip(pose, clips[0]!, time);
      return Array.from(modelPoseOf(own, pose).matrices);
    };
    const result = (await hook((h) => h.clock.duration()))!;
    const begins = clips[0]!.duration - result;
    expect(begins).toBeGreaterThan(0.01);
    const shown = await matricesOf('source');
    expect(furthest(shown, at(begins))).toBeLessThan(1e-5);
    expect(furthest(shown, at(0))).toBeGreaterThan(0.05);
    expect(studio.problems).toEqual([]);
  },
  3 * MINUTES,
);
