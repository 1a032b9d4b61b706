import { childrenOf, JOINT, SKINNED, type Skeleton } from '../../scene/skeleton.js';
import { LIMB_ROLES, limbOf, REQUIRED_ROLES, ROLES, type Role, type Side, sideOf } from '../roles.js';
import type { Part, PartMatch } from './match-names.js';
import type { NameTable } from './name-table.js';

const requiredRoles: ReadonlySet<Role> = new Set(REQUIRED_ROLES);

/** What a table calls the roles that the hierarchy decides. */
const CANDIDATE_PARTS: Partial<Record<Role, Part>> = {
  spine: 'spineJoint',
  chest: 'spineJoint',
  upperChest: 'spineJoint',
  neck: 'neckJoint',
};

/** The roles that can stand above each role, nearest first. */
const ROLES_ABOVE: Readonly<Record<Role, readonly Role[]>> = Object.fromEntries(
  ROLES.map((role) => [role, rolesAbove(role)]),
) as Record<Role, Role[]>;

/** A skeleton's hierarchy made quick to ask. */
export type NamedTree = {
  skeleton: Skeleton;
  /** Whether the file tells joints from plain nodes. */
  hasJoints: boolean;
  /** Whether `a` stands above `b`, and is not `b`. */
  isAbove(a: number, b: number): boolean;
  /** The lowest joint that stands above all or is one of them; −1 where there is none. */
  commonAncestor(joints: readonly number[]): number;
};

/** Makes a skeleton's hierarchy quick to ask. */
export function createTree(skeleton: Skeleton): NamedTree {
  const { parents } = skeleton;
  const children = childrenOf(skeleton);
  const count = parents.length;
  // In a depth-first walk everything below a joint follows it without a gap.
  const size = new Int32Array(count).fill(1);
  for (let i = count - 1; i >= 0; i--) if (parents[i]! >= 0) size[parents[i]!]! += size[i]!;
  const place = new Int32Array(count);
  let next = 0;
  for (let i = 0; i < count; i++) {
    if (parents[i]! < 0) {
      place[i] = next;
      next += size[i]!;
    }
    let at = place[i]! + 1;
    for (const child of children[i]!) {
      place[child] = at;
      at += size[child]!;
    }
  }
  const isAbove = (a: number, b: number) => place[b]! > place[a]! && place[b]! < place[a]! + size[a]!;
  return {
    skeleton,
    hasJoints: skeleton.flags.some((flags) => (flags & JOINT) !== 0),
    isAbove,
    commonAncestor(joints) {
      let at = joints[0] ?? -1;
      while (at >= 0 && !joints.every((joint) => joint === at || isAbove(at, joint))) at = parents[at]!;
      return at;
    },
  };
}

/** One family's reading of a skeleton. */
export type FamilyReading = {
  table: NameTable;
  /** What the table says of each joint. */
  matches: (PartMatch | null)[];
  /** The joint for each role it finds. */
  joints: Map<Role, number>;
  /** How much of a body the family explains: what every humanoid has counts most. */
  score: number;
};

/**
 * Reads a skeleton as one family's: casts the roles its words give and scores how well they explain the body.
 * Two families that share words differ in which joints then hang where the body part would.
 */
export function readFamily(tree: NamedTree, table: NameTable, matches: (PartMatch | null)[]): FamilyReading {
  const joints = castFamily(tree, matches);
  let score = 0;
  for (const [role, joint] of joints) {
    const weight = requiredRoles.has(role) ? 3 : 1;
    score += weight * (hangsWell(tree, role, joint, joints) ? 1 : 0.4) * (matches[joint]?.uncopied ? 0.8 : 1);
  }
  if (score > 0) {
    // A torso of four or more has no chest, and is not the worse explained for it.
    if (joints.has('upperChest') && !joints.has('chest')) score += 1;
    for (const match of matches) if (match) score += 0.02 + (match.prefixed ? 0.05 : 0);
    if (table.generic) score *= 0.9;
  }
  return { table, matches, joints, score };
}

/** Chooses a joint for each role among those a table's words fit. */
function castFamily(tree: NamedTree, matches: (PartMatch | null)[]): Map<Role, number> {
  const candidates = new Map<string, number[]>();
  matches.forEach((match, joint) => {
    if (!match || match.part === 'ignored') return;
    const list = candidates.get(match.part);
    if (list) list.push(joint);
    else candidates.set(match.part, [joint]);
  });
  const joints = new Map<Role, number>();
  if (candidates.size === 0) return joints;
  for (const role of ROLES) {
    if (role === 'hips') continue;
    const list = candidates.get(role);
    if (list)
      joints.set(role, list.length === 1 ? list[0]! : bestCandidate(tree, role, list, candidates, matches));
  }

  const neck = findNeck(tree, candidates.get('neckJoint') ?? [], joints);
  if (neck !== null) joints.set('neck', neck);
  const torso = findTorso(tree, candidates.get('spineJoint') ?? [], joints);
  const hips = findHips(tree, candidates.get('hips') ?? [], torso, joints, matches);
  if (hips !== null) joints.set('hips', hips);
  const spine = torso.filter((joint) => joint !== hips && (hips === null || !tree.isAbove(joint, hips)));
  if (spine.length > 0) joints.set('spine', spine[0]!);
  if (spine.length === 2 || spine.length === 3) joints.set('chest', spine[1]!);
  if (spine.length >= 3) joints.set('upperChest', spine[spine.length - 1]!);
  // A plain node that hangs elsewhere is a mesh or a marker called after the body part.
  if (tree.hasJoints)
    for (const [role, joint] of joints)
      if (!(tree.skeleton.flags[joint]! & JOINT) && !hangsWell(tree, role, joint, joints))
        joints.delete(role);
  dropPalmlessFingers(tree, joints);
  dropLoneLimbs(joints);
  return joints;
}

/** Among several joints with a word for one role: the one whose surroundings fit, then joints before plain nodes. */
function bestCandidate(
  tree: NamedTree,
  role: Role,
  list: number[],
  candidates: Map<string, number[]>,
  matches: (PartMatch | null)[],
): number {
  const { flags } = tree.skeleton;
  const above = ROLES_ABOVE[role].flatMap((r) => candidates.get(CANDIDATE_PARTS[r] ?? r) ?? []);
  const limb = limbOf(role);
  const below = (limb ? LIMB_ROLES[limb].slice(LIMB_ROLES[limb].indexOf(role) + 1) : []).flatMap(
    (r) => candidates.get(r) ?? [],
  );
  let best = list[0]!;
  let bestWorth = Number.NEGATIVE_INFINITY;
  for (const joint of list) {
    const match = matches[joint]!;
    const worth =
      (above.some((a) => tree.isAbove(a, joint)) ? 4 : 0) +
      (below.some((b) => tree.isAbove(joint, b)) ? 2 : 0) +
      (flags[joint]! & JOINT ? 3 : 0) +
      (flags[joint]! & SKINNED ? 1 : 0) +
      (match.prefixed ? 1 : 0) -
      (match.uncopied ? 2 : 0) -
      (match.preference > 0 ? 1.5 : 0);
    // Parents stand first: of equals the upper one, a joint before the mesh that hangs on it.
    if (worth > bestWorth) {
      best = joint;
      bestWorth = worth;
    }
  }
  return best;
}

/**
 * Takes the roles away from fingers that start at the forearm of a body without hands: their first joints
 * are palm bones, and which of the others is which cannot be told from names.
 */
function dropPalmlessFingers(tree: NamedTree, joints: Map<Role, number>): void {
  for (const side of ['left', 'right'] as const) {
    const lowerArm = joints.get(`${side}LowerArm`);
    if (lowerArm === undefined || joints.has(`${side}Hand`)) continue;
    for (const finger of ['Thumb', 'Index', 'Middle', 'Ring', 'Little'] as const) {
      const roles = LIMB_ROLES[`${side}${finger}`];
      const first = joints.get(roles[0]!);
      if (first !== undefined && tree.skeleton.parents[first] === lowerArm)
        for (const role of roles) joints.delete(role);
    }
  }
}

/**
 * Takes the role away from a forearm or shin that is the only joint of its limb: whether it is the lower or
 * the upper half, its name does not tell.
 */
function dropLoneLimbs(joints: Map<Role, number>): void {
  for (const side of ['left', 'right'] as const) {
    if (!joints.has(`${side}UpperLeg`) && !joints.has(`${side}Foot`)) joints.delete(`${side}LowerLeg`);
    if (!joints.has(`${side}UpperArm`) && !joints.has(`${side}Hand`)) joints.delete(`${side}LowerArm`);
  }
}

/** The lowest of the neck joints, those under the head left aside. */
function findNeck(tree: NamedTree, list: number[], joints: Map<Role, number>): number | null {
  const head = joints.get('head');
  const onTheWay = head === undefined ? list : list.filter((joint) => tree.isAbove(joint, head));
  const chosen = onTheWay.length > 0 ? onTheWay : list.filter((joint) => tree.skeleton.flags[joint]! & JOINT);
  return chosen[0] ?? null;
}

/** The torso's joints from the lowest up to the one that carries the arms (or, without arms, neck and head). */
function findTorso(tree: NamedTree, list: number[], joints: Map<Role, number>): number[] {
  const isSpine = new Set(list);
  const arms = (['left', 'right'] as const).flatMap((side) => {
    const arm = joints.get(`${side}Shoulder`) ?? joints.get(`${side}UpperArm`);
    return arm === undefined ? [] : [arm];
  });
  const top = joints.get('neck') ?? joints.get('head');
  const hung = arms.length === 2 ? arms : top !== undefined ? [top] : arms;
  const torso: number[] = [];
  for (let at = tree.commonAncestor(hung); at >= 0; at = tree.skeleton.parents[at]!)
    if (isSpine.has(at)) torso.push(at);
  if (torso.length > 0) return torso.reverse();
  // Arms that hang elsewhere, or no hierarchy at all: the words alone, parents first, a word once.
  const words = list.map((joint) => tree.skeleton.names[joint]);
  const first = new Map(words.map((word, i) => [word, i] as const).reverse());
  return list.filter((_, i) => first.get(words[i]) === i);
}

/**
 * The joint called hips if legs and spine hang from it, else the one they branch from, whatever its name:
 * some rigs call hips what starts the spine only, or what carries the legs only.
 */
function findHips(
  tree: NamedTree,
  list: number[],
  torso: number[],
  joints: Map<Role, number>,
  matches: (PartMatch | null)[],
): number | null {
  const { flags } = tree.skeleton;
  const legs = (['left', 'right'] as const).flatMap((side) => {
    const leg = joints.get(`${side}UpperLeg`) ?? joints.get(`${side}LowerLeg`);
    return leg === undefined ? [] : [leg];
  });
  const trunk = torso[0] ?? joints.get('neck') ?? joints.get('head');
  const carried = trunk === undefined ? legs : [...legs, trunk];
  let best: number | null = null;
  let bestWorth = Number.NEGATIVE_INFINITY;
  for (const joint of list) {
    const carries = carried.every((below) => tree.isAbove(joint, below));
    const worth =
      (carries ? 8 : 0) +
      (flags[joint]! & JOINT ? 3 : 0) +
      (matches[joint]!.prefixed ? 1 : 0) -
      (matches[joint]!.uncopied ? 2 : 0) -
      matches[joint]!.preference * 0.1;
    if (worth > bestWorth) {
      best = joint;
      bestWorth = worth;
    }
  }
  if (best !== null && carried.every((below) => tree.isAbove(best, below))) return best;
  if (legs.length === 2 && trunk !== undefined) {
    const branch = tree.commonAncestor(carried);
    // An armature's plain node is no part of the body, nor is what the family says plays no role.
    if (
      branch >= 0 &&
      !carried.includes(branch) &&
      (!tree.hasJoints || flags[branch]! & JOINT) &&
      matches[branch]?.part !== 'ignored'
    )
      return branch;
  }
  return best;
}

function rolesAbove(role: Role): Role[] {
  const side = sideOf(role);
  if (role === 'hips') return [];
  if (role === 'jaw' || role.endsWith('Eye')) return ['head', 'neck'];
  const limb = limbOf(role)!;
  const inLimb = LIMB_ROLES[limb].slice(0, LIMB_ROLES[limb].indexOf(role)).reverse();
  if (limb === 'torso') return inLimb;
  if (limb === 'neck') return [...inLimb, 'upperChest', 'chest', 'spine', 'hips'];
  if (limb.endsWith('Arm')) return [...inLimb, 'upperChest', 'chest', 'spine', 'hips'];
  if (limb.endsWith('Leg')) return [...inLimb, 'hips'];
  return [...inLimb, `${side as Side}Hand`, `${side as Side}LowerArm`];
}

/** Whether a joint stands below the nearest role above its own that is cast; true where none is. */
export function hangsWell(
  tree: NamedTree,
  role: Role,
  joint: number,
  joints: ReadonlyMap<Role, number>,
): boolean {
  const above = ROLES_ABOVE[role].find((r) => joints.has(r));
  return above === undefined || tree.isAbove(joints.get(above)!, joint);
}

/** Whether a joint may take a role in a body that is already cast: below its neighbours inwards, above those outwards. */
export function fitsInto(
  tree: NamedTree,
  role: Role,
  joint: number,
  joints: ReadonlyMap<Role, number>,
): boolean {
  const inward = ROLES_ABOVE[role].find((r) => joints.has(r));
  if (inward === undefined || !tree.isAbove(joints.get(inward)!, joint)) return false;
  const limb = limbOf(role);
  // The neighbour inwards must be of the limb, or what the limb hangs on.
  if (
    inward !== ROLES_ABOVE[role][0] &&
    limb &&
    /Thumb|Index|Middle|Ring|Little/.test(limb) &&
    !inward.endsWith('Hand')
  )
    return false;
  const outward = limb ? LIMB_ROLES[limb].slice(LIMB_ROLES[limb].indexOf(role) + 1) : [];
  return outward.every((r) => !joints.has(r) || tree.isAbove(joint, joints.get(r)!));
}
