import { UsageError } from '../../base/errors.js';
import { lengthOf } from '../../base/math/functions.js';
import type { Constraint, ConstraintKind, ConstraintTimes, OutsideGoal } from '../../options/constraint.js';
import { meantName } from '../../options/nearest-name.js';
import { modelPoseOf } from '../../scene/pose.js';
import { carriersIn, isCarriedBy } from '../carrying-tree.js';
import type { EditWarning } from '../edit-warnings.js';
import type { EditedBody } from '../edited-body.js';
import { carriersOf, createTree } from './build-tree.js';
import { checkConstraints } from './check-constraints.js';
import { compileGoal, type GoalContext, outsideOf } from './compile-goal.js';
import { compileStand } from './compile-stand.js';
import { compileStoop } from './compile-stoop.js';
import type {
  CompiledConstraint,
  ConstraintContext,
  ConstraintData,
  Resolved,
} from './compiled-constraint.js';
import { findJoints, findOneJoint, findTopmost, isQuery } from './find-joints.js';
import { trunkOf } from './limb-of.js';
import type { RampTimes } from './ramp.js';
import { createMassModel } from './segment-masses.js';
import { secondsOf } from './snap-times.js';
import type { TaskKind } from './solve/task.js';

/**
 * How hard a constraint may pull: in radians a height. With feet held, a hand that shall go a tenth of the height away
 * pulls by about 0.3; a limb that is stretched out pulls ever harder.
 */
export const FORCE = 10;
/** What stands pulls as hard as it must. */
export const STANDING_FORCE = 1e4;
/** The weight of the hips' place. At 1 a hand's goal moved the hips instead of the arm; at 0.05 planes jerked. */
const PLACE_WEIGHT = 0.3;
const TASK_OF: Readonly<Record<ConstraintKind, TaskKind>> = {
  point: 'point',
  orientation: 'turn',
  plane: 'plane',
  distance: 'distance',
  relative: 'point',
  lookAt: 'look',
  lock: 'point',
  balance: 'balance',
};

/**
 * Compiles constraints for a body.
 * @throws UsageError that names the place in the document of what cannot be meant. What names a joint, node or clip
 * that is not there is left out, with a warning.
 */
export function compileConstraints(
  body: EditedBody,
  document: readonly Constraint[],
  context: ConstraintContext,
): ConstraintData {
  const at = context.at ?? 'constraints';
  const list = checkConstraints(document, at);
  const warnings: EditWarning[] = [];
  const found = list.flatMap((constraint, index) => {
    if (
      constraint.muted ||
      (constraint.clip !== undefined && context.clip !== undefined && constraint.clip !== context.clip)
    )
      return [];
    return resolveConstraint(body, constraint, index, `${at}[${index}]`, context, warnings);
  });
  const standing =
    context.hold === 'none' || found.length === 0
      ? []
      : (context.stands ?? []).filter(({ joint }) => joint >= 0);
  const tree = createTree(body, found, standing);
  const outside: OutsideGoal[] = [];
  const reference = modelPoseOf(body.skeleton, body.reference);
  const goals: GoalContext = { body, reference, outside, context, tree: tree.places };
  const constraints = found.map((each) => compileOne(each, goals, tree.parents));
  const slots = assignSlots(constraints);
  const isBalanced = constraints.some(({ kind }) => kind === 'balance');
  const looks = new Set<number>();
  for (const { kind, ramp, times } of constraints) {
    if (kind === 'lock') looks.add(times.start);
    if (ramp === 'paper') for (const time of [times.in, times.end, times.out]) looks.add(time);
  }
  return {
    plan: {
      skeleton: body.skeleton,
      joints: tree.joints,
      parents: tree.parents,
      weights: tree.weights,
      hips: tree.hips,
      placeWeight: PLACE_WEIGHT,
      height: body.height,
      limits: (body.limits ?? []).filter(({ joint }) => tree.joints.includes(joint)),
      trunk: trunkOf(body, tree.joints),
      stoop: compileStoop(body, reference, tree),
    },
    constraints,
    slots,
    firsts: findFirsts(constraints, slots),
    stands: [...new Set(standing.map(({ joint }) => joint))].map((joint) =>
      compileStand(body, joint, standing, constraints, tree.places, context.duration),
    ),
    weights: Array.from(tree.joints).flatMap((joint, place) => {
      const curve = body.weights?.[joint];
      return typeof curve === 'object' && tree.weights[place]! > 0 ? [{ joint: place, curve }] : [];
    }),
    mass: isBalanced ? createMassModel(body, carriersOf(body, tree.places), tree.joints.length) : null,
    outside,
    looks: [...looks].sort((a, b) => a - b),
    count: list.length,
    warnings,
  };
}

function resolveConstraint(
  body: EditedBody,
  constraint: Constraint,
  index: number,
  at: string,
  context: ConstraintContext,
  warnings: EditWarning[],
): Resolved[] {
  const { skeleton } = body;
  const ignoreFor = (why: string): Resolved[] => {
    warnings.push({ code: 'constraint-ignored', message: `${at}: ${why}` });
    return [];
  };
  const ignore = (what: string, name = ''): Resolved[] =>
    ignoreFor(
      `"${skeleton.name}" has no ${what}${meantName(name, [...Object.keys(body.joints), ...skeleton.names])}`,
    );
  const times = resolveTimes(constraint, context, `${at}.times`);
  if (times.in === times.start && times.start > 0) warnJump(warnings, at, 'begins', times.start);
  if (times.end === times.out && times.out < context.duration - 1e-6)
    warnJump(warnings, at, 'ends', times.end);
  const hips = body.travels ?? body.joints.hips ?? -1;
  const joints = constraint.kind === 'balance' ? [hips] : findJoints(body, constraint.joint!);
  if (joints.length === 0 || joints[0]! < 0)
    return constraint.kind === 'balance'
      ? ignore('hips')
      : ignore(`joint "${constraint.joint}"`, constraint.joint!);
  const { goal } = constraint;
  const own = goal?.joint !== undefined && goal.character === undefined && constraint.kind !== 'orientation';
  const other = own ? findOneJoint(body, goal.joint!) : -1;
  if (own && other < 0) return ignore(oneOf(goal.joint!), goal.joint!);
  const outside = outsideOf(constraint);
  const missing = outside ? (context.missing?.(outside) ?? null) : null;
  if (missing !== null) return ignoreFor(missing);
  const from = constraint.from === undefined ? -1 : findTopmost(body, constraint.from);
  if (constraint.from !== undefined && from < 0) return ignore(oneOf(constraint.from), constraint.from);
  return joints.flatMap((joint) => {
    if (joint === other) {
      // A query that also finds the goal means the others.
      if (joints.length > 1) return [];
      throw new UsageError(`${at}.goal.joint: "${goal!.joint}" is the joint itself; name another one`);
    }
    if (from >= 0 && !isCarriedBy(carriersIn(body), from, joint))
      throw new UsageError(
        `${at}.from: "${constraint.from}" does not carry "${skeleton.names[joint]}", so that nothing could move it`,
      );
    if (from === joint && from !== hips && isPlaced(constraint))
      throw new UsageError(
        `${at}.from: "${constraint.from}" is the joint itself, which its own turn does not move; name one above it`,
      );
    return [{ constraint, index, at, joint, other, from, times }];
  });
}

/** Whether a constraint is about where a joint is itself, and not how it is turned or where another point of it is. */
function isPlaced({ kind, offset }: Constraint): boolean {
  return kind !== 'orientation' && kind !== 'lookAt' && !(offset && lengthOf(offset) > 0);
}

/** What is missing where one joint is meant. */
function oneOf(text: string): string {
  return `${isQuery(text) ? 'one ' : ''}joint "${text}"`;
}

function warnJump(warnings: EditWarning[], at: string, what: string, time: number): void {
  warnings.push({
    code: 'constraint-jumps',
    message: `${at}: ${what} at ${time.toFixed(3)} s without a ramp, so that the motion jumps there`,
  });
}

function resolveTimes(
  { times = {} }: Constraint,
  { duration, frameRate }: ConstraintContext,
  at: string,
): RampTimes {
  const seconds = (time: ConstraintTimes['in']): number | undefined =>
    time === undefined ? undefined : secondsOf(time, frameRate);
  const start = seconds(times.start) ?? seconds(times.in) ?? 0;
  const end = seconds(times.end) ?? seconds(times.out) ?? Math.max(duration, start);
  const all: RampTimes = { in: seconds(times.in) ?? start, start, end, out: seconds(times.out) ?? end };
  const names = ['in', 'start', 'end', 'out'] as const;
  names.forEach((name, n) => {
    const before = names[n - 1];
    if (before !== undefined && !(all[name] >= all[before]))
      throw new UsageError(
        `${at}.${name}: must not be before ${before} (${written(all[before])} s), and is ${written(all[name])} s; in ≤ start ≤ end ≤ out`,
      );
  });
  return all;
}

/** Seconds for people: to the millisecond, without noughts at the end. */
function written(seconds: number): string {
  return String(Number(seconds.toFixed(3)));
}

function compileOne(
  { constraint, index, joint, other, from, times }: Resolved,
  goals: GoalContext,
  parents: Int32Array,
): CompiledConstraint {
  const { body, tree } = goals;
  const place = tree[joint]!;
  const bound =
    constraint.kind === 'plane'
      ? ({ above: 1, on: 0, below: -1 } as const)[constraint.side ?? 'on']
      : constraint.kind === 'distance'
        ? ({ equal: 0, atMost: -1, atLeast: 1 } as const)[constraint.bound ?? 'equal']
        : 0;
  // The topmost joint of the list that is at or below `from`.
  let top = -1;
  const carriers = carriersIn(body);
  if (from >= 0)
    for (let i = place; i >= 0 && isCarriedBy(carriers, from, goalJoint(goals, i)); i = parents[i]!) top = i;
  return {
    index,
    name: constraint.name ?? constraint.joint ?? constraint.kind,
    kind: constraint.kind,
    joint: constraint.kind === 'balance' ? -1 : joint,
    task: {
      kind: TASK_OF[constraint.kind],
      joint: place,
      other: other < 0 ? -1 : tree[other]!,
      bound,
      level: constraint.level ?? 1,
      force: FORCE * (constraint.strength ?? 1),
      from: top,
    },
    ...compileGoal(constraint, joint, other, goals),
    times,
    ease: constraint.ease ?? 'smoother',
    ramp: constraint.ramp ?? 'give',
    slot: 0,
  };
}

function goalJoint({ tree }: GoalContext, place: number): number {
  return tree.indexOf(place);
}

/** Point and orientation constraints of one joint, point on it, and level are one task. */
function assignSlots(constraints: CompiledConstraint[]): number {
  const known = new Map<string, number>();
  let count = 0;
  for (const each of constraints) {
    const mixes = each.task.other! < 0 && (each.task.kind === 'point' || each.task.kind === 'turn');
    const { kind, joint, level, force, from } = each.task;
    const key = JSON.stringify([kind, joint, level, force, from, Array.from(each.offset), each.ramp]);
    const slot = mixes ? known.get(key) : undefined;
    each.slot = slot ?? count++;
    if (mixes) known.set(key, each.slot);
  }
  return count;
}

/** A point cannot be in two places: of two levels the first has it, and hands it over as it counts. */
function findFirsts(constraints: readonly CompiledConstraint[], slots: number): Int32Array[] {
  const heads = Array.from({ length: slots }, (_, slot) => constraints.find((each) => each.slot === slot)!);
  return heads.map(({ task, offset }) =>
    Int32Array.from(
      heads.flatMap(({ task: one, offset: other }, slot) =>
        (task.kind === 'point' || task.kind === 'turn') &&
        one.kind === task.kind &&
        one.joint === task.joint &&
        one.level < task.level &&
        task.other! < 0 &&
        one.other! < 0 &&
        offset.every((x, c) => Math.abs(x - other[c]!) < 1e-9)
          ? [slot]
          : [],
      ),
    ),
  );
}
