import { UsageError } from '@stuntdouble/core';
import type { AnimationClip, Bone, Object3D, Skeleton as ThreeSkeleton } from 'three';

/** What the adapter needs of the humanoid of a VRM, as `@pixiv/three-vrm` has it. */
export type VrmHumanoid = {
  humanBones: VrmBones;
  normalizedHumanBones: VrmBones;
  normalizedHumanBonesRoot: Object3D;
  rawRestPose: VrmPose;
  normalizedRestPose: VrmPose;
  /** Whether `update` copies the normalized bones onto the raw ones, which `vrm.update()` asks it to. */
  autoUpdateHumanBones?: boolean;
  update?: () => void;
};

/** Body parts of a VRM by role. */
export type VrmBones = Partial<Record<string, { node: Object3D } | undefined>>;

/** Local transforms of a VRM's body parts by role. */
export type VrmPose = Partial<Record<string, { position?: ArrayLike<number>; rotation?: ArrayLike<number> }>>;

/** An expression of a VRM: an object in its scene whose `weight` is animated. */
export type VrmExpression = Object3D & { expressionName: string; weight: number };

/** What the adapter needs of a VRM, as `@pixiv/three-vrm` gives it. */
export type VrmLike = {
  scene: Object3D;
  humanoid: VrmHumanoid;
  expressionManager?: { expressions: readonly VrmExpression[] } | undefined;
};

/** What the adapter needs of a file that three's GLTFLoader has read. */
export type GltfLike = {
  scene: Object3D;
  animations?: AnimationClip[];
  userData?: Record<string, unknown>;
  parser?: { json: unknown; associations: Map<unknown, unknown> };
};

/** Bare bones as three's BVHLoader gives them. */
export type BonesLike = { skeleton: ThreeSkeleton; clip?: AnimationClip };

/**
 * What can be a source or a target in three.js: an object that holds a character (a scene, a group of
 * FBXLoader's, a skinned mesh, a bone), a file of GLTFLoader's, a VRM of three-vrm's, bare bones of
 * BVHLoader's, or a `Skeleton`, which three's own `retargetClip` takes for a source.
 */
export type AnimatedObject = Object3D | GltfLike | VrmLike | BonesLike | ThreeSkeleton;

/** An {@link AnimatedObject} taken apart. */
export type ResolvedObject = {
  /** What an `AnimationMixer` is made for: track names are resolved from here. */
  root: Object3D;
  /** Bones that were given as a list, apart from any object. */
  bones: readonly Bone[];
  vrm: VrmLike | null;
  gltf: GltfLike | null;
  /** Whether it is what BVHLoader gives: its bones lie as the file lists their lengths, not as a body rests. */
  isCapture: boolean;
  /** Clips that came with the object; they help to understand captures. */
  clips: readonly AnimationClip[];
};

const isObject3D = (value: unknown): value is Object3D =>
  typeof value === 'object' && value !== null && 'isObject3D' in value && value.isObject3D === true;

/**
 * Takes apart what the caller gave.
 * @param argument Its name, for the error.
 * @throws UsageError where it is none of the things that can be animated.
 */
export function resolveObject(
  object: AnimatedObject,
  argument: 'target' | 'source' | 'object',
): ResolvedObject {
  const resolved: ResolvedObject = {
    root: object as Object3D,
    bones: [],
    vrm: null,
    gltf: null,
    isCapture: false,
    clips: [],
  };
  if (typeof object === 'object' && object !== null) {
    if (isObject3D(object)) {
      // GLTFLoader and three-vrm leave the VRM in the file's userData; some programs copy it to the scene.
      const vrm = vrmOf(object.userData);
      return { ...resolved, vrm: vrm?.scene === object ? vrm : null, clips: object.animations };
    }
    if ('humanoid' in object && 'scene' in object) return { ...resolved, root: object.scene, vrm: object };
    if ('scene' in object && isObject3D(object.scene))
      return {
        ...resolved,
        root: object.scene,
        vrm: vrmOf(object.userData),
        gltf: object,
        clips: object.animations ?? [],
      };
    if ('skeleton' in object && object.skeleton?.bones?.[0]) {
      const { bones } = object.skeleton;
      const { clip } = object;
      return {
        ...resolved,
        root: bones[0]!,
        bones,
        isCapture: clip !== undefined,
        clips: clip ? [clip] : [],
      };
    }
    if ('bones' in object && isObject3D(object.bones?.[0]))
      return { ...resolved, root: object.bones[0], bones: object.bones };
  }
  throw new UsageError(
    `${argument} is ${describe(object)}; an Object3D, a glTF, a VRM, a Skeleton or a { skeleton } with bones is needed`,
  );
}

function vrmOf(userData: Record<string, unknown> | undefined): VrmLike | null {
  const vrm = userData?.vrm as Partial<VrmLike> | undefined;
  return vrm?.humanoid && vrm.scene ? (vrm as VrmLike) : null;
}

function describe(value: unknown): string {
  if (value === null || typeof value !== 'object') return String(value);
  if ('then' in value) return 'a promise, to be awaited first';
  return `an object with ${Object.keys(value).slice(0, 5).join(', ') || 'nothing in it'}`;
}
