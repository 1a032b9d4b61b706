import { listOptions, type OptionName, type Recipe } from '@stuntdouble/core';
import { expect, it } from 'vitest';
import { countChanged } from '../../document/count-changed.js';
import { withSetting } from '../../document/document.js';
import {
  CONTROLS,
  type Control,
  controlValue,
  defaultValue,
  GROUPS,
  groupSwitch,
  LIMB_CHOICES,
  limbControls,
  settingWith,
  TOLD_ELSEWHERE,
} from './options.js';

const byLimb = LIMB_CHOICES.flatMap((limb) => limbControls(limb));
const all = [...CONTROLS, ...byLimb];
const control = (path: string) => all.find((one) => one.path.join('.') === path)!;
const tell = (recipe: Recipe, one: Control, to: Parameters<typeof settingWith>[2]) => {
  const { name, value } = settingWith(recipe, one, to);
  return withSetting(recipe, name, value);
};

it('B24: every option of the engine that a recipe can hold has a control, or is told elsewhere in the studio', () => {
  const told = new Set(all.map(({ path }) => path[0]!));
  const missing = listOptions().flatMap(([name, { saved }]) =>
    saved === 'never' || name in TOLD_ELSEWHERE || told.has(name) ? [] : [name],
  );
  expect(missing).toEqual([]);
  const known = new Set<string>(listOptions().map(([name]): OptionName => name));
  expect(Object.keys(TOLD_ELSEWHERE).filter((name) => !known.has(name))).toEqual([]);
});

it('every control stands in a section, once, and says what it does', () => {
  const groups = new Set(GROUPS.map(({ name }) => name));
  for (const { group, summary } of all) {
    expect(groups.has(group)).toBe(true);
    expect(summary.length).toBeGreaterThan(0);
  }
  const names = CONTROLS.map(({ path }) => path.join('.'));
  expect(new Set(names).size).toBe(names.length);
});

it('defaults lie within their bounds', () => {
  for (const one of all) {
    const value = defaultValue(one);
    if (one.kind !== 'number' || typeof value !== 'number') continue;
    expect(value).toBeGreaterThanOrEqual(one.least ?? value);
    expect(value).toBeLessThanOrEqual(one.most ?? value);
  }
});

it('a value that is told is read back, and nothing is left when it is reset', () => {
  for (const one of all) {
    const value = one.kind === 'number' ? 0.5 : one.kind === 'switch' ? true : 'a word';
    const told = tell({ version: 1 }, one, value);
    expect(controlValue(told, one), one.path.join('.')).toEqual(value);
    const left = tell(told, one, undefined);
    // A part of what is on stays on.
    if (one.hubs.at(-1) !== '') expect(left, one.path.join('.')).toEqual({ version: 1 });
  }
});

it('a word for all and words by limb stand beside each other', () => {
  const forAll = tell({ version: 1 }, control('imitation.*'), 'direction');
  expect(forAll.settings).toEqual({ imitation: 'direction' });
  const forOne = tell(forAll, control('imitation.leftArm'), 'keep');
  expect(forOne.settings).toEqual({ imitation: { '*': 'direction', leftArm: 'keep' } });
  expect(controlValue(forOne, control('imitation.*'))).toBe('direction');
  expect(tell(forOne, control('imitation.leftArm'), undefined).settings).toEqual({ imitation: 'direction' });
});

it('K43: a solver gets settings of its own, limb by limb, and keeps its name', () => {
  const named = tell({ version: 1 }, control('solvers.leftArm.solver'), 'damped');
  expect(named.settings).toEqual({ solvers: { leftArm: 'damped' } });
  const set = tell(named, control('solvers.leftArm.damping'), 0.2);
  expect(set.settings).toEqual({ solvers: { leftArm: { solver: 'damped', damping: 0.2 } } });
  expect(controlValue(set, control('solvers.leftArm.solver'))).toBe('damped');
});

it('K40: what counts when chains are matched, and which way they are assigned, have controls', () => {
  const names = CONTROLS.map(({ path }) => path.join('.'));
  expect(names.filter((name) => name.startsWith('matching.')).length).toBeGreaterThanOrEqual(4);
  expect(names).toContain('indexing');
});

it('S19: the scale of the root is typed for each axis', () => {
  const names = CONTROLS.map(({ path }) => path.join('.'));
  for (const axis of ['x', 'vertical', 'z']) expect(names).toContain(`rootScales.${axis}`);
  const told = tell({ version: 1 }, control('rootScales.z'), 0.5);
  expect(told.settings).toEqual({ rootScales: { z: 0.5 } });
});

it('what is on by itself stays on when its last part is reset', () => {
  const on = tell({ version: 1 }, control('loop'), true);
  const eased = tell(on, control('loop.seconds'), 0.4);
  expect(eased.settings).toEqual({ loop: { seconds: 0.4 } });
  expect(controlValue(eased, control('loop'))).toBe(true);
  expect(tell(eased, control('loop.seconds'), undefined).settings).toEqual({ loop: true });
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

it('what was made by hand is no recipe as usual', () => {
  const constraints = [{ kind: 'point', joint: 'leftHand', goal: { point: [0, 1, 0] } }] as never;
  expect(countChanged({ version: 1, constraints, layers: [{ joints: {} }, { joints: {} }] })).toBe(3);
});

it('a section that is switched off and on again leaves nothing behind', () => {
  for (const { name } of GROUPS) {
    const toggle = groupSwitch(name, { version: 1 });
    if (!toggle) continue;
    expect(toggle.value(toggle.on)).toBeUndefined();
    expect(toggle.value(!toggle.on)).toBeDefined();
  }
});
