import { UsageError } from '../../base/errors.js';
import { createMatrix, invertMatrix } from '../../base/math/matrix.js';
import { dotVectors, type Vec3 } from '../../base/math/vector.js';
import type { Warning } from '../../base/warnings.js';
import { didWork } from '../../base/watch-work.js';
import type { Clip } from '../../scene/clip.js';
import { copyPose, modelPoseOf, type Pose } from '../../scene/pose.js';
import { AXIS_VECTORS, type Axis, type Skeleton } from '../../scene/skeleton.js';
import { soundPose } from '../../scene/sound-skeleton.js';
import { bodyExtent, bodyPoseOf, facingOf, type RoleJoints, toesDirection } from '../body.js';
import type { BodyKind, PartGuess } from '../body-parts.js';
import { findFloor, footJoints, lowestJoint } from '../floor.js';
import type { ReferenceChoice, ReferencePose } from '../reference.js';
import type { Rig, RoleGuess } from '../rig.js';
import type { SpaceTold } from '../rig-space.js';
import { isFinger, isRole, mirrorRole, REQUIRED_ROLES, sideOf } from '../roles.js';
import { guessAnimalParts } from '../shape/guess-animal-parts.js';
import type { guessRoles } from '../shape/guess-roles.js';
import { type LookAtBody, lookAtBody } from '../shape/seen-body.js';
import { type CaptureFloor, findCaptureFloor } from './capture-floor.js';
import { guessUp } from './guess-up.js';
import { findHeldPieces, holdPieces } from './held-pieces.js';
import { createReferencePose, guessReferencePose } from './reference-pose.js';
import { containerOf, distortionWarnings, guessFacing, guessUnit } from './space.js';

/** What a skeleton is understood with. */
export type RigEvidence = {
  /** Which body part each joint plays, by names and shape; see {@link guessRoles}. */
  guessed: Readonly<ReturnType<typeof guessRoles>>;
  /** Clips at hand; they are looked at only where the skeleton alone leaves a doubt. */
  clips: Iterable<Clip>;
  reference: ReferenceChoice;
  /** Roles by the user's word. */
  roles: RoleJoints;
  /** Up, facing, unit and floor by the user's word. */
  space: SpaceTold;
  /** How its shape is looked at; anew each time if left out. */
  look?: LookAtBody;
};

/** Does the work of {@link createRig}, anew each time. */
export function understandRig(
  skeleton: Skeleton,
  { guessed, clips, reference: choice, roles, space: said, look = lookAtBody }: RigEvidence,
): Rig {
  const guesses = guessed.guesses.map((guess) => ({ ...guess }));
  const told = Object.keys(roles).length > 0;
  applyRoles(skeleton, guesses, roles);
  let joints = jointsOf(guesses);
  const warnings: Warning[] = told ? missingRoles(skeleton, joints) : [...guessed.warnings];

  const upGuess = said.up
    ? { up: { direction: [...AXIS_VECTORS[said.up]] as Vec3, ...AS_TOLD }, warnings: [] }
    : guessUp(skeleton, joints, clips);
  let { up } = upGuess;
  warnings.push(...upGuess.warnings);

  didWork(20 * guesses.length);
  let reference: ReferencePose;
  if (choice === 'auto') {
    const guess = guessReferencePose(skeleton, joints, clips, up.direction);
    reference = guess.reference;
    warnings.push(...guess.warnings);
  } else reference = createReferencePose(skeleton, choice, clips);
  // Rest and bind are sound; a frame of a clip, or a pose of the caller's, need not be.
  const pose = soundPose(skeleton, reference.pose, skeleton.rest, 'reference pose', warnings);
  if (pose !== reference.pose) reference = { ...reference, pose };

  didWork(20 * guesses.length);
  const body = bodyPoseOf(skeleton, reference.pose, joints);
  const swap = sidesContradict(skeleton, guesses, body, up.direction);
  if (swap) {
    warnings.push(swap);
    for (const guess of guesses) if (guess.role) guess.role = mirrorRole(guess.role);
    joints = jointsOf(guesses);
    body.joints = joints;
  }

  didWork(20 * guesses.length);
  const { facing, warnings: facingWarnings } = said.facing
    ? { facing: { direction: facingAsTold(said.facing, up.direction), ...AS_TOLD }, warnings: [] }
    : guessFacing(skeleton, body, up.direction, look);
  didWork(20 * guesses.length);
  const { unit, warnings: unitWarnings } = said.unit
    ? { unit: { metres: said.unit, ...AS_TOLD }, warnings: [] }
    : guessUnit(skeleton, body, up.direction);
  warnings.push(...facingWarnings, ...unitWarnings, ...distortionWarnings(skeleton));
  const { hulls, ...bare } = skeleton;
  const complete: Skeleton = {
    ...bare,
    // A skin without vertices, as files of clips alone have it, has no thickness to compare.
    ...(hulls?.some((hull) => hull !== null) && { hulls }),
    container: containerOf(skeleton, up.direction, facing.direction, unit.metres),
  };
  let stands: CaptureFloor | null = null;
  if (skeleton.declared.capture) {
    stands = findCaptureFloor(complete, joints, reference, [...clips].filter(travels));
    if (stands) reference = standAt(complete, joints, reference, stands);
  }
  let floor = findFloor(complete, joints, reference.pose);
  if (said.floor !== undefined) {
    const height = said.floor * unit.metres;
    // A capture's reference stands nowhere by itself: its feet stay as high over the floor as they were.
    if (stands) {
      const lowest = stands.lowest + height - floor.height;
      reference = standAt(complete, joints, reference, { lowest, reason: 'the floor as told' });
    }
    floor = { height, ...AS_TOLD };
  } else if (stands) {
    // Both may say the same.
    const reason = stands.reason.startsWith(floor.reason)
      ? stands.reason
      : `${floor.reason}: ${stands.reason}`;
    floor = { ...floor, confidence: stands.confidence, reason };
    // Where nothing stands with that way up, it is no surer than the floor.
    const isGuessed = !said.up && !skeleton.declared.up;
    const isDoubtful = isGuessed && !stands.isStoodOn && stands.confidence < up.confidence;
    if (isDoubtful) up = { ...up, confidence: stands.confidence };
    if (stands.confidence < SURE_OF_FLOOR)
      warnings.push({
        code: 'floor-guessed',
        message: `where "${skeleton.name}" stands was guessed: on ${stands.reason}; say how high its floor is if the result floats or sinks${isDoubtful ? ', and which way is up if it lies down' : ''}`,
      });
  }
  didWork(20 * guesses.length);
  const extent = bodyExtent(complete, bodyPoseOf(complete, reference.pose, joints), [0, 1, 0]);
  const guessedBody = guessBody(skeleton, guesses, clips, look);
  const height = extent.high - extent.low;
  const parts = guessedBody.parts.flatMap(({ part }, joint) =>
    part !== null && !isFinger(part) ? [joint] : [],
  );
  const edited = new Set(reference.placed);
  const held = findHeldPieces(complete, parts, height, clips).filter(({ joint }) => !edited.has(joint));
  if (held.length > 0) reference = { ...reference, pose: holdPieces(complete, reference.pose, held) };
  return {
    skeleton: complete,
    guesses,
    joints,
    body: guessedBody,
    reference,
    ...(held.length > 0 && { held: held.map(({ joint, carrier }) => ({ joint, carrier })) }),
    space: { up, facing, unit, height },
    floor,
    warnings,
  };
}

const AS_TOLD = { confidence: 1, reason: 'as told' };

/** Below this much confidence it is said that a capture's floor was guessed. */
const SURE_OF_FLOOR = 0.7;

/** @throws UsageError where the body would look up or down. */
function facingAsTold(axis: Axis, up: Readonly<Vec3>): Vec3 {
  const facing: Vec3 = [...AXIS_VECTORS[axis]];
  if (Math.abs(dotVectors(facing, up)) > 0.5)
    throw new UsageError(`a body cannot face ${axis} where that is up or down`);
  return facing;
}

/** Whether a clip moves anything by more than turns. */
function travels({ tracks }: Clip): boolean {
  return tracks.some(({ channel }) => channel === 'translation');
}

/** A reference pose, lifted as a whole so that its lowest foot joint is as high as it was found to stand. */
function standAt(
  skeleton: Skeleton,
  joints: RoleJoints,
  reference: ReferencePose,
  { lowest, reason }: Pick<CaptureFloor, 'lowest' | 'reason'>,
): ReferencePose {
  const feet = footJoints(skeleton, joints);
  const standing = feet.length > 0 ? feet : skeleton.names.map((_, i) => i);
  const lift = lowest - lowestJoint(modelPoseOf(skeleton, reference.pose), standing);
  if (!Number.isFinite(lift) || Math.abs(lift) < 1e-9) return reference;
  const pose = liftPose(skeleton, reference.pose, lift);
  return { ...reference, pose, reason: `${reference.reason}; stood on ${reason}` };
}

/** A humanoid's parts are its roles; where no role was found it may be an animal. */
function guessBody(
  skeleton: Skeleton,
  guesses: readonly RoleGuess[],
  clips: Iterable<Clip>,
  look: LookAtBody,
): { kind: BodyKind; parts: PartGuess[] } {
  if (guesses.every(({ role }) => role === null)) {
    const { kind, parts } = guessAnimalParts(skeleton, { clips, look });
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
