import type { Role, Side } from '@stuntdouble/core/engine';
import { add, direction, mix, rotate, scale, subtract, type Vec3, yaw } from '../vector.js';
import { ALL_FINGERS, type Body } from './body.js';
import {
  type Blob,
  type BlobOptions,
  behind,
  bothSides,
  capsule,
  decal,
  ellipseOutline,
  ellipsoid,
  type Part,
  strokeOutline,
} from './shape.js';

/** A tapered limb along a body part's bone, thickest where `swell` says, as muscles are. */
export function limb(
  body: Body,
  role: Role,
  radii: readonly [number, number, number],
  options: BlobOptions & { swellAt?: number } = {},
): Blob[] {
  const from = body.joints[role]!;
  const to = body.tips[role]!;
  const middle = mix(from, to, options.swellAt ?? 0.35);
  const rest = { blend: 0.02, ...options };
  return [
    capsule(role, from, middle, radii[0], radii[1], rest),
    capsule(role, middle, to, radii[1], radii[2], rest),
  ];
}

/** Palm and fingers of one hand. `fat` scales their thickness. */
export function handBlobs(body: Body, side: Side, size: number, fat = 1): Blob[] {
  const wrist = body.joints[`${side}Hand`]!;
  const out = side === 'left' ? 1 : -1;
  const blobs: Blob[] = [];
  const thick = (millimetres: number) => (millimetres / 1000) * size * fat;
  for (const finger of ALL_FINGERS) {
    const knuckle = body.joints[`${side}${finger}Proximal`];
    if (!knuckle) continue;
    blobs.push(
      capsule(`${side}Hand`, add(wrist, [0.012 * size * out, 0, 0]), knuckle, thick(17), thick(13.5), {
        blend: 0.012 * size,
        softness: 0.006 * size,
      }),
    );
  }
  for (const finger of ALL_FINGERS) {
    if (!body.joints[`${side}${finger}Proximal`]) continue;
    const slim = finger === 'Little' ? 0.86 : 1;
    (['Proximal', 'Intermediate', 'Distal'] as const).forEach((phalanx, i) => {
      const role: Role = `${side}${finger}${phalanx}`;
      blobs.push(
        capsule(
          role,
          body.joints[role]!,
          body.tips[role]!,
          thick([9.8, 9, 8.4][i]! * slim),
          thick([9, 8.4, 7.4][i]! * slim),
          { blend: 0.005 * size, softness: 0.003 * size },
        ),
      );
    });
  }
  (['Metacarpal', 'Proximal', 'Distal'] as const).forEach((phalanx, i) => {
    const role: Role = `${side}Thumb${phalanx}`;
    blobs.push(
      capsule(
        role,
        body.joints[role]!,
        body.tips[role]!,
        thick([17, 12, 10.5][i]!),
        thick([12, 10.5, 8.5][i]!),
        {
          blend: 0.01 * size,
          softness: 0.004 * size,
        },
      ),
    );
  });
  return blobs;
}

/** Where a forearm's mesh ends and a hand's, with its finer cells, begins: a share of the forearm. */
const CUFF = 0.86;

/** A point and outward direction on the forearm, where the hand's mesh begins. */
function cuffOf(body: Body, side: Side): { at: Vec3; out: Vec3 } {
  const from = body.joints[`${side}LowerArm`]!;
  const to = body.joints[`${side}Hand`]!;
  return { at: mix(from, to, CUFF), out: direction(subtract(to, from)) };
}

/**
 * Arm and hand of both sides as bare skin. The two meshes overlap at the cuff, where both follow the same
 * blobs; cells are long along limbs and fingers.
 */
export function armParts(
  body: Body,
  color: string,
  arm: (side: Side) => Blob[],
  size: number,
  fat = 1,
  handColor = color,
): Part[] {
  return bothSides((side): Part[] => {
    const { at, out } = cuffOf(body, side);
    return [
      {
        name: 'skin',
        color,
        blobs: arm(side),
        keep: [behind(add(at, scale(out, 0.008)), out)],
        cell: [0.042, 0.0215, 0.0215],
      },
      {
        name: color === handColor ? 'skin' : 'hands',
        color: handColor,
        blobs: [
          ...arm(side).filter((blob) => blob.role === `${side}LowerArm`),
          ...handBlobs(body, side, size, fat),
        ],
        keep: [behind(at, scale(out, -1))],
        // A hand of another colour is a glove.
        inflate: color === handColor ? 0 : 0.004,
        cell: [0.016 * size, 0.0098 * size, 0.0098 * size],
        whole: true,
      },
    ];
  }).flat();
}

/** A human head in its own frame: from the head joint, in metres of an adult, times `size`. */
export type HeadPlan = {
  size: number;
  skin: string;
  iris: string;
  brow: string;
  mouth: string;
  /** Half width and half height of the white of an eye; [0.024, 0.027] if left out. */
  eye?: readonly [number, number];
  /** Height of the brows over the eyes' middle; 0.047 if left out. */
  browHeight?: number;
  /** Degrees by which the brows rise outwards; −6 if left out. */
  browRise?: number;
  neckRadius?: number;
  /** Where the neck begins, in body space. */
  neckFrom: Vec3;
  /** Width of the jaw; 1 if left out. */
  jaw?: number;
  cheeks?: string;
  /** Half width of the mouth; 0.031 if left out. */
  smile?: number;
};

/** Where a head's eyes are in its own frame, for the left side. */
export const EYE_PLACE: Vec3 = [0.039, 0.104, 0.08];

/** The point of a head's frame in body space. */
export function headPoint(body: Body, size: number): (point: Vec3) => Vec3 {
  return (point) => add(body.joints.head!, scale(point, size));
}

/** Skull, jaw, nose, ears, neck, and a face. */
export function headParts(body: Body, plan: HeadPlan): Part[] {
  const { size } = plan;
  const at = headPoint(body, size);
  const of = (x: number, y: number, z: number): Vec3 => scale([x, y, z], size);
  const neck = plan.neckRadius ?? 0.05;
  const jaw = plan.jaw ?? 1;
  const skull = [
    ellipsoid('head', at([0, 0.128, -0.004]), of(0.094, 0.112, 0.104), { blend: 0 }),
    ellipsoid('head', at([0, 0.06, 0.026]), of(0.068 * jaw, 0.066, 0.068), { blend: 0.06 * size }),
    ellipsoid('head', at([0, 0.077, 0.102]), of(0.0125, 0.0135, 0.016), { blend: 0.014 * size }),
    ...bothSides((_, on) =>
      ellipsoid('head', at(on([0.096, 0.09, -0.008])), of(0.013, 0.029, 0.021), { blend: 0.012 * size }),
    ),
  ];
  const [eyeWidth, eyeHeight] = plan.eye ?? [0.024, 0.027];
  const browAt = EYE_PLACE[1] + (plan.browHeight ?? 0.047);
  const rise = 0.04 * Math.sin(((plan.browRise ?? -6) * Math.PI) / 180);
  const smile = plan.smile ?? 0.031;
  return [
    {
      name: 'skin',
      color: plan.skin,
      blobs: [
        ...skull,
        capsule('neck', plan.neckFrom, at([0, 0.03, -0.006]), neck * 1.1, neck, { blend: 0.03 }),
      ],
      cell: of(0.0195, 0.0195, 0.0195),
    },
    ...eyeParts({
      at: at(EYE_PLACE),
      radii: of(eyeWidth, eyeHeight, 0.0175),
      turnDegrees: 16,
      white: '#fbfaf6',
      iris: plan.iris,
      irisRadius: 0.62 * Math.min(eyeWidth, eyeHeight) * size,
    }),
    ...faceLines(skull, {
      size,
      mouth: {
        color: plan.mouth,
        points: [
          at([-smile, 0.041, 0]),
          at([-smile * 0.55, 0.0325, 0]),
          at([0, 0.0295, 0]),
          at([smile * 0.55, 0.0325, 0]),
          at([smile, 0.041, 0]),
        ],
        radius: 0.0042 * size,
      },
      brows: {
        color: plan.brow,
        points: [
          at([0.02, browAt, 0]),
          at([0.042, browAt + rise * 0.3 + 0.003, 0]),
          at([0.062, browAt + rise, 0]),
        ],
        radius: 0.0056 * size,
      },
      front: at([0, 0, 0.05])[2],
      ...(plan.cheeks
        ? { cheeks: { color: plan.cheeks, at: at([0.056, 0.062, 0.05]), radius: 0.0145 * size } }
        : {}),
    }),
  ];
}

/** Round eyes; places in body space for the left side. */
export type EyePlan = {
  at: Vec3;
  /** Half width, half height, half depth of the white. */
  radii: Vec3;
  /** Degrees by which the eye follows the head's curve outwards. */
  turnDegrees: number;
  white: string;
  iris: string;
  irisRadius: number;
  /** Half width of the pupil as a share of the iris's; 0.5 if left out. */
  pupil?: number;
};

/** Eyes that follow their own joints, with iris, pupil and a spark of light painted on. */
export function eyeParts(plan: EyePlan): Part[] {
  const { at, radii, turnDegrees, irisRadius } = plan;
  const whites = bothSides((side, on) =>
    ellipsoid(`${side}Eye`, on(at), radii, {
      turn: yaw(side === 'left' ? turnDegrees : -turnDegrees),
      softness: 0,
      blend: 0,
    }),
  );
  const look = rotate(yaw(turnDegrees), [0, 0, 1]);
  const paint = (name: string, color: string, thick: number, radius: number, x: number, y: number): Part[] =>
    bothSides((side, on) => {
      const middle = on(at);
      const outline = ellipseOutline(add(middle, [x, y, 0]), on(look), radius, radius * 1.1);
      const reach = 1.2 * Math.max(...radii);
      return {
        ...decal(
          name,
          color,
          [whites[side === 'left' ? 0 : 1]],
          outline,
          thick,
          {
            low: [middle[0] - reach, middle[1] - reach, middle[2]],
            high: add(middle, [reach, reach, reach]),
          },
          [radius / 2.4, radius / 2.4, radii[2] / 4],
        ),
        shine: 0.6,
      };
    });
  return [
    {
      name: 'eye white',
      color: plan.white,
      blobs: whites,
      cell: scale([1, 1, 1], radii[0] / 2.4),
      smoothing: 0,
      hiddenDepth: 0.004,
      shine: 0.6,
    },
    ...paint('iris', plan.iris, 0.0006, irisRadius, 0, 0),
    ...paint('pupil', '#17141a', 0.0012, irisRadius * (plan.pupil ?? 0.5), 0, 0),
    ...paint('eye light', '#ffffff', 0.0018, irisRadius * 0.28, irisRadius * 0.3, irisRadius * 0.4),
  ];
}

/** Lines painted on a head; points in body space, brows for the left side. */
export type FaceLines = {
  size: number;
  mouth: { color: string; points: readonly Vec3[]; radius: number };
  brows?: { color: string; points: readonly Vec3[]; radius: number };
  cheeks?: { color: string; at: Vec3; radius: number };
  /** Nothing is painted behind this z. */
  front: number;
};

/** Mouth, brows and cheeks as paint on a head. */
export function faceLines(head: readonly Blob[], plan: FaceLines): Part[] {
  const { size, front } = plan;
  const stroke = (name: string, color: string, points: readonly Vec3[], radius: number, thick: number) =>
    decal(name, color, head, strokeOutline(points, radius), thick, boxAround(points, 1.5 * radius, front), [
      radius * 1.1,
      radius * 0.8,
      0.012 * size,
    ]);
  const parts = [stroke('mouth', plan.mouth.color, plan.mouth.points, plan.mouth.radius, 0.0032 * size)];
  const { brows, cheeks } = plan;
  if (brows)
    parts.push(
      ...bothSides((_, on) => stroke('brows', brows.color, brows.points.map(on), brows.radius, 0.003 * size)),
    );
  if (cheeks)
    parts.push(
      ...bothSides((_, on) =>
        decal(
          'cheeks',
          cheeks.color,
          head,
          ellipseOutline(on(cheeks.at), [0, 0, 1], cheeks.radius, cheeks.radius * 0.72),
          0.0014,
          boxAround([on(cheeks.at)], 1.4 * cheeks.radius, front),
          [cheeks.radius * 0.55, cheeks.radius * 0.4, 0.014 * size],
        ),
      ),
    );
  return parts;
}

function boxAround(points: readonly Vec3[], margin: number, front: number): { low: Vec3; high: Vec3 } {
  const xs = points.map((point) => point[0]);
  const ys = points.map((point) => point[1]);
  return {
    low: [Math.min(...xs) - margin, Math.min(...ys) - margin, front],
    high: [Math.max(...xs) + margin, Math.max(...ys) + margin, front + 0.12],
  };
}
