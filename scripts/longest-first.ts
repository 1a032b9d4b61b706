import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Seconds of the processor's time that the longest test files take, rounded; those that are not listed take fewer. They
 * begin first, so that no worker ends up with a long one alone while the others have nothing left to do. The order is all
 * that follows from them: `npx vitest run --reporter=json` measures anew.
 */
export const SECONDS: Readonly<Record<string, number>> = {
  'scripts/pack.test.ts': 50,
  'apps/studio/test/journeys/work.test.ts': 40,
  'packages/formats/test/invariance.test.ts': 24,
  'samples/make-samples.test.ts': 23,
  'packages/formats/test/carried-pictures.test.ts': 20,
  'apps/studio/test/journeys/edits.test.ts': 16,
  'apps/studio/test/journeys/looks.test.ts': 16,
  'packages/core/src/base/watched-stages.test.ts': 16,
  'examples/pages/pages.test.ts': 14,
  'packages/cli/src/commands/retarget.test.ts': 12,
  'packages/cli/src/commands/batch.test.ts': 11,
  'packages/core/test/one-more.test.ts': 11,
  'packages/formats/test/carried-characters.test.ts': 11,
  'samples/formats/capture-variants.test.ts': 11,
  'packages/core/src/many-joints.test.ts': 10,
  'packages/core/src/sound-results.test.ts': 10,
  'packages/cli/src/commands/worker.test.ts': 10,
  'packages/cli/src/commands/measure.test.ts': 9,
  'packages/core/src/base/watch-work.test.ts': 8,
  'packages/cli/src/main.test.ts': 7,
  'packages/formats/src/fbx/write/write-fbx.test.ts': 7,
  'packages/jobs/src/retarget-files.test.ts': 7,
  'packages/formats/test/corrected-by-default.test.ts': 6,
  'samples/motions.test.ts': 6,
};

/**
 * Files that begin before all others, in a process that nothing has been done in: what they see of the compiler is their
 * own. Other tests leave it with built-in functions that it no longer takes short cuts for.
 */
export const FIRST: ReadonlySet<string> = new Set(['packages/core/src/retargeter.test.ts']);

/** How long a file takes, for the order alone. */
export const secondsOf = (path: string): number =>
  FIRST.has(path) ? Number.POSITIVE_INFINITY : (SECONDS[path] ?? 0);

/** Test files in the order of what they take; equal ones in that of their names, so that every run has the same order. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const listed = files.map((file) => ({
      file,
      path: file.moduleId.replaceAll('\\', '/').replace(`${this.ctx.config.root}/`, ''),
    }));
    return listed
      .sort((a, b) => secondsOf(b.path) - secondsOf(a.path) || (a.path < b.path ? -1 : 1))
      .map(({ file }) => file);
  }
}
