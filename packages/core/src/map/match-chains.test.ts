import { describe, expect, it } from 'vitest';
import { type Figure, stickFigure } from '../../test/stick-figure.js';
import { createRandom, plainRig, randomSkeleton, skeletonOf } from '../../test/tiny-rigs.js';
import { UsageError } from '../base/errors.js';
import { chainOf } from '../body/chains/armature.js';
import { createArmature } from '../body/chains/create-armature.js';
import type { Rig } from '../body/rig.js';
import { createRig } from '../body/understand/create-rig.js';
import { CHAIN_WEIGHTS } from '../options/chain-matching.js';
import type { JointDescription, Skeleton } from '../scene/skeleton.js';
import { type ChainBody, matchChains, scoreChains } from './match-chains.js';

const bodyOf = (rig: Rig): ChainBody => ({ rig, armature: createArmature(rig.skeleton) });
const figureBody = (figure: Figure) => {
  const { skeleton, clips, jointOf } = stickFigure(figure);
  return { ...bodyOf(createRig(skeleton, { clips })), jointOf };
};

/** Which joint begins the partner of the chain that holds a part; null where it has none. */
function partnerOf(
  source: ReturnType<typeof figureBody>,
  target: ReturnType<typeof figureBody>,
  part: string,
  options: Parameters<typeof matchChains>[2] = {},
): number | null {
  const chain = source.armature.chains.indexOf(chainOf(source.armature, source.jointOf(part))!);
  const match = matchChains(source, target, options).matches.find((each) => each.source === chain);
  return match ? target.armature.chains[match.target]!.joints[0]! : null;
}
const firstOf = ({ armature, jointOf }: ReturnType<typeof figureBody>, part: string) =>
  chainOf(armature, jointOf(part))!.joints[0]!;

const PARTS = ['hips', 'chest', 'head', 'leftHand', 'rightHand', 'leftFoot', 'rightFoot'];
const FINGERS = ['left', 'right'].flatMap((side) =>
  ['ThumbDistal', 'IndexDistal', 'MiddleDistal', 'RingDistal', 'LittleDistal'].map((finger) => side + finger),
);

/** An animal of sticks: legs as pairs from front to back, a tail and wings where asked. */
function animal({ legs = 2, tail = 4, wings = 0, size = 1 } = {}): Skeleton {
  const joints: JointDescription[] = [];
  const add = (parent: number, at: [number, number, number]) => {
    joints.push({ name: `b${joints.length}`, parent, translation: at.map((value) => value * size) });
    return joints.length - 1;
  };
  const root = add(-1, [0, 0, 0]);
  let at = add(root, [0, 1, -1]);
  const spots = [at];
  for (let k = 1; k < legs; k++) {
    at = add(at, [0, 0, 1.8 / legs]);
    at = add(at, [0, 0, 1.8 / legs / 2]);
    spots.unshift(at);
  }
  if (legs < 2) at = add(add(at, [0, 0.1, 0.6]), [0, 0.1, 0.5]);
  const head = add(add(at, [0, 0.3, 0.3]), [0, 0.2, 0.2]);
  add(head, [0, -0.05, 0.3]);
  for (const spot of spots)
    for (const side of [1, -1]) {
      const knee = add(add(spot, [0.2 * side, -0.1, 0]), [0.02 * side, -0.4, 0.1]);
      add(knee, [0, -0.4, -0.1]);
    }
  if (wings)
    for (const side of [1, -1])
      add(add(add(spots[0]!, [0.15 * side, 0.1, -0.1]), [0.8 * side, 0.1, 0]), [0.8 * side, 0, -0.1]);
  let last = spots[spots.length - 1]!;
  for (let k = 0; k < tail; k++) last = add(last, [0, 0, -1 / tail]);
  return skeletonOf(joints, 'animal');
}

describe('matchChains', () => {
  it('has nothing to match where there is nothing', () => {
    const empty = bodyOf(plainRig(skeletonOf([])));
    expect(matchChains(empty, empty).matches).toEqual([]);
    const animalBody = bodyOf(plainRig(animal()));
    expect(matchChains(empty, animalBody).alone.target).toHaveLength(animalBody.armature.chains.length);
  });

  it.each([
    ['A pose on T pose', { arms: 'A' }, {}],
    [
      'arms down, other bones and counts',
      { arms: 'A', spine: 5, neck: 2, toes: false },
      { upperArm: 0.5, spine: 2 },
    ],
    ['without shoulders', { shoulders: false }, { arms: 'A' }],
  ] as [string, Figure, Figure][])('K9, K11: finds every limb and finger of a person: %s', (_, from, to) => {
    const source = figureBody({ ...from, fingers: true });
    const target = figureBody({ ...to, fingers: true, names: 'unreal' });
    for (const part of [...PARTS, ...FINGERS])
      expect(partnerOf(source, target, part), part).toBe(firstOf(target, part));
  });

  it('K11, KP4, R12: unit, place, size and heading change nothing, and a finger never becomes an arm', () => {
    const source = figureBody({
      fingers: true,
      names: 'number',
      declared: { up: '+Y', facing: '+Z', unit: 1 },
    });
    const same = matchChains(source, source).matches.map((match) => [match.source, match.target]);
    expect(same).toHaveLength(source.armature.chains.length);
    for (const other of [
      { unit: 0.01, declared: { up: '+Y', facing: '+Z', unit: 0.01 } },
      { unit: 100, declared: { up: '+Y', facing: '+Z', unit: 100 } },
      { size: 30, declared: { up: '+Y', facing: '+Z', unit: 1 } },
    ] as Figure[]) {
      const target = figureBody({ fingers: true, names: 'number', ...other });
      const { matches } = matchChains(source, target);
      expect(matches.map((match) => [match.source, match.target])).toEqual(same);
      for (const { score } of matches) expect(score).toBeCloseTo(1, 6);
    }
    const turned = figureBody({ fingers: true, names: 'unreal', facing: 90, up: '+Z', unit: 0.01 });
    const upright = figureBody({ fingers: true });
    for (const part of [...PARTS, ...FINGERS])
      expect(partnerOf(upright, turned, part)).toBe(firstOf(turned, part));
  });

  it('KP4, R12: a finger is no arm though it points as one and nothing else is left', () => {
    const [source, target] = [figureBody({ fingers: true }), figureBody({ fingers: true, names: 'unreal' })];
    const indexOf = ({ armature, jointOf }: typeof source, part: string) =>
      armature.chains.indexOf(chainOf(armature, jointOf(part))!);
    const fingers = FINGERS.filter((finger) => finger.startsWith('left'));
    const zero = Object.fromEntries(Object.keys(CHAIN_WEIGHTS).map((key) => [key, 0]));
    const { matches } = matchChains(source, target, {
      weights: { ...zero, direction: 1 },
      threshold: 0,
      fixed: [
        ...fingers.map((finger) => ({ source: indexOf(source, finger), target: null })),
        { source: null, target: indexOf(target, 'leftHand') },
      ],
    });
    expect(matches.map((match) => match.source)).not.toContain(indexOf(source, 'leftHand'));
    for (const finger of fingers)
      expect(matches.map((match) => match.target)).not.toContain(indexOf(target, finger));
  });

  it('KP3, KP4: the score is that of eq. 1, normalised: 1 for a chain and itself, never NaN for one joint', () => {
    const source = bodyOf(plainRig(animal()));
    source.armature.chains.forEach((chain, i) => {
      const { score, parts } = scoreChains(source, source, i, i);
      expect(score, chain.name).toBeCloseTo(1, 9);
      for (const part of Object.values(parts)) if (part !== null) expect(part).toBeLessThanOrEqual(1);
    });
    // A chain of one joint points away from what it hangs on.
    const fork = bodyOf(
      plainRig(
        skeletonOf([
          { name: 'hub', parent: -1 },
          { name: 'left', parent: 0, translation: [1, 0, 0] },
          { name: 'right', parent: 0, translation: [-1, 0, 0] },
        ]),
      ),
    );
    const [left, right] = [1, 2].map((joint) =>
      fork.armature.chains.findIndex(({ joints }) => joints.length === 1 && joints[0] === joint),
    ) as [number, number];
    expect(Math.min(left, right)).toBeGreaterThanOrEqual(0);
    expect(scoreChains(fork, fork, left, left).parts.direction).toBeCloseTo(1, 9);
    expect(scoreChains(fork, fork, left, right).parts.direction).toBeCloseTo(0, 9);
    const dot = bodyOf(plainRig(skeletonOf([{ name: 'dot', parent: -1 }])));
    const { score, parts } = scoreChains(dot, dot, 0, 0);
    expect(parts.direction).toBeNull();
    expect(Number.isFinite(score)).toBe(true);
  });

  it('K9: the four weights of eq. 1 are adjustable, and γ exceeds α and β', () => {
    expect(CHAIN_WEIGHTS.direction).toBeGreaterThan(Math.max(CHAIN_WEIGHTS.end, CHAIN_WEIGHTS.root));
    const source = figureBody({ arms: 'A' });
    const target = figureBody({});
    const [arm, leg] = ['leftHand', 'leftFoot'].map((part) =>
      source.armature.chains.indexOf(chainOf(source.armature, source.jointOf(part))!),
    ) as [number, number];
    const other = target.armature.chains.indexOf(chainOf(target.armature, target.jointOf('leftHand'))!);
    const zero = Object.fromEntries(Object.keys(CHAIN_WEIGHTS).map((key) => [key, 0]));
    const by = (key: string, chain: number) =>
      scoreChains(source, target, chain, other, { ...zero, [key]: 1 }).score;
    for (const key of ['end', 'root', 'direction', 'mean'])
      expect(by(key, arm)).toBeGreaterThan(by(key, leg));
    // Only the direction: half of one plus the cosine of 45 degrees, but for the shoulder.
    expect(by('direction', arm)).toBeGreaterThan(0.8);
    expect(scoreChains(source, target, arm, other, zero).score).toBe(0);
  });

  it('sides never cross, whatever the weights', () => {
    const source = bodyOf(plainRig(animal({ legs: 3 })));
    const target = bodyOf(plainRig(animal({ legs: 4, wings: 1 })));
    const random = createRandom(31);
    const sideOf = ({ rig, armature }: ChainBody, chain: number) => {
      const joints = armature.chains[chain]!.joints;
      let x = 0;
      for (let at = joints[joints.length - 1]!; at >= 0; at = rig.skeleton.parents[at]!)
        x += rig.skeleton.rest.translations[3 * at]!;
      return Math.abs(x) < 0.05 ? 0 : Math.sign(x);
    };
    for (let round = 0; round < 40; round++) {
      const weights = Object.fromEntries(Object.keys(CHAIN_WEIGHTS).map((key) => [key, random()]));
      const { matches } = matchChains(source, target, {
        weights,
        threshold: 0.1,
        assignment: round % 2 ? 'best' : 'greedy',
      });
      expect(matches.length).toBeGreaterThan(4);
      for (const match of matches) expect(sideOf(source, match.source)).toBe(sideOf(target, match.target));
    }
  });

  it('a chain hangs on the partner of what its partner hangs on', () => {
    const source = figureBody({ fingers: true, names: 'number' });
    const target = figureBody({ fingers: true, names: 'number', spine: 5, arms: 'A' });
    const { matches } = matchChains(source, target);
    const parentOf = ({ rig, armature }: ChainBody, chain: number) => {
      let at = rig.skeleton.parents[armature.chains[chain]!.joints[0]!]!;
      while (at >= 0 && !chainOf(armature, at)) at = rig.skeleton.parents[at]!;
      return at < 0 ? -1 : armature.chains.indexOf(chainOf(armature, at)!);
    };
    const partners = new Map(matches.map((match) => [match.source, match.target]));
    for (const match of matches) {
      const above = parentOf(source, match.source);
      if (above >= 0) expect(partners.get(above)).toBe(parentOf(target, match.target));
    }
  });

  it('both sides decide alike, and four legs stay in order from front to back', () => {
    const four = bodyOf(plainRig(animal({ legs: 4 })));
    const larger = bodyOf(plainRig(animal({ legs: 4, size: 7, tail: 9 })));
    const { matches } = matchChains(four, larger);
    const legs = matches.filter((match) => four.armature.chains[match.source]!.kind === 'limb');
    expect(legs).toHaveLength(8);
    const order = ({ armature }: ChainBody, key: 'source' | 'target') =>
      legs.map((match) =>
        armature.chains.filter(({ kind }) => kind === 'limb').indexOf(armature.chains[match[key]]!),
      );
    expect(order(four, 'source')).toEqual(order(larger, 'target'));
    expect(matches.every(({ confidence }) => confidence > 0.6)).toBe(true);
  });

  it('K10: leaves alone what scores below the threshold', () => {
    const source = bodyOf(plainRig(animal({ tail: 5 })));
    const target = bodyOf(plainRig(animal({ tail: 0 })));
    const { alone } = matchChains(source, target);
    expect(alone.source.map((chain) => source.armature.chains[chain]!.kind)).toEqual(['tail']);
    expect(
      matchChains(source, target, { threshold: 1.1 }).matches.every(
        ({ source: i }) => source.armature.chains[i]!.kind === 'root',
      ),
    ).toBe(true);
  });

  it('K12, R7: chains can be told or told to stay alone; the others keep their partners and what belongs to them', () => {
    const source = bodyOf(plainRig(animal({ legs: 3 })));
    const found = matchChains(source, source).matches;
    const limbs = found.filter(({ source: i }) => source.armature.chains[i]!.kind === 'limb');
    const [first, second] = limbs as [(typeof limbs)[0], (typeof limbs)[0]];
    const { matches } = matchChains(source, source, {
      fixed: [
        { source: first.source, target: null },
        { source: null, target: first.target },
      ],
    });
    // KP5: what is missing in the middle does not shift the rest.
    expect(matches.map(({ source: i, target: j }) => [i, j])).toEqual(
      found.filter((match) => match !== first).map(({ source: i, target: j }) => [i, j]),
    );
    const crossed = matchChains(source, source, { fixed: [{ source: first.source, target: second.target }] });
    const told = crossed.matches.find(({ source: i }) => i === first.source)!;
    expect([told.target, told.confidence, told.reason]).toEqual([second.target, 1, 'as told']);
    expect(() => matchChains(source, source, { fixed: [{ source: 99, target: 0 }] })).toThrow(UsageError);
  });

  it('gives a reason for each pair, and finite figures on any two trees', () => {
    const random = createRandom(41);
    for (let round = 0; round < 30; round++) {
      const [a, b] = [0, 1].map(() =>
        bodyOf(plainRig(randomSkeleton(random, 1 + Math.floor(25 * random())))),
      ) as [ChainBody, ChainBody];
      const { matches, alone } = matchChains(a, b);
      expect(matches.length + alone.target.length).toBe(b.armature.chains.length);
      expect(new Set(matches.map(({ source }) => source)).size).toBe(matches.length);
      for (const { score, confidence, reason } of matches) {
        expect(Number.isFinite(score) && confidence >= 0 && confidence <= 1).toBe(true);
        expect(reason).not.toBe('');
      }
    }
  });
});
