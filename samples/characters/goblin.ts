import type { Role, Side } from '@stuntdouble/core/engine';
import { type Body, createBody, type Finger, placeBody } from '../body/body.js';
import { armParts, eyeParts, faceLines, headPoint } from '../body/body-parts.js';
import { behind, below, bothSides, capsule, ellipsoid, type Part } from '../body/shape.js';
import { createSkin } from '../body/skin.js';
import { footBlobs, legBlobs, lowerArmBlobs, torsoBlobs, upperArmBlobs } from '../body/torso-parts.js';
import type { SampleCharacter } from '../character-file.js';
import { axesAlongX, boneOf, createRig, type JointPlan, type SampleRig } from '../sample-rig.js';
import { add, pitch, type Quat, roll, scale, turnAbout, turnBy, type Vec3, yaw } from '../vector.js';

const SKIN = '#7fa64a';
const HEAD = 1.18;
const FINGERS: readonly Finger[] = ['Index', 'Middle', 'Ring'];

const body: Body = createBody({
  hips: [0, 0.46, 0],
  spine: [0, 0.52, -0.004],
  chest: [0, 0.6, -0.008],
  upperChest: [0, 0.69, -0.012],
  neck: [0, 0.81, -0.012],
  head: [0, 0.855, 0.01],
  headTop: [0, 1.13, 0.01],
  eye: [0.05, 0.985, 0.1],
  shoulder: [0.035, 0.775, -0.012],
  upperArm: [0.15, 0.775, -0.014],
  lowerArm: [0.405, 0.775, -0.018],
  hand: [0.655, 0.775, -0.012],
  upperLeg: [0.075, 0.425, 0],
  lowerLeg: [0.08, 0.245, 0.008],
  foot: [0.082, 0.065, -0.012],
  toes: [0.088, 0.022, 0.085],
  toeTip: [0.092, 0.02, 0.17],
  handSize: 1.08,
  fingers: FINGERS,
});

function goblinParts(): Part[] {
  const at = headPoint(body, HEAD);
  const of = (x: number, y: number, z: number): Vec3 => scale([x, y, z], HEAD);
  const torso = torsoBlobs(body, {
    hips: [0.045, 0.092],
    waist: [0.04, 0.105],
    chest: [0.04, 0.1],
    upperChest: [0.06, 0.086],
    shoulder: 0.05,
    neck: 0.05,
    depth: 0.95,
  });
  const upperArm = (side: Side) => upperArmBlobs(body, side, [0.05, 0.045, 0.037]);
  const lowerArm = (side: Side) => lowerArmBlobs(body, side, [0.037, 0.047, 0.031]);
  const legs = legBlobs(body, [0.07, 0.066, 0.047], [0.047, 0.048, 0.034]);
  const feet = footBlobs(body, 0.88);
  const floor = behind([0, 0, 0], [0, -1, 0]);
  const skull = [
    ellipsoid('head', at([0, 0.12, -0.004]), of(0.108, 0.1, 0.104), { blend: 0 }),
    ellipsoid('head', at([0, 0.05, 0.03]), of(0.085, 0.06, 0.074), { blend: 0.06 }),
    capsule('head', at([0, 0.105, 0.1]), at([0, 0.07, 0.165]), 0.021 * HEAD, 0.024 * HEAD, { blend: 0.03 }),
    ...bothSides((_, on) =>
      capsule(
        'head',
        at(on([0.03, 0.145, 0.088])),
        at(on([0.075, 0.155, 0.066])),
        0.02 * HEAD,
        0.015 * HEAD,
        {
          blend: 0.03,
        },
      ),
    ),
  ];
  const ears = bothSides((side, on) =>
    capsule('head', at(on([0.1, 0.115, -0.01])), at(on([0.235, 0.185, -0.045])), 0.045 * HEAD, 0.011 * HEAD, {
      blend: 0.02,
      stretch: [1, 1, 0.42],
      turn: yaw(side === 'left' ? 12 : -12),
    }),
  );
  return [
    {
      name: 'skin',
      color: SKIN,
      blobs: [...skull, capsule('neck', [0, 0.79, -0.012], at([0, 0.03, 0]), 0.052, 0.05, { blend: 0.03 })],
      cell: [0.0241, 0.0213, 0.0196],
    },
    { name: 'skin', color: SKIN, blobs: ears, cell: [0.0213, 0.0168, 0.0123], smoothing: 0 },
    ...eyeParts({
      at: at([0.045, 0.109, 0.086]),
      radii: of(0.027, 0.025, 0.019),
      turnDegrees: 16,
      white: '#f6e27a',
      iris: '#a3461c',
      irisRadius: 0.0135 * HEAD,
      pupil: 0.45,
    }),
    ...faceLines(skull, {
      size: HEAD,
      mouth: {
        color: '#3d4f22',
        points: [
          at([-0.056, 0.046, 0]),
          at([-0.03, 0.031, 0]),
          at([0, 0.026, 0]),
          at([0.03, 0.031, 0]),
          at([0.056, 0.046, 0]),
        ],
        radius: 0.0055,
      },
      front: at([0, 0, 0.05])[2],
    }),
    {
      name: 'fangs',
      color: '#f4ecd8',
      blobs: bothSides((_, on) =>
        capsule('head', at(on([0.031, 0.03, 0.098])), at(on([0.033, 0.054, 0.104])), 0.0075, 0.003, {
          blend: 0,
        }),
      ),
      cell: [0.0067, 0.0078, 0.0067],
      smoothing: 0,
      whole: true,
    },
    ...armParts(body, SKIN, (side) => [...upperArm(side), ...lowerArm(side)], 1.08, 1.25),
    {
      name: 'skin',
      color: SKIN,
      blobs: [...torso, ...legs.filter((blob) => /UpperLeg/.test(blob.role))],
      keep: [behind([0, 0.4, 0], [0, -1, 0])],
      cell: [0.0381, 0.0358, 0.0358],
      hiddenDepth: 0.006,
    },
    {
      name: 'vest',
      color: '#7a4a2b',
      blobs: [...torso, ...upperArm('left'), ...upperArm('right')],
      inflate: 0.016,
      keep: [
        behind([0, 0.5, 0], [0, -1, 0]),
        behind([0.185, 0, 0], [1, 0, 0]),
        behind([-0.185, 0, 0], [-1, 0, 0]),
        below(0.85, 0.5, 0.075),
      ],
      // Open at the front: a wedge that widens downwards.
      cut: [(x, y, z) => Math.max(Math.abs(x) - 0.018 - 0.16 * Math.max(0, 0.8 - y), 0.01 - z) * 0.9],
      cell: [0.0336, 0.0358, 0.0336],
    },
    {
      name: 'shorts',
      color: '#4b3a52',
      blobs: [...torso.slice(0, 2), ...legs],
      inflate: 0.018,
      // The hem stays on the thigh: at the knee, which bends far, the leg would come through it.
      keep: [behind([0, 0.56, 0], [0, 1, 0]), behind([0, 0.3, 0], [0, -1, 0])],
      cell: [0.0314, 0.0381, 0.0314],
    },
    {
      name: 'belt',
      color: '#2e2320',
      blobs: torso.slice(0, 3),
      inflate: 0.022,
      keep: [behind([0, 0.525, 0], [0, 1, 0]), behind([0, 0.495, 0], [0, -1, 0])],
      cell: [0.0336, 0.0224, 0.0336],
      hiddenDepth: 0.02,
    },
    {
      name: 'buckle',
      color: '#e0b13c',
      blobs: [ellipsoid('hips', [0, 0.51, 0.124], [0.026, 0.024, 0.012], { blend: 0 })],
      cell: [0.0146, 0.0134, 0.009],
      shine: 0.6,
      whole: true,
    },
    {
      name: 'skin',
      color: SKIN,
      // As the shorts have them, so that both bend alike at the hem.
      blobs: [...torso.slice(0, 2), ...legs],
      keep: [behind([0, 0.325, 0], [0, 1, 0]), behind([0, 0.04, 0], [0, -1, 0])],
      cell: [0.0269, 0.0403, 0.0269],
    },
    {
      name: 'skin',
      color: SKIN,
      blobs: [
        ...feet.filter((_, i) => i % 3 < 2),
        ...bothSides((side, on) =>
          ([-0.03, 0.002, 0.032] as const).map((x, i) =>
            capsule(
              `${side}Toes`,
              on([0.088 + x * 0.8, 0.022, 0.085]),
              on([0.091 + x * 1.25, 0.018, [0.155, 0.168, 0.15][i]!]),
              0.026,
              0.021,
              { blend: 0.012 },
            ),
          ),
        ).flat(),
      ],
      keep: [floor],
      cell: [0.0174, 0.0202, 0.0246],
    },
  ];
}

/** Biped's axes: +X along the bone on both sides, +Y forward or back. */
function bipedAxes(role: Role): Quat {
  const bone = boneOf(body, role);
  if (/Arm|Shoulder|Hand|Index|Middle|Ring|Little|Thumb/.test(role)) return axesAlongX(bone, [0, 0, 1]);
  if (/Leg/.test(role)) return axesAlongX(bone, [0, 0, 1]);
  if (/Foot/.test(role)) return axesAlongX([0, -1, 0], [0, 0, 1]);
  if (/Toes/.test(role)) return axesAlongX(bone, [0, 1, 0]);
  return axesAlongX([0, 1, 0], [0, 0, 1]);
}

/** Bent knees, a stoop, arms that hang forward. */
function goblinRest() {
  const turns: Partial<Record<Role, Quat>> = {
    spine: pitch(10),
    chest: pitch(8),
    neck: pitch(-6),
    head: pitch(-12),
  };
  for (const side of ['left', 'right'] as const) {
    const s = side === 'left' ? 1 : -1;
    turns[`${side}UpperArm`] = turnBy(yaw(-8 * s), roll(-38 * s));
    turns[`${side}LowerArm`] = yaw(-22 * s);
    turns[`${side}UpperLeg`] = turnBy(pitch(-32), roll(7 * s));
    turns[`${side}LowerLeg`] = pitch(50);
    turns[`${side}Foot`] = turnBy(roll(-7 * s), pitch(-18));
    for (const finger of FINGERS)
      for (const phalanx of ['Proximal', 'Intermediate', 'Distal'] as const)
        turns[`${side}${finger}${phalanx}`] = roll(-12 * s);
  }
  // The hips come down by what the knees take away, so that the soles stay on the floor.
  const straight = { turns, hips: body.joints.hips! };
  const ankle = placeBody(body, straight).leftFoot!.translation;
  return { turns, hips: add(straight.hips, [0, body.joints.leftFoot![1] - ankle[1], -ankle[2] - 0.012]) };
}

function goblinRig(): SampleRig {
  const plans: JointPlan[] = [];
  const put = (name: string, parent: string | null, role: Role, at?: Vec3) => {
    plans.push({
      name: `Bip01${name}`,
      parent: parent === null ? null : `Bip01${parent}`,
      role,
      axes: bipedAxes(role),
      ...(at ? { at } : {}),
    });
  };
  put('', null, 'hips', body.joints.hips!);
  put(' Pelvis', '', 'hips');
  put(' Spine', ' Pelvis', 'spine');
  put(' Spine1', ' Spine', 'chest');
  put(' Spine2', ' Spine1', 'upperChest');
  put(' Neck', ' Spine2', 'neck');
  put(' Head', ' Neck', 'head');
  put(' HeadNub', ' Head', 'head', body.tips.head!);
  for (const side of ['left', 'right'] as const) {
    const S = side === 'left' ? ' L' : ' R';
    // Biped hangs the collar bones on the neck; its thighs hang on the pelvis.
    put(`${S} Clavicle`, ' Neck', `${side}Shoulder`);
    put(`${S} UpperArm`, `${S} Clavicle`, `${side}UpperArm`);
    put(`${S} Forearm`, `${S} UpperArm`, `${side}LowerArm`);
    put(`${S} Hand`, `${S} Forearm`, `${side}Hand`);
    const chains: Role[][] = [
      (['Metacarpal', 'Proximal', 'Distal'] as const).map((phalanx): Role => `${side}Thumb${phalanx}`),
      ...FINGERS.map((finger) =>
        (['Proximal', 'Intermediate', 'Distal'] as const).map(
          (phalanx): Role => `${side}${finger}${phalanx}`,
        ),
      ),
    ];
    chains.forEach((chain, finger) => {
      chain.forEach((role, i) => {
        const name = (n: number) => `${S} Finger${finger}${n === 0 ? '' : n}`;
        put(name(i), i === 0 ? `${S} Hand` : name(i - 1), role);
      });
    });
    put(`${S} Thigh`, ' Pelvis', `${side}UpperLeg`);
    put(`${S} Calf`, `${S} Thigh`, `${side}LowerLeg`);
    put(`${S} Foot`, `${S} Calf`, `${side}Foot`);
    put(`${S} Toe0`, `${S} Foot`, `${side}Toes`);
  }
  plans.push({ name: 'Bip01 Footsteps', parent: 'Bip01', role: null, axes: pitch(-90) });
  return createRig(body, plans, {
    rest: goblinRest(),
    // As 3ds Max has it: Z up, inches; and the goblin looks towards −Z.
    container: { name: 'Goblin', rotation: turnAbout([1, 0, 0], -90), unit: 0.0254, facing: yaw(180) },
  });
}

/** Biped's names, long arms, short bent legs, inches with Z up, facing −Z. */
export function createGoblin(): SampleCharacter {
  return { name: 'goblin', title: 'Goblin', rig: goblinRig(), skin: createSkin(body, goblinParts()) };
}
