import type { Warning } from '../base/warnings.js';
import { trimClip } from '../clips/edit-clip.js';
import { findCalibration } from '../clips/find-calibration.js';
import { findCycle } from '../clips/find-cycle.js';
import { prepareClip } from '../clips/prepare-clip.js';
import { calmClip } from '../contacts/calm-clip.js';
import { travelFromFeet } from '../contacts/travel-from-feet.js';
import type { RetargetOptions } from '../passes/parts/told-options.js';
import type { ClipPart, Setup } from '../passes/pass.js';
import type { Clip } from '../scene/clip.js';

/** A clip of the source as it is to be moved, and which part of it that is. */
export type BegunClip = {
  /** As it was given, and is measured against. */
  given: Clip;
  /** The same without jitter, where that was to be taken out. */
  prepared: Clip;
  /** Seconds of the source's clip. */
  start: number;
  end: number;
  /** Whether it was cut to a cycle, or is one. */
  loops: boolean;
};

/** A clip of the source as it is to be moved: its part, at its speed, with the travel that was asked for. */
export function beginClip(
  setup: Setup,
  original: Clip,
  options: RetargetOptions,
  told: Warning[],
): BegunClip {
  const begun = takePart(setup, original, options, told);
  const given = prepareTravel(setup, begun.prepared, options, told);
  const prepared = options.calm === undefined ? given : calmClip(setup.source, given, options.calm);
  return { ...begun, given, prepared };
}

/**
 * A clip of the source as it is to be moved: without what is there for calibration, its part, at its speed, cut to its
 * cycle where it is to loop.
 */
function takePart(
  setup: Setup,
  original: Clip,
  options: RetargetOptions,
  told: Warning[],
): Omit<BegunClip, 'given'> {
  const { range, speed = 1, loop = false } = options;
  const begins = options.keepCalibration ? 0 : findCalibration(setup.source, original);
  let start = Math.max(0, range?.[0] ?? 0);
  let end = range?.[1] ?? Number.POSITIVE_INFINITY;
  if (begins > start && begins < end) {
    start = begins;
    told.push({
      code: 'calibration-left-out',
      message: `"${original.name}" holds a pose for calibration until ${begins.toFixed(2)} s, which was left out; keepCalibration keeps it`,
    });
  }
  const isPart = range !== undefined || start > 0;
  const partly = (from: number, to: number) =>
    isPart || loop ? { ...options, range: [from, to] as const } : options;
  const prepared = prepareClip(
    original,
    isPart ? partly(start, end) : options,
    setup.source.reference.pose,
    told,
  );
  if (!loop || options.pingPong) return { prepared, start, end, loops: false };
  const cycle = findCycle(setup.source, prepared);
  if (!cycle) {
    told.push({
      code: 'loop-not-found',
      message: `"${original.name}" was to loop, and no two of its instants match; it was left as it is`,
    });
    return { prepared, start, end, loops: false };
  }
  if (cycle.start === 0 && cycle.end >= prepared.duration) return { prepared, start, end, loops: true };
  end = start + cycle.end * speed;
  start += cycle.start * speed;
  told.push({
    code: 'loop-cut',
    message: `"${original.name}" loops from ${start.toFixed(2)} s to ${end.toFixed(2)} s, which was taken`,
  });
  return { prepared: trimClip(prepared, cycle.start, cycle.end), start, end, loops: true };
}

/** A clip with the travel that was asked for. */
function prepareTravel(
  { source, travel }: Setup,
  clip: Clip,
  options: RetargetOptions,
  told: Warning[],
): Clip {
  if (options.travel !== 'fromFeet' || !travel) return clip;
  const found = travelFromFeet(source, clip, travel.source);
  told.push(...found.warnings);
  return found.clip;
}

/** Which part of the source's clips is moved, for what is told in their times and sides. */
export function partOf({ range, speed = 1, mirror = false }: RetargetOptions): ClipPart {
  return { start: range?.[0] ?? 0, speed, mirror };
}
