import { type Clip, copyPose, driverOf, modelPoseOf, type Scene, sampleClip } from '@stuntdouble/core';
import { read, writeBytes } from '@stuntdouble/formats';
import { expect, it } from 'vitest';
import { retargetPlainly, setUpScenesPlainly } from '../../core/test/plainly.js';
import { DATA_FOLDER, describeData } from './data-files.js';

const file = (name: string) => read(DATA_FOLDER + name);
const bare = {
  measure: false,
  wholeBody: true,
  passes: ['copyRotations', 'moveJoints', 'moveRoot'],
} as const;

/** Mean distance of mapped joints between two clips of a target, hips laid on each other, in heights. */
function meanDistance(setup: ReturnType<typeof setUpScenesPlainly>['setup'], a: Clip, b: Clip): number {
  const { skeleton, space } = setup.target;
  const hips = setup.travel!.target;
  let sum = 0;
  let count = 0;
  for (let k = 0; k <= 10; k++) {
    const [p, q] = [a, b].map((clip) => {
      const pose = copyPose(skeleton.rest);
      sampleClip(pose, clip, (clip.duration * k) / 10);
      const m = modelPoseOf(skeleton, pose).matrices;
      return (joint: number) => [12, 13, 14].map((c) => m[16 * joint + c]! - m[16 * hips + c]!);
    });
    for (const { target } of setup.map.joints) {
      const [x, y] = [p!(target), q!(target)];
      sum += Math.hypot(x[0]! - y[0]!, x[1]! - y[1]!, x[2]! - y[2]!);
      count++;
    }
  }
  return sum / count / space.height;
}

describeData('every channel of real files (needs ../shared/data)', () => {
  it('WP6: a wolf that has a fox’s motion is where the wolf of the same clip is, four times closer than by turns alone', async () => {
    const [fox, wolf] = [await file('quaternius/Fox.glb'), await file('quaternius/Wolf.glb')];
    const truth = wolf.characters[0]!.clips;
    const off = (translations?: 'rest') => {
      const options = { ...bare, ...(translations && { translations }) };
      const { setup } = setUpScenesPlainly(fox, wolf, options);
      const { clips } = retargetPlainly(fox, wolf, options);
      const pairs = clips.flatMap((clip) =>
        truth.filter(({ name }) => name === clip.name).map((own) => [clip, own] as const),
      );
      expect(pairs.length).toBeGreaterThan(8);
      return pairs.reduce((sum, [a, b]) => sum + meanDistance(setup, a, b), 0) / pairs.length;
    };
    const moved = off();
    expect(moved).toBeLessThan(0.012);
    expect(off('rest')).toBeGreaterThan(3 * moved);
  });

  it('a face that is moved, not turned, moves on another face of the same names', async () => {
    const [cheer, man] = [
      await file('rocketbox/f_cheer_03.max.fbx'),
      await file('rocketbox/Male_Adult_18.fbx'),
    ];
    const { clips } = retargetPlainly(cheer, man, bare);
    const { skeleton } = man.characters[0]!;
    const moved = clips[0]!.tracks
      .filter(({ channel }) => channel === 'translation')
      .map(({ joint }) => skeleton.names[joint]!);
    expect(moved.filter((name) => /Lip|Mouth|Blink|Masseter/.test(name)).length).toBeGreaterThan(4);
    for (const name of ['Bip01 L Thigh', 'Bip01 L UpperArm', 'Bip01 L Foot'])
      expect(moved).not.toContain(name);
  });

  it('scale-animated files: both bodies grow by the same factors, by keys and by frames', async () => {
    const mannequin = await file('misc/mannequiny-0.3.0.glb');
    const chain = await file('ufbx/maya_anim_no_inherit_scale_7700_ascii.fbx');
    for (const scene of [mannequin, chain] as Scene[]) {
      // Another body: the same with other names' worth of rest, here every joint of half the size.
      const { skeleton, clips } = scene.characters[0]!;
      const rest = copyPose(skeleton.rest);
      rest.scales.forEach((scale, i) => {
        rest.scales[i] = scale * (i < 3 ? 0.5 : 1);
      });
      const other: Scene = {
        ...scene,
        name: 'half',
        characters: [{ skeleton: { ...skeleton, rest }, clips: [] }],
      };
      const { setup } = setUpScenesPlainly(scene, other, {});
      const clip = clips.find(({ tracks }) => tracks.some(({ channel }) => channel === 'scale'))!;
      for (const keys of ['auto', 'bake'] as const) {
        const result = retargetPlainly(scene, other, { ...bare, clips: [clip.name], keys }).clips[0]!;
        let largest = 0;
        for (let k = 0; k <= 8; k++) {
          const [a, b] = [copyPose(skeleton.rest), copyPose(rest)];
          sampleClip(a, clip, (clip.duration * k) / 8);
          sampleClip(b, result, (clip.duration * k) / 8);
          for (const pair of setup.map.joints) {
            if (pair.share) continue;
            for (let c = 0; c < 3; c++) {
              const [s, t] = [3 * driverOf(pair) + c, 3 * pair.target + c];
              const grown = a.scales[s]! / skeleton.rest.scales[s]!;
              expect(b.scales[t]! / rest.scales[t]!).toBeCloseTo(grown, 4);
              largest = Math.max(largest, Math.abs(grown - 1));
            }
          }
        }
        expect(largest).toBeGreaterThan(0.02);
      }
    }
  });

  it('B4: morph and skeleton in one clip: weights arrive as they were, on the other robot’s faces', async () => {
    const robot = await file('threejs/RobotExpressive.glb');
    const renamed = { ...robot, name: 'another' };
    const { clips, report } = retargetPlainly(robot, renamed, { measure: false });
    const before = robot.characters.flatMap((one) => one.clips);
    for (const clip of clips)
      expect(clip.morphs).toEqual(
        before.find(({ name, morphs }) => name === clip.name && morphs.length === clip.morphs.length)!.morphs,
      );
    expect(clips.some(({ morphs }) => morphs.length > 0)).toBe(true);
    expect(report.warnings.filter(({ code }) => code === 'morph-dropped')).toEqual([]);
  });

  it('morph-only files go from mesh to mesh and into the file', async () => {
    const faces = await file('khronos/MorphStressTest.glb');
    const { clips, report, scene, character } = retargetPlainly(faces, { ...faces, name: 'other' });
    expect(clips.map(({ morphs }) => morphs)).toEqual(faces.otherClips!.map(({ morphs }) => morphs));
    expect(report.warnings.filter(({ code }) => code === 'morph-dropped')).toEqual([]);
    const { bytes } = await writeBytes('glb', { scene, character, clips }, { replace: true });
    const back = await read(bytes);
    expect(
      back.otherClips!.map(({ morphs }) => morphs.map(({ morph, values }) => [morph, [...values]])),
    ).toEqual(faces.otherClips!.map(({ morphs }) => morphs.map(({ morph, values }) => [morph, [...values]])));
    const robot = await file('threejs/RobotExpressive.glb');
    expect(() => retargetPlainly(faces, robot)).toThrow(/morph/);
    const onto = retargetPlainly(faces, robot, { morphs: { 'Key 1': 'Angry' } });
    expect(onto.clips.some(({ morphs }) => morphs.some(({ morph }) => morph === 'Angry'))).toBe(true);
  });

  it('VRM expressions: a VRM animation smiles on a VRM 0.x, and speaks on one that cannot smile if told so', async () => {
    const smile = await file('vrm/test.vrma');
    const weights = smile.characters[0]!.clips[0]!.morphs[0]!.values;
    const body = await file('vrm/EmissionMigration_v0.107.0.vrm');
    const [happy] = retargetPlainly(smile, body, { measure: false }).clips[0]!.morphs;
    expect([happy!.mesh, happy!.morph, happy!.values]).toEqual(['', 'happy', weights]);
    const jimmy = await file('100avatars/100Avatars_003_Jimmy.vrm');
    const none = retargetPlainly(smile, jimmy, { measure: false });
    expect(none.clips[0]!.morphs).toEqual([]);
    expect(none.report.warnings.find(({ code }) => code === 'morph-dropped')!.message).toMatch('"happy"');
    const [says] = retargetPlainly(smile, jimmy, { measure: false, morphs: { happy: 'aa' } }).clips[0]!
      .morphs;
    expect([says!.morph, says!.values]).toEqual(['aa', weights]);
  });
});
