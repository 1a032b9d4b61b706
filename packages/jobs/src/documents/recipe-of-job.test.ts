import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Clip, readRecipe } from '@stuntdouble/core';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { retargetFiles } from '../retarget-files.js';

const sample = (name: string) => fileURLToPath(new URL(`../../../../samples/files/${name}`, import.meta.url));

describe('a saved recipe', () => {
  // Maps by names, by shape, and by chains that are no part of a known body: the dog's.
  it.each([
    ['motions/climb.glb', 'characters/knight.glb'],
    ['captures/walk-xsens.bvh', 'characters/vrm1-sister.vrm'],
    ['captures/walk-cmu.bvh', 'animals/dog.glb'],
    ['captures/walk-xsens.bvh', 'animals/dog.glb'],
    ['animals/dog.glb', 'formats/child-greeting.fbx'],
  ])('gives the same bytes for %s on %s', async (source, target) => {
    const job = {
      source: { name: source, content: await read(sample(source)) },
      target: { name: target, content: await read(sample(target)) },
      output: `out.${target.split('.').at(-1)}`,
    };
    const first = await retargetFiles({ ...job, saveRecipe: 'recipe.json' });
    const bytesOf = (kind: string) => first.files.find((file) => file.kind === kind)!.bytes;
    const recipe = { name: 'recipe.json', bytes: bytesOf('recipe') };
    const again = await retargetFiles({ ...job, recipe });
    const clips = again.files.find(({ kind }) => kind === 'clips')!.bytes;
    expect(Buffer.compare(Buffer.from(clips), Buffer.from(bytesOf('clips')))).toBe(0);
  });

  // All pairs take minutes: `bench/batch/recipe-pairs.mjs` tries them by hand.
  it('gives the same bytes for every sample, each on another body', async () => {
    const names = readdirSync(sample(''), { recursive: true, encoding: 'utf8' }).sort();
    const scenes = await Promise.all(
      names
        .filter((name) => /\.\w+$/.test(name))
        .map(async (name) => ({ name, content: await read(sample(name)) })),
    );
    const sources = scenes.filter(({ content }) => content.characters[0]!.clips.length > 0);
    for (const [n, source] of sources.entries()) {
      const target = scenes[(7 * n + 3) % scenes.length]!;
      const [{ name, duration }] = source.content.characters[0]!.clips as [Clip];
      const job = {
        ...{ source, target, output: 'out.glb', animationOnly: true, options: { measure: false } },
        ...{ clips: [name], range: { end: { seconds: Math.min(0.3, duration) } } },
      };
      const [clips, recipe] = (await retargetFiles({ ...job, saveRecipe: 'r.json' })).files;
      const again = await retargetFiles({ ...job, recipe: recipe! });
      const isSame = Buffer.compare(clips!.bytes, again.files[0]!.bytes) === 0;
      expect(isSame, `${source.name} on ${target.name}`).toBe(true);
    }
  });

  it('says with what it was made, and of which bytes, and leaves out what changes nothing', async () => {
    const bytes = new Uint8Array(readFileSync(sample('captures/walk-xsens.bvh')));
    const { files } = await retargetFiles({
      source: { name: 'walk.bvh', content: bytes },
      target: { name: 'dog.glb', content: await read(sample('animals/dog.glb')) },
      options: { measure: false, branches: 'every' },
      ...{
        saveRecipe: 'r.json',
        origin: { madeWith: '1.2.3', target: { file: '../dog.glb', sha256: 'ab' } },
      },
    });
    const saved = JSON.parse(new TextDecoder().decode(files.at(-1)!.bytes));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(saved).toMatchObject({
      ...{ version: 1, madeWith: '1.2.3' },
      ...{ source: { file: 'walk.bvh', sha256 }, target: { file: '../dog.glb', sha256: 'ab' } },
    });
    expect(saved.settings).not.toHaveProperty('measure');
    expect(readRecipe(saved).warnings).toEqual([]);
    expect(readRecipe(saved).recipe).toMatchObject({ madeWith: '1.2.3', source: { sha256 } });
  });
});
