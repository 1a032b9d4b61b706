import { fileURLToPath } from 'node:url';
import { createRig } from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import type { BatchFile } from '../../batch/cell.js';
import { withFamilies } from './find-families.js';
import { type KnownLooks, lookAtFiles } from './look-at-file.js';

const base = fileURLToPath(new URL('../../../../../samples/files/', import.meta.url));
const capture = (name: string): BatchFile => ({ path: `captures/${name}.bvh`, sha256: name, bytes: 1 });
const place = { base, read: {}, version: '1.0.0' };
const namesOf = (files: readonly BatchFile[]) =>
  Object.fromEntries(files.map(({ sha256, family }) => [sha256, family?.map((each) => each.sha256) ?? []]));

const families = async (
  sources: readonly BatchFile[],
  named: readonly BatchFile[],
  known: KnownLooks,
  where: typeof place,
) => {
  await lookAtFiles([...sources, ...named], known, where);
  return withFamilies(sources, named, known);
};

describe('withFamilies', () => {
  const cmu = ['lie-down-cmu', 'crawl-cmu', 'walk-cmu'].map(capture);
  const others = ['kneel-lafan1', 'walk-lafan1', 'walk-smpl'].map(capture);
  const expected = {
    // Two of them begin in the same T-pose and stand as well: a mark of their motion decides.
    'lie-down-cmu': [],
    'crawl-cmu': ['lie-down-cmu'],
    'walk-cmu': ['lie-down-cmu'],
    // It begins upright, where the walk is in mid-step from its first frame on.
    'kneel-lafan1': [],
    'walk-lafan1': ['kneel-lafan1'],
    'walk-smpl': [],
  };

  it('lets the member that stands best speak for all of one skeleton, in whatever order they come', async () => {
    const known: KnownLooks = {};
    expect(namesOf(await families([...cmu, ...others], [], known, place))).toEqual(expected);
    expect(Object.keys(known.bodies!)).toHaveLength(3);
    const turned = [...cmu, ...others].reverse();
    expect(namesOf(await families(turned, [], {}, place))).toEqual(expected);
  });

  it('goes by what it knows of files with the same bytes, and looks again where the version is another', async () => {
    const known: KnownLooks = {};
    await families(cmu, [], known, place);
    const gone = cmu.map((file) => ({ ...file, path: `gone/${file.path}` }));
    expect(namesOf(await families(gone, [], known, place))['crawl-cmu']).toEqual(['lie-down-cmu']);
    // Those that cannot be read have no family; their cells say why.
    const later = await families(gone, [], known, { ...place, version: '1.0.1' });
    expect(later).toEqual(gone);
  });

  it('takes files that were named where they have the skeleton, and leaves all others as they are found', async () => {
    const named = [capture('crawl-cmu')];
    expect(namesOf(await families([...cmu, ...others], named, {}, place))).toEqual({
      ...expected,
      'lie-down-cmu': ['crawl-cmu'],
      'crawl-cmu': [],
      'walk-cmu': ['crawl-cmu'],
    });
  });

  it('leaves out characters and captures that their own skeleton explains, and what cannot be read', async () => {
    const zero = ['captures/climb-mixamo.bvh', 'captures/walk-mixamo.bvh'];
    const files = ['characters/knight.glb', 'characters/baker.glb', 'captures/none.bvh', ...zero].map(
      (path) => ({
        ...{ path, sha256: path, bytes: 1 },
      }),
    );
    expect(await families(files, [], {}, place)).toEqual(files);
  });

  it('has its reason: alone, a capture that crawls is less sure of its floor than by one that stands', async () => {
    const [crawls, walks] = await Promise.all(
      ['crawl-cmu', 'walk-cmu'].map(
        async (name) => (await read(`${base}captures/${name}.bvh`)).characters[0]!,
      ),
    );
    const alone = createRig(crawls!.skeleton, { clips: crawls!.clips });
    const standing = createRig(crawls!.skeleton, { clips: walks!.clips });
    expect(standing.floor.confidence).toBeGreaterThan(alone.floor.confidence);
  });
});
