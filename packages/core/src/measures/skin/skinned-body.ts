import { multiplyMatrices, transformPoint } from '../../base/math/matrix.js';
import type { ModelPose } from '../../scene/pose.js';
import type { Mesh } from '../../scene/scene.js';

/** All meshes of a character as one, and room for it in a pose. */
export type SkinnedBody = {
  meshes: readonly Mesh[];
  /** Per mesh where its vertices begin. */
  starts: Int32Array;
  /** Per vertex the joint that it follows most. */
  joints: Int32Array;
  /** Three vertices each. */
  triangles: Int32Array;
  /** xyz per vertex, model space: as `poseBody` has written them. */
  places: Float64Array;
};

/** Joins the meshes that follow a character's joints; null where there are none. */
export function createSkinnedBody(meshes: readonly Mesh[]): SkinnedBody | null {
  const own = meshes.filter(({ skin, joint, positions }) => (skin || joint !== null) && positions.length > 0);
  if (own.length === 0) return null;
  const starts = new Int32Array(own.length + 1);
  own.forEach(({ positions }, m) => {
    starts[m + 1] = starts[m]! + positions.length / 3;
  });
  const joints = new Int32Array(starts[own.length]!);
  const triangles = new Int32Array(own.reduce((sum, each) => sum + each.triangles.length, 0));
  let at = 0;
  own.forEach((mesh, m) => {
    const first = starts[m]!;
    for (let v = 0; v < mesh.positions.length / 3; v++) joints[first + v] = jointOf(mesh, v);
    for (const corner of mesh.triangles) triangles[at++] = first + corner;
  });
  return { meshes: own, starts, joints, triangles, places: new Float64Array(3 * joints.length) };
}

function jointOf({ skin, joint }: Mesh, v: number): number {
  if (!skin) return joint!;
  let best = 4 * v;
  for (let i = best + 1; i < 4 * v + 4; i++) if (skin.weights[i]! > skin.weights[best]!) best = i;
  return skin.joints[best]!;
}

const point = new Float64Array(3);

/** Puts all vertices where a pose has them. */
export function poseBody({ meshes, starts, places }: SkinnedBody, { matrices }: ModelPose): void {
  const placing = new Float64Array(matrices.length);
  places.fill(0);
  meshes.forEach(({ skin, joint, positions }, m) => {
    const o = 3 * starts[m]!;
    if (!skin) {
      for (let i = 0; i < positions.length; i += 3)
        transformPoint(places, o + i, matrices, 16 * joint!, positions, i);
      return;
    }
    for (let i = 0; i < matrices.length; i += 16)
      multiplyMatrices(placing, i, matrices, i, skin.inverseBinds, i);
    for (let v = 0; v < positions.length / 3; v++)
      for (let i = 4 * v; i < 4 * v + 4; i++) {
        const weight = skin.weights[i]!;
        if (!(weight > 0)) continue;
        transformPoint(point, 0, placing, 16 * skin.joints[i]!, positions, 3 * v);
        for (let c = 0; c < 3; c++) places[o + 3 * v + c]! += weight * point[c]!;
      }
  });
}
