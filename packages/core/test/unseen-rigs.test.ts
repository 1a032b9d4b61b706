import { describe, expect, it } from 'vitest';
import { REQUIRED_ROLES } from '../src/body/roles.js';
import { createRig } from '../src/body/understand/create-rig.js';
import {
  BIRD,
  beastPlan,
  centaurPlan,
  chainRows,
  DINOSAUR,
  handPlan,
  insectPlan,
  personPlan,
} from './unseen-plans.js';
import { judgeParts, type Row, type Showing, unseenRig } from './unseen-rigs.js';

/** What is answered on a plan without names: the same for every order of its joints. */
function answerTo(plan: readonly Row[], showing: Showing = {}) {
  const answers = [1, 77, 4242].map((seed) => {
    const rig = unseenRig(plan, { ...showing, seed });
    const { body } = createRig(rig.skeleton);
    return { kind: body!.kind, ...judgeParts(body!.parts, rig) };
  });
  const [first, ...others] = answers;
  for (const other of others) {
    expect(other.kind).toBe(first!.kind);
    expect(other.right.slice().sort()).toEqual(first!.right.slice().sort());
  }
  return first!;
}

const controls: Row[] = [
  ['ctlFoot~', 'root', 0.1, 0.09, 0],
  ['ctlKnee~', 'root', 0.1, 0.5, 0.5],
  ['ctlHand~', 'root', 0.7, 1.4, 0],
  ['ctlElbow~', 'root', 0.45, 1.4, -0.5],
];
const twists: Row[] = [
  ['~twist1', '~UpperArm', 0.3, 1.4, 0],
  ['~twist2', '~LowerArm', 0.55, 1.4, 0],
  ['~twist3', '~UpperLeg', 0.1, 0.7, 0.005],
  ['~twist4', '~LowerLeg', 0.1, 0.3, 0],
];
const skirt = [0, 1, 2, 3].flatMap((n) =>
  chainRows(`skirt~${n}_`, 'hips', [0.05 + 0.03 * n, 0.9, 0.1 - 0.06 * n], [0.01, -0.12, 0], 4),
);
const cape = ['cape~', 'capeMiddle'].flatMap((name, n) =>
  chainRows(name, 'upperChest', [n === 0 ? 0.1 : 0, 1.4, -0.1], [n === 0 ? 0.02 : 0, -0.2, -0.02], 5),
);
const arms: Row[] = [
  ['~second1', 'chest', 0.17, 1.2, 0],
  ['~second2', '~second1', 0.42, 1.2, 0],
  ['~second3', '~second2', 0.66, 1.2, 0],
];

describe('people that no file has, without names (F1, F2, F5)', () => {
  const all = (plan: readonly Row[], showing: Showing = {}, roles: readonly string[] = REQUIRED_ROLES) => {
    const { wrong, missing, kind } = answerTo(plan, showing);
    expect(wrong).toEqual([]);
    expect(kind).toBe('humanoid');
    expect(roles.filter((role) => missing.includes(role))).toEqual([]);
  };
  for (const pose of ['T', 'A', 'down', 'ahead', 'up'] as const)
    it.each(['straight', 'sitting', 'step'] as const)(`arms ${pose}, legs %s`, (legs) => {
      all(personPlan({ arms: pose, legs }), { up: null });
    });
  it.each([
    [
      'a chibi without fingers',
      { thigh: 0.12, shin: 0.11, torso: 0.22, arm: 0.11, forearm: 0.1, shoulder: 0.1, fingers: 0 },
    ],
    ['an ape', { thigh: 0.25, shin: 0.25, torso: 0.5, arm: 0.42, forearm: 0.4, arms: 'A' as const }],
    ['stilts', { thigh: 0.7, shin: 0.7 }],
    ['one joint of torso and no collar bones', { spine: 1, collar: false, fingers: 0 }],
    ['five joints of torso', { spine: 5 }],
    ['a mitten', { fingers: 1 }],
    ['three fingers', { fingers: 2 }],
    ['four fingers', { fingers: 3 }],
    ['no thumb', { thumb: false }],
  ])('%s', (_, build) => {
    all(personPlan(build));
  });
  it('is turned by any angle', () => {
    for (const turned of [30, 77, 200]) all(personPlan(), { turned });
  });
  it.each([
    ['handles', controls],
    ['twists beside the limbs', twists],
    ['a skirt', skirt],
    ['a cape', cape],
    ['a tail', chainRows('tail', 'hips', [0, 0.95, -0.1], [0, -0.08, -0.1], 6)],
    ['a pony tail', chainRows('pony', 'head', [0, 1.65, -0.1], [0, -0.1, -0.03], 6)],
    ['wings as long as arms', chainRows('feather~', 'upperChest', [0.06, 1.4, -0.1], [0.2, 0.08, -0.02], 5)],
    ['a second pair of arms', arms],
    [
      'a sword',
      [
        ['sword', 'rightHand', -0.78, 1.4, 0.05],
        ['tip', 'sword', -0.78, 1.4, 0.95],
      ],
    ],
  ] as [string, Row[]][])('with %s, with a skin and without', (_, more) => {
    for (const skin of [true, false]) all([...personPlan(), ...more], { skin });
  });
  it('a tall hat leaves the head open rather than being it', () => {
    const plan = [...personPlan(), ...chainRows('hat', 'head', [0, 1.75, 0], [0, 0.1, 0], 3)];
    all(
      plan,
      {},
      REQUIRED_ROLES.filter((role) => role !== 'head'),
    );
  });
});

describe('animals that no file has, without names (F5)', () => {
  const LEGS = ['UpperLeg', 'LowerLeg', 'Foot', 'Toes'];
  const legs = (...ends: string[]) =>
    ends.flatMap((end) => ['Left', 'Right'].flatMap((side) => LEGS.map((word) => `${end}${side}${word}`)));
  const some = (plan: readonly Row[], kind: string, parts: readonly string[], showing: Showing = {}) => {
    const answer = answerTo(plan, showing);
    expect(answer.wrong).toEqual([]);
    expect(answer.kind).toBe(kind);
    expect(parts.filter((part) => !answer.right.includes(part))).toEqual([]);
  };
  const four = [...legs('front', 'hind'), 'hips', 'spine1', 'spine2', 'spine3'];
  it.each([
    ['with ears', {}, ['head', 'neck1', 'neck2', 'tail1', 'tail2', 'tail3']],
    ['without ears', { ears: false }, ['tail1']],
    ['without a tail', { tail: 0, girdles: false }, ['head', 'neck1', 'neck2']],
    ['like a giraffe', { neck: 6, rise: 0.95, leg: 1.4 }, ['head', 'neck1', 'neck6']],
    ['like a weasel', { leg: 0.15, length: 1.2 }, ['head']],
    ['like a lizard', { leg: 0.15, sprawl: 0.2, ears: false, tail: 8, neck: 1, rise: 0.1 }, ['tail7']],
  ])('four legs %s', (_, build, parts) => {
    some(beastPlan(build), 'quadruped', [...four, ...parts]);
    some(beastPlan(build), 'quadruped', [...four, ...parts], { skin: true });
  });
  it.each([30, 45, 77, 180, 301])('four legs, turned by %s degrees', (turned) => {
    some(beastPlan(), 'quadruped', [...four, 'head'], { turned });
  });
  it('a centaur has the legs of a horse, and neither a neck nor ears', () => {
    some(centaurPlan(), 'quadruped', four);
  });
  it('a dragon has wings and four legs', () => {
    const wings = chainRows('wing~', 'spine3', [0.08, 0.72, 0.3], [0.25, 0.12, -0.04], 5);
    some([...beastPlan({ tail: 8, neck: 4, ears: false }), ...wings], 'quadruped', [
      ...four,
      'tail5',
      'wingLeft1',
      'wingRight4',
    ]);
  });
  it('a dinosaur and a bird stand on two legs', () => {
    some(DINOSAUR, 'biped', ['hips', 'spine1', 'spine2', 'tail1', 'tail5', ...legs('hind'), 'frontLeftFoot']);
    some(BIRD, 'bird', ['hips', 'spine2', 'tail2', 'wingLeft1', 'wingRight3', ...legs('hind')]);
  });
  it('legs of insects and spiders are counted where something shows the front, else not named', () => {
    some(insectPlan(3, true), 'spider', ['hips', 'spine1', 'head', 'tail1', 'leg1Left1', 'leg3Right2']);
    some(insectPlan(4, true), 'spider', ['leg1Left1', 'leg4Right2']);
    expect(answerTo(insectPlan(4, false)).right).toEqual(['hips']);
  });
});

describe('hands without a body and without names (F5)', () => {
  it.each(['left', 'right'] as const)('a %s hand is known by where its fingers bend', (side) => {
    for (const turned of [0, 130]) {
      const { wrong, missing } = answerTo(handPlan(side, 12), { turned });
      expect(wrong).toEqual([]);
      expect(missing).toEqual([]);
    }
  });
  it('a flat hand has no side, and a star of five is no hand', () => {
    expect(answerTo(handPlan('left', 0)).right).toEqual([]);
    const star: Row[] = [['middle', '', 0, 0, 0]];
    for (let n = 0; n < 5; n++) {
      const [c, s] = [Math.cos(1.257 * n), Math.sin(1.257 * n)];
      star.push(...chainRows(`arm${n}_`, 'middle', [0.1 * c, 0, 0.1 * s], [0.1 * c, -0.01, 0.1 * s], 3));
    }
    const { right, wrong } = answerTo(star);
    expect([right, wrong]).toEqual([[], []]);
  });
});
