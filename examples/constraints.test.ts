import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  copyPose,
  createRig,
  modelPoseOf,
  optionsOfRecipe,
  type RetargetOptions,
  type RetargetResult,
  type Role,
  readRecipe,
  retarget,
  sampleClip,
} from '@stuntdouble/core';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';

const samples = fileURLToPath(new URL('../samples/files/', import.meta.url));
const BAKED: RetargetOptions = { keys: 'bake', frameRate: 60, measure: false };

function recipeOptions(name: string): RetargetOptions {
  const json = readFileSync(new URL(`constraints/${name}.json`, import.meta.url), 'utf8');
  const { recipe, warnings } = readRecipe(JSON.parse(json));
  expect(warnings).toEqual([]);
  return { ...BAKED, ...optionsOfRecipe(recipe) };
}

async function both(motion: string, body: string, recipe: string) {
  const [source, target] = await Promise.all([
    read(`${samples}motions/${motion}.glb`),
    read(`${samples}characters/${body}`),
  ]);
  return {
    plain: retarget(source, target, BAKED),
    held: retarget(source, target, recipeOptions(recipe)),
  };
}

/** Per frame the height of some body parts over the floor, in heights of the body. */
function heightsOf(
  { scene, character, clips, report }: RetargetResult,
  role: Role,
  times: readonly number[],
) {
  const { skeleton, joints, floor } = createRig(scene.characters[character]!.skeleton);
  const pose = copyPose(skeleton.rest);
  return times.map((time) => {
    sampleClip(pose, clips[0]!, time);
    const y = modelPoseOf(skeleton, pose).matrices[16 * joints[role]! + 13]!;
    return (y - floor.height) / report.target.space.height;
  });
}

const BODIES = ['mixamo-guy.glb', 'goblin.glb', 'vrm-girl.vrm'];

describe.each(BODIES)('the demonstrations of Monzani et al. on %s', (body) => {
  it.each(['pick-and-release', 'pick-sooner'])(
    'M16, M19 %s: both places are met when they shall be',
    async (name) => {
      const { held } = await both('pick-up', body, name);
      const results = held.report.clips[0]!.constraints!;
      expect(results.map(({ state, missed }) => [state, missed])).toEqual([
        ['met', 0],
        ['met', 0],
      ]);
      // 0.4 s sooner is 24 frames more.
      expect(results[0]!.frames).toBe(name === 'pick-sooner' ? 34 : 10);
    },
  );

  it('M19 jump from a platform: feet start a quarter of the height up, and land on the floor', async () => {
    const { plain, held } = await both('jump', body, 'jump-from-platform');
    const early = [0, 0.4, 0.9];
    const [before, after] = [plain, held].map((result) => heightsOf(result, 'leftFoot', early));
    after!.forEach((height, k) => {
      expect(height - before![k]!).toBeCloseTo(0.25, 3);
    });
    const late = [1.6, 1.9, 2.4];
    for (const toes of ['leftToes', 'rightToes'] as const)
      for (const height of heightsOf(held, toes, late)) expect(height).toBeGreaterThan(0.04 - 1e-4);
    expect(Math.min(...heightsOf(plain, 'leftToes', late))).toBeLessThan(0.03);
    const missed = held.report.clips[0]!.constraints!.filter(({ state }) => state === 'missed');
    expect(missed.filter(({ name }) => name !== 'the body with them')).toEqual([]);
  });

  it('M19, M25 side kick: hands, knees, feet and toes stay above the mat', async () => {
    const { plain, held } = await both('side-kick', body, 'side-kick-above-mat');
    const times = Array.from({ length: 150 }, (_, k) => k / 60);
    const least = (result: RetargetResult, role: Role) => Math.min(...heightsOf(result, role, times));
    expect(least(plain, 'leftToes')).toBeLessThan(0.03);
    for (const [role, height] of [
      ['leftToes', 0.05],
      ['rightToes', 0.05],
      ['leftFoot', 0.1],
      ['rightFoot', 0.1],
      ['leftLowerLeg', 0.12],
    ] as const)
      expect(least(held, role)).toBeGreaterThan(height - 1e-4);
    expect(held.report.clips[0]!.constraints!.map(({ state }) => state)).not.toContain('missed');
  });
});
