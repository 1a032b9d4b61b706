import { describe, expect, it } from 'vitest';
import { apart, editedFigure } from '../../../test/edited-figure.js';
import type { Figure } from '../../../test/stick-figure.js';
import { UsageError } from '../../base/errors.js';
import { quaternionAngle } from '../../base/math/quaternion.js';
import type { Vec3 } from '../../base/math/vector.js';
import type { Role } from '../../body/roles.js';
import type { Constraint } from '../../options/constraint.js';
import type { Layer } from '../../options/layer.js';
import { copyPose, modelPoseOf, type Pose } from '../../scene/pose.js';
import { checkLayers } from './check-layers.js';
import { compileLayers } from './compile-layers.js';
import { convertToKeys, createGeneratedLayer } from './generated-layer.js';
import { createLayerStep } from './layer-step.js';
import { spreadEdit } from './spread-edit.js';

const figure = editedFigure();
const { body, poseAt, placeOf } = figure;
const H = body.height;

function added(
  { body: on, poseAt: from }: Pick<typeof figure, 'body' | 'poseAt'>,
  layers: readonly Layer[],
  time: number,
  when: 'before' | 'after' = 'before',
): Pose {
  const step = createLayerStep(compileLayers(on, layers, { when }));
  const pose = from(time);
  step(pose, time, modelPoseOf(on.skeleton, pose));
  return pose;
}

const chin: Layer = {
  joints: {
    head: [
      { time: 1, degrees: [0, 0, 0] },
      { time: 1.5, degrees: [-12, 0, 5] },
      { time: 2, degrees: [0, 0, 0] },
    ],
  },
};

/** How a role's joint is turned in model space from one pose to another: a rotation vector in degrees. */
function turnOf(on: typeof figure, role: Role, a: Pose, b: Pose): number[] {
  const joint = on.body.joints[role]!;
  const p = modelPoseOf(on.body.skeleton, a).rotations.subarray(4 * joint, 4 * joint + 4);
  const q = modelPoseOf(on.body.skeleton, b).rotations.subarray(4 * joint, 4 * joint + 4);
  const [x, y, z, w] = [
    q[0]! * p[3]! - q[3]! * p[0]! - q[1]! * p[2]! + q[2]! * p[1]!,
    q[1]! * p[3]! - q[3]! * p[1]! - q[2]! * p[0]! + q[0]! * p[2]!,
    q[2]! * p[3]! - q[3]! * p[2]! - q[0]! * p[1]! + q[1]! * p[0]!,
    q[3]! * p[3]! + q[0]! * p[0]! + q[1]! * p[1]! + q[2]! * p[2]!,
  ];
  const s = Math.hypot(x, y, z);
  const k = s > 1e-12 ? (2 * Math.atan2(s, Math.abs(w)) * Math.sign(w || 1)) / s : 2;
  return [x, y, z].map((c) => (k * c * 180) / Math.PI);
}

describe('layers (M10, M11)', () => {
  it('are exact at their keys, nothing outside, and keep what is under them', () => {
    for (const time of [0, 1, 2, 3]) expect(added(figure, [chin], time)).toEqual(poseAt(time));
    const pose = added(figure, [chin], 1.5);
    const head = body.joints.head!;
    expect(quaternionAngle(pose.rotations, 4 * head, poseAt(1.5).rotations, 4 * head)).toBeCloseTo(
      (13 * Math.PI) / 180,
      9,
    );
    const others = pose.rotations.map((x, i) =>
      Math.floor(i / 4) === head ? 0 : x - poseAt(1.5).rotations[i]!,
    );
    expect(others.every((x) => x === 0)).toBe(true);
  });

  it('are weighed by a number or a curve, muted, and chosen by when and clip', () => {
    const head = body.joints.head!;
    const angle = (layer: Layer, when: 'before' | 'after' = 'before') =>
      quaternionAngle(added(figure, [layer], 1.5, when).rotations, 4 * head, poseAt(1.5).rotations, 4 * head);
    const whole = angle(chin);
    expect(angle({ ...chin, weight: 0.5 })).toBeCloseTo(whole / 2, 9);
    expect(
      angle({
        ...chin,
        weight: [
          { time: 1, value: 0, ease: 'linear' },
          { time: 2, value: 1 },
        ],
      }),
    ).toBeCloseTo(whole / 2, 9);
    expect(angle({ ...chin, muted: true })).toBe(0);
    expect(angle(chin, 'after')).toBe(0);
    expect(angle({ ...chin, when: 'after' }, 'after')).toBeCloseTo(whole, 12);
  });

  it('move the hips in shares of their height, whatever they hang on', () => {
    const lift: Layer = { hips: [{ time: 0, place: [0, 0.1, 0.05] }] };
    for (const other of [
      {},
      { unit: 0.01, up: '+Z', axes: 'boneY', declared: { up: '+Z', facing: null, unit: 0.01 } },
      { size: 0.5 },
    ] as Figure[]) {
      const rig = editedFigure(other);
      const [a, b] = [rig.placeOf(rig.poseAt(1), 'hips'), rig.placeOf(added(rig, [lift], 1), 'hips')];
      expect(b[1] - a[1]).toBeCloseTo(0.1 * rig.body.hipHeight, 9);
      expect(b[2] - a[2]).toBeCloseTo(0.05 * rig.body.hipHeight, 9);
    }
  });

  it('mean the same on every body: other axes, units, names and proportions', () => {
    const wave: Layer = {
      joints: {
        rightUpperArm: [{ time: 0, degrees: [10, -25, 40] }],
        chest: [{ time: 0, degrees: [15, 5, 0] }],
      },
    };
    const still = (on: typeof figure) => ({ ...on, poseAt: () => copyPose(on.body.reference) });
    const wanted = turnOf(figure, 'chest', body.reference, added(still(figure), [wave], 0));
    expect(wanted[0]).toBeCloseTo(15, 6);
    for (const other of [
      { axes: 'boneY' },
      { axes: 'boneX', names: 'unreal' },
      { unit: 0.01, size: 0.6 },
      { names: 'vrm', axes: 'boneY', up: '+Z', declared: { up: '+Z', facing: null, unit: 1 } },
    ] as Figure[]) {
      const rig = editedFigure(other);
      const pose = added(still(rig), [wave], 0);
      for (const role of ['chest', 'rightUpperArm', 'rightHand'] as const) {
        const [one, two] = [
          turnOf(figure, role, body.reference, added(still(figure), [wave], 0)),
          turnOf(rig, role, rig.body.reference, pose),
        ];
        for (let c = 0; c < 3; c++)
          expect(two[c], `${JSON.stringify(other)} ${role}`).toBeCloseTo(one[c]!, 4);
      }
    }
  });

  it('warn of joints that are not there, and of more than half a turn between keys', () => {
    const { warnings, layers } = compileLayers(
      body,
      [
        {
          joints: {
            tail: [{ time: 0, degrees: [1, 0, 0] }],
            head: [
              { time: 0, degrees: [10, 0, 0] },
              { time: 1, degrees: [350, 0, 0] },
            ],
          },
        },
      ],
      { when: 'before' },
    );
    expect(warnings.map(({ code }) => code)).toEqual(['layer-joint-missing', 'layer-turns-far']);
    expect(layers[0]!.joints).toHaveLength(1);
    // The short way: from 10 to −10 degrees.
    expect(layers[0]!.joints[0]!.curve.values[3]).toBeCloseTo((-10 * Math.PI) / 180, 9);
  });

  it('say what was meant: the joint of a misspelt name, a number for a weight', () => {
    const misspelt = [{ joints: { rightHnad: [{ time: 0, degrees: [1, 0, 0] as Vec3 }] } }];
    expect(compileLayers(body, misspelt, { when: 'before' }).warnings[0]!.message).toMatch(
      /rightHnad: .* no such joint or body part \(did you mean "rightHand"\?\); it was left out$/,
    );
    expect(() => checkLayers([{ weight: 'much' }])).toThrow(
      'layers[0].weight: must be a number, and is "much"',
    );
    expect(() => checkLayers([{ muted: 'no' }])).toThrow(
      'layers[0].muted: must be true or false, and is "no"',
    );
  });

  it.each([
    [[{ when: 'never' }], 'layers[0].when'],
    [[{ weight: 'much' }], 'layers[0].weight'],
    [[{ joints: { head: [] } }], 'layers[0].joints.head'],
    [[{ joints: { head: [{ time: 0, degrees: [0, 0] }] } }], 'layers[0].joints.head[0].degrees'],
    [
      [
        {
          joints: {
            head: [
              { time: 1, degrees: [0, 0, 0] },
              { time: 0, degrees: [0, 0, 0] },
            ],
          },
        },
      ],
      'layers[0].joints.head[1].time',
    ],
    [[{ hips: [{ time: 0 }] }], 'layers[0].hips[0].place'],
    [[{ band: [3, 1] }], 'layers[0].band'],
    [[{ band: [1, 3], joints: { head: [{ time: 0, degrees: [0, 9, 0] }] } }], 'layers[0].joints.head'],
    [[{ gain: 2 }], 'layers[0].gain'],
    [[{ colour: 'red' }], 'layers[0].colour'],
  ])('name the path of what is wrong in %j', (document, path) => {
    expect(() => checkLayers(document)).toThrow(UsageError);
    expect(() => checkLayers(document)).toThrow(`${path}: `);
  });
});

describe('spreadEdit', () => {
  it('is the edit at its frame, nothing outside the span, and has no acceleration where it begins', () => {
    const layer = spreadEdit({ time: 1.5, joints: { head: [0, 30, 0] }, hips: [0, 0.05, 0] }, [1, 2]);
    checkLayers([layer]);
    expect(added(figure, [layer], 1)).toEqual(poseAt(1));
    expect(added(figure, [layer], 2)).toEqual(poseAt(2));
    const head = body.joints.head!;
    const angle = (time: number) =>
      quaternionAngle(added(figure, [layer], time).rotations, 4 * head, poseAt(time).rotations, 4 * head);
    expect(angle(1.5)).toBeCloseTo(Math.PI / 6, 9);
    const h = 0.01;
    expect(angle(1 + h) / h ** 2).toBeLessThan(1);
    expect(Math.abs(angle(1.5 + h) - 2 * angle(1.5) + angle(1.5 - h)) / h ** 2).toBeLessThan(1);
  });
});

describe('a generated layer', () => {
  it('is what constraints changed, and as keys keeps the hand to a thousandth of the height (M10, M21)', () => {
    const document: Constraint[] = [
      {
        kind: 'point',
        joint: 'rightHand',
        space: 'copied',
        goal: { place: [0.05 * H, -0.08 * H, 0.1 * H] },
        times: { in: 0.5, start: 1, end: 1.6, out: 2.2 },
      },
    ];
    const { step } = figure.stepOf(document);
    const record = createGeneratedLayer(body);
    const solved = new Map<number, Pose>();
    for (let k = 0; k <= 90; k++) {
      const time = k / 30;
      const pose = poseAt(time);
      step(pose, time);
      record.add(time, poseAt(time), pose);
      solved.set(k, pose);
    }
    const layer = convertToKeys(body, record);
    checkLayers([layer]);
    expect(layer.when).toBe('after');
    expect(Object.keys(layer.joints!)).toContain('rightUpperArm');
    const keys = Object.values(layer.joints!).reduce((sum, list) => sum + list.length, 0);
    // Far fewer keys than frames times joints.
    expect(keys).toBeLessThan(0.5 * 51 * Object.keys(layer.joints!).length);
    let worst = 0;
    for (let k = 0; k <= 90; k++) {
      const pose = added(figure, [layer], k / 30, 'after');
      worst = Math.max(worst, apart(placeOf(pose, 'rightHand'), placeOf(solved.get(k)!, 'rightHand')));
    }
    expect(worst).toBeLessThan(1.5e-3 * H);
    // Nothing outside the ramps.
    expect(added(figure, [layer], 0.2, 'after')).toEqual(poseAt(0.2));
    const coarse = convertToKeys(body, record, 1e-2);
    const fewer = Object.values(coarse.joints!).reduce((sum, list) => sum + list.length, 0);
    expect(fewer).toBeLessThan(keys);
  });
});
