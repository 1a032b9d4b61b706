import { UsageError } from '../base/errors.js';
import type { Limb } from '../body/roles.js';

/** How a curve goes on from a key to the next: at once, straight, or with no speed at both ends. */
export type Easing = 'step' | 'linear' | 'smooth';

/** A number that may change over time: keys in rising order of seconds; still before the first and after the last. */
export type NumberCurve = { time: number; value: number; easing?: Easing }[];

/**
 * Where a limb's goal is, between "where the source's hand was" and "the same reach for this limb" (eq. 6 and 7 and
 * algorithm 4 of Körner et al., K22, K23); numbers, or curves over time (K26):
 *
 *   goal = R + (end_s − root_s) · lerp(1, length_t / length_s, limbScale),   R = lerp(root_s, root_t, rootScale)
 *
 * in model space. Algorithm 4 writes `pos` where it means the root (KP11), and lengths are of the bones between the
 * limb's joints, at rest (KP9).
 */
export type LimbScaling = {
  /** 0: as far from its root as the source's, in metres; 1: in lengths of the limb. Beyond both is fine. */
  limbScale?: number | NumberCurve;
  /** 0: from where the source's limb begins; 1, if left out: from where the target's does. */
  rootScale?: number | NumberCurve;
  /** 0 leaves the limb as copied, 1, if left out, brings it to the goal. */
  weight?: number | NumberCurve;
};

/** Scalings of arms and legs; the others are left as they are. */
export type LimbScalings = Partial<Record<Extract<Limb, `${string}Arm` | `${string}Leg`>, LimbScaling>>;

/** A scaling with every part told. */
export type FullLimbScaling = { limbScale: NumberCurve; rootScale: NumberCurve; weight: NumberCurve };

/**
 * Completes and checks a scaling.
 * @throws UsageError where a number is none or keys are out of order.
 */
export function fullLimbScaling(limb: string, scaling: LimbScaling): FullLimbScaling {
  const curve = (name: keyof LimbScaling, usual: number): NumberCurve => {
    const given = scaling[name] ?? usual;
    const keys = typeof given === 'number' ? [{ time: 0, value: given }] : given;
    if (keys.length === 0) throw new UsageError(`limbScalings.${limb}.${name} has no keys`);
    keys.forEach(({ time, value }, k) => {
      if (!Number.isFinite(time) || !Number.isFinite(value))
        throw new UsageError(`limbScalings.${limb}.${name} holds ${Number.isFinite(time) ? value : time}`);
      if (k > 0 && time < keys[k - 1]!.time)
        throw new UsageError(
          `limbScalings.${limb}.${name} has a key at ${time} s after one at ${keys[k - 1]!.time} s`,
        );
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
  return from.value + u * (to.value - from.value);
}
