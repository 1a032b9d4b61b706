import { describe, expect, it } from 'vitest';
import { followLive } from './follow-live.js';
import { late, latePart, whenFetched } from './late.js';

/** A part that is fetched when the test says so. */
function partOnDemand(file: object) {
  let asked = 0;
  let settle: { come: () => void; fail: (reason: Error) => void } | null = null;
  const part = latePart(
    () =>
      new Promise((resolve, reject) => {
        asked++;
        settle = { come: () => resolve(file), fail: reject };
      }),
  );
  return {
    part,
    asked: () => asked,
    come: () => settle!.come(),
    fail: (reason: Error) => settle!.fail(reason),
  };
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('what is fetched when it is called', () => {
  it('is waited for, and the work is begun again', async () => {
    const { part, asked, come } = partOnDemand({ twice: (n: number) => 2 * n });
    const twice = late(part, 'twice') as (n: number) => number;
    let begun = 0;
    const result = whenFetched(() => {
      begun++;
      return twice(4) + twice(1);
    });
    await pause();
    come();
    expect(await result).toBe(10);
    expect([begun, asked()]).toEqual([2, 1]);
    expect(twice(3)).toBe(6);
  });

  it('is asked for again where fetching failed', async () => {
    const { part, asked, come, fail } = partOnDemand({ one: () => 1 });
    const one = late(part, 'one');
    const first = whenFetched(one);
    await pause();
    fail(new Error('no network'));
    await expect(first).rejects.toThrow('no network');
    const second = whenFetched(one);
    await pause();
    come();
    expect(await second).toBe(1);
    expect(asked()).toBe(2);
  });

  it('leaves other errors alone', async () => {
    await expect(
      whenFetched(() => {
        throw new TypeError('wrong');
      }),
    ).rejects.toThrow(TypeError);
  });
});

describe('a follower of which a part is missing', () => {
  it('stands still until the part is there, and says once where it does not come', async () => {
    const { part, come, fail, asked } = partOnDemand({ step: () => {} });
    const step = late(part, 'step');
    const seen: number[] = [];
    const live = await followLive(() => ({
      update(seconds = 0) {
        step();
        seen.push(seconds);
      },
      setChains: () => [],
      reset: () => {},
      dispose: () => {},
    }));
    live.update(1);
    live.update(2);
    expect([seen, asked()]).toEqual([[], 1]);
    fail(new Error('no network'));
    await pause();
    expect(() => live.update(3)).toThrow('no network');
    live.update(4);
    come();
    await pause();
    live.update(5);
    expect([seen, asked()]).toEqual([[5], 2]);
    expect(await live.setChains({})).toEqual([]);
  });

  it('is reset and let go of when what that needs is there', async () => {
    const { part, come } = partOnDemand({ forget: () => {} });
    const forget = late(part, 'forget');
    const done: string[] = [];
    const live = await followLive(() => ({
      update: () => void done.push('update'),
      setChains: () => [],
      reset() {
        forget();
        done.push('reset');
      },
      dispose() {
        forget();
        done.push('dispose');
      },
    }));
    live.reset();
    live.update();
    live.dispose();
    expect(done).toEqual([]);
    come();
    await pause();
    expect(done.sort()).toEqual(['dispose', 'reset']);
    live.update();
    expect(done).toContain('update');
  });
});
