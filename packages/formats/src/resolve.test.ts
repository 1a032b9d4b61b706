import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { read } from './read.js';
import { pageAddress } from './resolve.js';
import { write } from './write.js';

const WALK = fileURLToPath(new URL('../../../samples/files/motions/walk.bvh', import.meta.url));

afterEach(() => {
  vi.unstubAllGlobals();
});

/** As on a page: no Node, an address, and a server that has one file. */
function onPage(): string[] {
  const asked: string[] = [];
  const bytes = readFileSync(WALK);
  vi.stubGlobal('process', Object.create(process, { versions: { value: {} } }));
  vi.stubGlobal('location', { href: 'https://example.org/show/index.html?x=1' });
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address);
    return address.endsWith('/walk.bvh') ? new Response(bytes) : new Response('', { status: 404 });
  });
  return asked;
}

describe('paths on a page', () => {
  it('are addresses beside it, while in Node they are files', async () => {
    expect(pageAddress()).toBeNull();
    const asked = onPage();
    for (const path of ['walk.bvh', './walk.bvh', '/walk.bvh', 'https://example.net/walk.bvh']) {
      const scene = await read(path);
      expect(scene.name).toBe('walk');
      expect(scene.characters).toHaveLength(1);
    }
    expect(asked).toEqual([
      'https://example.org/show/walk.bvh',
      'https://example.org/show/walk.bvh',
      'https://example.org/walk.bvh',
      'https://example.net/walk.bvh',
    ]);
    await expect(read('run.bvh')).rejects.toThrow(
      'cannot read https://example.org/show/run.bvh: the server answered 404',
    );
  });

  it('cannot be written to, and the error says what can be done', async () => {
    const scene = await read(WALK);
    onPage();
    await expect(
      write('out.bvh', { scene, character: 0, clips: scene.characters[0]!.clips }),
    ).rejects.toThrow(/writeBytes gives the bytes/);
  });
});
