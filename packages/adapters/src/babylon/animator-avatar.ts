import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import type { Bone } from '@babylonjs/core/Bones/bone.js';
import type { Skeleton as BabylonSkeleton } from '@babylonjs/core/Bones/skeleton.js';
import type { AbstractMesh } from '@babylonjs/core/Meshes/abstractMesh.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import type { MorphTargetManager } from '@babylonjs/core/Morph/morphTargetManager.js';
import type { RetargetGroupOptions } from './options.js';
import { retargetAnimationGroup } from './retarget-animation-group.js';

/** A character and what moves it, with the members of Babylon's `AnimatorAvatar`. */
export type AnimatorAvatar = {
  readonly name: string;
  readonly rootNode: TransformNode | undefined;
  /** The meshes that have vertices. */
  meshes: AbstractMesh[];
  skeletons: Set<BabylonSkeleton>;
  morphTargetManagers: Set<MorphTargetManager>;
  /** Whether warnings are told; true at first. */
  showWarnings: boolean;
  /** The bone that is linked to a node, by the node or its name; null where there is none. */
  findBoneByTransformNode(nameOrTransformNode: string | TransformNode): Bone | null;
  /** The bone of a name; null where there is none. */
  findBoneByName(name: string): Bone | null;
  /** As {@link retargetAnimationGroup}, for this avatar. */
  retargetAnimationGroup(
    sourceAnimationGroup: AnimationGroup,
    options?: RetargetGroupOptions,
  ): AnimationGroup;
  /** Disposes of meshes, skeletons, morph targets and the root, unless the avatar was made without that. */
  dispose(): void;
};

/**
 * Makes an avatar as `new BABYLON.AnimatorAvatar(…)` does, with the same arguments: code written for Babylon's
 * own class runs with this line changed.
 */
export function createAnimatorAvatar(
  name: string,
  rootNode?: TransformNode,
  disposeResources = true,
  setAvatarName = true,
): AnimatorAvatar {
  if (rootNode && setAvatarName) rootNode.name = name;
  const all = rootNode ? [rootNode, ...rootNode.getChildMeshes(false)] : [];
  const meshes = all
    .filter((node): node is AbstractMesh => 'getTotalVertices' in node)
    .filter((mesh) => mesh.getTotalVertices() > 0);
  const managers = new Set<MorphTargetManager>();
  for (const mesh of meshes) {
    const manager = mesh.morphTargetManager;
    if (!manager) continue;
    manager.meshName = mesh.name;
    manager.numMaxInfluencers = manager.numTargets;
    managers.add(manager);
  }
  const avatar: AnimatorAvatar = {
    name,
    rootNode,
    meshes,
    skeletons: new Set(meshes.flatMap(({ skeleton }) => (skeleton ? [skeleton] : []))),
    morphTargetManagers: managers,
    showWarnings: true,
    findBoneByTransformNode: (node) =>
      findBone(avatar.skeletons, (bone) => {
        const linked = bone.getTransformNode();
        return linked !== null && (typeof node === 'string' ? linked.name === node : linked === node);
      }),
    findBoneByName: (boneName) => findBone(avatar.skeletons, (bone) => bone.name === boneName),
    retargetAnimationGroup: (group, options) => retargetAnimationGroup(avatar, group, options),
    dispose() {
      if (disposeResources) {
        for (const manager of managers) manager.dispose();
        for (const skeleton of avatar.skeletons) skeleton.dispose();
        rootNode?.dispose(false, true);
      }
      avatar.meshes = [];
      avatar.skeletons.clear();
      managers.clear();
    },
  };
  return avatar;
}

/**
 * {@link createAnimatorAvatar} by Babylon's own name, to be called with `new`: an example of Babylon.js's documentation
 * runs as it is, where this stands in for the class.
 */
export const AnimatorAvatar = createAnimatorAvatar as unknown as new (
  ...given: Parameters<typeof createAnimatorAvatar>
) => AnimatorAvatar;

function findBone(skeletons: Iterable<BabylonSkeleton>, matches: (bone: Bone) => boolean): Bone | null {
  for (const { bones } of skeletons) {
    const found = bones.find(matches);
    if (found) return found;
  }
  return null;
}
