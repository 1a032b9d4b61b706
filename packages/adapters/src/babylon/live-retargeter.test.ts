import { VertexBuffer } from '@babylonjs/core/Buffers/buffer.js';
import { Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { Mesh } from '@babylonjs/core/Meshes/mesh.js';
import { MorphTarget } from '@babylonjs/core/Morph/morphTarget.js';
import { MorphTargetManager } from '@babylonjs/core/Morph/morphTargetManager.js';
import { describe, expect, it } from 'vitest';
import { createStage, loadSample, updateWorlds } from '../../../../bench/adapters-babylon-stage.js';
import { createPuppet, type Puppet, turned } from '../../test/babylon-puppet.js';
import { createLiveRetargeter } from './index.js';

const Z = new Vector3(0, 0, 1);

/** The world direction of the left forearm of a puppet of nodes. */
function forearm(puppet: Puppet): Vector3 {
  updateWorlds(puppet);
  const [a, b] = ['LeftForeArm', 'LeftHand'].map((name) => puppet.nodes.get(name)!.getAbsolutePosition());
  return b!.subtract(a!).normalize();
}

describe('createLiveRetargeter', () => {
  it('one source drives several avatars, in any order of frames, and is not written', () => {
    const scene = createStage();
    const source = createPuppet(scene);
    const targets = [createPuppet(scene, { scale: 0.5 }), createPuppet(scene, { prefix: 'b:', legs: 1.3 })];
    const live = targets.map(({ root, skeletons }) =>
      createLiveRetargeter({ rootNode: root, skeletons }, source),
    );
    for (const degrees of [70, 10, 40]) {
      const turn = turned(Z, degrees);
      source.nodes.get('LeftArm')!.rotationQuaternion!.copyFrom(turn);
      source.nodes.get('Hips')!.position.y = 1 + degrees / 1000;
      for (const one of live) one.update(1 / 60);
      expect(source.nodes.get('LeftArm')!.rotationQuaternion!.asArray()).toEqual(turn.asArray());
      for (const target of targets)
        expect(forearm(target).subtract(forearm(source)).length()).toBeLessThan(1e-5);
      expect(targets[0]!.nodes.get('Hips')!.position.y).toBeCloseTo(0.5 + degrees / 2000, 5);
    }
  });

  it('drives bones that are linked to no node', () => {
    const scene = createStage(true);
    const source = createPuppet(scene);
    const target = createPuppet(scene, { bones: 'alone' });
    const live = createLiveRetargeter({ skeletons: target.skeletons }, source);
    source.nodes.get('LeftArm')!.rotationQuaternion!.copyFrom(turned(Z, 50));
    live.update(1 / 60);
    const { rotationQuaternion } = target.bones.get('LeftArm')!;
    expect(Math.abs(Quaternion.Dot(rotationQuaternion, turned(Z, 50)))).toBeGreaterThan(1 - 1e-6);
    live.dispose();
    expect(target.bones.get('LeftArm')!.rotationQuaternion.w).toBeCloseTo(1, 6);
  });

  it('nodes that are turned by angles get their angles back', () => {
    const scene = createStage();
    const source = createPuppet(scene);
    const target = createPuppet(scene);
    const arm = target.nodes.get('LeftArm')!;
    arm.rotationQuaternion = null;
    arm.rotation.set(0.1, 0.2, 0.3);
    const live = createLiveRetargeter(target, source);
    live.update(1 / 60);
    expect(arm.rotationQuaternion).not.toBeNull();
    live.dispose();
    expect(arm.rotationQuaternion).toBeNull();
    expect(arm.rotation.asArray()).toEqual([0.1, 0.2, 0.3]);
  });

  it('leaves alone what it does not drive', () => {
    const scene = createStage();
    const target = createPuppet(scene, { extra: [['Hair', 'Head', 0, 0.2, 0]] });
    const live = createLiveRetargeter(target, createPuppet(scene));
    const hair = target.nodes.get('Hair')!;
    hair.rotationQuaternion!.copyFrom(turned(Z, 33));
    live.update(1 / 60);
    expect(hair.rotationQuaternion!.asArray()).toEqual(turned(Z, 33).asArray());
  });

  it('numbers that are none leave the avatar as it was', () => {
    const scene = createStage();
    const source = createPuppet(scene);
    const target = createPuppet(scene);
    const live = createLiveRetargeter(target, source);
    source.nodes.get('LeftArm')!.rotationQuaternion!.x = Number.NaN;
    source.nodes.get('Hips')!.position.y = Number.POSITIVE_INFINITY;
    live.update(1 / 60);
    for (const node of target.nodes.values()) {
      expect(node.position.asArray().every(Number.isFinite)).toBe(true);
      expect(node.rotationQuaternion!.asArray().every(Number.isFinite)).toBe(true);
    }
  });

  it('morph targets of the same names follow, and get back what they were', () => {
    const scene = createStage();
    const [source, target] = [createPuppet(scene), createPuppet(scene, { prefix: 'b:' })];
    const face = (puppet: Puppet, ...morphs: string[]) => {
      const mesh = new Mesh('face', scene);
      mesh.parent = puppet.root;
      mesh.morphTargetManager = new MorphTargetManager(scene);
      for (const morph of morphs) mesh.morphTargetManager.addTarget(new MorphTarget(morph, 0.1, scene));
      return (n: number) => mesh.morphTargetManager!.getTarget(n);
    };
    const from = face(source, 'smile', 'frown', 'Joy');
    const onto = face(target, 'frown', 'smile', 'Grin', 'blink');
    const live = createLiveRetargeter(target.root, source.root, { stuntdouble: { morphs: { Joy: 'Grin' } } });
    from(0).influence = 0.7;
    from(1).influence = Number.NaN;
    from(2).influence = 0.3;
    live.update(1 / 60);
    expect([0, 1, 2, 3].map((n) => onto(n).influence)).toEqual([0.1, 0.7, 0.3, 0.1]);
    live.dispose();
    expect([0, 1, 2, 3].map((n) => onto(n).influence)).toEqual([0.1, 0.1, 0.1, 0.1]);
    const still = createLiveRetargeter(target.root, source.root, { copyMorphs: false });
    still.update(1 / 60);
    expect(onto(1).influence).toBe(0.1);
  });

  it('soles are where the vertices are, also of a mesh that was changed meanwhile', async () => {
    const scene = createStage();
    const { root, meshes } = await loadSample(scene, 'characters/vrm-girl.vrm');
    const source = await loadSample(scene, 'motions/walk.glb');
    const floor = () => createLiveRetargeter(root, source.root).setup.target.floor.height;
    const before = floor();
    for (const mesh of meshes) {
      const positions = mesh.getVerticesData(VertexBuffer.PositionKind);
      if (!positions) continue;
      mesh.setVerticesData(
        VertexBuffer.PositionKind,
        positions.map((value, n) => (n % 3 === 1 ? value - 0.1 : value)),
        true,
      );
    }
    expect(floor()).toBeCloseTo(before - 0.1, 2);
  });
});
