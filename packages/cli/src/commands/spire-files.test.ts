import { readFile } from 'node:fs/promises';
import { poseAt } from '@stuntdouble/core';
import { read, readSpireRetarget, writeSpireRetarget } from '@stuntdouble/formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { createFolder } from '../../test/folder.js';
import { runCommand } from '../../test/run-command.js';
import { stickFigureGltf } from '../../test/stick-figure.js';

const folder = createFolder();
let source: string;
let target: string;
beforeAll(async () => {
  source = await folder.put('moves.gltf', stickFigureGltf({ naming: 'mixamo', clips: ['run'] }));
  target = await folder.put('hero.gltf', stickFigureGltf({ height: 1.2 }));
});

describe('.retarget files of SpireMiniEngine', () => {
  it('S9: map -o writes one, and retarget --recipe does as it says', async () => {
    const path = folder.at('hero.retarget');
    expect((await runCommand('map', source, target, '-o', path)).code).toBe(0);
    const document = readSpireRetarget(new Uint8Array(await readFile(path)));
    expect(document.drivers.filter((driver) => driver >= 0)).toHaveLength(21);
    const out = folder.at('out.glb');
    const run = await runCommand(
      ...([
        'retarget',
        source,
        target,
        '-o',
        out,
        '--recipe',
        path,
        '--corrections',
        'none',
        '--json',
      ] as const),
    );
    expect([run.code, run.err]).toEqual([0, '']);
    const { mapped, measures } = JSON.parse(run.out);
    expect(mapped).toBe(21);
    expect(measures[0].rotation.worst).toBeLessThan(0.1);
  });

  it('S9: plays by its own stored offsets and inverse binds, unless something else is asked for', async () => {
    const path = folder.at('stored.retarget');
    await runCommand('map', source, target, '-o', path, '--force');
    const document = readSpireRetarget(new Uint8Array(await readFile(path)));
    const longer = { ...document, offsets: document.offsets.map((x) => 1.5 * x) };
    const edited = await folder.put('longer.retarget', writeSpireRetarget(longer));
    const out = folder.at('stored.glb');
    /** How far joints of the result are moved from their parents at most, in its clip. */
    const lengthOf = async (recipe: string, ...more: string[]) => {
      const run = await runCommand(
        'retarget',
        source,
        target,
        '-o',
        out,
        '--recipe',
        recipe,
        '--force',
        ...more,
      );
      expect([run.code, run.err]).toEqual([0, '']);
      const { skeleton, clips } = (await read(out)).characters[0]!;
      const head = skeleton.names.findIndex((name) => /head/i.test(name));
      const { translations } = poseAt(skeleton, clips.at(-1)!, 0.2);
      return Math.hypot(...translations.subarray(3 * head, 3 * head + 3));
    };
    const plain = await lengthOf(path);
    expect(await lengthOf(edited)).toBeCloseTo(1.5 * plain, 3);
    expect(await lengthOf(edited, '--keys')).toBeCloseTo(plain, 3);
  });

  it('S9: one that is cut off, missing, or made for other skeletons is refused in one sentence', async () => {
    const path = folder.at('hero.retarget');
    await runCommand('map', source, target, '-o', path, '--force');
    const cut = await folder.put('cut.retarget', (await readFile(path)).subarray(0, 100));
    const other = await folder.put('other.gltf', stickFigureGltf({ naming: 'mixamo' }));
    const small = await folder.put(
      'small.gltf',
      JSON.stringify({
        asset: { version: '2.0' },
        nodes: [
          { name: 'a', children: [1] },
          { name: 'b', translation: [0, 1, 0] },
        ],
        scenes: [{ nodes: [0] }],
      }),
    );
    for (const argv of [
      [source, target, '--recipe', cut],
      [source, target, '--recipe', folder.at('nowhere.retarget')],
      [source, small, '--recipe', path],
    ]) {
      const run = await runCommand('retarget', ...argv, '--dry-run');
      expect(run.code, run.err).toBe(1);
      expect(run.err.trim().split('\n')).toHaveLength(1);
    }
    expect((await runCommand('retarget', source, other, '--recipe', path, '--dry-run')).code).toBe(0);
  });
});
