import { RetargetError } from '../base/errors.js';
import type { Warning } from '../base/warnings.js';
import { checkMorphMap } from '../clips/match-morphs.js';
import type { RetargetOptions } from '../passes/parts/told-options.js';
import type { Clip } from '../scene/clip.js';
import type { Scene } from '../scene/scene.js';
import { SKINNED } from '../scene/skeleton.js';

/**
 * The clips of a source.
 * @throws RetargetError where there are none, which says so if the two files seem to be swapped.
 */
export function clipsOf(source: Scene, from: number, target: Scene, to: number): readonly Clip[] {
  const available = source.characters[from]!.clips;
  if (available.length > 0) return available;
  const swapped = target.characters[to]!.clips.length;
  throw new RetargetError(
    `"${source.name}" has no clips to move${swapped > 0 ? `, but "${target.name}" has ${swapped}: are the two files swapped?` : ''}`,
  );
}

/** Whether the two files seem to be swapped though both have clips: the motion is a body's, the body is bare bones. */
export function noteOfSwap(source: Scene, from: number, target: Scene, to: number): Warning[] {
  const [motion, body] = [source.characters[from]!, target.characters[to]!];
  const isSkinned = ({ skeleton }: typeof body) => skeleton.flags.some((flag) => flag & SKINNED);
  if (body.clips.length === 0 || isSkinned(body) || !isSkinned(motion)) return [];
  return [
    {
      code: 'files-swapped',
      message: `"${target.name}" has clips and no skin, "${source.name}" has a skin: if the motion of "${target.name}" was meant for "${source.name}", exchange the two; the motion comes first`,
    },
  ];
}

/** What options say of clips and morphs that are not there. */
export function warningsOfOptions(
  source: Scene,
  available: readonly Clip[],
  { morphs, contacts = {}, constraints = [], layers = [] }: RetargetOptions,
): Warning[] {
  const isThere = (name: string) => available.some((clip) => clip.name === name);
  const missing = Object.keys(contacts).filter((name) => !isThere(name));
  const edited = [...constraints, ...layers].flatMap(({ clip }) =>
    clip === undefined || isThere(clip) ? [] : [clip],
  );
  return [
    ...(morphs ? checkMorphMap(morphs, source, available) : []),
    ...missing.map(
      (name): Warning => ({
        code: 'option-without-effect',
        message: `contacts are told for a clip "${name}", which "${source.name}" does not have`,
      }),
    ),
    ...[...new Set(edited)].map(
      (name): Warning => ({
        code: 'constraint-ignored',
        message: `constraints or layers are for a clip "${name}", which "${source.name}" does not have`,
      }),
    ),
  ];
}
