import { UsageError } from '../../base/errors.js';
import { visibleWarnings, type Warning } from '../../base/warnings.js';
import { findJoint, jointLabel } from '../../scene/joint-names.js';
import type { Skeleton } from '../../scene/skeleton.js';
import { type ChainSolver, SOLVER_METHODS } from '../../solvers/create-solver.js';
import type { JointLimit, LimitAxis } from '../../solvers/joint-limits.js';
import {
  type Armature,
  type Chain,
  type ChainGoal,
  type ChainKind,
  type ChainNumber,
  checkArmature,
  freeName,
} from './armature.js';
import { pathOf } from './edit-armature.js';

/**
 * An armature as people keep and edit it, in JSON. Joints are named as in a map: where a name is not unique it
 * is followed by `@` and the joint's index in its file.
 */
export type ArmatureDocument = {
  version: 1;
  chains: {
    name: string;
    /** Parents first. */
    joints: string[];
    kind?: ChainKind;
    enabled?: boolean;
    solver?: ChainSolver;
    priority?: number;
    goal?: ChainGoal | null;
    limbScale?: ChainNumber;
    rootScale?: ChainNumber;
    imitation?: NonNullable<Chain['imitation']>;
    alignment?: NonNullable<Chain['alignment']>;
  }[];
  controls?: string[];
  limits?: Record<string, JointLimit>;
};

/** Writes an armature as the document that {@link readArmature} takes back without a change. */
export function writeArmature(armature: Armature, skeleton: Skeleton): ArmatureDocument {
  const label = (joint: number) => jointLabel(skeleton, joint);
  return {
    version: 1,
    chains: armature.chains.map(({ joints, ...chain }) => ({
      name: chain.name,
      joints: joints.map(label),
      kind: chain.kind,
      enabled: chain.enabled,
      solver: { ...chain.solver },
      priority: chain.priority,
      goal: chain.goal && (JSON.parse(JSON.stringify(chain.goal)) as ChainGoal),
      ...(chain.limbScale !== undefined && { limbScale: chain.limbScale }),
      ...(chain.rootScale !== undefined && { rootScale: chain.rootScale }),
      ...(chain.imitation && { imitation: chain.imitation }),
      ...(chain.alignment && { alignment: chain.alignment }),
    })),
    controls: armature.controls.map(label),
    limits: Object.fromEntries(
      Object.entries(armature.limits).map(([joint, limit]) => [
        label(Number(joint)),
        JSON.parse(JSON.stringify(limit)) as JointLimit,
      ]),
    ),
  };
}

/**
 * Reads an armature for a skeleton from JSON: a document of {@link writeArmature}, or the older shape
 * `{ "SkeletonStructure": { chain: { "Root", "EndEffector" } }, "JointLimits": { joint: … } }` (K3). What was
 * there before is replaced, never added to (KP15). Chains with joints that the skeleton does not have are left
 * out with a warning, and so are joints that an earlier chain holds.
 * @throws UsageError that names the first place that is wrong.
 */
export function readArmature(json: unknown, skeleton: Skeleton): { armature: Armature; warnings: Warning[] } {
  const warnings: Warning[] = [];
  const document = objectAt(json, 'the armature');
  const armature =
    'SkeletonStructure' in document
      ? readOld(document, skeleton, warnings)
      : readCurrent(document, skeleton, warnings);
  checkArmature(armature, skeleton);
  return { armature, warnings: visibleWarnings(warnings) };
}

const KINDS: ReadonlySet<string> = new Set<ChainKind>([
  ...(['root', 'spine', 'tail', 'limb', 'digit', 'face', 'twist', 'accessory', 'control', 'end'] as const),
]);
const METHODS: ReadonlySet<string> = new Set(SOLVER_METHODS);

function readCurrent(document: Record<string, unknown>, skeleton: Skeleton, warnings: Warning[]): Armature {
  if (document.version !== 1)
    throw new UsageError(
      `the armature has version ${JSON.stringify(document.version)}; this reads version 1`,
    );
  if (!Array.isArray(document.chains)) throw new UsageError('chains of the armature must be a list');
  const chains: Chain[] = [];
  const owners = new Set<number>();
  document.chains.forEach((value: unknown, i) => {
    const at = `chains[${i}]`;
    const entry = objectAt(value, at);
    const name = textAt(entry.name, `${at}.name`);
    if (!Array.isArray(entry.joints)) throw new UsageError(`${at}.joints must be a list of names`);
    const labels = entry.joints.map((label, k) => textAt(label, `${at}.joints[${k}]`));
    const joints = findAll(labels, name, skeleton, owners, warnings);
    if (joints.length === 0) return;
    if (entry.kind !== undefined && !KINDS.has(textAt(entry.kind, `${at}.kind`)))
      throw new UsageError(`${at}.kind is "${entry.kind}", which does not exist`);
    chains.push({
      name,
      joints,
      kind: (entry.kind as ChainKind | undefined) ?? 'limb',
      enabled: entry.enabled === undefined ? true : booleanAt(entry.enabled, `${at}.enabled`),
      solver: solverAt(entry.solver, `${at}.solver`),
      priority: entry.priority === undefined ? 1 : numberAt(entry.priority, `${at}.priority`),
      goal: goalAt(entry.goal, `${at}.goal`),
      ...(entry.limbScale !== undefined && { limbScale: curveAt(entry.limbScale, `${at}.limbScale`) }),
      ...(entry.rootScale !== undefined && { rootScale: curveAt(entry.rootScale, `${at}.rootScale`) }),
      ...(entry.imitation !== undefined && {
        imitation: oneOf(entry.imitation, ['worldDelta', 'direction', 'keep'], `${at}.imitation`),
      }),
      ...(entry.alignment !== undefined && {
        alignment: oneOf(entry.alignment, ['keep', 'line', 'bones'], `${at}.alignment`),
      }),
    });
  });
  const controls: number[] = [];
  if (document.controls !== undefined) {
    if (!Array.isArray(document.controls)) throw new UsageError('controls of the armature must be a list');
    document.controls.forEach((label, i) => {
      const joint = findJoint(skeleton, textAt(label, `controls[${i}]`));
      if (joint !== null) controls.push(joint);
      else warnings.push(missing(String(label), skeleton));
    });
  }
  const limits: Record<number, JointLimit> = {};
  if (document.limits !== undefined)
    for (const [label, value] of Object.entries(objectAt(document.limits, 'limits'))) {
      const joint = findJoint(skeleton, label);
      if (joint === null) warnings.push(missing(label, skeleton));
      else limits[joint] = limitAt(value, `limits["${label}"]`);
    }
  return { version: 1, chains, controls, limits };
}

function readOld(document: Record<string, unknown>, skeleton: Skeleton, warnings: Warning[]): Armature {
  const chains: Chain[] = [];
  const owners = new Set<number>();
  const names = new Set<string>();
  for (const [name, value] of Object.entries(objectAt(document.SkeletonStructure, 'SkeletonStructure'))) {
    const at = `SkeletonStructure["${name}"]`;
    const entry = objectAt(value, at);
    const ends = ['Root', 'EndEffector'].map((key) => textAt(entry[key], `${at}.${key}`));
    const found = ends.map((label) => findJoint(skeleton, label));
    const lost = found.indexOf(null);
    if (lost >= 0) {
      warnings.push(missing(ends[lost]!, skeleton));
      continue;
    }
    const labels = pathOf(skeleton, found[0]!, found[1]!).map((joint) => jointLabel(skeleton, joint));
    const joints = findAll(labels, name, skeleton, owners, warnings);
    if (joints.length === 0) continue;
    const chainName = freeName(name === '' ? 'chain' : name, names);
    chains.push({
      name: chainName,
      joints,
      kind: 'limb',
      enabled: true,
      solver: { method: 'ccd', sweep: 'backward' },
      priority: 1,
      goal: { name: `${chainName} target`, weight: 1 },
    });
  }
  const limits: Record<number, JointLimit> = {};
  for (const [label, value] of Object.entries(objectAt(document.JointLimits ?? {}, 'JointLimits'))) {
    const joint = findJoint(skeleton, label);
    const limit = oldLimitAt(value, `JointLimits["${label}"]`);
    if (joint === null) warnings.push(missing(label, skeleton));
    else if (limit) limits[joint] = limit;
  }
  return { version: 1, chains, controls: [], limits };
}

/** The joints of a chain that are there and free; the first gap ends the chain. */
function findAll(
  labels: readonly string[],
  chain: string,
  skeleton: Skeleton,
  owners: Set<number>,
  warnings: Warning[],
): number[] {
  const joints: number[] = [];
  for (const label of labels) {
    const joint = findJoint(skeleton, label);
    if (joint === null) {
      warnings.push(missing(label, skeleton));
      if (joints.length > 0) break;
    } else if (owners.has(joint)) {
      warnings.push({
        code: 'map-entry-ignored',
        joint: label,
        message: `"${label}" is in chain "${chain}" and in one before it; the first one keeps it`,
      });
      if (joints.length > 0) break;
    } else {
      owners.add(joint);
      joints.push(joint);
    }
  }
  return joints;
}

function missing(label: string, skeleton: Skeleton): Warning {
  return {
    code: 'map-entry-ignored',
    joint: label,
    message: `the armature names "${label}", but "${skeleton.name}" has no such joint; it was left out`,
  };
}

function solverAt(value: unknown, at: string): ChainSolver {
  if (value === undefined) return { method: 'none' };
  const entry = objectAt(value, at);
  const method = textAt(entry.method, `${at}.method`);
  if (!METHODS.has(method)) throw new UsageError(`${at}.method is "${method}", which does not exist`);
  const solver: ChainSolver = { method: method as ChainSolver['method'] };
  if (entry.sweep !== undefined) solver.sweep = oneOf(entry.sweep, ['backward', 'forward'], `${at}.sweep`);
  if (entry.variant !== undefined)
    solver.variant = oneOf(entry.variant, ['transpose', 'pseudoInverse', 'damped'], `${at}.variant`);
  for (const key of ['maxIterations', 'tolerance', 'damping', 'step'] as const)
    if (entry[key] !== undefined) solver[key] = numberAt(entry[key], `${at}.${key}`);
  return solver;
}

function goalAt(value: unknown, at: string): ChainGoal | null {
  if (value === undefined || value === null) return null;
  const entry = objectAt(value, at);
  return {
    name: textAt(entry.name, `${at}.name`),
    weight: entry.weight === undefined ? 1 : curveAt(entry.weight, `${at}.weight`),
    ...(entry.place !== undefined && { place: placeAt(entry.place, `${at}.place`) }),
  };
}

function placeAt(value: unknown, at: string): [number, number, number] {
  if (!Array.isArray(value) || value.length !== 3) throw new UsageError(`${at} must be three numbers`);
  return value.map((each, c) => numberAt(each, `${at}[${c}]`)) as [number, number, number];
}

function curveAt(value: unknown, at: string): ChainNumber {
  if (!Array.isArray(value)) return numberAt(value, at);
  return value.map((key, k) => {
    const { time, value: number, easing } = objectAt(key, `${at}[${k}]`);
    return {
      time: numberAt(time, `${at}[${k}].time`),
      value: numberAt(number, `${at}[${k}].value`),
      ...(easing !== undefined && {
        easing: oneOf(easing, ['step', 'linear', 'smooth', 'smoother'], `${at}[${k}].easing`),
      }),
    };
  });
}

const LIMIT_AXES = ['x', 'y', 'z'] as const;

/**
 * Reads a joint limit from plain data.
 * @param at Where it stands, for messages.
 * @throws UsageError that names the first place that is wrong.
 */
export function limitAt(value: unknown, at: string): JointLimit {
  const entry = objectAt(value, at);
  if (oneOf(entry.type, ['hinge', 'swingTwist'], `${at}.type`) === 'hinge')
    return hinge(
      oneOf(entry.axis, LIMIT_AXES, `${at}.axis`),
      oneOf(entry.forward, LIMIT_AXES, `${at}.forward`),
      rangeAt(entry.angleDegrees, `${at}.angleDegrees`),
      at,
    );
  const swing: Partial<Record<LimitAxis, [number, number]>> = {};
  for (const [axis, range] of Object.entries(objectAt(entry.swingDegrees, `${at}.swingDegrees`)))
    swing[oneOf(axis, LIMIT_AXES, `${at}.swingDegrees`)] = rangeAt(range, `${at}.swingDegrees.${axis}`);
  return {
    type: 'swingTwist',
    twistAxis: oneOf(entry.twistAxis, LIMIT_AXES, `${at}.twistAxis`),
    twistDegrees: rangeAt(entry.twistDegrees, `${at}.twistDegrees`),
    swingDegrees: swing,
  };
}

function oldLimitAt(value: unknown, at: string): JointLimit | null {
  const entry = objectAt(value, at);
  const type = textAt(entry.Type, `${at}.Type`);
  if (type === 'Unconstrained') return null;
  const range = (least: string, most: string): [number, number] =>
    rangeAt([entry[least], entry[most]], `${at}.${least} and ${most}`);
  if (type === 'Hinge')
    return hinge(
      oneOf(entry.HingeAxis, LIMIT_AXES, `${at}.HingeAxis`),
      oneOf(entry.BoneForward, LIMIT_AXES, `${at}.BoneForward`),
      range('MinAngleDegrees', 'MaxAngleDegrees'),
      at,
    );
  const match = /^Swing([XYZ]{1,2})Twist([XYZ])$/.exec(type);
  if (!match) throw new UsageError(`${at}.Type is "${type}", which does not exist`);
  const swing: Partial<Record<LimitAxis, [number, number]>> = {};
  for (const axis of match[1]!)
    swing[axis.toLowerCase() as LimitAxis] = range(`Min${axis}Swing`, `Max${axis}Swing`);
  return {
    type: 'swingTwist',
    twistAxis: match[2]!.toLowerCase() as LimitAxis,
    twistDegrees: range('MinTwist', 'MaxTwist'),
    swingDegrees: swing,
  };
}

function hinge(axis: LimitAxis, forward: LimitAxis, angleDegrees: [number, number], at: string): JointLimit {
  if (axis === forward) throw new UsageError(`${at} turns about the axis that it points along, ${axis}`);
  return { type: 'hinge', axis, forward, angleDegrees };
}

function objectAt(value: unknown, at: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${at} must be an object`);
  return value as Record<string, unknown>;
}

function textAt(value: unknown, at: string): string {
  if (typeof value !== 'string') throw new UsageError(`${at} must be a text`);
  return value;
}

function numberAt(value: unknown, at: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new UsageError(`${at} must be a number`);
  return value;
}

function booleanAt(value: unknown, at: string): boolean {
  if (typeof value !== 'boolean') throw new UsageError(`${at} must be true or false`);
  return value;
}

function oneOf<T extends string>(value: unknown, choices: readonly T[], at: string): T {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new UsageError(`${at} must be one of ${choices.join(', ')}`);
  return found;
}

function rangeAt(value: unknown, at: string): [number, number] {
  if (!Array.isArray(value) || value.length !== 2) throw new UsageError(`${at} must be two numbers`);
  const [least, most] = value.map((each) => numberAt(each, at)) as [number, number];
  if (least > most) throw new UsageError(`${at} must not have the larger number first`);
  return [least, most];
}
