import {
  type Clip,
  copyPose,
  createRetargeter,
  createRig,
  frameTimes,
  modelPoseOf,
  multiplyQuaternions,
  type Pose,
  retarget,
  type Scene,
  sampleClip,
  setUpScenes,
} from '@stuntdouble/core/engine';
import { read } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { samplesFolder } from './catalogue.js';

/** A motion whose hands point so many degrees farther into the ground, as those of captures without palms do. */
function withHandsDown(scene: Scene, degrees: number): Scene {
  const [character] = scene.characters;
  const { skeleton, clips } = character!;
  const rig = createRig(skeleton, { clips });
  const clip: Clip = structuredClone(clips[0]!);
  const [s, c] = [Math.sin((degrees * Math.PI) / 360), Math.cos((degrees * Math.PI) / 360)];
  for (const side of ['left', 'right'] as const) {
    const hand = rig.joints[`${side}Hand`]!;
    const knuckleAfter = (turn: Float64Array) => {
      const pose = copyPose(skeleton.rest);
      sampleClip(pose, clip, 0);
      multiplyQuaternions(pose.rotations, 4 * hand, pose.rotations, 4 * hand, turn, 0);
      return modelPoseOf(rig.skeleton, pose).matrices[16 * rig.joints[`${side}MiddleProximal`]! + 13]!;
    };
    const turns = [s, -s].flatMap((x) =>
      [0, 1, 2].map((axis) => Float64Array.from({ length: 4 }, (_, i) => (i === 3 ? c : i === axis ? x : 0))),
    );
    const down = turns.reduce((a, b) => (knuckleAfter(a) < knuckleAfter(b) ? a : b));
    const { values } = clip.tracks.find(({ joint, channel }) => joint === hand && channel === 'rotation')!;
    const turned = Float64Array.from(values);
    for (let i = 0; i < turned.length; i += 4) multiplyQuaternions(turned, i, turned, i, down, 0);
    values.set(turned);
  }
  return { ...scene, characters: [{ ...character!, clips: [clip] }] };
}

const crawl = withHandsDown(await read(`${samplesFolder}motions/crawl.glb`), 50);
const [clip] = crawl.characters[0]!.clips;

/** How far the left hand of a body points down over some poses, as the sine of the angle: the median, as it carries most of the time. */
function pitchOf(scene: Scene, character: number, poses: readonly Pose[]): number {
  const { skeleton, clips } = scene.characters[character]!;
  const { skeleton: own, joints } = createRig(skeleton, { clips });
  const sines = poses.map((pose) => {
    const { matrices } = modelPoseOf(own, pose);
    const way = [12, 13, 14].map(
      (i) => matrices[16 * joints.leftMiddleProximal! + i]! - matrices[16 * joints.leftHand! + i]!,
    );
    return -way[1]! / Math.hypot(...way);
  });
  return sines.sort((a, b) => a - b)[sines.length >> 1]!;
}

describe.each(['child', 'robot', 'goblin', 'baker'])(
  'hands that captures point into the ground: %s',
  (body) => {
    const target = read(`${samplesFolder}characters/${body}.glb`);
    const times = [...frameTimes(clip!.duration, 60)];

    it('K27: bend back at the wrist where they carry, and no fingers point up', async () => {
      const plain = retarget(crawl, await target, { corrections: 'none', measure: false });
      const { scene, character, clips, report } = retarget(crawl, await target);
      const posesOf = (of: Clip) =>
        times.map((time) => {
          const pose = copyPose(scene.characters[character]!.skeleton.rest);
          sampleClip(pose, of, time);
          return pose;
        });
      expect(pitchOf(scene, character, posesOf(plain.clips[0]!))).toBeGreaterThan(0.7);
      expect(Math.abs(pitchOf(scene, character, posesOf(clips[0]!)))).toBeLessThan(0.6);
      expect(report.measures[0]!.motion.support!.parts.hand!.f1).toBeGreaterThan(0.85);
    });

    it('K27: and do so live', async () => {
      const { setup, targetIndex } = setUpScenes(crawl, await target, {});
      const retargeter = createRetargeter(setup);
      const pose = copyPose(crawl.characters[0]!.skeleton.rest);
      const poses = times.map((time) => {
        sampleClip(pose, clip!, time);
        return copyPose(retargeter.update(pose, 1 / 60));
      });
      expect(Math.abs(pitchOf(await target, targetIndex, poses))).toBeLessThan(0.6);
    });
  },
);
