import { existsSync } from 'node:fs';
import { createRig } from '@stuntdouble/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { mapFiles } from './map-files.js';
import { createHairyPerson } from './mapping/mapping-growth.js';
import type { MappedFile } from './mapping/mapping-table.js';
import { type PartGroup, sharesOf, tallyOf, type Verdict } from './mapping/score-mapping.js';

const labels = new URL(`${process.env.STUNTDOUBLE_DATA ?? '../../shared/data/'}roles.json`, import.meta.url);

describe.skipIf(!existsSync(labels))('body parts against labels (needs ../shared/data)', () => {
  let results: MappedFile[] = [];
  beforeAll(async () => {
    ({ results } = await mapFiles());
    // Eighty files are read.
  });
  const verdictsOf = (want: (file: MappedFile) => boolean, group?: PartGroup): Verdict[] =>
    results
      .filter(want)
      .flatMap(({ verdicts }) => verdicts)
      .filter((verdict) => group === undefined || verdict.group === group);
  const wrongOf = (verdicts: readonly Verdict[]) =>
    verdicts.flatMap(({ outcome, remark }) => (outcome === 'wrong' ? [remark] : []));
  const people = ({ kind }: MappedFile) => kind === 'humanoid';
  const atEase = (file: MappedFile) => people(file) && file.scrambled && file.atEase;

  it('names kept: 99.5 % of all roles right, no side swapped, no wrong answer above 0.9', () => {
    const verdicts = verdictsOf((file) => people(file) && !file.scrambled);
    expect(verdicts.length).toBeGreaterThan(2000);
    expect(sharesOf(tallyOf(verdicts)).right, wrongOf(verdicts).join('; ')).toBeGreaterThan(0.995);
    const all = verdictsOf(({ scrambled }) => !scrambled);
    expect(all.filter(({ swapped }) => swapped)).toEqual([]);
    expect(all.filter(({ outcome, confidence }) => outcome === 'wrong' && confidence > 0.9)).toEqual([]);
  });

  it('F5, names replaced: 98.5 % of the required roles of people at ease, 0.3 % wrong at most', () => {
    const verdicts = verdictsOf(atEase, 'required');
    const { right, wrong } = sharesOf(tallyOf(verdicts));
    expect(right, wrongOf(verdicts).join('; ')).toBeGreaterThan(0.985);
    expect(wrong).toBeLessThan(0.003);
  });

  it('names replaced: 90 % of the fingers, and of everything 0.5 % wrong at most', () => {
    expect(sharesOf(tallyOf(verdictsOf(atEase, 'fingers'))).right).toBeGreaterThan(0.9);
    const everything = verdictsOf(({ scrambled }) => scrambled);
    expect(sharesOf(tallyOf(everything)).wrong, wrongOf(everything).join('; ')).toBeLessThan(0.005);
    expect(everything.filter(({ swapped }) => swapped)).toEqual([]);
  });

  it('names replaced: 95 % of legs, spine, neck, tail and head of quadrupeds', () => {
    const verdicts = verdictsOf(({ kind, scrambled }) => kind === 'quadruped' && scrambled).filter(
      ({ part }) => /Leg|Foot|Toes|Hip$|Shoulder|^hips|^spine|^neck|^tail|^head/.test(part),
    );
    expect(verdicts.length).toBeGreaterThan(200);
    expect(sharesOf(tallyOf(verdicts)).right, wrongOf(verdicts).join('; ')).toBeGreaterThan(0.95);
  });

  it('names replaced: half of the parts of birds, spiders, fish, hands and walkers, and none wrong', () => {
    const others = verdictsOf(
      ({ kind, scrambled }) => scrambled && !['humanoid', 'quadruped'].includes(kind),
    );
    const { right, wrong } = sharesOf(tallyOf(others));
    expect(right).toBeGreaterThan(0.5);
    expect(wrong, wrongOf(others).join('; ')).toBe(0);
  });

  it('costs less than reading the files', () => {
    const sum = (of: (file: MappedFile) => number) => results.reduce((total, file) => total + of(file), 0);
    expect(sum(({ milliseconds }) => milliseconds)).toBeLessThan(
      sum(({ readMilliseconds }) => readMilliseconds),
    );
  });
});

describe('our own characters, names replaced', () => {
  // Fat, thin, with skirt and sword, with feet on handles and pole targets in front of knees.
  it('F5: every required part of every one is found', async () => {
    const { results } = await mapFiles('samples/characters');
    const people = results.filter(({ kind, scrambled }) => kind === 'humanoid' && scrambled);
    expect(people.length).toBeGreaterThan(8);
    for (const { file, verdicts } of people)
      expect(
        verdicts.filter(({ group, outcome }) => group === 'required' && outcome !== 'right'),
        file,
      ).toEqual([]);
  });
});

describe('growth', () => {
  it('a person keeps its roles with 840 joints of hair', () => {
    const offsetsOf = (count: number) => {
      const { joints, skeleton } = createRig(createHairyPerson(count));
      return Object.entries(joints).map(([role, joint]) => [
        role,
        ...skeleton.rest.translations.slice(3 * joint, 3 * joint + 3),
      ]);
    };
    expect(offsetsOf(21)).toHaveLength(21);
    expect(offsetsOf(841).sort()).toEqual(offsetsOf(21).sort());
  });
});
