import { goalsOf } from '@stuntdouble/core/engine';
import { describe, expect, it } from 'vitest';
import { createStage } from '../../../../bench/adapters-babylon-stage.js';
import { createPuppet } from '../../test/babylon-puppet.js';
import { createLiveRetargeter, type RetargetGroupOptions } from './index.js';
import { unlessPlain } from './unless-plain.js';

describe('the default in Babylon.js', () => {
  it('corrects, but where options describe the result of its own function', () => {
    expect(unlessPlain({})).toBe('auto');
    const plain: RetargetGroupOptions[] = [
      { fixGroundReference: true },
      { checkHierarchy: true },
      { retargetAnimationKeys: false },
      { stuntdouble: { match: 'names' } },
    ];
    for (const options of plain) expect(unlessPlain(options)).toBe('none');
    expect(unlessPlain({ fixGroundReference: false, retargetAnimationKeys: true })).toBe('auto');
  });

  it('holds live, too, and whoever asks has the last word', () => {
    const scene = createStage();
    const [source, target] = [createPuppet(scene), createPuppet(scene, { scale: 1.5 })];
    const goals = (options?: Parameters<typeof createLiveRetargeter>[2]) =>
      goalsOf(createLiveRetargeter(target, source, options).setup);
    expect(goals()).not.toBeNull();
    expect(goals({ fixGroundReference: true })).toBeNull();
    expect(goals({ stuntdouble: { corrections: 'none' } })).toBeNull();
    expect(goals({ fixGroundReference: true, stuntdouble: { corrections: 'auto' } })).not.toBeNull();
  });
});
