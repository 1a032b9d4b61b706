import { findRootMotionJoint, type RootMotionJoint } from '../align/root-move.js';
import { cos, sin } from '../base/math/functions.js';
import { createMatrix, invertMatrix, transformPoint } from '../base/math/matrix.js';
import { conjugateQuaternion, multiplyQuaternions, rotateVector } from '../base/math/quaternion.js';
import type { RootMotion } from '../options/root-rule.js';
import { createPath, followPath } from '../scene/joint-path.js';
import { signRotation } from '../scene/pose.js';
import { isAncestor, JOINT, type Skeleton } from '../scene/skeleton.js';
import { analyseTravel } from './parts/analyse-travel.js';
import { createTravelReader, readTravel } from './parts/read-travel.js';
import { compiledOf, definePass, type Setup } from './pass.js';

/**
 * Takes the travel over the ground out of the hips. The travel is a rigid move of the whole body,
 *
 *   X = T(path) · R_y(heading), about the vertical axis through the hips' reference place
 *
 * so the hips' model transform becomes X⁻¹ · G, and the joint above them takes X (`extract`), or whoever
 * carries the character does (`apart`, W24), or nobody (`inPlace`, where the heading stays: only the place is
 * held). With a clip at hand path and heading are smoothed over time in its analysis (see
 * {@link analyseTravel}), so that sway and bounce stay in the hips. Live they are those of the pose itself,
 * sway included: nothing is remembered, nothing lags, and frames may come in any order. Nodes above the hips
 * stand in their reference, which makes the algebra exact.
 */
export const extractRoot = definePass<'extractRoot', ExtractSetup, Float64Array>({
  name: 'extractRoot',
  summary: 'leaves travel on the hips, moves it to the joint above them, gives it apart, or takes it out',
  options: ['rootMotion', 'rootMotionJoint'],
  readsDrivers: true,
  compile({ pair, whole, options, warn }) {
    const mode = options.rootMotion ?? 'keep';
    const from = findRootMotionJoint(pair, whole, options.rootMotionJoint);
    if (mode === 'keep' || !from || !pair.travel) return null;
    const { skeleton } = pair.target;
    const root = mode === 'extract' ? rootAbove(skeleton, pair.travel.target) : -1;
    if (mode === 'extract' && root < 0)
      warn({
        code: 'no-root-joint',
        pass: 'extractRoot',
        message: `no joint stands above "${skeleton.names[pair.travel.target]}"; root motion stays there`,
      });
    return { mode, from, root };
  },
  needsFrames: () => 'root motion is taken out frame by frame',
  writes: ({ root }) => ({ turns: root < 0 ? [] : [root], moves: root < 0 ? [] : [root], movesAll: true }),
  planFrames: ({ from }, setup, clip, times) =>
    analyseTravel(createTravelReader(setup, from), setup.source.skeleton, clip, times),
  prepare({ mode, from, root }, { setup, found: travelPath, place }) {
    const { travel, target, alignment } = setup;
    if (!travel || (mode === 'extract' && root < 0)) return () => {};
    const reader = travelPath ? null : createTravelReader(setup, from);
    const { skeleton } = target;
    const hips = travel.target;
    const { centre } = from;
    const turns = mode !== 'inPlace';
    const hipsParent = staticParent(setup, hips);
    const rootParent = root >= 0 ? staticParent(setup, root) : hipsParent;
    const rootModel = alignment.model.rotations.slice(4 * Math.max(root, 0), 4 * Math.max(root, 0) + 4);
    const rootPosition = alignment.model.matrices.slice(
      16 * Math.max(root, 0) + 12,
      16 * Math.max(root, 0) + 15,
    );
    const yaw = new Float64Array(4);
    const undo = new Float64Array(4);
    const p = new Float64Array(3);
    // Driven joints beside the hips turn with the body too, and those on the root would be turned with it.
    const beside = setup.map.joints
      .map((pair) => pair.target)
      .filter((joint) => turns && joint !== root && (root < 0 || isAncestor(skeleton, root, joint)))
      .filter((joint) => !isAncestor(skeleton, hips, joint) && !isAncestor(skeleton, joint, hips))
      .filter((joint, _, all) => !all.some((other) => other !== joint && isAncestor(skeleton, other, joint)))
      .map((joint) => ({ joint, parent: staticParent(setup, joint) }));
    const turned = new Float64Array(4);
    return (frame) => {
      const X = frame.rootMotion;
      if (travelPath) for (let c = 0; c < 3; c++) X[c] = travelPath[3 * frame.index + c]!;
      else if (reader) readTravel(X, 0, reader, frame.source);
      if (!turns) X[2] = 0;
      const dx = X[0]!;
      const dz = X[1]!;
      const heading = X[2]!;
      yaw[1] = sin(heading / 2);
      yaw[3] = cos(heading / 2);
      conjugateQuaternion(undo, 0, yaw, 0);
      // Hips: X⁻¹ · G, then back to local under the parent's reference.
      multiplyQuaternions(turned, 0, undo, 0, frame.targetModelRotations, 4 * hips);
      intoLocal(frame.target.rotations, hips, turned, hipsParent);
      p[0] = frame.travel[0]! - dx - centre[0]!;
      p[1] = frame.travel[1]!;
      p[2] = frame.travel[2]! - dz - centre[2]!;
      rotateVector(p, 0, undo, 0, p, 0);
      p[0] = p[0]! + centre[0]!;
      p[2] = p[2]! + centre[2]!;
      transformPoint(frame.target.translations, 3 * hips, hipsParent.inverse, 0, p, 0);
      // From model space, since the local rotation may be counted from where the root was a frame ago.
      for (const { joint, parent } of beside) {
        multiplyQuaternions(turned, 0, undo, 0, frame.targetModelRotations, 4 * joint);
        intoLocal(frame.target.rotations, joint, turned, parent);
      }
      if (root < 0) {
        place?.(frame);
        return;
      }
      // Root: X · M, then local under its own parent.
      p[0] = rootPosition[0]! - centre[0]!;
      p[1] = rootPosition[1]!;
      p[2] = rootPosition[2]! - centre[2]!;
      rotateVector(p, 0, yaw, 0, p, 0);
      p[0] = p[0]! + centre[0]! + dx;
      p[2] = p[2]! + centre[2]! + dz;
      transformPoint(frame.target.translations, 3 * root, rootParent.inverse, 0, p, 0);
      multiplyQuaternions(turned, 0, yaw, 0, rootModel, 0);
      intoLocal(frame.target.rotations, root, turned, rootParent);
      place?.(frame);
    };
  },
});

/** How travel is taken out. */
export type ExtractSetup = {
  mode: Exclude<RootMotion, 'keep'>;
  from: RootMotionJoint;
  /** The joint above the hips that takes the travel; −1 where none does. */
  root: number;
};

/** The joint above the hips that takes root motion: the nearest real joint, else the topmost node; −1 for none. */
export function rootAbove(skeleton: Skeleton, hips: number): number {
  let topmost = -1;
  for (let at = skeleton.parents[hips]!; at >= 0; at = skeleton.parents[at]!) {
    if ((skeleton.flags[at]! & JOINT) !== 0) return at;
    topmost = at;
  }
  return topmost;
}

/** What takes a joint from model space to its own local space while everything above it stands in the reference. */
type StaticParent = {
  inverse: Float64Array;
  /** Rotations apart, as a mirrored node has no rotation matrix: P⁻¹, and what undoes the joint's own signs. */
  inverseRotation: Float64Array;
  unsign: Float64Array;
};

function staticParent({ target, alignment }: Setup, joint: number): StaticParent {
  const { skeleton } = target;
  const matrix = createMatrix();
  followPath(matrix, createPath(skeleton, joint), skeleton, alignment.pose);
  const inverse = createMatrix();
  invertMatrix(inverse, 0, matrix, 0);
  const unsign = new Float64Array(4);
  signRotation(unsign, 0, alignment.pose.scales, 3 * joint);
  conjugateQuaternion(unsign, 0, unsign, 0);
  // The joint's model rotation is P · q · signs, so P⁻¹ = q · (model · signs⁻¹)⁻¹.
  const inverseRotation = new Float64Array(4);
  multiplyQuaternions(inverseRotation, 0, alignment.model.rotations, 4 * joint, unsign, 0);
  conjugateQuaternion(inverseRotation, 0, inverseRotation, 0);
  multiplyQuaternions(inverseRotation, 0, alignment.pose.rotations, 4 * joint, inverseRotation, 0);
  return { inverse, inverseRotation, unsign };
}

function intoLocal(
  locals: Float64Array,
  joint: number,
  model: Float64Array,
  { inverseRotation, unsign }: StaticParent,
): void {
  multiplyQuaternions(locals, 4 * joint, inverseRotation, 0, model, 0);
  multiplyQuaternions(locals, 4 * joint, locals, 4 * joint, unsign, 0);
}

/** The joint of the target that carries the body over the ground; null where nothing travels. */
export function travellingJointOf(setup: Setup): number | null {
  const extract = compiledOf(setup, extractRoot);
  return extract && extract.root >= 0 ? extract.root : (setup.travel?.target ?? null);
}
