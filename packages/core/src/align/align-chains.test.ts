import { describe, expect, it } from 'vitest';
import { sceneOf } from '../../test/stick-figure.js';
import { modelAt, placeAt, rotationTrack, turn } from '../../test/tiny-rigs.js';
import { beastPlan, chainRows } from '../../test/unseen-plans.js';
import { type Row, unseenRig } from '../../test/unseen-rigs.js';
import { subtractVectors, type Vec3, vectorAngle } from '../base/math/vector.js';
import { createRig } from '../body/understand/create-rig.js';
import { createRigMap } from '../map/create-rig-map.js';
import { driverOf } from '../map/rig-map.js';
import { retarget } from '../retarget.js';
import { directionsOfChains } from './align-chains.js';

/** A beast whose tail of so many joints steps as told, without names. */
function beast(step: Vec3, count: number, seed: number) {
  const tail: Row[] = chainRows('tail', 'hips', [0, 0.68, -0.53], step, count);
  return unseenRig([...beastPlan({ tail: 0 }), ...tail], { seed });
}
const DEGREES = Math.PI / 180;

describe('directionsOfChains', () => {
  it('turns nothing between bodies of one build, and nothing where nothing is mapped', () => {
    const rig = createRig(beast([0, -0.03, -0.1], 5, 1).skeleton);
    const { map } = createRigMap(rig, rig);
    expect(directionsOfChains(rig, rig, map).size).toBe(0);
    expect(directionsOfChains(rig, rig, { joints: [], unmapped: { source: [], target: [] } }).size).toBe(0);
  });

  it.each([5, 3, 8])('a tail that hangs points as the source’s that stands up, on %s joints', (count) => {
    const source = beast([0, 0.1, -0.06], 5, 1);
    const target = beast([0, -0.08, -0.08], count, 2);
    const root = source.joints.get('tail1')!;
    const wag = {
      name: 'wag',
      duration: 1,
      morphs: [],
      tracks: [rotationTrack(root, [0, 1], [[0, 0, 0, 1], turn([0, 1, 0], 0.7)])],
    };
    const { clips, report } = retarget(
      sceneOf({ skeleton: source.skeleton, clips: [wag] }),
      sceneOf({ skeleton: target.skeleton, clips: [] }),
    );
    const driven = report.map.joints.filter((pair) =>
      [...target.joints].some(([part, joint]) => /^tail/.test(part) && joint === pair.target),
    );
    expect(driven.length).toBeGreaterThan(1);
    const [first, last] = [driven[0]!, driven[driven.length - 1]!];
    for (const time of [0, 0.5, 1]) {
      const from = modelAt(source.skeleton, wag, time);
      const to = modelAt(target.skeleton, clips[0]!, time);
      const a = subtractVectors(placeAt(from, driverOf(last)), placeAt(from, first.sources[0]!));
      const b = subtractVectors(placeAt(to, last.target), placeAt(to, first.target));
      // More joints than the source's share its turns, so that their line lags a little behind.
      expect(vectorAngle(a, b)).toBeLessThan((count > 5 && time > 0 ? 2 : 0.1) * DEGREES);
    }
  });
});
