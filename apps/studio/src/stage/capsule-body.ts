import {
  CapsuleGeometry,
  InstancedMesh,
  Matrix4,
  MeshStandardMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three';
import type { FileFacts } from '../engine/protocol.js';
import { boneEnds } from './bones.js';
import type { DrawnBone } from './skeleton-bones.js';

/** A body of capsules for motions that have no mesh: one along each bone, a ball for the head. */
export type CapsuleBody = { objects: InstancedMesh[]; update(matrices: Float64Array): void };

/** How thick parts of a body are, in its heights, by the end of the role's name. */
const THICK: readonly [RegExp, number][] = [
  [/hips|spine|chest|upperChest/i, 0.075],
  [/UpperLeg/, 0.045],
  [/LowerLeg/, 0.034],
  [/UpperArm|Shoulder/, 0.03],
  [/LowerArm/, 0.024],
  [/Foot|Toes|Hand|neck/, 0.022],
  [/head/, 0.05],
];

const UP = new Vector3(0, 1, 0);
const from = new Vector3();
const to = new Vector3();
const way = new Vector3();
const turn = new Quaternion();
const size = new Vector3();
const matrix = new Matrix4();

/** The joints that play a part, and those that lead to one. */
function onwardJoints({ roles, skeleton }: FileFacts): Set<number> {
  const onward = new Set<number>();
  roles.forEach((role, joint) => {
    if (role)
      for (let at = joint; at >= 0 && !onward.has(at); at = skeleton?.parents[at] ?? -1) onward.add(at);
  });
  return onward;
}

/** Makes the capsules of a body. */
export function createCapsuleBody(facts: FileFacts, bones: readonly DrawnBone[], color: number): CapsuleBody {
  const material = new MeshStandardMaterial({ color, roughness: 0.75 });
  const limbs = new InstancedMesh(new CapsuleGeometry(1, 1, 5, 12), material, Math.max(1, bones.length));
  const balls = new InstancedMesh(new SphereGeometry(1, 16, 12), material, 1);
  limbs.count = bones.length;
  const head = facts.joints.head;
  const headBone = bones.find((bone) => bone.from === head);
  balls.count = headBone ? 1 : 0;
  for (const object of [limbs, balls]) {
    object.frustumCulled = false;
    object.castShadow = true;
  }
  const { height } = facts;
  // A face of capsules is none: the ball is all of a head.
  const parents = facts.skeleton?.parents ?? [];
  const isOfHead = (joint: number) => {
    let at = joint;
    while (at >= 0 && at !== head) at = parents[at] ?? -1;
    return head !== undefined && at === head;
  };
  const isFace = bones.map((bone) => bone.to >= 0 && isOfHead(bone.from));
  // From hips and thighs hang robes and tools, too: only what leads to the next part of the body is as thick as that.
  const onward = onwardJoints(facts);
  const leadsOn = new Set(bones.filter(({ to }) => onward.has(to)).map((bone) => bone.from));
  const radii = bones.map(({ from: joint, to }) => {
    const role = to >= 0 && !onward.has(to) && leadsOn.has(joint) ? null : facts.roles[joint];
    const found = role ? THICK.find(([pattern]) => pattern.test(role)) : undefined;
    return (found?.[1] ?? 0.012) * height;
  });
  return {
    objects: [limbs, balls],
    update(matrices) {
      bones.forEach((bone, n) => {
        boneEnds(bone, matrices, from, to);
        way.subVectors(to, from);
        const length = way.length();
        turn.setFromUnitVectors(UP, length > 1e-9 ? way.clone().divideScalar(length) : UP);
        // The unit capsule is three radii long: a round one where the bone is short, a long one where it is not.
        const radius = isFace[n] ? 0 : Math.min(radii[n]!, Math.max(0.35 * length, 0.3 * radii[n]!));
        matrix.compose(from.addScaledVector(way, 0.5), turn, size.set(radius, (length + radius) / 3, radius));
        limbs.setMatrixAt(n, matrix);
        if (bone === headBone) {
          const r = 0.062 * height;
          matrix.compose(from, turn, size.set(0.85 * r, 1.15 * r, r));
          balls.setMatrixAt(0, matrix);
        }
      });
      limbs.instanceMatrix.needsUpdate = true;
      balls.instanceMatrix.needsUpdate = true;
    },
  };
}
