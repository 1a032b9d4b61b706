import { Animation } from '@babylonjs/core/Animations/animation.js';
import { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import { AnimatorAvatar, type IRetargetOptions } from '@babylonjs/core/Animations/animatorAvatar.js';
import { Bone } from '@babylonjs/core/Bones/bone.js';
import { Skeleton as BabylonSkeleton } from '@babylonjs/core/Bones/skeleton.js';
import { NullEngine } from '@babylonjs/core/Engines/nullEngine.js';
import { Matrix, Quaternion, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import { Logger } from '@babylonjs/core/Misc/logger.js';
import { Scene } from '@babylonjs/core/scene.js';
import type { Skeleton } from '@stuntdouble/core';
import { type Contender, checkRotations, checkTravel } from '../timing/contender.js';
import type { Workload } from '../timing/workload.js';

/**
 * Babylon.js: `AnimatorAvatar.retargetAnimationGroup` with its default options and a map of names, from an
 * animation group on transform nodes to bones that are linked to transform nodes, as its glTF loader makes
 * both. Scaling the hips' way is on by default, but is silently left out unless a ground reference is named:
 * `scaleHips` names it, and is the equal work; without, the feet of a body with shorter legs slide.
 */
export function createBabylonPeer(workload: Workload, scaleHips: boolean): Contender {
  const { source, target, rotations, translations, hips } = workload;
  const { joints, frames, frameRate } = workload.size;
  const name = scaleHips ? 'babylon' : 'babylon, hips unscaled';
  Logger.LogLevels = Logger.ErrorLogLevel;
  const scene = new Scene(new NullEngine());
  const sourceNodes = createNodes(source, scene);
  const targetNodes = createNodes(target, scene);
  const skeleton = new BabylonSkeleton('target', 'target', scene);
  const bones: Bone[] = [];
  target.names.forEach((boneName, j) => {
    const parent = target.parents[j]!;
    const node = targetNodes[j]!;
    const local = Matrix.Compose(node.scaling, node.rotationQuaternion!, node.position);
    const bone = new Bone(boneName, skeleton, parent < 0 ? null : bones[parent]!, local, local.clone());
    bone.linkTransformNode(node);
    bones.push(bone);
  });
  const avatar = new AnimatorAvatar('target');
  avatar.showWarnings = false;
  avatar.skeletons.add(skeleton);

  const group = new AnimationGroup('walk', scene);
  for (let j = 0; j < joints; j++) {
    const animation = new Animation(
      `${source.names[j]!}.rotation`,
      'rotationQuaternion',
      frameRate,
      Animation.ANIMATIONTYPE_QUATERNION,
    );
    animation.setKeys(
      Array.from({ length: frames }, (_, frame) => ({
        frame,
        value: Quaternion.FromArray(rotations, 4 * (j * frames + frame)),
      })),
    );
    group.addTargetedAnimation(animation, sourceNodes[j]!);
  }
  const travel = new Animation('travel', 'position', frameRate, Animation.ANIMATIONTYPE_VECTOR3);
  travel.setKeys(
    Array.from({ length: frames }, (_, frame) => ({
      frame,
      value: Vector3.FromArray(translations, 3 * frame),
    })),
  );
  group.addTargetedAnimation(travel, sourceNodes[hips]!);
  const mapNodeNames = new Map(source.names.map((sourceName, j) => [sourceName, target.names[j]!]));

  const options: IRetargetOptions = { mapNodeNames };
  if (scaleHips) {
    options.rootNodeName = source.names[hips]!;
    options.groundReferenceNodeName = source.names[workload.foot]!;
  }

  let result: AnimationGroup | null = null;
  return {
    name,
    run() {
      // Only what makes room in the scene: a list of groups that grows would slow later runs.
      result?.dispose();
      result = avatar.retargetAnimationGroup(group, options);
    },
    forget() {
      result?.dispose();
      result = null;
    },
    check() {
      const keysOf = (node: TransformNode, property: string) => {
        const found = result?.targetedAnimations.find(
          (one) => one.target === node && one.animation.targetProperty === property,
        );
        const keys = found?.animation.getKeys() ?? [];
        if (keys.length !== frames)
          throw new Error(
            `${name}: ${keys.length} ${property} keys of ${node.name}; ${frames} are the whole work`,
          );
        return keys;
      };
      const keys = targetNodes.map((node) => keysOf(node, 'rotationQuaternion'));
      checkRotations(
        name,
        workload,
        (out, o, joint, frame) => {
          const value: Quaternion = keys[joint]![frame]!.value;
          out[o] = value.x;
          out[o + 1] = value.y;
          out[o + 2] = value.z;
          out[o + 3] = value.w;
        },
        // Its float32 matrices lose about 1e-7 a product, and a rotation is read from them by square roots.
        1e-3,
      );
      const positions = keysOf(targetNodes[hips]!, 'position');
      checkTravel(
        name,
        workload,
        positions.flatMap(({ value }: { value: Vector3 }) => [value.x, value.y, value.z]),
        scaleHips ? workload.rootScale : 1,
      );
    },
  };
}

function createNodes(skeleton: Skeleton, scene: Scene): TransformNode[] {
  const nodes: TransformNode[] = [];
  skeleton.names.forEach((name, j) => {
    const node = new TransformNode(name, scene);
    const parent = skeleton.parents[j]!;
    if (parent >= 0) node.parent = nodes[parent]!;
    node.position = Vector3.FromArray(skeleton.rest.translations, 3 * j);
    node.rotationQuaternion = Quaternion.FromArray(skeleton.rest.rotations, 4 * j);
    nodes.push(node);
  });
  return nodes;
}
