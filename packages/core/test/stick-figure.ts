import {
  divideQuaternions,
  multiplyQuaternions,
  quaternionFromAxisAngle,
} from '../src/base/math/quaternion.js';
import {
  addVectors,
  crossVectors,
  directionOf,
  scaleVector,
  subtractVectors,
  type Vec3,
} from '../src/base/math/vector.js';
import { isRole } from '../src/body/roles.js';
import type { Clip, Track } from '../src/scene/clip.js';
import { createPose } from '../src/scene/pose.js';
import type { Character, Scene } from '../src/scene/scene.js';
import { createSkeleton, type JointDescription, type Skeleton } from '../src/scene/skeleton.js';

/** How a stick figure is built. Everything has a default: a T-posed adult in metres with Mixamo's names. */
export type Figure = {
  /** Where the arms point at rest: sideways, 45 degrees down, down, or straight ahead. */
  arms?: 'T' | 'A' | 'down' | 'ahead';
  /** Length of the upper arm in metres. */
  upperArm?: number;
  /** Length of the thigh in metres. */
  upperLeg?: number;
  /** Bend of elbows (forwards) and knees (backwards) at rest, in degrees. */
  elbowBend?: number;
  kneeBend?: number;
  /** How each joint's own axes lie: all as the model's, or with Y (X) along the bone. */
  axes?: 'world' | 'boneY' | 'boneX';
  names?: 'mixamo' | 'unreal' | 'vrm' | 'number';
  /** Joints between hips and the one that carries the arms, which is the last of them. */
  spine?: number;
  neck?: number;
  fingers?: boolean;
  toes?: boolean;
  shoulders?: boolean;
  /** Whether limbs hold a twist joint half way, in the chain. */
  twist?: boolean;
  /** Metres per file unit. */
  unit?: number;
  up?: '+Y' | '+Z' | '+X';
  /** Degrees by which the body is turned about the up axis. */
  facing?: number;
  /** Whether names say left for the character's right. */
  swapSides?: boolean;
  /** Joints that are not there, with all below them (their names are roles). */
  without?: readonly string[];
  /** Scales the whole body. */
  size?: number;
  declared?: Skeleton['declared'];
};

type Part = { name: string; parent: string; offset: Vec3 };

const rad = (degrees: number) => (degrees * Math.PI) / 180;

/** A turn as a quaternion: degrees about an axis. */
export function turn(axis: Readonly<Vec3>, degrees: number): Float64Array {
  const q = new Float64Array(4);
  quaternionFromAxisAngle(q, 0, Float64Array.from(directionOf(axis)!), 0, rad(degrees));
  return q;
}

/** a · b. */
export function times(a: Float64Array, b: Float64Array): Float64Array {
  const q = new Float64Array(4);
  multiplyQuaternions(q, 0, a, 0, b, 0);
  return q;
}

/** a⁻¹ · b. */
export function over(a: Float64Array, b: Float64Array): Float64Array {
  const q = new Float64Array(4);
  divideQuaternions(q, 0, a, 0, b, 0);
  return q;
}

/** v turned by q. */
export function turned(q: Float64Array, v: Readonly<Vec3>): Vec3 {
  const [x, y, z, w] = [q[0]!, q[1]!, q[2]!, q[3]!];
  const u: Vec3 = [x, y, z];
  const t = scaleVector(crossVectors(u, v), 2);
  return addVectors(addVectors(v, scaleVector(t, w)), crossVectors(u, t));
}

/** The body parts in metres, +Y up, +Z ahead; names are roles (and `spine4` … where a chain is longer). */
function partsOf(figure: Figure): Part[] {
  const { spine = 3, neck = 1, upperArm = 0.28, upperLeg = 0.45 } = figure;
  const parts: Part[] = [{ name: 'hips', parent: '', offset: [0, 0.08 + 0.42 + upperLeg + 0.05, 0] }];
  let last = 'hips';
  const add = (name: string, parent: string, offset: Vec3) => {
    parts.push({ name, parent, offset });
    last = name;
  };
  for (let i = 0; i < spine; i++) add(spineName(i, spine), last, [0, 0.42 / spine, i === 1 ? -0.02 : 0]);
  const chest = last;
  for (let i = 0; i < neck; i++) add(i === 0 ? 'neck' : `neck${i + 1}`, last, [0, i === 0 ? 0.14 : 0.05, 0]);
  add('head', last, [0, 0.09, 0.02]);
  for (const side of ['left', 'right'] as const) {
    const x = side === 'left' ? 1 : -1;
    const slope = { T: 0, A: 45, down: 85, ahead: 0 }[figure.arms ?? 'T'];
    const along: Vec3 =
      figure.arms === 'ahead' ? [0, 0, 1] : [x * Math.cos(rad(slope)), -Math.sin(rad(slope)), 0];
    const bent = directionOf(
      addVectors(scaleVector(along, Math.cos(rad(figure.elbowBend ?? 0))), [
        0,
        figure.arms === 'ahead' ? Math.sin(rad(figure.elbowBend ?? 0)) : 0,
        figure.arms === 'ahead' ? 0 : Math.sin(rad(figure.elbowBend ?? 0)),
      ]),
    )!;
    if (figure.shoulders !== false) add(`${side}Shoulder`, chest, [0.05 * x, 0.06, 0]);
    else last = chest;
    add(`${side}UpperArm`, last, figure.shoulders === false ? [0.17 * x, 0.06, 0] : [0.12 * x, 0, 0]);
    addLimbBone(`${side}UpperArm`, `${side}LowerArm`, scaleVector(along, upperArm));
    addLimbBone(`${side}LowerArm`, `${side}Hand`, scaleVector(bent, 0.25));
    if (figure.fingers)
      for (const [f, finger] of ['Thumb', 'Index', 'Middle', 'Ring', 'Little'].entries()) {
        const thumb = finger === 'Thumb';
        const across = scaleVector([0, 0, 1], thumb ? 0.03 : 0.045 - 0.02 * f);
        last = `${side}Hand`;
        const knuckles = thumb
          ? ['Metacarpal', 'Proximal', 'Distal']
          : ['Proximal', 'Intermediate', 'Distal'];
        knuckles.forEach((knuckle, k) => {
          const reach = k === 0 ? (thumb ? 0.03 : 0.09) : 0.03;
          add(
            `${side}${finger}${knuckle}`,
            last,
            addVectors(scaleVector(bent, reach), k === 0 ? across : [0, 0, 0]),
          );
        });
      }
    const knee = rad(figure.kneeBend ?? 0);
    add(`${side}UpperLeg`, 'hips', [0.1 * x, -0.05, 0]);
    addLimbBone(`${side}UpperLeg`, `${side}LowerLeg`, [
      0,
      -upperLeg * Math.cos(knee / 2),
      upperLeg * Math.sin(knee / 2),
    ]);
    addLimbBone(`${side}LowerLeg`, `${side}Foot`, [
      0,
      -0.42 * Math.cos(knee / 2),
      -0.42 * Math.sin(knee / 2),
    ]);
    if (figure.toes !== false) add(`${side}Toes`, `${side}Foot`, [0, -0.06, 0.13]);
  }
  const gone = new Set<string>(figure.without ?? []);
  return parts.filter((part) => {
    if (gone.has(part.parent)) gone.add(part.name);
    return !gone.has(part.name);
  });

  function addLimbBone(from: string, to: string, offset: Vec3): void {
    if (figure.twist) {
      add(`${from}Twist`, from, scaleVector(offset, 0.5));
      add(to, `${from}Twist`, scaleVector(offset, 0.5));
    } else add(to, from, offset);
  }
}

function spineName(i: number, count: number): string {
  const names = count === 1 ? ['spine'] : ['spine', 'chest', 'upperChest'];
  return names[i] ?? `spine${i + 1}`;
}

const UNREAL: Readonly<Record<string, string>> = {
  hips: 'pelvis',
  head: 'head',
  Shoulder: 'clavicle',
  UpperArm: 'upperarm',
  LowerArm: 'lowerarm',
  Hand: 'hand',
  UpperLeg: 'thigh',
  LowerLeg: 'calf',
  Foot: 'foot',
  Toes: 'ball',
};
const MIXAMO: Readonly<Record<string, string>> = {
  UpperArm: 'Arm',
  LowerArm: 'ForeArm',
  UpperLeg: 'UpLeg',
  LowerLeg: 'Leg',
  Toes: 'ToeBase',
};
const TORSO = ['spine', 'chest', 'upperChest', 'spine4', 'spine5', 'spine6'];

/** What a body part is called in a family of names. */
function nameOf(part: string, figure: Figure, index: number): string {
  const names = figure.names ?? 'mixamo';
  if (names === 'number') return `b${index}`;
  let side = /^(left|right)/.exec(part)?.[1] ?? '';
  const bare = part.slice(side.length);
  if (side && figure.swapSides) side = side === 'left' ? 'right' : 'left';
  if (names === 'vrm') return side + bare;
  const twist = bare.endsWith('Twist');
  const stem = twist ? bare.slice(0, -5) : bare;
  const torso = TORSO.indexOf(stem);
  const finger = /^(Thumb|Index|Middle|Ring|Little)(.*)$/.exec(stem);
  const number = finger ? ['Metacarpal', 'Proximal', 'Intermediate', 'Distal'].indexOf(finger[2]!) : 0;
  const knuckle = finger?.[1] === 'Thumb' ? Math.max(1, number + (number === 3 ? 0 : 1)) : number;
  const fingerName = finger?.[1] === 'Little' ? 'Pinky' : finger?.[1];
  if (names === 'unreal') {
    const end = side ? `_${side[0]}` : '';
    if (torso >= 0) return `spine_0${torso + 1}`;
    if (stem.startsWith('neck')) return `neck_0${Number(stem.slice(4)) || 1}`;
    if (finger) return `${fingerName!.toLowerCase()}_0${knuckle}${end}`;
    return `${UNREAL[stem]}${twist ? '_twist_01' : ''}${end}`;
  }
  const capital = side ? side[0]!.toUpperCase() + side.slice(1) : '';
  if (torso >= 0) return `mixamorig:Spine${torso || ''}`;
  if (finger) return `mixamorig:${capital}Hand${fingerName}${knuckle}`;
  const word =
    MIXAMO[stem] ?? stem[0]!.toUpperCase() + stem.slice(1).replace(/^eck(\d)/, (_, n) => `eck${n - 1}`);
  return `mixamorig:${capital}${word}${twist ? 'Twist' : ''}`;
}

/** The rotation whose Y (or X) axis is a direction, with Z as far ahead as it can be. */
function axesAlong(direction: Vec3, axis: 'boneY' | 'boneX'): Float64Array {
  const from: Vec3 = axis === 'boneY' ? [0, 1, 0] : [1, 0, 0];
  const cross = crossVectors(from, direction);
  const dot = from[0] * direction[0] + from[1] * direction[1] + from[2] * direction[2];
  if (dot < -0.999999) return turn([0, 0, 1], 180);
  const q = Float64Array.of(cross[0], cross[1], cross[2], 1 + dot);
  const length = Math.hypot(...q);
  return q.map((value) => value / length);
}

/**
 * A body of sticks with a clip in which it walks and waves: a character as a reader would give it, and the
 * joint of each part.
 */
export function stickFigure(figure: Figure = {}): Character & { jointOf: (part: string) => number } {
  const { axes = 'world', unit = 1, size = 1 } = figure;
  const parts = partsOf(figure);
  const place = new Map(parts.map((part, i) => [part.name, i]));
  const positions: Vec3[] = [];
  parts.forEach(({ parent, offset }, i) => {
    const base: Vec3 = parent === '' ? [0, 0, 0] : positions[place.get(parent)!]!;
    positions[i] = addVectors(base, scaleVector(offset, size));
  });
  // The file's space: metres turned to its up and facing, then in its unit.
  const toUp = { '+Y': turn([1, 0, 0], 0), '+Z': turn([1, 0, 0], 90), '+X': turn([0, 0, 1], -90) }[
    figure.up ?? '+Y'
  ];
  const toFile = times(toUp, turn([0, 1, 0], figure.facing ?? 0));
  const rotations = parts.map(({ name }, i) => {
    const child = parts.findIndex(({ parent }) => parent === name);
    const bone =
      child >= 0
        ? directionOf(subtractVectors(positions[child]!, positions[i]!))
        : directionOf(scaleVector(parts[i]!.offset, 1));
    const own = axes === 'world' || !bone ? turn([1, 0, 0], 0) : axesAlong(bone, axes);
    return times(toFile, own);
  });
  const joints: JointDescription[] = parts.map((part, i) => {
    const parent = part.parent === '' ? -1 : place.get(part.parent)!;
    const offset = scaleVector(
      subtractVectors(positions[i]!, parent < 0 ? [0, 0, 0] : positions[parent]!),
      1 / unit,
    );
    const inFile = turned(toFile, offset);
    const back = parent < 0 ? turn([1, 0, 0], 0) : over(rotations[parent]!, turn([1, 0, 0], 0));
    return {
      name: nameOf(part.name, figure, i),
      parent,
      translation: turned(back, inFile),
      rotation: parent < 0 ? rotations[i]! : over(rotations[parent]!, rotations[i]!),
    };
  });
  const { skeleton, order } = createSkeleton('figure', joints, {
    declared: figure.declared ?? { up: '+Y', facing: null, unit },
  });
  const jointOf = (part: string) => {
    const at = place.get(part);
    if (at === undefined) throw new Error(`the stick figure has no ${part}`);
    return order[at]!;
  };
  return { skeleton, clips: [walkAndWave(parts, place, rotations, toFile, positions, order, unit)], jointOf };
}

/** Degrees that a part turns against what carries it, about the model's axes. */
function swing(part: string, t: number): Float64Array {
  const phase = Math.sin(2 * Math.PI * t);
  const side = part.startsWith('left') ? 1 : -1;
  const bare = part.replace(/^(left|right)/, '');
  if (part === 'hips') return times(turn([0, 1, 0], 20 * t), turn([0, 0, 1], 4 * phase));
  if (/^(spine|chest|upperChest)/.test(part)) return turn([0.2, 1, 0.3], 5 * phase);
  if (/^(neck|head)/.test(part)) return turn([0, 1, 0], -8 * phase);
  if (bare === 'Shoulder') return turn([0, 0, 1], 4 * side * phase);
  if (bare === 'UpperArm') return times(turn([0, 1, 0.2], 30 * phase), turn([1, 0, 0], 25 * phase * side));
  if (bare === 'LowerArm') return turn([0, 1, 0.3], side * -(20 + 25 * phase));
  if (bare === 'Hand') return turn([0.5, 0.2, 1], 15 * phase);
  if (bare === 'UpperLeg') return times(turn([1, 0, 0], 28 * side * phase), turn([0, 0, 1], 3 * phase));
  if (bare === 'LowerLeg') return turn([1, 0, 0], 20 + 18 * side * phase);
  if (bare === 'Foot') return turn([1, 0, 0], -8 * side * phase);
  if (isRole(part) && /(Thumb|Index|Middle|Ring|Little)/.test(part))
    return turn([0, 0, 1], side * (-10 - 15 * phase));
  return turn([1, 0, 0], 0);
}

function walkAndWave(
  parts: readonly Part[],
  place: ReadonlyMap<string, number>,
  rotations: readonly Float64Array[],
  toFile: Float64Array,
  positions: readonly Vec3[],
  order: Int32Array,
  unit: number,
): Clip {
  const frames = 31;
  const keyTimes = Float32Array.from({ length: frames }, (_, k) => k / 30);
  const tracks: Track[] = parts.map((_, i) => ({
    joint: order[i]!,
    channel: 'rotation',
    interpolation: 'linear',
    times: keyTimes,
    values: new Float32Array(4 * frames),
  }));
  const travel: Track = {
    joint: order[0]!,
    channel: 'translation',
    interpolation: 'linear',
    times: keyTimes,
    values: new Float32Array(3 * frames),
  };
  for (let k = 0; k < frames; k++) {
    const t = k / 30;
    const deltas: Float64Array[] = [];
    const now: Float64Array[] = [];
    parts.forEach(({ name, parent }, i) => {
      const p = parent === '' ? -1 : place.get(parent)!;
      const own = swing(name, t);
      deltas[i] = p < 0 ? own : times(deltas[p]!, own);
      // Turns are told about the model's axes: taken to the file's on their way.
      const inFile = times(times(toFile, deltas[i]!), over(toFile, turn([1, 0, 0], 0)));
      now[i] = times(inFile, rotations[i]!);
      tracks[i]!.values.set(p < 0 ? now[i]! : over(now[p]!, now[i]!), 4 * k);
    });
    const at = addVectors(positions[0]!, [0.05 * Math.sin(6 * t), 0.03 * Math.sin(4 * Math.PI * t), 1.1 * t]);
    travel.values.set(turned(toFile, scaleVector(at, 1 / unit)), 3 * k);
  }
  return { name: 'walk', duration: 1, tracks: [travel, ...tracks], morphs: [] };
}

/** A scene around a character, as reading a file gives it. */
export function sceneOf(character: Character, name = 'scene'): Scene {
  return {
    format: 'glb',
    name,
    characters: [character],
    morphs: [],
    document: null,
    warnings: [],
  };
}

/** A pose of a skeleton with some joints turned on top of its rest, by a turn in their parents' axes. */
export function turnedPose(skeleton: Skeleton, turns: ReadonlyMap<number, Float64Array>): Skeleton['rest'] {
  const pose = createPose(skeleton.names.length);
  pose.translations.set(skeleton.rest.translations);
  pose.scales.set(skeleton.rest.scales);
  pose.rotations.set(skeleton.rest.rotations);
  for (const [joint, q] of turns)
    multiplyQuaternions(pose.rotations, 4 * joint, q, 0, pose.rotations, 4 * joint);
  return pose;
}
