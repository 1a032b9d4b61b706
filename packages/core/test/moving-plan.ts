import type { Character } from '../src/scene/scene.js';
import { createSkeleton, type JointDescription } from '../src/scene/skeleton.js';
import { clipOf, createRandom, rotationTrack, times, translationTrack, turn } from './tiny-rigs.js';
import { bothSides, type Row } from './unseen-rigs.js';

/** How a plan is made a character. */
export type MovingPlan = {
  /** Scales the whole body. */
  size?: number;
  /** What stands before every joint's name. */
  prefix?: string;
  /** Seeds the motion. */
  seed?: number;
  /** The largest swing of a joint, in radians. */
  swing?: number;
};

/**
 * A body by a plan of rows, its joints called by their parts, parents first, with a clip of two seconds in which every
 * joint but the first swings back and forth about an axis of its own and the second one travels.
 */
export function movingPlan(
  plan: readonly Row[],
  { size = 1, prefix = '', seed = 5, swing = 0.35 }: MovingPlan = {},
): Character & { jointOf: (part: string) => number } {
  const rows = bothSides(plan);
  const indexOf = new Map(rows.map(([part], i) => [part, i]));
  const joints = rows.map(([part, parent, ...at]): JointDescription => {
    const from = rows[indexOf.get(parent) ?? -1]?.slice(2) ?? [0, 0, 0];
    return {
      name: prefix + part,
      parent: indexOf.get(parent) ?? -1,
      translation: at.map((x, c) => size * (x - (from[c] as number))),
    };
  });
  const { skeleton, order } = createSkeleton(`${prefix}body`, joints, {
    declared: { up: '+Y', facing: '+Z', unit: 1 },
  });
  const random = createRandom(seed);
  const keys = Array.from({ length: 41 }, (_, k) => k / 20);
  const tracks = rows.flatMap((_, i) => {
    if (i === 0) return [];
    const axis = [random() - 0.5, random() - 0.5, random() - 0.5] as const;
    const length = Math.hypot(...axis);
    const [most, speed, late] = [swing * (0.4 + 0.6 * random()), 1 + Math.floor(2 * random()), 6 * random()];
    return [
      rotationTrack(
        order[i]!,
        keys,
        keys.map((t) =>
          times(
            turn(
              [axis[0] / length, axis[1] / length, axis[2] / length],
              most * Math.sin(Math.PI * speed * t + late),
            ),
          ),
        ),
      ),
    ];
  });
  const hips = order[1]!;
  const rest = skeleton.rest.translations;
  const travel = translationTrack(
    hips,
    keys,
    keys.map((t) => [
      rest[3 * hips]! + 0.1 * size * t,
      rest[3 * hips + 1]! + 0.02 * size * Math.sin(6 * t),
      rest[3 * hips + 2]! + 0.4 * size * t,
    ]),
  );
  return {
    skeleton,
    clips: [clipOf([travel, ...tracks], 'move')],
    jointOf: (part) => order[indexOf.get(part)!]!,
  };
}
