import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessFaults } from '../accessibility.js';
import { findLayoutFaults } from '../geometry.js';
import { openStudio, type StudioPage } from '../studio-page.js';

let studio: StudioPage;
beforeAll(async () => {
  studio = await openStudio({ words: 'fresh&still&time=0.72', scale: 1 });
});
afterAll(() => studio?.close());

type Place = { x: number; y: number };

/** The states that are looked at, each reached from the one before. */
const STATES: { name: string; reach: (studio: StudioPage) => Promise<unknown> }[] = [
  { name: 'arrival', reach: async () => {} },
  {
    name: 'pose',
    reach: async ({ page, settle }) => {
      await page.click('#tab-pose');
      await settle();
      const arm = (await page.evaluate(`stuntdouble.placeOf('target', 'LeftUpperArm')`)) as Place;
      await page.mouse.click(arm.x, arm.y);
      await page.waitForSelector('input[aria-label="rotate X, typed"]');
    },
  },
  { name: 'tune', reach: ({ page }) => page.click('#tab-tune') },
  {
    name: 'every group of tune, a limb that differs',
    reach: async ({ page, settle }) => {
      await page.click('.segmented >> text=Left arm');
      const field = page.locator('input[aria-label="Arm reach, typed"]');
      await field.fill('0.5');
      await field.press('Enter');
      await settle();
      await page.click('.segmented >> text=All');
      const closed = page.locator('.pass-head button[aria-expanded="false"]');
      while ((await closed.count()) > 0) await closed.first().click();
    },
  },
  {
    name: 'a constraint',
    reach: async ({ page, settle }) => {
      await page.click('#tab-map');
      await page.locator('section[aria-label="Right arm"] .group-head').click();
      await page.locator('section[aria-label="Right arm"] .pair-row').last().click();
      await page.keyboard.press('h');
      await settle();
    },
  },
  { name: 'a key of a layer', reach: ({ page }) => page.keyboard.press('i') },
  { name: 'report', reach: ({ page }) => page.click('#tab-report') },
  { name: 'curves', reach: ({ page }) => page.click('text=Curves') },
  { name: 'console', reach: ({ page }) => page.click('.transport >> text=Console') },
  {
    name: 'map by clicking',
    reach: async ({ page }) => {
      await page.click('.transport >> text=Timeline');
      await page.click('#tab-map');
      await page.locator('section[aria-label="Left arm"] .group-head').click();
      await page.locator('.pair-row').first().click();
      await page.keyboard.press('m');
    },
  },
  {
    name: 'three characters, and a place for another one',
    reach: async (studio) => {
      await studio.page.keyboard.press('Escape');
      await addSamples(studio, ['Goblin', 'Child']);
      await studio.page.waitForSelector('.spare >> text=Drop another character here');
    },
  },
  {
    name: 'four characters',
    reach: async (studio) => {
      await addSamples(studio, ['Robot']);
      await studio.page.waitForFunction(() => document.querySelectorAll('.view').length === 5);
      await studio.settle();
    },
  },
  {
    name: 'the menu of the work',
    reach: async ({ page }) => {
      await page.keyboard.press('Escape');
      await page.click('.title');
      await page.waitForSelector('.popup-item >> text=Save the document');
    },
  },
  {
    name: 'export',
    reach: async ({ page }) => {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+e');
      await page.waitForSelector('.sheet >> text=Format');
    },
  },
  {
    name: 'keys',
    reach: async ({ page }) => {
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      await page.waitForSelector('.sheet >> text=Keys');
    },
  },
  {
    name: 'preferences',
    reach: async ({ page }) => {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+,');
      await page.waitForSelector('.sheet >> text=Text size');
    },
  },
];

/** Puts samples beside the characters that are there. */
async function addSamples({ page, settle }: StudioPage, names: string[]): Promise<void> {
  await page.click('button[aria-label="Samples to try"]');
  for (const name of names)
    await page
      .locator('.popup .tag', { hasText: name })
      .first()
      .click({ modifiers: ['Shift'] });
  await page.keyboard.press('Escape');
  await settle();
}

/** Windows that layouts are looked at in. */
const SIZES = [
  [1920, 1080],
  [1024, 768],
  [1280, 720],
] as const;

describe.each(STATES)('$name', ({ reach }) => {
  it('K35: nothing overlaps, nothing is cut off, axe finds nothing, at three sizes in both themes', async () => {
    const { page, settle, problems } = studio;
    await page.setViewportSize({ width: 1280, height: 720 });
    await reach(studio);
    await settle();
    // What is fetched when it is opened is there when the page says that it has settled.
    expect(await page.locator('#inspector .panel-body').innerText()).not.toBe('');
    const faults: string[] = [];
    for (const theme of ['dark', 'light'] as const) {
      await page.evaluate((next) => {
        document.documentElement.dataset.theme = next;
      }, theme);
      // A theme changes colours and no sizes: the second is looked at in the window that the first ends with.
      for (const [width, height] of theme === 'dark' ? SIZES : SIZES.slice(-1)) {
        await page.setViewportSize({ width, height });
        await settle();
        faults.push(...(await findLayoutFaults(page)).map((fault) => `${width} ${theme}: ${fault}`));
      }
      faults.push(...(await findAccessFaults(page)).map((fault) => `${theme}: ${fault}`));
    }
    expect(faults).toEqual([]);
    expect(problems).toEqual([]);
  });
});
