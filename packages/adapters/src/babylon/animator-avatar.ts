import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import type { Bone } from '@babylonjs/core/Bones/bone.js';
import type { Skeleton as BabylonSkeleton } from '@babylonjs/core/Bones/skeleton.js';
import type { AbstractMesh } from '@babylonjs/core/Meshes/abstractMesh.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import type { MorphTarget } from '@babylonjs/core/Morph/morphTarget.js';
import type { MorphTargetManager } from '@babylonjs/core/Morph/morphTargetManager.js';
import type { RetargetGroupOptions } from './options.js';
import { retargetAnimationGroup } from './retarget-animation-group.js';

/**
 * A character and what moves it, with the members of Babylon's class of that name: code written for that one, a class
 * that extends it included, runs with the import changed. It is a class of its own, as Babylon.js 8 has none.
 */
export class AnimatorAvatar {
  readonly name: string;
  readonly rootNode: TransformNode | undefined;
  /** The meshes that have vertices. */
  meshes: AbstractMesh[] = [];
  skeletons = new Set<BabylonSkeleton>();
  morphTargetManagers = new Set<MorphTargetManager>();
  /** Whether warnings are told; true at first. */
  showWarnings = true;
  readonly #disposeResources: boolean;
  #morphs: Map<string, MorphTarget> | undefined;

  /**
   * @param rootNode What is below it is collected; without it, meshes, skeletons and morph targets are for the caller
   * to add.
   * @param disposeResources Whether `dispose` disposes of what was collected.
   * @param setAvatarName Whether the root node gets the avatar's name.
   */
  constructor(name: string, rootNode?: TransformNode, disposeResources = true, setAvatarName = true) {
    this.name = name;
    this.rootNode = rootNode;
    this.#disposeResources = disposeResources;
    if (!rootNode) return;
    if (setAvatarName) rootNode.name = name;
    for (const node of [rootNode, ...rootNode.getChildMeshes(false)])
      if (isMesh(node) && node.getTotalVertices() > 0) this.#collect(node);
  }

  #collect(mesh: AbstractMesh): void {
    this.meshes.push(mesh);
    if (mesh.skeleton) this.skeletons.add(mesh.skeleton);
    const manager = mesh.morphTargetManager;
    if (!manager) return;
    manager.meshName = mesh.name;
    manager.numMaxInfluencers = manager.numTargets;
    this.morphTargetManagers.add(manager);
  }

  /**
   * Morph targets by `meshName_morphTargetName`, from when it is first asked for. Its entries have the last word about
   * which morph target an animation goes to, so an entry that is added is a pair that is told.
   */
  get mapMorphTargetNameToMorphTarget(): Map<string, MorphTarget> {
    if (this.#morphs) return this.#morphs;
    const morphs = new Map<string, MorphTarget>();
    for (const manager of this.morphTargetManagers)
      for (let n = 0; n < manager.numTargets; n++) {
        const morph = manager.getTarget(n);
        morphs.set(`${manager.meshName}_${morph.name}`, morph);
      }
    this.#morphs = morphs;
    return morphs;
  }

  /** The bone that is linked to a node, by the node or its name; null where there is none. */
  findBoneByTransformNode(nameOrTransformNode: string | TransformNode): Bone | null {
    return this.#findBone((bone) => {
      const linked = bone.getTransformNode();
      return typeof nameOrTransformNode === 'string'
        ? linked?.name === nameOrTransformNode
        : linked === nameOrTransformNode;
    });
  }

  /** The bone of a name; null where there is none. */
  findBoneByName(name: string): Bone | null {
    return this.#findBone((bone) => bone.name === name);
  }

  #findBone(matches: (bone: Bone) => boolean): Bone | null {
    for (const { bones } of this.skeletons) {
      const found = bones.find(matches);
      if (found) return found;
    }
    return null;
  }

  /** As the function {@link retargetAnimationGroup}, for this avatar. */
  retargetAnimationGroup(
    sourceAnimationGroup: AnimationGroup,
    options?: RetargetGroupOptions,
  ): AnimationGroup {
    return retargetAnimationGroup(this, sourceAnimationGroup, options);
  }

  /** Disposes of skeletons, morph targets and the root with all below it; of nothing where that was not asked for. */
  dispose(): void {
    if (!this.#disposeResources) return;
    for (const skeleton of this.skeletons) skeleton.dispose();
    for (const manager of this.morphTargetManagers) manager.dispose();
    this.rootNode?.dispose(false, true);
  }
}

function isMesh(node: TransformNode): node is AbstractMesh {
  return 'getTotalVertices' in node;
}
