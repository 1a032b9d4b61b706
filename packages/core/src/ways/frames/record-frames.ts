import { storeTurns } from '../../clips/sound-turns.js';
import type { ClipPlan, Setup } from '../../passes/pass.js';
import type { PassName } from '../../passes/pipeline.js';
import { writtenChannels } from '../../passes/run-passes.js';
import type { Channel, Track } from '../../scene/clip.js';
import type { Block } from './sample-frames.js';

/** The target's channels that the passes write. */
export type Recorder = {
  turned: Int32Array;
  turns: Float32Array[];
  moved: Int32Array;
  moves: Float32Array[];
  scaled: Int32Array;
  scales: Float32Array[];
  /** Joints whose turns were none in some frame; others stand in for them. */
  mended: Set<number>;
};

/** Room for the keys of `count` frames. */
export function createRecorder(
  setup: Setup,
  plan: ClipPlan,
  passes: readonly PassName[],
  count: number,
): Recorder {
  const { turned, moved, scaled } = writtenChannels(setup, plan, passes);
  return {
    turned,
    turns: allocate(turned.length, 4 * count),
    moved,
    moves: allocate(moved.length, 3 * count),
    scaled,
    scales: allocate(scaled.length, 3 * count),
    mended: new Set(),
  };
}

/** Tracks of equal length in one piece of memory: one allocation is cheaper than many. */
function allocate(tracks: number, length: number): Float32Array[] {
  // Tracks that begin a multiple of 4 KiB apart would fight for the same places in the cache.
  const stride = length % 1024 < 16 ? length + 16 : length;
  const all = new Float32Array(tracks * stride);
  return Array.from({ length: tracks }, (_, n) => all.subarray(n * stride, n * stride + length));
}

/**
 * Stores the targets of `count` frames from frame `from` on; each rotation in the hemisphere of the one before.
 * @param first Which frame of the block is the first of them.
 */
export function recordFrames(
  recorder: Recorder,
  { frames, targets }: Block,
  from: number,
  count: number,
  first = 0,
): void {
  const { turned, turns, moved, moves, scaled, scales } = recorder;
  const stride = targets.length / frames.length;
  for (let n = 0; n < turned.length; n++) {
    const joint = turned[n]!;
    if (!storeTurns(turns[n]!, from, count, targets, 4 * joint + first * stride, stride))
      recorder.mended.add(joint);
  }
  for (let n = 0; n < moved.length + scaled.length; n++) {
    const isMove = n < moved.length;
    const values = isMove ? moves[n]! : scales[n - moved.length]!;
    const i = 3 * (isMove ? moved[n]! : scaled[n - moved.length]!);
    for (let b = 0; b < count; b++) {
      const { target } = frames[first + b]!;
      const store = isMove ? target.translations : target.scales;
      for (let c = 0; c < 3; c++) values[3 * (from + b) + c] = store[i + c]!;
    }
  }
}

/** What was recorded, as tracks of linear keys. */
export function tracksOf(recorder: Recorder, times: Float32Array): Track[] {
  const { turned, turns, moved, moves, scaled, scales } = recorder;
  const track =
    (channel: Channel, joints: Int32Array) =>
    (values: Float32Array, n: number): Track => ({
      joint: joints[n]!,
      channel,
      interpolation: 'linear',
      times,
      values,
    });
  return [
    ...turns.map(track('rotation', turned)),
    ...moves.map(track('translation', moved)),
    ...scales.map(track('scale', scaled)),
  ];
}
