import { type MessagePort, parentPort } from 'node:worker_threads';
import type { ManifestEntry } from '../../batch/manifest.js';
import { type UnfinishedEvent, watchUnfinished } from '../unfinished-files.js';
import { type CellOrder, createCellDoer } from './do-cell.js';
import { type FileLook, type LookOrder, lookAtFile } from './look-at-file.js';

/** What starts a thread of cells, to be told from other threads of a program. */
export const CELL_THREAD = 'stuntdouble cells';

/** What a thread of cells is told to do: a cell, or a file to be looked at before its cells are planned. */
export type CellThreadOrder = CellOrder | { look: LookOrder };

/** What a thread of cells tells. */
export type CellThreadMessage =
  | { kind: 'ready' }
  | { kind: 'cell'; entry: ManifestEntry }
  | { kind: 'look'; look: FileLook | null }
  | { kind: 'file'; event: UnfinishedEvent };

/** Does cells as they are ordered, one after the other, in the thread that it is called in. */
export function runCellThread(port: MessagePort | null = parentPort): void {
  if (!port) return;
  const tell = (message: CellThreadMessage) => port.postMessage(message);
  watchUnfinished((event) => tell({ kind: 'file', event }));
  const doCell = createCellDoer();
  port.on('message', (order: CellThreadOrder) => {
    if ('look' in order) void lookAtFile(order.look).then((look) => tell({ kind: 'look', look }));
    else void doCell(order).then((entry) => tell({ kind: 'cell', entry }));
  });
  tell({ kind: 'ready' });
}
