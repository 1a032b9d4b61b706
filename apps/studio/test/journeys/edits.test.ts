import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ClipMeasures, createRig, modelPoseOf, poseAt } from '@stuntdouble/core';
import { read } from '@stuntdouble/formats';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from '../../../../packages/cli/test/run-command.js';
import { type Hook, openStudio, type StudioPage } from '../studio-page.js';

const MINUTES = 60_000;
/** The instant at which everything is done. */
const TIME = 0.6;

let folder: string;
let taken = 0;
let studio: StudioPage;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stuntdouble-edits-'));
  studio = await openStudio({ words: `fresh&still&time=${TIME}` });
}, 4 * MINUTES);
afterAll(async () => {
  await studio?.close();
  rmSync(folder, { recursive: true });
});

const hook = <T>(read: (hook: Hook) => T): Promise<T> =>
  studio.page.evaluate(`(${String(read)})(globalThis.stuntdouble)`) as Promise<T>;
const edits = () => hook((h) => Object.values(h.document().own)[0] ?? { version: 1 as const });

/** Takes the result home, and gives where it was saved and what the command line thinks of it. */
async function takeHome(): Promise<{ path: string; card: ClipMeasures }> {
  const { page, settle } = studio;
  await page.keyboard.press('Control+e');
  await page.click('.sheet .segmented >> text=VRM');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('.sheet-foot .primary')]);
  const path = join(folder, `${taken++}-${download.suggestedFilename()}`);
  await download.saveAs(path);
  await page.keyboard.press('Escape');
  await settle();
  const walk = fileURLToPath(new URL('../../../../samples/files/motions/walk.glb', import.meta.url));
  const { out, code, err } = await runCommand('measure', walk, path, '--json');
  expect([code, err]).toEqual([0, '']);
  return { path, card: (JSON.parse(out) as { clips: ClipMeasures[] }).clips[0]! };
}

/** Where a joint of a file that was taken home is at an instant: model space, metres. */
async function placeIn(path: string, role: 'rightHand' | 'leftFoot', time: number): Promise<number[]> {
  const { skeleton, clips } = (await read(path)).characters[0]!;
  const rig = createRig(skeleton, { clips });
  const { matrices } = modelPoseOf(rig.skeleton, poseAt(skeleton, clips.at(-1)!, time));
  const joint = rig.joints[role]!;
  return [...matrices.subarray(16 * joint + 12, 16 * joint + 15)];
}

/** A point of the timeline: a time, and how far down in a lane, once the timeline is drawn as large as it is now. */
async function onLane(lane: string, time: number, share: number): Promise<{ x: number; y: number }> {
  await studio.page.waitForFunction(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('.timeline canvas')!;
    return Math.abs(canvas.width - canvas.clientWidth * devicePixelRatio) <= 1;
  });
  // Where the window is low, the lanes are scrolled.
  await studio.page.locator('.lane-names span', { hasText: lane }).scrollIntoViewIfNeeded();
  const canvas = (await studio.page.locator('.timeline canvas').boundingBox())!;
  const name = (await studio.page.locator('.lane-names span', { hasText: lane }).boundingBox())!;
  const duration = await hook((h) => h.clock.duration());
  const names = 118;
  const x = canvas.x + names + (time / duration) * (canvas.width - names - 14);
  return { x, y: name.y - 3 + share * 22 };
}

async function drag(from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  const { mouse } = studio.page;
  await mouse.move(from.x, from.y);
  await mouse.down();
  await mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
  await mouse.move(to.x, to.y);
  await mouse.up();
  await studio.settle();
}

it(
  'a joint is held where it is, the ramp is eased on the timeline, and its goal is typed: the hand goes there',
  async () => {
    const { page, settle } = studio;
    await page.keyboard.press('1');
    await settle();
    const hand = (await hook((h) => h.placeOf('target', 'RightHand')))!;
    expect(hand).not.toBeNull();
    await page.mouse.click(hand.x, hand.y);
    await page.keyboard.press('h');
    await settle();
    const added = (await edits()).constraints![0]!;
    expect(added).toMatchObject({ joint: 'rightHand', kind: 'point', clip: 'walk' });
    expect(await page.getAttribute('#tab-tune', 'aria-selected')).toBe('true');

    // A ramp's outer handle is dragged to a frame.
    const { times } = added as { times: { in: number; start: number; end: number; out: number } };
    const rate = 30;
    await drag(await onLane('Constraints', times.out, 0.8), await onLane('Constraints', 1.6, 0.8));
    const eased = (await edits()).constraints![0]!.times as typeof times;
    expect(eased.out).toBeCloseTo(1.6, 1);
    expect(Math.round(eased.out * rate) / rate).toBeCloseTo(eased.out, 4);
    expect([eased.in, eased.start, eased.end]).toEqual([times.in, times.start, times.end]);

    // The goal is typed, and the hand is there.
    const typed = page.locator('input[aria-label="Goal Y"]');
    const goal = (added.goal!.place as number[])[1]! + 0.2;
    await typed.fill(goal.toFixed(2));
    await typed.press('Enter');
    await settle();
    const file = await hook((h) => h.views().find(({ side }) => side === 'target')!.file);
    const [x, , z] = added.goal!.place as number[];
    const places = (await page.evaluate(`globalThis.stuntdouble.matrices('target', '${file}')`)) as number[];
    const distances = Array.from({ length: places.length / 16 }, (_, joint) =>
      Math.hypot(
        places[16 * joint + 12]! - x!,
        places[16 * joint + 13]! - Number(goal.toFixed(2)),
        places[16 * joint + 14]! - z!,
      ),
    );
    expect(Math.min(...distances)).toBeLessThan(0.01);

    // So it is in the file that is taken home, and the feet still stand.
    const { path, card } = await takeHome();
    const there = await placeIn(path, 'rightHand', TIME);
    const wanted = [x!, Number(goal.toFixed(2)), z!];
    expect(Math.hypot(...there.map((value, c) => value - wanted[c]!))).toBeLessThan(0.01);
    expect(card.motion.slide!.result.mean).toBeLessThan(1.5);
    expect(studio.problems).toEqual([]);
  },
  4 * MINUTES,
);

it(
  'a goal is dragged in the view by its handle, as one step: the hand goes along, and undoing brings it back',
  async () => {
    const { page, settle } = studio;
    await page.goto(`${studio.address}?fresh&still&time=${TIME}`);
    await settle();
    await page.keyboard.press('1');
    await settle();
    const hand = (await hook((h) => h.placeOf('target', 'RightHand')))!;
    await page.mouse.click(hand.x, hand.y);
    await page.keyboard.press('h');
    await settle();
    const placeOf = async () => (await edits()).constraints![0]!.goal!.place as number[];
    const before = await placeOf();
    // How long the handle is depends on the camera: the arrow that points up is looked for from its root.
    let after = before;
    for (let away = 24; away <= 96 && after[1] === before[1]; away += 12) {
      await page.keyboard.press('1');
      await settle();
      const marker = (await page.locator('.marker.selected:not([hidden])').last().boundingBox())!;
      const [x, y] = [marker.x + marker.width / 2, marker.y + marker.height / 2 - away];
      await drag({ x, y }, { x, y: y - 40 });
      after = await placeOf();
    }
    expect(after[1]! - before[1]!).toBeGreaterThan(0.03);
    expect([after[0], after[2]]).toEqual([before[0], before[2]]);
    await page.keyboard.press('Control+z');
    await settle();
    expect(await placeOf()).toEqual(before);
    // The handle takes what is meant for the view, and leaves its buttons alone.
    const axes = page.locator('.view[data-side="target"] button[aria-label="Axes of joints"]');
    await axes.click();
    expect(await axes.getAttribute('aria-pressed')).toBe('true');
    expect(studio.problems).toEqual([]);
  },
  4 * MINUTES,
);

it(
  'a contact is moved on the timeline and a layer is keyed there: both are in the file that is taken home',
  async () => {
    const { page, settle } = studio;
    await page.goto(`${studio.address}?fresh&still&time=${TIME}`);
    await settle();
    const untouched = await takeHome();
    const told = () => hook((h) => h.document().shared.settings?.contacts);

    // The whole upper bar of the left foot, a sixth of a second later: the foot comes down later.
    await drag(await onLane('Left foot', 0.3, 0.3), await onLane('Left foot', 0.3 + 1 / 6, 0.3));
    const [moved] = Object.values((await told()) as Record<string, { start: number }[]>);
    expect(moved!.length).toBeGreaterThan(0);
    const held = await takeHome();
    const instants = Array.from({ length: 20 }, (_, n) => n / 20);
    const feet = await Promise.all(
      [untouched.path, held.path].map((path) =>
        Promise.all(instants.map((time) => placeIn(path, 'leftFoot', time))),
      ),
    );
    const apart = instants.map((_, n) => Math.hypot(...feet[0]![n]!.map((v, c) => v - feet[1]![n]![c]!)));
    expect(Math.max(...apart)).toBeGreaterThan(0.005);
    expect(held.card.motion.agreement!.f1).toBeGreaterThan(0.8);
    await page.keyboard.press('Control+z');
    await settle();

    // A key on the layers' lane, by a double click, for the joint that is selected.
    await page.keyboard.press('1');
    await settle();
    const arm = (await hook((h) => h.placeOf('target', 'RightUpperArm')))!;
    await page.mouse.click(arm.x, arm.y);
    const at = await onLane('Layers', TIME, 0.5);
    await page.mouse.dblclick(at.x, at.y);
    await settle();
    const field = page.locator('input[aria-label="rightUpperArm Z, degrees"]');
    await field.fill('40');
    await field.press('Enter');
    await settle();
    expect((await edits()).layers![0]!.joints!.rightUpperArm).toMatchObject([{ degrees: [0, 0, 40] }]);
    const keyed = await takeHome();
    const hands = await Promise.all(
      [untouched.path, keyed.path].map((path) => placeIn(path, 'rightHand', TIME)),
    );
    expect(Math.hypot(...hands[0]!.map((value, c) => value - hands[1]![c]!))).toBeGreaterThan(0.1);
    expect(keyed.card.motion.slide!.result.mean).toBeLessThan(1.5);
    expect(studio.problems).toEqual([]);
  },
  4 * MINUTES,
);
