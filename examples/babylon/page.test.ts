import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';
import { expect, it } from 'vitest';
import { hasClearSides, openPage } from '../../scripts/browser.mjs';

const page = (path: string) => fileURLToPath(new URL(path, import.meta.url));

it('characters dance in step on the page for Babylon.js, one unpacked by Draco, in a real browser without a network', async () => {
  const outDir = mkdtempSync(join(tmpdir(), 'stuntdouble-babylon-'));
  const configFile = page('./vite.config.ts');
  await build({ configFile, logLevel: 'error', build: { outDir, emptyOutDir: true, minify: false } });
  const server = await preview({ configFile, logLevel: 'error', preview: { port: 0 }, build: { outDir } });
  const [address] = server.resolvedUrls!.local;
  const opened = await openPage(address!, { width: 960, height: 600, seconds: 120 });
  const elsewhere: string[] = [];
  opened.page.on('request', (request) => {
    if (!request.url().startsWith(address!) && !/^(blob|data):/.test(request.url()))
      elsewhere.push(request.url());
  });
  try {
    // A request that a reload cuts off is a problem of its own making: the first load is waited for.
    const dances = () => opened.page.waitForFunction(() => document.body.dataset.apart !== undefined);
    await dances();
    await opened.page.reload();
    await dances();
    expect(Number(await opened.page.evaluate(() => document.body.dataset.child))).toBeGreaterThan(500);
    expect(elsewhere).toEqual([]);
    const raised: number[] = [];
    for (let n = 0; n < 5; n++) {
      const { apart, raised: now } = await opened.page.evaluate(() => ({ ...document.body.dataset }));
      // Between two bodies whose forearms are not alike at rest.
      expect(Number(apart)).toBeLessThan(0.1);
      raised.push(Number(now));
      await opened.page.waitForTimeout(250);
    }
    expect(Math.max(...raised) - Math.min(...raised)).toBeGreaterThan(0.05);
    expect(await opened.page.textContent('#status')).toMatch(/follows live, \d+ joints/);
    const picture = process.env.STUNTDOUBLE_PICTURE;
    if (picture) await opened.page.screenshot({ path: picture });
    // On a phone, both characters in whole.
    await opened.page.setViewportSize({ width: 240, height: 480 });
    await opened.page.waitForTimeout(500);
    expect(await hasClearSides(opened.page)).toBe(true);
    // Draco's own encoder marks no attribute as normalized; Babylon.js says that it goes by the file instead.
    expect(opened.problems.filter((line) => !line.includes('Normalized flag from Draco data'))).toEqual([]);
    const blind = await openPage(address!, { seconds: 60, args: ['--disable-3d-apis'] });
    try {
      const words = 'This did not work: ';
      await blind.page.waitForFunction(
        (start) => document.querySelector('#status')?.textContent?.startsWith(start),
        words,
      );
      expect(await blind.page.textContent('#status')).toMatch(/WebGL/);
    } finally {
      await blind.close();
    }
  } finally {
    await opened.close();
    await server.close();
    rmSync(outDir, { recursive: true, force: true });
  }
});
