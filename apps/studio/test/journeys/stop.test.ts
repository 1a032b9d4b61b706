import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clip } from '@stuntdouble/core';
import { read, writeBytes } from '@stuntdouble/formats';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { openPage } from '../../../../scripts/browser.mjs';
import { buildStudio, dropFiles, type Hook, openStudio } from '../studio-page.js';

const MINUTES = 60_000;
const samples = fileURLToPath(new URL('../../../../samples/files/', import.meta.url));

/** A clip again and again, for so many seconds. */
function prolong(clip: Clip, seconds: number): Clip {
  const turns = Math.ceil(seconds / clip.duration);
  return {
    ...clip,
    duration: clip.duration * turns,
    morphs: [],
    tracks: clip.tracks.map((track) => {
      const size = track.values.length / track.times.length;
      const count = Math.max(1, track.times.length - 1);
      const times = new Float32Array(turns * count);
      const values = new Float32Array(turns * count * size);
      for (let n = 0; n < turns; n++) {
        for (let k = 0; k < count; k++) times[n * count + k] = n * clip.duration + track.times[k]!;
        values.set(track.values.subarray(0, count * size), n * count * size);
      }
      return { ...track, times, values };
    }),
  };
}

let long: Uint8Array;
beforeAll(async () => {
  const walk = await read(join(samples, 'motions/walk.glb'));
  const clips = [prolong(walk.characters[0]!.clips[0]!, 120)];
  ({ bytes: long } = await writeBytes('glb', { scene: walk, character: 0, clips }, { replace: true }));
}, MINUTES);

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** The studio as hosts serve it that send no headers: a folder, and no more. */
async function servePlainly(): Promise<{ address: string; close: () => void }> {
  const folder = await buildStudio();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://localhost');
    const path = pathname === '/' ? 'index.html' : pathname;
    try {
      const body = readFileSync(join(folder, path));
      const type = TYPES[extname(path)] ?? 'application/octet-stream';
      response.writeHead(200, { 'content-type': type }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

type Win = { stuntdouble: Hook; most: number };

/** Changes a setting while the one before is solved, and gives how much was asked for at once and what was stopped. */
async function changeQuickly(page: Page): Promise<{ most: number; stopped: number; value: unknown }> {
  const settle = () => page.waitForFunction(() => document.documentElement.dataset.settled === 'true');
  await settle();
  await dropFiles(page, '.view[data-side="source"]', [{ name: 'long.glb', bytes: long }]);
  await page.waitForFunction(() => document.querySelector('.title')!.textContent!.includes('long'));
  await settle();
  await page.evaluate(() => {
    const win = globalThis as unknown as Win;
    win.most = 0;
    setInterval(() => {
      win.most = Math.max(win.most, win.stuntdouble.work().pending);
    }, 5);
  });
  await page.click('#tab-tune');
  await page.click('.segmented >> text=Left arm');
  await page.locator('[role="slider"][aria-label="Arm reach"]').focus();
  const before = await page.evaluate(() => (globalThis as unknown as Win).stuntdouble.work().stopped);
  for (let turn = 0; turn < 3; turn++) {
    for (let n = 0; n < 10; n++) await page.keyboard.press('ArrowRight');
    // What is asked of the worker, not what is shown of it: a quick machine shows nothing.
    if (turn < 2)
      await page.waitForFunction(
        () => (globalThis as unknown as Win).stuntdouble.work().pending > 0,
        undefined,
        { polling: 5, timeout: 30_000 },
      );
  }
  await settle();
  return page.evaluate((stoppedBefore) => {
    const { stuntdouble, most } = globalThis as unknown as Win;
    const { settings } = stuntdouble.document().shared;
    return { most, stopped: stuntdouble.work().stopped - stoppedBefore, value: settings?.limbScalings };
  }, before);
}

it(
  'a setting of a clip of two minutes that is changed quickly: what nobody waits for any more is stopped, and nothing queues up',
  async () => {
    const { page, problems, close } = await openStudio({ words: 'fresh&still' });
    try {
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
      const { most, stopped, value } = await changeQuickly(page);
      expect(most).toBe(1);
      expect(stopped).toBeGreaterThanOrEqual(2);
      expect(value).toMatchObject({ leftArm: { limbScale: expect.closeTo(0.3, 9) } });
      expect(problems).toEqual([]);
    } finally {
      await close();
    }
  },
  4 * MINUTES,
);

it(
  'so it is where the host sends no headers, and pages share no memory with their workers',
  async () => {
    const server = await servePlainly();
    const { page, close } = await openPage(`${server.address}?fresh&still`, {
      width: 1280,
      height: 720,
      seconds: 120,
    });
    try {
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
      const { most, stopped } = await changeQuickly(page);
      expect(most).toBe(1);
      expect(stopped).toBeGreaterThanOrEqual(2);
    } finally {
      await close();
      server.close();
    }
  },
  4 * MINUTES,
);
