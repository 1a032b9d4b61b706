import { existsSync } from 'node:fs';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { createFolder, dataFolder } from '../../test/folder.js';
import { runCommand } from '../../test/run-command.js';
import { retargetSchema } from '../../test/schemas.js';

const folder = createFolder();
const faces = `${dataFolder}khronos/MorphStressTest.glb`;
const robot = `${dataFolder}threejs/RobotExpressive.glb`;

describe.skipIf(!existsSync(dataFolder))('retarget of morph targets (needs ../shared/data)', () => {
  it('B4: a file without a skeleton moves the morph targets of another, key by key', async () => {
    const out = folder.at('faces.glb');
    const run = await runCommand('retarget', faces, faces, '-o', out, '--replace', '--json');
    expect([run.code, run.err]).toEqual([0, '']);
    const json = retargetSchema.parse(JSON.parse(run.out));
    expect(json.clips.map(({ name, way }) => [name, way])).toEqual([
      ['Individuals', 'keys'],
      ['TheWave', 'keys'],
      ['Pulse', 'keys'],
    ]);
    const [before, after] = [await read(faces), await read(out)];
    expect(after.otherClips!.map(({ morphs }) => morphs)).toEqual(
      before.otherClips!.map(({ morphs }) => morphs),
    );
  });

  it('B4: --morph says which goes onto which; the summary says how many are driven', async () => {
    const out = folder.at('angry.glb');
    const run = await runCommand(
      ...['retarget', faces, robot, '-o', out, '--clip', 'Pulse'],
      ...['--morph', 'Key 1=Angry', '--morph', 'Key 2=Sad'],
    );
    expect([run.code, run.err]).toEqual([0, '']);
    expect(run.out).toMatch(/map {2}\d+ of \d+ morph targets driven/);
    const { morphs } = (await read(out)).characters[0]!.clips.find(({ name }) => name === 'Pulse')!;
    // A glTF moves all weights of a mesh at once: those that were not asked for stay.
    const moved = morphs.filter(({ values }) => values.some((value) => value !== values[0]));
    expect(new Set(moved.map(({ morph }) => morph))).toEqual(new Set(['Angry', 'Sad']));
  });

  it('what cannot be meant is said in a sentence', async () => {
    const said = async (...argv: string[]) => {
      const { code, err } = await runCommand('retarget', ...argv, '-o', folder.at('none.glb'));
      return `${code} ${err}`;
    };
    expect(await said(faces, robot)).toMatch(/^1 error: .*"Key 1".*"Angry"/);
    expect(await said(faces, robot, '--morph', 'Key_1=Angry')).toMatch(/^1 error: .*"Key 1"/);
    expect(await said(faces, robot, '--morph', 'Angry')).toMatch(/^2 error: .*FROM=TO/);
    expect(await said(faces, robot, '--picture', folder.at('x.png'))).toMatch(/^2 error: .*--picture/);
    expect(await said(robot, faces)).toMatch(/^1 error: .*no skeleton/);
    expect(existsSync(folder.at('none.glb'))).toBe(false);
  });
});
