import { Animation } from '@babylonjs/core/Animations/animation.js';
import { AnimationGroup } from '@babylonjs/core/Animations/animationGroup.js';
import { type Clip, channelSize, type RigMap, type Track } from '@stuntdouble/core/engine';
import { createFlatAnimation, joinGroup } from '../fast/flat-animation.js';
import type { Body } from '../read/body.js';
import { PROPERTIES, type ReadGroup } from '../read/read-group.js';

/** An empty group like another one: its weight, speed, order, blending, loop and mask. */
export function createGroupLike(group: AnimationGroup, name: string, body: Body): AnimationGroup {
  const made = new AnimationGroup(name, body.scene, group.weight, group.playOrder);
  made.speedRatio = group.speedRatio;
  made.loopAnimation = group.loopAnimation;
  made.isAdditive = group.isAdditive;
  made.enableBlending = group.enableBlending;
  made.blendingSpeed = group.blendingSpeed;
  return made;
}

/**
 * Puts a clip's tracks into a group, as animations of the nodes and bones of a body.
 * @param isCopy Whether the clip was taken over whole: then animations of which less was read, and that nothing has
 * changed since, are copied.
 */
export function writeTracks(
  group: AnimationGroup,
  clip: Clip,
  body: Body,
  read: ReadGroup,
  likeOf: (track: Track) => Animation | undefined,
  isCopy: boolean,
): void {
  const framesOf = new Map<Track['times'], Float64Array>();
  for (const track of clip.tracks) {
    const object = body.objects[track.joint];
    if (!object) continue;
    const { times, values, channel, interpolation } = track;
    const property = PROPERTIES[channel];
    const like = likeOf(track);
    if (isCopy && like && isUnchanged(track, like, read)) {
      const whole = like.clone(true);
      whole.name = `${clip.name}_${object.name}_${property}`;
      group.addTargetedAnimation(whole, object);
      continue;
    }
    const frames = framesOf.get(times) ?? framesRead(times, read) ?? framesAt(times, read);
    framesOf.set(times, frames);
    const animation = createFlatAnimation(
      `${clip.name}_${object.name}_${property}`,
      property,
      read.frameRate,
      { frames, values, size: channelSize(channel), interpolation, frameRate: read.frameRate },
      like?.loopMode ?? Animation.ANIMATIONLOOPMODE_CYCLE,
      like?.enableBlending ?? false,
    );
    if (like) animation.blendingSpeed = like.blendingSpeed;
    joinGroup(group, animation, object);
  }
}

/** Whether a track of a clip that was taken over is what was read of an animation that holds more than that. */
function isUnchanged(track: Track, like: Animation, { clip, simplified, frameRate }: ReadGroup): boolean {
  if (!simplified.has(like) || like.framePerSecond !== frameRate) return false;
  const was = clip.tracks.find(({ joint, channel }) => joint === track.joint && channel === track.channel);
  return was !== undefined && areSame(was.times, track.times) && areSame(was.values, track.values);
}

/** The very frames that times were read from; null where they are others. */
function framesRead(times: Track['times'], { framesOf }: ReadGroup): Float64Array | null {
  for (const [known, frames] of framesOf) if (areSame(known, times)) return frames;
  return null;
}

function areSame(a: Track['values'], b: Track['values']): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}

/** The frames of times; one that is nearly whole is whole. */
function framesAt(times: Track['times'], { frameRate, firstFrame }: ReadGroup): Float64Array {
  const frames = new Float64Array(times.length);
  for (let k = 0; k < times.length; k++) frames[k] = wholeFrame(times[k]! * frameRate + firstFrame);
  return frames;
}

/** A thousandth of a frame is the rounding of seconds in float32. */
function wholeFrame(frame: number): number {
  const whole = Math.round(frame);
  return Math.abs(frame - whole) < 1e-3 ? whole : frame;
}

/**
 * Adds tracks that hold the rest of driven joints, and of joints above them, which the engine leaves out
 * where they stand still: an avatar that another animation has posed shall play the result all the same.
 */
export function holdStill({ skeleton }: Body, map: RigMap, clip: Clip): void {
  const { parents, flags, rest } = skeleton;
  /** Joints that are driven or stand above such, and are moved by nothing yet. */
  const isStill = new Uint8Array(parents.length);
  for (const { target } of map.joints) {
    isStill[target] = 1;
    for (let at = parents[target]!; at >= 0; at = parents[at]!) if (flags[at] !== 0) isStill[at] = 1;
  }
  for (const { joint, channel } of clip.tracks) if (channel === 'rotation') isStill[joint] = 0;
  const times = clip.duration > 0 ? Float32Array.of(0, clip.duration) : Float32Array.of(0);
  for (let joint = 0; joint < isStill.length; joint++) {
    if (!isStill[joint]) continue;
    const values = new Float32Array(4 * times.length);
    for (let i = 0; i < values.length; i++) values[i] = rest.rotations[4 * joint + (i % 4)]!;
    clip.tracks.push({ joint, channel: 'rotation', interpolation: 'linear', times, values });
  }
}
