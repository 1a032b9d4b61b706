import { createRootMove, type RootMove } from '../align/root-move.js';
import { createMatrix, invertMatrix, transformPoint } from '../base/math/matrix.js';
import { rotateVector } from '../base/math/quaternion.js';
import { createPath, followPath } from '../scene/joint-path.js';
import type { Pose } from '../scene/pose.js';
import type { Skeleton } from '../scene/skeleton.js';
import { bindStep, definePass, type Frame, type Run, type Setup } from './pass.js';

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
export const moveRoot = definePass({
  name: 'moveRoot',
  summary: 'moves the hips as the source moves, scaled apart along the ground and upwards',
  options: ['rootScales', 'root.copyPosition', 'root.positionScale'],
  byKeys: true,
  restsOnOwnBody: true,
  standsAlone: true,
  readsDrivers: true,
  compile: ({ pair, options }): RootMove | null => createRootMove(pair, options.root),
  writes: (_, { setup: { travel } }) => ({ moves: travel ? [travel.target] : [] }),
  prepare(move, { setup, moved, place }) {
    const { travel, source, target } = setup;
    if (!travel) return () => {};
    const sourcePath = createPath(source.skeleton, travel.source);
    const targetPath = createPath(target.skeleton, travel.target);
    const isStill = moved !== null && !targetPath.some((joint) => moved.has(joint));
    const plan: MovePlan = {
      sourcePath,
      targetPath,
      source: source.skeleton,
      target: target.skeleton,
      travel,
      move,
      into: isStill ? inverseOf(setup, targetPath) : null,
    };
    return bindStep(moveAndPlace, { move: plan, place });
  },
});

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

function inverseOf({ target, alignment }: Setup, path: Int32Array): Float64Array {
  const out = createMatrix();
  followPath(out, path, target.skeleton, alignment.pose);
  invertMatrix(out, 0, out, 0);
  return out;
}

const matrix = createMatrix();
const inverse = createMatrix();

function moveAndPlace({ move, place }: { move: MovePlan; place: Run['place'] }, frame: Frame): void {
  moveFrame(frame, move);
  place?.(frame);
}

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
