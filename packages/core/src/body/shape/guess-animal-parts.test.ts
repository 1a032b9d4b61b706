import { describe, expect, it } from 'vitest';
import { type Beast, beast } from '../../../test/beast.js';
import { stickFigure } from '../../../test/stick-figure.js';
import { createRandom } from '../../../test/tiny-rigs.js';
import { createSkeleton } from '../../scene/skeleton.js';
import type { BodyPart } from '../body-parts.js';
import { createRig } from '../understand/create-rig.js';
import { guessAnimalParts } from './guess-animal-parts.js';

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

type Node = readonly [name: string, parent: string, x: number, y: number, z: number];

/** The parts of a body of named nodes, by name; those with a side stand in it once, for the left, and are mirrored. */
function partsOf(nodes: readonly Node[]): { kind: string; partOf: (name: string) => BodyPart | null } {
  const names: string[] = [];
  const specs: { name: string; parent: number; translation: [number, number, number] }[] = [];
  const add = (name: string, parent: string, translation: [number, number, number]) => {
    specs.push({ name, parent: names.indexOf(parent), translation });
    names.push(name);
  };
  for (const [name, parent, x, y, z] of nodes) {
    add(name, parent, [x, y, z]);
    if (name.endsWith('L')) add(name.replace(/L$/, 'R'), parent.replace(/L$/, 'R'), [-x, y, z]);
  }
  const { skeleton } = createSkeleton('nodes', specs);
  const { kind, parts } = guessAnimalParts({ ...skeleton, declared: { ...skeleton.declared, up: '+Y' } });
  return { kind, partOf: (name) => parts[skeleton.names.indexOf(name)]!.part };
}

const BIRD: readonly Node[] = [
  ['hips', '', 0, 0.5, 0],
  ['spine', 'hips', 0, 0.06, 0.12],
  ['chest', 'spine', 0, 0.04, 0.12],
  ['neck', 'chest', 0, 0.08, 0.1],
  ['head', 'neck', 0, 0.08, 0.06],
  ['tail1', 'hips', 0, 0, -0.12],
  ['tail2', 'tail1', 0, 0, -0.12],
  ['tail3', 'tail2', 0, 0, -0.12],
  ['wing1L', 'chest', 0.1, 0.03, 0],
  ['wing2L', 'wing1L', 0.3, 0, 0],
  ['wing3L', 'wing2L', 0.3, 0, -0.05],
  ['wing4L', 'wing3L', 0.3, 0, -0.05],
  ['thighL', 'hips', 0.1, -0.1, 0],
  ['shankL', 'thighL', 0.02, -0.039, 0.117],
  ['hockL', 'shankL', 0, -0.148, -0.145],
  ['ballL', 'hockL', 0, -0.18, 0.163],
  ['toesL', 'ballL', 0, -0.004, 0.116],
  ['tipL', 'toesL', 0, -0.02, 0.104],
];

const DINOSAUR: readonly Node[] = [
  ['root', '', 0, 0, 0],
  ['body', 'root', 0, 9, 0],
  ['spine', 'body', 0, 0.5, 2],
  ['chest', 'spine', 0, 0.5, 2],
  ['neck', 'chest', 0, 1, 1.5],
  ['head', 'neck', 0, 0.6, 1.4],
  ['tail1', 'body', 0, 0, -2.5],
  ['tail2', 'tail1', 0, 0, -2.5],
  ['tail3', 'tail2', 0, 0, -2.5],
  ['tail4', 'tail3', 0, 0, -2.5],
  ['hipL', 'body', 0.8, 0, -0.5],
  ['thighL', 'hipL', 1.2, 0, 2.3],
  ['shankL', 'thighL', 0.2, -5.8, -1.7],
  // An IK foot, which hangs from the root.
  ['footL', 'root', 2.2, 0.3, 0.4],
  ['armL', 'body', 0.9, 0, 4],
  ['elbowL', 'armL', 0.3, -1.5, 0.3],
  ['handL', 'elbowL', 0, -0.7, 1.2],
  ['clawL', 'handL', 0, -0.6, 1],
];

describe('guessAnimalParts', () => {
  it('a bird stands on thighs that are shorter than its shanks', () => {
    const { kind, partOf } = partsOf(BIRD);
    expect(kind).toBe('bird');
    expect(['thigh', 'shank', 'hock', 'ball'].map((name) => partOf(`${name}L`))).toEqual([
      'hindLeftUpperLeg',
      'hindLeftLowerLeg',
      'hindLeftFoot',
      'hindLeftToes',
    ]);
    expect(partOf('wing1R')).toBe('wingRight1');
  });

  it('a dinosaur whose feet hang from the root stands on all of its legs', () => {
    const { kind, partOf } = partsOf(DINOSAUR);
    expect(kind).toBe('biped');
    expect(['hip', 'thigh', 'shank', 'foot'].map((name) => partOf(`${name}R`))).toEqual([
      'hindRightHip',
      'hindRightUpperLeg',
      'hindRightLowerLeg',
      'hindRightFoot',
    ]);
  });

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
