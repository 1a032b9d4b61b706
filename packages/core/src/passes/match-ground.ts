import type { AlignedPair } from '../align/aligned-pair.js';
import { UsageError } from '../base/errors.js';
import { createMatrix, invertMatrix, transformPoint } from '../base/math/matrix.js';
import { footJoints } from '../body/floor.js';
import type { Rig } from '../body/rig.js';
import { driverOf, type JointPair } from '../map/rig-map.js';
import type { GroundRule } from '../options/root-rule.js';
import { findJoint } from '../scene/joint-names.js';
import { createPath, followPath } from '../scene/joint-path.js';
import { createModelPose, localToModel, type ModelPose } from '../scene/pose.js';
import { definePass, type Frame } from './pass.js';

/**
 * Raises or lowers the whole body so that what stands on the ground is as high over it as in the source:
 * Babylon.js's `fixGroundReference`, with its dynamic form.
 *
 *   Δ = max over the ground joints of (v · h_s − h_t) − b · v · (h_s − c_s),   c_s = min h_s
 *
 * in model space, with h a joint's height less its clearance, v the vertical root scale, and the clearance its
 * height in the reference for a joint of the foot (the sole is under it), else the floor's. The source's lowest
 * joint is as high as in the source, or higher where another would sink. b is 1 for feet, which never do; for others
 * it is more, so that long arms which hang free in the source do not carry the body. Heights are scaled as the hips' are, so a jump
 * keeps its height in hip heights rather than in metres (BP12). A maximum is continuous where the lowest joint
 * changes, which picking one is not; and it is the lowest, not the last that was lower (BP2). As frames are
 * baked at the keys of every joint, nothing is left uncorrected between sparse keys of the hips (BP11).
 *
 * Pinned (`mode: 'pin'`), as Babylon.js has it, Δ = h_s − h_t of one joint, heights as they are: of the named joint, or
 * of the one that is lowest on the target in this frame.
 */
export const matchGround = definePass({
  name: 'matchGround',
  summary: 'raises or lowers the body until its ground joint is as high as the source’s, where asked to',
  options: ['ground'],
  standsAlone: true,
  compile({ pair, options: { ground } }): { pairs: JointPair[]; pin: boolean } | null {
    if (!ground || !pair.travel) return null;
    const pairs = groundPairs(pair, ground);
    return pairs.length > 0 ? { pairs, pin: ground.mode === 'pin' } : null;
  },
  needsFrames: () => 'the height over the ground is matched frame by frame',
  writes: (_, { setup: { travel } }) => ({ moves: travel ? [travel.target] : [] }),
  prepare({ pairs, pin }, { setup, place }) {
    const { travel, source, target } = setup;
    if (!travel) return () => {};
    const plan: GroundPlan = {
      source: groundOf(
        source,
        setup.sourceReference,
        pairs.map(driverOf),
        footJoints(source.skeleton, source.joints),
      ),
      target: groundOf(
        target,
        setup.alignment.model,
        pairs.map((pair) => pair.target),
        footJoints(target.skeleton, target.joints),
      ),
      path: createPath(target.skeleton, travel.target),
      hips: travel.target,
      vertical: setup.rootScales.vertical,
    };
    const liftOf = pin ? pinnedLift : scaledLift;
    return (frame) => {
      liftBody(frame, plan, liftOf);
      place?.(frame);
    };
  },
});

/** The heights of one side's ground joints. */
type Ground = {
  skeleton: Rig['skeleton'];
  joints: Int32Array;
  clearances: Float64Array;
  isFoot: Uint8Array;
  /** Room for a frame in model space. */
  model: ModelPose;
};

type GroundPlan = { source: Ground; target: Ground; path: Int32Array; hips: number; vertical: number };

/**
 * How much less a joint counts the higher it is over the source's lowest. At 1 a goblin whose hands reach lower
 * than a crouching man's floats on them by 60 % of its hip height; for feet, 4 lets a walk sink by 2 %.
 */
const ABOVE = 4;

const matrix = createMatrix();
const point = new Float64Array(3);

function liftBody(frame: Frame, plan: GroundPlan, liftOf: (plan: GroundPlan) => number): void {
  const { source, target, path, hips } = plan;
  localToModel(source.model, source.skeleton, frame.source);
  localToModel(target.model, target.skeleton, frame.target);
  const lift = liftOf(plan);
  if (!Number.isFinite(lift)) return;
  for (let c = 0; c < 3; c++) point[c] = target.model.matrices[16 * hips + 12 + c]!;
  point[1] = point[1]! + lift;
  frame.travel.set(point);
  followPath(matrix, path, target.skeleton, frame.target);
  invertMatrix(matrix, 0, matrix, 0);
  transformPoint(frame.target.translations, 3 * hips, matrix, 0, point, 0);
}

function scaledLift({ source, target, vertical }: GroundPlan): number {
  const lowest = lowestOf(source);
  let lift = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < source.joints.length; k++) {
    const over = vertical * (heightAt(source, k) - lowest);
    const need = vertical * lowest - heightAt(target, k) - (target.isFoot[k] ? 0 : ABOVE - 1) * over;
    if (need > lift) lift = need;
  }
  return lift;
}

function pinnedLift({ source, target }: GroundPlan): number {
  const heightOf = ({ joints, model }: Ground, k: number) => model.matrices[16 * joints[k]! + 13]!;
  let lowest = 0;
  for (let k = 1; k < target.joints.length; k++)
    if (heightOf(target, k) < heightOf(target, lowest)) lowest = k;
  return heightOf(source, lowest) - heightOf(target, lowest);
}

function heightAt({ joints, clearances, model }: Ground, k: number): number {
  return model.matrices[16 * joints[k]! + 13]! - clearances[k]!;
}

function lowestOf(ground: Ground): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (let k = 0; k < ground.joints.length; k++) lowest = Math.min(lowest, heightAt(ground, k));
  return lowest;
}

function groundOf(rig: Rig, reference: ModelPose, joints: number[], feet: readonly number[]): Ground {
  const onFeet = new Set(feet);
  return {
    skeleton: rig.skeleton,
    joints: Int32Array.from(joints),
    clearances: Float64Array.from(joints, (joint) =>
      onFeet.has(joint) ? reference.matrices[16 * joint + 13]! : rig.floor.height,
    ),
    isFoot: Uint8Array.from(joints, (joint) => (onFeet.has(joint) ? 1 : 0)),
    model: createModelPose(rig.skeleton.names.length),
  };
}

/** The pairs whose heights are compared: every driven joint, the one that was named, or the one that stands lowest. */
function groundPairs({ map, source, target, sourceReference }: AlignedPair, rule: GroundRule): JointPair[] {
  if (rule.joint !== undefined) {
    const named = [findJoint(source.skeleton, rule.joint), findJoint(target.skeleton, rule.joint)] as const;
    const pair =
      map.joints.find(
        (each) =>
          (named[0] !== null && driverOf(each) === named[0]) ||
          (named[1] !== null && each.target === named[1]),
      ) ?? map.joints.find(({ role }) => role === rule.joint);
    if (!pair)
      throw new UsageError(
        named[0] === null && named[1] === null
          ? `ground.joint is "${rule.joint}", which is neither a joint of one of the skeletons nor a body part`
          : `ground.joint is "${rule.joint}", which is not mapped; name a joint that is, such as a foot`,
      );
    if (!rule.dynamic) return [pair];
  }
  if (rule.dynamic) return map.joints.filter(({ share }) => !share);
  const heightOf = (pair: JointPair) => sourceReference.matrices[16 * driverOf(pair) + 13]!;
  const lowest = (pairs: JointPair[]) => pairs.sort((a, b) => heightOf(a) - heightOf(b)).slice(0, 1);
  for (const part of ['Toes', 'Foot'] as const) {
    const feet = map.joints.filter(({ role }) => role === `left${part}` || role === `right${part}`);
    if (feet.length > 0) return lowest(feet);
  }
  return lowest([...map.joints]);
}
