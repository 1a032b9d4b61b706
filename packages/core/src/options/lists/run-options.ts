import { defineOption } from '../option.js';
import { code, onOff } from '../shape.js';

/** Options that say how the work goes on, and what is told of it. */
export const RUN_OPTIONS = {
  /** Whether results are measured; they are if left out. */
  measure: defineOption(onOff(), {
    default: 'true',
    summary: 'whether results are measured, which takes its time on long clips',
    group: 'run',
    flag: { typed: '--no-measure', says: 'skip the measures, which take their time on long clips' },
  }),
  /**
   * An `AbortSignal`, or anything that throws when work should stop. It is asked many times a second in everything
   * that takes long. As all is done at once, without a pause, it must find out by itself: by a clock, or by
   * memory that threads share; or it is told by `onProgress`.
   */
  signal: defineOption(code<{ throwIfAborted(): void }>('an AbortSignal'), {
    default: 'none',
    summary: 'what stops the work where it is no longer wanted',
    group: 'run',
    saved: 'never',
  }),
  /**
   * Called as work goes on, many times a second: clips done so far (fractions while one is under way, and never less
   * than before), all clips, and the clip's name, which is empty while the bodies are compared.
   */
  onProgress: defineOption(
    code<(done: number, total: number, clip: string) => void>(
      'a function of clips done, all clips, and the name of the clip',
    ),
    {
      default: 'none',
      summary: 'a function that is called as work goes on',
      group: 'run',
      saved: 'never',
    },
  ),
};
