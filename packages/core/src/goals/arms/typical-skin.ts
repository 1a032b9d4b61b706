import {
  addVectors,
  crossVectors,
  directionOf,
  scaleVector,
  subtractVectors,
  type Vec3,
  vectorAt,
} from '../../base/math/vector.js';
import type { RoleJoints } from '../../body/body.js';
import type { Role } from '../../body/roles.js';
import type { ModelPose } from '../../scene/pose.js';

/*
 * How thick bodies are whose skin is not known: medians of eight grown-ups, in arm lengths. A capture's skeleton has
 * bones alone, and what of it touches is read as flesh.
 */

/** How far the trunk's skin is behind and before its joints, and beyond the roots of the legs at the sides. */
const TRUNK_BEHIND = 0.2;
const TRUNK_AHEAD = 0.22;
const BESIDE_LEGS = 0.1;
/** Half the width of the chest, as a share of that between the arms' roots. */
const CHEST_WIDTH = 0.85;
/** The head's half width, and what is behind, before, under and above its joint. */
const HEAD_SKIN = { aside: 0.2, behind: 0.2, ahead: 0.25, under: 0.08, above: 0.42 };
/** Half thicknesses at both ends. */
const LIMB_GIRTHS: readonly [part: string, next: string, number, number][] = [
  ['UpperLeg', 'LowerLeg', 0.15, 0.11],
  ['LowerLeg', 'Foot', 0.11, 0.07],
  ['UpperArm', 'LowerArm', 0.11, 0.09],
  ['LowerArm', 'Hand', 0.085, 0.055],
];
/** Half thickness and half width of a hand, and its length where it has no fingers. */
const HAND_SKIN = { thick: 0.04, wide: 0.09, long: 0.19 };
const FINGER_GIRTH = 0.018;

/** The skin of a body of bones alone, by role: points in model space, in a reference that stands upright. */
export function typicalSkin(
  roles: RoleJoints,
  { matrices }: ModelPose,
  arm: number,
): Partial<Record<Role, Vec3[]>> {
  const skin: Partial<Record<Role, Vec3[]>> = {};
  const at = (role: Role): Vec3 | null => {
    const joint = roles[role];
    return joint === undefined ? null : vectorAt(matrices, 16 * joint + 12);
  };
  const halfWidth = (part: string) => {
    const [left, right] = [at(`left${part}` as Role), at(`right${part}` as Role)];
    return left && right ? Math.abs(left[0] - right[0]) / 2 : 0.2 * arm;
  };
  const hipWidth = halfWidth('UpperLeg') + BESIDE_LEGS * arm;
  const chestWidth = CHEST_WIDTH * halfWidth('UpperArm');
  const trunk = (['hips', 'spine', 'chest', 'upperChest'] as const).filter((role) => at(role));
  const top = at('neck') ?? at('head');
  trunk.forEach((role, n) => {
    const low = at(role)!;
    const next = trunk[n + 1];
    const high = next ? at(next)! : (top ?? addVectors(low, [0, 0.3 * arm, 0]));
    const width = (share: number) => hipWidth + (chestWidth - hipWidth) * Math.min(1, share);
    const under = role === 'hips' ? addVectors(low, [0, -0.14 * arm, 0]) : low;
    skin[role] = [
      ...slab(under, width(n / trunk.length), arm),
      ...slab(high, width((n + 1) / trunk.length), arm),
    ];
  });
  const head = at('head');
  if (head)
    skin.head = [-1, 1].flatMap((side) =>
      [HEAD_SKIN.ahead, -HEAD_SKIN.behind].flatMap((z) =>
        [-HEAD_SKIN.under, HEAD_SKIN.above].flatMap((y): Vec3[] => [
          addVectors(head, scaleVector([0.6 * side * HEAD_SKIN.aside, y, 0.6 * z], arm)),
          addVectors(head, scaleVector([side * HEAD_SKIN.aside, 0.17, 0.3 * z], arm)),
          addVectors(head, scaleVector([0.3 * side * HEAD_SKIN.aside, 0.17, z], arm)),
        ]),
      ),
    );
  for (const side of ['left', 'right'] as const) {
    for (const [part, next, thick, thin] of LIMB_GIRTHS) {
      const [from, to] = [at(`${side}${part}` as Role), at(`${side}${next}` as Role)];
      if (!from || !to) continue;
      skin[`${side}${part}` as Role] = [
        ...ring(from, to, thick * arm, from),
        ...ring(from, to, thin * arm, to),
      ];
    }
    addHand(skin, side, at, arm);
  }
  return skin;
}

function addHand(
  skin: Partial<Record<Role, Vec3[]>>,
  side: 'left' | 'right',
  at: (role: Role) => Vec3 | null,
  arm: number,
): void {
  const [elbow, hand] = [at(`${side}LowerArm`), at(`${side}Hand`)];
  if (!elbow || !hand) return;
  const knuckle = at(`${side}MiddleProximal`);
  const along = directionOf(knuckle ? subtractVectors(knuckle, hand) : subtractVectors(hand, elbow));
  if (!along) return;
  // Arms of a reference are held out, palms down.
  const across = directionOf(crossVectors(along, [0, 1, 0])) ?? [0, 0, 1];
  const up = crossVectors(across, along);
  const end = knuckle ?? addVectors(hand, scaleVector(along, HAND_SKIN.long * arm));
  skin[`${side}Hand`] = [hand, end].flatMap((place) =>
    [-1, 1].flatMap((wide) =>
      [-1, 1].map((thick) =>
        addVectors(
          place,
          addVectors(
            scaleVector(across, wide * HAND_SKIN.wide * arm),
            scaleVector(up, thick * HAND_SKIN.thick * arm),
          ),
        ),
      ),
    ),
  );
  const tip = at(`${side}MiddleDistal`);
  const before = at(`${side}MiddleIntermediate`) ?? knuckle;
  if (tip && before) {
    const last = addVectors(tip, scaleVector(subtractVectors(tip, before), 0.8));
    skin[`${side}MiddleDistal`] = [
      ...ring(before, tip, FINGER_GIRTH * arm, tip),
      ...ring(before, tip, FINGER_GIRTH * arm, last),
    ];
  }
}

/** Eight points around the trunk at a place, level. */
function slab(place: Vec3, half: number, arm: number): Vec3[] {
  const points: Vec3[] = [];
  for (const side of [-1, 1])
    for (const z of [TRUNK_AHEAD * arm, -TRUNK_BEHIND * arm])
      points.push(
        addVectors(place, [side * half, 0, 0.4 * z]),
        addVectors(place, [0.55 * side * half, 0, z]),
      );
  return points;
}

/** Eight points around a bone, at a place on it. */
function ring(from: Vec3, to: Vec3, radius: number, place: Vec3): Vec3[] {
  const along = directionOf(subtractVectors(to, from));
  if (!along) return [];
  const u = directionOf(crossVectors(along, Math.abs(along[1]) < 0.9 ? [0, 1, 0] : [0, 0, 1]))!;
  const v = crossVectors(along, u);
  return [0, 1, 2, 3, 4, 5, 6, 7].map((n) => {
    const [p, q] = OCTAGON[n]!;
    return addVectors(place, addVectors(scaleVector(u, p * radius), scaleVector(v, q * radius)));
  });
}

const HALF = Math.SQRT1_2;
const OCTAGON: readonly (readonly [number, number])[] = [
  [1, 0],
  [HALF, HALF],
  [0, 1],
  [-HALF, HALF],
  [-1, 0],
  [-HALF, -HALF],
  [0, -1],
  [HALF, -HALF],
];
