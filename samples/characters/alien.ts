import type { Side } from '@stuntdouble/core/engine';
import { type Body, createBody, type Finger } from '../body/body.js';
import { armParts, eyeParts, faceLines, headPoint } from '../body/body-parts.js';
import { behind, capsule, ellipsoid, type Part } from '../body/shape.js';
import { createSkin } from '../body/skin.js';
import { footBlobs, legBlobs, lowerArmBlobs, torsoBlobs, upperArmBlobs } from '../body/torso-parts.js';
import type { SampleCharacter } from '../character-file.js';
import { createRig, type JointPlan } from '../sample-rig.js';
import { add, type Vec3 } from '../vector.js';

const SKIN = '#9bb8a4';
const SUIT = '#54607e';
const FINGERS: readonly Finger[] = ['Index', 'Middle', 'Ring'];

const body: Body = createBody({
  hips: [0, 0.8, 0],
  spine: [0, 0.87, 0],
  chest: [0, 0.96, -0.004],
  upperChest: [0, 1.06, -0.008],
  neck: [0, 1.17, -0.01],
  head: [0, 1.23, 0],
  headTop: [0, 1.72, 0],
  eye: [0.09, 1.42, 0.15],
  shoulder: [0.03, 1.135, -0.01],
  upperArm: [0.11, 1.135, -0.012],
  lowerArm: [0.35, 1.135, -0.016],
  hand: [0.6, 1.135, -0.012],
  upperLeg: [0.06, 0.76, 0],
  lowerLeg: [0.063, 0.41, 0.008],
  foot: [0.065, 0.07, -0.014],
  toes: [0.07, 0.02, 0.08],
  toeTip: [0.073, 0.018, 0.15],
  handSize: 1,
  fingers: FINGERS,
});

function alienParts(): Part[] {
  const at = headPoint(body, 1);
  const torso = torsoBlobs(body, {
    hips: [0.035, 0.062],
    waist: [0.022, 0.056],
    chest: [0.03, 0.06],
    upperChest: [0.045, 0.056],
    shoulder: 0.034,
    neck: 0.03,
  });
  const upperArm = (side: Side) => upperArmBlobs(body, side, [0.032, 0.029, 0.024]);
  const lowerArm = (side: Side) => lowerArmBlobs(body, side, [0.024, 0.024, 0.018]);
  const legs = legBlobs(body, [0.052, 0.046, 0.034], [0.034, 0.034, 0.024]);
  const feet = footBlobs(body, 0.78);
  const skull = [
    ellipsoid('head', at([0, 0.29, -0.02]), [0.2, 0.2, 0.21], { blend: 0 }),
    ellipsoid('head', at([0, 0.12, 0.035]), [0.1, 0.1, 0.1], { blend: 0.12 }),
  ];
  const eye: Vec3 = at([0.085, 0.185, 0.118]);
  return [
    {
      name: 'skin',
      color: SKIN,
      blobs: [...skull, capsule('neck', [0, 1.15, -0.01], at([0, 0.06, 0]), 0.03, 0.03, { blend: 0.02 })],
      cell: [0.034, 0.034, 0.034],
    },
    ...eyeParts({
      at: eye,
      radii: [0.05, 0.06, 0.03],
      turnDegrees: 28,
      white: '#1d2230',
      iris: '#3c4a6b',
      irisRadius: 0.026,
      pupil: 0.5,
    }),
    ...faceLines(skull, {
      size: 1,
      mouth: {
        color: '#6d8676',
        points: [at([-0.03, 0.075, 0]), at([0, 0.07, 0]), at([0.03, 0.075, 0])],
        radius: 0.005,
      },
      front: at([0, 0, 0.05])[2],
    }),
    ...armParts(body, SUIT, (side) => [...upperArm(side), ...lowerArm(side)], 1, 0.85, SKIN),
    {
      name: 'suit',
      color: SUIT,
      blobs: [...torso, ...legs, ...upperArm('left'), ...upperArm('right')],
      inflate: 0.006,
      keep: [
        behind([0, 0.055, 0], [0, -1, 0]),
        behind([0.16, 0, 0], [1, 0, 0]),
        behind([-0.16, 0, 0], [-1, 0, 0]),
        behind([0, 1.19, 0], [0, 1, 0]),
      ],
      cell: [0.032, 0.046, 0.032],
    },
    {
      name: 'badge',
      color: '#f2c14e',
      blobs: [
        ellipsoid('upperChest', add(body.joints.upperChest!, [0.035, 0.02, 0.058]), [0.018, 0.018, 0.01]),
      ],
      cell: [0.012, 0.012, 0.009],
      whole: true,
    },
    {
      name: 'shoes',
      color: '#343b4f',
      blobs: feet,
      keep: [behind([0, 0, 0], [0, -1, 0])],
      cell: [0.025, 0.022, 0.028],
    },
  ];
}

/**
 * A thin body with a large head, rigged as programs do that guess a skeleton from a mesh: joints are called
 * `joint_0` and so on from the root down, every joint's axes are the scene's, and no joint marks an eye.
 */
export function createAlien(): SampleCharacter {
  const parts = body.order.filter((part) => !part.endsWith('Eye'));
  const plans = parts.map((role, i): JointPlan => {
    const parent = body.parents[role];
    return { name: `joint_${i}`, parent: parent ? `joint_${parts.indexOf(parent)}` : null, role };
  });
  return { name: 'alien', title: 'Alien', rig: createRig(body, plans), skin: createSkin(body, alienParts()) };
}
