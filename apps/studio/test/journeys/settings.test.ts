import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Hook, openStudio, type StudioPage } from '../studio-page.js';

const MINUTES = 60_000;
const WORDS = 'fresh&still&time=0.6&tab=tune';

let studio: StudioPage;
beforeAll(async () => {
  studio = await openStudio({ words: WORDS, width: 1600, height: 1000 });
}, 4 * MINUTES);
afterAll(() => studio?.close());
beforeEach(async () => {
  await studio.page.goto(`${studio.address}?${WORDS}`);
  await studio.settle();
}, MINUTES);

const hook = <T>(read: (hook: Hook) => T): Promise<T> =>
  studio.page.evaluate(`(${String(read)})(globalThis.stuntdouble)`) as Promise<T>;
const settings = () => hook((h) => h.document().shared.settings ?? {});

/** The place of the target's hips at an instant: xyz, metres. */
async function hipsAt(time: number): Promise<number[]> {
  await studio.page.evaluate((at) => {
    (globalThis as unknown as { stuntdouble: Hook }).stuntdouble.clock.seek(at);
  }, time);
  await studio.settle();
  // The hips are the first joint that is not where the file's origin is.
  const matrices = await hook((h) => h.matrices('target', h.views()[1]!.file));
  for (let m = 0; m < matrices.length; m += 16)
    if (matrices[m + 13]! > 0.3) return matrices.slice(m + 12, m + 15);
  return [];
}

/** How far the hips go over the walk, by axis. */
async function travel(): Promise<number[]> {
  const [from, to] = [await hipsAt(0), await hipsAt(2.1)];
  return to.map((value, c) => value - from[c]!);
}

async function type(label: string, text: string): Promise<void> {
  const field = studio.page.locator(`input[aria-label="${label}"]`);
  await field.fill(text);
  await field.press('Enter');
  await studio.settle();
}

const open = (group: string) =>
  studio.page.locator(`section[aria-label="${group}"] .pass-head button[aria-expanded]`).click();

it(
  'B24, S19, B28: the root is scaled by axis, stays where it is without travel, and the ground is measured by a joint of choice',
  async () => {
    const { page, settle, problems } = studio;
    const before = await travel();
    expect(before[2]).toBeGreaterThan(0.5);
    await open('Move root');
    await type('Z, typed', '0.4');
    expect(await settings()).toMatchObject({ rootScales: { z: 0.4 } });
    const scaled = await travel();
    // Corrections hold feet and leave the path of the hips to the scale: 0.4 instead of what was measured.
    expect(scaled[2]! / before[2]!).toBeGreaterThan(0.3);
    expect(scaled[2]! / before[2]!).toBeLessThan(0.6);
    await page.keyboard.press('Control+z');
    await settle();
    // One that is not to drift does not (B28): the switch of the section is `copyPosition`.
    await page.click('button[role="switch"][aria-label="Move root"]');
    await settle();
    expect(await settings()).toMatchObject({ root: { copyPosition: false } });
    expect(Math.abs((await travel())[2]!)).toBeLessThan(0.1 * before[2]!);
    await page.keyboard.press('Control+z');
    await settle();
    // The joint that the ground is measured by: found by itself, or one of the character's.
    await page.click('button[role="switch"][aria-label="Match ground"]');
    await settle();
    await open('Match ground');
    await page.click('button[aria-label="Ground joint"]');
    const choices = await page.locator('[role="option"]').allTextContents();
    expect(choices.length).toBeGreaterThan(20);
    await page.keyboard.press('Escape');
    expect(await page.locator('.status [data-state="exact"]').count()).toBe(1);
    expect(problems).toEqual([]);
  },
  3 * MINUTES,
);

it(
  'K43: a solver is chosen for a limb; its own settings come with it, and go with it',
  async () => {
    const { page, settle } = studio;
    await page.click('.segmented >> text=Left arm');
    expect(await page.locator('input[aria-label="Most steps, typed"]').count()).toBe(0);
    await page.click('button[aria-label="Solver"]');
    await page.click('[role="option"] >> text=FABRIK');
    await settle();
    await type('Most steps, typed', '7');
    expect(await settings()).toEqual({ solvers: { leftArm: { solver: 'fabrik', maxIterations: 7 } } });
    expect(await page.locator('.status [data-state="exact"]').count()).toBe(1);
    for (let n = 0; n < 2; n++) await page.keyboard.press('Control+z');
    await settle();
    expect(await page.locator('input[aria-label="Most steps, typed"]').count()).toBe(0);
    expect(await settings()).toEqual({});
  },
  3 * MINUTES,
);

it(
  'K40: weights of matching and the way of assigning are told, and the map is found by them',
  async () => {
    const { page, settle } = studio;
    await open('Chains');
    await type('Direction, typed', '3');
    await page.click('button[aria-label="Assignment"], [aria-label="Assignment"] >> text=Greedy');
    const listed = page.locator('[role="option"]', { hasText: 'Greedy' });
    if ((await listed.count()) > 0) await listed.click();
    await settle();
    expect(await settings()).toEqual({ matching: { weights: { direction: 3 }, assignment: 'greedy' } });
    expect(await page.textContent('#tab-map')).toMatch(/5\d of 55/);
    expect(await page.locator('.status [data-state="exact"]').count()).toBe(1);
  },
  3 * MINUTES,
);

it(
  'K47, B21: preferences are kept over a reload, and a motion plays at the speed that was chosen',
  async () => {
    const { page, settle } = studio;
    await page.keyboard.press('Control+,');
    await page.click('.sheet .segmented >> text=Large');
    await page.click('.sheet button[aria-label="Floor lines"]');
    await page.keyboard.press('Escape');
    await page.click('.speeds >> text=¼×');
    await page.goto(`${studio.address}?still&theme=light`);
    await settle();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('light');
    await page.keyboard.press('Control+,');
    expect(await page.getAttribute('.sheet button[aria-label="Floor lines"]', 'aria-checked')).toBe('false');
    expect(await page.getAttribute('.sheet .segmented >> text=Large', 'data-state')).toBe('on');
    await page.click('.sheet .segmented >> text=Usual');
    await page.click('.sheet button[aria-label="Floor lines"]');
    await page.keyboard.press('Escape');
    // A quarter as fast: what goes by of the motion beside what goes by of the wall.
    const speed = await page.evaluate(async () => {
      const { clock } = (globalThis as unknown as { stuntdouble: Hook }).stuntdouble;
      clock.seek(0);
      clock.play(true);
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      await frame();
      await frame();
      const [from, at] = [clock.time(), performance.now()];
      while (performance.now() - at < 1500) await frame();
      const share = (clock.time() - from) / ((performance.now() - at) / 1000);
      clock.play(false);
      return share;
    });
    expect(speed).toBeGreaterThan(0.02);
    expect(speed).toBeLessThan(0.4);
    await page.click('.speeds >> text=1×');
  },
  3 * MINUTES,
);

it(
  'every figure of the report and every curve of it can be seen, as the engine has them; what cannot be fetched any more says so, and the rest stays',
  async () => {
    const { page, settle } = studio;
    await page.click('#tab-report');
    await page.click('button.group-head >> text=Every measure');
    await settle();
    expect(await page.textContent('[data-figures="slide.result"]')).toMatch(/[\d.]+ mean/);
    const shown = await page.locator('[data-figures]').count();
    expect(shown).toBeGreaterThan(10);
    // The console is asked for where it is no longer served.
    await page.route(/console-panel/, (route) => route.abort());
    await page.click('.transport .segmented >> text=Console');
    await page.waitForSelector('[role="alert"] >> text=could not be fetched');
    await page.unroute(/console-panel/);
    await page.click('.transport .segmented >> text=Curves');
    await page.click('button[aria-label="Joint or measure"]');
    await page.click('[role="option"] >> text=Feet slide');
    await settle();
    expect(await page.getAttribute('.console canvas', 'aria-label')).toBe('Curve of: feet slide');
    expect(await page.locator('[data-figures]').count()).toBe(shown);
  },
  3 * MINUTES,
);
