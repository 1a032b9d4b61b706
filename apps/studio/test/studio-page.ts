import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { startStudioServer } from '../../../packages/cli/src/studio-server.js';
import { openPage } from '../../../scripts/browser.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const studio = join(root, 'apps/studio');
const built = join(studio, 'dist');

/** The newest change below some folders, in milliseconds. */
function newest(...folders: string[]): number {
  return Math.max(
    ...folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
    ),
  );
}

/** Builds the studio where its sources are newer than what is built; files of tests that run at once wait for each other. */
export async function buildStudio(): Promise<string> {
  const sources = [join(studio, 'src'), join(root, 'packages/core/src'), join(root, 'packages/formats/src')];
  const isFresh = () =>
    existsSync(join(built, 'index.html')) && statSync(join(built, 'index.html')).mtimeMs > newest(...sources);
  const lock = join(studio, 'node_modules', '.building');
  mkdirSync(join(studio, 'node_modules'), { recursive: true });
  for (let tries = 0; !isFresh() && tries < 600; tries++) {
    try {
      mkdirSync(lock);
    } catch {
      await wait(250);
      continue;
    }
    try {
      // Vitest says that this is a test; what is built is what people get all the same.
      process.env.NODE_ENV = 'production';
      if (!isFresh()) await build({ configFile: join(studio, 'vite.config.ts'), logLevel: 'error' });
    } finally {
      process.env.NODE_ENV = 'test';
      rmSync(lock, { recursive: true, force: true });
    }
  }
  return built;
}

/** A studio in a real browser. */
export type StudioPage = {
  page: Page;
  address: string;
  problems: string[];
  /** Hosts that the page spoke to. */
  hosts: Set<string>;
  /** Waits until everything that was asked for is done and drawn. */
  settle: () => Promise<void>;
  /**
   * Goes back to the sample as it is on arrival, at a time. The page itself stays, and with it how it is looked at: to
   * load it takes most of a short journey's time.
   */
  beginAnew: (time: number) => Promise<void>;
  close: () => Promise<void>;
};

/** What the page gives to tests. */
export type Hook = {
  info(): { frames: number; geometries: number; textures: number };
  views(): { side: 'source' | 'target'; file: string }[];
  matrices(side: 'source' | 'target', file: string): number[];
  morphs(side: 'source' | 'target', file: string): { mesh: string; morph: string; weight: number }[];
  placeOf(side: 'source' | 'target', name: string): { x: number; y: number } | null;
  clock: {
    time(): number;
    seek(time: number): void;
    duration(): number;
    playing(): boolean;
    play(on: boolean): void;
  };
  document(): import('../src/document/document.js').StudioDocument;
  work(): { pending: number; stopped: number };
};

/**
 * Opens the studio, still and forgetful of earlier visits unless told otherwise. Its pictures are drawn with a quarter of
 * the pixels unless they are looked at: without a graphics card most of the time went into them.
 */
export async function openStudio({
  words = 'fresh&still',
  files = [] as string[],
  width = 1280,
  height = 720,
  scale = 0.5,
} = {}): Promise<StudioPage> {
  const server = await startStudioServer({ folder: await buildStudio(), files });
  const opened = await openPage(`${server.address}?${words}`, { width, height, scale, seconds: 120 });
  const { page, problems } = opened;
  const hosts = new Set<string>();
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith('http')) hosts.add(host);
  });
  // Choosers are taken over from the start: the first one must not open before somebody listens.
  page.on('filechooser', () => {});
  const settle = async () => {
    await page.waitForFunction(() => document.documentElement.dataset.settled === 'true');
  };
  await settle();
  const beginAnew = async (time: number) => {
    await page.click('.title');
    await page.click('.popup-item >> text=Begin anew');
    await page.waitForFunction(() =>
      document.querySelector('.title')!.textContent!.includes('walk → vrm-girl'),
    );
    await page.click('#tab-map');
    await page.evaluate(`stuntdouble.clock.seek(${time}); document.activeElement.blur()`);
    await settle();
  };
  return {
    page,
    address: server.address,
    problems,
    hosts,
    settle,
    beginAnew,
    close: async () => {
      await opened.close();
      await server.close();
    },
  };
}

/** Drops files onto a place of the page, as a hand would. */
export async function dropFiles(
  page: Page,
  selector: string,
  files: readonly { name: string; bytes: Uint8Array }[],
): Promise<void> {
  const data = await page.evaluateHandle(
    (list) => {
      const transfer = new DataTransfer();
      for (const { name, text } of list) {
        const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        transfer.items.add(new File([bytes], name));
      }
      return transfer;
    },
    files.map(({ name, bytes }) => ({ name, text: Buffer.from(bytes).toString('base64') })),
  );
  await page.dispatchEvent(selector, 'dragover', { dataTransfer: data });
  await page.dispatchEvent(selector, 'drop', { dataTransfer: data });
}
