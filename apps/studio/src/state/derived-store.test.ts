import { beforeEach, expect, it } from 'vitest';
import { createDocument } from '../document/document.js';
import { isOfNow, say, useDerived } from './derived-store.js';

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
