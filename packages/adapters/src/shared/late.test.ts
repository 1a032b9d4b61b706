import { describe, expect, it } from 'vitest';
import { followLive } from './follow-live.js';
import { late, latePart, whenFetched } from './late.js';
import type { LiveCharacter } from './live-character.js';

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

  it('is fetched before anybody asks, where it is needed soon', async () => {
    let asked = 0;
    const part = latePart(async () => {
      asked++;
      return { one: () => 1 };
    }, true);
    await pause();
    expect([asked, late(part, 'one')()]).toEqual([1, 1]);
  });

  it('leaves other errors alone', async () => {
    await expect(
      whenFetched(() => {
        throw new TypeError('wrong');
      }),
    ).rejects.toThrow(TypeError);
  });
});

/** A follower that does nothing. */
const QUIET = {
  ...({ setup: {}, notes: [], warnings: [], rootMotion: {} } as unknown as Pick<
    LiveCharacter<string>,
    'setup' | 'notes' | 'warnings' | 'rootMotion'
  >),
  update: (_seconds?: number) => {},
  setChains: () => [],
  reset: () => {},
  dispose: () => {},
};

describe('a follower that is not whole yet', () => {
  const follower = (name: string, done: string[]) => ({
    ...QUIET,
    warnings: [name],
    update: () => void done.push(`update ${name}`),
    dispose: () => void done.push(`dispose ${name}`),
  });

  it('copies until the rest is there, and gives back what the target had in the end', async () => {
    const { part, come } = partOnDemand({ hold: () => {} });
    const hold = late(part, 'hold');
    const done: string[] = [];
    const live = await followLive((copies) => {
      if (!copies) hold();
      return follower(copies ? 'copy' : 'whole', done);
    }, true);
    live.update();
    expect(live.warnings).toEqual(['copy']);
    come();
    await live.held;
    live.update();
    expect(live.warnings).toEqual(['whole']);
    live.dispose();
    expect(done).toEqual(['update copy', 'update whole', 'dispose whole', 'dispose copy']);
  });

  it('is waited for where something was asked for, and is not bound to what was let go of', async () => {
    const { part, come } = partOnDemand({ hold: () => {} });
    const hold = late(part, 'hold');
    const done: string[] = [];
    const create = (copies: boolean) => {
      if (!copies) hold();
      return follower(copies ? 'copy' : 'whole', done);
    };
    const asked = followLive(create, false);
    const begun = await followLive(create, true);
    begun.dispose();
    come();
    await begun.held;
    expect((await asked).warnings).toEqual(['whole']);
    expect(begun.warnings).toEqual(['copy']);
    expect(done).toEqual(['dispose copy']);
  });
});

describe('a follower of which a part is missing', () => {
  it('stands still until the part is there, and says once where it does not come', async () => {
    const { part, come, fail, asked } = partOnDemand({ step: () => {} });
    const step = late(part, 'step');
    const seen: number[] = [];
    const live = await followLive(
      () => ({
        ...QUIET,
        update(seconds = 0) {
          step();
          seen.push(seconds);
        },
      }),
      true,
    );
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
    const live = await followLive(
      () => ({
        ...QUIET,
        update: () => void done.push('update'),
        reset() {
          forget();
          done.push('reset');
        },
        dispose() {
          forget();
          done.push('dispose');
        },
      }),
      true,
    );
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
