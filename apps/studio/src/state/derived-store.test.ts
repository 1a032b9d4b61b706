import { beforeEach, expect, it } from 'vitest';
import { createDocument } from '../document/document.js';
import type { Understanding } from '../engine/protocol.js';
import { isOfNow, keepUnderstood, say, understandingOfJob, useDerived } from './derived-store.js';

beforeEach(() => useDerived.setState({ lines: [] }));

const file = (sha256: string) => ({ name: sha256, size: 1, sha256 });

it('what was said of files that are not open any more is not of now, and is said again of others', () => {
  say('warning', 'a toe is missing', { about: ['walk', 'goblin'] });
  say('warning', 'a toe is missing', { about: ['walk', 'goblin'] });
  say('warning', 'a toe is missing', { about: ['walk', 'robot'] });
  say('error', 'broken.glb is broken');
  const { lines } = useDerived.getState();
  expect(lines).toHaveLength(3);
  const document = { ...createDocument(), source: file('walk'), targets: [file('robot')] };
  expect(lines.map((line) => isOfNow(line, document))).toEqual([false, true, true]);
});

it('until settings are understood the last understanding of the same two files holds, and of no others', () => {
  const jobWith = (reach: number, target = 'goblin') => ({
    source: 'walk',
    target,
    recipe: { version: 1 as const, settings: { spacing: { arms: reach } } },
  });
  const [first, second] = [{ failure: 'first' }, { failure: 'second' }] as unknown as Understanding[];
  keepUnderstood(jobWith(0), first!);
  keepUnderstood(jobWith(1), second!);
  const known = (job: ReturnType<typeof jobWith>) => understandingOfJob(useDerived.getState(), job);
  expect(known(jobWith(0))).toBe(first);
  expect(known(jobWith(2))).toBe(second);
  expect(known(jobWith(0, 'goblin#1'))).toBeNull();
});
