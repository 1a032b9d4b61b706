import { afterEach, describe, expect, it } from 'vitest';
import { switchMemory } from '../src/base/remember.js';
import type { RetargetOptions } from '../src/passes/parts/told-options.js';
import { retarget } from '../src/retarget.js';
import { createRetargeter } from '../src/retargeter.js';
import { poseAt } from '../src/scene/clip.js';
import { recallSkeleton } from '../src/scene/recall-skeleton.js';
import { copySkeleton } from '../src/scene/skeleton.js';
import { setUpScenes } from '../src/setup/set-up-scenes.js';
import { createRandom, jointOf, randomClip, sceneOf, tinyHuman } from './tiny-rigs.js';

afterEach(() => switchMemory(true));

/** One scene on another, each way that a clip can go; and live. */
const CASES: Record<string, [target: Parameters<typeof tinyHuman>[0], options: RetargetOptions]> = {
  'whole clips': [{ spines: 3 }, {}],
  keys: [{ spines: 3, arms: 0.7 }, { corrections: 'none' }],
  products: [{ spines: 1 }, { corrections: 'none' }],
  frames: [{ spines: 3, arms: 0.7 }, { keys: 'bake' }],
  'feet and hands': [{ spines: 2, arms: 1.3 }, {}],
};

describe('with the memory switched off', () => {
  it.each(Object.entries(CASES))('%s come out to the last bit as with it', (_, [shape, options]) => {
    const source = tinyHuman({ spines: 3 });
    const clips = [11, 12].map((seed) =>
      randomClip(createRandom(seed), source, { travels: jointOf(source, 'hips') }),
    );
    const [from, to] = [sceneOf(source, clips), { ...sceneOf(tinyHuman(shape), []), name: 'other' }];
    const run = () => {
      const { clips: moved, report } = retarget(from, to, options);
      const live = createRetargeter(setUpScenes(from, to, options).setup);
      const poses = [0, 0.2, 0.4].map((time) => {
        const { translations, rotations } = live.update(poseAt(source, clips[0]!, time));
        return [[...translations], [...rotations]];
      });
      return { moved, report, poses };
    };
    switchMemory(false);
    const anew = run();
    switchMemory(true);
    const first = run();
    expect(first).toEqual(anew);
    expect(run()).toEqual(anew);
  });

  it('a skeleton that is read again is another, which callers may change', () => {
    const owner = {};
    const [one, two] = [tinyHuman({}), tinyHuman({})];
    expect(recallSkeleton(owner, one)).toBe(one);
    expect(recallSkeleton(owner, two)).toBe(one);
    switchMemory(false);
    const three = copySkeleton(one);
    expect(recallSkeleton(owner, three)).toBe(three);
  });
});
