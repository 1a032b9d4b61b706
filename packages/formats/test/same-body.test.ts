import { fileURLToPath } from 'node:url';
import {
  type Character,
  type Clip,
  chooseCharacter,
  copyPose,
  createRig,
  modelPoseOf,
  type Rig,
  retarget,
  type Scene,
  sampleClip,
  subtractVectors,
  vectorAt,
  vectorLength,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { DATA_FOLDER, describeData } from './data-files.js';

/*
 * Bodies of one shape: where the source's feet hold and its hands touch what they touch, there is nothing to correct,
 * and what is known to be right must come out.
 */

const SAMPLES = fileURLToPath(new URL('../../../samples/files/', import.meta.url));
const BASE = 'mesh2motion/human-base-animations.DEF.glb';

const characterOf = (scene: Scene): Character => scene.characters[chooseCharacter(scene).character]!;

/** Mean distance of all body parts between two clips of one rig, in % of the hips' height. */
function meanDistance({ skeleton, joints, floor, reference }: Rig, a: Clip, b: Clip): number {
  const pose = copyPose(skeleton.rest);
  const height = modelPoseOf(skeleton, reference.pose).matrices[16 * joints.hips! + 13]! - floor.height;
  const placesAt = (clip: Clip, time: number) => {
    sampleClip(pose, clip, time);
    const { matrices } = modelPoseOf(skeleton, pose);
    return Object.values(joints).map((joint) => vectorAt(matrices, 16 * joint + 12));
  };
  let sum = 0;
  let count = 0;
  for (let time = 0; time <= a.duration; time += 1 / 20) {
    const [ours, truth] = [placesAt(a, time), placesAt(b, time)];
    ours.forEach((place, n) => {
      sum += vectorLength(subtractVectors(place, truth[n]!));
      count++;
    });
  }
  return (100 * sum) / (count * height);
}

describeData('the same body in two files (needs ../shared/data)', () => {
  it.each([
    ['Idle_Loop', 'misc/viverse_idle.glb', 0.1],
    ['Walk_Loop', 'misc/viverse_walk.glb', 0.6],
  ])('%s keeps its pose with corrections on, though only one file has vertices', async (name, file, most) => {
    const [from, to] = [await read(DATA_FOLDER + BASE), await read(DATA_FOLDER + file)];
    const { skeleton, clips } = characterOf(to);
    const [ours] = retarget(from, to, { clips: [name], corrections: 'auto', measure: false }).clips;
    expect(meanDistance(createRig(skeleton, { clips }), ours!, clips[0]!)).toBeLessThan(most);
  });
});

/** The scene in half its size: skeleton, skin and motion. */
function half(scene: Scene): Scene {
  const characters = structuredClone(scene.characters);
  for (const { skeleton, clips } of characters) {
    const lengths = [skeleton.rest.translations, skeleton.bind?.translations, ...(skeleton.hulls ?? [])];
    for (const { tracks } of clips)
      for (const { channel, values } of tracks) if (channel === 'translation') lengths.push(values);
    for (const values of lengths) for (let i = 0; values && i < values.length; i++) values[i]! /= 2;
  }
  return { ...scene, name: `${scene.name}, half as large`, characters };
}

describe('a body half as large', () => {
  it.each(['walk', 'run-turn', 'jump'])('does a %s as the source does, with corrections on', async (name) => {
    const source = await read(`${SAMPLES}motions/${name}.glb`);
    const target = half(source);
    const { skeleton, clips } = characterOf(target);
    const result = retarget(source, target, { corrections: 'auto', measure: false });
    expect(result.report.clips[0]!.way).toBe('frames');
    expect(meanDistance(createRig(skeleton, { clips }), result.clips[0]!, clips[0]!)).toBeLessThan(0.2);
  });
});
