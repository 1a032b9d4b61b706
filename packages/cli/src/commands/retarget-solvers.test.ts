import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createRig,
  type ModelPose,
  modelPoseOf,
  poseAt,
  type Role,
  scaleVector,
  subtractVectors,
  type Vec3,
  vectorAt,
  vectorLength,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../test/folder.js';
import { runCommand } from '../../test/run-command.js';
import { retargetSchema } from '../../test/schemas.js';

const folder = createFolder();
const samples = fileURLToPath(new URL('../../../../samples/files/', import.meta.url));
const files = [join(samples, 'motions/walk.glb'), join(samples, 'characters/goblin.glb')] as const;

async function retargetJson(...argv: string[]) {
  const run = await runCommand('retarget', ...files, ...argv, '--json');
  expect([run.code, run.err]).toEqual([0, '']);
  return retargetSchema.parse(JSON.parse(run.out));
}

const slideOf = ({ measures }: Awaited<ReturnType<typeof retargetJson>>) =>
  measures[0]!.motion.slide!.result.mean;

const LIMBS = [
  ['leftUpperLeg', 'leftLowerLeg', 'leftFoot'],
  ['rightUpperLeg', 'rightLowerLeg', 'rightFoot'],
  ['leftUpperArm', 'leftLowerArm', 'leftHand'],
  ['rightUpperArm', 'rightLowerArm', 'rightHand'],
] as const;

/** Where hands and feet are at some moments, seen from the root of their limb, in lengths of it. */
async function reachesOf(path: string): Promise<Vec3[][]> {
  const { skeleton: asRead, clips } = (await read(path)).characters[0]!;
  const { skeleton, joints, reference } = createRig(asRead, { clips });
  const clip = clips.at(-1)!;
  const place = (model: ModelPose, role: Role) => vectorAt(model.matrices, 16 * joints[role]! + 12);
  const apart = (model: ModelPose, a: Role, b: Role) => subtractVectors(place(model, b), place(model, a));
  const rest = modelPoseOf(skeleton, reference.pose);
  return [0.1, 0.3, 0.5, 0.7].map((share) => {
    const model = modelPoseOf(skeleton, poseAt(skeleton, clip, share * clip.duration));
    return LIMBS.map(([upper, middle, end]) => {
      const length = vectorLength(apart(rest, upper, middle)) + vectorLength(apart(rest, middle, end));
      return scaleVector(apart(model, upper, end), 1 / length);
    });
  });
}

describe('retarget with other solvers', () => {
  it('K28: feet hold with a solver per limb, and a saved recipe holds them the same way again', async () => {
    const plain = slideOf(await retargetJson('-o', folder.at('plain.glb')));
    const recipe = folder.at('solvers.json');
    const solvers = ['--solver', 'legs=ccd', '--solver', 'all=damped:damping=0.2'];
    const out = folder.at('solved.glb');
    const solved = slideOf(await retargetJson('-o', out, ...solvers, '--save-recipe', recipe));
    expect(solved).toBeLessThan(plain + 0.05);
    expect(JSON.parse(await readFile(recipe, 'utf8')).settings.solvers).toEqual({
      leftLeg: 'ccd',
      rightLeg: 'ccd',
      all: { solver: 'damped', damping: 0.2 },
    });
    const again = folder.at('again.glb');
    await retargetJson('-o', again, '--recipe', recipe);
    expect(await readFile(again)).toEqual(await readFile(out));
  });

  it('K21, K24: limbs follow their goals alone where imitation is switched off', async () => {
    const out = folder.at('goals.glb');
    const keep = ['--imitate', 'arms=keep', '--imitate', 'legs=keep'];
    await retargetJson('-o', out, ...keep, '--limb-scale', 'arms=1', '--limb-scale', 'legs=1');
    const [from, to] = [await reachesOf(files[0]), await reachesOf(out)];
    // Hands as far from their roots as the source's, in lengths of the arm, and in the same direction.
    from.forEach((limbs, k) => {
      for (const n of [2, 3])
        limbs[n]!.forEach((x, c) => {
          expect(Math.abs(to[k]![n]![c]! - x), `arm ${n} at moment ${k}`).toBeLessThan(0.02);
        });
    });
    // Feet swing to and fro with the source's, and stand besides.
    const swing = (reaches: Vec3[][], n: number) =>
      Math.max(...reaches.map((limbs) => limbs[n]![2])) - Math.min(...reaches.map((limbs) => limbs[n]![2]));
    for (const n of [0, 1]) {
      expect(swing(from, n)).toBeGreaterThan(0.3);
      expect(swing(to, n) / swing(from, n)).toBeGreaterThan(0.6);
    }
  });

  it('R9: --reach together runs, and refuses a word that it does not know', async () => {
    await retargetJson('-o', folder.at('together.glb'), '--limb-scale', 'arms=0,0', '--reach', 'together');
    const run = await runCommand('retarget', ...files, '-o', folder.at('no.glb'), '--reach', 'far');
    expect(run.code).toBe(2);
    expect(run.err).toMatch(/limbs, together/);
  });

  it('K3, K28: does as an armature says that inspect has written, and tells what of a recipe it does not do', async () => {
    const armature = folder.at('armature.json');
    expect((await runCommand('inspect', files[1], '--armature', armature)).code).toBe(0);
    const chains = JSON.parse(await readFile(armature, 'utf8'));
    for (const chain of chains.chains) chain.solver = { method: 'none' };
    const still = await folder.put('still.json', JSON.stringify(chains));
    // Whose chains are not solved has its feet as copied; whose chains are has them held.
    expect(slideOf(await retargetJson('--dry-run', '--recipe', still))).toBeGreaterThan(10);
    expect(slideOf(await retargetJson('--dry-run', '--recipe', armature))).toBeLessThan(2);
    const later = await folder.put('later.json', '{ "version": 1, "settings": { "mood": 1 } }');
    const { warnings } = await retargetJson('--dry-run', '--no-measure', '--recipe', later);
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'recipe-entry-ignored' }));
  });

  it('W18: what is typed has the last word over what a recipe says of corrections', async () => {
    const recipe = folder.at('corrected.json');
    const save = ['--save-recipe', recipe, '--solver', 'damped', '--no-measure'];
    await retargetJson('-o', folder.at('corrected.glb'), ...save);
    const plain = ['--dry-run', '--recipe', recipe, '--corrections', 'none'];
    const { clips, warnings } = await retargetJson(...plain);
    expect(clips[0]!.way).toBe('products');
    // The recipe's solver is told of, not silently passed over.
    expect(warnings.map(({ code }) => code)).toContain('option-without-effect');
    const copied = folder.at('copied.json');
    await retargetJson('-o', folder.at('copied.glb'), '--corrections', 'none', '--save-recipe', copied);
    const again = await retargetJson('--dry-run', '--recipe', copied, '--solver', 'ccd');
    expect(slideOf(again)).toBeLessThan(2);
    expect(slideOf(await retargetJson('--dry-run', '--recipe', copied))).toBeGreaterThan(20);
  });

  it.each([
    [['--keys', '--solver', 'ccd'], /--solver says how .* with --keys they are not/],
    [['--contacts', 'steps.json', '--corrections', 'none'], /--contacts says how .* --corrections none/],
    [['--contacts', 'steps.json', '--keys'], /--contacts says how .* --keys/],
    [['--corrections', 'none', '--reach', 'together'], /--reach says how/],
    [['--passes', 'copyRotations', '--limb-scale', 'arms=1'], /--limb-scale says how/],
    [['--solver', 'ccd:step=2'], /solvers\.all\.step: must be above 0 and at most 1, and is 2/],
    [['--solver', 'tail=ccd'], /no limb "tail"/],
  ])('%j is a wrong use, in one sentence', async (argv, message) => {
    const run = await runCommand('retarget', ...files, '-o', folder.at('never.glb'), ...argv);
    expect(run.code).toBe(2);
    expect(run.err).toMatch(message);
  });
});
