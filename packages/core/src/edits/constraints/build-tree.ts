import { UsageError } from '../../base/errors.js';
import { JOINT } from '../../scene/skeleton.js';
import { carriersIn, depthIn, isCarriedBy } from '../carrying-tree.js';
import type { EditedBody } from '../edited-body.js';
import type { Resolved, Stand } from './compiled-constraint.js';
import { largestWeight } from './joint-weights.js';
import { limbRootOf } from './limb-of.js';

/** The joints that constraints look at or move. */
export type ConstraintTree = {
  joints: Int32Array;
  parents: Int32Array;
  weights: Float64Array;
  /** Per joint of the skeleton its place in the list, or −1. */
  places: Int32Array;
  hips: number;
};

const IDLE_ROLES = /(Thumb|Index|Middle|Ring|Little|Eye|Toes|jaw)/;

/** The joints that carry what is constrained: from the one that travels down, or from the root where that is not above. */
export function createTree(
  body: EditedBody,
  found: readonly Resolved[],
  standing: readonly Stand[],
): ConstraintTree {
  const { skeleton, joints } = body;
  const hips = body.travels ?? joints.hips ?? -1;
  const carriers = carriersIn(body);
  const moving = new Set<number>();
  const looked = new Set<number>();
  const addPath = (joint: number) => {
    looked.add(joint);
    for (let i = joint; i >= 0; i = carriers[i]!) {
      if ((skeleton.flags[i]! & JOINT) !== 0 || i === hips) moving.add(i);
      if (i === hips) break;
    }
  };
  for (const { joint, other, constraint } of found) {
    addPath(joint);
    if (other >= 0) addPath(other);
    if (constraint.space === 'limb') looked.add(limbRootOf(body, joint));
    if (constraint.kind === 'balance')
      for (const [role, each] of Object.entries(joints))
        if (each !== undefined && !IDLE_ROLES.test(role)) addPath(each);
  }
  for (const { joint } of standing) addPath(joint);
  const { detached = [] } = body;
  const held = new Set(detached.flatMap(({ joint, turns }) => (turns ? [] : [joint])));
  // What carries a joint comes before it, which the order of the skeleton says alone where nothing hangs elsewhere.
  const depthOf = (joint: number) => (detached.length > 0 ? depthIn(carriers, joint) : 0);
  const list = Int32Array.from(
    [...new Set([...moving, ...looked])].sort((a, b) => depthOf(a) - depthOf(b) || a - b),
  );
  const places = new Int32Array(skeleton.names.length).fill(-1);
  list.forEach((joint, i) => {
    places[joint] = i;
  });
  const parents = list.map((joint) => {
    let i = carriers[joint]!;
    while (i >= 0 && places[i]! < 0) i = carriers[i]!;
    return i < 0 ? -1 : places[i]!;
  });
  const weights = Float64Array.from(list, (joint) =>
    moving.has(joint) && !held.has(joint) ? Math.max(0, largestWeight(body.weights?.[joint] ?? 1)) : 0,
  );
  const hipsPlace = hips < 0 ? -1 : places[hips]!;
  found.forEach(({ joint, other, from, at, constraint }) => {
    const movable = list.some(
      (each, i) =>
        weights[i]! > 0 &&
        (isCarriedBy(carriers, each, joint) || (other >= 0 && isCarriedBy(carriers, each, other))) &&
        (from < 0 || isCarriedBy(carriers, from, each)),
    );
    if (!movable && constraint.kind !== 'balance')
      throw new UsageError(`${at}.joint: nothing that may turn carries "${skeleton.names[joint]}"`);
  });
  return { joints: list, parents, weights, places, hips: hipsPlace };
}

/** Per joint of the skeleton the place in the list of what carries it. */
export function carriersOf({ skeleton }: EditedBody, places: Int32Array): Int32Array {
  const carriers = places.slice();
  skeleton.parents.forEach((parent, joint) => {
    if (carriers[joint]! < 0 && parent >= 0) carriers[joint] = carriers[parent]!;
  });
  return carriers;
}
