import type { RoleJoints } from '../body/body.js';
import type { Rig } from '../body/rig.js';
import type { BodySurface } from '../contacts/body-surfaces.js';
import type { PointTracks } from '../contacts/track-points.js';
import type { Contact } from '../options/contact.js';

/** A motion in model space at 60 Hz, as all measures read it. */
export type SampledMotion = {
  count: number;
  /** How many joints. */
  joints: number;
  /** xyz per joint per instant, metres. */
  positions: Float64Array;
  /** xyzw per joint per instant. */
  rotations: Float32Array;
  /** The same to the last bit, of some instants, see `compareMotions`; empty where none were asked for. */
  exactRotations: Float64Array;
  /**
   * Per instant the height of the lowest skin over the floor, or over what is lowest of it in the reference pose where
   * that is under the floor; metres. Empty where the skin is not known.
   */
  skinHeights: Float64Array;
  /**
   * Per surface per instant its lowest height over the floor, metres; of one that is far above it a height that it is not
   * below. Empty where surfaces were not looked at.
   */
  surfaceHeights: Float64Array;
};

/** One side of a comparison: a body, its motion, and where its points touch something. */
export type ComparedSide = SampledMotion & {
  rig: Rig;
  roles: RoleJoints;
  /** The outsides of the parts that both bodies have, in one order. */
  surfaces: readonly BodySurface[];
  /** Metres. */
  hipHeight: number;
  floor: number;
  /** Velocity of the ground under the body, x and z, metres a second: of one that walks on the spot, else 0. */
  movingGround: readonly [number, number];
  /** xyz per point per instant, metres, model space. */
  places: Float64Array;
  /** The same seen from that ground, for everything about contacts. */
  tracks: PointTracks;
  /**
   * Per point how far its floor is from the rig's, in hip heights: of the source as found, since a capture stands
   * where it stands; of the result 0, since it shall stand on the target's floor.
   */
  offsets: Float64Array;
  contacts: Contact[];
  /** Per point per instant 1 in contact. */
  inContact: Uint8Array;
  /** Per point per instant the height of what carries the point, in hip heights. */
  supports: Float64Array;
  /** The points with the heights of their outsides, see `placesByOutside`, and contacts found by those. */
  outside: { tracks: PointTracks; inContact: Uint8Array };
};
