import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPage } from '../../scripts/browser.mjs';
import { fromSources } from '../../scripts/bundle.mjs';
import { bundleLive, LIVE } from '../../scripts/bundle-live.mjs';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const outDir = mkdtempSync(join(tmpdir(), 'stuntdouble-live-'));
let server: PreviewServer;

beforeAll(async () => {
  await bundleLive(LIVE, fromSources());
  const configFile = here('./vite.config.ts');
  await build({ configFile, logLevel: 'error', build: { outDir, emptyOutDir: true } });
  server = await preview({
    configFile,
    logLevel: 'error',
    preview: { host: '127.0.0.1', port: 0 },
    build: { outDir },
  });
});
afterAll(async () => {
  await server?.close();
  rmSync(outDir, { recursive: true, force: true });
});

/** What the page says of the feet at one frame: seconds, the body's height, and where both feet are. */
type Feet = { time: number; height: number; feet: [number[], number[]] };

const read = (text: string): Feet => {
  const [time, height, ...places] = text.split(' ').map(Number);
  return { time: time!, height: height!, feet: [places.slice(0, 3), places.slice(3)] };
};

/**
 * How far the foot goes that goes less, from frame to frame, in heights a second, in the better half of the frames: in a
 * walk one of them stands, but for when it rolls off.
 */
function standing(frames: readonly Feet[]): number {
  const speeds = frames.slice(1).flatMap((now, n) => {
    const before = frames[n]!;
    const seconds = now.time - before.time;
    const ways = now.feet.map(([x, , z], foot) =>
      Math.hypot(x! - before.feet[foot]![0]!, z! - before.feet[foot]![2]!),
    );
    // Where the motion begins anew the body is somewhere else.
    return seconds > 0 && Math.max(...ways) < 0.5 * now.height
      ? [Math.min(...ways) / seconds / now.height]
      : [];
  });
  return speeds.sort((a, b) => a - b)[Math.floor(speeds.length / 4)]!;
}

describe.each([
  ['three.js', ''],
  ['Babylon.js', 'babylon.html'],
])('the page with one motion in %s, in a real browser', (_, path) => {
  it('shows it on our avatar and on one that a visitor brings, feet held', async () => {
    const opened = await openPage(server.resolvedUrls!.local[0]! + path, {
      width: 480,
      height: 300,
      seconds: 120,
    });
    const { page, problems } = opened;
    const says = (words: string) =>
      page.waitForFunction(
        (start) => document.querySelector('#status')?.textContent?.startsWith(start),
        words,
      );
    try {
      await says('Our avatar: follows live');
      for (const avatar of ['vrm1-sister.vrm', 'baker.glb']) {
        if (avatar === 'baker.glb') {
          await page.setInputFiles('#avatar', here(`../../samples/files/characters/${avatar}`));
          await says(`${avatar}: follows live`);
        }
        const frames: Feet[] = [];
        for (let n = 0; n < 80; n++) {
          await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(null))));
          frames.push(read(await page.evaluate(() => document.body.dataset.feet!)));
        }
        const ways = frames.map(({ feet: [left] }) => left[2]!);
        expect(Math.max(...ways) - Math.min(...ways)).toBeGreaterThan(0.1 * frames[0]!.height);
        expect(standing(frames)).toBeLessThan(0.002);
      }
      if (process.env.STUNTDOUBLE_PICTURE)
        await page.screenshot({ path: `${process.env.STUNTDOUBLE_PICTURE}-${path || 'three'}.png` });
      // A file that is none is said in a sentence, and the avatar before goes on.
      await page.setInputFiles('#avatar', here('./page.css'));
      await says('This did not work: ');
      expect(problems).toEqual([]);
    } finally {
      await opened.close();
    }
  });
});
