import { multiplyQuaternions, normalizeQuaternion, rotateVector } from '../../base/math/quaternion.js';
import { quaternionOfVector } from '../../base/math/rotation-vectors.js';
import type { ModelPose, Pose } from '../../scene/pose.js';
import { sampleVector } from '../vector-curve.js';
import type { LayerData } from './compile-layers.js';

/**
 * Adds compiled layers to local poses, in the order of the list: q′ = q · exp(w · G⁻¹ v), and to the way of the hips.
 * Nothing is remembered and nothing allocated; a layer that adds nothing changes no bit.
 * @param model The matrices of the pose before, for what the hips hang on; only those above the hips are read. Where
 * it is null the hips hang on nothing but the container.
 */
export type LayerStep = (pose: Pose, time: number, model: ModelPose | null) => void;

const vector = new Float64Array(3);
const weight = new Float64Array(1);
const turn = new Float64Array(4);

/** Builds the loop of compiled layers. */
export function createLayerStep({ layers, travels, parents, container }: LayerData): LayerStep {
  const above = travels < 0 ? -1 : parents[travels]!;
  return (pose, time, model) => {
    for (let n = 0; n < layers.length; n++) {
      const layer = layers[n]!;
      sampleVector(weight, 0, layer.weight, time);
      const w = weight[0]!;
      if (w === 0 || !Number.isFinite(w)) continue;
      for (let k = 0; k < layer.joints.length; k++) {
        const { joint, curve, axes } = layer.joints[k]!;
        sampleVector(vector, 0, curve, time);
        if (vector[0] === 0 && vector[1] === 0 && vector[2] === 0) continue;
        for (let c = 0; c < 3; c++) vector[c] = w * vector[c]!;
        rotateVector(vector, 0, axes, 0, vector, 0);
        quaternionOfVector(turn, 0, vector, 0);
        multiplyQuaternions(pose.rotations, 4 * joint, pose.rotations, 4 * joint, turn, 0);
        normalizeQuaternion(pose.rotations, 4 * joint, pose.rotations, 4 * joint);
      }
      if (!layer.hips) continue;
      sampleVector(vector, 0, layer.hips, time);
      if (vector[0] === 0 && vector[1] === 0 && vector[2] === 0) continue;
      const m = above >= 0 && model ? model.matrices : container;
      addPlace(pose, travels, m, above >= 0 && model ? 16 * above : 0, w);
    }
  };
}

/** Adds w · `vector`, model space, to a joint's translation in what it hangs on: the inverse of its matrix' linear part. */
function addPlace({ translations }: Pose, joint: number, m: Float64Array, o: number, w: number): void {
  const ax = m[o]!;
  const ay = m[o + 1]!;
  const az = m[o + 2]!;
  const bx = m[o + 4]!;
  const by = m[o + 5]!;
  const bz = m[o + 6]!;
  const cx = m[o + 8]!;
  const cy = m[o + 9]!;
  const cz = m[o + 10]!;
  // Rows of the inverse are cross products of columns over the determinant.
  const px = by * cz - bz * cy;
  const py = bz * cx - bx * cz;
  const pz = bx * cy - by * cx;
  const determinant = ax * px + ay * py + az * pz;
  if (!(Math.abs(determinant) > 1e-300)) return;
  const k = w / determinant;
  const x = vector[0]!;
  const y = vector[1]!;
  const z = vector[2]!;
  const t = 3 * joint;
  translations[t] = translations[t]! + k * (px * x + py * y + pz * z);
  translations[t + 1] =
    translations[t + 1]! + k * ((cy * az - cz * ay) * x + (cz * ax - cx * az) * y + (cx * ay - cy * ax) * z);
  translations[t + 2] =
    translations[t + 2]! + k * ((ay * bz - az * by) * x + (az * bx - ax * bz) * y + (ax * by - ay * bx) * z);
}
