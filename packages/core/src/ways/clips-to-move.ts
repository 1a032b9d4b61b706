import { RetargetError } from '../base/errors.js';
import type { Warning } from '../base/warnings.js';
import { checkMorphMap } from '../clips/match-morphs.js';
import { secondsOf } from '../edits/constraints/snap-times.js';
import type { Constraint } from '../options/constraint.js';
import { meantName } from '../options/nearest-name.js';
import type { RetargetOptions } from '../passes/parts/told-options.js';
import { type Clip, frameRateOf } from '../scene/clip.js';
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
        message: `constraints or layers are for a clip "${name}", which "${source.name}" does not have${meantName(
          name,
          available.map((clip) => clip.name),
        )}`,
      }),
    ),
    ...constraints.flatMap((each, n) => warningOfLate(each, n, available)),
  ];
}

/** A constraint that begins when all its clips are over, as one does whose frames were taken for seconds. */
function warningOfLate(
  { clip: name, times, muted }: Constraint,
  index: number,
  available: readonly Clip[],
): Warning[] {
  const begin = times?.in ?? times?.start;
  if (muted || begin === undefined || (typeof begin === 'object' && 'event' in begin)) return [];
  const clips = available.filter((clip) => name === undefined || clip.name === name);
  const isLate = clips.every((clip) => secondsOf(begin, frameRateOf(clip)) > clip.duration);
  if (clips.length === 0 || !isLate) return [];
  const longest = clips.reduce((a, b) => (b.duration > a.duration ? b : a));
  return [
    {
      code: 'constraint-ignored',
      message: `constraints[${index}].times: begins at ${secondsOf(begin, frameRateOf(longest)).toFixed(2)} s, and "${longest.name}" is over at ${longest.duration.toFixed(2)} s${typeof begin === 'number' ? '; times are seconds, { "frame": 20 } is a frame' : ''}`,
    },
  ];
}
