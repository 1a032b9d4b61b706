import { describe, expect, it } from 'vitest';
import { editedFigure } from '../../../test/edited-figure.js';
import { UsageError } from '../../base/errors.js';
import { CONSTRAINT_KINDS } from '../../options/constraint.js';
import { checkConstraints } from './check-constraints.js';

const good = { kind: 'point', joint: 'rightHand', goal: { place: [0, 1, 0] } };

describe('checkConstraints', () => {
  it('takes a document as people write it, and copies it', () => {
    const document = [
      {
        name: 'take glass',
        clip: 'pick',
        joint: 'rightHand',
        offset: [0, 0.08, 0],
        kind: 'point',
        goal: { place: [0.3, 1.0, 0.4] },
        times: { in: 0.6667, start: 1, end: 1.6667, out: 2 },
        ease: 'smoother',
        level: 1,
      },
      { joint: 'leftFoot', kind: 'plane', side: 'above', goal: { normal: [0, 1, 0], height: 0 } },
      {
        joint: 'leftHand',
        kind: 'relative',
        goal: { joint: 'rightHand', offset: [0, 0.2, 0], axes: 'joint' },
      },
      { kind: 'balance' },
      {
        joint: 'rightHand',
        kind: 'point',
        goal: {
          keys: [
            { time: 0, place: [0, 1, 0] },
            { time: { frame: 20 }, place: [0, 1, 1] },
          ],
        },
      },
    ];
    const checked = checkConstraints(JSON.parse(JSON.stringify(document)));
    expect(checked).toEqual(document);
  });

  it.each([
    [[{ ...good, kind: 'hold' }], 'constraints[0].kind'],
    [[good, { ...good, joint: 5 }], 'constraints[1].joint'],
    [[{ kind: 'point', goal: { place: [0, 0, 0] } }], 'constraints[0].joint'],
    [[{ ...good, goal: { place: [0, Number.NaN, 0] } }], 'constraints[0].goal.place[1]'],
    [[{ ...good, goal: {} }], 'constraints[0].goal'],
    [[{ kind: 'plane', joint: 'head', goal: { normal: [0, 0, 0] } }], 'constraints[0].goal.normal'],
    [[{ kind: 'distance', joint: 'head', goal: { place: [0, 0, 0] } }], 'constraints[0].length'],
    [[{ kind: 'distance', joint: 'head', goal: { place: [0, 0, 0] }, length: -1 }], 'constraints[0].length'],
    [[{ ...good, times: { in: 2, start: 1 } }], 'constraints[0].times.start'],
    [[{ ...good, times: { begin: 2 } }], 'constraints[0].times.begin'],
    [[{ ...good, ease: 'bouncy' }], 'constraints[0].ease'],
    [[{ ...good, level: 1.5 }], 'constraints[0].level'],
    [[{ ...good, strength: 0 }], 'constraints[0].strength'],
    [[{ ...good, muted: 'yes' }], 'constraints[0].muted'],
    [[{ ...good, unit: 'feet' }], 'constraints[0].unit'],
    [[{ ...good, space: 'moon' }], 'constraints[0].space'],
    [[{ ...good, gaol: {} }], 'constraints[0].gaol'],
    [[{ ...good, goal: { keys: [] } }], 'constraints[0].goal.keys'],
    [
      [
        {
          ...good,
          goal: {
            keys: [
              { time: 1, place: [0, 0, 0] },
              { time: 0, place: [0, 0, 0] },
            ],
          },
        },
      ],
      'constraints[0].goal.keys[1].time',
    ],
    [[{ ...good, goal: { keys: [{ time: 1, degrees: [0, 0, 0] }] } }], 'constraints[0].goal.keys[0].place'],
    [[{ ...good, goal: { character: 'B' } }], 'constraints[0].goal.joint'],
    [[{ kind: 'lookAt', joint: 'head', axis: [0, 0, 0], goal: { place: [0, 0, 0] } }], 'constraints[0].axis'],
    [[{ ...good, side: 'above' }], 'constraints[0].side'],
    [[{ ...good, length: 3 }], 'constraints[0].length'],
    [[{ ...good, axis: [0, 0, 1] }], 'constraints[0].axis'],
    [
      [{ kind: 'lookAt', joint: 'head', offset: [0, 0, 1], goal: { joint: 'hips' } }],
      'constraints[0].offset',
    ],
    [[{ ...good, goal: { place: [0, 1, 0], joint: 'head' } }], 'constraints[0].goal.joint'],
    [[{ ...good, goal: { place: [0, 1, 0], offset: [0, 1, 0] } }], 'constraints[0].goal.offset'],
    [[{ ...good, goal: { source: 'head', axes: 'joint' } }], 'constraints[0].goal.axes'],
    [
      [{ kind: 'plane', joint: 'head', goal: { normal: [0, 1, 0], place: [0, 1, 0] } }],
      'constraints[0].goal.place',
    ],
    [[{ kind: 'lock', joint: 'head', goal: { place: [0, 1, 0] } }], 'constraints[0].goal'],
    [
      [{ ...good, goal: { keys: [{ time: 1, place: [0, 0, 0], easing: 'linear' }] } }],
      'constraints[0].goal.keys[0].easing',
    ],
    [
      [
        {
          ...good,
          goal: {
            keys: [
              { time: { frame: 9 }, place: [0, 0, 0] },
              { time: { frame: 5 }, place: [0, 0, 0] },
            ],
          },
        },
      ],
      'constraints[0].goal.keys[1].time.frame',
    ],
    [[{ ...good, times: { start: { frame: 3, rate: 60 } } }], 'constraints[0].times.start.rate'],
    [[{ kind: 'balance', joint: 'head' }], 'constraints[0].joint'],
    [{}, 'constraints'],
  ])('names the path of what is wrong in %j', (document, path) => {
    expect(() => checkConstraints(document)).toThrow(UsageError);
    expect(() => checkConstraints(document)).toThrow(`${path}: `);
    expect(() => checkConstraints(document, 'recipe.constraints')).toThrow(`recipe.${path}: `);
  });

  it('says which kind a field goes with', () => {
    expect(() => checkConstraints([{ ...good, bound: 'atMost' }])).toThrow(
      'constraints[0].bound: goes with kind distance, and this one is of kind point',
    );
  });

  it('knows every kind', () => {
    expect(CONSTRAINT_KINDS).toHaveLength(8);
  });
});

describe('compileConstraints, of what a body does not have', () => {
  const { compile, body } = editedFigure();

  it('leaves out what names a missing joint, node or clip, with a warning, and keeps the rest', () => {
    const data = compile(
      [
        { kind: 'point', joint: 'tail', goal: { place: [0, 0, 0] } },
        { kind: 'point', joint: 'head', goal: { joint: 'leftWing' } },
        { kind: 'point', joint: 'head', goal: { node: 'cup' } },
        { kind: 'point', joint: 'head', goal: { place: [0, 2, 0] } },
        { kind: 'point', joint: 'head', clip: 'other', goal: { place: [0, 2, 0] } },
        { kind: 'point', joint: 'head', muted: true, goal: { place: [0, 2, 0] } },
      ],
      { clip: 'this', missing: ({ type }) => (type === 'node' ? 'no node "cup"' : null) },
    );
    expect(data.constraints.map(({ index }) => index)).toEqual([3]);
    expect(data.warnings.map(({ code }) => code)).toEqual(Array(3).fill('constraint-ignored'));
    expect(data.warnings[0]!.message).toContain('constraints[0]');
    expect(data.warnings[0]!.message).toContain('"tail"');
    expect(data.warnings[2]!.message).toBe('constraints[2]: no node "cup"');
    const misspelt = compile([{ kind: 'lock', joint: 'rightHnad' }]);
    expect(misspelt.warnings[0]!.message).toMatch(/has no joint "rightHnad" \(did you mean "rightHand"\?\)$/);
  });

  it('refuses a joint that is its own goal, one that nothing may turn, and times out of order in frames', () => {
    expect(() => compile([{ kind: 'relative', joint: 'head', goal: { joint: 'head' } }])).toThrow(
      'constraints[0].goal.joint: ',
    );
    expect(() =>
      compile([{ kind: 'point', joint: 'head', from: 'leftHand', goal: { place: [0, 0, 0] } }]),
    ).toThrow('constraints[0].from: ');
    // Its own turn moves another point of it, or where it looks.
    const itself = { joint: 'head', from: 'head', goal: { place: [0, 0, 1] as [number, number, number] } };
    expect(() => compile([{ ...itself, kind: 'point' }])).toThrow('constraints[0].from: ');
    expect(() => compile([{ ...itself, kind: 'point', offset: [0, 0.1, 0] }])).not.toThrow();
    expect(() => compile([{ ...itself, kind: 'lookAt' }])).not.toThrow();
    expect(() =>
      compile([
        { kind: 'point', joint: 'head', times: { in: { frame: 90 }, start: 1 }, goal: { place: [0, 0, 0] } },
      ]),
    ).toThrow('constraints[0].times.start: ');
    const stiff = editedFigure();
    stiff.body.weights = Object.fromEntries(body.skeleton.names.map((_, i) => [i, 0]));
    expect(() => stiff.compile([{ kind: 'point', joint: 'head', goal: { place: [0, 0, 0] } }])).toThrow(
      'constraints[0].joint: ',
    );
  });

  it('H1 takes queries for goals and for the topmost joint, where they mean one', () => {
    const data = compile([
      { kind: 'relative', joint: 'rightHand', goal: { joint: 'left hand' } },
      { kind: 'point', joint: 'rightHand', from: 'right shoulder', goal: { place: [0, 1, 0] } },
      { kind: 'relative', joint: 'head', goal: { joint: 'every hand' } },
    ]);
    expect(data.plan.joints[data.constraints[0]!.task.other!]).toBe(body.joints.leftHand);
    expect(data.plan.joints[data.constraints[1]!.task.from!]).toBe(body.joints.rightUpperArm);
    expect(data.warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('has no one joint "every hand"'),
    ]);
  });

  it('a part of the trunk that the body does not have is the next one above it, else below, as the topmost joint', () => {
    const topOf = (from: string, joints: typeof body.joints) => {
      const figure = editedFigure();
      figure.body.joints = joints;
      const data = figure.compile([{ kind: 'point', joint: 'rightHand', from, goal: { place: [0, 1, 0] } }]);
      return data.plan.joints[data.constraints[0]?.task.from ?? -1];
    };
    const { spine, chest, upperChest, ...limbs } = body.joints;
    expect([spine, chest, upperChest].every((joint) => joint !== undefined)).toBe(true);
    expect(topOf('chest', body.joints)).toBe(chest);
    expect(topOf('upperChest', { ...limbs, spine: spine!, chest: chest! })).toBe(chest);
    expect(topOf('chest', { ...limbs, spine: spine!, upperChest: upperChest! })).toBe(upperChest);
    expect(topOf('spine', { ...limbs, chest: chest! })).toBe(chest);
    expect(topOf('chest', { ...limbs, spine: spine! })).toBe(spine);
    expect(topOf('chest', limbs)).toBeUndefined();
  });

  it('sorts keys in frames among keys in seconds', () => {
    const data = compile(
      [
        {
          kind: 'point',
          joint: 'head',
          goal: {
            keys: [
              { time: 1, place: [0, 1, 0] },
              { time: { frame: 15 }, place: [0, 2, 0] },
            ],
          },
        },
      ],
      { frameRate: 30 },
    );
    const { goal } = data.constraints[0]!;
    expect(goal.from === 'keys' && Array.from(goal.curve.times)).toEqual([0.5, 1]);
  });

  it('warns of ramps without length', () => {
    const data = compile([
      { kind: 'point', joint: 'head', times: { start: 1, end: 2 }, goal: { place: [0, 1.6, 0] } },
    ]);
    expect(data.warnings.map(({ code }) => code)).toEqual(['constraint-jumps', 'constraint-jumps']);
  });

  it('is plain data that can be copied to a worker', () => {
    const data = compile([
      { kind: 'point', joint: 'head', goal: { place: [0, 1.6, 0] } },
      { kind: 'balance' },
    ]);
    expect(structuredClone(data)).toEqual(data);
  });
});
