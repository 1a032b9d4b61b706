import { type RetargetOptions, UsageError } from '@stuntdouble/core/engine';
import type { Object3D } from 'three';
import { describeValue, isGiven } from '../shared/option-values.js';

/** Options of three's `SkeletonUtils.retarget` and `retargetClip` that are taken by their own names. */
export type SkeletonUtilsOptions = {
  /** The source's name for a bone of the target; the same as `names`, asked for bone by bone. */
  getBoneName?: (bone: Object3D) => string | undefined;
  /** The joint that is the hips, by its name on either side; found if left out. */
  hip?: string;
  /** How far travel is stretched; measured if left out. */
  scale?: number;
  /** How much of the travel is taken over along each axis, on top of `scale`; x and z must be the same. */
  hipInfluence?: { x: number; y: number; z: number };
  /** Frames a second of the result: our `frameRate`. */
  fps?: number;
  /** Start and end of the part that is taken, in seconds: our `range`. */
  trim?: readonly [number, number];
  /** Bones keep their own places: always so here, as true says. */
  preserveBonePositions?: boolean;
  /** The target is not left posed: always so here, as true says. */
  preserveBoneMatrix?: boolean;
  /** The target's own matrices are not taken as they stand: never so here, as false says. */
  useTargetMatrix?: boolean;
};

/** What does the same here, for options of SkeletonUtils that mean nothing between bodies that are understood. */
const REFUSED: Readonly<Record<string, { allowed: readonly unknown[]; instead: string }>> = {
  preserveBonePositions: {
    allowed: [true],
    instead: "bones keep their own places; translations: { JOINT: 'copied' } copies them",
  },
  preserveBoneMatrix: {
    allowed: [true],
    instead: 'the target is never posed; createLiveRetargeter poses it',
  },
  useTargetMatrix: {
    allowed: [false],
    instead: "reference poses are found; targetReference: 'current' takes the present one",
  },
  useFirstFramePosition: {
    allowed: [false],
    instead:
      'travel is counted from the reference pose; sourceReference: { frame: 0 } counts it from the first frame',
  },
  localOffsets: {
    allowed: [],
    instead:
      "reference poses are aligned by themselves; targetReference: { base: 'rest', edits: [{ name, rotation }] } turns joints besides",
  },
  hipPosition: {
    allowed: [],
    instead: 'heights are scaled over the floor; move the object, or give layers for an offset',
  },
};

/**
 * Takes options of SkeletonUtils for what they mean here.
 * @param bones The target's bones.
 * @returns the options without those, and what they stand for.
 * @throws UsageError that names the first that cannot be had, and what does it here.
 */
export function takeSkeletonUtilsOptions<Options extends SkeletonUtilsOptions>(
  options: Options,
  bones: readonly Object3D[],
): {
  others: Omit<Options, keyof SkeletonUtilsOptions>;
  names: Record<string, string> | undefined;
  told: Pick<RetargetOptions, 'frameRate' | 'range' | 'rootScales' | 'map'>;
} {
  for (const [name, { allowed, instead }] of Object.entries(REFUSED)) {
    const value = (options as Record<string, unknown>)[name];
    if (isGiven(value) && !allowed.includes(value))
      throw new UsageError(`${name} is three's, and ${describeValue(value)} cannot be had: ${instead}`);
  }
  const { getBoneName, hip, scale, hipInfluence, fps, trim, ...rest } = options;
  const { preserveBonePositions, preserveBoneMatrix, useTargetMatrix, ...others } = rest;
  if (isGiven(getBoneName) && typeof getBoneName !== 'function')
    throw new UsageError(`getBoneName is ${describeValue(getBoneName)}; give a function`);
  if (hipInfluence && hipInfluence.x !== hipInfluence.z)
    throw new UsageError(
      `hipInfluence is ${hipInfluence.x} along x and ${hipInfluence.z} along z; travel over the ground is stretched alike: rootScales`,
    );
  const by = scale ?? 1;
  return {
    others: others as Omit<Options, keyof SkeletonUtilsOptions>,
    names: getBoneName && namesOf(getBoneName, bones),
    told: {
      ...(fps !== undefined && { frameRate: fps }),
      ...(trim && { range: trim }),
      ...((scale !== undefined || hipInfluence) && {
        rootScales: { horizontal: by * (hipInfluence?.x ?? 1), vertical: by * (hipInfluence?.y ?? 1) },
      }),
      ...(hip !== undefined && { map: { version: 1 as const, roles: { hips: hip } } }),
    },
  };
}

function namesOf(
  getBoneName: NonNullable<SkeletonUtilsOptions['getBoneName']>,
  bones: readonly Object3D[],
): Record<string, string> {
  return Object.fromEntries(
    bones.flatMap((bone) => {
      const name = getBoneName(bone);
      return name ? [[bone.name, name]] : [];
    }),
  );
}
