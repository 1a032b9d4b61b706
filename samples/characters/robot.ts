import { ROLES, type Role, type Side } from '@stuntdouble/core/engine';
import { type Body, createBody, type Finger } from '../body/body.js';
import { type Blob, behind, bothSides, box, capsule, ellipsoid, type Part, ring } from '../body/shape.js';
import { createSkin } from '../body/skin.js';
import type { SampleCharacter } from '../character-file.js';
import { createRig, type JointPlan, type SampleRig } from '../sample-rig.js';
import { add, mix, pitch, type Quat, roll, turnBy, type Vec3, yaw } from '../vector.js';

const PLATE = '#4f8fb8';
const STEEL = '#9aa4ad';
const DARK = '#2d333b';
const GLOW = '#ffd84a';
const FINGERS: readonly Finger[] = ['Index', 'Ring'];

const body: Body = createBody({
  hips: [0, 0.78, 0],
  spine: [0, 0.88, 0],
  chest: [0, 0.98, 0],
  upperChest: [0, 1.1, 0],
  neck: [0, 1.3, 0],
  head: [0, 1.36, 0],
  headTop: [0, 1.62, 0],
  eye: [0.05, 1.48, 0.12],
  shoulder: [0.08, 1.22, 0],
  upperArm: [0.23, 1.22, 0],
  lowerArm: [0.47, 1.22, -0.006],
  hand: [0.72, 1.22, 0],
  upperLeg: [0.11, 0.72, 0],
  lowerLeg: [0.11, 0.41, 0.012],
  foot: [0.11, 0.09, 0],
  toes: [0.11, 0.03, 0.11],
  toeTip: [0.11, 0.03, 0.19],
  handSize: 1.2,
  fingers: FINGERS,
});

const stiff = { blend: 0.004, softness: 0 };

function robotParts(): Part[] {
  const joint = (role: Role, radius: number): Blob =>
    ellipsoid(role, body.joints[role]!, [radius, radius, radius], stiff);
  const tube = (role: Role, from: number, to: number, radiusA: number, radiusB: number): Blob => {
    const a = body.joints[role]!;
    const b = body.tips[role]!;
    return capsule(role, mix(a, b, from), mix(a, b, to), radiusA, radiusB, stiff);
  };
  const sides = (make: (side: Side, on: (point: Vec3) => Vec3) => Blob[]) => bothSides(make).flat();
  const rigid = (name: string, color: string, blobs: Blob[], cell: Vec3, shine: number): Part => ({
    name,
    color,
    blobs,
    cell,
    shine,
    smoothing: 0,
    // Rigid parts slide over each other: what is covered at rest shows in motion.
    whole: true,
  });
  return [
    rigid(
      'plates',
      PLATE,
      [
        box('upperChest', [0, 1.15, 0.01], [0.17, 0.125, 0.115], 0.04, stiff),
        box('hips', [0, 0.77, 0], [0.12, 0.065, 0.09], 0.035, stiff),
      ],
      [0.0415, 0.0415, 0.0415],
      0.4,
    ),
    rigid(
      'plates',
      PLATE,
      [box('head', [0, 1.485, 0.01], [0.135, 0.105, 0.115], 0.04, stiff)],
      [0.0366, 0.0366, 0.0366],
      0.4,
    ),
    rigid(
      'dark',
      DARK,
      [box('head', [0, 1.485, 0.115], [0.105, 0.07, 0.022], 0.02, stiff)],
      [0.0256, 0.0244, 0.0171],
      0.6,
    ),
    rigid(
      'glow',
      GLOW,
      sides((side, on) => [ellipsoid(`${side}Eye`, on([0.048, 1.495, 0.136]), [0.027, 0.027, 0.012], stiff)]),
      [0.0146, 0.0146, 0.0085],
      0.2,
    ),
    rigid(
      'glow',
      GLOW,
      [capsule('head', [-0.03, 1.445, 0.136], [0.03, 1.445, 0.136], 0.007, 0.007, stiff)],
      [0.0146, 0.0073, 0.0073],
      0.2,
    ),
    rigid(
      'glow',
      GLOW,
      [ellipsoid('upperChest', [0, 1.165, 0.122], [0.04, 0.04, 0.016], stiff)],
      [0.0207, 0.0207, 0.011],
      0.2,
    ),
    rigid(
      'steel',
      STEEL,
      [ring('upperChest', [0, 1.165, 0.12], 0.05, 0.01, { ...stiff, turn: pitch(90) })],
      [0.0159, 0.0159, 0.0134],
      0.6,
    ),
    rigid(
      'steel',
      STEEL,
      [
        capsule('neck', [0, 1.27, 0], [0, 1.4, 0], 0.05, 0.05, stiff),
        ring('spine', [0, 0.87, 0], 0.058, 0.034, stiff),
        ring('spine', [0, 0.93, 0], 0.062, 0.034, stiff),
        ring('chest', [0, 0.99, 0], 0.066, 0.034, stiff),
      ],
      [0.0342, 0.0244, 0.0342],
      0.6,
    ),
    rigid(
      'steel',
      STEEL,
      [
        capsule('head', [0, 1.58, 0], [0, 1.665, 0], 0.009, 0.007, stiff),
        ...sides((_, on) => [
          capsule('head', on([0.135, 1.485, 0]), on([0.16, 1.485, 0]), 0.034, 0.028, stiff),
        ]),
      ],
      [0.0159, 0.0159, 0.0159],
      0.6,
    ),
    rigid(
      'glow',
      GLOW,
      [ellipsoid('head', [0, 1.68, 0], [0.022, 0.022, 0.022], stiff)],
      [0.0159, 0.0159, 0.0159],
      0.2,
    ),
    rigid(
      'plates',
      PLATE,
      sides((side, on) => [
        ellipsoid(`${side}UpperArm`, on([0.235, 1.23, 0]), [0.075, 0.075, 0.075], stiff),
        tube(`${side}LowerArm`, 0.3, 0.85, 0.05, 0.058),
      ]),
      [0.0342, 0.0317, 0.0317],
      0.4,
    ),
    rigid(
      'steel',
      STEEL,
      sides((side) => [
        capsule(
          `${side}Shoulder`,
          mix(body.joints[`${side}Shoulder`]!, body.tips[`${side}Shoulder`]!, 0.3),
          body.tips[`${side}Shoulder`]!,
          0.04,
          0.04,
          stiff,
        ),
        tube(`${side}UpperArm`, 0.2, 0.92, 0.034, 0.034),
        joint(`${side}LowerArm`, 0.05),
        tube(`${side}LowerArm`, 0.1, 1, 0.03, 0.03),
      ]),
      [0.0366, 0.0256, 0.0256],
      0.6,
    ),
    rigid(
      'dark',
      DARK,
      sides((side) => {
        const hand = body.joints[`${side}Hand`]!;
        const out = side === 'left' ? 1 : -1;
        const fingers = (['Index', 'Ring'] as const).flatMap((finger) =>
          (['Proximal', 'Intermediate', 'Distal'] as const).map((phalanx, i) =>
            tube(`${side}${finger}${phalanx}`, 0, 1, 0.0165 - 0.001 * i, 0.015 - 0.001 * i),
          ),
        );
        const thumb = (['Metacarpal', 'Proximal', 'Distal'] as const).map((phalanx) =>
          tube(`${side}Thumb${phalanx}`, 0, 1, 0.017, 0.014),
        );
        return [
          box(`${side}Hand`, add(hand, [0.06 * out, 0, 0.01]), [0.055, 0.028, 0.05], 0.022, stiff),
          ...fingers,
          ...thumb,
        ];
      }),
      [0.0201, 0.0152, 0.0152],
      0.3,
    ),
    rigid(
      'steel',
      STEEL,
      sides((side) => [
        joint(`${side}UpperLeg`, 0.062),
        tube(`${side}UpperLeg`, 0.1, 0.95, 0.042, 0.04),
        joint(`${side}LowerLeg`, 0.056),
        tube(`${side}LowerLeg`, 0.1, 0.98, 0.036, 0.034),
        joint(`${side}Foot`, 0.042),
      ]),
      [0.0293, 0.0366, 0.0293],
      0.6,
    ),
    rigid(
      'plates',
      PLATE,
      sides((side, on) => [
        tube(`${side}UpperLeg`, 0.32, 0.68, 0.062, 0.056),
        tube(`${side}LowerLeg`, 0.38, 0.78, 0.06, 0.072),
        ellipsoid(`${side}LowerLeg`, on([0.11, 0.415, 0.05]), [0.04, 0.05, 0.026], stiff),
      ]),
      [0.0329, 0.0366, 0.0293],
      0.4,
    ),
    {
      ...rigid(
        'plates',
        PLATE,
        sides((side, on) => [
          box(`${side}Foot`, on([0.11, 0.035, 0.02]), [0.06, 0.05, 0.085], 0.03, stiff),
          box(`${side}Toes`, on([0.11, 0.025, 0.145]), [0.058, 0.042, 0.055], 0.03, stiff),
        ]),
        [0.0317, 0.0244, 0.0317],
        0.4,
      ),
      keep: [behind([0, 0, 0], [0, -1, 0])],
    },
  ];
}

/** A fixed sequence that looks random: the minimal standard generator of Park and Miller (1988). */
function createDice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** Arms hanging at 68 degrees. */
function robotRest() {
  const turns: Partial<Record<Role, Quat>> = {};
  for (const side of ['left', 'right'] as const) {
    const s = side === 'left' ? 1 : -1;
    turns[`${side}UpperArm`] = roll(-68 * s);
    turns[`${side}LowerArm`] = yaw(-12 * s);
  }
  return { turns, hips: body.joints.hips! };
}

/** The robot's rig, its shuffled node order, and the map that says what the names do not. */
export function createRobotRig(): {
  rig: SampleRig;
  nodeOrder: number[];
  roles: Partial<Record<Role, string>>;
} {
  const dice = createDice(20_011);
  const count = body.order.length + 1;
  const nodeOrder = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(dice() * (i + 1));
    [nodeOrder[i], nodeOrder[j]] = [nodeOrder[j]!, nodeOrder[i]!];
  }
  const nameOf = (index: number) => `bone_${nodeOrder[index]!}`;
  const anyAxes = () => turnBy(yaw(360 * dice()), pitch(180 * dice() - 90), roll(360 * dice()));
  const plans: JointPlan[] = [{ name: nameOf(0), parent: null, role: null, axes: anyAxes() }];
  const roles: Partial<Record<Role, string>> = {};
  body.order.forEach((role, i) => {
    const parent = body.parents[role];
    const parentName = parent ? nameOf(body.order.indexOf(parent) + 1) : nameOf(0);
    plans.push({ name: nameOf(i + 1), parent: parentName, role, axes: anyAxes() });
    roles[role as Role] = nameOf(i + 1);
  });
  const sorted = Object.fromEntries(ROLES.flatMap((role) => (roles[role] ? [[role, roles[role]]] : [])));
  return { rig: createRig(body, plans, { rest: robotRest() }), nodeOrder, roles: sorted };
}

/** Names, node order and axes that mean nothing; a saved map tells body parts apart. */
export function createRobot(): SampleCharacter {
  const { rig, nodeOrder } = createRobotRig();
  return { name: 'robot', title: 'Robot', rig, skin: createSkin(body, robotParts()), nodeOrder };
}
