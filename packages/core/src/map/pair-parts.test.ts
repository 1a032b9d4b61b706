import { describe, expect, it } from 'vitest';
import { plainRig, skeletonOf } from '../../test/tiny-rigs.js';
import type { BodyKind, BodyPart } from '../body/body-parts.js';
import type { Rig } from '../body/rig.js';
import { pairByParts } from './pair-parts.js';
import { driverOf, type JointPair } from './rig-map.js';

/** Joints as `name: parent`, those whose names are parts with their parts. */
function animal(joints: Record<string, string>, kind: BodyKind = 'quadruped') {
  const names = Object.keys(joints);
  const skeleton = skeletonOf(
    names.map((name) => ({ name, parent: names.indexOf(joints[name]!), translation: [0, 1, 0] as const })),
  );
  const parts = skeleton.names.map((name) => ({
    part: /^(?:hips|spine|hind)/.test(name) ? (name as BodyPart) : null,
    confidence: 0.8,
    reason: 'told',
  }));
  const rig: Rig = { ...plainRig(skeleton), body: { kind, parts } };
  return { rig, at: (name: string) => skeleton.names.indexOf(name) };
}
type Animal = ReturnType<typeof animal>;

const LEG = {
  root: '',
  hips: 'root',
  spine1: 'hips',
  hindLeftUpperLeg: 'hips',
  hindLeftLowerLeg: 'hindLeftUpperLeg',
  hindLeftFoot: 'hindLeftLowerLeg',
};
const BLADE = { ...LEG, hindLeftHip: 'hips', hindLeftUpperLeg: 'hindLeftHip' };

const pairsOf = (source: Animal, target: Animal, names: Record<string, string>): JointPair[] =>
  Object.entries(names).map(([to, from]) => ({
    target: target.at(to),
    sources: [source.at(from)],
    role: null,
    confidence: 0.6,
    reason: 'chains',
  }));
const correct = (source: Animal, target: Animal, found: JointPair[], paired: JointPair[] = []) =>
  Object.fromEntries(
    pairByParts(source.rig, target.rig, paired, found).map((pair) => [
      target.rig.skeleton.names[pair.target]!,
      source.rig.skeleton.names[driverOf(pair)]!,
    ]),
  );

describe('pairByParts', () => {
  it('gives hips to hips, and takes what a still root drove along', () => {
    const [source, target] = [animal(LEG), animal(LEG)];
    expect(correct(source, target, pairsOf(source, target, { spine1: 'root' }))).toEqual({
      hips: 'hips',
      spine1: 'hips',
    });
    expect(
      correct(source, target, pairsOf(source, target, { root: 'spine1', hindLeftFoot: 'hindLeftFoot' })),
    ).toEqual({ hips: 'hips', hindLeftFoot: 'hindLeftFoot' });
  });

  it('gives thighs to thighs where one leg alone begins with a blade, and leaves the blade to the trunk', () => {
    const [short, long] = [animal(LEG), animal(BLADE)];
    const down = { hindLeftUpperLeg: 'hindLeftHip', hindLeftLowerLeg: 'hindLeftUpperLeg' };
    expect(correct(long, short, pairsOf(long, short, down))).toEqual({
      hips: 'hips',
      hindLeftUpperLeg: 'hindLeftUpperLeg',
      hindLeftLowerLeg: 'hindLeftLowerLeg',
    });
    const up = { hindLeftHip: 'hindLeftUpperLeg', hindLeftUpperLeg: 'hindLeftLowerLeg' };
    expect(correct(short, long, pairsOf(short, long, up))).toEqual({
      hips: 'hips',
      hindLeftUpperLeg: 'hindLeftUpperLeg',
    });
  });

  it('changes nothing that is right, paired already, or between people and animals', () => {
    const [source, target] = [animal(LEG), animal(LEG)];
    const same = { hips: 'hips', spine1: 'spine1', hindLeftFoot: 'hindLeftFoot' };
    expect(correct(source, target, pairsOf(source, target, same))).toEqual(same);
    const spine = pairsOf(source, target, { spine1: 'root' });
    const hips = pairsOf(source, target, { hips: 'root' });
    expect(pairByParts(source.rig, target.rig, hips, spine)).toEqual(spine);
    const person = animal(LEG, 'humanoid');
    expect(pairByParts(person.rig, target.rig, [], spine)).toEqual(spine);
    expect(pairByParts(source.rig, person.rig, [], spine)).toEqual(spine);
    expect(pairByParts(source.rig, target.rig, [], [])).toEqual([]);
  });

  it('gives a foot that hangs from the root to the foot of its leg, and never to an arm', () => {
    const beast = { ...LEG, hindLeftFoot: 'root', arm: 'hips' };
    const [source, target] = [animal(beast), animal(beast)];
    const legs = { hindLeftUpperLeg: 'hindLeftUpperLeg', hindLeftLowerLeg: 'hindLeftLowerLeg' };
    expect(correct(source, target, pairsOf(source, target, { ...legs, hindLeftFoot: 'arm' }))).toMatchObject({
      ...legs,
      hindLeftFoot: 'hindLeftFoot',
    });
    // Where nothing is known of its leg it is placed, and not driven.
    expect(correct(source, target, pairsOf(source, target, { arm: 'arm', hindLeftFoot: 'arm' }))).toEqual({
      hips: 'hips',
      arm: 'arm',
    });
  });
});
