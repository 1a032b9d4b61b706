import { UsageError } from '../base/errors.js';
import {
  composeMatrix,
  createMatrix,
  invertMatrix,
  type Mat4,
  multiplyMatrices,
  transformPoint,
} from '../base/math/matrix.js';
import { vectorAt, vectorLength } from '../base/math/vector.js';
import { didWork } from '../base/watch-work.js';
import { carrierOf, driverOf, type JointPair } from '../map/rig-map.js';
import type { ScaleMode, TranslationMode, TranslationRule } from '../options/joint-rules.js';
import type { Clip } from '../scene/clip.js';
import { findJoint } from '../scene/joint-names.js';
import type { ModelPose, Pose } from '../scene/pose.js';
import { isAncestor, isSameSkeleton, type Skeleton } from '../scene/skeleton.js';
import type { AlignedPair } from './aligned-pair.js';

/** How a target joint is moved in its parent: x = reference + linear · (v − v_ref), v read by {@link readPlace}. */
export type JointMove = {
  target: number;
  /** Source joints from below what drives the target's carrier down to the driver, topmost first. */
  path: Int32Array;
  /** v in the source's reference. */
  from: Float64Array;
  /** The target joint's translation in the aligned reference, in the file's unit. */
  to: Float64Array;
  /** 3×3, column-major: both parents' references, the units and the stretch in one. */
  linear: Float64Array;
};

/** How a target joint is scaled: its reference scale times, for each source joint of the path, what {@link scaleJoint} reads. */
export type JointScaling = {
  target: number;
  path: Int32Array;
  /** Per joint of the path 1 / its reference scale, xyz; 0 where that is none. */
  inverses: Float64Array;
  /** Per joint of the path and axis of the target's, 6 numbers: the square of how much longer that axis becomes. */
  squares: Float64Array;
  /** Per joint of the path 3×3, column-major, rows that sum to one: which axes of it are which of the target's. */
  weights: Float64Array;
  /** Whether axes are neither the same nor exchanged: then uneven scales do not go through linearly. */
  isTilted: boolean;
  /** The target joint's scale in the aligned reference. */
  to: Float64Array;
};

type Constants = Pick<
  AlignedPair,
  'source' | 'target' | 'map' | 'alignment' | 'sourceReference' | 'rootScales' | 'travel'
>;

/**
 * How the driven joints move in their parents, where they do.
 *
 * With c what drives the joint above the target joint t (its carrier) and v the place of t's driver in c's
 * frame, the driver has moved by M_c · (v − v_ref) in model space, turned as c has turned since the
 * reference. The carrier has turned as much, so in the frame of t's parent that is
 *
 *   x = x_ref + k · M_p⁻¹ · M_c · (v − v_ref)
 *
 * with M the linear parts of the two reference poses. Joints between c and the driver count by being in v, so
 * nothing is lost with them (X3). It is linear in the driver's keys, so keys can be kept.
 */
export function planJointMoves(setup: Constants, rule?: TranslationRule): JointMove[] {
  const { source, target, map, alignment, sourceReference, rootScales } = setup;
  const pairs = new Map(map.joints.map((pair) => [pair.target, pair]));
  const modeOf = createModes(setup, rule);
  const placed = new Set([...alignment.placed, ...alignment.followers].map(({ joint }) => joint));
  didWork(10 * map.joints.length);
  const moves: JointMove[] = [];
  for (const pair of map.joints) {
    didWork(20);
    const mode = modeOf(pair);
    const t = pair.target;
    if (mode === 'rest' || pair.share || t === setup.travel?.target || placed.has(t)) continue;
    const found = pathTo(setup, pairs, pair);
    if (!found) continue;
    const { carrier, path } = found;
    const into =
      carrier < 0
        ? source.skeleton.container
        : sourceReference.matrices.subarray(16 * carrier, 16 * carrier + 16);
    const parent = target.skeleton.parents[t]!;
    const out = createMatrix();
    const parentMatrix =
      parent < 0
        ? target.skeleton.container
        : alignment.model.matrices.subarray(16 * parent, 16 * parent + 16);
    if (!invertMatrix(out, 0, parentMatrix, 0)) continue;
    const from = new Float64Array(3);
    readPlace(from, path, source.reference.pose);
    const to = alignment.pose.translations.slice(3 * t, 3 * t + 3);
    const size = rootScales.horizontal;
    const k =
      mode === 'copied'
        ? 1
        : mode === 'rootScaled'
          ? size
          : lengthRatio(linearOf(into, from), linearOf(parentMatrix, to), size);
    // What hangs on nothing that moves travels beside the body: how far it is from the origin is no length of a bone.
    const stretch = createMatrix();
    for (let c = 0; c < 3; c++)
      stretch[5 * c] =
        carrier >= 0 || mode === 'copied' ? k : c === 1 ? rootScales.vertical : rootScales.horizontal;
    multiplyMatrices(out, 0, out, 0, stretch, 0);
    multiplyMatrices(out, 0, out, 0, into, 0);
    const linear = new Float64Array(9);
    for (let n = 0; n < 3; n++) for (let c = 0; c < 3; c++) linear[3 * n + c] = out[4 * n + c]!;
    moves.push({ target: t, path, from, to, linear });
  }
  return moves;
}

/**
 * How the driven joints are scaled (W11): by the change of basis alone, the other components standing in the reference,
 *
 *   L_t = P_t⁻¹ · P_s · T · R · diag(s) · W_s⁻¹ · W_t
 *
 * of whose columns the lengths are kept. With A = P_t⁻¹ · P_s · R and b a column of W_s⁻¹ · W_t, that of the column is
 * |A · diag(s) · b|: a square root of a quadratic form in s, linear where the scale is even or axes are merely
 * exchanged. A scale of several joints in a row is the product of theirs.
 */
export function planJointScalings(setup: Constants, mode: ScaleMode = 'copied'): JointScaling[] {
  if (mode === 'rest') return [];
  const { source, target, map, alignment, sourceReference } = setup;
  const pairs = new Map(map.joints.map((pair) => [pair.target, pair]));
  const scalings: JointScaling[] = [];
  const [A, B] = [createMatrix(), createMatrix()];
  const turn = createMatrix();
  for (const pair of map.joints) {
    didWork(20);
    if (pair.share) continue;
    const found = pathTo(setup, pairs, pair);
    if (!found) continue;
    const { path } = found;
    const t = pair.target;
    const inverses = new Float64Array(3 * path.length);
    const squares = new Float64Array(18 * path.length);
    const weights = new Float64Array(9 * path.length);
    let isTilted = false;
    path.forEach((joint, n) => {
      const { pose } = source.reference;
      const scale = vectorAt(pose.scales, 3 * joint).map((x) => (Math.abs(x) > 1e-12 ? x : 1));
      for (let c = 0; c < 3; c++)
        inverses[3 * n + c] = scale[c] === pose.scales[3 * joint + c] ? 1 / scale[c]! : 0;
      const isRead =
        invertMatrix(A, 0, parentOf(target.skeleton, alignment.model, t), 0) &&
        invertMatrix(B, 0, sourceReference.matrices, 16 * joint);
      if (isRead) {
        multiplyMatrices(A, 0, A, 0, parentOf(source.skeleton, sourceReference, joint), 0);
        composeMatrix(turn, 0, NO_PLACE, 0, pose.rotations, 4 * joint, EVEN, 0);
        multiplyMatrices(A, 0, A, 0, turn, 0);
        multiplyMatrices(B, 0, B, 0, alignment.model.matrices.subarray(16 * t, 16 * t + 16), 0);
      } else {
        A.set(IDENTITY_MATRIX);
        B.set(IDENTITY_MATRIX);
      }
      for (let axis = 0; axis < 3; axis++) {
        // Column i of A · diag(ratio · scale) · b, of ratio 1.
        const parts = [0, 1, 2].map((i) => {
          const size = scale[i]! * B[4 * axis + i]!;
          return [A[4 * i]! * size, A[4 * i + 1]! * size, A[4 * i + 2]! * size] as const;
        });
        const dot = (i: number, j: number) => parts[i]!.reduce((sum, x, c) => sum + x * parts[j]![c]!, 0);
        const form = [dot(0, 0), dot(1, 1), dot(2, 2), 2 * dot(0, 1), 2 * dot(1, 2), 2 * dot(0, 2)];
        const whole = form.reduce((sum, x) => sum + x, 0);
        form.forEach((x, k) => {
          squares[18 * n + 6 * axis + k] = whole > 0 ? x / whole : Number(k === axis);
        });
        const sum = form[0]! + form[1]! + form[2]!;
        for (let c = 0; c < 3; c++) {
          const weight = sum > 0 ? form[c]! / sum : Number(c === axis);
          weights[9 * n + 3 * c + axis] = weight;
          isTilted ||= weight > 1e-9 && weight < 1 - 1e-9;
        }
      }
    });
    const to = alignment.pose.scales.slice(3 * t, 3 * t + 3);
    scalings.push({ target: t, path, inverses, squares, weights, isTilted, to });
  }
  return scalings;
}

const NO_PLACE = new Float64Array(3);
const EVEN = Float64Array.of(1, 1, 1);
const IDENTITY_MATRIX = createMatrix();

/** The model matrix of a joint's parent; a root's is its container's. */
function parentOf({ parents, container }: Skeleton, { matrices }: ModelPose, joint: number): Mat4 {
  const parent = parents[joint]!;
  return parent < 0 ? container : matrices.subarray(16 * parent, 16 * parent + 16);
}

/** Source joints from below what drives a pair's carrier to its driver; null where the two do not hang together. */
function pathTo(
  setup: Constants,
  pairs: ReadonlyMap<number, JointPair>,
  pair: JointPair,
): { carrier: number; path: Int32Array } | null {
  const { source } = setup;
  const driver = driverOf(pair);
  const above = carrierOf(setup, pairs, pair.target);
  const carrier = above ? driverOf(above) : -1;
  if (carrier === driver || (carrier >= 0 && !isAncestor(source.skeleton, carrier, driver))) return null;
  const path: number[] = [];
  for (let at = driver; at !== carrier && at >= 0; at = source.skeleton.parents[at]!) path.push(at);
  return { carrier, path: Int32Array.from(path.reverse()) };
}

function createModes(
  setup: Constants,
  rule: TranslationRule | undefined,
): (pair: JointPair) => TranslationMode {
  const { source, target } = setup;
  const told = new Map<number, TranslationMode>();
  for (const [name, mode] of Object.entries(typeof rule === 'string' ? { '*': rule } : (rule ?? {}))) {
    if (name === '*' || mode === undefined) continue;
    const joint = findJoint(target.skeleton, name);
    if (joint === null)
      throw new UsageError(`translations name "${name}", but "${target.skeleton.name}" has no such joint`);
    told.set(joint, mode);
  }
  const others = typeof rule === 'string' ? rule : rule?.['*'];
  const same = isSameSkeleton(source.skeleton, target.skeleton);
  const body = findBodyJoints(setup);
  const pairs = new Map(setup.map.joints.map((pair) => [pair.target, pair]));
  // What stands beside a humanoid and hangs on nothing of it is a handle of its maker's: it moves no skin.
  const isHandle = (joint: number) => body.size > 0 && carrierOf(setup, pairs, joint) === null;
  return ({ target: joint }) =>
    told.get(joint) ??
    others ??
    (same ? 'copied' : body.has(joint) || isHandle(joint) ? 'rest' : 'boneLengthScaled');
}

/**
 * The joints that are part of a humanoid body: those with a role, those that carry one (a torso's), and what
 * goes on where a finger's roles end. See docs/decisions/0008: they keep the target's lengths.
 */
function findBodyJoints({ target, map }: Constants): Set<number> {
  const { parents } = target.skeleton;
  const roles = new Map(
    map.joints.flatMap(({ target: joint, role }) => (role ? [[joint, role] as const] : [])),
  );
  const body = new Set<number>();
  for (const joint of roles.keys())
    for (let at = joint; at >= 0 && !body.has(at); at = parents[at]!) body.add(at);
  // The nearest joint with a role, at or above each; parents stand before their children.
  const nearest = new Int32Array(parents.length);
  for (let i = 0; i < parents.length; i++)
    nearest[i] = roles.has(i) || parents[i]! < 0 ? i : nearest[parents[i]!]!;
  for (const { target: joint } of map.joints) {
    const role = roles.get(nearest[joint]!);
    if (role && /Thumb|Index|Middle|Ring|Little/.test(role)) body.add(joint);
  }
  return body;
}

function linearOf(m: Float64Array, v: Float64Array): number {
  const [x, y, z] = vectorAt(v, 0);
  return vectorLength([
    m[0]! * x + m[4]! * y + m[8]! * z,
    m[1]! * x + m[5]! * y + m[9]! * z,
    m[2]! * x + m[6]! * y + m[10]! * z,
  ]);
}

/** Joints that coincide with their parents, within a tenth of a millimetre, have no length to compare. */
const NO_LENGTH = 1e-4;

function lengthRatio(from: number, to: number, otherwise: number): number {
  return from > NO_LENGTH && to > NO_LENGTH ? to / from : otherwise;
}

const local = createMatrix();
const above = createMatrix();

/** out = the place of a path's last joint in the frame that the path starts from. */
export function readPlace(out: Float64Array, path: Int32Array, pose: Pose): void {
  const last = path.length - 1;
  const i = 3 * path[last]!;
  if (last === 0) {
    out[0] = pose.translations[i]!;
    out[1] = pose.translations[i + 1]!;
    out[2] = pose.translations[i + 2]!;
    return;
  }
  for (let n = 0; n < last; n++) {
    const joint = path[n]!;
    const into = n === 0 ? above : local;
    composeMatrix(into, 0, pose.translations, 3 * joint, pose.rotations, 4 * joint, pose.scales, 3 * joint);
    if (n > 0) multiplyMatrices(above, 0, above, 0, local, 0);
  }
  transformPoint(out, 0, above, 0, pose.translations, i);
}

const place = new Float64Array(3);

/** out[o …] = a joint's translation for a pose of the source. */
export function moveJoint(
  out: Float64Array,
  o: number,
  { path, from, to, linear }: JointMove,
  pose: Pose,
): void {
  readPlace(place, path, pose);
  const x = place[0]! - from[0]!;
  const y = place[1]! - from[1]!;
  const z = place[2]! - from[2]!;
  for (let c = 0; c < 3; c++) out[o + c] = to[c]! + linear[c]! * x + linear[3 + c]! * y + linear[6 + c]! * z;
}

const ratio = new Float64Array(3);

/** ratio = how much larger a joint of a path has become since the reference, xyz. */
function readRatio({ path, inverses }: JointScaling, n: number, pose: Pose): void {
  const i = 3 * path[n]!;
  for (let c = 0; c < 3; c++)
    // A reference of no size says nothing of how much larger a joint has become.
    ratio[c] = inverses[3 * n + c] === 0 ? 1 : pose.scales[i + c]! * inverses[3 * n + c]!;
}

/** out[o …] = a joint's scale for a pose of the source. */
export function scaleJoint(out: Float64Array, o: number, scaling: JointScaling, pose: Pose): void {
  const { path, squares, weights, to } = scaling;
  for (let c = 0; c < 3; c++) out[o + c] = to[c]!;
  for (let n = 0; n < path.length; n++) {
    readRatio(scaling, n, pose);
    const x = ratio[0]!;
    const y = ratio[1]!;
    const z = ratio[2]!;
    for (let c = 0; c < 3; c++) {
      const f = 18 * n + 6 * c;
      const square =
        squares[f]! * x * x +
        squares[f + 1]! * y * y +
        squares[f + 2]! * z * z +
        squares[f + 3]! * x * y +
        squares[f + 4]! * y * z +
        squares[f + 5]! * x * z;
      // Lengths have no sign; a joint that is turned inside out stays so.
      const mean = weights[9 * n + c]! * x + weights[9 * n + 3 + c]! * y + weights[9 * n + 6 + c]! * z;
      const length = Math.sqrt(Math.max(0, square));
      out[o + c] = out[o + c]! * (mean < 0 ? -length : length);
    }
  }
}

/** {@link scaleJoint} where scales are even or axes merely exchanged: linear in what moves. */
export function scaleJointLinearly(out: Float64Array, o: number, scaling: JointScaling, pose: Pose): void {
  const { path, weights, to } = scaling;
  for (let c = 0; c < 3; c++) out[o + c] = to[c]!;
  for (let n = 0; n < path.length; n++) {
    readRatio(scaling, n, pose);
    for (let c = 0; c < 3; c++) {
      const w = 9 * n + c;
      out[o + c] =
        out[o + c]! * (weights[w]! * ratio[0]! + weights[w + 3]! * ratio[1]! + weights[w + 6]! * ratio[2]!);
    }
  }
}

/** How driven joints move and grow in their parents. */
export type JointChannels = { moves: JointMove[]; scalings: JointScaling[] };

/** The moves and scalings that a clip, or a rest pose that is not the reference, has anything to say about. */
export function channelsOfClip(
  { source, moves, scalings }: JointChannels & Pick<AlignedPair, 'source'>,
  clip: Clip,
): JointChannels {
  const { rest } = source.skeleton;
  const reference = source.reference.pose;
  const keyed = { translation: new Set<number>(), rotation: new Set<number>(), scale: new Set<number>() };
  for (const { joint, channel, times } of clip.tracks) if (times.length > 0) keyed[channel].add(joint);
  const [here, there] = [new Float64Array(3), new Float64Array(3)];
  return {
    moves: moves.filter(({ path }) => {
      if (path.some((joint) => keyed.translation.has(joint))) return true;
      if (
        path.some((joint, n) => n < path.length - 1 && (keyed.rotation.has(joint) || keyed.scale.has(joint)))
      )
        return true;
      if (source.reference.kind === 'rest') return false;
      readPlace(here, path, rest);
      readPlace(there, path, reference);
      return here.some((x, c) => !isClose(x, there[c]!));
    }),
    scalings: scalings.filter(({ path }) =>
      path.some(
        (joint) =>
          keyed.scale.has(joint) ||
          [0, 1, 2].some((c) => !isClose(rest.scales[3 * joint + c]!, reference.scales[3 * joint + c]!)),
      ),
    ),
  };
}

/** Within a hundred-thousandth: bind poses are read from matrices of float32. */
function isClose(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-5 * (Math.abs(b) + 1e-3);
}
