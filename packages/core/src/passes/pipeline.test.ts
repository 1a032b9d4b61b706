import { describe, expect, it } from 'vitest';
import { describeOption } from '../options/describe-options.js';
import type { OptionPath } from '../options/list.js';
import { bindStep, type Frame } from './pass.js';
import { PASS_NAMES, PASSES } from './pipeline.js';

describe('the pipeline', () => {
  it('the names are those of the passes, in the order in which they run', () => {
    expect(PASSES.map(({ name }) => name)).toEqual(PASS_NAMES);
    expect(new Set(PASS_NAMES).size).toBe(PASS_NAMES.length);
  });

  it('rotations are copied before the root moves, and what is skinned beside the body follows last', () => {
    const at = (name: (typeof PASS_NAMES)[number]) => PASS_NAMES.indexOf(name);
    expect(at('copyRotations')).toBe(0);
    expect(at('copyRotations')).toBeLessThan(at('moveRoot'));
    expect(at('extractRoot')).toBeLessThan(at('followSkin'));
    expect(at('followSkin')).toBe(PASS_NAMES.length - 1);
  });

  it('every pass says what it does, in a line, and what steers it', () => {
    for (const { summary, options } of PASSES) {
      expect(summary).toMatch(/^[a-z].*[^.]$/);
      for (const path of options as readonly OptionPath[])
        expect(describeOption(path).every((row) => Object.values(row).every((text) => text.length > 0))).toBe(
          true,
        );
    }
  });

  it('a step that is bound to its plan takes a frame, as one must that has anything to do', () => {
    const seen: unknown[] = [];
    const step = bindStep((plan: string, { index }) => void seen.push(plan, index), 'plan');
    step({ index: 3 } as Frame);
    expect(seen).toEqual(['plan', 3]);
    expect(step).toHaveLength(1);
  });
});
