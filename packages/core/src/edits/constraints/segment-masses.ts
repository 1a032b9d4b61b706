import { conjugateQuaternion, rotateVector } from '../../base/math/quaternion.js';
import {
  addVectors,
  scaleVector,
  subtractVectors,
  type Vec3,
  vectorAt,
  vectorLength,
} from '../../base/math/vector.js';
import type { Role, Side } from '../../body/roles.js';
import { modelPoseOf } from '../../scene/pose.js';
import { childrenOf, JOINT } from '../../scene/skeleton.js';
import type { EditedBody } from '../edited-body.js';
import type { MassModel } from './solve/body-mass.js';

/*
 * Masses of body segments in per cent of the body's, and where along a segment its centre lies: means of both sexes'
 * tables differ by less than bodies do; these are the male ones of P. de Leva, "Adjustments to Zatsiorsky-Seluyanov's
 * segment inertia parameters", Journal of Biomechanics 29 (1996), table 4, between joint centres (the shank's to that of
 * the ankle). Checked against the tables of Visual3D's manual, "Adjusted Zatsiorsky-Seluyanov's segment inertia
 * parameters". They sum to 100.
 */

/** From one joint to the next, the mass between them, and the share of the way at which its centre lies. */
const LIMB_SEGMENTS = [
  ['UpperArm', 'LowerArm', 2.71, 0.5772],
  ['LowerArm', 'Hand', 1.62, 0.4574],
  ['UpperLeg', 'LowerLeg', 14.16, 0.4095],
  ['LowerLeg', 'Foot', 4.33, 0.4395],
] as const;
/** What ends a limb: its role, the one above it, the one beyond it, and its mass. */
const HAND_END = { end: 'Hand', before: 'LowerArm', tip: 'MiddleProximal', mass: 0.61 } as const;
const FOOT_END = { end: 'Foot', before: 'LowerLeg', tip: 'Toes', mass: 1.37 } as const;
const HEAD = 6.94;
/** The trunk in three parts: mass, and the centre's height as a share of the way from the hip joints to the shoulders. */
const TRUNK_SEGMENTS: readonly { mass: number; height: number; roles: readonly Role[] }[] = [
  { mass: 11.17, height: 0.106, roles: ['hips'] },
  { mass: 16.33, height: 0.497, roles: ['chest', 'spine', 'hips'] },
  { mass: 15.96, height: 0.904, roles: ['upperChest', 'chest', 'spine', 'hips'] },
];

type Point = { joint: number; place: Vec3; mass: number };

/**
 * Where the mass of a body is: by the segments of a human body where it has one's joints; else by the length of
 * bones, which is all that is known.
 * @param places Per joint of the skeleton where it, or the nearest above it, stands in the body's list; −1 for nowhere.
 */
export function createMassModel(body: EditedBody, places: Int32Array, jointCount: number): MassModel {
  const { skeleton, reference, height } = body;
  const model = modelPoseOf(skeleton, reference);
  const at = (joint: number) => vectorAt(model.matrices, 16 * joint + 12);
  const points = (humanPoints(body, at) ?? bonePoints(body, at)).filter(({ joint }) => places[joint]! >= 0);
  const offsets = new Float64Array(3 * points.length);
  const undo = new Float64Array(4);
  points.forEach(({ joint, place }, n) => {
    // Seen from the joint of the list that carries it, which need not be the joint itself.
    let carrier = joint;
    while (skeleton.parents[carrier]! >= 0 && places[skeleton.parents[carrier]!] === places[joint])
      carrier = skeleton.parents[carrier]!;
    conjugateQuaternion(undo, 0, model.rotations, 4 * carrier);
    const way = Float64Array.from(scaleVector(subtractVectors(place, at(carrier)), 1 / height));
    rotateVector(offsets, 3 * n, undo, 0, way, 0);
  });
  return {
    shares: Float64Array.from(points, ({ mass }) => mass),
    joints: Int32Array.from(points, ({ joint }) => places[joint]!),
    offsets,
    masses: new Float64Array(jointCount + 1),
    centres: new Float64Array(3 * jointCount),
    centre: new Float64Array(3),
  };
}

function humanPoints({ joints, height }: EditedBody, at: (joint: number) => Vec3): Point[] | null {
  const points: Point[] = [];
  const between = (from: number, to: number, mass: number, share: number) =>
    points.push({ joint: from, place: mix(at(from), at(to), share), mass });
  for (const side of ['left', 'right'] as const) {
    for (const [from, to, mass, share] of LIMB_SEGMENTS) {
      const a = joints[`${side}${from}`];
      const b = joints[`${side}${to}`];
      if (a === undefined || b === undefined) return null;
      between(a, b, mass, share);
    }
    points.push(endPoint(joints, side, HAND_END, at));
    points.push(endPoint(joints, side, FOOT_END, at));
  }
  const { hips, head } = joints;
  if (hips === undefined || head === undefined) return null;
  const low = mix(at(joints.leftUpperLeg!), at(joints.rightUpperLeg!), 0.5);
  const high = mix(at(joints.leftUpperArm!), at(joints.rightUpperArm!), 0.5);
  for (const { mass, height: share, roles } of TRUNK_SEGMENTS) {
    const joint = roles.map((role) => joints[role]).find((each) => each !== undefined)!;
    points.push({ joint, place: mix(low, high, share), mass });
  }
  points.push({ joint: head, place: addVectors(at(head), [0, 0.04 * height, 0]), mass: HEAD });
  return points;
}

/** Hands and feet: on the way to the fingers or toes, else on from the bone before, by a quarter of it. */
function endPoint(
  joints: EditedBody['joints'],
  side: Side,
  { end, before, tip, mass }: typeof HAND_END | typeof FOOT_END,
  at: (joint: number) => Vec3,
): Point {
  const joint = joints[`${side}${end}`]!;
  const beyond = joints[`${side}${tip}`];
  const place =
    beyond !== undefined
      ? mix(at(joint), at(beyond), 0.6)
      : end === 'Foot'
        ? at(joint)
        : mix(at(joints[`${side}${before}`]!), at(joint), 1.25);
  return { joint, place, mass };
}

function bonePoints({ skeleton }: EditedBody, at: (joint: number) => Vec3): Point[] {
  const points: Point[] = [];
  childrenOf(skeleton).forEach((children, joint) => {
    for (const child of children) {
      if ((skeleton.flags[joint]! & JOINT) === 0) continue;
      const mass = vectorLength(subtractVectors(at(child), at(joint)));
      if (mass > 0) points.push({ joint, place: mix(at(joint), at(child), 0.5), mass });
    }
  });
  return points;
}

function mix(a: Vec3, b: Vec3, share: number): Vec3 {
  return addVectors(scaleVector(a, 1 - share), scaleVector(b, share));
}
