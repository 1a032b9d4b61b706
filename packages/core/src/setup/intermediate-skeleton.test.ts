import { describe, expect, it } from 'vitest';
import { movingPlan } from '../../test/moving-plan.js';
import { sceneOf, stickFigure } from '../../test/stick-figure.js';
import { modelAt, placeAt } from '../../test/tiny-rigs.js';
import { beastPlan } from '../../test/unseen-plans.js';
import { subtractVectors, type Vec3, vectorAngle } from '../base/math/vector.js';
import { LIMB_ROLES, LIMBS } from '../body/roles.js';
import { driverOf } from '../map/rig-map.js';
import type { RetargetOptions } from '../passes/parts/told-options.js';
import { retarget } from '../retarget.js';
import { modelPoseOf } from '../scene/pose.js';
import type { Character } from '../scene/scene.js';
import { setUpScenes } from './set-up-scenes.js';

const person = stickFigure({ fingers: true, twist: true });
const other = stickFigure({
  ...{
    fingers: true,
    names: 'unreal',
    arms: 'A',
    upperArm: 0.2,
    upperLeg: 0.6,
    size: 0.7,
    elbowBend: 20,
    kneeBend: 15,
  },
});
const TIMES = [0, 0.2, 0.4, 0.6, 0.8, 1];

/** Bones of arms, legs and fingers whose both ends are mapped, with the joints that drive these. */
function bonesOf(source: Character, target: Character, options: RetargetOptions) {
  const { setup } = setUpScenes(sceneOf(source, 'a'), sceneOf(target, 'b'), options);
  const pairs = new Map(
    setup.map.joints.flatMap((pair) => (pair.role && !pair.share ? [[pair.role, pair]] : [])),
  );
  return LIMBS.filter((limb) => limb !== 'torso' && limb !== 'neck').flatMap((limb) => {
    const found = LIMB_ROLES[limb].flatMap((role) => pairs.get(role) ?? []);
    return found
      .slice(1)
      .map((next, k) => ({ limb, from: found[k]!, next }))
      .filter(({ from }) => !/Shoulder$/.test(from.role!));
  });
}

/** The angle between each bone of the result and the source's virtual bone, over time. */
function anglesOf(source: Character, target: Character, options: RetargetOptions) {
  const told: RetargetOptions = { corrections: 'none', ...options };
  const { clips } = retarget(sceneOf(source, 'a'), sceneOf(target, 'b'), { measure: false, ...told });
  const bone = (model: ReturnType<typeof modelAt>, from: number, to: number): Vec3 =>
    subtractVectors(placeAt(model, to), placeAt(model, from));
  return bonesOf(source, target, told).map(({ limb, from, next }) => ({
    limb,
    role: from.role!,
    angles: TIMES.map((time) =>
      vectorAngle(
        bone(modelAt(source.skeleton, source.clips[0]!, time), driverOf(from), driverOf(next)),
        bone(modelAt(target.skeleton, clips[0]!, time), from.target, next.target),
      ),
    ),
  }));
}

describe('mode: intermediate', () => {
  it('M1, M3, M4, M9: every mapped bone points as the source’s virtual bone, other proportions, postures and skipped joints or not', () => {
    const all = anglesOf(person, other, { mode: 'intermediate' });
    expect(all.length).toBeGreaterThan(20);
    for (const { role, angles } of all) expect([role, Math.max(...angles) < 1e-4]).toEqual([role, true]);
    // By turns alone, with the reference kept, they do not.
    const plain = anglesOf(person, other, { alignment: { leftArm: 'keep' } });
    expect(Math.max(...plain.find(({ role }) => role === 'leftUpperArm')!.angles)).toBeGreaterThan(0.1);
  });

  it('M2: a joint of the source that is ignored carries its turn into the virtual bone', () => {
    const map = { version: 1, changes: [{ target: 'lowerarm_l', none: true as const }] } as const;
    const told: RetargetOptions = { mode: 'intermediate', map: { ...map, changes: [...map.changes] } };
    const elbow = other.jointOf('leftLowerArm');
    for (const { from, next } of bonesOf(person, other, told))
      expect([from.target, next.target]).not.toContain(elbow);
    const arm = anglesOf(person, other, told).find(({ role }) => role === 'leftUpperArm')!;
    expect(Math.max(...arm.angles)).toBeLessThan(1e-3);
    const turns = anglesOf(person, other, { map: { ...map, changes: [...map.changes] } });
    expect(Math.max(...turns.find(({ role }) => role === 'leftUpperArm')!.angles)).toBeGreaterThan(0.05);
  });

  it('M6: a posture that is kept persists through the motion, one that is shared goes', () => {
    const offsets = (restPosture: 'shared' | 'kept') =>
      anglesOf(person, other, { mode: 'intermediate', restPosture }).filter(
        ({ role }) => role === 'leftUpperArm',
      )[0]!.angles;
    const kept = offsets('kept');
    // Arms of an A-pose beside those of a T-pose.
    expect(kept[0]!).toBeGreaterThan(0.5);
    for (const angle of kept) expect(Math.abs(angle - kept[0]!)).toBeLessThan(2e-3);
    for (const angle of offsets('shared')) expect(angle).toBeLessThan(1e-3);
  });

  it('M5: one pose after another, each by itself: the result of a frame does not depend on the others', () => {
    const told = { mode: 'intermediate', corrections: 'none', measure: false } as const;
    const scenes = [sceneOf(person, 'a'), sceneOf(other, 'b')] as const;
    const whole = retarget(...scenes, told).clips[0]!;
    const part = retarget(...scenes, { ...told, range: [0.5, 1] }).clips[0]!;
    const [a, b] = [modelAt(other.skeleton, whole, 0.7), modelAt(other.skeleton, part, 0.2)];
    const turns = other.skeleton.names.map((_, joint) =>
      [0, 1, 2, 3].reduce((sum, c) => sum + a.rotations[4 * joint + c]! * b.rotations[4 * joint + c]!, 0),
    );
    for (const dot of turns) expect(Math.abs(dot)).toBeGreaterThan(1 - 1e-5);
  });

  it('MP4: leaves and joints with several children take the turn alone, and nothing is no number', () => {
    const cat = movingPlan(beastPlan());
    const dog = movingPlan(beastPlan({ tail: 6, leg: 0.9 }), { prefix: 'd_' });
    const { clips, report } = retarget(sceneOf(cat, 'a'), sceneOf(dog, 'b'), {
      mode: 'intermediate',
      measure: false,
    });
    for (const { values } of clips[0]!.tracks) expect(values.every(Number.isFinite)).toBe(true);
    const plain = retarget(sceneOf(cat, 'a'), sceneOf(dog, 'b'), { measure: false }).clips[0]!;
    const head = dog.jointOf('head');
    const model = (clip: typeof plain) =>
      modelPoseOf(dog.skeleton, dog.skeleton.rest) && modelAt(dog.skeleton, clip, 0.6);
    const [x, y] = [model(clips[0]!), model(plain)].map((pose) =>
      pose.rotations.slice(4 * head, 4 * head + 4),
    );
    expect(Math.abs(x!.reduce((sum, each, c) => sum + each * y![c]!, 0))).toBeGreaterThan(1 - 1e-5);
    expect(report.warnings.filter(({ code }) => code === 'option-without-effect')).toEqual([]);
  });

  it('a posture that is told without the mode is said to have no effect', () => {
    const { warnings } = setUpScenes(sceneOf(person, 'a'), sceneOf(other, 'b'), { restPosture: 'kept' });
    expect(warnings.map(({ message }) => message).join()).toMatch(/restPosture has no effect/);
  });
});

describe('root scales by axis', () => {
  it('S8, S19: (2, 1, 3) is honoured axis by axis, and (1, 1, 1) is no measure', () => {
    const hips = other.jointOf('hips');
    const ratios = (x: number, vertical: number, z: number) => {
      const { clips, report } = retarget(sceneOf(person, 'a'), sceneOf(other, 'b'), {
        corrections: 'none',
        measure: false,
        rootScales: { x, vertical, z },
      });
      expect(report.rootScales).toMatchObject({ x, vertical, z });
      const way = (character: Character, clip: (typeof clips)[number], joint: number) =>
        subtractVectors(
          placeAt(modelAt(character.skeleton, clip, 0.4), joint),
          placeAt(modelAt(character.skeleton, clip, 0), joint),
        );
      const from = way(person, person.clips[0]!, person.jointOf('hips'));
      return way(other, clips[0]!, hips).map((each, c) => each / from[c]!);
    };
    const [x, y, z] = ratios(2, 1, 3);
    expect([x, y, z].map((each) => Math.round(1000 * each!) / 1000)).toEqual([2, 1, 3]);
    expect(ratios(1, 1, 1).map((each) => Math.round(1000 * each) / 1000)).toEqual([1, 1, 1]);
  });
});
