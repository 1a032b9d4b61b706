import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { BABYLON_SETTINGS } from './babylon-settings.js';
import { compareHashes, type HashFile } from './compare-hashes.js';
import { CORE_SETTINGS, type HashSetting } from './core-settings.js';
import { hashCells } from './hash-cells.js';
import { dataPairs, type HashedPair, samplePairs } from './hash-pairs.js';
import { createFileReader } from './open-pair.js';
import { THREE_SETTINGS } from './three-settings.js';

const SETTINGS = [...CORE_SETTINGS, ...THREE_SETTINGS, ...BABYLON_SETTINGS];

/** Few enough to be quick: a motion on two bodies, one of them by a map. */
const PAIRS = samplePairs().filter(
  ({ source, target, map }) =>
    source.endsWith('motions/walk.glb') && (target.endsWith('goblin.glb') || (map && /robot/.test(target))),
);

async function hashed(
  settings: readonly HashSetting[] = SETTINGS,
  pairs: readonly HashedPair[] = PAIRS,
  fresh = false,
): Promise<HashFile> {
  const readScene = fresh ? (path: string) => read(path) : createFileReader();
  return {
    node: '',
    parts: ['samples', 'data'],
    settings: settings.map(({ name }) => name),
    cells: await hashCells(pairs, settings, { readScene, fresh }),
  };
}

describe('hashes of results', () => {
  it('are the same in every setting when made again', async () => {
    const pairs = PAIRS.slice(0, 1);
    const once = await hashed(SETTINGS, pairs);
    expect(Object.keys(once.cells)).toHaveLength(SETTINGS.length);
    expect(compareHashes(once, await hashed(SETTINGS, pairs))).toEqual({
      compared: SETTINGS.length,
      differences: [],
    });
  });

  it('are the same where nothing is remembered, as files are read anew for each', async () => {
    const settings = SETTINGS.filter(({ name }) => /^(defaults|mirror|live-30|three|babylon)$/.test(name));
    const remembering = await hashed(settings);
    expect(compareHashes(remembering, await hashed(settings, PAIRS, true))).toEqual({
      compared: PAIRS.length * 5,
      differences: [],
    });
  });

  it('of one cell alone differ where one value of one track does, and in the motion alone', async () => {
    const [defaults, none] = ['defaults', 'corrections-none'].map(
      (name) => SETTINGS.find((setting) => setting.name === name)!,
    );
    const altered: HashSetting = {
      ...none!,
      async run(open) {
        const outcome = (await none!.run(open))!;
        if (!open.pair.target.endsWith('goblin.glb')) return outcome;
        const { clips } = outcome.motion as { clips: { tracks: { values: Float32Array }[] }[] };
        const { values } = clips[0]!.tracks[3]!;
        const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
        bits[5]! ^= 1;
        return outcome;
      },
    };
    const { differences } = compareHashes(
      await hashed([defaults!, none!]),
      await hashed([defaults!, altered]),
    );
    expect(differences).toEqual([
      {
        setting: 'corrections-none',
        pair: 'samples: samples/motions/walk.glb → samples/characters/goblin.glb',
        hashes: ['motion'],
      },
    ]);
  });

  it('a refusal is a result: its sentence counts', async () => {
    const refusing = (message: string): HashSetting => ({
      name: 'refusing',
      run: () => Promise.reject(new RangeError(message)),
    });
    const [a, b, c] = await Promise.all(['one', 'one', 'two'].map((message) => hashed([refusing(message)])));
    expect(compareHashes(a!, b!).differences).toEqual([]);
    expect(compareHashes(a!, c!).differences.map(({ hashes }) => hashes)).toEqual(
      PAIRS.map(() => ['refusal']),
    );
  });

  it('every sample meets every sample, and pairs of the data folder are listed once', () => {
    const pairs = samplePairs();
    const files = new Set(pairs.map(({ source }) => source));
    expect(pairs.filter(({ map }) => !map)).toHaveLength(files.size ** 2);
    expect(pairs.some(({ map }) => map === 'robot.json')).toBe(true);
    const { pairs: found } = dataPairs();
    expect(new Set(found.map(({ source, target }) => `${source} ${target}`)).size).toBe(found.length);
  });
});
