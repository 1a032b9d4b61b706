import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { modelPoseOf, poseAt, type Scene } from '@stuntdouble/core';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../test/folder.js';
import { runCommand } from '../../test/run-command.js';
import { retargetSchema } from '../../test/schemas.js';

const folder = createFolder();
const sample = (path: string) => fileURLToPath(new URL(`../../../../samples/files/${path}`, import.meta.url));
const PAIR = [sample('motions/walk.glb'), sample('characters/goblin.glb')];

/** Where the pelvis is on the floor at the first and the last instant. */
function travelOf(scene: Scene): { x: number; z: number } {
  const { skeleton, clips } = scene.characters[0]!;
  const clip = clips.at(-1)!;
  const joint = skeleton.names.indexOf('Bip01 Pelvis');
  const [from, to] = [0, clip.duration].map((time) =>
    modelPoseOf(skeleton, poseAt(skeleton, clip, time)).matrices.subarray(16 * joint + 12, 16 * joint + 15),
  );
  return { x: to![0]! - from![0]!, z: to![2]! - from![2]! };
}

describe('--root-motion apart', () => {
  it('W24: what is taken out of a clip stands in a file, and the clip stays where it is', async () => {
    const [kept, apart, file] = ['kept.glb', 'apart.glb', 'way.json'].map((name) => folder.at(name)) as [
      string,
      string,
      string,
    ];
    const plain = ['--corrections', 'none', '--no-measure'];
    expect((await runCommand('retarget', ...PAIR, '-o', kept, ...plain)).code).toBe(0);
    const words = ['--root-motion', 'apart', '--root-motion-file', file];
    const run = await runCommand('retarget', ...PAIR, '-o', apart, ...plain, ...words);
    expect([run.code, run.err]).toEqual([0, '']);
    expect(run.out).toContain(`wrote ${file}`);
    const { version, clips } = JSON.parse(await readFile(file, 'utf8'));
    expect(version).toBe(1);
    expect(clips).toHaveLength(1);
    const { name, times, translations, rotations } = clips[0];
    expect(name).toBe('walk');
    expect(translations).toHaveLength(3 * times.length);
    expect(rotations).toHaveLength(4 * times.length);
    const whole = travelOf(await read(kept));
    const left = travelOf(await read(apart));
    expect(Math.abs(whole.z)).toBeGreaterThan(0.5);
    expect(Math.abs(translations.at(-1) - translations[2])).toBeGreaterThan(0.5);
    expect(Math.hypot(left.x, left.z)).toBeLessThan(0.05);
  });

  it('is printed with --json, and is the same as a recipe says', async () => {
    const recipe = await folder.put('apart.json', '{ "version": 1, "settings": { "rootMotion": "apart" } }');
    const shared = [...PAIR, '-o', folder.at('unused.glb'), '--dry-run', '--json', '--no-measure'];
    const typed = retargetSchema.parse(
      JSON.parse((await runCommand('retarget', ...shared, '--root-motion', 'apart')).out),
    );
    const told = JSON.parse((await runCommand('retarget', ...shared, '--recipe', recipe)).out);
    expect(typed.rootMotion![0]!.times.length).toBeGreaterThan(10);
    expect(told.rootMotion).toEqual(typed.rootMotion);
    const without = JSON.parse((await runCommand('retarget', ...shared)).out);
    expect(without.rootMotion).toBeUndefined();
  });

  it('is not lost in silence, and a file for nothing is not written', async () => {
    const out = ['-o', folder.at('none.glb'), '--no-measure'];
    for (const [words, sentence] of [
      [['--root-motion', 'apart'], /would be lost: say where it goes with --root-motion-file FILE/],
      [['--root-motion', 'apart', '--root-motion-file', folder.at('way.txt')], /is written as \.json/],
      [['--root-motion-file', folder.at('other.json')], /give --root-motion apart too/],
    ] as const) {
      const run = await runCommand('retarget', ...PAIR, ...out, ...words);
      expect([run.code, run.out]).toEqual([2, '']);
      expect(run.err).toMatch(sentence);
    }
  });
});
