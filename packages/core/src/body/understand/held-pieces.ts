import { DEGREE } from '../../base/math/angles.js';
import { acos, hypot } from '../../base/math/functions.js';
import { invertMatrix, transformPoint } from '../../base/math/matrix.js';
import {
  conjugateQuaternion,
  divideQuaternions,
  multiplyQuaternions,
  rotateVector,
} from '../../base/math/quaternion.js';
import { didWork } from '../../base/watch-work.js';
import { type Clip, poseAt } from '../../scene/clip.js';
import {
  copyPose,
  createModelPose,
  localToModel,
  type ModelPose,
  modelPoseOf,
  type Pose,
  rotationOfMatrix,
  signRotation,
} from '../../scene/pose.js';
import type { Skeleton } from '../../scene/skeleton.js';

/**
 * A joint with skin that is bound to nothing and hangs on no body part, such as a sword on the root, and the body part
 * that holds it in the character's own clips.
 */
export type HeldPiece = { joint: number; carrier: number };

/** A piece with where its carrier holds it: its place and turn in the carrier's axes. */
type Grip = HeldPiece & { offset: Float64Array; turn: Float64Array };

/** What is held moves by less than this against what holds it, as a share of the height, and turns by less. */
const GRIP_SPREAD = 0.005;
const GRIP_TURN = 5 * DEGREE;
/** Instants of a clip that are looked at, and clips. */
const INSTANTS_A_CLIP = 12;
const MOST_OWN_CLIPS = 16;

/**
 * Finds what holds the pieces of a character that are bound to nothing: over its own clips, the body part against which
 * a piece does not move. Nearness in the rest pose says little, since a sword may lie on the floor there, or be nearer to
 * the other hand; its own clips were made by whoever knows. A clip counts where the piece moves against most of the
 * body; more than half of those must agree.
 * @param parts Joints that are body parts, and not fingers: a sword is held by a hand.
 * @param height Of the body, in metres.
 */
export function findHeldPieces(
  skeleton: Skeleton,
  parts: readonly number[],
  height: number,
  clips: Iterable<Clip>,
): Grip[] {
  const pieces = parts.length > 0 && height > 0 ? loosePieces(skeleton, parts) : [];
  if (pieces.length === 0) return [];
  const all = [...clips].filter(({ duration }) => duration > 0);
  const step = Math.max(1, all.length / MOST_OWN_CLIPS);
  const looked = Array.from(
    { length: Math.min(all.length, MOST_OWN_CLIPS) },
    (_, n) => all[Math.floor(n * step)]!,
  );
  const seen = looked.map((clip) => {
    didWork(INSTANTS_A_CLIP * skeleton.names.length);
    return Array.from({ length: INSTANTS_A_CLIP }, (_, k) =>
      modelPoseOf(skeleton, poseAt(skeleton, clip, ((k + 0.5) / INSTANTS_A_CLIP) * clip.duration)),
    );
  });
  return pieces.flatMap((joint) => {
    const holders = seen.flatMap((poses) => holderIn(poses, joint, parts, height) ?? []);
    const grip = agreedGrip(
      holders.filter(({ carrier }) => carrier >= 0),
      holders.length,
      joint,
    );
    return grip ? [grip] : [];
  });
}

/** The topmost joints with skin that neither are, carry nor hang on body parts, and whose skin no bond ties to others. */
function loosePieces({ parents, bonds }: Skeleton, parts: readonly number[]): number[] {
  if (!bonds || bonds.weights.length !== parents.length) return [];
  const isPart = new Uint8Array(parents.length);
  for (const joint of parts) isPart[joint] = 1;
  const leads = isPart.slice();
  for (let i = parents.length - 1; i >= 0; i--) if (leads[i] && parents[i]! >= 0) leads[parents[i]!] = 1;
  /** Per joint the piece that it is part of; −1 where it is part of none. */
  const pieceOf = new Int32Array(parents.length).fill(-1);
  const hangsOnBody = isPart.slice();
  for (let i = 0; i < parents.length; i++) {
    const parent = parents[i]!;
    if (parent >= 0 && hangsOnBody[parent]) hangsOnBody[i] = 1;
    if (hangsOnBody[i]) continue;
    if (parent >= 0 && pieceOf[parent]! >= 0) pieceOf[i] = pieceOf[parent]!;
    else if (!leads[i] && bonds.weights[i]! > 0) pieceOf[i] = i;
  }
  // Most bodies have none: then what binds them need not be gathered.
  if (pieceOf.every((piece) => piece < 0)) return [];
  const tied = new Set<number>();
  for (let n = 0; n < bonds.strengths.length; n++) {
    const [a, b] = [pieceOf[bonds.joints[2 * n]!]!, pieceOf[bonds.joints[2 * n + 1]!]!];
    if (a !== b) tied.add(a).add(b);
  }
  return [...pieceOf.keys()].filter((i) => pieceOf[i] === i && !tied.has(i));
}

/** What holds a piece in one clip (−1: nothing does), and where, in the middle of the clip. */
type Holder = { carrier: number; spread: number; offset: Float64Array; turn: Float64Array };

/** Null where the clip says nothing, since the piece hardly moves against the body. */
function holderIn(
  poses: readonly ModelPose[],
  joint: number,
  parts: readonly number[],
  height: number,
): Holder | null {
  const spreads: number[] = [];
  let best: Holder = { carrier: -1, spread: GRIP_SPREAD * height, offset: NONE, turn: NONE };
  const middle = poses[poses.length >> 1]!;
  for (const carrier of parts) {
    const grip = gripIn(middle, joint, carrier);
    let spread = 0;
    let turned = 0;
    for (const pose of poses) {
      const { offset, turn } = gripIn(pose, joint, carrier);
      spread = Math.max(spread, apart(offset, grip.offset));
      const along = Math.abs(turn.reduce((sum, x, c) => sum + x * grip.turn[c]!, 0));
      turned = Math.max(turned, 2 * acos(Math.min(1, along)));
    }
    spreads.push(spread);
    if (spread < best.spread && turned < GRIP_TURN) best = { carrier, spread, ...grip };
  }
  spreads.sort((a, b) => a - b);
  return spreads[spreads.length >> 1]! > GRIP_SPREAD * height ? best : null;
}

function apart(a: Float64Array, b: Float64Array): number {
  return hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);
}

const NONE = new Float64Array(0);

/** Where a joint is in the axes of another, and how it is turned. */
function gripIn(
  { matrices, rotations }: ModelPose,
  joint: number,
  carrier: number,
): Pick<Grip, 'offset' | 'turn'> {
  const turn = new Float64Array(4);
  conjugateQuaternion(turn, 0, rotations, 4 * carrier);
  const offset = Float64Array.from(
    [12, 13, 14],
    (c) => matrices[16 * joint + c]! - matrices[16 * carrier + c]!,
  );
  rotateVector(offset, 0, turn, 0, offset, 0);
  divideQuaternions(turn, 0, rotations, 4 * carrier, rotations, 4 * joint);
  return { offset, turn };
}

/** The holder that more than half of the clips show, as the one of them holds it that is nearest to all others. */
function agreedGrip(holders: readonly Holder[], clips: number, joint: number): Grip | null {
  const counts = new Map<number, number>();
  for (const { carrier } of holders) counts.set(carrier, (counts.get(carrier) ?? 0) + 1);
  const [carrier] = [...counts].find(([, count]) => 2 * count > clips) ?? [-1];
  const own = holders.filter((each) => each.carrier === carrier);
  let least = Number.POSITIVE_INFINITY;
  let grip: Grip | null = null;
  for (const { offset, turn } of own) {
    let far = 0;
    for (const other of own) far += apart(offset, other.offset);
    if (far < least) [least, grip] = [far, { joint, carrier, offset, turn }];
  }
  return grip;
}

/** A pose in which pieces are where their carriers hold them. */
export function holdPieces(skeleton: Skeleton, pose: Pose, grips: readonly Grip[]): Pose {
  const held = copyPose(pose);
  const model = createModelPose(skeleton.names.length);
  const matrix = new Float64Array(16);
  const turns = new Float64Array(8);
  for (const { joint, carrier, offset, turn } of grips) {
    localToModel(model, skeleton, held);
    const parent = skeleton.parents[joint]!;
    const isWhole =
      parent < 0
        ? invertMatrix(matrix, 0, skeleton.container, 0)
        : invertMatrix(matrix, 0, model.matrices, 16 * parent);
    if (!isWhole) continue;
    const place = offset.slice();
    rotateVector(place, 0, model.rotations, 4 * carrier, place, 0);
    for (let c = 0; c < 3; c++) place[c] = place[c]! + model.matrices[16 * carrier + 12 + c]!;
    transformPoint(held.translations, 3 * joint, matrix, 0, place, 0);
    multiplyQuaternions(turns, 0, model.rotations, 4 * carrier, turn, 0);
    if (parent < 0) rotationOfMatrix(turns, 4, skeleton.container, 0);
    else turns.set(model.rotations.subarray(4 * parent, 4 * parent + 4), 4);
    divideQuaternions(held.rotations, 4 * joint, turns, 4, turns, 0);
    if (!signRotation(turns, 0, held.scales, 3 * joint)) continue;
    conjugateQuaternion(turns, 0, turns, 0);
    multiplyQuaternions(held.rotations, 4 * joint, held.rotations, 4 * joint, turns, 0);
  }
  return held;
}
