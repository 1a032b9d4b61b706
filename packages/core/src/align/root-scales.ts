import { subtractVectors, vectorAt, vectorLength } from '../base/math/vector.js';
import type { Warning } from '../base/warnings.js';
import type { RoleJoints } from '../body/body.js';
import type { Rig } from '../body/rig.js';
import type { RigMap } from '../map/rig-map.js';

import { type ModelPose, modelPoseOf } from '../scene/pose.js';
import { type Alignment, rolesOfMap } from './align-references.js';

/** How far the source's travel is stretched on the target, and what it was measured by. */
export type RootScales = {
  horizontal: number;
  vertical: number;
  /** Along the body's left and ahead, where they are told apart; `horizontal` if left out. */
  x?: number;
  z?: number;
  reason: string;
};

const SCALE_ASKED = 'as asked';

/** Between a crumb in micrometres and a planet in metres there is no larger one: one of the two has no length. */
const LARGEST_RATIO = 1e16;

/**
 * How far the source's travel is stretched on the target.
 * Along the ground: the ratio of hip width plus leg bones down to the ankle, which follows stride length
 * (measured: 2 % error, against 7 % by hip height and 13 % by leg length alone). Upwards: the ratio of hip
 * heights over each body's floor, never hips to ankle, so that standing on the floor stays standing on it.
 * Of animals every pair of legs is measured that both bodies have: leg roots over the floor, and leg bones
 * without the width between them, which is a matter of build (strides of a fox on a panda: 0.84; by bones 0.84,
 * with widths 1.19; on a cat 0.97, 1.01, 1.12; on a dragon 0.65, 0.74, 1.06). Where there are no legs, the
 * heights of the joints that travel are taken, else those of the skeletons, with a warning.
 * @param travel The pair that carries the bodies, where one does.
 */
export function measureRootScales(
  source: Rig,
  target: Rig,
  map: RigMap,
  alignment: Alignment,
  overrides: { horizontal?: number; vertical?: number; x?: number; z?: number } = {},
  travel: { source: number; target: number } | null = null,
): { scales: RootScales; warnings: Warning[] } {
  const roles = rolesOfMap(map, source);
  const from = modelPoseOf(source.skeleton, source.reference.pose);
  const warnings: Warning[] = [];
  const ratio = (a: number | null, b: number | null) => {
    const found = a && b && a > 0 && b > 0 ? b / a : Number.NaN;
    return found < LARGEST_RATIO && found > 1 / LARGEST_RATIO ? found : null;
  };
  // Some files name a joint on the floor their hips: then the roots of the legs are what stands so high.
  const low =
    standsLow(from, roles.source, source.floor.height) ||
    standsLow(alignment.model, roles.target, target.floor.height);
  const height = low ? legRootHeight : hipHeight;
  const heights = ratio(
    height(from, roles.source, source.floor.height),
    height(alignment.model, roles.target, target.floor.height),
  );
  const spans = ratio(legSpan(from, roles.source), legSpan(alignment.model, roles.target));
  const sizes = ratio(source.space.height, target.space.height);
  const legs = heights === null || spans === null ? animalLegs(source, from, target, alignment.model) : null;
  let vertical = heights;
  let verticalReason = low ? 'the heights of the leg roots over the floor' : 'hip heights over the floor';
  if (vertical === null && legs) {
    vertical = ratio(legs.heights[0], legs.heights[1]);
    verticalReason = `the heights of ${legs.pairs} pairs of leg roots over the floor`;
    // How low a body hangs between arched legs is posture. Heights say how far it can fall, lengths how far it jumps.
    if (vertical !== null && legs.isArched) {
      vertical = Math.sqrt(vertical * (ratio(legs.lengths[0], legs.lengths[1]) ?? vertical));
      verticalReason = `the heights and lengths of ${legs.pairs} pairs of arched legs`;
    }
  }
  if (vertical === null) {
    const carried = travel && [
      carriedHeight(source, from, travel.source),
      carriedHeight(target, alignment.model, travel.target),
    ];
    vertical = carried && ratio(carried[0]!, carried[1]!);
    verticalReason = 'the heights over the floor of what travels';
    if (vertical === null) {
      vertical = sizes ?? 1;
      verticalReason = sizes === null ? 'nothing' : 'the heights of the skeletons';
    }
    if (overrides.vertical === undefined)
      warnings.push({
        code: 'scale-fallback',
        pass: 'moveRoot',
        message: `hip heights could not be measured on both bodies; travel is scaled by ${verticalReason}`,
      });
  }
  let horizontal = spans;
  let horizontalReason = 'hip width and leg bones';
  if (horizontal === null && legs) {
    horizontal = ratio(legs.lengths[0], legs.lengths[1]);
    horizontalReason = `the leg bones of ${legs.pairs} pairs`;
  }
  if (horizontal === null) {
    horizontal = vertical;
    horizontalReason = verticalReason;
  }
  if (overrides.horizontal !== undefined) {
    horizontal = overrides.horizontal;
    horizontalReason = SCALE_ASKED;
  }
  const { x, z } = overrides;
  const measured = horizontal;
  if (x !== undefined || z !== undefined) {
    // What knows one number for the ground goes by the one between both.
    horizontal = Math.sqrt((x ?? horizontal) * (z ?? horizontal));
    horizontalReason = SCALE_ASKED;
  }
  if (overrides.vertical !== undefined) {
    vertical = overrides.vertical;
    verticalReason = SCALE_ASKED;
  }
  return {
    scales: {
      horizontal,
      vertical,
      ...((x !== undefined || z !== undefined) && { x: x ?? measured, z: z ?? measured }),
      reason: `along the ground ${byWhat(horizontalReason)}, upwards ${byWhat(verticalReason)}`,
    },
    warnings,
  };
}

function hipHeight(model: ModelPose, joints: RoleJoints, floor: number): number | null {
  return joints.hips === undefined ? null : model.matrices[16 * joints.hips + 13]! - floor;
}

/** Whether the hips are less than half as high as the roots of the legs, and no measure of a body. */
function standsLow(model: ModelPose, joints: RoleJoints, floor: number): boolean {
  const hips = hipHeight(model, joints, floor);
  const legs = legRootHeight(model, joints, floor);
  return hips !== null && legs !== null && hips < 0.5 * legs;
}

function legRootHeight(model: ModelPose, joints: RoleJoints, floor: number): number | null {
  const { leftUpperLeg, rightUpperLeg } = joints;
  if (leftUpperLeg === undefined || rightUpperLeg === undefined) return null;
  const height = (joint: number) => model.matrices[16 * joint + 13]! - floor;
  return (height(leftUpperLeg) + height(rightUpperLeg)) / 2;
}

function legSpan(model: ModelPose, joints: RoleJoints): number | null {
  const at = (joint: number) => vectorAt(model.matrices, 16 * joint + 12);
  const distance = (a: number, b: number) => vectorLength(subtractVectors(at(a), at(b)));
  const { leftUpperLeg, rightUpperLeg, leftLowerLeg, rightLowerLeg, leftFoot, rightFoot } = joints;
  if (leftUpperLeg === undefined || rightUpperLeg === undefined) return null;
  const legs: number[] = [];
  if (leftLowerLeg !== undefined && leftFoot !== undefined)
    legs.push(distance(leftUpperLeg, leftLowerLeg) + distance(leftLowerLeg, leftFoot));
  if (rightLowerLeg !== undefined && rightFoot !== undefined)
    legs.push(distance(rightUpperLeg, rightLowerLeg) + distance(rightLowerLeg, rightFoot));
  if (legs.length === 0) return null;
  return distance(leftUpperLeg, rightUpperLeg) + legs.reduce((a, b) => a + b, 0) / legs.length;
}

/** Of pairs of legs that two animals have in common: sums of heights and of lengths, source and target. */
type AnimalLegs = {
  pairs: number;
  heights: [number, number];
  lengths: [number, number];
  /** Whether the legs of either body rise from their roots, as a spider's do. */
  isArched: boolean;
};

/** The bones of one leg from its root downwards, by the words that follow limb and side; see `AnimalPart`. */
const LEG_PARTS = ['UpperLeg', 'LowerLeg', 'Foot', '1', '2', '3', '4', '5', '6'];

/**
 * Measures the pairs of legs that both animals have, bone by bone as far as both have names for them; null
 * where there are none. Sums, not means of ratios: the way back is then one over the way there.
 */
function animalLegs(source: Rig, from: ModelPose, target: Rig, to: ModelPose): AnimalLegs | null {
  const parts = [source, target].map(
    ({ body }) =>
      new Map(body?.kind === 'humanoid' ? [] : body?.parts.map(({ part }, joint) => [part as string, joint])),
  );
  const models = [from, to];
  const floors = [source.floor.height, target.floor.height];
  const legs: AnimalLegs = { pairs: 0, heights: [0, 0], lengths: [0, 0], isArched: false };
  const rises = [0, 0];
  for (const limb of ['front', 'hind', 'leg1', 'leg2', 'leg3', 'leg4', 'leg5', 'leg6']) {
    const sides = (['Left', 'Right'] as const).map((side) =>
      LEG_PARTS.map((bone) => limb + side + bone).filter((part) => parts.every((of) => of.has(part))),
    );
    if (sides.some((bones) => bones.length < 2)) continue;
    legs.pairs++;
    parts.forEach((of, i) => {
      const places = sides.map((bones) =>
        bones.map((part) => vectorAt(models[i]!.matrices, 16 * of.get(part)! + 12)),
      );
      for (const line of places) {
        legs.heights[i] = legs.heights[i]! + line[0]![1] - floors[i]!;
        rises[i] = rises[i]! + line[1]![1] - line[0]![1];
        for (let k = 1; k < line.length; k++)
          legs.lengths[i] = legs.lengths[i]! + vectorLength(subtractVectors(line[k]!, line[k - 1]!));
      }
    });
  }
  legs.isArched = rises.some((rise) => rise > 0);
  return legs.pairs > 0 ? legs : null;
}

/** How high a joint is over the floor, where it is high enough to carry a body that stands; else null. */
function carriedHeight({ space, floor }: Rig, model: ModelPose, joint: number): number | null {
  const height = model.matrices[16 * joint + 13]! - floor.height;
  return height > 0.2 * space.height && height < 1.1 * space.height ? height : null;
}

/** A measure as the words after "along the ground". */
function byWhat(reason: string): string {
  return reason === SCALE_ASKED ? reason : `by ${reason}`;
}
