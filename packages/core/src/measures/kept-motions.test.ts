import { expect, it } from 'vitest';
import { createRandom, jointOf, randomClip, sceneOf, tinyHuman } from '../../test/tiny-rigs.js';
import { retarget } from '../retarget.js';
import type { Clip } from '../scene/clip.js';
import { createKeptMotions } from './kept-motions.js';
import { measure, measureAgain } from './measure.js';

const random = createRandom(5);
const body = tinyHuman({ axes: random, fingers: true });
const other = tinyHuman({ axes: random, fingers: true, arms: 0.7, legs: 0.6 });
const travels = jointOf(body, 'hips');
const clips = [0, 1].map((n) => ({ ...randomClip(random, body, { travels, most: 0.6 }), name: `clip ${n}` }));
const source = sceneOf(body, clips);
const target = sceneOf(other, []);

/** The target with what a setting makes of the source's clips. */
function resultOf(settings: Parameters<typeof retarget>[2]) {
  const { scene, clips: moved } = retarget(source, target, { measure: false, ...settings });
  const characters = scene.characters.map((one) => ({ ...one, clips: moved as Clip[] }));
  return { ...scene, characters };
}

it('measuring again and again gives what measuring once gives, whichever clip or body came before', () => {
  const kept = createKeptMotions();
  const [plain, corrected] = [resultOf({ corrections: 'none' }), resultOf({})];
  const options = { curves: true, heat: true };
  let known = 0;
  for (const result of [plain, corrected, plain])
    for (const name of ['clip 0', 'clip 0', 'clip 1']) {
      const asked = { ...options, pairs: [[name, name]] as const };
      const before = kept.source;
      expect(measureAgain(source, result, asked, kept)).toEqual(measure(source, result, asked));
      if (kept.source === before) known++;
    }
  expect(known).toBe(3);
  // Another body, and tracks that are not the same.
  const self = { curves: true, pairs: [['clip 0', 'clip 0']] as const };
  expect(measureAgain(source, source, self, kept)).toEqual(measure(source, source, self));
  const turned = sceneOf(body, [{ ...clips[1]!, name: 'clip 0' }, clips[1]!]);
  expect(measureAgain(turned, plain, self, kept)).toEqual(measure(turned, plain, self));
});

it('what was given stays as it was, whatever is measured next', () => {
  const kept = createKeptMotions();
  const [plain, corrected] = [resultOf({ corrections: 'none' }), resultOf({})];
  const options = { curves: true, pairs: [['clip 0', 'clip 0']] as const };
  const first = measureAgain(source, corrected, options, kept);
  const copy = structuredClone(first);
  measureAgain(source, plain, options, kept);
  expect(first).toEqual(copy);
});
