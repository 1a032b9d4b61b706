import type { RetargetOptions } from '@stuntdouble/core';
import { expect, it } from 'vitest';
import { CHAINS, countChanged, GROUPS, groupSwitch, limbOptions, OPTIONS } from './options.js';

/**
 * Where each option of the engine is told in the studio: by a control of the panel, or elsewhere, and where. The
 * compiler sees to it that none is forgotten.
 */
const PLACES: Record<keyof RetargetOptions, 'control' | string> = {
  alignment: 'control',
  between: 'a recipe that is dropped',
  travel: 'a recipe that is dropped',
  sourceUp: 'a recipe that is dropped',
  sourceFacing: 'a recipe that is dropped',
  sourceUnit: 'a recipe that is dropped',
  sourceFloor: 'a recipe that is dropped',
  targetUp: 'a recipe that is dropped',
  targetFacing: 'a recipe that is dropped',
  targetUnit: 'a recipe that is dropped',
  targetFloor: 'a recipe that is dropped',
  sourceFamily: 'no data: scenes of a program',
  checkHierarchy: 'control',
  clips: 'the list of clips, and the export sheet',
  constraints: 'a recipe that is dropped',
  contacts: 'the timeline',
  corrections: 'the switch of its group',
  frameRate: 'control',
  goalPlaces: 'no data: a function of a program',
  ground: 'control',
  groundHeight: 'no data: a function of a program',
  hold: 'a recipe that is dropped',
  imitation: 'control',
  keys: 'control',
  keepCalibration: 'control',
  layers: 'a recipe that is dropped',
  limbScalings: 'control',
  limits: 'control',
  lookAt: 'control',
  loop: 'control',
  map: 'the map panel',
  mapIsTold: 'follows from the map',
  measure: 'always, after solving',
  mirror: 'control',
  morphs: 'a recipe that is dropped',
  onProgress: 'no data',
  passes: 'a recipe that is dropped',
  range: 'control',
  reach: 'control',
  reduce: 'control',
  repairKeys: 'control',
  root: 'control',
  rootMotion: 'control',
  rootMotionJoint: 'control',
  rootScales: 'control',
  scales: 'control',
  signal: 'no data',
  solvers: 'control',
  sourceReference: 'the pose panel',
  sourceSkeleton: 'a recipe that is dropped',
  spacing: 'control',
  speed: 'control',
  targetReference: 'the pose panel',
  targetSkeleton: 'a recipe that is dropped',
  translations: 'control',
  wholeBody: 'control',
};

it('B24: every option that is to have a control has one', () => {
  const limbs = CHAINS.flatMap(({ value }) => (value === 'all' ? [] : limbOptions(value)));
  const told = new Set([...OPTIONS, ...limbs].map(({ name }) => name.split('.')[0]));
  const wanted = Object.entries(PLACES).flatMap(([name, place]) => (place === 'control' ? [name] : []));
  expect(wanted.filter((name) => !told.has(name))).toEqual([]);
  expect([...told].filter((name) => !(name! in PLACES))).toEqual([]);
});

it('every option stands in a group, once, and says what it does', () => {
  const groups = new Set(GROUPS.map(({ name }) => name));
  for (const { pass, summary, title } of OPTIONS) {
    expect(groups.has(pass)).toBe(true);
    expect(summary.length).toBeGreaterThan(title.length);
  }
  const names = OPTIONS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

it('defaults lie within their bounds', () => {
  for (const option of OPTIONS)
    if (option.kind === 'number') {
      expect(option.default).toBeGreaterThanOrEqual(option.bounds[0]);
      expect(option.default).toBeLessThanOrEqual(option.bounds[1]);
    } else if (option.kind === 'choice')
      expect(option.choices.map(({ value }) => value)).toContain(option.default);
});

it('counts what differs from the defaults, contacts by clip', () => {
  expect(countChanged({ version: 1 })).toBe(0);
  expect(
    countChanged({
      version: 1,
      settings: {
        reach: 'together',
        root: { copyPosition: false, positionScale: 0.5 },
        contacts: { walk: [1, 2, 3] },
      },
    }),
  ).toBe(4);
});

it('a group that is switched off and on again leaves nothing behind', () => {
  for (const { name } of GROUPS) {
    const toggle = groupSwitch(name, { version: 1 });
    if (!toggle) continue;
    expect(toggle.value(toggle.on)).toBeUndefined();
    expect(toggle.value(!toggle.on)).toBeDefined();
  }
});
