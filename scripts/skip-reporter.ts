import type { TestModule, TestRunEndReason, Vitest } from 'vitest/node';

/** What a test that is left out says of itself: 'needs …', in its title or in that of its suite. */
export function reasonOf(fullName: string): string {
  return /needs ([^)]*)/.exec(fullName)?.[0].trim() ?? 'not for this system';
}

/** Lists at the end of a run every test that was left out, each in a line with its reason. */
export default class SkipReporter {
  private vitest: Vitest | null = null;

  onInit(vitest: Vitest): void {
    this.vitest = vitest;
  }

  onTestRunEnd(
    modules: readonly TestModule[],
    _errors: unknown,
    _reason: TestRunEndReason,
    print: (line: string) => void = (line) => this.vitest?.logger.log(line),
  ): void {
    // Tests that nobody asked for are no news.
    if (this.vitest?.config.testNamePattern) return;
    const all = modules.flatMap(({ children }) => [...children.allTests()]);
    const left = all.filter((test) => test.result().state === 'skipped');
    if (left.length === 0) return;
    const share = ((100 * left.length) / all.length).toFixed(1);
    print(`\n${left.length} of ${all.length} tests were left out (${share} %):`);
    for (const { module, fullName } of left)
      print(
        `  ${module.relativeModuleId}: ${fullName.replace(/,? ?\(?needs [^)]*\)?$/, '')}: ${reasonOf(fullName)}`,
      );
  }
}
