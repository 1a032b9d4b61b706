/** How a clip is made to loop. */
export type LoopOptions = {
  /** Seconds before the end and after the beginning over which the seam is eased; 0.25 if left out. */
  seconds?: number;
  /**
   * The joint that carries the body. Where it has gone somewhere it keeps going: only its height and its lean are
   * closed, not its way over the ground and its heading.
   */
  travel?: number;
  /** How tall the body is, in metres, by which it is told whether it has gone somewhere; 1.7 if left out. */
  height?: number;
};

/** How far a reduced clip may be from the whole one, at any joint, in model space. */
export type KeyTolerance = {
  /** Metres; a tenth of a millimetre if left out. */
  position?: number;
  /** Degrees; a tenth of a degree if left out. */
  angleDegrees?: number;
};

/**
 * Which morph of the source goes onto which of the target: names, or mesh and name with a slash between
 * (`Face/smile`); expressions of a whole face by their name alone. An empty target leaves a morph out.
 */
export type MorphMap = Record<string, string>;
