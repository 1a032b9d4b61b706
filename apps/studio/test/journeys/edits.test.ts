import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Hook, openStudio, type StudioPage } from '../studio-page.js';

const MINUTES = 60_000;
/** The instant at which everything is done. */
const TIME = 0.6;

let studio: StudioPage;
beforeAll(async () => {
  studio = await openStudio({ words: `fresh&still&time=${TIME}` });
}, 4 * MINUTES);
afterAll(async () => {
  await studio?.close();
});

const hook = <T>(read: (hook: Hook) => T): Promise<T> =>
  studio.page.evaluate(`(${String(read)})(globalThis.stuntdouble)`) as Promise<T>;
const edits = () => hook((h) => Object.values(h.document().own)[0] ?? { version: 1 as const });

/** A point of the timeline: a time, and how far down in a lane, once the timeline is drawn as large as it is now. */
async function onLane(lane: string, time: number, share: number): Promise<{ x: number; y: number }> {
  await studio.page.waitForFunction(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('.timeline canvas')!;
    return Math.abs(canvas.width - canvas.clientWidth * devicePixelRatio) <= 1;
  });
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
    expect(studio.problems).toEqual([]);
  },
  4 * MINUTES,
);
