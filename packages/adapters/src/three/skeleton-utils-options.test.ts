import { UsageError } from '@stuntdouble/core/engine';
import {
  AnimationClip,
  type Object3D,
  Quaternion,
  QuaternionKeyframeTrack,
  Vector3,
  VectorKeyframeTrack,
} from 'three';
import { retargetClip as theirs } from 'three/addons/utils/SkeletonUtils.js';
import { describe, expect, it } from 'vitest';
import { stickActor } from '../../test/three-actors.js';
import { createLiveRetargeter, type RetargetClipOptions, retargetClips } from './index.js';

const NAMES = /^rig_/;

/** Two seconds at 30 frames: an arm goes up, hips go ahead and down. */
function walk(): AnimationClip {
  const times = Array.from({ length: 61 }, (_, k) => k / 30);
  const arm = times.map((time) =>
    new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), time / 2).toArray(),
  );
  return new AnimationClip('walk', -1, [
    new QuaternionKeyframeTrack('LeftUpperArm.quaternion', times, arm.flat()),
    new VectorKeyframeTrack(
      'Hips.position',
      times,
      times.flatMap((time) => [0, 1 - time / 10, time]),
    ),
  ]);
}

function moved(options: RetargetClipOptions & Record<string, unknown>) {
  const target = stickActor({ rename: (name) => `rig_${name}` });
  const { clips, report } = retargetClips(target.root, stickActor().root, [walk()], {
    corrections: 'none',
    ...options,
  });
  const track = (name: string) => clips[0]!.tracks.find((one) => one.name === `rig_${name}`)!;
  return { clip: clips[0]!, report, track };
}

/** The last three values of a track. */
const last = (values: ArrayLike<number>) => Array.from(values).slice(-3);

describe('options of three’s SkeletonUtils', () => {
  it('getBoneName and names pair the same bones, as three’s own does', () => {
    const getBoneName = (bone: Object3D) =>
      NAMES.test(bone.name) ? bone.name.replace(NAMES, '') : undefined;
    const asked = moved({ getBoneName });
    expect(asked.report.map.joints).toHaveLength(19);
    expect(asked.clip.tracks.map(({ name }) => name)).toEqual(moved({}).clip.tracks.map(({ name }) => name));
    const one = moved({
      getBoneName: (bone) => (bone.name === 'rig_LeftUpperArm' ? 'LeftUpperArm' : undefined),
    });
    expect(one.clip.tracks.map(({ name }) => name)).toEqual(['rig_LeftUpperArm.quaternion']);
  });

  it('fps and trim give the frames that three’s own gives', () => {
    const target = stickActor({ rename: (name) => `rig_${name}` });
    const source = stickActor();
    const names = Object.fromEntries(
      [...target.bones.values()].map((bone) => [bone.name, bone.name.replace(NAMES, '')]),
    );
    const options = { fps: 10, trim: [0.5, 1.5] as [number, number] };
    const other = theirs(target.mesh, source.mesh.skeleton, walk(), { ...options, names, hip: 'Hips' });
    const ours = moved(options).track('LeftUpperArm.quaternion');
    expect(ours.times).toHaveLength(11);
    expect(ours.times.at(-1)).toBeCloseTo(1, 5);
    expect(other.tracks.find(({ name }) => name.includes('LeftUpperArm'))!.times).toHaveLength(10);
    expect(2 * Math.asin(ours.values[2]!)).toBeCloseTo(0.25, 3);
  });

  it('scale and hipInfluence stretch travel: none of it ahead is in place', () => {
    const travel = (options: RetargetClipOptions) => last(moved(options).track('Hips.position').values);
    const [, y, z] = travel({ scale: 1 });
    expect(z).toBeCloseTo(2, 4);
    expect(travel({ scale: 0.5 })[2]).toBeCloseTo(1, 4);
    const inPlace = travel({ scale: 1, hipInfluence: { x: 0, y: 1, z: 0 } });
    expect(inPlace[2]).toBeCloseTo(0, 4);
    expect(inPlace[1]).toBeCloseTo(y!, 4);
    expect(() => moved({ hipInfluence: { x: 1, y: 1, z: 0 } })).toThrow(
      /^hipInfluence is 1 along x and 0 along z/,
    );
  });

  it('hip says which joint the hips are', () => {
    expect(moved({ hip: 'Hips' }).report.map.joints.find(({ role }) => role === 'hips')).toBeDefined();
    expect(last(moved({ hip: 'Hips' }).track('Hips.position').values)[2]).toBeCloseTo(2, 3);
  });

  it('what is so here anyway may be said', () => {
    const said = moved({ preserveBonePositions: true, preserveBoneMatrix: true, useTargetMatrix: false });
    expect(said.clip.tracks.map(({ name }) => name)).toEqual(moved({}).clip.tracks.map(({ name }) => name));
  });

  it.each([
    ['preserveBonePositions', false, "translations: { JOINT: 'copied' }"],
    ['preserveBoneMatrix', false, 'createLiveRetargeter'],
    ['useTargetMatrix', true, "targetReference: 'current'"],
    ['useFirstFramePosition', true, 'sourceReference: { frame: 0 }'],
    ['localOffsets', { rig_Hips: 1 }, 'targetReference: { base'],
    ['hipPosition', { x: 0, y: 1, z: 0 }, 'layers'],
  ])('%s: %j is refused by its name, with what does it here', (name, value, instead) => {
    const call = () => moved({ [name]: value });
    expect(call).toThrow(UsageError);
    expect(call).toThrow(new RegExp(`^${name} is three's`));
    expect(call).toThrow(instead);
    const [target, source] = [stickActor(), stickActor()];
    expect(() => createLiveRetargeter(target.root, source.root, { [name]: value } as never)).toThrow(name);
  });
});
