import type { Role, Side } from '@stuntdouble/core/engine';
import type { Body, BodyPart, BodyPose } from '../body/body.js';
import { behind, bothSides, capsule, ellipsoid, type Part } from '../body/shape.js';
import { createSkin } from '../body/skin.js';
import type { SampleCharacter } from '../character-file.js';
import { easeSoftly, wave } from '../curves.js';
import { createClip } from '../motion-clip.js';
import type { Playable } from '../sample-motion.js';
import { axesAlongY, createRig, type JointPlan, type SampleRig } from '../sample-rig.js';
import { solveTwoBones } from '../two-bones.js';
import {
  add,
  inverse,
  mirror,
  pitch,
  type Quat,
  rotate,
  subtract,
  turnBy,
  type Vec3,
  yaw,
} from '../vector.js';

/*
 * A dog that stands on four legs. Its parts go by the roles of a human on all fours, so that the builders of the
 * other samples serve it too: forelegs are arms, hind legs are legs.
 */

type Row = readonly [part: BodyPart, parent: BodyPart | null, at: Vec3, tip: Vec3];

const MIDDLE: readonly Row[] = [
  ['hips', null, [0, 0.5, -0.25], [0, 0.52, -0.12]],
  ['spine', 'hips', [0, 0.52, -0.12], [0, 0.52, 0.03]],
  ['chest', 'spine', [0, 0.52, 0.03], [0, 0.54, 0.18]],
  ['neck', 'chest', [0, 0.56, 0.22], [0, 0.68, 0.34]],
  ['head', 'neck', [0, 0.68, 0.34], [0, 0.66, 0.52]],
  ['+tail 1', 'hips', [0, 0.53, -0.34], [0, 0.6, -0.43]],
  ['+tail 2', '+tail 1', [0, 0.6, -0.43], [0, 0.7, -0.49]],
  ['+tail 3', '+tail 2', [0, 0.7, -0.49], [0, 0.8, -0.5]],
];

/** The left side: the foreleg with its shoulder blade, the hind leg; each ends in a paw on the floor. */
const SIDE: readonly (readonly [word: string, parent: string, at: Vec3, tip: Vec3])[] = [
  ['Shoulder', 'chest', [0.055, 0.55, 0.16], [0.075, 0.42, 0.22]],
  ['UpperArm', 'Shoulder', [0.075, 0.42, 0.22], [0.078, 0.27, 0.15]],
  ['LowerArm', 'UpperArm', [0.078, 0.27, 0.15], [0.078, 0.09, 0.17]],
  ['Hand', 'LowerArm', [0.078, 0.09, 0.17], [0.078, 0.022, 0.195]],
  ['UpperLeg', 'hips', [0.07, 0.46, -0.26], [0.078, 0.3, -0.2]],
  ['LowerLeg', 'UpperLeg', [0.078, 0.3, -0.2], [0.078, 0.15, -0.34]],
  ['Foot', 'LowerLeg', [0.078, 0.15, -0.34], [0.078, 0.03, -0.31]],
  ['Toes', 'Foot', [0.078, 0.03, -0.31], [0.078, 0.02, -0.26]],
];

function createDogBody(): Body {
  const rows: Row[] = [...MIDDLE];
  for (const side of ['left', 'right'] as const) {
    const on = (p: Vec3) => (side === 'left' ? p : mirror(p));
    for (const [word, parent, at, tip] of SIDE) {
      const above = /^[a-z]/.test(parent) ? parent : `${side}${parent}`;
      rows.push([`${side}${word}` as Role, above as Role, on(at), on(tip)]);
    }
  }
  return {
    joints: Object.fromEntries(rows.map(([part, , at]) => [part, at])),
    tips: Object.fromEntries(rows.map(([part, , , tip]) => [part, tip])),
    parents: Object.fromEntries(rows.flatMap(([part, parent]) => (parent ? [[part, parent]] : []))),
    order: rows.map(([part]) => part),
  };
}

/** The body of the dog, as it stands. */
export const dogBody: Body = createDogBody();

const COAT = '#b9824f';
const PALE = '#ead9c2';
const DARK = '#3b2c26';

function dogParts(): Part[] {
  const bone = (part: BodyPart, a: number, b: number, softness = 0.02) =>
    capsule(part, dogBody.joints[part]!, dogBody.tips[part]!, a, b, { blend: 0.05, softness });
  const legs = bothSides((side) => [
    bone(`${side}Shoulder`, 0.06, 0.058),
    bone(`${side}UpperArm`, 0.058, 0.042, 0.012),
    bone(`${side}LowerArm`, 0.042, 0.027, 0.012),
    bone(`${side}UpperLeg`, 0.082, 0.055),
    bone(`${side}LowerLeg`, 0.055, 0.028, 0.012),
    bone(`${side}Foot`, 0.028, 0.028, 0.008),
  ]).flat();
  return [
    {
      name: 'coat',
      color: COAT,
      blobs: [
        capsule('hips', [0, 0.48, -0.27], [0, 0.49, -0.14], 0.105, 0.1, { blend: 0.05, softness: 0.03 }),
        capsule('spine', [0, 0.485, -0.12], [0, 0.48, 0.03], 0.1, 0.112, { blend: 0.05, softness: 0.03 }),
        capsule('chest', [0, 0.47, 0.04], [0, 0.47, 0.16], 0.118, 0.112, { blend: 0.05, softness: 0.03 }),
        bone('neck', 0.085, 0.07),
        ...legs,
      ],
      keep: [behind([0, 0.028, 0], [0, -1, 0])],
      cell: [0.032, 0.036, 0.036],
    },
    {
      name: 'coat',
      color: COAT,
      blobs: [
        ellipsoid('head', [0, 0.705, 0.37], [0.08, 0.078, 0.09], { blend: 0 }),
        capsule('head', [0, 0.68, 0.42], [0, 0.665, 0.51], 0.048, 0.034, { blend: 0.04 }),
        bone('neck', 0.075, 0.068),
      ],
      cell: [0.026, 0.026, 0.028],
    },
    {
      name: 'ears',
      color: DARK,
      blobs: bothSides((side, on) =>
        capsule('head', on([0.062, 0.765, 0.345]), on([0.1, 0.66, 0.34]), 0.032, 0.026, {
          stretch: [0.45, 1, 1],
          blend: 0.01,
          turn: yaw(side === 'left' ? -10 : 10),
        }),
      ),
      cell: [0.02, 0.026, 0.022],
      whole: true,
    },
    {
      name: 'face',
      color: DARK,
      blobs: [
        ellipsoid('head', [0, 0.68, 0.54], [0.02, 0.016, 0.014], { blend: 0 }),
        ...bothSides((_, on) =>
          ellipsoid('head', on([0.036, 0.722, 0.444]), [0.011, 0.013, 0.009], { blend: 0 }),
        ),
      ],
      cell: [0.009, 0.009, 0.008],
      whole: true,
      shine: 0.6,
    },
    {
      name: 'paws',
      color: PALE,
      blobs: bothSides((side, on) => [
        capsule(`${side}Hand`, on([0.078, 0.075, 0.172]), on([0.078, 0.03, 0.2]), 0.029, 0.034, {
          blend: 0.01,
        }),
        capsule(`${side}Foot`, on([0.078, 0.08, -0.325]), on([0.078, 0.035, -0.31]), 0.029, 0.03, {
          blend: 0.01,
          softness: 0.006,
        }),
        capsule(`${side}Toes`, on([0.078, 0.03, -0.3]), on([0.078, 0.03, -0.272]), 0.034, 0.033, {
          blend: 0.01,
          softness: 0.006,
        }),
      ]).flat(),
      keep: [behind([0, 0, 0], [0, -1, 0])],
      cell: [0.022, 0.02, 0.022],
      whole: true,
    },
    {
      name: 'tail',
      color: COAT,
      blobs: [bone('+tail 1', 0.034, 0.03), bone('+tail 2', 0.03, 0.026), bone('+tail 3', 0.026, 0.014)],
      cell: [0.022, 0.03, 0.024],
      whole: true,
    },
  ];
}

const CYCLE = 0.9; // seconds
const STRIDE = 0.44; // metres a cycle
const STANDS = 0.64; // share of the cycle in which a paw stands
/** When each paw comes down, in cycles: a walk goes left hind, left fore, right hind, right fore. */
const LATE = { leftFoot: 0, leftHand: 0.25, rightFoot: 0.5, rightHand: 0.75 } as const;

/** Where a paw is, and how far it is lifted: it stands exactly where it comes down. */
function pawAt(paw: keyof typeof LATE, t: number): { shift: number; lift: number } {
  const c = t / CYCLE - LATE[paw];
  const n = Math.floor(c);
  const at = (n + LATE[paw] + STANDS / 2) * STRIDE;
  const u = (c - n - STANDS) / (1 - STANDS);
  if (u <= 0) return { shift: at, lift: 0 };
  return { shift: at + STRIDE * easeSoftly(u), lift: Math.sin(Math.PI * u) ** 2 };
}

function walkPose(t: number): BodyPose {
  const c = t / CYCLE;
  const sway = wave(c, 0.1);
  const bob = wave(2 * c, 0.2);
  const hips: Vec3 = [0.008 * sway, 0.47 + 0.005 * bob, -0.25 + (STRIDE * t) / CYCLE];
  const turns: Partial<Record<BodyPart, Quat>> = {
    hips: turnBy(yaw(3 * sway), pitch(1.2 * wave(2 * c, 0.7))),
    spine: yaw(-3 * sway),
    chest: turnBy(yaw(-3 * sway), pitch(-1.2 * wave(2 * c, 0.7))),
    neck: turnBy(yaw(2 * sway), pitch(4 + 3 * wave(2 * c, 0.35))),
    head: turnBy(yaw(sway), pitch(-3 - 3 * wave(2 * c, 0.35))),
    '+tail 1': yaw(14 * wave(2 * c, 0.1)),
    '+tail 2': yaw(14 * wave(2 * c, 0.2)),
    '+tail 3': yaw(12 * wave(2 * c, 0.3)),
  };
  const place = (part: BodyPart): { at: Vec3; turn: Quat } => {
    const parent = dogBody.parents[part];
    if (!parent) return { at: hips, turn: turns[part]! };
    const above = place(parent);
    const from = subtract(dogBody.joints[part]!, dogBody.joints[parent]!);
    return {
      at: add(above.at, rotate(above.turn, from)),
      turn: turnBy(above.turn, turns[part] ?? [0, 0, 0, 1]),
    };
  };
  for (const side of ['left', 'right'] as const) {
    // The shoulder blade goes with its paw.
    turns[`${side}Shoulder`] = pitch(-110 * (pawAt(`${side}Hand`, t).shift - (STRIDE * t) / CYCLE));
    solveLeg(side, ['UpperArm', 'LowerArm', 'Hand'], pawAt(`${side}Hand`, t), [0, 0, -1]);
    solveLeg(side, ['UpperLeg', 'LowerLeg', 'Foot'], pawAt(`${side}Foot`, t), [0, 0, 1]);
  }
  return { turns, hips };

  function solveLeg(
    side: Side,
    words: readonly [string, string, string],
    paw: { shift: number; lift: number },
    bend: Vec3,
  ) {
    const [upper, lower, end] = words.map((word) => `${side}${word}` as Role) as [Role, Role, Role];
    const hinge: Vec3 = bend[2] > 0 ? [1, 0, 0] : [-1, 0, 0];
    const bones = {
      upper: subtract(dogBody.joints[lower]!, dogBody.joints[upper]!),
      lower: subtract(dogBody.joints[end]!, dogBody.joints[lower]!),
      hinge,
    };
    // The pastern swings with the leg and is as it stands while the paw does.
    const endTurn = pitch(46 * paw.lift);
    const rest = dogBody.joints[end]!;
    const goal: Vec3 = add(rest, [0, 0.06 * paw.lift, paw.shift]);
    const parent = place(dogBody.parents[upper]!);
    const root = place(upper).at;
    const solved = solveTwoBones(bones, root, goal, bend);
    turns[upper] = turnBy(inverse(parent.turn), solved.upper);
    turns[lower] = turnBy(inverse(solved.upper), solved.lower);
    turns[end] = turnBy(inverse(solved.lower), endTurn);
  }
}

/** A walk of two cycles on four paws. Loops. */
export const dogWalk: Playable = {
  name: 'walk',
  duration: 2 * CYCLE,
  frameRate: 60,
  keys: 'dense',
  poseAt: walkPose,
};

function dogRig(): SampleRig {
  const plans: JointPlan[] = [{ name: 'root', parent: null, role: null }];
  const put = (name: string, parent: string, role: BodyPart) => {
    const bone = subtract(dogBody.tips[role]!, dogBody.joints[role]!);
    plans.push({ name, parent, role, axes: axesAlongY(bone, [1, 0, 0]) });
  };
  put('pelvis', 'root', 'hips');
  put('spine_01', 'pelvis', 'spine');
  put('spine_02', 'spine_01', 'chest');
  put('neck', 'spine_02', 'neck');
  put('head', 'neck', 'head');
  put('tail_01', 'pelvis', '+tail 1');
  put('tail_02', 'tail_01', '+tail 2');
  put('tail_03', 'tail_02', '+tail 3');
  for (const side of ['left', 'right'] as const) {
    const s = side[0]!;
    put(`front_scapula_${s}`, 'spine_02', `${side}Shoulder`);
    put(`front_upper_leg_${s}`, `front_scapula_${s}`, `${side}UpperArm`);
    put(`front_lower_leg_${s}`, `front_upper_leg_${s}`, `${side}LowerArm`);
    put(`front_paw_${s}`, `front_lower_leg_${s}`, `${side}Hand`);
    put(`hind_thigh_${s}`, 'pelvis', `${side}UpperLeg`);
    put(`hind_shin_${s}`, `hind_thigh_${s}`, `${side}LowerLeg`);
    put(`hind_foot_${s}`, `hind_shin_${s}`, `${side}Foot`);
    put(`hind_paw_${s}`, `hind_foot_${s}`, `${side}Toes`);
  }
  return createRig(dogBody, plans);
}

/** A body on four legs with a tail, and its walk in the file. */
export function createDog(): SampleCharacter {
  const rig = dogRig();
  return {
    name: 'dog',
    title: 'Dog with a walk',
    rig,
    skin: createSkin(dogBody, dogParts()),
    clips: [createClip(rig, dogWalk)],
  };
}
