import {
  createRetargetedBind,
  hypot,
  type JointEdit,
  jointLabel,
  LIMBS,
  lengthOf,
  multiplyMatrices,
  multiplyQuaternions,
  quaternionAngle,
  type RetargetOptions,
  type Rig,
  type Setup,
  type Skeleton,
} from '@stuntdouble/core/engine';
import { FormatError } from '../format-error.js';

/*
 * The `.retarget` file of SpireMiniEngine, as its code writes it (GameEngineCore/Skeleton.cpp, CoreLib/Stream.h
 * and VectorMath.h): little-endian, nothing aligned and no header. A string is an int32 count of bytes and the
 * bytes, without an end mark; their encoding is not said, and UTF-8 is assumed. A vector is three float32, a
 * quaternion four (xyzw), a matrix sixteen, column by column. Then:
 *
 *   string model skeleton    string animation skeleton    vector root translation scale    int32 n
 *   n vectors: offsets       n matrices: inverse binds    n quaternions: R                 n int32: drivers
 *
 * What the engine calls source is the model, our target; what it calls target is the animation, our source.
 */

/** A `.retarget` file of SpireMiniEngine: how one animation skeleton drives one model (S9). */
export type SpireRetarget = {
  /** The model's skeleton, which is the target of the motion. */
  modelSkeleton: string;
  /** The animation's skeleton, which is the source of the motion. */
  animationSkeleton: string;
  /** By which the translation of the animation's first joint is stretched, per axis. */
  rootTranslationScale: [number, number, number];
  /** xyz per model joint: its local translation, in the axes of the animation's joints. */
  offsets: Float32Array;
  /** Retargeted inverse binds, 16 numbers per model joint, column-major. */
  inverseBinds: Float32Array;
  /** The user's pose correction R, xyzw per model joint. */
  corrections: Float32Array;
  /** The animation joint that drives each model joint, or −1. */
  drivers: Int32Array;
};

/** The bytes of one joint: 3 + 16 + 4 floats and an integer. */
const JOINT_BYTES = 4 * (3 + 16 + 4 + 1);
const FORMAT = 'Spire retarget';

/**
 * Reads a `.retarget` file.
 * @throws FormatError where it is cut off, has bytes to spare, or holds numbers that cannot be meant.
 */
export function readSpireRetarget(bytes: Uint8Array): SpireRetarget {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const need = (count: number, what: string) => {
    if (at + count > bytes.byteLength)
      throw refusal(at, `${bytes.byteLength - at} bytes`, `${count} bytes of ${what}`);
  };
  const integer = (what: string) => {
    need(4, what);
    const value = view.getInt32(at, true);
    at += 4;
    return value;
  };
  const text = (what: string) => {
    const length = integer(`the length of ${what}`);
    if (length < 0) throw refusal(at - 4, `${length}`, `the length of ${what}`);
    need(length, what);
    at += length;
    return new TextDecoder().decode(bytes.subarray(at - length, at));
  };
  const floats = (count: number, what: string) => {
    need(4 * count, what);
    const values = new Float32Array(count);
    for (let i = 0; i < count; i++, at += 4) {
      values[i] = view.getFloat32(at, true);
      if (!Number.isFinite(values[i])) throw refusal(at, `${values[i]}`, `a finite number in ${what}`);
    }
    return values;
  };
  const modelSkeleton = text('the name of the model skeleton');
  const animationSkeleton = text('the name of the animation skeleton');
  const scale = floats(3, 'the root translation scale');
  const count = integer('the number of joints');
  // Checked before anything of that size is allocated.
  if (count < 0 || count * JOINT_BYTES !== bytes.byteLength - at)
    throw refusal(
      at - 4,
      `${count} joints and ${bytes.byteLength - at} bytes`,
      `${JOINT_BYTES} bytes a joint, neither more nor less`,
    );
  const offsets = floats(3 * count, 'the offsets');
  const inverseBinds = floats(16 * count, 'the inverse binds');
  const corrections = floats(4 * count, 'the pose corrections');
  const drivers = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    drivers[i] = integer('the drivers');
    if (drivers[i]! < -1) throw refusal(at - 4, `${drivers[i]}`, 'the index of a joint, or −1');
    if (lengthOf(corrections.subarray(4 * i, 4 * i + 4)) < 1e-3)
      throw refusal(at, `a pose correction of length 0 at joint ${i}`, 'a rotation');
  }
  return {
    modelSkeleton,
    animationSkeleton,
    rootTranslationScale: [scale[0]!, scale[1]!, scale[2]!],
    offsets,
    inverseBinds,
    corrections,
    drivers,
  };
}

/** Writes a `.retarget` file, byte for byte as {@link readSpireRetarget} takes it. */
export function writeSpireRetarget(document: SpireRetarget): Uint8Array {
  const names = [document.modelSkeleton, document.animationSkeleton].map((name) =>
    new TextEncoder().encode(name),
  );
  const count = document.drivers.length;
  const size = names.reduce((sum, name) => sum + 4 + name.length, 16) + count * JOINT_BYTES;
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const integer = (value: number) => {
    view.setInt32(at, value, true);
    at += 4;
  };
  const floats = (values: ArrayLike<number>) => {
    for (let i = 0; i < values.length; i++, at += 4) view.setFloat32(at, values[i]!, true);
  };
  for (const name of names) {
    integer(name.length);
    bytes.set(name, at);
    at += name.length;
  }
  floats(document.rootTranslationScale);
  integer(count);
  floats(document.offsets);
  floats(document.inverseBinds);
  floats(document.corrections);
  document.drivers.forEach(integer);
  return bytes;
}

function refusal(at: number, found: string, expected: string): FormatError {
  return new FormatError({ format: FORMAT, at: `byte ${at}`, found, expected });
}

/**
 * Writes a setup as a `.retarget` document. The engine puts each driver's local rotation on its joint and adds
 * it up from the first one, so the result stands in the axes of the source's file and the unit of the target's;
 * its own rules for what is not driven (bind rotation) and for the root (translation times scale) are kept.
 * @returns the document, and what the engine cannot do of this setup, one sentence each (see
 * `RetargetedBind.losses`); none where it shows what {@link createRetargetedBind} does.
 */
export function spireRetargetOf(setup: Setup): { document: SpireRetarget; losses: string[] } {
  const bind = createRetargetedBind(setup, { locals: 'verbatim' });
  const { source, target } = setup;
  const count = bind.parents.length;
  const losses = [...bind.losses];
  if (source.reference.kind !== 'rest' && source.reference.kind !== 'bind')
    losses.push(
      `turns are counted from ${source.reference.reason}, not from the bind pose of "${source.skeleton.name}"`,
    );
  const fromAxes = axesOf(source);
  const unit = axesOf(target).unit;
  const offsets = Float32Array.from(bind.offsets, (x) => x / unit);
  for (let i = 0; i < count; i++)
    if (bind.anchors[i] !== bind.parents[i])
      losses.push(`"${target.skeleton.names[i]}" would follow its parent and not its body part`);
    else if (bind.anchors[i]! < 0)
      offsets.set(
        fromAxes.undo(bind.offsets.subarray(3 * i, 3 * i + 3)).map((x) => x / unit),
        3 * i,
      );
  const inverseBinds = new Float32Array(16 * count);
  const file = new Float64Array(16);
  for (let i = 0; i < count; i++) {
    multiplyMatrices(file, 0, bind.inverseBinds, 16 * i, target.skeleton.container, 0);
    inverseBinds.set(file, 16 * i);
    // Metres to the target's unit: all rows but the last.
    for (let n = 0; n < 16; n++) if (n % 4 < 3) inverseBinds[16 * i + n] = file[n]! / unit;
  }
  const scale: [number, number, number] = [1, 1, 1];
  if (bind.travel) {
    const { horizontal, vertical } = setup.rootScales;
    for (let c = 0; c < 3; c++) {
      const upward = fromAxes.upward(c);
      scale[c] = Math.fround(((upward ? vertical : horizontal) * fromAxes.unit) / unit);
    }
    if (!fromAxes.square && horizontal !== vertical)
      losses.push(
        'the axes of the source are tilted, so travel is not stretched apart along the ground and upwards',
      );
    const shift = lengthOf(bind.travel.offset);
    // A percent of the body.
    if (shift > 0.01 * target.space.height)
      losses.push(`the body would stand ${shift.toFixed(3)} m from where it should`);
  }
  return {
    document: {
      modelSkeleton: target.skeleton.name,
      animationSkeleton: source.skeleton.name,
      rootTranslationScale: scale,
      offsets,
      inverseBinds,
      corrections: Float32Array.from(bind.corrections),
      drivers: bind.drivers.slice(),
    },
    losses,
  };
}

/** The axes and the unit of a rig's file, as its container has them. */
function axesOf({ skeleton: { container } }: Rig) {
  const unit = hypot(container[0]!, container[1]!, container[2]!) || 1;
  const up = [container[1]! / unit, container[5]! / unit, container[9]! / unit];
  return {
    unit,
    /** Whether one of the file's axes points up. */
    square: up.some((x) => Math.abs(x) > 1 - 1e-6),
    /** Whether an axis of the file points more up or down than along the ground. */
    upward: (axis: number) => Math.abs(up[axis]!) > Math.SQRT1_2,
    /** A vector of model space in the file's axes, in metres. */
    undo: (v: ArrayLike<number>): number[] =>
      [0, 4, 8].map(
        (o) => (container[o]! * v[0]! + container[o + 1]! * v[1]! + container[o + 2]! * v[2]!) / unit,
      ),
  };
}

/**
 * What {@link retarget} must be told to do as a `.retarget` document says: its map, the bind poses as
 * references, the target's with the corrections R on top, and the root scales. A scale of 1, 1, 1, which is the
 * file's way to say nothing, leaves the measured ones (SP5). As R has made the poses comparable, nothing is aligned
 * on top, and feet and hands stay as the file's engine would have them.
 * @throws FormatError where the document was made for other skeletons: as many joints as the target has, and
 * drivers that the source has, as the engine itself asks for.
 */
export function optionsOfSpireRetarget(
  document: SpireRetarget,
  source: Rig,
  target: Rig,
): Pick<
  RetargetOptions,
  'map' | 'sourceReference' | 'targetReference' | 'rootScales' | 'alignment' | 'corrections'
> {
  const { drivers, corrections } = document;
  const { skeleton } = target;
  checkFits(document, source.skeleton, skeleton);
  const joints: { target: string; sources: string[] }[] = [];
  const edits: JointEdit[] = [];
  const bind = skeleton.bind ?? skeleton.rest;
  const turned = new Float64Array(8);
  drivers.forEach((driver, i) => {
    const name = jointLabel(skeleton, i);
    if (driver >= 0) joints.push({ target: name, sources: [jointLabel(source.skeleton, driver)] });
    turned.set(corrections.subarray(4 * i, 4 * i + 4), 4);
    if (quaternionAngle(turned, 4, UNTURNED, 0) < 1e-6) return;
    multiplyQuaternions(turned, 0, turned, 4, bind.rotations, 4 * i);
    edits.push({ name, rotation: [turned[0]!, turned[1]!, turned[2]!, turned[3]!] });
  });
  const axes = axesOf(source);
  const change = axesOf(target).unit / axes.unit;
  const scaleOf = (upward: boolean) =>
    document.rootTranslationScale.filter((_, c) => axes.upward(c) === upward).map((x) => x * change)[0];
  const [horizontal, vertical] = [scaleOf(false), scaleOf(true)];
  return {
    map: { version: 1, joints },
    sourceReference: source.skeleton.bind ? 'bind' : 'rest',
    targetReference: { base: skeleton.bind ? 'bind' : 'rest', edits },
    alignment: Object.fromEntries(LIMBS.map((limb) => [limb, 'keep'])),
    corrections: 'none',
    ...(document.rootTranslationScale.some((x) => x !== 1) && {
      rootScales: {
        ...(horizontal !== undefined && { horizontal }),
        ...(vertical !== undefined && { vertical }),
      },
    }),
  };
}

/**
 * Makes sure that a document was made for two skeletons, as the engine itself does.
 * @throws FormatError where it has not as many joints as the model, or drivers that the animation has not.
 */
export function checkFits(
  { drivers, modelSkeleton }: SpireRetarget,
  source: Skeleton,
  target: Skeleton,
): void {
  if (drivers.length !== target.names.length)
    throw new FormatError({
      format: FORMAT,
      at: 'the joints',
      found: `${drivers.length} for "${modelSkeleton}"`,
      expected: `${target.names.length}, as "${target.name}" has`,
    });
  drivers.forEach((driver, i) => {
    if (driver >= source.names.length)
      throw new FormatError({
        format: FORMAT,
        at: `drivers[${i}]`,
        found: `${driver}`,
        expected: `less than ${source.names.length}, as many joints as "${source.name}" has`,
      });
  });
}

const UNTURNED = Float64Array.of(0, 0, 0, 1);
