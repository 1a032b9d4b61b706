import { fileURLToPath } from 'node:url';
import { modelPoseOf, poseAt, retarget, type Scene } from '@stuntdouble/core';
import { describe, expect, it } from 'vitest';
import { read } from '../../read.js';
import { writeBytes } from '../../write.js';
import { type GltfDocument, isGltfDocument } from '../document.js';
import { readDocument } from '../read/read.js';
import { rebind } from './rebind.js';

const sample = (path: string) =>
  fileURLToPath(new URL(`../../../../../samples/files/${path}`, import.meta.url));

function jsonOf({ document }: Scene) {
  if (!isGltfDocument(document)) throw new Error('not a glTF document');
  return document.json;
}

describe('what a VRM tells in the axes of joints, in a new bind pose', () => {
  /** The girl with a collider and a gaze on her head, a mesh on her hand that an expression moves, and a constraint. */
  async function dressedGirl() {
    const girl = await read(sample('characters/vrm-girl.vrm'));
    const json = structuredClone(jsonOf(girl));
    const vrm = json.extensions!.VRMC_vrm as {
      humanoid: { humanBones: Record<string, { node: number }> };
      lookAt?: object;
      expressions?: object;
    };
    const { head, leftHand, leftLowerArm } = vrm.humanoid.humanBones;
    vrm.lookAt = { offsetFromHeadBone: [0, 0.06, 0.02] };
    vrm.expressions = {
      preset: { happy: { morphTargetBinds: [{ node: leftHand!.node, index: 0, weight: 1 }] } },
    };
    json.extensions!.VRMC_springBone = {
      specVersion: '1.0',
      colliders: [{ node: head!.node, shape: { sphere: { offset: [0, 0.1, 0], radius: 0.1 } } }],
    };
    json.nodes![leftHand!.node]!.mesh = 0;
    json.nodes![leftLowerArm!.node]!.extensions = {
      VRMC_node_constraint: { specVersion: '1.0', constraint: {} },
    };
    const document: GltfDocument = { ...(girl.document as GltfDocument), json };
    const scene = await readDocument(document, 'glb', { name: 'girl' }, []);
    return { scene, head: head!.node, hand: leftHand!.node };
  }

  it('is told of nodes that have those axes still, or in the new ones; what no longer holds is said', async () => {
    const { scene: target, head, hand } = await dressedGirl();
    // A source with other bone axes than the girl's.
    const mannequin = await read(sample('characters/unreal-mannequin.glb'));
    const running = retarget(await read(sample('motions/run-turn.glb')), mannequin, { measure: false });
    const source = await read((await writeBytes('glb', running)).bytes);
    const usual = retarget(source, target, { corrections: 'none', measure: false });
    const bound = await rebind(source, target, { measure: false });
    const { bytes } = await writeBytes('vrm', bound);
    const file = await read(bytes);
    const { nodes, extensions } = jsonOf(file);
    const vrm = extensions!.VRMC_vrm as {
      lookAt: { offsetFromHeadBone: number[] };
      expressions: { preset: { happy: { morphTargetBinds: { node: number }[] } } };
    };
    const springs = extensions!.VRMC_springBone as { colliders: { node: number }[] };

    const clip = usual.clips[0]!;
    const placesOf = (scene: Scene, character: number, played: typeof clip) => {
      const { skeleton } = scene.characters[character]!;
      const { matrices } = modelPoseOf(skeleton, poseAt(skeleton, played, clip.duration / 3));
      return (node: number) => {
        const joint = skeleton.fileIndices.indexOf(node);
        return matrices.slice(16 * joint, 16 * joint + 16);
      };
    };
    const before = placesOf(target, usual.character, clip);
    const after = placesOf(file, bound.character, file.characters[bound.character]!.clips[0]!);
    const collider = springs.colliders[0]!.node;
    expect(collider).not.toBe(head);
    before(head).forEach((x, n) => {
      expect(after(collider)[n]!).toBeCloseTo(x, 5);
    });
    const eyes = (m: Float64Array, [x, y, z]: number[]) =>
      [0, 1, 2].map((r) => m[r]! * x! + m[4 + r]! * y! + m[8 + r]! * z! + m[12 + r]!);
    eyes(before(head), [0, 0.06, 0.02]).forEach((x, c) => {
      expect(eyes(after(head), vrm.lookAt.offsetFromHeadBone)[c]!).toBeCloseTo(x, 5);
    });
    const carrier = vrm.expressions.preset.happy.morphTargetBinds[0]!.node;
    expect(nodes![carrier]!.mesh).toBe(0);
    expect(nodes![hand]!.mesh).toBeUndefined();
    expect(JSON.stringify(nodes)).not.toContain('VRMC_node_constraint');
    const said = bound.report.warnings.filter(({ code }) => code === 'bind-changed');
    expect(said.map(({ message }) => message)).toEqual([
      '1 node constraint is counted from the old bind pose and is left out.',
      'The humanoid stands as the source does now, not in a T-pose, as VRM 1.0 asks: clips of this file play right, VRM animations and poses may not.',
    ]);
  });
});
