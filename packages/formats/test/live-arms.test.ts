import {
  type Clip,
  type ComparedSide,
  clipOfMotion,
  compareMotions,
  copyPose,
  createRetargeter,
  frameTimes,
  measureMotion,
  type Setup,
  sampleClip,
  setUpScenes,
  withoutCorrections,
} from '@stuntdouble/core/engine';
import { describe, expect, it } from 'vitest';
import { read } from '../src/index.js';

const sample = (name: string) => read(new URL(`../../../samples/files/${name}`, import.meta.url).pathname);

/** Plays a clip live, frame by frame. */
function play(setup: Setup, clip: Clip): Clip {
  const { skeleton } = setup.target;
  const retargeter = createRetargeter(setup);
  const times = frameTimes(clip.duration, 60);
  const joints = skeleton.names.length;
  const motion = {
    skeleton,
    frameRate: 60,
    frameCount: times.length,
    translations: new Float32Array(3 * joints * times.length),
    rotations: new Float32Array(4 * joints * times.length),
    scales: new Float32Array(3 * joints * times.length),
  };
  const pose = copyPose(setup.source.skeleton.rest);
  times.forEach((time, k) => {
    sampleClip(pose, clip, time);
    const { translations, rotations, scales } = retargeter.update(pose, 1 / 60);
    motion.translations.set(translations, 3 * joints * k);
    motion.rotations.set(rotations, 4 * joints * k);
    motion.scales.set(scales, 3 * joints * k);
  });
  return clipOfMotion(clip.name, motion);
}

async function played(motion: string, body: string) {
  const source = await sample(`motions/${motion}`);
  const { setup } = setUpScenes(source, await sample(`characters/${body}`), { corrections: 'auto' });
  const [clip] = source.characters[0]!.clips;
  const compared = (of: Setup) => compareMotions(setup, clip!, play(of, clip!));
  return { live: compared(setup), plain: compared(withoutCorrections(setup)) };
}

/** The turn of a joint at an instant. */
function turnAt({ rotations, joints }: ComparedSide, joint: number, k: number): number[] {
  return Array.from(rotations.subarray(4 * (joints * k + joint), 4 * (joints * k + joint) + 4));
}

describe('live arms', () => {
  it.each([
    ['alien.glb', 2],
    ['baker.glb', 4.5],
  ])('hands that clap meet on %s, and nothing pops', async (body, most) => {
    const { live, plain } = await played('clap.glb', body);
    const { selfContact, pops } = measureMotion(live);
    expect(selfContact!.result.mean).toBeLessThan(most);
    expect(selfContact!.result.mean).toBeLessThan(measureMotion(plain).selfContact!.result.mean / 3);
    expect(pops!.count).toBe(0);
  });

  it.each(['alien.glb', 'vrm-girl.vrm', 'baker.glb'])(
    'palms of %s lie on each other through a bow',
    async (body) => {
      const { live } = await played('pray.glb', body);
      const { selfContact, pops, smoothness } = measureMotion(live);
      expect(selfContact!.result.mean).toBeLessThan(2);
      expect(smoothness!.jerkRatio).toBeLessThan(1.1);
      expect(pops!.count).toBe(0);
    },
  );

  it('arms that nothing is asked of are those that are copied', async () => {
    const { live, plain } = await played('jump.glb', 'alien.glb');
    const arm = live.result.roles.leftLowerArm!;
    let same = 0;
    for (let k = 0; k < live.count; k++)
      if (turnAt(live.result, arm, k).join() === turnAt(plain.result, arm, k).join()) same++;
    expect(same / live.count).toBeGreaterThan(0.5);
  });
});
