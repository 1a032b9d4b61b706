import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Seconds of the processor's time that the longest test files take, rounded; those that are not listed take fewer. They
 * begin first, so that no worker ends up with a long one alone while the others have nothing left to do. The order is all
 * that follows from them: `npx vitest run --reporter=json` measures anew.
 */
export const SECONDS: Readonly<Record<string, number>> = {
  'scripts/pack.test.ts': 50,
  'packages/formats/test/invariance.test.ts': 40,
  'apps/studio/test/journeys/work.test.ts': 30,
  'apps/studio/test/journeys/edits.test.ts': 15,
  'apps/studio/test/journeys/looks.test.ts': 15,
  'examples/pages/pages.test.ts': 15,
  'packages/core/src/base/watched-stages.test.ts': 15,
  'packages/cli/src/commands/retarget.test.ts': 12,
  'packages/core/test/one-more.test.ts': 11,
  'packages/cli/src/commands/batch.test.ts': 11,
  'packages/formats/test/carried-characters.test.ts': 11,
  'packages/core/src/sound-results.test.ts': 10,
  'packages/cli/src/commands/measure.test.ts': 9,
  'packages/cli/src/commands/worker.test.ts': 9,
  'packages/formats/src/fbx/write/write-fbx.test.ts': 7,
  'samples/motions.test.ts': 6,
  'packages/core/src/retargeter.test.ts': 6,
};

/** How long a file takes, for the order alone. */
export const secondsOf = (path: string): number => SECONDS[path] ?? 0;

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
