import { RetargetError, UsageError } from '../base/errors.js';
import type { Vec3 } from '../base/math/vector.js';
import type { Warning } from '../base/warnings.js';
import { checkSkeleton } from '../scene/check-scene.js';
import type { Clip } from '../scene/clip.js';
import type { Scene } from '../scene/scene.js';
import type { Skeleton } from '../scene/skeleton.js';
import type { RoleJoints } from './body.js';
import type { BodyKind, PartGuess } from './body-parts.js';
import type { Role } from './roles.js';
import { copyRig, knownRig, knownRoles } from './understand/known-rigs.js';
import type { ReferenceChoice, ReferencePose } from './understand/reference-pose.js';

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
  /** How the file's space was read. */
  space: RigSpace;
  /** Model space, metres: height of the floor the body stands on in its reference pose. */
  floor: { height: number; reason: string };
  warnings: Warning[];
};

/** The file's space as it was read: each with a reason for a person to read. */
export type RigSpace = {
  /** Unit vector in the file's axes, and why. */
  up: { direction: Vec3; reason: string };
  /** Unit vector in the file's axes, and why. */
  facing: { direction: Vec3; reason: string };
  /** Metres per file unit, and why. */
  unit: { metres: number; reason: string };
  /** Metres from the lowest to the highest joint of the reference pose. */
  height: number;
};

/** What {@link createRig} may be told; everything is found by itself if left out. */
export type RigOptions = {
  /** Clips at hand: a capture's reference pose and up axis may be found in them. */
  clips?: readonly Clip[];
  /** Which pose turns are counted from. */
  reference?: ReferenceChoice;
  /** Roles by the user's word: they replace every guess for those roles and joints. */
  roles?: RoleJoints;
};

/**
 * Understands a skeleton: which joint is which body part, which way is up and forward, which unit, which
 * pose is the reference, where the floor is. Each answer carries its reason; doubts are warnings. A skeleton that is
 * as it was when it was understood before is not thought about again; the rig is the caller's own either way.
 * @throws UsageError that names the part of a skeleton or a clip that is missing or of another kind.
 */
export function createRig(skeleton: Skeleton, options: RigOptions = {}): Rig {
  checkSkeleton(skeleton, 'skeleton');
  return copyRig(knownRig(skeleton, options), skeleton);
}

/**
 * Which character of a scene is meant: by name or number, else the one with most roles, else the one with
 * most joints.
 * @throws RetargetError where the scene has none, UsageError where it has none of that name.
 */
export function chooseCharacter(scene: Scene, choice?: string): { character: number; warnings: Warning[] } {
  const { characters } = scene;
  if (characters.length === 0)
    throw new RetargetError(`"${scene.name}" has no skeleton: there is nothing to retarget in it`);
  const names = characters.map(({ skeleton }, i) => `"${skeleton.name}" (${i})`).join(', ');
  if (choice !== undefined) {
    const found = characters.findIndex(({ skeleton }) => skeleton.name === choice);
    if (found >= 0) return { character: found, warnings: [] };
    const number = /^\d+$/.test(choice) ? Number(choice) : -1;
    if (characters[number]) return { character: number, warnings: [] };
    throw new UsageError(`"${scene.name}" has no skeleton "${choice}"; it has ${names}`);
  }
  if (characters.length === 1) return { character: 0, warnings: [] };
  let best = 0;
  let most = -1;
  characters.forEach(({ skeleton }, i) => {
    const roles = knownRoles(skeleton).guesses.filter(({ role }) => role !== null).length;
    const score = roles * 100_000 + skeleton.names.length;
    if (score > most) {
      most = score;
      best = i;
    }
  });
  const message = `"${scene.name}" holds ${characters.length} skeletons; "${characters[best]!.skeleton.name}" (${best}) was taken, since most body parts were found in it`;
  return { character: best, warnings: [{ code: 'several-skeletons', message }] };
}
