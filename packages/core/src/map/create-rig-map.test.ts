import { describe, expect, it } from 'vitest';
import { retargetPlainly, setUpScenesPlainly } from '../../test/plainly.js';
import { andThen, type Reexpressed, withTwistJoint, worldMotion } from '../../test/reexpress.js';
import { type Figure, sceneOf, stickFigure, times, turn } from '../../test/stick-figure.js';
import { RetargetError, UsageError } from '../base/errors.js';
import { quaternionAngle } from '../base/math/quaternion.js';
import type { Rig } from '../body/rig.js';
import { createRig } from '../body/understand/create-rig.js';
import type { RigMapDocument } from '../options/rig-map-document.js';
import type { Clip } from '../scene/clip.js';
import { poseAt } from '../scene/clip.js';
import { findJoint, jointLabel } from '../scene/joint-names.js';
import { modelPoseOf } from '../scene/pose.js';
import { createSkeleton } from '../scene/skeleton.js';
import { createRigMap, rolesOfDocument, writeRigMapDocument } from './create-rig-map.js';
import { driverOf } from './rig-map.js';

type Body = ReturnType<typeof stickFigure>;
const rigOf = ({ skeleton, clips }: Pick<Body, 'skeleton' | 'clips'>): Rig => createRig(skeleton, { clips });
const mapOf = (source: Body, target: Body, document?: RigMapDocument) =>
  createRigMap(rigOf(source), rigOf(target), document);
const codes = (warnings: { code: string }[]) => warnings.map(({ code }) => code);

/** A clip that holds one pose: each given part turned, in its parent's axes, from rest. */
function holding(body: Body, turns: Record<string, Float64Array> = {}): Clip {
  return {
    name: 'hold',
    duration: 1,
    morphs: [],
    tracks: body.skeleton.names.map((_, joint) => {
      const part = Object.keys(turns).find((name) => body.jointOf(name) === joint);
      const rest = body.skeleton.rest.rotations.slice(4 * joint, 4 * joint + 4);
      const values = part ? times(turns[part]!, rest) : rest;
      return {
        joint,
        channel: 'rotation',
        interpolation: 'linear',
        times: Float32Array.of(0, 1),
        values: Float32Array.from([...values, ...values]),
      };
    }),
  };
}

describe('createRigMap', () => {
  it('pairs nothing with nothing', () => {
    const empty = { skeleton: createSkeleton('empty', []).skeleton, clips: [] };
    const { map } = createRigMap(rigOf(empty), rigOf(stickFigure()));
    expect(map.joints).toEqual([]);
    expect(() =>
      retargetPlainly(sceneOf({ ...empty, clips: stickFigure().clips }), sceneOf(stickFigure())),
    ).toThrow(RetargetError);
  });

  it('pairs every body part of two families, once, parents first, and surely', () => {
    const source = stickFigure({ fingers: true });
    const target = stickFigure({ fingers: true, names: 'unreal' });
    const { map, warnings } = mapOf(source, target);
    expect(map.joints.length).toBe(52);
    for (const pair of map.joints) {
      expect(driverOf(pair)).toBe(source.jointOf(pair.role!));
      expect(pair.target).toBe(target.jointOf(pair.role!));
      expect(pair.confidence).toBeGreaterThan(0.5);
    }
    expect(map.joints.every(({ target: t }, i) => i === 0 || t > map.joints[i - 1]!.target)).toBe(true);
    expect(map.unmapped).toEqual({ source: [], target: [] });
    expect(warnings).toEqual([]);
  });

  it('B2: what has no counterpart is left out with a reason, and no key is made for it', () => {
    const source = stickFigure({ fingers: true });
    const target = stickFigure({ names: 'unreal', toes: false, neck: 0 });
    const before = structuredClone(source.clips);
    const { clips, report } = retargetPlainly(sceneOf(source), sceneOf(target));
    const left = report.map.unmapped.source.map(({ joint }) => source.skeleton.names[joint]);
    expect(left).toContain('mixamorig:LeftHandIndex1');
    expect(left).toContain('mixamorig:LeftToeBase');
    for (const { reason } of report.map.unmapped.source) expect(reason).not.toBe('');
    const driven = new Set(report.map.joints.map((pair) => pair.target));
    for (const { joint } of clips[0]!.tracks) expect(driven.has(joint)).toBe(true);
    expect(clips[0]).not.toBe(source.clips[0]);
    expect(source.clips).toEqual(before);
  });

  it('pairs joints of one name without a role where what they hang on is paired', () => {
    const withTail = (of: Figure) => {
      const body = stickFigure(of);
      const { skeleton } = createSkeleton('tailed', [
        ...body.skeleton.names.map((name, i) => ({
          name,
          parent: body.skeleton.parents[i]!,
          translation: body.skeleton.rest.translations.slice(3 * i, 3 * i + 3),
        })),
        { name: 'Tail_1', parent: 0, translation: [0, 0, -0.1] },
        { name: 'bone_007', parent: 0, translation: [0, 0.1, -0.1] },
        { name: 'ik_hand', parent: 0, translation: [0, 0.1, 0.3] },
      ]);
      return rigOf({ skeleton, clips: [] });
    };
    const [source, target] = [withTail({}), withTail({ names: 'unreal' })];
    const { map } = createRigMap(source, target);
    const byName = (name: string) => target.skeleton.names.indexOf(name);
    const drivers = new Map(map.joints.map((pair) => [pair.target, driverOf(pair)]));
    expect(drivers.get(byName('Tail_1'))).toBe(source.skeleton.names.indexOf('Tail_1'));
    expect(drivers.has(byName('bone_007'))).toBe(false);
    expect(drivers.has(byName('ik_hand'))).toBe(false);
  });

  it('hips missing on one side: told, and nothing travels into the floor', () => {
    const source = stickFigure({ names: 'vrm' });
    const { skeleton: whole } = stickFigure({ names: 'vrm' });
    // Legs and torso are roots of their own: several roots, and nobody who plays the hips.
    const { skeleton } = createSkeleton(
      'headless',
      whole.names.slice(1).map((name, i) => ({
        name,
        parent: whole.parents[i + 1]! - 1,
        translation: [0, 1, 2].map(
          (c) =>
            whole.rest.translations[3 * i + 3 + c]! +
            (whole.parents[i + 1] === 0 ? whole.rest.translations[c]! : 0),
        ),
      })),
      { declared: whole.declared },
    );
    const { clips, report } = retargetPlainly(sceneOf(source), sceneOf({ skeleton, clips: [] }));
    expect(codes(report.warnings)).toContain('no-hips');
    expect(clips[0]!.tracks.every(({ values }) => values.every(Number.isFinite))).toBe(true);
  });
});

describe('chains of any length', () => {
  const LENGTHS = [1, 2, 3, 5];
  const NECKS = [0, 1, 2];
  const spines = LENGTHS.flatMap((m) => LENGTHS.map((n) => [m, n] as const));
  const necks = NECKS.flatMap((m) => NECKS.map((n) => [m, n] as const));

  it.each(spines)('R1, K16: %s spine joints onto %s: rest gives rest', (m, n) => {
    const source = stickFigure({ spine: m, names: 'unreal' });
    const target = stickFigure({ spine: n, names: 'mixamo', axes: 'boneY' });
    source.clips = [holding(source)];
    const { clips } = retargetPlainly(sceneOf(source), sceneOf(target));
    const pose = poseAt(target.skeleton, clips[0]!, 0.5);
    target.skeleton.names.forEach((_, joint) => {
      expect(
        quaternionAngle(pose.rotations, 4 * joint, target.skeleton.rest.rotations, 4 * joint),
      ).toBeLessThan(1e-5);
    });
  });

  it.each(spines)('K16: %s spine joints onto %s: the last has turned by all of it, none by more', (m, n) => {
    const source = stickFigure({ spine: m, names: 'unreal' });
    const target = stickFigure({ spine: n, names: 'mixamo' });
    const torso = ['spine', 'chest', 'upperChest', 'spine4', 'spine5'];
    source.clips = [
      holding(source, Object.fromEntries(torso.slice(0, m).map((part) => [part, turn([0, 1, 0], 60 / m)]))),
    ];
    const { clips } = retargetPlainly(sceneOf(source), sceneOf(target));
    const { rotations } = modelPoseOf(target.skeleton, poseAt(target.skeleton, clips[0]!, 0.5));
    const angles = torso
      .slice(0, n)
      .map(
        (part) =>
          2 * Math.atan2(rotations[4 * target.jointOf(part) + 1]!, rotations[4 * target.jointOf(part) + 3]!),
      )
      .map((angle) => (angle * 180) / Math.PI);
    expect(angles[n - 1]).toBeCloseTo(60, 3);
    // Rising along the chain: shared out, or folded into those that are there.
    angles.forEach((angle, i) => {
      expect(angle).toBeGreaterThan((angles[i - 1] ?? 0) - 1e-3);
    });
    if (m === 1 || m === n)
      for (const [i, angle] of angles.entries()) expect(angle).toBeCloseTo((60 * (i + 1)) / n, 3);
  });

  it.each(necks)('R1: %s neck joints onto %s: rest gives rest, and the head turns as far', (m, n) => {
    const source = stickFigure({ neck: m, names: 'unreal' });
    const target = stickFigure({ neck: n, names: 'unreal', axes: 'boneX' });
    source.clips = [holding(source), { ...holding(source, { head: turn([0, 1, 0], 50) }), name: 'look' }];
    const { clips } = retargetPlainly(sceneOf(source), sceneOf(target));
    const rest = modelPoseOf(target.skeleton, target.skeleton.rest).rotations;
    const [still, look] = clips.map(
      (clip) => modelPoseOf(target.skeleton, poseAt(target.skeleton, clip, 0.5)).rotations,
    );
    const head = 4 * target.jointOf('head');
    expect(quaternionAngle(still!, head, rest, head)).toBeLessThan(1e-5);
    expect((quaternionAngle(look!, head, rest, head) * 180) / Math.PI).toBeCloseTo(50, 3);
  });
});

describe('limbs in parts', () => {
  const split = (): Reexpressed => {
    const figure = stickFigure({ kneeBend: 20 });
    let body = withTwistJoint(figure, figure.jointOf('leftLowerLeg'), true);
    const elbow = body.places[figure.jointOf('leftLowerArm')]!;
    body = andThen(body, (of) => withTwistJoint(of, elbow, true));
    return body;
  };

  it('the part next to the knee drives, the bone still begins at the hip', () => {
    const source = split();
    const target = stickFigure({ names: 'unreal' });
    const { map } = createRigMap(rigOf(source), rigOf(target));
    const thigh = map.joints.find(({ role }) => role === 'leftUpperLeg')!;
    expect(thigh.sources.map((joint) => source.skeleton.names[joint])).toEqual([
      'mixamorig:LeftUpLeg',
      'mixamorig:LeftUpLeg_twist',
    ]);
  });

  it('moves a target with bent knees as the limb in one does', () => {
    const target = stickFigure({ names: 'unreal', kneeBend: 40 });
    const joints = target.skeleton.names.map((_, i) => i);
    const motion = (source: Pick<Body, 'skeleton' | 'clips'>) =>
      worldMotion(
        target.skeleton,
        retargetPlainly(sceneOf(source), sceneOf(target)).clips[0]!,
        [0, 0.2, 0.5, 0.8],
        joints,
      );
    const whole = motion(stickFigure({ kneeBend: 20 }));
    motion(split()).forEach((value, i) => {
      expect(value).toBeCloseTo(whole[i]!, 4);
    });
  });

  it('a part that has a namesake on the target drives that one instead', () => {
    const source = stickFigure({ twist: true });
    const target = stickFigure({ twist: true, size: 0.9 });
    const { map } = mapOf(source, target);
    const twist = target.jointOf('leftUpperArmTwist');
    expect(driverOf(map.joints.find((pair) => pair.target === twist)!)).toBe(
      source.jointOf('leftUpperArmTwist'),
    );
    const arm = map.joints.find(({ role }) => role === 'leftUpperArm')!;
    expect(driverOf(arm)).toBe(source.jointOf('leftUpperArm'));
  });
});

describe('map documents', () => {
  const source = stickFigure({ spine: 5, names: 'unreal', twist: true });
  const target = stickFigure({ spine: 2, fingers: true });
  const { map } = mapOf(source, target);
  const document = writeRigMapDocument(map, rigOf(source), rigOf(target));
  const takeBack = (changed: RigMapDocument) =>
    setUpScenesPlainly(sceneOf(source), sceneOf(target), { map: changed });

  it('come back as the same map, and give the same motion', () => {
    const json = JSON.parse(JSON.stringify(document)) as RigMapDocument;
    const { setup } = takeBack(json);
    const essence = (m: typeof map) =>
      m.joints.map(({ target: t, sources, share, role }) => ({ target: t, sources, share, role }));
    expect(essence(setup.map)).toEqual(essence(map));
    const values = (options: { map?: RigMapDocument }) =>
      retargetPlainly(sceneOf(source), sceneOf(target), options).clips[0]!.tracks.map((track) => [
        ...track.values,
      ]);
    expect(values({ map: json })).toEqual(values({}));
  });

  it('one line changed changes that joint alone', () => {
    const changed = structuredClone(document);
    const line = changed.joints!.find(({ role }) => role === 'leftLowerArm')!;
    line.sources = ['hand_l'];
    delete line.role;
    const { setup } = takeBack(changed);
    const drivers = (m: typeof map) => m.joints.map(driverOf);
    const difference = drivers(setup.map).filter((driver, i) => driver !== drivers(map)[i]);
    expect(difference).toEqual([source.jointOf('leftHand')]);
  });

  it('names that are not there are told, and cost only their own line', () => {
    const changed = structuredClone(document);
    changed.joints![0] = { target: 'nobody', sources: ['pelvis'] };
    changed.joints![1]!.sources = ['nothing'];
    const { setup, warnings } = takeBack(changed);
    expect(setup.map.joints.length).toBe(map.joints.length - 2);
    expect(codes(warnings).filter((code) => code === 'map-entry-ignored').length).toBe(2);
  });

  it('two lines for one joint: the last is used, and it is said', () => {
    const changed = structuredClone(document);
    changed.joints!.push({ target: 'mixamorig:Head', sources: ['pelvis'] });
    const { setup, warnings } = takeBack(changed);
    const head = setup.map.joints.find((pair) => pair.target === target.jointOf('head'))!;
    expect(driverOf(head)).toBe(source.jointOf('hips'));
    expect(codes(warnings)).toContain('several-drivers');
  });

  it('M6: without roles limbs are aligned and corrected all the same, by what the joints are known to be', () => {
    const bent = stickFigure({ arms: 'A', size: 0.8 });
    const found = mapOf(source, bent).map;
    const bare = writeRigMapDocument(found, rigOf(source), rigOf(bent));
    for (const entry of bare.joints!) delete entry.role;
    const { setup } = setUpScenesPlainly(sceneOf(source), sceneOf(bent), { map: bare });
    expect(setup.map.joints.map(({ role }) => role)).toEqual(found.joints.map(({ role }) => role));
    expect(setup.alignment.limbs.leftArm?.mode).toBe('bones');
    // One side knows: that is what both are. The two sides contradict: nobody knows.
    const nameless = stickFigure({ names: 'number', without: ['leftUpperLeg', 'rightUpperLeg', 'head'] });
    const label = (body: Body, part: string) => body.skeleton.names[body.jointOf(part)]!;
    const pairs: [string, string][] = [
      ['spine', 'hips'],
      ['leftUpperArm', 'leftUpperArm'],
      ['rightUpperArm', 'leftUpperArm'],
    ];
    const joints = (to: Body) =>
      pairs.map(([part, from]) => ({ target: label(to, part), sources: [label(source, from)] }));
    const roles = (to: Body) =>
      mapOf(source, to, { version: 1, joints: joints(to) })
        .map.joints.sort((a, b) => a.target - b.target)
        .map(({ role }) => role);
    expect(roles(bent)).toEqual(['spine', 'leftUpperArm', null]);
    expect(roles(nameless)[0]).toBe('hips');
  });

  it('roles for names that mean nothing', () => {
    const nameless = stickFigure({ names: 'number' });
    const roles = Object.fromEntries(
      ['hips', 'spine', 'head', 'leftUpperArm', 'leftLowerArm', 'rightUpperArm', 'rightLowerArm'].map(
        (part) => [part, nameless.skeleton.names[nameless.jointOf(part)]!],
      ),
    );
    const { report } = retargetPlainly(sceneOf(source), sceneOf(nameless), { map: { version: 1, roles } });
    expect(report.map.joints.map(({ role }) => role)).toContain('leftLowerArm');
    expect(() => rolesOfDocument({ version: 1, roles: { nose: 'x' } }, nameless.skeleton, 'target')).toThrow(
      UsageError,
    );
  });

  it('a joint is found by the name that a loader has made of its own, where only one is meant', () => {
    const names = ['mixamorig:Hips', 'Bip01 L Arm', 'Bone.001', 'a.b', 'a:b', ''];
    const { skeleton } = createSkeleton(
      'loaded',
      names.map((name, n) => ({ name, parent: n - 1 })),
    );
    const labels = ['mixamorigHips', 'Bip01_L_Arm', 'Bone001', 'Bone:001', 'a.b', 'a:b', 'ab', 'Hips'];
    expect(labels.map((label) => findJoint(skeleton, label))).toEqual([0, 1, 2, 2, 3, 4, null, null]);
    // The other way round: what was written down for a file, on bones that three.js has loaded.
    const { skeleton: loaded } = createSkeleton('three', [{ name: 'mixamorigHips', parent: -1 }]);
    expect(findJoint(loaded, 'mixamorig:Hips')).toBe(0);
  });

  it('joints of one name, or of none, are told apart by their index in the file', () => {
    const { skeleton } = createSkeleton('twins', [
      { name: 'a', parent: -1, fileIndex: 7 },
      { name: 'a', parent: 0, fileIndex: 9 },
      { name: '', parent: 0, fileIndex: 3 },
      { name: 'b@2', parent: 0, fileIndex: 4 },
    ]);
    const labels = skeleton.names.map((_, joint) => jointLabel(skeleton, joint));
    expect(labels).toEqual(['a@7', 'a@9', '@3', 'b@2']);
    expect(labels.map((label) => findJoint(skeleton, label))).toEqual([0, 1, 2, 3]);
    for (const wrong of ['a@3', 'c', '@', 'a@', '']) expect(findJoint(skeleton, wrong), wrong).not.toBe(1);
  });
});

describe('joints that are merely numbered', () => {
  /** A hand as WebXR has it: all joints beside each other under one node. */
  const flatHand = (numbers: readonly number[], mirrored: boolean) => {
    const side = mirrored ? -1 : 1;
    const joints = numbers.map((number, n) => ({
      name: `joint_${number}`,
      parent: 0,
      translation: [side * 0.02 * (n % 5), 0.01 * (n % 3), 0.03 * Math.floor(n / 5)],
    }));
    const { skeleton } = createSkeleton('hand', [{ name: 'hand', parent: -1, flags: 0 }, ...joints]);
    return createRig(skeleton);
  };
  const order = Array.from({ length: 20 }, (_, n) => n);
  const shuffled = order.map((n) => (7 * n) % 20);

  it('are not one family for hanging on one node alike', () => {
    const { map } = createRigMap(flatHand(order, false), flatHand(shuffled, false));
    expect(map.joints.filter(({ reason }) => reason === 'same name')).toEqual([]);
  });

  it('are one family where the same numbers stand at the same places', () => {
    const { map } = createRigMap(flatHand(order, false), flatHand(order, false));
    expect(map.joints.filter(({ reason }) => reason === 'same name')).toHaveLength(20);
  });
});
