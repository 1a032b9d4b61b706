import type { RootMotionJoint } from '../../align/root-move.js';
import { UP } from '../../base/math/flat-constants.js';
import { atan2, cos, sin } from '../../base/math/functions.js';
import { createMatrix, transformPoint } from '../../base/math/matrix.js';
import {
  conjugateQuaternion,
  multiplyQuaternions,
  rotateVector,
  twistAbout,
} from '../../base/math/quaternion.js';
import { createPath, followPath } from '../../scene/joint-path.js';
import { type Pose, rotationOfMatrix, signRotation } from '../../scene/pose.js';
import type { Skeleton } from '../../scene/skeleton.js';
import { moveRoot } from '../move-root.js';
import { compiledOf, type Setup } from '../pass.js';

/** Where a body travels, read from one pose: plain constants for {@link readTravel}. */
export type TravelReader = {
  skeleton: Skeleton;
  joint: number;
  /** The joints above it, topmost first. */
  path: Int32Array;
  container: Float64Array;
  /** The joint's place in the reference, and what undoes its rotation there. */
  from: Float64Array;
  unturn: Float64Array;
  /** How far travel is stretched. */
  scale: number;
};

/** Prepares {@link readTravel}. */
export function createTravelReader(setup: Setup, from: RootMotionJoint): TravelReader {
  const { source, sourceReference } = setup;
  const joint = from.source;
  const container = new Float64Array(4);
  rotationOfMatrix(container, 0, source.skeleton.container, 0);
  const unturn = new Float64Array(4);
  conjugateQuaternion(unturn, 0, sourceReference.rotations, 4 * joint);
  return {
    skeleton: source.skeleton,
    joint,
    path: createPath(source.skeleton, joint),
    container,
    from: sourceReference.matrices.slice(16 * joint + 12, 16 * joint + 15),
    unturn,
    scale: compiledOf(setup, moveRoot)?.scale[0] ?? 1,
  };
}

const matrix = createMatrix();
const place = new Float64Array(3);
const turn = new Float64Array(4);
const signs = new Float64Array(4);
const twist = new Float64Array(4);

/**
 * Writes x and z in metres and the heading in radians (−π to π) at `o`: how far the body has travelled from its
 * reference, as the target will. The heading is the turn's part about the vertical (WP9: about that axis and no
 * other). Remembers nothing.
 */
export function readTravel(out: Float64Array, o: number, reader: TravelReader, pose: Pose): void {
  const { skeleton, joint, path, container, from, unturn, scale } = reader;
  followPath(matrix, path, skeleton, pose);
  transformPoint(place, 0, matrix, 0, pose.translations, 3 * joint);
  for (let c = 0; c < 4; c++) turn[c] = container[c]!;
  for (let k = 0; k <= path.length; k++) {
    const i = k < path.length ? path[k]! : joint;
    multiplyQuaternions(turn, 0, turn, 0, pose.rotations, 4 * i);
    if (signRotation(signs, 0, pose.scales, 3 * i)) multiplyQuaternions(turn, 0, turn, 0, signs, 0);
  }
  multiplyQuaternions(turn, 0, turn, 0, unturn, 0);
  twistAbout(twist, 0, turn, 0, UP, 0);
  out[o] = scale * (place[0]! - from[0]!);
  out[o + 1] = scale * (place[2]! - from[2]!);
  const heading = 2 * atan2(twist[1]!, twist[3]!);
  out[o + 2] =
    heading > Math.PI ? heading - 2 * Math.PI : heading < -Math.PI ? heading + 2 * Math.PI : heading;
}

const step = new Float64Array(3);
const back = new Float64Array(4);

/**
 * The rigid move from one travel to the next, seen from the first: translation (xyz, metres) and rotation (xyzw).
 * Whoever carries the character goes on by it: place + facing · translation, facing · rotation.
 * @param a Travel before, @param b Travel now: x, z and heading each, as {@link readTravel} gives them.
 * @param centre The vertical axis that headings turn about passes through it.
 */
export function travelStep(
  translation: Float64Array,
  rotation: Float64Array,
  a: Readonly<Float64Array>,
  b: Readonly<Float64Array>,
  centre: Readonly<Float64Array>,
): void {
  // X = T(centre + travel) · R(heading) · T(−centre), so its translation is centre + travel − R · centre.
  let x = 0;
  let z = 0;
  for (let n = 0; n < 2; n++) {
    const t = n === 0 ? b : a;
    const c = cos(t[2]!);
    const s = sin(t[2]!);
    const sign = n === 0 ? 1 : -1;
    x += sign * (t[0]! + centre[0]! - (c * centre[0]! + s * centre[2]!));
    z += sign * (t[1]! + centre[2]! - (c * centre[2]! - s * centre[0]!));
  }
  step[0] = x;
  step[1] = 0;
  step[2] = z;
  back[0] = 0;
  back[1] = -sin(a[2]! / 2);
  back[2] = 0;
  back[3] = cos(a[2]! / 2);
  rotateVector(translation, 0, back, 0, step, 0);
  const turned = b[2]! - a[2]!;
  rotation[0] = 0;
  rotation[1] = sin(turned / 2);
  rotation[2] = 0;
  rotation[3] = cos(turned / 2);
  // The short way round, where a heading passed half a turn.
  if (rotation[3] < 0) {
    rotation[1] = -rotation[1]!;
    rotation[3] = -rotation[3]!;
  }
}

/**
 * Root motion that was taken out of a clip: the rigid move, in model space, that carries the character from
 * where the clip leaves it to where it would have been. A character that stands at the origin facing +Z is
 * carried by the values themselves, any other by the steps from key to key.
 */
export type RootMotionTrack = {
  /** Seconds, rising. */
  times: Float32Array;
  /** xyz per key, metres. */
  translations: Float32Array;
  /** xyzw per key, about the vertical. */
  rotations: Float32Array;
};

/** A path of x, z and heading per key, as `analyseTravel` gives it, as rigid moves. */
export function rootMotionTrack(
  path: Readonly<Float64Array>,
  times: Float32Array,
  centre: Readonly<Float64Array>,
): RootMotionTrack {
  const translations = new Float32Array(3 * times.length);
  const rotations = new Float32Array(4 * times.length);
  for (let k = 0; k < times.length; k++) {
    const heading = path[3 * k + 2]!;
    const [c, s] = [cos(heading), sin(heading)];
    translations[3 * k] = centre[0]! + path[3 * k]! - (c * centre[0]! + s * centre[2]!);
    translations[3 * k + 2] = centre[2]! + path[3 * k + 1]! - (c * centre[2]! - s * centre[0]!);
    rotations[4 * k + 1] = sin(heading / 2);
    rotations[4 * k + 3] = cos(heading / 2);
  }
  return { times, translations, rotations };
}

/** Root motion of a clip of so many seconds that is followed by itself backwards. */
export function rootMotionThereAndBack(
  { times, translations, rotations }: RootMotionTrack,
  duration: number,
): RootMotionTrack {
  const back = (values: Float32Array, size: number) => {
    const keys = Array.from({ length: values.length / size }, (_, k) =>
      values.slice(size * k, size * (k + 1)),
    );
    return Float32Array.from([...keys, ...keys.reverse().slice(1)].flatMap((key) => [...key]));
  };
  const later = Array.from(times, (time) => 2 * duration - time).reverse();
  return {
    times: Float32Array.from([...times, ...later.slice(1)]),
    translations: back(translations, 3),
    rotations: back(rotations, 4),
  };
}
