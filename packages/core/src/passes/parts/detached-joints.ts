import type { AlignedPair } from '../../align/aligned-pair.js';
import {
  conjugateQuaternion,
  divideQuaternions,
  multiplyQuaternions,
  rotateVector,
} from '../../base/math/quaternion.js';
import { carriersIn, depthIn, isCarriedBy } from '../../edits/carrying-tree.js';
import type { DetachedJoint } from '../../edits/edited-body.js';
import { forwardJoints, withAncestors } from '../../scene/forward-joints.js';
import { createModelPose } from '../../scene/pose.js';
import type { Skeleton } from '../../scene/skeleton.js';
import type { Frame } from '../pass.js';
import { putJoint, turnJointTo } from './put-joint.js';

/** Parts of legs from the body outwards; those of spiders are counted. */
const PARTS_OUTWARDS = ['Shoulder', 'Hip', 'UpperLeg', 'LowerLeg', 'Foot', 'Toes'];
const LEG_PART = /^(front(?:Left|Right)|hind(?:Left|Right)|leg\d+(?:Left|Right))(.+)$/;

/**
 * The joints of the target that hang elsewhere than their body part: feet that `findPlaced` found, followers beside the body,
 * and legs of animals whose paws hang on handles, also where the source is of the same rig and moves them itself.
 */
export function detachedJointsOf({
  target,
  alignment,
}: Pick<AlignedPair, 'target' | 'alignment'>): DetachedJoint[] {
  const { skeleton, body } = target;
  const found: DetachedJoint[] = [];
  const add = (each: DetachedJoint): void => {
    const carriers = carriersIn({ skeleton, detached: found });
    const isKnown = found.some(({ joint }) => joint === each.joint);
    // Names that were exchanged would make a circle.
    if (!isKnown && !isCarriedBy(carriers, each.joint, each.carrier)) found.push(each);
  };
  for (const { joint, carrier } of alignment.placed) add({ joint, carrier, turns: true });
  for (const { joint, carrier, turn, above } of alignment.followers)
    if (!above) add({ joint, carrier, turns: turn === null });
  const legs = new Map<string, { joint: number; rank: number }[]>();
  body?.parts.forEach(({ part }, joint) => {
    const [, leg, word] = LEG_PART.exec(part ?? '') ?? [];
    if (leg === undefined || word === undefined) return;
    const rank = PARTS_OUTWARDS.includes(word) ? 1000 + PARTS_OUTWARDS.indexOf(word) : Number(word);
    legs.set(leg, [...(legs.get(leg) ?? []), { joint, rank }]);
  });
  for (const leg of legs.values()) {
    leg.sort((a, b) => a.rank - b.rank);
    leg.forEach(({ joint }, n) => {
      const carrier = leg[n - 1]?.joint;
      if (carrier !== undefined && !isCarriedBy(skeleton.parents, carrier, joint))
        add({ joint, carrier, turns: true });
    });
  }
  return found;
}

/** Keeps detached joints on what carries them while an edit turns and moves that. */
export type DetachedKeeper = {
  /** Notes how they are held before an edit. */
  note(frame: Frame): void;
  /** Where their carriers were moved, takes them along. */
  refresh(frame: Frame): void;
};

const turn = new Float64Array(4);
const turned = new Float64Array(4);
const way = new Float64Array(3);

/** Builds a keeper. Joints that turn as their carriers do are left to `followSkin`. */
export function createDetachedKeeper(skeleton: Skeleton, detached: readonly DetachedJoint[]): DetachedKeeper {
  const carriers = carriersIn({ skeleton, detached });
  const list = detached
    .filter(({ turns }) => turns)
    .sort((a, b) => depthIn(carriers, a.joint) - depthIn(carriers, b.joint));
  if (list.length === 0) return { note: () => {}, refresh: () => {} };
  const paths = list.map(({ joint, carrier }) => withAncestors(skeleton, [joint, carrier]));
  const all = withAncestors(
    skeleton,
    list.flatMap(({ joint, carrier }) => [joint, carrier]),
  );
  const before = createModelPose(skeleton.names.length);
  const after = createModelPose(skeleton.names.length);
  return {
    note({ target }) {
      forwardJoints(before, skeleton, target, all);
    },
    refresh({ target }) {
      for (let n = 0; n < list.length; n++) {
        const { joint, carrier } = list[n]!;
        // Each is looked at anew: toes may hang on a foot that was just put back.
        forwardJoints(after, skeleton, target, paths[n]!);
        if (isSame(before.matrices, after.matrices, carrier)) continue;
        turnSince(turn, before.rotations, after.rotations, 4 * carrier);
        for (let c = 0; c < 3; c++)
          way[c] = before.matrices[16 * joint + 12 + c]! - before.matrices[16 * carrier + 12 + c]!;
        rotateVector(way, 0, turn, 0, way, 0);
        for (let c = 0; c < 3; c++) way[c] = way[c]! + after.matrices[16 * carrier + 12 + c]!;
        putJoint(target, joint, skeleton, after.matrices, way, 0);
        // Its own turn is that in what it hangs on as that was before: the edit speaks of it so.
        const parent = skeleton.parents[joint]!;
        if (parent < 0) for (let c = 0; c < 4; c++) turned[c] = after.rotations[4 * joint + c]!;
        else {
          divideQuaternions(turned, 0, after.rotations, 4 * parent, after.rotations, 4 * joint);
          multiplyQuaternions(turned, 0, before.rotations, 4 * parent, turned, 0);
        }
        multiplyQuaternions(turned, 0, turn, 0, turned, 0);
        turnJointTo(target, joint, skeleton, after.rotations, turned, 0);
      }
    },
  };
}

/** Whether a joint stands where it stood, to the last bit. */
function isSame(a: Float64Array, b: Float64Array, joint: number): boolean {
  for (let i = 16 * joint; i < 16 * joint + 16; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** out = R′ R⁻¹. */
function turnSince(out: Float64Array, before: Float64Array, after: Float64Array, i: number): void {
  conjugateQuaternion(out, 0, before, i);
  multiplyQuaternions(out, 0, after, i, out, 0);
}
