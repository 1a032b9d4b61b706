import type { Follower } from '../align/align-references.js';
import { multiplyQuaternions, rotateVector } from '../base/math/quaternion.js';
import { forwardJoints, withAncestors } from '../scene/forward-joints.js';
import { createModelPose, type ModelPose } from '../scene/pose.js';
import { childrenOf, type Skeleton } from '../scene/skeleton.js';
import { putJoint, turnJointTo } from './parts/put-joint.js';
import { definePass, type Frame, type Step } from './pass.js';

/**
 * Takes along what is skinned beside the mapped body: skirts, swords, paws on handles. With G and p the model rotation
 * and place of the carrier, and T and o the follower's turn and offset in the carrier's axes, as the reference has them,
 *
 *   G_f = G · T,   p_f = p + G · o
 *
 * so that the two are as rigid as their skin takes them to be; what hangs on the follower comes along. The last of all
 * passes, since constraints and layers turn carriers too. A follower above its carrier would take the body with it: it
 * is moved after the others, and what of the body hangs on it is put back where it was.
 */
export const followSkin = definePass<'followSkin', FollowSetup>({
  name: 'followSkin',
  summary:
    'takes along joints beside the mapped body whose skin is bound to it: skirts, swords, paws on handles',
  options: [],
  byKeys: true,
  restsOnOwnBody: true,
  standsAlone: true,
  readsDrivers: true,
  compile({ pair: { target, alignment }, options, warn }) {
    // Root motion is written to a joint above the body: then what is above goes with that.
    const isKept = (options.rootMotion ?? 'keep') === 'keep';
    const followers = alignment.followers.filter(({ above }) => isKept || !above);
    const staying = alignment.followers
      .filter(({ joint, above }) => above && !isKept && !alignment.left.includes(joint))
      .map(({ joint }) => target.skeleton.names[joint]!);
    if (staying.length > 0)
      warn({
        code: 'skin-left-behind',
        pass: 'followSkin',
        joint: staying[0]!,
        message: `root motion is written above the body, which leaves skin behind that hangs there: ${staying.map((name) => `"${name}"`).join(', ')}`,
      });
    if (followers.length === 0) return null;
    const first = followers.filter(({ above }) => !above);
    const last = followers.filter(({ above }) => above);
    return { followers: [...first, ...last], kept: keptChildren(target.skeleton, alignment, last) };
  },
  needsFrames: ({ followers }) =>
    followers.some(({ above }) => above) ? 'skin above the body is taken along with it' : null,
  writes: ({ followers, kept }) => {
    const beside = followers.filter(({ above }) => !above);
    // What stands above the body is where it was before until all else is done.
    const last = [...followers.filter(({ above }) => above).map(({ joint }) => joint), ...kept];
    return {
      turns: beside.filter(({ turn }) => turn !== null).map(({ joint }) => joint),
      moves: beside.map(({ joint }) => joint),
      turnsOn: last,
      movesOn: last,
    };
  },
  prepare({ followers, kept }, { setup }) {
    const { skeleton } = setup.target;
    const count = skeleton.names.length;
    const parentsOf = (joints: readonly number[]) =>
      joints.map((joint) => skeleton.parents[joint]!).filter((joint) => joint >= 0);
    const beside = followers.filter(({ above }) => !above);
    const above = followers.filter((each) => each.above);
    if (above.length === 0) return prepareFollowing(skeleton, followers);
    const joints = followers.map(({ joint }) => joint);
    const needed = withAncestors(skeleton, [
      ...followers.map(({ carrier }) => carrier),
      ...parentsOf(joints),
      ...kept,
    ]);
    const model = createModelPose(count);
    // What stands above the body is moved in a second model pose: carriers are read where they were.
    const moved = createModelPose(count);
    const paths = above.map(({ joint }) => withAncestors(skeleton, parentsOf([joint])));
    const lower = withAncestors(skeleton, parentsOf(kept));
    const own = withAncestors(skeleton, kept);
    return (frame) => {
      forwardJoints(model, skeleton, frame.target, needed);
      for (let n = 0; n < beside.length; n++) follow(frame, beside[n]!, skeleton, model, model);
      // Those beside it that hang on what will move are kept where they are now.
      forwardJoints(model, skeleton, frame.target, own);
      for (let n = 0; n < above.length; n++) {
        forwardJoints(moved, skeleton, frame.target, paths[n]!);
        follow(frame, above[n]!, skeleton, model, moved);
      }
      forwardJoints(moved, skeleton, frame.target, lower);
      for (let n = 0; n < kept.length; n++) {
        const joint = kept[n]!;
        putJoint(frame.target, joint, skeleton, moved.matrices, model.matrices, 16 * joint + 12);
        turnJointTo(frame.target, joint, skeleton, moved.rotations, model.rotations, 4 * joint);
      }
    };
  },
});

/** Takes along followers that stand beside the body: for all who must know where they are before the last pass. */
export function prepareFollowing(skeleton: Skeleton, followers: readonly Follower[]): Step {
  const parents = followers.map(({ joint }) => skeleton.parents[joint]!).filter((joint) => joint >= 0);
  const needed = withAncestors(skeleton, [...followers.map(({ carrier }) => carrier), ...parents]);
  const model = createModelPose(skeleton.names.length);
  return (frame) => {
    forwardJoints(model, skeleton, frame.target, needed);
    for (let n = 0; n < followers.length; n++) follow(frame, followers[n]!, skeleton, model, model);
  };
}

/** What goes along, parents first, those above the body last. */
export type FollowSetup = {
  followers: Follower[];
  /** Joints on a follower above the body that lead to the body: they stay where they are. */
  kept: number[];
};

/** The children of followers above the body that lead to moved joints, or are followers themselves. */
function keptChildren(
  skeleton: Skeleton,
  { followers }: { followers: readonly Follower[] },
  last: readonly Follower[],
): number[] {
  if (last.length === 0) return [];
  const { parents } = skeleton;
  const leads = new Uint8Array(parents.length);
  for (const { carrier, joint, above } of followers)
    for (const from of above ? [carrier] : [carrier, joint])
      for (let at = from; at >= 0 && leads[at] === 0; at = parents[at]!) leads[at] = 1;
  const isLast = new Set(last.map(({ joint }) => joint));
  const children = childrenOf(skeleton);
  return last.flatMap(({ joint }) =>
    children[joint]!.filter((child) => leads[child] === 1 && !isLast.has(child)),
  );
}

const turn = new Float64Array(4);
const point = new Float64Array(3);

/**
 * Puts a follower where its carrier takes it.
 * @param parents Where what it hangs on is.
 */
function follow(
  frame: Frame,
  { joint, carrier, offset, turn: rigid }: Follower,
  skeleton: Skeleton,
  { matrices, rotations }: ModelPose,
  parents: ModelPose,
): void {
  point[0] = offset[0];
  point[1] = offset[1];
  point[2] = offset[2];
  rotateVector(point, 0, rotations, 4 * carrier, point, 0);
  for (let c = 0; c < 3; c++) point[c] = point[c]! + matrices[16 * carrier + 12 + c]!;
  putJoint(frame.target, joint, skeleton, parents.matrices, point, 0);
  if (rigid === null) return;
  multiplyQuaternions(turn, 0, rotations, 4 * carrier, rigid, 0);
  turnJointTo(frame.target, joint, skeleton, parents.rotations, turn, 0);
}
