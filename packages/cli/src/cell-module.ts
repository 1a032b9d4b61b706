/** The module that threads of cells are started from; the command in one file is its own. */
export const CELL_MODULE = new URL('./command-thread.js', import.meta.url);
