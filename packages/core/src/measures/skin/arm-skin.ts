import { distanceFlat } from '../../base/math/flat-vectors.js';
import type { RoleJoints } from '../../body/body.js';
import type { Rig } from '../../body/rig.js';
import type { Side } from '../../body/roles.js';
import type { ModelPose } from '../../scene/pose.js';
import type { Mesh } from '../../scene/scene.js';
import { isAncestor } from '../../scene/skeleton.js';
import { createSkinnedBody, poseBody, type SkinnedBody } from './skinned-body.js';
import { createSurface, distanceToSurface, type Surface, settleSurface, windingNumber } from './winding.js';

/** Of a body's skin, that of its arms and what these could go into. */
export type ArmSkin = {
  body: SkinnedBody;
  arms: SkinnedArm[];
  /** Per group of vertices outwards: see {@link BOX_DIRECTIONS}. */
  boxes: Float64Array;
};

type SkinnedArm = {
  side: Side;
  /** Its length, in metres. */
  length: number;
  /** The vertices that are looked at, and how deep each is in the reference already, in metres. */
  vertices: Int32Array;
  allowed: Float64Array;
  /** Which part each belongs to: 0 the upper arm, 1 the forearm, 2 the hand. */
  parts: Uint8Array;
  /** All that does not belong to this arm. */
  rest: Surface;
  /** Per joint whether it has a part in that. */
  joints: Int32Array;
};

/** How deep an arm is in the rest of its body: its deepest vertex and the mean of all, in shares of its length. */
export type ArmDepth = {
  deepest: number;
  mean: number;
  /** The deepest of the upper arm, of the forearm and of the hand. */
  parts: [number, number, number];
};

/** From this share of the upper arm on its skin is looked at: before that it is grown together with the body. */
const GROWN_TOGETHER = 0.65;
/** What is farther from the wrist than this, in arm lengths, is no hand: a sword, a shield. */
const LONGEST_SKIN_HAND = 0.6;
/** Vertices of an arm that are looked at; of finer meshes every second, third … */
const MOST_VERTICES = 1200;
/** Half or more of the way round counts as inside: skin has holes at cuffs and necks. */
const INSIDE = 0.5;
/** Directions in which it is looked whether a vertex can be in what follows a joint at all: faces and corners of a cube. */
const BOX_DIRECTIONS = [1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1, -1, 1, -1, 1, -1, 1, 1];
const DIRECTION_COUNT = BOX_DIRECTIONS.length / 3;

/** Makes a body's meshes ready to be asked how deep its arms are in it; null without arms or skin. */
export function createArmSkin(
  rig: Rig,
  roles: RoleJoints,
  meshes: readonly Mesh[],
  reference: ModelPose,
): ArmSkin | null {
  const body = createSkinnedBody(meshes);
  if (!body) return null;
  poseBody(body, reference);
  const arms = (['left', 'right'] as const).flatMap((side) => armOf(rig, roles, side, body, reference) ?? []);
  if (arms.length === 0) return null;
  const skin: ArmSkin = {
    body,
    arms,
    boxes: new Float64Array(2 * DIRECTION_COUNT * rig.skeleton.names.length),
  };
  settle(skin);
  for (const arm of arms)
    arm.vertices.forEach((vertex, n) => {
      arm.allowed[n] = depthOf(skin, arm, vertex);
    });
  return skin;
}

/** How deep arms are in the rest of a body in a pose, in the order of `ArmSkin.arms`. */
export function armDepths(skin: ArmSkin, model: ModelPose): ArmDepth[] {
  poseBody(skin.body, model);
  settle(skin);
  return skin.arms.map((arm) => {
    const parts: ArmDepth['parts'] = [0, 0, 0];
    let sum = 0;
    arm.vertices.forEach((vertex, n) => {
      const depth = depthOf(skin, arm, vertex) - arm.allowed[n]!;
      if (!(depth > 0)) return;
      sum += depth;
      parts[arm.parts[n]!] = Math.max(parts[arm.parts[n]!]!, depth / arm.length);
    });
    return { deepest: Math.max(...parts), mean: sum / (arm.vertices.length * arm.length), parts };
  });
}

function armOf(
  { skeleton }: Rig,
  roles: RoleJoints,
  side: Side,
  body: SkinnedBody,
  { matrices }: ModelPose,
): SkinnedArm | null {
  const [upper, lower, hand] = [roles[`${side}UpperArm`], roles[`${side}LowerArm`], roles[`${side}Hand`]];
  if (upper === undefined || lower === undefined || hand === undefined) return null;
  const [u, l, h] = [16 * upper + 12, 16 * lower + 12, 16 * hand + 12];
  const bone = distanceFlat(matrices, u, matrices, l);
  const length = bone + distanceFlat(matrices, l, matrices, h);
  if (!(length > 1e-9) || !(bone > 0)) return null;
  const isIn = skeleton.names.map((_, joint) => joint === upper || isAncestor(skeleton, upper, joint));
  const isLow = skeleton.names.map((_, joint) => joint === lower || isAncestor(skeleton, lower, joint));
  const isHand = skeleton.names.map((_, joint) => joint === hand || isAncestor(skeleton, hand, joint));
  const isProp = (v: number) =>
    isLow[body.joints[v]!]! &&
    distanceFlat(body.places, 3 * v, matrices, h) >
      Math.max(LONGEST_SKIN_HAND * length, 1.1 * (length - bone));
  const own: number[] = [];
  for (let v = 0; v < body.joints.length; v++) {
    if (!isIn[body.joints[v]!]! || isProp(v)) continue;
    let along = 0;
    for (let c = 0; c < 3; c++)
      along += (body.places[3 * v + c]! - matrices[u + c]!) * (matrices[l + c]! - matrices[u + c]!);
    if (isLow[body.joints[v]!]! || along > GROWN_TOGETHER * bone * bone) own.push(v);
  }
  const rest: number[] = [];
  const joints = new Set<number>();
  for (let i = 0; i < body.triangles.length; i += 3) {
    let isOwn = false;
    for (let c = 0; c < 3; c++) isOwn ||= isIn[body.joints[body.triangles[i + c]!]!]!;
    if (isOwn) continue;
    for (let c = 0; c < 3; c++) {
      rest.push(body.triangles[i + c]!);
      joints.add(body.joints[body.triangles[i + c]!]!);
    }
  }
  if (own.length === 0 || rest.length === 0) return null;
  const stride = Math.ceil(own.length / MOST_VERTICES);
  const vertices = Int32Array.from(own.filter((_, n) => n % stride === 0));
  return {
    side,
    length,
    vertices,
    allowed: new Float64Array(vertices.length),
    parts: Uint8Array.from(vertices, (v) => (isHand[body.joints[v]!] ? 2 : isLow[body.joints[v]!] ? 1 : 0)),
    rest: createSurface(Int32Array.from(rest), body.places),
    joints: Int32Array.from(joints),
  };
}

/** Reads where surfaces are, and the boxes of what follows each joint. */
function settle({ body, arms, boxes }: ArmSkin): void {
  for (const { rest } of arms) settleSurface(rest, body.places);
  boxes.fill(Number.NEGATIVE_INFINITY);
  for (let v = 0; v < body.joints.length; v++) {
    const o = 2 * DIRECTION_COUNT * body.joints[v]!;
    for (let d = 0; d < DIRECTION_COUNT; d++) {
      const along = alongDirection(body.places, v, d);
      if (along > boxes[o + 2 * d]!) boxes[o + 2 * d] = along;
      if (-along > boxes[o + 2 * d + 1]!) boxes[o + 2 * d + 1] = -along;
    }
  }
}

function alongDirection(places: Float64Array, v: number, d: number): number {
  return (
    BOX_DIRECTIONS[3 * d]! * places[3 * v]! +
    BOX_DIRECTIONS[3 * d + 1]! * places[3 * v + 1]! +
    BOX_DIRECTIONS[3 * d + 2]! * places[3 * v + 2]!
  );
}

function depthOf({ body, boxes }: ArmSkin, { joints, rest }: SkinnedArm, vertex: number): number {
  const { places } = body;
  if (!joints.some((joint) => isInBox(boxes, joint, places, vertex))) return 0;
  const [x, y, z] = [places[3 * vertex]!, places[3 * vertex + 1]!, places[3 * vertex + 2]!];
  return windingNumber(rest, places, x, y, z) > INSIDE ? distanceToSurface(rest, places, x, y, z) : 0;
}

function isInBox(boxes: Float64Array, joint: number, places: Float64Array, v: number): boolean {
  const o = 2 * DIRECTION_COUNT * joint;
  for (let d = 0; d < DIRECTION_COUNT; d++) {
    const along = alongDirection(places, v, d);
    if (along > boxes[o + 2 * d]! || -along > boxes[o + 2 * d + 1]!) return false;
  }
  return true;
}
