/*
 * Files of a disk: documents that are read, and results that are written whole or not at all.
 */
export * from './batch/batch-files.js';
export * from './batch/batch-folder.js';
export * from './batch/cell-runners.js';
export * from './batch/cell-thread.js';
export * from './batch/do-cell.js';
export * from './batch/hash-files.js';
export * from './batch/list-files.js';
export * from './batch/look-at-file.js';
export * from './batch/run-batch.js';
export * from './output-place.js';
export * from './place-under.js';
export * from './queue/queue-address.js';
export * from './queue/queue-runner.js';
export * from './queue/queue-worker.js';
export * from './read-contacts.js';
export * from './read-file.js';
export * from './read-json.js';
export * from './read-map.js';
export * from './read-recipe.js';
export * from './store/folder-store.js';
export * from './store/object-store.js';
export * from './store/open-store.js';
export * from './store/s3-store.js';
export * from './unfinished-files.js';
export * from './write-whole.js';
