import type { Warning } from '../base/warnings.js';

import type { Clip } from '../scene/clip.js';

import type { Skeleton } from '../scene/skeleton.js';
import type { RoleJoints } from './body.js';
import type { BodyKind, PartGuess } from './body-parts.js';
import type { Armature } from './chains/armature.js';
import type { ReferenceChoice, ReferencePose } from './reference.js';
import type { RigFloor, RigSpace, SpaceTold } from './rig-space.js';
import type { Role } from './roles.js';
import type { HeldPiece } from './understand/held-pieces.js';

/** Which body part a joint plays, how sure that is (0 to 1), and why. */
export type RoleGuess = { role: Role | null; confidence: number; reason: string };

/** A skeleton that is understood: body parts, reference pose, and a container that leads to model space. */
export type Rig = {
  /** The file's skeleton with its container completed: metres, +Y up, +Z forward. */
  skeleton: Skeleton;
  /** One per joint. */
  guesses: RoleGuess[];
  /** The joint that plays each role found. */
  joints: RoleJoints;
  /** What kind of body it is, and which part of it each joint is: a humanoid's roles, or the parts of an animal. */
  body?: { kind: BodyKind; parts: PartGuess[] };
  reference: ReferencePose;
  /** Pieces beside the body, such as a sword, and what holds them in its own clips; none if left out. */
  held?: HeldPiece[];
  /** How the file's space was read. */
  space: RigSpace;
  /** The chains that cover it, where they are told; found if left out: see `armatureOfRig`. */
  armature?: Armature;
  /** Model space, metres: height of the floor the body stands on in its reference pose. */
  floor: RigFloor;
  warnings: Warning[];
};

/** What {@link createRig} may be told; everything is found by itself if left out. */
export type RigOptions = {
  /** Clips at hand: a capture's reference pose and up axis may be found in them. */
  clips?: readonly Clip[];
  /** Which pose turns are counted from. */
  reference?: ReferenceChoice;
  /** Roles by the user's word: they replace every guess for those roles and joints. */
  roles?: RoleJoints;
  /** Up, facing, unit and floor by the user's word. */
  space?: SpaceTold;
  /** Whether the shape has a say in how sure the roles are where names leave nothing open; it has if left out. */
  weighsShape?: boolean;
};
