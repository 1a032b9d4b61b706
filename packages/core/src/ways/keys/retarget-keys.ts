import { didWork } from '../../base/watch-work.js';
import { mendTurns, UNIT_SQUARE } from '../../clips/sound-turns.js';
import type { Setup } from '../../passes/pass.js';
import type { Clip, Track } from '../../scene/clip.js';
import { deferredTurns } from '../../scene/deferred-turns.js';
import type { KeyPlan } from './plan-keys.js';

/**
 * The key core: every key of the source becomes a key of the target at the same time, tangents included.
 * `finite` is false where a rotation key holds something that is no number, or no turn.
 */
export function retargetKeys(
  setup: Setup,
  clip: Clip,
  plan: Exclude<KeyPlan, { reason: string }>,
): { clip: Clip; finite: boolean } {
  const tracks: Track[] = [];
  let finite = true;
  // By joint, as lists: maps are a good part of what a short clip takes.
  const count = setup.source.skeleton.parents.length;
  const rotations = new Array<Track | undefined>(count);
  const translations = new Array<Track | undefined>(count);
  const scales = new Array<Track | undefined>(count);
  for (const track of clip.tracks) {
    if (track.times.length === 0) continue;
    if (track.channel === 'rotation') rotations[track.joint] = track;
    else if (track.channel === 'translation') translations[track.joint] = track;
    else scales[track.joint] = track;
  }
  const still = Float32Array.of(0);
  for (const { target, source, still: turn, matrix } of plan.turns) {
    const track = rotations[source];
    if (track) {
      const { interpolation, times } = track;
      const turns = deferredTurns(track);
      const values = new Float32Array(turns ? 4 * times.length : track.values.length);
      // A cubic curve runs through the very components, so its signs stay; else they follow the key before.
      const areFinite = turns
        ? turns.map(values, matrix)
        : mapQuaternions(values, track.values, matrix, interpolation !== 'cubic');
      finite = areFinite && finite;
      tracks.push({ joint: target, channel: 'rotation', interpolation, times, values });
      didWork(times.length);
    } else
      tracks.push({
        joint: target,
        channel: 'rotation',
        interpolation: 'linear',
        times: still,
        values: new Float32Array(turn),
      });
  }
  if (plan.move) {
    const { target, source, linear, offset } = plan.move;
    const track = translations[source];
    const rest = setup.source.skeleton.rest.translations.slice(3 * source, 3 * source + 3);
    tracks.push(
      track
        ? { ...track, joint: target, values: moveKeys(track, linear, offset) }
        : {
            joint: target,
            channel: 'translation',
            interpolation: 'linear',
            times: still,
            values: moveKeys({ values: rest, interpolation: 'linear' }, linear, offset),
          },
    );
  }
  for (const { channel, target, source, linear, offset } of plan.channels) {
    const track = (channel === 'translation' ? translations : scales)[source];
    tracks.push(
      track
        ? { ...track, joint: target, values: moveKeys(track, linear, offset) }
        : {
            joint: target,
            channel,
            interpolation: 'linear',
            times: still,
            values: new Float32Array(offset),
          },
    );
  }
  return { clip: { name: clip.name, duration: clip.duration, tracks, morphs: [] }, finite };
}

/**
 * q' = pre · q · post for every quaternion of a track, as the one 4×4 matrix that this is: sixteen products
 * a key instead of thirty-two. They come out at unit length.
 * @returns whether every key was a turn, but for rounding.
 */
function mapQuaternions(
  out: Float32Array,
  values: Track['values'],
  m: Float64Array,
  continuous: boolean,
): boolean {
  const m0 = m[0]!;
  const m1 = m[1]!;
  const m2 = m[2]!;
  const m3 = m[3]!;
  const m4 = m[4]!;
  const m5 = m[5]!;
  const m6 = m[6]!;
  const m7 = m[7]!;
  const m8 = m[8]!;
  const m9 = m[9]!;
  const m10 = m[10]!;
  const m11 = m[11]!;
  const m12 = m[12]!;
  const m13 = m[13]!;
  const m14 = m[14]!;
  const m15 = m[15]!;
  let sign = 1;
  let px = 0;
  let py = 0;
  let pz = 0;
  let pw = 0;
  // A cubic curve's slopes have any length: its values are looked at afterwards.
  let areUnit = continuous;
  for (let i = 0; i < values.length; i += 4) {
    const x = values[i]!;
    const y = values[i + 1]!;
    const z = values[i + 2]!;
    const w = values[i + 3]!;
    // The map keeps dot products, so the source's own neighbours tell whether the sign must change.
    const dot = x * px + y * py + z * pz + w * pw;
    if (continuous && dot < 0) sign = -sign;
    px = x;
    py = y;
    pz = z;
    pw = w;
    const a = m0 * x + m4 * y + m8 * z + m12 * w;
    const b = m1 * x + m5 * y + m9 * z + m13 * w;
    const c = m2 * x + m6 * y + m10 * z + m14 * w;
    const d = m3 * x + m7 * y + m11 * z + m15 * w;
    if (!(Math.abs(a * a + b * b + c * c + d * d - 1) < UNIT_SQUARE)) areUnit = false;
    out[i] = sign * a;
    out[i + 1] = sign * b;
    out[i + 2] = sign * c;
    out[i + 3] = sign * d;
  }
  return areUnit || mendTurns(out, continuous ? 4 : 12);
}

function moveKeys(
  track: Pick<Track, 'values' | 'interpolation'>,
  linear: Float64Array,
  offset: Float64Array,
): Float32Array {
  const { values, interpolation } = track;
  const out = new Float32Array(values.length);
  for (let i = 0; i < values.length; i += 3) {
    // Tangents are directions: they take the linear part only (WP3).
    const isValue = interpolation !== 'cubic' || (i / 3) % 3 === 1;
    for (let c = 0; c < 3; c++)
      out[i + c] =
        linear[c]! * values[i]! +
        linear[3 + c]! * values[i + 1]! +
        linear[6 + c]! * values[i + 2]! +
        (isValue ? offset[c]! : 0);
  }
  return out;
}
