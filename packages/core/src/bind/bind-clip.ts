import { quaternionAngle, rotateVector } from '../base/math/quaternion.js';
import type { Setup } from '../passes/pass.js';
import { type Channel, type Clip, channelSize, type Track } from '../scene/clip.js';
import { type Pose, signRotation } from '../scene/pose.js';
import { isStill } from '../scene/still-track.js';
import { type BindNodes, changeVector, inverseOf, product } from './bind-nodes.js';

/**
 * A clip of the source as tracks for the nodes of a retargeted bind pose: rotation keys of drivers as they are,
 * number by number; and all else (travel, growth, joints between two turns of the source) from the same clip moved
 * onto the target the usual way, told in the nodes' axes. The tracks name nodes by their index.
 * @param usual `clip` on the target, not corrected.
 * @returns the clip, and how many scale channels were left out, since they stretch along no axis of their node.
 */
export function createBindClip(
  plan: BindNodes,
  setup: Setup,
  clip: Clip,
  usual: Clip,
): { clip: Clip; dropped: number } {
  const { nodes, jointNodes, headNodes, changes, turns } = plan;
  const { parents, rest } = setup.target.skeleton;
  const reference = setup.alignment.pose;
  const tracks = driverTracks(plan, setup, clip);
  const copied = new Set(setup.map.joints.map((pair) => pair.target));
  for (const joint of plan.computed) copied.delete(joint);
  const given = new Map(usual.tracks.map((track) => [`${track.channel} ${track.joint}`, track]));
  const trackOf = (channel: Channel, joint: number) =>
    given.get(`${channel} ${joint}`) ?? restTrack(rest, channel, joint);
  const add = (track: Track, node: number, still: readonly number[], change: Change) => {
    const moved = { ...track, joint: node, values: changeValues(track, change) };
    // What stands as the node does anyway needs no keys.
    if (!isStill(moved) || !isNear(moved, still)) tracks.push(moved);
  };
  let dropped = 0;
  for (let i = 0; i < parents.length; i++) {
    const p = parents[i]!;
    const [node, head] = [jointNodes[i]!, headNodes[i]!];
    const isStanding = copied.has(i) && nodes[node]!.driver < 0;
    if (!copied.has(i) || isStanding) {
      const sign = new Float64Array(4);
      signRotation(sign, 0, rest.scales, 3 * i);
      const post = product(sign, inverseOf(turns.slice(4 * i, 4 * i + 4)));
      const pre = p < 0 ? Float64Array.of(0, 0, 0, 1) : turns.slice(4 * p, 4 * p + 4);
      const turned = (v: Float64Array) => product(product(pre, v), post);
      // A joint whose driver does not turn stands; but something else may turn it, as a gaze does eyes.
      const track = trackOf('rotation', i);
      if (!isStanding || leaves({ ...track, values: changeValues(track, turned) }, nodes[node]!.rotation))
        add(track, node, nodes[node]!.rotation, turned);
    }
    add(trackOf('translation', i), head, nodes[head]!.translation, (v) => changeVector(changes, p, v));
    const scales = given.get(`scale ${i}`);
    if (!scales) continue;
    const axes = axesOf(turns.subarray(4 * i, 4 * i + 4));
    const own = reference.scales.subarray(3 * i, 3 * i + 3);
    if (isAlongAxes(scales, own, axes)) add(scales, node, [1, 1, 1], (v) => changeScale(v, own, axes));
    else dropped++;
  }
  return { clip: { ...usual, tracks }, dropped };
}

type Change = (value: Float64Array) => ArrayLike<number>;

/** The keys of the source's joints on the nodes that they turn. */
function driverTracks({ nodes }: BindNodes, { source }: Setup, clip: Clip): Track[] {
  const { rest } = source.skeleton;
  const given = new Map<number, Track>();
  for (const track of clip.tracks)
    if (track.channel === 'rotation' && track.times.length > 0 && !given.has(track.joint))
      given.set(track.joint, track);
  const reversed = new Map<number, Track>();
  return nodes.flatMap(({ driver, inverse, rotation }, joint) => {
    if (driver < 0) return [];
    const track = given.get(driver) ?? restTrack(rest, 'rotation', driver);
    const turned = inverse ? (reversed.get(driver) ?? reverse(track)) : track;
    if (inverse) reversed.set(driver, turned);
    // A joint that this clip does not turn stands at rest, as its node may or may not.
    return given.has(driver) || !isNear(turned, rotation) ? [{ ...turned, joint }] : [];
  });
}

/** A joint that stands at rest, as a track of one key. */
function restTrack(rest: Pose, channel: Channel, joint: number): Track {
  const store =
    channel === 'rotation' ? rest.rotations : channel === 'scale' ? rest.scales : rest.translations;
  const size = channelSize(channel);
  return {
    joint,
    channel,
    interpolation: 'linear',
    times: Float32Array.of(0),
    values: Float32Array.from(store.subarray(size * joint, size * joint + size)),
  };
}

/** Turns the other way about: x, y and z negated, tangents too, so that between keys it is the inverse as well. */
function reverse(track: Track): Track {
  return { ...track, values: track.values.map((x, n) => (n % 4 === 3 ? x : -x)) };
}

/** Every value and tangent of a track through a linear map. */
function changeValues(track: Track, change: Change): Float32Array {
  const size = channelSize(track.channel);
  const values = new Float32Array(track.values.length);
  const value = new Float64Array(size);
  for (let o = 0; o + size <= values.length; o += size) {
    for (let c = 0; c < size; c++) value[c] = track.values[o + c]!;
    values.set(change(value), o);
  }
  return values;
}

/** Whether the first value of a track is a given one, but for what float32 loses. */
function isNear({ channel, interpolation, values }: Track, still: readonly number[]): boolean {
  const o = interpolation === 'cubic' ? still.length : 0;
  if (channel === 'rotation') return quaternionAngle(values, o, Float64Array.from(still), 0) < 1e-6;
  const size = Math.max(...still.map(Math.abs), 1e-6);
  return still.every((x, c) => Math.abs(x - values[o + c]!) <= 1e-6 * size);
}

/** Whether a rotation track turns away from a turn by more than what a bake leaves of standing joints. */
function leaves({ values, interpolation }: Track, still: readonly number[]): boolean {
  const turn = Float64Array.from(still);
  const stride = interpolation === 'cubic' ? 12 : 4;
  for (let o = interpolation === 'cubic' ? 4 : 0; o < values.length; o += stride)
    if (quaternionAngle(values, o, turn, 0) > 1e-4) return true;
  return false;
}

/** The axes of a turn, xyz each. */
function axesOf(turn: Float64Array): Float64Array {
  const axes = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  for (let a = 0; a < 9; a += 3) rotateVector(axes, a, turn, 0, axes, a);
  return axes;
}

/** One number of a stretch along a joint's own axes as it is between two axes of its node. */
function stretchOf(v: ArrayLike<number>, own: ArrayLike<number>, axes: Float64Array, r: number, c: number) {
  let sum = 0;
  for (let a = 0; a < 3; a++) sum += (axes[3 * a + r]! * axes[3 * a + c]! * v[a]!) / (own[a]! || 1);
  return sum;
}

function changeScale(v: ArrayLike<number>, own: ArrayLike<number>, axes: Float64Array): number[] {
  return [0, 1, 2].map((r) => stretchOf(v, own, axes, r, r));
}

/** Whether every value of a scale track stretches along the node's axes: not more than a thousandth askew. */
function isAlongAxes({ values }: Track, own: ArrayLike<number>, axes: Float64Array): boolean {
  for (let o = 0; o + 3 <= values.length; o += 3) {
    const v = values.subarray(o, o + 3);
    const most = 1e-3 * Math.max(...changeScale(v, own, axes).map(Math.abs));
    for (const [r, c] of [[0, 1] as const, [0, 2] as const, [1, 2] as const])
      if (Math.abs(stretchOf(v, own, axes, r, c)) > most) return false;
  }
  return true;
}
