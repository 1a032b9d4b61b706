import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dropFiles, openStudio, type StudioPage } from '../studio-page.js';

const MINUTES = 120_000;
const sample = (path: string) =>
  new Uint8Array(readFileSync(new URL(`../../../../samples/files/${path}`, import.meta.url)));

let studio: StudioPage;
beforeAll(async () => {
  studio = await openStudio();
}, MINUTES);
afterAll(() => studio?.close());

/** What workers are asked from now on, in order. */
async function listen(): Promise<() => Promise<string[]>> {
  await studio.page.evaluate(() => {
    const asked: string[] = [];
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (this: Worker, ...given: unknown[]) {
      asked.push((given[0] as { type: string }).type);
      return Reflect.apply(postMessage, this, given);
    };
    Object.assign(globalThis, { asked });
  });
  return () => studio.page.evaluate(() => (globalThis as unknown as { asked: string[] }).asked.splice(0));
}

it(
  'a setting shows the frame before the two are understood anew, words stay meanwhile, and a file is told about once',
  async () => {
    const { page, settle, problems } = studio;
    const asked = await listen();
    await page.click('#tab-tune');
    await page.click('.segmented >> text=Left arm');
    const field = page.locator('input[aria-label="Arm reach, typed"]');
    await field.fill('0.5');
    // The tab of the map is never without its words, not even for a moment.
    await page.evaluate(() => {
      const tab = document.querySelector('#tab-map')!;
      const seen = new Set([tab.textContent]);
      new MutationObserver(() => seen.add(tab.textContent)).observe(tab, {
        subtree: true,
        childList: true,
        characterData: true,
      });
      Object.assign(globalThis, { seen });
    });
    await field.press('Enter');
    await settle();
    const questions = await asked();
    expect(questions.indexOf('preview')).toBeGreaterThanOrEqual(0);
    expect(questions.indexOf('preview')).toBeLessThan(questions.indexOf('understand'));
    expect(await page.evaluate(() => (globalThis as unknown as { seen: Set<string> }).seen.size)).toBe(1);
    await dropFiles(page, '.stage', [{ name: 'child.glb', bytes: sample('characters/child.glb') }]);
    await page.waitForFunction(() => document.querySelector('.title')!.textContent!.includes('→ child'));
    await settle();
    expect((await asked()).filter((type) => type === 'open' || type === 'hold').sort()).toEqual([
      'hold',
      'open',
    ]);
    expect(problems).toEqual([]);
  },
  MINUTES,
);

it(
  'a character on the side of the motion is made the character, with the motion that was there',
  async () => {
    const { page, settle } = studio;
    await dropFiles(page, '.view[data-side="source"]', [
      { name: 'goblin.glb', bytes: sample('characters/goblin.glb') },
    ]);
    await page.waitForSelector('text=No motion in this file');
    await page.click('text=Make it the character');
    await page.waitForFunction(() =>
      document.querySelector('.title')!.textContent!.includes('walk → goblin'),
    );
    await settle();
    expect(await page.locator('.status [data-state="exact"]').count()).toBe(1);
    expect(await page.textContent('[data-side="source"] .chip')).toContain('walk');
    await page.keyboard.press('Control+z');
    await page.waitForSelector('text=No motion in this file');
  },
  MINUTES,
);

it(
  'a long name leaves no half of a word behind it, and is read whole by pointing at it',
  async () => {
    const { page, settle } = studio;
    const name = 'a-character-with-a-rather-long-name.glb';
    await dropFiles(page, '.view[data-side="target"]', [{ name, bytes: sample('characters/robot.glb') }]);
    await page.waitForSelector(`.view[data-side="target"] [title="${name}"]`);
    await settle();
    const seen = await page.evaluate(() => {
      const chip = document.querySelector('.view[data-side="target"] .view-bar.above .chip')!;
      const [title, detail] = [chip.querySelector('.strong')!, chip.querySelector('.detail')!];
      const [outer, inner] = [chip.getBoundingClientRect(), detail.getBoundingClientRect()];
      // Room goes to the name first: what follows is there only beside a whole one.
      const isWhole = (one: Element) => one.scrollWidth <= one.clientWidth + 1;
      const isBeside = isWhole(title) && isWhole(detail) && inner.right <= outer.right + 1;
      return {
        isNamed: title.getBoundingClientRect().bottom <= outer.bottom + 1,
        isWholeOrGone: inner.top >= outer.bottom - 1 || isBeside,
      };
    });
    expect(seen).toEqual({ isNamed: true, isWholeOrGone: true });
  },
  MINUTES,
);

it(
  'the command says where the studio is while it is served, with the files that it was given, and Ctrl C ends it',
  async () => {
    const path = (name: string) => fileURLToPath(new URL(`../../../../${name}`, import.meta.url));
    const files = ['motions/jump.glb', 'characters/goblin.glb'].map((name) => path(`samples/files/${name}`));
    const command = spawn(process.execPath, [
      path('packages/cli/bin/stuntdouble.js'),
      'studio',
      ...files,
      '--no-open',
      '--json',
    ]);
    const [line] = await once(command.stdout, 'data');
    const { address, port } = JSON.parse(String(line));
    expect(new URL(address).port).toBe(String(port));
    const html = await (await fetch(address)).text();
    expect(html).toContain('jump.glb');
    expect(html).toContain('goblin.glb');
    command.kill('SIGINT');
    expect(await once(command, 'exit')).toEqual([0, null]);
  },
  MINUTES,
);
