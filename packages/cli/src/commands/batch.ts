import { setTimeout as wait } from 'node:timers/promises';
import { printable } from '@stuntdouble/core/engine';
import { WRITTEN_EXTENSIONS } from '@stuntdouble/formats/kinds';
import { type BatchRecipes, GATES, isCharacterLine, readOptionsOf, sourceWords } from '@stuntdouble/jobs';
import {
  type Batch,
  type BatchPlan,
  type CellRunner,
  planBatch,
  pruneBatch,
  runBatch,
  writeWhole,
} from '@stuntdouble/jobs/node';
import type { Command } from 'commander';
import { batchExitCode } from '../batch/batch-exit-code.js';
import {
  type BatchCommandOptions,
  batchLimits,
  batchRecipes,
  batchSettings,
  openResults,
  parseCount,
  parseSpan,
} from '../batch/batch-flags.js';
import { batchJunit } from '../batch/batch-junit.js';
import { batchJson, batchLines, failedOnes, planLines, type RanBatch, roundOf } from '../batch/batch-text.js';
import { createLocalRunner, createQueueRunnerOf, lookUntil } from '../batch/create-runner.js';
import { writeGallery } from '../batch/write-gallery.js';
import { EXIT_CODES } from '../exit-codes.js';
import { parseMeasureLimit } from '../flags/arguments.js';
import { BATCH_HELP } from '../flags/batch-help.js';
import { addOptionFlags } from '../flags/option-flags.js';
import { readVersion } from '../read-version.js';
import { addSharedOptions, answer, type Context } from './context.js';

/** Adds the command `batch SOURCES… --onto TARGETS… --out DIR`. */
export function addBatch(program: Command, context: Context): void {
  const command = program
    .command('batch')
    .summary('move every clip of many files onto many characters')
    .description(
      'Moves the clips of every source onto every character, on all processors, and keeps a list of what was done, so that only what has changed is done again.',
    )
    .argument('<SOURCES...>', 'files with motion, folders of them, or patterns')
    .requiredOption('--onto <TARGETS...>', 'files with characters, folders of them, or patterns')
    .requiredOption('--out <DIR>', 'the folder that results go to, or s3://BUCKET/FOLDER')
    .option('--work <DIR>', 'the folder that a batch in a bucket keeps its list in while it runs')
    .option('--recipe <FILE>', 'do as a saved recipe says, for all')
    .option('--recipes <DIR>', 'recipes by name: SOURCE@TARGET.json, @TARGET.json, default.json')
    .option(
      '--format <FORMAT>',
      `what results are: ${WRITTEN_EXTENSIONS.join(', ')}, or same as the character, which is the default`,
    )
    .option(
      '--layout <LAYOUT>',
      'one file a cell, which is the default, or one file a character with all clips: cell or character',
    )
    .option(
      '--name <PATTERN>',
      'how results are called below DIR, by {source}, the {folder} it lies in, the {path} to it below what was named, {target}, {clip}, {key} and {ext}; {target}/{source}{ext} if left out, {target}{ext} for one file a character; with {clip} there is one file a clip',
    )
    .option('--animation-only', 'write skeletons and clips without meshes')
    .option(
      '--compress',
      'compress keys in .glb and .vrma, by EXT_meshopt_compression: no joint off by more than a millimetre (on a body of 2 m, its arms stretched out)',
    )
    .option('--replace', 'drop the clips that characters have already')
    .option('--workers <N>', 'threads; all processors but one if left out, 0 for none', parseCount)
    .option('--queue <URL>', 'let workers do it, by the Redis at redis://HOST:PORT (see stuntdouble worker)')
    .option(
      '--queue-root <DIR>',
      'the folder that workers have as theirs; the one that DIR is in if left out',
    )
    .option('--time-limit <SPAN>', 'how long one cell may take: 90s, 10m (the default), 1h', parseSpan)
    .option('--stop-after <N>', 'end after so many failures', parseCount)
    .option('--junit <FILE>', 'write a JUnit report: a suite a character, a case a cell')
    .option('--gallery [all]', 'write DIR/index.html with pictures, the worst first; all draws every cell')
    .option('--watch', 'stay, and do what changes')
    .option('--dry-run', 'say what would be done and what room it takes, and write no result')
    .option('--retry-failed', 'try again what failed by its files before')
    .option('--force', 'do everything again, and replace a report that is there')
    .option('--prune', 'remove results that are no part of the batch any more');
  for (const { flag, meaning } of GATES)
    command.option(`--${flag} <NUMBER>`, `a limit for every cell: ${meaning}`, parseMeasureLimit);
  addOptionFlags(addSharedOptions(command))
    .addHelpText('after', BATCH_HELP)
    .action((sources: string[], options: BatchCommandOptions) => run(sources, options, context));
}

async function run(sources: string[], options: BatchCommandOptions, context: Context): Promise<void> {
  const settings = batchSettings(options);
  const recipes: BatchRecipes = await batchRecipes(options);
  const stopped = { isAsked: false };
  context.terminal.onStop?.(() => {
    stopped.isAsked = true;
    context.terminal.tellNow?.('what is in hand is finished; once more stops at once');
    void runner?.withdraw?.();
  });
  let runner: CellRunner | null = null;
  const local = createLocalRunner(options);
  const folder = await openResults(options);
  try {
    const batch: Batch = {
      ...{ sources, targets: options.onto, folder, settings, recipes },
      ...{ read: readOptionsOf(options), version: readVersion(), limits: batchLimits(options) },
      ...(options.format !== undefined && { format: options.format }),
      ...(options.name !== undefined && { name: options.name }),
      ...(options.referenceFrom && { references: options.referenceFrom }),
      ...(options.force && { force: true }),
      ...(options.retryFailed && { retryFailed: true }),
      ...(options.dryRun && { isDry: true }),
    };
    const looker = lookUntil(local, () => stopped.isAsked);
    // What was seen of files is kept also where the batch ends here, for names that clash.
    let plan = await planBatch(batch, looker).finally(() => folder.remember());
    if (stopped.isAsked) {
      context.exitCode = EXIT_CODES.stopped;
      return;
    }
    if (options.dryRun) {
      answer(
        context,
        options,
        () => batchJson({ plan, entries: plan.kept, characters: [], isDry: true }),
        () => planLines(plan, options, context.terminal),
      );
      return;
    }
    runner = await createQueueRunnerOf(options, context.terminal);
    // Files were looked at, and nothing else is done here.
    if (runner) await local.close();
    else runner = local;
    let ran = await runOnce(batch, plan, runner, options, context, stopped);
    const tellRound = () => {
      if (!stopped.isAsked) context.terminal.tellNow?.(roundOf(ran, options, context.terminal));
    };
    if (options.watch) tellRound();
    while (options.watch && !stopped.isAsked) {
      await wait(1000);
      const next = await planBatch({ ...batch, force: false }, looker).catch(() => null);
      if (!next || next.todo.length === 0 || stopped.isAsked) continue;
      plan = next;
      // Who watches may move files about: nothing is removed meanwhile.
      const others = { ...options, prune: false };
      ran = await runOnce({ ...batch, force: false }, plan, runner, others, context, stopped);
      tellRound();
    }
    answer(
      context,
      options,
      () => batchJson(ran),
      () => batchLines(ran, options, context.terminal),
    );
    context.exitCode = batchExitCode(ran, options, stopped.isAsked);
  } finally {
    await Promise.all([runner?.close(), local.close()]);
    folder.close();
  }
}

/** Does what is to be done once, and writes what tells of it. */
async function runOnce(
  batch: Batch,
  plan: BatchPlan,
  runner: CellRunner,
  options: BatchCommandOptions,
  context: Context,
  stopped: { isAsked: boolean },
): Promise<RanBatch> {
  const { progress, tellNow } = context.terminal;
  let told = Date.now();
  const isStopped = () => stopped.isAsked;
  const tell = (done: number, total: number, what: string, ofWhat = '') => {
    progress.update(done, total, what);
    // For logs, where nobody watches: a line a minute.
    if (Date.now() - told < 60_000) return;
    told = Date.now();
    tellNow?.(`${done} of ${total}${ofWhat}`);
  };
  const lines = await runBatch(batch, plan, {
    ...{ runner, isStopped },
    ...(options.stopAfter !== undefined && { stopAfter: options.stopAfter }),
    onCell: (entry, done, total) =>
      tell(done, total, `${printable(sourceWords(entry))} → ${printable(entry.target)}`),
  });
  const entries = lines.filter((line) => !isCharacterLine(line));
  const characters = lines.filter(isCharacterLine);
  if (options.prune) pruneBatch(batch, plan.orphans);
  if (options.junit !== undefined)
    writeWhole(options.junit, batchJunit([...entries, ...failedOnes(characters), ...plan.unread]), {
      force: true,
    });
  if (options.gallery)
    await writeGallery(batch, plan, entries, options, {
      ...{ runner, isStopped },
      onPicture: (done, total) => tell(done, total, 'pictures', ' pictures'),
    });
  progress.stop();
  return { plan, entries, characters, isDry: false };
}
