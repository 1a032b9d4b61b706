import { TO_DEGREES } from '../../base/math/angles.js';
import { CONTACT_RATE } from '../../contacts/track-points.js';
import { TOUCHED } from '../../goals/arms/body-shape.js';
import { boneAngle } from '../bone-angle.js';
import type { Comparison, SampledMotion } from '../comparison.js';
import { type Summary, summarise } from '../summary.js';
import type { ArmComparison } from './compare-arms.js';

/**
 * How far the directions of arms are from the source's, in degrees, where nothing is a reason to turn them: farther than
 * 0.25 s from any touch, support or carrying of that arm in the source, and from where the copied one goes through its
 * own body or, on the shoulder that the result has, would be in the floor.
 */
export type ArmsAloneMeasure = {
  result: Summary;
  /** The same of the plainly copied motion; null where it could not be made. */
  copied: Summary | null;
  /** Share of the instants of both arms that this is. */
  share: number;
};

/** Seconds around a reason in which arms may be turned. */
const AROUND_REASON = 0.25;

/** Measures arms that are to be left alone; null where there are none, or no instant in which they are. */
export function measureArmsAlone(arms: ArmComparison, isLoop: boolean): ArmsAloneMeasure | null {
  const { comparison } = arms;
  const { count, source, result, copied } = comparison;
  const errors: number[] = [];
  const plain: number[] = [];
  let alone = 0;
  let all = 0;
  (['left', 'right'] as const).forEach((side, hand) => {
    const bones = bonesOf(comparison, side);
    if (bones.length === 0) return;
    const busy = busyInstants(arms, hand, isLoop);
    all += count;
    for (let k = 0; k < count; k++) {
      if (busy[k]) continue;
      alone++;
      for (const bone of bones) pushAngle(errors, angleOf(source, result, bone, k));
      for (const bone of copied ? bones : []) pushAngle(plain, angleOf(source, copied!, bone, k));
    }
  });
  const summary = summarise(errors, TO_DEGREES);
  return (
    summary && {
      result: summary,
      copied: summarise(plain, TO_DEGREES),
      share: alone / all,
    }
  );
}

/** A bone without a length has no angle. */
function pushAngle(angles: number[], angle: number): void {
  if (Number.isFinite(angle)) angles.push(angle);
}

/**
 * Per instant how much farther than the plain copy's arms that are to be left alone are from the source's, in degrees: the
 * worst; NaN where none is. On a body whose arms hang otherwise the copy is off too, and nobody turned anything.
 */
export function armsAloneCurve(arms: ArmComparison, isLoop: boolean): number[] {
  const { comparison } = arms;
  const { count, source, result, copied } = comparison;
  const curve = new Array<number>(count).fill(Number.NaN);
  (['left', 'right'] as const).forEach((side, hand) => {
    const bones = bonesOf(comparison, side);
    const busy = busyInstants(arms, hand, isLoop);
    for (let k = 0; k < count && bones.length > 0; k++) {
      if (busy[k]) continue;
      for (const bone of bones) {
        const plain = copied ? angleOf(source, copied, bone, k) : 0;
        const angle = TO_DEGREES * Math.max(0, angleOf(source, result, bone, k) - plain);
        if (Number.isFinite(angle) && !(curve[k]! >= angle)) curve[k] = angle;
      }
    }
  });
  return curve;
}

/** Instants of an arm that are near a reason to turn it. */
function busyInstants(
  { comparison, touches, carries, pierces, inFloor }: ArmComparison,
  hand: number,
  isLoop: boolean,
): Uint8Array {
  const { count, points, source } = comparison;
  const side = hand === 0 ? 'left' : 'right';
  const reasons = new Uint8Array(count);
  for (const touch of touches) {
    const both = TOUCHED[touch.touched] === 'otherHand' || TOUCHED[touch.touched] === 'otherArm';
    if (touch.hand === hand || both) reasons.fill(1, touch.first, touch.last + 1);
  }
  for (const { first, last } of carries) reasons.fill(1, first, last + 1);
  points.forEach(({ name }, n) => {
    if (name !== `${side}Hand` && name !== `${side}Elbow`) return;
    for (let k = 0; k < count; k++) reasons[k]! |= source.inContact[points.length * k + n]!;
  });
  for (let k = 0; k < count; k++) reasons[k]! |= pierces[2 * k + hand]! | inFloor[2 * k + hand]!;
  const busy = new Uint8Array(count);
  const around = Math.round(AROUND_REASON * CONTACT_RATE);
  for (let k = 0; k < count; k++) {
    if (!reasons[k]) continue;
    busy.fill(1, Math.max(0, k - around), Math.min(count, k + around + 1));
    // In a loop what ends comes before what begins.
    if (isLoop && k - around < 0) busy.fill(1, Math.max(0, count - 1 + k - around));
    if (isLoop && k + around >= count) busy.fill(1, 0, Math.min(count, k + around - count + 2));
  }
  return busy;
}

/** Two joints of the source and two of the result. */
type Bone = { source: [number, number]; target: [number, number] };

function bonesOf({ source, result }: Comparison, side: 'left' | 'right'): Bone[] {
  return (
    [
      [`${side}UpperArm`, `${side}LowerArm`],
      [`${side}LowerArm`, `${side}Hand`],
    ] as const
  ).flatMap(([a, b]): Bone[] => {
    const [s, t, u, v] = [source.roles[a], source.roles[b], result.roles[a], result.roles[b]];
    if (s === undefined || t === undefined || u === undefined || v === undefined) return [];
    return [{ source: [s, t], target: [u, v] }];
  });
}

function angleOf(a: SampledMotion, b: SampledMotion, { source, target }: Bone, k: number): number {
  const [from, to] = [a.joints * k, b.joints * k];
  return boneAngle(
    a.positions,
    3 * (from + source[0]),
    3 * (from + source[1]),
    b.positions,
    3 * (to + target[0]),
    3 * (to + target[1]),
  );
}
