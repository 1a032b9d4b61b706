import type { Axis, Scene } from '@stuntdouble/core';
import { lengthOf } from '@stuntdouble/core/engine';
import type { BvhDocument } from './parse-bvh.js';

/** Where a BVH comes from, by what, and which way is up and how long a unit is (in metres) in all files from there, where that is certain. */
export type BvhDialect = NonNullable<Scene['dialect']> & { up: Axis | null; unit: number | null };

/** What of a file tells where it comes from. */
type Traits = {
  /** Names of joints without a namespace. */
  names: ReadonlySet<string>;
  /** The same as they stand in the file. */
  allNames: readonly string[];
  /** The orders in which joints turn, such as `ZYX`. */
  orders: ReadonlySet<string>;
  /** Whether a joint other than a root has position channels. */
  isPlaced: boolean;
  frameTime: number;
  /** The OFFSET's length of the left shin, which is how long the thigh is; 0 where no joint is called that. */
  legLength: number;
  /** Whether legs hang along an axis of their own that is not up: the zero pose is no body. */
  isAlongBones: boolean;
  /** The first kilobytes, as text. */
  start: string;
};

/*
 * Names are the strongest mark, so collections come before programs; a program is named only where the way
 * the file is laid out is its own. What is not recognised stays without a name.
 */
const DIALECTS: readonly {
  name: string;
  up?: Axis;
  /** Metres a unit. */
  unit?: number;
  reason: string;
  is: (traits: Traits) => boolean;
}[] = [
  {
    name: 'CMU (cgspeed, MotionBuilder-friendly)',
    up: '+Y',
    // The capture's own scale, kept by the conversion: 1/0.45 inch (mocap.cs.cmu.edu, "What are the units?").
    unit: 0.0254 / 0.45,
    reason: 'LHipJoint, LowerBack and LeftFingerBase are its own',
    is: ({ names }) => hasAll(names, 'LHipJoint RHipJoint LowerBack LeftFingerBase LThumb'),
  },
  {
    name: 'CMU (cgspeed, Daz-friendly)',
    up: '+Y',
    reason: 'joints of Daz with buttocks and two bones a finger, at 120 frames a second',
    is: ({ names, frameTime }) =>
      hasAll(names, 'hip abdomen lShldr lButtock lThigh lIndex2') &&
      !names.has('lIndex3') &&
      Math.abs(frameTime - 1 / 120) < 1e-4,
  },
  {
    name: 'CMU (cgspeed, 3ds Max-friendly)',
    reason: 'joints of Biovision with LeftFingerBase or LowerBack',
    is: ({ names }) =>
      hasAll(names, 'Hips LeftHip LeftKnee LeftAnkle') && hasAny(names, 'LowerBack LeftFingerBase'),
  },
  {
    name: 'Daz Studio or Poser',
    reason: 'hip, abdomen and lShldr are their names',
    is: ({ names }) => hasAll(names, 'hip abdomen lShldr lThigh lShin'),
  },
  {
    name: 'Bandai Namco Research Motion Dataset',
    reason: 'joint_Root above Hips, sides as _L and _R',
    is: ({ names }) => hasAll(names, 'joint_Root Hips UpperLeg_L LowerLeg_L Toes_L'),
  },
  {
    name: 'Xsens MVN',
    reason: 'Chest4 and joints of Biovision, turned in the order YXZ, or vertebrae by name',
    is: ({ names, orders }) =>
      (hasAll(names, 'Hips Chest Chest2 Chest3 Chest4 LeftCollar LeftHip LeftKnee') && orders.has('YXZ')) ||
      hasAll(names, 'L5 L3 T12 T8'),
  },
  {
    name: 'Rokoko Studio',
    reason: 'arms of HumanIK with LeftThigh and LeftShin',
    is: ({ names }) => hasAll(names, 'LeftThigh LeftShin LeftArm LeftForeArm LeftShoulder'),
  },
  {
    name: 'Perception Neuron',
    reason: 'LeftInHandIndex and its kin are its own',
    is: ({ names }) => hasAny(names, 'LeftInHandIndex RightInHandIndex'),
  },
  {
    name: 'Mixamo',
    reason: 'names begin with mixamorig',
    is: ({ allNames }) => allNames.some((name) => /^mixamorig/i.test(name)),
  },
  {
    name: 'MakeHuman',
    reason: 'split limbs as in upperleg01.L',
    is: ({ names }) => hasAll(names, 'upperleg01.L upperleg02.L lowerleg01.L'),
  },
  {
    name: 'MakeHuman (early rig)',
    reason: 'UpArm_L, LoArm_L and helpers such as __Clavicle_L',
    is: ({ names }) => hasAll(names, 'UpArm_L LoArm_L __Clavicle_L'),
  },
  {
    name: 'SMPL export',
    reason: 'joints of SMPL',
    is: ({ names }) =>
      hasAll(names, 'L_Hip L_Knee L_Ankle L_Collar L_Shoulder') ||
      hasAll(names, 'left_hip left_knee left_ankle left_collar') ||
      hasAll(names, 'LeftHip LeftKnee LeftAnkle LeftCollar LeftFoot Pelvis'),
  },
  {
    name: 'SMPL export (joints named as in LAFAN1)',
    unit: 1,
    reason: 'the 22 joints of SMPL in metres',
    is: (traits) => isLafanRig(traits) && traits.legLength > 0.1 && traits.legLength < 1,
  },
  {
    name: 'LAFAN1',
    up: '+Y',
    unit: 0.01,
    reason: 'its 22 joints, bones along X, in centimetres',
    is: (traits) => isLafanRig(traits) && traits.isAlongBones && traits.legLength > 10,
  },
  {
    name: '3ds Max Biped',
    reason: 'names begin with Bip',
    is: ({ names }) => [...names].some((name) => /^Bip0?\d{1,2}( |_|$)/.test(name)),
  },
  {
    name: 'MotionBuilder',
    reason: 'joints of HumanIK, and a blank after each list of channels',
    is: ({ names, start }) =>
      hasAll(names, 'Hips LeftUpLeg LeftLeg LeftForeArm') && /CHANNELS [^\r\n]*rotation \r?\n/.test(start),
  },
  {
    name: 'Blender',
    reason: 'all joints turn in the order XYZ, six decimals, a blank after the last number of a frame',
    is: ({ orders, start, isPlaced, frameTime }) =>
      orders.size === 1 &&
      orders.has('XYZ') &&
      /OFFSET -?\d+\.\d{6} -?\d+\.\d{6} -?\d+\.\d{6} ?\r?\n/.test(start) &&
      // Its frame times are those of film, or joints that are not connected have places of their own.
      (isPlaced || Math.abs(frameTime - 0.041667) < 1e-9),
  },
  {
    name: 'Biovision names',
    reason: 'joints named after the body: LeftHip, LeftKnee, LeftCollar, LeftElbow',
    is: ({ names }) => hasAll(names, 'Hips LeftHip LeftKnee LeftAnkle LeftShoulder LeftElbow LeftWrist'),
  },
  {
    name: 'HumanIK names',
    reason: 'Hips, LeftUpLeg, LeftForeArm: MotionBuilder, Maya and many captures',
    is: ({ names }) => hasAll(names, 'Hips LeftUpLeg LeftLeg LeftFoot LeftArm LeftForeArm LeftHand'),
  },
];

/**
 * Says which program or collection a BVH comes from, by the names of its joints, the orders of their turns,
 * their lengths and the way the text is laid out.
 * @param bytes the file, of which the beginning is looked at.
 * @returns null where nothing is known that looks like it.
 */
export function detectDialect(document: BvhDocument, bytes: Uint8Array): BvhDialect | null {
  const traits = traitsOf(document, bytes);
  const found = DIALECTS.find(({ is }) => is(traits));
  return found
    ? { name: found.name, reason: found.reason, up: found.up ?? null, unit: found.unit ?? null }
    : null;
}

function hasAll(names: ReadonlySet<string>, list: string): boolean {
  return list.split(' ').every((name) => names.has(name));
}

function hasAny(names: ReadonlySet<string>, list: string): boolean {
  return list.split(' ').some((name) => names.has(name));
}

/** Ubisoft's capture of 2019: 22 joints of HumanIK, but LeftToe, turned in the order ZYX. */
function isLafanRig({ names, orders }: Traits): boolean {
  return (
    hasAll(
      names,
      'Hips LeftUpLeg LeftLeg LeftFoot LeftToe Spine Spine1 Spine2 Neck Head LeftShoulder LeftHand',
    ) &&
    names.size === 22 &&
    orders.size === 1 &&
    orders.has('ZYX')
  );
}

function traitsOf({ joints, frameTime }: BvhDocument, bytes: Uint8Array): Traits {
  const names = new Set<string>();
  const allNames: string[] = [];
  const orders = new Set<string>();
  let isPlaced = false;
  let legLength = 0;
  let isAlongBones = false;
  for (const { name, parent, end, channels, offset } of joints) {
    if (end) continue;
    const plain = name.slice(name.lastIndexOf(':') + 1);
    names.add(plain);
    allNames.push(name);
    const order = channels
      .filter((channel) => channel.endsWith('rotation'))
      .map((channel) => channel[0])
      .join('');
    if (order.length === 3) orders.add(order);
    if (parent >= 0 && channels.some((channel) => channel.endsWith('position'))) isPlaced = true;
    if (plain === 'LeftLeg') {
      legLength = lengthOf(offset);
      isAlongBones = Math.abs(offset[0]) > 0.99 * legLength;
    }
  }
  const start = new TextDecoder('windows-1252').decode(bytes.subarray(0, 4096));
  return { names, allNames, orders, isPlaced, frameTime, legLength, isAlongBones, start };
}
