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
  retargetTogether,
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

/** How high a body part is in the reference pose. */
function restHeightOf({ scene, character, report }: RetargetResult, role: Role): number {
  const { skeleton, joints, floor, reference } = createRig(scene.characters[character]!.skeleton);
  const y = modelPoseOf(skeleton, reference.pose).matrices[16 * joints[role]! + 13]!;
  return (y - floor.height) / report.target.space.height;
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
    // Toes stand as high as in the reference pose, on soles: neither under the floor, nor over it.
    const late = [1.6, 1.9, 2.4];
    for (const toes of ['leftToes', 'rightToes'] as const) {
      const stood = heightsOf(plain, toes, late);
      heightsOf(held, toes, late).forEach((height, k) => {
        expect(height).toBeGreaterThan(restHeightOf(held, toes) - 1e-4);
        expect(Math.abs(height - stood[k]!)).toBeLessThan(0.012);
      });
    }
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

type Vec3 = [number, number, number];

/** Where a body part is at a time of a result, model space. */
function placeOf({ scene, character, clips }: RetargetResult, role: Role, time: number): Vec3 {
  const { skeleton, joints } = createRig(scene.characters[character]!.skeleton);
  const pose = copyPose(skeleton.rest);
  sampleClip(pose, clips[0]!, time);
  const m = 16 * joints[role]! + 12;
  return [0, 1, 2].map((c) => modelPoseOf(skeleton, pose).matrices[m + c]!) as Vec3;
}

const apart = (a: Vec3, b: Vec3) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

describe.each(BODIES)('things that hands hold on %s', (body) => {
  it('M18, R16 a box: hands are as far apart as it is wide, and higher than they were', async () => {
    const { plain, held } = await both('carry-box', body, 'carry-wider-box');
    const height = held.report.target.space.height;
    for (const time of [0.2, 1.1, 2]) {
      const hands = [plain, held].map((result) =>
        (['leftHand', 'rightHand'] as const).map((role) => placeOf(result, role, time)),
      );
      expect(apart(hands[1]![0]!, hands[1]![1]!) / height).toBeCloseTo(0.3, 3);
      expect(Math.abs(apart(hands[0]![0]!, hands[0]![1]!) / height - 0.3)).toBeGreaterThan(0.03);
      expect((hands[1]![0]![1] - hands[0]![0]![1]) / height).toBeCloseTo(0.06, 3);
    }
  });

  it('M12, M18 a ladder: hands are on their rungs while they hold them', async () => {
    const { held } = await both('climb', body, 'climb-ladder');
    expect(held.report.clips[0]!.constraints!.map(({ state }) => state)).toEqual(Array(4).fill('met'));
    const rungs = (
      [
        ['rightHand', 0.4],
        ['leftHand', 1.2],
        ['rightHand', 1.9],
        ['leftHand', 2.8],
      ] as const
    ).map(([hand, time]) => heightsOf(held, hand, [time])[0]!);
    for (let k = 1; k < rungs.length; k++) expect(rungs[k]! - rungs[k - 1]!).toBeCloseTo(0.16, 3);
  });
});

it('M18 a handshake: the hands of two bodies meet while they shall, and part again', async () => {
  const json = readFileSync(new URL('constraints/handshake.json', import.meta.url), 'utf8');
  const { characters } = JSON.parse(json) as { characters: { name: string }[] };
  const source = await read(`${samples}motions/idle.glb`);
  const parts = await Promise.all(
    characters.map(async ({ name, ...rest }, n) => ({
      name,
      source,
      target: await read(`${samples}characters/${BODIES[n]}`),
      options: {
        ...BAKED,
        // Feet of the one who is turned round are not to be where the source has them.
        corrections: 'none' as const,
        ...optionsOfRecipe(readRecipe({ version: 1, ...rest }).recipe),
      },
    })),
  );
  const [anna, ben] = retargetTogether(parts);
  const gap = (time: number) => apart(placeOf(anna!, 'rightHand', time), placeOf(ben!, 'rightHand', time));
  for (const time of [1.7, 2.2, 2.7]) expect(gap(time)).toBeLessThan(1e-3);
  for (const time of [0.5, 3.8]) expect(gap(time)).toBeGreaterThan(0.3);
});
