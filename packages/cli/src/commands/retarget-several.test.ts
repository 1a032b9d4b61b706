import { readFile } from 'node:fs/promises';
import { type Clip, copyPose, quaternionAngle, type Skeleton, sampleClip } from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { countErrors } from '../../../formats/test/validate-gltf.js';
import { createFolder, pathOf } from '../../test/folder.js';
import { joinGlbs } from '../../test/join-glbs.js';
import { runCommand } from '../../test/run-command.js';

const folder = createFolder();
const [walk, wave] = ['walk', 'wave-on-one-leg'].map((name) => pathOf(`samples/motions/${name}.glb`)) as [
  string,
  string,
];
const [child, knight] = ['child', 'knight'].map((name) => pathOf(`samples/characters/${name}.glb`)) as [
  string,
  string,
];

/** Runs `retarget` and gives the characters of the file that it has written. */
async function retargeted(name: string, ...argv: string[]) {
  const run = await runCommand('retarget', ...argv, '-o', folder.at(name));
  expect([run.code, run.err]).toEqual([0, '']);
  return (await read(folder.at(name))).characters;
}

/** How far two bodies of the same build are apart in their clips, in degrees. */
function degreesApart(a: { skeleton: Skeleton; clips: Clip[] }, b: typeof a): number {
  expect(a.skeleton.names).toEqual(b.skeleton.names);
  let most = 0;
  for (let k = 0; k < 20; k++) {
    const [p, q] = [a, b].map(({ skeleton, clips }) => {
      const pose = copyPose(skeleton.rest);
      sampleClip(pose, clips[0]!, (k * clips[0]!.duration) / 19);
      return pose.rotations;
    }) as [Float64Array, Float64Array];
    for (let i = 0; i < p.length; i += 4)
      most = Math.max(most, (quaternionAngle(p, i, q, i) * 180) / Math.PI);
  }
  return most;
}

describe('two humanoids in one file (WP7)', () => {
  let sources: string;
  let targets: string;
  beforeAll(async () => {
    sources = await folder.put('sources.glb', await joinGlbs(walk, wave));
    targets = await folder.put('targets.glb', await joinGlbs(child, knight));
  });

  it('the joined files are sound and have two bodies each', async () => {
    for (const path of [sources, targets]) {
      expect([...(await countErrors(new Uint8Array(await readFile(path))))]).toEqual([]);
      expect((await read(path)).characters).toHaveLength(2);
    }
  });

  it('WP7: each gives its own motion, as from a file of its own', async () => {
    for (const [n, file] of [walk, wave].entries()) {
      const [own] = await retargeted(`alone-${n}.glb`, file, knight);
      const [from] = await retargeted(`from-${n}.glb`, sources, knight, '--source-skeleton', String(n));
      expect(from!.clips.map(({ name }) => name)).toEqual(own!.clips.map(({ name }) => name));
      expect(degreesApart(from!, own!)).toBeLessThan(1e-4);
    }
  });

  it('WP7: each takes a motion, as in a file of its own, and the other stays as it was', async () => {
    for (const [n, file] of [child, knight].entries()) {
      const [own] = await retargeted(`own-${n}.glb`, walk, file);
      const both = await retargeted(`onto-${n}.glb`, walk, targets, '--skeleton', String(n));
      expect(degreesApart(both[n]!, own!)).toBeLessThan(1e-4);
      expect(both[1 - n]!.clips.flatMap(({ tracks }) => tracks)).toEqual([]);
    }
  });

  it('WP7: without a word the one with most body parts is taken, and it is said; one that is not there is refused', async () => {
    const { code, out } = await runCommand('inspect', sources);
    expect(code).toBe(0);
    expect(out).toMatch(/2 skeletons|skeleton 1/i);
    const told = await runCommand('retarget', sources, knight, '-o', folder.at('first.glb'), '--json');
    expect(JSON.parse(told.out).notes.map(({ code: each }: { code: string }) => each)).toContain(
      'several-skeletons',
    );
    const wrong = await runCommand(
      ...['retarget', sources, knight, '-o', folder.at('no.glb'), '--source-skeleton', '7'],
    );
    expect(wrong.code).not.toBe(0);
    expect(wrong.err.trim().split('\n')).toHaveLength(1);
  });
});
