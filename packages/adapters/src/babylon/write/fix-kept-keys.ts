import type { Animation } from '@babylonjs/core/Animations/animation.js';
import { Matrix, Vector3 } from '@babylonjs/core/Maths/math.vector.js';
import { type Clip, copyPose, modelPoseOf, type Pose, sampleClip } from '@stuntdouble/core/engine';
import type { RetargetGroupOptions } from '../options.js';
import { type Body, findJointByName } from '../read/body.js';
import type { BabylonWarning } from '../warnings.js';

/** Keys that were given to other nodes as they are, and how to get from frames to times. */
export type KeptKeys = {
  source: Body;
  target: Body;
  /** Source joints by target joints. */
  pairs: ReadonlyMap<number, number>;
  /** The source's clip. */
  clip: Clip;
  /** The time in the clip of a frame of an animation. */
  timeOf: (frame: number, animation: Animation) => number;
  /** The animation of a target joint's position in the new group; undefined where nothing moves it. */
  positionOf: (joint: number) => Animation | undefined;
};

/**
 * Fixes root and ground of keys that are otherwise left alone, as Babylon.js does with `retargetAnimationKeys: false`
 * (B9): at every key of the root's position, first B10,
 *
 *   p_t = H_t + r · (p_s − H_s),   r = d_t / d_s,
 *
 * then B12, which raises or lowers it until the ground node is at its height, or (B13) the joint that is furthest
 * below the root. All in the world; places are points, so that a parent may stand anywhere (BP1).
 */
export function fixKeptKeys(kept: KeptKeys, options: RetargetGroupOptions, warnings: BabylonWarning[]): void {
  const { source, target, pairs, clip } = kept;
  const fixesRoot = options.fixRootPosition !== false;
  const { fixGroundReference, fixGroundReferenceDynamicRefNode: dynamic, groundMode } = options;
  if (!fixesRoot && !fixGroundReference) return;
  const found = findNodes(kept, options);
  if (typeof found === 'string') {
    const what = [fixesRoot && 'root position', fixGroundReference && 'ground reference'].filter(Boolean);
    warnings.push({ code: 'root-not-fixed', message: `${found}; ${what.join(' and ')} not fixed` });
    return;
  }
  const { root, ground, animation } = found;
  const standing = {
    source: placesOf(source, source.skeleton.rest),
    target: placesOf(target, target.skeleton.rest),
  };
  const axis = verticalOf(
    standing.source(pairs.get(root)!).subtract(standing.source(pairs.get(ground)!)),
    options.groundReferenceVerticalAxis,
  );
  const height = (place: Vector3) => place.asArray()[axis]!;
  const distance = (places: Places, a: number, b: number) => height(places(a)) - height(places(b));
  const from = distance(standing.source, pairs.get(root)!, pairs.get(ground)!);
  // Lengths without a sign (BP4).
  const ratio = from !== 0 ? Math.abs(distance(standing.target, root, ground) / from) : 1;
  const parent = standing.target.parentOf(root);
  const moved: Clip = { ...clip, tracks: tracksOnTarget(kept) };
  for (const key of animation.getKeys()) {
    const time = kept.timeOf(key.frame, animation);
    const sourcePlaces = placesOf(source, poseAt(source, clip, time));
    const pose = poseAt(target, moved, time);
    let place: Vector3 = key.value;
    const put = (world: Vector3) => {
      place = Vector3.TransformCoordinates(world, Matrix.Invert(parent));
      pose.translations.set(place.asArray(), 3 * root);
    };
    if (fixesRoot) {
      const travel = sourcePlaces(pairs.get(root)!).subtract(standing.source(pairs.get(root)!));
      put(standing.target(root).add(travel.scale(ratio)));
    }
    if (fixGroundReference) {
      const now = placesOf(target, pose);
      const joint = dynamic ? furthestBelow(now) : ground;
      const wanted = sourcePlaces(pairs.get(joint)!);
      const rise =
        groundMode === 'pin'
          ? height(wanted)
          : height(standing.target(joint)) +
            ratio * (height(wanted) - height(standing.source(pairs.get(joint)!)));
      const up = new Vector3(...[0, 1, 2].map((c) => (c === axis ? rise - height(now(joint)) : 0)));
      put(now(root).add(up));
    }
    key.value = place;
  }

  /** The paired joint that is furthest from the root on the side where the ground is. */
  function furthestBelow(now: Places): number {
    const side = Math.sign(distance(standing.target, root, ground)) || 1;
    let best = ground;
    for (const joint of pairs.keys())
      if (side * distance(now, root, joint) > side * distance(now, root, best)) best = joint;
    return best;
  }
}

/** The root, the ground node and the root's keys; or why they cannot be had. */
function findNodes(
  { source, target, pairs, positionOf }: KeptKeys,
  { groundReferenceNodeName, rootNodeName, mapNodeNames }: RetargetGroupOptions,
): { root: number; ground: number; animation: Animation } | string {
  if (!groundReferenceNodeName) return 'groundReferenceNodeName is not given';
  /** A source's name, what it is mapped to, or a target's (B16). */
  const named = (name: string): number => {
    const from = findJointByName(source, name);
    for (const [to, driver] of pairs) if (driver === from) return to;
    const to = findJointByName(target, mapNodeNames?.get(name) ?? name);
    return pairs.has(to) ? to : -1;
  };
  const root = rootNodeName ? named(rootNodeName) : topmost(target, pairs);
  if (root < 0)
    return rootNodeName
      ? `"${rootNodeName}" is not a node that the animation and the avatar both have`
      : 'no bone of the avatar is a root that the animation has; give rootNodeName';
  const ground = named(groundReferenceNodeName);
  if (ground < 0)
    return `"${groundReferenceNodeName}" is not a node that the animation and the avatar both have`;
  const animation = positionOf(root);
  if (!animation) return `the animation does not move the position of "${target.skeleton.names[root]}"`;
  return { root, ground, animation };
}

/** The first joint that has a counterpart while nothing above it has; −1 where there is none. */
function topmost({ skeleton: { parents } }: Body, pairs: KeptKeys['pairs']): number {
  const hasPairAbove = (joint: number): boolean => {
    for (let at = parents[joint]!; at >= 0; at = parents[at]!) if (pairs.has(at)) return true;
    return false;
  };
  const tops = [...pairs.keys()].filter((joint) => !hasPairAbove(joint));
  return tops.length > 0 ? Math.min(...tops) : -1;
}

function tracksOnTarget({ clip, pairs }: KeptKeys): Clip['tracks'] {
  return clip.tracks.flatMap((track) =>
    [...pairs].flatMap(([joint, from]) => (from === track.joint ? [{ ...track, joint }] : [])),
  );
}

function poseAt({ skeleton }: Body, clip: Clip, time: number): Pose {
  const pose = copyPose(skeleton.rest);
  sampleClip(pose, clip, time);
  return pose;
}

/** Where the joints of a body are in the world, in one pose, and the world matrix of what a joint hangs on. */
type Places = ((joint: number) => Vector3) & { parentOf: (joint: number) => Matrix };

function placesOf({ skeleton, world, objects }: Body, pose: Pose): Places {
  const { parents, container } = skeleton;
  const { matrices } = modelPoseOf(skeleton, pose);
  // Undoes the container, and the joint above all that mirrors into model space (see readBody).
  const unit = 1 / container[0]!;
  const mirror = objects.some((object, joint) => object === null && parents[joint]! < 0) ? -1 : 1;
  const out = Matrix.Scaling(unit, unit, mirror * unit).multiply(world ?? Matrix.Identity());
  const matrixOf = (joint: number) => Matrix.FromArray(matrices, 16 * joint).multiply(out);
  const places = (joint: number) => matrixOf(joint).getTranslation();
  return Object.assign(places, {
    parentOf: (joint: number) =>
      parents[joint]! < 0 || objects[parents[joint]!] === null
        ? (world ?? Matrix.Identity()).clone()
        : matrixOf(parents[joint]!),
  });
}

/** The axis that is named, else the one along which the ground is furthest from the root (B11). */
function verticalOf(
  { x, y, z }: Vector3,
  axis: RetargetGroupOptions['groundReferenceVerticalAxis'],
): 0 | 1 | 2 {
  if (axis) return 'XYZ'.indexOf(axis) as 0 | 1 | 2;
  const [across, up, along] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  if (up > across && up >= along) return 1;
  return along > across && along > up ? 2 : 0;
}
