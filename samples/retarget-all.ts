import {
  type Clip,
  type RetargetOptions,
  type RetargetResult,
  retarget,
  type Scene,
} from '@stuntdouble/core';
import type { CastMember } from './cast.js';

/** One motion on one character: the result, and how long it took. */
export type Performance = {
  result: RetargetResult;
  clip: Clip;
  /** Milliseconds to understand both skeletons and move the clip, without measuring it. */
  milliseconds: number;
};

/**
 * Moves the first clip of a motion onto a character, and onto it again for the time it takes.
 * @param corrections `none`, if left out, copies turns alone, so that directions can be compared; `auto` holds feet.
 */
export function perform(
  motion: Scene,
  { scene, map }: CastMember,
  from?: CastMember,
  corrections: 'none' | 'auto' = 'none',
): Performance {
  // A map of roles serves whichever of the two skeletons has its joints.
  const roles = map ?? from?.map;
  const options: RetargetOptions = {
    corrections,
    ...(roles ? { map: roles } : {}),
    clips: [motion.characters[0]!.clips[0]!.name],
  };
  const result = retarget(motion, scene, options);
  const start = performance.now();
  retarget(motion, scene, { ...options, measure: false });
  return { result, clip: result.clips[0]!, milliseconds: performance.now() - start };
}

/** The largest direction error of a result, in degrees. */
export function worstDirection({ report }: RetargetResult): number {
  return Math.max(0, ...report.measures.map(({ direction }) => direction.worst));
}
