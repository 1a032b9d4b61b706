import { expect, it } from 'vitest';
import { parseEdit, parsePair, parseRootScale } from './arguments.js';
import { parseChains, parseMatching } from './chain-arguments.js';

it('K1: settings of chains, one after another', () => {
  let chains = parseChains('tail.solver=fabrik');
  for (const text of [
    'tail.weight=0.5',
    'Tail.L.1.limb-scale=0@0,1@2s',
    'spine.goal=none',
    'tail.muted=true',
  ])
    chains = parseChains(text, chains);
  chains = parseChains('d.goal=0,1,-2', chains);
  expect(chains).toEqual({
    tail: { solver: 'fabrik', goal: { weight: 0.5 }, muted: true },
    'Tail.L.1': {
      limbScale: [
        { time: 0, value: 0, easing: 'smoother' },
        { time: 2, value: 1, easing: 'smoother' },
      ],
    },
    spine: { goal: 'none' },
    d: { goal: { place: [0, 1, -2] } },
  });
  expect(parseChains('a.solver=damped:iterations=5')).toEqual({
    a: { solver: { solver: 'damped', maxIterations: 5 } },
  });
  for (const wrong of [
    'tail',
    'tail.color=red',
    '.solver=ccd',
    'tail.solver=magic',
    'tail.goal=1,2',
    'tail.muted=1',
  ])
    expect(() => parseChains(wrong)).toThrow();
});

it('K9, K10: rules of matching', () => {
  expect(parseMatching('chains,greedy,direction=3', parseMatching('threshold=0.4,pair.Tail1=none'))).toEqual({
    by: 'chains',
    assignment: 'greedy',
    weights: { direction: 3 },
    threshold: 0.4,
    fixed: [{ source: null, target: 'Tail1' }],
  });
  expect(() => parseMatching('gamma=3')).toThrow('is no rule');
});

it('pairs on top of a map, and root scales by axis', () => {
  expect(parsePair('a=b+c', parsePair('d=none'))).toEqual([
    { target: 'd', none: true },
    { target: 'a', sources: ['b', 'c'] },
  ]);
  expect(() => parsePair('a')).toThrow('TARGET=SOURCE');
  expect(parseRootScale('2,1,3')).toEqual({ x: 2, vertical: 1, z: 3 });
  expect(parseRootScale('2')).toEqual({ horizontal: 2, vertical: 2 });
});

it('S6: reads edits of a reference pose: angles, and a place and a scale after them', () => {
  const half = Math.SQRT1_2;
  const [arm] = parseEdit('Left Arm=0,0,90');
  expect(arm!.name).toBe('Left Arm');
  expect(arm!.turn).toEqual([0, 0, expect.closeTo(half, 9), expect.closeTo(half, 9)]);
  const [, leg] = parseEdit('Leg=/0,1,0/2,2,2', [arm!]);
  expect(leg).toEqual({ name: 'Leg', translation: [0, 1, 0], scale: [2, 2, 2] });
  // About y first: x goes to -z, and about x it stays there on the way to y.
  expect(parseEdit('a=90,90,0')[0]!.turn).toEqual([0.5, 0.5, 0.5, 0.5].map((x) => expect.closeTo(x, 9)));
  for (const wrong of ['Arm', '=0,0,0', 'Arm=1,2', 'Arm=', 'Arm=a,b,c', 'Arm=0,0,0/1,1,1/1,1,1/1,1,1'])
    expect(() => parseEdit(wrong), wrong).toThrow('It must be JOINT=X,Y,Z');
});
