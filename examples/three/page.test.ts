import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';
import { expect, it } from 'vitest';
import { hasClearSides, openPage } from '../../scripts/browser.mjs';

const page = (path: string) => fileURLToPath(new URL(path, import.meta.url));

it('two characters dance in step on the page for three.js, in a real browser', async () => {
  const outDir = mkdtempSync(join(tmpdir(), 'stuntdouble-three-'));
  const configFile = page('./vite.config.ts');
  await build({ configFile, logLevel: 'error', build: { outDir, emptyOutDir: true, minify: false } });
  const server = await preview({
    configFile,
    logLevel: 'error',
    preview: { host: '127.0.0.1', port: 0 },
    build: { outDir },
  });
  try {
    const [address] = server.resolvedUrls!.local;
    const opened = await openPage(address!, { width: 480, height: 300, seconds: 60 });
    try {
      await opened.page.waitForFunction(
        () =>
          document.body.dataset.apart !== undefined ||
          document.querySelector('#status')?.textContent?.startsWith('This did not work'),
      );
      expect(opened.problems).toEqual([]);
      const raised: string[] = [];
      const follows: string[] = [];
      for (let n = 0; n < 5; n++) {
        const now = await opened.page.evaluate(() => ({ ...document.body.dataset }));
        expect(Number(now.apart)).toBeLessThan(0.1);
        raised.push(now.raised!);
        follows.push(now.follows!);
        await opened.page.waitForTimeout(250);
      }
      for (const arms of [raised, follows]) {
        const first = arms.map((all) => all.split(' ').map(Number));
        const spans = first[0]!.map((_, bone) => {
          const heights = first.map((all) => all[bone]!);
          return Math.max(...heights) - Math.min(...heights);
        });
        expect(Math.max(...spans)).toBeGreaterThan(0.05);
      }
      expect(await opened.page.textContent('#status')).toMatch(/follows live, \d+ joints/);
      await opened.page.screenshot({ path: process.env.STUNTDOUBLE_PICTURE ?? join(outDir, 'page.png') });
      // On a phone, both characters in whole.
      await opened.page.setViewportSize({ width: 240, height: 480 });
      await opened.page.waitForTimeout(500);
      expect(await hasClearSides(opened.page)).toBe(true);
      expect(opened.problems).toEqual([]);
    } finally {
      await opened.close();
    }
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
    await server.close();
    rmSync(outDir, { recursive: true, force: true });
  }
});
