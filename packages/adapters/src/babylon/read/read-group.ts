import type { Animation } from '@babylonjs/core/Animations/animation.js';
import type { AnimationGroup, TargetedAnimation } from '@babylonjs/core/Animations/animationGroup.js';
import type { IAnimationKey } from '@babylonjs/core/Animations/animationKey.js';
import { Matrix, Quaternion } from '@babylonjs/core/Maths/math.vector.js';
import {
  type Channel,
  type Clip,
  channelSize,
  deferTurns,
  type Track,
  UsageError,
} from '@stuntdouble/core/engine';
import { deferKeys } from '../fast/deferred-keys.js';
import type { BabylonWarning } from '../warnings.js';
import { type KeyReading, readKeys, shareFrames } from './read-keys.js';
import { decompose, isBone, isTransformNode } from './rest-memory.js';

/** A group's keys for the engine, and how to get back to frames. */
export type ReadGroup = {
  clip: Clip;
  /** Frames per second of the result; the group's own. */
  frameRate: number;
  /** The frame at which the clip's time is zero. */
  firstFrame: number;
  /** By joint the animation of the group that moves it; a matrix animation is there three times. */
  animations: Record<Channel, (Animation | undefined)[]>;
  /** The frames that a track's times stand for, exactly, by the array of times. */
  framesOf: Map<Track['times'], Float64Array>;
  /** The animations that hold more than was read of them; see {@link KeyReading}. */
  simplified: Set<Animation>;
  /** Animations of morph targets' influence, which need no change but a new target. */
  morphs: TargetedAnimation[];
};

/** The property that Babylon.js animates for each channel. */
export const PROPERTIES: Readonly<Record<Channel, string>> = {
  translation: 'position',
  rotation: 'rotationQuaternion',
  scale: 'scaling',
};

/** The nodes and bones that a group animates. */
export function movedBy(group: AnimationGroup): Set<unknown> {
  const moved = new Set<unknown>();
  for (const { animation, target } of group.targetedAnimations)
    if ((isTransformNode(target) || isBone(target)) && kindOf(animation)) moved.add(target);
  return moved;
}

/** How an animation's property is read: a channel, all three of a matrix, or Euler angles. */
function kindOf({ targetProperty }: Animation): Channel | 'matrix' | 'euler' | null {
  if (targetProperty === 'position') return 'translation';
  if (targetProperty === 'rotationQuaternion') return 'rotation';
  if (targetProperty === 'scaling') return 'scale';
  if (targetProperty === '_matrix') return 'matrix';
  return targetProperty === 'rotation' ? 'euler' : null;
}

/**
 * Reads a group as a clip. Step and cubic keys stay what they are; keys of mixed kinds, with easing, or of
 * Euler angles are sampled by Babylon.js itself at every frame. Nothing of the group is changed (B2).
 * @param how How keys are read; the clip lasts until the scratch is given back.
 */
export function readGroup(
  group: AnimationGroup,
  jointOf: ReadonlyMap<unknown, number>,
  how: Pick<KeyReading, 'trust' | 'defer' | 'scratch'>,
  warnings: BabylonWarning[],
): ReadGroup {
  const read: ReadGroup = {
    clip: { name: group.name, duration: 0, tracks: [], morphs: [] },
    frameRate: group.targetedAnimations[0]?.animation.framePerSecond || 60,
    firstFrame: 0,
    animations: { translation: [], rotation: [], scale: [] },
    framesOf: new Map(),
    simplified: new Set(),
    morphs: [],
  };
  let start = Number.POSITIVE_INFINITY;
  let end = 0;
  for (const { animation } of group.targetedAnimations) {
    const keys = animation.getKeys();
    if (keys.length === 0) continue;
    start = Math.min(start, keys[0]!.frame / animation.framePerSecond);
    end = Math.max(end, keys[keys.length - 1]!.frame / animation.framePerSecond);
  }
  if (!Number.isFinite(start) || !Number.isFinite(end)) start = end = 0;
  read.firstFrame = start * read.frameRate;
  read.clip.duration = Math.max(0, end - start);
  // Tracks whose keys stand on the same frames share their times, as files have it.
  const reading: KeyReading = { ...how, shared: new Set(), simplified: read.simplified };
  const timesOfRate = new Map<number, Map<Float64Array, Float32Array>>();
  const seen = new Set<Animation>();
  const left = new Set<string>();
  for (const targeted of group.targetedAnimations) {
    const { animation, target } = targeted;
    if (seen.has(animation))
      warnings.push({
        code: 'animation-shared',
        message: `animation "${animation.name}" is in "${group.name}" more than once; each target got a copy of its own`,
      });
    seen.add(animation);
    if (animation.targetProperty === 'influence') {
      read.morphs.push(targeted);
      continue;
    }
    const joint = jointOf.get(target);
    const kind = kindOf(animation);
    if (joint === undefined || !kind) {
      left.add(`${nameOf(target)}.${animation.targetProperty}`);
      continue;
    }
    if (animation.getKeys().length === 0) continue;
    for (const track of readTracks(animation, joint, kind, reading, timesOf)) {
      read.clip.tracks.push(track);
      read.animations[track.channel][joint] = animation;
    }
  }
  if (left.size > 0)
    warnings.push({
      code: 'animation-left-out',
      message: `"${group.name}": ${left.size} animation${left.size > 1 ? 's move' : ' moves'} something other than nodes, bones or morph targets and ${left.size > 1 ? 'were' : 'was'} left out: ${[...left].slice(0, 4).join(', ')}${left.size > 4 ? ', …' : ''}`,
    });
  return read;

  function timesOf(frames: Float64Array, { framePerSecond }: Animation): Float32Array {
    const known = timesOfRate.get(framePerSecond) ?? new Map<Float64Array, Float32Array>();
    timesOfRate.set(framePerSecond, known);
    let times = known.get(frames);
    if (times) return times;
    // As files have them, and as frames are baked: a time of more digits would never be met by a frame.
    times = new Float32Array(frames.length);
    for (let k = 0; k < frames.length; k++) times[k] = frames[k]! / framePerSecond - start;
    known.set(frames, times);
    const ratio = read.frameRate / framePerSecond;
    read.framesOf.set(times, ratio === 1 ? frames : frames.map((frame) => frame * ratio));
    return times;
  }
}

function nameOf(target: unknown): string {
  return typeof target === 'object' && target !== null && 'name' in target ? String(target.name) : '?';
}

type TimesOf = (frames: Float64Array, animation: Animation) => Float32Array;

/** {@link tracksOf}, of keys that are looked at one by one only where they are broken. */
function readTracks(...given: Parameters<typeof tracksOf>): Track[] {
  try {
    return tracksOf(...given);
  } catch (error) {
    const [animation] = given;
    const at = animation.getKeys().findIndex(({ value }) => value === undefined || value === null);
    if (at < 0) throw error;
    throw new UsageError(`key ${at} of the animation "${animation.name}" has no value`);
  }
}

function tracksOf(
  animation: Animation,
  joint: number,
  kind: Channel | 'matrix' | 'euler',
  reading: KeyReading,
  timesOf: TimesOf,
): Track[] {
  if (kind === 'matrix') return matrixTracks(animation, joint, reading, timesOf);
  const channel: Channel = kind === 'euler' ? 'rotation' : kind;
  const size = channelSize(channel);
  const later = kind === 'rotation' && reading.defer && !reading.trust ? deferKeys(animation, reading) : null;
  if (later) {
    const { frames, interpolation, turns } = later;
    return [deferTurns({ joint, interpolation, times: timesOf(frames, animation) }, turns)];
  }
  const flat = kind === 'euler' ? null : readKeys(animation, size, reading);
  if (flat) {
    const { frames, values, interpolation } = flat;
    return [{ joint, channel, interpolation, times: timesOf(frames, animation), values }];
  }
  const frames = shareFrames(everyFrame(animation.getKeys()), reading.shared);
  const values = new Float64Array(size * frames.length);
  frames.forEach((frame, k) => {
    const value: Components = animation.evaluate(frame);
    const turn = kind === 'euler' ? Quaternion.RotationYawPitchRoll(value.y, value.x, value.z) : value;
    put(values, k * size, turn, size);
  });
  return [{ joint, channel, interpolation: 'linear', times: timesOf(frames, animation), values }];
}

/** At most so many samples are taken of one animation: half an hour at 60 frames a second. */
const MOST_SAMPLES = 108_000;

/** The frames of the keys and whole frames between them. */
function everyFrame(keys: readonly IAnimationKey[]): Float64Array {
  const frames: number[] = [];
  const span = keys[keys.length - 1]!.frame - keys[0]!.frame;
  const step = Math.max(1, span / MOST_SAMPLES);
  keys.forEach(({ frame }, k) => {
    frames.push(frame);
    const next = keys[k + 1]?.frame ?? frame;
    for (let at = frame + step; at < next - 1e-6; at += step) frames.push(at);
    // A step is a jump: the value before it stands until just before the key.
    if (next > frame + 0.02) frames.push(next - 0.01);
  });
  return Float64Array.from(frames);
}

function matrixTracks(animation: Animation, joint: number, reading: KeyReading, timesOf: TimesOf): Track[] {
  const keys = animation.getKeys();
  const frames = Float64Array.from(keys, ({ frame }) => frame);
  const times = timesOf(shareFrames(frames, reading.shared), animation);
  const translations = new Float64Array(3 * keys.length);
  const rotations = new Float64Array(4 * keys.length);
  const scales = new Float64Array(3 * keys.length);
  keys.forEach(({ value }, k) => {
    const parts = decompose(value instanceof Matrix ? value : Matrix.Identity());
    put(translations, 3 * k, parts.position, 3);
    put(rotations, 4 * k, parts.rotation, 4);
    put(scales, 3 * k, parts.scaling, 3);
  });
  const track = (channel: Channel, values: Float64Array): Track => ({
    joint,
    channel,
    interpolation: 'linear',
    times,
    values,
  });
  return [track('translation', translations), track('rotation', rotations), track('scale', scales)];
}

type Components = { x: number; y: number; z: number; w?: number };

function put(out: Float64Array, o: number, value: Components, size: 3 | 4): void {
  out[o] = value.x;
  out[o + 1] = value.y;
  out[o + 2] = value.z;
  if (size === 4) out[o + 3] = value.w ?? 0;
}
