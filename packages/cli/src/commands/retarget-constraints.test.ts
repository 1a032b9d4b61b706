import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyPose, createRig, modelPoseOf, sampleClip } from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../test/folder.js';
import { runCommand } from '../../test/run-command.js';
import { retargetSchema } from '../../test/schemas.js';

const folder = createFolder();
const root = fileURLToPath(new URL('../../../../', import.meta.url));
const files = [
  join(root, 'samples/files/motions/pick-up.glb'),
  join(root, 'samples/files/characters/goblin.glb'),
] as const;

describe('retarget --constraints', () => {
  it('does what the file asks for, says how each constraint came out, and saves it in the recipe', async () => {
    const recipe = folder.at('saved.json');
    const options = ['--no-measure', '--json', '--dry-run'];
    const run = await runCommand(
      ...(['retarget', ...files, '--constraints'] as const),
      join(root, 'examples/constraints/pick-and-release.json'),
      ...['--save-recipe', recipe, '-o', folder.at('out.glb'), '--no-measure', '--json'],
    );
    expect([run.code, run.err]).toEqual([0, '']);
    const [clip] = retargetSchema.parse(JSON.parse(run.out)).clips;
    expect(clip!.constraints!.map(({ state }) => state)).toEqual(['met', 'met']);
    const again = await runCommand('retarget', ...files, '--recipe', recipe, ...options);
    expect(JSON.parse(again.out).clips[0].constraints).toEqual(clip!.constraints);
  });

  it('--card shows every constraint over time: when it counts, and by how much it is missed', async () => {
    const path = folder.at('asked.json');
    const times = { in: 0.4, start: 0.9, end: 1.2, out: 1.6 };
    const point = { kind: 'point', joint: 'rightHand', times };
    await writeFile(
      path,
      JSON.stringify({
        constraints: [
          { ...point, name: 'near', space: 'copied', goal: { place: [0, 0.03, 0.02] } },
          { ...point, name: 'out of reach', joint: 'leftHand', goal: { place: [4, 1, 0] } },
        ],
      }),
    );
    const card = folder.at('card.html');
    const run = await runCommand(
      ...(['retarget', ...files, '--constraints', path, '--card', card] as const),
      ...['-o', folder.at('shown.glb')],
    );
    expect(run.code).toBe(0);
    expect(run.out).toMatch(/near +\S.* 0\.40 to 1\.60 s +met in all \d+ frames/);
    expect(run.out).toMatch(/out of reach .*missed in (\d+) of \1 frames, most by \d+\.\d cm at/);
    const page = await readFile(card, 'utf8');
    for (const words of ['constraint near', 'met in all', 'constraint out of reach', 'missed in'])
      expect(page).toContain(words);
    // The band of the first one begins and ends on the ground, and reaches the top while it counts in full.
    const [, area] = /constraint near[\s\S]*?<path d="(M[^"]*)Z"/.exec(page)!;
    const heights = area!
      .slice(1)
      .split('L')
      .map((at) => Number(at.split(' ')[1]));
    expect([heights[0], heights.at(-1), Math.min(...heights)]).toEqual([66, 66, 4]);
    const refused = await runCommand('retarget', ...files, '--card', card, '--range', '0:1', '--force');
    expect(refused.err).toContain('--card lays every frame beside that of the source');
    const named = await runCommand('retarget', ...files, '--card', 'card.txt');
    expect(named.err).toContain('report cards are written as .html');
  });

  it('names the file and the place in it that is wrong', async () => {
    const path = folder.at('wrong.json');
    await writeFile(
      path,
      JSON.stringify({ constraints: [{ kind: 'point', joint: 'head', goal: { plaice: 1 } }] }),
    );
    const run = await runCommand('retarget', ...files, '--constraints', path);
    expect(run.code).not.toBe(0);
    expect(run.err).toContain('wrong.json');
    expect(run.err).toContain('constraints[0].goal.plaice');
    await writeFile(path, '{}');
    const none = await runCommand('retarget', ...files, '--constraints', path);
    expect(none.err).toContain('neither constraints nor layers');
  });

  it('makes no sense with a new bind', async () => {
    const run = await runCommand('retarget', ...files, '--constraints', 'any.json', '--new-bind');
    expect(run.err).toContain('--constraints changes the motion');
  });

  it('M21 --save-layer: what constraints changed comes back as keys, with the constraints muted', async () => {
    const layer = folder.at('layer.json');
    const asked = join(root, 'examples/constraints/pick-and-release.json');
    const shared = ['--no-measure', '--json', '--fps', '60'];
    const run = await runCommand(
      ...(['retarget', ...files, '--constraints', asked, '--save-layer', layer] as const),
      ...['-o', folder.at('held.bvh'), ...shared],
    );
    expect([run.code, run.err]).toEqual([0, '']);
    const made = JSON.parse(await readFile(layer, 'utf8')) as {
      constraints: { muted: boolean }[];
      layers: { when: string; joints: Record<string, unknown[]> }[];
    };
    expect(made.constraints.map(({ muted }) => muted)).toEqual([true, true]);
    expect(made.layers[0]!.when).toBe('after');
    // Far fewer keys than frames.
    expect(made.layers[0]!.joints.rightUpperArm!.length).toBeLessThan(60);
    const again = await runCommand(
      ...(['retarget', ...files, '--constraints', layer, '-o', folder.at('keys.bvh'), ...shared] as const),
    );
    expect([again.code, again.err]).toEqual([0, '']);
    const [held, keys] = await Promise.all(
      ['held.bvh', 'keys.bvh'].map(async (name) => (await read(folder.at(name))).characters[0]!),
    );
    const { joints } = createRig(held!.skeleton);
    const [a, b] = [held!, keys!].map(({ skeleton, clips }) => {
      const pose = copyPose(skeleton.rest);
      sampleClip(pose, clips[0]!, 1.3);
      const { matrices } = modelPoseOf(skeleton, pose);
      return matrices.slice(16 * joints.rightHand! + 12, 16 * joints.rightHand! + 15);
    });
    const away = Math.hypot(a![0]! - b![0]!, a![1]! - b![1]!, a![2]! - b![2]!);
    expect(away).toBeLessThan(0.002 * Math.hypot(...a!) + 0.002);
  });

  it('--with moves several characters in one space, and says what is missing', async () => {
    const two = folder.at('two.json');
    await writeFile(
      two,
      JSON.stringify({
        characters: [
          {
            name: 'one',
            constraints: [
              { joint: 'rightHand', kind: 'point', goal: { character: 'other', joint: 'leftHand' } },
            ],
          },
          { name: 'other' },
        ],
      }),
    );
    const [source, target] = files;
    const odd = await runCommand('retarget', ...files, '--with', source!);
    expect(odd.err).toContain('--with takes a SOURCE and a TARGET for every other character, and got 1 file');
    const alone = await runCommand('retarget', ...files, '--constraints', two);
    expect(alone.err).toContain('it is for several characters');
    const mapped = await runCommand('retarget', ...files, '--with', source!, target!, '--new-bind');
    expect(mapped.err).toContain('--new-bind is for one pair of files');
    const run = await runCommand(
      ...(['retarget', ...files, '--with', source!, target!, '--constraints', two] as const),
      ...['-o', folder.at('pair.glb'), '--json'],
    );
    expect(run.err).toBe('');
    const { characters } = JSON.parse(run.out) as {
      characters: { name: string; output: string; clips: { constraints?: unknown[] }[] }[];
    };
    expect(characters.map(({ name }) => name)).toEqual(['one', 'other']);
    expect(characters.map(({ output }) => output)).toEqual([
      folder.at('pair.glb'),
      folder.at('pair-other.glb'),
    ]);
    expect(characters[0]!.clips[0]!.constraints).toHaveLength(1);
    expect(characters[1]!.clips[0]!.constraints).toBeUndefined();
  });
});
