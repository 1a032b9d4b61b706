import { dirname, resolve } from 'node:path';
import { UsageError } from '@stuntdouble/core/engine';
import {
  type CellRunner,
  createPlainRunner,
  createQueueRunner,
  createThreadRunner,
  isBucketPlace,
  readBucketPlace,
} from '@stuntdouble/jobs/node';
import { CELL_MODULE } from '../cell-module.js';
import { readVersion } from '../read-version.js';
import type { Terminal } from '../terminal.js';
import { type BatchCommandOptions, defaultWorkers } from './batch-flags.js';

/** How long a cell may take unless something else is said, in milliseconds. */
const TIME_LIMIT = 600_000;

/**
 * Makes what does the cells of a batch: threads, no threads, or workers behind a queue.
 * @throws UsageError where flags cannot be meant together, or the queue cannot be used.
 */
export async function createRunner(
  options: BatchCommandOptions,
  { tellNow }: Pick<Terminal, 'tellNow'>,
): Promise<CellRunner> {
  const { queue, workers, queueRoot, out, timeLimit = TIME_LIMIT } = options;
  if (queue !== undefined) {
    if (workers !== undefined)
      throw new UsageError(
        '--workers are threads of this process and --queue is for others; give one of the two',
      );
    return createQueueRunner({
      ...{ url: queue, root: rootOf(out, queueRoot), version: readVersion() },
      ...(tellNow && { tell: tellNow }),
    });
  }
  if (queueRoot !== undefined)
    throw new UsageError('--queue-root says where workers look; it goes with --queue');
  const threads = workers ?? defaultWorkers();
  return threads === 0
    ? createPlainRunner()
    : createThreadRunner({ threads, timeLimit, module: CELL_MODULE });
}

/** What workers have as their root: what is said, the bucket of results, or the folder that theirs stands in. */
function rootOf(out: string, queueRoot: string | undefined): string {
  if (!isBucketPlace(out)) return resolve(queueRoot ?? dirname(resolve(out)));
  return (queueRoot ?? `s3://${readBucketPlace(out).bucket}`).replace(/\/+$/, '');
}
