import { DEGREE } from '../../base/math/angles.js';
import { hypot, lengthOf } from '../../base/math/functions.js';
import { transformPoint } from '../../base/math/matrix.js';
import { conjugateQuaternion, multiplyQuaternions, rotateVector } from '../../base/math/quaternion.js';
import { quaternionOfVector } from '../../base/math/rotation-vectors.js';
import type { Vec3 } from '../../base/math/vector.js';
import type { Constraint, ConstraintGoal, OutsideGoal } from '../../options/constraint.js';
import type { ModelPose } from '../../scene/pose.js';
import { carriersIn } from '../carrying-tree.js';
import type { EditedBody } from '../edited-body.js';
import { compileCurve } from '../vector-curve.js';
import type { CompiledConstraint, CompiledGoal, ConstraintContext } from './compiled-constraint.js';
import { limbRootOf } from './limb-of.js';

/** What goals are compiled with. */
export type GoalContext = {
  body: EditedBody;
  /** The aligned reference in model space. */
  reference: ModelPose;
  /** Filled on the way. */
  outside: OutsideGoal[];
  context: ConstraintContext;
  /** Per joint of the skeleton its place in the list, or −1. */
  tree: Int32Array;
};

/** The parts of a compiled constraint that say where its goal is. */
export function compileGoal(
  constraint: Constraint,
  joint: number,
  other: number,
  goals: GoalContext,
): Pick<CompiledConstraint, 'offset' | 'otherOffset' | 'goal' | 'origin' | 'length'> {
  const { body, reference, tree } = goals;
  const { kind, goal = {}, space = 'model' } = constraint;
  const unit = unitOf(constraint, joint, goals);
  const offset = new Float64Array(3);
  if (kind === 'lookAt') {
    const axis = constraint.axis ?? [0, 0, 1];
    const length = lengthOf(axis);
    inJoint(offset, reference, joint, axis.map((x) => x / length) as Vec3, 1);
  } else if (constraint.offset) inJoint(offset, reference, joint, constraint.offset, unit);
  const otherOffset = new Float64Array(3);
  let fixed: Float64Array | null = null;
  if (other >= 0) {
    // In the other joint's axes the offset is a point of it; in the model's it is added to where it is.
    if (goal.offset && goal.axes === 'joint') inJoint(otherOffset, reference, other, goal.offset, unit);
    fixed = Float64Array.from(
      goal.offset && goal.axes !== 'joint' ? goal.offset : [0, 0, 0],
      (x) => x * unit,
    );
  }
  let length = (constraint.length ?? 0) * unit;
  const at = (place: Readonly<Vec3>): number[] => {
    if (space === 'file') {
      const out = Float64Array.from(place);
      transformPoint(out, 0, body.skeleton.container, 0, out, 0);
      return Array.from(out, (x) => x / body.height);
    }
    const base =
      space === 'ground'
        ? [0, body.floor, 0]
        : space === 'rest'
          ? Array.from(reference.matrices.subarray(16 * joint + 12, 16 * joint + 15))
          : [0, 0, 0];
    return place.map((x, c) => x * unit + base[c]! / body.height);
  };
  let compiled: CompiledGoal;
  if (kind === 'balance') compiled = { from: 'body' };
  else if (kind === 'lock') compiled = { from: 'look' };
  else if (kind === 'plane') {
    const size = lengthOf(goal.normal!);
    let along = goal.normal!.map((x) => x / size);
    const [origin, tip] = [at([0, 0, 0]), at(along as Vec3)];
    if (space === 'file') {
      // The file's axes and unit are all in its container.
      along = tip.map((x, c) => x - origin[c]!);
      length = lengthOf(along as Vec3) * (goal.height ?? 0);
      along = along.map((x) => x / lengthOf(along as Vec3));
    } else length = (goal.height ?? 0) * unit;
    compiled = { from: 'fixed', values: Float64Array.from(along) };
    length += along.reduce((sum, x, c) => sum + x * origin[c]!, 0);
  } else if (fixed) compiled = { from: 'fixed', values: fixed };
  else if (kind === 'orientation') compiled = turnGoal(goal, joint, goals);
  else if (goal.place) compiled = { from: 'fixed', values: Float64Array.from(at(goal.place)) };
  else if (goal.keys)
    compiled = {
      from: 'keys',
      curve: compileCurve(
        goal.keys
          .map(({ time, place, ease }) => ({
            time: typeof time === 'number' ? time : time.frame / goals.context.frameRate,
            values: at(place!),
            ease: ease ?? ('spline' as const),
          }))
          .sort(byTime),
        3,
      ),
    };
  else compiled = outsideGoal(constraint, unit, goals);
  const moving = compiled.from === 'fixed' || compiled.from === 'keys';
  const origin =
    !moving || other >= 0 || (space !== 'copied' && space !== 'limb')
      ? 'none'
      : space === 'copied'
        ? 'point'
        : tree[limbRootOf(body, joint)]!;
  return { offset, otherOffset, goal: compiled, origin, length };
}

/** Keys in frames beside keys in seconds can be compared only now that the clip's rate is known. */
function byTime(a: { time: number }, b: { time: number }): number {
  return a.time - b.time;
}

/** Lengths of a document in heights of the body. */
function unitOf({ unit = 'metres' }: Constraint, joint: number, { body, reference }: GoalContext): number {
  if (unit === 'height') return 1;
  if (unit === 'metres') return 1 / body.height;
  let length = 0;
  const { matrices } = reference;
  const root = limbRootOf(body, joint);
  const carriers = carriersIn(body);
  for (let i = joint; i !== root && i >= 0; i = carriers[i]!) {
    const p = carriers[i]!;
    if (p >= 0)
      length += hypot(
        matrices[16 * i + 12]! - matrices[16 * p + 12]!,
        matrices[16 * i + 13]! - matrices[16 * p + 13]!,
        matrices[16 * i + 14]! - matrices[16 * p + 14]!,
      );
  }
  return (length || body.height) / body.height;
}

const undo = new Float64Array(4);

/** out = a vector of the aligned reference in a joint's own axes there, which it is carried along in. */
function inJoint(
  out: Float64Array,
  { rotations }: ModelPose,
  joint: number,
  v: Readonly<Vec3>,
  unit: number,
): void {
  conjugateQuaternion(undo, 0, rotations, 4 * joint);
  rotateVector(
    out,
    0,
    undo,
    0,
    Float64Array.from(v, (x) => x * unit),
    0,
  );
}

/** A turn from the aligned reference, exp(v) · G, as a rotation; keys stay rotation vectors. */
function turnGoal(goal: ConstraintGoal, joint: number, { reference, context }: GoalContext): CompiledGoal {
  const rest = reference.rotations.slice(4 * joint, 4 * joint + 4);
  if (goal.degrees) {
    const values = new Float64Array(4);
    quaternionOfVector(
      values,
      0,
      Float64Array.from(goal.degrees, (x) => x * DEGREE),
      0,
    );
    multiplyQuaternions(values, 0, values, 0, rest, 0);
    return { from: 'fixed', values };
  }
  const keys = goal.keys!.map(({ time, degrees, ease }) => ({
    time: typeof time === 'number' ? time : time.frame / context.frameRate,
    // The reference comes along behind the vector, so that the curve alone says all.
    values: [...degrees!.map((x) => x * DEGREE), ...rest],
    ease: ease ?? ('spline' as const),
  }));
  keys.sort(byTime);
  return { from: 'keys', curve: compileCurve(keys, 7) };
}

/** What outside the body a constraint is about; null where its goal is none. The first that is told counts. */
export function outsideOf({ kind, goal }: Constraint): OutsideGoal | null {
  if (!goal || kind === 'orientation' || kind === 'plane' || goal.place || goal.keys) return null;
  if (goal.character !== undefined)
    return { type: 'character', character: goal.character, joint: goal.joint! };
  if (goal.joint !== undefined) return null;
  if (goal.source !== undefined) return { type: 'source', joint: goal.source };
  return goal.node !== undefined ? { type: 'node', node: goal.node } : null;
}

function outsideGoal(constraint: Constraint, unit: number, { outside }: GoalContext): CompiledGoal {
  const wanted = outsideOf(constraint)!;
  const key = JSON.stringify(wanted);
  let index = outside.findIndex((each) => JSON.stringify(each) === key);
  if (index < 0) index = outside.push(wanted) - 1;
  const offset = Float64Array.from(constraint.goal?.offset ?? [0, 0, 0], (x) => x * unit);
  return { from: 'outside', index, offset };
}
