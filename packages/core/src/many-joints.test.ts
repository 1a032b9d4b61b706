import { describe, expect, it } from 'vitest';
import { findUnsoundClip } from '../test/find-unsound.js';
import { RetargetError } from './base/errors.js';
import { retarget } from './retarget.js';
import type { Clip } from './scene/clip.js';
import type { Scene } from './scene/scene.js';
import { createSkeleton } from './scene/skeleton.js';

/** A body of very many joints with a short clip; `parentOf` says what each hangs on. */
function crowd(count: number, names: 'own' | 'none', parentOf: (joint: number) => number, shift = 0): Scene {
  const { skeleton } = createSkeleton(
    'crowd',
    Array.from({ length: count }, (_, i) => ({
      name: names === 'own' ? `joint_${i}` : '',
      parent: i === 0 ? -1 : parentOf(i),
      translation: [0.1 * Math.sin(i) + shift, 0.1 * Math.cos(1.3 * i), 0.1 * Math.sin(0.7 * i)],
    })),
  );
  const times = Float32Array.of(0, 0.1, 0.2);
  const clip: Clip = {
    name: 'clip',
    duration: 0.2,
    morphs: [],
    tracks: skeleton.names.map((_, joint) => ({
      joint,
      channel: 'rotation',
      interpolation: 'linear',
      times,
      values: Float32Array.from([0, 0.1, 0.2].flatMap((a) => [Math.sin(a), 0, 0, Math.cos(a)])),
    })),
  };
  const characters = [{ skeleton, clips: [clip] }];
  return { format: 'glb', name: 'crowd', characters, morphs: [], document: null, warnings: [] };
}

/*
 * Where time grows with the square of the joints these take minutes; where functions call themselves for each joint
 * on the way down, a chain is deeper than calls may be.
 */
describe('bodies of very many joints', () => {
  const builds = {
    'a chain': (i: number) => i - 1,
    'a star': () => 0,
    'a comb': (i: number) => (i % 2 === 0 ? i - 2 : i - 1),
    'a body of many legs': (i: number) => (i % 20 === 0 ? 10 : i - 1),
    'a tree': (i: number) => Math.floor((i - 1) / 3),
  };
  for (const [build, parentOf] of Object.entries(builds))
    for (const names of ['own', 'none'] as const)
      it(`${build}, ${names === 'own' ? 'by name' : 'by shape'}`, () => {
        const count = names === 'own' ? 5000 : 2500;
        const source = crowd(count, names, parentOf);
        const target = crowd(count, names, parentOf, 0.01);
        let result: ReturnType<typeof retarget> | null = null;
        try {
          result = retarget(source, target, { measure: false });
        } catch (error) {
          expect(error).toBeInstanceOf(RetargetError);
        }
        // By shape alone not every such body is one, and a line of thousands of joints is none by any name.
        if (names === 'own' && build !== 'a chain') expect(result).not.toBeNull();
        expect(result?.clips.map((clip) => findUnsoundClip(clip)) ?? [null]).toEqual([null]);
      });

  it('of more than a skin can name, one sentence says so', () => {
    const huge = crowd(65_536, 'none', () => 0);
    expect(() => retarget(huge, huge)).toThrow(
      'source.characters[0].skeleton has 65536 joints; at most 65535 can be retargeted',
    );
  });
});
