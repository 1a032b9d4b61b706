import { fileURLToPath } from 'node:url';
import {
  clipOfMotion,
  compareMotions,
  copyPose,
  createRetargeter,
  findContacts,
  goalsOf,
  type Motion,
  type MotionMeasures,
  measureMotion,
  retarget,
  retargetClip,
  type Scene,
  sampleClip,
  setUpScenes,
  withoutCorrections,
} from '@stuntdouble/core/engine';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Beast, beastScene } from '../../core/test/beast.js';
import { read } from '../src/index.js';

let dog: Scene;
beforeAll(async () => {
  dog = await read(fileURLToPath(new URL('../../../samples/files/animals/dog.glb', import.meta.url)));
});

/** The dog's walk on a body that is built otherwise, corrected or as copied. */
function walkOn(built: Beast, corrections: 'auto' | 'none'): MotionMeasures {
  const { setup } = setUpScenes(dog, beastScene(built), { corrections: 'auto' });
  const walk = dog.characters[0]!.clips[0]!;
  const { clip } = retargetClip(corrections === 'auto' ? setup : withoutCorrections(setup), walk);
  return measureMotion(compareMotions(setup, walk, clip));
}

/** Long, short, high and low, with and without shoulder blades. */
const BUILDS: Beast[] = [
  {},
  { legs: 0.5, length: 1.4 },
  { legs: 1.1, length: 0.9, girdles: false },
  { legs: 0.3, length: 0.5, neck: 3, tail: 6 },
];

describe('four legs that carry', () => {
  it('F4, MP8: contacts of all four paws are found in the dog’s walk, two steps each', () => {
    const { setup } = setUpScenes(dog, dog, {});
    const contacts = findContacts(setup.source, dog.characters[0]!.clips[0]!);
    for (const paw of ['frontLeftFoot', 'frontRightFoot', 'hindLeftFoot', 'hindRightFoot'])
      expect(contacts.filter(({ point }) => point === paw).length).toBeGreaterThanOrEqual(2);
    expect(new Set(contacts.map(({ height }) => Math.abs(height) < 0.02))).toEqual(new Set([true]));
  });

  it.each(BUILDS)('K24, P2: paws hold as people’s feet do: %j', (built) => {
    const copied = walkOn(built, 'none');
    const held = walkOn(built, 'auto');
    expect(copied.slide!.result.mean).toBeGreaterThan(3);
    expect(held.slide!.result.mean).toBeLessThan(1);
    expect(held.agreement!.f1).toBeGreaterThan(0.95);
    expect(held.heights!.float.mean).toBeLessThan(1);
    expect(held.heights!.sink.mean).toBeLessThan(0.5);
  });

  it('knees stay on their side, and every leg that carries is solved by itself', () => {
    const { setup } = setUpScenes(dog, beastScene({ legs: 0.5 }), {});
    const goals = goalsOf(setup)!;
    expect(goals.limbs.map(({ name }) => name).sort()).toEqual([
      'frontLeft',
      'frontRight',
      'hindLeft',
      'hindRight',
    ]);
    expect(goals.limbs.every(({ kind }) => kind === 'leg')).toBe(true);
    expect(walkOn({ legs: 0.5 }, 'auto').smoothness!.bendFlips).toBe(0);
  });

  it('tails keep their motion: no joint of one is turned by a correction', () => {
    const scene = beastScene({ legs: 0.5 });
    const { setup } = setUpScenes(dog, scene, {});
    const walk = dog.characters[0]!.clips[0]!;
    const [held, copied] = [setup, withoutCorrections(setup)].map((each) => retargetClip(each, walk).clip);
    const tails = setup.target.body!.parts.flatMap(({ part }, joint) =>
      /^tail/.test(part ?? '') ? [joint] : [],
    );
    expect(tails.length).toBeGreaterThan(1);
    for (const joint of tails) {
      const turnsOf = (clip: typeof held) =>
        clip!.tracks.find((track) => track.joint === joint && track.channel === 'rotation');
      const [a, b] = [turnsOf(held), turnsOf(copied)];
      expect(a === undefined).toBe(b === undefined);
      a?.values.forEach((value, i) => {
        expect(value).toBeCloseTo(b!.values[i]!, 5);
      });
    }
  });

  it('on its own body nothing moves: paws that stand already stay where they are', () => {
    const { clips } = retarget(dog, dog, { measure: false });
    const walk = dog.characters[0]!.clips[0]!;
    expect(clips[0]!.tracks.map(({ values }) => values)).toEqual(walk.tracks.map(({ values }) => values));
  });

  it('live, pose by pose, paws hold within reach of that', () => {
    const { setup } = setUpScenes(dog, beastScene({ legs: 0.5 }), {});
    const walk = dog.characters[0]!.clips[0]!;
    const retargeter = createRetargeter(setup);
    const { skeleton } = setup.target;
    const joints = skeleton.names.length;
    const frameCount = Math.round(60 * walk.duration) + 1;
    const motion: Motion = {
      skeleton,
      frameRate: 60,
      frameCount,
      translations: new Float32Array(3 * joints * frameCount),
      rotations: new Float32Array(4 * joints * frameCount),
      scales: new Float32Array(3 * joints * frameCount),
    };
    const pose = copyPose(setup.source.skeleton.rest);
    for (let k = 0; k < frameCount; k++) {
      sampleClip(pose, walk, k / 60);
      const now = retargeter.update(pose, 1 / 60);
      motion.translations.set(now.translations, 3 * joints * k);
      motion.rotations.set(now.rotations, 4 * joints * k);
      motion.scales.set(now.scales, 3 * joints * k);
    }
    const { slide, agreement } = measureMotion(compareMotions(setup, walk, clipOfMotion('walk', motion)));
    expect(slide!.result.mean).toBeLessThan(1);
    expect(agreement!.f1).toBeGreaterThan(0.95);
  });
});
