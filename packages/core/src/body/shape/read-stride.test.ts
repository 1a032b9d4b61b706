import { describe, expect, it } from 'vitest';
import { type Quat, rotationTrack, times, turn } from '../../../test/tiny-rigs.js';
import { insectPlan } from '../../../test/unseen-plans.js';
import { judgeParts, type Unseen, unseenRig } from '../../../test/unseen-rigs.js';
import type { Clip } from '../../scene/clip.js';
import { guessAnimalParts } from './guess-animal-parts.js';

/** A spider that shows no head, and its walk on the spot: ahead (+Z) or, played backwards, back. */
function walk(rig: Unseen, way: 1 | -1): Clip {
  const keys = Array.from({ length: 17 }, (_, k) => k / 16);
  const tracks = [...rig.joints].flatMap(([part, joint]) => {
    const leg = /^leg(\d)(Left|Right)1$/.exec(part);
    if (!leg) return [];
    const side = leg[2] === 'Left' ? 1 : -1;
    const values = keys.map((time): Quat => {
      const phase = way * 2 * Math.PI * time + (side > 0 ? 0 : Math.PI) + Number(leg[1]) * Math.PI;
      // A foot is ahead by cos(phase): it goes back in the first half, on the floor, and is lifted in the second.
      const lift = 0.3 * Math.max(0, -Math.sin(phase));
      return times(turn([0, 1, 0], -side * 0.4 * Math.cos(phase)), turn([0, 0, 1], side * lift));
    });
    return [rotationTrack(joint, keys, values)];
  });
  return { name: 'walk', duration: 1, morphs: [], tracks };
}

describe('readStride', () => {
  it('F5: a walk on the spot shows the front of a body that nothing else shows', () => {
    const rig = unseenRig(insectPlan(4, false), { seed: 3 });
    expect(guessAnimalParts(rig.skeleton).ahead).toBeNull();
    const { parts, ahead } = guessAnimalParts(rig.skeleton, { clips: [walk(rig, 1)] });
    expect(ahead![2]).toBeCloseTo(1, 9);
    const { right, wrong } = judgeParts(parts, rig);
    expect(wrong).toEqual([]);
    expect(right).toEqual(expect.arrayContaining(['leg1Left1', 'leg1Right2', 'leg4Left1']));
  });

  it('a walk played backwards shows the opposite, and feet that move together show nothing', () => {
    const rig = unseenRig(insectPlan(4, false), { seed: 3 });
    expect(guessAnimalParts(rig.skeleton, { clips: [walk(rig, -1)] }).ahead![2]).toBeCloseTo(-1, 9);
    const still: Clip = { name: 'still', duration: 1, morphs: [], tracks: [] };
    const empty: Clip = { ...still, duration: 0 };
    expect(guessAnimalParts(rig.skeleton, { clips: [still, empty] }).ahead).toBeNull();
    const together = walk(rig, 1);
    // Right legs in step with the left: a jump.
    together.tracks.forEach((track, n) => {
      if (n === 0) return;
      track.times = track.times.map(() => 0);
    });
    expect(guessAnimalParts(rig.skeleton, { clips: [together] }).ahead).toBeNull();
  });
});
