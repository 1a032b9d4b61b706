import type { Role, Side } from '@stuntdouble/core/engine';
import { addParts, type Body, type BodyPart, createBody, type ExtraPart } from '../body/body.js';
import { armParts, EYE_PLACE, headParts, headPoint } from '../body/body-parts.js';
import { behind, below, box, capsule, ellipsoid, type Part } from '../body/shape.js';
import { createSkin } from '../body/skin.js';
import { footBlobs, legBlobs, lowerArmBlobs, torsoBlobs, upperArmBlobs } from '../body/torso-parts.js';
import type { SampleCharacter } from '../character-file.js';
import { axesAlongY, createRig, type JointPlan, type SampleRig } from '../sample-rig.js';
import { add, scale, subtract, type Vec3 } from '../vector.js';

const HEAD = 1.2;
const SKIN = '#d79a78';
const STEEL = '#aab3bd';
const CLOTH = '#8c2f39';
const LEATHER = '#6a4a33';

const human: Body = createBody({
  hips: [0, 0.8, 0],
  spine: [0, 0.88, 0],
  chest: [0, 0.97, -0.004],
  upperChest: [0, 1.08, -0.006],
  neck: [0, 1.23, -0.01],
  head: [0, 1.29, 0],
  headTop: [0, 1.58, 0],
  eye: add([0, 1.29, 0], scale(EYE_PLACE, HEAD)),
  shoulder: [0.05, 1.18, -0.01],
  upperArm: [0.17, 1.18, -0.012],
  lowerArm: [0.4, 1.18, -0.016],
  hand: [0.61, 1.18, -0.012],
  upperLeg: [0.09, 0.75, 0],
  lowerLeg: [0.094, 0.42, 0.008],
  foot: [0.096, 0.08, -0.016],
  toes: [0.102, 0.022, 0.095],
  toeTip: [0.105, 0.02, 0.165],
  handSize: 1.02,
  fingers: ['Index'],
});

const GRIP: Vec3 = [-0.7, 1.158, 0.03]; // where the right hand holds the sword, in T-pose
const SKIRT: readonly (readonly [name: 'front' | 'back' | 'left' | 'right', out: Vec3])[] = [
  ['front', [0, 0, 1]],
  ['back', [0, 0, -1]],
  ['left', [1, 0, 0]],
  ['right', [-1, 0, 0]],
];

const extras: ExtraPart[] = [
  ...SKIRT.map(
    ([name, out]): ExtraPart => ({
      name: `+skirt ${name}`,
      parent: 'hips',
      at: add([0, 0.8, 0], scale(out, 0.12)),
      tip: add([0, 0.5, 0], scale(out, 0.19)),
    }),
  ),
  { name: '+sword', parent: 'rightHand', at: GRIP, tip: add(GRIP, [0, 0, 0.75]) },
];

const body: Body = addParts(human, extras);

function knightParts(): Part[] {
  const at = headPoint(body, HEAD);
  const torso = torsoBlobs(body, {
    hips: [0.06, 0.1],
    waist: [0.05, 0.1],
    chest: [0.055, 0.108],
    upperChest: [0.08, 0.104],
    shoulder: 0.06,
    neck: 0.055,
  });
  const upperArm = (side: Side) => upperArmBlobs(body, side, [0.058, 0.053, 0.043]);
  const lowerArm = (side: Side) => lowerArmBlobs(body, side, [0.046, 0.046, 0.034]);
  const legs = legBlobs(body, [0.086, 0.08, 0.056], [0.056, 0.058, 0.044]);
  const feet = footBlobs(body, 0.95);
  const rigid = { softness: 0, blend: 0.004 };
  return [
    ...headParts(body, {
      size: HEAD,
      skin: SKIN,
      iris: '#3f5f8a',
      brow: '#3a2a20',
      mouth: '#8a4a40',
      neckFrom: [0, 1.21, -0.01],
      neckRadius: 0.05,
      jaw: 1.1,
    }),
    ...armParts(body, STEEL, (side) => [...upperArm(side), ...lowerArm(side)], 1.02, 1.5, LEATHER),
    {
      name: 'breastplate',
      color: STEEL,
      blobs: [...torso, ...upperArm('left'), ...upperArm('right')],
      inflate: 0.014,
      keep: [
        behind([0, 0.83, 0], [0, -1, 0]),
        behind([0.26, 0, 0], [1, 0, 0]),
        behind([-0.26, 0, 0], [-1, 0, 0]),
        below(1.27, 0.4, 0.08),
      ],
      cell: [0.046, 0.044, 0.042],
      shine: 0.6,
    },
    {
      name: 'belt',
      color: LEATHER,
      blobs: torso.slice(0, 2),
      inflate: 0.022,
      keep: [behind([0, 0.86, 0], [0, 1, 0]), behind([0, 0.815, 0], [0, -1, 0])],
      cell: [0.042, 0.028, 0.042],
      hiddenDepth: 0.02,
    },
    {
      name: 'skirt',
      color: CLOTH,
      blobs: SKIRT.map(([name]) =>
        capsule(`+skirt ${name}`, body.joints[`+skirt ${name}`]!, body.tips[`+skirt ${name}`]!, 0.075, 0.13, {
          blend: 0.1,
          softness: 0.06,
        }),
      ),
      keep: [behind([0, 0.835, 0], [0, 1, 0]), behind([0, 0.47, 0], [0, -1, 0])],
      cut: [(x, y, z) => Math.max(y - 0.49, Math.hypot(x * 0.9, z) - 0.2)],
      cell: [0.048, 0.056, 0.048],
      smoothing: 4,
      whole: true,
    },
    {
      name: 'legs',
      color: '#4a4650',
      blobs: legs,
      keep: [behind([0, 0.06, 0], [0, -1, 0])],
      cell: [0.038, 0.06, 0.038],
    },
    {
      name: 'boots',
      color: LEATHER,
      blobs: feet,
      keep: [behind([0, 0, 0], [0, -1, 0])],
      cell: [0.028, 0.026, 0.032],
      whole: true,
    },
    {
      name: 'helmet',
      color: STEEL,
      blobs: [ellipsoid('head', at([0, 0.15, -0.012]), scale([0.113, 0.118, 0.122], HEAD), { blend: 0 })],
      cut: [behind(at([0, 0.13, 0.03]), [0, 0.86, -0.5])],
      cell: scale([0.032, 0.03, 0.032], HEAD),
      shine: 0.6,
      whole: true,
      smoothing: 0,
    },
    {
      name: 'plume',
      color: CLOTH,
      blobs: [
        capsule('head', at([0, 0.26, 0.03]), at([0, 0.3, -0.08]), 0.03, 0.045, {
          blend: 0.02,
          stretch: [0.5, 1, 1],
        }),
        capsule('head', at([0, 0.3, -0.08]), at([0, 0.2, -0.17]), 0.045, 0.02, {
          blend: 0.02,
          stretch: [0.5, 1, 1],
        }),
      ],
      cell: [0.024, 0.03, 0.03],
      smoothing: 0,
    },
    {
      name: 'blade',
      color: '#d9dee3',
      blobs: [box('+sword', add(GRIP, [0, 0, 0.43]), [0.007, 0.024, 0.34], 0.006, rigid)],
      cell: [0.012, 0.022, 0.11],
      shine: 0.8,
      whole: true,
      smoothing: 0,
    },
    {
      name: 'hilt',
      color: '#c79a3b',
      blobs: [
        box('+sword', add(GRIP, [0, 0, 0.075]), [0.014, 0.085, 0.014], 0.01, rigid),
        capsule('+sword', add(GRIP, [0, 0, -0.07]), add(GRIP, [0, 0, 0.07]), 0.014, 0.014, rigid),
        ellipsoid('+sword', add(GRIP, [0, 0, -0.09]), [0.024, 0.024, 0.024], rigid),
      ],
      cell: [0.018, 0.022, 0.022],
      shine: 0.5,
      whole: true,
      smoothing: 0,
    },
  ];
}

/** As low-poly characters of games come: feet hang under the root beside their pole targets, not on the shins. */
function knightRig(): SampleRig {
  const plans: JointPlan[] = [{ name: 'Root', parent: null, role: null }];
  const boneAt = (part: BodyPart) => axesAlongY(subtract(body.tips[part]!, body.joints[part]!), [0, 0.2, 1]);
  const put = (name: string, parent: string, role: BodyPart) => {
    plans.push({ name, parent, role, axes: boneAt(role) });
  };
  put('Body', 'Root', 'hips');
  put('Abdomen', 'Body', 'spine');
  put('Torso', 'Abdomen', 'chest');
  put('Chest', 'Torso', 'upperChest');
  put('Neck', 'Chest', 'neck');
  put('Head', 'Neck', 'head');
  for (const [name] of SKIRT) put(`Skirt.${name}`, 'Body', `+skirt ${name}`);
  for (const side of ['left', 'right'] as const) {
    const S = side === 'left' ? 'L' : 'R';
    put(`Shoulder.${S}`, 'Chest', `${side}Shoulder`);
    put(`UpperArm.${S}`, `Shoulder.${S}`, `${side}UpperArm`);
    put(`LowerArm.${S}`, `UpperArm.${S}`, `${side}LowerArm`);
    put(`Palm.${S}`, `LowerArm.${S}`, `${side}Hand`);
    (['Metacarpal', 'Proximal', 'Distal'] as const).forEach((phalanx, i) => {
      put(`Thumb${i + 1}.${S}`, i === 0 ? `Palm.${S}` : `Thumb${i}.${S}`, `${side}Thumb${phalanx}` as Role);
    });
    (['Proximal', 'Intermediate', 'Distal'] as const).forEach((phalanx, i) => {
      put(`Index${i + 1}.${S}`, i === 0 ? `Palm.${S}` : `Index${i}.${S}`, `${side}Index${phalanx}` as Role);
    });
    put(`UpperLeg.${S}`, 'Body', `${side}UpperLeg`);
    put(`LowerLeg.${S}`, `UpperLeg.${S}`, `${side}LowerLeg`);
    put(`Foot.${S}`, 'Root', `${side}Foot`);
    put(`Toes.${S}`, `Foot.${S}`, `${side}Toes`);
    plans.push({
      name: `PoleTarget.${S}`,
      parent: `Foot.${S}`,
      role: `${side}Foot`,
      at: [side === 'left' ? 0.1 : -0.1, 0.42, 0.5],
    });
  }
  put('Sword', 'Palm.R', '+sword');
  return createRig(body, plans);
}

/** A skirt and a sword on joints of their own, and feet that hang under the root. */
export function createKnight(): SampleCharacter {
  return { name: 'knight', title: 'Knight', rig: knightRig(), skin: createSkin(body, knightParts()) };
}
