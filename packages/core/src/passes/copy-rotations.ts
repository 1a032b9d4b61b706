import {
  type BendingBone,
  bendsIn,
  boneBend,
  findBendingBones,
  listBendableBones,
  watchBones,
} from '../align/bending-bones.js';
import {
  drivenJoints,
  driverConstant,
  drivingJoints,
  turnMatrix,
  undoCarrier,
} from '../align/driver-constants.js';
import { findPointedBones, type PointedBone, pointBone } from '../align/imitation.js';
import { conjugateQuaternion, multiplyQuaternions, slerpQuaternions } from '../base/math/quaternion.js';
import { carrierOf, driverOf, type JointPair } from '../map/rig-map.js';
import { createModelPose, localToModel, type ModelPose, signRotation } from '../scene/pose.js';
import type { Skeleton } from '../scene/skeleton.js';
import { bindStep, definePass, type Frame, type Run, type Setup } from './pass.js';

/**
 * Turns each mapped joint in model space as its driver turned, counted from the aligned references:
 *
 *   G_t = (G_s · R_s⁻¹) · A_t = G_s · K,   K = R_s⁻¹ · A_t   (constant)
 *   L_t = G_parent(t)⁻¹ · G_t
 *
 * with G the animated and R the reference rotation of the source, A the aligned reference rotation of the
 * target, all in model space. This is eq. 3 of Körner et al. with the rest poses made comparable first; for
 * contiguous one-to-one maps it is the constant change of basis of Wicked Engine and Babylon.js (X1, X2),
 * but it does not lose an animated joint between two mapped ones (X3), since G_s holds it.
 *
 * Joints without a driver keep their reference relative to their parent. A joint that shares a turn lies
 * on the arc between two such rotations: slerp(Δ_a·A, Δ_b·A) = slerp(Δ_a, Δ_b)·A, as turning from the right
 * keeps distances.
 */
export const copyRotations = definePass<'copyRotations', TurnsSetup, BendingBone[]>({
  name: 'copyRotations',
  summary: 'turns each mapped joint in model space as its driver turned, from the aligned references',
  options: ['mode', 'restPosture', 'alignment', 'imitation', 'root.copyRotation', 'checkHierarchy'],
  byKeys: true,
  restsOnOwnBody: true,
  standsAlone: true,
  readsDrivers: true,
  compile: ({ pair, imitation, options: { restPosture } }) => ({
    pointed: findPointedBones(
      pair.target,
      pair.map,
      pair.alignment,
      imitation,
      restPosture === 'kept' ? pair.sourceReference : null,
    ),
  }),
  needsFrames: ({ pointed }) => (pointed.length > 0 ? 'bones are pointed frame by frame' : null),
  writes: (_, { setup: { map, alignment } }) => ({
    turns: map.joints.map(({ target }) => target),
    moves: alignment.placed.map(({ joint }) => joint),
  }),
  plan: (_, { setup, clip }) => findBendingBones(setup, clip),
  prepare(data, { setup, plan: clipPlan, found, place }) {
    const keyed = clipPlan?.keyed ?? null;
    const turnsFor = (bones: readonly BendingBone[]) => planTurns(setup, data, bones, keyed);
    if (clipPlan !== null) return bindStep(turnAndPlace, { turns: turnsFor(found ?? []), place });
    // Without a clip each pose tells whether bones bend; most never do, and the plan without them is quicker.
    const bones = listBendableBones(setup);
    const plain = turnsFor([]);
    const bending = bones.length > 0 ? turnsFor(bones) : plain;
    const watch = watchBones(setup, bones);
    return (frame) => {
      turnFrame(frame, bendsIn(watch, frame.source) ? bending : plain);
      place?.(frame);
    };
  },
});

/** What turning needs beside the pair itself. */
export type TurnsSetup = {
  /** Bones that are pointed where the source's are; see `ImitationMode`. */
  pointed: PointedBone[];
};

type TurnPlan = { source: SourcePlan; target: TargetPlan };

function planTurns(
  setup: Setup,
  data: TurnsSetup,
  bending: readonly BendingBone[],
  keyed: ReadonlySet<number> | null,
): TurnPlan {
  const target = planTarget(setup, data, bending, keyed);
  return { target, source: planSource(setup.source.skeleton, target.sources) };
}

function turnAndPlace({ turns, place }: { turns: TurnPlan; place: Run['place'] }, frame: Frame): void {
  turnFrame(frame, turns);
  place?.(frame);
}

function turnFrame(frame: Frame, { source, target }: TurnPlan): void {
  turnSource(frame.sourceModelRotations, source, frame.source.rotations);
  if (target.points !== null) localToModel(target.points.model, target.points.skeleton, frame.source);
  turnTarget(frame, target);
  turnLocally(frame.target.rotations, frame.source.rotations, target.local);
}

const scratch = new Float64Array(8);

/*
 * The products of the two loops below are written out: as calls they are too many for the compiler to
 * inline, which was measured to cost as much again as the loops themselves.
 */

function turnTarget(frame: Frame, plan: TargetPlan): void {
  const { places, parents, drivers, constants, shares, bends, points, signs } = plan;
  const G = frame.sourceModelRotations;
  const T = frame.targetModelRotations;
  const L = frame.target.rotations;
  for (let k = 0; k < places.length; k++) {
    const o = places[k]!;
    const p = parents[k]!;
    const s = drivers[k]!;
    const c = k << 2;
    if (s < 0) {
      // Not driven: follows its parent as in the reference.
      multiplyQuaternions(T, o, T, p, L, o);
      if (signs !== null) multiplyQuaternions(T, o, T, o, signs, o);
      continue;
    }
    // T = G · K
    const gx = G[s]!;
    const gy = G[s + 1]!;
    const gz = G[s + 2]!;
    const gw = G[s + 3]!;
    const kx = constants[c]!;
    const ky = constants[c + 1]!;
    const kz = constants[c + 2]!;
    const kw = constants[c + 3]!;
    let x = gw * kx + gx * kw + gy * kz - gz * ky;
    let y = gw * ky - gx * kz + gy * kw + gz * kx;
    let z = gw * kz + gx * ky - gy * kx + gz * kw;
    let w = gw * kw - gx * kx - gy * ky - gz * kz;
    T[o] = x;
    T[o + 1] = y;
    T[o + 2] = z;
    T[o + 3] = w;
    if (bends !== null || shares !== null || points !== null) {
      const bone = bends === null ? null : bends[k]!;
      if (bone !== null) {
        boneBend(scratch, 0, bone, frame.source);
        multiplyQuaternions(scratch, 0, G, s, scratch, 0);
        multiplyQuaternions(T, o, scratch, 0, constants, c);
      }
      if (shares !== null && shares.froms[k]! >= 0) shareTurn(T, o, G, shares, k);
      if (points !== null && points.bones[k] !== null) {
        pointBone(scratch, 0, points.bones[k]!, T, o, points.model);
        multiplyQuaternions(T, o, scratch, 0, T, o);
      }
      x = T[o]!;
      y = T[o + 1]!;
      z = T[o + 2]!;
      w = T[o + 3]!;
    }
    // L = parent⁻¹ · T
    const px = -T[p]!;
    const py = -T[p + 1]!;
    const pz = -T[p + 2]!;
    const pw = T[p + 3]!;
    L[o] = pw * x + px * w + py * z - pz * y;
    L[o + 1] = pw * y - px * z + py * w + pz * x;
    L[o + 2] = pw * z + px * y - py * x + pz * w;
    L[o + 3] = pw * w - px * x - py * y - pz * z;
    if (signs !== null) {
      conjugateQuaternion(scratch, 0, signs, o);
      multiplyQuaternions(L, o, L, o, scratch, 0);
    }
  }
}

/** Puts T on the arc between the turn that sharing starts from and its own. */
function shareTurn(
  T: Float64Array,
  o: number,
  G: Float64Array,
  shares: NonNullable<TargetPlan['shares']>,
  k: number,
): void {
  multiplyQuaternions(scratch, 0, G, shares.froms[k]!, shares.constants, 4 * k);
  slerpQuaternions(T, o, scratch, 0, T, o, shares.weights[k]!);
}

/** L = pre · q · post for joints that need no model rotations, as the 4×4 matrix that this is. */
function turnLocally(
  L: Float64Array,
  Q: Float64Array,
  { places, drivers, matrices }: TargetPlan['local'],
): void {
  for (let k = 0; k < places.length; k++) {
    const o = places[k]!;
    const s = drivers[k]!;
    const m = k << 4;
    const x = Q[s]!;
    const y = Q[s + 1]!;
    const z = Q[s + 2]!;
    const w = Q[s + 3]!;
    L[o] = matrices[m]! * x + matrices[m + 4]! * y + matrices[m + 8]! * z + matrices[m + 12]! * w;
    L[o + 1] = matrices[m + 1]! * x + matrices[m + 5]! * y + matrices[m + 9]! * z + matrices[m + 13]! * w;
    L[o + 2] = matrices[m + 2]! * x + matrices[m + 6]! * y + matrices[m + 10]! * z + matrices[m + 14]! * w;
    L[o + 3] = matrices[m + 3]! * x + matrices[m + 7]! * y + matrices[m + 11]! * z + matrices[m + 15]! * w;
  }
}

type SourcePlan = {
  /** Where the rotations of the source joints to turn stand, parents first: the needed ones and all above them. */
  places: Int32Array;
  /** Where the parent of each stands; for a root behind the last joint, where the container's rotation is. */
  parents: Int32Array;
  signs: Float64Array | null;
};

function parentPlaces(skeleton: Skeleton, joints: Int32Array): Int32Array {
  return joints.map(
    (joint) => 4 * (skeleton.parents[joint]! < 0 ? skeleton.names.length : skeleton.parents[joint]!),
  );
}

function planSource(skeleton: Skeleton, needed: number[]): SourcePlan {
  const marked = new Set<number>();
  for (const joint of needed)
    for (let at = joint; at >= 0 && !marked.has(at); at = skeleton.parents[at]!) marked.add(at);
  const joints = Int32Array.from([...marked].sort((a, b) => a - b));
  return {
    places: joints.map((joint) => 4 * joint),
    parents: parentPlaces(skeleton, joints),
    signs: signsOf(joints, skeleton.rest.scales),
  };
}

/** Sign rotations at the places of some joints where a scale of theirs is negative; null, the usual case, where none is. */
function signsOf(joints: Iterable<number>, scales: Float64Array): Float64Array | null {
  const signs = new Float64Array((4 * scales.length) / 3);
  let any = false;
  for (const i of joints) any = signRotation(signs, 4 * i, scales, 3 * i) || any;
  return any ? signs : null;
}

function turnSource(G: Float64Array, plan: SourcePlan, locals: Float64Array): void {
  const { places, parents, signs } = plan;
  for (let k = 0; k < places.length; k++) {
    const i = places[k]!;
    const p = parents[k]!;
    // G = parent · local
    const px = G[p]!;
    const py = G[p + 1]!;
    const pz = G[p + 2]!;
    const pw = G[p + 3]!;
    const x = locals[i]!;
    const y = locals[i + 1]!;
    const z = locals[i + 2]!;
    const w = locals[i + 3]!;
    G[i] = pw * x + px * w + py * z - pz * y;
    G[i + 1] = pw * y - px * z + py * w + pz * x;
    G[i + 2] = pw * z + px * y - py * x + pz * w;
    G[i + 3] = pw * w - px * x - py * y - pz * z;
    if (signs !== null) multiplyQuaternions(G, i, G, i, signs, i);
  }
}

type TargetPlan = {
  /** Where the rotations of the target joints to turn in model space stand, parents first. */
  places: Int32Array;
  parents: Int32Array;
  /** Where the driver of each stands, or −1. */
  drivers: Int32Array;
  /** K of each. */
  constants: Float64Array;
  /** Where some joint shares a turn: where what sharing starts from stands, or −1, with its K and weight. */
  shares: { froms: Int32Array; constants: Float64Array; weights: Float64Array } | null;
  /** Where some bone of the source bends in the clip: that bone, or null, for each joint. */
  bends: (BendingBone | null)[] | null;
  /** Where some bone is pointed where the source's is: that bone, or null, for each joint; with room for the source. */
  points: { bones: (PointedBone | null)[]; model: ModelPose; skeleton: Skeleton } | null;
  signs: Float64Array | null;
  /** Joints whose local rotation follows from their driver's alone: their places, their drivers' and matrices. */
  local: { places: Int32Array; drivers: Int32Array; matrices: Float64Array };
  /** The source joints whose model rotations are needed. */
  sources: number[];
};

/**
 * Sorts the driven joints into two kinds. Where a joint hangs on a carrier as its driver hangs on the
 * carrier's driver, what is above cancels: L_t = (K_a·U)⁻¹ · G_a⁻¹ · G_s · K_t = pre · q_s · post, and nothing
 * need be known in model space. That is most of a body: all but the joints where two rigs are built
 * differently. The rest, and what they hang on, are turned in model space.
 */
function planTarget(
  setup: Setup,
  data: TurnsSetup,
  bent: readonly BendingBone[],
  keyed: ReadonlySet<number> | null,
): TargetPlan {
  const { source, target, map, alignment, travel } = setup;
  const { parents } = target.skeleton;
  const pairs = new Map(map.joints.map((pair) => [pair.target, pair]));
  const signs = signsOf(drivenJoints(setup), alignment.pose.scales);
  const sourceSigns = signsOf(drivingJoints(setup), source.skeleton.rest.scales);
  const pointed = new Map(data.pointed.map((bone) => [bone.target, bone]));
  const bending = new Map(bent.map((bone) => [bone.target, bone]));
  for (const joint of pointed.keys()) bending.delete(joint);
  const isFree = (joint: number) => bending.has(joint) || pointed.has(joint);
  const inModelSpace = new Set<number>();
  const local: { pair: JointPair; matrix: Float64Array }[] = [];
  for (const pair of map.joints) {
    // What hangs on it asks for it.
    if (keyed?.has(pair.target)) continue;
    const carrier = carrierOf(setup, pairs, pair.target);
    const driver = driverOf(pair);
    const follows =
      carrier &&
      !carrier.share &&
      !isFree(carrier.target) &&
      source.skeleton.parents[driver] === driverOf(carrier);
    if (follows && !pair.share && !isFree(pair.target) && signs === null && sourceSigns === null) {
      const matrix = turnMatrix(
        undoCarrier(setup, carrier, pair.target),
        driverConstant(setup, driver, pair.target),
      );
      local.push({ pair, matrix });
      continue;
    }
    inModelSpace.add(pair.target);
    // Its parent must be known too: up to the carrier, which is known by its driver, or to the root.
    for (let at = parents[pair.target]!; at >= 0; at = parents[at]!) {
      inModelSpace.add(at);
      if (at === carrier?.target) break;
    }
  }
  // What travels is known in model space, be it turned or not.
  if (travel && !pairs.has(travel.target))
    for (let at = travel.target; at >= 0; at = parents[at]!) inModelSpace.add(at);
  const joints = Int32Array.from([...inModelSpace].sort((a, b) => a - b));
  const plan: TargetPlan = {
    places: joints.map((joint) => 4 * joint),
    parents: parentPlaces(target.skeleton, joints),
    drivers: new Int32Array(joints.length).fill(-1),
    constants: new Float64Array(4 * joints.length),
    shares: map.joints.some(({ share }) => share)
      ? {
          froms: new Int32Array(joints.length).fill(-1),
          constants: new Float64Array(4 * joints.length),
          weights: new Float64Array(joints.length),
        }
      : null,
    bends: bending.size > 0 ? Array.from(joints, (joint) => bending.get(joint) ?? null) : null,
    points:
      pointed.size > 0
        ? {
            bones: Array.from(joints, (joint) => pointed.get(joint) ?? null),
            model: createModelPose(source.skeleton.names.length),
            skeleton: source.skeleton,
          }
        : null,
    signs,
    local: {
      places: Int32Array.from(local, ({ pair }) => 4 * pair.target),
      drivers: Int32Array.from(local, ({ pair }) => 4 * driverOf(pair)),
      matrices: new Float64Array(16 * local.length),
    },
    sources: travel ? [travel.source] : [],
  };
  local.forEach(({ matrix }, k) => {
    plan.local.matrices.set(matrix, 16 * k);
  });
  joints.forEach((joint, k) => {
    const pair = pairs.get(joint);
    if (!pair) return;
    const driver = driverOf(pair);
    plan.drivers[k] = 4 * driver;
    plan.constants.set(driverConstant(setup, driver, joint), 4 * k);
    plan.sources.push(driver);
    if (!pair.share || !plan.shares) return;
    plan.shares.froms[k] = 4 * pair.share.from;
    plan.shares.weights[k] = pair.share.weight;
    plan.shares.constants.set(driverConstant(setup, pair.share.from, joint), 4 * k);
    plan.sources.push(pair.share.from);
  });
  return plan;
}
