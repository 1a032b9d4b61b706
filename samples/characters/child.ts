import type { Role, Side } from '@stuntdouble/core/engine';
import { ALL_FINGERS, type Body, createBody } from '../body/body.js';
import { armParts, EYE_PLACE, headParts, headPoint } from '../body/body-parts.js';
import { behind, below, bothSides, capsule, ellipsoid, type Part } from '../body/shape.js';
import { createSkin } from '../body/skin.js';
import { footBlobs, legBlobs, lowerArmBlobs, torsoBlobs, upperArmBlobs } from '../body/torso-parts.js';
import type { SampleCharacter } from '../character-file.js';
import { axesAlongY, boneOf, createRig, type JointPlan, type SampleRig } from '../sample-rig.js';
import { add, direction, mix, NO_TURN, type Quat, roll, scale, type Vec3, yaw } from '../vector.js';

const HEAD = 1.22;
const SKIN = '#c98d66';
const COAT = '#f2b632';

const body: Body = createBody({
  hips: [0, 0.5, 0],
  spine: [0, 0.55, 0],
  chest: [0, 0.62, -0.004],
  upperChest: [0, 0.69, -0.006],
  neck: [0, 0.775, -0.008],
  head: [0, 0.815, 0],
  headTop: [0, 1.12, 0],
  eye: add([0, 0.815, 0], scale(EYE_PLACE, HEAD)),
  shoulder: [0.025, 0.745, -0.006],
  upperArm: [0.105, 0.745, -0.008],
  lowerArm: [0.24, 0.745, -0.01],
  hand: [0.365, 0.745, -0.008],
  upperLeg: [0.058, 0.47, 0],
  lowerLeg: [0.06, 0.27, 0.004],
  foot: [0.06, 0.06, -0.014],
  toes: [0.063, 0.018, 0.06],
  toeTip: [0.065, 0.016, 0.112],
  handSize: 0.66,
  fingers: ALL_FINGERS,
});

function childParts(): Part[] {
  const at = headPoint(body, HEAD);
  const torso = torsoBlobs(body, {
    hips: [0.034, 0.078],
    waist: [0.034, 0.082],
    chest: [0.034, 0.08],
    upperChest: [0.042, 0.072],
    shoulder: 0.043,
    neck: 0.04,
    depth: 0.94,
  });
  const upperArm = (side: Side) => upperArmBlobs(body, side, [0.042, 0.038, 0.031]);
  const lowerArm = (side: Side) => lowerArmBlobs(body, side, [0.031, 0.03, 0.022]);
  const legs = legBlobs(body, [0.06, 0.056, 0.041], [0.041, 0.042, 0.031]);
  const feet = footBlobs(body, 0.68);
  const floor = behind([0, 0, 0], [0, -1, 0]);
  const coat = [
    ...torso,
    ...upperArm('left'),
    ...upperArm('right'),
    ...lowerArm('left'),
    ...lowerArm('right'),
    ...legs.filter((blob) => /UpperLeg/.test(blob.role)),
  ];
  return [
    ...headParts(body, {
      size: HEAD,
      skin: SKIN,
      iris: '#6b4226',
      brow: '#33211a',
      mouth: '#8c4338',
      eye: [0.0255, 0.031],
      neckFrom: [0, 0.765, -0.008],
      neckRadius: 0.036,
      cheeks: '#d97f5f',
      smile: 0.036,
    }),
    ...armParts(body, SKIN, (side) => [...upperArm(side), ...lowerArm(side)], 0.66, 1.12),
    {
      name: 'coat',
      color: COAT,
      blobs: coat,
      inflate: 0.015,
      keep: [
        behind([0, 0.425, 0], [0, -1, 0]),
        behind([0.325, 0, 0], [1, 0, 0]),
        behind([-0.325, 0, 0], [-1, 0, 0]),
        below(0.806, 0.3, 0.062),
      ],
      cell: [0.0318, 0.0297, 0.0286],
      shine: 0.35,
    },
    ...([0.7, 0.62, 0.54] as const).map(
      (y): Part => ({
        name: 'buttons',
        color: '#7a4b22',
        blobs: [
          ellipsoid(
            y > 0.65 ? 'upperChest' : y > 0.58 ? 'chest' : 'spine',
            [0, y, y > 0.65 ? 0.077 : 0.09],
            [0.0115, 0.0115, 0.007],
            {
              blend: 0,
            },
          ),
        ],
        cell: [0.0069, 0.0069, 0.0053],
        whole: true,
      }),
    ),
    {
      name: 'trousers',
      color: '#4e7fb0',
      blobs: [torso[0]!, ...legs],
      inflate: 0.004,
      keep: [behind([0, 0.5, 0], [0, 1, 0]), behind([0, 0.06, 0], [0, -1, 0])],
      smoothing: 6,
      cell: [0.0276, 0.036, 0.0276],
    },
    {
      name: 'boots',
      color: '#c23b4a',
      blobs: [
        ...feet,
        ...bothSides((side, on) =>
          capsule(`${side}LowerLeg`, on([0.06, 0.145, -0.006]), on([0.06, 0.06, -0.014]), 0.045, 0.037, {
            blend: 0.02,
          }),
        ),
      ],
      keep: [floor, behind([0, 0.145, 0], [0, 1, 0])],
      cell: [0.0207, 0.0212, 0.0223],
      shine: 0.4,
    },
    {
      name: 'hair',
      color: '#33211a',
      blobs: [
        ellipsoid('head', at([0, 0.128, -0.016]), scale([0.106, 0.112, 0.106], HEAD), { blend: 0 }),
        ...([-0.05, 0, 0.045] as const).map((x) =>
          capsule(
            'head',
            at([x, 0.19, 0.06]),
            at([x * 1.25 + 0.012, 0.165, 0.094 - Math.abs(x) * 0.4]),
            0.022,
            0.012,
            {
              blend: 0.012,
            },
          ),
        ),
      ],
      keep: [behind(at([0, 0.125, 0.02]), direction([0, -1, 0.95]))],
      edge: 0.02,
      cell: scale([0.0249, 0.0228, 0.0249], HEAD),
      smoothing: 0,
    },
    {
      name: 'cap',
      color: '#2f8f6b',
      blobs: [ellipsoid('head', at([0, 0.165, -0.012]), scale([0.118, 0.1, 0.118], HEAD), { blend: 0 })],
      keep: [behind(at([0, 0.178, 0]), direction([0, -1, 0.12]))],
      cell: scale([0.0297, 0.0254, 0.0297], HEAD),
      smoothing: 0,
    },
    {
      name: 'peak',
      color: '#24714f',
      blobs: [
        ellipsoid('head', at([0, 0.18, 0.1]), scale([0.085, 0.011, 0.085], HEAD), { blend: 0 }),
        ellipsoid('head', at([0, 0.265, -0.012]), scale([0.014, 0.009, 0.014], HEAD), { blend: 0 }),
      ],
      cell: scale([0.0254, 0.009, 0.0254], HEAD),
      smoothing: 0,
    },
  ];
}

/** Blender's axes: +Y along the bone, rolled so that +Z is forward, or up in arms. */
function rigifyAxes(role: Role): Quat {
  const bone = boneOf(body, role);
  return /Arm|Shoulder|Hand|Index|Middle|Ring|Little|Thumb|Foot|Toes/.test(role)
    ? axesAlongY(bone, [0, 1, 0])
    : axesAlongY(bone, [0, 0, 1]);
}

/** Arms 40 degrees down with soft elbows. */
function childRest() {
  const turns: Partial<Record<Role, Quat>> = {};
  for (const side of ['left', 'right'] as const) {
    const s = side === 'left' ? 1 : -1;
    turns[`${side}UpperArm`] = roll(-40 * s);
    turns[`${side}LowerArm`] = yaw(-10 * s);
  }
  return { turns, hips: body.joints.hips! };
}

function childRig(): SampleRig {
  const plans: JointPlan[] = [];
  const put = (name: string, parent: string | null, role: Role, at?: Vec3, part?: 'shares' | 'none') =>
    plans.push({
      name: `DEF-${name}`,
      parent: parent === null ? 'root' : `DEF-${parent}`,
      role,
      axes: rigifyAxes(role),
      ...(at ? { at } : {}),
      ...(part ? { part } : {}),
    });
  // Rigify cuts limbs in two: the second half hangs on the first and carries the next bone.
  const halves = (name: string, S: string, parent: string | null, role: Role) => {
    put(`${name}.${S}`, parent, role);
    put(`${name}.${S}.001`, `${name}.${S}`, role, mix(body.joints[role]!, body.tips[role]!, 0.5), 'shares');
  };
  plans.push({ name: 'root', parent: null, role: null });
  put('spine', null, 'hips');
  put('spine.001', 'spine', 'spine');
  put('spine.002', 'spine.001', 'chest');
  put('spine.003', 'spine.002', 'upperChest');
  put('spine.004', 'spine.003', 'neck');
  put('spine.005', 'spine.004', 'neck', mix(body.joints.neck!, body.joints.head!, 0.5), 'shares');
  put('spine.006', 'spine.005', 'head');
  for (const side of ['left', 'right'] as const) {
    const S = side === 'left' ? 'L' : 'R';
    put(
      `pelvis.${S}`,
      'spine',
      'hips',
      add(body.joints.hips!, [side === 'left' ? 0.01 : -0.01, 0, 0]),
      'none',
    );
    halves('thigh', S, 'spine', `${side}UpperLeg`);
    halves('shin', S, `thigh.${S}.001`, `${side}LowerLeg`);
    put(`foot.${S}`, `shin.${S}.001`, `${side}Foot`);
    put(`toe.${S}`, `foot.${S}`, `${side}Toes`);
    put(`shoulder.${S}`, 'spine.003', `${side}Shoulder`);
    halves('upper_arm', S, `shoulder.${S}`, `${side}UpperArm`);
    halves('forearm', S, `upper_arm.${S}.001`, `${side}LowerArm`);
    put(`hand.${S}`, `forearm.${S}.001`, `${side}Hand`);
    (['Metacarpal', 'Proximal', 'Distal'] as const).forEach((phalanx, i) => {
      put(`thumb.0${i + 1}.${S}`, i === 0 ? `hand.${S}` : `thumb.0${i}.${S}`, `${side}Thumb${phalanx}`);
    });
    for (const finger of ALL_FINGERS) {
      const label = finger === 'Little' ? 'f_pinky' : `f_${finger.toLowerCase()}`;
      (['Proximal', 'Intermediate', 'Distal'] as const).forEach((phalanx, i) => {
        put(
          `${label}.0${i + 1}.${S}`,
          i === 0 ? `hand.${S}` : `${label}.0${i}.${S}`,
          `${side}${finger}${phalanx}`,
        );
      });
    }
  }
  return createRig(body, plans, {
    rest: childRest(),
    container: { name: 'rig', rotation: NO_TURN, unit: 1, facing: NO_TURN },
  });
}

/** Rigify's DEF- names with twist joints in line, a big head, arms half down. */
export function createChild(): SampleCharacter {
  return {
    name: 'child',
    title: 'Child in a raincoat',
    rig: childRig(),
    skin: createSkin(body, childParts()),
  };
}
