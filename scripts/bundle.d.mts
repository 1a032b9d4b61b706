import type { Plugin } from 'esbuild';

/** Resolves our own packages, and the names that these have inside, to their sources. */
export function fromSources(): Plugin;
