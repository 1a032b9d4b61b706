import type { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import type { Skeleton as BabylonSkeleton } from '@babylonjs/core/Bones/skeleton.js';
import type { AbstractMesh } from '@babylonjs/core/Meshes/abstractMesh.js';
import type { TransformNode } from '@babylonjs/core/Meshes/transformNode.js';
import type { Scene as BabylonScene } from '@babylonjs/core/scene.js';

/** What a body is read from. */
export type BodyParts = {
  name: string;
  /** What its skeleton is called, where that is not its name: the same whatever moves it. */
  character?: string;
  scene: BabylonScene;
  /** The node that holds the body; where it stands and how it is turned does not matter. */
  root: TransformNode | null;
  skeletons: readonly BabylonSkeleton[];
  meshes: readonly AbstractMesh[];
  /** Nodes or bones that a group animates: joints, whatever else they are. */
  moved: ReadonlySet<unknown>;
  /** Groups that may be playing on the body. */
  groups: readonly AnimationGroup[];
};
