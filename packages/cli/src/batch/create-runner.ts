import { dirname, resolve } from 'node:path';
import { UsageError } from '@stuntdouble/core/engine';
import { Failure } from '@stuntdouble/jobs';
import {
  type CellRunner,
  createPlainRunner,
  createQueueRunner,
  createThreadRunner,
  isBucketPlace,
  type Looker,
  readBucketPlace,
} from '@stuntdouble/jobs/node';
import { CELL_MODULE } from '../cell-module.js';
import { readVersion } from '../read-version.js';
import type { Terminal } from '../terminal.js';
import { type BatchCommandOptions, defaultWorkers } from './batch-flags.js';

/** How long a cell may take unless something else is said, in milliseconds. */
const TIME_LIMIT = 600_000;

/**
 * Makes what does work on this machine: threads, or none. Where cells go by a queue, files are looked at here all the same.
 * @throws UsageError where flags cannot be meant together.
 */
export function createLocalRunner(options: BatchCommandOptions): CellRunner & Looker {
  const { queue, workers, queueRoot, timeLimit = TIME_LIMIT } = options;
  if (queue !== undefined && workers !== undefined)
    throw new UsageError(
      '--workers are threads of this process and --queue is for others; give one of the two',
    );
  if (queue === undefined && queueRoot !== undefined)
    throw new UsageError('--queue-root says where workers look; it goes with --queue');
  const threads = workers ?? defaultWorkers();
  return threads === 0
    ? createPlainRunner()
    : createThreadRunner({ threads, timeLimit, module: CELL_MODULE });
}

/** What looks at files until somebody has had enough; what was seen until then stays known. */
export function lookUntil({ width, look }: Looker, isStopped: () => boolean): Looker {
  return {
    width,
    look: (order) => (isStopped() ? Promise.reject(new Failure('the batch was stopped')) : look(order)),
  };
}

/**
 * Makes what does the cells of a batch where these go by a queue; null where they do not.
 * @throws UsageError where the queue cannot be used.
 */
export async function createQueueRunnerOf(
  { queue, queueRoot, out }: BatchCommandOptions,
  { tellNow }: Pick<Terminal, 'tellNow'>,
): Promise<CellRunner | null> {
  if (queue === undefined) return null;
  return createQueueRunner({
    ...{ url: queue, root: rootOf(out, queueRoot), version: readVersion() },
    ...(tellNow && { tell: tellNow }),
  });
}

/** What workers have as their root: what is said, the bucket of results, or the folder that theirs stands in. */
function rootOf(out: string, queueRoot: string | undefined): string {
  if (!isBucketPlace(out)) return resolve(queueRoot ?? dirname(resolve(out)));
  return (queueRoot ?? `s3://${readBucketPlace(out).bucket}`).replace(/\/+$/, '');
}
