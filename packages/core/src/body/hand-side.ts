import { lengthOf } from '../base/math/functions.js';
import { modelPoseOf } from '../scene/pose.js';
import type { Skeleton } from '../scene/skeleton.js';
import { foldWord } from './names/read-name.js';
import type { Side } from './roles.js';

/** Fingers straighter than this (bend over length of the last phalanx) do not show the palm. */
export const LEAST_CURL = 0.05;
/** A thumb that stands less off the plane of the palm than this, over the length of the palm, does not either. */
const LEAST_DROP = 0.15;

/**
 * The side of a skeleton that is one hand in the words of WebXR, whose joints do not say it: by a name that
 * does (`l_handMeshNode`, a file called `hand_left`), else by shape. Null where it is no such hand, or where
 * neither tells.
 */
export function guessHandSide(skeleton: Skeleton): Side | null {
  const joints = new Map<string, number>();
  skeleton.names.forEach((name, joint) => {
    if (name.length < 60 && /^(?:wrist|thumb|index|middle|ring|pinky)/i.test(name))
      joints.set(foldWord(name), joint);
  });
  if (!joints.has('wrist') || !joints.has('indexfingerphalanxproximal')) return null;
  const said = new Set<Side>();
  for (const name of [skeleton.name, ...skeleton.names]) {
    if (/(?:^|[^a-z])(?:left|l)(?:$|[^a-z])/i.test(name) || /left.?hand|hand.?left/i.test(name))
      said.add('left');
    if (/(?:^|[^a-z])(?:right|r)(?:$|[^a-z])/i.test(name) || /right.?hand|hand.?right/i.test(name))
      said.add('right');
  }
  return said.size === 1 ? [...said][0]! : sideByShape(skeleton, joints);
}

/**
 * With f from the wrist to the middle knuckle, t from the little to the index knuckle and n out of the palm,
 * n · (f × t) is positive for a left hand: palm down, fingers forward (−Z), the left thumb points right (+X),
 * and (−Z) × (+X) = −Y. The fingers bend towards n.
 */
function sideByShape(skeleton: Skeleton, joints: ReadonlyMap<string, number>): Side | null {
  const { matrices } = modelPoseOf(skeleton, skeleton.bind ?? skeleton.rest);
  const between = (from: string, to: string): number[] | null => {
    const a = joints.get(from);
    const b = joints.get(to);
    if (a === undefined || b === undefined) return null;
    return [12, 13, 14].map((at) => matrices[16 * b + at]! - matrices[16 * a + at]!);
  };
  const f = between('wrist', 'middlefingerphalanxproximal');
  const t = between('pinkyfingerphalanxproximal', 'indexfingerphalanxproximal');
  if (!f || !t) return null;
  const curl = [0, 0, 0];
  let length = 0;
  for (const finger of ['index', 'middle', 'ring', 'pinky']) {
    const near = between(`${finger}fingerphalanxproximal`, `${finger}fingerphalanxintermediate`);
    const far = between(`${finger}fingerphalanxintermediate`, `${finger}fingerphalanxdistal`);
    if (!near || !far) continue;
    const along = dot(far, near) / (dot(near, near) || 1);
    for (let i = 0; i < 3; i++) curl[i]! += far[i]! - along * near[i]!;
    length += lengthOf(far);
  }
  const across = [
    f[1]! * t[2]! - f[2]! * t[1]!,
    f[2]! * t[0]! - f[0]! * t[2]!,
    f[0]! * t[1]! - f[1]! * t[0]!,
  ];
  const bend = dot(curl, across) / (lengthOf(across) * length);
  // A thumb lies on the palm's side of the hand, also where the fingers are straight.
  const thumb = between('wrist', 'thumbphalanxdistal');
  const drop = thumb ? dot(thumb, across) / (lengthOf(across) * lengthOf(f)) : 0;
  const sum =
    (Math.abs(bend) > LEAST_CURL ? Math.sign(bend) : 0) + (Math.abs(drop) > LEAST_DROP ? Math.sign(drop) : 0);
  return sum === 0 ? null : sum > 0 ? 'left' : 'right';
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}
