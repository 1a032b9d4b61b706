/**
 * A rig map as people keep and edit it, in JSON. Joints are named; where a name is not unique it is followed
 * by `@` and the joint's index in its file.
 */
export type RigMapDocument = {
  version: 1;
  /** The whole map: target joints that are not listed are not driven. Left out: the map is found as usual. */
  joints?: {
    target: string;
    sources: string[];
    share?: { from: string; weight: number };
    /** The body part, which says how the limb is aligned and corrected; as guessed if left out. */
    role?: string;
  }[];
  /** Roles of joints whose names mean nothing: role to joint name, for whichever skeleton has the joints. */
  roles?: Record<string, string>;
};
