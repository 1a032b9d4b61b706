import { describe, expect, it } from 'vitest';
import { sceneOf, stickFigure, times, turn } from '../../test/stick-figure.js';
import { type Strand, withStrands } from '../../test/strands.js';
import { rotateVector } from '../base/math/quaternion.js';
import { retarget } from '../retarget.js';
import { createRetargeter } from '../retargeter.js';
import type { Clip, Track } from '../scene/clip.js';
import { sampleClip } from '../scene/clip.js';
import { copyPose, modelPoseOf, type Pose } from '../scene/pose.js';
import type { Character } from '../scene/scene.js';
import type { Skeleton } from '../scene/skeleton.js';
import { isStill } from '../scene/still-track.js';
import { setUpScenes } from '../setup/set-up-scenes.js';

const mover = stickFigure({ arms: 'T' });

/** A body that walks ahead while it turns, bows, lifts an arm and a leg. */
function danceOf({ skeleton }: Character): Clip {
  const instants = Float32Array.from({ length: 13 }, (_, k) => k / 12);
  const turning = (part: string, axis: [number, number, number], degrees: number): Track => {
    const joint = mover.jointOf(part);
    const rest = skeleton.rest.rotations.slice(4 * joint, 4 * joint + 4);
    const keys = Array.from(instants, (t) => [...times(turn(axis, degrees * Math.sin(3 * t)), rest)]);
    return {
      joint,
      channel: 'rotation',
      interpolation: 'linear',
      times: instants,
      values: Float32Array.from(keys.flat()),
    };
  };
  const hips = mover.jointOf('hips');
  const [x, y, z] = skeleton.rest.translations.subarray(3 * hips, 3 * hips + 3);
  return {
    name: 'dance',
    duration: 1,
    morphs: [],
    tracks: [
      {
        joint: hips,
        channel: 'translation',
        interpolation: 'linear',
        times: instants,
        values: Float32Array.from(Array.from(instants, (t) => [x! + 0.2 * t, y! - 0.1 * t, z! + t]).flat()),
      },
      turning('hips', [0, 1, 0], 80),
      turning('spine', [1, 0, 0], 30),
      turning('rightUpperArm', [0, 0, 1], 60),
      turning('rightLowerArm', [0, 1, 0], 50),
      turning('leftUpperLeg', [1, 0, 0], -50),
      turning('leftLowerLeg', [1, 0, 0], 70),
    ],
  };
}

function turnVector(q: ArrayLike<number>, v: [number, number, number]): Float64Array {
  const out = Float64Array.from(v);
  rotateVector(out, 0, Float64Array.from(q), 0, out, 0);
  return out;
}

const source = sceneOf({ ...mover, clips: [danceOf(mover)] }, 'source');
const model = (skeleton: Skeleton, pose: Pose) => modelPoseOf(skeleton, pose);

function bodyWith(strands: readonly Strand[], figure = {}) {
  const body = stickFigure({ names: 'unreal', arms: 'A', ...figure });
  const scene = sceneOf(withStrands(body, strands), 'target');
  return { scene, skeleton: scene.characters[0]!.skeleton, partOf: (part: string) => body.jointOf(part) };
}

/** How far a joint is from where a carrier takes it, and by how much it is turned otherwise, at most. */
function looseness(skeleton: Skeleton, joint: number, carrier: number, poses: readonly Pose[]) {
  const seen = (pose: Pose) => {
    const { matrices, rotations } = model(skeleton, pose);
    const way = [0, 1, 2].map((c) => matrices[16 * joint + 12 + c]! - matrices[16 * carrier + 12 + c]!);
    const m = matrices.subarray(16 * carrier, 16 * carrier + 12);
    const size = Math.hypot(m[0]!, m[1]!, m[2]!);
    const place = [0, 4, 8].map((o) => (m[o]! * way[0]! + m[o + 1]! * way[1]! + m[o + 2]! * way[2]!) / size);
    const q = rotations.slice(4 * carrier, 4 * carrier + 4).map((value, c) => (c < 3 ? -value : value));
    return { place, turn: times(q, rotations.slice(4 * joint, 4 * joint + 4)) };
  };
  const rest = seen(skeleton.rest);
  let off = 0;
  let turned = 0;
  for (const pose of poses) {
    const { place, turn: own } = seen(pose);
    off = Math.max(off, Math.hypot(...place.map((value, c) => value - rest.place[c]!)));
    turned = Math.max(turned, 1 - Math.abs(own.reduce((sum, value, c) => sum + value * rest.turn[c]!, 0)));
  }
  return { off, turned };
}

function posesOf(skeleton: Skeleton, clip: Clip, steps = 12): Pose[] {
  return Array.from({ length: steps + 1 }, (_, k) => {
    const pose = copyPose(skeleton.rest);
    sampleClip(pose, clip, (k / steps) * clip.duration);
    return pose;
  });
}

const SKIRT: Strand[] = [
  { name: 'cloth_a', at: [0.1, 0.9, 0.1], boundTo: { pelvis: 5, thigh_l: 4 } },
  { name: 'cloth_b', parent: 'cloth_a', at: [0, -0.2, 0.05] },
  { name: 'blade', at: [-0.6, 1.2, 0.2], boundTo: { hand_r: 1 } },
  { name: 'greave', at: [0.1, 0.3, 0.05], boundTo: { calf_l: 3 } },
];

describe('what is skinned beside the body', () => {
  it.each([
    ['frames, corrected', { keys: 'bake' as const }],
    ['frames, copied', { keys: 'bake' as const, corrections: 'none' as const }],
    ['keys and products', { corrections: 'none' as const }],
  ])('M8: goes with what its skin is bound to, turned and placed: %s', (_, options) => {
    const { scene, skeleton, partOf } = bodyWith(SKIRT);
    const { clips, report } = retarget(source, scene, { measure: false, ...options });
    expect(report.warnings.filter(({ code }) => code === 'skin-left-behind')).toEqual([]);
    const poses = posesOf(skeleton, clips[0]!);
    const held = (name: string, part: string) => {
      const { off, turned } = looseness(skeleton, skeleton.names.indexOf(name), partOf(part), poses);
      expect(off).toBeLessThan(1e-5);
      expect(turned).toBeLessThan(1e-6);
    };
    held('cloth_a', 'hips');
    held('cloth_b', 'hips');
    held('blade', 'rightHand');
    // The leg is bent so that its foot stands: what it carries is turned when it is.
    held('greave', 'leftLowerLeg');
    expect(report.clips[0]!.way).toBe('keys' in options ? 'frames' : 'products');
  });

  it.each(['keep', 'extract', 'inPlace'] as const)(
    'M8: capes, quivers and skirts on the armature keep their shape, root motion %s',
    (rootMotion) => {
      const dressed: Strand[] = [
        { name: 'cape_1', at: [0, 1.3, -0.15], boundTo: { spine_01: 6, spine_02: 20, neck_01: 3 } },
        { name: 'cape_2', parent: 'cape_1', at: [0, -0.3, -0.05] },
        { name: 'cape_3', parent: 'cape_2', at: [0, -0.3, -0.05] },
        // Bound to the cape alone, which has found what it goes with.
        { name: 'quiver', at: [0.1, 1.2, -0.25], boundTo: { cape_2: 2 } },
        { name: 'skirt_l', at: [0.12, 0.85, 0], boundTo: { pelvis: 2, thigh_l: 3, skirt_r: 1 } },
        { name: 'skirt_r', at: [-0.12, 0.85, 0], boundTo: { pelvis: 2, thigh_r: 3 } },
      ];
      const { scene, skeleton, partOf } = bodyWith(dressed);
      const { clips, report } = retarget(source, scene, { measure: false, keys: 'bake', rootMotion });
      expect(report.warnings.filter(({ code }) => code === 'skin-left-behind')).toEqual([]);
      const poses = posesOf(skeleton, clips[0]!);
      const chest = skeleton.names.indexOf('spine_02');
      for (const [name, carrier] of [
        ['cape_1', chest],
        ['cape_3', chest],
        ['quiver', chest],
        ['skirt_l', partOf('hips')],
        ['skirt_r', partOf('hips')],
      ] as const) {
        const { off, turned } = looseness(skeleton, skeleton.names.indexOf(name), carrier, poses);
        expect(off, name).toBeLessThan(1e-5);
        expect(turned, name).toBeLessThan(1e-6);
      }
    },
  );

  it('goes along live, and without corrections', () => {
    for (const corrections of ['auto', 'none'] as const) {
      const { scene, skeleton, partOf } = bodyWith(SKIRT);
      const { setup } = setUpScenes(source, scene, { corrections });
      const retargeter = createRetargeter(setup);
      const poses: Pose[] = [];
      for (let k = 0; k <= 20; k++) {
        const pose = copyPose(mover.skeleton.rest);
        sampleClip(pose, source.characters[0]!.clips[0]!, k / 20);
        poses.push(copyPose(retargeter.update(pose)));
      }
      for (const [name, part] of [
        ['cloth_a', 'hips'],
        ['blade', 'rightHand'],
        ['greave', 'leftLowerLeg'],
      ] as const) {
        const { off, turned } = looseness(skeleton, skeleton.names.indexOf(name), partOf(part), poses);
        expect(off).toBeLessThan(1e-6);
        expect(turned).toBeLessThan(1e-9);
      }
    }
  });

  it('a piece that is bound to nothing goes with the skin that it lies on; what lies nowhere is named', () => {
    const body = bodyWith([]);
    const hand = model(body.skeleton, body.skeleton.rest).matrices.slice(
      16 * body.partOf('leftHand') + 12,
      16 * body.partOf('leftHand') + 15,
    );
    const { scene, skeleton, partOf } = bodyWith([
      { name: 'shield', at: [hand[0]! + 0.03, hand[1]!, hand[2]! + 0.02] },
      { name: 'kite', at: [0, 4, 2] },
    ]);
    const { clips, report } = retarget(source, scene, { measure: false, wholeBody: true });
    const poses = posesOf(skeleton, clips[0]!);
    expect(looseness(skeleton, skeleton.names.indexOf('shield'), partOf('leftHand'), poses).off).toBeLessThan(
      1e-5,
    );
    const told = report.warnings.filter(({ code }) => code === 'skin-left-behind');
    expect(told.map(({ joint }) => joint)).toEqual(['kite']);
    expect(told[0]!.message).toContain('"kite"');
  });

  it('M8: a sword on the root goes with the hand that holds it in its own clips, and is held as there', () => {
    // At rest it lies by the left foot; its own clip has it in the right hand.
    const body = stickFigure({ names: 'unreal', arms: 'A' });
    const character = withStrands(body, [
      { name: 'sword', at: [0.2, 0.1, 0.1] },
      { name: 'tip', parent: 'sword', at: [0, 0.5, 0] },
    ]);
    const { skeleton } = character;
    const hand = body.jointOf('rightHand');
    const swung = retarget(source, sceneOf({ skeleton, clips: [] }, 'bare'), {
      measure: false,
      keys: 'bake',
    });
    const poses = posesOf(skeleton, swung.clips[0]!, 60);
    const sword = skeleton.names.indexOf('sword');
    const grip = turn([1, 0, 0], 40);
    const places: number[] = [];
    const turns: number[] = [];
    for (const pose of poses) {
      const { matrices, rotations } = model(skeleton, pose);
      const held = rotations.slice(4 * hand, 4 * hand + 4);
      const [x, y, z] = matrices.subarray(16 * hand + 12, 16 * hand + 15);
      const way = turnVector(held, [0.02, 0.01, 0.05]);
      places.push(x! + way[0]!, y! + way[1]!, z! + way[2]!);
      turns.push(...times(held, grip));
    }
    const instants = Float32Array.from(poses, (_, k) => k / 60);
    const track = (channel: 'translation' | 'rotation', values: number[]): Track => ({
      joint: sword,
      channel,
      interpolation: 'linear',
      times: instants,
      values: Float32Array.from(values),
    });
    const own: Clip = {
      ...swung.clips[0]!,
      name: 'own',
      tracks: [
        ...swung.clips[0]!.tracks.filter(({ joint }) => joint !== sword),
        track('translation', places),
        track('rotation', turns),
      ],
    };
    const target = sceneOf({ skeleton, clips: [own] }, 'target');
    for (const options of [{ keys: 'bake' }, { corrections: 'none' }] as const) {
      const { clips, report } = retarget(source, target, { measure: false, ...options });
      expect(report.warnings.filter(({ code }) => code === 'skin-left-behind')).toEqual([]);
      for (const pose of posesOf(skeleton, clips[0]!)) {
        const { matrices, rotations } = model(skeleton, pose);
        const held = rotations.slice(4 * hand, 4 * hand + 4);
        const way = turnVector(held, [0.02, 0.01, 0.05]);
        for (let c = 0; c < 3; c++)
          expect(matrices[16 * sword + 12 + c]!).toBeCloseTo(matrices[16 * hand + 12 + c]! + way[c]!, 3);
        const wanted = times(held, grip);
        const dot = wanted.reduce((sum, value, c) => sum + value * rotations[4 * sword + c]!, 0);
        expect(Math.abs(dot)).toBeGreaterThan(1 - 1e-4);
      }
    }
  });

  it('skin above the body is moved with it, and the body stays where it is', () => {
    const strands: Strand[] = [
      // Hangs on the armour then, but goes with what it is bound to itself.
      { name: 'blade', at: [-0.6, 1.2, 0.2], boundTo: { hand_r: 1 } },
      { name: 'armour', at: [0, 0, 0], boundTo: { spine_01: 5 } },
    ];
    const { scene, skeleton, partOf } = bodyWith(strands);
    const armour = skeleton.names.indexOf('armour');
    // A root that carries skin must stand before what hangs on it: the last joint becomes the first.
    const order = [armour, ...skeleton.names.keys()].slice(0, skeleton.names.length);
    const place = (joint: number) => (joint < 0 ? -1 : order.indexOf(joint));
    const bare = bodyWith([]);
    const moved: Skeleton = {
      ...skeleton,
      names: order.map((joint) => skeleton.names[joint]!),
      parents: Int32Array.from(order, (joint) =>
        joint === armour ? -1 : skeleton.parents[joint]! < 0 ? 0 : place(skeleton.parents[joint]!),
      ),
      rest: {
        translations: Float64Array.from(
          order.flatMap((j) => [...skeleton.rest.translations.subarray(3 * j, 3 * j + 3)]),
        ),
        rotations: Float64Array.from(
          order.flatMap((j) => [...skeleton.rest.rotations.subarray(4 * j, 4 * j + 4)]),
        ),
        scales: Float64Array.from(order.flatMap((j) => [...skeleton.rest.scales.subarray(3 * j, 3 * j + 3)])),
      },
      bonds: {
        ...skeleton.bonds!,
        joints: skeleton.bonds!.joints.map((_, i, list) => {
          const [a, b] = [place(list[i - (i % 2)]!), place(list[i - (i % 2) + 1]!)];
          return i % 2 === 0 ? Math.min(a, b) : Math.max(a, b);
        }),
      },
    };
    const target = { ...scene, characters: [{ skeleton: moved, clips: [] }] };
    const { clips, report } = retarget(source, target, { measure: false, keys: 'bake' });
    expect(report.warnings.filter(({ code }) => code === 'skin-left-behind')).toEqual([]);
    const poses = posesOf(moved, clips[0]!);
    expect(looseness(moved, 0, place(partOf('spine')), poses).off).toBeLessThan(1e-4);
    const blade = moved.names.indexOf('blade');
    expect(looseness(moved, blade, place(partOf('rightHand')), poses).off).toBeLessThan(1e-4);
    const plain = retarget(source, bare.scene, { measure: false, keys: 'bake' });
    const others = posesOf(bare.skeleton, plain.clips[0]!);
    poses.forEach((pose, k) => {
      const here = model(moved, pose).matrices;
      const there = model(bare.skeleton, others[k]!).matrices;
      for (const part of ['hips', 'head', 'leftHand', 'rightFoot'])
        for (let c = 12; c < 15; c++)
          expect(here[16 * place(partOf(part)) + c]!).toBeCloseTo(there[16 * bare.partOf(part) + c]!, 4);
    });
  });

  it('where keys are kept it stays, and a warning names it', () => {
    const { scene, skeleton } = bodyWith(SKIRT);
    const { clips, report } = retarget(source, scene, { measure: false, keys: 'keep' });
    expect(report.clips[0]!.way).toBe('keys');
    const [told] = report.warnings.filter(({ code }) => code === 'skin-left-behind');
    for (const name of ['cloth_a', 'blade', 'greave']) expect(told!.message).toContain(`"${name}"`);
    const strands = new Set(SKIRT.map(({ name }) => skeleton.names.indexOf(name)));
    expect(clips[0]!.tracks.every((track) => !strands.has(track.joint) || isStill(track))).toBe(true);
  });

  it('a joint that something drives is left alone: to oneself nothing changes', () => {
    const { scene } = bodyWith(SKIRT);
    const own = retarget(source, scene, { measure: false, keys: 'bake' });
    const again = { ...scene, characters: [{ ...scene.characters[0]!, clips: own.clips }] };
    const reference = { sourceReference: 'rest', targetReference: 'rest' } as const;
    const back = retarget(again, scene, { measure: false, ...reference });
    expect(back.report.clips[0]!.way).toBe('copy');
    expect(back.clips[0]!.tracks).toEqual(own.clips[0]!.tracks);
  });
});
