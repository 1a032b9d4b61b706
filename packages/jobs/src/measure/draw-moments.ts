import type { BadMoment } from '@stuntdouble/core/engine';
import type { Measured, MeasureJob } from './measure-scenes.js';

/**
 * What draws moments of clips that were measured, given by their place, as PNG: source beside result, which shows as heat
 * where it is bad.
 */
export async function drawMoments(
  { source: { scene: source }, result: { scene: result }, options = {} }: MeasureJob,
  { pairs, curves }: Measured,
): Promise<(clip: number, moment: BadMoment) => Uint8Array> {
  // Loaded only where pictures are asked for.
  const { createMomentDrawer } = await import('@stuntdouble/picture');
  const { targetSkeleton } = options;
  const draw = await createMomentDrawer({
    ...{ source, result, ...options, space: options },
    ...(targetSkeleton !== undefined && { resultSkeleton: targetSkeleton }),
  });
  return (n, moment) => draw(pairs[n]!, moment, curves[n]!.sourceStart);
}
