import {
  type Clip,
  conjugateQuaternion,
  copyPose,
  createModelPose,
  createRetargeter,
  driverOf,
  LIMBS,
  localToModel,
  multiplyQuaternions,
  type PassName,
  quaternionAngle,
  RetargetError,
  retargetFrames,
  type Scene,
  type Setup,
  sampleClip,
} from '@stuntdouble/core/engine';
import { read, readMeshes, writeBytes } from '@stuntdouble/formats';
import { describe, expect, it } from 'vitest';
import { retargetPlainly, setUpScenesPlainly } from '../../core/test/plainly.js';
import { pathOf, present } from './data-files.js';

const file = (name: string) => read(pathOf(name));
const turns: readonly PassName[] = ['copyRotations'];
const keep = Object.fromEntries(LIMBS.map((limb) => [limb, 'keep' as const]));

const at = (q: Float64Array, joint: number) => q.slice(4 * joint, 4 * joint + 4);
const inverse = (q: Float64Array) => {
  const out = new Float64Array(4);
  conjugateQuaternion(out, 0, q, 0);
  return out;
};
/** The product of turns, first to last. */
const product = (...list: Float64Array[]) =>
  list.reduce((a, b) => {
    const out = new Float64Array(4);
    multiplyQuaternions(out, 0, a, 0, b, 0);
    return out;
  });
const degreesBetween = (a: Float64Array, b: Float64Array) => (quaternionAngle(a, 0, b, 0) * 180) / Math.PI;

/** Two joints that are no body. */
const LEVER = `HIERARCHY
ROOT lever
{
  OFFSET 0 0 0
  CHANNELS 3 Zrotation Xrotation Yrotation
  JOINT knob
  {
    OFFSET 0 1 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 1 0
    }
  }
}
MOTION
Frames: 1
Frame Time: 0.04
0 0 0 0 0 0
`;

/** Poses of the clip's first eight instants, evenly. */
function* instants(setup: Setup, clip: Clip) {
  const pose = copyPose(setup.source.skeleton.rest);
  for (let k = 0; k < 8; k++) {
    const time = (k * clip.duration) / 7;
    sampleClip(pose, clip, time);
    const model = createModelPose(setup.source.skeleton.names.length);
    localToModel(model, setup.source.skeleton, pose);
    yield { time, pose, model };
  }
}

const PAIRS = present([
  ['samples/motions/walk.glb', 'samples/characters/vrm-girl.vrm'],
  ['samples/formats/guy-walk.fbx', 'samples/characters/vrm0-sister.vrm'],
  ['samples/captures/walk-cmu.bvh', 'samples/characters/knight.glb'],
  ['misc/viverse_walk.glb', 'mesh2motion/human-female.glb'],
  ['rocketbox/f_walk_fast_02.max.fbx', '100avatars/100Avatars_003_Jimmy.vrm'],
  ['cmu/49_06.bvh', 'kaykit/Knight.glb'],
] as const);

describe('the seeds’ formulas', () => {
  for (const [from, to] of PAIRS) {
    it(`W16: ${from} on ${to}: live is two constants a joint, and what is baked is the same`, async () => {
      const [source, target] = [await file(from), await file(to)];
      const { setup } = setUpScenesPlainly(source, target, {});
      const clip = source.characters[0]!.clips[0]!;
      const baked = retargetFrames(setup, clip, turns, {}).clip;
      const live = createRetargeter(setup, { passes: turns });
      const R = setup.sourceReference.rotations;
      const A = setup.alignment.model.rotations;
      const [sourceParents, targetParents] = [setup.source.skeleton.parents, setup.target.skeleton.parents];
      const drivers = new Map(setup.map.joints.map((pair) => [pair.target, pair]));
      const held = copyPose(setup.alignment.pose);
      let compared = 0;
      for (const { time, pose } of instants(setup, clip)) {
        const now = live.update(pose).rotations;
        sampleClip(held, baked, time);
        for (const pair of setup.map.joints) {
          const [s, t] = [driverOf(pair), pair.target];
          // Between two keys a bake goes straight; float32 keys.
          expect(degreesBetween(at(held.rotations, t), at(now, t))).toBeLessThan(0.05);
          const [ps, pt] = [sourceParents[s]!, targetParents[t]!];
          const above = drivers.get(pt);
          if (pair.share || !above || above.share || driverOf(above) !== ps) continue;
          // L_t = (P_t⁻¹ · P_s) · L_s · (W_s⁻¹ · W_t), all four of the references.
          const pre = product(inverse(at(A, pt)), at(R, ps));
          const post = product(inverse(at(R, s)), at(A, t));
          const local = product(pre, at(pose.rotations, s), post);
          expect(degreesBetween(local, at(now, t))).toBeLessThan(1e-4);
          compared++;
        }
      }
      expect(compared).toBeGreaterThan(8 * 8);
    });

    it(`K13: ${from} on ${to}: newLocal = parent⁻¹ · SM · OM⁻¹, with references left as they are`, async () => {
      const [source, target] = [await file(from), await file(to)];
      const { setup } = setUpScenesPlainly(source, target, { alignment: keep });
      const clip = source.characters[0]!.clips[0]!;
      const live = createRetargeter(setup, { passes: turns });
      const model = createModelPose(setup.target.skeleton.names.length);
      const R = setup.sourceReference.rotations;
      const OM = (() => {
        const pose = createModelPose(setup.target.skeleton.names.length);
        localToModel(pose, setup.target.skeleton, setup.target.reference.pose);
        return pose.rotations;
      })();
      let [compared, moved] = [0, 0];
      for (const { pose, model: now } of instants(setup, clip)) {
        const result = live.update(pose);
        localToModel(model, setup.target.skeleton, result);
        for (const pair of setup.map.joints) {
          const parent = setup.target.skeleton.parents[pair.target]!;
          if (pair.share || parent < 0) continue;
          // Eq. 5 as corrected: of several merged joints the last one's turn and the last one's bind.
          const s = driverOf(pair);
          expect(s).toBe(pair.sources.at(-1));
          const SM = product(at(now.rotations, s), inverse(at(R, s)));
          const local = product(inverse(at(model.rotations, parent)), SM, at(OM, pair.target));
          expect(degreesBetween(local, at(result.rotations, pair.target))).toBeLessThan(1e-4);
          moved = Math.max(moved, degreesBetween(at(now.rotations, s), at(R, s)));
          compared++;
        }
      }
      expect(compared).toBeGreaterThan(8 * 12);
      expect(moved).toBeGreaterThan(20);
    });
  }

  it('K13: where both rest alike, leaving references as they are and aligning them is one', async () => {
    const [walk, mannequin] = [
      await file('samples/motions/walk.glb'),
      await file('samples/characters/mixamo-guy.glb'),
    ];
    // Another name for one joint: two skeletons that are one would be taken over whole.
    const { skeleton } = mannequin.characters[0]!;
    const renamed: Scene = {
      ...mannequin,
      characters: [
        {
          skeleton: {
            ...skeleton,
            names: skeleton.names.map((n) => (n === 'mixamorig:HeadTop_End' ? 'Crown' : n)),
          },
          clips: [],
        },
      ],
    };
    const poses = [{}, { alignment: keep }].map((options) => {
      const { setup } = setUpScenesPlainly(walk, renamed, options);
      const live = createRetargeter(setup, { passes: turns });
      return [...instants(setup, walk.characters[0]!.clips[0]!)].map(({ pose }) =>
        live.update(pose).rotations.slice(),
      );
    });
    poses[0]!.forEach((rotations, k) => {
      for (let i = 0; i < rotations.length; i += 4)
        expect((quaternionAngle(rotations, i, poses[1]![k]!, i) * 180) / Math.PI).toBeLessThan(0.05);
    });
  });

  it('W16: where nothing could be mapped it is said, with what was recognised', async () => {
    const walk = await file('samples/motions/walk.glb');
    const simple = await read(new TextEncoder().encode(LEVER));
    expect(() => retargetPlainly(walk, simple)).toThrow(RetargetError);
    expect(() => retargetPlainly(walk, simple)).toThrow(/no joint of ".*" could be matched .* give a map/);
    expect(() => setUpScenesPlainly(walk, simple, {})).toThrow(RetargetError);
  });

  it('W17: source and target come from different files, and a baked clip needs neither of them', async () => {
    const [source, target] = [
      await file('samples/captures/walk-cmu.bvh'),
      await file('samples/characters/knight.glb'),
    ];
    const result = retargetPlainly(source, target, { measure: false });
    const clip = result.clips[0]!;
    const before = structuredClone(clip);
    const { bytes } = await writeBytes('glb', result, { replace: true });
    // The source is gone: every number of it that could be shared.
    for (const { clips, skeleton } of source.characters) {
      for (const { tracks } of clips) for (const track of tracks) track.values.fill(Number.NaN);
      for (const store of Object.values(skeleton.rest)) store.fill(Number.NaN);
    }
    expect(clip).toEqual(before);
    const [{ skeleton, clips }] = (await read(bytes)).characters as [Scene['characters'][0]];
    expect(clips).toHaveLength(1);
    const [a, b] = [copyPose(skeleton.rest), copyPose(target.characters[0]!.skeleton.rest)];
    for (let k = 0; k <= 5; k++) {
      sampleClip(a, clips[0]!, (k * clip.duration) / 5);
      sampleClip(b, before, (k * clip.duration) / 5);
      for (let i = 0; i < b.rotations.length; i += 4)
        expect(quaternionAngle(a.rotations, i, b.rotations, i)).toBeLessThan(1e-5);
    }
  });

  it('K25: a bake has the source’s name, length and key times, goes out with the mesh, and comes back', async () => {
    const [source, target] = [
      await file('samples/motions/walk.glb'),
      await file('samples/characters/knight.glb'),
    ];
    const own = source.characters[0]!.clips[0]!;
    const result = retargetPlainly(source, target, { keys: 'bake', corrections: 'auto', measure: false });
    const [clip] = result.clips;
    expect([clip!.name, clip!.duration]).toEqual([own.name, own.duration]);
    const times = new Set(clip!.tracks.flatMap(({ times }) => [...times]));
    for (const { joint, times: keys } of own.tracks)
      if (result.report.map.joints.some((pair) => driverOf(pair) === joint))
        for (const time of keys) expect(times.has(time)).toBe(true);
    const { bytes } = await writeBytes('glb', result, { replace: true });
    const back = await read(bytes);
    expect(back.characters[0]!.skeleton.names).toEqual(target.characters[0]!.skeleton.names);
    const [before, after] = [await readMeshes(target), await readMeshes(back)];
    expect(after.map(({ name }) => name)).toEqual(before.map(({ name }) => name));
    expect(after.some(({ skin }) => skin !== null)).toBe(true);
    after.forEach(({ positions, triangles, skin }, n) => {
      expect(positions).toEqual(before[n]!.positions);
      expect(triangles).toEqual(before[n]!.triangles);
      expect(skin?.inverseBinds).toEqual(before[n]!.skin?.inverseBinds);
    });
    const [written] = back.characters[0]!.clips;
    const sorted = (tracks: Clip['tracks']) =>
      tracks.map(({ joint, channel, values }) => `${joint} ${channel} ${values.join()}`).sort();
    expect(sorted(written!.tracks)).toEqual(sorted(clip!.tracks));
  });
});
