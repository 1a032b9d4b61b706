import type { AlignedPair } from '../align/aligned-pair.js';
import { hypot } from '../base/math/functions.js';
import { createMatrix, invertMatrix, transformPoint } from '../base/math/matrix.js';
import { conjugateQuaternion, multiplyQuaternions, rotateVector } from '../base/math/quaternion.js';
import type { RoleJoints } from '../body/body.js';
import type { RootRule } from '../options/root-rule.js';
import { createPath, followPath } from '../scene/joint-path.js';
import { type ModelPose, rotationOfMatrix } from '../scene/pose.js';
import { activeGoals } from './goals/place-goals.js';
import { definePass, type Frame } from './pass.js';

/** Hips that stand nearer to the middle of the leg roots than this, in hip heights and against the source's, are alike. */
const ALIKE_HIPS = 0.003;

/**
 * Moves the hips on so that the middle of the leg roots travels as the source's does, not the joint that is called hips:
 * rigs put that joint before, behind or above the legs as they like. With o the way along the floor from the hips joint
 * to the middle of the leg roots in a reference, k the scale of travel and D the turn that was copied,
 *
 *   k · (hips_s + D · o_s) = hips_t + D · o_t,   so   hips_t = k · hips_s + D · (k · o_s − o_t),
 *
 * of which `moveRoot` has done the first part. Feet are goals in the same scale, so legs reach them as the source's do.
 * Against known results on other bodies hips were 0.103 of their unit off without it, and are 0.007.
 */
export const moveLegRoots = definePass({
  name: 'moveLegRoots',
  summary: 'moves the hips on so that the middle of the leg roots travels as the source’s',
  options: [],
  corrects: true,
  restsOnOwnBody: true,
  standsAlone: true,
  compile: ({ pair, options, corrects }): Float64Array | null =>
    corrects ? leverOf(pair, options.root) : null,
  needsFrames: () => 'the hips are moved with their turn',
  writes: (_, { setup: { travel } }) => ({ moves: travel ? [travel.target] : [] }),
  prepare(lever, run) {
    const {
      setup: { travel, target, alignment },
      place,
    } = run;
    // Where nothing is corrected keys may be kept, which know nothing of it.
    if (!travel || !activeGoals(run)) return () => {};
    const hips = travel.target;
    const { skeleton } = target;
    const path = createPath(skeleton, hips);
    const container = new Float64Array(4);
    rotationOfMatrix(container, 0, skeleton.container, 0);
    const unturn = new Float64Array(4);
    conjugateQuaternion(unturn, 0, alignment.model.rotations, 4 * hips);
    const turn = new Float64Array(4);
    const way = new Float64Array(3);
    const above = createMatrix();
    return (frame: Frame) => {
      const { rotations, translations } = frame.target;
      for (let c = 0; c < 4; c++) turn[c] = container[c]!;
      for (let k = 0; k < path.length; k++) multiplyQuaternions(turn, 0, turn, 0, rotations, 4 * path[k]!);
      multiplyQuaternions(turn, 0, turn, 0, rotations, 4 * hips);
      multiplyQuaternions(turn, 0, turn, 0, unturn, 0);
      rotateVector(way, 0, turn, 0, lever, 0);
      for (let c = 0; c < 3; c++) frame.travel[c] = frame.travel[c]! + way[c]!;
      followPath(above, path, skeleton, frame.target);
      invertMatrix(above, 0, above, 0);
      transformPoint(translations, 3 * hips, above, 0, frame.travel, 0);
      place?.(frame);
    };
  },
});

/** k · o_s − o_t in model space, along the floor; null where it is nothing, or the hips do not travel and turn. */
function leverOf(
  { source, target, travel, sourceReference, alignment, rootScales }: AlignedPair,
  rule: RootRule = {},
): Float64Array | null {
  const isCopied = rule.copyPosition !== false && rule.copyRotation !== false && rule.positionScale !== 0;
  if (!travel || !isCopied || travel.source !== source.joints.hips || travel.target !== target.joints.hips)
    return null;
  const from = legRootsFrom(sourceReference, source.joints, travel.source);
  const to = legRootsFrom(alignment.model, target.joints, travel.target);
  if (!from || !to) return null;
  const k = rootScales.horizontal;
  const lever = Float64Array.of(k * from[0] - to[0], 0, k * from[1] - to[1]);
  const height = alignment.model.matrices[16 * travel.target + 13]! - target.floor.height;
  const length = hypot(lever[0]!, lever[2]!);
  // Beyond half a hip height something else is called hips, or a root.
  return length > ALIKE_HIPS * height && length < 0.5 * height ? lever : null;
}

/** The way along the floor, x and z, from the hips joint to the middle of the leg roots. */
function legRootsFrom(
  { matrices }: ModelPose,
  { leftUpperLeg, rightUpperLeg }: RoleJoints,
  hips: number,
): [number, number] | null {
  if (leftUpperLeg === undefined || rightUpperLeg === undefined) return null;
  const along = (c: number) =>
    (matrices[16 * leftUpperLeg + c]! + matrices[16 * rightUpperLeg + c]!) / 2 - matrices[16 * hips + c]!;
  return [along(12), along(14)];
}
