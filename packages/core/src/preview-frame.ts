import { trimClip } from './clips/edit-clip.js';
import { findCalibration } from './clips/find-calibration.js';
import { contactsOfPart } from './contacts/contact-document.js';
import type { Contact } from './options/contact.js';
import { tellsJoints } from './options/rig-map-document.js';
import type { RetargetOptions } from './passes/parts/told-options.js';
import { retarget } from './retarget.js';
import { type Clip, frameRateOf } from './scene/clip.js';
import type { Scene } from './scene/scene.js';
import { setUpScenes } from './setup/set-up-scenes.js';
import { retargetClip } from './ways/retarget-clip.js';

/** Clips up to so many seconds are solved whole: that takes no longer, and is exact. */
const SHOWN_WHOLE = 10;
/** Seconds to either side of an instant that are looked at in longer clips: what is held there depends on no more. */
const AROUND = 2;
/** A part that begins so many frames of the clip later, or twice as many, is planned in frames of the whole. */
const ALIKE = 6;

/**
 * The result around one instant of a source clip, quickly: what a slider shows while it is dragged. Clips of up to
 * ten seconds are exact; of longer ones four seconds are solved, with the contacts that the last whole solve found,
 * and may be off by some millimetres.
 * @param time Seconds of the source clip.
 * @returns a clip on the target that begins at `start` seconds of the result.
 */
export function previewFrame(
  source: Scene,
  target: Scene,
  options: RetargetOptions,
  name: string,
  time: number,
  contacts: readonly Contact[],
): { clip: Clip; start: number } {
  const original = source.characters.flatMap(({ clips }) => clips).find((clip) => clip.name === name);
  const changesTime = options.range || options.mirror || options.loop || (options.speed ?? 1) !== 1;
  if (!original || original.duration <= SHOWN_WHOLE || changesTime) {
    const { clips } = retarget(source, target, { ...options, clips: [name], measure: false });
    return { clip: clips[0]!, start: 0 };
  }
  const { setup } = setUpScenes(source, target, options);
  // A pose for calibration is left out of the result, whose time and contacts begin behind it.
  const begins = options.keepCalibration ? 0 : findCalibration(setup.source, original);
  const end = Math.min(original.duration, Math.max(time, begins) + AROUND);
  const step = ALIKE / frameRateOf(original);
  const steps = Math.ceil((Math.min(time, end) - AROUND - begins) / step - 1e-3);
  const start = begins + Math.max(0, steps) * step;
  const part = contactsOfPart(contacts, {
    start: start - begins,
    end: end - begins,
    speed: 1,
    mirror: false,
  });
  const moved = retargetClip(
    setup,
    trimClip(original, start, end),
    { ...options, mapIsTold: tellsJoints(options.map) },
    contacts.length > 0 ? part : null,
  );
  return { clip: moved.clip, start: start - begins };
}
