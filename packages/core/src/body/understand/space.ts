import { createMatrix, type Mat4, multiplyMatrices } from '../../base/math/matrix.js';
import { rotateVector } from '../../base/math/quaternion.js';
import {
  crossVectors,
  directionOf,
  dotVectors,
  rejectVector,
  scaleVector,
  type Vec3,
  vectorAngle,
  vectorAt,
  vectorLength,
} from '../../base/math/vector.js';
import type { Warning } from '../../base/warnings.js';
import { modelPoseOf } from '../../scene/pose.js';
import { AXIS_VECTORS, nearestAxis, type Skeleton } from '../../scene/skeleton.js';
import { type BodyPose, bodyExtent, facingOf, judgeStance, type RoleJoints, toesDirection } from '../body.js';
import type { RigSpace } from '../rig-space.js';
import { guessHeading } from '../shape/guess-heading.js';
import type { LookAtBody } from '../shape/seen-body.js';
import { standingHeight } from './guess-up.js';

/**
 * Which way the body faces: by its left and right, which names and geometry agree on; else by the file's
 * own word; else by where an animal's trunk leads; else +Z. A symmetric body gives its exact facing; a body caught mid-motion is snapped to the
 * nearest axis, since its hips may be turned against its heading. The axes are those of what carries the
 * hips, so that a body that is turned as a whole is understood alike, else the file's.
 */
export function guessFacing(
  skeleton: Skeleton,
  body: BodyPose,
  up: Readonly<Vec3>,
  look?: LookAtBody,
): { facing: RigSpace['facing']; warnings: Warning[] } {
  const exact = facingOf(body, up) ?? toesDirection(body, up);
  if (exact) {
    // Half a degree is the noise of real files; 20 degrees the turn of hips in a step.
    const degrees = Math.PI / 180;
    const asymmetric = judgeStance(body, up).asymmetry > 0.01;
    for (const axes of [carrierAxes(skeleton, body.joints), Object.values(AXIS_VECTORS)]) {
      for (const axis of axes) {
        const angle = vectorAngle(exact, [...axis]);
        if (Math.abs(dotVectors([...axis], up)) > 1e-3 || angle > (asymmetric ? 20 : 0.5) * degrees) continue;
        const reason =
          angle < 0.5 * degrees
            ? 'left and right say so'
            : 'left and right say so, to the nearest axis, as the pose is not symmetric';
        // Square to up to the last bit, and free of a rotation's rounding where an axis of the file is meant.
        const near = nearestAxis([...axis]);
        const direction = near.angle < 1e-6 ? [...AXIS_VECTORS[near.axis]] : rejectVector([...axis], up);
        return {
          facing: { direction: directionOf(direction as Vec3)!, confidence: asymmetric ? 0.8 : 0.95, reason },
          warnings: [],
        };
      }
    }
    return {
      facing: { direction: exact, confidence: asymmetric ? 0.5 : 0.9, reason: 'left and right say so' },
      warnings: [],
    };
  }
  const { facing } = skeleton.declared;
  if (facing && Math.abs(dotVectors([...AXIS_VECTORS[facing]], up)) < 0.5)
    return {
      facing: { direction: [...AXIS_VECTORS[facing]], confidence: 0.8, reason: 'the format says so' },
      warnings: [],
    };
  const heading = guessHeading(skeleton, body.positions, up, look);
  if (heading) {
    // As with hips: 20 degrees are a pose, more is how the file stands.
    const near = nearestAxis(heading);
    const direction: Vec3 = near.angle < (20 * Math.PI) / 180 ? [...AXIS_VECTORS[near.axis]] : heading;
    return {
      facing: { direction, confidence: 0.7, reason: 'the trunk lies along it, from tail to head' },
      warnings: [],
    };
  }
  const fallback: Vec3 = Math.abs(up[2]) > 0.9 ? [0, -1, 0] : [0, 0, 1];
  return {
    facing: { direction: fallback, confidence: 0, reason: 'nothing says otherwise' },
    warnings: [
      {
        code: 'facing-guessed',
        message: `no left and right were found in "${skeleton.name}"; it was taken to face ${nearestAxis(fallback).axis}`,
      },
    ],
  };
}

/** The six axes, at rest, of what carries the hips; of the hips themselves where nothing does, as in captures. */
function carrierAxes(skeleton: Skeleton, { hips }: RoleJoints): Vec3[] {
  if (hips === undefined) return [];
  const parent = skeleton.parents[hips]!;
  const { rotations } = modelPoseOf(skeleton, skeleton.rest);
  const carrier = parent < 0 ? hips : parent;
  return Object.values(AXIS_VECTORS).map((axis) => {
    const turned = Float64Array.from(axis);
    rotateVector(turned, 0, rotations, 4 * carrier, turned, 0);
    return vectorAt(turned, 0);
  });
}

/** Whom captures are of is between so many metres tall, by the bones of their legs: children too, however they crouch. */
const SMALLEST = 0.6;
const TALLEST = 2.5;

/**
 * Metres per file unit: the file's own word, else the usual unit that gives the body a human height.
 * Only metre-based display and tolerances depend on it; everything else is relative to the body.
 */
export function guessUnit(
  skeleton: Skeleton,
  body: BodyPose,
  up: Readonly<Vec3>,
): { unit: RigSpace['unit']; warnings: Warning[] } {
  const { low, high } = bodyExtent(skeleton, body, up);
  const height = high - low;
  const { unit: declared, capture } = skeleton.declared;
  // What a capture comes from is told by its names, which stay when it is written anew in another unit: nobody is 7 cm tall.
  const tall = standingHeight(body) * (declared ?? 1);
  if (declared && !(capture && (tall < SMALLEST || tall > TALLEST)))
    return { unit: { metres: declared, confidence: 1, reason: 'the format says so' }, warnings: [] };
  // In the order in which they are met: decimetres are MakeHuman's, 1/0.45 inch is the CMU captures'.
  const units: [number, string][] = [
    [1, 'metres'],
    [0.01, 'centimetres'],
    [0.0254 / 0.45, 'units of 1/0.45 inch'],
    [0.1, 'decimetres'],
    [0.0254, 'inches'],
    [0.001, 'millimetres'],
  ];
  const found = units.find(([metres]) => height * metres > 1 && height * metres < 2.3);
  const [metres, name] = found ?? units[height > 3 ? 1 : 0]!;
  const message = `the file does not say its unit; at a height of ${height.toPrecision(3)} it was read as ${name}`;
  return {
    unit: {
      metres,
      confidence: found ? 0.7 : 0.3,
      reason: `the body is ${height.toPrecision(3)} units tall`,
    },
    warnings: [{ code: 'unit-guessed', message }],
  };
}

/** The container that takes up, facing and unit to +Y, +Z and metres. */
export function containerOf(
  skeleton: Skeleton,
  up: Readonly<Vec3>,
  facing: Readonly<Vec3>,
  metres: number,
): Mat4 {
  const left = directionOf(crossVectors(up, facing)) ?? [1, 0, 0];
  const forward = scaleVector(crossVectors(left, up), 1);
  // Rows are the file's directions of model x (left), y (up), z (forward).
  const turn = createMatrix();
  for (let c = 0; c < 3; c++) {
    turn[4 * c] = left[c]! * metres;
    turn[4 * c + 1] = up[c]! * metres;
    turn[4 * c + 2] = forward[c]! * metres;
  }
  const container = createMatrix();
  multiplyMatrices(container, 0, turn, 0, skeleton.container, 0);
  return container;
}

/** How far axes may be from square, and their lengths from equal, before turns come out wrong. */
const DISTORTION = 0.01;

/** Says where a skeleton's container mirrors, skews or stretches it, which turns cannot follow. */
export function distortionWarnings({ name, container }: Skeleton): Warning[] {
  const axes = [0, 4, 8].map((at) => vectorAt(container, at)) as [Vec3, Vec3, Vec3];
  const lengths = axes.map(vectorLength);
  const volume =
    dotVectors(axes[0], crossVectors(axes[1], axes[2])) / (lengths[0]! * lengths[1]! * lengths[2]!);
  const isUneven = Math.max(...lengths) > (1 + DISTORTION) * Math.min(...lengths);
  if (volume > 1 - DISTORTION && !isUneven) return [];
  const what = volume < 0 ? 'mirrored' : isUneven ? 'stretched unevenly' : 'skewed';
  const message = `"${name}" is ${what} by what it hangs on; its turns cannot be true: apply the scale of its parents where it was made`;
  return [{ code: 'placement-distorted', message }];
}
