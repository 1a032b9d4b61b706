import { IDENTITY } from '../../base/math/flat-constants.js';
import { conjugateQuaternion, multiplyQuaternions, slerpQuaternions } from '../../base/math/quaternion.js';
import { createPose, type Pose } from '../../scene/pose.js';

/** Goes on from one course of poses to another without a jump: what they differ by fades away. */
export type PoseChange = {
  /** From now on poses of a new course come, where those of an old one came; `seconds` is how long it shows. */
  begin(fresh: Pose, old: Pose, seconds: number): void;
  /** Adds what is left of the old course to a pose of the new one, so many seconds after the pose before. */
  ease(pose: Pose, seconds: number): void;
  forget(): void;
};

/** Makes room for changes of poses of so many joints. */
export function createPoseChange(count: number): PoseChange {
  /** From a pose of the new course to that of the old one at the same instant, joint by joint. */
  const offset = createPose(count);
  const turn = new Float64Array(4);
  let left = 0;
  let whole = 0;
  return {
    begin(fresh, old, seconds) {
      for (let i = 0; i < 4 * count; i += 4) {
        conjugateQuaternion(turn, 0, fresh.rotations, i);
        multiplyQuaternions(offset.rotations, i, turn, 0, old.rotations, i);
      }
      for (let i = 0; i < 3 * count; i++) {
        offset.translations[i] = old.translations[i]! - fresh.translations[i]!;
        offset.scales[i] = old.scales[i]! - fresh.scales[i]!;
      }
      left = seconds;
      whole = seconds;
    },
    ease(pose, seconds) {
      left = Math.max(0, left - seconds);
      if (!(left > 0)) return;
      // 6u⁵ − 15u⁴ + 10u³: neither speed nor acceleration jumps at its ends.
      const u = left / whole;
      const share = u * u * u * (u * (6 * u - 15) + 10);
      for (let i = 0; i < 4 * count; i += 4) {
        slerpQuaternions(turn, 0, IDENTITY, 0, offset.rotations, i, share);
        multiplyQuaternions(pose.rotations, i, pose.rotations, i, turn, 0);
      }
      for (let i = 0; i < 3 * count; i++) {
        pose.translations[i]! += share * offset.translations[i]!;
        pose.scales[i]! += share * offset.scales[i]!;
      }
    },
    forget() {
      left = 0;
    },
  };
}
