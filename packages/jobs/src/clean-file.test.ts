import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Clip, Scene } from '@stuntdouble/core/engine';
import { read, writeBytes } from '@stuntdouble/formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Cleaned, cleanFile } from './clean-file.js';
import { Failure } from './failure.js';

const sample = async (path: string): Promise<Uint8Array> =>
  new Uint8Array(await readFile(fileURLToPath(new URL(`../../../samples/files/${path}`, import.meta.url))));

/** A walk whose hips go a sixth further than its feet step: what networks generate. */
function slippery(clip: Clip, hips: number): Clip {
  return {
    ...clip,
    tracks: clip.tracks.map((track) =>
      track.joint === hips && track.channel === 'translation'
        ? { ...track, values: track.values.map((x, i) => (i % 3 === 1 ? 1.15 * x : x)) }
        : track,
    ),
  };
}

let scene: Scene;
let walk: Clip;
let bytes: Uint8Array;
beforeAll(async () => {
  scene = await read(await sample('motions/walk.glb'));
  const { skeleton, clips } = scene.characters[0]!;
  const hips = skeleton.names.findIndex((name) => /hips/i.test(name));
  walk = slippery(clips[0]!, hips);
  const second = { ...clips[0]!, name: 'as it was' };
  bytes = (await writeBytes('glb', { scene, character: 0, clips: [walk, second] }, { replace: true })).bytes;
});

const slides = ({ clips }: Cleaned) =>
  [clips[0]!.before, clips[0]!.after].map(({ motion }) => motion.slide!.result.mean);

describe('cleanFile', () => {
  it('makes feet stand that slid, on their own body, and says how well before and after', async () => {
    const done = await cleanFile({ input: 'walk.glb', content: bytes, output: 'out.glb' });
    const [before, after] = slides(done) as [number, number];
    expect(before).toBeGreaterThan(4);
    expect(after).toBeLessThan(0.5);
    const [made] = done.made;
    const cleaned = await read(made!.bytes);
    expect(cleaned.characters[0]!.clips.map(({ name }) => name)).toEqual([walk.name, 'as it was']);
    expect(cleaned.characters[0]!.clips[0]!.duration).toBeCloseTo(walk.duration, 4);
    expect(cleaned.characters[0]!.skeleton.names).toEqual(scene.characters[0]!.skeleton.names);
    expect(done.clips[0]!.contacts.length).toBeGreaterThan(1);
    // Arms that touch nothing are turned by nothing where no jitter is taken out.
    const plain = await cleanFile({
      input: 'walk.glb',
      content: bytes,
      output: 'out.glb',
      options: { calm: null },
    });
    expect(plain.clips[0]!.after.direction.mean).toBeLessThan(0.5);
    expect(slides(plain)[1]).toBeLessThan(0.5);
  });

  it('leaves other clips of the file as they are, key by key', async () => {
    const done = await cleanFile({ input: 'w.glb', content: bytes, output: 'o.glb', clips: [walk.name] });
    expect(done.left).toEqual(['as it was']);
    const [before, after] = await Promise.all([read(bytes), read(done.made[0]!.bytes)]);
    const keys = ({ characters }: Scene, n: number) =>
      characters[0]!.clips[n]!.tracks.map(({ joint, channel, values }) => [joint, channel, [...values]]);
    expect(keys(after, 1)).toEqual(keys(before, 1));
    expect(keys(after, 0)).not.toEqual(keys(before, 0));
  });

  it('makes a file a clip where a format holds one', async () => {
    const paths: string[] = [];
    const done = await cleanFile({
      input: 'w.glb',
      content: bytes,
      output: 'clean.bvh',
      onPlan: (planned) => paths.push(...planned),
    });
    expect(paths).toHaveLength(2);
    expect(done.made.map(({ path }) => path)).toEqual(paths);
  });

  it('says in a sentence what it cannot clean', async () => {
    const still = (await writeBytes('glb', { scene, character: 0, clips: [] }, { replace: true })).bytes;
    const clean = (content: Uint8Array, more = {}) =>
      cleanFile({ input: 'in.glb', content, output: 'out.glb', ...more });
    await expect(clean(still)).rejects.toThrow(/in\.glb has no clips: there is nothing to clean/);
    await expect(clean(bytes, { clips: ['run'] })).rejects.toThrow(/--clip run: in\.glb has no such clip/);
    await expect(clean(new Uint8Array(0))).rejects.toThrow(Failure);
    await expect(clean(bytes, { output: 'out.txt' })).rejects.toThrow(/\.txt/);
    const stop = new AbortController();
    stop.abort(new Error('stopped'));
    await expect(clean(bytes, { signal: stop.signal })).rejects.toThrow('stopped');
  });
});
