/*
 * A thread of cells that is struck by files whose names say so: it exits, takes all memory, or never comes back.
 */
import { parentPort } from 'node:worker_threads';
import { runCellThread } from '@stuntdouble/jobs/node';

parentPort.on('message', ({ cell }) => {
  if (cell.source.includes('poison-exits')) process.exit(1);
  const hoard = [];
  while (cell.source.includes('poison-hoards')) hoard.push(new Array(1e5).fill({}));
  while (cell.source.includes('poison-hangs'));
});
runCellThread();
