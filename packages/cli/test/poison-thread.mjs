/*
 * A thread of cells that is struck by files whose names say so: it exits, takes all memory, or never comes back.
 */
import { parentPort } from 'node:worker_threads';
import { runCellThread } from '@stuntdouble/jobs/node';

parentPort.on('message', ({ cell, look }) => {
  const name = cell?.source ?? look.path;
  if (name.includes('poison-exits')) process.exit(1);
  const hoard = [];
  while (name.includes('poison-hoards')) hoard.push(new Array(1e5).fill({}));
  while (name.includes('poison-hangs'));
});
runCellThread();
