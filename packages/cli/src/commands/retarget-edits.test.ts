import { readFile } from 'node:fs/promises';
import { copyPose, quaternionAngle, sampleClip } from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { createFolder, pathOf } from '../../test/folder.js';
import { runCommand } from '../../test/run-command.js';

const folder = createFolder();
const walk = pathOf('samples/motions/walk.glb');
const guy = pathOf('samples/characters/mixamo-guy.glb');
const knight = pathOf('samples/characters/knight.glb');
const DEGREES = Math.PI / 180;

/** A walk on the knight by turns alone, from how he rests: local transforms at some instants of the file written. */
async function posesOf(name: string, ...argv: string[]) {
  const plainly = ['--corrections', 'none', '--align', 'arms=keep', '--reference-target', 'rest'];
  const run = await runCommand('retarget', walk, knight, '-o', folder.at(name), ...plainly, ...argv);
  expect([run.code, run.err]).toEqual([0, '']);
  const { skeleton, clips } = (await read(folder.at(name))).characters[0]!;
  return [0, 0.2, 0.5, 0.9].map((time) => {
    const pose = copyPose(skeleton.rest);
    sampleClip(pose, clips[0]!, time);
    return { names: skeleton.names, ...pose };
  });
}

describe('retarget --edit-target, --edit-source', () => {
  it('S6: a joint of the target that is turned by hand is turned so in all of the motion, and no other limb', async () => {
    const plain = await posesOf('plain.glb');
    const turned = await posesOf('turned.glb', '--edit-target', 'UpperArm.L=0,0,30');
    plain.forEach(({ names, rotations }, k) => {
      const angle = (name: string) => {
        const at = 4 * names.indexOf(name);
        expect(at).toBeGreaterThanOrEqual(0);
        return quaternionAngle(rotations, at, turned[k]!.rotations, at) / DEGREES;
      };
      expect(angle('UpperArm.L')).toBeCloseTo(30, 2);
      for (const name of ['UpperArm.R', 'LowerArm.R', 'UpperLeg.L', 'Head', 'Torso'])
        expect(angle(name), name).toBeLessThan(1e-3);
    });
  });

  it('S6: the other way round where the source’s reference is what is turned', async () => {
    const plain = await posesOf('source-plain.glb', '--reference-source', 'rest');
    const turned = await posesOf(
      'source-turned.glb',
      ...['--reference-source', 'rest', '--edit-source', 'mixamorig:LeftArm=0,0,30'],
    );
    plain.forEach(({ names, rotations }, k) => {
      const at = 4 * names.indexOf('UpperArm.L');
      expect(quaternionAngle(rotations, at, turned[k]!.rotations, at) / DEGREES).toBeCloseTo(30, 2);
    });
  });

  it('S6: a place and a scale, too: the whole transform of a joint', async () => {
    const [placed] = await posesOf('placed.glb', '--edit-target', 'Head=/0,0.5,0.1/2,2,2');
    const head = placed!.names.indexOf('Head');
    expect([...placed!.translations.subarray(3 * head, 3 * head + 3)]).toEqual(
      [0, 0.5, 0.1].map((x) => expect.closeTo(x, 5)),
    );
    expect([...placed!.scales.subarray(3 * head, 3 * head + 3)]).toEqual(
      [2, 2, 2].map((x) => expect.closeTo(x, 5)),
    );
  });

  it('S6: edits are part of a recipe, which makes the same file again; several go together', async () => {
    const edits = ['--edit-target', 'UpperArm.L=0,0,30', '--edit-target', 'Head=0,20,0'];
    const recipe = folder.at('edits.json');
    await posesOf('first.glb', ...edits, '--save-recipe', recipe);
    const { references } = JSON.parse(await readFile(recipe, 'utf8'));
    expect(references.target.edits.map(({ name }: { name: string }) => name)).toEqual(['UpperArm.L', 'Head']);
    const again = folder.at('again.glb');
    expect((await runCommand('retarget', walk, knight, '-o', again, '--recipe', recipe)).code).toBe(0);
    expect(Buffer.compare(await readFile(again), await readFile(folder.at('first.glb')))).toBe(0);
  });

  it('what cannot be meant is said in a sentence: a joint that is not there, angles that are none', async () => {
    for (const [edit, says] of [
      ['Wing=0,0,30', 'Wing'],
      ['UpperArm.L=0,30', 'JOINT=X,Y,Z'],
    ] as const) {
      const run = await runCommand(
        ...['retarget', walk, knight, '-o', folder.at('no.glb'), '--edit-target', edit],
      );
      expect(run.code).not.toBe(0);
      expect(run.err).toContain(says);
    }
    // One skeleton on both sides is taken over whole, unless its reference is another.
    const same = await runCommand(
      ...['retarget', walk, guy, '-o', folder.at('same.glb'), '--corrections', 'none', '--json'],
      ...['--edit-target', 'mixamorig:LeftArm=0,0,30'],
    );
    expect(same.code).toBe(0);
    expect(JSON.parse(same.out).clips[0].way).not.toBe('copy');
  });
});
