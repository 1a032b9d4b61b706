import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Clip, createRig, modelPoseOf, poseAt, ROLES } from '@stuntdouble/core';
import { read, readMeshes } from '@stuntdouble/formats';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { createFolder, dataFolder, pathOf, present } from '../../test/folder.js';
import { runCommand } from '../../test/run-command.js';
import { convertSchema, inspectSchema } from '../../test/schemas.js';
import { stickFigureBvh, stickFigureGltf } from '../../test/stick-figure.js';

const folder = createFolder();
const sampleFolder = fileURLToPath(new URL('../../../../samples/files/', import.meta.url));

async function convertJson(...argv: string[]) {
  const run = await runCommand('convert', ...argv, '--json');
  expect(run.err).toBe('');
  expect(run.code).toBe(0);
  return convertSchema.parse(JSON.parse(run.out));
}

/** Where the body parts are over a clip, in metres from the hips' start, by name. */
async function motionOf(path: string, clipName?: string) {
  const scene = await read(path);
  const { skeleton, clips } = scene.characters[0]!;
  const rig = createRig(skeleton, { clips });
  const clip: Clip = clipName === undefined ? clips[0]! : clips.find(({ name }) => name === clipName)!;
  const places: Record<string, number[][]> = {};
  for (let k = 0; k <= 10; k++) {
    const { matrices } = modelPoseOf(rig.skeleton, poseAt(rig.skeleton, clip, (clip.duration * k) / 10));
    for (const role of ROLES) {
      const joint = rig.joints[role];
      if (joint === undefined) continue;
      const place = [0, 1, 2].map((c) => matrices[16 * joint + 12 + c]!);
      places[role] = [...(places[role] ?? []), place];
    }
  }
  return { places, height: rig.space.height, duration: clip.duration };
}

/** The largest distance of any body part between two files, in heights, from where the hips begin. */
async function worstBetween(a: string, b: string, clip?: string): Promise<number> {
  const [first, second] = [await motionOf(a, clip), await motionOf(b, clip)];
  const startA = first.places.hips![0]!;
  const startB = second.places.hips![0]!;
  let worst = Math.abs(first.duration - second.duration);
  for (const [role, places] of Object.entries(first.places))
    for (const [k, place] of places.entries()) {
      const other = second.places[role]?.[k];
      if (!other) continue;
      const way = place.map((x, c) => x - startA[c]! - (other[c]! - startB[c]!));
      worst = Math.max(worst, Math.hypot(...way) / first.height);
    }
  return worst;
}

describe('standard output', () => {
  it('gets the file alone, in the format that --to says, and what is said goes to standard error', async () => {
    const walk = `${sampleFolder}motions/walk.bvh`;
    const run = await runCommand('convert', walk, '-', '--to', 'glb');
    expect([run.code, run.out, run.bytes?.length]).toEqual([0, '', 1]);
    expect(String.fromCharCode(...run.bytes![0]!.subarray(0, 4))).toBe('glTF');
    expect(run.err).toContain('walk');
    const plain = await runCommand('convert', walk, '-');
    expect([plain.code, plain.err]).toEqual([2, expect.stringContaining('--to glb')]);
    const both = await runCommand('convert', walk, '-', '--to', 'glb', '--json');
    expect([both.code, both.bytes]).toEqual([2, undefined]);
  });
});

describe('convert', () => {
  let bvh: string;
  let gltf: string;
  beforeAll(async () => {
    bvh = await folder.put('walk.bvh', stickFigureBvh());
    gltf = await folder.put('hero.gltf', stickFigureGltf({ clips: ['walk', 'run'] }));
  });

  it('writes the same motion in every format, and back', async () => {
    for (const extension of ['glb', 'gltf', 'vrma', 'fbx', 'bvh']) {
      const out = folder.at(`there.${extension}`);
      await convertJson(`${sampleFolder}motions/walk.bvh`, out);
      expect(await worstBetween(`${sampleFolder}motions/walk.bvh`, out), extension).toBeLessThan(1e-5);
      const back = folder.at(`back-${extension}.bvh`);
      await convertJson(out, back);
      // FBX turns go in straight lines of angles between keys, so they come back with keys of their own.
      const most = extension === 'fbx' ? 1e-3 : 1e-5;
      expect(await worstBetween(`${sampleFolder}motions/walk.bvh`, back), extension).toBeLessThan(most);
    }
  });

  it('takes all clips, one BVH each, or those that are asked for', async () => {
    const { output, clips, format } = await convertJson(gltf, folder.at('all.bvh'));
    expect(format).toBe('gltf');
    expect(output).toEqual([folder.at('all-walk.bvh'), folder.at('all-run.bvh')]);
    expect(clips.map(({ name }) => name)).toEqual(['walk', 'run']);
    await convertJson(gltf, folder.at('run.glb'), '--clip', 'run');
    const scene = await read(folder.at('run.glb'));
    expect(scene.characters[0]!.clips.map(({ name }) => name)).toEqual(['run']);
    const vrma = await convertJson(gltf, folder.at('both.vrma'));
    expect(vrma.clips).toHaveLength(2);
    expect((await read(folder.at('both.vrma'))).characters[0]!.clips.map(({ name }) => name)).toEqual([
      'walk',
      'run',
    ]);
  });

  it('keeps everything between the dresses of glTF', async () => {
    const girl = `${sampleFolder}characters/vrm-girl.vrm`;
    await convertJson(girl, folder.at('girl.glb'));
    const [before, after] = await Promise.all([read(girl), read(folder.at('girl.glb'))]);
    expect(after.format).toBe('vrm');
    expect(after.characters[0]!.skeleton).toEqual(before.characters[0]!.skeleton);
    expect(after.morphs).toEqual(before.morphs);
  });

  it('refuses in one sentence what cannot be', async () => {
    const cases: [string[], number, string][] = [
      [[bvh, folder.at('x.vrm')], 1, 'is no VRM'],
      [[bvh, folder.at('x.obj')], 2, '.obj files cannot be written'],
      [[bvh, folder.at('x.glb'), '--clip', 'no'], 2, 'has no such clip; it has'],
      [[bvh, bvh], 2, 'is the file that is read'],
      [[folder.at('nothing.bvh'), folder.at('x.glb')], 1, 'there is no such file'],
      [[`${sampleFolder}characters/goblin.glb`, folder.at('x.vrma')], 1, 'has no clips'],
      [[bvh, folder.at('no/where.glb')], 1, 'its folder is not there'],
    ];
    for (const [argv, code, sentence] of cases) {
      const run = await runCommand('convert', ...argv);
      expect([run.code, run.out], sentence).toEqual([code, '']);
      expect(run.err).toContain(sentence);
      expect(run.err.trim().split('\n').length, run.err).toBeLessThan(3);
    }
  });

  it('replaces a file only by force, and a dry run writes nothing', async () => {
    const out = await folder.put('taken.glb', 'precious');
    const refused = await runCommand('convert', bvh, out);
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect(refused.err).toContain('--force');
    expect(await readFile(out, 'utf8')).toBe('precious');
    const dry = await convertJson(bvh, folder.at('dry.glb'), '--dry-run');
    expect(dry.output).toBeNull();
    expect(existsSync(folder.at('dry.glb'))).toBe(false);
    const { output } = await convertJson(bvh, out, '--force');
    expect(output).toBe(out);
    const strict = await runCommand('convert', bvh, out, '--force', '--strict');
    expect([0, 3]).toContain(strict.code);
  });

  it('S22: converts many files into a folder, and one that fails does not keep the others from it', async () => {
    const broken = await folder.put('broken.bvh', 'HIERARCHY\nnonsense');
    const run = await runCommand(
      'convert',
      bvh,
      broken,
      gltf,
      '--out-dir',
      folder.at('many/deep'),
      '--to',
      '.fbx',
      '--json',
    );
    expect(run.code).toBe(1);
    expect(run.err).toContain('broken.bvh');
    const { files, failed } = JSON.parse(run.out) as {
      files: { input: string; output: string }[];
      failed: { input: string; error: string }[];
    };
    expect(files.map(({ input, output }) => [input, output])).toEqual([
      [bvh, folder.at('many/deep/walk.fbx')],
      [gltf, folder.at('many/deep/hero.fbx')],
    ]);
    expect(failed.map(({ input }) => input)).toEqual([broken]);
    expect(await worstBetween(bvh, folder.at('many/deep/walk.fbx'))).toBeLessThan(1e-3);
    const lines = await runCommand('convert', bvh, gltf, '--out-dir', folder.at('many'));
    expect([lines.code, lines.err]).toEqual([0, '']);
    expect(lines.out).toContain(folder.at('many/hero.glb'));
  });

  it('S22: gives a capture a stick figure that moves with it, and the names, scale and turn of a .rig', async () => {
    const plain = folder.at('plain.glb');
    const figure = folder.at('figure.glb');
    await convertJson(bvh, plain);
    await convertJson(bvh, figure, '--mesh');
    expect(await readMeshes(await read(plain))).toEqual([]);
    const scene = await read(figure);
    const [mesh] = await readMeshes(scene);
    const { skeleton } = scene.characters[0]!;
    const bones = skeleton.parents.filter((parent) => parent >= 0).length;
    expect(mesh!.triangles.length / 3).toBeGreaterThanOrEqual(8 * bones);
    // Every vertex is turned by one joint, and stands between it and what hangs on it.
    const model = modelPoseOf(skeleton, skeleton.rest);
    const height = createRig(skeleton, {}).space.height;
    mesh!.skin!.joints.forEach((joint, i) => {
      if (i % 4 !== 0) return;
      expect(mesh!.skin!.weights[i]).toBe(1);
      const inverse = mesh!.skin!.inverseBinds.slice(16 * joint, 16 * joint + 16);
      const v = mesh!.positions.slice((3 * i) / 4, (3 * i) / 4 + 3);
      const local = [0, 1, 2].map(
        (c) => inverse[c]! * v[0]! + inverse[4 + c]! * v[1]! + inverse[8 + c]! * v[2]! + inverse[12 + c]!,
      );
      const size = Math.hypot(...model.matrices.slice(16 * joint, 16 * joint + 3));
      expect(size * Math.hypot(...local)).toBeLessThan(0.6 * height);
    });
    const rig = await folder.put(
      'hero.rig',
      'mesh_rotate 0,90,0\nanim_scale 2\nmapping "Hero Pelvis"=mixamorig:Hips "Hero Neck" = mixamorig:Neck Tail=nobody\n',
    );
    const rigged = folder.at('rigged.glb');
    const said = await runCommand('convert', bvh, rigged, '--rig', rig);
    expect(said.out + said.err).toMatch(/the rig calls "nobody" "Tail"/);
    const turned = (await read(rigged)).characters[0]!;
    expect(turned.skeleton.names).toEqual(expect.arrayContaining(['Hero Pelvis', 'Hero Neck']));
    const before = (await read(plain)).characters[0]!;
    const places = [before, turned].map(({ skeleton: own, clips }) => {
      const { matrices } = modelPoseOf(own, poseAt(own, clips[0]!, 0.4));
      const joint = own.names.findIndex((name) => /LeftFoot$/.test(name));
      const hips = own.names.findIndex((name) => /Hips$|Pelvis$/.test(name));
      return [0, 1, 2].map((c) => matrices[16 * joint + 12 + c]! - matrices[16 * hips + 12 + c]!);
    });
    // A quarter turn about the vertical takes x to -z and z to x; what is twice as large is still a person.
    const [a, b] = places as [number[], number[]];
    const ratio = b[1]! / a[1]!;
    expect(b[0]).toBeCloseTo(ratio * a[2]!, 3);
    expect(b[2]).toBeCloseTo(-ratio * a[0]!, 3);
    const wrong = await folder.put('wrong.rig', 'anim_scale 1\nmesh_turn 3');
    const refused = await runCommand('convert', bvh, folder.at('no.glb'), '--rig', wrong);
    expect([refused.code, /wrong\.rig.*line 2/.test(refused.err)]).toEqual([1, true]);
    expect((await runCommand('convert', bvh, folder.at('no.fbx'), '--mesh')).err).toMatch(/stick figure/);
    const other = await runCommand('convert', gltf, folder.at('no.glb'), '--rig', rig);
    expect([other.code, /is no BVH/.test(other.err)]).toEqual([2, true]);
  });

  it('S22: a folder is for several files, and two of one name are refused before anything is written', async () => {
    const twin = await folder.put('other/walk.bvh', stickFigureBvh());
    const cases: [string[], string][] = [
      [[bvh], 'OUT is missing'],
      [[bvh, gltf, folder.at('x.glb')], 'several go into a folder, with --out-dir'],
      [[bvh, twin, '--out-dir', folder.at('never')], 'two of the files would become'],
      [[bvh, '--out-dir', folder.at('never'), '--to', 'obj'], '.obj files cannot be written'],
      [[bvh, folder.at('x.glb'), '--to', 'glb'], '--to is for --out-dir'],
      [[gltf, folder.at('x.glb'), '--flip-yz'], 'is no BVH: --flip-yz means nothing for it'],
      [[bvh, folder.at('x.glb'), '--euler', 'XXY'], 'Allowed choices are XYZ'],
    ];
    for (const [argv, sentence] of cases) {
      const run = await runCommand('convert', ...argv);
      expect([run.code, run.out], sentence).toEqual([2, '']);
      expect(run.err).toContain(sentence);
    }
    expect(existsSync(folder.at('never'))).toBe(false);
  });

  it('S22: --flip-yz turns what is along Z up, and --euler takes the angles in another order', async () => {
    const tree = (up: string, channels: string, values: string) =>
      `HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition ${channels}\nJOINT b\n{\nOFFSET ${up}\nCHANNELS 3 ${channels}\nEnd Site\n{\nOFFSET ${up}\n}\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n${values}\n`;
    const zxy = 'Zrotation Xrotation Yrotation';
    const lying = await folder.put('lying.bvh', tree('1 2 3', zxy, '4 5 6 10 20 30 40 50 60'));
    await convertJson(lying, folder.at('flipped.bvh'), '--flip-yz');
    const [before, after] = [await read(lying), await read(folder.at('flipped.bvh'))];
    const place = async (scene: typeof before) => {
      const { skeleton, clips } = scene.characters[0]!;
      return modelPoseOf(skeleton, poseAt(skeleton, clips[0]!, 0)).matrices.subarray(
        16 * 2 + 12,
        16 * 2 + 15,
      );
    };
    const [x, y, z] = await place(before);
    const flipped = [...(await place(after))];
    [x!, z!, -y!].forEach((wanted, c) => {
      expect(flipped[c]!).toBeCloseTo(wanted, 4);
    });
    // The same numbers under the names in another order: read in the first order they are the first file.
    const named = await folder.put(
      'named.bvh',
      tree('1 2 3', 'Xrotation Yrotation Zrotation', '4 5 6 20 30 10 50 60 40'),
    );
    expect([...(await place(await read(named)))]).not.toEqual([...(await place(before))]);
    await convertJson(named, folder.at('ordered.bvh'), '--euler', 'ZXY');
    const ordered = [...(await place(await read(folder.at('ordered.bvh'))))];
    [x!, y!, z!].forEach((wanted, c) => {
      expect(ordered[c]!).toBeCloseTo(wanted, 4);
    });
  });

  describe('our files, and real ones where they are', () => {
    test.each(
      present([
        'samples/captures/walk-cmu.bvh',
        'samples/captures/walk-lafan1.bvh',
        'samples/motions/jump.glb',
        'samples/formats/guy-walk.fbx',
        'cmu/02_01.bvh',
        'misc/viverse_walk.glb',
        'kaykit/Med_MovementBasic.glb',
        'misc/pybvh_test1.bvh',
      ]),
    )('%s through every format and back', async (file) => {
      const source = pathOf(file);
      const name = (await read(source)).characters[0]!.clips[0]!.name;
      for (const extension of ['glb', 'fbx', 'bvh']) {
        const out = folder.at(`real.${extension}`);
        await convertJson(source, out, '--force', '--clip', name);
        expect(await worstBetween(source, out), extension).toBeLessThan(1e-5);
      }
    });

    test.skipIf(!existsSync(dataFolder))(
      'a file without a skeleton: its clips are shown, it can be repacked but not taken elsewhere (needs ../shared/data)',
      async () => {
        const source = `${dataFolder}khronos/MorphStressTest.glb`;
        const shown = inspectSchema.parse(JSON.parse((await runCommand('inspect', source, '--json')).out));
        expect(shown.skeletons).toEqual([]);
        expect(shown.clips.length).toBeGreaterThan(0);
        expect(shown.clips[0]!.keys).toBeGreaterThan(0);
        const { clips } = await convertJson(source, folder.at('morphs.gltf'));
        expect(clips.length).toBe(shown.clips.length);
        expect((await read(folder.at('morphs.gltf'))).otherClips).toEqual((await read(source)).otherClips);
        const refused = await runCommand('convert', source, folder.at('morphs.bvh'));
        expect(refused.code).toBe(1);
        expect(refused.err).toContain('has no skeleton: a .bvh file could hold nothing of it');
      },
    );
  });
});

describe('convert with the character', () => {
  it('an FBX to GLB and back has its meshes and clips; .bvh and .vrma say that they hold motion alone', async () => {
    const fbx = `${sampleFolder}formats/guy-walk.fbx`;
    const glb = folder.at('carried-guy.glb');
    const back = folder.at('carried-guy.fbx');
    const there = await runCommand('convert', fbx, glb);
    expect([there.code, there.err]).toEqual([0, '']);
    expect(there.out).not.toContain('motion alone');
    expect((await runCommand('convert', glb, back)).code).toBe(0);
    const sizes = await Promise.all(
      [fbx, glb, back].map(async (file) =>
        (await readMeshes(await read(file))).map(({ triangles }) => triangles.length),
      ),
    );
    expect(sizes[0]!.length).toBeGreaterThan(1);
    expect(sizes[1]).toEqual(sizes[0]);
    expect(sizes[2]).toEqual(sizes[0]);
    for (const extension of ['bvh', 'vrma']) {
      const { out } = await runCommand('convert', fbx, folder.at(`carried-guy.${extension}`));
      expect(out).toContain(`A .${extension} file holds motion alone`);
    }
    const bare = await runCommand('convert', fbx, folder.at('carried-bare.glb'), '--animation-only');
    expect(bare.code).toBe(0);
    expect(await readMeshes(await read(folder.at('carried-bare.glb')))).toEqual([]);
  });
});
