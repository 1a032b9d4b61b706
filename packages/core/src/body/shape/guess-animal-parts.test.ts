import { describe, expect, it } from 'vitest';
import { stickFigure } from '../../../test/stick-figure.js';
import { createRandom } from '../../../test/tiny-rigs.js';
import type { Vec3 } from '../../base/math/vector.js';
import { createSkeleton, type JointDescription, type Skeleton } from '../../scene/skeleton.js';
import type { BodyPart } from '../body-parts.js';
import { createRig } from '../understand/create-rig.js';
import { guessAnimalParts } from './guess-animal-parts.js';

type Beast = {
  length?: number;
  legs?: number;
  tail?: number;
  neck?: number;
  turned?: boolean;
  girdles?: boolean;
};

/** An animal on four legs that faces +Z (−Z if turned), and its joints by part. */
function beast({ length = 1, legs = 0.8, tail = 4, neck = 2, turned = false, girdles = true }: Beast = {}): {
  skeleton: Skeleton;
  jointOf: Map<string, number>;
} {
  const list: { part: string; parent: string; at: Vec3 }[] = [];
  const z = turned ? -1 : 1;
  const add = (part: string, parent: string, x: number, y: number, ahead: number) => {
    // left = up × ahead
    list.push({ part, parent, at: [z * x, y, z * ahead] });
  };
  const back = legs * 1.2;
  add('root', '', 0, 0, 0);
  add('hips', 'root', 0, back, -length / 2);
  add('spine1', 'hips', 0, back, -length / 4);
  add('spine2', 'spine1', 0, back, length * 0.1);
  add('spine3', 'spine2', 0, back, length * 0.35);
  let last = 'spine3';
  for (let n = 1; n <= neck; n++) {
    add(`neck${n}`, last, 0, back + 0.1 * n, length * 0.5 + 0.12 * n);
    last = `neck${n}`;
  }
  add('head', last, 0, back + 0.1 * neck + 0.12, length * 0.5 + 0.12 * neck + 0.12);
  last = 'hips';
  for (let n = 1; n <= tail; n++) {
    add(`tail${n}`, last, 0, back - 0.02 * n, -length / 2 - 0.15 * n);
    last = `tail${n}`;
  }
  for (const [side, x] of [
    ['Left', 1],
    ['Right', -1],
  ] as const) {
    add(`ear${side}1`, 'head', 0.08 * x, back + 0.1 * neck + 0.25, length * 0.5 + 0.12 * neck + 0.13);
    for (const [end, base, girdle, at] of [
      ['front', 'spine3', 'Shoulder', length * 0.4],
      ['hind', 'hips', 'Hip', -length / 2],
    ] as const) {
      const hock = end === 'hind' ? -0.12 : 0.02;
      if (girdles) add(`${end}${side}${girdle}`, base, 0.07 * x, legs * 1.08, at);
      add(`${end}${side}UpperLeg`, girdles ? `${end}${side}${girdle}` : base, 0.14 * x, legs, at + 0.02);
      add(
        `${end}${side}LowerLeg`,
        `${end}${side}UpperLeg`,
        0.14 * x,
        legs * 0.62,
        at + (end === 'hind' ? 0.08 : -0.06),
      );
      add(`${end}${side}Foot`, `${end}${side}LowerLeg`, 0.14 * x, legs * 0.28, at + hock);
      add(`${end}${side}Toes`, `${end}${side}Foot`, 0.14 * x, legs * 0.04, at + hock + 0.06);
    }
  }
  const place = new Map(list.map(({ part }, i) => [part, i]));
  const joints = list.map(({ parent, at }, i): JointDescription => {
    const p = place.get(parent) ?? -1;
    const from = p < 0 ? [0, 0, 0] : list[p]!.at;
    return { name: `joint_${i}`, parent: p, translation: at.map((value, c) => value - from[c]!) };
  });
  const { skeleton, order } = createSkeleton('beast', joints, {
    declared: { up: '+Y', facing: null, unit: 1 },
  });
  return { skeleton, jointOf: new Map(list.map(({ part }, i) => [part, order[i]!])) };
}

/** Parts given to a wrong joint, and parts that got none. */
function judge(animal: Beast): { kind: string; wrong: string[]; missing: string[] } {
  const { skeleton, jointOf } = beast(animal);
  const { kind, parts } = guessAnimalParts(skeleton);
  const found = new Map<BodyPart, number>();
  parts.forEach(({ part }, joint) => {
    if (part) found.set(part, joint);
  });
  return {
    kind,
    wrong: [...found].flatMap(([part, joint]) => (jointOf.get(part) === joint ? [] : [part])),
    missing: [...jointOf.keys()].filter((part) => part !== 'root' && !found.has(part as BodyPart)),
  };
}

describe('guessAnimalParts', () => {
  it('nothing in, nothing out', () => {
    const { kind, parts } = guessAnimalParts(createSkeleton('none', []).skeleton);
    expect(kind).toBe('unknown');
    expect(parts).toEqual([]);
  });

  it('a line of joints is a snake, and none of its joints a leg', () => {
    const { skeleton } = createSkeleton(
      'line',
      Array.from({ length: 20 }, (_, i) => ({ name: '', parent: i - 1, translation: [0, 0, -0.1] })),
    );
    const { kind, parts } = guessAnimalParts(skeleton);
    expect(kind).toBe('snake');
    expect(parts.every(({ part }) => part === null)).toBe(true);
  });

  it.each([
    {},
    { turned: true },
    { girdles: false },
    { tail: 8, neck: 4 },
    { length: 2, legs: 0.5 },
  ] as Beast[])('a beast of four legs, all parts right: %j', (animal) => {
    const { kind, wrong, missing } = judge(animal);
    expect(kind).toBe('quadruped');
    expect(wrong).toEqual([]);
    // A tail that ends in no end site leaves it open whether its last joint is a tip; so does an ear.
    expect(missing.filter((part) => !/^tail|^ear/.test(part))).toEqual([]);
  });

  it('beasts of random build: 95 % of the parts, 0.5 % wrong at most', () => {
    const random = createRandom(8);
    let [all, missing, wrong] = [0, 0, 0];
    for (let n = 0; n < 100; n++) {
      const answer = judge({
        length: 0.7 + 1.5 * random(),
        legs: 0.4 + 0.6 * random(),
        tail: 3 + Math.floor(6 * random()),
        neck: 1 + Math.floor(4 * random()),
        turned: random() < 0.5,
        girdles: random() < 0.6,
      });
      all += 32;
      missing += answer.missing.filter((part) => !/^tail\d|^ear/.test(part)).length;
      wrong += answer.wrong.length;
    }
    expect(wrong / all).toBeLessThan(0.005);
    expect(missing / all).toBeLessThan(0.05);
  });

  it('no beast is a person, and no person a beast', () => {
    const animal = createRig(beast().skeleton);
    expect(animal.body!.kind).toBe('quadruped');
    expect(animal.guesses.every(({ role }) => role === null)).toBe(true);
    for (const arms of ['T', 'A', 'down'] as const) {
      const { skeleton } = stickFigure({ arms, names: 'number' });
      expect(createRig(skeleton).body!.kind).toBe('humanoid');
      expect(guessAnimalParts(skeleton).kind).not.toBe('quadruped');
    }
  });
});
