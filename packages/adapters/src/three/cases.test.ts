import {
  AnimationClip,
  BufferGeometry,
  Float32BufferAttribute,
  type KeyframeTrack,
  Mesh,
  NumberKeyframeTrack,
  QuaternionKeyframeTrack,
  VectorKeyframeTrack,
} from 'three';
import { expect, test } from 'vitest';
import {
  type Actor,
  clipOf,
  measureInWorld,
  playAt,
  silently,
  THREE_CASES,
} from '../../../../bench/adapters-three-world.js';
import { describeData } from '../../../core/test/real-data.js';
import { retargetClips } from '../../test/plainly-three.js';
import { isCubicTrack, makeCubic } from './cubic-track.js';

/** QUALITY: arms and leg lines within a tenth of a degree. */
const LIMIT = 0.1;

/** A track with the slopes of a curve through its keys, which no straight line follows. */
function curved(track: KeyframeTrack): KeyframeTrack {
  const size = track.getValueSize();
  const { times, values } = track;
  if (times.length < 3 || (size !== 3 && size !== 4)) return track;
  const out = new Float32Array(3 * values.length);
  for (let k = 0; k < times.length; k++) {
    const [a, b] = [Math.max(0, k - 1), Math.min(times.length - 1, k + 1)];
    // Neighbours may be told with the other sign.
    const sign = (n: number) => {
      let dot = 0;
      for (let c = 0; c < size; c++) dot += values[n * size + c]! * values[k * size + c]!;
      return size === 4 && dot < 0 ? -1 : 1;
    };
    for (let c = 0; c < size; c++) {
      const rise = sign(b) * values[b * size + c]! - sign(a) * values[a * size + c]!;
      const slope = rise / (times[b]! - times[a]!);
      out[(3 * k + 1) * size + c] = values[k * size + c]!;
      out[3 * k * size + c] = slope;
      out[(3 * k + 2) * size + c] = slope;
    }
  }
  const Keys = size === 4 ? QuaternionKeyframeTrack : VectorKeyframeTrack;
  const made = new Keys(track.name, times, out);
  makeCubic(made);
  return made;
}

/** Gives an actor a face that smiles. */
function addFace({ root }: Actor): Mesh {
  const face = new Mesh(new BufferGeometry());
  face.name = 'StuntFace';
  face.geometry.setAttribute('position', new Float32BufferAttribute([0, 0, 0], 3));
  face.morphTargetDictionary = { smile: 0 };
  face.morphTargetInfluences = [0];
  root.add(face);
  return face;
}

describeData('curves and faces of real pairs in three.js, needs ../shared/data', () => {
  for (const { name, source, target, clip, isOpposite = false } of THREE_CASES)
    test(`${name}: arms to 0.1 degrees with cubic keys and a morph track`, async () => {
      const from = await source();
      const to = await target();
      const plain = clipOf(from, clip);
      const [, face] = [addFace(from), addFace(to)];
      const motion = new AnimationClip(plain.name, plain.duration, [
        ...plain.tracks.map(curved),
        new NumberKeyframeTrack('StuntFace.morphTargetInfluences[smile]', [0, plain.duration], [0, 1]),
      ]);
      expect(motion.tracks.some(isCubicTrack)).toBe(true);
      const make = (t: Actor, s: Actor, c: AnimationClip) =>
        retargetClips(t.root, s.root, [c], { keys: 'refine' }).clips[0]!;
      const { armsWorst, legs } = measureInWorld(to, from, motion, make, isOpposite);
      expect(armsWorst).toBeLessThan(LIMIT);
      expect(legs).toBeLessThan(LIMIT);
      const made = make(to, from, motion);
      // Also where a spine is baked: what takes over one turn keeps its curve.
      expect(made.tracks.some(isCubicTrack)).toBe(true);
      silently(() => playAt(to, made, plain.duration / 4));
      expect(face.morphTargetInfluences![0]).toBeCloseTo(0.25, 3);
    });
});
