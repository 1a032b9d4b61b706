import { analyseTravel } from './analyse-travel.js';
import { type Clip, sampleTrack, type Track } from './clip.js';
import { frameTimes } from './motion.js';
import { rootAbove } from './passes/extract-root.js';
import { PASSES, type PassName } from './pipeline.js';
import { copyPose, type Pose } from './pose.js';
import type { Frame, Setup } from './setup.js';

/** Room for one instant on its way through the passes: source at rest, target in its aligned reference. */
export function createFrame(setup: Setup): Frame {
  return {
    index: 0,
    source: copyPose(setup.source.skeleton.rest),
    sourceModelRotations: new Float64Array(4 * setup.source.skeleton.names.length),
    target: copyPose(setup.alignment.pose),
    targetModelRotations: setup.alignment.model.rotations.slice(),
    travel: new Float64Array(3),
  };
}

/**
 * The frame core: samples the source at a fixed rate, runs the passes on every frame, and gives a clip of
 * linear keys for the target. Works for every map; the key core is faster and keeps keys where it is exact.
 */
export function retargetFrames(
  setup: Setup,
  clip: Clip,
  frameRate: number,
  passes: readonly PassName[],
  onFrame?: (frame: number, count: number) => void,
): { clip: Clip; frames: number } {
  const times = frameTimes(clip.duration, frameRate);
  const count = times.length;
  const withPath: Setup =
    setup.rootMotion !== 'keep' && passes.includes('extractRoot')
      ? { ...setup, travelPath: analyseTravel(setup, clip, times) }
      : setup;
  const steps = PASSES.filter(({ name }) => passes.includes(name)).map((pass) => pass.prepare(withPath));
  const frame = createFrame(setup);
  const sample = createSampler(clip, times, frame.source);
  const store = createRecorder(setup, passes, count, frame.target);
  for (let k = 0; k < count; k++) {
    frame.index = k;
    sample(k);
    for (let n = 0; n < steps.length; n++) steps[n]!(frame);
    store.record(k);
    if (onFrame && (k & 255) === 0) onFrame(k, count);
  }
  return {
    clip: { name: clip.name, duration: clip.duration, tracks: store.tracks(times), morphs: [] },
    frames: count,
  };
}

/**
 * Writes the clip's pose at frame k into `pose`. Tracks whose keys stand exactly on the frames, which is
 * how baked files come, are read without a search.
 */
function createSampler(clip: Clip, times: Float32Array, pose: Pose): (k: number) => void {
  const aligned = new Map<Track['times'], boolean>();
  const onFrames = (track: Track): boolean => {
    if (track.interpolation === 'cubic') return false;
    let known = aligned.get(track.times);
    if (known === undefined) {
      const { times: keys } = track;
      known = keys.length === times.length;
      // A tenth of a microsecond is below a float32's step at a second.
      for (let k = 0; known && k < times.length; k++)
        known = Math.abs(keys[k]! - times[k]!) <= 1e-7 + 1e-6 * times[k]!;
      aligned.set(track.times, known);
    }
    return known;
  };
  const storeOf = (track: Track) =>
    track.channel === 'rotation'
      ? pose.rotations
      : track.channel === 'translation'
        ? pose.translations
        : pose.scales;
  const tracks = clip.tracks.filter((track) => track.times.length > 0);
  const turns = tracks.filter((track) => track.channel === 'rotation' && onFrames(track));
  const turnValues = turns.map(({ values }) => values);
  const turnPlaces = Int32Array.from(turns, ({ joint }) => 4 * joint);
  const others = tracks.filter((track) => !turns.includes(track));
  const moves = others.filter(onFrames);
  const searched = others.filter((track) => !onFrames(track));
  const hints = new Int32Array(searched.length);
  return (k) => {
    readTurns(pose.rotations, turnValues, turnPlaces, 4 * k);
    for (const { values, joint, channel } of moves) {
      const out = channel === 'translation' ? pose.translations : pose.scales;
      out[3 * joint] = values[3 * k]!;
      out[3 * joint + 1] = values[3 * k + 1]!;
      out[3 * joint + 2] = values[3 * k + 2]!;
    }
    for (let n = 0; n < searched.length; n++) {
      const track = searched[n]!;
      hints[n] = sampleTrack(
        storeOf(track),
        track.joint * (track.channel === 'rotation' ? 4 : 3),
        track,
        times[k]!,
        hints[n]!,
      );
    }
  };
}

function readTurns(
  out: Float64Array,
  values: readonly Track['values'][],
  places: Int32Array,
  at: number,
): void {
  for (let n = 0; n < places.length; n++) {
    const from = values[n]!;
    const o = places[n]!;
    const x = from[at]!;
    const y = from[at + 1]!;
    const z = from[at + 2]!;
    const w = from[at + 3]!;
    // Files hold unit quaternions to a float32's rounding; only those that do not are scaled.
    const square = x * x + y * y + z * z + w * w;
    if (square > 0.999999 && square < 1.000001) {
      out[o] = x;
      out[o + 1] = y;
      out[o + 2] = z;
      out[o + 3] = w;
    } else {
      const k = square > 1e-24 && square < Number.POSITIVE_INFINITY ? 1 / Math.sqrt(square) : 0;
      out[o] = x * k || 0;
      out[o + 1] = y * k || 0;
      out[o + 2] = z * k || 0;
      out[o + 3] = k === 0 ? 1 : w * k;
    }
  }
}

/** Collects the target's channels that the passes write, and gives them as tracks. */
function createRecorder(setup: Setup, passes: readonly PassName[], count: number, pose: Pose) {
  const { map, travel, alignment, target } = setup;
  const turned = new Set<number>(
    passes.includes('copyRotations') ? map.joints.map((pair) => pair.target) : [],
  );
  const moved = new Set<number>(
    passes.includes('copyRotations') ? alignment.placed.map(({ joint }) => joint) : [],
  );
  if (travel && passes.includes('moveRoot')) moved.add(travel.target);
  if (travel && passes.includes('extractRoot') && setup.rootMotion === 'extract') {
    const root = rootAbove(target.skeleton, travel.target);
    if (root >= 0) {
      turned.add(root);
      moved.add(root);
    }
  }
  const turnJoints = Int32Array.from([...turned].sort((a, b) => a - b));
  const moveJoints = Int32Array.from([...moved].sort((a, b) => a - b));
  const turns = Array.from(turnJoints, () => new Float32Array(4 * count));
  const moves = Array.from(moveJoints, () => new Float32Array(3 * count));
  return {
    record(k: number): void {
      recordTurns(turns, turnJoints, pose.rotations, k);
      for (let n = 0; n < moveJoints.length; n++) {
        const values = moves[n]!;
        const i = 3 * moveJoints[n]!;
        values[3 * k] = pose.translations[i]!;
        values[3 * k + 1] = pose.translations[i + 1]!;
        values[3 * k + 2] = pose.translations[i + 2]!;
      }
    },
    tracks(times: Float32Array): Track[] {
      const tracks: Track[] = [];
      turnJoints.forEach((joint, n) => {
        tracks.push({ joint, channel: 'rotation', interpolation: 'linear', times, values: turns[n]! });
      });
      moveJoints.forEach((joint, n) => {
        tracks.push({ joint, channel: 'translation', interpolation: 'linear', times, values: moves[n]! });
      });
      return tracks;
    },
  };
}

/** Stores local rotations, each in the hemisphere of the one before. */
function recordTurns(
  turns: readonly Float32Array[],
  joints: Int32Array,
  rotations: Float64Array,
  k: number,
): void {
  const at = 4 * k;
  for (let n = 0; n < joints.length; n++) {
    const values = turns[n]!;
    const i = 4 * joints[n]!;
    let x = rotations[i]!;
    let y = rotations[i + 1]!;
    let z = rotations[i + 2]!;
    let w = rotations[i + 3]!;
    if (k > 0 && x * values[at - 4]! + y * values[at - 3]! + z * values[at - 2]! + w * values[at - 1]! < 0) {
      x = -x;
      y = -y;
      z = -z;
      w = -w;
    }
    values[at] = x;
    values[at + 1] = y;
    values[at + 2] = z;
    values[at + 3] = w;
  }
}
