import { quaternionFromAxisAngle, rotateVector } from '../src/base/math/quaternion.js';
import type { Vec3 } from '../src/base/math/vector.js';
import type { BodyPart } from '../src/body/body-parts.js';
import {
  createSkeleton,
  JOINT,
  type JointDescription,
  SKINNED,
  type Skeleton,
} from '../src/scene/skeleton.js';
import { createRandom } from './tiny-rigs.js';

/*
 * Bodies that no file of ours has, as rows of joints: every part that is a role or a part of an animal is its own
 * label. They are shown without names and in random order.
 */

/** A joint: what it is, what it hangs on, where it is in metres (+Y up, +Z ahead, left is +X). `~` is both sides. */
export type Row = readonly [part: string, parent: string, x: number, y: number, z: number];

/** How a plan is shown. */
export type Showing = {
  /** Seeds the order of the joints. */
  seed?: number;
  /** Degrees by which the body is turned about the up axis. */
  turned?: number;
  /** Whether a skin follows the joints; parts that begin with `ctl` have none of it. */
  skin?: boolean;
  /** What the file says is up; nothing if null. */
  up?: '+Y' | null;
};

/** A rig without names, and which joint is which part of the plan. */
export type Unseen = { skeleton: Skeleton; joints: Map<string, number> };

/** A plan with every `~` row written out for left and right: `~Hand` for people, `ear~1` for animals. */
export function bothSides(rows: readonly Row[]): Row[] {
  return rows.flatMap(([part, parent, x, y, z]): Row[] => {
    if (!part.includes('~')) return [[part, parent, x, y, z]];
    return (['Left', 'Right'] as const).map((side): Row => {
      const name = (text: string) =>
        text.startsWith('~') ? text.replace('~', side.toLowerCase()) : text.replace('~', side);
      return [name(part), name(parent), side === 'Left' ? x : -x, y, z];
    });
  });
}

/** Builds the rig of a plan: joints called `joint_0` and so on, in random order. */
export function unseenRig(
  plan: readonly Row[],
  { seed = 1, turned = 0, skin = false, up = '+Y' }: Showing = {},
): Unseen {
  const rows = bothSides(plan);
  const random = createRandom(seed);
  const order = rows.map((_, i) => ({ i, at: random() })).sort((a, b) => a.at - b.at);
  const placeOf = new Map(order.map(({ i }, k) => [rows[i]![0], k]));
  const turn = new Float64Array(4);
  quaternionFromAxisAngle(turn, 0, Float64Array.of(0, 1, 0), 0, (turned * Math.PI) / 180);
  const positions = new Map(
    rows.map(([part, , ...at]): [string, Vec3] => {
      const v = Float64Array.from(at);
      rotateVector(v, 0, turn, 0, v, 0);
      return [part, [v[0]!, v[1]!, v[2]!]];
    }),
  );
  const joints = order.map(({ i }, k): JointDescription => {
    const [part, parent] = rows[i]!;
    const from = positions.get(parent) ?? [0, 0, 0];
    if (parent !== '' && !positions.has(parent))
      throw new Error(`${part} hangs on ${parent}, which is not there`);
    return {
      name: `joint_${k}`,
      parent: placeOf.get(parent) ?? -1,
      translation: positions.get(part)!.map((value, c) => value - from[c]!),
      flags: skin && !/^ctl|^root$/.test(part) ? JOINT | SKINNED : JOINT,
    };
  });
  const created = createSkeleton('unseen', joints, { declared: { up, facing: null, unit: 1 } });
  return {
    skeleton: created.skeleton,
    joints: new Map(rows.map(([part]) => [part, created.order[placeOf.get(part)!]!])),
  };
}

/** Answers compared with a plan: the wrong ones in words, and the parts of the plan that got none. */
export function judgeParts(
  parts: readonly { part: BodyPart | null }[],
  { joints }: Unseen,
): { right: string[]; wrong: string[]; missing: string[] } {
  const found = new Map<string, number>();
  parts.forEach(({ part }, joint) => {
    if (part) found.set(part, joint);
  });
  const nameOf = new Map([...joints].map(([part, joint]) => [joint, part]));
  const right = [...found].filter(([part, joint]) => joints.get(part) === joint).map(([part]) => part);
  return {
    right,
    wrong: [...found].flatMap(([part, joint]) =>
      joints.get(part) === joint ? [] : [`${part} is given to ${nameOf.get(joint)}`],
    ),
    missing: [...joints.keys()].filter((part) => !found.has(part)),
  };
}
