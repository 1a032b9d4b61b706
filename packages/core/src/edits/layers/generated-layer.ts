import { hypot } from '../../base/math/functions.js';
import { divideQuaternions, rotateVector } from '../../base/math/quaternion.js';
import { vectorOfQuaternion } from '../../base/math/rotation-vectors.js';
import { type Vec3, vectorAt } from '../../base/math/vector.js';
import type { Layer, TurnKey } from '../../options/layer.js';
import { type Clip, sampleClip } from '../../scene/clip.js';
import { copyPose, createModelPose, localToModel, modelPoseOf, type Pose } from '../../scene/pose.js';
import type { EditedBody } from '../edited-body.js';
import { fitKeys } from './fit-keys.js';

/**
 * What constraints changed over a clip: per frame and joint a turn in model axes of the aligned reference, and the way
 * of the hips in their heights. Made anew by each run and never saved; {@link convertToKeys} makes a layer of it.
 */
export type GeneratedLayer = {
  times: number[];
  /** Three numbers a joint of the skeleton, frame after frame; radians. */
  turns: Float64Array[];
  /** Three numbers a frame. */
  places: Float64Array[];
};

/** Records the difference of poses before and after constraints. */
export function createGeneratedLayer(body: EditedBody): GeneratedLayer & {
  add(time: number, before: Pose, after: Pose): void;
} {
  const { skeleton } = body;
  const reference = modelPoseOf(skeleton, body.reference);
  const count = skeleton.names.length;
  const travels = body.travels ?? body.joints.hips ?? -1;
  const turn = new Float64Array(4);
  const one = createModelPose(count);
  const two = createModelPose(count);
  const times: number[] = [];
  const turns: Float64Array[] = [];
  const places: Float64Array[] = [];
  return {
    times,
    turns,
    places,
    add(time, before, after) {
      const row = new Float64Array(3 * count);
      for (let i = 0; i < count; i++) {
        // v = G log(q⁻¹ q′): what `createLayerStep` takes back to the joint's own axes.
        divideQuaternions(turn, 0, before.rotations, 4 * i, after.rotations, 4 * i);
        vectorOfQuaternion(row, 3 * i, turn);
        rotateVector(row, 3 * i, reference.rotations, 4 * i, row, 3 * i);
      }
      const place = new Float64Array(3);
      if (travels >= 0) {
        localToModel(one, skeleton, before);
        localToModel(two, skeleton, after);
        for (let c = 0; c < 3; c++)
          place[c] =
            (two.matrices[16 * travels + 12 + c]! - one.matrices[16 * travels + 12 + c]!) / body.hipHeight;
      }
      times.push(time);
      turns.push(row);
      places.push(place);
    },
  };
}

/** What is lost by keys, in heights of the body, that nobody sees: 0.1 %. */
const LAYER_KEY_TOLERANCE = 1e-3;

/**
 * A generated layer as one that can be edited: an `after` layer of as few keys as keep every joint's places to a
 * tolerance. The constraint that it came from is then to be muted.
 * @param tolerance Heights of the body.
 */
export function convertToKeys(
  body: EditedBody,
  { times, turns, places }: GeneratedLayer,
  tolerance = LAYER_KEY_TOLERANCE,
  name = 'generated',
): Layer {
  const { skeleton } = body;
  const reaches = reachesOf(body);
  const roleOf = new Map(Object.entries(body.joints).map(([role, joint]) => [joint, role]));
  const joints: Record<string, TurnKey[]> = {};
  const values = new Float64Array(3 * times.length);
  for (let i = 0; i < skeleton.names.length; i++) {
    turns.forEach((row, k) => {
      values.set(row.subarray(3 * i, 3 * i + 3), 3 * k);
    });
    unwrap(values);
    // A turn moves what hangs farthest on the joint by so much; several joints in a row add up.
    const keys = fitKeys(
      times,
      values,
      3,
      (tolerance * body.height) / (3 * Math.max(reaches[i]!, 0.02 * body.height)),
    );
    if (keys.length === 0) continue;
    joints[roleOf.get(i) ?? skeleton.names[i]!] = keys.map(({ time, values: v }) => ({
      time,
      degrees: v.map((x) => (x * 180) / Math.PI) as Vec3,
    }));
  }
  places.forEach((place, k) => {
    values.set(place, 3 * k);
  });
  const hips = fitKeys(times, values, 3, (tolerance * body.height) / (3 * body.hipHeight));
  return {
    name,
    when: 'after',
    joints,
    ...(hips.length > 0 && { hips: hips.map(({ time, values: v }) => ({ time, place: [...v] as Vec3 })) }),
  };
}

/** Frames a second that two clips are compared at; those who bake them for it bake as many. */
export const COMPARED_RATE = 60;

/**
 * What a clip is beyond another of the same body, as a layer of keys.
 * @returns null where they differ nowhere.
 */
export function layerBetween(body: EditedBody, plain: Clip, edited: Clip): Layer | null {
  const [before, after] = [copyPose(body.skeleton.rest), copyPose(body.skeleton.rest)];
  const generated = createGeneratedLayer(body);
  const frames = Math.floor(edited.duration * COMPARED_RATE + 1e-6);
  for (let k = 0; k <= frames; k++) {
    sampleClip(before, plain, k / COMPARED_RATE);
    sampleClip(after, edited, k / COMPARED_RATE);
    generated.add(k / COMPARED_RATE, before, after);
  }
  const layer = convertToKeys(body, generated);
  return Object.keys(layer.joints ?? {}).length > 0 || layer.hips ? layer : null;
}

/** A layer whose keys come so many seconds later. */
export function laterLayer(layer: Layer, seconds: number): Layer {
  const later = <K extends { time: number }>(keys: readonly K[]): K[] =>
    keys.map((key) => ({ ...key, time: key.time + seconds }));
  return {
    ...layer,
    ...(layer.joints && {
      joints: Object.fromEntries(Object.entries(layer.joints).map(([name, keys]) => [name, later(keys)])),
    }),
    ...(layer.hips && { hips: later(layer.hips) }),
  };
}

/** Per joint how far what hangs on it is away, at most, in the reference; metres. */
function reachesOf({ skeleton, reference }: EditedBody): Float64Array {
  const { matrices } = modelPoseOf(skeleton, reference);
  const reaches = new Float64Array(skeleton.names.length);
  for (let i = skeleton.names.length - 1; i >= 0; i--)
    for (let p = skeleton.parents[i]!; p >= 0; p = skeleton.parents[p]!) {
      const [a, b] = [vectorAt(matrices, 16 * i + 12), vectorAt(matrices, 16 * p + 12)];
      reaches[p] = Math.max(reaches[p]!, hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
    }
  return reaches;
}

/** Each vector becomes the one of its turn that is nearest to the vector before. */
function unwrap(values: Float64Array): void {
  for (let k = 3; k < values.length; k += 3) {
    const angle = hypot(values[k]!, values[k + 1]!, values[k + 2]!);
    if (!(angle > 1e-9)) continue;
    let along = 0;
    for (let c = 0; c < 3; c++) along += (values[k + c]! / angle) * values[k - 3 + c]!;
    const nearest = angle + 2 * Math.PI * Math.round((along - angle) / (2 * Math.PI));
    for (let c = 0; c < 3; c++) values[k + c] = (values[k + c]! / angle) * nearest;
  }
}
