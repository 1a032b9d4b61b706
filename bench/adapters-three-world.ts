import { createLiveRetargeter, readCharacter } from '@stuntdouble/adapters/three';
import { driverOf, type Role, type Setup } from '@stuntdouble/core';
import {
  AnimationClip,
  AnimationMixer,
  type Bone,
  type Object3D,
  Quaternion,
  QuaternionKeyframeTrack,
  Skeleton,
  type SkinnedMesh,
  Vector3,
} from 'three';
import { retargetClip as retargetClipOfThree } from 'three/addons/utils/SkeletonUtils.js';
import { DATA_FOLDER, loadFbx, loadGltf } from './adapters-three-files.js';

/** A character in a three.js scene: the object that a mixer is made for, and its clips. */
export type Actor = { root: Object3D; clips: AnimationClip[] };

/** One case of the table: whom the motion is taken from, whom it is given to. */
export type ThreeCase = {
  name: string;
  source: () => Promise<Actor>;
  target: () => Promise<Actor>;
  /** The clip of the source; its first if left out. */
  clip?: string;
  /** Whether source and target face opposite ways in their own files. */
  isOpposite?: boolean;
};

const gltf = (file: string, clip?: string) => async (): Promise<Actor> => {
  const { scene, animations } = await loadGltf(DATA_FOLDER + file, clip);
  return { root: scene, clips: animations };
};
const fbx = (file: string) => async (): Promise<Actor> => {
  const root = loadFbx(DATA_FOLDER + file);
  return { root, clips: root.animations };
};

/** The kinds of pairs on which others were measured, with files of the data folder. */
export const THREE_CASES: readonly ThreeCase[] = [
  {
    name: 'T→T, other axes',
    source: gltf('mesh2motion/human-base-animations.DEF.glb', 'Walk_Loop'),
    target: fbx('misc/Geno.fbx'),
    clip: 'Walk_Loop',
  },
  {
    name: 'opposite facing',
    source: gltf('mesh2motion/human-base-animations.DEF.glb', 'Dance_Loop'),
    target: gltf('100avatars/100Avatars_003_Jimmy.vrm'),
    clip: 'Dance_Loop',
    isOpposite: true,
  },
  {
    name: 'T→A',
    source: gltf('mesh2motion/human-base-animations.DEF.glb', 'Walk_Loop'),
    target: fbx('rocketbox/Male_Adult_18.fbx'),
    clip: 'Walk_Loop',
  },
  {
    name: '67→19 joints',
    source: fbx('ozz/walk.fbx'),
    target: gltf('khronos/CesiumMan.glb'),
  },
];

/** The clip of a case. */
export function clipOf(actor: Actor, name?: string): AnimationClip {
  const clip = name === undefined ? actor.clips[0] : actor.clips.find((candidate) => candidate.name === name);
  if (!clip) throw new Error(`no clip ${name}; there are ${actor.clips.map((c) => c.name).join(', ')}`);
  return clip;
}

/** Poses an actor as a clip has it at a time, through three's own mixer. */
export function playAt({ root }: Pick<Actor, 'root'>, clip: AnimationClip, time: number): AnimationMixer {
  const mixer = new AnimationMixer(root);
  mixer.clipAction(clip).play();
  mixer.setTime(time);
  root.updateWorldMatrix(true, true);
  return mixer;
}

/** The bones of an actor without a skin, as three's own functions take them. */
function bareSkeleton({ root }: Actor): Skeleton {
  const bones: Bone[] = [];
  root.traverse((node) => {
    if ((node as Bone).isBone) bones.push(node as Bone);
  });
  return new Skeleton(bones);
}

/** A pair of objects that play the same role, for measuring. */
type RolePair = { role: Role; source: Object3D; target: Object3D };

/** Which objects play the same role, and the set-up that says so. */
export function rolePairs(target: Actor, source: Actor): { pairs: RolePair[]; setup: Setup } {
  const live = createLiveRetargeter(target.root, source.root, {
    clips: source.clips.slice(0, 4),
    corrections: 'none',
  });
  const from = readCharacter(source.root).objects;
  const to = readCharacter(target.root).objects;
  const pairs = live.setup.map.joints.flatMap((pair): RolePair[] =>
    pair.role && !pair.share
      ? [{ role: pair.role, source: from[driverOf(pair)]!, target: to[pair.target]! }]
      : [],
  );
  return { pairs, setup: live.setup };
}

const ARMS: readonly (readonly [Role, Role])[] = [
  ['leftUpperArm', 'leftLowerArm'],
  ['leftLowerArm', 'leftHand'],
  ['rightUpperArm', 'rightLowerArm'],
  ['rightLowerArm', 'rightHand'],
];
const LEG_LINES: readonly (readonly [Role, Role])[] = [
  ['leftUpperLeg', 'leftFoot'],
  ['rightUpperLeg', 'rightFoot'],
];

const a = new Vector3();
const b = new Vector3();
const turn = new Quaternion();

/** The direction from object to object in the space of the actor that they are part of. */
function directionIn(out: Vector3, root: Object3D, from: Object3D, to: Object3D, isTurned: boolean): boolean {
  to.getWorldPosition(out).sub(from.getWorldPosition(b));
  if (out.lengthSq() === 0) return false;
  out.applyQuaternion(root.getWorldQuaternion(turn).invert()).normalize();
  if (isTurned) out.set(-out.x, out.y, -out.z);
  return true;
}

/** Angles in degrees between the limbs of two actors as they are posed now, in world space of the engine. */
export function limbAngles(
  target: Actor,
  source: Actor,
  pairs: readonly RolePair[],
  bones: readonly (readonly [Role, Role])[],
  isOpposite: boolean,
): number[] {
  const byRole = new Map(pairs.map((pair) => [pair.role, pair]));
  const of = new Vector3();
  return bones.flatMap(([start, end]) => {
    const from = byRole.get(start);
    const to = byRole.get(end);
    if (!from || !to) return [];
    const isMeasured =
      directionIn(a, source.root, from.source, to.source, false) &&
      directionIn(of, target.root, from.target, to.target, isOpposite);
    if (!isMeasured) return [];
    // By atan2: acos has no digits left near zero.
    const cross = Math.hypot(a.y * of.z - a.z * of.y, a.z * of.x - a.x * of.z, a.x * of.y - a.y * of.x);
    return [(Math.atan2(cross, a.dot(of)) * 180) / Math.PI];
  });
}

/** Runs without three's warnings of tracks that move nothing: cameras, lights, objects beside the mesh. */
export function silently<Result>(act: () => Result): Result {
  const { warn } = console;
  console.warn = () => {};
  try {
    return act();
  } finally {
    console.warn = warn;
  }
}

/** Makes a clip for the target from one of the source's. */
export type ClipMaker = (target: Actor, source: Actor, clip: AnimationClip) => AnimationClip;

/** How far limbs are off, in degrees: arms over the whole clip, leg lines where the source stands in its reference. */
export type WorldErrors = { arms: number; armsWorst: number; legs: number };

const INSTANTS = 12;

/**
 * Measures a way to retarget in the engine's own world space: both actors are played by three's mixers and
 * the directions of their limbs compared.
 */
export function measureInWorld(
  target: Actor,
  source: Actor,
  clip: AnimationClip,
  make: ClipMaker,
  isOpposite: boolean,
  resultRoot: Object3D = target.root,
): WorldErrors {
  return silently(() => measure(target, source, clip, make, isOpposite, resultRoot));
}

function measure(
  target: Actor,
  source: Actor,
  clip: AnimationClip,
  make: ClipMaker,
  isOpposite: boolean,
  resultRoot: Object3D,
): WorldErrors {
  const { pairs, setup } = rolePairs(target, source);
  const standing = standingClip(source, setup);
  const made = make(target, source, clip);
  const madeStanding = make(target, source, standing);
  const result = { root: resultRoot };
  const arms: number[] = [];
  for (let k = 0; k < INSTANTS; k++) {
    const time = (clip.duration * (k + 0.5)) / INSTANTS;
    const mixers = [playAt(source, clip, time), playAt(result, made, time)];
    target.root.updateWorldMatrix(true, true);
    arms.push(...limbAngles(target, source, pairs, ARMS, isOpposite));
    for (const mixer of mixers) mixer.stopAllAction();
  }
  const mixers = [playAt(source, standing, 0.5), playAt(result, madeStanding, 0.5)];
  target.root.updateWorldMatrix(true, true);
  const legs = limbAngles(target, source, pairs, LEG_LINES, isOpposite);
  for (const mixer of mixers) mixer.stopAllAction();
  if (arms.length === 0 || legs.length === 0) throw new Error('no limbs were found to measure');
  return {
    arms: arms.reduce((sum, angle) => sum + angle, 0) / arms.length,
    armsWorst: Math.max(...arms),
    legs: legs.reduce((sum, angle) => sum + angle, 0) / legs.length,
  };
}

/** A second in which the source stands in the pose from which turns are counted. */
function standingClip({ root }: Actor, setup: Setup): AnimationClip {
  const { objects } = readCharacter(root);
  const { rotations } = setup.source.reference.pose;
  const tracks = objects.map((object, joint) => {
    const value = Array.from(rotations.subarray(4 * joint, 4 * joint + 4));
    return new QuaternionKeyframeTrack(`${object.name}.quaternion`, [0, 1], [...value, ...value]);
  });
  return new AnimationClip('standing', 1, tracks);
}

/** The first skinned mesh of an actor. */
export function skinnedMeshOf({ root }: Actor): SkinnedMesh | null {
  let found: SkinnedMesh | null = null;
  root.traverse((node) => {
    const mesh = node as SkinnedMesh;
    if (mesh.isSkinnedMesh && (!found || mesh.skeleton.bones.length > found.skeleton.bones.length))
      found = mesh;
  });
  return found;
}

/** What three's own functions are told: the map that ours found, the hips and their scale. */
export function namesForThree(target: Actor, source: Actor) {
  const { pairs, setup } = rolePairs(target, source);
  return {
    mesh: skinnedMeshOf(target)!,
    skeleton: skinnedMeshOf(source)?.skeleton ?? bareSkeleton(source),
    options: {
      names: Object.fromEntries(pairs.map((pair) => [pair.target.name, pair.source.name])),
      hip: pairs.find(({ role }) => role === 'hips')?.source.name ?? '',
      scale: setup.rootScales.horizontal,
    },
  };
}

/** three's own retargetClip, given all it can be told. Its clips play on the skinned mesh. */
export function createClipMakerOfThree(target: Actor, source: Actor): ClipMaker {
  const { mesh, skeleton, options } = namesForThree(target, source);
  // It writes its defaults into the options it is given: each run gets fresh ones.
  return (_target, _source, clip) => retargetClipOfThree(mesh, skeleton, clip, { ...options });
}
