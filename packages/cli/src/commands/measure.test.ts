import { beforeAll, describe, expect, it } from 'vitest';
import { createFolder } from '../../test/folder.js';
import { runCommand } from '../../test/run-command.js';
import { measureSchema } from '../../test/schemas.js';
import { stickFigureBvh, stickFigureGltf } from '../../test/stick-figure.js';

const folder = createFolder();
let source: string;
let target: string;
let result: string;
beforeAll(async () => {
  source = await folder.put('walk.gltf', stickFigureGltf({ naming: 'mixamo', clips: ['walk', 'run'] }));
  target = await folder.put('hero.gltf', stickFigureGltf({ clips: ['idle', 'walk'], height: 1.2 }));
  result = folder.at('out.glb');
  const { code, err } = await runCommand('retarget', source, target, '-o', result);
  expect(err).toBe('');
  expect(code).toBe(0);
});

async function measureJson(...argv: string[]) {
  const run = await runCommand('measure', ...argv, '--json');
  expect(run.err).toBe('');
  return measureSchema.parse(JSON.parse(run.out));
}

describe('measure', () => {
  it('pairs clips by name, also one whose name was taken, and finds its own results true', async () => {
    const { clips } = await measureJson(source, result, '--clip', 'walk=walk (2)', '--clip', 'run');
    expect(clips.map(({ name }) => name)).toEqual(['walk (2)', 'run']);
    for (const clip of clips) {
      expect(clip.direction.worst).toBeLessThan(0.1);
      expect(clip.rotation.worst).toBeLessThan(0.1);
      expect(Object.keys(clip.direction.limbs)).toEqual(
        expect.arrayContaining(['leftArm', 'rightArm', 'leftLeg']),
      );
    }
    expect((await measureJson(source, result)).clips.map(({ name }) => name)).toEqual([
      'walk',
      'walk (2)',
      'run',
    ]);
  });

  it('tells a wrong motion from a right one', async () => {
    const { clips } = await measureJson(source, result, '--clip', 'walk=run');
    expect(clips[0]!.direction.worst).toBeGreaterThan(5);
  });

  it('prints the report card', async () => {
    const { out, code } = await runCommand('measure', source, result);
    expect(code).toBe(0);
    for (const text of [
      'direction',
      'rotation',
      'twist',
      'limb by limb',
      'leftArm',
      'not measured',
      '"idle"',
    ])
      expect(out).toContain(text);
  });

  it('says what it cannot pair, and what has no clips', async () => {
    const other = await runCommand('measure', source, result, '--clip', 'walk=nothing');
    expect([other.code, other.out]).toEqual([2, '']);
    expect(other.err).toMatch(/no clip "nothing"/);
    const still = await folder.put('still.gltf', stickFigureGltf());
    const none = await runCommand('measure', source, still);
    expect([none.code, none.out]).toEqual([1, '']);
    expect(none.err).toMatch(/still\.gltf has no clips/);
  });

  it('measures across formats', async () => {
    const capture = await folder.put('capture.bvh', stickFigureBvh());
    const out = folder.at('capture-out.bvh');
    expect((await runCommand('retarget', capture, target, '-o', out)).code).toBe(0);
    const { clips } = await measureJson(capture, out);
    expect(clips).toHaveLength(1);
    expect(clips[0]!.direction.worst).toBeLessThan(0.2);
  });
});
