/** What the root takes over from the source (K19); everything but the heading of a whole body is on if left out. */
export type RootRule = {
  /** Whether the hips are moved; they stay in their reference place if not. */
  copyPosition?: boolean;
  /** Whether the hips are turned; they keep their reference if not, and the limbs turn as ever. */
  copyRotation?: boolean;
  /**
   * 0 to 1: between the place of the source's hips over the floor, in metres (0), and that place stretched by
   * the root scales (1). A ratio of hip heights over the floor, never of distances from the origin, which may
   * be zero and change with a wrapper node (KP10).
   */
  positionScale?: number;
};

/**
 * What happens to the body's travel over the ground: it stays on the hips; moves to the joint above them
 * (`extract`); is taken out and given apart, for whoever carries the character (`apart`); or is taken out and
 * dropped, heading aside (`inPlace`).
 */
export type RootMotion = 'keep' | 'extract' | 'apart' | 'inPlace';

/** What the height of a body is matched by. */
export type GroundRule = {
  /**
   * The joint that stands on the ground, by its name on either side or as a body part; where left out the lower
   * one of the toes, else of the feet, else the lowest driven joint of the reference.
   */
  joint?: string;
  /** Whether the lowest joint of each frame is taken instead, which suits walks, jumps and rolls. */
  dynamic?: boolean;
  /** How high that joint shall be; `scaled` if left out. */
  mode?: GroundMode;
};

/**
 * How high the ground joint shall be: as high over where it stands as the source's is, in the target's own scale
 * (`scaled`); or exactly as high as the source's, in metres (`pin`), which is what Babylon.js does (B12).
 */
export type GroundMode = 'scaled' | 'pin';

/**
 * How high the ground is, in metres of model space: under any place, as a ray cast down from above tells; or under
 * the left and the right foot, two numbers that the caller overwrites live before each update.
 */
export type GroundHeight = ((x: number, z: number) => number) | ArrayLike<number>;
