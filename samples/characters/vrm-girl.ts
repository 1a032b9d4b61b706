import type { Side } from '@stuntdouble/core/engine';
import { ALL_FINGERS, type Body, createBody } from '../body/body.js';
import { armParts, EYE_PLACE, headParts, headPoint } from '../body/body-parts.js';
import { behind, below, bothSides, capsule, ellipsoid, type Part, ring } from '../body/shape.js';
import { createSkin } from '../body/skin.js';
import { footBlobs, legBlobs, lowerArmBlobs, torsoBlobs, upperArmBlobs } from '../body/torso-parts.js';
import type { SampleCharacter } from '../character-file.js';
import { createRig, type JointPlan } from '../sample-rig.js';
import { add, pitch, roll, scale, turnBy } from '../vector.js';

/** The size of the girl's head. */
export const HEAD = 1.13;
const SKIN = '#f2c3a4';

/** The body of the girl. */
export const girlBody: Body = createBody({
  hips: [0, 0.86, 0],
  spine: [0, 0.93, 0],
  chest: [0, 1.03, -0.006],
  upperChest: [0, 1.13, -0.01],
  neck: [0, 1.255, -0.012],
  head: [0, 1.32, 0],
  headTop: [0, 1.6, 0],
  eye: add([0, 1.32, 0], scale(EYE_PLACE, HEAD)),
  shoulder: [0.03, 1.215, -0.01],
  upperArm: [0.13, 1.215, -0.012],
  lowerArm: [0.35, 1.215, -0.016],
  hand: [0.555, 1.215, -0.012],
  upperLeg: [0.08, 0.81, 0],
  lowerLeg: [0.082, 0.45, 0.006],
  foot: [0.082, 0.08, -0.02],
  toes: [0.086, 0.022, 0.09],
  toeTip: [0.088, 0.02, 0.16],
  handSize: 0.9,
  fingers: ALL_FINGERS,
});

/** The girl as she is dressed; `hair` and `top` are colours of hers that a sister may have otherwise. */
export function girlParts(HAIR = '#6b4a9c', top = '#f6d365', body: Body = girlBody): Part[] {
  const at = headPoint(body, HEAD);
  const torso = torsoBlobs(body, {
    hips: [0.055, 0.098],
    waist: [0.03, 0.086],
    chest: [0.04, 0.09],
    upperChest: [0.055, 0.084],
    shoulder: 0.048,
    neck: 0.045,
  });
  const upperArm = (side: Side) => upperArmBlobs(body, side, [0.046, 0.042, 0.034]);
  const lowerArm = (side: Side) => lowerArmBlobs(body, side, [0.034, 0.033, 0.024]);
  const legs = legBlobs(body, [0.08, 0.076, 0.05], [0.05, 0.052, 0.034]);
  const feet = footBlobs(body, 0.86);
  const floor = behind([0, 0, 0], [0, -1, 0]);
  const skirt = bothSides((side, on) =>
    capsule(`${side}UpperLeg`, on([0.06, 0.8, 0]), on([0.085, 0.56, 0.005]), 0.1, 0.15, {
      blend: 0.14,
      softness: 0.06,
    }),
  );
  const bangs = ([-0.07, -0.035, 0, 0.035, 0.07] as const).map((x) =>
    capsule(
      'head',
      at([x * 0.5, 0.232, 0.03]),
      at([x + 0.006, 0.165 - Math.abs(x) * 0.25, 0.104 - Math.abs(x) * 0.55]),
      0.03 * HEAD,
      0.017 * HEAD,
      { blend: 0.016 },
    ),
  );
  return [
    ...headParts(body, {
      size: HEAD,
      skin: SKIN,
      iris: '#2f8f9e',
      brow: '#513676',
      mouth: '#b4565a',
      eye: [0.0275, 0.034],
      browHeight: 0.05,
      neckFrom: [0, 1.235, -0.012],
      neckRadius: 0.039,
      jaw: 0.93,
      cheeks: '#eda28f',
      smile: 0.022,
    }),
    ...armParts(body, SKIN, (side) => [...upperArm(side), ...lowerArm(side)], 0.9, 0.9),
    {
      name: 'top',
      color: top,
      blobs: [...torso, ...upperArm('left'), ...upperArm('right')],
      inflate: 0.009,
      keep: [
        behind([0, 0.83, 0], [0, -1, 0]),
        behind([0.235, 0, 0], [1, 0, 0]),
        behind([-0.235, 0, 0], [-1, 0, 0]),
        below(1.285, 0.4, 0.065),
      ],
      cell: [0.0381, 0.0347, 0.0314],
    },
    {
      name: 'skirt',
      color: '#3f9c98',
      blobs: [
        capsule('hips', [-0.05, 0.86, 0], [0.05, 0.86, 0], 0.1, 0.1, {
          stretch: [1, 1, 0.88],
          softness: 0.04,
        }),
        ...skirt,
      ],
      inflate: 0.01,
      keep: [behind([0, 0.925, 0], [0, 1, 0]), behind([0, 0.545, 0], [0, -1, 0])],
      cut: [(x, y, z) => Math.max(y - 0.56, Math.hypot(x * 0.8, z) - 0.1)],
      cell: [0.0358, 0.047, 0.0358],
      smoothing: 6,
      whole: true,
    },
    {
      name: 'legs',
      color: '#e9e4f0',
      blobs: legs,
      keep: [behind([0, 0.05, 0], [0, -1, 0])],
      cell: [0.0302, 0.056, 0.0302],
    },
    {
      name: 'shoes',
      color: '#8a3f5c',
      blobs: feet,
      keep: [behind([0, 0.007, 0], [0, -1, 0])],
      cell: [0.0235, 0.0202, 0.0269],
    },
    {
      name: 'soles',
      color: '#f4efe6',
      blobs: feet.filter((_, i) => i % 3 !== 0),
      inflate: 0.005,
      keep: [floor, behind([0, 0.016, 0], [0, 1, 0])],
      cell: [0.0269, 0.0179, 0.0302],
    },
    {
      name: 'hair',
      color: HAIR,
      blobs: [
        ellipsoid('head', at([0, 0.135, -0.016]), scale([0.112, 0.122, 0.116], HEAD), { blend: 0 }),
        ellipsoid('head', at([0, 0.06, -0.05]), scale([0.1, 0.1, 0.075], HEAD), { blend: 0.04 }),
        ...bothSides((_, on) =>
          capsule(
            'head',
            at(on([0.098, 0.13, 0.025])),
            at(on([0.1, 0.015, 0.025])),
            0.027 * HEAD,
            0.014 * HEAD,
            {
              blend: 0.02,
            },
          ),
        ),
        ...bangs,
      ],
      cut: [
        (x, y, z) => {
          const [, cy, cz] = at([0, 0.075, 0.13]);
          return (Math.hypot(x / 0.086, (y - cy) / 0.088, (z - cz) / 0.115) - 1) * 0.085;
        },
      ],
      edge: 0.016,
      cell: scale([0.0252, 0.0252, 0.0252], HEAD),
      whole: true,
      smoothing: 0,
    },
    {
      name: 'hair buns',
      color: HAIR,
      blobs: bothSides((_, on) =>
        ellipsoid('head', at(on([0.088, 0.236, -0.045])), scale([0.05, 0.05, 0.05], HEAD), { blend: 0 }),
      ),
      cell: scale([0.028, 0.028, 0.028], HEAD),
      smoothing: 0,
    },
    {
      name: 'ribbons',
      color: '#e8607a',
      blobs: bothSides((side, on) =>
        ring('head', at(on([0.073, 0.2, -0.04])), 0.038 * HEAD, 0.009 * HEAD, {
          blend: 0,
          turn: turnBy(roll(side === 'left' ? -38 : 38), pitch(-10)),
        }),
      ),
      cell: scale([0.0146, 0.0146, 0.0146], HEAD),
      smoothing: 0,
    },
  ];
}

/** VRM 1.0 in T-pose: every joint's axes are the scene's, metres, facing +Z. */
export function createVrmGirl(): SampleCharacter {
  const nameOf = (role: string) => role[0]!.toUpperCase() + role.slice(1);
  const body = girlBody;
  const plans: JointPlan[] = [{ name: 'Root', parent: null, role: null }];
  for (const role of body.order) {
    const parent = body.parents[role];
    plans.push({ name: nameOf(role), parent: parent ? nameOf(parent) : 'Root', role });
  }
  return {
    name: 'vrm-girl',
    title: 'VRM girl',
    rig: createRig(body, plans),
    skin: createSkin(body, girlParts()),
    vrm: { version: '1.0' },
  };
}
