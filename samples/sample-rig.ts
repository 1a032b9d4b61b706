import {
  type Body,
  type BodyPart,
  type BodyPlacements,
  type BodyPose,
  follow,
  placeBody,
} from './body/body.js';
import type { SkinnedSurface } from './body/skin.js';
import {
  add,
  cross,
  direction,
  dot,
  inverse,
  mirror,
  NO_TURN,
  type Placement,
  type Quat,
  rotate,
  scale,
  subtract,
  turnBy,
  turnOfAxes,
  type Vec3,
} from './vector.js';

/** A joint as a rig's author thinks of it: name, place, own axes, and the body part it moves with. */
export type JointPlan = {
  name: string;
  /** Name of the parent joint, or null for a root. */
  parent: string | null;
  /** The body part whose turn it follows. Null: it stays where the rig's root is (IK helpers, floors). */
  role: BodyPart | null;
  /** Where it stands in T-pose; the role's own joint if left out. */
  at?: Vec3;
  /** Its own axes in T-pose, in body space; the body's if left out. */
  axes?: Quat;
  /**
   * Whether it plays its role (the default where no `at` is given), only shares the role's skin with the
   * joints that play it (twist joints), or carries no skin.
   */
  part?: 'plays' | 'shares' | 'none';
};

/** A rig: joints in body space in its own rest pose, and the container that leads from its file to there. */
export type SampleRig = {
  body: Body;
  joints: readonly SampleJoint[];
  /** The pose of the body at rest. */
  rest: BodyPose;
  placements: BodyPlacements;
  container: Container;
};

/** A joint of a {@link SampleRig}, placed in body space at rest. */
export type SampleJoint = Placement & {
  name: string;
  /** Index of the parent, or −1. */
  parent: number;
  role: BodyPart | null;
  part: 'plays' | 'shares' | 'none';
};

/** The node above the joints: takes the file's joint space to body space by rotation, then uniform scale. */
export type Container = {
  /** Null: the joints hang directly in the scene. */
  name: string | null;
  rotation: Quat;
  /** Metres per unit of the joints. */
  unit: number;
  /** Turns the whole body in the scene: half a turn for a file that faces −Z. */
  facing: Quat;
};

/** The container of a file in metres, Y up, facing +Z, without a node above its joints. */
export const PLAIN_CONTAINER: Container = { name: null, rotation: NO_TURN, unit: 1, facing: NO_TURN };

/** Places a rig's joints for a body that rests in a pose. Parents must stand before children. */
export function createRig(
  body: Body,
  plans: readonly JointPlan[],
  options: { rest?: BodyPose; container?: Container } = {},
): SampleRig {
  const rest = options.rest ?? { turns: {}, hips: body.joints.hips! };
  const placements = placeBody(body, rest);
  const joints = plans.map((plan, index): SampleJoint => {
    const parent = plan.parent === null ? -1 : plans.findIndex((other) => other.name === plan.parent);
    if (parent >= index || (plan.parent !== null && parent < 0))
      throw new Error(`joint "${plan.name}": its parent "${plan.parent}" does not stand before it`);
    const axes = plan.axes ?? NO_TURN;
    const part = plan.part ?? (plan.at || !plan.role ? 'none' : 'plays');
    if (!plan.role)
      return { name: plan.name, parent, role: null, part, rotation: axes, translation: plan.at ?? [0, 0, 0] };
    const at = plan.at ?? body.joints[plan.role]!;
    return {
      name: plan.name,
      parent,
      role: plan.role,
      part,
      rotation: turnBy(placements[plan.role]!.rotation, axes),
      translation: follow(body, placements, plan.role, at),
    };
  });
  return { body, joints, rest, placements, container: options.container ?? PLAIN_CONTAINER };
}

/** Local translation (in the rig's unit) and rotation of each joint, from placements in body space. */
export function localsOf(rig: SampleRig, placements: readonly Placement[]): Placement[] {
  const { rotation, unit, facing } = rig.container;
  return rig.joints.map((joint, i) => {
    const { translation: at, rotation: turn } = placements[i]!;
    if (joint.parent < 0) {
      const back = turnBy(inverse(rotation), facing);
      return { translation: scale(rotate(back, at), 1 / unit), rotation: turnBy(back, turn) };
    }
    const above = placements[joint.parent]!;
    const back = inverse(above.rotation);
    return {
      translation: scale(rotate(back, subtract(at, above.translation)), 1 / unit),
      rotation: turnBy(back, turn),
    };
  });
}

/** Where a rig's joints go when its body takes a pose: each follows its body part rigidly. */
export function poseRig(rig: SampleRig, pose: BodyPose): Placement[] {
  const now = placeBody(rig.body, pose);
  return rig.joints.map((joint) => {
    if (!joint.role) return joint;
    const before = rig.placements[joint.role]!;
    const after = now[joint.role]!;
    const turn = turnBy(after.rotation, inverse(before.rotation));
    return {
      rotation: turnBy(turn, joint.rotation),
      translation: add(after.translation, rotate(turn, subtract(joint.translation, before.translation))),
    };
  });
}

/** Takes a surface from T-pose to the rig's rest pose by its own weights. */
export function restSurface(rig: SampleRig, surface: SkinnedSurface): SkinnedSurface {
  const { body, placements } = rig;
  const positions: number[] = [];
  const normals: number[] = [];
  const { roles } = surface;
  for (let v = 0; v < surface.positions.length / 3; v++) {
    const p = surface.positions.slice(3 * v, 3 * v + 3) as unknown as Vec3;
    const n = surface.normals.slice(3 * v, 3 * v + 3) as unknown as Vec3;
    let to: Vec3 = [0, 0, 0];
    let normal: Vec3 = [0, 0, 0];
    roles.forEach((role, r) => {
      const weight = surface.weights[v * roles.length + r]!;
      if (weight === 0) return;
      to = add(to, scale(follow(body, placements, role, p), weight));
      normal = add(normal, scale(rotate(placements[role]!.rotation, n), weight));
    });
    positions.push(...to);
    normals.push(...direction(normal));
  }
  return { ...surface, positions, normals };
}

/**
 * Turns weights of body parts into weights of joints: a part without a joint of its own goes to the nearest
 * part above that has one; a part with twist joints is shared along the bone.
 * `positions` are the surface's in T-pose.
 */
export function jointWeights(rig: SampleRig, surface: SkinnedSurface): Map<number, number>[] {
  const { body } = rig;
  const players = new Map<BodyPart, number[]>();
  rig.joints.forEach((joint, i) => {
    if (joint.role && joint.part !== 'none') {
      const list = players.get(joint.role) ?? [];
      list.push(i);
      players.set(joint.role, list);
    }
  });
  const holderOf = (role: BodyPart): BodyPart => {
    let at: BodyPart | undefined = role;
    while (at && !players.has(at)) at = body.parents[at];
    if (!at) throw new Error(`no joint plays ${role} or anything above it`);
    return at;
  };
  const { roles } = surface;
  const holders = roles.map(holderOf);
  const result: Map<number, number>[] = [];
  for (let v = 0; v < surface.positions.length / 3; v++) {
    const point = surface.positions.slice(3 * v, 3 * v + 3) as unknown as Vec3;
    const weights = new Map<number, number>();
    roles.forEach((_, r) => {
      const weight = surface.weights[v * roles.length + r]!;
      if (weight <= 0) return;
      const holder = holders[r]!;
      const joints = players.get(holder)!;
      for (const [joint, share] of shareAlong(body, holder, joints, point))
        weights.set(joint, (weights.get(joint) ?? 0) + weight * share);
    });
    result.push(weights);
  }
  return result;
}

/** Shares a part's weight among the joints along its bone: each is fullest in the middle of its stretch. */
function shareAlong(body: Body, role: BodyPart, joints: readonly number[], point: Vec3): [number, number][] {
  if (joints.length === 1) return [[joints[0]!, 1]];
  const from = body.joints[role]!;
  const bone = subtract(body.tips[role]!, from);
  const t = dot(subtract(point, from), bone) / dot(bone, bone);
  const x = Math.max(0, Math.min(joints.length - 1, t * joints.length - 0.5));
  const i = Math.min(Math.floor(x), joints.length - 2);
  return [
    [joints[i]!, 1 - (x - i)],
    [joints[i + 1]!, x - i],
  ];
}

/** The four strongest joints of a vertex with weights in 255ths that sum to 255. */
export function quantiseWeights(weights: ReadonlyMap<number, number>): {
  joints: number[];
  weights: number[];
} {
  // Ties are broken by joint index, so that the bytes do not depend on the order of insertion.
  const strongest = [...weights].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, 4);
  const sum = strongest.reduce((total, [, weight]) => total + weight, 0);
  const bytes = strongest.map(([, weight]) => Math.round((weight / sum) * 255));
  bytes[0]! += 255 - bytes.reduce((total, byte) => total + byte, 0);
  const joints = strongest.map(([joint], i) => (bytes[i] === 0 ? 0 : joint));
  while (joints.length < 4) {
    joints.push(0);
    bytes.push(0);
  }
  return { joints, weights: bytes };
}

/** The axes of a joint with +Y along its bone and +Z as near as can be to a direction (Mixamo, Blender). */
export function axesAlongY(bone: Vec3, near: Vec3): Quat {
  const y = direction(bone);
  const x = direction(cross(y, near));
  return turnOfAxes(x, y, cross(x, y));
}

/** The axes of a joint with +X along its bone and +Y as near as can be to a direction (Unreal, Biped). */
export function axesAlongX(bone: Vec3, near: Vec3): Quat {
  const x = direction(bone);
  const z = direction(cross(x, near));
  return turnOfAxes(x, cross(z, x), z);
}

/**
 * The axes of the mirrored joint with every axis turned around, as Unreal mirrors its skeletons: a bone
 * that runs along +X on the left runs along −X on the right.
 */
export function mirrorAxes(axes: Quat): Quat {
  const of = (axis: Vec3) => scale(mirror(rotate(axes, axis)), -1);
  return turnOfAxes(of([1, 0, 0]), of([0, 1, 0]), of([0, 0, 1]));
}

/** The direction of a body part's bone in T-pose. */
export function boneOf(body: Body, role: BodyPart): Vec3 {
  return subtract(body.tips[role]!, body.joints[role]!);
}
