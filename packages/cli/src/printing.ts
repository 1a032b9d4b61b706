/*
 * What the command prints with, for programs of this project; it is outside the promise of versions.
 */
export * from './progress.js';
export * from './terminal.js';
export * from './text/table.js';
export * from './text/words.js';
