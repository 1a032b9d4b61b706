/** What a map document says of a pair that is no part of the body, whatever its joints would be taken for. */
export const NO_ROLE = 'none';

/** What is otherwise for one target joint: who drives it, or that nothing does. */
export type MapChange = {
  target: string;
  /** Parents first; the last one drives. Null says that nothing does. */
  sources?: string[] | null;
  share?: { from: string; weight: number };
  /** The body part, which says how the limb is aligned and corrected, or `none`; as before if left out. */
  role?: string;
  /** May be given instead of sources: nothing drives the joint. */
  none?: true;
};

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
    /** The body part, which says how the limb is aligned and corrected, or `none`; as guessed if left out. */
    role?: string;
  }[];
  /** What is otherwise than in the map that is listed or found: each changes one target joint and no other. */
  changes?: MapChange[];
  /** Roles of joints whose names mean nothing: role to joint name, for whichever skeleton has the joints. */
  roles?: Record<string, string>;
};

/** Whether a map says of joints what drives them: then clips are not taken over whole, be both skeletons one. */
export function tellsJoints(map: RigMapDocument | undefined): boolean {
  return map?.joints !== undefined || (map?.changes?.length ?? 0) > 0;
}
