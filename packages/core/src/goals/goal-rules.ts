/*
 * The numbers that goals go by, each once: those that planning a whole clip and going frame by frame share, and those
 * that several steps of planning do.
 */
/**
 * Of the offset that would stand the copied limbs on their goals, the hips take this share for legs; the knees take
 * the rest.
 */
export const LEG_SHARE = 0.5;

/** For arms they take all of it: a handstand is on straight arms, and elbows that take a part of it bend far. */
export const ARM_SHARE = 1;

/** Arms that carry are straight, but for this. */
export const FULL_REACH = 0.9999;

/** Hips are lowered for the sake of limbs by at most so many hip heights. */
export const LOWEST_HIPS = 0.5;

/** Feet this high over the floor, in hip heights, begin to come along with the hips; twice as high they do in full. */
export const HIGH_FEET = 0.4;

/** Seconds from a contact on in which they come to do so. */
export const LET_GO = 0.3;

/** Hip heights over the floor from which on it matters less and less how high a trunk is; from twice on it is free. */
export const LOW_TRUNK = 0.05;

/** Hips are lifted for knees by at most so many hip heights. */
export const HIGHEST_FOR_KNEES = 0.3;

/**
 * Feet that stand are lifted for their skin by at most so many hip heights. Farther up they would no longer stand:
 * without a bound, big boots that roll over their toes lost one contact in twenty.
 */
export const LARGEST_SKIN_LIFT = 0.03;

/** Less than this, in hip heights, is no depth: a skin's rounding. */
export const SKIN_SLACK = 0.002;

/**
 * Hips that give way change their speed by at most so much in a frame of 60 Hz, in hip heights: 3 mm of an adult. Over a foot
 * that stands that is half a degree of a knee at a right angle, and two of one that is nearly straight.
 */
export const HIPS_LEAP = 0.003;

/** A planted limb is not stretched farther than this share of its length, unless the copied one is. */
export const REACH = 0.97;

/** Seconds in which a goal that was held goes back to where it would be. */
export const EASE_BACK = 0.2;

/** A held foot or hand may be so many hip heights from where it would be before it follows: captures skate. */
export const LONGEST_HOLD = 0.15;

/** A flat foot may be turned so far from where it is copied before it follows: radians. */
export const LARGEST_FOOT_TURN = 0.35;

/** Seconds from a contact on in which legs in the air come to be kept in reach. */
export const DRAWN_IN = 0.12;

/** Seconds from a contact on in which a foot comes to be free: it follows its leg, and gives way for its knee. */
export const FOOT_FREE = 0.12;

/** Seconds by which hips begin early and end late to come down or to give way. */
export const AHEAD = 0.12;

/**
 * Seconds over which that is smoothed: a third, so that what is needed is never smoothed away. With twice that, legs
 * came to full stretch at the ends of contacts, and knees snapped.
 */
export const AHEAD_SMOOTHING = 0.04;

/** Seconds around a contact in which hips heed its limb as well: less and less. */
export const NEAR_CONTACT = 0.1;

/** A part that rests on something as high as this, in hip heights, rests on a chair or a step. */
export const RAISED = 0.2;

/** How fast it comes and goes live that parts rest, per second. */
export const RESTS = 12;
