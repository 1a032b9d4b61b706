import { Logger } from '@babylonjs/core/Misc/logger.js';
import type { Warning } from '@stuntdouble/core';

/** Every warning that only Babylon.js's side can give, with what it means for the user. */
export const BABYLON_WARNING_MEANINGS = {
  'animation-shared': 'One Animation object moves several targets of a group; each got a copy of its own.',
  'animation-left-out': 'A group animates something other than nodes, bones and morph targets.',
  'bone-not-found': 'An animated node has no counterpart on the avatar; its animations were left out.',
  'morph-not-found': 'The avatar has no morph target of that mesh and name; its animation was left out.',
  'morph-of-other-mesh':
    'The avatar has a morph target of that name on another mesh only; that one moves. `match: "names"` leaves it out.',
  'node-not-found': 'An option names a node that neither the animation nor the avatar has.',
  'root-not-fixed': 'Root or ground could not be fixed as Babylon.js does it: what that needs is not there.',
  'option-without-effect': 'An option needs another one to have an effect, or is none.',
  'hierarchy-differs': 'Joints above differ between source and target; as asked, the joint is not driven.',
  'several-sources': 'Two nodes are mapped to one bone; the last one was used.',
} as const satisfies Record<string, string>;

/** The code of a warning that only Babylon.js's side can give. */
export type BabylonWarningCode = keyof typeof BABYLON_WARNING_MEANINGS;

/** Something imperfect about a result in Babylon.js: the engine's warnings, and those of the adapter. */
export type BabylonWarning = Warning | { code: BabylonWarningCode; message: string; joint?: string };

/** So many warnings of one code are logged; a hand that the avatar has no fingers for would fill the screen. */
const MOST_LOGGED = 4;

/**
 * Tells warnings to whoever listens: `onWarning` all of them, else Babylon's own log, as its users expect (B6), where the
 * later ones of many with one code are counted in a line.
 * @param about What the warnings are about, before each in the log.
 */
export function tellWarnings(
  warnings: Iterable<BabylonWarning>,
  about: string,
  onWarning: ((warning: BabylonWarning) => void) | undefined,
): void {
  if (onWarning) {
    for (const warning of warnings) onWarning(warning);
    return;
  }
  const counts = new Map<string, number>();
  for (const { code, message } of warnings) {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    if (count <= MOST_LOGGED) Logger.Warn(`${about}: ${message}`);
  }
  for (const [code, count] of counts)
    if (count > MOST_LOGGED)
      Logger.Warn(
        `${about}: and ${count - MOST_LOGGED} more of this kind (${code}); onWarning is told of each`,
      );
}
