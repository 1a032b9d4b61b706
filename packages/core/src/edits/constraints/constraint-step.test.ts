import { describe, expect, it } from 'vitest';
import { apart, editedFigure, plus } from '../../../test/edited-figure.js';
import { quaternionAngle } from '../../base/math/quaternion.js';
import type { Vec3 } from '../../base/math/vector.js';
import type { Constraint, ConstraintGoal, ConstraintSpace } from '../../options/constraint.js';
import { copyPose, modelPoseOf, type Pose } from '../../scene/pose.js';
import { compileConstraints } from './compile-constraints.js';

const figure = editedFigure();
const { body, poseAt, placeOf, stepOf, after } = figure;
const H = body.height;
const hand = (time: number) => placeOf(poseAt(time), 'rightHand');
const reach = (time: number, by: Vec3 = [0.05, -0.1, 0.12]): Constraint => ({
  kind: 'point',
  joint: 'rightHand',
  goal: { place: plus(hand(time), by.map((x) => x * H) as Vec3) },
});

/** The largest angle between two poses, and the largest way between their hips. */
function difference(a: Pose, b: Pose): number {
  let most = 0;
  for (let i = 0; i < a.rotations.length; i += 4)
    most = Math.max(most, quaternionAngle(a.rotations, i, b.rotations, i));
  for (let i = 0; i < a.translations.length; i++)
    most = Math.max(most, Math.abs(a.translations[i]! - b.translations[i]!));
  return most;
}

describe('a constraint on one joint', () => {
  it('is met, with the whole body and the feet where they were (M13, M14)', () => {
    const { pose, step } = after([reach(1)], 1);
    expect(apart(placeOf(pose, 'rightHand'), reach(1).goal!.place!)).toBeLessThan(1e-7 * H);
    expect(step.misses[0]!).toBeLessThan(1e-7 * H);
    for (const role of ['leftFoot', 'rightFoot'] as const)
      expect(apart(placeOf(pose, role), placeOf(poseAt(1), role))).toBeLessThan(1e-7 * H);
    // Hips and spine take part.
    for (const role of ['hips', 'spine', 'chest', 'rightUpperArm'] as const) {
      const joint = body.joints[role]!;
      expect(
        quaternionAngle(pose.rotations, 4 * joint, poseAt(1).rotations, 4 * joint),
        role,
      ).toBeGreaterThan(1e-3);
    }
  });

  it('is missed by a number, wherever its goal lies', () => {
    const { pose, step } = after([{ kind: 'point', joint: 'rightHand', goal: { place: [0, 1e300, 0] } }], 1);
    expect(step.misses[0]!).toBeGreaterThan(H);
    expect(step.misses[0]!).toBeLessThan(Number.POSITIVE_INFINITY);
    expect(pose.rotations.every(Number.isFinite)).toBe(true);
  });

  it('stays as close to the captured pose as it can: the gradient of the strain is a sum of rows (M13, M24)', () => {
    // Any small change that keeps hand and feet makes the strain larger.
    const document = [reach(1)];
    const strain = (pose: Pose) => {
      const before = poseAt(1);
      let sum = 0;
      for (let i = 0; i < pose.rotations.length; i += 4)
        sum += quaternionAngle(before.rotations, i, pose.rotations, i) ** 2;
      const way = apart(placeOf(pose, 'hips'), placeOf(before, 'hips')) / H;
      return sum + way ** 2 / 0.3;
    };
    const best = strain(after(document, 1).pose);
    for (const [joint, degrees] of [
      ['chest', 3],
      ['rightUpperArm', -4],
      ['hips', 2],
    ] as const) {
      const other = after(
        [...document, { kind: 'orientation', joint, goal: { degrees: turned(joint, degrees) } }],
        1,
      );
      expect(strain(other.pose), joint).toBeGreaterThan(best);
    }
    function turned(joint: 'chest' | 'rightUpperArm' | 'hips', degrees: number): Vec3 {
      // Where the best pose has it, and a little further.
      const { pose } = after(document, 1);
      const at = body.joints[joint]!;
      const now = modelPoseOf(body.skeleton, pose).rotations.slice(4 * at, 4 * at + 4);
      const rest = modelPoseOf(body.skeleton, body.reference).rotations.slice(4 * at, 4 * at + 4);
      const q = multiply(now, [-rest[0]!, -rest[1]!, -rest[2]!, rest[3]!]);
      const s = Math.hypot(q[0]!, q[1]!, q[2]!);
      const k = ((2 * Math.atan2(s, q[3]!)) / Math.max(s, 1e-9)) * (180 / Math.PI);
      return [k * q[0]! + degrees, k * q[1]!, k * q[2]!];
    }
  });

  it('needs nothing above `from`', () => {
    const { pose } = after([{ ...reach(1, [0.02, -0.03, 0.03]), from: 'rightUpperArm' }], 1);
    const before = poseAt(1);
    for (const role of ['hips', 'spine', 'chest', 'rightShoulder'] as const) {
      const joint = body.joints[role]!;
      expect(quaternionAngle(pose.rotations, 4 * joint, before.rotations, 4 * joint)).toBeLessThan(1e-9);
    }
    expect(apart(placeOf(pose, 'hips'), placeOf(before, 'hips'))).toBeLessThan(1e-9);
    const upper = body.joints.rightUpperArm!;
    expect(quaternionAngle(pose.rotations, 4 * upper, before.rotations, 4 * upper)).toBeGreaterThan(0.01);
  });
});

function multiply(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  const [ax, ay, az, aw] = [a[0]!, a[1]!, a[2]!, a[3]!];
  const [bx, by, bz, bw] = [b[0]!, b[1]!, b[2]!, b[3]!];
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

describe('kinds of constraints (M12)', () => {
  it('holds a point above, on and below a plane, and leaves what is on the right side alone (M25)', () => {
    const height = hand(1)[1] + 0.1 * H;
    const plane = (side: 'above' | 'on' | 'below'): Constraint => ({
      kind: 'plane',
      joint: 'rightHand',
      side,
      goal: { normal: [0, 2, 0], height },
    });
    expect(placeOf(after([plane('above')], 1).pose, 'rightHand')[1]).toBeCloseTo(height, 6);
    expect(placeOf(after([plane('on')], 1).pose, 'rightHand')[1]).toBeCloseTo(height, 6);
    expect(difference(after([plane('below')], 1).pose, poseAt(1))).toBeLessThan(1e-12);
  });

  it('turns a joint to an orientation, counted from the reference', () => {
    const { pose } = after([{ kind: 'orientation', joint: 'head', goal: { degrees: [20, 30, 0] } }], 1);
    const head = body.joints.head!;
    const v = [20, 30, 0].map((x) => (x * Math.PI) / 180);
    const angle = Math.hypot(...v);
    const turn = [...v.map((x) => (x / angle) * Math.sin(angle / 2)), Math.cos(angle / 2)];
    const rest = modelPoseOf(body.skeleton, body.reference).rotations.slice(4 * head, 4 * head + 4);
    const wanted = Float64Array.from(multiply(turn, rest));
    expect(quaternionAngle(modelPoseOf(body.skeleton, pose).rotations, 4 * head, wanted, 0)).toBeLessThan(
      1e-6,
    );
  });

  it('keeps a distance, exactly, at most or at least', () => {
    const place = plus(hand(1), [0, 0, 0.3 * H]);
    const distance = (bound: 'equal' | 'atMost' | 'atLeast', length: number) => {
      const document: Constraint[] = [
        { kind: 'distance', joint: 'rightHand', goal: { place }, length: length * H, bound },
      ];
      return apart(placeOf(after(document, 1).pose, 'rightHand'), place) / H;
    };
    expect(distance('equal', 0.25)).toBeCloseTo(0.25, 7);
    expect(distance('atMost', 0.25)).toBeCloseTo(0.25, 7);
    expect(distance('atLeast', 0.35)).toBeCloseTo(0.35, 7);
    expect(distance('atLeast', 0.2)).toBeCloseTo(0.3, 12);
  });

  it('brings a hand to the other hand, which J of one hand alone does not (MP1, R16)', () => {
    const { pose, step } = after([{ kind: 'relative', joint: 'rightHand', goal: { joint: 'leftHand' } }], 1);
    expect(apart(placeOf(pose, 'rightHand'), placeOf(pose, 'leftHand'))).toBeLessThan(1e-7 * H);
    expect(step.steps()).toBeLessThan(150);
    // Both hands come: neither is where it was.
    for (const role of ['rightHand', 'leftHand'] as const)
      expect(apart(placeOf(pose, role), placeOf(poseAt(1), role))).toBeGreaterThan(0.05 * H);
  });

  it('keeps an offset in the axes of the other joint, or in those of the model', () => {
    const offset: Vec3 = [-0.2, 0.05, 0];
    const relative = (axes: 'model' | 'joint') =>
      after([{ kind: 'relative', joint: 'rightHand', goal: { joint: 'leftHand', offset, axes } }], 1).pose;
    const inModel = relative('model');
    const way = placeOf(inModel, 'rightHand').map((x, c) => x - placeOf(inModel, 'leftHand')[c]!);
    for (let c = 0; c < 3; c++) expect(way[c]).toBeCloseTo(offset[c]!, 6);
    const inJoint = relative('joint');
    const between = apart(placeOf(inJoint, 'rightHand'), placeOf(inJoint, 'leftHand'));
    expect(between).toBeCloseTo(Math.hypot(...offset), 6);
  });

  it('looks at a place', () => {
    const place = plus(placeOf(poseAt(1), 'head'), [1, 0.4, 1.5]);
    const { pose } = after([{ kind: 'lookAt', joint: 'head', goal: { place } }], 1);
    const head = body.joints.head!;
    const now = modelPoseOf(body.skeleton, pose).rotations.slice(4 * head, 4 * head + 4);
    const rest = modelPoseOf(body.skeleton, body.reference).rotations.slice(4 * head, 4 * head + 4);
    const turn = multiply(now, [-rest[0]!, -rest[1]!, -rest[2]!, rest[3]!]);
    const ahead = multiply(multiply(turn, [0, 0, 1, 0]), [-turn[0]!, -turn[1]!, -turn[2]!, turn[3]!]);
    const way = place.map((x, c) => x - placeOf(pose, 'head')[c]!);
    const cosine = way.reduce((sum, x, c) => sum + x * ahead[c]!, 0) / Math.hypot(...way);
    expect(Math.acos(Math.min(1, cosine))).toBeLessThan(1e-5);
  });

  it('locks a joint where it is when it begins', () => {
    const times = { in: 0.5, start: 1, end: 2, out: 2.5 };
    const { step } = stepOf([{ kind: 'lock', joint: 'rightHand', times }]);
    for (const time of [1, 1.4, 2]) {
      const pose = poseAt(time);
      step(pose, time);
      expect(apart(placeOf(pose, 'rightHand'), hand(1))).toBeLessThan(1e-6 * H);
    }
  });

  it('brings the centre of mass over the middle of what stands', () => {
    const { step } = stepOf([{ kind: 'balance' }], {
      stands: [{ joint: body.joints.leftFoot!, start: 0, end: 3 }],
    });
    const pose = poseAt(1);
    step(pose, 1);
    expect(step.misses[0]!).toBeLessThan(1e-6 * H);
    // The body leans towards the foot that it stands on.
    expect(placeOf(pose, 'hips')[0]).toBeGreaterThan(placeOf(poseAt(1), 'hips')[0] + 0.01);
    expect(apart(placeOf(pose, 'leftFoot'), placeOf(poseAt(1), 'leftFoot'))).toBeLessThan(1e-6 * H);
  });

  it('follows goals of the source, of nodes and of others as the caller gives them, and ignores what is no number', () => {
    const { step, data } = stepOf([
      { kind: 'point', joint: 'rightHand', goal: { source: 'rightHand', offset: [0, 0.1, 0] } },
      { kind: 'point', joint: 'leftHand', goal: { character: 'B', joint: 'leftHand' } },
    ]);
    expect(data.outside.map(({ type }) => type)).toEqual(['source', 'character']);
    const places = Float64Array.of(...hand(1), Number.NaN, 0, 0);
    const pose = poseAt(1);
    step(pose, 1, places);
    expect(apart(placeOf(pose, 'rightHand'), plus(hand(1), [0, 0.1, 0]))).toBeLessThan(1e-6);
    expect(step.alphas[1]).toBe(0);
  });

  it('takes places in heights, from the ground, the rest pose, the captured place and the limb (H2)', () => {
    const at = (part: Partial<Constraint>) =>
      placeOf(
        after([{ kind: 'point', joint: 'rightHand', goal: { place: [0, 0, 0.1] }, ...part }], 1).pose,
        'rightHand',
      );
    expect(apart(at({ space: 'copied' }), plus(hand(1), [0, 0, 0.1]))).toBeLessThan(1e-6);
    expect(apart(at({ space: 'copied', unit: 'height' }), plus(hand(1), [0, 0, 0.1 * H]))).toBeLessThan(1e-6);
    const shoulder = placeOf(poseAt(1), 'rightUpperArm');
    expect(
      apart(
        at({ space: 'limb', unit: 'limb', goal: { place: [-0.5, -0.2, 0.5] } }),
        plus(shoulder, [-0.265, -0.106, 0.265]),
      ),
    ).toBeLessThan(1e-6);
    const rest = placeOf(body.reference, 'rightHand');
    expect(
      apart(at({ space: 'rest', goal: { place: [0.1, -0.2, 0.2] } }), plus(rest, [0.1, -0.2, 0.2])),
    ).toBeLessThan(1e-6);
    const low = at({ space: 'ground', goal: { place: [-0.3, 0.9, 0.3] } });
    expect(low[1]).toBeCloseTo(body.floor + 0.9, 6);
  });

  it('holds for every joint that a query finds (H1)', () => {
    const { data } = stepOf([
      { kind: 'plane', joint: 'every foot', side: 'above', goal: { normal: [0, 1, 0], height: 0 } },
      { kind: 'plane', joint: 'left hand', side: 'above', goal: { normal: [0, 1, 0], height: 0 } },
      { kind: 'plane', joint: 'front hand', side: 'above', goal: { normal: [0, 1, 0], height: 0 } },
    ]);
    const { leftFoot, rightFoot, leftHand, rightHand } = body.joints;
    expect(data.constraints.map(({ joint }) => joint).sort((a, b) => a - b)).toEqual(
      [leftFoot!, rightFoot!, leftHand!, leftHand!, rightHand!].sort((a, b) => a - b),
    );
  });
});

describe('several constraints', () => {
  it('are all met at once (M18)', () => {
    const document: Constraint[] = [
      reach(1),
      {
        kind: 'point',
        joint: 'leftHand',
        goal: { place: plus(placeOf(poseAt(1), 'leftHand'), [0, 0.1, 0.1]) },
      },
      { kind: 'orientation', joint: 'head', goal: { degrees: [10, 20, 0] } },
      { kind: 'plane', joint: 'rightLowerLeg', side: 'on', goal: { normal: [0, 1, 0], height: 0.42 } },
    ];
    const { step } = after(document, 1);
    for (const miss of step.misses) expect(miss).toBeLessThan(1e-6 * H);
  });

  it('keep their level exactly, in reach and out of it (M22, M20, R15)', () => {
    for (const far of [0.1, 0.9]) {
      const first: Constraint = { ...reach(1, [-0.2, 0, far]), level: 1 };
      const second: Constraint = {
        kind: 'point',
        joint: 'leftHand',
        level: 2,
        goal: { place: plus(placeOf(poseAt(1), 'leftHand'), [0.3 * H, 0, -far * H]) },
      };
      const alone = after([first], 1);
      const both = after([first, second], 1);
      expect(Math.abs(alone.step.misses[0]! - both.step.misses[0]!)).toBeLessThan(1e-6 * H);
      expect(apart(placeOf(alone.pose, 'rightHand'), placeOf(both.pose, 'rightHand'))).toBeLessThan(1e-6 * H);
      // Level 0 is what stands.
      for (const role of ['leftFoot', 'rightFoot'] as const)
        expect(apart(placeOf(both.pose, role), placeOf(poseAt(1), role))).toBeLessThan(1e-6 * H);
      if (far > 0.5) expect(alone.step.misses[0]!).toBeGreaterThan(0.1 * H);
    }
  });

  it('do not depend on their order', () => {
    const document: Constraint[] = [
      reach(1),
      {
        kind: 'point',
        joint: 'leftHand',
        goal: { place: plus(placeOf(poseAt(1), 'leftHand'), [0, 0.1, 0.1]) },
      },
      { kind: 'lookAt', joint: 'head', goal: { place: [1, 1, 3] } },
    ];
    expect(difference(after(document, 1).pose, after([...document].reverse(), 1).pose)).toBeLessThan(1e-5);
  });

  it('hand over on one joint in a straight line: out and in over the same seconds is one task', () => {
    const from = plus(hand(1.5), [0.1, 0, 0.1]);
    const to = plus(hand(1.5), [-0.05, 0.1, 0.15]);
    const document: Constraint[] = [
      {
        kind: 'point',
        joint: 'rightHand',
        goal: { place: from },
        times: { in: 0.5, start: 1, end: 1.4, out: 1.6 },
      },
      {
        kind: 'point',
        joint: 'rightHand',
        goal: { place: to },
        times: { in: 1.4, start: 1.6, end: 2, out: 2.5 },
      },
    ];
    const { step } = stepOf(document);
    for (let k = 0; k <= 10; k++) {
      const time = 1.4 + 0.02 * k;
      const pose = poseAt(time);
      step(pose, time);
      const place = placeOf(pose, 'rightHand');
      const whole = apart(from, to);
      const share = apart(from, place) / whole;
      expect(share + apart(place, to) / whole).toBeCloseTo(1, 5);
    }
  });

  it('hold feet of a step that the clip begins or ends in: it goes on with another one', () => {
    const foot = body.joints.leftFoot!;
    const low: Constraint = {
      kind: 'plane',
      side: 'below',
      joint: 'head',
      unit: 'height',
      space: 'ground',
      goal: { normal: [0, 1, 0], height: 0.7 },
    };
    const sunk = (start: number, end: number, time: number) => {
      const { pose } = after([low], time, { stands: [{ joint: foot, start, end }] });
      return apart(placeOf(pose, 'leftFoot'), placeOf(poseAt(time), 'leftFoot')) / body.height;
    };
    expect(sunk(1, 2.4, 3)).toBeLessThan(1e-4);
    expect(sunk(0.6, 2, 0)).toBeLessThan(1e-4);
    // A flight is none.
    expect(sunk(1, 1.5, 3)).toBeGreaterThan(0.05);
  });

  it('take what stands along, not what they move themselves', () => {
    const lift: Constraint = {
      kind: 'point',
      joint: 'leftFoot',
      goal: { place: [0, 0.15, 0.05] },
      space: 'copied',
    };
    const { pose } = after([lift], 1);
    expect(
      apart(placeOf(pose, 'leftFoot'), plus(placeOf(poseAt(1), 'leftFoot'), [0, 0.15, 0.05])),
    ).toBeLessThan(1e-6);
    expect(apart(placeOf(pose, 'rightFoot'), placeOf(poseAt(1), 'rightFoot'))).toBeLessThan(1e-6);
  });
});

describe('joint limits', () => {
  it('are kept inside the solve, and what can be met within them is (M24)', () => {
    const joint = body.joints.rightUpperArm!;
    const rest = body.reference.rotations.slice(4 * joint, 4 * joint + 4);
    const goal = reach(1, [0.1, -0.2, 0.25]);
    const free = quaternionAngle(after([goal], 1).pose.rotations, 4 * joint, rest, 0);
    expect(free).toBeGreaterThan(0.5);
    const most = free / 2;
    const limited = editedFigure();
    limited.body.limits = [
      {
        joint,
        rest,
        axes: Float64Array.of(0, 0, 0, 1),
        limit: {
          axis: 0,
          least: -0.1,
          most: 0.1,
          swing: { least: Float64Array.of(-most, -most), most: Float64Array.of(most, most) },
        },
      },
    ];
    const { pose, step } = limited.after([goal], 1);
    expect(step.misses[0]!).toBeLessThan(1e-5 * H);
    expect(quaternionAngle(pose.rotations, 4 * joint, rest, 0)).toBeLessThan(most + 0.11);
  });
});

describe('frames', () => {
  it('20/30/50/60: untouched up to 20 and from 60, met from 30 to 50 (M16)', () => {
    const document: Constraint[] = [
      {
        ...reach(1.3),
        times: { in: { frame: 20 }, start: { frame: 30 }, end: { frame: 50 }, out: { frame: 60 } },
      },
    ];
    const { step } = stepOf(document);
    for (let k = 0; k <= 90; k++) {
      // Frames are kept in single precision.
      const time = Math.fround(k / 30);
      const pose = poseAt(time);
      const before = copyPose(pose);
      step(pose, time);
      if (k <= 20 || k >= 60) expect(pose, `frame ${k}`).toEqual(before);
      else expect(difference(pose, before), `frame ${k}`).toBeGreaterThan(0);
      if (k >= 30 && k <= 50)
        expect(apart(placeOf(pose, 'rightHand'), document[0]!.goal!.place!)).toBeLessThan(1e-4 * H);
    }
  });

  it('come out the same in any order and alone: the answer has no memory (M15, MP6)', () => {
    const document: Constraint[] = [
      { ...reach(1.2), times: { in: 0.4, start: 0.9, end: 1.8, out: 2.4 } },
      {
        ...reach(1.6, [0, 0.3, 0.9]),
        joint: 'leftHand',
        times: { in: 0.8, start: 1.4, end: 2, out: 2.6 },
        level: 2,
      },
    ];
    const frames = Array.from({ length: 30 }, (_, k) => k / 10);
    const { step } = stepOf(document);
    const forwards = frames.map((time) => {
      const pose = poseAt(time);
      step(pose, time);
      return pose;
    });
    for (const k of [17, 3, 29, 11, 12, 0, 23, 9, 21, 5]) {
      const again = poseAt(frames[k]!);
      step(again, frames[k]!);
      const alone = stepOf(document);
      const only = poseAt(frames[k]!);
      alone.step(only, frames[k]!);
      expect(again).toEqual(forwards[k]);
      expect(only).toEqual(forwards[k]);
    }
  });

  it('are bit for bit what they were where nothing counts, with limits, stands and goals that are no numbers', () => {
    const { step } = stepOf([
      { ...reach(1), times: { in: 1, start: 1.5, end: 2, out: 2.5 } },
      { kind: 'point', joint: 'leftHand', goal: { node: 'prop' } },
    ]);
    for (const time of [0, 0.5, 1, 2.5, 3]) {
      const pose = poseAt(time);
      const before = copyPose(pose);
      step(pose, time, Float64Array.of(Number.NaN, Number.NaN, Number.NaN));
      expect(pose).toEqual(before);
    }
  });

  it('give the same places on a rig of other axes, unit and up', () => {
    const document: Constraint[] = [
      { ...reach(1), times: { in: 0.4, start: 0.9, end: 1.8, out: 2.4 } },
      { kind: 'orientation', joint: 'head', goal: { degrees: [10, 20, 5] } },
      {
        kind: 'point',
        joint: 'leftHand',
        offset: [0.05, 0, 0],
        space: 'copied',
        goal: { place: [0, 0.05, 0.05] },
      },
    ];
    for (const other of [
      { axes: 'boneY' },
      { unit: 0.01 },
      { axes: 'boneX', unit: 0.01, up: '+Z' },
    ] as const) {
      const rig = editedFigure({
        ...other,
        declared: {
          up: 'up' in other ? other.up : '+Y',
          facing: null,
          unit: 'unit' in other ? other.unit : 1,
        },
      });
      for (const time of [0.7, 1.2]) {
        const one = after(document, time).pose;
        const two = rig.after(document, time).pose;
        for (const role of ['rightHand', 'leftHand', 'head', 'hips', 'rightLowerArm', 'leftFoot'] as const)
          expect(
            apart(placeOf(one, role), rig.placeOf(two, role)),
            `${JSON.stringify(other)} ${role}`,
          ).toBeLessThan(2e-5);
      }
    }
  });
});

describe('a plane', () => {
  const normal: Vec3 = [0, 1, 0];
  const handAfter = (space: ConstraintSpace, goal: ConstraintGoal) =>
    placeOf(after([{ kind: 'plane', joint: 'rightHand', goal, space }], 1).pose, 'rightHand');

  it('H2: is counted from the ground, the reference pose, the motion itself, or where the limb begins', () => {
    const rest = modelPoseOf(body.skeleton, body.reference).matrices[16 * body.joints.rightHand! + 13]!;
    const high = (space: ConstraintSpace, height: number) => handAfter(space, { normal, height })[1];
    expect(high('ground', 0.9)).toBeCloseTo(body.floor + 0.9, 6);
    expect(high('rest', -0.1)).toBeCloseTo(rest - 0.1, 6);
    expect(high('copied', 0.07)).toBeCloseTo(hand(1)[1] + 0.07, 6);
    // Where the arm begins is where the motion has it, before anything is asked for.
    const arm = body.skeleton.parents[body.joints.rightUpperArm!]!;
    const begin = modelPoseOf(body.skeleton, poseAt(1)).matrices;
    const starts = [body.joints.rightUpperArm!, arm].map((joint) => begin[16 * joint + 13]!);
    const limb = high('limb', -0.3) + 0.3;
    expect(Math.min(...starts.map((y) => Math.abs(y - limb)))).toBeLessThan(1e-6);
  });

  it('H2: is counted along a slanted normal in the same way', () => {
    const slanted: Vec3 = [0.6, 0, 0.8];
    const along = (at: Vec3) => at[0] * 0.6 + at[2] * 0.8;
    const placed = handAfter('copied', { normal: slanted, height: 0.05 });
    expect(along(placed)).toBeCloseTo(along(hand(1)) + 0.05, 6);
  });

  it('H2: is in the axes and the unit of the file where that is said', () => {
    const container = body.skeleton.container;
    // Half as large, and z up: (x, y, z) of the file is (x, z, −y) / 2 of the model.
    const turned = { ...body.skeleton, container: container.slice() };
    turned.container.set([0.5, 0, 0, 0, 0, 0, -0.5, 0, 0, 0.5, 0, 0, 0, 0, 0, 1]);
    const data = compileConstraints(
      { ...body, skeleton: turned },
      [{ kind: 'plane', joint: 'rightHand', space: 'file', goal: { normal: [0, 0, 3], height: 1.8 } }],
      { duration: 3, frameRate: 30 },
    );
    const { goal, length } = data.constraints[0]!;
    expect(goal.from === 'fixed' && Array.from(goal.values, (x) => Math.round(1e9 * x) / 1e9)).toEqual([
      0, 1, 0,
    ]);
    expect(length * H).toBeCloseTo(0.9, 9);
  });
});

it('balance does not count where nothing stands, and is not called met there', () => {
  const { step } = after([{ kind: 'balance' }], 1, { stands: [] });
  expect([step.alphas[0], step.misses[0]]).toEqual([0, 0]);
  expect(after([{ kind: 'balance' }], 1).step.alphas[0]).toBe(1);
});
