import type { Limb } from '../body/roles.js';

/**
 * How a curve goes on from a key to the next: at once, straight, with no speed at both ends, or with neither speed nor
 * acceleration there.
 */
export type Easing = 'step' | 'linear' | 'smooth' | 'smoother';

/** A number that may change over time: keys in rising order of seconds; still before the first and after the last. */
export type NumberCurve = { time: number; value: number; easing?: Easing }[];

/** How willingly joints turn for constraints, by role, joint name, limb or query; numbers, or curves over time. */
export type JointWeights = Record<string, number | NumberCurve>;

/**
 * Where a limb's goal is, between "where the source's hand was" and "the same reach for this limb" (eq. 6 and 7 and
 * algorithm 4 of Körner et al., K22, K23); numbers, or curves over time (K26):
 *
 *   goal = R + (end_s − root_s) · lerp(1, length_t / length_s, limbScale),   R = lerp(root_s, root_t, rootScale)
 *
 * in model space. Algorithm 4 writes `pos` where it means the root (KP11), and lengths are of the bones between the
 * limb's joints, at rest (KP9).
 */
export type LimbScaling = {
  /** 0: as far from its root as the source's, in metres; 1: in lengths of the limb. Beyond both is fine. */
  limbScale?: number | NumberCurve;
  /** 0: from where the source's limb begins; 1, if left out: from where the target's does. */
  rootScale?: number | NumberCurve;
  /** 0 leaves the limb as copied, 1, if left out, brings it to the goal. */
  weight?: number | NumberCurve;
};

/** Scalings of arms and legs; the others are left as they are. */
export type LimbScalings = Partial<Record<Extract<Limb, `${string}Arm` | `${string}Leg`>, LimbScaling>>;

/** Whether arms reach by themselves, or together with the spine that carries both. */
export type ReachMode = 'limbs' | 'together';

/**
 * How far arms and legs are spread (up to 1) or drawn in (down to −1), for bodies wider or slimmer than the one a
 * motion was made for (W20). 1 is 45°.
 */
export type Spacing = { arms?: number; legs?: number };

/** What a character looks at, with head and eyes (W21). */
export type LookRule = {
  /** A place in model space, metres. Live it may be overwritten at any time; it is read in every update. */
  point?: ArrayLike<number>;
  /** A joint of the target, by name or role, that is looked at instead: its own hand, say. */
  joint?: string;
  /** How far the head turns at most, to the side and up or down; 60° and 30° if left out. */
  headDegrees?: readonly [number, number];
  /** The same for eyes, counted from the head; 9° and 9° if left out. */
  eyeDegrees?: readonly [number, number];
  /** Share of the way that a look goes within a sixtieth of a second, 0 to 1; 0.1 if left out, 1 is at once. */
  speed?: number;
  /** 0 leaves head and eyes as copied, 1, if left out, turns them wholly. */
  weight?: number;
};
