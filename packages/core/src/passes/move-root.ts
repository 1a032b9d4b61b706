import type { RootMove } from '../align/root-rule.js';
import {
  composeMatrix,
  createMatrix,
  invertMatrix,
  multiplyMatrices,
  transformPoint,
} from '../base/math/matrix.js';
import { rotateVector } from '../base/math/quaternion.js';
import type { Pose } from '../scene/pose.js';
import type { Skeleton } from '../scene/skeleton.js';
import type { Frame, Setup } from '../setup/setup.js';
import { preparePlacing } from './carry-joints.js';
import type { Pass } from './pipeline.js';

/**
 * Moves the travelling joint (the hips) as the source's moves, from its aligned reference place:
 *
 *   p_t = H_t + S · (p_s − H_s),   S = diag(horizontal, vertical, horizontal)
 *
 * in model space, H being the reference positions. As vertical is the ratio of the hip heights over each
 * floor, this is the same as scaling heights over the floor: standing stays standing, and a jump is as high
 * in hip heights as the source's. Positions are points, so a parent that stands away from the origin is
 * undone whole (BP1).
 */
export const moveRoot: Pass = {
  name: 'moveRoot',
  summary: 'moves the hips as the source moves, scaled apart along the ground and upwards',
  options: [
    { name: 'rootScales.horizontal', default: 'measured', meaning: 'stretch of travel over the ground' },
    { name: 'rootScales.vertical', default: 'measured', meaning: 'stretch of height over the floor' },
    { name: 'root.copyPosition', default: 'true', meaning: 'whether the hips are moved at all' },
    { name: 'root.positionScale', default: '1', meaning: '0 takes metres as they are, 1 scales them' },
  ],
  prepare(setup: Setup): (frame: Frame) => void {
    const { travel, source, target, rootMove, alignment } = setup;
    if (!travel || !rootMove) return () => {};
    const sourcePath = createPath(source.skeleton, travel.source);
    const targetPath = createPath(target.skeleton, travel.target);
    const plan: MovePlan = {
      sourcePath,
      targetPath,
      source: source.skeleton,
      target: target.skeleton,
      travel,
      move: rootMove,
      into: isStill(setup, targetPath) ? inverseOf(setup, targetPath) : null,
    };
    if (alignment.placed.length === 0) return (frame) => moveFrame(frame, plan);
    const place = preparePlacing(setup);
    return (frame) => {
      moveFrame(frame, plan);
      place(frame);
    };
  },
};

type MovePlan = {
  sourcePath: Int32Array;
  targetPath: Int32Array;
  source: Skeleton;
  target: Skeleton;
  travel: { source: number; target: number };
  move: RootMove;
  /** What takes model space into that of the target's parent, where nothing above the target ever moves. */
  into: Float64Array | null;
};

/** Whether no pass moves any of these joints of the target. */
function isStill({ map, moves, scalings, alignment, rootMotion }: Setup, path: Int32Array): boolean {
  if (rootMotion !== 'keep') return false;
  const moved = [...map.joints, ...moves, ...scalings].map(({ target }) => target);
  const all = new Set([...moved, ...alignment.placed.map(({ joint }) => joint)]);
  return !path.some((joint) => all.has(joint));
}

function inverseOf({ target, alignment }: Setup, path: Int32Array): Float64Array {
  const out = createMatrix();
  followPath(out, path, target.skeleton, alignment.pose);
  invertMatrix(out, 0, out, 0);
  return out;
}

const matrix = createMatrix();
const inverse = createMatrix();

function moveFrame(
  frame: Frame,
  { sourcePath, targetPath, source, target, travel, move: { from, to, scale }, into }: MovePlan,
): void {
  const p = frame.travel;
  placeOnPath(p, sourcePath, source, frame.source, travel.source);
  p[0] = to[0]! + scale[0]! * (p[0]! - from[0]!);
  p[1] = to[1]! + scale[1]! * (p[1]! - from[1]!);
  p[2] = to[2]! + scale[2]! * (p[2]! - from[2]!);
  if (into === null) {
    followPath(matrix, targetPath, target, frame.target);
    invertMatrix(inverse, 0, matrix, 0);
  }
  transformPoint(frame.target.translations, 3 * travel.target, into ?? inverse, 0, p, 0);
}

/** out = where a joint is in model space, from the path of the joints above it. */
function placeOnPath(
  out: Float64Array,
  path: Int32Array,
  { container }: Skeleton,
  { translations, rotations, scales }: Pose,
  joint: number,
): void {
  for (let c = 0; c < 3; c++) out[c] = translations[3 * joint + c]!;
  // One point, from the inside out: a matrix for each joint above would be multiplied for nothing else.
  for (let k = path.length - 1; k >= 0; k--) {
    const i = 3 * path[k]!;
    for (let c = 0; c < 3; c++) out[c] = out[c]! * scales[i + c]!;
    rotateVector(out, 0, rotations, 4 * path[k]!, out, 0);
    for (let c = 0; c < 3; c++) out[c] = out[c]! + translations[i + c]!;
  }
  transformPoint(out, 0, container, 0, out, 0);
}

const local = createMatrix();

/** The joints above a joint, topmost first. */
export function createPath(skeleton: Skeleton, joint: number): Int32Array {
  const path: number[] = [];
  for (let at = skeleton.parents[joint]!; at >= 0; at = skeleton.parents[at]!) path.push(at);
  return Int32Array.from(path.reverse());
}

/** out = the model-space matrix at the end of a path of joints, container included. */
export function followPath(out: Float64Array, path: Int32Array, skeleton: Skeleton, pose: Pose): void {
  out.set(skeleton.container);
  for (let k = 0; k < path.length; k++) {
    const i = path[k]!;
    composeMatrix(local, 0, pose.translations, 3 * i, pose.rotations, 4 * i, pose.scales, 3 * i);
    multiplyMatrices(out, 0, out, 0, local, 0);
  }
}
