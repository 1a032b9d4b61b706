import { existsSync } from 'node:fs';
import {
  createMatrix,
  createSkeleton,
  invertMatrix,
  type Mesh,
  type ModelPose,
  modelPoseOf,
  multiplyMatrices,
  quaternionFromAxisAngle,
  transformPoint,
} from '@stuntdouble/core/engine';
import { read, readMeshes } from '@stuntdouble/formats';
import { describe, expect, test } from 'vitest';
import { DATA_FOLDER } from '../../core/test/real-data.js';
import { normalsOfTriangles, skinMesh, skinNormals } from './skin-mesh.js';

const data = DATA_FOLDER;

/** A bent arm of three joints in centimetres, under a container that turns it and makes it metres. */
function bentArm() {
  const container = createMatrix();
  container.set([0, 0, -0.01, 0, 0, 0.01, 0, 0, 0.01, 0, 0, 0, 0.3, 0.2, -0.1, 1]);
  const bend = new Float64Array(4);
  quaternionFromAxisAngle(bend, 0, Float64Array.of(0, 0, 1), 0, 0.4);
  const { skeleton } = createSkeleton(
    'arm',
    [
      { name: 'upper', parent: -1, translation: [0, 10, 0] },
      { name: 'lower', parent: 0, translation: [30, 0, 0], rotation: bend },
      { name: 'hand', parent: 1, translation: [25, 0, 0], scale: [1, 1.2, 0.9] },
    ],
    { container },
  );
  return skeleton;
}

/** Vertices scattered around the arm, each pulled by all three joints, bound in the given pose. */
function skinnedMesh(bind: ModelPose, count = 60): Mesh {
  const joints = bind.matrices.length / 16;
  const inverseBinds = new Float64Array(16 * joints);
  for (let j = 0; j < joints; j++) invertMatrix(inverseBinds, 16 * j, bind.matrices, 16 * j);
  const positions = Float32Array.from({ length: 3 * count }, (_, i) => Math.sin(12.9898 * i + 1));
  const weights = new Float32Array(4 * count);
  for (let v = 0; v < count; v++) {
    const a = (v % 7) / 7;
    const b = (1 - a) * ((v % 5) / 5);
    weights.set([a, b, 1 - a - b, 0], 4 * v);
  }
  return {
    name: 'sleeve',
    positions,
    normals: null,
    triangles: Uint32Array.from({ length: 3 * (count - 2) }, (_, i) => Math.floor(i / 3) + (i % 3)),
    color: [1, 1, 1],
    character: 0,
    skin: {
      joints: Uint16Array.from({ length: 4 * count }, (_, i) => (i % 4) % joints),
      weights,
      inverseBinds,
    },
    joint: null,
  };
}

function farthest(a: ArrayLike<number>, b: ArrayLike<number>): number {
  expect(a.length).toBe(b.length);
  let worst = 0;
  for (let i = 0; i < a.length; i++) worst = Math.max(worst, Math.abs(a[i]! - b[i]!));
  return worst;
}

describe('skinMesh', () => {
  test('S2: the pose in which the skin was bound gives the mesh back', () => {
    const skeleton = bentArm();
    const bind = modelPoseOf(skeleton, skeleton.rest);
    const mesh = skinnedMesh(bind);
    expect(farthest(skinMesh(mesh, bind), mesh.positions)).toBeLessThan(1e-6);
  });

  test('S2: a vertex goes to the weighted mean of where its joints would take it', () => {
    const skeleton = bentArm();
    const bind = modelPoseOf(skeleton, skeleton.rest);
    const mesh = skinnedMesh(bind);
    const pose = { ...skeleton.rest, rotations: skeleton.rest.rotations.slice() };
    quaternionFromAxisAngle(pose.rotations, 4, Float64Array.of(0.6, 0, 0.8), 0, 1.1);
    const model = modelPoseOf(skeleton, pose);
    const skin = mesh.skin!;
    const expected = new Float64Array(mesh.positions.length);
    const inJoint = new Float64Array(3);
    const taken = new Float64Array(3);
    for (let v = 0; v < mesh.positions.length / 3; v++)
      for (let k = 0; k < 4; k++) {
        const joint = skin.joints[4 * v + k]!;
        transformPoint(inJoint, 0, skin.inverseBinds, 16 * joint, mesh.positions, 3 * v);
        transformPoint(taken, 0, model.matrices, 16 * joint, inJoint, 0);
        for (let c = 0; c < 3; c++)
          expected[3 * v + c] = expected[3 * v + c]! + skin.weights[4 * v + k]! * taken[c]!;
      }
    const skinned = skinMesh(mesh, model);
    expect(farthest(skinned, expected)).toBeLessThan(1e-6);
    expect(farthest(skinned, mesh.positions)).toBeGreaterThan(0.1);
  });

  test('a mesh on one joint goes as the joint does', () => {
    const skeleton = bentArm();
    const model = modelPoseOf(skeleton, skeleton.rest);
    const mesh: Mesh = { ...skinnedMesh(model), skin: null, joint: 2 };
    const expected = new Float64Array(mesh.positions.length);
    for (let i = 0; i < expected.length; i += 3)
      transformPoint(expected, i, model.matrices, 32, mesh.positions, i);
    expect(farthest(skinMesh(mesh, model), expected)).toBeLessThan(1e-6);
  });

  test('a mesh that follows nothing stays where it is', () => {
    const skeleton = bentArm();
    const model = modelPoseOf(skeleton, skeleton.rest);
    const mesh: Mesh = { ...skinnedMesh(model), skin: null, joint: null };
    expect([...skinMesh(mesh, model)]).toEqual([...mesh.positions]);
  });

  test('joints that are not there do not pull, and the others share their weight', () => {
    const skeleton = bentArm();
    const bind = modelPoseOf(skeleton, skeleton.rest);
    const mesh = skinnedMesh(bind);
    for (let v = 0; v < mesh.positions.length / 3; v++) {
      mesh.skin!.joints.set([0, 1, 2, 999], 4 * v);
      mesh.skin!.weights.set([0.2, 0.2, 0.1, 0.5], 4 * v);
    }
    expect(farthest(skinMesh(mesh, bind), mesh.positions)).toBeLessThan(1e-6);
  });

  test('an empty mesh gives nothing', () => {
    const skeleton = bentArm();
    const model = modelPoseOf(skeleton, skeleton.rest);
    const mesh = skinnedMesh(model, 0);
    const empty: Mesh = { ...mesh, triangles: new Uint32Array(0) };
    expect(skinMesh(empty, model)).toHaveLength(0);
    expect(skinNormals(empty, model, new Float32Array(0))).toHaveLength(0);
  });
});

describe.skipIf(!existsSync(data))('skinMesh on real files (needs ../shared/data)', () => {
  test.each([
    'quaternius/Fox.glb',
    'misc/mannequiny-0.3.0.glb',
    'mesh2motion/human-female.glb',
    'khronos/CesiumMan.glb',
    'kaykit/Knight.glb',
    'npm/xrengine_CyberbotRed.glb',
  ])('S2: in the bind pose a mesh keeps its form, whichever joints pull: %s', async (file) => {
    const scene = await read(data + file);
    const meshes = (await readMeshes(scene)).filter((mesh) => mesh.skin);
    expect(meshes.length).toBeGreaterThan(0);
    for (const mesh of meshes) {
      const { skeleton } = scene.characters[mesh.character]!;
      const { joints, weights, inverseBinds } = mesh.skin!;
      const bind = modelPoseOf(skeleton, skeleton.bind!);
      // One joint's matrix must take all vertices to where their own joints take them.
      const some = joints[weights.findIndex((weight) => weight > 0)]!;
      const common = createMatrix();
      multiplyMatrices(common, 0, bind.matrices, 16 * some, inverseBinds, 16 * some);
      const expected = new Float64Array(mesh.positions.length);
      for (let i = 0; i < expected.length; i += 3) transformPoint(expected, i, common, 0, mesh.positions, i);
      const size = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      // What is left is the rounding of the file's float32 matrices.
      expect(farthest(skinMesh(mesh, bind), expected) / size).toBeLessThan(5e-5);
      const rest = skinMesh(mesh, modelPoseOf(skeleton, skeleton.rest));
      expect(rest.every(Number.isFinite)).toBe(true);
    }
  });
});

describe('skinNormals', () => {
  test.each([
    [0.3, -0.5, 0.2],
    [-0.4, 0.1, 0.9],
    [0.7, 0.6, -0.3],
  ])('normals stay square to their surface under an uneven scale, %d %d %d', (nx, ny, nz) => {
    const rotation = new Float64Array(4);
    quaternionFromAxisAngle(rotation, 0, Float64Array.of(0.48, 0.6, 0.64), 0, 1.3);
    const { skeleton } = createSkeleton('one', [
      { name: 'squeezed', parent: -1, scale: [3, 0.5, 1.2], rotation },
    ]);
    const model = modelPoseOf(skeleton, skeleton.rest);
    const length = Math.hypot(nx, ny, nz);
    const normal = [nx / length, ny / length, nz / length];
    const mesh: Mesh = {
      name: 'slope',
      // Two directions that are square to the normal.
      positions: Float32Array.of(0, 0, 0, ny, -nx, 0, 0, nz, -ny),
      normals: Float32Array.of(...normal, ...normal, ...normal),
      triangles: Uint32Array.of(0, 1, 2),
      color: [1, 1, 1],
      character: 0,
      skin: null,
      joint: 0,
    };
    const positions = skinMesh(mesh, model);
    const normals = skinNormals(mesh, model, positions);
    for (const vertex of [1, 2]) {
      const dot = [0, 1, 2].reduce((sum, c) => sum + normals[c]! * positions[3 * vertex + c]!, 0);
      expect(Math.abs(dot)).toBeLessThan(1e-6);
    }
    expect(Math.hypot(normals[0]!, normals[1]!, normals[2]!)).toBeCloseTo(1, 6);
  });

  test('normals of the file and normals of the triangles agree on a ball', () => {
    const { positions, triangles } = ball(12, 24);
    const computed = normalsOfTriangles(positions, triangles);
    let least = 1;
    for (let i = 0; i < positions.length; i += 3)
      least = Math.min(
        least,
        Math.abs(
          computed[i]! * positions[i]! +
            computed[i + 1]! * positions[i + 1]! +
            computed[i + 2]! * positions[i + 2]!,
        ),
      );
    expect(least).toBeGreaterThan(0.98);
  });
});

/** A ball of radius 1 without its poles. */
function ball(rings: number, sides: number): { positions: Float32Array; triangles: Uint32Array } {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let r = 0; r < rings; r++)
    for (let s = 0; s < sides; s++) {
      const polar = (Math.PI * (r + 0.5)) / rings;
      const angle = (2 * Math.PI * s) / sides;
      positions.push(Math.sin(polar) * Math.cos(angle), Math.cos(polar), Math.sin(polar) * Math.sin(angle));
      if (r === 0) continue;
      const a = r * sides + s;
      const b = r * sides + ((s + 1) % sides);
      triangles.push(a, a - sides, b, b, a - sides, b - sides);
    }
  return { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
}

describe('normals that a file has wrong', () => {
  test('are replaced by those of the triangles', () => {
    const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1);
    const triangles = Uint32Array.of(0, 1, 2, 3, 4, 5);
    // One triangle's normals look forth, the other's back: they cannot both belong to where they stand.
    const normals = Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, -1, 0, 0, -1);
    const mesh: Mesh = {
      name: '',
      positions,
      normals,
      triangles,
      color: [1, 1, 1],
      character: 0,
      skin: null,
      joint: null,
    };
    const model = { rotations: new Float64Array([0, 0, 0, 1]), matrices: createMatrix() };
    const drawn = skinNormals(mesh, model, positions);
    for (let v = 0; v < 6; v++) expect(drawn[3 * v + 2]).toBeCloseTo(1, 6);
  });
});
