import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom, distance, mapOf, placeAt, plainRig, randomSkeleton } from '../../../test/tiny-rigs.js';
import { normalizeQuaternion, rotateVector } from '../../base/math/quaternion.js';
import { modelPoseOf } from '../../scene/pose.js';
import { createSetup } from '../../setup/create-setup.js';
import type { Setup } from '../pass.js';
import { createFrame, movedJoints } from '../run-passes.js';
import { preparePlacing } from './carry-joints.js';

/** Joint 4 hangs on joint 1 and is carried by joint 3; joint 5 hangs on joint 0 and is carried by the placed one. */
const PARENTS = [-1, 0, 1, 2, 1, 0];
const PLACED = [
  { joint: 4, carrier: 3, offset: [0.1, -0.2, 0.3] as const },
  { joint: 5, carrier: 4, offset: [-0.4, 0.1, 0.2] as const },
];

function setUp(random: () => number, driven: readonly number[]): Setup {
  const source = plainRig(randomSkeleton(random, 6, { parents: PARENTS, prefix: 's' }));
  const target = plainRig(randomSkeleton(random, 6, { parents: PARENTS, prefix: 't', scales: true }));
  // Mirrored along any axes, several at once too.
  const { scales } = target.skeleton.rest;
  for (let i = 0; i < scales.length; i++) if (random() < 0.3) scales[i]! *= -1;
  // The container counts: metres are not the file's unit.
  for (let n = 0; n < 12; n++) target.skeleton.container[n]! *= 0.4;
  const setup = createSetup(source, target, mapOf(driven.map((joint) => [joint, joint])));
  return {
    ...setup,
    travel: null,
    alignment: {
      ...setup.alignment,
      placed: PLACED.map((placed) => ({ ...placed, offset: [...placed.offset] })),
    },
  };
}

describe('placing joints', () => {
  it.each([
    ['all that carries them moves', [0, 1, 2, 3]],
    ['what is above stands still', [2, 3]],
    ['only their carrier moves', [3]],
    ['nothing moves', []],
  ])('R8: puts them where their carriers’ axes say, mirrored and scaled, where %s', (_, driven) => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), (seed) => {
        const random = createRandom(seed);
        const setup = setUp(random, driven);
        const frame = createFrame(setup, null);
        const { rotations, translations } = frame.target;
        for (const joint of [...driven, 4, 5]) {
          for (let c = 0; c < 4; c++) rotations[4 * joint + c] = random() - 0.5;
          normalizeQuaternion(rotations, 4 * joint, rotations, 4 * joint);
          for (let c = 0; c < 3; c++) translations[3 * joint + c]! += random();
        }
        preparePlacing(setup, movedJoints(setup, null))(frame);
        const model = modelPoseOf(setup.target.skeleton, frame.target);
        for (const { joint, carrier, offset } of PLACED) {
          const way = Float64Array.from(offset);
          rotateVector(way, 0, model.rotations, 4 * carrier, way, 0);
          const [x, y, z] = placeAt(model, carrier);
          const wanted = [x + way[0]!, y + way[1]!, z + way[2]!] as const;
          expect(distance(placeAt(model, joint), [...wanted])).toBeLessThan(1e-9);
        }
      }),
      { numRuns: 40 },
    );
  });
});
