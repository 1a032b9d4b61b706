import type { ComparedSide, Comparison, SampledMotion } from './comparison.js';
import { type Summary, summarise } from './summary.js';

/**
 * How deep the body is in the ground, instant by instant: the depth of what is deepest, 0 where all is above, in % of
 * the hip height. Means are over all instants. Skin that is under the floor in the reference pose already, a boot's or
 * a toe's, counts from there.
 */
export type GroundMeasure = {
  /** Of any joint that plays a role. */
  joints: Summary;
  /** Of the skin; null where it is not known. */
  skin: Summary | null;
  /** The same of the source. */
  sourceJoints: Summary;
  sourceSkin: Summary | null;
  /** Of the result, less what the source itself is under its floor at that instant: what retargeting has done. */
  deeper: { joints: Summary; skin: Summary | null };
  /** Instants at which joints or skin are more than 2 % under the floor and the source's are not. */
  sunkFrames: number;
  frames: number;
};

/** Measures how deep any part of the body is under the floor. */
export function measureGround({ source, result, count }: Comparison): GroundMeasure {
  const depth = jointDepths(result);
  const own = jointDepths(source);
  const skin = skinDepths(result);
  const ownSkin = skinDepths(source);
  let sunkFrames = 0;
  const sources = own.map((value, k) => Math.max(value, ownSkin?.[k] ?? 0));
  for (let k = 0; k < count; k++) {
    const deep = Math.max(depth[k]!, skin?.[k] ?? 0);
    if (deep > 0.02 && sources[k]! <= 0.02) sunkFrames++;
  }
  const beyond = (depths: Float64Array) => depths.map((value, k) => Math.max(0, value - sources[k]!));
  return {
    joints: summarise(depth, 100)!,
    skin: skin && summarise(skin, 100),
    sourceJoints: summarise(own, 100)!,
    sourceSkin: ownSkin && summarise(ownSkin, 100),
    deeper: {
      joints: summarise(beyond(depth), 100)!,
      skin: skin && summarise(beyond(skin), 100),
    },
    sunkFrames,
    frames: count,
  };
}

/** Per instant how deep the deepest joint with a role is under the floor, in hip heights. */
export function jointDepths({
  roles,
  positions,
  joints,
  count,
  floor,
  hipHeight,
}: ComparedSide): Float64Array {
  const parts = Object.values(roles);
  const depths = new Float64Array(count);
  for (let k = 0; k < count; k++)
    for (let n = 0; n < parts.length; n++) {
      const depth = (floor - positions[3 * (joints * k + parts[n]!) + 1]!) / hipHeight;
      if (depth > depths[k]!) depths[k] = depth;
    }
  return depths;
}

function skinDepths({ skinHeights, hipHeight }: SampledMotion & { hipHeight: number }): Float64Array | null {
  return skinHeights.length > 0 ? skinHeights.map((height) => Math.max(0, -height / hipHeight)) : null;
}
