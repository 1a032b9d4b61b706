import {
  type Character,
  type Clip,
  copyPose,
  createRig,
  modelPoseOf,
  type Pose,
  type Rig,
  type Skeleton,
  type Track,
} from '@stuntdouble/core';
import { readBvh } from '@stuntdouble/formats/bvh';
import { guyBody } from '../characters/mixamo-guy.js';
import type { SampleMotion } from '../sample-motion.js';
import { inverse, NO_TURN, pitch, type Quat, roll, rotate, turnBy, type Vec3, yaw } from '../vector.js';
import { BVH_DIALECTS, type BvhDialect, type BvhDialectName } from './bvh-dialects.js';
import { writeBvh } from './bvh-text.js';

/*
 * One capture, told otherwise: begun later, so that it starts lying or halfway up a ladder; without the T-pose before it;
 * with another axis up, in another unit, looking elsewhere; its zero pose hung at the origin or standing on the floor.
 * What is understood of it must not change by that, and where the capture was made by a formula the truth is known.
 */

/** How a capture is told. */
export type CaptureVariant = {
  /** Share of the clip that is cut off before it begins, and share that is left of it. */
  from: number;
  share: number;
  /** Whether the first frame, a T-pose, is left out. */
  dropsFirst: boolean;
  /** The file's own space to that of the variant: which way is up, and where it looks. */
  turn: keyof typeof TURNS;
  /** Metres a unit of the variant. */
  unit: number;
  /** Where the zero pose is: as in the file, with the hips at the origin, or standing on the floor. */
  zero: 'own' | 'hung' | 'standing';
  /** How much higher the whole clip is than in the file, in hip heights; the zero pose is not. */
  raised?: number;
};

/** Turns of a whole file whose up is +Y. */
export const TURNS = {
  'Y up': NO_TURN,
  'Z up': pitch(90),
  'X up': roll(-90),
  'Y up, looks to +X': yaw(90),
  'Z up, looks to +Y': turnBy(pitch(90), yaw(180)),
  'Z down': pitch(-90),
  'Y up, looks askew': yaw(137),
} as const satisfies Record<string, Quat>;

/** What is true of a capture as its file has it, +Y up. */
export type CaptureTruth = {
  /** Metres a unit. */
  unit: number;
  /** The floor and how high hips stand over it, in the file's unit; what may be off, in hip heights. */
  floor: number;
  hipHeight: number;
  slack: number;
  /** Where the body looks in its zero pose; null where that is not known. */
  facing: Vec3 | null;
  /** Whether how high the hips stand is known too little to be asked for. */
  looseHips?: boolean;
};

/** One of our motions as a program writes it, and what is true of it. */
export function sampleCapture(
  motion: SampleMotion,
  name: BvhDialectName,
): { character: Character; truth: CaptureTruth; startsInTPose: boolean; isBody: boolean } {
  const dialect: BvhDialect = { ...(BVH_DIALECTS[name] as BvhDialect), space: NO_TURN };
  const scene = readBvh(writeBvh(guyBody, motion, { dialect }));
  const truth: CaptureTruth = {
    unit: dialect.unit,
    floor: 0,
    hipHeight: guyBody.joints.hips![1] / dialect.unit,
    // A percent of the body's height.
    slack: 0.019,
    facing: [0, 0, 1],
  };
  return {
    character: scene.characters[0]!,
    truth,
    startsInTPose: dialect.startsInTPose !== false,
    isBody: !dialect.axes,
  };
}

/** The places of a joint; those of the topmost so much higher. */
function raiseRoot({ joint, values }: Track, by: number): ArrayLike<number> {
  return joint > 0 ? values : Array.from(values, (value, i) => (i % 3 === 1 ? value + by : value));
}

/** A capture told as a variant has it. */
export function tellOtherwise(
  { skeleton, clips }: Character,
  variant: CaptureVariant,
  truth: CaptureTruth,
): { skeleton: Skeleton; clips: Clip[] } {
  const { from, share, dropsFirst, turn, unit, zero, raised = 0 } = variant;
  const turned: Quat = TURNS[turn];
  const size = truth.unit / unit;
  const isAsRead = turn === 'Y up' && size === 1;
  const turnPlaces = (values: ArrayLike<number>): Float64Array => {
    const out = new Float64Array(values.length);
    for (let i = 0; i < out.length; i += 3)
      out.set(rotate(turned, [values[i]! * size, values[i + 1]! * size, values[i + 2]! * size]), i);
    return out;
  };
  const turnTurns = (values: ArrayLike<number>): Float64Array => {
    const out = new Float64Array(values.length);
    for (let i = 0; i < out.length; i += 4) {
      const q: Quat = [values[i]!, values[i + 1]!, values[i + 2]!, values[i + 3]!];
      out.set(turnBy(turned, q, inverse(turned)), i);
    }
    return out;
  };
  const own = copyPose(skeleton.rest);
  if (zero === 'hung') own.translations.set([0, 0, 0], 0);
  if (zero === 'standing') own.translations.set([0, truth.floor + truth.hipHeight, 0], 0);
  const rest: Pose = {
    translations: turnPlaces(own.translations),
    rotations: turnTurns(own.rotations),
    scales: own.scales,
  };
  const { declared } = skeleton;
  return {
    skeleton: {
      ...skeleton,
      rest,
      // Names that tell a collection tell its axes and unit, too: as another file it has neither.
      declared: isAsRead ? declared : { up: null, facing: null, unit: null, capture: true },
    },
    clips: clips.map((clip) => {
      const first = dropsFirst ? 1 : 0;
      const count = Math.max(...clip.tracks.map(({ times }) => times.length));
      const begin = first + Math.round(from * (count - 1 - first));
      const end = Math.max(begin + 1, Math.round(begin + share * (count - 1 - first)));
      const start = clip.tracks.find(({ times }) => times.length === count)?.times[begin] ?? 0;
      let duration = 0;
      const tracks = clip.tracks.map((track): Track => {
        const stride = track.channel === 'rotation' ? 4 : 3;
        const values = (
          track.channel === 'rotation'
            ? turnTurns(track.values)
            : track.channel === 'translation'
              ? turnPlaces(raiseRoot(track, raised * truth.hipHeight))
              : Float64Array.from(track.values)
        ) as Float64Array;
        if (track.times.length < count) return { ...track, values };
        const times = Float64Array.from(track.times.subarray(begin, end + 1), (time) => time - start);
        duration = Math.max(duration, times[times.length - 1] ?? 0);
        return { ...track, times, values: values.subarray(stride * begin, stride * (end + 1)) };
      });
      return { ...clip, duration, tracks };
    }),
  };
}

/** What was understood wrongly of a variant, in a few words each; nothing where all is right. */
export function misunderstandings(
  { skeleton, clips }: { skeleton: Skeleton; clips: Clip[] },
  { turn, unit, raised = 0 }: CaptureVariant,
  truth: CaptureTruth,
  rig: Rig = createRig(skeleton, { clips }),
): string[] {
  const wrong: string[] = [];
  const turned: Quat = TURNS[turn];
  const size = truth.unit / unit;
  const up = rotate(turned, [0, 1, 0]);
  const along = (a: ArrayLike<number>, b: ArrayLike<number>) => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
  if (along(rig.space.up.direction, up) < 0.99) {
    wrong.push(`up ${rig.space.up.direction.map(Math.round)}`);
    return wrong;
  }
  // Everything in hip heights of the truth, in the file's unit: a wrong unit is one fault, not two.
  const { metres } = rig.space.unit;
  if (Math.abs(Math.log(metres / unit)) > 0.01) wrong.push(`unit ${metres.toPrecision(3)}`);
  const hipHeight = truth.hipHeight * size;
  const floor = rig.floor.height / metres;
  const off = (floor - truth.floor * size) / hipHeight - raised;
  if (Math.abs(off) > truth.slack) wrong.push(`floor ${(100 * off).toFixed(1)} %`);
  const model = modelPoseOf(rig.skeleton, rig.reference.pose);
  const hips = (model.matrices[16 * rig.joints.hips! + 13]! - rig.floor.height) / metres;
  const high = hips / hipHeight - 1;
  if (!truth.looseHips && Math.abs(high) > 0.01 + truth.slack)
    wrong.push(`hips ${(100 * high).toFixed(1)} %`);
  if (truth.facing && along(rig.space.facing.direction, rotate(turned, truth.facing)) < 0.99)
    wrong.push(`facing ${rig.space.facing.direction.map((x) => x.toFixed(2))}`);
  return wrong;
}

/** All variants that a capture is told in: a zero pose that is no body cannot be stood anywhere. */
export function* captureVariants(
  truth: CaptureTruth,
  startsInTPose: boolean,
  isBody: boolean,
): Generator<CaptureVariant> {
  const plain: CaptureVariant = {
    from: 0,
    share: 1,
    dropsFirst: false,
    turn: 'Y up',
    unit: truth.unit,
    zero: 'own',
  };
  const zeros = isBody ? (['own', 'hung', 'standing'] as const) : (['own'] as const);
  const drops = startsInTPose ? [false, true] : [false];
  for (const zero of zeros)
    for (const dropsFirst of drops)
      for (const [from, share] of [
        [0, 1],
        [0, 0.3],
        [0.2, 0.2],
        [0.35, 0.3],
        [0.5, 0.15],
        [0.5, 0.5],
        [0.7, 0.3],
      ] as const)
        yield { ...plain, zero, dropsFirst: dropsFirst || from > 0, from, share };
  const units = [1, 0.01, 0.0254, 0.0254 / 0.45, 0.1];
  let n = 0;
  for (const turn of Object.keys(TURNS) as (keyof typeof TURNS)[])
    for (const [from, share] of [
      [0, 1],
      [0.35, 0.3],
    ] as const)
      for (const zero of zeros)
        yield { ...plain, turn, from, share, unit: units[n++ % units.length]!, zero, dropsFirst: from > 0 };
}
