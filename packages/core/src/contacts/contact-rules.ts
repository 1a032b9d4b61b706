/*
 * The rules of contacts: every number that says what stands on what, offline and live.
 */
import type { PointName } from '../options/told-contacts.js';

/** What a contact is. Lengths in hip heights, speeds in hip heights a second. */
export type ContactOptions = {
  /** A contact begins nearer to what carries it than this … */
  height?: number;
  /** … and slower than this. */
  speed?: number;
  /** It ends farther away than this … */
  releaseHeight?: number;
  /** … or faster than this. */
  releaseSpeed?: number;
  /** Seconds that a contact lasts at least. */
  shortest?: number;
  /** Seconds between two contacts in one place that are bridged, at most; 0 bridges nothing. */
  mergeGap?: number;
  /** The points to look at; all if left out. */
  points?: readonly PointName[];
};

/**
 * What may stand at all: within 4 % of the standing height and slower than 40 %/s, for a tenth of a second. Floors and
 * standing heights are read from it. What measures count as a contact is theirs alone, see `MEASURED_CONTACTS`: this is
 * the same today, and moving either leaves the other.
 */
export const STANDING_CONTACTS: Required<Omit<ContactOptions, 'points'>> = {
  height: 0.04,
  speed: 0.4,
  releaseHeight: 0.04,
  releaseSpeed: 0.4,
  shortest: 0.1,
  mergeGap: 0,
};

/**
 * What counts as a contact where feet are to be held: stricter than what may stand, and with hysteresis, so
 * that a point that trembles about the limit is not let go and caught again.
 */
export const HELD_CONTACTS: Required<Omit<ContactOptions, 'points'>> = {
  height: 0.03,
  speed: 0.3,
  releaseHeight: 0.037,
  releaseSpeed: 0.37,
  shortest: 0.1,
  // F = 10 frames at 60 Hz; see mergeStretches.
  mergeGap: 10 / 60,
};

/**
 * A planned contact is found by stricter rules than what may stand, and held as long as it may: what is let go sooner
 * slides.
 */
export const PLANNED_CONTACTS = {
  height: 0.035,
  speed: 0.35,
  releaseHeight: STANDING_CONTACTS.releaseHeight,
  releaseSpeed: STANDING_CONTACTS.releaseSpeed,
};
