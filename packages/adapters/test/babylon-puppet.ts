import { Animation } from '@babylonjs/core/Animations/animation.js';
import { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import type { IAnimationKey } from '@babylonjs/core/Animations/animationKey.js';
import { Bone } from '@babylonjs/core/Bones/bone.js';
import { Skeleton } from '@babylonjs/core/Bones/skeleton.js';
import { Matrix, Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import type { Scene } from '@babylonjs/core/scene.js';

/** A body in T-pose: name, parent and place from the parent, in metres, of a figure that faces +Z with its left at +X. */
const JOINTS: readonly (readonly [string, string, number, number, number])[] = [
  ['Hips', '', 0, 1, 0],
  ['Spine', 'Hips', 0, 0.1, 0],
  ['Spine1', 'Spine', 0, 0.15, 0],
  ['Neck', 'Spine1', 0, 0.2, 0],
  ['Head', 'Neck', 0, 0.1, 0],
  ...(['Left', 'Right'] as const).flatMap((side): [string, string, number, number, number][] => {
    const x = side === 'Left' ? 1 : -1;
    return [
      [`${side}Shoulder`, 'Spine1', x * 0.06, 0.15, 0],
      [`${side}Arm`, `${side}Shoulder`, x * 0.12, 0, 0],
      [`${side}ForeArm`, `${side}Arm`, x * 0.28, 0, 0],
      [`${side}Hand`, `${side}ForeArm`, x * 0.26, 0, 0],
      [`${side}UpLeg`, 'Hips', x * 0.1, -0.05, 0],
      [`${side}Leg`, `${side}UpLeg`, 0, -0.44, 0],
      [`${side}Foot`, `${side}Leg`, 0, -0.43, 0],
      [`${side}ToeBase`, `${side}Foot`, 0, -0.06, 0.12],
    ];
  }),
];

/** How a puppet is made. */
export type PuppetOptions = {
  /** Before every name. */
  prefix?: string;
  /** How large it is; 1 is 1.7 m. */
  scale?: number;
  /** How much longer its legs are. */
  legs?: number;
  /** Bones linked to the nodes, bones instead of nodes, or no bones. */
  bones?: 'linked' | 'alone' | 'none';
  /** Other joints, below joints of the body: name, parent, place. */
  extra?: readonly (readonly [string, string, number, number, number])[];
};

/** A body of our own in a scene. */
export type Puppet = {
  root: TransformNode;
  skeletons: Skeleton[];
  nodes: Map<string, TransformNode>;
  bones: Map<string, Bone>;
};

/** Builds a humanoid with Mixamo's names in a scene. A left-handed scene sees it mirrored unless its root mirrors, as the glTF loader's does. */
export function createPuppet(scene: Scene, options: PuppetOptions = {}): Puppet {
  const { prefix = '', scale = 1, legs = 1, bones = 'linked', extra = [] } = options;
  const root = new TransformNode('root', scene);
  if (!scene.useRightHandedSystem && bones !== 'alone') root.scaling.z = -1;
  const puppet: Puppet = { root, skeletons: [], nodes: new Map(), bones: new Map() };
  const skeleton = bones === 'none' ? null : new Skeleton('skeleton', 'skeleton', scene);
  if (skeleton) puppet.skeletons.push(skeleton);
  for (const [name, parent, x, y, z] of [...JOINTS, ...extra]) {
    const isLeg = /Leg$|Foot|Toe/.test(name) && !name.endsWith('UpLeg');
    const lift = name === 'Hips' ? (0.93 * legs + 0.07) * scale : y * (isLeg ? legs : 1) * scale;
    // Locals of Babylon's own left-handed files: z the other way.
    const place = new Vector3(
      x * scale,
      lift,
      z * scale * (bones === 'alone' && !scene.useRightHandedSystem ? -1 : 1),
    );
    const local = Matrix.Translation(place.x, place.y, place.z);
    if (bones !== 'alone') {
      const node = new TransformNode(prefix + name, scene);
      node.position = place;
      node.rotationQuaternion = Quaternion.Identity();
      node.parent = puppet.nodes.get(parent) ?? root;
      puppet.nodes.set(name, node);
    }
    if (!skeleton) continue;
    const bone = new Bone(prefix + name, skeleton, puppet.bones.get(parent) ?? null, local);
    if (bones === 'linked') bone.linkTransformNode(puppet.nodes.get(name)!);
    puppet.bones.set(name, bone);
  }
  return puppet;
}

/** What a group of {@link createGroup} moves: a joint, a property, keys. */
export type Moves = readonly (readonly [unknown, string, IAnimationKey[]])[];

/** Makes a group of animations at 60 frames a second. */
export function createGroup(scene: Scene, name: string, moves: Moves): AnimationGroup {
  const group = new AnimationGroup(name, scene);
  for (const [target, property, keys] of moves) {
    const type =
      property === 'rotationQuaternion'
        ? Animation.ANIMATIONTYPE_QUATERNION
        : property === 'influence'
          ? Animation.ANIMATIONTYPE_FLOAT
          : property === '_matrix'
            ? Animation.ANIMATIONTYPE_MATRIX
            : Animation.ANIMATIONTYPE_VECTOR3;
    const animation = new Animation(
      `${name}.${property}`,
      property,
      60,
      type,
      Animation.ANIMATIONLOOPMODE_CYCLE,
    );
    animation.setKeys(keys);
    group.addTargetedAnimation(animation, target);
  }
  return group;
}

/** A turn about an axis, by degrees. */
export const turned = (axis: Vector3, degrees: number) =>
  Quaternion.RotationAxis(axis, (degrees * Math.PI) / 180);
