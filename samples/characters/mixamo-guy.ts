import type { Role, Side } from '@stuntdouble/core/engine';
import { ALL_FINGERS, type Body, createBody } from '../body/body.js';
import { armParts, EYE_PLACE, headParts, headPoint } from '../body/body-parts.js';
import { behind, below, capsule, ellipsoid, type Part } from '../body/shape.js';
import { createSkin } from '../body/skin.js';
import { footBlobs, legBlobs, lowerArmBlobs, torsoBlobs, upperArmBlobs } from '../body/torso-parts.js';
import type { SampleCharacter } from '../character-file.js';
import { axesAlongY, boneOf, createRig, type JointPlan, type SampleRig } from '../sample-rig.js';
import { add, direction, NO_TURN, type Quat, scale, turnAbout, type Vec3 } from '../vector.js';

/** The body of the guy in the red shirt; the sample motions are made for it. */
export const guyBody: Body = createBody({
  hips: [0, 0.96, 0],
  spine: [0, 1.05, -0.004],
  chest: [0, 1.16, -0.008],
  upperChest: [0, 1.28, -0.01],
  neck: [0, 1.435, -0.014],
  head: [0, 1.51, 0],
  headTop: [0, 1.79, 0],
  eye: add([0, 1.51, 0], scale(EYE_PLACE, 1.12)),
  shoulder: [0.055, 1.39, -0.01],
  upperArm: [0.175, 1.39, -0.014],
  lowerArm: [0.435, 1.39, -0.02],
  hand: [0.67, 1.39, -0.014],
  upperLeg: [0.093, 0.91, 0],
  lowerLeg: [0.098, 0.5, 0.008],
  foot: [0.1, 0.09, -0.02],
  toes: [0.105, 0.024, 0.105],
  toeTip: [0.107, 0.022, 0.185],
  handSize: 1.06,
  fingers: ALL_FINGERS,
});

const SKIN = '#e0a583';
const HEAD = 1.12;

function guyParts(): Part[] {
  const body = guyBody;
  const at = headPoint(body, HEAD);
  const torso = torsoBlobs(body, {
    hips: [0.062, 0.108],
    waist: [0.045, 0.108],
    chest: [0.06, 0.114],
    upperChest: [0.085, 0.108],
    shoulder: 0.063,
    neck: 0.06,
  });
  const upperArm = (side: Side) => upperArmBlobs(body, side, [0.062, 0.056, 0.044]);
  const lowerArm = (side: Side) => lowerArmBlobs(body, side, [0.044, 0.043, 0.029]);
  const legs = legBlobs(body, [0.092, 0.088, 0.061], [0.061, 0.062, 0.044]);
  const thighs = legs.filter((blob) => /UpperLeg/.test(blob.role));
  const feet = footBlobs(body, 1);
  const floor = behind([0, 0, 0], [0, -1, 0]);
  return [
    ...headParts(body, {
      size: HEAD,
      skin: SKIN,
      iris: '#4f7d4a',
      brow: '#4a2d1c',
      mouth: '#8d4a3f',
      neckFrom: [0, 1.41, -0.014],
      neckRadius: 0.053,
    }),
    ...armParts(body, SKIN, (side) => [...upperArm(side), ...lowerArm(side)], 1.06),
    {
      name: 'shirt',
      color: '#c8443c',
      blobs: [...torso, ...upperArm('left'), ...upperArm('right'), ...thighs],
      inflate: 0.014,
      keep: [
        behind([0, 0.905, 0], [0, -1, 0]),
        behind([0.345, 0, 0], [1, 0, 0]),
        behind([-0.345, 0, 0], [-1, 0, 0]),
        below(1.478, 0.5, 0.085),
      ],
      cell: [0.044, 0.0396, 0.0374],
    },
    {
      name: 'trousers',
      color: '#3c5a86',
      blobs: [torso[0]!, ...legs],
      inflate: 0.005,
      keep: [behind([0, 1.0, 0], [0, 1, 0]), behind([0, 0.075, 0], [0, -1, 0])],
      smoothing: 6,
      cell: [0.0341, 0.0572, 0.0341],
    },
    {
      name: 'shoes',
      color: '#f0ede6',
      blobs: feet,
      keep: [behind([0, 0.007, 0], [0, -1, 0])],
      cell: [0.0275, 0.022, 0.0308],
    },
    {
      name: 'soles',
      color: '#4a4f5a',
      blobs: feet.filter((_, i) => i % 3 !== 0),
      inflate: 0.005,
      keep: [floor, behind([0, 0.018, 0], [0, 1, 0])],
      cell: [0.0286, 0.0198, 0.033],
    },
    {
      name: 'hair',
      color: '#5a3823',
      blobs: [
        ellipsoid('head', at([0, 0.14, -0.014]), scale([0.107, 0.117, 0.112], HEAD), { blend: 0 }),
        ...([-0.06, -0.025, 0.015, 0.052] as const).map((x) =>
          capsule(
            'head',
            at([x * 0.6, 0.235, 0.02]),
            at([x + 0.016, 0.212 - Math.abs(x) * 0.3, 0.096 - Math.abs(x) * 0.45]),
            0.032 * HEAD,
            0.024 * HEAD,
            { blend: 0.02 },
          ),
        ),
      ],
      keep: [behind(at([0, 0.135, 0.02]), direction([0, -1, 0.95]))],
      edge: 0.024,
      cell: scale([0.0275, 0.0242, 0.0275], HEAD),
      whole: true,
      smoothing: 0,
    },
  ];
}

/** The axes that Mixamo's auto-rigger gives: +Y along the bone, +Z forward or, in arms, to the palm. */
function mixamoAxes(body: Body, role: Role): Quat {
  if (/Arm|Shoulder|Hand|Index|Middle|Ring|Little|Thumb/.test(role))
    return axesAlongY(boneOf(body, role), [0, -1, 0]);
  if (/Leg/.test(role)) return axesAlongY(boneOf(body, role), [0, 0, 1]);
  if (/Foot|Toes/.test(role)) return axesAlongY(boneOf(body, role), [0, 1, 0]);
  return NO_TURN;
}

const MIXAMO_FINGERS = {
  Thumb: 'Thumb',
  Index: 'Index',
  Middle: 'Middle',
  Ring: 'Ring',
  Little: 'Pinky',
} as const;

function guyRig(): SampleRig {
  const body = guyBody;
  const plans: JointPlan[] = [];
  const put = (name: string, parent: string | null, role: Role, at?: Vec3) => {
    plans.push({
      name: `mixamorig:${name}`,
      parent: parent && `mixamorig:${parent}`,
      role,
      axes: mixamoAxes(body, role),
      ...(at ? { at } : {}),
    });
  };
  put('Hips', null, 'hips');
  put('Spine', 'Hips', 'spine');
  put('Spine1', 'Spine', 'chest');
  put('Spine2', 'Spine1', 'upperChest');
  put('Neck', 'Spine2', 'neck');
  put('Head', 'Neck', 'head');
  put('HeadTop_End', 'Head', 'head', body.tips.head!);
  put('LeftEye', 'Head', 'leftEye');
  put('RightEye', 'Head', 'rightEye');
  for (const side of ['left', 'right'] as const) {
    const S = side === 'left' ? 'Left' : 'Right';
    put(`${S}Shoulder`, 'Spine2', `${side}Shoulder`);
    put(`${S}Arm`, `${S}Shoulder`, `${side}UpperArm`);
    put(`${S}ForeArm`, `${S}Arm`, `${side}LowerArm`);
    put(`${S}Hand`, `${S}ForeArm`, `${side}Hand`);
    for (const [finger, label] of Object.entries(MIXAMO_FINGERS)) {
      const phalanges = (
        finger === 'Thumb' ? ['Metacarpal', 'Proximal', 'Distal'] : ['Proximal', 'Intermediate', 'Distal']
      ).map((phalanx) => `${side}${finger}${phalanx}` as Role);
      phalanges.forEach((role, i) => {
        put(`${S}Hand${label}${i + 1}`, i === 0 ? `${S}Hand` : `${S}Hand${label}${i}`, role);
      });
      put(`${S}Hand${label}4`, `${S}Hand${label}3`, phalanges[2]!, body.tips[phalanges[2]!]!);
    }
  }
  for (const side of ['left', 'right'] as const) {
    const S = side === 'left' ? 'Left' : 'Right';
    put(`${S}UpLeg`, 'Hips', `${side}UpperLeg`);
    put(`${S}Leg`, `${S}UpLeg`, `${side}LowerLeg`);
    put(`${S}Foot`, `${S}Leg`, `${side}Foot`);
    put(`${S}ToeBase`, `${S}Foot`, `${side}Toes`);
    put(`${S}Toe_End`, `${S}ToeBase`, `${side}Toes`, body.tips[`${side}Toes`]!);
  }
  return createRig(body, plans, {
    // As Mixamo's FBX files come out of Blender: centimetres, Y up in a space that the armature lays on its back.
    container: { name: 'Armature', rotation: turnAbout([1, 0, 0], 90), unit: 0.01, facing: NO_TURN },
  });
}

/** Mixamo's names and axes, centimetres under an armature of scale 0.01, T-pose. */
export function createMixamoGuy(): SampleCharacter {
  return {
    name: 'mixamo-guy',
    title: 'Mixamo-style guy',
    rig: guyRig(),
    skin: createSkin(guyBody, guyParts()),
  };
}
