import { createModelPose, localToModel, multiplyMatrices } from '@stuntdouble/core';
import { describe, expect, test } from 'vitest';
import { allFiles, pathOf } from '../../../test/data-files.js';
import { buildGltf } from '../../../test/gltf-builder.js';
import { read } from '../../read.js';
import { readMeshes } from './read-meshes.js';

const square = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0);

/** A mesh of one primitive on node 1, which hangs on the joint that is node 0. */
function meshOn(node: Record<string, unknown>, primitive: Record<string, unknown>, skins?: number[][]) {
  const file = buildGltf([
    { name: 'hips', children: [1] },
    { mesh: 0, ...node },
  ]);
  const { attributes, ...rest } = primitive;
  const POSITION = file.accessor(square, 'VEC3');
  file.json.meshes = [
    { name: 'body', primitives: [{ attributes: { POSITION, ...(attributes as object) }, ...rest }] },
  ];
  file.json.skins = (skins ?? [[0]]).map((joints) => ({ joints }));
  return file;
}

describe('readMeshes', () => {
  test.each([
    [4, [0, 1, 2, 2, 1, 3], [0, 1, 2, 2, 1, 3]],
    [5, [0, 1, 2, 3], [0, 1, 2, 1, 3, 2]],
    [6, [0, 1, 3, 2], [0, 1, 3, 0, 3, 2]],
  ])('triangles, strips and fans: mode %i', async (mode, indices, expected) => {
    const file = meshOn({}, { mode });
    const [mesh] = file.json.meshes as { primitives: Record<string, unknown>[] }[];
    mesh!.primitives[0]!.indices = file.accessor(Uint16Array.from(indices), 'SCALAR');
    expect([...(await readMeshes(await read(file.glb())))[0]!.triangles]).toEqual(expected);
  });

  test('a mesh without a skin stands in the space of the joint it hangs on', async () => {
    const file = meshOn({ translation: [0, 0, 5], scale: [2, 2, 2] }, {});
    const NORMAL = file.accessor(Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1), 'VEC3');
    const meshes = file.json.meshes as { primitives: { attributes: Record<string, number> }[] }[];
    meshes[0]!.primitives[0]!.attributes.NORMAL = NORMAL;
    file.json.materials = [{ pbrMetallicRoughness: { baseColorFactor: [0.5, 0.25, 0, 1] } }];
    Object.assign(meshes[0]!.primitives[0]!, { material: 0 });
    const [mesh] = await readMeshes(await read(file.glb()));
    expect(mesh).toMatchObject({ name: 'body', joint: 0, skin: null, character: 0, color: [0.5, 0.25, 0] });
    expect([...mesh!.positions.slice(9)]).toEqual([2, 2, 5]);
    expect([...mesh!.normals!.slice(0, 3)]).toEqual([0, 0, 1]);
  });

  test('of many influences the four strongest stay, and weights sum to one', async () => {
    const file = meshOn({ skin: 0 }, {}, [[0, 0, 0, 0, 0, 0]]);
    const attributes = {
      JOINTS_0: file.accessor(Uint8Array.of(...[0, 1, 2, 3], ...new Array<number>(12).fill(0)), 'VEC4'),
      WEIGHTS_0: file.accessor(
        Float32Array.of(...[0.1, 0.2, 0.3, 0.1], ...[1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
        'VEC4',
      ),
      JOINTS_1: file.accessor(Uint8Array.of(...[4, 5, 0, 0], ...new Array<number>(12).fill(0)), 'VEC4'),
      WEIGHTS_1: file.accessor(
        Float32Array.of(...[0.2, 0.3, 0, 0], ...new Array<number>(12).fill(0)),
        'VEC4',
      ),
    };
    const meshes = file.json.meshes as { primitives: { attributes: object }[] }[];
    Object.assign(meshes[0]!.primitives[0]!.attributes, attributes);
    const [mesh] = await readMeshes(await read(file.glb()));
    const sorted = [...mesh!.skin!.weights.slice(0, 4)].sort();
    [0.2, 0.2, 0.3, 0.3].forEach((weight, i) => {
      expect(sorted[i]).toBeCloseTo(weight, 6);
    });
    // A vertex that nothing moves is not lost.
    expect([...mesh!.skin!.weights.slice(12)]).toEqual([1, 0, 0, 0]);
  });

  test('changing a mesh does not change the file', async () => {
    const scene = await read(meshOn({ skin: 0 }, {}).glb());
    expect(await readMeshes(scene)).toEqual([]);
    const rigid = await read(meshOn({}, {}).glb());
    const [first] = await readMeshes(rigid);
    first!.positions.fill(9);
    expect([...(await readMeshes(rigid))[0]!.positions]).toEqual([...square]);
  });
});

describe('meshes of our files, and of real ones where they are', () => {
  test.each(allFiles(/\.(glb|gltf|vrm)$/))(
    '%s: in the bind pose every joint leaves the skin where it is',
    async (file) => {
      const scene = await read(pathOf(file), { skin: false });
      for (const mesh of await readMeshes(scene)) {
        const { skeleton } = scene.characters[mesh.character]!;
        expect(Math.max(...mesh.triangles) * 3).toBeLessThan(mesh.positions.length);
        if (!mesh.skin || !skeleton.bind) continue;
        const pose = createModelPose(skeleton.names.length);
        localToModel(pose, skeleton, skeleton.bind);
        const moved = new Float64Array(16);
        let first: Float64Array | null = null;
        let off = 0;
        for (let joint = 0; joint < skeleton.names.length; joint++) {
          if (mesh.skin.inverseBinds[16 * joint + 15] === 0) continue;
          multiplyMatrices(moved, 0, pose.matrices, 16 * joint, mesh.skin.inverseBinds, 16 * joint);
          first ??= moved.slice();
          for (let n = 0; n < 16; n++) off = Math.max(off, Math.abs(moved[n]! - first[n]!));
        }
        // Where a skin shares joints with an earlier one, that one's bind pose counts.
        if (first) expect(off).toBeLessThan(2e-3 * Math.max(...first.map(Math.abs)));
      }
    },
  );
});
