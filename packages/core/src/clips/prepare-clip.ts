import { UsageError } from '../base/errors.js';
import type { Warning } from '../base/warnings.js';
import type { ListedOptions } from '../options/retarget-options.js';
import type { Clip } from '../scene/clip.js';
import type { Pose } from '../scene/pose.js';
import { changeSpeed, trimClip } from './edit-clip.js';
import { lessenClip } from './lessen-clip.js';
import { repairKeys } from './repair-keys.js';

/**
 * The clips that were asked for, in that order; all where none were named.
 * @throws UsageError that lists the clips there are.
 */
export function chooseClips(available: readonly Clip[], names: readonly string[] | undefined): Clip[] {
  if (!names) return [...available];
  return names.map((name) => {
    const clip = available.find((candidate) => candidate.name === name);
    if (!clip)
      throw new UsageError(
        `there is no clip "${name}"; there are ${available.map((c) => `"${c.name}"`).join(', ')}`,
      );
    return clip;
  });
}

/**
 * A clip of the source as it is to be moved: its part, at its speed, cleaned before anything is made of it (B19),
 * and as much of it as is asked for.
 */
export function prepareClip(
  original: Clip,
  options: Pick<ListedOptions, 'range' | 'speed' | 'repairKeys' | 'amount'>,
  /** What is left of it where there is less of it. */
  reference: Readonly<Pose>,
  warnings: Warning[],
): Clip {
  const part = options.range ? trimClip(original, ...options.range) : original;
  const clip = changeSpeed(part, options.speed ?? 1);
  const lessen = (cleaned: Clip) => lessenClip(cleaned, reference, options.amount ?? 1);
  if (!options.repairKeys) return lessen(clip);
  const { clip: repaired, repaired: count } = repairKeys(clip);
  if (count > 0)
    warnings.push({
      code: 'keys-repaired',
      message: `"${original.name}": ${count} rotation key${count > 1 ? 's stood' : ' stood'} a half turn off and ${count > 1 ? 'were' : 'was'} replaced`,
    });
  return lessen(repaired);
}
