import { type Clip, createSkeleton, modelPoseOf } from '@stuntdouble/core';
import { describe, expect, it } from 'vitest';
import { alternativesOf } from './labels.js';
import { calibrationOf, judge, sharesOf, tallyOf } from './score-mapping.js';
import { scrambleSkeleton } from './scramble-skeleton.js';

const names = ['Hips', 'Spine', 'LUp', 'RUp'];
const truth = {
  joints: new Map([
    ['hips', 0],
    ['spine', 1],
    ['leftUpperLeg', 2],
    ['rightUpperLeg', 3],
  ]),
  alternatives: alternativesOf('two joints (alt: chest=Spine or Other)'),
};

describe('judge', () => {
  const answers = (...parts: (string | null)[]) => parts.map((part) => ({ part, confidence: 0.92 }));

  it('right, abstained and wrong answers are told apart, and swapped sides seen', () => {
    const verdicts = judge(answers('hips', null, 'rightUpperLeg', 'leftUpperLeg'), truth, names, false);
    expect(tallyOf(verdicts)).toEqual({ right: 1, wrong: 2, abstained: 1 });
    expect(verdicts.filter(({ swapped }) => swapped)).toHaveLength(2);
  });

  it('a part without a label is wrong unless a note allows it', () => {
    expect(tallyOf(judge(answers('hips', 'chest', null, null), truth, names, false)).wrong).toBe(0);
    expect(tallyOf(judge(answers('hips', 'neck', null, null), truth, names, false)).wrong).toBe(1);
  });

  it('shares and bins add up', () => {
    const verdicts = judge(answers('hips', 'neck', 'leftUpperLeg', null), truth, names, false);
    expect(sharesOf(tallyOf(verdicts))).toEqual({ right: 2 / 5, wrong: 1 / 5 });
    expect(calibrationOf(verdicts).find(({ from }) => from === 0.9)).toEqual({
      from: 0.9,
      answers: 3,
      right: 2,
    });
  });
});

describe('scrambleSkeleton', () => {
  const { skeleton } = createSkeleton(
    'body',
    names.map((name, i) => ({ name, parent: i === 0 ? -1 : 0, translation: [i, 2 * i, 1] })),
  );
  const clip: Clip = {
    name: 'walk',
    duration: 1,
    morphs: [],
    tracks: [
      {
        joint: 2,
        channel: 'translation',
        interpolation: 'linear',
        times: Float32Array.of(0),
        values: Float32Array.of(1, 2, 3),
      },
    ],
  };

  it('keeps where every joint is and what clips move, and no name', () => {
    const { skeleton: scrambled, clips, order } = scrambleSkeleton(skeleton, [clip], 7);
    const before = modelPoseOf(skeleton, skeleton.rest).matrices;
    const after = modelPoseOf(scrambled, scrambled.rest).matrices;
    names.forEach((_, joint) => {
      expect(after.slice(16 * order[joint]!, 16 * order[joint]! + 16)).toEqual(
        before.slice(16 * joint, 16 * joint + 16),
      );
    });
    expect(clips[0]!.tracks[0]!.joint).toBe(order[2]);
    expect(scrambled.names.every((name) => /^joint_\d+$/.test(name))).toBe(true);
    expect(scrambled.metadataRoles).toBeUndefined();
  });

  it('another seed gives another order', () => {
    const orders = [1, 2, 3, 4, 5].map((seed) => scrambleSkeleton(skeleton, [], seed).order.join());
    expect(new Set(orders).size).toBeGreaterThan(1);
  });
});
