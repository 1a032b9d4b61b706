import { subtractVectors, type Vec3, vectorLength } from '../base/math/vector.js';
import { didWork } from '../base/watch-work.js';
import type { Skeleton } from '../scene/skeleton.js';

/** The plane between left and right: square to one of the model's axes. */
export type MirrorPlane = {
  /** 0, 1, 2 for x, y, z. */
  axis: 0 | 1 | 2;
  /** Where the plane crosses the axis. */
  at: number;
  /** Which share of the joints beside the plane have a partner across it, 0 to 1; 1 where none is beside it. */
  symmetry: number;
};

/** Joints nearer to the mirror plane than this share of the body's size stand in the middle. */
export const MIDDLE = 0.03;
/** Joints further from their mirrored partner than this share of the body's size are no pair. */
const PARTNER = 0.06;

/**
 * The largest distance of two of some joints along an axis.
 * @param without An axis that is not looked along.
 */
export function sizeOf(positions: readonly Vec3[], joints: readonly number[], without = -1): number {
  let size = 0;
  for (let axis = 0; axis < 3; axis++) {
    if (axis === without) continue;
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (const joint of joints) {
      const value = positions[joint]![axis]!;
      if (!Number.isFinite(value)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    if (high > low) size = Math.max(size, high - low);
  }
  return size;
}

/**
 * Finds the plane about which a body is symmetric: across x, where model space has left and right, unless
 * another axis fits clearly better, as in a rig whose facing is not known.
 * @param axes The axes to try, the likeliest first.
 */
export function findMirrorPlane(
  positions: readonly Vec3[],
  joints: readonly number[],
  axes: readonly MirrorPlane['axis'][] = [0, 2, 1],
): MirrorPlane {
  const size = sizeOf(positions, joints);
  const cells = fillCells(positions, joints, size);
  let best: MirrorPlane | null = null;
  let bestScore = 0;
  for (const axis of axes) {
    // Nothing beats a body that is symmetric across the first axis.
    if (best && bestScore > 1.05) break;
    const values = joints.map((joint) => positions[joint]![axis]!).sort((a, b) => a - b);
    const median = values[values.length >> 1] ?? 0;
    const middle = ((values[0] ?? 0) + (values[values.length - 1] ?? 0)) / 2;
    // A middle joint stands on the plane; where there is none, the body's own middle does.
    didWork(10 * joints.length);
    for (const at of new Set([0, median, middle])) {
      const beside = joints.filter((joint) => isBeside(positions[joint]!, axis, at, size));
      // A body that is flat across x, as a snake is, is symmetric there, and needs no pairs to show it.
      const most = beside.length > 0 ? (axis === 0 ? 1.1 : 1) : axis === 0 ? 1.15 : axis === 2 ? 0.95 : 0.1;
      if (!(most > bestScore + 1e-9)) continue;
      const symmetry = beside.length > 0 ? countPairs(positions, beside, axis, at, cells) / beside.length : 1;
      const score = symmetry * most;
      if (score > bestScore + 1e-9) {
        bestScore = score;
        best = { axis, at, symmetry };
      }
    }
  }
  return best ?? { axis: 0, at: 0, symmetry: 0 };
}

/** Joints by the cells they stand in, as wide as the distance that partners may have. */
type Cells = { width: number; joints: Map<number, number[]> };

function fillCells(positions: readonly Vec3[], joints: readonly number[], size: number): Cells {
  const width = Math.max(PARTNER * size, 1e-12);
  const cells: Cells = { width, joints: new Map() };
  for (const joint of joints) {
    const p = positions[joint]!;
    const k = cellKey(Math.round(p[0] / width), Math.round(p[1] / width), Math.round(p[2] / width));
    const list = cells.joints.get(k);
    if (list) list.push(joint);
    else cells.joints.set(k, [joint]);
  }
  return cells;
}

function isBeside(place: Readonly<Vec3>, axis: number, at: number, size: number): boolean {
  return Math.abs(place[axis]! - at) > MIDDLE * size;
}

/** How many joints have a partner across a plane; found by cells, so that this grows with the joints only. */
function countPairs(
  positions: readonly Vec3[],
  beside: readonly number[],
  axis: number,
  at: number,
  { width, joints }: Cells,
): number {
  let paired = 0;
  const mirrored: Vec3 = [0, 0, 0];
  const isNear = (other: number) => vectorLength(subtractVectors(positions[other]!, mirrored)) < width;
  for (const joint of beside) {
    didWork(10);
    const p = positions[joint]!;
    for (let c = 0; c < 3; c++) mirrored[c] = c === axis ? 2 * at - p[c]! : p[c]!;
    const x = Math.round(mirrored[0] / width);
    const y = Math.round(mirrored[1] / width);
    const z = Math.round(mirrored[2] / width);
    // Most partners stand in the very cell.
    if (joints.get(cellKey(x, y, z))?.some(isNear)) {
      paired++;
      continue;
    }
    search: for (let dx = -1; dx <= 1; dx++)
      for (let dy = -1; dy <= 1; dy++)
        for (let dz = -1; dz <= 1; dz++)
          if (joints.get(cellKey(x + dx, y + dy, z + dz))?.some(isNear)) {
            paired++;
            break search;
          }
  }
  return paired;
}

/** One number for a cell; two cells that share one are told apart by distance. */
function cellKey(x: number, y: number, z: number): number {
  return Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791);
}

/** Per joint, the longest way along bones from its parent through it to a leaf below it; a root starts at itself. */
export function reachesOf(skeleton: Skeleton, positions: readonly Vec3[]): Float64Array {
  const { parents } = skeleton;
  const below = new Float64Array(parents.length);
  const reaches = new Float64Array(parents.length);
  // Children stand behind their parents: from the back, every joint is complete when it is met.
  for (let i = parents.length - 1; i >= 0; i--) {
    const parent = parents[i]!;
    const bone = parent < 0 ? 0 : vectorLength(subtractVectors(positions[i]!, positions[parent]!));
    reaches[i] = below[i]! + (Number.isFinite(bone) ? bone : 0);
    if (parent >= 0) below[parent] = Math.max(below[parent]!, reaches[i]!);
  }
  return reaches;
}
