import type { Role, Side } from '@stuntdouble/core/engine';
import { type Body, createBody, type Finger } from '../body/body.js';
import { armParts, EYE_PLACE, headParts, headPoint } from '../body/body-parts.js';
import { behind, below, ellipsoid, type Part } from '../body/shape.js';
import { createSkin } from '../body/skin.js';
import { footBlobs, legBlobs, lowerArmBlobs, torsoBlobs, upperArmBlobs } from '../body/torso-parts.js';
import type { SampleCharacter } from '../character-file.js';
import { axesAlongY, boneOf, createRig, type JointPlan, type SampleRig } from '../sample-rig.js';
import { add, mix, roll, scale } from '../vector.js';

const HEAD = 1.16;
const SKIN = '#e9b08d';
const FINGERS: readonly Finger[] = ['Index', 'Middle', 'Ring', 'Little'];

const body: Body = createBody({
  hips: [0, 0.84, 0],
  spine: [0, 0.93, 0],
  chest: [0, 1.05, 0],
  upperChest: [0, 1.19, -0.005],
  neck: [0, 1.35, -0.012],
  head: [0, 1.41, 0.005],
  headTop: [0, 1.7, 0.005],
  eye: add([0, 1.41, 0.005], scale(EYE_PLACE, HEAD)),
  shoulder: [0.06, 1.3, -0.01],
  upperArm: [0.225, 1.3, -0.014],
  lowerArm: [0.465, 1.3, -0.02],
  hand: [0.68, 1.3, -0.014],
  upperLeg: [0.12, 0.78, 0],
  lowerLeg: [0.125, 0.44, 0.008],
  foot: [0.127, 0.085, -0.02],
  toes: [0.135, 0.024, 0.1],
  toeTip: [0.14, 0.022, 0.175],
  handSize: 1.02,
  fingers: FINGERS,
});

function bakerParts(): Part[] {
  const at = headPoint(body, HEAD);
  const torso = torsoBlobs(body, {
    hips: [0.075, 0.17],
    waist: [0.08, 0.215],
    chest: [0.075, 0.205],
    upperChest: [0.1, 0.145],
    shoulder: 0.085,
    neck: 0.075,
    depth: 0.98,
  });
  const belly = ellipsoid('spine', [0, 1.0, 0.07], [0.225, 0.21, 0.22], { blend: 0.1, softness: 0.04 });
  const upperArm = (side: Side) => upperArmBlobs(body, side, [0.085, 0.078, 0.06]);
  const lowerArm = (side: Side) => lowerArmBlobs(body, side, [0.06, 0.058, 0.036]);
  const legs = legBlobs(body, [0.125, 0.115, 0.078], [0.078, 0.076, 0.052]);
  const feet = footBlobs(body, 1);
  const floor = behind([0, 0, 0], [0, -1, 0]);
  return [
    ...headParts(body, {
      size: HEAD,
      skin: SKIN,
      iris: '#5a4632',
      brow: '#8a5a2c',
      mouth: '#94503f',
      neckFrom: [0, 1.33, -0.012],
      neckRadius: 0.068,
      jaw: 1.28,
      cheeks: '#e08a72',
    }),
    ...armParts(body, SKIN, (side) => [...upperArm(side), ...lowerArm(side)], 1.02, 1.3),
    {
      name: 'jacket',
      color: '#f3f0ea',
      blobs: [...torso, belly, ...upperArm('left'), ...upperArm('right')],
      inflate: 0.014,
      keep: [
        behind([0, 0.76, 0], [0, -1, 0]),
        behind([0.43, 0, 0], [1, 0, 0]),
        behind([-0.43, 0, 0], [-1, 0, 0]),
        below(1.4, 0.4, 0.1),
      ],
      cell: [0.055, 0.052, 0.052],
    },
    {
      name: 'apron',
      color: '#5b86b3',
      blobs: [...torso.slice(0, 3), belly],
      inflate: 0.024,
      keep: [
        behind([0, 1.13, 0], [0, 1, 0]),
        behind([0, 0.72, 0], [0, -1, 0]),
        behind([0, 0, 0.03], [0, 0, -1]),
      ],
      cell: [0.05, 0.05, 0.045],
      hiddenDepth: 0.03,
    },
    {
      name: 'trousers',
      color: '#6d6a70',
      blobs: [torso[0]!, ...legs],
      inflate: 0.006,
      keep: [behind([0, 0.86, 0], [0, 1, 0]), behind([0, 0.07, 0], [0, -1, 0])],
      smoothing: 6,
      cell: [0.046, 0.064, 0.046],
    },
    {
      name: 'shoes',
      color: '#3d3432',
      blobs: feet,
      inflate: 0.004,
      keep: [floor],
      cell: [0.03, 0.026, 0.034],
    },
    {
      name: 'cap',
      color: '#f3f0ea',
      blobs: [
        ellipsoid('head', at([0, 0.205, -0.01]), scale([0.103, 0.04, 0.11], HEAD), { blend: 0 }),
        ellipsoid('head', at([0, 0.275, -0.02]), scale([0.125, 0.065, 0.125], HEAD), { blend: 0.02 }),
      ],
      cell: scale([0.036, 0.03, 0.036], HEAD),
      whole: true,
      smoothing: 0,
    },
    {
      name: 'moustache',
      color: '#8a5a2c',
      blobs: ([-1, 1] as const).map((s) =>
        ellipsoid('head', at([0.024 * s, 0.053, 0.098]), scale([0.03, 0.011, 0.014], HEAD), {
          turn: roll(-16 * s),
          blend: 0.004,
        }),
      ),
      cell: [0.013, 0.009, 0.011],
      whole: true,
      smoothing: 0,
    },
  ];
}

/** Arms 35 degrees down, as such bodies are modelled: they do not reach their sides. */
function bakerRest() {
  return { turns: { leftUpperArm: roll(-35), rightUpperArm: roll(35) }, hips: body.joints.hips! };
}

/** Blender's deforming joints: +Y along the bone, each long bone in two halves. */
function bakerRig(): SampleRig {
  const plans: JointPlan[] = [{ name: 'root', parent: null, role: null }];
  const put = (name: string, parent: string, role: Role) => {
    plans.push({ name: `DEF-${name}`, parent, role, axes: axesAlongY(boneOf(body, role), [0, 0, 1]) });
  };
  const half = (name: string, role: Role) => {
    plans.push({
      name: `DEF-${name}.001`,
      parent: `DEF-${name}`,
      role,
      at: mix(body.joints[role]!, body.tips[role]!, 0.5),
      axes: axesAlongY(boneOf(body, role), [0, 0, 1]),
      part: 'shares',
    });
  };
  put('spine', 'root', 'hips');
  put('spine.001', 'DEF-spine', 'spine');
  put('spine.002', 'DEF-spine.001', 'chest');
  put('spine.003', 'DEF-spine.002', 'upperChest');
  put('spine.004', 'DEF-spine.003', 'neck');
  put('spine.006', 'DEF-spine.004', 'head');
  for (const side of ['left', 'right'] as const) {
    const S = side === 'left' ? 'L' : 'R';
    put(`eye.${S}`, 'DEF-spine.006', `${side}Eye`);
    put(`shoulder.${S}`, 'DEF-spine.003', `${side}Shoulder`);
    put(`upper_arm.${S}`, `DEF-shoulder.${S}`, `${side}UpperArm`);
    half(`upper_arm.${S}`, `${side}UpperArm`);
    put(`forearm.${S}`, `DEF-upper_arm.${S}.001`, `${side}LowerArm`);
    half(`forearm.${S}`, `${side}LowerArm`);
    put(`hand.${S}`, `DEF-forearm.${S}.001`, `${side}Hand`);
    (['Metacarpal', 'Proximal', 'Distal'] as const).forEach((phalanx, i) => {
      put(
        `thumb.0${i + 1}.${S}`,
        i === 0 ? `DEF-hand.${S}` : `DEF-thumb.0${i}.${S}`,
        `${side}Thumb${phalanx}`,
      );
    });
    for (const finger of FINGERS) {
      const word = finger === 'Little' ? 'f_pinky' : `f_${finger.toLowerCase()}`;
      (['Proximal', 'Intermediate', 'Distal'] as const).forEach((phalanx, i) => {
        put(
          `${word}.0${i + 1}.${S}`,
          i === 0 ? `DEF-hand.${S}` : `DEF-${word}.0${i}.${S}`,
          `${side}${finger}${phalanx}`,
        );
      });
    }
    put(`thigh.${S}`, 'DEF-spine', `${side}UpperLeg`);
    half(`thigh.${S}`, `${side}UpperLeg`);
    put(`shin.${S}`, `DEF-thigh.${S}.001`, `${side}LowerLeg`);
    half(`shin.${S}`, `${side}LowerLeg`);
    put(`foot.${S}`, `DEF-shin.${S}.001`, `${side}Foot`);
    put(`toe.${S}`, `DEF-foot.${S}`, `${side}Toes`);
  }
  return createRig(body, plans, { rest: bakerRest() });
}

/** A fat body, with twist joints: Rigify's names, arms 35 degrees down. */
export function createBaker(): SampleCharacter {
  return { name: 'baker', title: 'Baker', rig: bakerRig(), skin: createSkin(body, bakerParts()) };
}
