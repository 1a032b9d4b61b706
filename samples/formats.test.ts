import { readFileSync } from 'node:fs';
import {
  createRig,
  modelPoseOf,
  poseAt as poseOfClip,
  type Role,
  type Scene,
  vectorAt,
} from '@stuntdouble/core/engine';
import { read, readMeshes } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { placeBody } from './body/body.js';
import { SAMPLE_CHARACTERS, SAMPLE_FORMATS, samplesFolder } from './catalogue.js';
import { guyBody } from './characters/mixamo-guy.js';
import { walk } from './motions/walk.js';
import { poseAt } from './sample-motion.js';

const open = (name: string): Promise<Scene> => {
  const { file } = [...SAMPLE_CHARACTERS, ...SAMPLE_FORMATS].find((entry) => entry.name === name)!;
  return read(samplesFolder + file);
};

/** Least and greatest coordinates of all vertices in model space, in the rest pose. */
async function boundsOf(scene: Scene): Promise<number[]> {
  const rig = createRig(scene.characters[0]!.skeleton);
  const { matrices } = modelPoseOf(rig.skeleton, rig.skeleton.rest);
  const bounds = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const { positions, skin } of await readMeshes(scene))
    for (let v = 0; v < positions.length / 3; v++) {
      const at = [0, 0, 0];
      for (let n = 0; n < 4; n++) {
        const weight = skin!.weights[4 * v + n]!;
        if (weight === 0) continue;
        const joint = 16 * skin!.joints[4 * v + n]!;
        const bound = applied(skin!.inverseBinds, joint, positions.subarray(3 * v, 3 * v + 3));
        applied(matrices, joint, bound).forEach((value, c) => {
          at[c]! += weight * value;
        });
      }
      at.forEach((value, c) => {
        bounds[c] = Math.min(bounds[c]!, value);
        bounds[3 + c] = Math.max(bounds[3 + c]!, value);
      });
    }
  return bounds;
}

function applied(m: ArrayLike<number>, i: number, p: ArrayLike<number>): number[] {
  return [0, 1, 2].map(
    (r) => m[i + r]! * p[0]! + m[i + 4 + r]! * p[1]! + m[i + 8 + r]! * p[2]! + m[i + 12 + r]!,
  );
}

describe('samples that show a format', () => {
  it.each([...SAMPLE_CHARACTERS, ...SAMPLE_FORMATS])('$name is read without a warning', async ({ name }) => {
    const scene = await open(name);
    expect(scene.warnings).toEqual([]);
    const rig = createRig(scene.characters[0]!.skeleton);
    // A dog has no human's roles.
    expect(rig.warnings.map(({ code }) => code)).toEqual(name === 'dog' ? ['not-human'] : []);
  });

  it.each([
    ['child-draco', 'child', 0.001],
    ['goblin-meshopt', 'goblin', 1e-6],
    ['guy-walk-fbx', 'mixamo-guy', 1e-4],
    ['guy-painted-fbx', 'mixamo-guy', 1e-4],
    ['child-greeting-fbx', 'child', 1e-4],
  ])('%s has the body of %s', async (name, original, tolerance) => {
    const [here, there] = [await boundsOf(await open(name)), await boundsOf(await open(original))];
    here.forEach((value, c) => {
      expect(Math.abs(value - there[c]!)).toBeLessThan(tolerance);
    });
  });

  it('the compressed ones are compressed, and smaller', () => {
    for (const [name, original, extension] of [
      ['child-draco.glb', 'child.glb', 'KHR_draco_mesh_compression'],
      ['goblin-meshopt.glb', 'goblin.glb', 'EXT_meshopt_compression'],
    ] as const) {
      const bytes = readFileSync(`${samplesFolder}formats/${name}`);
      expect(bytes.length).toBeLessThan(0.8 * readFileSync(`${samplesFolder}characters/${original}`).length);
      expect(bytes.toString('latin1')).toContain(`"extensionsRequired":["${extension}"]`);
    }
  });

  it('the FBX walk moves as the walk does, in metres', async () => {
    const { skeleton, clips } = (await open('guy-walk-fbx')).characters[0]!;
    const rig = createRig(skeleton, { clips });
    for (const frame of [0, 9, 25, 51]) {
      const now = placeBody(guyBody, poseAt(walk, frame / 30));
      const model = modelPoseOf(rig.skeleton, poseOfClip(rig.skeleton, clips[0]!, frame / 30));
      for (const role of ['hips', 'head', 'leftHand', 'rightToes', 'leftIndexDistal'] as Role[]) {
        const at = vectorAt(model.matrices, 16 * rig.joints[role]! + 12);
        const gap = Math.hypot(...now[role]!.translation.map((value, c) => value - at[c]!));
        expect(gap, `${role} in frame ${frame}`).toBeLessThan(1e-4);
      }
    }
  });

  it('FBX files say axes and unit of their own, binary and ASCII', async () => {
    const [binary, ascii] = [await open('guy-walk-fbx'), await open('child-greeting-fbx')];
    expect(binary.characters[0]!.skeleton.declared).toMatchObject({ up: '+Y', unit: 0.01 });
    expect(ascii.characters[0]!.skeleton.declared).toMatchObject({ up: '+Z', unit: 0.0254 });
    expect(readFileSync(`${samplesFolder}formats/guy-walk.fbx`).toString('latin1', 0, 18)).toBe(
      'Kaydara FBX Binary',
    );
    expect(readFileSync(`${samplesFolder}formats/child-greeting.fbx`).toString('latin1', 0, 5)).toBe('; FBX');
  });

  it('the VRM animation has a face', async () => {
    const [clip] = (await open('wave-vrma')).characters[0]!.clips;
    expect(clip!.morphs.map(({ morph }) => morph).sort()).toEqual(['blink', 'happy']);
    for (const { values } of clip!.morphs) expect(Math.max(...values)).toBe(1);
  });
});

describe('VRM with springs and faces', () => {
  const jsonOf = (name: string) => {
    const bytes = readFileSync(`${samplesFolder}characters/${name}.vrm`);
    return JSON.parse(bytes.toString('utf8', 20, 20 + bytes.readUInt32LE(12)));
  };

  it('0.x: faces −Z, with presets that move the face and chains that swing', async () => {
    const { extensions, nodes, meshes } = jsonOf('vrm0-sister');
    const { VRM } = extensions;
    expect(
      createRig((await open('vrm0-sister')).characters[0]!.skeleton).space.facing.direction[2],
    ).toBeCloseTo(-1);
    const presets = VRM.blendShapeMaster.blendShapeGroups.map(
      (group: { presetName: string }) => group.presetName,
    );
    expect(presets).toEqual(
      expect.arrayContaining(['a', 'i', 'u', 'e', 'o', 'blink', 'joy', 'angry', 'sorrow']),
    );
    for (const { binds } of VRM.blendShapeMaster.blendShapeGroups)
      for (const { mesh, index } of binds) expect(meshes[mesh].primitives[0].targets[index]).toBeDefined();
    const [group] = VRM.secondaryAnimation.boneGroups;
    expect(group.bones.map((node: number) => nodes[node].name)).toEqual([
      'J_Sec_tail_1_left',
      'J_Sec_tail_1_right',
    ]);
    for (const { rotation } of nodes) expect(rotation).toBeUndefined();
  });

  it('1.0: expressions and springs', () => {
    const { extensions, nodes } = jsonOf('vrm1-sister');
    expect(Object.keys(extensions.VRMC_vrm.expressions.preset)).toEqual(
      expect.arrayContaining(['aa', 'blink', 'happy']),
    );
    const { springs } = extensions.VRMC_springBone;
    expect(springs).toHaveLength(2);
    for (const { joints } of springs)
      for (const { node } of joints) expect(nodes[node].name).toMatch(/^J_Sec_tail/);
  });
});
