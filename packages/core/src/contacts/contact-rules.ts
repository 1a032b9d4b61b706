/*
 * The rules of contacts: every number that says what stands on what, offline and live.
 */
import type { PointName } from '../options/contact.js';

/** When a point is in contact. Lengths in hip heights, speeds in hip heights a second. */
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

/** A point may stand that is within 4 % of its standing height and slower than 40 %/s; so it ends as it begins. */
const STANDS = { height: 0.04, speed: 0.4 };

/**
 * A point that may stand at all, for a tenth of a second. Floors and standing heights are read from it. What measures
 * count as a contact is theirs alone, see `MEASURED_CONTACTS`: this is the same today, and moving either leaves the
 * other.
 */
export const STANDING_CONTACTS: Required<Omit<ContactOptions, 'points'>> = {
  ...STANDS,
  releaseHeight: STANDS.height,
  releaseSpeed: STANDS.speed,
  shortest: 0.1,
  mergeGap: 0,
};

/**
 * A contact where feet are to be held: stricter than what may stand, and with hysteresis, so
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

/** The lowest point of a body carries it; others as low as this, in hip heights, do too. */
export const CARRIES = 0.02;

/** A floor that a body is found to stand on may differ from the one expected by so much, in hip heights. */
export const FLOOR_SLACK = 0.15;

/** A single point may differ from that floor by so much more, in hip heights. */
export const POINT_SLACK = 0.04;

/** Standing feet that move faster than this, in hip heights a second, do so on moving ground. */
export const GROUND_SPEED = 0.4;

/** A foot lower than this over moving ground, in hip heights, stands on it; one that much in the floor does not. */
export const ON_GROUND = 0.05;

/** Feet that stand on one ground are as fast as each other, to within this share of their speed. */
export const GROUND_ALIKE = 0.35;

/** Hips that go on faster than this share of the ground's speed travel by themselves. */
export const HIPS_TRAVEL = 0.2;
