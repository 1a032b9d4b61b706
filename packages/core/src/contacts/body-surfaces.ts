import { transformPoint } from '../base/math/matrix.js';
import { dotVectors, subtractVectors, vectorAt } from '../base/math/vector.js';
import type { RoleJoints } from '../body/body.js';
import { footJoints } from '../body/floor.js';
import type { Rig } from '../body/rig.js';
import type { Role, Side } from '../body/roles.js';
import type { PointName } from '../options/contact.js';
import { type ModelPose, modelPoseOf } from '../scene/pose.js';
import { bodyPoints, hipHeightOf } from './body-points.js';

/** A part of the body that can carry it, by its outside. */
export type SurfaceName = `${Side}${'Foot' | 'Knee' | 'Elbow' | 'Hand'}` | 'seat' | 'back' | 'head';

/** The outside of a part of the body: skin that follows some joints, or what stands for it where there is none. */
export type BodySurface = {
  name: SurfaceName;
  /** The points of the body by which the part is known to touch something. */
  touches: readonly PointName[];
  joints: number[];
  /** Per joint places in its own local space: xyz each. */
  places: Float64Array[];
  /** Per joint how far the farthest of them is from it, metres. */
  radii: number[];
  /** How far the places are from what touches, metres: 0 where they are skin. */
  thickness: number;
  isSkin: boolean;
};

/** A knee or an elbow is so much of the bone above it, and so much of the bone below; a seat so much of the thighs. */
const ABOVE_BEND = 0.7;
const BELOW_BEND = 0.35;
const SEAT_OF_THIGH = 0.4;

/** A joint with the stretch of its way to the next that belongs to a part, 0 at the joint and 1 at the next. */
type Piece = { role: Role; next?: Role; from?: number; to?: number };

const SURFACE_PARTS: readonly { name: SurfaceName; touches: PointName[]; pieces: Piece[] }[] = [
  ...(['left', 'right'] as const).flatMap((side) => [
    {
      name: `${side}Foot` as const,
      touches: [`${side}Heel`, `${side}Toe`] as PointName[],
      pieces: [{ role: `${side}Foot` as const }],
    },
    bendOf(side, 'Knee', 'UpperLeg', 'LowerLeg', 'Foot'),
    bendOf(side, 'Elbow', 'UpperArm', 'LowerArm', 'Hand'),
    {
      name: `${side}Hand` as const,
      touches: [`${side}Hand`] as PointName[],
      pieces: [{ role: `${side}Hand` as const }],
    },
  ]),
  {
    name: 'seat',
    touches: ['hips'],
    pieces: [
      { role: 'hips' },
      ...(['left', 'right'] as const).map(
        (side): Piece => ({ role: `${side}UpperLeg`, next: `${side}LowerLeg`, to: SEAT_OF_THIGH }),
      ),
    ],
  },
  {
    name: 'back',
    touches: ['back'],
    pieces: (['spine', 'chest', 'upperChest', 'leftShoulder', 'rightShoulder'] as const).map((role) => ({
      role,
    })),
  },
  { name: 'head', touches: ['head'], pieces: [{ role: 'head' }, { role: 'neck' }] },
];

function bendOf(
  side: Side,
  bend: 'Knee' | 'Elbow',
  above: 'UpperLeg' | 'UpperArm',
  below: 'LowerLeg' | 'LowerArm',
  end: 'Foot' | 'Hand',
): (typeof SURFACE_PARTS)[number] {
  return {
    name: `${side}${bend}`,
    touches: [`${side}${bend}`],
    pieces: [
      { role: `${side}${above}`, next: `${side}${below}`, from: ABOVE_BEND },
      { role: `${side}${below}`, next: `${side}${end}`, to: BELOW_BEND },
    ],
  };
}

/**
 * The outsides of the parts that can carry a body: skin where the file has one, else the points of `bodyPoints` with the
 * thickness that is usual there. Parts that a body has not are left out.
 * @param joints The joints of the roles; the rig's own if left out.
 * @param model The body in its reference pose; found if left out.
 */
export function bodySurfaces(
  rig: Rig,
  joints: RoleJoints = rig.joints,
  model: ModelPose = modelPoseOf(rig.skeleton, rig.reference.pose),
): BodySurface[] {
  const points = bodyPoints(rig, joints);
  const unit = hipHeightOf(rig, joints);
  return SURFACE_PARTS.flatMap(({ name, touches, pieces }): BodySurface[] => {
    const own = points.filter((point) => touches.includes(point.name));
    if (own.length === 0) return [];
    const skin = new Map<number, number[]>();
    for (const piece of pieces) addSkin(skin, rig, joints, model, piece);
    if (skin.size > 0) return [surfaceOf(name, touches, skin, 0, true)];
    const bare = new Map<number, number[]>();
    for (const { joint, offset } of own) bare.set(joint, [...(bare.get(joint) ?? []), ...offset]);
    const thickness = unit * own.reduce((least, { standing }) => Math.min(least, standing), own[0]!.standing);
    return [surfaceOf(name, touches, bare, thickness, false)];
  });
}

function surfaceOf(
  name: SurfaceName,
  touches: readonly PointName[],
  places: ReadonlyMap<number, readonly number[]>,
  thickness: number,
  isSkin: boolean,
): BodySurface {
  const flat = [...places.values()].map((each) => Float64Array.from(each));
  const radii = flat.map((each) => {
    let most = 0;
    for (let i = 0; i < each.length; i += 3)
      most = Math.max(
        most,
        Math.sqrt(each[i]! * each[i]! + each[i + 1]! * each[i + 1]! + each[i + 2]! * each[i + 2]!),
      );
    return most;
  });
  return { name, touches, joints: [...places.keys()], places: flat, radii, thickness, isSkin };
}

/** Adds the skin of a joint, or of a stretch of its bone; of feet and hands that of all below them. */
function addSkin(
  skin: Map<number, number[]>,
  { skeleton, floor }: Rig,
  joints: RoleJoints,
  model: ModelPose,
  { role, next, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: Piece,
): void {
  const joint = joints[role];
  if (joint === undefined || !skeleton.hulls) return;
  const isEnd = role.endsWith('Foot') || role.endsWith('Hand');
  const at = (of: number) => vectorAt(model.matrices, 16 * of + 12);
  const after = next === undefined ? undefined : joints[next];
  const line = after === undefined ? null : subtractVectors(at(after), at(joint));
  const square = line ? dotVectors(line, line) : 0;
  const hips = joints.hips === undefined ? floor.height : at(joints.hips)[1];
  // Skin that hangs from the chest to below the hips is a cape, and from the hips to the knees a skirt.
  const least = isEnd || line ? Number.NEGATIVE_INFINITY : role === 'hips' ? (hips + floor.height) / 2 : hips;
  const place = new Float64Array(3);
  for (const each of isEnd ? footJoints(skeleton, { leftFoot: joint }) : [joint]) {
    const hull = skeleton.hulls[each];
    if (!hull) continue;
    const kept = skin.get(each) ?? [];
    for (let i = 0; i + 2 < hull.length; i += 3) {
      transformPoint(place, 0, model.matrices, 16 * each, hull, i);
      const away = subtractVectors(vectorAt(place, 0), at(joint));
      const along = line && square > 0 ? dotVectors(away, line) / square : 0;
      if (place[1]! > least && (!line || (along >= from && along <= to)))
        kept.push(hull[i]!, hull[i + 1]!, hull[i + 2]!);
    }
    if (kept.length > 0) skin.set(each, kept);
  }
}

/**
 * out[o] = the lowest height of a surface in model space, metres. What is higher than a height for sure is not looked at,
 * and told by a height that it is not below. Into a store: a number that is given back is made on the heap where the call
 * is not inlined.
 */
export function lowestOfSurface(
  out: Float64Array,
  o: number,
  { joints, places, radii, thickness }: BodySurface,
  matrices: Float64Array,
  below = Number.POSITIVE_INFINITY,
): void {
  let lowest = Number.POSITIVE_INFINITY;
  for (let n = 0; n < joints.length; n++) {
    const m = 16 * joints[n]!;
    const x = matrices[m + 1]!;
    const y = matrices[m + 5]!;
    const z = matrices[m + 9]!;
    const up = matrices[m + 13]!;
    const least = up - 1.000001 * radii[n]! * Math.sqrt(x * x + y * y + z * z);
    if (least >= lowest) continue;
    if (least > below) {
      lowest = least;
      continue;
    }
    const skin = places[n]!;
    for (let i = 0; i < skin.length; i += 3) {
      const height = x * skin[i]! + y * skin[i + 1]! + z * skin[i + 2]! + up;
      if (height < lowest) lowest = height;
    }
  }
  out[o] = lowest - thickness;
}
