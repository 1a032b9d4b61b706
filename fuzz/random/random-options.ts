import {
  createArmature,
  LEG_JOINT_LIMITS,
  LIMBS,
  listOptions,
  type OptionName,
  PASS_NAMES,
  POINT_NAMES,
  type RetargetOptions,
  type Scene,
  type Skeleton,
  SOLVED_LIMBS,
  SOLVERS,
  writeArmature,
} from '@stuntdouble/core/engine';
import { createRandom, type Random } from './random.js';
import { hostileName } from './random-names.js';
import { randomRotation } from './random-rotation.js';
import { isPlainShape, oddNumber, randomCurve, randomNumber, randomValue } from './random-value.js';

/**
 * Options of `retarget`, drawn from all that are documented: usually sensible ones, a few at a time, and now and
 * then one that cannot be meant.
 */
export function randomOptions(random: Random, source: Scene, target: Scene): RetargetOptions {
  const from = source.characters[0]!.skeleton;
  const to = target.characters[0]!.skeleton;
  const own: Partial<Record<OptionName, () => unknown>> = makers(random, from, to, source);
  const share = random.pick([0, 0.05, 0.1, 0.3]);
  const options: Record<string, unknown> = {};
  for (const [name, { shape }] of listOptions()) {
    if (LEFT_OUT.includes(name)) continue;
    if (random.chance(share)) options[name] = own[name] ? own[name]() : randomValue(random, shape);
  }
  return options;
}

/** Those that are about the run itself. */
const LEFT_OUT: readonly OptionName[] = ['signal', 'onProgress'];

/** Options whose values cannot be drawn from what the list of options says of them, and that are not told here either. */
export function undrawnOptions(source: Scene, target: Scene): OptionName[] {
  const own = makers(
    createRandom(1, 0),
    target.characters[0]!.skeleton,
    target.characters[0]!.skeleton,
    source,
  );
  return listOptions().flatMap(([name, { shape }]) =>
    LEFT_OUT.includes(name) || name in own || isPlainShape(shape) ? [] : [name],
  );
}

/** Options whose values are names of these files, documents, programs, or likelier to be sensible so. */
function makers(random: Random, from: Skeleton, to: Skeleton, source: Scene) {
  const targetName = () => (random.chance(0.97) ? random.pick(to.names) : hostileName(random));
  const sourceName = () => (random.chance(0.97) ? random.pick(from.names) : hostileName(random));
  const roles = ['hips', 'head', 'leftFoot', 'rightHand', 'leftLowerLeg', 'spine'];
  const curve = () => randomCurve(random);
  const range = () => {
    const low = randomNumber(random, -170, 0);
    return [low, random.chance(0.95) ? randomNumber(random, 0, 170) : low - 1];
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
      () => ({ time: randomNumber(random, 0, 0.1), ...(random.chance(0.3) && { clip: 'walk' }) }),
      () => ({ pose: skeleton.rest }),
      () => ({
        base: random.pick(['auto', 'rest']),
        edits: Array.from({ length: random.below(4) }, () => ({
          name: name(),
          ...(random.chance(0.7) && {
            rotation: randomRotation(random).map((x) => x * (random.chance(0.9) ? 1 : oddNumber(random))),
          }),
          ...(random.chance(0.3) && { translation: [0, 1, 2].map(() => randomNumber(random, -1, 1)) }),
          ...(random.chance(0.2) && { scale: [0, 1, 2].map(() => randomNumber(random, 0, 2)) }),
        })),
      }),
    ])();
  const solver = () =>
    random.chance(0.5)
      ? random.pick(Object.keys(SOLVERS))
      : {
          solver: random.pick(Object.keys(SOLVERS)),
          ...(random.chance(0.4) && { maxIterations: random.below(60) }),
          ...(random.chance(0.4) && { tolerance: randomNumber(random, 0, 0.1) }),
          ...(random.chance(0.4) && { damping: randomNumber(random, 0, 1) }),
          ...(random.chance(0.4) && { step: randomNumber(random, 0, 1) }),
        };
  const axis = () => random.pick(['+X', '-X', '+Y', '-Y', '+Z', '-Z']);
  const unit = () => random.pick<unknown>(['m', 'cm', 'in', 0.01, randomNumber(random, 0.001, 3)]);
  const naming = () =>
    random.chance(0.5)
      ? random.pick(['mixamo_full', 'dude', 'nobody'])
      : { hips: targetName(), head: sourceName() };
  const clipName = () => source.characters[0]!.clips[0]?.name ?? 'walk';
  return {
    passes: () => PASS_NAMES.filter(() => random.chance(0.7)),
    between: () => randomNumber(random, 0.01, 5),
    frameRate: () => random.pick([24, 30, 60, 120, 1, randomNumber(random, 5, 60)]),
    clips: () => [clipName(), ...(random.chance(0.2) ? [hostileName(random)] : [])],
    map: () => ({
      version: 1,
      ...(random.chance(0.7) && {
        joints: Array.from({ length: random.below(20) }, () => ({
          target: targetName(),
          sources: Array.from({ length: 1 + random.below(3) }, sourceName),
          ...(random.chance(0.15) && { share: { from: sourceName(), weight: randomNumber(random, 0, 1) } }),
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
    matching: () => ({
      ...(random.chance(0.5) && { by: random.pick(['roles', 'chains']) }),
      ...(random.chance(0.3) && {
        weights: { direction: randomNumber(random, 0, 3), end: randomNumber(random, 0, 3) },
      }),
      ...(random.chance(0.3) && { assignment: random.pick(['best', 'greedy']) }),
      ...(random.chance(0.3) && { threshold: randomNumber(random, 0, 1) }),
      ...(random.chance(0.2) && { fixed: [{ source: null, target: targetName() }] }),
    }),
    chains: () => ({
      [random.pick(['tail', 'spine', 'limb', 'digit'])]: {
        ...(random.chance(0.6) && { solver: solver() }),
        ...(random.chance(0.3) && { goal: { weight: curve() } }),
        ...(random.chance(0.2) && { goal: { place: [0, 1, 2].map(() => randomNumber(random, -1, 1)) } }),
        ...(random.chance(0.3) && { limbScale: curve(), rootScale: curve() }),
        ...(random.chance(0.3) && { priority: randomNumber(random, 0, 9) }),
        ...(random.chance(0.2) && { imitation: random.pick(['worldDelta', 'direction', 'keep']) }),
        ...(random.chance(0.2) && { alignment: random.pick(['keep', 'line', 'bones']) }),
        ...(random.chance(0.2) && { muted: random.chance(0.5) }),
      },
    }),
    indexing: () => random.pick(['index', 'nearest', 'length']),
    sourceUp: axis,
    targetUp: axis,
    sourceFacing: axis,
    targetFacing: axis,
    sourceUnit: unit,
    targetUnit: unit,
    sourceFloor: () => randomNumber(random, -2, 2),
    targetFloor: () => randomNumber(random, -2, 2),
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
    range: () => [randomNumber(random, 0, 0.05), randomNumber(random, 0.05, 0.5)],
    speed: () => randomNumber(random, 0.3, 3),
    loop: () => (random.chance(0.5) ? true : { seconds: randomNumber(random, 0.01, 1) }),
    reduce: () =>
      random.chance(0.5)
        ? true
        : { position: 10 ** -random.below(8), angleDegrees: randomNumber(random, 1e-3, 5) },
    contacts: () => ({
      [clipName()]: Array.from({ length: random.below(5) }, () => {
        const start = randomNumber(random, 0, 1);
        return {
          point: random.pick(POINT_NAMES),
          start,
          end: start + randomNumber(random, 0, 0.5),
          ...(random.chance(0.3) && { height: randomNumber(random, 0, 1) }),
          ...(random.chance(0.3) && {
            position: [randomNumber(random, -1, 1), 0, randomNumber(random, -1, 1)],
          }),
        };
      }),
    }),
    morphs: () => ({ happy: random.pick(['joy', 'happy', hostileName(random)]) }),
    alignment: () =>
      Object.fromEntries(
        LIMBS.filter(() => random.chance(0.4)).map((limb) => [limb, random.pick(['keep', 'line', 'bones'])]),
      ),
    rootMotionJoint: () => random.pick([...roles, targetName()]),
    imitation: () => {
      const mode = () => random.pick(['worldDelta', 'direction', 'keep']);
      return random.chance(0.5) ? mode() : { [random.pick([...LIMBS, '*'])]: mode() };
    },
    translations: () => {
      const mode = () => random.pick(['rest', 'rootScaled', 'boneLengthScaled', 'copied']);
      return random.chance(0.5) ? mode() : { '*': mode(), [targetName()]: mode() };
    },
    ground: () => ({
      ...(random.chance(0.5) && { joint: random.pick([...roles, targetName()]) }),
      ...(random.chance(0.5) && { dynamic: random.chance(0.5) }),
    }),
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
    jointWeights: () => ({
      [random.chance(0.7) ? random.pick(roles) : targetName()]: randomNumber(random, 0, 3),
      torso: [
        { time: 0, value: randomNumber(random, 0, 2), easing: 'smooth' },
        { time: 1, value: randomNumber(random, 0, 2) },
      ],
    }),
    constraints: () =>
      Array.from({ length: 1 + random.below(3) }, () => ({
        joint: random.chance(0.7) ? random.pick(roles) : targetName(),
        kind: 'point',
        goal: { place: [0, 1, 2].map(() => randomNumber(random, -2, 2)) },
        ...(random.chance(0.5) && { times: { in: 0, start: 0.2, end: 0.6, out: 1 } }),
      })),
    layers: () => [
      {
        when: random.pick(['before', 'after']),
        joints: {
          [random.pick(roles)]: [{ time: 0, degrees: [0, 1, 2].map(() => randomNumber(random, -90, 90)) }],
        },
        hips: [{ time: 0, place: [0, randomNumber(random, -0.2, 0.2), 0] }],
      },
    ],
    goalPlaces: () => ({ has: () => false, place: () => {} }),
    twist: () =>
      random.pick<unknown>(['joints', 'limbs', 'none', { [targetName()]: randomNumber(random, 0, 1) }]),
    lookAt: () => ({
      ...(random.chance(0.7)
        ? { point: [0, 1, 2].map(() => randomNumber(random, -3, 3)) }
        : { joint: random.pick([...roles, targetName()]) }),
      ...(random.chance(0.3) && { headDegrees: [randomNumber(random, 0, 90), randomNumber(random, 0, 90)] }),
      ...(random.chance(0.3) && { eyeDegrees: [randomNumber(random, 0, 20), randomNumber(random, 0, 20)] }),
      ...(random.chance(0.3) && { speed: randomNumber(random, 0, 1) }),
      ...(random.chance(0.3) && { weight: randomNumber(random, 0, 1) }),
    }),
    groundHeight: () => {
      const height = randomNumber(random, -0.3, 0.3);
      return random.chance(0.5) ? [height, 0] : (x: number, z: number) => height * Math.sin(3 * x + z);
    },
  };
}
