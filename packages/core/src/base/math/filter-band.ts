import { exp, log, squared } from './functions.js';
import { divideQuaternions, multiplyQuaternions, normalizeQuaternion } from './quaternion.js';
import { quaternionOfVector, vectorOfQuaternion } from './rotation-vectors.js';

/*
 * Bands of a motion (Bruderlin and Williams' multiresolution filtering, M11): a motion is a sum of bands, and one of
 * them can be made stronger (exaggerated), weaker, or be taken out. Rotations are filtered as rotation vectors from
 * their mean, which a joint rarely leaves by half a turn.
 */

/** e^(−(2πfσ)²/2) is one over the root of two at the cut-off: half the power. */
const HALF_POWER = Math.sqrt(log(2)) / (2 * Math.PI);

/**
 * The low band of dense values: a Gaussian whose power is halved at the cut-off. Beyond the ends values are mirrored
 * about the end point, so that slopes go on.
 * @param cutoff Cycles a second; 0 gives the mean.
 */
export function lowBand(values: Float64Array, size: number, rate: number, cutoff: number): Float64Array {
  const count = values.length / size;
  const out = new Float64Array(values.length);
  if (!(cutoff > 0)) {
    for (let c = 0; c < size; c++) {
      let sum = 0;
      for (let k = 0; k < count; k++) sum += values[size * k + c]!;
      for (let k = 0; k < count; k++) out[size * k + c] = sum / count;
    }
    return out;
  }
  const sigma = (HALF_POWER / cutoff) * rate;
  // Narrower than a third of a frame a Gaussian changes nothing.
  if (sigma < 0.3) return values.slice();
  const half = Math.min(Math.ceil(4 * sigma), 4 * count);
  const weights = Float64Array.from({ length: 2 * half + 1 }, (_, n) =>
    exp(-0.5 * squared((n - half) / sigma)),
  );
  const total = weights.reduce((sum, w) => sum + w, 0);
  const last = count - 1;
  for (let k = 0; k < count; k++)
    for (let c = 0; c < size; c++) {
      let sum = 0;
      for (let n = -half; n <= half; n++) {
        let at = k + n;
        let value: number;
        if (at < 0) {
          at = Math.min(last, -at);
          value = 2 * values[c]! - values[size * at + c]!;
        } else if (at > last) {
          at = Math.max(0, 2 * last - at);
          value = 2 * values[size * last + c]! - values[size * at + c]!;
        } else value = values[size * at + c]!;
        sum += weights[n + half]! * value;
      }
      out[size * k + c] = sum / total;
    }
  return out;
}

/** The band between two frequencies: what is below the upper one and not below the lower one. */
export function bandOf(
  values: Float64Array,
  size: number,
  rate: number,
  [low, high]: readonly [number, number],
): Float64Array {
  const under = lowBand(values, size, rate, low);
  const upper = lowBand(values, size, rate, high);
  for (let k = 0; k < upper.length; k++) upper[k] = upper[k]! - under[k]!;
  return upper;
}

/**
 * Scales a band of one joint's rotations, in place.
 * @param rotations Unit quaternions, one a frame.
 * @param gain 1 changes nothing, 0 takes the band out, 2 doubles it.
 */
export function scaleBand(
  rotations: Float64Array,
  rate: number,
  band: readonly [number, number],
  gain: number,
): void {
  const count = rotations.length / 4;
  const mean = meanRotation(rotations);
  const vectors = new Float64Array(3 * count);
  const turn = new Float64Array(4);
  for (let k = 0; k < count; k++) {
    divideQuaternions(turn, 0, mean, 0, rotations, 4 * k);
    vectorOfQuaternion(vectors, 3 * k, turn);
  }
  const part = bandOf(vectors, 3, rate, band);
  for (let k = 0; k < count; k++) {
    for (let c = 0; c < 3; c++) vectors[3 * k + c] = vectors[3 * k + c]! + (gain - 1) * part[3 * k + c]!;
    quaternionOfVector(turn, 0, vectors, 3 * k);
    multiplyQuaternions(rotations, 4 * k, mean, 0, turn, 0);
    normalizeQuaternion(rotations, 4 * k, rotations, 4 * k);
  }
}

function meanRotation(rotations: Float64Array): Float64Array {
  const mean = rotations.slice(0, 4);
  const sum = new Float64Array(4);
  for (let round = 0; round < 3; round++) {
    sum.fill(0);
    for (let k = 0; k < rotations.length; k += 4) {
      let dot = 0;
      for (let c = 0; c < 4; c++) dot += mean[c]! * rotations[k + c]!;
      for (let c = 0; c < 4; c++) sum[c] = sum[c]! + (dot < 0 ? -1 : 1) * rotations[k + c]!;
    }
    normalizeQuaternion(mean, 0, sum, 0);
  }
  return mean;
}
