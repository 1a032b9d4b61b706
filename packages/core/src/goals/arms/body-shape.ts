import { hypot } from '../../base/math/functions.js';
import { type Vec3, vectorAt } from '../../base/math/vector.js';
import type { RoleJoints } from '../../body/body.js';
import type { Rig } from '../../body/rig.js';
import type { Role, Side } from '../../body/roles.js';
import type { ModelPose } from '../../scene/pose.js';
import { isAncestor, type Skeleton } from '../../scene/skeleton.js';
import { hullFaces } from './hull-faces.js';
import { gapsToPart, PART_NUMBERS, readPart } from './part-frame.js';
import { typicalSkin } from './typical-skin.js';

/** Things that hands can touch, in the order that gaps to them have everywhere. */
export const TOUCHED = ['trunk', 'head', 'leftLeg', 'rightLeg', 'otherHand', 'otherArm'] as const;

/** One of {@link TOUCHED}. */
export type Touched = (typeof TOUCHED)[number];

/** Number of the other hand among {@link TOUCHED}; those before it are parts of a shape. */
export const OTHER_HAND = TOUCHED.indexOf('otherHand');
/** Number of the other arm among them. */
export const OTHER_ARM = TOUCHED.indexOf('otherArm');

/** Skin that moves as one with a joint, as the convex hull of its extreme points. */
export type ShapePart = {
  joint: number;
  /** Number of what it belongs to in {@link TOUCHED}. */
  touched: number;
  /** Faces of the hull, see `hullFaces`: in metres, in the joint's axes as it is turned in model space, from its place. */
  faces: Float64Array;
  /** How many numbers of `faces` belong to the outside; those behind them lie in other parts, where no way leads out. */
  outer: number;
  /** A ball that holds it: xyz, and its radius. */
  ball: Float64Array;
};

/** One arm as a body that touches. */
export type ArmShape = {
  side: Side;
  upper: number;
  middle: number;
  end: number;
  /** Half thicknesses in metres: of the upper arm, of the forearm at the elbow and at the wrist. */
  thick: [number, number, number];
  /** The palm; its joint is `end`. */
  palm: ShapePart;
  /** Points of the palm's skin, in its axes: xyz each. */
  points: Float64Array;
  /** Joints along the middle finger and half its thickness; none where it has none. */
  fingers: number[];
  fingerThick: number;
};

/** A body as hands touch it. */
export type BodyShape = {
  /** Mean length of the arms, in metres. */
  arm: number;
  /** All but the arms. */
  parts: ShapePart[];
  /** Left and right. */
  arms: [ArmShape | null, ArmShape | null];
  /** Whether all of it is skin, not supposed. */
  isSkin: boolean;
  /** Number of the part that arms are seen from, the highest of the trunk, or −1; and the ways ahead and up in its axes. */
  chest: number;
  ahead: Float64Array | null;
  up: Float64Array | null;
};

/** Roles of what can be touched, and what they belong to. */
const TOUCHED_ROLES: readonly [Role, Touched][] = [
  ['hips', 'trunk'],
  ['spine', 'trunk'],
  ['chest', 'trunk'],
  ['upperChest', 'trunk'],
  ['neck', 'head'],
  ['head', 'head'],
  ['leftUpperLeg', 'leftLeg'],
  ['leftLowerLeg', 'leftLeg'],
  ['rightUpperLeg', 'rightLeg'],
  ['rightLowerLeg', 'rightLeg'],
];

/** Points of a palm that are looked at. */
const PALM_POINTS = 12;

/** Finds a body's shape in a reference pose; null where it has no arms. */
export function createBodyShape(rig: Rig, roles: RoleJoints, model: ModelPose): BodyShape | null {
  const lengths = (['left', 'right'] as const).flatMap((side) => {
    const [upper, middle, end] = [roles[`${side}UpperArm`], roles[`${side}LowerArm`], roles[`${side}Hand`]];
    if (upper === undefined || middle === undefined || end === undefined) return [];
    const length = apart(model, upper, middle) + apart(model, middle, end);
    return length > 1e-6 && length < 1e6 ? [length] : [];
  });
  if (lengths.length === 0) return null;
  const arm = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const { skeleton } = rig;
  const isSkin = skeleton.hulls?.some((hull) => hull !== null && hull.length >= 12) ?? false;
  const typical = isSkin ? null : typicalSkin(roles, model, arm);
  const skinOf = (joint: number, role: Role | null): Float64Array =>
    typical
      ? fromModel(model, joint, (role && typical[role]) ?? [])
      : skinAt(skeleton, model, joint, role ? twistsOf(skeleton, roles, role) : []);
  const parts: ShapePart[] = [];
  const skins: Float64Array[] = [];
  const add = (joint: number, touched: Touched, skin: Float64Array) => {
    const part = createPart(joint, TOUCHED.indexOf(touched), skin);
    if (!part) return;
    parts.push(part);
    skins.push(skin);
  };
  for (const [role, touched] of TOUCHED_ROLES) {
    const joint = roles[role];
    if (joint !== undefined) add(joint, touched, skinOf(joint, role));
  }
  for (const joint of betweenJoints(skeleton, roles)) add(joint, 'trunk', skinOf(joint, null));
  findOuterFaces(parts, skins, model, arm);
  const arms = (['left', 'right'] as const).map((side) => createArm(roles, model, side, skinOf));
  const chest = chestOf(parts);
  const [up, ahead] = [axisIn(parts[chest], model, 1), axisIn(parts[chest], model, 2)];
  return { arm, parts, arms: [arms[0]!, arms[1]!], isSkin, chest, ahead, up };
}

/** The highest part of a trunk. */
function chestOf(parts: readonly ShapePart[]): number {
  let chest = -1;
  parts.forEach(({ touched, joint }, n) => {
    if (touched === 0 && (chest < 0 || joint > parts[chest]!.joint)) chest = n;
  });
  return chest;
}

/** An axis of the model in the axes of a part: bodies of a reference look along z and stand along y. */
function axisIn(part: ShapePart | undefined, { matrices }: ModelPose, axis: 1 | 2): Float64Array | null {
  if (!part) return null;
  const axes = new Float64Array(PART_NUMBERS);
  readPart(axes, 0, matrices, part.joint);
  return Float64Array.of(axes[axis]!, axes[3 + axis]!, axes[6 + axis]!);
}

function createArm(
  roles: RoleJoints,
  model: ModelPose,
  side: Side,
  skinOf: (joint: number, role: Role | null) => Float64Array,
): ArmShape | null {
  const [upper, middle, end] = [roles[`${side}UpperArm`], roles[`${side}LowerArm`], roles[`${side}Hand`]];
  if (upper === undefined || middle === undefined || end === undefined) return null;
  const points = skinOf(end, `${side}Hand`);
  const palm = createPart(end, OTHER_HAND, points) ?? {
    joint: end,
    touched: OTHER_HAND,
    faces: new Float64Array(0),
    outer: 0,
    ball: new Float64Array(4),
  };
  const fingers = (['Proximal', 'Intermediate', 'Distal'] as const).flatMap(
    (part) => roles[`${side}Middle${part}`] ?? [],
  );
  const tip = fingers.at(-1);
  const upperSkin = skinOf(upper, `${side}UpperArm`);
  const lowerSkin = skinOf(middle, `${side}LowerArm`);
  return {
    side,
    upper,
    middle,
    end,
    thick: [
      thickAt(upperSkin, alongBone(model, upper, middle), 0.75),
      thickAt(lowerSkin, alongBone(model, middle, end), 0.15),
      thickAt(lowerSkin, alongBone(model, middle, end), 0.85),
    ],
    palm,
    points: spreadPoints(points, PALM_POINTS),
    fingers,
    fingerThick: tip === undefined ? 0 : thinnest(skinOf(tip, `${side}MiddleDistal`)) / 2,
  };
}

/** Joints of the trunk without a role: between the hips and what carries head and arms. */
function betweenJoints({ parents }: Skeleton, roles: RoleJoints): number[] {
  const known = new Set(Object.values(roles));
  const found: number[] = [];
  for (const top of [roles.head, roles.leftUpperArm, roles.rightUpperArm]) {
    const way: number[] = [];
    let at = top === undefined ? -1 : parents[top]!;
    while (at >= 0 && at !== roles.hips) {
      if (!known.has(at)) way.push(at);
      at = parents[at]!;
    }
    if (at >= 0) found.push(...way);
  }
  // A joint that carries one arm alone is a collar bone, whose skin is the shoulder's.
  return [...new Set(found)].filter((joint) => found.filter((other) => other === joint).length > 1);
}

function createPart(joint: number, touched: number, points: Float64Array): ShapePart | null {
  const faces = hullFaces(points);
  if (faces.length === 0) return null;
  const ball = new Float64Array(4);
  for (let i = 0; i < points.length; i++) ball[i % 3]! += (3 * points[i]!) / points.length;
  for (let i = 0; i < points.length; i += 3)
    ball[3] = Math.max(
      ball[3]!,
      hypot(points[i]! - ball[0]!, points[i + 1]! - ball[1]!, points[i + 2]! - ball[2]!),
    );
  return { joint, touched, faces, outer: faces.length, ball };
}

/** A face whose middle, moved out by this many arm lengths, lies in another part is no outside. */
const JUST_OUTSIDE = 0.02;

/** Puts the faces that lie in other parts, as the ends of a thigh do, behind the others. */
function findOuterFaces(
  parts: readonly ShapePart[],
  skins: readonly Float64Array[],
  model: ModelPose,
  arm: number,
): void {
  const row = new Float64Array(PART_NUMBERS * parts.length);
  parts.forEach(({ joint }, n) => {
    readPart(row, PART_NUMBERS * n, model.matrices, joint);
  });
  const gapOfMiddle = new Float64Array(1);
  const sorted = parts.map((part, n) => {
    const outer: number[] = [];
    const inner: number[] = [];
    for (let f = 0; f < part.faces.length; f += 4) {
      const face = part.faces.slice(f, f + 4);
      const middle = toModel(row, PART_NUMBERS * n, middleOfFace(face, skins[n]!, JUST_OUTSIDE * arm));
      const isInner = parts.some((other, m) => {
        if (m === n) return false;
        gapOfMiddle[0] = 0;
        gapsToPart(gapOfMiddle, other, row, PART_NUMBERS * m, middle, 1);
        return gapOfMiddle[0]! < 0;
      });
      (isInner ? inner : outer).push(...face);
    }
    return { outer, inner };
  });
  sorted.forEach(({ outer, inner }, n) => {
    parts[n]!.faces = Float64Array.from([...outer, ...inner]);
    parts[n]!.outer = outer.length > 0 ? outer.length : inner.length;
  });
}

/** The middle of the points on a face, moved out of it. */
function middleOfFace(face: Float64Array, points: Float64Array, out: number): Float64Array {
  const middle = new Float64Array(3);
  let count = 0;
  let highest = Number.NEGATIVE_INFINITY;
  const along = (i: number) => face[0]! * points[i]! + face[1]! * points[i + 1]! + face[2]! * points[i + 2]!;
  for (let i = 0; i < points.length; i += 3) highest = Math.max(highest, along(i));
  for (let i = 0; i < points.length; i += 3) {
    if (along(i) < highest - 0.1 * out) continue;
    count++;
    for (let c = 0; c < 3; c++) middle[c]! += points[i + c]!;
  }
  for (let c = 0; c < 3; c++) middle[c] = middle[c]! / count + out * face[c]!;
  return middle;
}

/** A point of a part as a probe without thickness, in model space. */
function toModel(row: Float64Array, o: number, point: Float64Array): Float64Array {
  const probe = new Float64Array(4);
  for (let c = 0; c < 3; c++)
    probe[c] =
      row[o + 9 + c]! + row[o + c]! * point[0]! + row[o + 3 + c]! * point[1]! + row[o + 6 + c]! * point[2]!;
  return probe;
}

/** Bones that may be cut into several joints, one behind another, and where each ends. */
const CUT_BONES: Partial<Record<Role, Role>> = {
  leftUpperArm: 'leftLowerArm',
  rightUpperArm: 'rightLowerArm',
  leftLowerArm: 'leftHand',
  rightLowerArm: 'rightHand',
  leftUpperLeg: 'leftLowerLeg',
  rightUpperLeg: 'rightLowerLeg',
  leftLowerLeg: 'leftFoot',
  rightLowerLeg: 'rightFoot',
};

/** Joints without a role that lie along a bone: those that twist with it, or that it is cut into. */
function twistsOf(skeleton: Skeleton, roles: RoleJoints, role: Role): number[] {
  const [from, next] = [roles[role], CUT_BONES[role]];
  const to = next === undefined ? undefined : roles[next];
  if (from === undefined || to === undefined) return [];
  return skeleton.names.flatMap((_, joint) =>
    joint > from && joint !== to && isAncestor(skeleton, from, joint) && !isAncestor(skeleton, to, joint)
      ? [joint]
      : [],
  );
}

/** The skin that follows a joint, and others with it, in metres, in its axes: what is in local space, as the reference has it. */
function skinAt(
  skeleton: Skeleton,
  model: ModelPose,
  joint: number,
  others: readonly number[],
): Float64Array {
  const own = [joint, ...others].flatMap((each): Vec3[] => {
    const hull = skeleton.hulls?.[each];
    if (!hull || hull.length < 12) return [];
    const m = model.matrices;
    const i = 16 * each;
    return Array.from({ length: Math.floor(hull.length / 3) }, (_, n): Vec3 => {
      const [x, y, z] = [hull[3 * n]!, hull[3 * n + 1]!, hull[3 * n + 2]!];
      return [0, 1, 2].map(
        (c) => m[i + c]! * x + m[i + 4 + c]! * y + m[i + 8 + c]! * z + m[i + 12 + c]!,
      ) as Vec3;
    });
  });
  return extremesOf(fromModel(model, joint, own));
}

/** The extreme points along the faces, edges and corners of a cube: of two dozen points or fewer all. */
function extremesOf(points: Float64Array): Float64Array {
  if (points.length <= 3 * 26) return points;
  const chosen = new Set<number>();
  for (let x = -1; x <= 1; x++)
    for (let y = -1; y <= 1; y++)
      for (let z = -1; z <= 1; z++) {
        let best = 0;
        let most = Number.NEGATIVE_INFINITY;
        for (let i = 0; i < points.length; i += 3) {
          const along = x * points[i]! + y * points[i + 1]! + z * points[i + 2]!;
          if (along > most) [best, most] = [i, along];
        }
        if (x !== 0 || y !== 0 || z !== 0) chosen.add(best);
      }
  return Float64Array.from([...chosen].flatMap((i) => [points[i]!, points[i + 1]!, points[i + 2]!]));
}

/** Points of model space in the axes of a joint. */
function fromModel({ matrices }: ModelPose, joint: number, points: readonly Vec3[]): Float64Array {
  const m = 16 * joint;
  return Float64Array.from(
    points.flatMap((point) =>
      [0, 1, 2].map((c) => {
        const axis = vectorAt(matrices, m + 4 * c);
        const length = hypot(...axis);
        return (
          ((point[0] - matrices[m + 12]!) * axis[0] +
            (point[1] - matrices[m + 13]!) * axis[1] +
            (point[2] - matrices[m + 14]!) * axis[2]) /
          (length > 0 ? length : 1)
        );
      }),
    ),
  );
}

function apart({ matrices }: ModelPose, a: number, b: number): number {
  return hypot(
    matrices[16 * a + 12]! - matrices[16 * b + 12]!,
    matrices[16 * a + 13]! - matrices[16 * b + 13]!,
    matrices[16 * a + 14]! - matrices[16 * b + 14]!,
  );
}

/** The way from a joint to another in the first one's axes, metres. */
function alongBone(model: ModelPose, from: number, to: number): Float64Array {
  return fromModel(model, from, [vectorAt(model.matrices, 16 * to + 12)]);
}

/** Half the thickness of skin around a bone at a share of it: the mean of what rays meet that go out square to it. */
function thickAt(points: Float64Array, bone: Float64Array, share: number): number {
  const faces = hullFaces(points);
  const length = hypot(bone[0]!, bone[1]!, bone[2]!);
  if (faces.length === 0 || !(length > 0)) return 0;
  const [x, y, z] = [bone[0]! / length, bone[1]! / length, bone[2]! / length];
  // Two axes square to the bone, and the ways between them.
  const first = Math.abs(x) < 0.7 ? [0, -z, y] : [z, 0, -x];
  const k = 1 / hypot(first[0]!, first[1]!, first[2]!);
  const u = [k * first[0]!, k * first[1]!, k * first[2]!];
  const v = [y * u[2]! - z * u[1]!, z * u[0]! - x * u[2]!, x * u[1]! - y * u[0]!];
  let sum = 0;
  for (const [p, q] of RAYS) {
    const d = [0, 1, 2].map((c) => p * u[c]! + q * v[c]!);
    let exit = Number.POSITIVE_INFINITY;
    for (let f = 0; f < faces.length; f += 4) {
      const towards = faces[f]! * d[0]! + faces[f + 1]! * d[1]! + faces[f + 2]! * d[2]!;
      if (!(towards > 1e-9)) continue;
      const off =
        faces[f + 3]! - share * (faces[f]! * bone[0]! + faces[f + 1]! * bone[1]! + faces[f + 2]! * bone[2]!);
      exit = Math.min(exit, Math.max(0, off) / towards);
    }
    sum += exit < Number.POSITIVE_INFINITY ? exit : 0;
  }
  return sum / RAYS.length;
}

const DIAGONAL = Math.SQRT1_2;
const RAYS: readonly (readonly [number, number])[] = [
  [1, 0],
  [DIAGONAL, DIAGONAL],
  [0, 1],
  [-DIAGONAL, DIAGONAL],
  [-1, 0],
  [-DIAGONAL, -DIAGONAL],
  [0, -1],
  [DIAGONAL, -DIAGONAL],
];

/** The least extent of points along the normals of their hull. */
function thinnest(points: Float64Array): number {
  const faces = hullFaces(points);
  let least = Number.POSITIVE_INFINITY;
  for (let f = 0; f < faces.length; f += 4) {
    let deepest = 0;
    for (let i = 0; i < points.length; i += 3)
      deepest = Math.max(
        deepest,
        faces[f + 3]! -
          faces[f]! * points[i]! -
          faces[f + 1]! * points[i + 1]! -
          faces[f + 2]! * points[i + 2]!,
      );
    least = Math.min(least, deepest);
  }
  return least < Number.POSITIVE_INFINITY ? least : 0;
}

/** So many of some points, each as far as can be from those before. */
function spreadPoints(points: Float64Array, most: number): Float64Array {
  const count = points.length / 3;
  const left = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const chosen: number[] = [];
  let next = 0;
  while (chosen.length < 3 * most && count > 0) {
    chosen.push(points[3 * next]!, points[3 * next + 1]!, points[3 * next + 2]!);
    const at = 3 * next;
    for (let i = 0; i < count; i++)
      left[i] = Math.min(
        left[i]!,
        hypot(
          points[3 * i]! - points[at]!,
          points[3 * i + 1]! - points[at + 1]!,
          points[3 * i + 2]! - points[at + 2]!,
        ),
      );
    next = left.indexOf(Math.max(...left));
    if (!(left[next]! > 0)) break;
  }
  return Float64Array.from(chosen);
}
