import { bodyExtent, bodyPoseOf, facingOf, type RoleJoints, toesDirection } from './body.js';
import type { BodyKind, PartGuess } from './body-parts.js';
import { type Clip, sampleClip } from './clip.js';
import { RetargetError, UsageError } from './errors.js';
import { findFloor, footJoints, lowestJoint } from './floor.js';
import { guessAnimalParts } from './guess-animal-parts.js';
import { guessRoles } from './guess-roles.js';
import { createMatrix, invertMatrix } from './matrix.js';
import { copyPose, createModelPose, localToModel, modelPoseOf, type Pose } from './pose.js';
import {
  createReferencePose,
  guessReferencePose,
  poseAt,
  type ReferenceChoice,
  type ReferencePose,
} from './reference-pose.js';
import { isRole, mirrorRole, REQUIRED_ROLES, type Role, sideOf } from './roles.js';
import type { Scene } from './scene.js';
import type { Skeleton } from './skeleton.js';
import { containerOf, distortionWarnings, guessFacing, guessUnit, guessUp } from './space.js';
import { dotVectors, type Vec3 } from './vector.js';
import type { Warning } from './warnings.js';

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
 * pose is the reference, where the floor is. Each answer carries its reason; doubts are warnings.
 */
export function createRig(skeleton: Skeleton, options: RigOptions = {}): Rig {
  const clips = options.clips ?? [];
  const { guesses, warnings: roleWarnings } = guessRoles(skeleton, { clips });
  const told = Object.keys(options.roles ?? {}).length > 0;
  applyRoles(skeleton, guesses, options.roles ?? {});
  let joints = jointsOf(guesses);
  const warnings: Warning[] = told ? missingRoles(skeleton, joints) : [...roleWarnings];

  const { up, warnings: upWarnings } = guessUp(skeleton, joints, posesAtHand(skeleton, clips));
  warnings.push(...upWarnings);

  let reference: ReferencePose;
  if (options.reference === undefined || options.reference === 'auto') {
    const guess = guessReferencePose(skeleton, joints, clips, up.direction);
    reference = guess.reference;
    warnings.push(...guess.warnings);
  } else reference = createReferencePose(skeleton, options.reference, clips);

  const body = bodyPoseOf(skeleton, reference.pose, joints);
  const swap = sidesContradict(skeleton, guesses, body, up.direction);
  if (swap) {
    warnings.push(swap);
    for (const guess of guesses) if (guess.role) guess.role = mirrorRole(guess.role);
    joints = jointsOf(guesses);
    body.joints = joints;
  }

  const { facing, warnings: facingWarnings } = guessFacing(skeleton, body, up.direction);
  const { unit, warnings: unitWarnings } = guessUnit(skeleton, body, up.direction);
  warnings.push(...facingWarnings, ...unitWarnings, ...distortionWarnings(skeleton));
  const { hulls, ...bare } = skeleton;
  const complete: Skeleton = {
    ...bare,
    // A skin without vertices, as files of clips alone have it, has no thickness to compare.
    ...(hulls?.some((hull) => hull !== null) && { hulls }),
    container: containerOf(skeleton, up.direction, facing.direction, unit.metres),
  };
  if (skeleton.declared.capture && reference.kind === 'rest') {
    const lifted =
      clips.length > 0
        ? standOnClipFloor(complete, joints, reference.pose, clips)
        : standOnGroundPlane(complete, joints, reference.pose);
    const floor = clips.length > 0 ? 'the floor of its clip' : 'the ground plane';
    if (lifted) reference = { ...reference, pose: lifted, reason: `${reference.reason}; stood on ${floor}` };
  }
  const extent = bodyExtent(complete, bodyPoseOf(complete, reference.pose, joints), [0, 1, 0]);
  return {
    skeleton: complete,
    guesses,
    joints,
    body: guessBody(skeleton, guesses, clips),
    reference,
    space: { up, facing, unit, height: extent.high - extent.low },
    floor: findFloor(complete, joints, reference.pose),
    warnings,
  };
}

/** A humanoid's parts are its roles; where no role was found it may be an animal. */
function guessBody(
  skeleton: Skeleton,
  guesses: readonly RoleGuess[],
  clips: readonly Clip[],
): { kind: BodyKind; parts: PartGuess[] } {
  if (guesses.every(({ role }) => role === null)) {
    const { kind, parts } = guessAnimalParts(skeleton, { clips });
    return { kind, parts };
  }
  return {
    kind: 'humanoid',
    parts: guesses.map(({ role, confidence, reason }) => ({ part: role, confidence, reason })),
  };
}

function jointsOf(guesses: readonly RoleGuess[]): RoleJoints {
  const joints: RoleJoints = {};
  guesses.forEach(({ role }, joint) => {
    if (role && joints[role] === undefined) joints[role] = joint;
  });
  return joints;
}

/** What a body still lacks once the user has said which joint plays what. */
function missingRoles(skeleton: Skeleton, joints: RoleJoints): Warning[] {
  const missing = REQUIRED_ROLES.filter((role) => joints[role] === undefined);
  if (missing.length === 0) return [];
  return [
    { code: 'required-role-missing', message: `"${skeleton.name}" has no joint for ${missing.join(', ')}.` },
  ];
}

function applyRoles(skeleton: Skeleton, guesses: RoleGuess[], roles: RoleJoints): void {
  for (const [role, joint] of Object.entries(roles)) {
    if (!isRole(role)) throw new UsageError(`"${role}" is no role`);
    if (joint === undefined || !(joint >= 0 && joint < skeleton.names.length))
      throw new UsageError(`role ${role} is given to joint ${joint}, which "${skeleton.name}" does not have`);
    guesses.forEach((guess, i) => {
      if (guess.role === role && i !== joint)
        guesses[i] = { role: null, confidence: 1, reason: `${role} was given to another joint` };
    });
    guesses[joint] = { role, confidence: 1, reason: 'as told' };
  }
}

/** Poses that show how the body stands: rest, bind, and instants spread over its clips. */
function posesAtHand(skeleton: Skeleton, clips: readonly Clip[]): Pose[] {
  const poses = [skeleton.rest];
  if (skeleton.bind) poses.push(skeleton.bind);
  for (const clip of clips.slice(0, 4))
    for (let k = 0; k < 8; k++) poses.push(poseAt(skeleton, clip, (clip.duration * k) / 8));
  return poses;
}

/**
 * Whether toes point against the facing that left and right imply. The sides are then named the wrong way
 * round: followed blindly, knees would bend backwards, so geometry is followed instead. A VRM's own word is
 * never doubted.
 */
function sidesContradict(
  skeleton: Skeleton,
  guesses: readonly RoleGuess[],
  body: { positions: Vec3[]; joints: RoleJoints },
  up: Vec3,
): Warning | null {
  const facing = facingOf(body, up);
  const toes = toesDirection(body, up);
  if (!facing || !toes || dotVectors(facing, toes) > -0.5) return null;
  if (skeleton.metadataRoles) return null;
  const example = guesses.findIndex(({ role }) => role !== null && sideOf(role) !== null);
  return {
    code: 'side-contradiction',
    joint: skeleton.names[example] ?? '',
    message: `names such as "${skeleton.names[example]}" say left where the feet say right; the feet were followed and all sides exchanged`,
  };
}

/**
 * A BVH without motion hangs at the origin, and nothing says where its floor would be but the ground plane. Lifts a
 * body whose feet are far below that plane onto it. Null where it does not hang.
 */
function standOnGroundPlane(skeleton: Skeleton, joints: RoleJoints, pose: Pose): Pose | null {
  const { height } = findFloor(skeleton, joints, pose);
  const { low, high } = bodyExtent(skeleton, bodyPoseOf(skeleton, pose, joints), [0, 1, 0]);
  return height < -0.1 * (high - low) && high > 0 ? liftPose(skeleton, pose, -height) : null;
}

/**
 * A BVH's zero pose hangs at the origin while its motion walks on a floor. Lifts the zero pose so that its
 * feet stand where the clip's feet do. Null where it stands there already or there is no clip.
 */
function standOnClipFloor(
  skeleton: Skeleton,
  joints: RoleJoints,
  rest: Pose,
  clips: readonly Clip[],
): Pose | null {
  const clip = clips.find(({ tracks }) => tracks.some(({ channel }) => channel === 'translation'));
  if (!clip) return null;
  const feet = footJoints(skeleton, joints);
  const standing = feet.length > 0 ? feet : skeleton.names.map((_, i) => i);
  const pose = copyPose(rest);
  const model = createModelPose(skeleton.names.length);
  const heights: number[] = [];
  for (let k = 0; k < 60; k++) {
    sampleClip(pose, clip, (clip.duration * k) / 60);
    localToModel(model, skeleton, pose);
    heights.push(lowestJoint(model, standing));
  }
  heights.sort((a, b) => a - b);
  const lift = heights[6]! - lowestJoint(modelPoseOf(skeleton, rest), standing);
  return Number.isFinite(lift) && Math.abs(lift) >= 1e-9 ? liftPose(skeleton, rest, lift) : null;
}

/** A pose moved up as a whole, by so many metres of model space. */
function liftPose(skeleton: Skeleton, pose: Pose, lift: number): Pose {
  const lifted = copyPose(pose);
  const inverse = createMatrix();
  invertMatrix(inverse, 0, skeleton.container, 0);
  skeleton.parents.forEach((parent, joint) => {
    if (parent >= 0) return;
    for (let c = 0; c < 3; c++)
      lifted.translations[3 * joint + c] = lifted.translations[3 * joint + c]! + inverse[4 + c]! * lift;
  });
  return lifted;
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
    const roles = guessRoles(skeleton).guesses.filter(({ role }) => role !== null).length;
    const score = roles * 100_000 + skeleton.names.length;
    if (score > most) {
      most = score;
      best = i;
    }
  });
  const message = `"${scene.name}" holds ${characters.length} skeletons; "${characters[best]!.skeleton.name}" (${best}) was taken, since most body parts were found in it`;
  return { character: best, warnings: [{ code: 'several-skeletons', message }] };
}
