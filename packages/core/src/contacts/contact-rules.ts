/*
 * The rules of contacts: every number that says what stands on what, offline and live. What is only how finely something
 * is stored stays where it is stored. Lengths are in hip heights, speeds in hip heights a second, times in seconds.
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

/**
 * A sole may by so much: a foot that a capture has tilted by a few degrees stands with its heel that much over its ball.
 * With 0.04 the right heel of two subjects never stood although it was as still as the left one, and contacts of
 * what was made of it agreed to 0.85.
 */
export const SOLE_SLACK = 0.07;

/** Standing feet that move faster than this, in hip heights a second, do so on moving ground. */
export const GROUND_SPEED = 0.4;

/** A foot lower than this over moving ground, in hip heights, stands on it; one that much in the floor does not. */
export const ON_GROUND = 0.05;

/** Feet that stand on one ground are as fast as each other, to within this share of their speed. */
export const GROUND_ALIKE = 0.35;

/** Hips that go on faster than this share of the ground's speed travel by themselves. */
export const HIPS_TRAVEL = 0.2;

/**
 * A hand that carries a body when its feet do not is found more generously than a foot on the floor: captured hands float,
 * since skeletons have no palms, and slide, since they turn about where the palms were. Lengths in hip heights,
 * speeds in hip heights a second.
 */
export const CARRYING_HANDS = {
  /** Not higher than this over the floor: about a hand's length. */
  height: 0.25,
  /** As low as the lowest of the body, give or take this. */
  slack: 0.04,
  /** Let go farther from it than this. */
  releaseSlack: 0.12,
  /** Slower than this, while the body turns over it. */
  speed: 0.7,
  /** Let go when it is faster than this. */
  releaseSpeed: 1,
  /** Seconds that it carries at least. */
  shortest: 0.15,
  /** Seconds between two such stretches that are one. */
  gap: 0.1,
};

/**
 * When a knee, elbow, seat, back or head lies on the floor. Heights are over where its flesh usually ends, in hip
 * heights, speeds in hip heights a second.
 */
export const RESTING_PARTS = {
  /** It comes as low as this … */
  height: 0.08,
  /** … and as slow. */
  speed: 0.35,
  /** A knee that is bent less than this, in radians, must be lower: one of a plank carries nothing. */
  straight: (40 * Math.PI) / 180,
  straightHeight: 0.04,
  /** It rests until it is higher than this … */
  releaseHeight: 0.13,
  /** … or faster. */
  releaseSpeed: 0.7,
  /** Deeper than this it is no part of a body on this floor. */
  deepest: 0.4,
  /** Seconds between two such stretches that are one, unless it was higher than `lifted` in between. */
  gap: 0.35,
  lifted: 0.16,
  /** Seconds that it rests at least. */
  shortest: 0.15,
};

/** Live, seconds for which a part that was seen to rest may not be. */
export const LIVE_GAP = 0.15;

/** Live, the body must have rested on a hand for so many seconds before it is held. */
export const HAND_TIME = 0.05;

// Contacts that are found by looking at a whole clip

/** Speeds are taken over four frames of 60 Hz, 66 ms: so many to either side. */
export const HALF_WINDOW = 2;

/** A point that stands off the floor is on a support only if it carries the body for so many seconds. */
export const SHORTEST_SUPPORT = 0.2;

/** A point on a support that is farther from its mean place than so many times the height of a contact glides. */
export const GLIDES = 2;

/** How fast what carries a point may go up or down, in hip heights a second: a support does not move. */
export const DRIFT = 0.08;

/** Two contacts so many hip heights apart are not bridged but over a single frame; nearer ones over longer gaps (F4). */
export const MERGE_DISTANCE = 0.1;

/** A point that was so many times the release height off in a gap was lifted, and the gap is one. */
export const LIFTED = 1.5;

/** A foot treads for so many seconds at least. */
export const SHORTEST_TREAD = 0.05;

/**
 * Heights of contacts within this, in hip heights, are the floor's; from twice that on they count in full. A stair is
 * 0.15 and more.
 */
export const FLOOR_HEIGHTS = 0.06;

/** Floor and points stand at this percentile of their slow heights, offline and live. */
export const LOW_PERCENTILE = 0.05;

// Contacts that are tracked live

/**
 * Seconds over which live speeds are taken: a frame of 60 a second. Looking ahead affords four; a speed over the past
 * lags by half of what it is taken over, and a foot that is caught late has slid.
 */
export const LIVE_WINDOW = 1 / 60;

/** Seconds over which live speeds do not tremble, though they are late. */
export const LIVE_LONG_WINDOW = 3 / 60;

/**
 * A point that stands is held up to so many times the limit of speed while it stays where it is. A speed over one frame of a
 * capture trembles about the one over four that is measured.
 */
export const TREMBLES = 2.5;

/** A point that comes down is caught at so many times the limit of speed where it has slowed down … */
export const SLOWS = 1.25;

/** … to this share of what it was. */
export const SLOWING = 0.7;

/** Seconds for which a point must be the lowest of the body and slow to be taken to stand on something off the floor. */
export const SUPPORT_TIME = 0.15;

/** So many seconds suffice where that is near the floor, as captures drift … */
export const NEAR_SUPPORT_TIME = 0.03;

/** … and so many more by every hip height. */
export const LONGER_BY_HEIGHT = 3;

/** A point that rises or sinks by more than this meanwhile, in hip heights, stands on nothing. */
export const STEADY_HEIGHT = 0.02;

/** Seconds for which the lowest foot must have been slow to show live where the floor is. */
export const FLOOR_TIME = 0.06;

/** Seconds for which a point must have stood before its own height is believed live. */
export const POINT_TIME = 0.2;

/** Seconds after which a height that was seen live counts for 1 / e. */
export const HEIGHT_MEMORY = 30;

// Ground that moves, in a whole clip

/** Ground slower than this, in hip heights a second, is none, however steadily feet go. */
export const SLOWEST_STEADY = 0.08;

/** Feet too slow to show ground show it where each goes its way at this share of the instants: someone pushes a cart. */
export const STEADY_INSTANTS = 0.85;

/** A foot goes the ground's way that goes along with this share of its speed. */
export const ALONG_GROUND = 0.3;

/** Each of the two feet is low at this share of the instants at least. */
export const EITHER_FOOT = 0.2;

/** Such feet go farther than this in all, in hip heights: nearer ones shift. */
export const FARTHEST_SHIFT = 0.3;

/** Of all instants of a clip feet must be low at this share to show any ground. */
export const LOW_INSTANTS = 0.3;

/** Of the instants at which a foot is low, this share must show the ground's speed. */
export const GROUND_INSTANTS = 0.5;

/** Hips that rise or sink by more than this, in hip heights, do not walk: a body that stands up drags its feet. */
export const HIPS_RISE = 0.3;

/** Hips that come to stand this far from where they began, in hip heights, have only shifted. */
export const HIPS_SHIFT = 0.05;

// Ground that moves, live

/** Seconds for which the feet of either side must show it: one foot alone that is dragged along the floor is no ground. */
export const GROUND_SHOWN = 0.1;

/** Seconds for which feet are believed at most when they no longer show it. */
export const GROUND_BELIEVED = 0.5;

/** Seconds for which either foot must show ground that moves no faster than feet that shift … */
export const SLOW_GROUND_SHOWN = 0.3;

/** … and how fast that is at least, in hip heights a second: somebody pushes a cart. */
export const SLOWEST_GROUND = 0.15;

/** Seconds for which one foot must show it where the other does not stand: whoever drags a foot stands on the other. */
export const GROUND_SHOWN_ALONE = 0.05;

/** Seconds for which a foot must be still to stand: one that comes down is so for an instant, too. */
export const STILL_ALONE = 0.04;

/** One foot alone must be faster than this, in hip heights a second: slower ones float in water, or shift. */
export const SLOWEST_ALONE = 0.7;

/**
 * A foot that stands is steady to within this share of its speed. One that comes down or rolls is faster or slower than
 * the ground by a fifth.
 */
export const STEADY_GROUND = 0.1;

/** Seconds over which that is seen. */
export const STEADY_TIME = 0.03;

/** Seconds over which the ground's speed is averaged. */
export const GROUND_SMOOTHING = 1;

/** Seconds over which the hips' speed is averaged. */
export const HIPS_SMOOTHING = 0.4;

// Where a body touches, where its skin does not tell

/** Where the toes of a foot without toes are, ahead of the ankle, in hip heights: where an adult's ball is. */
export const TOE_AHEAD = 0.15;

/** How far along the skin of a foot, from the ankle to its tip, the ball is. */
export const BALL = 0.7;

/** Skin of a foot that is not this far ahead of the ankle, in hip heights, tells nothing of its ball … */
export const SHORTEST_FOOT = 0.05;

/** … which is at most this far ahead: clowns wear long shoes. */
export const FARTHEST_BALL = 0.4;

/** A leg whose last joint is higher than this over the floor, in hip heights, stands on its tip, wherever that leans to. */
export const LEANING_LEG = 0.25;

/** An animal's hips are taken to stand at least so many lengths of its legs high, where these are arched. */
export const LEG_UNIT = 0.5;

/** Soles that are less than this off the floor in the reference, in hip heights, stand there: 1 cm of an adult. */
export const UNEVEN = 0.01;

/** How long a hand is from the wrist to the knuckles, in hip heights, where nothing tells. */
export const PALM = 0.09;

/** How far joints of other parts are from the skin that touches the floor, in hip heights, where it is not known. */
export const PART_THICKNESS = { Hand: 0.03, Elbow: 0.05, Knee: 0.06, hips: 0.12, back: 0.13, head: 0.1 };

/** Skin that is thinner than this many times what is usual tells nothing of a part … */
export const THINNEST_PART = 0.3;

/** … nor does skin that is thicker than this many times that. */
export const THICKEST_PART = 3;

/** A leg is above the other where their lines are nearer to each other along the floor than this, and that much apart in height. */
export const LEG_BELOW = { wide: 0.06, thick: 0.035 };
