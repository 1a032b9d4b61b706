import { rolesOfMap } from '../align/align-references.js';
import { RetargetError, UsageError } from '../base/errors.js';
import { hypot } from '../base/math/functions.js';
import { didWork } from '../base/watch-work.js';
import type { RoleJoints } from '../body/body.js';
import type { Rig } from '../body/rig.js';
import { type BodyPoint, bodyPoints, hipHeightOf } from '../contacts/body-points.js';
import { type BodySurface, bodySurfaces, lowestOfSurface } from '../contacts/body-surfaces.js';
import { contactsOfTracks, standingOffsets } from '../contacts/find-contacts.js';
import { findTreadmill, onMovingGround } from '../contacts/find-treadmill.js';
import { CONTACT_RATE, offsetsOf, type PointTracks, placePoints } from '../contacts/track-points.js';
import { addStandInHands } from '../goals/parts/stand-in-hands.js';
import type { JointPair } from '../map/rig-map.js';
import { copyRotations } from '../passes/copy-rotations.js';
import { extractRoot } from '../passes/extract-root.js';
import { moveRoot } from '../passes/move-root.js';
import type { Setup } from '../passes/pass.js';
import { spreadTwist } from '../passes/spread-twist.js';
import { type Clip, trackedJoints } from '../scene/clip.js';
import {
  copyPose,
  createModelPose,
  localToModel,
  type ModelPose,
  modelPoseOf,
  type Pose,
} from '../scene/pose.js';
import { isSameSkeleton } from '../scene/skeleton.js';
import { retargetFrames } from '../ways/frames/retarget-frames.js';
import {
  BLOCK,
  createPoseBlock,
  createSampler,
  sampleFrames,
  sampleStill,
} from '../ways/frames/sample-frames.js';
import { isKept, type KeptMotions } from './kept-motions.js';
import { MEASURED_CONTACTS } from './measured-contacts.js';
import { contactsByOutside, flagsOf } from './outside/contact-flags.js';
import { placesByOutside } from './outside/places-by-outside.js';
import type { ComparedSide, SampledMotion } from './sampled-motion.js';

export type { ComparedSide, SampledMotion } from './sampled-motion.js';

/** Two minutes at 60 Hz; of longer clips the first two are compared. */
const MOST_COMPARED = 2 * 60 * CONTACT_RATE + 1;
/** Joints times instants: two minutes of 138 joints. Of bodies with more less time is compared, a second at least. */
const MOST_PLACES = 1_000_000;

/** A source clip and its result, sampled once for all measures. */
export type Comparison = {
  setup: Setup;
  source: ComparedSide;
  result: ComparedSide;
  /** The plainly copied motion on the target, see {@link PLAIN_PASSES}. Null where it could not be made. */
  copied: SampledMotion | null;
  count: number;
  /** The points that both bodies have, in the order of both sides' tracks. */
  points: readonly BodyPoint[];
};

/**
 * What a result is compared with: rotations and root alone, the twist of arms shared as the result's is. An upper arm
 * that gives of its twist hands the elbow a part of its own turns, so that a captured arm that rolls in fits and starts
 * would count as a forearm that does so by itself.
 */
export const PLAIN_PASSES = [copyRotations.name, moveRoot.name, spreadTwist.name, extractRoot.name];

/**
 * Samples a source clip and its result at 60 Hz and finds their contacts. The clips must hold numbers only.
 * @param every Of every so many instants, from the first on, turns are kept to the last bit; of none where it is 0.
 * @param kept What the measurement before left, and where this one leaves it to the next.
 */
export function compareMotions(
  setup: Setup,
  sourceClip: Clip,
  resultClip: Clip,
  every = 0,
  kept: KeptMotions | null = null,
): Comparison {
  const duration = Math.min(sourceClip.duration, resultClip.duration);
  const joints = Math.max(setup.source.skeleton.names.length, setup.target.skeleton.names.length);
  const most = Math.min(MOST_COMPARED, Math.max(CONTACT_RATE, Math.floor(MOST_PLACES / joints)));
  const count = duration > 0 ? Math.min(Math.floor(duration * CONTACT_RATE + 1e-3) + 1, most) : 1;
  const roles = addStandInHands(
    setup.source,
    setup.target,
    rolesOfMap(setup.map, setup.source),
    setup.sourceReference,
    setup.alignment.model,
  );
  const sourcePoints = bodyPoints(setup.source, roles.source);
  const resultPoints = bodyPoints(setup.target, roles.target);
  const both = sourcePoints.filter(({ name }) => resultPoints.some((point) => point.name === name));
  const inOrder = both.map(({ name }) => resultPoints.find((point) => point.name === name)!);
  const key = { setup, tracks: sourceClip.tracks, duration: sourceClip.duration, count, every };
  const known = kept && isKept(kept, key) ? kept : null;
  const outsides = pairSurfaces(
    bodySurfaces(setup.source, roles.source, setup.sourceReference),
    bodySurfaces(setup.target, roles.target, setup.alignment.model),
  );
  const source =
    known?.source ??
    compareSide(
      setup.source,
      roles.source,
      both,
      { clip: sourceClip, every, surfaces: outsides.source },
      count,
      findTreadmill,
    );
  const { horizontal } = setup.rootScales;
  const [vx, vz] = source.movingGround;
  // A result goes as fast on the spot as its own feet say, since other tools scale otherwise; else as they should. So
  // does one whose travel was taken out, as for a game that moves the character itself.
  const groundOf = (tracks: PointTracks): readonly [number, number] => {
    const stands = vx === 0 && vz === 0 && !travels(source.tracks);
    const found = stands ? source.movingGround : findTreadmill(tracks);
    return found[0] === 0 && found[1] === 0 ? [horizontal * vx, horizontal * vz] : found;
  };
  const stands = standingPose(setup, sourceClip, resultClip, false);
  const result = compareSide(
    setup.target,
    roles.target,
    inOrder,
    { clip: resultClip, stands, every, surfaces: outsides.result, ...(kept?.room && { room: kept.room }) },
    count,
    groundOf,
  );
  if (!known) source.offsets.set(standingOffsets(source.tracks));
  didWork(20 * count);
  const copied = known ? known.copied : copyPlainly(setup, sourceClip, count);
  if (kept) Object.assign(kept, { of: key, source, copied, room: result });
  return { setup, source, result, copied, count, points: inOrder };
}

/** The outsides that both bodies have, in one order. */
function pairSurfaces(
  ofSource: readonly BodySurface[],
  ofResult: readonly BodySurface[],
): { source: BodySurface[]; result: BodySurface[] } {
  const source = ofSource.filter(({ name }) => ofResult.some((surface) => surface.name === name));
  return { source, result: source.map(({ name }) => ofResult.find((surface) => surface.name === name)!) };
}

/** Whether the hips end elsewhere than they begin: by more than half of their height. */
function travels({ points, count, positions, hipHeight }: PointTracks): boolean {
  const hips = points.findIndex(({ name }) => name === 'hips');
  if (hips < 0 || count < 2) return false;
  const gone = (c: number) =>
    positions[3 * (points.length * (count - 1) + hips) + c]! - positions[3 * hips + c]!;
  return hypot(gone(0), gone(2)) > 0.5 * hipHeight;
}

/**
 * The pose over which a result is taken to play: its rest, and the aligned reference where the source's clip leaves a
 * joint alone, and so does the result (W25).
 * @param isWhole Whether the result moves the whole body: then what it has no track for is at its rest.
 */
export function standingPose(setup: Setup, sourceClip: Clip, resultClip: Clip, isWhole: boolean): Pose {
  const { map, source, target, alignment } = setup;
  // Clips are taken over whole where both bodies are one: what they leave alone rests on both.
  if (isWhole || isSameSkeleton(source.skeleton, target.skeleton)) return copyPose(target.skeleton.rest);
  const pose = copyPose(target.skeleton.rest);
  for (const joint of leftAlone(setup, sourceClip, resultClip, map.joints)) {
    for (let c = 4 * joint; c < 4 * joint + 4; c++) pose.rotations[c] = alignment.pose.rotations[c]!;
    for (let c = 3 * joint; c < 3 * joint + 3; c++) pose.translations[c] = alignment.pose.translations[c]!;
  }
  return pose;
}

/** The driven joints that neither the source's clip nor its result has keys for: they stand in the aligned reference. */
export function leftAlone(
  { source, target }: Setup,
  sourceClip: Clip,
  resultClip: Clip,
  pairs: readonly JointPair[],
): number[] {
  const written = trackedJoints(resultClip, target.skeleton.names.length);
  const unwritten = pairs.filter((pair) => !written[pair.target]);
  if (unwritten.length === 0) return [];
  const tracked = trackedJoints(sourceClip, source.skeleton.names.length);
  return unwritten.flatMap((pair) => (pair.sources.some((driver) => tracked[driver]) ? [] : [pair.target]));
}

function copyPlainly(setup: Setup, clip: Clip, count: number): SampledMotion | null {
  // A bake of a clip with absurd times is refused; then there is nothing to compare with.
  try {
    const shortened = { ...clip, duration: Math.min(clip.duration, MOST_COMPARED / CONTACT_RATE) };
    didWork(10 * setup.map.joints.length);
    const plain = retargetFrames(setup, shortened, PLAIN_PASSES, { frameRate: CONTACT_RATE }).clip;
    return sampleMotion(setup.target, { clip: plain }, count, [], new Float64Array(0));
  } catch (error) {
    if (error instanceof RetargetError || error instanceof UsageError) return null;
    throw error;
  }
}

function compareSide(
  rig: Rig,
  roles: RoleJoints,
  points: BodyPoint[],
  playing: Playing,
  count: number,
  groundOf: (tracks: PointTracks) => readonly [number, number],
): ComparedSide {
  const hipHeight = hipHeightOf(rig, roles);
  const floor = rig.floor.height;
  const positions = new Float64Array(3 * points.length * count);
  const motion = sampleMotion(rig, { ...playing, withSkin: true, hipHeight }, count, points, positions);
  const inSpace: PointTracks = { points, count, positions, hipHeight, floor };
  const movingGround = groundOf(inSpace);
  didWork(20 * count);
  const { surfaces = [] } = playing;
  const tracks = onMovingGround(inSpace, movingGround);
  const contacts = contactsOfTracks(tracks, MEASURED_CONTACTS);
  const { inContact, supports } = flagsOf(contacts, points, count);
  const byOutside = placesByOutside(positions, { rig, joints: roles, points, hipHeight, surfaces }, motion);
  const outside =
    byOutside === positions
      ? { tracks, inContact }
      : contactsByOutside(onMovingGround({ ...inSpace, positions: byOutside }, movingGround));
  const offsets = new Float64Array(points.length);
  return {
    ...motion,
    rig,
    roles,
    surfaces,
    hipHeight,
    floor,
    movingGround,
    places: positions,
    tracks,
    offsets,
    contacts,
    inContact,
    supports,
    outside,
  };
}

/**
 * A clip on a body: over which pose it plays, its rest if left out, whether its skin is looked at, of every how many
 * instants turns are kept to the last bit, and a motion that is done with, whose room is taken where it fits.
 */
type Playing = {
  clip: Clip;
  stands?: Pose;
  withSkin?: boolean;
  every?: number;
  room?: SampledMotion;
  surfaces?: readonly BodySurface[];
  hipHeight?: number;
};

/** Surfaces that are higher than this over the floor, in hip heights, are not looked at point by point. */
const FAR_UP = 0.2;

function sampleMotion(
  rig: Rig,
  {
    clip,
    stands = rig.skeleton.rest,
    withSkin = false,
    every = 0,
    room,
    surfaces = [],
    hipHeight = 0,
  }: Playing,
  count: number,
  points: readonly BodyPoint[],
  places: Float64Array,
): SampledMotion {
  const { skeleton } = rig;
  const joints = skeleton.names.length;
  // All of it is written below, whatever it held.
  const isRoom = room?.joints === joints && room.count === count;
  const positions = isRoom ? room.positions : new Float64Array(3 * joints * count);
  const rotations = isRoom ? room.rotations : new Float32Array(4 * joints * count);
  const exact = every > 0 ? 4 * joints * Math.ceil(count / every) : 0;
  const exactRotations =
    isRoom && room.exactRotations.length === exact ? room.exactRotations : new Float64Array(exact);
  const offsets = offsetsOf(points);
  const skin = withSkin ? skinOf(rig) : null;
  const skinHeights = new Float64Array(skin ? count : 0);
  const level = skin
    ? Math.min(rig.floor.height, lowestOf(skin, modelPoseOf(skeleton, rig.reference.pose)))
    : 0;
  const surfaceHeights = new Float64Array(surfaces.length * count);
  const farUp = rig.floor.height + FAR_UP * hipHeight;
  const model = createModelPose(joints);
  const times = Float64Array.from({ length: count }, (_, k) => k / CONTACT_RATE);
  const sampler = createSampler(clip.tracks, times);
  const block = createPoseBlock(stands, BLOCK);
  sampleStill(sampler, block);
  for (let k = 0; k < count; k++) {
    if (k % BLOCK === 0) sampleFrames(sampler, block, k, Math.min(BLOCK, count - k));
    localToModel(model, skeleton, block.frames[k % BLOCK]!.source);
    storeModel(positions, rotations, joints * k, model);
    if (every > 0 && k % every === 0) exactRotations.set(model.rotations, (4 * joints * k) / every);
    placePoints(places, 3 * points.length * k, points, offsets, model);
    if (skin) skinHeights[k] = lowestOf(skin, model) - level;
    for (let n = 0, o = surfaces.length * k; n < surfaces.length; n++, o++) {
      lowestOfSurface(surfaceHeights, o, surfaces[n]!, model.matrices, farUp);
      surfaceHeights[o] = surfaceHeights[o]! - rig.floor.height;
    }
    didWork(joints);
  }
  return { count, joints, positions, rotations, exactRotations, skinHeights, surfaceHeights };
}

/** Puts the places and turns of all joints behind one another, from a joint of an instant on. */
function storeModel(
  positions: Float64Array,
  rotations: Float32Array,
  first: number,
  { matrices, rotations: turns }: ModelPose,
): void {
  for (let m = 12, p = 3 * first; m < matrices.length; m += 16, p += 3) {
    positions[p] = matrices[m]!;
    positions[p + 1] = matrices[m + 1]!;
    positions[p + 2] = matrices[m + 2]!;
  }
  for (let i = 0, o = 4 * first; i < turns.length; i++, o++) rotations[o] = turns[i]!;
}

/** Skin by joint: its points, how far the farthest is from the joint, and which was the lowest when last looked at. */
type Skin = { joints: number[]; hulls: Float32Array[]; radii: number[]; lowest: number };

/** The skin of the joints that play a role, and of what hangs below feet and hands: no capes, no weapons. */
function skinOf({ skeleton, joints: roles }: Rig): Skin | null {
  if (!skeleton.hulls) return null;
  const body = new Set(Object.values(roles));
  const joints: number[] = [];
  const hulls: Float32Array[] = [];
  const radii: number[] = [];
  skeleton.hulls.forEach((hull, joint) => {
    if (!hull || !body.has(joint)) return;
    joints.push(joint);
    hulls.push(hull);
    let most = 0;
    for (let i = 0; i < hull.length; i += 3)
      most = Math.max(most, hypot(hull[i]!, hull[i + 1]!, hull[i + 2]!));
    radii.push(most);
  });
  return joints.length > 0 ? { joints, hulls, radii, lowest: 0 } : null;
}

function lowestOf(skin: Skin, { matrices }: ModelPose): number {
  const { joints, hulls, radii } = skin;
  const first = skin.lowest;
  let lowest = Number.POSITIVE_INFINITY;
  // What was the lowest is so again, mostly: looked at first, it leaves little to look at.
  for (let e = -1; e < joints.length; e++) {
    const n = e < 0 ? first : e;
    if (e === first) continue;
    const m = 16 * joints[n]!;
    const ux = matrices[m + 1]!;
    const uy = matrices[m + 5]!;
    const uz = matrices[m + 9]!;
    const height = matrices[m + 13]!;
    // No point is lower than the joint by more than the farthest is away: most of a body need not be looked at.
    const depth = 1.000001 * radii[n]! * Math.sqrt(ux * ux + uy * uy + uz * uz);
    if (height - depth > lowest + 1e-9) continue;
    const hull = hulls[n]!;
    for (let i = 0; i < hull.length; i += 3) {
      const y = ux * hull[i]! + uy * hull[i + 1]! + uz * hull[i + 2]! + height;
      if (!(y < lowest)) continue;
      lowest = y;
      skin.lowest = n;
    }
  }
  return lowest;
}
