import {
  conjugateQuaternion,
  createSkeleton,
  END,
  JOINT,
  type JointDescription,
  multiplyQuaternions,
  rotateVector,
  SKINNED,
  type Skeleton,
} from '@stuntdouble/core/engine';
import { damageJoints, type RoughJoint } from '../mutate/damage-joints.js';
import type { Random } from './random.js';
import { hostileName, NAME_STYLES, nameParts } from './random-names.js';
import { randomRotation } from './random-rotation.js';

/** The most joints that a skeleton is made of. */
const MOST_JOINTS = 400;

/** A joint of a body: its part, the part it hangs on, and its place seen from there, in metres, +Y up, +Z ahead. */
type Part = readonly [part: string, above: string, x: number, y: number, z: number];

/** An upright body; `left` parts are mirrored for the right. */
const UPRIGHT: readonly Part[] = [
  ['root', '', 0, 0, 0],
  ['hips', 'root', 0, 1, 0],
  ['spine', 'hips', 0, 0.12, 0],
  ['chest', 'spine', 0, 0.14, -0.02],
  ['upperChest', 'chest', 0, 0.14, 0],
  ['neck', 'upperChest', 0, 0.12, 0],
  ['head', 'neck', 0, 0.09, 0.02],
  ['leftEye', 'head', 0.03, 0.07, 0.08],
  ['leftShoulder', 'upperChest', 0.05, 0.06, 0],
  ['leftUpperArm', 'leftShoulder', 0.12, 0, 0],
  ['leftLowerArm', 'leftUpperArm', 0.28, 0, 0],
  ['leftHand', 'leftLowerArm', 0.25, 0, 0],
  ['leftThumbProximal', 'leftHand', 0.03, 0, 0.03],
  ['leftIndexProximal', 'leftHand', 0.09, 0, 0.02],
  ['leftIndexIntermediate', 'leftIndexProximal', 0.04, 0, 0],
  ['leftUpperLeg', 'hips', 0.09, -0.05, 0],
  ['leftLowerLeg', 'leftUpperLeg', 0, -0.43, 0.01],
  ['leftFoot', 'leftLowerLeg', 0, -0.42, -0.01],
  ['leftToes', 'leftFoot', 0, -0.08, 0.13],
];

/** An animal on four legs. */
const FOUR_LEGGED: readonly Part[] = [
  ['root', '', 0, 0, 0],
  ['hips', 'root', 0, 0.6, -0.4],
  ['spine', 'hips', 0, 0.02, 0.25],
  ['chest', 'spine', 0, 0.02, 0.3],
  ['neck', 'chest', 0, 0.12, 0.15],
  ['head', 'neck', 0, 0.15, 0.15],
  ['Tail1', 'hips', 0, 0.02, -0.1],
  ['Tail2', 'Tail1', 0, -0.05, -0.15],
  ['leftFrontLeg1', 'chest', 0.1, -0.05, 0],
  ['leftFrontLeg2', 'leftFrontLeg1', 0, -0.28, 0],
  ['leftFrontLeg3', 'leftFrontLeg2', 0, -0.27, 0.02],
  ['leftBackLeg1', 'hips', 0.1, -0.05, 0],
  ['leftBackLeg2', 'leftBackLeg1', 0, -0.27, 0.05],
  ['leftBackLeg3', 'leftBackLeg2', 0, -0.27, -0.05],
];

/** An upright body of few joints, sound in every way. */
export function plainBody(): Skeleton {
  return createSkeleton('body', bodyJoints(UPRIGHT.filter(([part]) => !/Eye|Thumb|Index/.test(part))))
    .skeleton;
}

/** The parts of a body, both sides of it, as joints with the axes of the model. */
function bodyJoints(parts: readonly Part[]): RoughJoint[] {
  const both = parts.flatMap((part): Part[] => {
    const [name, above, x, y, z] = part;
    if (!name.startsWith('left')) return [part];
    return [part, [name.replace('left', 'right'), above.replace('left', 'right'), -x, y, z]];
  });
  const places = new Map(both.map(([name], i) => [name, i]));
  return both.map(([name, above, x, y, z]) => ({
    name,
    parent: places.get(above) ?? -1,
    translation: [x, y, z],
    rotation: [0, 0, 0, 1],
    scale: [1, 1, 1],
  }));
}

const SHAPES = ['chain', 'star', 'comb', 'tree', 'twoWays', 'roots'] as const;

/** Joints that are no body: chains, stars, combs, trees, several roots. */
function plainJoints(random: Random): RoughJoint[] {
  const shape = random.pick(SHAPES);
  // Small ones more often: they are as odd, and many more of them fit into the same time.
  const count = 1 + Math.floor(random.unit() ** 3 * MOST_JOINTS);
  const length = 10 ** (random.unit() * 3 - 2);
  return Array.from({ length: count }, (_, i) => {
    const parent = {
      chain: i - 1,
      star: i === 0 ? -1 : 0,
      comb: i % 3 === 2 ? i - 1 : i < 3 ? i - 1 : i - (i % 3) - 3 + (i % 3 === 0 ? 0 : 3),
      tree: i === 0 ? -1 : random.below(i),
      twoWays: i === 0 ? -1 : (i - 1) >> 1,
      roots: random.chance(0.2) ? -1 : random.below(i + 1) - 1,
    }[shape];
    return {
      name: `${random.chance(0.5) ? 'bone' : 'Tail'}_${i}`,
      parent: Math.min(parent, i - 1),
      translation: [0, 1, 2].map(() => (random.unit() * 2 - 1) * length),
      rotation: [0, 0, 0, 1],
      scale: [1, 1, 1],
    };
  });
}

/** Gives joints axes of their own without moving any of them: locals are seen from the turned parents. */
function turnAxes(random: Random, joints: RoughJoint[]): void {
  const isEach = random.chance(0.5);
  const common = randomRotation(random);
  const model = joints.map(() => Float64Array.from(isEach ? randomRotation(random) : common));
  const above = new Float64Array(4);
  const out = new Float64Array(4);
  joints.forEach((joint, i) => {
    if (joint.parent < 0) above.set([0, 0, 0, 1]);
    else conjugateQuaternion(above, 0, model[joint.parent]!, 0);
    rotateVector(out, 0, above, 0, Float64Array.from(joint.translation), 0);
    joint.translation = Array.from(out.subarray(0, 3));
    multiplyQuaternions(out, 0, above, 0, model[i]!, 0);
    joint.rotation = Array.from(out);
  });
}

/**
 * Makes two skeletons: most often two bodies with names of some families, else joints of any topology, alike or not;
 * each damaged in up to five ways. All of their numbers are finite, however extreme.
 */
export function randomSkeletons(random: Random): [Skeleton, Skeleton] {
  const kind = random.unit();
  if (kind < 0.7) return [finish(random, randomBody(random)), finish(random, randomBody(random))];
  const joints = plainJoints(random);
  // Joints of the same names are one body to the map, whatever hangs where.
  const others =
    kind < 0.92 ? structuredClone(joints) : kind < 0.96 ? plainJoints(random) : randomBody(random);
  return [finish(random, joints), finish(random, others)];
}

function randomBody(random: Random): RoughJoint[] {
  const joints = bodyJoints(random.chance(0.85) ? UPRIGHT : FOUR_LEGGED);
  nameParts(joints, random.chance(0.04) ? 'mute' : random.pick(NAME_STYLES));
  return joints;
}

/** Turns, damages, flags and dresses joints. */
function finish(random: Random, joints: RoughJoint[]): Skeleton {
  if (random.chance(0.4)) turnAxes(random, joints);
  const rounds = random.chance(0.4) ? 0 : 1 + random.below(5);
  for (let n = 0; n < rounds; n++) damageJoints(random, joints);
  const isParent = new Set(joints.map(({ parent }) => parent));
  const flagged = joints.map((joint, i): JointDescription => {
    const kind = random.unit();
    const flags = kind < 0.03 ? 0 : !isParent.has(i) && kind < 0.15 ? JOINT | END : JOINT;
    return { ...joint, flags: flags | (random.chance(0.7) ? SKINNED : 0) };
  });
  const name = random.chance(0.9) ? 'body' : hostileName(random);
  const { skeleton } = createSkeleton(name, flagged, {
    ...(random.chance(0.3) && { container: randomContainer(random) }),
    declared: {
      up: random.chance(0.5) ? null : random.pick(['+Y', '+Z', '-X'] as const),
      facing: random.chance(0.7) ? null : random.pick(['+Z', '-Y', '+X'] as const),
      unit: random.chance(0.5) ? null : 10 ** (random.below(13) - 6),
      ...(random.chance(0.1) && { capture: true }),
    },
  });
  addSkin(random, skeleton);
  return skeleton;
}

/** Axes of a file: any two exchanged, any of them turned round, in any unit. */
function randomContainer(random: Random): Float64Array {
  const order = random.pick([
    [0, 1, 2],
    [1, 2, 0],
    [2, 0, 1],
    [1, 0, 2],
  ]);
  const unit = 10 ** (random.unit() * 12 - 6);
  const container = new Float64Array(16);
  container[15] = 1;
  for (let c = 0; c < 3; c++) container[4 * c + order[c]!] = random.chance(0.3) ? -unit : unit;
  return container;
}

/** A bind pose, hulls and roles by the file's own word, sound or not, at times. */
function addSkin(random: Random, skeleton: Skeleton): void {
  const { names, rest } = skeleton;
  if (random.chance(0.3)) {
    const bind = {
      translations: rest.translations.slice(),
      rotations: rest.rotations.slice(),
      scales: rest.scales.slice(),
    };
    if (random.chance(0.5))
      for (let n = random.below(6); n >= 0; n--) {
        const i = random.below(names.length);
        bind.rotations.set(randomRotation(random), 4 * i);
        if (random.chance(0.3)) bind.translations[3 * i] = 10 ** (random.unit() * 60 - 30);
        if (random.chance(0.2)) bind.scales[3 * i] = random.pick([0, -1, 1e-20, 1e20]);
      }
    skeleton.bind = bind;
  }
  if (random.chance(0.3)) {
    const size = random.chance(0.9) ? 0.1 : 10 ** (random.unit() * 60 - 30);
    skeleton.hulls = names.map(() =>
      random.chance(0.5)
        ? null
        : Float32Array.from({ length: 3 * random.below(12) }, () => (random.unit() - 0.5) * size),
    );
  }
  if (random.chance(0.15)) {
    const roles = ['hips', 'spine', 'head', 'leftFoot', 'rightFoot', 'leftUpperLeg', 'leftHand'];
    skeleton.metadataRoles = Object.fromEntries(roles.map((role) => [role, random.below(names.length)]));
  }
}
