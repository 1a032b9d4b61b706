import type { Plugin } from 'esbuild';

export declare const LIVE: string;
export declare const ENGINES: readonly ('three' | 'babylon')[];
export declare function packLive(engine: string, fromSources: Plugin): Promise<string>;
export declare function cutLive(
  text: string,
  lists: Record<'first' | 'soon', Record<string, string[]>>,
): Map<string, string>;
export declare function bundleLive(outdir: string, fromSources: Plugin): Promise<void>;
export declare function readUnits(text: string): {
  units: { file: string; names: string[]; isFunction: boolean; start: number; text: string }[];
};
