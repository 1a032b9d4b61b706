/*
 * Takes pictures of the studio's states, in both themes and at three sizes, for people to look at and for docs.
 * Needs a build of the command line and of the studio:
 *
 *   npm run studio:pictures            all of them, into out/studio
 *   npm run studio:pictures -- --docs  the few that docs/studio.md and the README show, into docs/pictures
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startStudioServer } from '../packages/cli/dist/studio-server.js';
import { openPage } from './browser.mjs';
import { movingPicture } from './moving-picture.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const forDocs = process.argv.includes('--docs');
const folder = resolve(root, forDocs ? 'docs/pictures' : 'out/studio');
mkdirSync(folder, { recursive: true });

const SIZES = [
  [1280, 720],
  [1920, 1080],
  [1024, 768],
];

/** The states, each reached from a fresh page. */
const STATES = {
  arrive: async () => {},
  map: async (page, settle) => {
    await takeSample(page, 'Goblin');
    await settle();
    await page.locator('section[aria-label="Left arm"] .group-head').click();
    await page.locator('section[aria-label="Left arm"] .pair-row').nth(3).click();
    await page.keyboard.press('m');
  },
  pose: async (page, settle) => {
    await takeSample(page, 'Mannequin');
    await settle();
    await page.click('#tab-pose');
    await page.keyboard.press('1');
    await settle();
    const place = await page.evaluate(() => globalThis.stuntdouble.placeOf('target', 'upperarm_l'));
    if (place) await page.mouse.click(place.x, place.y);
  },
  tune: async (page, settle) => {
    await page.click('#tab-tune');
    await page.click('.segmented >> text=Left arm');
    const field = page.locator('input[aria-label="Arm reach, typed"]');
    await field.fill('0.5');
    await field.press('Enter');
    await settle();
    await page.click('.segmented >> text=All');
    await page.locator('input[aria-label="Left arm reach, typed"]').scrollIntoViewIfNeeded();
  },
  report: async (page) => {
    await page.click('#tab-report');
  },
  grid: async (page, settle) => {
    await openShelf(page);
    for (const name of ['Goblin', 'Child', 'Robot']) {
      await page
        .locator('.tag', { hasText: name })
        .first()
        .click({ modifiers: ['Shift'] });
      await settle();
    }
    await page.keyboard.press('Escape');
  },
  export: async (page) => {
    await page.keyboard.press('Control+e');
    await page.waitForSelector('.sheet');
  },
  keys: async (page) => {
    await page.keyboard.press('?');
    await page.waitForSelector('.sheet');
  },
};

/** Where the window is narrow the shelf lies behind a button. */
async function openShelf(page) {
  const button = page.locator('button[aria-label="Samples to try"]');
  if (await button.isVisible()) await button.click();
}

async function takeSample(page, name) {
  await openShelf(page);
  await page.locator('.tag', { hasText: name }).first().click();
  await page.keyboard.press('Escape');
}

const DOCS = [
  { state: 'arrive', size: SIZES[0], theme: 'light' },
  { state: 'tune', size: SIZES[0], theme: 'dark' },
  { state: 'map', size: SIZES[0], theme: 'dark' },
  { state: 'grid', size: SIZES[0], theme: 'light' },
];
const wanted = forDocs
  ? DOCS
  : Object.keys(STATES).flatMap((state) =>
      SIZES.flatMap((size) => ['dark', 'light'].map((theme) => ({ state, size, theme }))),
    );

const only = process.argv.slice(2).filter((word) => !word.startsWith('--'));
/** Frames a second of the picture that moves, and seconds of the walk that it shows: one cycle of it. */
const MOVING = { rate: 12, seconds: 16 / 15 };

/** The walk beside its source, moving. */
async function takeMoving(address) {
  const { page, close } = await openPage(`${address}?fresh&still&time=0.01&theme=dark`, {
    width: 1200,
    height: 640,
    seconds: 120,
  });
  try {
    const settle = () => page.waitForFunction(() => document.documentElement.dataset.settled === 'true');
    await settle();
    await page.addStyleTag({ content: '.drop-card { visibility: hidden }' });
    const frames = [];
    for (let n = 0; n < Math.round(MOVING.rate * MOVING.seconds); n++) {
      await page.evaluate((time) => globalThis.stuntdouble.clock.seek(time), n / MOVING.rate);
      await settle();
      frames.push(await page.locator('.stage').screenshot());
    }
    writeFileSync(join(folder, 'studio-walk.png'), movingPicture(frames, MOVING.rate));
    console.log('studio-walk.png');
  } finally {
    await close();
  }
}

const server = await startStudioServer({ folder: join(root, 'apps/studio/dist') });
try {
  for (const { state, size, theme } of wanted) {
    const name = forDocs ? `studio-${state}` : `${state}-${size[0]}-${theme}`;
    if (only.length > 0 && !only.some((word) => name.startsWith(word))) continue;
    const address = `${server.address}?fresh&still&time=0.72&theme=${theme}`;
    const { page, close } = await openPage(address, { width: size[0], height: size[1], seconds: 120 });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const settle = () => page.waitForFunction(() => document.documentElement.dataset.settled === 'true');
    try {
      await settle();
      await STATES[state](page, settle);
      await settle();
      await page.mouse.move(0, 0);
      await page.screenshot({ path: join(folder, `${name}.png`) });
      console.log(`${name}.png`);
    } finally {
      await close();
    }
  }
  if (forDocs && (only.length === 0 || only.includes('studio-walk'))) await takeMoving(server.address);
} finally {
  await server.close();
}
