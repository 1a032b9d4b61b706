import { CUBIC, LINEAR } from '../parse/key-flags.js';
import { type AnimationCurve, curveSlopes, sampleCurve } from './animation-curve.js';
import { isDense, keyTimes, type Resampled, type Sampling } from './resample.js';

/** The numbers of a property that one layer alone moves: curves, and values of those that have none. */
export type PlainProperty = { curves: readonly (AnimationCurve | null)[]; still: readonly number[] };

/** What is left of a cubic when it is a line: a millionth of the size of its values. */
const SMALL = 1e-6;

/**
 * Cubic curves of a property as one cubic track, exactly: where a curve has no key and another has, its slope
 * there parts it into two cubics that are the same curve.
 * @param change what is done to the numbers: `factor` · value + `offsets`.
 * @returns null where a track cannot hold them (steps, weighted tangents), or where lines can: a key for every frame.
 */
export function cubicKeys(
  { curves, still }: PlainProperty,
  span: { start: number; end: number },
  sampling: Sampling,
  change: { factor?: number; offsets?: readonly number[] } = {},
): Resampled | null {
  const moving = curves.filter((curve) => curve !== null);
  if (!moving.some(({ modes }) => modes.includes(CUBIC)) || !moving.every(isPlain)) return null;
  if (isDense(moving, span, sampling)) return null;
  const times = keyTimes(moving, span);
  const count = times.length;
  if (count < 2) return null;
  const size = curves.length;
  const { factor = 1, offsets } = change;
  const keys = Float32Array.from(times, (time) => time - span.start);
  const values = new Float32Array(3 * size * count);
  const slopes = new Float64Array(2);
  let bend = 0;
  let largest = 0;
  for (let c = 0; c < size; c++) {
    const curve = curves[c];
    const offset = offsets?.[c] ?? 0;
    for (let k = 0; k < count; k++) {
      const at = 3 * size * k + c;
      if (!curve) {
        values[at + size] = factor * still[c]! + offset;
        continue;
      }
      curveSlopes(slopes, curve, times[k]!);
      values[at] = k === 0 ? 0 : factor * slopes[0]!;
      values[at + size] = factor * sampleCurve(curve, times[k]!) + offset;
      values[at + 2 * size] = k === count - 1 ? 0 : factor * slopes[1]!;
    }
    for (let k = 0; k < count; k++) largest = Math.max(largest, Math.abs(values[3 * size * k + size + c]!));
    for (let k = 0; k + 1 < count; k++) {
      const at = 3 * size * k + size + c;
      const length = keys[k + 1]! - keys[k]!;
      const way = values[at + 3 * size]! - values[at]!;
      const out = values[at + size]! * length - way;
      const into = values[at + 2 * size]! * length - way;
      bend = Math.max(bend, Math.abs(out), Math.abs(into));
    }
  }
  if (!(bend > SMALL * largest) || !values.every(Number.isFinite)) return null;
  return { times: keys, values, interpolation: 'cubic' };
}

/** Whether a curve has lines and cubics of the usual weight alone. */
function isPlain(curve: AnimationCurve): boolean {
  return (
    curve.modes.every((mode) => mode === LINEAR || mode === CUBIC) &&
    // A third is what unweighted tangents have: a Hermite curve, as tracks hold them.
    curve.attributes.flags.every((flags) => (flags & WEIGHTED) === 0)
  );
}

/** The bits that say that a tangent has a weight of its own, right or left (FBX SDK, fbxanimcurve.h). */
const WEIGHTED = 0x3000000;
