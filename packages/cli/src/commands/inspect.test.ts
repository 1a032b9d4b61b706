import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readArmature, writeArmature } from '@stuntdouble/core';
import { read } from '@stuntdouble/formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { createFolder, dataFolder, pathOf, present } from '../../test/folder.js';
import { runCommand } from '../../test/run-command.js';
import { inspectSchema } from '../../test/schemas.js';
import { nameOf, stickFigureBvh, stickFigureGltf } from '../../test/stick-figure.js';

const folder = createFolder();
let bvh: string;
let gltf: string;
beforeAll(async () => {
  bvh = await folder.put('walk.bvh', stickFigureBvh());
  gltf = await folder.put('hero.gltf', stickFigureGltf({ clips: ['idle', 'wave'] }));
});

async function inspectJson(...argv: string[]) {
  const run = await runCommand('inspect', ...argv, '--json');
  expect(run.err).toBe('');
  return { ...run, json: inspectSchema.parse(JSON.parse(run.out)) };
}

describe('inspect', () => {
  it('prints one JSON document of the promised shape', async () => {
    const { json, code } = await inspectJson(gltf);
    expect(code).toBe(0);
    expect(json.format).toBe('gltf');
    expect([json.up, json.facing, json.unit]).toEqual(['+Y', '+Z', 1]);
    expect(json.height).toBeGreaterThan(1.4);
    expect(json.clips.map(({ name }) => name)).toEqual(['idle', 'wave']);
    expect(json.clips[0]!.duration).toBeCloseTo(1, 6);
    // Seven joints swing, eleven keys each.
    expect(json.clips[0]!.keys).toBe(7 * 11);
    const joints = json.skeletons[0]!.joints;
    expect(joints).toHaveLength(21);
    for (const { index, name, parent, role } of joints) {
      expect(role).toBe(name);
      if (parent !== null)
        expect(
          joints.find((joint) => joint.index === parent),
          String(index),
        ).toBeDefined();
    }
    expect(joints.filter(({ parent }) => parent === null).map(({ name }) => name)).toEqual(['hips']);
  });

  it('reads the unit of a capture from its body', async () => {
    const { json } = await inspectJson(bvh);
    expect(json.format).toBe('bvh');
    expect(json.unit).toBeCloseTo(0.01, 4);
    expect(json.height).toBeGreaterThan(1.4);
    expect(json.height).toBeLessThan(1.9);
  });

  it('R18: writes the chains of a skeleton, which read back as they were, and replaces nothing unasked', async () => {
    const path = folder.at('chains.json');
    const { out, code } = await runCommand('inspect', gltf, '--armature', path);
    expect([code, out.includes(`wrote ${path}`)]).toEqual([0, true]);
    const { skeleton } = (await read(gltf)).characters[0]!;
    const document: unknown = JSON.parse(await readFile(path, 'utf8'));
    const { armature, warnings } = readArmature(document, skeleton);
    expect(warnings).toEqual([]);
    expect(writeArmature(armature, skeleton)).toEqual(document);
    expect(armature.chains.flatMap(({ joints }) => joints)).toHaveLength(21);
    expect((await runCommand('inspect', gltf, '--armature', path)).code).toBe(1);
    expect((await runCommand('inspect', gltf, '--armature', path, '--force')).code).toBe(0);
    expect((await runCommand('inspect', gltf, '--armature', gltf, '--force')).code).toBe(2);
  });

  it('shows a person the tree, the chains, the clips and every reason', async () => {
    const { out, code } = await runCommand('inspect', bvh);
    expect(code).toBe(0);
    for (const text of [
      'walk.bvh  BVH, ',
      'reference',
      'mixamorig:LeftForeArm',
      'leftLowerArm',
      'chains',
      '1.00 s',
    ])
      expect(out).toContain(text);
    expect(out).toMatch(
      /leftLeg +mixamorig:LeftUpLeg → mixamorig:LeftLeg → mixamorig:LeftFoot → mixamorig:LeftToeBase/,
    );
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape that starts a colour.
    expect(out).not.toMatch(/\u001b/);
  });

  it('works on a file without a skeleton, and says so', async () => {
    const empty = await folder.put('empty.gltf', '{"asset":{"version":"2.0"}}');
    const { json, code } = await inspectJson(empty);
    expect(code).toBe(0);
    expect(json).toMatchObject({
      unit: null,
      up: null,
      facing: null,
      height: null,
      skeletons: [],
      clips: [],
    });
    expect((await runCommand('inspect', empty)).out).toContain('no skeleton');
  });

  it('lists every skeleton, shows one, and takes the choice by number', async () => {
    const two = await folder.put('two.gltf', stickFigureGltf({ bodies: 2 }));
    const { json } = await inspectJson(two);
    expect(json.skeletons).toHaveLength(2);
    expect(json.notes.map(({ code }) => code)).toContain('several-skeletons');
    const { out } = await runCommand('inspect', two, '--skeleton', '1');
    expect(out).toContain('also skeleton 0');
    const wrong = await runCommand('inspect', two, '--skeleton', 'nobody');
    expect([wrong.code, wrong.out]).toEqual([2, '']);
    expect(wrong.err).toMatch(/no skeleton "nobody"/);
  });

  it('reads roles from the shape where names mean nothing, and a map has the last word', async () => {
    const anonymous = await folder.put('anonymous.gltf', stickFigureGltf({ naming: 'number' }));
    const before = await inspectJson(anonymous);
    const rolesOf = ({ json }: typeof before) =>
      Object.fromEntries(
        json.skeletons[0]!.joints.flatMap(({ role, name }) => (role === null ? [] : [[role, name]])),
      );
    expect(rolesOf(before)).toMatchObject({
      hips: nameOf('hips', 'number'),
      head: nameOf('head', 'number'),
      leftHand: nameOf('leftHand', 'number'),
      rightFoot: nameOf('rightFoot', 'number'),
    });
    const map = await folder.put(
      'roles.json',
      JSON.stringify({ version: 1, roles: { head: nameOf('neck', 'number') } }),
    );
    const { head, ...others } = rolesOf(await inspectJson(anonymous, '--map', map));
    expect(head).toBe(nameOf('neck', 'number'));
    const { head: was, neck, ...kept } = rolesOf(before);
    expect([was, neck]).toEqual([nameOf('head', 'number'), nameOf('neck', 'number')]);
    expect(others).toEqual(kept);
  });

  it('reads a body without names', async () => {
    const { json, code } = await inspectJson(
      await folder.put('nameless.gltf', stickFigureGltf({ naming: 'none' })),
    );
    expect(code).toBe(0);
    expect(json.skeletons[0]!.joints).toHaveLength(21);
  });

  it('ends with 3 under --strict where there are warnings, and with 0 where there are none but notes', async () => {
    expect((await runCommand('inspect', bvh, '--strict')).code).toBe(0);
    expect((await runCommand('inspect', gltf, '--strict')).code).toBe(0);
  });
});

describe('inspect on our files, and on real ones where they are', () => {
  it.skipIf(!existsSync(dataFolder))(
    'names directions that follow no axis by a vector, and glTF nodes by their index (needs ../shared/data)',
    async () => {
      const { json } = await inspectJson(join(dataFolder, 'vrm/basic_armature_vrm1.vrm'));
      expect(json.format).toBe('vrm');
      expect(json.skeletons[0]!.joints.find(({ name }) => name === 'hips')).toMatchObject({
        index: 52,
        parent: 53,
        role: 'hips',
        confidence: 1,
      });
    },
  );

  it.each(
    present([
      'samples/characters/vrm0-sister.vrm',
      'samples/characters/knight.glb',
      'samples/characters/alien.glb',
      'samples/animals/dog.glb',
      'samples/captures/walk-smpl.bvh',
      'samples/captures/lie-down-cmu.bvh',
      'samples/formats/child-draco.glb',
      'samples/formats/goblin-meshopt.glb',
      'samples/formats/guy-walk.fbx',
      'samples/formats/child-greeting.fbx',
      'samples/formats/wave.vrma',
      'khronos/MorphStressTest.glb',
      'khronos/RecursiveSkeletons.glb',
      'khronos/SimpleSkin.gltf',
      'threejs/RobotExpressive.glb',
      'makehuman/tpose.bvh',
      'npm/webxr_hand_left.glb',
      'vrm/test.vrma',
      'misc/kenney_character.glb',
    ]),
  )('%s: both forms, one shape', async (file) => {
    await inspectJson(pathOf(file));
    expect((await runCommand('inspect', pathOf(file))).code).toBe(0);
  });
});
