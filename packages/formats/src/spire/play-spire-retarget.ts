import {
  type Clip,
  composeMatrix,
  copyPose,
  createMatrix,
  decomposeMatrix,
  frameRateOf,
  frameTimes,
  hypot,
  invertMatrix,
  modelPoseOf,
  multiplyMatrices,
  type Numbers,
  type Pose,
  quaternionAngle,
  type Skeleton,
  sampleClip,
  type Track,
} from '@stuntdouble/core/engine';
import { checkFits, type SpireRetarget } from './spire-retarget.js';

/** Poses of a model as SpireMiniEngine shows them, by what a `.retarget` file has stored. */
export type SpirePlayer = {
  /**
   * The model's joints, as locals of its own file, so that its mesh with its own inverse binds looks as the engine shows
   * it for a pose of the animation. The pose belongs to the player.
   */
  update(pose: Pose): Pose;
};

/**
 * Plays the poses of an animation on a model by the stored offsets, inverse binds, drivers and root scale of a
 * `.retarget` file, and by nothing else of it (S8, S9). With G a joint's transform as the engine adds it up and S its
 * stored inverse bind, the mesh moves by G · S; a file that keeps its own inverse binds M⁻¹ shows the same where the
 * joint stands at
 *
 *   J = C · G · S · M,
 *
 * C turning the animation's axes into the model's.
 * @throws FormatError where the document was made for other skeletons.
 */
export function createSpirePlayer(document: SpireRetarget, source: Skeleton, target: Skeleton): SpirePlayer {
  checkFits(document, source, target);
  const { drivers, offsets, inverseBinds, rootTranslationScale } = document;
  const { parents } = target;
  const count = drivers.length;
  const bind = target.bind ?? target.rest;
  const plain = createMatrix();
  const own = modelPoseOf({ parents, container: plain }, bind).matrices;
  const axes = axisChange(source, target);
  const stored = Float64Array.from(inverseBinds);
  const engine = new Float64Array(16 * count);
  const joints = new Float64Array(16 * count);
  const out = copyPose(target.rest);
  const local = createMatrix();
  const place = new Float64Array(3);
  const whole = Float64Array.of(1, 1, 1);
  return {
    update(pose) {
      for (let i = 0; i < count; i++) {
        const driver = drivers[i]!;
        for (let c = 0; c < 3; c++)
          place[c] =
            i === 0 && driver >= 0
              ? pose.translations[3 * driver + c]! * rootTranslationScale[c]!
              : offsets[3 * i + c]!;
        const rotations = driver < 0 ? bind.rotations : pose.rotations;
        composeMatrix(local, 0, place, 0, rotations, 4 * (driver < 0 ? i : driver), whole, 0);
        if (parents[i]! < 0) engine.set(local, 16 * i);
        else multiplyMatrices(engine, 16 * i, engine, 16 * parents[i]!, local, 0);
        multiplyMatrices(joints, 16 * i, engine, 16 * i, stored, 16 * i);
        multiplyMatrices(joints, 16 * i, joints, 16 * i, own, 16 * i);
        multiplyMatrices(joints, 16 * i, axes, 0, joints, 16 * i);
      }
      for (let i = 0; i < count; i++) {
        if (parents[i]! < 0) local.set(joints.subarray(16 * i, 16 * i + 16));
        else {
          invertMatrix(local, 0, joints, 16 * parents[i]!);
          multiplyMatrices(local, 0, local, 0, joints, 16 * i);
        }
        decomposeMatrix(out.translations, 3 * i, out.rotations, 4 * i, out.scales, 3 * i, local, 0);
      }
      return out;
    },
  };
}

/** From the axes of one file to those of another, without their units. */
function axisChange({ container: from }: Skeleton, { container: to }: Skeleton): Float64Array {
  const turn = (m: Float64Array) => {
    const unit = hypot(m[0]!, m[1]!, m[2]!) || 1;
    return Float64Array.from({ length: 16 }, (_, n) =>
      n === 15 ? 1 : n % 4 === 3 || n > 11 ? 0 : m[n]! / unit,
    );
  };
  const out = createMatrix();
  invertMatrix(out, 0, turn(to), 0);
  multiplyMatrices(out, 0, out, 0, turn(from), 0);
  return out;
}

/**
 * A clip of the animation as one of the model, played by a `.retarget` file (see {@link createSpirePlayer}): a key
 * wherever the clip has one, or every frame where its keys are curved. What stands as the model rests has no track.
 */
export function playSpireRetarget(
  document: SpireRetarget,
  source: Skeleton,
  target: Skeleton,
  clip: Clip,
): Clip {
  const player = createSpirePlayer(document, source, target);
  const times = timesOf(clip);
  const pose = copyPose(source.rest);
  const count = target.names.length;
  const stores = { translation: 'translations', rotation: 'rotations', scale: 'scales' } as const;
  const values = {
    translation: new Float32Array(3 * count * times.length),
    rotation: new Float32Array(4 * count * times.length),
    scale: new Float32Array(3 * count * times.length),
  };
  times.forEach((time, k) => {
    sampleClip(pose, clip, time);
    const shown = player.update(pose);
    for (const channel of ['translation', 'rotation', 'scale'] as const) {
      const size = channel === 'rotation' ? 4 : 3;
      for (let i = 0; i < count; i++)
        for (let c = 0; c < size; c++)
          values[channel][(i * times.length + k) * size + c] = shown[stores[channel]][size * i + c]!;
    }
  });
  const tracks = (['translation', 'rotation', 'scale'] as const).flatMap((channel): Track[] => {
    const size = channel === 'rotation' ? 4 : 3;
    return target.names.flatMap((_, joint) => {
      const own = values[channel].slice(joint * times.length * size, (joint + 1) * times.length * size);
      const rest = target.rest[stores[channel]].subarray(size * joint, size * joint + size);
      if (channel === 'rotation') alignSigns(own);
      return standsStill(own, rest, size)
        ? []
        : [{ joint, channel, interpolation: 'linear' as const, times, values: own }];
    });
  });
  return { ...clip, tracks, morphs: [] };
}

function timesOf(clip: Clip): Float32Array {
  if (clip.tracks.some(({ interpolation }) => interpolation === 'cubic'))
    return frameTimes(clip.duration, frameRateOf(clip), clip.name);
  const times = new Set(clip.tracks.flatMap((track) => Array.from(track.times, Math.fround)));
  return Float32Array.from([...times].sort((a, b) => a - b));
}

/** Makes the signs of turns continuous along a track. */
function alignSigns(values: Numbers): void {
  for (let o = 4; o < values.length; o += 4) {
    let dot = 0;
    for (let c = 0; c < 4; c++) dot += values[o + c]! * values[o + c - 4]!;
    if (dot < 0) for (let c = 0; c < 4; c++) values[o + c] = -values[o + c]!;
  }
}

/** Whether every key is what the joint rests in, but for what float32 loses. */
function standsStill(values: Float32Array, rest: Float64Array, size: 3 | 4): boolean {
  for (let o = 0; o < values.length; o += size)
    if (size === 4) {
      if (quaternionAngle(values, o, rest, 0) > 1e-5) return false;
    } else
      for (let c = 0; c < 3; c++)
        if (Math.abs(values[o + c]! - rest[c]!) > 1e-5 * Math.max(1, Math.abs(rest[c]!))) return false;
  return true;
}
