import { describe, expect, it } from 'vitest';
import { sceneOf, tinyHuman } from '../../../test/tiny-rigs.js';
import { setUpScenes } from '../../setup/set-up-scenes.js';
import { createFrame, prepareSteps } from '../run-passes.js';
import { goalsOf } from './place-goals.js';

/** A standing body whose left foot is pitched toe down, by so many radians, from frame to frame; live. */
function pitch(angles: readonly number[]) {
  const scene = sceneOf(tinyHuman());
  const { setup } = setUpScenes(scene, scene, { corrections: 'auto' });
  const goals = goalsOf(setup)!;
  // The tip of its toes, ahead of their joint.
  Object.assign(goals.limbs[0]!, { toeSkin: Float64Array.of(0, 0, 0.1) });
  const frame = createFrame(setup, null);
  frame.seconds = 1 / 60;
  const place = prepareSteps(setup, null, ['copyRotations', 'moveRoot', 'placeGoals']);
  const [keep] = prepareSteps(setup, null, ['keepAboveGround']);
  return angles.map((angle) => {
    for (const step of place) step(frame);
    frame.goals!.turns.set([Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)], 0);
    const before = frame.goals!.places[1]!;
    keep!(frame);
    return { bend: frame.goals!.bends[0]!, lift: (frame.goals!.places[1]! - before) / goals.hipHeight };
  });
}

describe('keepAboveGround, live', () => {
  const leap = pitch([...new Array(20).fill(0), ...new Array(40).fill(0.5), ...new Array(40).fill(0)]);

  it('toes of a foot that stands flat are straight, and it is not lifted', () => {
    expect(leap[19]!.bend).toBeCloseTo(0, 9);
    expect(leap[19]!.lift).toBeLessThan(0.003);
  });

  it('toes bend up within three frames, and come down slowly', () => {
    const [before, once, soon, held] = [19, 20, 23, 59].map((k) => leap[k]!.bend);
    expect(held).toBeGreaterThan(0.1);
    expect(once! - before!).toBeLessThan(0.95 * held!);
    expect(soon).toBeGreaterThan(0.9 * held!);
    expect(leap[61]!.bend).toBeGreaterThan(0.5 * held!);
    expect(leap[99]!.bend).toBeLessThan(0.01 * held!);
  });

  it('begins where it is: the first frame has nothing to follow', () => {
    const [first, next] = pitch([0.5, 0.5]);
    expect(first!.bend).toBeCloseTo(next!.bend, 9);
    expect(first!.bend).toBeGreaterThan(0.1);
  });
});
