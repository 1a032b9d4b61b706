import { multiplyQuaternions } from '../../base/math/quaternion.js';
import { quaternionOfVector } from '../../base/math/rotation-vectors.js';
import { sampleVector } from '../vector-curve.js';
import type { CompiledConstraint } from './compiled-constraint.js';
import { placeOf } from './solve/gather-task.js';
import type { MovingBody } from './solve/moving-body.js';

const values = new Float64Array(7);
const origin = new Float64Array(3);

/**
 * Reads the goal of a constraint at a time: a place, a rotation, or a normal with how far along it places are counted from, in heights of the body. The body stands
 * in its attraction.
 * @param places Places outside the body, three numbers each, metres.
 * @param seen Where the point was when it was looked at, for locks.
 * @returns whether it is a number: a goal that is none does not count in this frame.
 */
export function readGoal(
  out: Float64Array,
  each: CompiledConstraint,
  body: MovingBody,
  time: number,
  places: Float64Array | null,
  seen: Float64Array,
): boolean {
  const { goal } = each;
  const turns = each.task.kind === 'turn';
  if (goal.from === 'fixed') for (let c = 0; c < (turns ? 4 : 3); c++) out[c] = goal.values[c]!;
  else if (goal.from === 'keys') {
    sampleVector(values, 0, goal.curve, time);
    if (turns) {
      quaternionOfVector(out, 0, values, 0);
      for (let c = 0; c < 4; c++) values[c] = values[3 + c]!;
      multiplyQuaternions(out, 0, out, 0, values, 0);
    } else for (let c = 0; c < 3; c++) out[c] = values[c]!;
  } else if (goal.from === 'outside') {
    const i = 3 * goal.index;
    for (let c = 0; c < 3; c++)
      out[c] =
        places && i + c < places.length ? places[i + c]! / body.plan.height + goal.offset[c]! : Number.NaN;
  } else if (goal.from === 'look') for (let c = 0; c < 3; c++) out[c] = seen[c]!;
  else for (let c = 0; c < 3; c++) out[c] = 0;
  if (each.origin !== 'none') {
    if (each.origin === 'point') placeOf(origin, body, each.task.joint, each.offset);
    else for (let c = 0; c < 3; c++) origin[c] = body.positions[3 * each.origin + c]!;
    if (each.kind === 'plane') {
      // A normal has no place: the plane lies further along it.
      out[3] = out[0]! * origin[0]! + out[1]! * origin[1]! + out[2]! * origin[2]!;
    } else for (let c = 0; c < 3; c++) out[c] = out[c]! + origin[c]!;
  } else if (each.kind === 'plane') out[3] = 0;
  return Number.isFinite(out[0]! + out[1]! + out[2]! + (turns ? out[3]! : 0));
}
