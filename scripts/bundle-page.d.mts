import type { Plugin } from 'esbuild';

export const PAGE: string;
export const ENTRIES: Readonly<Record<string, string>>;
export function bundlePage(outdir: string, fromSources: Plugin): Promise<void>;
