import type { RoleJoints } from '../../body/body.js';
import type { Rig } from '../../body/rig.js';
import { referenceDepths } from '../../goals/arms/arm-setup.js';
import { type BodyShape, createBodyShape, TOUCHED } from '../../goals/arms/body-shape.js';
import { createHandGaps, type HandGaps, readGaps } from '../../goals/arms/read-gaps.js';
import { readRow, rowLength, shapeJoints } from '../../goals/arms/shape-row.js';
import type { ModelPose } from '../../scene/pose.js';
import type { SampledMotion } from '../comparison.js';

/** A body with its shape, made ready to be asked how far its hands are from the rest of it. */
export type ArmReader = {
  shape: BodyShape;
  gaps: HandGaps;
  /** Per arm, probe and part how deep they are in each other in the reference, metres. */
  depths: [Float64Array, Float64Array];
  /** The matrices of an instant of a motion, of the joints of the shape alone; overwritten by the next. */
  pose(motion: SampledMotion, k: number): Float64Array;
  /** Reads an instant of a motion; see `readGaps`. */
  read(motion: SampledMotion, k: number, most: number): void;
  /**
   * How far a hand is from what it can touch, metres, at the instant that was read: beyond a face of a part that lies in another,
   * where `gaps` leave it to that other to say, by that face too. A hand on a belly is some way from the thigh under it, not nowhere.
   * @param g As in `gaps`.
   */
  gapTo(g: number): number;
  /** By how much an arm is deeper in the rest than in the reference, in arm lengths: of the instant that was read. */
  depthOf(hand: number): number;
};

/** Makes a body ready; null where it has no arms. */
export function createArmReader(rig: Rig, roles: RoleJoints, reference: ModelPose): ArmReader | null {
  const shape = createBodyShape(rig, roles, reference);
  if (!shape) return null;
  const joints = shapeJoints(shape);
  const depths = referenceDepths(shape, reference);
  const matrices = new Float64Array(16 * rig.skeleton.names.length);
  const row = new Float64Array(rowLength(shape));
  const gaps = createHandGaps();
  const whole = {
    ...shape,
    parts: shape.parts.map((part) => ({ ...part, outer: part.faces.length })),
  };
  const wholeGaps = createHandGaps();
  const pose = (motion: SampledMotion, k: number) => {
    for (const joint of joints) writeMatrix(matrices, joint, motion, k);
    return matrices;
  };
  return {
    shape,
    gaps,
    depths,
    pose,
    read(motion, k, most) {
      readRow(row, 0, shape, pose(motion, k));
      gaps.most[0] = most;
      readGaps(gaps, shape, row, 0, depths);
    },
    gapTo(g) {
      if (Number.isFinite(gaps.gaps[g]!)) return gaps.gaps[g]!;
      wholeGaps.most[0] = gaps.most[0]!;
      readGaps(wholeGaps, whole, row, 0);
      return wholeGaps.gaps[g]!;
    },
    depthOf(hand) {
      let deepest = 0;
      for (let t = 0; t < TOUCHED.length; t++) {
        const g = TOUCHED.length * hand + t;
        deepest = Math.max(deepest, -gaps.arms[g]!, -gaps.gaps[g]!);
      }
      return deepest / shape.arm;
    },
  };
}

/** The matrix of a joint from its place and its turn: scales do not matter here. */
export function writeMatrix(
  out: Float64Array,
  joint: number,
  { joints, positions, rotations }: SampledMotion,
  k: number,
): void {
  const i = joints * k + joint;
  const x = rotations[4 * i]!;
  const y = rotations[4 * i + 1]!;
  const z = rotations[4 * i + 2]!;
  const w = rotations[4 * i + 3]!;
  const m = 16 * joint;
  out[m] = 1 - 2 * (y * y + z * z);
  out[m + 1] = 2 * (x * y + z * w);
  out[m + 2] = 2 * (x * z - y * w);
  out[m + 4] = 2 * (x * y - z * w);
  out[m + 5] = 1 - 2 * (x * x + z * z);
  out[m + 6] = 2 * (y * z + x * w);
  out[m + 8] = 2 * (x * z + y * w);
  out[m + 9] = 2 * (y * z - x * w);
  out[m + 10] = 1 - 2 * (x * x + y * y);
  for (let c = 0; c < 3; c++) out[m + 12 + c] = positions[3 * i + c]!;
}
