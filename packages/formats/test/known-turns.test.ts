import { fileURLToPath } from 'node:url';
import {
  type Clip,
  type ClipPlan,
  copyPose,
  createModelPose,
  type GoalPlan,
  localToModel,
  PASS_NAMES,
  planClip,
  type RetargetOptions,
  retargetFrames,
  type Setup,
  sampleClip,
  setUpScenes,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';

const samples = fileURLToPath(new URL('../../../samples/files/', import.meta.url));

/** A sample pair, its first clip, and what was planned for it. */
async function plannedPair(motion: string, body: string, options: RetargetOptions = {}) {
  const source = await read(`${samples}motions/${motion}`);
  const { setup } = setUpScenes(source, await read(`${samples}characters/${body}`), options);
  const clip = source.characters[0]!.clips[0]!;
  const plan = planClip(setup, clip, PASS_NAMES);
  return { setup, clip, plan, goals: plan.found.placeGoals as GoalPlan };
}

/** A plan whose limbs are all found in the frames. */
function withoutSolved(plan: ClipPlan): ClipPlan {
  return {
    ...plan,
    found: { ...plan.found, placeGoals: { ...(plan.found.placeGoals as GoalPlan), solved: null } },
  };
}

/** How far joints of a body are apart at most in two clips, in its heights; and their axes, as a share of their length. */
function farthestApart({ target }: Setup, a: Clip, b: Clip): { places: number; axes: number } {
  const { skeleton, space } = target;
  const poses = [copyPose(skeleton.rest), copyPose(skeleton.rest)] as const;
  const models = [createModelPose(skeleton.names.length), createModelPose(skeleton.names.length)] as const;
  let places = 0;
  let axes = 0;
  for (let time = 0; time <= a.duration; time += 1 / 60) {
    [a, b].forEach((clip, n) => {
      sampleClip(poses[n]!, clip, time);
      localToModel(models[n]!, skeleton, poses[n]!);
    });
    for (let i = 0; i < models[0].matrices.length; i++) {
      const off = Math.abs(models[0].matrices[i]! - models[1].matrices[i]!);
      if (i % 16 > 11) places = Math.max(places, off / space.height);
      else axes = Math.max(axes, off);
    }
  }
  return { places, axes };
}

describe('turns that are known from planning', () => {
  it.each([
    ['walk.glb', 'goblin.glb'],
    ['walk.glb', 'child.glb'],
    ['run-turn.glb', 'vrm-girl.vrm'],
    ['climb.glb', 'unreal-mannequin.glb'],
    ['crawl.glb', 'alien.glb'],
    ['carry-box.glb', 'baker.glb'],
  ])('%s on %s comes out as if limbs were solved in every frame, at any rate', async (motion, body) => {
    const { setup, clip, plan, goals } = await plannedPair(motion, body);
    expect(goals.solved?.some((turns) => turns !== null)).toBe(true);
    for (const frameRate of [60, 47]) {
      const known = retargetFrames(setup, clip, PASS_NAMES, { frameRate }, plan);
      const solved = retargetFrames(setup, clip, PASS_NAMES, { frameRate }, withoutSolved(plan));
      const { places, axes } = farthestApart(setup, known.clip, solved.clip);
      expect([places < 1e-6, axes < 1e-5]).toEqual([true, true]);
    }
  });

  it('frames of the grid do not look at limbs again', async () => {
    const { setup, clip, plan, goals } = await plannedPair('run-turn.glb', 'child.glb');
    const bake = () => retargetFrames(setup, clip, PASS_NAMES, { frameRate: 60 }, plan).clip;
    const before = bake();
    // What only limbs that are solved would read.
    goals.shifts.fill(1);
    expect(farthestApart(setup, before, bake())).toEqual({ places: 0, axes: 0 });
  });

  it.each<[string, string, string, RetargetOptions]>([
    ['parts lie on the floor', 'lie-down.glb', 'child.glb', {}],
    ['feet hang elsewhere than their legs', 'run-turn.glb', 'knight.glb', {}],
    ['limbs have another solver', 'run-turn.glb', 'child.glb', { solvers: { leftArm: 'fabrik' } }],
    ['spine and shoulders give way', 'run-turn.glb', 'child.glb', { reach: 'together' }],
  ])('limbs are solved in the frames where %s', async (_, motion, body, options) => {
    const { goals } = await plannedPair(motion, body, options);
    expect(goals.solved).toBe(null);
  });

  it('a loop that is no whole number of frames, and the ends of one that is, are solved in the frames', async () => {
    const whole = await plannedPair('walk.glb', 'child.glb');
    const [first, last] = whole.goals.solvedFrames;
    expect([first > 0, last < whole.goals.count - 1]).toEqual([true, true]);
    const source = await read(`${samples}motions/walk.glb`);
    const clip = source.characters[0]!.clips[0]!;
    const by = (60 * clip.duration - 0.5) / (60 * clip.duration);
    const cut: Clip = {
      ...clip,
      duration: by * clip.duration,
      tracks: clip.tracks.map((track) => ({ ...track, times: track.times.map((time) => by * time) })),
    };
    const found = planClip(whole.setup, cut, PASS_NAMES).found.placeGoals as GoalPlan;
    expect(found.solved).toBe(null);
  });
});
