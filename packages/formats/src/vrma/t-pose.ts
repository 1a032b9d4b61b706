import {
  conjugateQuaternion,
  lengthOf,
  modelPoseOf,
  multiplyQuaternions,
  type Rig,
  ROLES,
  type Role,
  rotateVector,
  shortestArc,
  sin,
} from '@stuntdouble/core/engine';

/**
 * A humanoid as VRM animations have it: body parts alone, standing in a T-pose, every joint's axes parallel
 * to those of model space (metres, +Y up, +Z forward).
 */
export type TPose = {
  /** Parents before children. */
  roles: Role[];
  /** Per role its place in {@link TPose.roles} of the body part it hangs on, or −1 for the hips. */
  parents: number[];
  /** Per role the joint of the rig that plays it. */
  joints: number[];
  /** Per role its place in the T-pose, xyz in model space, the floor at 0. */
  positions: Float64Array;
  /** Per role the inverse of its joint's model rotation in the T-pose, xyzw. */
  inverses: Float64Array;
  /** What was taken off heights in model space to put the floor at 0. */
  floor: number;
};

/** The body part that each one hangs on in a VRM; the next one up serves where it is missing. */
export function parentRole(role: Role): Role | null {
  const side = role.startsWith('left') ? 'left' : role.startsWith('right') ? 'right' : null;
  if (!side) {
    const torso: Role[] = ['hips', 'spine', 'chest', 'upperChest', 'neck', 'head', 'jaw'];
    return torso[torso.indexOf(role) - 1] ?? null;
  }
  const part = role.slice(side.length);
  const above: Record<string, string> = {
    UpperLeg: 'hips',
    LowerLeg: `${side}UpperLeg`,
    Foot: `${side}LowerLeg`,
    Toes: `${side}Foot`,
    Shoulder: 'upperChest',
    UpperArm: `${side}Shoulder`,
    LowerArm: `${side}UpperArm`,
    Hand: `${side}LowerArm`,
    Eye: 'head',
    ThumbMetacarpal: `${side}Hand`,
    ThumbProximal: `${side}ThumbMetacarpal`,
    ThumbDistal: `${side}ThumbProximal`,
  };
  const finger = part.replace(/(Proximal|Intermediate|Distal)$/, '');
  const along: Record<string, string> = {
    [`${finger}Proximal`]: `${side}Hand`,
    [`${finger}Intermediate`]: `${side}${finger}Proximal`,
    [`${finger}Distal`]: `${side}${finger}Intermediate`,
  };
  return (above[part] ?? along[part] ?? null) as Role | null;
}

/** How far a VRM's arms may hang and still be its T-pose by the specification's word: the sine of 20°. */
const LEVEL = sin((20 * Math.PI) / 180);

/**
 * Stands a rig in a T-pose: from its reference pose, arms and fingers are swung bone by bone to the side, and
 * legs as one from hip to ankle straight down, each by the smallest turn; feet, torso and head stay as they
 * are. A VRM rests in its T-pose by definition, and is taken as it is unless its arms plainly hang.
 * @returns null where the rig has no hips.
 */
export function createTPose(rig: Rig): TPose | null {
  if (rig.joints.hips === undefined) return null;
  const roles = ROLES.filter((role) => rig.joints[role] !== undefined);
  const place = new Map(roles.map((role, i) => [role, i]));
  const parents = roles.map((role) => {
    let above = parentRole(role);
    while (above && !place.has(above)) above = parentRole(above);
    return above ? place.get(above)! : -1;
  });
  const joints = roles.map((role) => rig.joints[role]!);
  const { matrices, rotations } = modelPoseOf(rig.skeleton, rig.reference.pose);
  const reference = new Float64Array(3 * roles.length);
  joints.forEach((joint, i) => {
    for (let c = 0; c < 3; c++) reference[3 * i + c] = matrices[16 * joint + 12 + c]!;
  });
  const swings = rig.skeleton.metadataRoles && armsAreLevel(reference, place) ? null : place;

  // Turns from the reference pose to the T-pose, in model space; a child begins with its parent's.
  const turns = new Float64Array(4 * roles.length);
  const positions = reference.slice();
  const inverses = new Float64Array(4 * roles.length);
  const way = new Float64Array(3);
  const swing = new Float64Array(4);
  roles.forEach((role, i) => {
    const parent = parents[i]!;
    const isFoot = role.endsWith('Foot');
    if (parent < 0) turns[4 * i + 3] = 1;
    else {
      for (let c = 0; c < 3; c++) way[c] = reference[3 * i + c]! - reference[3 * parent + c]!;
      rotateVector(way, 0, turns, 4 * parent, way, 0);
      for (let c = 0; c < 3; c++) positions[3 * i + c] = positions[3 * parent + c]! + way[c]!;
      // Soles stay flat: a foot turns as the hips do, which is not at all.
      const from = isFoot ? place.get('hips')! : parent;
      for (let c = 0; c < 4; c++) turns[4 * i + c] = turns[4 * from + c]!;
    }
    const goal = swings && goalOf(role, place);
    if (goal) {
      for (let c = 0; c < 3; c++) way[c] = reference[3 * goal.to + c]! - reference[3 * i + c]!;
      rotateVector(way, 0, turns, 4 * i, way, 0);
      shortestArc(swing, 0, way, 0, goal.direction, 0);
      multiplyQuaternions(turns, 4 * i, swing, 0, turns, 4 * i);
    }
    multiplyQuaternions(inverses, 4 * i, turns, 4 * i, rotations, 4 * joints[i]!);
    conjugateQuaternion(inverses, 4 * i, inverses, 4 * i);
  });

  const lowest = (places: Float64Array) => {
    const feet = (['leftFoot', 'rightFoot'] as const).flatMap((role) => place.get(role) ?? []);
    return Math.min(...feet.map((i) => places[3 * i + 1]!));
  };
  const sunk = lowest(reference) - lowest(positions);
  // Straight legs reach lower than spread ones: the body stands higher by as much.
  // A VRM stands on y = 0 by definition, whatever its soles say.
  const floor = rig.skeleton.metadataRoles ? 0 : rig.floor.height;
  for (let i = 1; i < positions.length; i += 3)
    positions[i] = positions[i]! - floor + (Number.isFinite(sunk) ? sunk : 0);
  return { roles, parents, joints, positions, inverses, floor };
}

function armsAreLevel(positions: Float64Array, place: ReadonlyMap<Role, number>): boolean {
  for (const side of ['left', 'right'] as const) {
    const shoulder = place.get(`${side}UpperArm`);
    const hand = place.get(`${side}Hand`);
    if (shoulder === undefined || hand === undefined) continue;
    const way = [0, 1, 2].map((c) => positions[3 * hand + c]! - positions[3 * shoulder + c]!);
    const length = lengthOf(way);
    if (Math.abs(way[1]!) > LEVEL * length || Math.abs(way[2]!) > LEVEL * length) return false;
  }
  return true;
}

/** Which way a bone points in a T-pose, and the body part that its direction leads to. */
function goalOf(
  role: Role,
  place: ReadonlyMap<Role, number>,
): { to: number; direction: Float64Array } | null {
  const side = role.startsWith('left') ? 'left' : role.startsWith('right') ? 'right' : null;
  if (!side) return null;
  const part = role.slice(side.length);
  const first = (...names: string[]) => {
    for (const name of names) {
      const found = place.get(`${side}${name}` as Role);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const next: Record<string, number | undefined> = {
    UpperArm: first('LowerArm', 'Hand'),
    LowerArm: first('Hand'),
    Hand: first('MiddleProximal', 'RingProximal', 'IndexProximal'),
    UpperLeg: first('Foot', 'LowerLeg'),
  };
  for (const finger of ['Index', 'Middle', 'Ring', 'Little']) {
    next[`${finger}Proximal`] = first(`${finger}Intermediate`, `${finger}Distal`);
    next[`${finger}Intermediate`] = first(`${finger}Distal`);
  }
  const to = next[part];
  if (to === undefined) return null;
  // Facing +Z with +Y up, left is +X.
  return {
    to,
    direction: Float64Array.of(...(part === 'UpperLeg' ? [0, -1, 0] : [side === 'left' ? 1 : -1, 0, 0])),
  };
}
