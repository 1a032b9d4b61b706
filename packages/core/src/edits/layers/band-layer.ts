import { scaleBand } from '../../base/math/filter-band.js';
import { hypot } from '../../base/math/functions.js';
import { divideQuaternions } from '../../base/math/quaternion.js';
import { vectorOfQuaternion } from '../../base/math/rotation-vectors.js';
import type { Layer } from '../../options/layer.js';
import { JOINT } from '../../scene/skeleton.js';
import { findNamed } from '../constraints/find-joints.js';
import type { EditedBody } from '../edited-body.js';
import { compileCurve } from '../vector-curve.js';
import type { LayeredJoint } from './layered-joint.js';

/** The local rotations of a whole motion: per frame four numbers a joint of the skeleton, at an even rate. */
export type SampledTurns = { rate: number; times: readonly number[]; rotations: readonly Float64Array[] };

/** Turns smaller than this, in radians, are what rounding left. */
const NOTHING = 1e-9;

/**
 * What a layer with a band adds to a motion: per joint the difference between its turns and its turns with that band
 * scaled, in the joint's own axes (M11).
 */
export function compileBand(body: EditedBody, layer: Layer, motion: SampledTurns): LayeredJoint[] {
  const { skeleton } = body;
  const named = Object.keys(layer.joints ?? {});
  const joints =
    named.length > 0
      ? named.map((name) => findNamed(body, name)).filter((joint) => joint >= 0)
      : skeleton.names.flatMap((_, joint) => ((skeleton.flags[joint]! & JOINT) !== 0 ? [joint] : []));
  const { rate, times, rotations } = motion;
  const turn = new Float64Array(4);
  const vector = new Float64Array(3);
  return joints.flatMap((joint): LayeredJoint[] => {
    const before = new Float64Array(4 * times.length);
    rotations.forEach((row, k) => {
      before.set(row.subarray(4 * joint, 4 * joint + 4), 4 * k);
    });
    const after = before.slice();
    scaleBand(after, rate, layer.band!, layer.gain ?? 1);
    let most = 0;
    const keys = times.map((time, k) => {
      divideQuaternions(turn, 0, before, 4 * k, after, 4 * k);
      vectorOfQuaternion(vector, 0, turn);
      most = Math.max(most, hypot(vector[0]!, vector[1]!, vector[2]!));
      return { time, values: Array.from(vector), ease: 'spline' as const };
    });
    if (!(most > NOTHING)) return [];
    return [{ joint, curve: compileCurve(keys, 3), axes: Float64Array.of(0, 0, 0, 1) }];
  });
}
