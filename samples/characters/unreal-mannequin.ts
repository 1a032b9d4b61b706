import type { Role, Side } from '@stuntdouble/core/engine';
import { ALL_FINGERS, type Body, createBody } from '../body/body.js';
import { armParts, headPoint } from '../body/body-parts.js';
import { behind, bothSides, capsule, decal, ellipseOutline, ellipsoid, type Part } from '../body/shape.js';
import { createSkin } from '../body/skin.js';
import { footBlobs, legBlobs, lowerArmBlobs, torsoBlobs, upperArmBlobs } from '../body/torso-parts.js';
import type { SampleCharacter } from '../character-file.js';
import { axesAlongX, boneOf, createRig, type JointPlan, mirrorAxes, type SampleRig } from '../sample-rig.js';
import { add, mix, NO_TURN, pitch, type Quat, roll, scale, turnBy, type Vec3, yaw } from '../vector.js';

const HEAD = 1.02;
const SHELL = '#d9dbdf';
const DARK = '#343a46';
const ACCENT = '#f08a2c';

const body: Body = createBody({
  hips: [0, 1.02, 0],
  spine: [0, 1.11, -0.004],
  chest: [0, 1.24, -0.01],
  upperChest: [0, 1.37, -0.014],
  neck: [0, 1.535, -0.02],
  head: [0, 1.61, -0.004],
  headTop: [0, 1.86, 0],
  eye: [0.035, 1.71, 0.08],
  shoulder: [0.035, 1.49, -0.014],
  upperArm: [0.19, 1.49, -0.02],
  lowerArm: [0.475, 1.49, -0.026],
  hand: [0.735, 1.49, -0.018],
  upperLeg: [0.1, 0.965, 0],
  lowerLeg: [0.106, 0.53, 0.008],
  foot: [0.108, 0.095, -0.022],
  toes: [0.114, 0.026, 0.112],
  toeTip: [0.116, 0.024, 0.195],
  handSize: 1.12,
  fingers: ALL_FINGERS,
});

function mannequinParts(): Part[] {
  const at = headPoint(body, HEAD);
  const torso = torsoBlobs(body, {
    hips: [0.062, 0.105],
    waist: [0.04, 0.098],
    chest: [0.075, 0.118],
    upperChest: [0.1, 0.116],
    shoulder: 0.068,
    neck: 0.064,
  });
  const upperArm = (side: Side) => upperArmBlobs(body, side, [0.066, 0.062, 0.047]);
  const lowerArm = (side: Side) => lowerArmBlobs(body, side, [0.047, 0.049, 0.031]);
  const legs = legBlobs(body, [0.094, 0.094, 0.062], [0.062, 0.068, 0.042]);
  const feet = footBlobs(body, 1.06);
  const skull = [
    ellipsoid('head', at([0, 0.125, -0.002]), scale([0.09, 0.118, 0.106], HEAD), { blend: 0 }),
    ellipsoid('head', at([0, 0.055, 0.026]), scale([0.064, 0.06, 0.066], HEAD), { blend: 0.06 }),
  ];
  const shellBlobs = [
    ...torso,
    ...upperArm('left'),
    ...upperArm('right'),
    ...legs.filter((blob) => /UpperLeg/.test(blob.role)),
  ];
  const floor = behind([0, 0, 0], [0, -1, 0]);
  // A band of accent colour around a limb, a little thicker than the limb.
  const band = (name: string, blobs: Part['blobs'], from: Vec3, to: Vec3, along: Vec3, cell: Vec3): Part => ({
    name,
    color: ACCENT,
    blobs,
    inflate: 0.016,
    keep: [behind(to, along), behind(from, scale(along, -1))],
    cell,
  });
  return [
    {
      name: 'shell',
      color: SHELL,
      blobs: skull,
      cell: [0.0231, 0.0231, 0.0231],
      shine: 0.45,
    },
    {
      name: 'dark',
      color: DARK,
      blobs: [capsule('neck', [0, 1.5, -0.02], [0, 1.65, -0.004], 0.056, 0.05, { blend: 0 })],
      cell: [0.0242, 0.033, 0.0242],
      shine: 0.2,
    },
    {
      ...decal(
        'visor',
        '#1c2530',
        skull,
        ellipseOutline(at([0, 0.112, 0.05]), [0, 0, 1], 0.078, 0.03),
        0.004,
        { low: at([-0.095, 0.07, 0.03]), high: at([0.095, 0.155, 0.13]) },
        [0.016, 0.0115, 0.016],
      ),
      shine: 0.8,
    },
    {
      name: 'light',
      color: '#59d7ff',
      blobs: bothSides((_, on) =>
        capsule('head', at(on([0.02, 0.114, 0.107])), at(on([0.042, 0.114, 0.099])), 0.007, 0.007, {
          blend: 0,
        }),
      ),
      cell: [0.011, 0.0077, 0.0077],
      smoothing: 0,
      whole: true,
    },
    ...armParts(body, SHELL, (side) => [...upperArm(side), ...lowerArm(side)], 1.12, 1, DARK).map((part) => ({
      ...part,
      name: part.color === SHELL ? 'shell' : 'dark',
      shine: part.color === SHELL ? 0.45 : 0.2,
    })),
    {
      name: 'shell',
      color: SHELL,
      blobs: shellBlobs,
      inflate: 0.008,
      keep: [
        behind([0, 0.86, 0], [0, -1, 0]),
        behind([0.29, 0, 0], [1, 0, 0]),
        behind([-0.29, 0, 0], [-1, 0, 0]),
      ],
      cell: [0.0418, 0.0396, 0.0374],
      shine: 0.45,
    },
    band('accent', shellBlobs, [0, 1.06, 0], [0, 1.09, 0], [0, 1, 0], [0.034, 0.02, 0.034]),
    ...bothSides((side, on) =>
      band(
        'accent',
        upperArm(side),
        on([0.275, 0, 0]),
        on([0.305, 0, 0]),
        on([1, 0, 0]),
        [0.018, 0.028, 0.028],
      ),
    ),
    {
      name: 'dark',
      color: DARK,
      blobs: [torso[0]!, ...legs],
      keep: [behind([0, 0.98, 0], [0, 1, 0]), behind([0, 0.07, 0], [0, -1, 0])],
      smoothing: 6,
      cell: [0.0341, 0.0572, 0.0341],
      shine: 0.2,
    },
    ...bothSides(
      (side, on): Part => ({
        name: 'shell',
        color: SHELL,
        blobs: [
          ellipsoid(
            `${side}LowerLeg`,
            on(add(body.joints.leftLowerLeg!, [0, 0.0, 0.028])),
            [0.056, 0.07, 0.05],
            { blend: 0 },
          ),
          // Narrow and far forward, so that it leaves the leg at a steep angle, with a clean edge.
          capsule(`${side}LowerLeg`, on([0.107, 0.4, 0.058]), on([0.108, 0.2, 0.026]), 0.046, 0.036, {
            blend: 0.02,
          }),
        ],
        cell: [0.0297, 0.0418, 0.0297],
        smoothing: 0,
        whole: true,
        shine: 0.45,
      }),
    ),
    {
      name: 'shell',
      color: SHELL,
      blobs: feet,
      keep: [behind([0, 0.007, 0], [0, -1, 0])],
      cell: [0.0286, 0.0231, 0.0319],
      shine: 0.45,
    },
    {
      name: 'dark',
      color: DARK,
      blobs: feet.filter((_, i) => i % 3 !== 0),
      inflate: 0.005,
      keep: [floor, behind([0, 0.018, 0], [0, 1, 0])],
      cell: [0.0308, 0.0198, 0.0352],
      shine: 0.2,
    },
  ];
}

/** Left-hand axes of Unreal's mannequin: +X along the bone in arms, against it in legs. */
function unrealAxes(role: Role): Quat {
  const left = (leftRole: Role): Quat => {
    const bone = boneOf(body, leftRole);
    if (/Thumb/.test(leftRole)) return axesAlongX(bone, [0, -1, 0.4]);
    if (/Arm|Shoulder|Hand|Index|Middle|Ring|Little/.test(leftRole)) return axesAlongX(bone, [0, 0, 1]);
    if (/Leg/.test(leftRole)) return axesAlongX(scale(bone, -1), [0, 0, -1]);
    return axesAlongX(scale(bone, -1), [0, 1, 0]);
  };
  if (role.startsWith('left')) return left(role);
  if (role.startsWith('right')) return mirrorAxes(left(`left${role.slice(5)}` as Role));
  return axesAlongX([0, 1, 0], [0, 0, 1]);
}

function mannequinRig(): SampleRig {
  const plans: JointPlan[] = [];
  // Z up at the root, as Unreal's own axes are.
  plans.push({ name: 'root', parent: null, role: null, axes: pitch(-90) });
  const put = (name: string, parent: string, role: Role) =>
    plans.push({ name, parent, role, axes: unrealAxes(role) });
  const twist = (name: string, parent: string, role: Role, t: number) =>
    plans.push({
      name,
      parent,
      role,
      at: mix(body.joints[role]!, body.tips[role]!, t),
      axes: unrealAxes(role),
      part: 'shares',
    });
  put('pelvis', 'root', 'hips');
  put('spine_01', 'pelvis', 'spine');
  put('spine_02', 'spine_01', 'chest');
  put('spine_03', 'spine_02', 'upperChest');
  for (const side of ['left', 'right'] as const) {
    const s = side[0]!;
    put(`clavicle_${s}`, 'spine_03', `${side}Shoulder`);
    put(`upperarm_${s}`, `clavicle_${s}`, `${side}UpperArm`);
    put(`lowerarm_${s}`, `upperarm_${s}`, `${side}LowerArm`);
    put(`hand_${s}`, `lowerarm_${s}`, `${side}Hand`);
    for (const finger of ['Index', 'Middle', 'Little', 'Ring'] as const) {
      const label = finger === 'Little' ? 'pinky' : finger.toLowerCase();
      (['Proximal', 'Intermediate', 'Distal'] as const).forEach((phalanx, i) => {
        put(
          `${label}_0${i + 1}_${s}`,
          i === 0 ? `hand_${s}` : `${label}_0${i}_${s}`,
          `${side}${finger}${phalanx}`,
        );
      });
    }
    (['Metacarpal', 'Proximal', 'Distal'] as const).forEach((phalanx, i) => {
      put(`thumb_0${i + 1}_${s}`, i === 0 ? `hand_${s}` : `thumb_0${i}_${s}`, `${side}Thumb${phalanx}`);
    });
    twist(`lowerarm_twist_01_${s}`, `lowerarm_${s}`, `${side}LowerArm`, 0.6);
    twist(`upperarm_twist_01_${s}`, `upperarm_${s}`, `${side}UpperArm`, 0.5);
  }
  put('neck_01', 'spine_03', 'neck');
  put('head', 'neck_01', 'head');
  for (const side of ['left', 'right'] as const) {
    const s = side[0]!;
    put(`thigh_${s}`, 'pelvis', `${side}UpperLeg`);
    put(`calf_${s}`, `thigh_${s}`, `${side}LowerLeg`);
    twist(`calf_twist_01_${s}`, `calf_${s}`, `${side}LowerLeg`, 0.5);
    put(`foot_${s}`, `calf_${s}`, `${side}Foot`);
    put(`ball_${s}`, `foot_${s}`, `${side}Toes`);
    twist(`thigh_twist_01_${s}`, `thigh_${s}`, `${side}UpperLeg`, 0.5);
  }
  // Goals of a game's own IK: they stand at the floor and copy hands and feet there.
  const rest = mannequinRest();
  const base = createRig(body, plans, { rest });
  const placeOf = (name: string) => base.joints.find((joint) => joint.name === name)!;
  const helper = (name: string, parent: string, copies: string | null) => {
    const joint = copies ? placeOf(copies) : null;
    plans.push({
      name,
      parent,
      role: null,
      axes: joint ? joint.rotation : pitch(-90),
      at: joint ? joint.translation : [0, 0, 0],
    });
  };
  helper('ik_foot_root', 'root', null);
  helper('ik_foot_l', 'ik_foot_root', 'foot_l');
  helper('ik_foot_r', 'ik_foot_root', 'foot_r');
  helper('ik_hand_root', 'root', null);
  helper('ik_hand_gun', 'ik_hand_root', 'hand_r');
  helper('ik_hand_l', 'ik_hand_gun', 'hand_l');
  helper('ik_hand_r', 'ik_hand_gun', 'hand_r');
  return createRig(body, plans, { rest });
}

/** Arms 48 degrees down, elbows a little forward, feet a little apart. */
function mannequinRest() {
  const turns: Partial<Record<Role, Quat>> = {};
  for (const side of ['left', 'right'] as const) {
    const s = side === 'left' ? 1 : -1;
    turns[`${side}Shoulder`] = roll(-4 * s);
    turns[`${side}UpperArm`] = roll(-44 * s);
    turns[`${side}LowerArm`] = turnBy(roll(-4 * s), yaw(-14 * s));
    turns[`${side}Hand`] = NO_TURN;
    turns[`${side}UpperLeg`] = roll(3 * s);
    turns[`${side}Foot`] = roll(-3 * s);
    for (const finger of ALL_FINGERS)
      for (const phalanx of ['Proximal', 'Intermediate', 'Distal'] as const)
        turns[`${side}${finger}${phalanx}`] = roll(-9 * s);
  }
  return { turns, hips: add(body.joints.hips!, [0, -0.0015, 0]) };
}

/** Unreal's names, twist joints, IK joints and mirrored axes; A-pose; a root joint on the floor. */
export function createUnrealMannequin(): SampleCharacter {
  return {
    name: 'unreal-mannequin',
    title: 'Unreal-style mannequin',
    rig: mannequinRig(),
    skin: createSkin(body, mannequinParts()),
  };
}
