import type { Skeleton } from '@stuntdouble/core';
import {
  AnimationClip,
  Bone,
  BufferGeometry,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  QuaternionKeyframeTrack,
  SkinnedMesh,
  Skeleton as ThreeSkeleton,
  VectorKeyframeTrack,
} from 'three';
import { type RetargetClipOptions, retargetClip } from 'three/addons/utils/SkeletonUtils.js';
import { type Contender, checkRotations, checkTravel } from '../timing/contender.js';
import { referenceOffsets, type Workload } from '../timing/workload.js';

/**
 * three.js: `SkeletonUtils.retargetClip` from a skinned mesh onto a skinned mesh, in the way its
 * documentation asks for: a name per bone, the hips by name, their scale, and a local offset per bone, without
 * which it copies rotations across different axes (they were measured to cost 1 %). A source given as a bare
 * skeleton was 6 % slower. The frame rate is left to it: it then makes as many frames as the densest track has
 * keys, which is the equal work.
 */
export function createThreePeer(workload: Workload): Contender {
  const { source, target, times, rotations, translations, hips } = workload;
  const { joints, frames } = workload.size;
  const name = 'three.js';
  const sourceMesh = createMesh(source);
  const targetMesh = createMesh(target);
  const tracks = [];
  for (let j = 0; j < joints; j++)
    tracks.push(
      new QuaternionKeyframeTrack(
        `.bones[${source.names[j]!}].quaternion`,
        times,
        rotations.subarray(4 * j * frames, 4 * (j + 1) * frames),
      ),
    );
  tracks.push(new VectorKeyframeTrack(`.bones[${source.names[hips]!}].position`, times, translations));
  const clip = new AnimationClip('walk', -1, tracks);
  const constants = referenceOffsets(workload);
  const localOffsets: Record<string, Matrix4> = {};
  const names: Record<string, string> = {};
  for (let j = 0; j < joints; j++) {
    names[target.names[j]!] = source.names[j]!;
    localOffsets[target.names[j]!] = new Matrix4().makeRotationFromQuaternion(
      new Quaternion().fromArray(constants, 4 * j),
    );
  }
  // Its types do not know localOffsets; its documentation does.
  const options: RetargetClipOptions & { localOffsets: Record<string, Matrix4> } = {
    names,
    hip: source.names[hips]!,
    scale: workload.rootScale,
    localOffsets,
  };
  let result = new AnimationClip('none', 0, []);
  return {
    name,
    run() {
      // It writes its defaults into the options it is given: each run gets fresh ones.
      result = retargetClip(targetMesh, sourceMesh, clip, { ...options });
    },
    forget() {
      result = new AnimationClip('none', 0, []);
    },
    check() {
      const found = new Map(result.tracks.map((track) => [track.name, track]));
      const values = target.names.map((jointName) => {
        const track = found.get(`.bones[${jointName}].quaternion`);
        if (track?.times.length !== frames)
          throw new Error(
            `${name}: ${track?.times.length ?? 0} keys of ${jointName}; ${frames} are the whole work`,
          );
        return track.values;
      });
      checkRotations(
        name,
        workload,
        (out, o, joint, frame) => {
          for (let c = 0; c < 4; c++) out[o + c] = values[joint]![4 * frame + c]!;
        },
        // It steps a clock of its own along the clip and is late or early by a small part of a frame.
        1e-2,
      );
      const travel = found.get(`.bones[${target.names[hips]!}].position`);
      checkTravel(name, workload, travel?.values ?? [], workload.rootScale);
    },
  };
}

function createMesh(skeleton: Skeleton): SkinnedMesh {
  const { translations, rotations } = skeleton.rest;
  const bones = skeleton.names.map((name, j) => {
    const bone = new Bone();
    bone.name = name;
    bone.position.fromArray(translations, 3 * j);
    bone.quaternion.fromArray(rotations, 4 * j);
    return bone;
  });
  const mesh = new SkinnedMesh(new BufferGeometry(), new MeshBasicMaterial());
  skeleton.parents.forEach((parent, j) => {
    (parent < 0 ? mesh : bones[parent]!).add(bones[j]!);
  });
  mesh.updateMatrixWorld(true);
  mesh.bind(new ThreeSkeleton(bones));
  return mesh;
}
