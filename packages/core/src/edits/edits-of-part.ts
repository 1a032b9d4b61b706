import type { Vec3 } from '../base/math/vector.js';
import { isRole, mirrorRole } from '../body/roles.js';
import type { Constraint, ConstraintGoal, ConstraintTime, EventTime } from '../options/constraint.js';
import type { Layer } from '../options/layer.js';
import type { JointWeights } from '../options/limb-rules.js';
import { WITHIN } from './constraints/snap-times.js';

/** The part of a clip that edits are wanted for. */
export type EditedPart = {
  /** Where the part begins in the clip, seconds; and how many times as fast it plays. */
  start: number;
  speed: number;
  /** Whether it is seen in a mirror. */
  mirror: boolean;
  /** Frames a second of the whole clip, for times that are frames. */
  frameRate: number;
};

/**
 * Constraints of a clip for a part of it that plays at another speed, and as seen in a mirror: in the times of that
 * part. What is over before the part begins is muted, so that all keep their places in the list.
 */
export function constraintsOfPart(list: readonly Constraint[], part: EditedPart): readonly Constraint[] {
  const { start, speed, mirror, frameRate } = part;
  if (start === 0 && speed === 1 && !mirror) return list;
  const timeIn = (time: ConstraintTime) =>
    ((typeof time === 'number' ? time : time.frame / frameRate) - start) / speed;
  const momentIn = (time: ConstraintTime | EventTime) =>
    typeof time === 'number' || 'frame' in time
      ? timeIn(time)
      : {
          ...time,
          near: timeIn(time.near),
          within: (time.within ?? WITHIN) / speed,
          ...(mirror && time.joint !== undefined && { joint: mirrorName(time.joint) }),
        };
  return list.map((each) => {
    const turned = mirror ? mirrorConstraint(each) : { ...each };
    if (each.times)
      turned.times = Object.fromEntries(
        Object.entries(each.times).flatMap(([name, time]) =>
          time === undefined ? [] : [[name, momentIn(time)]],
        ),
      );
    if (turned.goal?.keys)
      turned.goal = {
        ...turned.goal,
        keys: turned.goal.keys.map((key) => ({ ...key, time: timeIn(key.time) })),
      };
    const last = turned.times?.out ?? turned.times?.end;
    if (typeof last === 'number' && last < 0) turned.muted = true;
    return turned;
  });
}

/** Weights of joints for a part of a clip, likewise. */
export function weightsOfPart(weights: JointWeights, { start, speed, mirror }: EditedPart): JointWeights {
  return Object.fromEntries(
    Object.entries(weights).map(([name, weight]) => [
      mirror ? mirrorName(name) : name,
      typeof weight === 'number'
        ? weight
        : weight.map((key) => ({ ...key, time: (key.time - start) / speed })),
    ]),
  );
}

/** Layers of a clip for a part of it, likewise. */
export function layersOfPart(list: readonly Layer[], part: EditedPart): readonly Layer[] {
  const { start, speed, mirror } = part;
  if (start === 0 && speed === 1 && !mirror) return list;
  const moved = <Key extends { time: number }>(key: Key): Key => ({
    ...key,
    time: (key.time - start) / speed,
  });
  return list.map((layer) => ({
    ...layer,
    // What swings once a second swings twice where it plays twice as fast.
    ...(layer.band && { band: [layer.band[0] * speed, layer.band[1] * speed] as [number, number] }),
    ...(Array.isArray(layer.weight) && { weight: layer.weight.map(moved) }),
    ...(layer.hips && {
      hips: layer.hips.map((key) => moved({ ...key, place: mirror ? mirrorPlace(key.place) : key.place })),
    }),
    ...(layer.joints && {
      joints: Object.fromEntries(
        Object.entries(layer.joints).map(([name, keys]) => [
          mirror ? mirrorName(name) : name,
          keys.map((key) => moved({ ...key, degrees: mirror ? mirrorTurn(key.degrees) : key.degrees })),
        ]),
      ),
    }),
  }));
}

function mirrorConstraint(each: Constraint): Constraint {
  const { joint, from, offset, axis, goal } = each;
  return {
    ...each,
    ...(joint !== undefined && { joint: mirrorName(joint) }),
    ...(from !== undefined && { from: mirrorName(from) }),
    ...(offset && { offset: mirrorPlace(offset) }),
    ...(axis && { axis: mirrorPlace(axis) }),
    ...(goal && { goal: mirrorGoal(goal) }),
  };
}

function mirrorGoal(goal: ConstraintGoal): ConstraintGoal {
  const { place, offset, normal, degrees, keys, joint, source, character } = goal;
  return {
    ...goal,
    ...(place && { place: mirrorPlace(place) }),
    ...(offset && { offset: mirrorPlace(offset) }),
    ...(normal && { normal: mirrorPlace(normal) }),
    ...(degrees && { degrees: mirrorTurn(degrees) }),
    ...(joint !== undefined && character === undefined && { joint: mirrorName(joint) }),
    ...(source !== undefined && { source: mirrorName(source) }),
    ...(keys && {
      keys: keys.map((key) => ({
        ...key,
        ...(key.place && { place: mirrorPlace(key.place) }),
        ...(key.degrees && { degrees: mirrorTurn(key.degrees) }),
      })),
    }),
  };
}

function mirrorPlace([x, y, z]: Readonly<Vec3>): Vec3 {
  return [-x, y, z];
}

/** A rotation vector is an axis: across x it keeps its x and turns the other way about the other two. */
function mirrorTurn([x, y, z]: Readonly<Vec3>): Vec3 {
  return [x, -y, -z];
}

const OTHER: Readonly<Record<string, string>> = {
  left: 'right',
  right: 'left',
  Left: 'Right',
  Right: 'Left',
};

/** The body part of the other side; of names that are no body parts, the first word for a side is exchanged. */
function mirrorName(name: string): string {
  return isRole(name) ? mirrorRole(name) : name.replace(/left|right|Left|Right/, (side) => OTHER[side]!);
}
