import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../test/folder.js';
import { runCommand } from '../../test/run-command.js';
import { retargetSchema } from '../../test/schemas.js';

const folder = createFolder();
const samples = fileURLToPath(new URL('../../../../samples/files/', import.meta.url));
const walk = join(samples, 'motions/walk.glb');
const goblin = join(samples, 'characters/goblin.glb');

describe('retarget --new-bind', () => {
  it('S5, S7: writes a character that the keys of the source turn, number by number, and draws it', async () => {
    const out = folder.at('goblin.glb');
    const picture = folder.at('goblin.png');
    const run = await runCommand(
      ...['retarget', walk, goblin, '-o', out, '--new-bind', '--picture', picture, '--json'],
    );
    expect([run.code, run.err]).toEqual([0, '']);
    expect(retargetSchema.parse(JSON.parse(run.out)).clips).toMatchObject([{ name: 'walk', way: 'keys' }]);
    expect(existsSync(picture)).toBe(true);
    const [source, result] = [(await read(walk)).characters[0]!, (await read(out)).characters[0]!];
    const turnsOf = ({ clips }: typeof source) =>
      clips[0]!.tracks.filter(({ channel }) => channel === 'rotation');
    const own = turnsOf(source).map(({ values }) => String(values));
    const copied = turnsOf(result).filter(({ values }) => own.includes(String(values)));
    // The rest takes turns back, by the same numbers with other signs.
    expect(copied.length).toBeGreaterThan(40);
    const numbers = new Set(turnsOf(source).flatMap(({ values }) => [...values].map(Math.abs)));
    const others = turnsOf(result).filter(({ values }) => !values.every((x) => numbers.has(Math.abs(x))));
    // No key of the source turns its hands: each stays by one key in the rest that the character came with.
    expect(others.map(({ joint, times }) => [result.skeleton.names[joint], times.length])).toEqual([
      ['Bip01 L Hand', 1],
      ['Bip01 R Hand', 1],
    ]);
  });

  it('is part of a recipe, which makes the same file again', async () => {
    const [out, again, recipe] = [folder.at('a.glb'), folder.at('b.glb'), folder.at('recipe.json')];
    await runCommand('retarget', walk, goblin, '-o', out, '--new-bind', '--save-recipe', recipe);
    expect(JSON.parse(await readFile(recipe, 'utf8'))).toMatchObject({ bind: 'retargeted' });
    const run = await runCommand('retarget', walk, goblin, '-o', again, '--recipe', recipe);
    expect([run.code, run.err]).toEqual([0, '']);
    expect(Buffer.compare(await readFile(out), await readFile(again))).toBe(0);
  });

  it('what cannot be meant with it is said in a sentence, and nothing is written', async () => {
    const out = folder.at('none.glb');
    const said = async (target: string, ...argv: string[]) => {
      const { code, err } = await runCommand('retarget', walk, target, '--new-bind', ...argv);
      expect(err.trim().split('\n')).toHaveLength(1);
      return `${code} ${err}`;
    };
    for (const flag of [
      ...['--mirror', '--fps 30', '--corrections auto', '--ground', '--solver ccd', '--reach together'],
      ...['--limb-scale arms=1', '--root-motion in-place', '--loop', '--reduce', '--repair-keys'],
      ...['--spacing 0.1', '--look-at 0,1,2', '--imitate keep', '--root both', '--limit-legs'],
      ...['--passes copyRotations', '--contacts steps.json', '--root-motion-joint hips'],
    ])
      expect(await said(goblin, '-o', out, ...flag.split(' '))).toMatch(
        new RegExp(`^2 error: ${flag.split(' ')[0]}( auto)? changes the motion, and --new-bind plays`),
      );
    expect(await said(goblin, '-o', out, '--animation-only')).toMatch(/^2 error: --animation-only leaves/);
    for (const name of ['none.bvh', 'none.fbx', 'none.vrma'])
      expect(await said(goblin, '-o', folder.at(name))).toMatch(/^2 error: --new-bind changes how a mesh/);
    const bvh = join(samples, 'motions/walk.bvh');
    expect(await said(bvh, '-o', out)).toMatch(/^2 error: "walk" is BVH; only glTF/);
    expect(await said(walk, '-o', out)).toMatch(/^2 error: "walk" has no skin/);
    const mirrored = await folder.put('mirrored.json', '{"version":1,"settings":{"mirror":true}}');
    expect(await said(goblin, '-o', out, '--recipe', mirrored)).toMatch(/^2 error: recipe.settings.mirror/);
    const odd = await folder.put('odd.json', '{"version":1,"bind":"new"}');
    expect(await said(goblin, '-o', out, '--recipe', odd)).toMatch(/recipe.bind: must be one of own, retarg/);
    expect(existsSync(out)).toBe(false);
  });

  it('options that change no keys work: clip, range, speed, keys, root scale', async () => {
    const out = folder.at('part.glb');
    const run = await runCommand(
      ...['retarget', walk, goblin, '-o', out, '--new-bind', '--clip', 'walk', '--range', '0.5:1.5'],
      ...['--speed', '2', '--keys', '--root-scale', '0.4', '--json'],
    );
    expect([run.code, run.err]).toEqual([0, '']);
    const { clips } = (await read(out)).characters[0]!;
    expect(clips).toHaveLength(1);
    expect(clips[0]!.duration).toBeCloseTo(0.5, 5);
  });
});
