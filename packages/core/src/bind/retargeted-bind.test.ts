import { describe, expect, it } from 'vitest';
import {
  clipOf,
  createRandom,
  jointOf,
  mapOf,
  oneToOne,
  plainRig,
  type Quat,
  quatAt,
  randomClip,
  randomSkeleton,
  rotationTrack,
  skeletonOf,
  times,
  tinyHuman,
  translationTrack,
  turn,
} from '../../test/tiny-rigs.js';
import { UsageError } from '../base/errors.js';
import {
  composeMatrix,
  createMatrix,
  invertMatrix,
  multiplyMatrices,
  transformPoint,
} from '../base/math/matrix.js';
import { createRig } from '../body/understand/create-rig.js';
import { createRigMap } from '../map/create-rig-map.js';
import type { Setup } from '../passes/pass.js';
import { createRetargeter } from '../retargeter.js';
import type { Clip } from '../scene/clip.js';
import { poseAt } from '../scene/clip.js';
import { modelPoseOf, type Pose } from '../scene/pose.js';
import { createSkeleton, type Skeleton } from '../scene/skeleton.js';
import { createSetup } from '../setup/create-setup.js';
import { createBindPlayer } from './bind-player.js';
import {
  type BindLocals,
  createRetargetedBind,
  type RetargetedBind,
  retargetInverseBinds,
} from './retargeted-bind.js';

/** Ten points about each joint, skinned both ways: the largest distance between the two over a clip, in metres. */
function skinDifference(
  setup: Setup,
  clip: Clip,
  locals: BindLocals = 'folded',
  bind = createRetargetedBind(setup, { locals }),
): number {
  const instants = 12;
  const player = createBindPlayer(bind);
  const retargeter = createRetargeter(setup, { passes: ['copyRotations', 'moveRoot'] });
  const { skeleton } = setup.target;
  const binds = modelPoseOf(skeleton, skeleton.bind ?? skeleton.rest).matrices;
  const inverse = createMatrix();
  const usual = createMatrix();
  const point = new Float64Array(3);
  const both = new Float64Array(6);
  let worst = 0;
  for (let k = 0; k < instants; k++) {
    const pose = poseAt(setup.source.skeleton, clip, (clip.duration * k) / (instants - 1));
    const skin = player.update(pose);
    const model = modelPoseOf(skeleton, retargeter.update(pose));
    for (let j = 0; j < skeleton.names.length; j++) {
      invertMatrix(inverse, 0, binds, 16 * j);
      multiplyMatrices(usual, 0, model.matrices, 16 * j, inverse, 0);
      for (let n = 0; n < 10; n++) {
        for (let c = 0; c < 3; c++) point[c] = binds[16 * j + 12 + c]! + 0.2 * Math.sin(7 * n + 3 * c);
        transformPoint(both, 0, usual, 0, point, 0);
        transformPoint(both, 3, skin, 16 * j, point, 0);
        worst = Math.max(worst, Math.hypot(both[0]! - both[3]!, both[1]! - both[4]!, both[2]! - both[5]!));
      }
    }
  }
  return worst;
}

/** A dance of a human: arms, legs and spine turn, the hips travel. */
function dance(skeleton: Skeleton, seed: number): Clip {
  return randomClip(createRandom(seed), skeleton, { travels: jointOf(skeleton, 'hips'), most: 0.8 });
}

function humans(from: Parameters<typeof tinyHuman>[0], to: Parameters<typeof tinyHuman>[0]): Setup {
  const source = createRig(tinyHuman({ name: 'source', ...from }));
  const target = createRig(tinyHuman({ name: 'target', ...to }));
  return createSetup(source, target, createRigMap(source, target).map);
}

const place = ({ matrices }: { matrices: Float64Array }, joint: number) => [
  ...matrices.subarray(16 * joint + 12, 16 * joint + 15),
];

describe('the retargeted bind pose', () => {
  it('S4: has the positions of the target and the rotations of the source, any axes on either side (S3)', () => {
    const setup = humans({ axes: createRandom(1) }, { axes: createRandom(2), legs: 0.6, arms: 0.8 });
    const bind = createRetargetedBind(setup);
    for (let i = 0; i < bind.parents.length; i++) {
      const wanted = place(setup.alignment.model, i);
      place(bind, i).forEach((x, c) => {
        expect(x).toBeCloseTo(wanted[c]!, 12);
      });
    }
    const player = createBindPlayer(bind);
    player.update(setup.source.reference.pose);
    // The source in its reference pose shows the retargeted bind pose itself: offsets and places agree.
    for (let n = 0; n < bind.matrices.length; n++)
      expect(player.matrices[n]!).toBeCloseTo(bind.matrices[n]!, 10);
  });

  it('S1: maps one source joint to several target joints, and none to some', () => {
    const source = plainRig(
      skeletonOf([
        { name: 'a', parent: -1 },
        { name: 'b', parent: 0, translation: [0, 1, 0] },
      ]),
    );
    const target = plainRig(
      skeletonOf([
        { name: 'a', parent: -1, rotation: turn([1, 2, 3], 1) },
        { name: 'b1', parent: 0, translation: [0, 1, 0], rotation: turn([3, 2, 1], 2) },
        { name: 'b2', parent: 0, translation: [1, 1, 0] },
        { name: 'loose', parent: 2, translation: [0, 1, 0], rotation: turn([0, 2, 1], 1) },
      ]),
    );
    const setup = createSetup(
      source,
      target,
      mapOf([
        [0, 0, 'hips'],
        [1, 1],
        [1, 2],
      ]),
    );
    const clip = randomClip(createRandom(4), source.skeleton, { travels: 0 });
    expect([...createRetargetedBind(setup).drivers]).toEqual([0, 1, 1, -1]);
    expect(skinDifference(setup, clip)).toBeLessThan(1e-6);
    expect(skinDifference(setup, clip, 'verbatim')).toBeLessThan(1e-6);
  });

  it('X5, S5: skins as the usual way does, by the source’s own local rotations', () => {
    const setup = humans({ axes: createRandom(3) }, { axes: createRandom(5), legs: 0.6, arms: 0.8 });
    const clip = dance(setup.source.skeleton, 6);
    expect(createRetargetedBind(setup, { locals: 'verbatim' }).losses).toEqual([]);
    expect(skinDifference(setup, clip, 'verbatim')).toBeLessThan(1e-6);
    expect(skinDifference(setup, clip, 'folded')).toBeLessThan(1e-6);
  });

  it('S6: turns an A-pose to the source’s T-pose first by R, and is wrong without', () => {
    const setup = humans({ axes: createRandom(3) }, { axes: createRandom(5), armsDown: 0.8 });
    const clip = dance(setup.source.skeleton, 7);
    const bind = createRetargetedBind(setup);
    const arm = jointOf(setup.target.skeleton, 'leftUpperArm');
    const { rest } = setup.target.skeleton;
    const corrected = times(quatAt(bind.corrections, arm), quatAt(rest.rotations, arm));
    corrected.forEach((x, c) => {
      expect(x).toBeCloseTo(setup.alignment.pose.rotations[4 * arm + c]!, 12);
    });
    expect(2 * Math.acos(Math.min(1, Math.abs(quatAt(bind.corrections, arm)[3])))).toBeCloseTo(0.8, 2);
    expect(skinDifference(setup, clip)).toBeLessThan(1e-6);
    // Without R the inverse bind is that of the A-pose: the arms stand 0.8 radians off all the time.
    const plain = createRetargetedBind({
      ...setup,
      alignment: { ...setup.alignment, model: modelPoseOf(setup.target.skeleton, rest), pose: rest },
    });
    expect(skinDifference(setup, clip, 'folded', plain)).toBeGreaterThan(0.1);
  });

  it('S8: moves the first joint alone, scaled per axis, and takes no other translation', () => {
    const setup = humans({ axes: createRandom(3) }, { axes: createRandom(5), legs: 0.5 });
    const { skeleton } = setup.source;
    const hips = jointOf(skeleton, 'hips');
    const hand = jointOf(skeleton, 'leftHand');
    const { horizontal, vertical } = setup.rootScales;
    const at = [...skeleton.rest.translations.subarray(3 * hips, 3 * hips + 3)] as [number, number, number];
    const clip = clipOf([
      translationTrack(hips, [0], [[at[0] + 0.3, at[1] - 0.2, at[2] + 0.5]]),
      translationTrack(hand, [0], [[9, 9, 9]]),
    ]);
    const bind = createRetargetedBind(setup);
    const player = createBindPlayer(bind);
    player.update(poseAt(skeleton, clip, 0));
    const before = place(bind, bind.travel!.target);
    const after = place(player, bind.travel!.target);
    expect(after[0]! - before[0]!).toBeCloseTo(0.3 * horizontal, 6);
    expect(after[1]! - before[1]!).toBeCloseTo(-0.2 * vertical, 6);
    expect(after[2]! - before[2]!).toBeCloseTo(0.5 * horizontal, 6);
    const hands = jointOf(setup.target.skeleton, 'leftHand');
    expect(place(player, hands)[0]! - place(bind, hands)[0]!).toBeCloseTo(0.3 * horizontal, 6);
  });

  it('SP4: hips under a root and an armature keep their travel', () => {
    const setup = humans({ axes: createRandom(8) }, { root: true, axes: createRandom(9), legs: 0.7 });
    expect(setup.travel!.target).toBeGreaterThan(0);
    expect(skinDifference(setup, dance(setup.source.skeleton, 10))).toBeLessThan(1e-6);
    expect(createRetargetedBind(setup).losses.join()).toMatch(/is not the first joint/);
  });

  it('joints that hang elsewhere than their body part follow it', () => {
    const setup = humans({}, { root: true, feetUnderRoot: true });
    expect(setup.alignment.placed.length).toBeGreaterThan(0);
    expect(skinDifference(setup, dance(setup.source.skeleton, 11))).toBeLessThan(1e-6);
  });

  it('turns that are shared between more joints of a spine are shared here too', () => {
    const setup = humans({ spines: 1 }, { spines: 3 });
    expect(setup.map.joints.some(({ share }) => share)).toBe(true);
    expect(skinDifference(setup, dance(setup.source.skeleton, 12))).toBeLessThan(1e-6);
  });

  it.each([20, 21, 22, 23])('SP2, SP3: random trees %i with several roots, scales and mirrors', (seed) => {
    const random = createRandom(seed);
    const parents = [-1, 0, 1, -1, 3, 4, 1, 3];
    const source = plainRig(randomSkeleton(random, 8, { parents, scales: true }));
    const target = plainRig(randomSkeleton(random, 8, { parents, scales: true, mirrors: seed % 2 === 1 }));
    // Mirrors here are along x alone; with uniform sizes a mirrored joint still turns as a whole.
    const setup = createSetup(source, target, oneToOne(8));
    const clip = randomClip(random, source.skeleton, { travels: 0 });
    expect(skinDifference(setup, clip)).toBeLessThan(1e-5);
  });

  it('SP2, S10: joints in any order give the same skin', () => {
    const random = createRandom(30);
    const straight = randomSkeleton(random, 6, { parents: [-1, 0, 1, 0, 3, -1] });
    const listed = straight.names.map((name, i) => ({
      name,
      parent: straight.parents[i]!,
      translation: straight.rest.translations.slice(3 * i, 3 * i + 3),
      rotation: straight.rest.rotations.slice(4 * i, 4 * i + 4),
    }));
    const shuffle = [5, 4, 2, 0, 3, 1];
    const { skeleton, order } = createSkeleton(
      'shuffled',
      shuffle.map((i) => ({ ...listed[i]!, parent: shuffle.indexOf(listed[i]!.parent) })),
      { declared: straight.declared },
    );
    const source = plainRig(randomSkeleton(random, 6, { parents: [-1, 0, 1, 0, 3, -1] }));
    const clip = randomClip(random, source.skeleton, { travels: 0 });
    const pose = poseAt(source.skeleton, clip, 1.1);
    const a = createBindPlayer(
      createRetargetedBind(createSetup(source, plainRig(straight), oneToOne(6))),
    ).update(pose);
    const map = mapOf(
      shuffle.map((i, n) => [i, order[n]!, i === 0 ? ('hips' as const) : undefined] as const),
    );
    const b = createBindPlayer(createRetargetedBind(createSetup(source, plainRig(skeleton), map))).update(
      pose,
    );
    shuffle.forEach((i, n) => {
      for (let c = 0; c < 16; c++) expect(b[16 * order[n]! + c]!).toBeCloseTo(a[16 * i + c]!, 10);
    });
  });

  it('SP6, X3: turns of an unmapped joint between mapped ones are folded in; verbatim says that it loses them', () => {
    const chain = (seed: number, name: string) => {
      const random = createRandom(seed);
      return plainRig(randomSkeleton(random, name === 'long' ? 3 : 2, { parents: [-1, 0, 1] }));
    };
    const source = chain(40, 'long');
    const target = chain(41, 'short');
    const setup = createSetup(
      source,
      target,
      mapOf([
        [0, 0, 'hips'],
        [2, 1],
      ]),
    );
    const clip = clipOf([rotationTrack(1, [0, 1], [[0, 0, 0, 1], turn([1, 1, 0], 1.4)])]);
    expect(skinDifference(setup, clip)).toBeLessThan(1e-6);
    expect(skinDifference(setup, clip, 'verbatim')).toBeGreaterThan(0.05);
    expect(createRetargetedBind(setup, { locals: 'verbatim' }).losses).toEqual([
      'turns of "joint1" above "joint2" would not reach "joint1"',
    ]);
  });

  it('refuses a pose of another skeleton in one sentence, and poses may come in any order', () => {
    const setup = humans({}, { arms: 0.7 });
    const player = createBindPlayer(createRetargetedBind(setup));
    const { skeleton } = setup.source;
    const clip = dance(skeleton, 50);
    const first = player.update(poseAt(skeleton, clip, 1.3)).slice();
    player.update(poseAt(skeleton, clip, 0.2));
    expect(player.update(poseAt(skeleton, clip, 1.3))).toEqual(first);
    expect(player.update(poseAt(skeleton, clip, 0.4))).toBe(player.skinMatrices);
    const other = plainRig(randomSkeleton(createRandom(1), 3)).skeleton.rest;
    expect(() => player.update(other)).toThrow(UsageError);
    expect(() => player.update(other)).toThrow(/the pose has 3 joints, "source" has \d+/);
  });

  it('leaves joints that a mesh does not use at zero', () => {
    const setup = humans({}, {});
    const bind = createRetargetedBind(setup);
    const own = new Float64Array(16 * bind.parents.length);
    own.set(createMatrix(), 16 * 4);
    const changed = retargetInverseBinds(bind, own);
    const skin = createBindPlayer(bind, changed).update(setup.source.skeleton.rest);
    expect(skin.slice(0, 64)).toEqual(new Float64Array(64));
    expect(skin[16 * 4 + 15]).toBe(1);
  });
});

/** The algorithm as the article prints it, with an undefined parent read as the identity. */
function asPrinted(animation: Skeleton, model: Skeleton): { matrices: Float64Array } {
  const count = model.names.length;
  const local = (pose: Pose, i: number, rotation: Quat) => {
    const m = createMatrix();
    composeMatrix(
      m,
      0,
      pose.translations,
      3 * i,
      Float64Array.from(rotation),
      0,
      Float64Array.of(1, 1, 1),
      0,
    );
    return m;
  };
  const modelMatrices = modelPoseOf(model, model.rest).matrices;
  const accumulated = new Float64Array(16 * count);
  for (let i = 0; i < count; i++) accumulated.set(createMatrix(), 16 * i);
  for (let i = 0; i < count; i++) {
    const p = model.parents[i]!;
    // ParentBoneOf(0) is undefined: bone 0 itself, whose accumulated pose nobody has set, stands for it.
    const parent = Math.max(p, 0);
    const inverse = createMatrix();
    invertMatrix(inverse, 0, accumulated, 16 * parent);
    multiplyMatrices(inverse, 0, inverse, 0, modelMatrices, 16 * parent);
    const translation = new Float64Array(3);
    transformPoint(translation, 0, inverse, 0, model.rest.translations, 3 * i);
    const m = local({ ...model.rest, translations: translation }, 0, quatAt(animation.rest.rotations, i));
    multiplyMatrices(accumulated, 16 * i, accumulated, 16 * parent, m, 0);
  }
  return { matrices: accumulated };
}

describe('SP1: the algorithm as printed', () => {
  const random = createRandom(60);
  const source = plainRig(randomSkeleton(random, 4, { parents: [-1, 0, 1, 2] }));
  const target = plainRig(randomSkeleton(random, 4, { parents: [-1, 0, 1, 2] }));
  const setup = createSetup(source, target, oneToOne(4));
  const off = (found: Pick<RetargetedBind, 'matrices'>, joint: number) => {
    const wanted = place(modelPoseOf(target.skeleton, target.skeleton.rest), joint);
    return Math.hypot(...place(found, joint).map((x, c) => x - wanted[c]!));
  };
  it('puts the root elsewhere than the model has it, where ours does not', () => {
    expect(off(asPrinted(source.skeleton, target.skeleton), 0)).toBeGreaterThan(0.1);
    for (let i = 0; i < 4; i++) expect(off(createRetargetedBind(setup), i)).toBeLessThan(1e-12);
    // Counted joint by joint, which begins at what carries the root, as at once.
    const { matrices } = createRetargetedBind(setup, { locals: 'verbatim' });
    createRetargetedBind(setup).matrices.forEach((x, n) => {
      expect(matrices[n]).toBeCloseTo(x, 9);
    });
  });
});
