import { UsageError } from '../base/errors.js';
import type { LimbScaling, NumberCurve } from '../options/limb-rules.js';

/** A scaling with every part told. */
export type FullLimbScaling = { limbScale: NumberCurve; rootScale: NumberCurve; weight: NumberCurve };

/**
 * Completes and checks a scaling.
 * @param at Where it stands, for messages.
 * @throws UsageError where a number is none or keys are out of order.
 */
export function fullLimbScaling(at: string, scaling: LimbScaling): FullLimbScaling {
  const curve = (name: keyof LimbScaling, usual: number): NumberCurve => {
    const given = scaling[name] ?? usual;
    const keys = typeof given === 'number' ? [{ time: 0, value: given }] : given;
    if (keys.length === 0) throw new UsageError(`${at}.${name} has no keys`);
    keys.forEach(({ time, value }, k) => {
      if (!Number.isFinite(time) || !Number.isFinite(value))
        throw new UsageError(`${at}.${name} holds ${Number.isFinite(time) ? value : time}`);
      if (k > 0 && time < keys[k - 1]!.time)
        throw new UsageError(`${at}.${name} has a key at ${time} s after one at ${keys[k - 1]!.time} s`);
    });
    return keys;
  };
  return { limbScale: curve('limbScale', 0), rootScale: curve('rootScale', 1), weight: curve('weight', 1) };
}

/** The value of a curve at a time in seconds. */
export function sampleCurve(curve: NumberCurve, time: number): number {
  let k = 0;
  while (k < curve.length - 1 && curve[k + 1]!.time <= time) k++;
  const from = curve[k]!;
  const to = curve[k + 1];
  if (!to || time <= from.time || from.easing === 'step') return from.value;
  let u = (time - from.time) / (to.time - from.time);
  if (from.easing === 'smooth') u = u * u * (3 - 2 * u);
  else if (from.easing === 'smoother') u = u * u * u * (u * (6 * u - 15) + 10);
  return from.value + u * (to.value - from.value);
}
