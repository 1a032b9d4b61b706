import { type Clip, makeQuaternionsContinuous, type Track } from '@stuntdouble/core/engine';
import type { Playable } from './sample-motion.js';
import { localsOf, poseRig, type SampleRig } from './sample-rig.js';

/** Metres (times the rig's unit) and radians that sparse keys may leave the motion by. */
const SPARSE_TOLERANCE = 6e-5;
/** Seconds, about, between the samples that sparse keys are chosen from. */
const FINE = 1 / 240;
/** Samples that a stretch between two sparse keys may span: a power of two, to be halved; about a quarter second. */
const LONGEST = 64;

/** The locals of every joint at a time, flat: 7 numbers a joint, xyz and xyzw. */
function sampleLocals(rig: SampleRig, motion: Playable, t: number): Float64Array {
  const locals = localsOf(rig, poseRig(rig, motion.poseAt(t)));
  return Float64Array.from(locals.flatMap(({ translation, rotation }) => [...translation, ...rotation]));
}

/** Puts a motion on a rig: hips travel, every other joint turns. Joints that never move get no track. */
export function createClip(rig: SampleRig, motion: Playable): Clip {
  return motion.keys === 'dense' ? denseClip(rig, motion) : sparseClip(rig, motion);
}

type Sampled = { joint: number; channel: 'translation' | 'rotation'; values: Float64Array };

/** Samples all channels that move, at `count` times; quaternions continuous in sign. */
function sampleChannels(rig: SampleRig, motion: Playable, times: readonly number[]): Sampled[] {
  const frames = times.map((t) => sampleLocals(rig, motion, t));
  const rest = localsOf(rig, rig.joints);
  return rig.joints.flatMap((_, joint) =>
    (['translation', 'rotation'] as const).flatMap((channel): Sampled[] => {
      const size = channel === 'rotation' ? 4 : 3;
      const at = 7 * joint + (channel === 'rotation' ? 3 : 0);
      const values = Float64Array.from(frames.flatMap((frame) => [...frame.subarray(at, at + size)]));
      if (channel === 'rotation') makeQuaternionsContinuous(values, times.length);
      const still = rest[joint]![channel];
      const moves = values.some((value, i) => Math.abs(value - still[i % size]!) > 1e-7 / rig.container.unit);
      return moves ? [{ joint, channel, values }] : [];
    }),
  );
}

function denseClip(rig: SampleRig, motion: Playable): Clip {
  const count = Math.round(motion.duration * motion.frameRate) + 1;
  const times = Array.from({ length: count }, (_, k) => (k / (count - 1)) * motion.duration);
  const tracks = sampleChannels(rig, motion, times).map(({ joint, channel, values }): Track => {
    const size = channel === 'rotation' ? 4 : 3;
    // A joint that is held needs its pose twice only, at the start and at the end.
    const isHeld = values.every((value, i) => Math.abs(value - values[i % size]!) < 1e-9);
    const kept = isHeld ? [0, count - 1] : times.map((_, k) => k);
    return {
      joint,
      channel,
      interpolation: 'linear',
      times: Float32Array.from(kept, (k) => times[k]!),
      values: Float32Array.from(kept.flatMap((k) => [...values.subarray(k * size, (k + 1) * size)])),
    };
  });
  return { name: motion.name, duration: motion.duration, tracks, morphs: [] };
}

/**
 * As few cubic keys as keep each channel within the tolerance: stretches are halved until the cubic
 * between their ends, with the motion's own speeds as tangents, stays close to all samples between.
 */
function sparseClip(rig: SampleRig, motion: Playable): Clip {
  const stretches = Math.ceil(motion.duration / (FINE * LONGEST));
  const count = stretches * LONGEST + 1;
  const step = motion.duration / (count - 1);
  // One sample more at either end, for central differences.
  const times = Array.from({ length: count + 2 }, (_, k) => (k - 1) * step);
  const tracks = sampleChannels(rig, motion, times).map(({ joint, channel, values }): Track => {
    const size = channel === 'rotation' ? 4 : 3;
    const tolerance = channel === 'rotation' ? SPARSE_TOLERANCE : SPARSE_TOLERANCE / rig.container.unit;
    const value = (k: number, c: number) => values[(k + 1) * size + c]!;
    const speed = (k: number, c: number) => (value(k + 1, c) - value(k - 1, c)) / (2 * step);
    const fits = (a: number, b: number) => {
      const span = (b - a) * step;
      for (let k = a + 1; k < b; k++) {
        const u = (k - a) / (b - a);
        const u2 = u * u;
        const u3 = u2 * u;
        for (let c = 0; c < size; c++) {
          const cubic =
            (2 * u3 - 3 * u2 + 1) * value(a, c) +
            (u3 - 2 * u2 + u) * span * speed(a, c) +
            (3 * u2 - 2 * u3) * value(b, c) +
            (u3 - u2) * span * speed(b, c);
          if (Math.abs(cubic - value(k, c)) > tolerance) return false;
        }
      }
      return true;
    };
    const keys: number[] = [0];
    const cover = (a: number, b: number): void => {
      if (b - a > 1 && !fits(a, b)) {
        cover(a, (a + b) >> 1);
        cover((a + b) >> 1, b);
      } else keys.push(b);
    };
    for (let n = 0; n < stretches; n++) cover(n * LONGEST, (n + 1) * LONGEST);
    const row = (k: number, of: (k: number, c: number) => number) =>
      Array.from({ length: size }, (_, c) => of(k, c));
    return {
      joint,
      channel,
      interpolation: 'cubic',
      times: Float32Array.from(keys, (k) => k * step),
      values: Float32Array.from(keys.flatMap((k) => [...row(k, speed), ...row(k, value), ...row(k, speed)])),
    };
  });
  return { name: motion.name, duration: motion.duration, tracks, morphs: [] };
}
