import {
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  Float32BufferAttribute,
  InstancedMesh,
  Matrix4,
  MeshLambertMaterial,
  Quaternion,
  Vector3,
} from 'three';
import type { ChainName } from '../engine/protocol.js';
import { CHAIN_COLORS } from './colors.js';
import type { DrawnBone } from './skeleton-bones.js';

/** Bones of one body in one draw call. */
export type Bones = {
  object: InstancedMesh;
  /** Puts them where the joints are: 16 numbers per joint, column-major, model space. */
  update(matrices: Float64Array): void;
  /** Marks a joint's own bones, or none (−1). */
  highlight(joint: number): void;
};

/** A long octahedron from the origin along +Y, its waist at a fifth of the way. */
function boneGeometry(): BufferGeometry {
  const waist = 0.2;
  const r = 0.5;
  const corners = [
    [0, 0, 0],
    [r, waist, 0],
    [0, waist, r],
    [-r, waist, 0],
    [0, waist, -r],
    [0, 1, 0],
  ];
  const faces = [0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1, 5, 2, 1, 5, 3, 2, 5, 4, 3, 5, 1, 4];
  const geometry = new BufferGeometry();
  geometry.setAttribute(
    'position',
    new Float32BufferAttribute(
      faces.flatMap((corner) => corners[corner]!),
      3,
    ),
  );
  geometry.computeVertexNormals();
  return geometry;
}

const UP = new Vector3(0, 1, 0);
const from = new Vector3();
const to = new Vector3();
const way = new Vector3();
const turn = new Quaternion();
const size = new Vector3();
const matrix = new Matrix4();

/**
 * Makes the bones of a body, drawn on top of its skin in the colours of their chains.
 * @param height Of the body in metres: the widest bone is a share of it.
 */
export function createBones(
  bones: readonly DrawnBone[],
  chains: readonly ChainName[],
  height: number,
  { opacity = 0.72, color }: { opacity?: number; color?: string } = {},
): Bones {
  const material = new MeshLambertMaterial({
    transparent: true,
    opacity,
    depthTest: false,
    depthWrite: false,
    emissive: 0x555555,
    toneMapped: false,
  });
  const object = new InstancedMesh(boneGeometry(), material, Math.max(1, bones.length));
  object.count = bones.length;
  object.instanceMatrix.setUsage(DynamicDrawUsage);
  object.frustumCulled = false;
  object.renderOrder = 10;
  const colorOf = (joint: number) => new Color(color ?? CHAIN_COLORS[chains[joint] ?? 'none']);
  const paint = (marked: number) => {
    bones.forEach((bone, n) => {
      const own = colorOf(bone.to >= 0 ? bone.to : bone.from);
      // A bone belongs to the joint that turns it.
      object.setColorAt(n, bone.from === marked ? own.lerp(new Color('#ffffff'), 0.75) : own);
    });
    if (object.instanceColor) object.instanceColor.needsUpdate = true;
  };
  paint(-1);
  let marked = -1;
  return {
    object,
    highlight(joint) {
      if (joint === marked) return;
      marked = joint;
      paint(joint);
    },
    update(matrices) {
      bones.forEach((bone, n) => {
        boneEnds(bone, matrices, from, to);
        way.subVectors(to, from);
        const length = way.length();
        turn.setFromUnitVectors(UP, length > 1e-9 ? way.divideScalar(length) : UP);
        const width = Math.min(0.24 * length, 0.035 * height);
        matrix.compose(from, turn, size.set(width, length, width));
        object.setMatrixAt(n, matrix);
      });
      object.instanceMatrix.needsUpdate = true;
    },
  };
}

/** Both ends of a bone in model space. */
export function boneEnds(bone: DrawnBone, matrices: Float64Array, start: Vector3, end: Vector3): void {
  const m = 16 * bone.from;
  start.set(matrices[m + 12]!, matrices[m + 13]!, matrices[m + 14]!);
  if (bone.to >= 0) {
    const t = 16 * bone.to;
    end.set(matrices[t + 12]!, matrices[t + 13]!, matrices[t + 14]!);
    return;
  }
  const [x, y, z] = bone.tip ?? [0, 0, 0];
  end.set(
    matrices[m]! * x + matrices[m + 4]! * y + matrices[m + 8]! * z + start.x,
    matrices[m + 1]! * x + matrices[m + 5]! * y + matrices[m + 9]! * z + start.y,
    matrices[m + 2]! * x + matrices[m + 6]! * y + matrices[m + 10]! * z + start.z,
  );
}
