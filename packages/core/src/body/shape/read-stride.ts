import { squared } from '../../base/math/functions.js';
import { dotVectors, type Vec3 } from '../../base/math/vector.js';
import type { Clip } from '../../scene/clip.js';
import { poseAt } from '../../scene/clip.js';
import type { Skeleton } from '../../scene/skeleton.js';
import { type BodyGraph, positionsOf } from './body-graph.js';
import { limbEnd } from './find-humanoid.js';
import type { LimbPair } from './limb-pairs.js';

/** How many clips are looked at, and how many instants of each. */
const STRIDE_LOOKS = { clips: 12, instants: 16 };

/** Left and right foot of a walk are ahead by turns: their places correlate less than this. */
const TAKE_TURNS = -0.5;

/**
 * Which way a body walks, by its feet: those on the floor go back, those in the air go ahead, seen from the body,
 * also where it walks on the spot. 1 where all movement of the feet says that it walks along `along`, −1 where all
 * says the opposite, near 0 where they do neither or there is no clip.
 */
export function readStride(
  graph: BodyGraph,
  legs: readonly LimbPair[],
  clips: Iterable<Clip>,
  along: Readonly<Vec3>,
  up: Readonly<Vec3>,
): number {
  const skeleton: Skeleton = graph.skeleton;
  let sum = 0;
  let all = 0;
  for (const clip of [...clips].slice(0, STRIDE_LOOKS.clips)) {
    if (!(clip.duration > 0)) continue;
    const poses = Array.from({ length: STRIDE_LOOKS.instants + 1 }, (_, k) =>
      positionsOf(skeleton, poseAt(skeleton, clip, (clip.duration * k) / STRIDE_LOOKS.instants)),
    );
    for (const { base, paths } of legs) {
      const [one, other] = paths.map((path) => {
        const foot = limbEnd(graph, path);
        return {
          places: poses.map((p) => dotVectors(p[foot]!, along) - dotVectors(p[base]!, along)),
          heights: poses.map((p) => dotVectors(p[foot]!, up)),
        };
      });
      // Feet that do not take turns do not walk: a blow and a fall move them too.
      if (!one || !other || !(correlationOf(one.places, other.places) < TAKE_TURNS)) continue;
      for (const { places, heights } of [one, other]) {
        const mean = heights.reduce((total, height) => total + height, 0) / heights.length;
        for (let k = 1; k < poses.length; k++) {
          const moved = (places[k]! - places[k - 1]!) * (mean - (heights[k]! + heights[k - 1]!) / 2);
          if (!Number.isFinite(moved)) continue;
          sum -= moved;
          all += Math.abs(moved);
        }
      }
    }
  }
  return all > 0 ? sum / all : 0;
}

function correlationOf(a: readonly number[], b: readonly number[]): number {
  const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const [ma, mb] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  a.forEach((value, i) => {
    ab += (value - ma) * (b[i]! - mb);
    aa += squared(value - ma);
    bb += squared(b[i]! - mb);
  });
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0;
}
