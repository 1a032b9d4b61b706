import type { Page } from 'playwright-core';

type Environment = Record<string, string | undefined>;

/** The variable that names the browser to take, before all that is found by itself. */
export declare const BROWSER_VARIABLE: string;

/** Gives the path of a browser that is installed, or null. */
export declare function findInstalledBrowser(env?: Environment, platform?: string): string | null;

/** Finds a browser for tests, fetching one where none is installed; throws one sentence where there is none. */
export declare function findBrowser(options?: {
  env?: Environment;
  platform?: string;
  fetches?: readonly { name: string; from: string; fetch: (env: Environment) => Promise<string | null> }[];
  /** Tells what is installed and from where, before it is; to standard error if left out. */
  say?: (line: string) => void;
}): Promise<string>;

/** A page in a headless browser of its own. */
export type OpenedPage = {
  page: Page;
  /** Errors and warnings of the console, uncaught errors and failed requests, as they come. */
  problems: string[];
  /** Ends the browser. */
  close: () => Promise<void>;
};

/** Opens an address in a headless browser of its own and collects what goes wrong on the page. */
export declare function openPage(
  address: string,
  options?: {
    width?: number;
    height?: number;
    /** Pixels of the screen for one of the page. */
    scale?: number;
    seconds?: number;
    browser?: string;
    args?: readonly string[];
  },
): Promise<OpenedPage>;

/** Whether the left and right edges of a page that shows bodies over a grey floor are free of them. */
export declare function hasClearSides(page: Page): Promise<boolean>;
