import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { createRig, modelPoseOf, poseAt } from '@stuntdouble/core';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../test/folder.js';
import { runCommand } from '../../test/run-command.js';

const folder = createFolder();
const walk = fileURLToPath(new URL('../../../../samples/files/motions/walk.bvh', import.meta.url));

/** Where joints are over a file's first clip, in model space, by name, from where the first of them begins. */
async function placesOf(path: string, names: readonly string[]): Promise<number[]> {
  const scene = await read(path);
  const { clips } = scene.characters[0]!;
  const { skeleton } = createRig(scene.characters[0]!.skeleton, { clips });
  const places: number[] = [];
  for (let k = 0; k <= 10; k++) {
    const { matrices } = modelPoseOf(skeleton, poseAt(skeleton, clips[0]!, (clips[0]!.duration * k) / 10));
    for (const name of names) {
      const joint = skeleton.names.indexOf(name);
      expect(joint, name).toBeGreaterThanOrEqual(0);
      for (let c = 12; c < 15; c++) places.push(matrices[16 * joint + c]!);
    }
  }
  return places.map((x, i) => x - places[i % 3]!);
}

async function reshape(...argv: string[]) {
  const run = await runCommand('reshape', ...argv, '--json');
  expect(run.err).toBe('');
  expect(run.code).toBe(0);
  return JSON.parse(run.out) as {
    output: string;
    joints: { before: number; after: number };
    names: string[];
    clips: string[];
  };
}

describe('reshape', () => {
  it('S21: keeps body parts alone, and they move as they did', async () => {
    for (const extension of ['bvh', 'glb', 'fbx']) {
      const { names, joints, output } = await reshape(
        walk,
        folder.at(`lean.${extension}`),
        '--keep',
        'roles',
      );
      expect(joints.after).toBe(names.length);
      expect(joints.after).toBeLessThan(joints.before);
      const [before, after] = [await placesOf(walk, names), await placesOf(output, names)];
      const worst = Math.max(...before.map((x, i) => Math.abs(x - after[i]!)));
      expect(worst, extension).toBeLessThan(1e-3);
    }
  });

  it('S21, S18: prints a script, and follows one', async () => {
    const { characters } = await read(walk);
    const all = characters[0]!.skeleton.names;
    const printed = await runCommand('reshape', walk, '--print-script');
    expect(printed.code).toBe(0);
    const script = await folder.put('all.txt', printed.out);
    expect((await reshape(walk, folder.at('all.bvh'), '--script', script)).names).toEqual(all);
    const few = await folder.put('few.txt', `"Pelvis" : "${all[0]}" { "Second" : "${all[1]}" }`);
    const { names, output } = await reshape(walk, folder.at('few.glb'), '--script', few);
    expect(names).toEqual(['Pelvis', 'Second']);
    expect((await read(output)).characters[0]!.skeleton.names).toEqual(expect.arrayContaining(names));
  });

  it('refuses in one sentence what cannot be', async () => {
    const out = folder.at('x.glb');
    const taken = await folder.put('taken.glb', 'precious');
    const broken = await folder.put('broken.txt', '"Hips" {');
    const cases: [string[], number, string][] = [
      [[walk, out], 2, 'say which joints stay'],
      [[walk, '--keep', 'roles'], 2, 'OUT is missing'],
      [[walk, out, '--keep', 'Tail'], 2, 'has no joint "Tail"'],
      [[walk, out, '--keep', ','], 2, 'is to stay'],
      [[walk, out, '--keep', 'roles', '--script', broken], 2, 'one of --keep, --script'],
      [[walk, out, '--script', broken], 1, 'expected } for "Hips"'],
      [[walk, out, '--script', folder.at('none.txt')], 1, 'there is no such file'],
      [[walk, folder.at('x.vrm'), '--keep', 'roles'], 2, 'which reshape leaves out'],
      [[walk, taken, '--keep', 'roles'], 1, '--force'],
    ];
    for (const [argv, code, sentence] of cases) {
      const run = await runCommand('reshape', ...argv);
      expect([run.code, run.out], sentence).toEqual([code, '']);
      expect(run.err).toContain(sentence);
    }
    expect(existsSync(out)).toBe(false);
    expect(await readFile(taken, 'utf8')).toBe('precious');
  });
});
