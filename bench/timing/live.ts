import {
  copyPose,
  createRetargeter,
  createRig,
  createSetup,
  type PassName,
  type Pose,
  type Retargeter,
} from '@stuntdouble/core/engine';
import { checkRotations, checkTravel } from './contender.js';
import type { OwnContender } from './ours.js';
import type { Workload } from './workload.js';

/** Live, without IK: what copies turns and moves the root. */
const COPYING: readonly PassName[] = ['copyRotations', 'moveRoot'];

/**
 * The live retargeter on a workload: a pose in, a pose out, as often as the bake has frames. The source's poses
 * stand ready, as an engine's would; what comes out is left where the retargeter puts it.
 */
export function createLive(workload: Workload): OwnContender {
  const source = createRig(workload.source);
  const target = createRig(workload.target);
  const setup = createSetup(source, target, workload.map, {
    rootScales: { horizontal: workload.rootScale, vertical: workload.rootScale },
    corrections: 'none',
  });
  const live = createRetargeter(setup, { passes: COPYING });
  const poses = posesOf(workload);
  const name = 'live';
  return {
    name,
    floor: 'frame floor',
    run() {
      updateAll(live, poses);
    },
    check() {
      checkRotations(
        name,
        workload,
        (out, o, joint, frame) => {
          const { rotations } = live.update(poses[frame]!);
          for (let c = 0; c < 4; c++) out[o + c] = rotations[4 * joint + c]!;
        },
        1e-5,
      );
      const hips = new Float32Array(3 * poses.length);
      poses.forEach((pose, k) => {
        const { translations } = live.update(pose);
        for (let c = 0; c < 3; c++) hips[3 * k + c] = translations[3 * workload.hips + c]!;
      });
      checkTravel(name, workload, hips, workload.rootScale);
    },
  };
}

function updateAll(live: Retargeter, poses: readonly Pose[]): void {
  for (let k = 0; k < poses.length; k++) live.update(poses[k]!);
}

function posesOf({ source, size, rotations, translations, hips }: Workload): Pose[] {
  return Array.from({ length: size.frames }, (_, k) => {
    const pose = copyPose(source.rest);
    for (let joint = 0; joint < size.joints; joint++)
      for (let c = 0; c < 4; c++)
        pose.rotations[4 * joint + c] = rotations[4 * (joint * size.frames + k) + c]!;
    for (let c = 0; c < 3; c++) pose.translations[3 * hips + c] = translations[3 * k + c]!;
    return pose;
  });
}
