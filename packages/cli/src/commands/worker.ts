import { existsSync } from 'node:fs';
import { printable, UsageError } from '@stuntdouble/core/engine';
import { readOptionsOf } from '@stuntdouble/jobs';
import {
  createThreadRunner,
  isBucketPlace,
  readQueueAddress,
  startQueueWorker,
} from '@stuntdouble/jobs/node';
import { type Command, Option } from 'commander';
import { defaultWorkers, parseCount, parseSpan } from '../batch/batch-flags.js';
import { CELL_MODULE } from '../cell-module.js';
import { readVersion } from '../read-version.js';
import { counted } from '../text/words.js';
import { addSharedOptions, answer, type Context, type SharedOptions } from './context.js';

/** Where the address of a queue may stand instead of on the command line, which others can read. */
const ADDRESS_VARIABLE = 'STUNTDOUBLE_QUEUE';

/** What may be typed for `worker`. */
type WorkerCommandOptions = SharedOptions & {
  queue?: string;
  root: string;
  threads?: number;
  timeLimit: number;
  lock: number;
  stalledInterval: number;
};

const HELP = `
A worker takes what "stuntdouble batch --queue URL" gives, does it in threads, and writes the results. It reads and
writes only below --root, which is the folder that the batch has as its --queue-root, on a disk that both share. Workers come
and go: what one had in hand when it was killed is done by another. Ctrl-C or SIGTERM finishes the cell in hand.

The queue is a Redis that keeps what it is given:
  $ redis-server --appendonly yes --appendfsync everysec --maxmemory-policy noeviction
  $ docker run -p 127.0.0.1:6379:6379 redis:7 redis-server --appendonly yes --maxmemory-policy noeviction
  $ npm install bullmq@6 ioredis@5
An address with a password is better put into ${ADDRESS_VARIABLE} than typed.

  $ stuntdouble worker --queue redis://127.0.0.1:6379 --root /data
  $ stuntdouble batch /data/captures --onto /data/heroes --out /data/moved --queue redis://127.0.0.1:6379 --queue-root /data
`;

/** Adds the command `worker --queue URL --root DIR`. */
export function addWorker(program: Command, context: Context): void {
  addSharedOptions(
    program
      .command('worker')
      .summary('take the jobs of a batch that goes by a queue')
      .description('Takes jobs that "batch --queue" gives, from any number of machines, until told to stop.')
      .option('--queue <URL>', `the Redis of the queue; what ${ADDRESS_VARIABLE} says if left out`)
      .requiredOption('--root <DIR>', 'the one folder, or s3://BUCKET/FOLDER, that is read and written')
      .option('--threads <N>', 'cells at once; all processors but one if left out', parseCount)
      .addOption(spanOption('--time-limit <SPAN>', 'how long one cell may take: 90s, 1h', '10m'))
      .addOption(
        spanOption('--lock <SPAN>', 'how long a job stays with a worker that is not heard of', '30s'),
      )
      .addOption(spanOption('--stalled-interval <SPAN>', 'how often such jobs are looked for', '15s')),
  )
    .addHelpText('after', HELP)
    .action((options: WorkerCommandOptions) => run(options, context));
}

/** A flag for a span of time, whose default is told as it would be typed. */
const spanOption = (flags: string, description: string, otherwise: string) =>
  new Option(flags, description).argParser(parseSpan).default(parseSpan(otherwise), otherwise);

async function run(options: WorkerCommandOptions, context: Context): Promise<void> {
  const url = options.queue ?? process.env[ADDRESS_VARIABLE];
  if (!url)
    throw new UsageError(
      `give the queue: --queue redis://127.0.0.1:6379, or ${ADDRESS_VARIABLE} in the environment`,
    );
  const { words } = readQueueAddress(url);
  if (!isBucketPlace(options.root) && !existsSync(options.root))
    throw new UsageError(`--root ${options.root}: there is no such folder`);
  const threads = Math.max(1, options.threads ?? defaultWorkers());
  const { tellNow, onStop } = context.terminal;
  let done = 0;
  let failed = 0;
  const worker = await startQueueWorker({
    ...{ url, root: options.root, version: readVersion(), read: readOptionsOf(options) },
    ...{ lock: options.lock, stalledInterval: options.stalledInterval },
    runner: createThreadRunner({ threads, timeLimit: options.timeLimit, module: CELL_MODULE }),
    ...(tellNow && { tell: (line: string) => tellNow(printable(line)) }),
    onCell: ({ state }) => {
      if (state === 'done') done++;
      else failed++;
    },
  });
  onStop?.(() => {
    tellNow?.('what is in hand is finished; once more stops at once');
    void worker.stop();
  });
  tellNow?.(`takes jobs from ${words}, ${counted(threads, 'thread')}, below ${printable(options.root)}`);
  await worker.ended;
  answer(
    context,
    options,
    () => ({ done, failed }),
    () => [`done ${counted(done, 'cell')}${failed > 0 ? `, ${failed} failed` : ''}`],
  );
}
