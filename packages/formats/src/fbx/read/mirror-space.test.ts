import {
  type Character,
  type Clip,
  copyPose,
  modelPoseOf,
  type Scene,
  type Skeleton,
  sampleClip,
} from '@stuntdouble/core';
import { describe, expect, it } from 'vitest';
import { describeData, readData } from '../../../test/data-files.js';
import { buildFbx } from '../../../test/fbx-builder.js';
import { readMeshes } from '../../read-meshes.js';
import { fbx } from '../index.js';
import { childOf, childrenOf } from '../parse/child-records.js';
import { createNode, type FbxNode } from '../parse/fbx-node.js';
import { parseFbx } from '../parse/parse-fbx.js';
import { encodeBinary } from '../write/encode-binary.js';
import { readFbx } from './read-fbx.js';

const KEYS = { times: [0, 0.5, 1] };

/**
 * An arm that turns and travels: the same scene in a right-handed file (side 1) and in a left-handed one (−1),
 * where all that is along x, and turns about y and z, have the other sign.
 */
function arm(side: 1 | -1): Uint8Array {
  const file = buildFbx();
  const settings = { UpAxis: 1, UpAxisSign: 1, FrontAxis: 2, FrontAxisSign: 1, CoordAxis: 0 };
  for (const [name, value] of Object.entries(settings)) file.setting(name, value);
  file.setting('CoordAxisSign', side);
  const hips = file.model('hips', 0, { 'Lcl Translation': [3 * side, 90, 1] });
  const shoulder = file.model('shoulder', hips, {
    'Lcl Translation': [12 * side, 40, -2],
    'Lcl Rotation': [10, 20 * side, 30 * side],
    PreRotation: [5, -15 * side, 40 * side],
    RotationPivot: [1 * side, 2, 3],
    RotationOrder: [4],
  });
  file.model('hand', shoulder, { 'Lcl Translation': [25 * side, 0, 4], 'Lcl Scaling': [1, 2, 1] });
  const layer = file.layer(file.stack('wave'));
  file.animate(layer, hips, 'Lcl Translation', { X: { ...KEYS, values: [0, 10 * side, 5 * side] } });
  file.animate(layer, shoulder, 'Lcl Rotation', {
    X: { ...KEYS, values: [0, 40, 80] },
    Y: { ...KEYS, values: [0, 30 * side, -70 * side] },
    Z: { ...KEYS, values: [0, -20 * side, 50 * side] },
  });
  return file.binary();
}

const placesAt = (skeleton: Skeleton, clip: Clip, time: number) => {
  const pose = copyPose(skeleton.rest);
  sampleClip(pose, clip, time);
  return modelPoseOf(skeleton, pose).matrices;
};

function expectSameMotion(a: Character, b: Character, sizes = 100): void {
  for (const time of [0, 0.2, 0.5, 0.77, 1]) {
    const at = time * a.clips[0]!.duration;
    const p = placesAt(a.skeleton, a.clips[0]!, at);
    const q = placesAt(b.skeleton, b.clips[0]!, at);
    p.forEach((value, i) => {
      expect(Math.abs(value - q[i]!), `number ${i} at ${at}`).toBeLessThan(1e-5 * sizes);
    });
  }
}

const only = (scene: Scene) => scene.characters[0]!;

describe('left-handed files', () => {
  it('are the right-handed scene that they show, at rest and in motion', () => {
    const [right, left] = [readFbx(arm(1)), readFbx(arm(-1))];
    expect(left.warnings).toEqual([]);
    expect(only(left).skeleton.declared).toEqual(only(right).skeleton.declared);
    expectSameMotion(only(right), only(left));
  });

  it('without the sign the two would differ: the test can fail', () => {
    const [right, left] = [only(readFbx(arm(1))), only(readFbx(arm(-1)))];
    const [p, q] = [right, left].map(({ skeleton, clips }) => placesAt(skeleton, clips[0]!, 0.5));
    const mirrored = q!.map((value, i) => (i % 16 === 12 ? -value : value));
    expect(p!.some((value, i) => Math.abs(value - mirrored[i]!) > 1)).toBe(true);
  });

  it('are written in their own space again', async () => {
    const left = readFbx(arm(-1));
    const { clips } = only(left);
    const { bytes } = await fbx.write!(
      { scene: left, character: 0, clips },
      { extension: 'fbx', replace: true },
    );
    expectSameMotion(only(left), only(readFbx(bytes)));
    // The numbers in the file are those of a left-handed one: the hips go to −x.
    const plain = encodeBinary(withSide(parseFbx(bytes).nodes, 1), 7400);
    const { skeleton, clips: mirrored } = only(readFbx(plain));
    expect(placesAt(skeleton, mirrored[0]!, 0.5)[12]).toBeCloseTo(-10, 4);
  });
});

/** A file's records with the given sign of the axis to the side. */
function withSide(nodes: readonly FbxNode[], side: number): FbxNode[] {
  return nodes.map((node) => {
    if (node.name !== 'GlobalSettings') return node;
    const kept = childrenOf(childOf(node, 'Properties70')).filter(
      ({ values }) => values[0] !== 'CoordAxisSign',
    );
    const sign = createNode('P', 'SSSSI', ['CoordAxisSign', 'int', 'Integer', '', side]);
    return createNode(node.name, '', [], [createNode('Properties70', '', [], [...kept, sign])]);
  });
}

describeData('a real file that says it is left-handed (needs ../shared/data)', () => {
  it('its meshes still stand around its joints, facing outwards', async () => {
    const document = parseFbx(readData('misc/Geno.fbx'));
    const right = readFbx(encodeBinary(withSide(document.nodes, 1), document.version));
    const left = readFbx(encodeBinary(withSide(document.nodes, -1), document.version));
    const [a, b] = [await readMeshes(right), await readMeshes(left)];
    expect(b.length).toBe(a.length);
    const sign = (i: number) => (i % 3 === 0 ? -1 : 1);
    expect([...b[0]!.positions]).toEqual([...a[0]!.positions].map((value, i) => sign(i) * value + 0));
    // A skinned vertex in joint space, mirrored there: the inverse binds go with the joints.
    const { skin, positions } = a[0]!;
    const joint = skin!.joints[0]!;
    const place = (inverse: Float64Array, points: Float32Array) =>
      [0, 1, 2].map((r) => {
        const m = inverse.subarray(16 * joint, 16 * joint + 16);
        return m[r]! * points[0]! + m[4 + r]! * points[1]! + m[8 + r]! * points[2]! + m[12 + r]!;
      });
    place(b[0]!.skin!.inverseBinds, b[0]!.positions).forEach((value, i) => {
      expect(value).toBeCloseTo(sign(i) * place(skin!.inverseBinds, positions)[i]!, 4);
    });
    const [t, u] = [a[0]!.triangles, b[0]!.triangles];
    expect([u[0], u[1], u[2]]).toEqual([t[0], t[2], t[1]]);
    const hulls = only(left).skeleton.hulls!.filter((hull) => hull !== null);
    expect(hulls.length).toBeGreaterThan(0);
  });
});
