import { hypot } from '../base/math/functions.js';
import { conjugateQuaternion, rotateVector, shortestArc } from '../base/math/quaternion.js';
import { vectorAngle, vectorAt } from '../base/math/vector.js';
import { createMemory, remember } from '../base/remember.js';
import { limbBones } from '../map/limb-bones.js';
import { driverOf } from '../map/rig-map.js';
import { type Channel, type Clip, sampleClip } from '../scene/clip.js';
import { copyPose, type Pose } from '../scene/pose.js';
import type { Skeleton } from '../scene/skeleton.js';
import { isStill } from '../scene/still-track.js';
import { rolesOfMap } from './align-references.js';
import type { AlignedPair } from './aligned-pair.js';

/** Bones that point less than this otherwise than in the reference are left alone: half of what is promised. */
const LEAST_BEND = (0.05 * Math.PI) / 180;
/** At so many instants a clip is looked at. */
const BEND_LOOKS = 64;

/**
 * A bone of the source that does not point, seen from its own joint, where the reference has it: the next
 * joint is moved by translation keys, or a joint between the two turns. The driver's rotation alone then says
 * nothing true about the direction.
 */
export type BendingBone = {
  /** The target joint whose direction is at stake. */
  target: number;
  /** The source joint it starts from. */
  start: number;
  /** The joints from below the start to the end, topmost first. */
  toEnd: Int32Array;
  /** The joints from below the start to the driver, topmost first: none where the driver is the start. */
  toDriver: Int32Array;
  /** Where the bone points in the reference, in the axes of the driver. */
  reference: Float64Array;
};

/** The bones that would show it if one bent, and the channels of joints that could bend one. */
type BendableBones = {
  bones: readonly BendingBone[];
  needed: Record<Channel, ReadonlySet<number>>;
  watch: BendWatch;
};

/** By alignment: asked for with every clip of a setup. */
const listed = createMemory<Pick<AlignedPair, 'map' | 'source'>, BendableBones>();

/** The bones of arms, hands and fingers whose directions are the source's, and that would show it if one bent. */
export function listBendableBones(setup: AlignedPair): readonly BendingBone[] {
  return knownBendableBones(setup).bones;
}

function knownBendableBones(setup: AlignedPair): BendableBones {
  const { source, map, alignment } = setup;
  return remember(listed, alignment, { map, source }, () => {
    const bones = findBendableBones(setup);
    return { bones, needed: channelsThatBend(bones), watch: watchBones(setup, bones) };
  });
}

function findBendableBones({ source, map, alignment }: AlignedPair): BendingBone[] {
  const roles = rolesOfMap(map, source);
  const drivers = new Map(map.joints.map((pair) => [pair.target, driverOf(pair)]));
  const bones: BendingBone[] = [];
  for (const { limb, source: ends, target } of limbBones(roles.source, roles.target)) {
    if (alignment.limbs[limb]?.mode !== 'bones') continue;
    const toEnd = pathBelow(source.skeleton, ends[0], ends[1]);
    const toDriver = pathBelow(source.skeleton, ends[0], drivers.get(target[0])!);
    if (!toEnd || !toDriver) continue;
    const bone = { target: target[0], start: ends[0], toEnd, toDriver, reference: new Float64Array(3) };
    boneVector(bone.reference, bone, source.reference.pose);
    if (bone.reference.some((x) => Math.abs(x) > 1e-12)) bones.push(bone);
  }
  return bones;
}

/** The bones of arms, hands and fingers that bend in a clip. None in nearly all files. */
export function findBendingBones(setup: AlignedPair, clip: Clip): BendingBone[] {
  const { source } = setup;
  const { bones, needed, watch } = knownBendableBones(setup);
  const tracks = clip.tracks.filter(
    ({ channel, joint, times }) => times.length > 0 && needed[channel].has(joint),
  );
  // In the rest pose, which is the reference then, none does.
  if (bones.length === 0 || (tracks.length === 0 && source.reference.kind === 'rest')) return [];
  const bending = new Set<BendingBone>();
  const pose = copyPose(source.skeleton.rest);
  const now = new Float64Array(3);
  const moving = { ...clip, tracks: tracks.filter((track) => !isStill(track)) };
  sampleClip(pose, { ...clip, tracks }, 0);
  // In most files these tracks stand still, and where the reference has them: then one look shows all.
  const looks = moving.tracks.length > 0 ? BEND_LOOKS : 1;
  if (looks === 1 && !bendsIn(watch, pose)) return [];
  for (let k = 0; k < looks; k++) {
    if (k > 0) sampleClip(pose, moving, (clip.duration * k) / (BEND_LOOKS - 1));
    for (const bone of bones) {
      boneVector(now, bone, pose);
      if (vectorAngle(vectorAt(now, 0), vectorAt(bone.reference, 0)) > LEAST_BEND) bending.add(bone);
    }
  }
  return [...bending];
}

/** The channels of joints that a bone's direction in the axes of its driver depends on; see {@link boneVector}. */
function channelsThatBend(bones: readonly BendingBone[]): BendableBones['needed'] {
  const needed = { translation: new Set<number>(), rotation: new Set<number>(), scale: new Set<number>() };
  for (const { start, toEnd, toDriver } of bones) {
    needed.scale.add(start);
    toEnd.forEach((joint, n) => {
      needed.translation.add(joint);
      if (n === toEnd.length - 1) return;
      needed.rotation.add(joint);
      needed.scale.add(joint);
    });
    for (const joint of toDriver) needed.rotation.add(joint);
  }
  return needed;
}

/** The joints from below `top` down to `joint`, topmost first; null where `joint` is not below. */
function pathBelow({ parents }: Skeleton, top: number, joint: number): Int32Array | null {
  const path: number[] = [];
  for (let at = joint; at !== top; at = parents[at]!) {
    if (at < 0) return null;
    path.push(at);
  }
  return Int32Array.from(path.reverse());
}

const turn = new Float64Array(4);

/** out = from a bone's start to its end, in the axes of its driver. */
function boneVector(out: Float64Array, { start, toEnd, toDriver }: BendingBone, pose: Pose): void {
  out.fill(0);
  for (let n = toEnd.length - 1; n >= 0; n--) {
    const joint = toEnd[n]!;
    if (n < toEnd.length - 1) {
      for (let c = 0; c < 3; c++) out[c] = out[c]! * pose.scales[3 * joint + c]!;
      rotateVector(out, 0, pose.rotations, 4 * joint, out, 0);
    }
    for (let c = 0; c < 3; c++) out[c] = out[c]! + pose.translations[3 * joint + c]!;
  }
  // The signs of its own scale are in the model rotation of the start already.
  for (let c = 0; c < 3; c++) out[c] = out[c]! * Math.abs(pose.scales[3 * start + c]!);
  for (let n = 0; n < toDriver.length; n++) {
    conjugateQuaternion(turn, 0, pose.rotations, 4 * toDriver[n]!);
    rotateVector(out, 0, turn, 0, out, 0);
  }
}

const vector = new Float64Array(3);

/**
 * out = W, the smallest turn in the axes of the bone's driver that takes its reference direction to where it
 * points in a pose: G · W in place of G makes the driven bone point where the source's really does.
 */
export function boneBend(out: Float64Array, o: number, bone: BendingBone, pose: Pose): void {
  boneVector(vector, bone, pose);
  shortestArc(out, o, bone.reference, 0, vector, 0);
}

/** What a pose must hold for no bone of a list to bend, flat, so that looking costs next to nothing. */
export type BendWatch = {
  /** Joints whose translations, rotations and scales matter. */
  moved: Int32Array;
  turned: Int32Array;
  scaled: Int32Array;
  reference: Pose;
  /** How far a translation may be off, per joint of `moved`, in the file's unit. */
  tolerances: Float64Array;
};

/**
 * A bone that is off by less than a ten-thousandth of its length, 0.006 degrees, does not bend: that much real
 * exporters lose (Biped's FBX 3e-5), and no one sees it come and go.
 */
const SAME_PLACE = 1e-4;

/** Prepares {@link bendsIn} for a list of bones. */
export function watchBones({ source }: AlignedPair, bones: readonly BendingBone[]): BendWatch {
  const moved = new Map<number, number>();
  const turned = new Set<number>();
  const scaled = new Set<number>();
  for (const { start, toEnd, toDriver, reference } of bones) {
    const length = hypot(reference[0]!, reference[1]!, reference[2]!);
    scaled.add(start);
    toEnd.forEach((joint, n) => {
      moved.set(joint, Math.min(moved.get(joint) ?? Number.POSITIVE_INFINITY, SAME_PLACE * length));
      if (n === toEnd.length - 1) return;
      turned.add(joint);
      scaled.add(joint);
    });
    for (const joint of toDriver) turned.add(joint);
  }
  return {
    moved: Int32Array.from(moved.keys()),
    turned: Int32Array.from(turned),
    scaled: Int32Array.from(scaled),
    reference: source.reference.pose,
    tolerances: Float64Array.from(moved.values()),
  };
}

/** Whether some of the bones watched may bend in a pose. */
export function bendsIn({ moved, turned, scaled, reference, tolerances }: BendWatch, pose: Pose): boolean {
  for (let n = 0; n < moved.length; n++) {
    const i = 3 * moved[n]!;
    const tolerance = tolerances[n]!;
    for (let c = i; c < i + 3; c++)
      if (!(Math.abs(pose.translations[c]! - reference.translations[c]!) <= tolerance)) return true;
  }
  for (let n = 0; n < turned.length; n++) {
    const i = 4 * turned[n]!;
    for (let c = i; c < i + 4; c++)
      if (!(Math.abs(pose.rotations[c]! - reference.rotations[c]!) <= SAME_PLACE)) return true;
  }
  for (let n = 0; n < scaled.length; n++) {
    const i = 3 * scaled[n]!;
    for (let c = i; c < i + 3; c++)
      if (!(Math.abs(pose.scales[c]! - reference.scales[c]!) <= SAME_PLACE)) return true;
  }
  return false;
}
