import type { AlignedPair } from '../../align/aligned-pair.js';
import { createRootMove, type RootMove } from '../../align/root-move.js';
import type { Rig } from '../../body/rig.js';
import { isRole } from '../../body/roles.js';
import type { GoalPlaces, OutsideGoal } from '../../options/constraint.js';
import { meantName } from '../../options/nearest-name.js';
import type { RootRule } from '../../options/root-rule.js';
import { forwardJoints, withAncestors } from '../../scene/forward-joints.js';
import { createModelPose } from '../../scene/pose.js';
import type { Frame } from '../pass.js';

/** Where things are that goals follow: in the source, in the target's file, or wherever the caller says. */
export type OutsideView = {
  pair: Pick<AlignedPair, 'source' | 'target'>;
  /** How places of the source become the target's. */
  move: RootMove | null;
  places: GoalPlaces | null;
};

/** What goals of a pair can follow. */
export function outsideViewOf(
  pair: AlignedPair,
  root: RootRule | undefined,
  places: GoalPlaces | null,
): OutsideView {
  return { pair, move: createRootMove(pair, root), places };
}

function jointOf({ skeleton, joints }: Rig, name: string): number {
  if (isRole(name) && joints[name] !== undefined) return joints[name];
  return skeleton.names.indexOf(name);
}

/** The source's or the target's joint that a goal follows; −1 where it follows something of the caller's. */
function followedJoint({ pair }: OutsideView, goal: OutsideGoal): number {
  if (goal.type === 'source') return jointOf(pair.source, goal.joint);
  return goal.type === 'node' ? pair.target.skeleton.names.indexOf(goal.node) : -1;
}

/** What is missing of what a goal follows, in a sentence; null where it is there. */
export function missingOutside(view: OutsideView, goal: OutsideGoal): string | null {
  if (followedJoint(view, goal) >= 0 || view.places?.has(goal)) return null;
  const told = view.places?.missing?.(goal) ?? null;
  if (told !== null) return told;
  const { source, target } = view.pair;
  switch (goal.type) {
    case 'source':
      return lackOf(`the source "${source.skeleton.name}"`, 'joint', goal.joint, namesOf(source));
    case 'node':
      return lackOf(`"${target.skeleton.name}"`, 'node', goal.node, target.skeleton.names);
    case 'character':
      return `there is no character "${goal.character}" with a joint "${goal.joint}" beside it`;
  }
}

/** What goals may call joints of a rig: body parts first. */
export function namesOf({ joints, skeleton }: Pick<Rig, 'joints' | 'skeleton'>): string[] {
  return [...Object.keys(joints), ...skeleton.names];
}

/** A sentence on a name that something does not have. */
export function lackOf(whose: string, what: string, name: string, names: readonly string[]): string {
  return `${whose} has no ${what} "${name}"${meantName(name, names)}`;
}

/** Writes where everything is that goals follow, three numbers each, metres; of the target as it stands in the frame. */
export type ReadOutside = (out: Float64Array, frame: Frame) => void;

/** Builds what reads the places of some goals while a clip plays. */
export function createOutsideReader(
  view: OutsideView,
  goals: readonly OutsideGoal[],
  clip: string,
): ReadOutside {
  const { source, target } = view.pair;
  const joints = goals.map((goal) => followedJoint(view, goal));
  const isSource = goals.map(({ type }) => type === 'source');
  const from = withAncestors(
    source.skeleton,
    joints.filter((joint, n) => joint >= 0 && isSource[n]),
  );
  const to = withAncestors(
    target.skeleton,
    joints.filter((joint, n) => joint >= 0 && !isSource[n]),
  );
  const sourceModel = createModelPose(source.skeleton.names.length);
  const targetModel = createModelPose(target.skeleton.names.length);
  return (out, frame) => {
    forwardJoints(sourceModel, source.skeleton, frame.source, from, false);
    forwardJoints(targetModel, target.skeleton, frame.target, to, false);
    for (let n = 0; n < goals.length; n++) {
      const joint = joints[n]!;
      if (joint < 0) view.places?.place(out, 3 * n, goals[n]!, frame.time, clip);
      else
        for (let c = 0; c < 3; c++) {
          const x = (isSource[n] ? sourceModel : targetModel).matrices[16 * joint + 12 + c]!;
          const { move } = view;
          out[3 * n + c] = isSource[n] && move ? move.to[c]! + move.scale[c]! * (x - move.from[c]!) : x;
        }
    }
  };
}
