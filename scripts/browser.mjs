/*
 * A real browser for the tests of pages: found on the machine, or fetched where that can be done quietly.
 *
 *   node scripts/browser.mjs      prints the path of the browser that tests would use
 */
import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { decode } from 'fast-png';
import { chromium } from 'playwright-core';
import { isMain } from './source-files.mjs';

/** The variable that names the browser to take, before all that is found by itself. */
export const BROWSER_VARIABLE = 'STUNTDOUBLE_BROWSER';

/** How long one attempt to fetch a browser may take: about 200 MB over a slow line. */
const FETCH_SECONDS = 240;

const COMMANDS = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
  'microsoft-edge-stable',
  'msedge',
];

/** Where installers put browsers that are not on the path. */
const usualPlaces = (env) => ({
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  linux: ['/opt/google/chrome/chrome', '/opt/microsoft/msedge/msedge', '/snap/bin/chromium'],
  win32: ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA']
    .map((name) => env[name])
    .filter((folder) => folder !== undefined)
    .flatMap((folder) => [
      `${folder}\\Google\\Chrome\\Application\\chrome.exe`,
      `${folder}\\Microsoft\\Edge\\Application\\msedge.exe`,
    ]),
});

/** Whether a path is a file that may be run. */
function canRun(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Gives the path of a browser that is installed, or null.
 * @param {Record<string, string | undefined>} [env]
 * @param {string} [platform]
 * @returns {string | null}
 */
export function findInstalledBrowser(env = process.env, platform = process.platform) {
  const endings = platform === 'win32' ? ['.exe'] : [''];
  const onPath = (env.PATH ?? env.Path ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => COMMANDS.flatMap((name) => endings.map((ending) => join(folder, name + ending))));
  // Playwright throws where it knows no browser for the platform.
  const own = () => {
    try {
      return [chromium.executablePath()];
    } catch {
      return [];
    }
  };
  return [...onPath, ...(usualPlaces(env)[platform] ?? []), ...own()].find(canRun) ?? null;
}

/** Runs a command to its end; gives null, or the last line that it said when it failed or took too long. */
const run = (command, args, env) =>
  new Promise((done) => {
    const options = { env, timeout: FETCH_SECONDS * 1000, killSignal: 'SIGKILL', maxBuffer: 1 << 24 };
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error === null) return done(null);
      if (error.killed) return done(`no end after ${FETCH_SECONDS} s`);
      const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line.trim() !== '');
      done((lines.at(-1) ?? error.message).trim());
    });
  });

/** The Debian package, where apt and root are at hand. A lock that another run holds is waited for. */
async function fetchByApt(env) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !canRun('/usr/bin/apt-get'))
    return 'no apt-get, or not root';
  const apt = (...args) =>
    run('/usr/bin/apt-get', ['-o', 'DPkg::Lock::Timeout=120', '-q', '-y', ...args], {
      ...env,
      DEBIAN_FRONTEND: 'noninteractive',
    });
  const install = () => apt('install', '--no-install-recommends', 'chromium');
  if ((await install()) === null) return null;
  return (await apt('update')) ?? (await install());
}

/** Playwright's own build, put where playwright looks for it. */
const fetchByPlaywright = (env) => {
  const folder = dirname(createRequire(import.meta.url).resolve('playwright-core/package.json'));
  return run(process.execPath, [join(folder, 'cli.js'), 'install', '--only-shell', 'chromium'], env);
};

/** The ways to fetch a browser, in order; each gives null when it is done, or why it could not be. */
const FETCHES = [
  {
    name: 'Debian package chromium',
    from: "this system's package sources, by apt-get",
    fetch: fetchByApt,
  },
  {
    name: 'download by playwright',
    from: "cdn.playwright.dev, about 110 MB, into playwright's folder in your cache",
    fetch: fetchByPlaywright,
  },
];

/**
 * Finds a Chrome, Chromium or Edge for tests: the one that STUNTDOUBLE_BROWSER names, an installed one, else
 * the Debian package where apt and root are at hand, else playwright's own download; each attempt to fetch
 * has a time limit, and is told of before it begins.
 * @param {{ env?: Record<string, string | undefined>, platform?: string,
 *   fetches?: readonly { name: string, from: string, fetch: (env: Record<string, string | undefined>) => Promise<string | null> }[],
 *   say?: (line: string) => void }} [options]
 * @returns {Promise<string>} the path of its executable
 * @throws {Error} one sentence that says what was tried, where there is none
 */
export async function findBrowser({
  env = process.env,
  platform = process.platform,
  fetches = FETCHES,
  say = (line) => console.error(line),
} = {}) {
  const named = env[BROWSER_VARIABLE];
  if (named !== undefined && named !== '') {
    if (canRun(named)) return named;
    throw new Error(`${BROWSER_VARIABLE} names '${named}', which is no file that can be run`);
  }
  const installed = findInstalledBrowser(env, platform);
  if (installed !== null) return installed;
  const failures = [];
  for (const { name, from, fetch } of fetches) {
    say(
      `No Chrome, Chromium or Edge is installed, which the tests of pages need. Installing one: ${name}, from ${from}. ` +
        `${BROWSER_VARIABLE} names another.`,
    );
    const failure = await fetch(env);
    const fetched = failure === null ? findInstalledBrowser(env, platform) : null;
    if (fetched !== null) return fetched;
    failures.push(`${name}: ${failure ?? 'installed, but not found'}`);
  }
  throw new Error(
    `No browser for the tests of pages: no Chrome, Chromium or Edge is installed, and none could be fetched ` +
      `(${failures.join('; ')}); install one, or name it in ${BROWSER_VARIABLE}`,
  );
}

/**
 * Opens an address in a headless browser of its own and collects what goes wrong on the page.
 * @param {string} address
 * @param {{ width?: number, height?: number, scale?: number, seconds?: number, browser?: string, args?: readonly string[] }} [options]
 * size of the page, pixels of the screen for one of the page, limit for everything that waits, a browser other than the
 * one found, and what it is started with
 * @returns {Promise<{ page: import('playwright-core').Page, problems: string[], close: () => Promise<void> }>}
 * `problems` grows with errors and warnings of the console, uncaught errors and failed requests; `close` ends
 * the browser
 */
export async function openPage(
  address,
  { width = 320, height = 200, scale = 1, seconds = 60, browser, args = [] } = {},
) {
  const running = await chromium.launch({
    executablePath: browser ?? (await findBrowser()),
    // Chromium refuses to run as root with its sandbox on; the pages opened here are our own.
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...args],
    timeout: seconds * 1000,
  });
  try {
    const page = await running.newPage({ viewport: { width, height }, deviceScaleFactor: scale });
    page.setDefaultTimeout(seconds * 1000);
    const problems = [];
    page.on('console', (message) => {
      if (isProblem(message.type(), message.text())) problems.push(`${message.type()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
    page.on('requestfailed', (request) =>
      problems.push(`request failed: ${request.url()} ${request.failure()?.errorText ?? ''}`),
    );
    page.on('response', (response) => {
      if (response.status() >= 400) problems.push(`response ${response.status()}: ${response.url()}`);
    });
    await page.goto(address, { waitUntil: 'load' });
    return { page, problems, close: () => running.close() };
  } catch (error) {
    await running.close();
    throw error;
  }
}

/**
 * Whether the left and right edges of a page that shows bodies over a grey floor are free of them: no colour and
 * nothing bright there.
 * @param {import('playwright-core').Page} page
 * @returns {Promise<boolean>}
 */
export async function hasClearSides(page) {
  const { width, height, channels, data } = decode(await page.screenshot());
  for (let y = 0; y < height; y++)
    for (const x of [0, 1, width - 2, width - 1]) {
      const at = channels * (y * width + x);
      const [low, , high] = [data[at], data[at + 1], data[at + 2]].sort((a, b) => a - b);
      if (high > 150 || high - low > 40) return false;
    }
  return true;
}

/**
 * Whether a message of the console is the page's fault. A software renderer is told of by the driver: slow
 * reads of pixels and the fallback itself are nothing that a page did.
 */
const isProblem = (type, text) =>
  (type === 'error' || type === 'warning') &&
  !/GPU stall|GL Driver Message|software WebGL|SwiftShader|swiftshader/.test(text);

if (isMain(import.meta.url)) {
  try {
    console.log(await findBrowser());
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
