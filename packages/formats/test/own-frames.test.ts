import { fileURLToPath } from 'node:url';
import {
  type Clip,
  compareMotions,
  copyPose,
  type GoalPlan,
  measureMotion,
  PASS_NAMES,
  planClip,
  retargetFrames,
  type Setup,
  sampleClip,
  setUpScenes,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';

const samples = fileURLToPath(new URL('../../../samples/files/', import.meta.url));

/** A clip with a linear key a frame at a rate, as captures and engines have them. */
function atRate(setup: Setup, clip: Clip, rate: number): Clip {
  const count = Math.floor(clip.duration * rate + 1e-6) + 1;
  const times = Float32Array.from({ length: count }, (_, k) => k / rate);
  const { skeleton } = setup.source;
  const pose = copyPose(skeleton.rest);
  const stores = { rotation: pose.rotations, translation: pose.translations, scale: pose.scales };
  const values = clip.tracks.map(({ channel }) => new Float32Array((channel === 'rotation' ? 4 : 3) * count));
  times.forEach((time, k) => {
    sampleClip(pose, clip, time);
    clip.tracks.forEach(({ joint, channel }, n) => {
      const size = channel === 'rotation' ? 4 : 3;
      for (let c = 0; c < size; c++) values[n]![size * k + c] = stores[channel][size * joint + c]!;
    });
  });
  const tracks = clip.tracks.map((track, n) => ({
    ...track,
    interpolation: 'linear' as const,
    times,
    values: values[n]!,
  }));
  return { ...clip, duration: times.at(-1)!, tracks, morphs: [] };
}

/** How a clip comes out that is planned in its own frames, and in 60 a second. */
async function plannedTwice(motion: string, body: string, rate: number) {
  const source = await read(`${samples}motions/${motion}`);
  const { setup } = setUpScenes(source, await read(`${samples}characters/${body}`), {});
  const clip = atRate(setup, source.characters[0]!.clips[0]!, rate);
  return [null, 60].map((asked) => {
    const plan = planClip(setup, clip, PASS_NAMES, null, null, asked);
    const { clip: moved } = retargetFrames(setup, clip, PASS_NAMES, { frameRate: rate }, plan);
    const { slide, agreement, heights, ground, smoothness } = measureMotion(
      compareMotions(setup, clip, moved),
    );
    return {
      grid: (plan.found.placeGoals as GoalPlan).rate,
      slide: slide!.result.mean,
      agreement: agreement!.f1,
      sunk: heights!.sunkFrames,
      skin: ground!.deeper.skin!.mean,
      knees: smoothness!.kneePops,
    };
  }) as [Came, Came];
}
type Came = { grid: number; slide: number; agreement: number; sunk: number; skin: number; knees: number };

describe('clips of 24 to 30 frames a second', () => {
  it.each([
    ['walk.glb', 'goblin.glb', 30],
    ['walk.glb', 'vrm-girl.vrm', 24],
    ['run-turn.glb', 'goblin.glb', 30],
    ['run-turn.glb', 'child.glb', 24],
    ['jump.glb', 'goblin.glb', 24],
    ['kneel.glb', 'child.glb', 30],
  ])('%s on %s at %d: feet hold as those that are planned in 60', async (motion, body, rate) => {
    const [own, dense] = await plannedTwice(motion, body, rate);
    expect([own.grid, dense.grid]).toEqual([rate, 60]);
    expect(own.slide).toBeLessThan(1.35 * dense.slide + 0.1);
    expect(own.agreement).toBeGreaterThan(dense.agreement - 0.01);
    expect(own.sunk).toBe(0);
    expect(own.skin).toBeLessThan(1.2 * dense.skin + 0.2);
    expect(own.knees).toBeLessThanOrEqual(dense.knees);
  });
});
