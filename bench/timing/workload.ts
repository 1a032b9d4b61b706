import {
  type Clip,
  conjugateQuaternion,
  createSkeleton,
  divideQuaternions,
  modelPoseOf,
  multiplyQuaternions,
  quaternionFromAxisAngle,
  type RigMap,
  type Role,
  rotateVector,
  type Skeleton,
  shortestArc,
  type Track,
} from '@stuntdouble/core/engine';

/** How large a workload is. */
export type WorkloadSize = {
  /** At least 20 (a body without fingers); 65 is a whole Mixamo body; above that, strands of hair. */
  joints: number;
  frames: number;
  /** Frames per second. */
  frameRate: number;
};

/** The bake that QUALITY.md speaks of: 65 joints, 1,800 frames. */
export const BAKE: Readonly<WorkloadSize> = { joints: 65, frames: 1800, frameRate: 60 };

/**
 * One bake: a clip on one body, and another body of the same topology with other names, axes and proportions.
 * Joint i of the source drives joint i of the target, and both stand in a T-pose with the same limb
 * directions, so that the right answer is simple: every joint turns in model space as its driver does.
 */
export type Workload = {
  size: WorkloadSize;
  /** Mixamo's names, +Y along the bones, metres. */
  source: Skeleton;
  /** Unreal's names, +X along the bones and rolled, longer arms, shorter legs, metres. */
  target: Skeleton;
  map: RigMap;
  /** The joint of the hips, on both sides. */
  hips: number;
  /** The joint of the left foot, on both sides. */
  foot: number;
  /** Linear keys on every frame: rotations of all joints, translation of the hips. */
  clip: Clip;
  /** Seconds, one per frame; the clip's tracks share it. */
  times: Float32Array;
  /** The clip's rotations, flat: xyzw per frame per joint, joint after joint. The tracks are views of it. */
  rotations: Float32Array;
  /** The clip's hip translations, flat: xyz per frame. */
  translations: Float32Array;
  /** Length of the target's legs over the source's. */
  rootScale: number;
};

/** A joint of the body in model space: its place from its parent, in metres, in T-pose. */
type BodyJoint = {
  name: string;
  targetName: string;
  role: Role | null;
  parent: string | null;
  offset: readonly [number, number, number];
  limb: keyof typeof PROPORTIONS;
};

/** How much longer than the source's the target's bones are. */
const PROPORTIONS = { torso: 0.95, arm: 1.15, hand: 0.9, leg: 0.8, strand: 1.2 };

const FINGERS = [
  { name: 'Thumb', targetName: 'thumb', role: 'Thumb', root: [0.03, -0.01, 0.03], step: [0.03, 0, 0.02] },
  { name: 'Index', targetName: 'index', role: 'Index', root: [0.09, 0, 0.03], step: [0.035, 0, 0] },
  { name: 'Middle', targetName: 'middle', role: 'Middle', root: [0.095, 0, 0.01], step: [0.038, 0, 0] },
  { name: 'Ring', targetName: 'ring', role: 'Ring', root: [0.09, 0, -0.01], step: [0.035, 0, 0] },
  { name: 'Pinky', targetName: 'pinky', role: 'Little', root: [0.08, 0, -0.03], step: [0.028, 0, 0] },
] as const;

const THUMB_PARTS = ['Metacarpal', 'Proximal', 'Distal'] as const;
const FINGER_PARTS = ['Proximal', 'Intermediate', 'Distal'] as const;

/** The joints of a body, those without which it is none first, so that a smaller body is a first part of it. */
function bodyJoints(count: number): BodyJoint[] {
  if (!(count >= 20)) throw new Error(`a body of ${count} joints is asked for; 20 is the least`);
  const needed: BodyJoint[] = [];
  const fingers: BodyJoint[] = [];
  const ends: BodyJoint[] = [];
  const add = (
    list: BodyJoint[],
    limb: BodyJoint['limb'],
    name: string,
    targetName: string,
    role: Role | null,
    parent: string | null,
    offset: readonly [number, number, number],
  ) => list.push({ name: `mixamorig${name}`, targetName, role, parent, offset, limb });
  const torso = (name: string, targetName: string, role: Role, parent: string | null, y: number) =>
    add(needed, 'torso', name, targetName, role, parent, [0, y, 0]);
  torso('Hips', 'pelvis', 'hips', null, 0.98);
  torso('Spine', 'spine_01', 'spine', 'mixamorigHips', 0.1);
  torso('Spine1', 'spine_02', 'chest', 'mixamorigSpine', 0.12);
  torso('Spine2', 'spine_03', 'upperChest', 'mixamorigSpine1', 0.13);
  torso('Neck', 'neck_01', 'neck', 'mixamorigSpine2', 0.15);
  torso('Head', 'head', 'head', 'mixamorigNeck', 0.1);
  add(ends, 'torso', 'HeadTop_End', 'head_end', null, 'mixamorigHead', [0, 0.18, 0]);
  for (const [side, suffix, sign] of [
    ['Left', 'l', 1],
    ['Right', 'r', -1],
  ] as const) {
    const role = side === 'Left' ? 'left' : 'right';
    const at = `mixamorig${side}`;
    const on = ([x, y, z]: readonly [number, number, number]): [number, number, number] => [sign * x, y, z];
    add(
      needed,
      'torso',
      `${side}Shoulder`,
      `clavicle_${suffix}`,
      `${role}Shoulder`,
      'mixamorigSpine2',
      on([0.06, 0.11, 0]),
    );
    add(
      needed,
      'arm',
      `${side}Arm`,
      `upperarm_${suffix}`,
      `${role}UpperArm`,
      `${at}Shoulder`,
      on([0.12, 0, 0]),
    );
    add(
      needed,
      'arm',
      `${side}ForeArm`,
      `lowerarm_${suffix}`,
      `${role}LowerArm`,
      `${at}Arm`,
      on([0.27, 0, 0]),
    );
    add(needed, 'arm', `${side}Hand`, `hand_${suffix}`, `${role}Hand`, `${at}ForeArm`, on([0.26, 0, 0]));
    add(
      needed,
      'leg',
      `${side}UpLeg`,
      `thigh_${suffix}`,
      `${role}UpperLeg`,
      'mixamorigHips',
      on([0.09, -0.05, 0]),
    );
    add(needed, 'leg', `${side}Leg`, `calf_${suffix}`, `${role}LowerLeg`, `${at}UpLeg`, on([0, -0.43, 0]));
    add(needed, 'leg', `${side}Foot`, `foot_${suffix}`, `${role}Foot`, `${at}Leg`, on([0, -0.42, -0.02]));
    add(ends, 'leg', `${side}ToeBase`, `ball_${suffix}`, `${role}Toes`, `${at}Foot`, on([0, -0.07, 0.13]));
    add(ends, 'leg', `${side}Toe_End`, `ball_end_${suffix}`, null, `${at}ToeBase`, on([0, 0, 0.08]));
    for (const finger of FINGERS)
      for (let part = 0; part < 4; part++) {
        const partRole: Role | null =
          part === 3
            ? null
            : finger.role === 'Thumb'
              ? `${role}Thumb${THUMB_PARTS[part]!}`
              : `${role}${finger.role}${FINGER_PARTS[part]!}`;
        add(
          fingers,
          'hand',
          `${side}Hand${finger.name}${part + 1}`,
          `${finger.targetName}_0${part + 1}_${suffix}`,
          partRole,
          part === 0 ? `${at}Hand` : `${at}Hand${finger.name}${part}`,
          on(part === 0 ? finger.root : finger.step),
        );
      }
  }
  const joints = [...needed, ...ends, ...fingers];
  // Five joints a strand, hung around the head.
  for (let k = 0; joints.length < count; k++) {
    const strand = Math.floor(k / 5);
    const part = k % 5;
    const angle = 2.4 * strand;
    joints.push({
      name: `Strand${strand}_${part}`,
      targetName: `hair_${strand}_${part}`,
      role: null,
      parent: part === 0 ? 'mixamorigHead' : `Strand${strand}_${part - 1}`,
      offset: part === 0 ? [0.09 * Math.sin(angle), 0.1, 0.09 * Math.cos(angle)] : [0, -0.05, 0],
      limb: 'strand',
    });
  }
  return joints.slice(0, count);
}

/** A body as a skeleton whose bones lie along `along` of each joint, rolled about it by `roll` radians. */
function createBody(
  name: string,
  joints: readonly BodyJoint[],
  nameOf: (joint: BodyJoint) => string,
  along: readonly [number, number, number],
  roll: number,
  scaleOf: (joint: BodyJoint) => number,
) {
  const indices = new Map(joints.map((joint, i) => [joint.name, i]));
  const axis = Float64Array.from(along);
  const modelRotations = joints.map((joint) => {
    // A bone points to its first child; a last joint goes on as its parent did.
    const next = joints.find((other) => other.parent === joint.name) ?? joint;
    const arc = new Float64Array(4);
    shortestArc(arc, 0, axis, 0, Float64Array.from(next.offset), 0);
    const turn = new Float64Array(4);
    quaternionFromAxisAngle(turn, 0, axis, 0, roll);
    multiplyQuaternions(arc, 0, arc, 0, turn, 0);
    return arc;
  });
  const identity = Float64Array.of(0, 0, 0, 1);
  return createSkeleton(
    name,
    joints.map((joint, i) => {
      const parent = joint.parent === null ? -1 : indices.get(joint.parent)!;
      const parentRotation = parent < 0 ? identity : modelRotations[parent]!;
      const rotation = new Float64Array(4);
      divideQuaternions(rotation, 0, parentRotation, 0, modelRotations[i]!, 0);
      const back = new Float64Array(4);
      conjugateQuaternion(back, 0, parentRotation, 0);
      const scale = scaleOf(joint);
      const translation = Float64Array.from(joint.offset, (x) => x * scale);
      rotateVector(translation, 0, back, 0, translation, 0);
      return { name: nameOf(joint), parent, rotation, translation };
    }),
  );
}

/** Makes a bake of the given size; the same size always gives the same numbers. */
export function createWorkload(size: Readonly<WorkloadSize> = BAKE): Workload {
  const joints = bodyJoints(size.joints);
  const { skeleton: source, order } = createBody(
    'source',
    joints,
    (joint) => joint.name,
    [0, 1, 0],
    0,
    () => 1,
  );
  const { skeleton: target } = createBody(
    'target',
    joints,
    (joint) => joint.targetName,
    [1, 0, 0],
    1.2,
    // The hips stand as high as the legs carry them.
    (joint) => (joint.parent === null ? PROPORTIONS.leg : PROPORTIONS[joint.limb]),
  );
  const roles: (Role | null)[] = joints.map(() => null);
  joints.forEach((joint, i) => {
    roles[order[i]!] = joint.role;
  });
  const map: RigMap = {
    joints: roles.map((role, i) => ({
      target: i,
      sources: [i],
      role,
      confidence: 1,
      reason: 'the same joint of the same body plan',
    })),
    unmapped: { source: [], target: [] },
  };

  const { frames, frameRate } = size;
  const count = joints.length;
  const times = Float32Array.from({ length: frames }, (_, k) => k / frameRate);
  const rotations = new Float32Array(4 * count * frames);
  const translations = new Float32Array(3 * frames);
  const axis = new Float64Array(3);
  const turn = new Float64Array(4);
  for (let joint = 0; joint < count; joint++) {
    // Every joint swings about an axis of its own, in two rhythms that do not meet.
    const length = Math.hypot(Math.sin(joint), Math.cos(1.7 * joint), Math.sin(2.3 * joint + 1));
    axis[0] = Math.sin(joint) / length;
    axis[1] = Math.cos(1.7 * joint) / length;
    axis[2] = Math.sin(2.3 * joint + 1) / length;
    for (let k = 0; k < frames; k++) {
      const t = k / frameRate;
      const angle = 0.4 * Math.sin(6.1 * t + joint) + 0.2 * Math.sin(1.3 * t + 2 * joint);
      quaternionFromAxisAngle(turn, 0, axis, 0, angle);
      multiplyQuaternions(turn, 0, source.rest.rotations, 4 * joint, turn, 0);
      rotations.set(turn, 4 * (joint * frames + k));
    }
  }
  const hips = roles.indexOf('hips');
  for (let k = 0; k < frames; k++) {
    const t = k / frameRate;
    translations[3 * k] = source.rest.translations[3 * hips]! + 0.05 * Math.sin(3 * t);
    translations[3 * k + 1] = source.rest.translations[3 * hips + 1]! + 0.03 * Math.sin(12 * t);
    translations[3 * k + 2] = source.rest.translations[3 * hips + 2]! + 1.2 * t;
  }
  const tracks: Track[] = source.names.map((_, joint) => ({
    joint,
    channel: 'rotation',
    interpolation: 'linear',
    times,
    values: rotations.subarray(4 * joint * frames, 4 * (joint + 1) * frames),
  }));
  tracks.push({ joint: hips, channel: 'translation', interpolation: 'linear', times, values: translations });
  return {
    size: { ...size },
    source,
    target,
    map,
    hips,
    foot: roles.indexOf('leftFoot'),
    clip: { name: 'walk', duration: times[frames - 1]!, tracks, morphs: [] },
    times,
    rotations,
    translations,
    rootScale: PROPORTIONS.leg,
  };
}

/**
 * The constant of each joint that takes a driver's model rotation to its joint's: xyzw per joint.
 * A joint shall have turned from its rest as its driver has: T · T₀⁻¹ = S · S₀⁻¹, so T = S · (S₀⁻¹ · T₀).
 */
export function referenceOffsets(workload: Workload): Float64Array {
  const sourceRest = modelPoseOf(workload.source, workload.source.rest);
  const targetRest = modelPoseOf(workload.target, workload.target.rest);
  const offsets = new Float64Array(4 * workload.size.joints);
  for (let i = 0; i < offsets.length; i += 4)
    divideQuaternions(offsets, i, sourceRest.rotations, i, targetRest.rotations, i);
  return offsets;
}
