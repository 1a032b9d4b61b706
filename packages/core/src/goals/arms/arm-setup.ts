import type { RoleJoints } from '../../body/body.js';
import type { Rig } from '../../body/rig.js';
import type { ModelPose } from '../../scene/pose.js';
import { type BodyShape, createBodyShape } from './body-shape.js';
import { gapsToPart, PART_NUMBERS } from './part-frame.js';
import { armAt, placeProbes, probeCount, readRow, rowLength } from './shape-row.js';

/** Two bodies as their arms touch them. */
export type ArmSetup = {
  source: BodyShape;
  target: BodyShape;
  /** Limbs (numbers in `GoalSetup.limbs`) of the left and of the right arm, or −1. */
  limbs: [number, number];
  /** Per arm, probe and part of the target: how deep the one is in the other in the reference already, metres. */
  depths: [Float64Array, Float64Array];
  /** The same of the source. */
  sourceDepths: [Float64Array, Float64Array];
  /** Number of the part of the target that arms are carried by: the highest of the trunk; −1 for none. */
  chest: number;
  /** How large the target is against the source: by their hips over the floor. */
  scale: number;
};

/** Arms are seen from the first of these that a body has. */
const CARRIERS = ['upperChest', 'chest', 'spine', 'hips'] as const;

/** Makes two bodies ready for what their arms touch; null where one has no arms, or none is solved. */
export function createArmSetup(
  source: Rig,
  target: Rig,
  roles: { source: RoleJoints; target: RoleJoints },
  sourceReference: ModelPose,
  reference: ModelPose,
  { limbs, scale }: Pick<ArmSetup, 'limbs' | 'scale'>,
): ArmSetup | null {
  if (limbs[0] < 0 && limbs[1] < 0) return null;
  const from = createBodyShape(source, roles.source, sourceReference);
  const to = createBodyShape(target, roles.target, reference);
  if (!from || !to) return null;
  const carrier = CARRIERS.find((role) => to.parts.some(({ joint }) => joint === roles.target[role]));
  return {
    source: from,
    target: to,
    limbs,
    depths: referenceDepths(to, reference),
    sourceDepths: referenceDepths(from, sourceReference),
    chest: carrier === undefined ? -1 : to.parts.findIndex(({ joint }) => joint === roles.target[carrier]),
    scale,
  };
}

/** The same with the arms of these limbs alone, −1 for none; null where there is neither. */
export function withArmLimbs(setup: ArmSetup, limbs: [number, number]): ArmSetup | null {
  return limbs[0] < 0 && limbs[1] < 0 ? null : { ...setup, limbs };
}

/** Per arm, probe and part how deep the one is in the other in a pose, metres. */
export function referenceDepths(shape: BodyShape, { matrices }: ModelPose): [Float64Array, Float64Array] {
  const row = new Float64Array(rowLength(shape));
  readRow(row, 0, shape, matrices);
  return [depthsOf(shape, row, 0), depthsOf(shape, row, 1)];
}

function depthsOf(shape: BodyShape, row: Float64Array, hand: number): Float64Array {
  const arm = shape.arms[hand];
  if (!arm) return new Float64Array(0);
  const count = probeCount(arm);
  const { parts } = shape;
  const probes = new Float64Array(4 * count);
  const a = armAt(shape, hand);
  placeProbes(probes, arm, row, a, row.slice(a, a + 9));
  const depths = new Float64Array(count * parts.length);
  const gaps = new Float64Array(count);
  parts.forEach((part, n) => {
    gaps.fill(0);
    gapsToPart(gaps, part, row, PART_NUMBERS * n, probes, count);
    for (let p = 0; p < count; p++) depths[parts.length * p + n] = Math.max(0, -gaps[p]!);
  });
  return depths;
}
