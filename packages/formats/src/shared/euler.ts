import type { Numbers } from '@stuntdouble/core';
import { atan2, hypot } from '@stuntdouble/core/engine';

/** The order in which three turns about the axes are multiplied: `ZXY` is Rz · Rx · Ry. */
export type EulerOrder = 'XYZ' | 'XZY' | 'YXZ' | 'YZX' | 'ZXY' | 'ZYX';

/** Every {@link EulerOrder}. */
export const EULER_ORDERS: readonly EulerOrder[] = ['XYZ', 'XZY', 'YXZ', 'YZX', 'ZXY', 'ZYX'];

/**
 * Angles in radians, in the order's own sequence, whose product of turns is the unit quaternion `q`, chosen
 * nearest to the angles that `out` holds: of the two triples that give every rotation, and of their full
 * turns, so that a track of angles has no jumps. At gimbal lock, where only the sum (or difference) of the
 * outer angles is defined, the first keeps its last value.
 */
export function nearestEulerAngles(
  out: Numbers,
  o: number,
  q: Readonly<Numbers>,
  i: number,
  order: EulerOrder,
): void {
  const a = order.charCodeAt(0) - 88;
  const b = order.charCodeAt(1) - 88;
  const c = order.charCodeAt(2) - 88;
  // +1 where the axes a, b, c are a right-handed sequence.
  const sign = (b - a + 3) % 3 === 1 ? 1 : -1;
  const qa = q[i + a]!;
  const qb = q[i + b]!;
  const qc = q[i + c]!;
  const w = q[i + 3]!;
  /*
   * With half angles α, β, γ of the turns about a, b, c, the product of the three quaternions has
   *   w  = cα cβ cγ − σ sα sβ sγ     qa = sα cβ cγ + σ cα sβ sγ
   *   qb = cα sβ cγ − σ sα cβ sγ     qc = cα cβ sγ + σ sα sβ cγ
   * with σ the handedness of a, b, c. Adding and subtracting in pairs,
   *   w + qb  = (cβ + sβ)·cos(α + σγ)      qa + σqc = (cβ + sβ)·sin(α + σγ)
   *   w − qb  = (cβ − sβ)·cos(α − σγ)      qa − σqc = (cβ − sβ)·sin(α − σγ)
   * so the sum and the difference of the outer half angles are two arc tangents, exact up to gimbal lock,
   * and the lengths of the two pairs give β.
   */
  const plusLength = hypot(w + qb, qa + sign * qc);
  const minusLength = hypot(w - qb, qa - sign * qc);
  // tan(β + 45°) = (cβ + sβ)/(cβ − sβ), where 2β is the middle angle, within ±90°.
  const middle = 2 * (atan2(plusLength, minusLength) - Math.PI / 4);
  const plus = atan2(qa + sign * qc, w + qb);
  const minus = atan2(qa - sign * qc, w - qb);
  let first: number;
  let last: number;
  // A pair this short has no direction left in float32 data: 1e-6 is a middle angle within 0.0001° of 90°.
  if (minusLength < 1e-6) {
    first = out[o]!;
    last = sign * (2 * plus - first);
  } else if (plusLength < 1e-6) {
    first = out[o]!;
    last = sign * (first - 2 * minus);
  } else {
    first = plus + minus;
    last = sign * (plus - minus);
  }
  let cost = Number.POSITIVE_INFINITY;
  const p0 = out[o]!;
  const p1 = out[o + 1]!;
  const p2 = out[o + 2]!;
  for (let other = 0; other < 2; other++) {
    const x = nearestTurn(other ? first + Math.PI : first, p0);
    const y = nearestTurn(other ? Math.PI - middle : middle, p1);
    const z = nearestTurn(other ? last + Math.PI : last, p2);
    const far = Math.abs(x - p0) + Math.abs(y - p1) + Math.abs(z - p2);
    // The plain triple wins a tie, and all but: it is the one people expect to read.
    if (far < cost - 1e-9) {
      cost = far;
      out[o] = x;
      out[o + 1] = y;
      out[o + 2] = z;
    }
  }
}

/** The angle plus full turns that is nearest to another. */
function nearestTurn(angle: number, to: number): number {
  return angle + 2 * Math.PI * Math.round((to - angle) / (2 * Math.PI));
}
