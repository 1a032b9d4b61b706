import {
  createArmature,
  LEG_JOINT_LIMITS,
  LIMBS,
  PASS_NAMES,
  POINT_NAMES,
  type RetargetOptions,
  type Scene,
  type Skeleton,
  SOLVED_LIMBS,
  SOLVERS,
  writeArmature,
} from '@stuntdouble/core/engine';
import type { Random } from './random.js';
import { hostileName } from './random-names.js';
import { randomRotation } from './random-rotation.js';

/** A number that an option may be given by mistake. */
function oddNumber(random: Random): number {
  return random.pick([Number.NaN, Number.POSITIVE_INFINITY, -1, 0, 1e-300, 1e300, 1e9, -1e9]);
}

/** A number from `low` to `high`; rarely one that is none of these. */
function number(random: Random, low: number, high: number): number {
  return random.chance(0.02) ? oddNumber(random) : low + random.unit() * (high - low);
}

/**
 * Options of `retarget`, drawn from all that are documented: usually sensible ones, a few at a time, and now and
 * then one that cannot be meant.
 */
export function randomOptions(random: Random, source: Scene, target: Scene): RetargetOptions {
  const from = source.characters[0]!.skeleton;
  const to = target.characters[0]!.skeleton;
  const all = makers(random, from, to, source);
  const share = random.pick([0, 0.05, 0.1, 0.3]);
  const options: Record<string, unknown> = {};
  for (const [name, make] of Object.entries(all)) if (random.chance(share)) options[name] = make();
  return options;
}

function makers(
  random: Random,
  from: Skeleton,
  to: Skeleton,
  source: Scene,
): Record<keyof Omit<RetargetOptions, 'signal' | 'onProgress'>, () => unknown> {
  const targetName = () => (random.chance(0.97) ? random.pick(to.names) : hostileName(random));
  const sourceName = () => (random.chance(0.97) ? random.pick(from.names) : hostileName(random));
  const roles = ['hips', 'head', 'leftFoot', 'rightHand', 'leftLowerLeg', 'spine'];
  const curve = () =>
    random.chance(0.5)
      ? number(random, 0, 1.5)
      : Array.from({ length: random.below(4) }, (_, k) => ({
          time: k * 0.3,
          value: number(random, 0, 1),
          ...(random.chance(0.5) && { easing: random.pick(['step', 'linear', 'smooth']) }),
        }));
  const range = () => {
    const low = number(random, -170, 0);
    return [low, random.chance(0.95) ? number(random, 0, 170) : low - 1];
  };
  const limit = () =>
    random.chance(0.5)
      ? {
          type: 'hinge',
          axis: random.chance(0.9) ? 'x' : 'y',
          forward: random.pick(['y', 'z']),
          angleDegrees: range(),
        }
      : {
          type: 'swingTwist',
          twistAxis: random.pick(['x', 'y', 'z']),
          swingDegrees: { x: range(), z: range() },
          twistDegrees: range(),
        };
  const reference = (skeleton: Skeleton, name: () => string): unknown =>
    random.pick<() => unknown>([
      () => random.pick(['auto', 'rest', skeleton.bind ? 'bind' : 'auto']),
      () => ({ frame: random.below(3) }),
      () => ({ time: number(random, 0, 0.1), ...(random.chance(0.3) && { clip: 'walk' }) }),
      () => ({ pose: skeleton.rest }),
      () => ({
        base: random.pick(['auto', 'rest']),
        edits: Array.from({ length: random.below(4) }, () => ({
          name: name(),
          ...(random.chance(0.7) && {
            rotation: randomRotation(random).map((x) => x * (random.chance(0.9) ? 1 : oddNumber(random))),
          }),
          ...(random.chance(0.3) && { translation: [0, 1, 2].map(() => number(random, -1, 1)) }),
          ...(random.chance(0.2) && { scale: [0, 1, 2].map(() => number(random, 0, 2)) }),
        })),
      }),
    ])();
  const solver = () =>
    random.chance(0.5)
      ? random.pick(Object.keys(SOLVERS))
      : {
          solver: random.pick(Object.keys(SOLVERS)),
          ...(random.chance(0.4) && { maxIterations: random.below(60) }),
          ...(random.chance(0.4) && { tolerance: number(random, 0, 0.1) }),
          ...(random.chance(0.4) && { damping: number(random, 0, 1) }),
          ...(random.chance(0.4) && { step: number(random, 0, 1) }),
        };
  const axis = () => random.pick(['+X', '-X', '+Y', '-Y', '+Z', '-Z']);
  const unit = () => random.pick<unknown>(['m', 'cm', 'in', 0.01, number(random, 0.001, 3)]);
  const naming = () =>
    random.chance(0.5)
      ? random.pick(['mixamo_full', 'dude', 'nobody'])
      : { hips: targetName(), head: sourceName() };
  const clipName = () => source.characters[0]!.clips[0]?.name ?? 'walk';
  return {
    passes: () => PASS_NAMES.filter(() => random.chance(0.7)),
    keys: () => random.pick(['auto', 'keep', 'bake', 'refine']),
    between: () => number(random, 0.01, 5),
    wholeBody: () => random.chance(0.5),
    keepCalibration: () => random.chance(0.5),
    frameRate: () => random.pick([24, 30, 60, 120, 1, number(random, 5, 60)]),
    mapIsTold: () => random.chance(0.5),
    clips: () => [clipName(), ...(random.chance(0.2) ? [hostileName(random)] : [])],
    map: () => ({
      version: 1,
      ...(random.chance(0.7) && {
        joints: Array.from({ length: random.below(20) }, () => ({
          target: targetName(),
          sources: Array.from({ length: 1 + random.below(3) }, sourceName),
          ...(random.chance(0.15) && { share: { from: sourceName(), weight: number(random, 0, 1) } }),
          ...(random.chance(0.3) && { role: random.pick(roles) }),
        })),
      }),
      ...(random.chance(0.3) && {
        changes: Array.from({ length: random.below(4) }, () =>
          random.chance(0.3)
            ? { target: targetName(), none: true }
            : { target: targetName(), sources: [sourceName()] },
        ),
      }),
      ...(random.chance(0.4) && {
        roles: Object.fromEntries(
          roles.map((role) => [role, random.chance(0.5) ? targetName() : sourceName()]),
        ),
      }),
    }),
    sourceArmature: () => writeArmature(createArmature(from), from),
    targetArmature: () => writeArmature(createArmature(to), to),
    mode: () => random.pick(['turns', 'intermediate']),
    restPosture: () => random.pick(['shared', 'kept']),
    branches: () => random.pick(['body', 'every']),
    matching: () => ({
      ...(random.chance(0.5) && { by: random.pick(['roles', 'chains']) }),
      ...(random.chance(0.3) && { weights: { direction: number(random, 0, 3), end: number(random, 0, 3) } }),
      ...(random.chance(0.3) && { assignment: random.pick(['best', 'greedy']) }),
      ...(random.chance(0.3) && { threshold: number(random, 0, 1) }),
      ...(random.chance(0.2) && { fixed: [{ source: null, target: targetName() }] }),
    }),
    chains: () => ({
      [random.pick(['tail', 'spine', 'limb', 'digit'])]: {
        ...(random.chance(0.6) && { solver: solver() }),
        ...(random.chance(0.3) && { goal: { weight: curve() } }),
        ...(random.chance(0.2) && { goal: { place: [0, 1, 2].map(() => number(random, -1, 1)) } }),
        ...(random.chance(0.3) && { limbScale: curve(), rootScale: curve() }),
        ...(random.chance(0.3) && { priority: number(random, 0, 9) }),
        ...(random.chance(0.2) && { imitation: random.pick(['worldDelta', 'direction', 'keep']) }),
        ...(random.chance(0.2) && { alignment: random.pick(['keep', 'line', 'bones']) }),
        ...(random.chance(0.2) && { muted: random.chance(0.5) }),
      },
    }),
    indexing: () => random.pick(['index', 'nearest', 'length']),
    surplusJoints: () => random.pick(['share', 'rest']),
    travel: () => random.pick(['asGiven', 'fromFeet']),
    sourceUp: axis,
    targetUp: axis,
    sourceFacing: axis,
    targetFacing: axis,
    sourceUnit: unit,
    targetUnit: unit,
    sourceFloor: () => number(random, -2, 2),
    targetFloor: () => number(random, -2, 2),
    sourceFamily: () => ({
      ...source,
      characters: source.characters.map((each) => ({ ...each, skeleton: { ...each.skeleton } })),
    }),
    sourceReference: () => reference(from, sourceName),
    targetReference: () => reference(to, targetName),
    sourceSkeleton: () => (random.chance(0.1) ? '1' : random.pick(['0', from.name])),
    sourceNaming: () => naming(),
    targetNaming: () => naming(),
    targetSkeleton: () => (random.chance(0.1) ? '1' : random.pick(['0', to.name])),
    range: () => [number(random, 0, 0.05), number(random, 0.05, 0.5)],
    mirror: () => random.chance(0.7),
    speed: () => number(random, 0.3, 3),
    repairKeys: () => random.chance(0.7),
    pingPong: () => random.chance(0.7),
    amount: () => number(random, 0, 1),
    loop: () => (random.chance(0.5) ? true : { seconds: number(random, 0.01, 1) }),
    reduce: () =>
      random.chance(0.5) ? true : { position: 10 ** -random.below(8), angleDegrees: number(random, 1e-3, 5) },
    contacts: () => ({
      [clipName()]: Array.from({ length: random.below(5) }, () => {
        const start = number(random, 0, 1);
        return {
          point: random.pick(POINT_NAMES),
          start,
          end: start + number(random, 0, 0.5),
          ...(random.chance(0.3) && { height: number(random, 0, 1) }),
          ...(random.chance(0.3) && { position: [number(random, -1, 1), 0, number(random, -1, 1)] }),
        };
      }),
    }),
    morphs: () => ({ happy: random.pick(['joy', 'happy', hostileName(random)]) }),
    measure: () => random.chance(0.5),
    alignment: () =>
      Object.fromEntries(
        LIMBS.filter(() => random.chance(0.4)).map((limb) => [limb, random.pick(['keep', 'line', 'bones'])]),
      ),
    rootScales: () => ({
      horizontal: number(random, 0, 3),
      ...(random.chance(0.5) && { vertical: number(random, 0, 3) }),
    }),
    rootMotion: () => random.pick(['keep', 'extract', 'apart', 'inPlace']),
    rootMotionJoint: () => random.pick([...roles, targetName()]),
    root: () => ({
      ...(random.chance(0.5) && { copyPosition: random.chance(0.5) }),
      ...(random.chance(0.5) && { copyRotation: random.chance(0.5) }),
      ...(random.chance(0.5) && { positionScale: number(random, 0, 1) }),
    }),
    imitation: () => {
      const mode = () => random.pick(['worldDelta', 'direction', 'keep']);
      return random.chance(0.5) ? mode() : { [random.pick([...LIMBS, '*'])]: mode() };
    },
    checkHierarchy: () => random.chance(0.7),
    translations: () => {
      const mode = () => random.pick(['rest', 'rootScaled', 'boneLengthScaled', 'copied']);
      return random.chance(0.5) ? mode() : { '*': mode(), [targetName()]: mode() };
    },
    scales: () => random.pick(['rest', 'copied']),
    ground: () => ({
      ...(random.chance(0.5) && { joint: random.pick([...roles, targetName()]) }),
      ...(random.chance(0.5) && { dynamic: random.chance(0.5) }),
    }),
    corrections: () => random.pick(['none', 'auto', 'auto']),
    limbScalings: () =>
      Object.fromEntries(
        SOLVED_LIMBS.filter(() => random.chance(0.5)).map((limb) => [
          limb,
          { limbScale: curve(), ...(random.chance(0.5) && { rootScale: curve(), weight: curve() }) },
        ]),
      ),
    limits: () =>
      random.chance(0.4)
        ? LEG_JOINT_LIMITS
        : Object.fromEntries(
            Array.from({ length: 1 + random.below(4) }, () => [
              random.chance(0.5) ? random.pick(roles) : targetName(),
              { ...limit(), ...(random.chance(0.5) && { axes: random.pick(['own', 'body']) }) },
            ]),
          ),
    solvers: () =>
      random.chance(0.5)
        ? { all: solver() }
        : Object.fromEntries(SOLVED_LIMBS.filter(() => random.chance(0.5)).map((limb) => [limb, solver()])),
    reach: () => random.pick(['limbs', 'together']),
    hold: () => random.pick(['contacts', 'none']),
    jointWeights: () => ({
      [random.chance(0.7) ? random.pick(roles) : targetName()]: number(random, 0, 3),
      torso: [
        { time: 0, value: number(random, 0, 2), easing: 'smooth' },
        { time: 1, value: number(random, 0, 2) },
      ],
    }),
    constraints: () =>
      Array.from({ length: 1 + random.below(3) }, () => ({
        joint: random.chance(0.7) ? random.pick(roles) : targetName(),
        kind: 'point',
        goal: { place: [0, 1, 2].map(() => number(random, -2, 2)) },
        ...(random.chance(0.5) && { times: { in: 0, start: 0.2, end: 0.6, out: 1 } }),
      })),
    layers: () => [
      {
        when: random.pick(['before', 'after']),
        joints: {
          [random.pick(roles)]: [{ time: 0, degrees: [0, 1, 2].map(() => number(random, -90, 90)) }],
        },
        hips: [{ time: 0, place: [0, number(random, -0.2, 0.2), 0] }],
      },
    ],
    goalPlaces: () => ({ has: () => false, place: () => {} }),
    twist: () => random.pick<unknown>(['joints', 'limbs', 'none', { [targetName()]: number(random, 0, 1) }]),
    spacing: () => ({ arms: number(random, -1, 1), legs: number(random, -1, 1) }),
    lookAt: () => ({
      ...(random.chance(0.7)
        ? { point: [0, 1, 2].map(() => number(random, -3, 3)) }
        : { joint: random.pick([...roles, targetName()]) }),
      ...(random.chance(0.3) && { headDegrees: [number(random, 0, 90), number(random, 0, 90)] }),
      ...(random.chance(0.3) && { eyeDegrees: [number(random, 0, 20), number(random, 0, 20)] }),
      ...(random.chance(0.3) && { speed: number(random, 0, 1) }),
      ...(random.chance(0.3) && { weight: number(random, 0, 1) }),
    }),
    groundHeight: () => {
      const height = number(random, -0.3, 0.3);
      return random.chance(0.5) ? [height, 0] : (x: number, z: number) => height * Math.sin(3 * x + z);
    },
  };
}
