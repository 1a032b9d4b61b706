import { exp, log } from '../../base/math/functions.js';
import { subtractVectors, type Vec3, vectorLength } from '../../base/math/vector.js';

/** Which joints of a limb's path are its root, its middle and its end, as indices, and how sure each is. */
export type LimbSplit = { root: number; middle: number; end: number; sure: [number, number, number] };

/** How a limb is judged when its path is split into two long bones. */
export type LimbShape = {
  /** Mean and spread of ln(first bone / second bone) over the bodies there are. */
  ratio: { mean: number; spread: number };
  /** What else speaks against a split; large is bad, 1 is as odd as one spread of the ratio. */
  cost(root: number, middle: number, end: number): number;
};

/** What it costs to pass over a joint on the line between two others: twist joints and split bones lie there. */
const SKIP_ON_LINE = 0.3;
/** The same where the joint stands off the line: then it is an elbow, a knee or a hip. */
const SKIP_OFF_LINE = 2.5;
/** The same just after the root: a collar bone that ends at the arm looks like that. */
const SKIP_NEAR_ROOT = 0.9;

/**
 * Splits a path into upper and lower bone by what is unlikely about each way of doing it. Several paths at
 * once (left and right) are split alike. Null where a path has less than three joints.
 */
export function splitLimb(
  paths: readonly (readonly Vec3[])[],
  shapes: readonly LimbShape[],
): LimbSplit | null {
  const count = Math.min(...paths.map((path) => path.length));
  if (count < 3) return null;
  let best: { root: number; middle: number; end: number } | null = null;
  const tries: { root: number; middle: number; end: number; cost: number }[] = [];
  let least = Number.POSITIVE_INFINITY;
  // Limbs have a dozen joints at most; a chain of hundreds is no limb, and its start is all that is tried.
  const last = Math.min(count, 16);
  for (let root = 0; root < last - 2; root++)
    for (let middle = root + 1; middle < last - 1; middle++)
      for (let end = middle + 1; end < last; end++) {
        let cost = 0;
        paths.forEach((path, n) => {
          cost += splitCost(path, shapes[n]!, root, middle, end) / paths.length;
        });
        if (!(cost < 1e6)) continue;
        tries.push({ root, middle, end, cost });
        if (cost < least) {
          least = cost;
          best = { root, middle, end };
        }
      }
  if (!best) return null;
  const sureOf = (slot: 'root' | 'middle' | 'end') => {
    let rival = Number.POSITIVE_INFINITY;
    for (const one of tries) if (one[slot] !== best[slot]) rival = Math.min(rival, one.cost);
    // A lead of one spread leaves a doubt of a fifth; what is unlikely as such is doubted too.
    return (1 - 0.55 * exp(-1.2 * (rival - least))) * (1 / (1 + Math.max(0, least - 3) / 8));
  };
  return { ...best, sure: [sureOf('root'), sureOf('middle'), sureOf('end')] };
}

function splitCost(
  path: readonly Vec3[],
  shape: LimbShape,
  root: number,
  middle: number,
  end: number,
): number {
  const first = distance(path[root]!, path[middle]!);
  const second = distance(path[middle]!, path[end]!);
  if (!(first > 0) || !(second > 0)) return Number.POSITIVE_INFINITY;
  const off = (log(first / second) - shape.ratio.mean) / shape.ratio.spread;
  // Strange proportions are strange, but beyond a point not stranger.
  let cost = (off * off) / (1 + (off * off) / 8) + shape.cost(root, middle, end);
  for (let i = root + 1; i < end; i++) {
    if (i === middle) continue;
    const [from, to, length] = i < middle ? [root, middle, first] : [middle, end, second];
    const aside = distanceToLine(path[i]!, path[from]!, path[to]!);
    const isNearRoot = i < middle && distance(path[root]!, path[i]!) < 0.15 * first;
    cost += aside > 0.06 * length ? SKIP_OFF_LINE : isNearRoot ? SKIP_NEAR_ROOT : SKIP_ON_LINE;
  }
  return cost;
}

function distance(a: Readonly<Vec3>, b: Readonly<Vec3>): number {
  return vectorLength(subtractVectors(a, b));
}

function distanceToLine(point: Readonly<Vec3>, from: Readonly<Vec3>, to: Readonly<Vec3>): number {
  const along = subtractVectors(to, from);
  const offset = subtractVectors(point, from);
  const length = vectorLength(along) || 1;
  const t = Math.max(
    0,
    Math.min(1, (along[0] * offset[0] + along[1] * offset[1] + along[2] * offset[2]) / (length * length)),
  );
  return vectorLength([offset[0] - t * along[0], offset[1] - t * along[1], offset[2] - t * along[2]]);
}

/** The length of a path from one of its joints to another. */
export function pathLength(path: readonly Vec3[], from: number, to: number): number {
  let length = 0;
  for (let i = from; i < to; i++) length += distance(path[i]!, path[i + 1]!);
  return length;
}
